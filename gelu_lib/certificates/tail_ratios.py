r"""The two forms of GELU on the left: their relative error, and the one place where it has a value.

A form is xσ(P(x)) with P(x) = p₁x + p₃x³. At −x, for x > 0, its ratio to GELU is
ρ(x) = σ(−P(x))/Φ(−x), and its relative error is ρ(x) − 1. As x grows, ρ tends to 0 if p₃ > 0, and
to ∞ if p₃ = 0. ``place`` proves that ρ has a value r at one x > 0, and encloses it. In the proof

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

from dataclasses import dataclass

import numpy as np
import sympy as sp
from flint import arb, arb_poly, ctx, fmpq
from scipy.special import log_ndtr
from sympy import Expr

from gelu_lib.certificates.balls import logistic, number
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.enclosures import Enclosure, Function
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.pieces import prove_first_sign, prove_sign
from gelu_lib.certificates.roots import change, is_positive
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE, PAGE_CUBIC, Phi, X, phi
from gelu_lib.functions.expressions import logistic as sigma
from gelu_lib.functions.families import Value, exact_value

__all__ = ["SIGMOID_TAIL", "TANH_TAIL", "Tail", "place", "relative_error"]

START, END = 0.0625, 8.0
"""Between these the place is looked for; the tail begins at the end."""

SHARE = 7 / 8
"""From this part of the place on, the ratio is shown to be monotone."""


@dataclass(frozen=True)
class Tail:
    """The left side of a form xσ(p₁x + p₃x³).

    Attributes:
        p1: the linear coefficient, exact and positive.
        p3: the cubic coefficient, exact and not negative.
    """

    p1: Expr
    p3: Expr

    def __post_init__(self) -> None:
        for name, least in (("p1", "positive"), ("p3", "nonnegative")):
            value = exact_value(getattr(self, name), name)
            if not getattr(value, f"is_{least}"):
                raise ValueError(f"{name} is {value}; accepted is a {least} number")
            object.__setattr__(self, name, value)

    @property
    def exponent(self) -> Expr:
        """P(x)."""
        return self.p1 * X + self.p3 * X**3


TANH_TAIL = Tail(2 * LOCAL_SLOPE, 2 * LOCAL_SLOPE * PAGE_CUBIC)
"""The tanh form with 0.044715."""

SIGMOID_TAIL = Tail(LOGISTIC_SCALE, sp.S.Zero)
"""The sigmoid form with 1.702."""


def relative_error(tail: Tail, x: np.ndarray) -> np.ndarray:
    """The relative error of a form where x < 0, in float64.

    Args:
        tail: the form.
        x: negative numbers from −30 on; beyond, the ratio of the sigmoid form soon overflows.

    Returns:
        form/GELU − 1 at each x. The largest error that the tests find is 1.9e-13 times the ratio,
        or times 1 where the ratio is less, at x = −29.61 of the sigmoid form.

    Raises:
        ValueError: if an element is not between −30 and 0.
    """
    x = np.asarray(x, dtype=float)
    if not np.all((x >= -30) & (x < 0)):
        raise ValueError("x has elements that are not in [-30, 0)")
    exponent = float(tail.p1) * x + float(tail.p3) * x**3
    return np.expm1(-np.logaddexp(0, -exponent) - log_ndtr(x))


def place(tail: Tail, ratio: Value, digits: int = 15) -> Enclosure:
    """The one x < 0 where a form is a given multiple of GELU.

    Args:
        tail: the form.
        ratio: the multiple, positive: at most 1 if the form has a cubic term, at least 1 if not.
        digits: how many significant digits.

    Returns:
        An enclosure of x, proved, with no other such x < 0; see above.

    Raises:
        TypeError: if ``ratio`` is of a type that is not accepted.
        ValueError: if ``ratio`` is not positive, or ``digits`` not a positive integer.
        CertificationError: if it is not proved, as when the place is not between −8 and −1/16.
    """
    ratio = exact_value(ratio, "ratio")
    if not ratio.is_positive:
        raise ValueError(f"ratio is {ratio}; accepted is a positive number")
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
    gap = Function(sigma(-tail.exponent) - ratio * Phi(-X))
    sign = 1 if tail.p3 else -1  # of the gap before the place, and of −ρ′ beyond

    def is_before(x: fmpq) -> bool:
        return is_positive(lambda: sign * gap.at(arb(x)))

    ends = [fmpq(*end.as_integer_ratio()) for end in (START, END)]
    if not is_before(ends[0]) or is_before(ends[1]):
        raise CertificationError("claim", f"the ratio {ratio} is not met from −{END} to −{START}")
    found = change(is_before, *ends, digits)
    turn = float(found.lower) * SHARE
    with ctx.workprec(PROOF_BITS):
        _prove_gap(tail, ratio, gap, sign, turn)
        _prove_monotone(tail, sign, turn)
        _prove_beyond(tail)
    return Enclosure(found.upper.copy_negate(), found.lower.copy_negate())


def _prove_gap(tail: Tail, ratio: Expr, gap: Function, sign: int, turn: float) -> None:
    """Prove that sign·F > 0 for 0 < x ≤ turn."""
    start = 0.0
    if ratio == 1:
        order = 3 if tail.p1 == 2 * LOCAL_SLOPE else 1
        start = prove_first_sign(gap, (), sign, 0.0, START, order)
    prove_sign(gap, (), sign, start, turn)


def _prove_monotone(tail: Tail, sign: int, turn: float) -> None:
    """Prove that sign·(P′σ(P) − h) > 0 for turn ≤ x ≤ END, times Φ(−x)."""
    rise = sp.diff(tail.exponent, X) * sigma(tail.exponent)
    prove_sign(Function(rise * Phi(-X) - phi(X)), (), sign, turn, END)


def _prove_beyond(tail: Tail) -> None:
    """Prove that the ratio stays monotone for x ≥ END."""
    p1, p3, end = number(tail.p1), number(tail.p3), arb(END)
    if tail.p3 == 0:
        if not p1 <= end:
            raise CertificationError("tail", f"p1 = {tail.p1} is greater than the end {END}")
        return
    share = logistic(p1 * end + p3 * end**3)
    steady = share * arb_poly([0, p1, 0, 3 * p3]) - arb_poly([1, 0, 1])  # s·xP′ − x² − 1
    if not all(coefficient >= 0 for coefficient in steady(arb_poly([end, 1])).coeffs()):
        raise CertificationError("tail", f"the ratio is not shown to fall beyond x = {END}")
