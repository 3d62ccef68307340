"""The usual ways to evaluate the three forms, in any arithmetic.

Each evaluation is written once. It runs in an ``Arithmetic``: in ``rounding(dtype)`` every
operation rounds, as in a kernel; in ``enclosing(dtype)`` every operation returns an interval that
contains what it may return when its relative error is at most a unit roundoff, and erf and tanh are
±1 where no other float is nearly as near. The first shows what an evaluation does, the second what
it can do at worst at an input, if nothing overflows or underflows on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import arb, ctx
from scipy import special

from gelu_lib.floats.types import float_type, round_to, unit_roundoff

BITS = 100
"""Working precision of the enclosures."""


@dataclass(frozen=True)
class Arithmetic:
    """What an evaluation needs beside +, −, · and /.

    Attributes:
        number: a constant, from its decimals.
        exp, erf, erfc, tanh: the functions.
        magnitude: the absolute value.
        with_sign: a number with the sign of another.
    """

    number: Callable[[str], Any]
    exp: Callable[[Any], Any]
    erf: Callable[[Any], Any]
    erfc: Callable[[Any], Any]
    tanh: Callable[[Any], Any]
    magnitude: Callable[[Any], Any]
    with_sign: Callable[[Any, Any], Any]


def rounding(dtype: str) -> Arithmetic:
    """Arrays of a type: every operation rounds to it, and so does every function."""

    def rounded(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Any]:
        def evaluate(x: np.ndarray) -> np.ndarray:
            with np.errstate(all="ignore"):
                return round_to(function(np.asarray(x, np.float64)), dtype)

        return evaluate

    return Arithmetic(
        number=lambda decimals: round_to(float(decimals), dtype),
        exp=rounded(np.exp),
        erf=rounded(special.erf),
        erfc=rounded(special.erfc),
        tanh=rounded(np.tanh),
        magnitude=np.abs,
        with_sign=lambda size, sign: np.copysign(size, sign).astype(float_type(dtype).dtype),
    )


@dataclass(frozen=True)
class Widened:
    """An interval, widened by a relative error after every operation.

    Attributes:
        ball: what the number may be.
        unit: the largest relative error of an operation.
    """

    ball: arb
    unit: float

    def _after(self, ball: arb) -> Widened:
        return Widened(ball * (1 + arb(0, self.unit)), self.unit)

    def __add__(self, other: Widened | int) -> Widened:
        return self._after(self.ball + _ball(other))

    def __sub__(self, other: Widened | int) -> Widened:
        return self._after(self.ball - _ball(other))

    def __mul__(self, other: Widened) -> Widened:
        return self._after(self.ball * _ball(other))

    def __truediv__(self, other: Widened) -> Widened:
        return self._after(self.ball / _ball(other))

    def __radd__(self, other: int) -> Widened:
        return self + other

    def __rsub__(self, other: int) -> Widened:
        return self._after(other - self.ball)

    def __rtruediv__(self, other: int) -> Widened:
        return self._after(other / self.ball)

    def __neg__(self) -> Widened:
        return Widened(-self.ball, self.unit)

    def of(self, function: Callable[[arb], arb]) -> Widened:
        """A function of the number."""
        return self._after(function(self.ball))

    def saturating(self, function: Callable[[arb], arb]) -> Widened:
        """A function with the limits ±1, which is ±1 where no other float is nearly as near.

        Otherwise it has a relative error of at most a unit. A function that is wrong by a unit even
        where it has reached its limits is not covered.
        """
        ball = function(self.ball)
        if abs(ball) > 1 - arb(self.unit) / 4:
            return Widened(arb(1 if ball > 0 else -1), self.unit)
        return self._after(ball)


def enclosing(dtype: str) -> Arithmetic:
    """Intervals that contain every result with relative errors of a unit roundoff at most.

    erf and tanh are ±1 where their distance from it is below a quarter of a unit.
    """
    unit = unit_roundoff(dtype)

    return Arithmetic(
        number=lambda decimals: Widened(arb(decimals), unit)._after(arb(decimals)),
        exp=lambda x: x.of(arb.exp),
        erf=lambda x: x.saturating(arb.erf),
        erfc=lambda x: x.of(arb.erfc),
        tanh=lambda x: x.saturating(arb.tanh),
        magnitude=lambda x: Widened(abs(x.ball), unit),
        with_sign=lambda size, sign: size if sign.ball > 0 else -size,
    )


def _ball(number: Widened | int) -> arb:
    return number.ball if isinstance(number, Widened) else arb(number)


def reach(evaluation: Evaluation, x: float, dtype: str) -> arb:
    """All that an evaluation may return at an input, as far as ``enclosing`` says.

    Each operation may be wrong by a unit roundoff, in either direction. Overflow and underflow are
    left out of account.

    Args:
        evaluation: one of ``EVALUATIONS``.
        x: the input.
        dtype: the type in which every operation rounds.
    """
    with ctx.workprec(BITS):
        return evaluation(Widened(arb(x), unit_roundoff(dtype)), enclosing(dtype)).ball


Evaluation = Callable[[Any, Arithmetic], Any]
"""A function of the input and of the arithmetic."""


def _exact_by_erf(x: Any, to: Arithmetic) -> Any:
    return (to.number("0.5") * x) * (1 + to.erf(x * to.number("0.7071067811865476")))


def _exact_by_division(x: Any, to: Arithmetic) -> Any:
    return (x * (1 + to.erf(x / to.number("1.4142135623730951")))) * to.number("0.5")


def _exact_by_erfc(x: Any, to: Arithmetic) -> Any:
    return (to.number("0.5") * x) * to.erfc(-x * to.number("0.70710678"))


def _exact_by_short_erf(x: Any, to: Arithmetic) -> Any:
    """erf by formula 7.1.26 of Abramowitz and Stegun, with an error of at most 1.5e-7."""
    z = to.magnitude(x * to.number("0.70710678"))
    t = 1 / (1 + to.number("0.3275911") * z)
    rest = to.number("1.061405429")
    for coefficient in ("-1.453152027", "1.421413741", "-0.284496736", "0.254829592"):
        rest = rest * t + to.number(coefficient)
    erf = to.with_sign(1 - rest * t * to.exp(-(z * z)), x)
    return (to.number("0.5") * x) * (1 + erf)


def _tanh_by_cube(x: Any, to: Arithmetic) -> Any:
    inner = to.number("0.7978845608028654") * (x + to.number("0.044715") * (x * x * x))
    return (to.number("0.5") * x) * (1 + to.tanh(inner))


def _tanh_by_factors(x: Any, to: Arithmetic) -> Any:
    slope = to.number("0.79788456") * x
    return (to.number("0.5") * x) * (1 + to.tanh(slope * (1 + to.number("0.044715") * x * x)))


def _tanh_by_square(x: Any, to: Arithmetic) -> Any:
    slope = to.number("0.79788456") + to.number("0.0356774081") * (x * x)
    return (to.number("0.5") * x) * (1 + to.tanh(x * slope))


def _tanh_by_sigmoid(x: Any, to: Arithmetic) -> Any:
    inner = to.number("1.5957691216") * (x + to.number("0.044715") * (x * x * x))
    return x * (1 / (1 + to.exp(-inner)))


def _sigmoid_by_exp(x: Any, to: Arithmetic) -> Any:
    return x * (1 / (1 + to.exp(-(to.number("1.702") * x))))


def _sigmoid_by_quotient(x: Any, to: Arithmetic) -> Any:
    return x / (1 + to.exp(-(to.number("1.702") * x)))


def _sigmoid_by_tanh(x: Any, to: Arithmetic) -> Any:
    return (to.number("0.5") * x) * (1 + to.tanh(to.number("0.851") * x))


EVALUATIONS: Mapping[str, Mapping[str, Evaluation]] = MappingProxyType(
    {
        "exact": {
            "0.5·x·(1 + erf(x·0.7071…))": _exact_by_erf,
            "x·(1 + erf(x/1.4142…))·0.5": _exact_by_division,
            "0.5·x·erfc(−x·0.70710678)": _exact_by_erfc,
            "erf by Abramowitz and Stegun 7.1.26": _exact_by_short_erf,
        },
        "tanh": {
            "0.5·x·(1 + tanh(0.7978…·(x + 0.044715·x³)))": _tanh_by_cube,
            "0.5·x·(1 + tanh(0.79788456·x·(1 + 0.044715·x²)))": _tanh_by_factors,
            "0.5·x·(1 + tanh(x·(0.79788456 + 0.0356774081·x²)))": _tanh_by_square,
            "x/(1 + exp(−1.5957691216·(x + 0.044715·x³)))": _tanh_by_sigmoid,
        },
        "sigmoid": {
            "x·(1/(1 + exp(−1.702·x)))": _sigmoid_by_exp,
            "x/(1 + exp(−1.702·x))": _sigmoid_by_quotient,
            "0.5·x·(1 + tanh(0.851·x))": _sigmoid_by_tanh,
        },
    }
)
"""The usual evaluations of each form."""

SHORT = "erf by Abramowitz and Stegun 7.1.26"
"""The evaluation that is not used with 16 bits: its constants have ten digits for a reason."""


def kernel(evaluation: Evaluation, dtype: str, working: str | None = None) -> Callable:
    """An evaluation as a callable for ``identify``.

    Args:
        evaluation: one of ``EVALUATIONS``.
        dtype: the type of the argument and the result.
        working: the type in which every operation rounds; ``dtype`` if none is given.

    Returns:
        A function of a NumPy array of ``dtype`` that returns a new one.
    """
    inside = working or dtype
    arithmetic = rounding(inside)

    def function(x: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            result = evaluation(x.astype(float_type(inside).dtype), arithmetic)
        return round_to(result.astype(np.float64), dtype)

    return function
