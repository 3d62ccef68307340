"""Step 3: beyond the last piece the error stays below the level.

For x > 0 write P for the polynomial of Φ̂ = σ(P). The error is a difference of two terms, one of Φ
and one of Φ̂, and neither is negative, for GELU′ far enough out. So its size is at most the larger:

- Φ: the terms are σ(−P) and Φ(−x);
- GELU: they are xσ(−P) and xΦ(−x);
- GELU′: they are σ(−P)(xP′σ(P) − 1) ≤ xP′σ(−P) and xφ(x) − Φ(−x) ≤ xφ(x). The first is not
  negative if xP′σ(P) ≥ 1; the second is not if x ≥ 1, because Φ(−x) ≤ φ(x)/x.

It remains that these bounds do not grow beyond the end. Φ(−x) falls, and so do xΦ(−x) and xφ(x) for
x ≥ 1. The terms of Φ̂ fall by the sign of their logarithmic derivatives, if P does not fall:

- σ(−P): −P′σ(P) ≤ 0;
- xσ(−P): 1/x − P′σ(P) ≤ 0;
- xP′σ(−P): 1/x + P″/P′ − P′σ(P) ≤ 0.

With a = σ(P(end)) ≤ σ(P) these follow from P′ ≥ 0, axP′ − 1 ≥ 0 and axP′² − P′ − xP″ ≥ 0. Each is a
polynomial. It is not negative beyond the end if all its Taylor coefficients there are not. A weight
that does not grow multiplies the bound by its value at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from flint import arb, arb_poly
from sympy import Symbol

from gelu_lib.certificates.engine.balls import density, logistic, normal, number
from gelu_lib.certificates.engine.enclosures import ErrorCurve, text
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.functions.expressions import X

ENDS = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0)
"""Where a tail may begin; the first end is taken from which the proof succeeds."""


def prove_tail(
    curve: ErrorCurve, parameters: Sequence[arb], level: arb, after: float = 0.0
) -> tuple[float, arb]:
    """Prove that \\|r\\| < level at every x beyond some end.

    Args:
        curve: the error.
        parameters: enclosures of all parameters.
        level: the level.
        after: the end must lie beyond this.

    Returns:
        The end, and a bound of \\|r\\| beyond it.

    Raises:
        CertificationError: if none of ``ENDS`` will do; the message tells why the last does not.
    """
    reason = CertificationError("tail", f"no end beyond x = {after}")
    for end in (end for end in ENDS if end > after):
        try:
            bound = tail_bound(curve, parameters, end)
        except CertificationError as failure:
            reason = failure
            continue
        if bound < level:
            return end, bound
        reason = CertificationError("tail", f"beyond {end} the error is only below {text(bound)}")
    raise reason


def tail_bound(curve: ErrorCurve, parameters: Sequence[arb], end: float) -> arb:
    """A number that \\|r\\| does not exceed at any x ≥ end.

    Args:
        curve: the error.
        parameters: enclosures of all parameters.
        end: where the tail begins.

    Returns:
        The bound.

    Raises:
        CertificationError: if the terms of the error are not shown to fall beyond ``end``.
    """
    x, p = arb(end), polynomial(curve, parameters)
    slope, share = p.derivative(), logistic(p(x))
    run = arb_poly([0, 1]) * slope  # x·P′
    require_falling_weight(curve)
    _require_not_negative(slope, x, "P′")
    if curve.of == "Phi":
        return weight_at(curve, x) * normal(-x).max(logistic(-p(x)))
    if not x >= 1:
        raise CertificationError("tail", f"a tail of {curve.of} begins at 1 or later, not at {end}")
    _require_not_negative(share * run - 1, x, "x·P′·σ(P) − 1")
    if curve.of == "GELU":
        return weight_at(curve, x) * x * normal(-x).max(logistic(-p(x)))
    steady = share * run * slope - run.derivative()  # (x·P′)′ = P′ + x·P″
    _require_not_negative(steady, x, "x·P′²·σ(P) − P′ − x·P″")
    return weight_at(curve, x) * (x * density(x)).max(run(x) * logistic(-p(x)))


def polynomial(curve: ErrorCurve, parameters: Sequence[arb]) -> arb_poly:
    coefficients = [arb(0)] * (curve.family.exponents[-1] + 1)
    for exponent, value in zip(curve.family.exponents, parameters, strict=True):
        coefficients[exponent] = value
    return arb_poly(coefficients)


def _require_not_negative(polynomial: arb_poly, x: arb, name: str) -> None:
    """Require that all Taylor coefficients at x are ≥ 0, so that the polynomial is beyond."""
    shifted = polynomial(arb_poly([x, 1]))
    if not all(coefficient >= 0 for coefficient in shifted.coeffs()):
        raise CertificationError("tail", f"{name} is not shown to be ≥ 0 beyond x = {text(x)}")


def require_falling_weight(curve: ErrorCurve) -> None:
    x = Symbol("x", positive=True)
    if not sp.diff(curve.weight.xreplace({X: x}), x).is_nonpositive:
        raise CertificationError("tail", f"the weight {curve.weight} is not known to fall")


def weight_at(curve: ErrorCurve, x: arb) -> arb:
    return number(curve.weight.xreplace({X: sp.Rational(float(x.mid()))}))
