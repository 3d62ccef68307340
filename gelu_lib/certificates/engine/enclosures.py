"""Enclosures: of a number between two decimals, and of a function on an interval."""

from __future__ import annotations

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
from functools import lru_cache, reduce
from math import comb

import sympy as sp
from flint import arb, arb_series, ctx, fmpq
from sympy import Expr, Symbol

from gelu_lib.certificates.engine.balls import Ball, bits, compiled, interval
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.fits.sup_norm import tail_form
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, without_floats

ORDER = 8
"""The order of the remainder in a Taylor enclosure."""

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
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
        value = self.lower.normalize(context)
        if value != self.upper.normalize(context):
            raise CertificationError("digits", f"{self} does not decide {digits} digits")
        return context.create_decimal(self.lower)

    @property
    def ball(self) -> arb:
        """A ball that contains the interval, and is hardly wider."""
        with ctx.workprec(
            bits(max(len(end.as_tuple().digits) for end in (self.lower, self.upper)))
        ):
            return interval(arb(str(self.lower)), arb(str(self.upper)))

    def __truediv__(self, other: Enclosure) -> Enclosure:
        """An enclosure of the quotient of two numbers, with as many digits; the first may be 0."""
        if not (self.lower >= 0 and other.lower > 0):
            raise ValueError(f"divided are {self} and {other}; accepted are p >= 0 and q > 0")
        if not self.upper:
            return self
        digits = max(len(end.as_tuple().digits) for end in (self.lower, self.upper))
        with localcontext(Context(prec=digits, rounding=ROUND_FLOOR)):
            lower = self.lower / other.upper
        with localcontext(Context(prec=digits, rounding=ROUND_CEILING)):
            return Enclosure(lower, self.upper / other.lower)

    def __rmul__(self, factor: int) -> Enclosure:
        """An enclosure of a positive multiple, exact.

        Args:
            factor: a positive integer.

        Raises:
            ValueError: if ``factor`` is something else.
        """
        if type(factor) is not int or factor < 1:
            raise ValueError(f"factor must be a positive integer, got {factor!r}")
        with localcontext(Context(prec=MAX_PREC)):
            return Enclosure(self.lower * factor, self.upper * factor)

    def __float__(self) -> float:
        """A float in the interval or next to it, for drawing and for rough comparisons."""
        return float((self.lower + self.upper) / 2)

    def __contains__(self, value: Decimal | int | str) -> bool:
        return self.lower <= Decimal(value) <= self.upper

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"


class Curve:
    """A function of x and of parameters, on enclosures of both; an ``expression`` says which.

    The expression is in ``expressions.X`` and in ``symbols``, the parameters in their order.
    """

    expression: Expr
    symbols: tuple[Symbol, ...]

    def at(self, x: arb, parameters: Sequence[arb] = ()) -> arb:
        """The value, operation by operation, for every point of ``x``; it need not be finite."""
        return arb(_compiled(self, ((),))(x, *parameters)[0])

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
        function, zero = _compiled(self, derivatives), arb_series([0], prec=length)
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
    """The weighted error of the members of a family for x > 0, as a function of enclosures.

    Attributes:
        family: the family.
        of: the function that is approximated.
        weight: what the error is multiplied by.
    """

    family: Family
    of: str
    weight: Expr = sp.S.One

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", without_floats(self.weight))

    @property
    def expression(self) -> Expr:
        """The weighted error, written so that it does not cancel far out."""
        return tail_form(self.family, self.of, self.weight)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters of the family."""
        return self.family.symbols


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


@lru_cache
def _compiled(curve: Curve, derivatives: tuple[Derivative, ...]) -> Callable[..., list[Ball]]:
    wanted = [reduce(sp.diff, by, curve.expression) for by in derivatives]
    return compiled((X, *curve.symbols), wanted)
