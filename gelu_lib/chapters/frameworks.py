"""The chapter frameworks: what was measured of GELU, ``data/frameworks_measured.json``, and tables.

The record is written by ``tools/record_frameworks.py`` alone. Every number on the page about the
frameworks comes from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from scipy.special import erf

from gelu_lib.activations import FORMS, gelu_tanh
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.certificates.suprema import certified_supremum
from gelu_lib.floats.measuring import PIECES, TAIL
from gelu_lib.floats.thresholds import threshold
from gelu_lib.floats.types import FLOAT_TYPES, all_finite
from gelu_lib.functions.expressions import Phi, X, phi
from gelu_lib.functions.families import PAGE, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.provenance.frameworks import CONSTANTS, Implementation, atlas, spellings
from gelu_lib.register import result
from gelu_lib.show.style import Drawn, draw, key_above
from gelu_lib.show.tables import Table, decimal

_PARTS = ("accuracy", "tail", "specials", "layout")


class RecordError(ValueError):
    """The record is not one that ``tools/record_frameworks.py`` writes."""


@dataclass(frozen=True)
class Measured:
    """One implementation in one type.

    Attributes:
        package: the package that was measured.
        key: the name of the implementation.
        call: how a user writes it.
        form: the formula that it means to compute, one of ``gelu_lib.activations.FORMS``.
        dtype: the type.
        accuracy: what ``gelu_lib.floats.measuring.accuracy`` returned.
        tail: what ``gelu_lib.floats.measuring.left_tail`` returned.
        specials: what ``gelu_lib.floats.measuring.specials`` returned.
        layout: what ``gelu_lib.floats.measuring.layout`` returned.
        gradient: what ``gelu_lib.floats.measuring.gradient`` returned; empty if there is none.
    """

    package: str
    key: str
    call: str
    form: str
    dtype: str
    accuracy: Mapping[str, Any]
    tail: Mapping[str, Any]
    specials: Mapping[str, str]
    layout: Mapping[str, Any]
    gradient: Mapping[str, Any]


@cache
def _record() -> dict[str, Any]:
    path = files("gelu_lib") / "data" / "frameworks_measured.json"
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def measured() -> tuple[Measured, ...]:
    """Everything that was measured, in the order of the record.

    Raises:
        RecordError: if the record is not as it should be.
    """
    return parse(_record())


def parse(record: Mapping[str, Any]) -> tuple[Measured, ...]:
    """The measurements in a record.

    Raises:
        RecordError: naming the package and what is missing or unknown.
    """
    found = []
    for package, entry in record.items():
        missing = {"versions", "processor", "defaults", "subjects"} - set(entry)
        if missing:
            raise RecordError(f"{package}: lacks {', '.join(sorted(missing))}")
        for key, subject in entry["subjects"].items():
            for dtype, parts in subject["types"].items():
                found.append(_measured(package, key, subject, dtype, parts))
    return tuple(found)


def _measured(package: str, key: str, subject: Mapping, dtype: str, parts: Mapping) -> Measured:
    if subject["form"] not in FORMS or dtype not in FLOAT_TYPES:
        raise RecordError(f"{package}: {key} has the form {subject['form']!r} in {dtype!r}")
    missing = [part for part in _PARTS if part not in parts]
    if missing or len(parts["tail"]["windows"]) != len(TAIL):
        raise RecordError(f"{package}: {key} in {dtype} lacks {', '.join(missing) or 'windows'}")
    kept = {part: parts[part] for part in _PARTS}
    gradient = parts.get("gradient", {})
    return Measured(
        package, key, subject["call"], subject["form"], dtype, **kept, gradient=gradient
    )


def one(key: str, dtype: str) -> Measured:
    """One implementation in one type.

    Raises:
        KeyError: if it was not measured; the message names what was.
    """
    for entry in measured():
        if (entry.key, entry.dtype) == (key, dtype):
            return entry
    known = sorted({entry.key for entry in measured()})
    raise KeyError(f"{key!r} in {dtype!r} was not measured; the names are {', '.join(known)}")


def versions() -> Table:
    """Which versions were measured, and on what processor."""
    rows = [
        [
            package,
            ", ".join(f"{name} {number}" for name, number in entry["versions"].items()),
            entry["processor"],
        ]
        for package, entry in _record().items()
    ]
    return Table(["package", "versions", "processor, widest vectors"], rows)


def defaults() -> dict[str, str]:
    """For each call without options, the form that it was measured to compute."""
    return {call: form for entry in _record().values() for call, form in entry["defaults"].items()}


def _chosen(dtype: str, form: str | None = None) -> list[Measured]:
    """The measurements in a type, of one form or of all."""
    if dtype not in FLOAT_TYPES:
        raise ValueError(f"dtype is {dtype!r}; accepted are {', '.join(FLOAT_TYPES)}")
    return [e for e in measured() if e.dtype == dtype and form in (None, e.form)]


def _table(entries: list[Measured], columns: Mapping[str, Callable[[Measured], str]]) -> Table:
    """One row for each result; implementations that agree in every cell share a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for entry in entries:
        cells = (entry.form, *(cell(entry) for cell in columns.values()))
        rows.setdefault(cells, []).append(f"`{entry.key}`")
    body = [["<br>".join(names), *cells] for cells, names in rows.items()]
    return Table(["implementation", "form", *columns], body)


def _number(value: float | None, digits: int = 3) -> str:
    return "—" if value is None else decimal(value, digits)


def accuracy_table(dtype: str) -> Table:
    """Distance from GELU and from the own formula, and the left tail, in one type."""
    return _table(
        _chosen(dtype),
        {
            "from GELU": lambda e: _number(e.accuracy["gelu"]),
            "from its form": lambda e: _number(e.accuracy["form"]),
            "in ULP, right of −1": lambda e: _number(e.accuracy["ulp"]),
            "half lost from": lambda e: _number(e.tail["half_from"]),
            "0 too early from": lambda e: _number(e.tail["zero_from"]),
        },
    )


def rounding_table(dtype: str) -> Table:
    """How many results of a type of 16 bits are not the nearest ones.

    Raises:
        ValueError: if the type has more than 16 bits.
    """
    if FLOAT_TYPES.get(dtype, FLOAT_TYPES["float64"]).digits > 10:
        raise ValueError(f"dtype is {dtype!r}; accepted are float16 and bfloat16")
    return _table(
        _chosen(dtype),
        {
            "not the nearest": lambda e: str(e.accuracy["misrounded"]),
            "in ULP, right of −1": lambda e: _number(e.accuracy["ulp"]),
            "half lost from": lambda e: _number(e.tail["half_from"]),
            "0 too early from": lambda e: _number(e.tail["zero_from"]),
        },
    )


def specials_table() -> Table:
    """What the implementations give at −∞ and ∞, over all types."""
    rows: dict[tuple[str, str], list[str]] = {}
    for e in measured():
        rows.setdefault((e.specials["-inf"], e.specials["inf"]), []).append(f"`{e.key}` {e.dtype}")
    common = max(rows, key=lambda values: len(rows[values]))
    body = [
        [*values, "all others" if values == common else "<br>".join(names)]
        for values, names in rows.items()
    ]
    return Table(["at −∞", "at ∞", "where"], sorted(body, key=lambda row: row[2] == "all others"))


def gradient_table(dtype: str) -> Table:
    """Error of the gradients, and where they are nan, in one type."""
    return _table(
        [entry for entry in _chosen(dtype) if entry.gradient],
        {
            "error": lambda e: _number(e.gradient["error"]),
            "nan from ±": lambda e: _number(e.gradient["nan_from"][1], 4),
            "at −∞": lambda e: e.gradient["-inf"],
            "at ∞": lambda e: e.gradient["inf"],
        },
    )


def layout_table(dtype: str) -> Table:
    """How many results change their bits when the same inputs come in pieces or lie apart."""
    entries = _chosen(dtype)
    columns = {f"by {n}": (lambda e, n=n: str(e.layout[n])) for n in ("1", "3", "17")}
    columns["lying apart"] = lambda e: str(e.layout["strided"]).replace("None", "—")
    changing = [e for e in entries if any(e.layout.values())]
    return _table(changing, columns)


def tail_windows(key: str, dtype: str) -> dict[float, float]:
    """The largest relative error in each window of the left tail, by the window's right end."""
    windows = one(key, dtype).tail["windows"]
    return {end: size for end, size in zip(TAIL, windows, strict=True) if size is not None}


def default_table() -> Table:
    """For each call without options, what the page calls the form that it computes."""
    rows = [[f"`{call}`", form] for call, form in defaults().items()]
    return Table(["call", "form"], rows)


def vanishing_table() -> Table:
    """Where ½x(1 + erf) is foretold to vanish in each type, and where it does."""
    rows = []
    for dtype in FLOAT_TYPES:
        foretold = -float(threshold("erf-form-vanishes", dtype).lower)
        found = one("transformers-gelu_python", dtype).tail["zero_from"]
        rows.append([dtype, decimal(foretold, 3), decimal(found, 3)])
    return Table(["type", "0 foretold from", "0 measured from"], rows)


# --- figures


def left_tails(implementations: Mapping[str, str], dtype: str) -> Drawn:
    """The relative error of implementations in the left tail, on a logarithmic axis.

    Args:
        implementations: the label of each curve, and the name of the implementation in the record.
        dtype: the type in which they were measured.

    Returns:
        One curve for each implementation, of the largest relative error in windows of a quarter,
        against their right ends.

    Raises:
        KeyError: if an implementation was not measured in this type.
    """
    curves = {}
    for label, key in implementations.items():
        windows = tail_windows(key, dtype)
        curves[label] = (np.array(list(windows)), np.array(list(windows.values())))
    drawn = draw(curves, ylabel="relative error", levels=[1.0])
    plt.yscale("log")
    plt.locator_params(axis="x", nbins=5)  # so that numbers do not touch on a phone
    key_above(plt.gca())
    return drawn


def opening() -> Drawn:
    """The left tail of the exact form in float32, as four packages compute it."""
    packages = {
        "PyTorch": "torch-cpu-none",
        "ONNX Runtime": "onnxruntime-none",
        "PaddlePaddle": "paddle-erf",
        "JAX": "jax-erf",
    }
    return left_tails(packages, "float32")


def left_tails_in_float16() -> Drawn:
    """The left tail of the exact form in float16, computed in three ways."""
    ways = {
        "each step rounded, erf (MLX)": "mlx-erf",
        "each step rounded, erfc (JAX)": "jax-erf",
        "float32 inside (PyTorch)": "torch-cpu-none",
    }
    return left_tails(ways, "float16")


# --- the atlas


def atlas_table() -> Table:
    """The atlas as a table for the site: the default, the formulas and literals, the source."""
    rows = []
    for row in atlas().values():
        head = f'<span id="framework-{row.id}"></span>**{row.name}**'
        if row.seen == "not checked":
            rows.append([head, "not checked", row.tried])
            continue
        default = {"named": "a name for each form"}.get(row.default, row.default)
        forms = [f"{kind}: `{text}`" for kind, text in _forms(row) if text]
        literals = ", ".join(f"`{literal}`" for literal in row.literals) or "none of its own"
        source = "<br>".join(part for part in (row.source, row.note) if part)
        rows.append(
            [
                f"{head}<br>default: {default}",
                "<br>".join([*forms, f"literals: {literals}"]),
                source,
            ]
        )
    return Table(["Implementation", "What stands in the source", "Where, and what else"], rows)


def _forms(row: Implementation) -> list[tuple[str, str]]:
    return [("exact", row.exact), ("approximate", row.approximate)]


def spelling_table(constant: str) -> Table:
    """The spellings of one constant.

    Args:
        constant: a key of ``CONSTANTS``.

    Raises:
        ValueError: if it is none.
    """
    if constant not in CONSTANTS:
        raise ValueError(f"constant is {constant!r}; accepted are {', '.join(CONSTANTS)}")
    rows = [
        [f"`{s.literal}`", decimal(s.relative, 2), str(s.steps), str(len(s.users))]
        for s in spellings()
        if s.constant == constant
    ]
    return Table(["as written", "relative distance", "float32 steps", "rows of the atlas"], rows)


def other_spellings_table() -> Table:
    """The spellings of every constant but √(2/π)."""
    rows = [
        [f"`{s.literal}`", s.constant, decimal(s.relative, 2), str(s.steps).replace("-", "−")]
        for s in spellings()
        if s.constant != ROOT
    ]
    return Table(["as written", "nearest constant", "relative distance", "float32 steps"], rows)


# --- what single programs compute


@cache
def burn_gradient_error() -> Enclosure:
    """How far Burn's gradient of its tanh form is from GELU′ on [−8, 8] at most; proved."""
    c1, c2, c3, c4 = map(sp.Rational, atlas()["burn"].literals)
    t = sp.tanh(c1 * X**3 + c2 * X)
    gradient = (1 + t) / 2 + (c3 * X**3 + c4 * X) * (1 - t**2)
    derivative = Phi(X) + X * phi(X)
    return certified_supremum(gradient - derivative, -8.0, 8.0).size


def through_a_table(x: np.ndarray) -> np.ndarray:
    """The tanh form of ggml in float32: looked up in float16 between −10 and 10."""
    looked_up = gelu_tanh(x.astype(np.float16)).astype(np.float32)
    return np.where(x <= -10, 0, np.where(x < 10, looked_up, x)).astype("f4")


def cut_off_tanh(u: np.ndarray) -> np.ndarray:
    """The tanh of MindSpore's scalar code, in float64."""
    s = u * u
    above = (((s + 378) * s + 17325) * s + 135135) * u
    below = ((28 * s + 3150) * s + 62370) * s + 135135
    return np.where(np.abs(u) > 5, np.sign(u), above / below)


# --- the numbers in the text

ROOT = r"$\sqrt{2/\pi}$"


def numbers(table_form: float) -> dict[str, str]:
    """The numbers in the text; what it says without a number is held here too.

    Args:
        table_form: the largest distance of ``through_a_table`` from the tanh form.
    """
    return {
        **_atlas_numbers(),
        **_swap_numbers(),
        **_spelling_numbers(),
        **_accuracy_numbers(),
        **_table_numbers(table_form),
        **_cut_off_numbers(),
        **_rounding_numbers(),
        **_gradient_numbers(),
        **_layout_numbers(),
        **_rounded_constant_numbers(),
        **_exercise_numbers(),
    }


def _span(values: list[float], digits: int = 2) -> str:
    ends = [decimal(v, digits) for v in (min(values), max(values))]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _atlas_numbers() -> dict[str, str]:
    rows = list(atlas().values())
    read = [row for row in rows if row.seen == "read"]
    others = {row.id: row.seen for row in rows if row.seen != "read"}
    assert others == {"tensorrt": "documentation", "cublaslt": "not checked"}
    exact = [row.exact for row in read if row.exact and "commented out" not in row.exact]
    kinds = ("exact", "tanh", "sigmoid", "named")
    return {
        "rows": str(len(rows)),
        "read": str(len(read)),
        **{f"default-{kind}": str(sum(row.default == kind for row in read)) for kind in kinds},
        "without-exact": str(len(read) - len(exact)),
        "erfc": str(sum("erfc" in form for form in exact)),
        "with-exact": str(len(exact)),
    }


def _swap_numbers() -> dict[str, str]:
    size = burn_gradient_error()
    assert size.rounded(2) == round(result("page-error-gelu-derivative").number, 5)
    return {
        "burn": str(size.rounded(3)),
        "swap-tanh": decimal(float(result("page-error-gelu").number), 3),
        "swap-sigmoid": decimal(float(result("scale-1702-error-gelu").number), 3),
    }


def _spelling_numbers() -> dict[str, str]:
    roots = [s for s in spellings() if s.constant == ROOT]
    (odd,) = [s for s in roots if s.steps]
    short = {"p1": 2 * sp.Rational("0.797885"), "p3": 2 * sp.Rational("0.035677")}
    errors = {
        name: certified_sup_error(Form(TANH_CUBIC, parameters), of="GELU", digits=8).error
        for name, parameters in (("short", short), ("page", PAGE))
    }
    return {
        "spellings": str(len(roots)),
        "same-float": str(sum(s.steps == 0 for s in roots)),
        "odd": odd.literal,
        "odd-steps": str(odd.steps),
        **{f"error-{name}": str(error.rounded(5)) for name, error in errors.items()},
    }


def _accuracy_numbers() -> dict[str, str]:
    numbers = {}
    for form, function in FORMS.items():
        found = _chosen("float32", form)
        numbers[f"from-gelu-{function.__name__}"] = _span([e.accuracy["gelu"] for e in found])
        numbers[f"from-form-{function.__name__}"] = _span([e.accuracy["form"] for e in found])
    for name in ("fast", "new"):
        own = one(f"transformers-gelu_{name}", "float64").accuracy["form"]
        numbers[f"{name}-64"] = decimal(own, 2)
    exact = _chosen("float32", "exact")
    with_erfc = [e for e in exact if e.package in ("jax", "tensorflow")]
    with_erf = [e for e in exact if e not in with_erfc]
    for name, group in (("erf", with_erf), ("erfc", with_erfc)):
        numbers[f"zero-{name}"] = _span([e.tail["zero_from"] for e in group], 3)
        numbers[f"count-{name}"] = str(len(group))
        numbers[f"at-5-{name}"] = _span([e.tail["windows"][16] for e in group])
    flushed = sp.Float(max(e.tail["zero_from"] for e in with_erfc))
    vanishing = sp.erfc(-flushed / sp.sqrt(2))
    assert vanishing < 2.0**-126 < -flushed * vanishing / 2  # the least normal number
    return {**numbers, "gelu-there": decimal(float(flushed * vanishing / 2), 2)}


def _table_numbers(table_form: float) -> dict[str, str]:
    far = np.linspace(8, 10, 20_001)[:-1].astype(np.float32)
    return {
        "table-form": decimal(table_form, 2),
        "table-times": f"{table_form / float(result('page-error-gelu').number):.0f}",
        "table-far": decimal(float(np.max(np.abs(through_a_table(far) - far))), 2),
        **{  # from here to the double, floats of float16 are so far apart
            f"quick-{start}": decimal(float(np.spacing(np.float16(start))) / 2, 2)
            for start in (32, 64, 32768)
        },
        "quick-inf": f"{FLOAT_TYPES['float16'].overflow:,.0f}",
    }


def _cut_off_numbers() -> dict[str, str]:
    x = np.linspace(-8, 8, 160_001)
    u = (0.79788456080287 + 0.035677408136 * x * x) * x
    gap = np.abs(x * (cut_off_tanh(u) - np.tanh(u)) / 2)
    worst = np.argmax(gap)
    alone = np.where(np.abs(u) > 5, x * (np.sign(u) - np.tanh(u)) / 2, 0)
    return {
        "cut-off": decimal(float(gap[worst]), 2),
        "cut-off-at": decimal(abs(float(x[worst])), 3),
        "cut-alone": decimal(float(np.max(np.abs(alone))), 2),
    }


def _rounding_numbers() -> dict[str, str]:
    every = len(all_finite("float16"))
    half = [e for e in _chosen("float16") if e.key != "transformers-gelu_10"]
    shares = sorted(100 * e.accuracy["misrounded"] / every for e in half)
    # the largest gap between two neighbours tells the two ways apart
    gap = int(np.argmax(np.diff(shares))) + 1
    stepwise, once = (one(key, "float16") for key in ("transformers-gelu_python", "torch-cpu-none"))
    return {
        "all-float16": f"{every:,}",
        "all-bfloat16": f"{len(all_finite('bfloat16')):,}",
        "once": f"{shares[0]:.1f} to {shares[gap - 1]:.1f}",
        "stepwise": f"{shares[gap]:.0f} to {shares[-1]:.0f}",
        "zero-stepwise": decimal(stepwise.tail["zero_from"], 3),
        "zero-once": decimal(once.tail["zero_from"], 3),
    }


def _gradient_numbers() -> dict[str, str]:
    assert all(e.specials["-inf"] == "nan" for e in measured())
    with_gradient = [e for e in measured() if e.gradient]
    assert all(e.gradient["-inf"] == e.gradient["inf"] == "nan" for e in with_gradient)
    assert all(e.accuracy["nan"] == 0 for e in measured())
    assert all(not e.gradient["nan"] for e in with_gradient if e.form != "tanh")
    numbers = {"measurements": str(len(measured())), "gradients": str(len(with_gradient))}
    for dtype in ("float32", "float16", "bfloat16"):
        broken = [e.gradient for e in with_gradient if e.dtype == dtype and e.gradient["nan"]]
        numbers[f"nan-{dtype}"] = _span([gradient["nan_from"][1] for gradient in broken], 4)
    return numbers


def _layout_numbers() -> dict[str, str]:
    single = _chosen("float32")
    steady = {e.key for e in single if not any(e.layout.values())}
    torch, openvino = one("torch-cpu-none", "float32"), one("openvino-erf", "float32")
    assert torch.accuracy == openvino.accuracy and torch.tail == openvino.tail
    return {
        "inputs": str(PIECES),
        "steady": str(len(steady)),
        "all-float32": str(len(single)),
        "torch-apart": str(torch.layout["strided"]),
    }


def _rounded_constant_numbers() -> dict[str, str]:
    """What is measured in float64, and what the rounded constants alone foretell."""
    measured_as = {
        "tf": "tensorflow-erf",
        "ort": "onnxruntime-tanh",
        "fast": "onnxruntime-fastgelu",
    }
    x = np.linspace(-8, 8, 16001)

    def exact_form(factor: float) -> np.ndarray:
        return x * (1 + erf(x * factor)) / 2

    def tanh_form(linear: float, cubic: float) -> np.ndarray:
        return x * (1 + np.tanh(linear * x + cubic * x**3)) / 2

    def farthest(one: np.ndarray, other: np.ndarray) -> str:
        return decimal(float(np.max(np.abs(one - other))), 2)

    tanh = tanh_form(np.sqrt(2 / np.pi), 0.044715 * np.sqrt(2 / np.pi))
    half = np.float64(np.float32(np.sqrt(0.5)))
    root = np.sqrt(np.float64(np.float32(2 / np.pi)))
    cubic = np.float64(np.float32(0.044715)) * root
    short = atlas()["migraphx"].literals[:2]
    packages = ("tensorflow", "onnxruntime")
    shorter = [e for e in measured() if e.dtype == "float64" and e.package in packages]
    return {
        "short-constants": _span([e.accuracy["form"] for e in shorter]),
        **{
            f"{name}-measured": decimal(one(key, "float64").accuracy["form"], 2)
            for name, key in measured_as.items()
        },
        "tf-foretold": farthest(exact_form(half), exact_form(np.sqrt(0.5))),
        "ort-foretold": farthest(tanh_form(root, cubic), tanh),
        "fast-foretold": farthest(tanh_form(*map(float, short)), tanh),
        "short": " and ".join(short),
    }


def _exercise_numbers() -> dict[str, str]:
    level = np.log(2) * (FLOAT_TYPES["float32"].digits + 3) / (2 * np.sqrt(2 / np.pi))
    (root,) = [r.real for r in np.roots([0.044715, 0, 1, level]) if abs(r.imag) < 1e-12]
    single, half = (one("transformers-gelu_new", dtype) for dtype in ("float32", "float16"))
    return {
        "tanh-foretold": decimal(float(root), 3),
        "tanh-measured": decimal(single.tail["zero_from"], 3),
        "cube-overflow": decimal(float(np.sqrt(FLOAT_TYPES["float16"].greatest / 3)), 4),
        "cube-measured": decimal(half.gradient["nan_from"][1], 4),
    }
