"""The chapter taylor-orders: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Abs, Eq, Expr, S, im, re, sqrt

from gelu_lib.certificates.singularities import ENTIRE, Z, certified_first_zero
from gelu_lib.chapters.recipes import Certification, Certified, closed_form
from gelu_lib.chapters.taylor import match_error
from gelu_lib.derivations.enclosed import Determined
from gelu_lib.derivations.quantities import Chain, Infimum
from gelu_lib.functions import series
from gelu_lib.functions.series import local_match

FIRST = (
    Chain((ENTIRE, S.Zero), ("=",)),
    Chain((Abs(Z), Infimum(Abs(Z), [Z], Eq(ENTIRE, 0))), ("=",)),
    Chain((im(Z), S.Zero), (">",)),
)
"""By what the zero is the first one in the upper half-plane."""


def _first_zero(part: str, value: Expr) -> Certification:
    """A part of the first zero z of erfc, or the radius that it sets, as an expression in z."""
    return Certified(
        lambda: Determined(value, Z, FIRST),
        lambda digits: {"": getattr(certified_first_zero(digits), part)},
    )


CERTIFIED: dict[str, Certification] = {
    "tanh-radius": closed_form(series.tanh_radius()),
    "taylor-quintic": closed_form(local_match(5).ratio(5)),
    "taylor-septic": closed_form(local_match(7).ratio(7)),
    "taylor-nonic": closed_form(local_match(9).ratio(9)),
    "erfc-zero-real": _first_zero("real", re(Z)),
    "erfc-zero-imaginary": _first_zero("imaginary", im(Z)),
    "artanh-erf-radius": _first_zero("radius", sqrt(2) * Abs(Z)),
    "taylor-nonic-error": match_error(9),
    "taylor-order-15-error": match_error(15),
}
