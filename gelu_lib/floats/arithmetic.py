"""What a formula is evaluated in: floats of a type, or intervals of all that such floats may be.

A formula is a function of x, written with +, −, · and /, absolute values, and what stands here. If
x is an array of a type, every operation and every function rounds to it, as in a kernel. If x is
``Widened``, each returns an interval that contains what it may return when its relative error is at
most a unit roundoff, and erf and tanh are ±1 where no other float is nearly as near. The first
shows what a formula does, the second what it can do at worst, without overflow and underflow.

The functions of floats are granted to be good: SciPy or NumPy evaluates them in float64, and the
value is rounded once. So what is lost, the formula has lost. A library's own float32 or float16
function may lose more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import methodcaller

import gelu_lib._proofs

import numpy as np
import scipy.special

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import normal
from gelu_lib.floats.types import round_to


@dataclass(frozen=True)
class Widened:
    """An interval, widened by a relative error after every operation.

    Attributes:
        ball: what the number may be.
        unit: the largest relative error of an operation.
    """

    ball: flint.arb
    unit: float

    def after(self, ball: flint.arb) -> Widened:
        """What a result may be that is rounded to the number in a ball."""
        return Widened(ball * (1 + flint.arb(0, self.unit)), self.unit)

    def __add__(self, other: Widened | int) -> Widened:
        return self.after(self.ball + _ball(other))

    def __sub__(self, other: Widened | int) -> Widened:
        return self.after(self.ball - _ball(other))

    def __mul__(self, other: Widened | int) -> Widened:
        return self.after(self.ball * _ball(other))

    def __truediv__(self, other: Widened | int) -> Widened:
        return self.after(self.ball / _ball(other))

    def __radd__(self, other: int) -> Widened:
        return self + other

    def __rsub__(self, other: int) -> Widened:
        return self.after(other - self.ball)

    def __rtruediv__(self, other: int) -> Widened:
        return self.after(other / self.ball)

    def __neg__(self) -> Widened:
        return Widened(-self.ball, self.unit)

    def __abs__(self) -> Widened:
        return Widened(abs(self.ball), self.unit)


def _ball(number: Widened | int) -> flint.arb:
    return number.ball if isinstance(number, Widened) else flint.arb(number)


Operand = np.ndarray | Widened
"""An array of one of the four types, or intervals, as x and as every intermediate result."""


def as_operand(number: float, x: Operand) -> Operand:
    """A constant in the arithmetic of x."""
    return x.after(flint.arb(number)) if isinstance(x, Widened) else round_to(number, x.dtype)


def with_sign(size: Operand, sign: Operand) -> Operand:
    """A number that is not negative, with the sign of another."""
    if isinstance(size, Widened):
        return size if sign.ball > 0 else -size
    return np.copysign(size, sign).astype(sign.dtype)


def _granted(
    of_floats: Callable[[np.ndarray], np.ndarray],
    of_ball: Callable[[flint.arb], flint.arb],
    saturates: bool = False,
) -> Callable[[Operand], Operand]:
    """A function in every arithmetic.

    Args:
        of_floats: the function of float64; the value is rounded once.
        of_ball: the function of balls.
        saturates: whether it has the limits ±1, and reaches them where no other float is nearly as
            near. A function that is wrong by a unit even there is not covered.
    """

    def function(x: Operand) -> Operand:
        if not isinstance(x, Widened):
            return round_to(of_floats(x.astype(np.float64)), x.dtype)
        ball = of_ball(x.ball)
        if saturates and abs(ball) > 1 - flint.arb(x.unit) / 4:
            return Widened(flint.arb(1 if ball > 0 else -1), x.unit)
        return x.after(ball)

    return function


def _good_tanh(u: np.ndarray) -> np.ndarray:
    """tanh by its distance to ±1 far out: NumPy's own may round that distance away too early."""
    far = np.copysign(1 - 2 / (np.exp(2 * np.abs(u)) + 1), u)
    return np.where(np.abs(u) < 2, np.tanh(u), far)


erf = _granted(scipy.special.erf, methodcaller("erf"), saturates=True)
erfc = _granted(scipy.special.erfc, methodcaller("erfc"))
ndtr = _granted(scipy.special.ndtr, normal)
exp = _granted(np.exp, methodcaller("exp"))
cosh = _granted(np.cosh, methodcaller("cosh"))
tanh = _granted(_good_tanh, methodcaller("tanh"), saturates=True)
