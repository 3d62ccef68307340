"""That any function of x is positive on an interval, as statements of the sources need it."""

from __future__ import annotations

from sympy import Expr, Rational

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.enclosures import Function
from gelu_lib.certificates.engine.pieces import prove_first_sign, prove_sign
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import X
from gelu_lib.precision import PROOF_BITS


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
    with flint.ctx.workprec(PROOF_BITS):
        try:
            if expression.subs(X, low) == 0:
                start = prove_first_sign(curve, (), 1, start, end, order=1)
            prove_sign(curve, (), 1, start, end)
        except CertificationError:  # not shown
            return False
    return True
