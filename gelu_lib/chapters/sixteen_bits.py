"""Figures of rounded results: where they are the same number, and the best constant for a type."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations
from math import inf

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib.activations import FORMS, gelu
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification
from gelu_lib.chapters.style import BLUE, DASHES, INK, ORANGE, Drawn
from gelu_lib.floats.agreement import agreeing, steps_apart
from gelu_lib.floats.best_rounded import (
    binding_inputs,
    least_steps,
    least_ulp,
    most_agreeing,
    prove_least_ulp,
    prove_most_agreeing,
    reach,
)
from gelu_lib.floats.rounded_constants import (
    SIGMOID,
    TANH,
    ConstantForm,
    ConstantInterval,
    prove,
    rounding_demand,
    same_results,
)
from gelu_lib.floats.types import all_finite
from gelu_lib.floats.ulp import is_correctly_rounded

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


# --- numbers of the register

NARROW = ("float16", "bfloat16")


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
