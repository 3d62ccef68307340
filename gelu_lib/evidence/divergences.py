r"""The logistic scales that two divergences from the normal law choose.

Let m(D) = E[Z·tanh(DZ/2)] for a standard normal Z. It grows with D.

- The Kullback–Leibler divergence of N(0, 1) from the logistic law with the distribution function
  σ(Dx) is 2·E[ln cosh(DZ/2)] − ln D and a constant: strictly convex, least where m(D) = 1/D.
- That of an answer with the probability Φ(Z) from one with σ(DZ) has the mean E[ln cosh(DZ/2)] −
  D·E[Z·Φ(Z)] and a constant: strictly convex, least where m(D) = 2·E[Z·Φ(Z)] = 1/√π.

Beyond an end T the integrands of m and m′ are at most x·φ(x) for D ≥ 1, as ½x/cosh²(Dx/2) ≤
2x·e^(−x) < 1, and the integral of that is φ(T).
"""

from __future__ import annotations

from functools import partial

import sympy as sp

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled, density
from gelu_lib.certificates.engine.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import X, phi
from gelu_lib.precision import DECIDED_DIGITS

D = sp.Symbol("D", positive=True)
_MEAN = phi(X) * X * sp.tanh(D * X / 2)
_INTEGRANDS = [compiled((X, D), one) for one in (_MEAN, _MEAN.diff(D))]


def scale(level: sp.Expr, near: float, digits: int) -> dict[str, Enclosure]:
    """The one scale D ≥ 1 at which m(D) is as large as a function of D that does not grow.

    Args:
        level: that function, an expression in ``D``.
        near: a number near the scale.
        digits: how many significant digits.

    Raises:
        CertificationError: if no such scale is shown to be there.
    """
    levels = compiled((D,), [level, level.diff(D)])

    def equation(unknowns: Box) -> tuple[Box, flint.arb_mat]:
        residual, slope = (_mean(k, unknowns[0]) - flint.arb(levels(*unknowns)[k]) for k in (0, 1))
        return [residual], flint.arb_mat([[slope]])

    kept = digits + DECIDED_DIGITS
    with flint.ctx.workprec(2 * bits(kept)):
        box = prove_solution(equation, polished(equation, [near]))
        return {"": enclosure(refine(equation, box, kept + DECIDED_DIGITS)[0], kept)}


def _mean(order: int, at: flint.arb) -> flint.arb:
    """m or its derivative, twice an integral over x > 0."""
    if not at >= 1:
        raise CertificationError("tail", f"the rest is bounded for D from 1 on, not for {at}")
    end = flint.arb(2 * flint.ctx.prec).sqrt().ceil()  # φ there is below the precision
    inner = flint.acb.integral(lambda x, _: flint.acb(_INTEGRANDS[order](x, at)), 0, end).real
    return 2 * inner + flint.arb(0, (2 * density(end)).upper())


DIVERGENCE_PROOFS = {
    "logistic-scale-kl": partial(scale, 1 / D, 1.75),
    "logistic-scale-bernoulli": partial(scale, 1 / sp.sqrt(sp.pi), 1.7),
}
