"""Kernels of GELU and its derivative: f(−a) and f′(−a) for blocks of a ≥ 0.

Up to TABLE_END, GELU takes Φ from a table, and what is missing from a node of it to a from one step
of the midpoint rule. The derivative has a zero, whose factor is taken out, so it is a polynomial
times exp(−a²/2). In float64 this exponential is taken at a number near a whose square is a float,
as an error of the exponent is a relative error of the result. In the narrower types the square is a
float64 already, and a shorter polynomial is good to 2⁻³¹. Beyond TABLE_END both are a factor times
an exponential whose exponent is a float and a rest.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from gelu_lib.activations import coefficients as c
from gelu_lib.activations import table
from gelu_lib.activations.blocks import (
    Activation,
    Evaluation,
    WorkRows,
    reflect_derivative,
    reflect_value,
)
from gelu_lib.activations.pairs import Pair, times_exp
from gelu_lib.activations.passes import grid_shift, horner, scalars, to_grid

VANISHED = 40.0
"""Every value and derivative of GELU has vanished at −VANISHED."""

_ONE, _FOUR, _HALF, _MINUS_HALF, _MINUS_EIGHTH = scalars((1.0, 4.0, 0.5, -0.5, -0.125))
_POLE, _NARROW_POLE = scalars((c.POLE, c.NARROW_POLE))
_ZERO, _ZERO_REST = scalars(c.GELU_ZERO)
_NEAR_SLOPE, _NARROW_SLOPE = scalars(c.NEAR_SLOPE), scalars(c.NARROW_SLOPE)
_FAR_RATIO = scalars(c.FAR_RATIO)
_TABLE_GRID = grid_shift(10)
_INDEX_0 = _TABLE_GRID.view(np.int64)
_MEAN = scalars(c.DENSITY_AT_0 * share for share in (2.0**-15, 1 / 96, 1.0))
_GRID = grid_shift(23)  # TABLE_END < 2³, so a multiple of 2⁻²³ has 26 bits and its square 52
_FAR_GRID = grid_shift(20)  # FAR < 2⁶


def near_gelu(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """−aΦ(−a) in float64, for a ≤ TABLE_END."""
    _gelu(table.left_half(), a, out, work)


def narrow_gelu(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """−aΦ(−a) for a ≤ TABLE_END of a narrower type."""
    _gelu(_below_one_half(), a, out, work)


def _gelu(nodes: np.ndarray, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """−aΦ(−a), where Φ(−a) is Φ(−h) from the table less the integral of φ between h and a.

    With d = a − h and m midway, the integral is d·φ(m)·(1 + p/24 + p²/2048) for p = d²(m² − 1).
    The last term of the series is d⁴(m⁴ − 6m² + 3)/1920, of which p²/1920 is too much where it
    counts, near a = TABLE_END; with 2048, what is left out is less than 2⁻⁵⁷ of Φ(−a). The integral
    is less than 2⁻⁷ of it, so of its errors little is left when the last difference is rounded.
    """
    add, subtract, multiply = np.add, np.subtract, np.multiply  # as in ``polynomial``
    t, h, d, mean = work[:4]
    add(a, _TABLE_GRID, t)
    subtract(t, _TABLE_GRID, h)
    subtract(a, h, d)
    index = t.view(np.int64)  # h is a multiple of the last bit of t
    subtract(index, _INDEX_0, index)
    places = index.astype(np.intp, copy=False)  # where a pointer has 32 bits, ``take`` wants such
    nodes.take(places, None, out, "clip")  # of what lies beyond TABLE_END nothing is kept
    add(a, h, h)
    multiply(h, h, h)  # 4m²
    multiply(h, _MINUS_EIGHTH, t)
    np.exp(t, t)
    multiply(t, d, t)
    multiply(d, d, d)
    subtract(h, _FOUR, h)
    multiply(h, d, h)  # 4p
    horner(_MEAN, h, mean)
    multiply(t, mean, t)
    subtract(t, out, out)
    multiply(out, a, out)  # last, so that a result that vanishes is −0.0


def near_gelu_derivative(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """Φ(−a) − aφ(a) in float64, for a ≤ TABLE_END; the factor that vanishes is taken out."""
    h, t, power = work[:3]
    _mapped(a, t, out)
    horner(_NEAR_SLOPE, t, out)
    _times_distance_to_zero(a, out, t)
    to_grid(a, _GRID, h)
    _exp_of_half_square(h, power)
    # exp(−a²/2) = exp(−h²/2)·exp(−r) for r = (a − h)(a + h)/2 below 2⁻²²
    np.subtract(a, h, out=t)
    np.add(a, h, out=h)
    np.multiply(t, h, out=t)
    np.multiply(t, _HALF, out=t)
    np.multiply(t, _HALF, out=h)
    np.subtract(h, _ONE, out=h)
    np.multiply(t, h, out=t)
    np.multiply(t, power, out=t)
    np.add(power, t, out=power)
    np.multiply(out, power, out=out)


def narrow_gelu_derivative(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """Φ(−a) − aφ(a) for a ≤ TABLE_END of a narrower type."""
    t, power = work[:2]
    np.add(a, _NARROW_POLE, out=t)
    np.reciprocal(t, out=t)
    horner(_NARROW_SLOPE, t, out)
    _times_distance_to_zero(a, out, t)
    _exp_of_half_square(a, power)
    np.multiply(out, power, out=out)


def far_gelu(a: np.ndarray) -> np.ndarray:
    """−aΦ(−a) for a > TABLE_END."""
    return times_exp(-_far_ratio(a), _half_square(a))


def far_gelu_derivative(a: np.ndarray) -> np.ndarray:
    """Φ(−a) − aφ(a) for a > TABLE_END."""
    return times_exp(_far_ratio(a) / a - c.DENSITY_AT_0 * a, _half_square(a))


@cache
def _below_one_half() -> np.ndarray:
    """The table, but lower at 0, because half of a tiny number may be a tie in a narrow type.

    The value is a little nearer to 0 than that half on the left of 0, and farther from it on the
    right, and this decides the tie; elsewhere 2⁻⁵² is nothing to a narrow type.
    """
    nodes = table.left_half().copy()
    nodes[0] -= 2.0**-53
    nodes.flags.writeable = False
    return nodes


def _mapped(a: np.ndarray, out: np.ndarray, spare: np.ndarray) -> None:
    """(a − POLE)/(a + POLE), in which short polynomials suffice."""
    np.subtract(a, _POLE, out=out)
    np.add(a, _POLE, out=spare)
    np.divide(out, spare, out=out)


def _exp_of_half_square(h: np.ndarray, out: np.ndarray) -> None:
    """exp(−h²/2) for h whose square is a float."""
    np.multiply(h, h, out=out)
    np.multiply(out, _MINUS_HALF, out=out)
    np.exp(out, out=out)


def _times_distance_to_zero(a: np.ndarray, out: np.ndarray, spare: np.ndarray) -> None:
    """Multiply by a − a₀; so a result near the zero of the derivative keeps all its digits."""
    np.subtract(a, _ZERO, out=spare)
    np.subtract(spare, _ZERO_REST, out=spare)
    np.multiply(out, spare, out=out)


def _half_square(a: np.ndarray) -> Pair:
    """a²/2 for a ≤ VANISHED, as an exact float and a rest below 2⁻¹⁵."""
    h = np.empty_like(a)
    to_grid(a, _FAR_GRID, h)
    return h * h * 0.5, (a - h) * (a + h) * 0.5


def _far_ratio(a: np.ndarray) -> np.ndarray:
    """a·Φ(−a)·exp(a²/2) for a > TABLE_END; its limit 1/√(2π) is added as a pair."""
    result = np.empty_like(a)
    horner(_FAR_RATIO, 1 / (a * a), result)
    return result + c.DENSITY_AT_0


GELU_VALUE = Activation(
    wide=Evaluation(near_gelu, c.TABLE_END, far_gelu, VANISHED, reflect_value, rows=5),
    narrow=Evaluation(narrow_gelu, c.TABLE_END, far_gelu, VANISHED, reflect_value, rows=5),
)
GELU_DERIVATIVE = Activation(
    wide=Evaluation(
        near_gelu_derivative, c.TABLE_END, far_gelu_derivative, VANISHED, reflect_derivative, rows=4
    ),
    narrow=Evaluation(
        narrow_gelu_derivative,
        c.TABLE_END,
        far_gelu_derivative,
        VANISHED,
        reflect_derivative,
        rows=4,
    ),
)
