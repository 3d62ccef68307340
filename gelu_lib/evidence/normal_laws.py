r"""The normal law for which 0.044715 is the best cubic coefficient, by mean square.

Let r(x) be the error of GELU with the coefficient k, and r_k its derivative by k, which has one
sign. With u = 1/(2τ²) the mean square for the deviation τ is least where F(u, k) = ∫ e^(−ux²)·r·r_k
is 0, over x > 0; its solution u for k = 0.044715 is enclosed.

*No other deviation.* With that k, r changes its sign at one place z > 0 alone. The derivative by u
of e^(uz²)·F is ∫ (z² − x²)·e^(u(z² − x²))·r·r_k, whose integrand has one sign. So F is 0 once.

*No other coefficient.* With k = 0 and with k = ``TOP``, r has opposite signs on all x > 0, and with
less and more than these it is farther from 0. So the mean square falls up to k = 0, and grows from
``TOP`` on. In between it is convex, piece by piece.
"""

from __future__ import annotations

from itertools import pairwise

import sympy as sp
from sympy import Expr, Rational, Symbol

from gelu_lib._extras import flint
from gelu_lib.certificates.best.integrals import rest
from gelu_lib.certificates.best.signs import prove_signs
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled, interval, number
from gelu_lib.certificates.engine.enclosures import error_curve
from gelu_lib.certificates.engine.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.kinds import Certification
from gelu_lib.fits.criteria import Criterion, Problem, problem
from gelu_lib.functions.expressions import PAGE_CUBIC, X
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import GELU
from gelu_lib.precision import DECIDED_DIGITS, PROOF_BITS

U = Symbol("u", positive=True)
"""1/(2τ²), for the standard deviation τ of a law."""

TOP, CONVEX_PIECES = Rational("0.0456"), 32
"""Up to this coefficient the mean square is shown to be convex, on as many pieces."""

NEAR = (0.16, 2.0)
"""Near these u is looked for, and the zero of the error."""

_MADE = problem(TANH_CUBIC, "GELU", Criterion("L2"), SLOPE_KEPT)
_WITHOUT = Problem(LOGISTIC, GELU, fixed=Form(LOGISTIC, SLOPE_KEPT).exact)  # k = 0
_FIRST, _SECOND = (((), (0,)),), (((0,), (0,)), ((), (0, 0)))
(_P,), _BELL, _R = _MADE.free, sp.exp(-U * X**2), _MADE.plain_error.xreplace(dict(_MADE.fixed))
_INTEGRANDS = [
    compiled((X, _P, U), _BELL * product)
    for product in (
        _R * _R.diff(_P),
        -(X**2) * _R * _R.diff(_P),
        _R.diff(_P) ** 2 + _R * _R.diff(_P, 2),
    )
]
"""The integrands of F, of its derivative by u, and of that by the parameter."""


def deviation(cubic: Expr, digits: int) -> Enclosure:
    """The one standard deviation of a normal law with mean 0 for which a coefficient is the best.

    Args:
        cubic: the coefficient k of x·σ(2√(2/π)·(x + k·x³)), whose mean square error it is.
        digits: how many significant digits.

    Raises:
        CertificationError: if a step of the proof fails.
    """
    kept = digits + DECIDED_DIGITS

    def stationary(unknowns: Box) -> tuple[Box, flint.arb_mat]:
        return [_total(0, k, unknowns[0])], flint.arb_mat([[_total(1, k, unknowns[0])]])

    with flint.ctx.workprec(2 * bits(kept)):
        k = number(cubic)
        box = prove_solution(stationary, polished(stationary, NEAR[:1]))
        (u,) = refine(stationary, box, kept + DECIDED_DIGITS)
        found = enclosure(1 / (2 * u).sqrt(), kept)
    with flint.ctx.workprec(PROOF_BITS):
        _prove_one_crossing(number(cubic))
        _prove_convex(u)
    return found


def _prove_one_crossing(k: flint.arb) -> None:
    """Prove that the error with k changes its sign once, and with 0 and ``TOP`` never."""
    curve, parameters = error_curve(_MADE), _parameters(k)

    def crossing(unknowns: Box) -> tuple[Box, flint.arb_mat]:
        error, slope = curve.taylor(unknowns[0], parameters, 2)
        return [error], flint.arb_mat([[slope]])

    zeros = prove_solution(crossing, polished(crossing, NEAR[1:]))
    sign = 1 if curve.at(flint.arb(1), parameters) > 0 else -1
    prove_signs(_MADE, parameters, zeros, sign)
    prove_signs(_MADE, _parameters(number(TOP)), [], -sign)
    prove_signs(_WITHOUT, _parameters(flint.arb(0))[:1], [], sign)


def _prove_convex(u: flint.arb) -> None:
    """Prove that the mean square is strictly convex for coefficients from 0 to ``TOP``."""
    ends = [number(TOP * i / CONVEX_PIECES) for i in range(CONVEX_PIECES + 1)]
    for low, high in pairwise(ends):
        if not _total(2, interval(low, high), u) > 0:
            raise CertificationError("optimality", f"it may be not convex from {low} to {high}")


def _total(kind: int, k: flint.arb, u: flint.arb) -> flint.arb:
    """F, its derivative by u, or that by the parameter p of which k is a part, at k ≥ 0."""
    terms = _SECOND if kind == 2 else _FIRST
    # what is left out is no larger than with a smaller k and without a bell; x²·e^(−ux²) < 1/(2u)
    end, beyond = rest(_MADE, _parameters(flint.arb.max(k.lower(), 0)), terms)
    *_, p = _parameters(k)
    found = flint.acb.integral(lambda x, _: flint.acb(_INTEGRANDS[kind](x, p, u)), 0, end).real
    return found + (beyond / (2 * u) if kind == 1 else beyond)


def _parameters(k: flint.arb) -> list[flint.arb]:
    slope = number(SLOPE_KEPT["p1"])
    return [slope, slope * k]


NORMAL_LAW_PROOFS: dict[str, Certification] = {
    "normal-law-cubic-crossing": lambda digits: {"": deviation(PAGE_CUBIC, digits)},
}
