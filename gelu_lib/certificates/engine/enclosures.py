"""Enclosures: of a number between two decimals, and of a function on an interval."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import (
    MAX_PREC,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    localcontext,
)
from fractions import Fraction
from functools import cached_property, reduce
from math import comb, isfinite
from numbers import Integral

import numpy as np
import sympy as sp
from flint import arb, arb_series, ctx, fmpq
from sympy import Expr, Symbol

from gelu_lib.certificates.engine.balls import Ball, bits, compiled, interval, number
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.expressions import X

ORDER = 8
"""The order of the remainder in a Taylor enclosure."""

COMPARED = 60
"""The digits with which a number that is no decimal takes part in a sum or a comparison."""

Derivative = tuple[Symbol, ...]
"""The parameters to differentiate by, in order; empty for the function itself."""


@dataclass(frozen=True)
class Enclosure:
    """A closed interval with decimal ends that contains a real number.

    Attributes:
        lower: the lower end, rounded down.
        upper: the upper end, rounded up.
    """

    lower: Decimal
    upper: Decimal

    def rounded(self, digits: int) -> Decimal:
        """The number, rounded to significant digits, if the enclosure leaves no choice.

        Args:
            digits: how many significant digits, at least 1.

        Returns:
            What every number of the interval is rounded to.

        Raises:
            CertificationError: if its ends are rounded to different numbers.
        """
        if not self.decides(digits):
            raise CertificationError("digits", f"{self} does not decide {digits} digits")
        return Context(prec=digits, rounding=ROUND_HALF_EVEN).create_decimal(self.lower)

    def decides(self, digits: int) -> bool:
        """Whether every number of the interval is rounded to the same so many digits."""
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
        return self.lower.normalize(context) == self.upper.normalize(context)

    @property
    def ball(self) -> arb:
        """A ball that contains the interval, and is hardly wider."""
        with ctx.workprec(
            bits(max(len(end.as_tuple().digits) for end in (self.lower, self.upper)))
        ):
            return interval(arb(str(self.lower)), arb(str(self.upper)))

    @property
    def middle(self) -> sp.Rational:
        """The middle between the ends, exactly."""
        return sp.Rational((Fraction(self.lower) + Fraction(self.upper)) / 2)

    def n(self, digits: int = 15) -> sp.Float:
        """The number as a SymPy float of so many digits; see ``rounded``."""
        return sp.Float(str(self.rounded(digits)), digits)

    def _combined(self, other: object, operation: Callable) -> Enclosure:
        """The enclosure of all results for numbers of both, with as many digits as they have."""
        if (other := _enclosed(other)) is None:
            return NotImplemented
        ends = self.lower, self.upper, other.lower, other.upper
        digits = max(len(end.as_tuple().digits) for end in ends)
        found = []
        for rounding, choose in ((ROUND_FLOOR, min), (ROUND_CEILING, max)):
            with localcontext(Context(prec=digits, rounding=rounding)):
                corners = [operation(a, b) for a in ends[:2] for b in ends[2:]]
            found.append(choose(corners))
        return Enclosure(*found)

    def __add__(self, other: object) -> Enclosure:
        return self._combined(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: object) -> Enclosure:
        return self._combined(other, operator.sub)

    def __rsub__(self, other: object) -> Enclosure:
        return -self + other

    def __mul__(self, other: object) -> Enclosure:
        """An enclosure of the product; that by an integer is exact."""
        if type(other) is int:
            with localcontext(Context(prec=MAX_PREC)):
                return Enclosure(*sorted((self.lower * other, self.upper * other)))
        return self._combined(other, operator.mul)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Enclosure:
        """An enclosure of the quotient.

        Raises:
            ZeroDivisionError: if the divisor may be 0.
        """
        if (other := _enclosed(other)) is None:
            return NotImplemented
        if other.lower <= 0 <= other.upper:
            raise ZeroDivisionError(f"the divisor {other} may be 0")
        return self._combined(other, operator.truediv)

    def __rtruediv__(self, other: object) -> Enclosure:
        other = _enclosed(other)
        return NotImplemented if other is None else other / self

    def __neg__(self) -> Enclosure:
        return Enclosure(self.upper.copy_negate(), self.lower.copy_negate())

    def __abs__(self) -> Enclosure:
        if self.lower <= 0 <= self.upper:
            return Enclosure(Decimal(0), max(self.upper, self.lower.copy_negate()))
        return self if self.lower > 0 else -self

    def __lt__(self, other: object) -> bool:
        """Whether it holds for every number of the interval, as the other comparisons say."""
        other = _enclosed(other)
        return NotImplemented if other is None else self.upper < other.lower

    def __gt__(self, other: object) -> bool:
        other = _enclosed(other)
        return NotImplemented if other is None else self.lower > other.upper

    def __le__(self, other: object) -> bool:
        other = _enclosed(other)
        return NotImplemented if other is None else self.upper <= other.lower

    def __ge__(self, other: object) -> bool:
        other = _enclosed(other)
        return NotImplemented if other is None else self.lower >= other.upper

    def __float__(self) -> float:
        """A float in the interval or next to it, for drawing and for rough comparisons."""
        return float((self.lower + self.upper) / 2)

    def __format__(self, spec: str) -> str:
        """The number in a format, if both ends are the same in it."""
        low, high = (format(end, spec) for end in (self.lower, self.upper))
        if not spec or low == high:
            return low if spec else str(self)
        raise CertificationError("digits", f"{self} does not decide the format {spec!r}")

    def __contains__(self, value: Decimal | int | str) -> bool:
        return self.lower <= Decimal(value) <= self.upper

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


def _enclosed(value: object) -> Enclosure | None:
    """An enclosure of a number, exact for one in binary or decimal; of other things none."""
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, float | np.floating) and isfinite(value):
        return Enclosure(Decimal(float(value)), Decimal(float(value)))
    if isinstance(value, Integral | Decimal):
        exact = value if isinstance(value, Decimal) else Decimal(int(value))
        return Enclosure(exact, exact)
    if isinstance(value, Fraction) or (isinstance(value, Expr) and value.is_number):
        with ctx.workprec(bits(COMPARED)):
            return enclosure(number(sp.sympify(value)), COMPARED)
    return None


class Curve:
    """A function of x and of parameters, on enclosures of both; an ``expression`` says which.

    The expression is in ``expressions.X`` and in ``symbols``, the parameters in their order.
    """

    expression: Expr
    symbols: tuple[Symbol, ...]

    @cached_property
    def _functions(self) -> dict[tuple[Derivative, ...], Callable[..., list[Ball]]]:
        return {}

    def _compiled(self, derivatives: tuple[Derivative, ...]) -> Callable[..., list[Ball]]:
        """Some derivatives as one function of x and the parameters, compiled once."""
        if derivatives not in self._functions:
            wanted = [reduce(sp.diff, by, self.expression) for by in derivatives]
            self._functions[derivatives] = compiled((X, *self.symbols), wanted)
        return self._functions[derivatives]

    def at(self, x: arb, parameters: Sequence[arb] = ()) -> arb:
        """The value, operation by operation, for every point of ``x``; it need not be finite."""
        return arb(self._compiled(((),))(x, *parameters)[0])

    def jets(
        self, x: arb, parameters: Sequence[arb], length: int, derivatives: tuple[Derivative, ...]
    ) -> list[list[arb]]:
        """Taylor coefficients in x, for every point of ``x`` and every parameter of the balls.

        Args:
            x: where to expand.
            parameters: the values of ``symbols``.
            length: how many coefficients.
            derivatives: of which derivatives of the function by parameters.

        Returns:
            For each derivative the enclosures of its first ``length`` Taylor coefficients; nan
            where Arb finds none, because ``x`` is too wide.

        Raises:
            NotImplementedError: if the function has a part that is not evaluated in Arb.
            ArithmeticError: if Arb has cut off coefficients.
        """
        function, zero = self._compiled(derivatives), arb_series([0], prec=length)
        try:
            values = function(arb_series([x, 1], prec=length), *parameters)
        except (ValueError, ZeroDivisionError):  # a divisor or a root may be 0 on a ball so wide
            return [[arb.nan()] * length for _ in derivatives]  # which proves nothing
        return [_coefficients(zero + value, length) for value in values]

    def taylor(self, x: arb, parameters: Sequence[arb], length: int) -> list[arb]:
        """Taylor coefficients of the function itself; see ``jets``."""
        return self.jets(x, parameters, length, ((),))[0]

    def enclose(
        self, piece: arb, parameters: Sequence[arb] = (), order: int = 0, last: int = ORDER
    ) -> arb:
        """An enclosure of a Taylor coefficient of the function at every point of a piece.

        The Taylor polynomial at the middle is taken, and the coefficient of its remainder over
        the whole piece. So the enclosure is hardly wider than the range itself on a short piece.

        Args:
            piece: an interval.
            parameters: the values of ``symbols``.
            order: which coefficient: 0 for the value, 1 for the slope, 2 for half the curvature.
            last: the order of the remainder.

        Returns:
            The enclosure; that of ``at``, or nan, where Arb finds no Taylor coefficients.
        """
        middle = piece.mid()
        step = piece - middle
        terms = self.taylor(middle, parameters, last)
        terms.append(self.taylor(piece, parameters, last + 1)[last])
        value = arb(0)
        for j in reversed(range(order, last + 1)):
            value = value * step + comb(j, order) * terms[j]
        return value if order or value.is_finite() else self.at(piece, parameters)


@dataclass(frozen=True)
class Function(Curve):
    """A function of x alone.

    Attributes:
        expression: what it is, in ``expressions.X``.
        symbols: none.
    """

    expression: Expr
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True)
class ErrorCurve(Curve):
    """The weighted error of the members of a family, as a function of enclosures.

    Attributes:
        problem: the family, the target and the criterion.
    """

    problem: Problem

    @property
    def expression(self) -> Expr:
        """The weighted error, as ``Problem`` looks at it."""
        return self.problem.error

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters of the family."""
        return self.problem.family.symbols


def enclosure(ball: arb, digits: int) -> Enclosure:
    """The ends of a ball, as decimals rounded outward.

    Args:
        ball: the ball.
        digits: how many significant digits the ends get.

    Returns:
        The enclosure.

    Raises:
        CertificationError: if the ball is not finite.
    """
    if not ball.is_finite():
        raise CertificationError("digits", f"{ball} is not finite")
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    return Enclosure(
        _decimal(middle - radius, digits, ROUND_FLOOR),
        _decimal(middle + radius, digits, ROUND_CEILING),
    )


def text(ball: arb, digits: int = 8) -> str:
    """The midpoint of a ball, for messages."""
    return ball.mid().str(digits, radius=False)


def _decimal(ratio: fmpq, digits: int, rounding: str) -> Decimal:
    with localcontext(Context(prec=digits, rounding=rounding)):
        return Decimal(int(ratio.p)) / Decimal(int(ratio.q))


def _coefficients(series: arb_series, length: int) -> list[arb]:
    """The coefficients of a series, with the zeros at the end that Arb leaves out."""
    if series.prec < length:  # what Arb has cut off must not be taken for zero
        raise ArithmeticError(f"a series has {series.prec} known coefficients, not {length}")
    known = series.coeffs()
    return known + [arb(0)] * (length - len(known))
