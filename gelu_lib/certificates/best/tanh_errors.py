r"""A form that is made of tanh: its error far out, and that no other coefficients are as good.

The error for x > 0 is e(x) = (1 − g(x))/2 − Φ(−x), and x·e(x) for GELU. Where the limit of g is
free, the last point of the alternation is infinite, and there is only the equation
s·(1 − g(∞))/2 = E. All else up to the tail is as for the logistic family.

*Beyond an end T.* With t = tanh(s·x), g is a polynomial in x and t, and g(∞) − g(x) = (1 −
t)·Q(x, t). As 0 < 1 − t ≤ 2·exp(−2sx), its size is at most 2·exp(−2sx) times the sum of the
sizes of the terms of Q at t = 1, and xʲ·exp(−2sx) falls for x ≥ j/(2s). So far out the error is
as close to its limit as that and Φ(−x) say. If the limit is ±E, it must not be exceeded:
2·(e(∞) − e(x)) = 2Φ(−x) − (1 − t)·Q. Where this is to be positive, Q < 0 is enough. Where it is
to be negative, (1 − t)·Q ≥ q·exp(−2sx) with a bound q > 0 of Q is more than 2Φ(−x) ≤ 2φ(x): it
is at T, and for x ≥ 2s the logarithm of the quotient rises.

*No others are as good.* For a given scale the error is a known function plus a combination of n
functions with the coefficients. At n + 1 points there are multipliers λᵢ, not all 0, with which
the values of each of these functions cancel; so Σ λᵢe(xᵢ) is the same for all coefficients. If
every sᵢλᵢ is positive, where the error is sᵢE, it is E·Σ\\|λᵢ\\|. So no coefficients have a
smaller error, and others that were as good would have the same error at all these points. But
the n functions are linearly independent there, as no multiplier is 0. A free scale is the
matter of ``tanh_optima``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import sympy as sp
from sympy import Dummy, tanh

from gelu_lib._extras import flint
from gelu_lib.certificates.best.results import GLOBAL
from gelu_lib.certificates.best.tails import ENDS, far_out
from gelu_lib.certificates.best.tanh_optima import prove_scale
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.engine.balls import compiled, density, interval, normal, number
from gelu_lib.certificates.engine.enclosures import text
from gelu_lib.certificates.engine.multipliers import cancel_positively
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.tanh_starts import check_asked
from gelu_lib.functions.expressions import X
from gelu_lib.functions.tanh_forms import S, TanhForm
from gelu_lib.functions.targets import GELU

_T = Dummy("t", positive=True)
"""tanh(s·x), as a variable of its own."""


@prove_best.register(TanhForm)
def _(family: TanhForm, equations: Equations, box: Box, end: float) -> tuple[str, None]:
    check_asked(equations.problem)
    prove_coefficients(equations, box)
    if S in family.symbols:
        prove_scale(equations, box)
    return GLOBAL, None


@far_out.register(TanhForm)
def _(
    family: TanhForm, equations: Equations, box: Box, level: flint.arb, after: float
) -> tuple[float, flint.arb]:
    """Where the limit is ±E it must not be passed, and is then what bounds the error."""
    check_asked(equations.problem)
    reason = CertificationError("tail", f"no end beyond x = {after}")
    for end in (end for end in ENDS if end > after):
        try:
            away = prove_form_tail(equations, equations.parameters(box), level, flint.arb(end))
        except CertificationError as failure:
            reason = failure
            continue
        return end, equations.level(box) if equations.infinite else away
    raise reason


def prove_coefficients(equations: Equations, box: Box) -> None:
    """Prove that with the scale of the solution no other coefficients are as good.

    It is shown for every run of neighbouring points, one more than there are coefficients.

    Raises:
        CertificationError: if the multipliers are not shown to have the signs of the error.
    """
    form, parameters = equations.problem.family, equations.parameters(box)
    by = tuple((p,) for p in form.coefficients)
    slopes = [
        [jet[0] for jet in equations.curve.jets(x, parameters, 1, by)]
        for x in equations.places(box)
    ]
    if equations.infinite:
        slopes.append(equations.at_infinity(box)[1 : len(by) + 1])
    rows = [[s * g for g in row] for s, row in zip(equations.signs, slopes, strict=True)]
    runs = range(len(rows) - len(by))
    if not runs or not all(cancel_positively(rows[i : i + len(by) + 1]) for i in runs):
        raise CertificationError(
            "optimality", "the multipliers are not shown to alternate with the error"
        )


def prove_form_tail(
    equations: Equations, parameters: Box, level: flint.arb, end: flint.arb
) -> flint.arb:
    """Prove it for one end; how far from its limit the error is at most, beyond the end."""
    problem = equations.problem
    s, quotient = _scale(problem.family, parameters), _quotient(problem.family)
    values = {monomial: flint.arb(c(*parameters)) for monomial, c in quotient.items()}
    power, degree = int(problem.target == GELU), max(i for i, _ in values)
    if not 2 * s * end >= degree + power:
        raise CertificationError("tail", f"the terms are not shown to fall beyond {text(end)}")
    size = sum(abs(value) * end**i for (i, _), value in values.items())
    away = end**power * ((-2 * s * end).exp() * size + normal(-end))
    if not away < level:
        raise CertificationError("tail", f"beyond {text(end)} the error is only near {text(away)}")
    if equations.infinite:
        _prove_limit_is_not_passed(values, s, end, equations.signs[-1])
    return away


def _prove_limit_is_not_passed(
    quotient: Mapping[tuple[int, int], flint.arb], s: flint.arb, end: flint.arb, sign: int
) -> None:
    """Prove that sign·(e(∞) − e(x)) > 0 for every x beyond an end."""
    t = interval((s * end).tanh(), 1)
    coefficients = [flint.arb(0)] * (1 + max(i for i, _ in quotient))
    for (i, j), value in quotient.items():
        coefficients[i] += value * t**j
    beyond = flint.arb_poly(coefficients)(flint.arb_poly([end, 1])).coeffs()
    if sign > 0:
        kept = all(c <= 0 for c in beyond)
    else:
        least = beyond[0] * (-2 * s * end).exp()
        kept = all(c >= 0 for c in beyond) and least > 2 * density(end) and end >= 2 * s
    if not kept:
        raise CertificationError("tail", f"the limit is not shown to bound it from {text(end)} on")


def _scale(form: TanhForm, parameters: Box) -> flint.arb:
    """The one scale of a form, s in tanh(s·x)."""
    if len(form.scales) != 1:
        raise CertificationError("tail", f"the form has the scales {form.scales}; accepted is one")
    if S in form.symbols:
        return parameters[form.symbols.index(S)]
    return number(form.scales[0])


@lru_cache
def _quotient(form: TanhForm) -> Mapping[tuple[int, int], Callable[..., flint.arb]]:
    """Q with g(∞) − g(x) = (1 − t)·Q(x, t), by the powers of x and t, in the parameters."""
    (scale,) = form.scales
    gap = sp.expand(form.limit - form.g.subs(tanh(scale * X), _T))
    quotient, _ = sp.div(sp.Poly(gap, _T), sp.Poly(1 - _T, _T))
    terms = sp.Poly(quotient.as_expr(), X, _T).terms()
    return {powers: compiled(form.symbols, coefficient) for powers, coefficient in terms}
