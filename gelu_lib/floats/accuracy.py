"""How far the usual formulas are from what they aim at: in their evaluation, and as formulas.

``compared`` is the table of the errors of any callable, ``errors`` that of a formula. ``summary``
gives the worst error with its witness, ``first_zero`` and ``first_nan`` say where a formula gives
up. The exact values come from ``gelu_lib.activations`` in float64 for the types of 32 and 16 bits,
where its error of a few units of float64 does not matter, and from Arb for float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import gelu_lib._proofs

import numpy as np

from gelu_lib import activations
from gelu_lib._extras import flint
from gelu_lib.floats.formulas import Formula
from gelu_lib.floats.types import (
    FloatType,
    all_finite,
    first_float,
    float_type,
    from_ordinal,
    ordinal,
    round_to,
    unit,
)
from gelu_lib.floats.ulp import check_function, correctly_rounded, exact, unit_exponent

ERROR_PARTS = ("evaluation", "total")
"""What an error is of, the evaluation alone, or the evaluation and the formula together.

``evaluation`` holds the computed float against the exact value of the same formula, ``total``
against the function that the formula stands for.
"""

_NEAR = 10.0
"""Half of a sample lies within ±10. The other half lies left of it; what is lost is lost there."""


@dataclass(frozen=True)
class Errors:
    """The errors at some inputs, as arrays of float64.

    Attributes:
        x: the inputs.
        given: the computed floats.
        reference: what it is compared with.
        absolute: given − reference.
        ulp: the same in units in the last place of the reference, in the type.
        relative: given/reference − 1. It is −1 where a float is computed as 0, infinite where the
            quotient overflows.
        normal: whether the reference is a normal number of the type.
    """

    x: np.ndarray
    given: np.ndarray
    reference: np.ndarray
    absolute: np.ndarray
    ulp: np.ndarray
    relative: np.ndarray
    normal: np.ndarray


@dataclass(frozen=True)
class Worst:
    """A largest error and its witness.

    Attributes:
        error: with its sign.
        x: where it is; nearest to 0, if there are several.
        given: what was found there.
        reference: what should have been found.
    """

    error: float
    x: float
    given: float
    reference: float


@dataclass(frozen=True)
class Summary:
    """The errors of a formula in a type, in short.

    Attributes:
        inputs: how many inputs were tried.
        exhaustive: whether these are all finite floats of the type. If not, they are a sample, and
            nothing here is a bound.
        nans: at how many of them the result was nan; these do not count below.
        misrounded: at how many the result was not the float nearest to the reference.
        absolute: the largest difference, which alone has a meaning at a zero of a slope.
        ulp: the largest error in units in the last place.
        relative: the largest relative error where the reference is a normal number of the type.
    """

    inputs: int
    exhaustive: bool
    nans: int
    misrounded: int
    absolute: Worst
    ulp: Worst
    relative: Worst


def errors(formula: Formula, x: np.ndarray, part: str = "evaluation") -> Errors:
    """The errors of a formula at each of some floats, in their type.

    Args:
        formula: one of ``gelu_lib.floats.formulas``.
        x: finite floats of one of the four types, in one dimension.
        part: one of ``ERROR_PARTS``.

    Returns:
        The errors, as by ``compared``.

    Raises:
        ValueError: if ``part`` is none of ``ERROR_PARTS``, or ``x`` is not finite or of more
            dimensions.
        TypeError: if ``x`` is of another type.
    """
    if part not in ERROR_PARTS:
        raise ValueError(f"part is {part!r}; accepted are {', '.join(ERROR_PARTS)}")
    return compared(formula(x), formula.value if part == "evaluation" else formula.aim, x)


def compared(given: np.ndarray, name: str, x: np.ndarray) -> Errors:
    """The errors of what a callable returned.

    Args:
        given: floats of the type of ``x``.
        name: the function that they are compared with, a key of ``ERROR_FUNCTIONS``.
        x: finite floats of one of the four types, in one dimension.

    Returns:
        The errors, which are nan where a computed float is nan. For float64 the differences are
        taken in Arb. For the other types they are taken in float64, where the reference is right
        to a few units.

    Raises:
        ValueError: if there is no such function, or ``x`` is not finite or of more dimensions.
        TypeError: if ``x`` is of another type.
    """
    kind, wide = float_type(x.dtype), x.astype(np.float64)
    if wide.ndim != 1 or not np.isfinite(wide).all():
        raise ValueError(f"x has the shape {x.shape}; accepted are finite floats in one dimension")
    check_function(name)
    values = given.astype(np.float64)
    compare = _by_arb if kind.name == "float64" else _by_float64
    reference, absolute, ulp, relative = compare(values, name, wide, kind)
    normal = np.abs(reference) >= 2.0**kind.least_exponent
    return Errors(wide, values, reference, absolute, ulp, relative, normal)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""The reference, and the three errors."""


def _by_float64(given: np.ndarray, name: str, x: np.ndarray, kind: FloatType) -> Columns:
    """With float64 as exact."""
    reference = getattr(activations, name)(x)
    with np.errstate(all="ignore"):
        absolute = given - reference
        relative = given / reference - 1
    relative[given == 0] = -1.0
    relative[(x == 0) & (given == reference)] = 0.0
    return reference, absolute, absolute / unit(reference, kind.name), relative


def _by_arb(given: np.ndarray, name: str, x: np.ndarray, kind: FloatType) -> Columns:
    """The same with Arb."""
    rows = []
    for place, value in zip(x.tolist(), given.tolist(), strict=True):
        true = _exact(name, place)
        with flint.ctx.workprec(160):
            gap = flint.arb(value) - true
            ulp = gap * flint.arb(2) ** -unit_exponent(true, kind.name)
            relative = gap / true if true != 0 else flint.arb(_relative_to_0(value, place))
        rows.append([float(number) for number in (true, gap, ulp, relative)])
    return tuple(np.array(rows).reshape(-1, 4).T)


def _relative_to_0(given: float, x: float) -> float:
    """The relative error where the reference is 0, or so small that it counts as 0."""
    if given == 0:
        return 0.0 if x == 0 else -1.0
    return abs(given) * np.inf  # nan stays nan


_exact = cache(exact)


def inputs(formula: Formula, dtype: str, count: int = 500) -> np.ndarray:
    """All finite floats of a type of 16 bits; of a longer one a sample along the line.

    Args:
        formula: for a sample, which begins where the exact value of this formula has just vanished.
        dtype: one of the four types.
        count: of a sample: how many floats.

    Returns:
        The floats, ascending. Half of a sample lies evenly up to −10, half evenly from there to 10,
        as far as floats can.

    Raises:
        ValueError: if ``count`` is below 2.
    """
    if float_type(dtype).dtype.itemsize == 2:
        return all_finite(dtype)
    if count < 2:
        raise ValueError(f"count is {count!r}; accepted is an integer from 2")
    tail = np.linspace(
        first_zero_of_value(formula.value, dtype), -_NEAR, count // 2, endpoint=False
    )
    return round_to([*tail, *np.linspace(-_NEAR, _NEAR, count - count // 2)], dtype)


def summary(formula: Formula, dtype: str, part: str = "evaluation", count: int = 500) -> Summary:
    """The worst errors of a formula in a type: over all floats of 16 bits, else in a sample.

    Args:
        formula: one of ``gelu_lib.floats.formulas``.
        dtype: one of the four types.
        part: ``evaluation`` or ``total``.
        count: of a sample, as by ``inputs``.

    Returns:
        The summary, with its witnesses.

    Raises:
        ValueError: if ``part`` is another one.
    """
    kind = float_type(dtype)
    x = inputs(formula, dtype, count)
    found = errors(formula, x, part)
    if exhaustive := kind.dtype.itemsize == 2:  # the activations give the nearest float there
        nearest = getattr(activations, formula.value if part == "evaluation" else formula.aim)(x)
        misrounded = found.given != nearest.astype(np.float64)
    else:
        misrounded = np.abs(found.ulp) > 0.5
    nans = np.isnan(found.given)
    return Summary(
        inputs=x.size,
        exhaustive=exhaustive,
        nans=int(nans.sum()),
        misrounded=int((misrounded & ~nans).sum()),
        absolute=_worst(found, found.absolute, ~nans),
        ulp=_worst(found, found.ulp, ~nans),
        relative=_worst(found, found.relative, ~nans & found.normal),
    )


def _worst(found: Errors, size: np.ndarray, counts: np.ndarray) -> Worst:
    nearest_first = np.argsort(np.abs(found.x), kind="stable")
    i = nearest_first[np.argmax(np.where(counts, np.abs(size), -1.0)[nearest_first])]
    return Worst(*(float(part[i]) for part in (size, found.x, found.given, found.reference)))


# Where a formula gives up. Each place is found by halving, on the promise that what has begun goes
# on outward. In the types of 16 bits the tests look at every float, in the others at samples.


def first_zero(formula: Formula, dtype: str) -> float | None:
    """The first float, going left from −1, at which a formula returns 0.

    Args:
        formula: one of ``gelu_lib.floats.formulas``.
        dtype: one of the four types.

    Returns:
        The float, or ``None`` if there is none before the formula returns nan.
    """
    kind = float_type(dtype)
    nan = first_nan(formula, dtype, side=-1)
    stop = -kind.greatest if nan is None else _step(nan, +1, kind)
    if not _is_zero(formula)(round_to(stop, dtype)):
        return None
    return first_float(_is_zero(formula), -1.0, stop, dtype)


def first_zero_of_value(name: str, dtype: str) -> float:
    """The first float, going left from −1, at which the exact value is rounded to 0.

    Args:
        name: a key of ``gelu_lib.floats.ulp.ERROR_FUNCTIONS``.
        dtype: one of the four types.

    Returns:
        The float, decided by Arb. Left of their last turning point the exact values fall in size,
        as the chapter derivatives proves. So there is one such place.
    """

    def vanishes(x: np.ndarray) -> bool:
        return correctly_rounded(name, float(x), dtype) == 0

    return first_float(vanishes, -1.0, -(2.0**15), dtype)


def first_nan(formula: Formula, dtype: str, side: int) -> float | None:
    """The first finite float, going from ±1 outward, at which a formula returns nan.

    Args:
        formula: one of ``gelu_lib.floats.formulas``.
        dtype: one of the four types.
        side: −1 for the left, 1 for the right.

    Returns:
        The float, or ``None`` if the formula does not return nan at the last finite float.

    Raises:
        ValueError: if ``side`` is neither.
    """
    if side not in (-1, 1):
        raise ValueError(f"side is {side!r}; accepted are -1 and 1")
    kind = float_type(dtype)

    def is_nan(x: np.ndarray) -> bool:
        return bool(np.isnan(formula(x).astype(np.float64)))

    last = side * kind.greatest
    return first_float(is_nan, float(side), last, dtype) if is_nan(round_to(last, dtype)) else None


def _is_zero(formula: Formula) -> Callable[[np.ndarray], bool]:
    return lambda x: bool(formula(x) == 0)


def _step(x: float, count: int, kind: FloatType) -> float:
    """The float so many steps to the right."""
    return float(from_ordinal(ordinal(np.array(x, kind.dtype)) + count, kind.name))
