"""Kernels of GELU and its derivative: f(−a) and f′(−a) for blocks of a ≥ 0.

``wide`` is for float64. It takes exp(−a²/2) at a number near a whose square is a float, as an
error of the exponent is a relative error of the result. ``narrow`` is for the narrower types: the
square of a float32 is a float64 already, and a shorter polynomial is good to 2⁻³¹.
"""

from __future__ import annotations

import numpy as np

from gelu_lib.activations import coefficients as c
from gelu_lib.activations.blocks import (
    Activation,
    Evaluation,
    reflect_derivative,
    reflect_value,
)
from gelu_lib.activations.pairs import Pair, times_exp
from gelu_lib.activations.passes import grid, polynomial, scalars, to_grid

FAR = 40.0
"""Every value and derivative of GELU has vanished at −FAR."""

_ONE, _HALF, _MINUS_HALF = scalars((1.0, 0.5, -0.5))
_POLE, _NARROW_POLE = scalars((c.POLE, c.NARROW_POLE))
_DENSITY, _TWICE_DENSITY = scalars((c.DENSITY_AT_0, 2 * c.DENSITY_AT_0))
_ZERO, _ZERO_REST = scalars(c.GELU_ZERO)
_NEAR_RATIO, _NEAR_SLOPE = scalars(c.NEAR_RATIO), scalars(c.NEAR_SLOPE)
_NARROW_RATIO, _NARROW_SLOPE = scalars(c.NARROW_RATIO), scalars(c.NARROW_SLOPE)
_FAR_RATIO = scalars(c.FAR_RATIO)
_GRID = grid(23)  # NEAR < 2³, so a multiple of 2⁻²³ has 26 bits and its square 52
_FAR_GRID = grid(20)  # FAR < 2⁶


def gelu(a: np.ndarray, out: np.ndarray, work: np.ndarray) -> None:
    """−aΦ(−a) in float64, for a ≤ NEAR.

    With h near a, Φ(−a) = exp(−h²/2)·(1 + w)/(2(h + 1)), where w is small: a polynomial for
    Φ(−h), and the Taylor step from h to a. So the last sum rounds once and hides the rest.
    """
    h, t, power = work[:3]
    to_grid(a, _GRID, h)
    _mapped(h, t, out)
    polynomial(_NEAR_RATIO, t, out)
    _exp_of_half_square(h, power)
    np.multiply(power, a, out=power)
    # Φ(−a) − Φ(−h) = −exp(−h²/2)·φ(0)·(d − d²h/2), for d = a − h below 2⁻²⁴
    np.subtract(a, h, out=t)
    step = a  # the block of a is not needed any more
    np.multiply(h, t, out=step)
    np.multiply(step, _DENSITY, out=step)
    np.subtract(step, _TWICE_DENSITY, out=step)
    np.multiply(step, t, out=step)
    np.add(h, _ONE, out=h)
    np.multiply(step, h, out=step)
    np.add(out, step, out=out)
    np.divide(power, h, out=power)
    np.multiply(out, power, out=out)
    np.add(out, power, out=out)
    np.multiply(out, _MINUS_HALF, out=out)  # last, so that a result that vanishes is −0.0


def gelu_derivative(a: np.ndarray, out: np.ndarray, work: np.ndarray) -> None:
    """Φ(−a) − aφ(a) in float64, for a ≤ NEAR; the factor that vanishes is taken out."""
    h, t, power = work[:3]
    _mapped(a, t, out)
    polynomial(_NEAR_SLOPE, t, out)
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


def narrow_gelu(a: np.ndarray, out: np.ndarray, work: np.ndarray) -> None:
    """−aΦ(−a) for a ≤ NEAR of a narrower type."""
    t, power = work[:2]
    np.add(a, _NARROW_POLE, out=t)
    np.reciprocal(t, out=t)
    polynomial(_NARROW_RATIO, t, out)
    _exp_of_half_square(a, power)
    np.multiply(power, a, out=power)
    np.multiply(out, power, out=out)
    np.negative(out, out=out)


def narrow_gelu_derivative(a: np.ndarray, out: np.ndarray, work: np.ndarray) -> None:
    """Φ(−a) − aφ(a) for a ≤ NEAR of a narrower type."""
    t, power = work[:2]
    np.add(a, _NARROW_POLE, out=t)
    np.reciprocal(t, out=t)
    polynomial(_NARROW_SLOPE, t, out)
    _times_distance_to_zero(a, out, t)
    _exp_of_half_square(a, power)
    np.multiply(out, power, out=out)


def far_gelu(a: np.ndarray) -> np.ndarray:
    """−aΦ(−a) for a > NEAR."""
    return times_exp(-_far_ratio(a), _half_square(a))


def far_gelu_derivative(a: np.ndarray) -> np.ndarray:
    """Φ(−a) − aφ(a) for a > NEAR."""
    return times_exp(_far_ratio(a) / a - c.DENSITY_AT_0 * a, _half_square(a))


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
    """a²/2 for a ≤ FAR, as an exact float and a rest below 2⁻¹⁵."""
    h = np.empty_like(a)
    to_grid(a, _FAR_GRID, h)
    return h * h * 0.5, (a - h) * (a + h) * 0.5


def _far_ratio(a: np.ndarray) -> np.ndarray:
    """a·Φ(−a)·exp(a²/2) for a > NEAR; its limit 1/√(2π) is added as a pair."""
    result = np.empty_like(a)
    polynomial(_FAR_RATIO, 1 / (a * a), result)
    return result + c.DENSITY_AT_0


GELU = Activation(
    wide=Evaluation(gelu, c.NEAR, far_gelu, FAR, reflect_value, rows=4),
    narrow=Evaluation(narrow_gelu, c.NEAR, far_gelu, FAR, reflect_value, rows=4),
)
GELU_DERIVATIVE = Activation(
    wide=Evaluation(gelu_derivative, c.NEAR, far_gelu_derivative, FAR, reflect_derivative, rows=4),
    narrow=Evaluation(
        narrow_gelu_derivative, c.NEAR, far_gelu_derivative, FAR, reflect_derivative, rows=4
    ),
)
