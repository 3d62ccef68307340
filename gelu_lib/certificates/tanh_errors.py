r"""The error of a form that is made of tanh, at the solution of the equations of the best
parameters.

The error for x > 0 is e(x) = (1 − g(x))/2 − Φ(−x), and x·e(x) for GELU. As for the logistic
family the equations sᵢe(xᵢ) = E, e′(xᵢ) = 0 are proved to have one solution in a box; around
each point the error is shown to curve like a peak; on the pieces between it is shown to be
below E. Where the limit of g is free, the last point is infinite, and there is only the
equation s·(1 − g(∞))/2 = E.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import sympy as sp
from flint import arb, arb_poly, ctx
from sympy import Dummy, oo, tanh

from gelu_lib.certificates.balls import bits, compiled, density, interval, normal, number
from gelu_lib.certificates.enclosures import Enclosure, enclosure, text
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.optimality import cofactors
from gelu_lib.certificates.pieces import prove_bound, prove_peak
from gelu_lib.certificates.solutions import Box, Equations, refine
from gelu_lib.fits.criteria import Optimum, by_name, problem
from gelu_lib.fits.sup_norm import GUARD_DIGITS
from gelu_lib.functions.expressions import X
from gelu_lib.functions.tanh_forms import S, TanhForm

ENDS = (4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)
"""Where a tail may begin; the first end is taken from which the proof succeeds."""

T = Dummy("t", positive=True)
"""tanh(s·x), as a variable of its own."""


@dataclass(frozen=True)
class TanhCertificate:
    """What is proved of the best parameters of a form, for every real x and all free values.

    Exactly one choice of the parameters has the least sup norm of the error. It, that norm, and the
    places x > 0 where it is attained lie in the enclosures.

    Attributes:
        form: the form.
        of: ``"Phi"`` or ``"GELU"``, the function that is approximated.
        digits: how many significant digits the enclosures decide, as a rule.
        parameters: an enclosure of every free parameter, by name.
        error: an enclosure of the least sup norm.
        points: enclosures of the finite x > 0 where it is attained, increasing.
        signs: the sign of the error at each point; one more if the limit is the last.
    """

    form: TanhForm
    of: str
    digits: int
    parameters: Mapping[str, Enclosure]
    error: Enclosure
    points: tuple[Enclosure, ...]
    signs: tuple[int, ...]


def claimed(best: Optimum) -> tuple[Equations, list[float]]:
    """The equations that an optimum is said to solve, and a start for them.

    Raises:
        TypeError: if it is no optimum of a form of tanh.
        CertificationError: if the claim has not the right shape.
    """
    if not (isinstance(best, Optimum) and isinstance(best.family, TanhForm)):
        raise TypeError(f"best must be an Optimum of a form of tanh, got {best!r}")
    made = problem(best.family, best.criterion)
    places = [x for x in best.points if x != oo]
    numbers = [*(best.parameters[p.name] for p in made.free), best.error, *places]
    if len(best.points) != len(best.signs) or not best.alternates:
        raise CertificationError(
            "claim", f"the signs {best.signs} do not alternate at enough points"
        )
    infinite = len(places) < len(best.signs)
    return Equations(made, tuple(map(int, best.signs)), infinite), list(map(float, numbers))


def enclosed(equations: Equations, box: Box, digits: int) -> TanhCertificate:
    """The certificate of the solution in a box, to so many digits."""
    kept = digits + GUARD_DIGITS // 2
    box = refine(equations, box, kept)
    with ctx.workprec(bits(kept)):
        ends = [enclosure(ball, kept) for ball in box]
    return TanhCertificate(
        form=equations.problem.family,
        of=equations.curve.of,
        digits=digits,
        parameters=by_name(equations.problem.free, equations.parameters(ends)),
        error=equations.level(ends),
        points=tuple(equations.places(ends)),
        signs=equations.signs,
    )


def prove_error(equations: Equations, box: Box) -> None:
    """Prove that the error of the solution in a box is nowhere larger than at its peaks.

    Raises:
        CertificationError: if a step of the proof fails.
    """
    curve, parameters = equations.curve, equations.parameters(box)
    level = equations.level(box).lower()
    if not level > 0:
        raise CertificationError("claim", f"the error {equations.level(box)} is not positive")
    peaks = [
        prove_peak(curve, parameters, x, sign, level)
        for x, sign in zip(equations.places(box), equations.signs, strict=False)
    ]
    end = _tail(equations, parameters, level, peaks[-1].neighbourhood[1])
    prove_bound(curve, parameters, peaks, level, end)


def prove_coefficients(equations: Equations, box: Box) -> None:
    """Prove that with the scale of the solution no other coefficients are as good.

    It is shown for every run of neighbouring points, one more than there are coefficients.

    Raises:
        CertificationError: if the multipliers are not shown to have the signs of the error.
    """
    count = len(equations.problem.family.coefficients) + 1
    places = [*equations.places(box), *([None] if equations.infinite else [])]
    for first in range(len(places) - count + 1):
        run = slice(first, first + count)
        found = multipliers(equations, places[run], equations.parameters(box))
        signed = [s * m for s, m in zip(equations.signs[run], found, strict=True)]
        if not (all(m > 0 for m in signed) or all(m < 0 for m in signed)):
            raise CertificationError(
                "optimality", f"the multipliers {found} are not shown to alternate with the error"
            )


def multipliers(equations: Equations, places: Sequence[arb | None], parameters: Box) -> Box:
    """Numbers with which the factors of the coefficients in the error cancel at some places.

    Args:
        equations: the equations of the optimum.
        places: one more than there are coefficients; ``None`` stands for infinity.
        parameters: enclosures of all parameters.

    Returns:
        The minors of the matrix of these factors, by Cramer's rule.
    """
    count = len(equations.problem.family.coefficients)
    by = tuple((p,) for p in equations.problem.family.coefficients)
    rows = []
    for x in places:
        if x is None:
            rows.append(equations.at_infinity(parameters)[1 : count + 1])
        else:
            rows.append([jet[0] for jet in equations.curve.jets(x, parameters, 1, by)])
    return cofactors(rows)


def _tail(equations: Equations, parameters: Box, level: arb, after: float) -> float:
    """An end beyond which the error is nowhere larger than the level, or than its limit ±E."""
    reason = CertificationError("tail", f"no end beyond x = {after}")
    for end in (end for end in ENDS if end > after):
        try:
            _prove_tail(equations, parameters, level, arb(end))
        except CertificationError as failure:
            reason = failure
            continue
        return end
    raise reason


def _prove_tail(equations: Equations, parameters: Box, level: arb, end: arb) -> None:
    quotient, s = _quotient(equations.problem.family), _scale(equations.problem.family, parameters)
    values = {monomial: arb(c(*parameters)) for monomial, c in quotient.items()}
    power, degree = int(equations.curve.of == "GELU"), max(i for i, _ in values)
    if not 2 * s * end >= degree + power:
        raise CertificationError("tail", f"the terms are not shown to fall beyond {text(end)}")
    size = sum(abs(value) * end**i for (i, _), value in values.items())
    away = end**power * ((-2 * s * end).exp() * size + normal(-end))
    if not away < level:
        raise CertificationError("tail", f"beyond {text(end)} the error is only near {text(away)}")
    if equations.infinite:
        _prove_limit_is_not_passed(values, s, end, equations.signs[-1])


def _prove_limit_is_not_passed(
    quotient: Mapping[tuple[int, int], arb], s: arb, end: arb, sign: int
) -> None:
    """Prove that sign·(e(∞) − e(x)) > 0 for every x beyond an end."""
    t = interval((s * end).tanh(), 1)
    coefficients = [arb(0)] * (1 + max(i for i, _ in quotient))
    for (i, j), value in quotient.items():
        coefficients[i] += value * t**j
    beyond = arb_poly(coefficients)(arb_poly([end, 1])).coeffs()
    if sign > 0:
        kept = all(c <= 0 for c in beyond)
    else:
        least = beyond[0] * (-2 * s * end).exp()
        kept = all(c >= 0 for c in beyond) and least > 2 * density(end) and end >= 2 * s
    if not kept:
        raise CertificationError("tail", f"the limit is not shown to bound it from {text(end)} on")


def _scale(form: TanhForm, parameters: Box) -> arb:
    """The one scale of a form, s in tanh(s·x)."""
    if len(form.scales) != 1:
        raise NotImplementedError(f"the form has the scales {form.scales}; accepted is one")
    if S in form.symbols:
        return parameters[form.symbols.index(S)]
    return number(form.scales[0])


@lru_cache
def _quotient(form: TanhForm) -> Mapping[tuple[int, int], Callable[..., arb]]:
    """Q with g(∞) − g(x) = (1 − t)·Q(x, t), by the powers of x and t, in the parameters."""
    (scale,) = form.scales
    gap = sp.expand(form.limit - form.expression.subs(tanh(scale * X), T))
    quotient, remainder = sp.div(sp.Poly(gap, T), sp.Poly(1 - T, T))
    if not remainder.is_zero:
        raise NotImplementedError(f"{form} does not tend to its limit")
    terms = sp.Poly(quotient.as_expr(), X, T).terms()
    return {powers: compiled(form.symbols, coefficient) for powers, coefficient in terms}
