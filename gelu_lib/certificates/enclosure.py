"""A number between two decimals, which is what a proof gives; it needs no ball arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable
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
from math import isfinite
from numbers import Integral

import numpy as np
import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.errors import CertificationError

COMPARED = 60
"""The digits with which a number that is no decimal takes part in a sum or a comparison."""


@dataclass(frozen=True)
class Enclosure:
    """A closed interval with decimal ends that contains a real number.

    Attributes:
        lower: the lower end, rounded down.
        upper: the upper end, rounded up.

    Raises:
        ValueError: if the lower end is not known to be at most the upper one.
    """

    lower: Decimal
    upper: Decimal

    def __post_init__(self) -> None:
        if self.lower.is_nan() or self.upper.is_nan() or self.lower > self.upper:
            raise ValueError(
                f"lower is {self.lower} and upper {self.upper}; accepted are ends in order"
            )

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
    def ball(self) -> flint.arb:
        """A ball that contains the interval, and is hardly wider."""
        from gelu_lib.certificates.engine.balls import bits, interval

        with flint.ctx.workprec(
            bits(max(len(end.as_tuple().digits) for end in (self.lower, self.upper)))
        ):
            return interval(flint.arb(str(self.lower)), flint.arb(str(self.upper)))

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

    def _sympy_(self) -> None:
        """SymPy would take the middle for the number; so it leaves a sum to the enclosure."""
        raise sp.SympifyError(self)

    def __contains__(self, value: Decimal | int | str) -> bool:
        return self.lower <= Decimal(value) <= self.upper

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


def enclosure(ball: flint.arb, digits: int) -> Enclosure:
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
    ends = ((middle - radius, ROUND_FLOOR), (middle + radius, ROUND_CEILING))
    return Enclosure(*(_decimal(end.p, end.q, digits, rounding) for end, rounding in ends))


def _decimal(top: int, bottom: int, digits: int, rounding: str) -> Decimal:
    """A fraction as a decimal of so many digits."""
    with localcontext(Context(prec=digits, rounding=rounding)):
        return Decimal(int(top)) / Decimal(int(bottom))


def _enclosed(value: object) -> Enclosure | None:
    """An enclosure of a number, exact for one in binary or decimal; of other things none."""
    if isinstance(value, Enclosure):
        return value
    if isinstance(value, float | np.floating) and isfinite(value):
        return Enclosure(Decimal(float(value)), Decimal(float(value)))
    if isinstance(value, Integral | Decimal):
        exact = value if isinstance(value, Decimal) else Decimal(int(value))
        return Enclosure(exact, exact)
    if isinstance(value, Fraction | sp.Rational):
        parts = value.numerator, value.denominator, COMPARED
        return Enclosure(*(_decimal(*parts, way) for way in (ROUND_FLOOR, ROUND_CEILING)))
    if isinstance(value, Expr) and value.is_number:
        from gelu_lib.certificates.engine.balls import bits, number

        with flint.ctx.workprec(bits(COMPARED)):
            return enclosure(number(value), COMPARED)
    return None
