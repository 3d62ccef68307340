r"""The two forms of GELU on the left: the one place where a form is a given multiple of GELU.

A form is xσ(P(x)) with P(x) = p₁x + p₃x³. At −x, for x > 0, its ratio to GELU is
ρ(x) = σ(−P(x))/Φ(−x). As x grows, ρ tends to 0 if p₃ > 0, and to ∞ if p₃ = 0. ``place`` proves that
ρ has a value r at one x > 0, and encloses it. In the proof

- F = σ(−P) − rΦ(−x) has one sign from 0 to 7/8 of the place. For r = 1 it is 0 at 0. It is odd
  then, so its coefficient of x there decides, or that of x³ if p₁ = 2√(2/π);
- h − P′σ(P), with h = φ(x)/Φ(−x), has one sign from there to some end. It is the sign of ρ′, by
  the result ``tail-ratio-slope``;
- beyond the end it keeps that sign, because x < h < x + 1/x by the result ``mills-bounds``. For
  p₃ = 0 it is greater than x − p₁. For p₃ > 0 it is less than x + 1/x − sP′ with s = σ(P(end)), and
  so negative if no Taylor coefficient of sxP′ − x² − 1 at the end is.

So ρ is not r before, and strictly monotone after.
"""

from __future__ import annotations

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.balls import logistic, number
from gelu_lib.certificates.engine.enclosures import Function
from gelu_lib.certificates.engine.pieces import prove_first_sign, prove_sign
from gelu_lib.certificates.engine.roots import change, is_positive
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import LOCAL_SLOPE, Phi, X, phi
from gelu_lib.functions.expressions import logistic as sigma
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC, Value, exact_value
from gelu_lib.functions.forms import Form
from gelu_lib.precision import PROOF_BITS

START, END = 0.0625, 8.0
"""Between these the place is looked for; the tail begins at the end."""

SHARE = 7 / 8
"""From this part of the place on, the ratio is shown to be monotone."""


def place(form: Form, ratio: Value, digits: int = 15) -> Enclosure:
    """The one x < 0 where a form is a given multiple of GELU.

    Args:
        form: the form, a member σ(p1 x) of ``LOGISTIC`` or σ(p1 x + p3 x³) of ``TANH_CUBIC`` with
            p1 > 0 and p3 ≥ 0.
        ratio: the multiple, positive: at most 1 if the form has a cubic term, at least 1 if not.
        digits: how many significant digits.

    Returns:
        An enclosure of x, proved, with no other such x < 0; see above.

    Raises:
        TypeError: if ``form`` is no form, or ``ratio`` of a type that is not accepted.
        ValueError: if ``form`` is none of these, ``ratio`` not positive, or ``digits`` not a
            positive integer.
        CertificationError: if it is not proved, as when the place is not between −8 and −1/16.
    """
    p1, p3 = _coefficients(form)
    ratio = exact_value(ratio, "ratio")
    if not ratio.is_positive:
        raise ValueError(f"ratio is {ratio}; accepted is a positive number")
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
    gap = Function(form.expression.xreplace({X: -X}) - ratio * Phi(-X))
    sign = 1 if p3 else -1  # of the gap before the place, and of −ρ′ beyond

    def is_before(x: flint.fmpq) -> bool:
        return is_positive(lambda: sign * gap.at(flint.arb(x)))

    ends = [flint.fmpq(*end.as_integer_ratio()) for end in (START, END)]
    if not is_before(ends[0]) or is_before(ends[1]):
        raise CertificationError("claim", f"the ratio {ratio} is not met from −{END} to −{START}")
    found = change(is_before, *ends, digits)
    turn = float(found.lower) * SHARE
    with flint.ctx.workprec(PROOF_BITS):
        _prove_gap(p1, ratio, gap, sign, turn)
        _prove_monotone(p1, p3, sign, turn)
        _prove_beyond(p1, p3)
    return Enclosure(found.upper.copy_negate(), found.lower.copy_negate())


def _coefficients(form: Form) -> tuple[Expr, Expr]:
    """p₁ and p₃ of a form."""
    if not isinstance(form, Form):
        raise TypeError(f"form is {form!r}; accepted is a Form")
    if form.family not in (LOGISTIC, TANH_CUBIC):
        raise ValueError(f"form is {form!r}; accepted is a member of LOGISTIC or TANH_CUBIC")
    p1, p3 = form.parameters["p1"], form.parameters.get("p3", sp.S.Zero)
    if not (p1.is_positive and p3.is_nonnegative):
        raise ValueError(f"form has p1 = {p1} and p3 = {p3}; accepted are p1 > 0 and p3 >= 0")
    return p1, p3


def _prove_gap(p1: Expr, ratio: Expr, gap: Function, sign: int, turn: float) -> None:
    """Prove that sign·F > 0 for 0 < x ≤ turn."""
    start = 0.0
    if ratio == 1:
        order = 3 if p1 == 2 * LOCAL_SLOPE else 1
        start = prove_first_sign(gap, (), sign, 0.0, START, order)
    prove_sign(gap, (), sign, start, turn)


def _prove_monotone(p1: Expr, p3: Expr, sign: int, turn: float) -> None:
    """Prove that sign·(P′σ(P) − h) > 0 for turn ≤ x ≤ END, times Φ(−x)."""
    exponent = p1 * X + p3 * X**3
    rise = sp.diff(exponent, X) * sigma(exponent)
    prove_sign(Function(rise * Phi(-X) - phi(X)), (), sign, turn, END)


def _prove_beyond(p1: Expr, p3: Expr) -> None:
    """Prove that the ratio stays monotone for x ≥ END."""
    linear, cubic, end = number(p1), number(p3), flint.arb(END)
    if p3 == 0:
        if not linear <= end:
            raise CertificationError("tail", f"p1 = {p1} is greater than the end {END}")
        return
    share = logistic(linear * end + cubic * end**3)
    steady = share * flint.arb_poly([0, linear, 0, 3 * cubic]) - flint.arb_poly(
        [1, 0, 1]
    )  # s·xP′ − x² − 1
    if not all(coefficient >= 0 for coefficient in steady(flint.arb_poly([end, 1])).coeffs()):
        raise CertificationError("tail", f"the ratio is not shown to fall beyond x = {END}")
