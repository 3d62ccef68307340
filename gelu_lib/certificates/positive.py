"""What interval arithmetic proves of an expression: its value, or its sign on an interval.

The balls are those of ``gelu_lib.certificates``, which has such proofs for the error of a member of
a family on the whole line. Here is what the statements of the sources need besides.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq
from sympy import Expr, Rational

from gelu_lib.certificates.balls import bits, interval, number
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.enclosures import Function
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.pieces import prove_first_sign, prove_sign
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
        return ends(whole * number(factor))


def enclosed(expression: Expr) -> Ends:
    """An interval that is proved to hold an exact number.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
        ArithmeticError: if no finite interval was found.
    """
    if expression.is_Rational:
        return (Fraction(expression.p, expression.q),) * 2
    with ctx.workprec(bits(PRECISION)):
        return ends(number(expression))


def is_positive(expression: Expr, low: Rational, high: Rational) -> bool:
    """Whether a function of x is shown to be positive for low < x ≤ high.

    It is enclosed on pieces, by Taylor's formula. If it is 0 at the left end, its slope there
    must be positive, and then the pieces begin where that ends.

    Args:
        expression: the function, smooth from ``low`` to ``high``.
        low: the left end.
        high: the right end.

    Returns:
        ``True`` if it is proved. ``False`` says nothing.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
        ArithmeticError: if Arb has cut off its Taylor coefficients.
    """
    start, end = float(low), float(high)
    if (Rational(start), Rational(end)) != (low, high):
        raise NotImplementedError(f"the ends {low} and {high} are not both floats")
    curve = Function(expression)
    with ctx.workprec(PROOF_BITS):
        try:
            if expression.subs(X, low) == 0:
                start = prove_first_sign(curve, (), 1, start, end, order=1)
            prove_sign(curve, (), 1, start, end)
        except CertificationError:  # not shown
            return False
    return True


def _fraction(ratio: fmpq) -> Fraction:
    return Fraction(int(ratio.p), int(ratio.q))
