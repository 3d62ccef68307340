"""The chapter sixteen-bits: where rounded results are the same, and the best constant of a type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cache
from itertools import combinations, product
from math import inf

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from sympy import Expr, Rational

from gelu_lib.activations import FORMS, gelu
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification
from gelu_lib.floats.accuracy import summary
from gelu_lib.floats.agreement import (
    PATTERNS,
    agreeing,
    agreeing_between,
    bit_pattern,
    change,
    farthest,
    longest_run,
    ordinals,
    patterns,
    rounded,
    sampled_float32,
    steps_apart,
    stored,
)
from gelu_lib.floats.best_rounded import (
    binding_inputs,
    least_absolute_error,
    least_steps,
    least_ulp,
    most_agreeing,
    prove_least_ulp,
    prove_most_agreeing,
    reach,
)
from gelu_lib.floats.formulas import VALUES, through_float32
from gelu_lib.floats.rounded_constants import (
    SIGMOID,
    TANH,
    ConstantForm,
    ConstantInterval,
    prove,
    rounding_demand,
    same_results,
    shortest_decimal,
)
from gelu_lib.floats.types import all_finite, ordinal
from gelu_lib.floats.ulp import is_correctly_rounded
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE, PAGE_CUBIC
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, DASHES, INK, ORANGE, Drawn
from gelu_lib.show.tables import Table, decimal

TYPES = {"float16": BLUE, "bfloat16": ORANGE}
"""The types of 16 bits and their colours."""


def same_number(left: float = -14.0, right: float = 5.0, width: float = 0.25) -> dict[str, Drawn]:
    """Where along the line each form rounds to another number than GELU; one panel for each type.

    Above the axis stands the share of the floats at which the tanh form differs, below it that of
    the sigmoid form. White is where it is the same number.

    Args:
        left: the left end of the axis.
        right: the right end.
        width: shares are taken over pieces so wide.

    Returns:
        For each type the shares of the floats that differ, against the left ends of the pieces.
    """
    panels = plt.figure(figsize=(5.4, 4.6)).subplots(len(TYPES), sharex=True, sharey=True)
    edges, drawn = np.arange(left, right + width / 2, width), {}
    for axes, dtype in zip(panels, TYPES, strict=True):
        tanh, sigmoid = (_differing(dtype, edges, form) for form in ("tanh", "sigmoid"))
        axes.stairs(tanh, edges, fill=True, color=BLUE)
        axes.stairs(-sigmoid, edges, fill=True, facecolor=ORANGE, edgecolor="white", hatch="////")
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_ylim(-1.05, 1.05)
        axes.set_yticks([0.5, -0.5], ["tanh form", "sigmoid form"])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_title(dtype, loc="left", fontsize="medium")
        drawn[dtype] = Drawn(
            {"tanh form": (edges[:-1], tanh), "sigmoid form": (edges[:-1], sigmoid)}
        )
    panels[-1].set_xlabel("x")
    plt.tight_layout()
    return drawn


def equation(forms: Iterable[str]) -> str:
    """That some of the three forms are the same number, as ``exact = tanh form``."""
    return " = ".join(form if form == "exact" else f"{form} form" for form in forms)


def _differing(dtype: str, edges: np.ndarray, form: str) -> np.ndarray:
    """The share of the floats between two edges that a form rounds to another number than GELU."""
    x = all_finite(dtype).astype(np.float64)
    floats, _ = np.histogram(x, edges)
    others, _ = np.histogram(x[~agreeing(dtype, "exact", form)], edges)
    return others / floats


def best_constant_by_inputs(left: float = -13.5, form: ConstantForm = TANH) -> dict[str, Drawn]:
    """The best constant, and how far the results are from GELU, against the least input.

    The upper panel has the constant that keeps the farthest result nearest, the lower panel how
    many floats away that result is, with this constant and with the famous one.

    Args:
        left: the left end of the axis.
        form: the form whose constant is sought.

    Returns:
        For each type the constants, their steps, and the steps of the famous constant.
    """
    upper, lower = plt.figure(figsize=(5.4, 5.6)).subplots(2, sharex=True)
    drawn = {}
    for (dtype, colour), dashes in zip(TYPES.items(), DASHES, strict=False):
        ends, constants, steps = _reaches(form, dtype, left)
        least, famous = _famous_steps(form, dtype, left)
        style = {"color": colour, "linestyle": dashes}
        upper.plot(ends, constants, label=dtype, **style)
        lower.plot(ends, steps, label=f"{dtype}, best {form.letter}", **style)
        name = f"{dtype}, {float(form.famous)}"
        lower.plot(least, famous, linewidth=1, label=name, color=colour, linestyle=":")
        drawn[dtype] = Drawn(
            {"constant": (ends, constants), "best": (ends, steps), name: (least, famous)}
        )
    _finish(upper, lower, form)
    return drawn


def _finish(upper: Axes, lower: Axes, form: ConstantForm) -> None:
    upper.axhline(float(form.famous), color=INK, linewidth=1)
    upper.annotate(str(float(form.famous)), (-13.4, float(form.famous)), va="bottom", color=INK)
    upper.set_ylabel(f"best constant {form.letter}")
    upper.legend(loc="lower right")
    lower.set_yscale("log")
    lower.set_ylabel("floats between farthest\nresult and GELU")
    lower.set_xlabel("least input that counts")
    lower.legend(loc="lower left", fontsize="small")
    plt.tight_layout()


def _reaches(form: ConstantForm, dtype: str, left: float) -> tuple[np.ndarray, ...]:
    """How far to the left some numbers of steps reach, with which constant, and these numbers."""
    (whole,) = least_steps(form, all_finite(dtype), [left])
    inputs = binding_inputs(form, all_finite(dtype))
    counts = {*np.geomspace(1, whole.steps, 33).astype(int).tolist(), whole.steps - 1}
    steps = sorted(counts - {0})
    reached, constants = zip(*(reach(form, inputs, count) for count in steps), strict=True)
    ends = [left if end is None else max(end, left) for end in reached]
    return np.array(ends), np.mean(constants, axis=1), np.array(steps)


def _famous_steps(form: ConstantForm, dtype: str, left: float) -> tuple[np.ndarray, np.ndarray]:
    """The farthest result with the famous constant among the inputs from each one on."""
    inputs = all_finite(dtype)
    inputs = inputs[(inputs.astype(float) >= left) & (inputs.astype(float) < 8)]
    apart = steps_apart(form.rounded(inputs), gelu(inputs))
    farthest = np.maximum.accumulate(apart[::-1])[::-1]
    drawn = (inputs.astype(float) < 0) & (farthest > 0)
    return inputs.astype(float)[drawn], farthest[drawn]


# --- where the results are the same

NARROW = ("float16", "bfloat16")
PAIRED = tuple(product((TANH, SIGMOID), NARROW))


def agreement_table() -> Table:
    """At how many floats two of the functions, or all three, are one number, and how far apart."""
    rows = []
    for dtype in NARROW:
        for names in combinations(FORMS, 2):
            steps, x = farthest(dtype, *names)
            count = f"{agreeing(dtype, *names).sum():,}"
            rows.append([dtype, equation(names), count, f"{steps:,} at {x:g}"])
        rows.append([dtype, "all three", f"{agreeing(dtype, *FORMS).sum():,}", ""])
        rows.append([dtype, "finite floats", f"{patterns(dtype)['finite']:,}", ""])
    header = ["type", "which", "the same number at", "farthest apart, in floats"]
    return Table(header, rows)


def _agreement_numbers() -> dict[str, str]:
    numbers = {}
    for dtype in NARROW:
        every, places = agreeing(dtype, *FORMS), ordinals(dtype)["exact"]
        trivial = (places == 0) | (places == ordinal(all_finite(dtype)))
        numbers[f"trivial-{dtype}"] = f"{100 * (every & trivial).sum() / every.sum():.0f}"
        assert sum(patterns(dtype).values()) == PATTERNS
        numbers[f"nan-{dtype}"] = f"{patterns(dtype)['nan']:,}"
        ((floats, same),) = agreeing_between(dtype, [-4, -2], "exact", "tanh")
        numbers[f"middle-{dtype}"] = f"{same:,} of {floats:,}"
    numbers["run-float16"] = f"{longest_run('float16', 'exact', 'tanh')[2]:,}"
    return numbers


# --- formula and evaluation

COMPUTES = {"erf": "exact", "erfc": "exact", "tanh": "tanh", "sigmoid": "sigmoid"}
"""For each formula the function that it would compute without rounding."""


def misrounded_table() -> Table:
    """How many results are not the nearest float: by the evaluation, by the formula, by both."""
    header = [
        "formula",
        "type",
        "evaluation, in the type",
        "evaluation, in float32",
        "formula",
        "both, in the type",
        "both, in float32",
    ]
    rows = []
    for dtype, name in product(NARROW, COMPUTES):
        own, alone, both = _not_nearest(name, dtype)
        rows.append([f"${VALUES[name].tex}$", dtype, *(f"{n:,}" for n in (*own, alone, *both))])
    return Table(header, rows)


@cache
def _not_nearest(name: str, dtype: str) -> tuple[list[int], int, list[int]]:
    """Counts of the evaluation, of the formula alone, and of both; in the type and in float32."""
    runs = VALUES[name], through_float32(VALUES[name])
    own, both = (
        [summary(run, dtype, part).misrounded for run in runs] for part in ("evaluation", "total")
    )
    return own, int((~agreeing(dtype, "exact", COMPUTES[name])).sum()), both


def _hold_what_harms_more() -> None:
    for dtype in NARROW:
        (inside, wide), alone, _ = _not_nearest("tanh", dtype)
        assert inside > alone > wide
        (inside, wide), alone, _ = _not_nearest("sigmoid", dtype)
        assert alone > inside > wide


# --- other constants

LINEAR = 2 * LOCAL_SLOPE


def bits_table(candidates: Mapping[str, Expr]) -> Table:
    """The bits of constants, by their names, in four types."""
    types = ("float64", "float32", *NARROW)
    rows = [
        [name, *(f"`{bit_pattern(stored(k, dtype), dtype)}`" for dtype in types)]
        for name, k in candidates.items()
    ]
    return Table(["constant", *types], rows)


def same_results_table() -> Table:
    """The constants that round to the results of the famous one, and the inputs that bound them."""
    rows = []
    for form, dtype in PAIRED:
        found = same_results(form, all_finite(dtype))
        ends = [f"{float(end):.11g} (at {end.x:g})" for end in (found.lower, found.upper)]
        rows.append([f"{form.name}, {dtype}", *ends, str(shortest_decimal(found))])
    return Table(["", "from", "to", "shortest decimal"], rows)


def moved_table(candidates: Mapping[str, Expr]) -> Table:
    """How many results another cubic coefficient changes, and by how many floats at most."""
    types = (*NARROW, "float32")
    rows = [[name, *(moved(k, dtype) for dtype in types)] for name, k in candidates.items()]
    return Table(["constant", *types], rows)


def moved(k: Expr, dtype: str) -> str:
    """A cell of ``moved_table``."""
    apart = _apart(k, dtype)
    part = "" if dtype != "float32" else f" ({(apart > 0).mean():.1%})"
    return f"{(apart > 0).sum():,}{part}, at most by {apart.max():,}"


def moved_inputs(k: Expr, dtype: str) -> np.ndarray:
    """The inputs, ascending, at which the coefficient k gives another result than 0.044715."""
    return _inputs(dtype)[_apart(k, dtype) > 0]


def _apart(k: Expr, dtype: str) -> np.ndarray:
    return steps_apart(rounded(_inputs(dtype), LINEAR, LINEAR * k), _famous_results(dtype))


def _inputs(dtype: str) -> np.ndarray:
    """Every float of a type of 16 bits, and a sample of float32."""
    return sampled_float32() if dtype == "float32" else all_finite(dtype)


@cache
def _famous_results(dtype: str) -> np.ndarray:
    return rounded(_inputs(dtype), LINEAR, LINEAR * PAGE_CUBIC)


def _same_results_numbers() -> dict[str, str]:
    near, half = float(np.float32(1.702)), all_finite("float16")
    assert near not in same_results(SIGMOID, half)
    apart = steps_apart(rounded(half, near), SIGMOID.rounded(half))
    assert apart.sum() == 1
    sample = sampled_float32()
    first, second = ordinal(sample[:2])
    wide = same_results(TANH, sample)
    prove(wide, rounding_demand(sample, TANH.rounded(sample)))
    return {
        "step": f"{int(second - first):,}",
        "float32-width": decimal(float(wide.upper) - float(wide.lower), 2),
        "scale-witness": f"{float(half[apart.argmax()]):g}",
    }


# --- constants that are stored in sixteen bits


def stored_table() -> Table:
    """What it changes to store the constants in a type of 16 bits, if the arithmetic is exact."""
    header = ["stored in", "constant", "largest change", "largest relative change"]
    rows = [row for dtype in NARROW for row in _stored_rows(dtype)]
    return Table([*header, "results that change"], rows)


def _stored_rows(dtype: str) -> Iterator[list[str]]:
    root, k, c = (Rational(stored(v, dtype)) for v in (LOCAL_SLOPE, PAGE_CUBIC, LOGISTIC_SCALE))
    tanh, sigmoid = (LINEAR, LINEAR * PAGE_CUBIC), (LOGISTIC_SCALE, 0)
    changes = {
        "0.044715": (tanh, (LINEAR, LINEAR * k)),
        "$\\sqrt{2/\\pi}$": (tanh, (2 * root, 2 * root * PAGE_CUBIC)),
        "both": (tanh, (2 * root, 2 * root * k)),
        "1.702": (sigmoid, (c, 0)),
    }
    for name, (before, after) in changes.items():
        found = change(all_finite(dtype), before, after)
        yield [
            dtype,
            name,
            f"{found.absolute:.2g} at {found.absolute_at:.3g}",
            f"{100 * found.relative:.2g} % at {found.relative_at:.3g}",
            f"{found.results:,}, at most by {found.steps:,}",
        ]


def _root_cost() -> str:
    """What the rounded √(2/π) costs in bfloat16, in percent of the error of the tanh form."""
    root = 2 * Rational(stored(LOCAL_SLOPE, "bfloat16"))
    before, after = (LINEAR, LINEAR * PAGE_CUBIC), (root, root * PAGE_CUBIC)
    cost = change(all_finite("bfloat16"), before, after)
    return f"{100 * cost.absolute / float(result('page-error-gelu').value):.0f}"


# --- the best constants of a type

ENDS = (-inf, -6, -4, -2, -1)


def least_ulp_table() -> Table:
    """The constants with the least largest error in ULP, for several ranges of inputs."""
    return _best_table(
        ("units in the last place", "with 0.044715 or 1.702"),
        _least_ulp_answers,
        lambda best: [_units(best.error), _units(best.famous_error)],
    )


def least_steps_table() -> Table:
    """The constants whose farthest result is nearest to GELU, counted in floats."""
    return _best_table(
        ("floats away", "with 0.044715 or 1.702"),
        lambda form, dtype: least_steps(form, all_finite(dtype), ENDS),
        lambda best: [f"{best.steps:,}", f"{best.famous_steps:,}"],
    )


def _best_table(
    sizes: tuple[str, str],
    answers: Callable[[ConstantForm, str], list],
    cells: Callable[..., list[str]],
) -> Table:
    """The answers for each form and type: which inputs count, the constants, and two sizes."""
    rows = []
    for form, dtype in PAIRED:
        for best in answers(form, dtype):
            where = "all inputs" if best.left == -inf else f"$x \\ge {best.left:g}$"
            lower, upper = float(best.constants.lower), float(best.constants.upper)
            constants = f"{lower:.6g} to {upper:.6g}"
            rows.append([f"{form.name}, {dtype}", where, constants, *cells(best)])
    return Table(["", "inputs", "best constants", *sizes], rows)


def _units(error: float) -> str:
    return f"{error:,.3f}" if error < 1e6 else f"{error:.3e}"


@cache
def _least_ulp_answers(form: ConstantForm, dtype: str) -> list:
    return least_ulp(form, all_finite(dtype), ENDS)


def _least_ulp_numbers() -> dict[str, str]:
    whole, _, _, near, _ = _least_ulp_answers(TANH, "float16")
    blind, _, _, close, _ = _least_ulp_answers(TANH, "bfloat16")
    assert 254 < blind.error < blind.famous_error < 256
    assert close.error < close.famous_error < 1
    every = [best for dtype in NARROW for best in _least_ulp_answers(TANH, dtype)]
    assert not any(PAGE_CUBIC in best.constants for best in every)
    return {
        "ulp-whole": f"{whole.error:.0f}",
        "ulp-famous": f"{whole.famous_error:.0f}",
        "ulp-witness": f"{whole.x:.2f}",
        "ulp-near": decimal(near.error, 2),
        "ulp-near-famous": decimal(near.famous_error, 2),
        "ulp-constant": decimal(float(near.constants.lower), 4),
    }


def _hold_where_the_famous_constant_is_best() -> None:
    def is_best(dtype: str, left_ends: list[float]) -> list[bool]:
        found = least_steps(TANH, all_finite(dtype), left_ends)
        return [best.steps == best.famous_steps for best in found]

    assert is_best("float16", [-3, -2, -1.5, -0.5]) == [False, True, False, True]
    assert is_best("bfloat16", [-2.5, -2, -1]) == [False, True, True]


def other_measures_table() -> Table:
    """The constants with the least largest error before rounding, and with most results right."""
    rows = []
    for form, dtype in PAIRED:
        most = most_agreeing(form, all_finite(dtype))
        error, constant = least_absolute_error(form, all_finite(dtype))
        pieces = ", ".join(f"{float(p.lower):.8g} to {float(p.upper):.8g}" for p in most.constants)
        cells = [f"{constant:.6g}", f"{error:.3g}", pieces, f"{most.count:,}"]
        rows.append([f"{form.name}, {dtype}", *cells])
    return Table(["", "least largest error", "error", "most results right", "right"], rows)


def numbers() -> dict[str, str]:
    """The numbers in the text; what it says without a number is held here too."""
    _hold_what_harms_more()
    _hold_where_the_famous_constant_is_best()
    return {
        **_agreement_numbers(),
        **_same_results_numbers(),
        "root-cost": _root_cost(),
        **_least_ulp_numbers(),
    }


# --- numbers of the register


def _ends(found: ConstantInterval, begin: str, digits: int) -> dict[str, Enclosure]:
    return {
        f"{begin}from": found.lower.enclosure(digits + GUARD_DIGITS),
        f"{begin}to": found.upper.enclosure(digits + GUARD_DIGITS),
    }


def _same_results(form: ConstantForm) -> Certification:
    """The constants that round to the results of the famous one, in each type."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        numbers: dict[str, Enclosure] = {}
        for dtype in NARROW:
            inputs = all_finite(dtype)
            found = same_results(form, inputs)
            prove(found, rounding_demand(inputs, form.rounded(inputs)))
            numbers |= _ends(found, f"{dtype}, ", digits)
        return numbers

    return enclosures


def _whole(number: int) -> Enclosure:
    return Enclosure(Decimal(number), Decimal(number))


LEFT_ENDS = {"": -inf, "x ≥ −2, ": -2.0}
"""The inputs that count, by the words that the names of the numbers have for them."""


def _least_steps(form: ConstantForm) -> Certification:
    """How near to the rounded GELU a form can be kept, and with which constants."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        numbers: dict[str, Enclosure] = {}
        for dtype in NARROW:
            inputs = all_finite(dtype)
            answers = least_steps(form, inputs, LEFT_ENDS.values())
            for begin, best in zip(LEFT_ENDS, answers, strict=True):
                demand = rounding_demand(inputs, gelu(inputs), best.steps)
                prove(best.constants, demand.from_left_end(best.left))
                numbers[f"{dtype}, {begin}n"] = _whole(best.steps)
                numbers |= _ends(best.constants, f"{dtype}, {begin}", digits)
        return numbers

    return enclosures


def _least_ulp(form: ConstantForm) -> Certification:
    """How small the largest error in units in the last place can be, and with which constants."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        numbers: dict[str, Enclosure] = {}
        for dtype in NARROW:
            inputs = all_finite(dtype)
            answers = least_ulp(form, inputs, LEFT_ENDS.values())
            prove_least_ulp(answers, inputs)
            for begin, best in zip(LEFT_ENDS, answers, strict=True):
                error = best.enclosure(inputs.dtype, digits + GUARD_DIGITS)
                numbers[f"{dtype}, {begin}E"] = error
                numbers |= _ends(best.constants, f"{dtype}, {begin}", digits)
        return numbers

    return enclosures


def _most_agreeing(form: ConstantForm) -> Certification:
    """How many results can be the rounded GELU, and with which constants."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        numbers: dict[str, Enclosure] = {}
        for dtype in NARROW:
            found = most_agreeing(form, all_finite(dtype))
            prove_most_agreeing(found, all_finite(dtype))
            numbers[f"{dtype}, n"] = _whole(found.count)
            for i, piece in enumerate(found.constants, 1):
                begin = f"{dtype}, {i}, " if len(found.constants) > 1 else f"{dtype}, "
                numbers |= _ends(piece, begin, digits)
        return numbers

    return enclosures


def _agreements(digits: int) -> dict[str, Enclosure]:
    """How often GELU and its forms are the same number; every result is proved to be rounded."""
    numbers: dict[str, Enclosure] = {}
    for dtype in NARROW:
        inputs = all_finite(dtype)
        for form in (TANH, SIGMOID):
            prove(same_results(form, inputs), rounding_demand(inputs, form.rounded(inputs)))
        for x, y in zip(inputs.astype(float), gelu(inputs).astype(float), strict=True):
            if not is_correctly_rounded("gelu", float(x), float(y), inputs.dtype.type):
                raise ArithmeticError(f"GELU of {x!r} is not rounded to the nearest {dtype}")
        numbers[f"{dtype}, floats"] = _whole(inputs.size)
        for forms in (*combinations(FORMS, 2), tuple(FORMS)):
            numbers[f"{dtype}, {equation(forms)}"] = _whole(int(agreeing(dtype, *forms).sum()))
    return numbers


CERTIFIED: dict[str, Certification] = {
    "same-results-cubic": _same_results(TANH),
    "same-results-scale": _same_results(SIGMOID),
    "least-steps-cubic": _least_steps(TANH),
    "least-steps-scale": _least_steps(SIGMOID),
    "least-ulp-cubic": _least_ulp(TANH),
    "least-ulp-scale": _least_ulp(SIGMOID),
    "most-agreeing-cubic": _most_agreeing(TANH),
    "most-agreeing-scale": _most_agreeing(SIGMOID),
    "same-number": _agreements,
}
