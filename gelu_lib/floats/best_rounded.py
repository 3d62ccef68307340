"""The best constant of a form of GELU for a float type, by three measures.

- ``least_steps``: no rounded result is farther from the rounded GELU than so many floats.
- ``least_ulp``: no rounded result is farther from GELU than so many units in the last place.
- ``most_agreeing``: as many rounded results as possible are the rounded GELU.

The first two are nearly relative: in a binade all steps are equal, and in the next one they are
twice as large. Far to the left the relative error of either form grows without end, so the answer
depends on where the inputs begin.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

import gelu_lib._proofs

import numpy as np

from gelu_lib._extras import flint
from gelu_lib.activations import gelu
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits
from gelu_lib.floats.agreement import steps_apart
from gelu_lib.floats.gates import Gates, gates_between, rounding_gates
from gelu_lib.floats.rounded_constants import (
    ConstantForm,
    ConstantInterval,
    End,
    EndArrays,
    intersection,
    prove,
)
from gelu_lib.floats.types import from_ordinal, ordinal, round_to, unit
from gelu_lib.floats.ulp import exact, unit_exponent

SEARCHED = 4.0
"""Constants are searched from the famous one divided by this to the famous one times this."""


def _near_gelu(inputs: np.ndarray, steps: int = 0) -> Gates:
    """That each result is at most so many floats from GELU, correctly rounded."""
    if inputs.dtype.itemsize != 2:  # some float32 of ``gelu`` are not the nearest ones
        raise TypeError(f"inputs are {inputs.dtype}; accepted are float16 and bfloat16")
    return rounding_gates(inputs, gelu(inputs), steps)


def binding_inputs(form: ConstantForm, inputs: np.ndarray) -> np.ndarray:
    """The inputs where some constant near the famous one gives another result than GELU.

    A search among them is fast. It is right if its answer holds at all inputs.
    """
    demand, famous = _near_gelu(inputs), float(form.famous)
    binds = form.constants(demand.x, demand.low) > famous / SEARCHED
    binds |= form.constants(demand.x, demand.high) < famous * SEARCHED
    return inputs[np.isin(np.asarray(inputs, np.float64), demand.x[binds])]


def counted_inputs(x: np.ndarray, left: float) -> np.ndarray:
    """Which inputs count: those from a left end on, but not 0, where all constants agree.

    Raises:
        ValueError: if there is none.
    """
    counted = (x >= left) & (x != 0)
    if not counted.any():
        raise ValueError(f"left end is {left!r}, and no input but 0 is as large")
    return counted


# Floats between a result and the rounded GELU.


@dataclass(frozen=True)
class LeastSteps:
    """How near to the rounded GELU a form can be kept, in floats.

    Attributes:
        left: the least input that counts.
        steps: no rounded result need be more floats away, but with any constant one is as many.
        constants: those that keep all results so near.
        famous_steps: how many floats away the results are with the famous constant.
    """

    left: float
    steps: int
    constants: ConstantInterval
    famous_steps: int


def least_steps(
    form: ConstantForm, inputs: np.ndarray, left_ends: Iterable[float] = (-np.inf,)
) -> list[LeastSteps]:
    """The constants whose largest distance from GELU is least, for inputs from a left end on.

    Args:
        form: the form.
        inputs: finite float16 or bfloat16, ascending.
        left_ends: inputs to the left of such an end do not count.

    Returns:
        One answer for each left end. That fewer steps are impossible is shown in interval
        arithmetic; that these are possible rests on float64 until ``rounded_constants.prove``
        confirms the constants.

    Raises:
        ValueError: if there is no input but 0 from a left end on.
        ArithmeticError: if interval arithmetic does not confirm what was found.
    """
    few = binding_inputs(form, inputs)
    every_demand, demand = (partial(_near_gelu, some) for some in (inputs, few))
    fails_at = cache(lambda steps: _reach(form, demand(steps))[0])
    x, apart = inputs.astype(np.float64), steps_apart(form.rounded(inputs), gelu(inputs))
    found = []
    for left in left_ends:
        counted = counted_inputs(x, left)

        def enough(steps: int, left: float = left) -> bool:
            return (place := fails_at(steps)) is None or place < left

        steps = bisect_left(range(2 ** (8 * inputs.dtype.itemsize - 1)), True, key=enough)
        constants = intersection(form, every_demand(steps).from_left_end(left))
        # What no constant does at a few inputs, none does at all of them.
        fewer = intersection(form, demand(steps - 1).from_left_end(left)) if steps else None
        if constants is None or fewer is not None:
            raise ArithmeticError(f"{steps} steps are not confirmed for inputs from {left!r} on")
        found.append(LeastSteps(left, steps, constants, int(apart[counted].max())))
    return found


def reach(
    form: ConstantForm, inputs: np.ndarray, steps: int
) -> tuple[float | None, tuple[float, float]]:
    """How far to the left one constant keeps every result within so many floats of GELU.

    Args:
        form: the form.
        inputs: finite float16 or bfloat16, ascending.
        steps: so many floats, at least 0.

    Returns:
        The first input from the right where that ends, ``None`` if there is none, and from where
        to where the constants go that keep all inputs to the right of it. They are found in
        float64.
    """
    return _reach(form, _near_gelu(inputs, steps))


def _reach(form: ConstantForm, demand: Gates) -> tuple[float | None, tuple[float, float]]:
    lower = np.maximum.accumulate(form.constants(demand.x, demand.low)[::-1])
    upper = np.minimum.accumulate(form.constants(demand.x, demand.high)[::-1])
    kept = int(np.sum(lower <= upper))  # once that fails, it fails at all inputs further left
    ends = None if kept == demand.x.size else float(demand.x[-1 - kept])
    return ends, (float(lower[kept - 1]), float(upper[kept - 1]))


# Units in the last place. The unit is the spacing of the floats in the binade of GELU(x), below the
# normal floats the smallest subnormal. At each input the results are floats, so only some errors
# can occur. "No error is larger than E" allows floats from one to another, and so constants from
# one to another, and it allows more only when E passes the error of a float. The least E is found
# by bisection in float64. It is the error of one float; a margin on both sides in which no other
# error lies makes it exact.

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
        with flint.ctx.workprec(bits(digits) + 64):
            error = abs(self.result - true) * flint.arb(2) ** -unit_exponent(true, dtype)
        return enclosure(error, digits + 15)


def ulp_demand(inputs: np.ndarray, error: float) -> Gates:
    """That each result is at most so many units in the last place from the exact GELU.

    Args:
        inputs: finite float16 or bfloat16, ascending.
        error: the number of units; comparisons are made in float64.
    """
    return gates_between(inputs, *_allowed(inputs, error))


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
    right = (
        abs(true - value) < MARGIN / 4 * size and flint.arb(2) ** unit_exponent(true, dtype) == size
    )
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


# How many results are the rounded GELU.


@dataclass(frozen=True)
class MostAgreeing:
    """How many rounded results can be the rounded GELU with one constant.

    Attributes:
        count: the number of inputs.
        constants: those that do it, in one interval or several.
    """

    count: int
    constants: tuple[ConstantInterval, ...]


def most_agreeing(form: ConstantForm, inputs: np.ndarray) -> MostAgreeing:
    """The constants with which the most rounded results are the rounded GELU.

    Every input asks for an interval of constants, and the most intervals overlap there.

    Args:
        form: the form.
        inputs: finite float16 or bfloat16, ascending.

    Returns:
        What was found in float64; ``prove_most_agreeing`` proves it.
    """
    demand = _near_gelu(inputs)
    lower = form.constants(demand.x, demand.low)
    upper = form.constants(demand.x, demand.high)
    count, pieces = _deepest(lower, upper)
    starts, stops = (
        EndArrays(form, demand.x, demand.low, demand.low_closed),
        EndArrays(form, demand.x, demand.high, demand.high_closed),
    )
    found = [
        ConstantInterval(starts[np.argmax(lower == left)], stops[np.argmax(upper == right)])
        for left, right in pieces
    ]
    return MostAgreeing(count + _zeros(inputs), tuple(found))


def _zeros(inputs: np.ndarray) -> int:
    """How many inputs are 0, where all constants agree; no demand has them."""
    return int(np.sum(inputs == 0))


def _deepest(lower: np.ndarray, upper: np.ndarray) -> tuple[int, list[tuple[float, float]]]:
    """How many intervals overlap where the most do, and from where to where that is."""
    ends = np.concatenate([lower, upper])
    change = np.concatenate([np.ones(lower.size, int), -np.ones(upper.size, int)])
    order = np.argsort(ends, kind="stable")  # of equal ends the lower ones come first
    depth, ends = np.cumsum(change[order]), ends[order]
    places = np.flatnonzero(depth == depth.max())
    return int(depth.max()), [(float(ends[i]), float(ends[i + 1])) for i in places]


def prove_most_agreeing(found: MostAgreeing, inputs: np.ndarray) -> None:
    """Prove that so many results agree with these constants, more with none, as many with no other.

    Every end is enclosed by interval arithmetic between two float64. Intervals that are made a
    little too wide overlap nowhere less often than the intervals themselves, those that are made a
    little too narrow nowhere more often. Where either overlap so many times, the pieces must be
    the same but for slits next to their ends. In a slit there must be no end but that of the piece.

    Raises:
        ArithmeticError: if it is not so, or cannot be told.
    """
    form, demand = found.constants[0].lower.form, _near_gelu(inputs)
    lower, upper = (_enclosed(form, demand.x, y) for y in (demand.low, demand.high))
    most, wide = _deepest(lower[0], upper[1])
    least, narrow = _deepest(lower[1], upper[0])
    if not most == least == found.count - _zeros(inputs):
        raise ArithmeticError(f"{found.count} is not proved, but {least} to {most} beside 0")
    if not len(wide) == len(narrow) == len(found.constants):
        raise ArithmeticError(f"{len(found.constants)} pieces are not proved, but {len(wide)}")
    lows = EndArrays(form, demand.x, demand.low, demand.low_closed)
    highs = EndArrays(form, demand.x, demand.high, demand.high_closed)
    for piece, (left, right), (begin, stop) in zip(found.constants, wide, narrow, strict=True):
        if not left <= begin < stop <= right:
            raise ArithmeticError(f"the piece from {left!r} to {right!r} is not proved")
        _prove_end(piece.lower, _between(lower, left, begin), _between(upper, left, begin), lows)
        _prove_end(piece.upper, _between(upper, stop, right), _between(lower, stop, right), highs)


def _between(found: tuple[np.ndarray, np.ndarray], left: float, right: float) -> np.ndarray:
    """Which of the enclosed constants may lie between two numbers."""
    below, above = found
    return np.flatnonzero((above >= left) & (below <= right))


def _prove_end(end: End, same: np.ndarray, opposite: np.ndarray, ends: EndArrays) -> None:
    """Prove that one end is all that a slit has: several ends are one only if they are mirrored."""
    here = [ends[i] for i in same]
    alone = {other.mirrored for other in here} == {end.mirrored} and opposite.size == 0
    if not alone or end.closed != all(other.closed for other in here):
        raise ArithmeticError(f"the end {end} is not proved")


def _enclosed(form: ConstantForm, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Float64 below and above each constant with which the value at x is y, proved."""
    with flint.ctx.workprec(96):
        balls = [form.ball(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]
        below = np.array([float(ball.lower()) for ball in balls])
        above = np.array([float(ball.upper()) for ball in balls])
    return np.nextafter(below, -np.inf), np.nextafter(above, np.inf)
