"""The chapter telling-them-apart: at which inputs the forms differ, and where a test fails."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.activations import gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.floats.formulas import EVALUATIONS, SHORT, VALUES
from gelu_lib.floats.types import FLOAT_TYPES, float_type, round_to
from gelu_lib.provenance.identify import identify
from gelu_lib.provenance.tolerances import PAIRS, forms, margins, tolerance
from gelu_lib.provenance.witnesses import (
    COMMON_WITNESS,
    best_witness,
    certified_margins,
    certified_overlap,
    failing_share,
    largest_difference,
    least,
    passing_half_width,
)
from gelu_lib.show.style import Drawn, draw
from gelu_lib.show.tables import Table, decimal

Pair = tuple[str, str]

SIXTEEN_BITS = ("float16", "bfloat16")

LOW = 1e-3
"""The least margin that a figure shows."""


def opening() -> Drawn:
    """How clearly the forms differ at each input, for work in float32, with the common witness."""
    kinds = [(dtype, "float32") for dtype in ("float32", *SIXTEEN_BITS)]
    return margins_against_inputs(kinds, witness=COMMON_WITNESS)


def margins_against_inputs(
    kinds: Sequence[tuple[str, str]],
    pairs: Sequence[Pair] = PAIRS,
    witness: float | None = None,
    half_width: float = 8.0,
) -> Drawn:
    """How clearly forms differ at each input: their least distance in units of both tolerances.

    Above the dotted line no value is within the tolerances of two of the forms.

    Args:
        kinds: types and the precisions of work for them, one curve each.
        pairs: the forms that are to be told apart.
        witness: an input that is marked on each curve.
        half_width: the inputs are drawn from its negative to it.

    Returns:
        A curve for each kind, and the marks.
    """
    curves = {
        f"{dtype}, works in {working}": _least_margin(dtype, working, pairs, half_width)
        for dtype, working in kinds
    }
    points = {}
    if witness is not None:
        marks = [_least_margin(*kind, pairs, at=np.array([witness]))[1][0] for kind in kinds]
        points[f"$x = {witness:g}$"] = (np.full(len(marks), witness), np.array(marks))
    drawn = draw(curves, points, ylabel="least distance, by both tolerances", levels=(1,))
    plt.yscale("log")
    plt.ylim(bottom=LOW)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return drawn


def margins_of_pairs(dtype: str, working: str, half_width: float = 8.0) -> Drawn:
    """How clearly each two of the forms differ, for one type and one precision of work."""
    curves = {
        f"{one} and {other}": _least_margin(dtype, working, [(one, other)], half_width)
        for one, other in PAIRS
    }
    drawn = draw(curves, ylabel="distance, by both tolerances", levels=(1,))
    plt.yscale("log")
    plt.ylim(bottom=LOW)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return drawn


def _least_margin(
    dtype: str,
    working: str,
    pairs: Sequence[Pair],
    half_width: float = 0.0,
    at: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-half_width, half_width, 1601) if at is None else at
    found = margins(x, tolerance(dtype, working))
    return x, np.min([found[pair] for pair in pairs], axis=0)


# --- tolerances and witnesses


def evaluation_table() -> Table:
    """The largest error of the usual evaluations in tolerances, rounded at every operation."""

    def worst(variant: str, way: str, dtype: str) -> str:
        if way == SHORT and dtype in SIXTEEN_BITS:
            return "not used"
        verdict = identify(EVALUATIONS[variant][way], dtype, working=dtype)
        return f"{verdict.farthest[variant]:.2f}"

    types = ("float32", *SIXTEEN_BITS)
    rows = []
    for variant, ways in EVALUATIONS.items():
        for way in ways:
            name = way if way == SHORT else f"`{way}`"
            rows.append([variant, name, *(worst(variant, way, dtype) for dtype in types)])
    return Table(["form", "evaluation", *(f"in {dtype}" for dtype in types)], rows)


def witness_table() -> Table:
    """For each type the best input and its least margin, and that of the common witness."""
    rows = []
    for dtype in FLOAT_TYPES:
        best = best_witness(dtype)
        found = (certified_margins(x, tolerance(dtype)) for x in (best, COMMON_WITNESS))
        rows.append([dtype, f"`{best!r}`", *(str(least(m).rounded(4)) for m in found)])
    return Table(["type", "best input", "$m$ there", "$m(-7/2)$"], rows)


def value_table() -> Table:
    """The values of the forms at the common witness, and their tolerances in each type."""
    x = np.float64(COMMON_WITNESS)
    rows = []
    for name, value in forms(x).items():
        allowed = (float(tolerance(dtype).at(x, value)) for dtype in FLOAT_TYPES)
        rows.append([name, decimal(float(value), 7), *(decimal(size, 2) for size in allowed)])
    return Table(["form", "value at $-7/2$", *(f"± in {dtype}" for dtype in FLOAT_TYPES)], rows)


def overlap_table() -> Table:
    """What proves that the exact form and the tanh form cannot be told apart in 16 bits."""
    return Table(
        ["arithmetic", r"$\max(e/2u,\ E/16u)$"],
        [[dtype, str(certified_overlap(dtype).rounded(4))] for dtype in SIXTEEN_BITS],
    )


# --- callables that are none of the forms


def _logistic_form(p1: float, k: float = 0.0) -> Callable[[np.ndarray], np.ndarray]:
    """xσ(p₁(x + kx³)), worked out in float64 and rounded once."""

    def function(x: np.ndarray) -> np.ndarray:
        wide = x.astype(np.float64)
        with np.errstate(all="ignore"):
            return (wide / (1 + np.exp(-p1 * (wide + k * wide**3)))).astype(x.dtype)

    return function


IMPOSTORS = {
    "SiLU": _logistic_form(1.0),
    "ReLU": lambda x: np.maximum(x, x.dtype.type(0)),
    "the cubic coefficient of the Taylor series": _logistic_form(
        2 * np.sqrt(2 / np.pi), (4 - np.pi) / (6 * np.pi)
    ),
    "1.7 in place of 1.702": _logistic_form(1.7),
    "exact, with 0 left of −3": lambda x: np.where(x < -3, x.dtype.type(0), gelu(x)),
    "exact, clamped beyond 10": lambda x: gelu(np.clip(x, -10, 10).astype(x.dtype)),
}


def impostor_table() -> Table:
    """To which form each impostor is nearest in each type, and where it departs from it most."""

    def departing(function: Callable[[np.ndarray], np.ndarray], dtype: str) -> str:
        verdict = identify(function, dtype, working="float32")
        assert verdict.outcome == "none"
        return f"{verdict.nearest}, at {decimal(verdict.departure.x, 3)}"

    rows = [
        [name, *(departing(function, dtype) for dtype in FLOAT_TYPES)]
        for name, function in IMPOSTORS.items()
    ]
    return Table(["callable", *FLOAT_TYPES], rows)


# --- tests that fail to tell


def difference_table() -> Table:
    """The largest difference of both other forms from the exact one, in several ranges."""
    widths = {"$[-1/2, 1/2]$": 0.5, "$[-1, 1]$": 1.0, "$[-2, 2]$": 2.0, "all reals": np.inf}
    rows = []
    for name, width in widths.items():
        found = (largest_difference(variant, width) for variant in ("tanh", "sigmoid"))
        rows.append([name, *(str(size.rounded(4)) for size in found)])
    return Table(["range", "largest difference of the tanh form", "of the sigmoid form"], rows)


@cache
def _record() -> dict[str, Any]:
    return json.loads((files("gelu_lib") / "data" / "variants.json").read_text(encoding="utf-8"))


@cache
def _usual_tests() -> dict[str, tuple[float, float, str]]:
    """The relative and the absolute tolerance of tests that people write, and the type tested."""
    defaults = inspect.signature(np.allclose).parameters
    tests = {"`allclose`": (defaults["rtol"].default, defaults["atol"].default, "float32")}
    for dtype in ("float32", *SIXTEEN_BITS):
        own = _record()["assert_close"][dtype]
        tests[f"`assert_close`, {dtype}"] = (*own.values(), dtype)
    tests["rtol = atol, loosened"] = (1e-3, 1e-3, "float32")
    return tests


def _honest(dtype: str) -> Callable[[np.ndarray], np.ndarray]:
    """½x(1 + erf(x/√2)), rounded at every operation, from float64 to float64."""
    own = float_type(dtype).dtype
    return lambda x: VALUES["erf"](x.astype(own)).astype(np.float64)


def _hundred_pass(
    function: Callable[[np.ndarray], np.ndarray], rtol: float, atol: float, dtype: str
) -> float:
    """How likely a hundred normally distributed inputs are to pass, in percent."""
    return 100 * (1 - failing_share(function, rtol, atol, dtype)) ** 100


def tolerance_table() -> Table:
    """From where on the tests fail both wrong forms and an honest kernel, and how likely."""

    def outcome(function: Callable, rtol: float, atol: float, dtype: str) -> str:
        tried = dtype if dtype in SIXTEEN_BITS else "bfloat16"
        width = passing_half_width(function, rtol, atol, tried)
        if np.isinf(width):
            return "never fails"
        return f"from {width:.2g}; {_hundred_pass(function, rtol, atol, dtype):.0f} % pass"

    rows = []
    for name, (rtol, atol, dtype) in _usual_tests().items():
        tested = (gelu_tanh, gelu_sigmoid, _honest(dtype))
        found = (outcome(function, rtol, atol, dtype) for function in tested)
        rows.append([name, f"{rtol:g}", f"{atol:g}", *found])
    fails = [f"the {name} fails" for name in ("tanh form", "sigmoid form", "honest kernel")]
    return Table(["test", "rtol", "atol", *fails], rows)


# --- the record of PyTorch and of the frameworks


def torch_table() -> Table:
    """What PyTorch's functions were found to be, in each type."""
    rows = [
        [f"`{name}`", *(_said(row[dtype]) for dtype in FLOAT_TYPES)]
        for name, row in _record()["verdicts"].items()
    ]
    return Table(["callable", *FLOAT_TYPES], rows)


def framework_table() -> Table:
    """What the frameworks' functions were found to be, in each type."""
    rows = []
    for package, subject in _subjects().values():
        found = subject["types"]
        verdicts = (_said(found[dtype]) if dtype in found else "—" for dtype in FLOAT_TYPES)
        rows.append([package, f"`{subject['call'].removesuffix(' on cpu')}`", *verdicts])
    return Table(["package", "call", *FLOAT_TYPES], rows)


def _said(row: Mapping[str, Any]) -> str:
    """A recorded verdict in words."""
    names = " or ".join(row["candidates"])
    if row["outcome"] == "none":
        departure = f"{decimal(row['value'], 3)} at {decimal(row['x'], 3)}"
        return f"none: {' or '.join(row['others']) or departure}"
    suffix = "" if row["working"] == "float32" else f", works in {row['working']}"
    return (names if row["outcome"] == "identified" else f"undecidable: {names}") + suffix


def _subjects() -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Each recorded implementation by its key: its package, and what the record has of it."""
    packages = _record()["frameworks"].items()
    return {key: (name, s) for name, entry in packages for key, s in entry["subjects"].items()}


# --- the numbers in the text


def numbers() -> dict[str, str]:
    """The numbers in the text; what it says without a number is held here too."""
    _hold_small_things()
    inputs = {
        f"inputs-{dtype}": f"{identify(gelu, dtype).inputs:,}" for dtype in ("float32", "float64")
    }
    rtol, atol, dtype = _usual_tests()["`assert_close`, bfloat16"]
    kernels = {"wrong": gelu_tanh, "honest": _honest(dtype)}
    passing = {
        f"bfloat16-{name}": f"{_hundred_pass(function, rtol, atol, dtype):.0f}"
        for name, function in kernels.items()
    }
    return {**inputs, **passing, "torch-version": _record()["torch"], **_framework_numbers()}


def _hold_small_things() -> None:
    assert round_to(1.7, "bfloat16") == round_to(1.702, "bfloat16")
    assert largest_difference("tanh", np.inf).upper < Decimal("1e-3")
    assert largest_difference("tanh", 1.0).upper < Decimal("2e-4")
    tests = _usual_tests()
    assert passing_half_width(_honest("float32"), *tests["`allclose`"][:2], "bfloat16") < 3.5
    for dtype in SIXTEEN_BITS:
        own = tests[f"`assert_close`, {dtype}"][:2]
        assert passing_half_width(_honest(dtype), *own, dtype) < 3.5
    loosened = tests["rtol = atol, loosened"][:2]
    assert np.isinf(passing_half_width(gelu_tanh, *loosened, "bfloat16"))
    verdicts = _record()["verdicts"]
    built_in = [verdicts[name] for name in ("gelu(x)", "gelu(x, approximate='tanh')")]
    assert all(row[dtype]["working"] == "float32" for row in built_in for dtype in FLOAT_TYPES)
    assert all(row[dtype]["outcome"] == "identified" for row in built_in for dtype in FLOAT_TYPES)


Answers = dict[tuple[str, str], tuple[str, Mapping[str, Any]]]
"""The form that an implementation means, and its verdict, by its key and a type."""


def _framework_numbers() -> dict[str, str]:
    answers: Answers = {
        (key, dtype): (subject["form"], row)
        for key, (_, subject) in _subjects().items()
        for dtype, row in subject["types"].items()
    }
    _hold_single_functions(answers)
    kept = _without_the_departing(answers)
    undecided = {at: pair for at, pair in kept.items() if pair[1]["outcome"] == "undecidable"}
    _hold_the_undecided(kept, undecided)
    _hold_work_in_float32(kept, undecided)
    wrong = [at for at, (meant, row) in undecided.items() if row["nearest"] != meant]
    assert {_subjects()[key][0] for key, _ in wrong} == {"jax", "tensorflow", "mlx"}
    assert {(dtype, answers[key, dtype][0]) for key, dtype in wrong} == {("bfloat16", "tanh")}
    packages = _record()["frameworks"].values()
    versions = {name: number for p in packages for name, number in p["versions"].items()}
    return {
        "undecided": str(len(undecided)),
        "sixteen": str(sum(dtype in SIXTEEN_BITS for _, dtype in answers)),
        "guessed-wrong": str(len(wrong)),
        "framework-versions": ", ".join(f"{name} {number}" for name, number in versions.items()),
    }


def _without_the_departing(answers: Answers) -> Answers:
    """All but the one that cuts off at 10; each of the others may be what it means to be."""
    departing = {key for (key, _), (_, row) in answers.items() if row["outcome"] == "none"}
    assert departing == {"transformers-gelu_10"}
    assert {answers["transformers-gelu_10", t][1]["value"] for t in FLOAT_TYPES} == {10.0}
    kept = {at: pair for at, pair in answers.items() if at[0] not in departing}
    assert all(meant in row["candidates"] for meant, row in kept.values())
    wide = [pair for (_, dtype), pair in kept.items() if dtype not in SIXTEEN_BITS]
    assert all(row["candidates"] == [meant] for meant, row in wide)
    return kept


def _hold_the_undecided(kept: Answers, undecided: Answers) -> None:
    """Which are undecided: the exact and the tanh form, of packages that round every step."""
    subjects = _subjects()
    assert {meant for meant, _ in undecided.values()} == {"exact", "tanh"}
    assert all(row["candidates"] == ["exact", "tanh"] for _, row in undecided.values())
    stepping = {"jax", "tensorflow", "keras", "mlx"}
    assert {subjects[key][0] for key, _ in undecided} == stepping | {"transformers"}
    for (key, dtype), (meant, _) in kept.items():
        if subjects[key][0] in stepping and dtype in SIXTEEN_BITS and meant != "sigmoid":
            assert (key, dtype) in undecided


def _hold_work_in_float32(kept: Answers, undecided: Answers) -> None:
    """Which work in float32 and round once, and that the others do not pass for such."""
    subjects = _subjects()
    stepwise = {at: pair for at, pair in kept.items() if pair[1]["working"] != "float32"}
    sigmoid = {at for at, (meant, _) in stepwise.items() if meant == "sigmoid"}
    assert set(stepwise) - set(undecided) == sigmoid
    assert all(row["in_float32"]["outcome"] == "none" for _, row in stepwise.values())
    narrow = {name for name, s in subjects.values() for t in s["types"] if t in SIXTEEN_BITS}
    assert narrow - {subjects[key][0] for key, _ in stepwise} == {"torch", "onnxruntime"}
    once = {key for key, (name, _) in subjects.items() if name == "transformers"}
    once -= {key for key, _ in stepwise} | {"transformers-gelu_10"}
    assert once == {"transformers-gelu", "transformers-gelu_pytorch_tanh"}


def _hold_single_functions(answers: Answers) -> None:
    """What the text says of functions that it names."""
    fast = ("transformers-gelu_fast", "onnxruntime-fastgelu", "mlx-sigmoid")
    found = [answers[key, "float32"][1]["candidates"][0] for key in fast]
    assert found == ["tanh", "tanh", "sigmoid"]
    assert answers["transformers-gelu_accurate", "float32"][1]["candidates"] == ["tanh"]
    fastgelu = answers["onnxruntime-fastgelu", "float64"][1]
    off = abs(fastgelu["value"] - float(gelu_tanh(np.float64(fastgelu["x"]))))
    assert off < tolerance("float64").at(fastgelu["x"], fastgelu["value"])
    assert off > 2.0**-24 * abs(fastgelu["value"])
    defaults = _record()["frameworks"]["flax"]["defaults"].values()
    assert {form for row in defaults for form in row["candidates"]} == {"tanh"}
