"""The numbers of the chapter taylor."""

from __future__ import annotations

from sympy import Expr

from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.series import local_match, tanh_radius
from gelu_lib.functions.singularities import certified_first_zero
from gelu_lib.values.recipes import Certification, certified_error, closed_form


def local_member(order: int) -> tuple[Family, dict[str, Expr]]:
    """The member σ(2u) of the family of an order, where u is the local match.

    Args:
        order: the degree of u, an odd integer.

    Returns:
        The family and the parameters, exact; as ``sampled_sup_error`` takes them.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    coefficients = local_match(order).coefficients
    family = odd_logistic(order)
    return family, {name: 2 * a for name, a in zip(family.names, coefficients, strict=True)}


def _match_error(order: int) -> Certification:
    """The sup error of Φ with the local match of an order, on all of ℝ."""
    return certified_error(*local_member(order), "Phi")


def _first_zero(part: str) -> Certification:
    """A part of the first zero of erfc, or the radius that it sets."""
    return lambda digits: {"": getattr(certified_first_zero(digits), part)}


CERTIFIED: dict[str, Certification] = {
    "tanh-radius": closed_form(tanh_radius()),
    "taylor-slope": closed_form(local_match(1).coefficients[0]),
    "taylor-cubic": closed_form(local_match(3).ratio(3)),
    "taylor-quintic": closed_form(local_match(5).ratio(5)),
    "taylor-septic": closed_form(local_match(7).ratio(7)),
    "taylor-nonic": closed_form(local_match(9).ratio(9)),
    "erfc-zero-real": _first_zero("real"),
    "erfc-zero-imaginary": _first_zero("imaginary"),
    "artanh-erf-radius": _first_zero("radius"),
    "taylor-cubic-error": _match_error(3),
    "taylor-nonic-error": _match_error(9),
    "taylor-order-15-error": _match_error(15),
}
