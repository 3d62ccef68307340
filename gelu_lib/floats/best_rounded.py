"""The constant of a form of GELU whose largest error in units in the last place is least.

The error of a rounded result is its distance from the exact GELU(x), in units in the last place of
GELU(x): the spacing of the floats in the binade of that value, below the normal floats the smallest
subnormal. At each input the results are floats, so only some errors can occur. "No error is larger
than E" allows floats from one to another, and so constants from one to another, and it allows more
only when E passes the error of a float. The least E is found by bisection in float64. It is the
error of one float; a margin on both sides in which no other error lies makes it exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import arb, ctx

from gelu_lib.activations import gelu
from gelu_lib.certificates.balls import bits
from gelu_lib.certificates.enclosures import Enclosure, enclosure
from gelu_lib.floats.best_for_type import binding_inputs, counted_inputs
from gelu_lib.floats.rounded_constants import (
    ConstantForm,
    ConstantInterval,
    Demand,
    demand_between,
    intersection,
    prove,
)
from gelu_lib.floats.types import from_ordinal, ordinal, round_to, unit
from gelu_lib.floats.ulp import exact, unit_exponent

__all__ = ["LeastUlp", "least_ulp", "prove_least_ulp", "ulp_demand"]

MARGIN = 1e-11
"""Twice the difference between an error in float64 and the exact one, absolutely or relative to the
error, is less. GELU is proved right to a quarter of it at every input; the operations that follow
round values below 2¹³ units, so that they add less than 1e-12."""


@dataclass(frozen=True)
class LeastUlp:
    """How small the largest error in units in the last place can be.

    Attributes:
        left: the least input that counts.
        error: the least largest error, in float64.
        x: an input where it is attained, with all of the constants.
        result: the result there.
        constants: those with which no error is larger.
        famous_error: the largest error with the famous constant, in float64.
    """

    left: float
    error: float
    x: float
    result: float
    constants: ConstantInterval
    famous_error: float

    def enclosure(self, dtype: np.dtype, digits: int) -> Enclosure:
        """The least largest error between two decimals, by the formula of GELU in Arb."""
        true = exact("gelu", self.x, bits(digits) + 32)
        with ctx.workprec(bits(digits) + 64):
            error = abs(self.result - true) * arb(2) ** -unit_exponent(true, dtype)
        return enclosure(error, digits + 15)


def ulp_demand(inputs: np.ndarray, error: float) -> Demand:
    """That each result is at most so many units in the last place from the exact GELU.

    Args:
        inputs: finite float16 or bfloat16, ascending.
        error: the number of units; comparisons are made in float64.
    """
    return demand_between(inputs, *_allowed(inputs, error))


def _allowed(inputs: np.ndarray, error: float) -> tuple[np.ndarray, np.ndarray]:
    """The places of the least and of the greatest float whose error is not larger."""
    values, units = _gelu(inputs)
    low, high = values - error * units, values + error * units
    first, last = round_to(low, inputs.dtype), round_to(high, inputs.dtype)
    return ordinal(first) + (first < low), ordinal(last) - (last > high)


def _errors(inputs: np.ndarray, results: np.ndarray) -> np.ndarray:
    values, units = _gelu(inputs)
    return np.abs(results.astype(np.float64) - values) / units


def _gelu(inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """GELU in float64 and the unit in the last place of its exact value."""
    x = inputs.astype(np.float64)
    values = gelu(x)
    # Left of 0 GELU is nearer to 0 than x/2, and float64 may have rounded it up to a power of 2.
    return values, unit(np.where(x < 0, np.nextafter(values, 0), values), inputs.dtype)


def least_ulp(
    form: ConstantForm, inputs: np.ndarray, left_ends: Iterable[float] = (-np.inf,)
) -> list[LeastUlp]:
    """The constants whose largest error in units in the last place is least, from a left end on.

    Args:
        form: the form.
        inputs: finite float16 or bfloat16, ascending.
        left_ends: inputs to the left of such an end do not count.

    Returns:
        One answer for each left end; ``prove_least_ulp`` proves it.

    Raises:
        ValueError: if from a left end on there is no input but 0, or none where another constant
            gives another result.
        ArithmeticError: if the least error is not told from another one, or not confirmed.
    """
    few, x = binding_inputs(form, inputs), inputs.astype(np.float64)
    famous = _errors(inputs, form.rounded(inputs))
    found = []
    for left in left_ends:
        counted = counted_inputs(x, left)
        largest = float(famous[counted].max())
        some = few[few.astype(np.float64) >= left]
        if not some.size:
            raise ValueError(f"left end is {left!r}, and no result from it on has a choice")
        least = _bisected(form, some, largest)
        place, result = _attained(inputs[counted], least)[0]
        error = float(_errors(place, result))
        constants = _confirmed(form, inputs[counted], error)
        found.append(LeastUlp(left, error, float(place), float(result), constants, largest))
    return found


def _bisected(form: ConstantForm, inputs: np.ndarray, enough: float) -> float:
    """The least error that some constant does not exceed, between 0 and one that is enough."""
    low, high, start, stop = 0.0, enough + _margin(enough), -np.inf, np.inf
    while high - low > _margin(high) / 8:
        middle = (low + high) / 2
        demand = ulp_demand(inputs, middle)
        lower, upper = (form.constants(demand.x, y) for y in (demand.low, demand.high))
        if np.max(lower) <= np.min(upper):
            high, start, stop = middle, np.max(lower), np.min(upper)
        else:
            low = middle
            inputs = inputs[(lower >= start) | (upper <= stop)]  # the others bind no more
    return high


def _margin(error: float) -> float:
    return MARGIN * max(1.0, error)


def _attained(inputs: np.ndarray, error: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """The inputs and results whose errors lie within the margin of a given one; they are all equal.

    GELU(x) − GELU(−x) = x, so that the result y at x has the same error as y − x at −x.

    Raises:
        ArithmeticError: if there is none, or if they are not mirrored.
    """
    before, after = (_allowed(inputs, error + side * _margin(error)) for side in (-1, 1))
    found = [
        (inputs[i], from_ordinal(allowed[i], inputs.dtype))
        for narrow, allowed in zip(before, after, strict=True)
        for i in np.flatnonzero(narrow != allowed)
    ]
    if len({_seen_from_the_right(*pair) for pair in found}) != 1:
        raise ArithmeticError(f"{len(found)} results have an error near {error!r}, not one")
    return found


def _seen_from_the_right(x: np.ndarray, result: np.ndarray) -> tuple[Fraction, Fraction, float]:
    """The input, the result and the unit, where y at x and y − x at −x are the same."""
    size = float(_gelu(x)[1])
    x, y = Fraction(float(x)), Fraction(float(result))
    return (x, y, size) if x > 0 else (-x, y - x, size)


def _confirmed(form: ConstantForm, inputs: np.ndarray, error: float) -> ConstantInterval:
    """The constants that exceed an error nowhere, if every constant attains it."""
    constants = intersection(form, ulp_demand(inputs, error + _margin(error)))
    if constants is None or intersection(form, ulp_demand(inputs, error - _margin(error))):
        raise ArithmeticError(f"the least largest error {error!r} is not confirmed")
    return constants


def prove_least_ulp(found: Iterable[LeastUlp], inputs: np.ndarray) -> None:
    """Prove that no largest error is smaller, and that these constants and no others have it.

    First float64 is held against Arb at every input, so that errors are right to within half of the
    margin. One error alone lies within the margin. So what float64 allows just above it and just
    below it is what is allowed with that error and without it. The constants for the one are proved
    in interval arithmetic, and that there are none for the other.

    Raises:
        ArithmeticError: if it is not so, or cannot be told.
    """
    nonzero = inputs[inputs.astype(np.float64) != 0]
    rows = (nonzero.astype(np.float64), *_gelu(nonzero))
    for x, value, size in zip(*(row.tolist() for row in rows), strict=True):
        _prove_reference(x, value, size, inputs.dtype)
    for best in found:
        counted = inputs[counted_inputs(inputs.astype(np.float64), best.left)]
        _prove_least(best, counted)


def _prove_reference(x: float, value: float, size: float, dtype: np.dtype) -> None:
    """Prove that GELU in float64 is right to a quarter of the margin, and its unit right."""
    true = exact("gelu", x)
    right = abs(true - value) < MARGIN / 4 * size and arb(2) ** unit_exponent(true, dtype) == size
    if not right:
        raise ArithmeticError(f"GELU of {x!r} in float64 is not near enough to Arb")


def _prove_least(best: LeastUlp, inputs: np.ndarray) -> None:
    form, error = best.constants.lower.form, best.error
    witness = round_to([best.x, best.result], inputs.dtype)
    seen = {_seen_from_the_right(*pair) for pair in _attained(inputs, error)}
    near = abs(float(_errors(*witness)) - error) < _margin(error) / 100
    if seen != {_seen_from_the_right(*witness)} or not near:
        raise ArithmeticError(f"the error {error!r} is not that of {best.result!r} at {best.x!r}")
    prove(best.constants, ulp_demand(inputs, error + _margin(error)))
    if intersection(form, ulp_demand(inputs, error - _margin(error))):
        raise ArithmeticError(f"a largest error below {error!r} is possible")
