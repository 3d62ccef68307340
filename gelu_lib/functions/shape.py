"""Whether an approximation of Φ increases, as Φ does."""

from __future__ import annotations

import numpy as np
import sympy as sp
from sympy import Dummy, Expr, Poly, Rational, oo, tanh

from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.forms import Form

SAMPLES_END, SAMPLES = 8.0, 4001
"""How far a derivative is sampled, as a value of b·x for the smallest scale b, and how often."""

ROUNDING_DIGITS = 60
"""The digits to which an irrational parameter is rounded before the roots are counted."""


def increases(form: Form) -> bool:
    """Whether Φ̂ falls nowhere for x > 0, and is not constant.

    For a member of a family, and for powers of one tanh, the sign of the derivative is that of a
    polynomial: its roots are counted, which decides. For other forms the derivative is sampled; its
    samples end where that of the slowest tanh is lost to rounding, and a fall beyond is not seen.

    Args:
        form: a member of a family, or a form of tanh.
    """
    values = {
        symbol: value if value.is_Rational else Rational(value.evalf(ROUNDING_DIGITS))
        for symbol, value in form.exact.items()
    }
    if getattr(form.family, "is_odd_logistic", False):
        u = Dummy()
        pairs = zip(form.family.exponents, values.values(), strict=True)
        return _is_positive(sum(n * value * u ** ((n - 1) // 2) for n, value in pairs), u, oo)
    g, t = form.family.g.subs(values), Dummy()
    bases = g.atoms(tanh)
    plain = g.xreplace(dict.fromkeys(bases, t))
    if len(bases) == 1 and not plain.has(X):
        return _is_positive(sp.diff(plain, t), t, 1)
    end = SAMPLES_END / min(float(b.subs(values)) for b in form.family.scales)
    samples = numpy_function(sp.diff(g, X))(np.linspace(0, end, SAMPLES))
    return bool(np.min(samples) >= 0 < np.max(samples))


def _is_positive(expression: Expr, variable: Dummy, end: Expr) -> bool:
    """Whether a polynomial is positive on (0, end) but for single points, by Sturm's theorem."""
    polynomial = Poly(expression, variable, domain="QQ")
    if polynomial.is_zero:
        return False
    # it changes its sign at the roots of odd order; such a root at an end does no harm
    odd = [factor for factor, order in polynomial.sqf_list()[1] if order % 2]
    inside = sum(
        factor.count_roots(0, end) - sum(factor.eval(edge) == 0 for edge in (0, end) if edge != oo)
        for factor in odd
    )
    # its sign elsewhere is that at the first of these points that is no root
    near = (polynomial.eval(Rational(1, n)) for n in range(2, polynomial.degree() + 3))
    return inside == 0 and next(value for value in near if value != 0) > 0
