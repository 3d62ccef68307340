"""What it costs when the merged scales of a form of tanh move apart."""

from __future__ import annotations

import mpmath
import sympy as sp
from mpmath import mpf
from sympy import Expr, Float, Integer, oo, tanh

from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.sup_norm import GUARD_DIGITS, numerical
from gelu_lib.functions.expressions import X, mpmath_function
from gelu_lib.functions.tanh_forms import S, merged_tanh_sum


def splitting_rate(fit: Optimum) -> Float:
    """How fast the least error grows when the merged scales of a fit move apart.

    Let K scales lie at s + dᵢ, with Σ dᵢ = 0 and h = Σ dᵢ²/2, about the centre s that is best for
    them. To first order the least error of a sum of tanh at these scales is E + rate·h. The
    chapter "Which function?" says why: such a sum differs from the merged form by a combination of
    the terms T₀, …, T_K (Tⱼ is the j-th derivative of tanh(s·x) by s) and by
    h·a_K/(K(K + 1))·T_(K+1), where a_K is the last coefficient of the form. Positive weights λᵢ at
    the K + 2 alternation points annihilate the combination. With a centre that is not the best
    one the error is larger.

    Args:
        fit: a fit of a form made by ``merged_tanh_sum``.

    Returns:
        The rate, to the digits of the fit.

    Raises:
        ValueError: if the fit is of another form, or no such weights are positive.
    """
    count = len(fit.family.terms)
    if fit.family != merged_tanh_sum(count, limit_one=fit.family.limit_one):
        raise ValueError("a splitting rate needs a fit of a form made by merged_tanh_sum")
    terms = [sp.diff(tanh(S * X), S, order) for order in range(count + 2)]
    with mpmath.workdps(fit.digits + GUARD_DIGITS):
        scale, *_ = numerical([fit.parameters[S.name]])
        last = numerical([fit.parameters.get(f"a{count}", Integer(1))])[0]
        signed = [
            [s * _value(term, x, scale, fit.of) for x, s in zip(fit.points, fit.signs, strict=True)]
            for term in terms
        ]
        spanned = signed[1 if fit.family.limit_one else 0 : count + 1]
        matrix = mpmath.matrix([*spanned, [1] * len(fit.points)])
        weights = mpmath.lu_solve(matrix, mpmath.matrix([0] * len(spanned) + [1]))
        if min(weights) <= 0:
            raise ValueError(f"the weights {mpmath.nstr(weights.T, 5)} are not all positive")
        rate = -last * mpmath.fdot(weights, signed[-1]) / (2 * count * (count + 1))
        return Float(rate, fit.digits)


def _value(term: Expr, x: Expr, scale: mpf, of: str) -> mpf:
    """A term under the weight of a criterion, at an alternation point; ``oo`` is the limit."""
    if x == oo:
        return mpf(term == tanh(S * X))
    (place,) = numerical([x])
    return mpmath_function(term, X, S)(place, scale) * (place if of == "GELU" else 1)
