"""What an approximation of Φ has of its shape: the slope at 0, the limit, that it increases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp
from sympy import Dummy, Expr, Poly, Rational, oo, tanh

from gelu_lib.functions.expressions import X, numpy_function, phi
from gelu_lib.functions.families import Family, Value, check_right_limit, exact_value
from gelu_lib.functions.tanh_forms import TanhForm

SAMPLES_END, SAMPLES = 8.0, 4001
"""How far a derivative is sampled, as a value of b·x for the smallest scale b, and how often."""

ROUNDING_DIGITS = 60
"""The digits to which an irrational parameter is rounded before the roots are counted."""


@dataclass(frozen=True)
class Shape:
    """What a member has of the shape of Φ.

    Attributes:
        relative_slope: the slope of Φ̂ at 0, divided by that of Φ.
        limit: the limit of g = 2Φ̂ − 1 as x → ∞.
        increases: whether Φ̂ increases; see ``slope_and_growth``.
    """

    relative_slope: float
    limit: float
    increases: bool


def shape(form: TanhForm | Family, parameters: Mapping[str, Value]) -> Shape:
    """The shape of a member of a form or of a family.

    Args:
        form: a form of tanh, or a family.
        parameters: the values of its free parameters, by name.

    Returns:
        Its slope at 0 relative to that of Φ, its limit, and whether it increases.

    Raises:
        KeyError: if a parameter is missing.
        TypeError: if a value is of a type that is not accepted.
        ValueError: if a value is not a finite real number.
        WrongLimitError: if a member of a family does not tend to 1.
    """
    slope, increases = slope_and_growth(form, parameters)
    values = _values(form, parameters)
    if isinstance(form, Family):
        check_right_limit(values)
        limit = 1.0
    else:
        limit = float(form.limit.subs(values))
    return Shape(slope / float(phi(0).evalf()), limit, increases)


def slope_and_growth(
    form: TanhForm | Family, parameters: Mapping[str, Value]
) -> tuple[float, bool]:
    """The slope of Φ̂ at 0, and whether Φ̂ increases for all x > 0.

    For a family, and for powers of one tanh, the sign of the derivative is that of a polynomial:
    its roots are counted, which decides. For other forms the derivative is sampled; its samples
    end where that of the slowest tanh is lost to rounding, and a fall beyond is not seen.

    Args:
        form: a form of tanh, or a family.
        parameters: the values of its free parameters, by name.

    Returns:
        The slope at 0 as a float, and whether Φ̂ falls nowhere and is not constant.

    Raises:
        KeyError: if a parameter is missing.
        TypeError: if a value is of a type that is not accepted.
        ValueError: if a value is not a finite real number.
    """
    values = _values(form, parameters)
    if isinstance(form, Family):
        u = Dummy()
        pairs = zip(form.exponents, values.values(), strict=True)
        rise = sum(n * value * u ** ((n - 1) // 2) for n, value in pairs)
        slope = values[form.symbols[0]] if form.exponents[0] == 1 else 0
        return float(slope) / 4, _is_positive(rise, u, oo)
    g = form.expression.subs(values)
    slope = sp.diff(g, X) / 2
    at_zero = float(slope.subs(X, 0))
    bases = g.atoms(tanh)
    if len(bases) == 1:
        t = Dummy()
        plain = g.xreplace({bases.pop(): t})
        if not plain.has(X):
            return at_zero, _is_positive(sp.diff(plain, t), t, 1)
    end = SAMPLES_END / min(float(b.subs(values)) for b in form.scales)
    samples = numpy_function(slope)(np.linspace(0, end, SAMPLES))
    return at_zero, bool(np.min(samples) >= 0 < np.max(samples))


def _values(form: TanhForm | Family, parameters: Mapping[str, Value]) -> dict:
    """Rational values by symbols."""
    exact = {symbol: exact_value(parameters[symbol.name], symbol.name) for symbol in form.symbols}
    return {
        symbol: value if value.is_Rational else Rational(value.evalf(ROUNDING_DIGITS))
        for symbol, value in exact.items()
    }


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
