"""What interval arithmetic proves of an expression: its value, or its sign on an interval.

The balls are those of ``gelu_lib.certificates``, which has such proofs for the error of a member of
a family on the whole line. Here is what the statements of the sources need besides.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from flint import arb, arb_series, ctx, fmpq
from sympy import Expr, Rational

from gelu_lib.certificates.balls import Ball, bits, compiled, interval, number
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.pieces import HALVINGS, cut
from gelu_lib.functions.expressions import X

PRECISION = 40
"""Digits to which a number is enclosed before it is compared with another one."""

Ends = tuple[Fraction, Fraction]
"""The ends of an interval that holds a number; they are equal for a rational one."""


def ends(ball: arb) -> Ends:
    """The ends of a ball.

    Raises:
        ArithmeticError: if the ball is not finite.
    """
    if not ball.is_finite():
        raise ArithmeticError(f"{ball} is not finite")
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    return _fraction(middle - radius), _fraction(middle + radius)


def scaled(pair: Ends, factor: Expr) -> Ends:
    """The ends of an interval that holds a multiple of a number, given those of the number."""
    if factor.is_Rational:
        return tuple(sorted(end * Fraction(factor.p, factor.q) for end in pair))
    with ctx.workprec(bits(PRECISION)):
        whole = interval(*(arb(fmpq(end.numerator, end.denominator)) for end in pair))
        return ends(whole * evaluate(factor))


def enclosed(expression: Expr) -> Ends:
    """An interval that is proved to hold an exact number.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
        ArithmeticError: if no finite interval was found.
    """
    if expression.is_Rational:
        return (Fraction(expression.p, expression.q),) * 2
    with ctx.workprec(bits(PRECISION)):
        return ends(evaluate(expression))


def is_positive(expression: Expr, low: Rational, high: Rational) -> bool:
    """Whether a function of x is shown to be positive for low < x ≤ high.

    It is enclosed on pieces, by the mean value theorem. If it is 0 at the left end, its slope there
    must be positive, and then the pieces begin where that ends.

    Args:
        expression: the function, with a derivative at every point from ``low`` to ``high``.
        low: the left end.
        high: the right end.

    Returns:
        ``True`` if it is proved. ``False`` says nothing.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
        ArithmeticError: if Arb knows no slope of it on a piece.
    """

    def jet(piece: arb) -> list[arb]:
        try:
            series = evaluate(expression, arb_series([piece, 1], prec=2))
        except ValueError:  # a divisor may be 0 there
            return [arb.nan()] * 2  # which proves nothing
        if series.prec < 2:  # what Arb has cut off must not be taken for zero
            raise ArithmeticError(f"{expression} is known to too low an order on {piece}")
        return series.coeffs() + [arb(0)] * 2  # Arb leaves out the zeros at the end

    def holds(piece: arb) -> bool:
        middle = piece.mid()
        return bool(jet(middle)[0] + jet(piece)[1] * (piece - middle) > 0)

    with ctx.workprec(PROOF_BITS):
        start, end = float(low), float(high)
        if (Rational(start), Rational(end)) != (low, high):
            raise NotImplementedError(f"the ends {low} and {high} are not both floats")
        if expression.subs(X, low) == 0:
            start = _where_it_rises(lambda piece: jet(piece)[1], start, end)
        return start is not None and cut(holds, start, end)[1] is None


def _where_it_rises(slope: Callable[[arb], arb], low: float, high: float) -> float | None:
    """A right end up to which a slope is shown to be positive; ``None`` if none was found."""
    width = high - low
    for _ in range(HALVINGS):
        if slope(interval(low, low + width)) > 0:
            return low + width
        width /= 2
    return None


def evaluate(expression: Expr, x: Ball | None = None) -> Ball:
    """An enclosure of an expression, to the precision that is set.

    Args:
        expression: the expression, in ``expressions.X`` alone or without symbols.
        x: what stands for x: a ball, or a series around one, of which the result is a series.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
    """
    if x is None:
        return number(expression)
    return 0 * x + _function(expression)(x)  # a ball, or a series, also where it is constant


@cache
def _function(expression: Expr) -> Callable[[Ball], Ball]:
    return compiled((X,), expression)


def _fraction(ratio: fmpq) -> Fraction:
    return Fraction(int(ratio.p), int(ratio.q))
