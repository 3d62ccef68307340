"""Kernels of the forms xσ(v), with v odd in x, and of their derivatives: at −a for blocks of a ≥ 0.

There f(−a) = −aσ(−v) and f′(−a) = σ(v)σ(−v)·(1 + exp(−v) − av′) with v = v(a) ≥ 0. An error of v is
a relative error of the result. So v is a float, of which exp is taken, and a small rest.

The constants 0.044715, 1.702 and √(2/π) are exact real numbers here, not the floats near them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelu_lib.activations import coefficients as c
from gelu_lib.activations.blocks import (
    Activation,
    Evaluation,
    WorkRows,
    reflect_derivative,
    reflect_value,
)
from gelu_lib.activations.pairs import Pair, multiply, odd_cubic, times_exp
from gelu_lib.activations.passes import grid_shift, scalar, scalars, to_grid

TANH_FAR, SIGMOID_FAR = 22.0, 450.0
"""Where each form and its derivative has vanished, on the left."""

_ONE = scalar(1.0)
# At tiny floats x the value is x/2, and a little above it. In a narrow type x/2 may be a tie, and
# this decides it; elsewhere 2⁻⁴⁵ is nothing to a narrow type.
_BIASED_ONE = scalar(1 + 2.0**-44)

_TANH_LINEAR, _TANH_CUBIC, _TANH_CUBIC_3 = scalars(
    (c.TANH_LINEAR_PAIR[0], c.TANH_CUBIC_PAIR[0], 3 * c.TANH_CUBIC_PAIR[0])
)
_LINEAR_TOP, _LINEAR_REST = scalars(c.TANH_LINEAR_SPLIT)
_CUBIC_TOP, _CUBIC_REST = scalars(c.TANH_CUBIC_SPLIT)
_TANH_GRID = grid_shift(10)

_SCALE = scalar(c.SIGMOID_SCALE[0])
_SCALE_TOP, _SCALE_REST = scalars(c.SIGMOID_SCALE_SPLIT)
_SIGMOID_GRID = grid_shift(22)


# The exponents.


def tanh_split(a: np.ndarray, top: np.ndarray, rest: np.ndarray, work: WorkRows) -> None:
    """v = 2√(2/π)(a + 0.044715a³) for a ≤ 8, as an exact float and a rest below 2⁻⁶.

    With h near a, a multiple of 2⁻¹⁰, and the leading bits of either constant, both terms of v are
    multiples of 2⁻⁴⁷ below 64, and so is their sum: nothing is rounded.
    """
    h, square = work[:2]
    to_grid(a, _TANH_GRID, h)
    np.multiply(h, h, out=square)
    np.multiply(square, h, out=rest)
    np.multiply(rest, _CUBIC_TOP, out=top)
    np.multiply(h, _LINEAR_TOP, out=rest)
    np.add(top, rest, out=top)
    # what the constants lost: h(linear rest + cubic rest·h²)
    np.multiply(square, _CUBIC_REST, out=rest)
    np.add(rest, _LINEAR_REST, out=rest)
    np.multiply(rest, h, out=rest)
    # what h lost: (a − h)(linear + cubic(a² + ah + h²)), where a² + ah + h² = h² + a(a + h)
    lost = work[2]
    np.add(a, h, out=lost)
    np.multiply(lost, a, out=lost)
    np.add(lost, square, out=lost)
    np.multiply(lost, _TANH_CUBIC, out=lost)
    np.add(lost, _TANH_LINEAR, out=lost)
    np.subtract(a, h, out=h)
    np.multiply(lost, h, out=lost)
    np.add(rest, lost, out=rest)


def sigmoid_split(a: np.ndarray, top: np.ndarray, rest: np.ndarray, work: WorkRows) -> None:
    """v = 1.702a for a ≤ 8, as an exact float of at most 53 bits and a rest below 2⁻²¹."""
    h, lost = work[:2]
    to_grid(a, _SIGMOID_GRID, h)
    np.multiply(h, _SCALE_TOP, out=top)
    np.multiply(h, _SCALE_REST, out=rest)
    np.subtract(a, h, out=lost)
    np.multiply(lost, _SCALE, out=lost)
    np.add(rest, lost, out=rest)


def tanh_exponent(a: np.ndarray, out: np.ndarray) -> None:
    """v of the tanh form, rounded."""
    np.multiply(a, a, out=out)
    np.multiply(out, _TANH_CUBIC, out=out)
    np.add(out, _TANH_LINEAR, out=out)
    np.multiply(out, a, out=out)


def sigmoid_exponent(a: np.ndarray, out: np.ndarray) -> None:
    """v of the sigmoid form, rounded."""
    np.multiply(a, _SCALE, out=out)


def far_tanh_exponent(a: np.ndarray) -> tuple[Pair, np.ndarray]:
    """v as a pair, and av′."""
    return (
        odd_cubic(a, c.TANH_LINEAR_PAIR, c.TANH_CUBIC_PAIR),
        a * (c.TANH_LINEAR_PAIR[0] + 3 * c.TANH_CUBIC_PAIR[0] * a * a),
    )


def far_sigmoid_exponent(a: np.ndarray) -> tuple[Pair, np.ndarray]:
    """v as a pair, and av′."""
    exponent = multiply(c.SIGMOID_SCALE, (a, 0.0))
    return exponent, exponent[0]


# What vanishes with the derivative: 1 + exp(−v) − av′, from its zero at a₀.
#
# With d = a − a₀ it is exp(−v₀)·(exp(v₀ − v) − 1) − (av′ − a₀v₀′). Either term has the sign of −d,
# so nothing cancels and the digits near the zero are kept.


def tanh_balance(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """1 + exp(−v) − av′ of the tanh form; av′ is 2√(2/π)a + 3·2√(2/π)·0.044715a³."""
    distance, squares, rise = work[:3]
    np.subtract(a, _TANH_ZERO, out=distance)
    # a³ − a₀³ = d(a² + aa₀ + a₀²)
    np.add(a, _TANH_ZERO, out=squares)
    np.multiply(squares, a, out=squares)
    np.add(squares, _TANH_ZERO_SQUARE, out=squares)
    np.subtract(distance, _TANH_ZERO_REST, out=distance)
    np.multiply(squares, _MINUS_TANH_CUBIC, out=rise)
    np.subtract(rise, _TANH_LINEAR, out=rise)
    np.multiply(rise, distance, out=rise)
    np.expm1(rise, out=rise)
    np.multiply(rise, _TANH_ZERO_POWER, out=rise)
    np.multiply(squares, _TANH_CUBIC_3, out=squares)
    np.add(squares, _TANH_LINEAR, out=squares)
    np.multiply(squares, distance, out=squares)
    np.subtract(rise, squares, out=out)


def sigmoid_balance(a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """1 + exp(−v) − v of the sigmoid form."""
    distance = work[0]
    np.subtract(a, _SIGMOID_ZERO, out=distance)
    np.subtract(distance, _SIGMOID_ZERO_REST, out=distance)
    np.multiply(distance, _MINUS_SCALE, out=distance)
    np.expm1(distance, out=out)
    np.multiply(out, _SIGMOID_ZERO_POWER, out=out)
    np.add(out, distance, out=out)


_TANH_ZERO, _TANH_ZERO_REST = scalars(c.TANH_ZERO)
_TANH_ZERO_SQUARE, _TANH_ZERO_POWER = scalars((c.TANH_ZERO[0] ** 2, c.TANH_ZERO_POWER))
_MINUS_TANH_CUBIC = scalar(-c.TANH_CUBIC_PAIR[0])
_SIGMOID_ZERO, _SIGMOID_ZERO_REST = scalars(c.SIGMOID_ZERO)
_SIGMOID_ZERO_POWER, _MINUS_SCALE = scalars((c.SIGMOID_ZERO_POWER, -c.SIGMOID_SCALE[0]))


# The kernels.


@dataclass(frozen=True)
class Logistic:
    """The kernels of a form xσ(v), for float64, for narrower types, and far out."""

    split: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
    exponent: Callable[[np.ndarray, np.ndarray], None]
    balance: Callable[[np.ndarray, np.ndarray, np.ndarray], None]
    far_exponent: Callable[[np.ndarray], tuple[Pair, np.ndarray]]

    def value(self, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
        """−aσ(−v) = −a·q/(1 + q) with q = exp(−v)."""
        self._power(a, out, work)
        sum_ = work[0]
        np.add(out, _ONE, out=sum_)
        np.multiply(out, a, out=out)
        np.divide(out, sum_, out=out)
        np.negative(out, out=out)

    def derivative(self, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
        """q/(1 + q)²·(1 + q − av′) with q = exp(−v)."""
        self._power(a, out, work)
        sum_, balance = work[0], work[1]
        np.add(out, _ONE, out=sum_)
        np.multiply(sum_, sum_, out=sum_)
        np.divide(out, sum_, out=out)
        self.balance(a, balance, work[2:])
        np.multiply(out, balance, out=out)

    def narrow_value(self, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
        """−a/(1 + exp(v))."""
        self.exponent(a, out)
        np.exp(out, out=out)
        np.add(out, _BIASED_ONE, out=out)
        np.divide(a, out, out=out)
        np.negative(out, out=out)

    def narrow_derivative(self, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
        """p/(1 + p)²·(1 + 1/p − av′) with p = exp(v)."""
        power, balance = work[:2]
        self.exponent(a, power)
        np.exp(power, out=power)
        np.add(power, _ONE, out=out)
        np.divide(power, out, out=power)
        np.divide(power, out, out=power)
        self.balance(a, balance, work[2:])
        np.multiply(power, balance, out=out)

    def far_value(self, a: np.ndarray) -> np.ndarray:
        """−aσ(−v), by σ(−v) = σ(v)·exp(−v)."""
        exponent, _ = self.far_exponent(a)
        return times_exp(-a / (1 + np.exp(-exponent[0])), exponent)

    def far_derivative(self, a: np.ndarray) -> np.ndarray:
        """σ(v)²·(1 + exp(−v) − av′)·exp(−v)."""
        # Large av′ meets exp(−v) as part of one finite factor: no ∞·0, no ∞/∞.
        exponent, a_slope = self.far_exponent(a)
        sum_ = 1 + np.exp(-exponent[0])
        return times_exp((sum_ - a_slope) / (sum_ * sum_), exponent)

    def _power(self, a: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
        """exp(−v), with the rest of the exponent as a small correction."""
        top, rest = work[:2]
        self.split(a, top, rest, work[2:])
        np.negative(top, out=top)
        np.exp(top, out=top)
        np.negative(rest, out=rest)
        np.expm1(rest, out=rest)
        np.multiply(rest, top, out=rest)
        np.add(top, rest, out=out)


_TANH = Logistic(tanh_split, tanh_exponent, tanh_balance, far_tanh_exponent)
_SIGMOID = Logistic(sigmoid_split, sigmoid_exponent, sigmoid_balance, far_sigmoid_exponent)


def _value(form: Logistic, narrow: float, end: float) -> Activation:
    return Activation(
        wide=Evaluation(form.value, c.TABLE_END, form.far_value, end, reflect_value, rows=6),
        narrow=Evaluation(form.narrow_value, narrow, form.far_value, end, reflect_value, rows=4),
    )


def _derivative(form: Logistic, narrow: float, end: float) -> Activation:
    return Activation(
        wide=Evaluation(
            form.derivative, c.TABLE_END, form.far_derivative, end, reflect_derivative, rows=6
        ),
        narrow=Evaluation(
            form.narrow_derivative, narrow, form.far_derivative, end, reflect_derivative, rows=6
        ),
    )


# In a narrower type the kernel for blocks holds while exp(v) is far from an overflow.
TANH_VALUE, TANH_DERIVATIVE = _value(_TANH, 15.0, TANH_FAR), _derivative(_TANH, 15.0, TANH_FAR)
SIGMOID_VALUE, SIGMOID_DERIVATIVE = (
    _value(_SIGMOID, 200.0, SIGMOID_FAR),
    _derivative(_SIGMOID, 200.0, SIGMOID_FAR),
)
