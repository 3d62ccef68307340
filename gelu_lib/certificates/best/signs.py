r"""The signs of an error: which zeros it has on x > 0, and that there are no others.

Everything is shown for all parameters in a box. Near a zero the slope has one sign, near 0 the
first Taylor coefficient that is not 0, and in between the error itself. Beyond an end S it
keeps the sign of one of its two terms, σ(−P) of Φ̂ = σ(P) and Φ(−x). By x/(x² + 1)·φ(x) < Φ(−x)
< φ(x)/x (the result ``mills-bounds``), by σ(−P) < e^(−P), and for P ≥ 0 by σ(−P) ≥ e^(−P)/2,
for P = p₁x + p₃x³:

- p₁, p₃ > 0, where Φ(−x) is the larger: e = σ(−P) − Φ(−x) < 0 if d(x) = P − x²/2 −
  log(√(2π)·(x² + 1)/x) > 0, and (xe)′ > 0 if d(x) = P − x²/2 − log(√(2π)·x²P′/(x² − 1)) > 0,
  because xφ(x) − Φ(−x) is above φ(x)·(x² − 1)/x and the term of Φ̂ is at most xP′σ(−P) in size.
  Both d rise for x ≥ 2 if P′ − x − 1 ≥ 0: the logarithm of the first rises by less than 1/x,
  that of the second by less than P″/P′ ≤ 2/x.
- p₃ = 0, where σ(−P) is the larger: e > 0 if d(x) = x²/2 + log(√(2π)·x/2) − p₁x > 0, and (xe)′
  < 0 if d(x) = x²/2 + log(√(2π)/(2x)) − p₁x > 0 and p₁xσ(p₁x) ≥ 2. Both d rise if x − 1/x − p₁
  > 0.

The error of GELU, xe, has the sign of e.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import sympy as sp
from sympy import Symbol

from gelu_lib._extras import flint
from gelu_lib.certificates.best.tails import argument
from gelu_lib.certificates.engine.balls import interval, logistic
from gelu_lib.certificates.engine.enclosures import ErrorCurve, text
from gelu_lib.certificates.engine.pieces import HALVINGS, Piece, prove_first_sign, prove_sign
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.expressions import LOCAL_SLOPE, X

_ENDS = (4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0)
"""Beyond which the error may be shown to keep its sign; the first end is taken that will do."""


def prove_signs(
    problem: Problem, parameters: Sequence[flint.arb], zeros: Sequence[flint.arb], first: int
) -> None:
    """Prove that the error is 0 on x > 0 at one place in each of some balls and nowhere else.

    Args:
        problem: the family, what is approximated, and which parameters are fixed.
        parameters: enclosures of all parameters.
        zeros: balls, increasing, each with a zero for every choice of the parameters.
        first: the sign of the error before the first zero, 1 or −1. It alternates from there.

    Raises:
        CertificationError: if something of it is not shown.
    """
    curve = ErrorCurve(problem)
    signs = [first * (-1) ** i for i in range(len(zeros) + 1)]
    start = prove_first_sign(curve, parameters, first, 0.0, 1.0, _first_order(problem))
    end = _end(curve, parameters, signs[-1])
    crossings = [
        _crossing(curve, parameters, zero, before)
        for zero, before in zip(zeros, signs[:-1], strict=True)
    ]
    ends = [start, *(x for crossing in crossings for x in crossing), end]
    for sign, (left, right) in zip(signs, list(pairwise(ends))[::2], strict=True):
        if right <= left:  # the parts beside it reach over the whole piece
            continue
        prove_sign(curve, parameters, sign, left, right)


def _first_order(problem: Problem) -> int:
    """The order in x with which the error begins at 0: 2 more if Φ̂ has the slope of Φ there."""
    kept = sp.expand(problem.fixed.get(Symbol("p1", real=True), 0) - 2 * LOCAL_SLOPE) == 0
    order = 1 + sp.degree(problem.target.factor, X) - int(problem.target.derivative)
    return int(order) + (2 if kept else 0)


def _crossing(
    curve: ErrorCurve, parameters: Sequence[flint.arb], zero: flint.arb, before: int
) -> Piece:
    """An interval around a zero in which the error is monotone."""
    middle = float(zero.mid())
    radius = middle / 4
    for _ in range(HALVINGS):
        piece = interval(middle - radius, middle + radius)
        if piece.contains_interior(zero) and -before * curve.enclose(piece, parameters, 1) > 0:
            return middle - radius, middle + radius
        radius /= 2
    raise CertificationError("peaks", f"the error is not shown to cross 0 at x = {text(zero)}")


def _end(curve: ErrorCurve, parameters: Sequence[flint.arb], sign: int) -> float:
    """A left end beyond which the error has a sign."""
    for end in _ENDS:
        if _keeps_its_sign(curve, parameters, flint.arb(end), sign):
            return end
    raise CertificationError("tail", f"the error is not shown to be of sign {sign} far out")


def _keeps_its_sign(
    curve: ErrorCurve, parameters: Sequence[flint.arb], x: flint.arb, sign: int
) -> bool:
    """Whether the error is shown to have a sign from x ≥ 4 on."""
    problem = curve.problem
    p, root = -argument(problem, parameters), (2 * flint.arb.pi()).sqrt()
    of_slope, exponents = problem.target.derivative, problem.family.exponents
    if exponents == (1,):
        larger, ratio = 1, 1 / (2 * x) if of_slope else x / 2
        distance = x * x / 2 + (root * ratio).log() - p(x)
        rises = x - 1 / x - p[1] > 0
        steep = not of_slope or p(x) * logistic(p(x)) >= 2
    elif exponents == (1, 3) and p[1] > 0 and p[3] > 0:
        slope = p.derivative()
        larger, ratio = -1, x * x * slope(x) / (x * x - 1) if of_slope else (x * x + 1) / x
        distance = p(x) - x * x / 2 - (root * ratio).log()
        rises = all(
            c >= 0 for c in (slope - flint.arb_poly([1, 1]))(flint.arb_poly([x, 1])).coeffs()
        )
        steep = True
    else:
        return False
    return bool(sign == (-larger if of_slope else larger) and distance > 0 and rises and steep)
