"""The numbers of the chapter left-tail."""

from __future__ import annotations

from sympy import Rational

from gelu_lib.certificates.left_tail import UNIT_ROUNDOFF, earliest_reach
from gelu_lib.certificates.tail_ratios import SIGMOID_TAIL, TANH_TAIL, Tail, place
from gelu_lib.values.recipes import GUARD_DIGITS, Certification


def _where(tail: Tail, ratio: Rational) -> Certification:
    """The x < 0 where a form is a given multiple of GELU."""
    return lambda digits: {"": place(tail, ratio, digits + GUARD_DIGITS)}


CERTIFIED: dict[str, Certification] = {
    "mills-float64-place": lambda digits: {
        "": earliest_reach(UNIT_ROUNDOFF, digits + GUARD_DIGITS)[1]
    },
    "page-tail-half": _where(TANH_TAIL, Rational(1, 2)),
    "page-tail-crossing": _where(TANH_TAIL, Rational(1)),
    "scale-1702-tail-double": _where(SIGMOID_TAIL, Rational(2)),
    "scale-1702-tail-crossing": _where(SIGMOID_TAIL, Rational(1)),
}
