"""The numbers of the chapter taylor."""

from __future__ import annotations

from sympy import Expr

from gelu_lib.families import Family, odd_logistic
from gelu_lib.series import local_match, tanh_radius
from gelu_lib.singularities import artanh_erf_radius, erfc_zero
from gelu_lib.values.recipes import Certification, Computation, certified_error, exact


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


NUMBERS: dict[str, Computation] = {
    "tanh-radius": exact(tanh_radius()),
    "taylor-slope": exact(local_match(1).coefficients[0]),
    "taylor-cubic": exact(local_match(3).ratio(3)),
    "taylor-quintic": exact(local_match(5).ratio(5)),
    "taylor-septic": exact(local_match(7).ratio(7)),
    "taylor-nonic": exact(local_match(9).ratio(9)),
    "erfc-zero-real": lambda digits: erfc_zero(1, digits).real,
    "erfc-zero-imaginary": lambda digits: erfc_zero(1, digits).imag,
    "artanh-erf-radius": artanh_erf_radius,
}

CERTIFIED: dict[str, Certification] = {
    "taylor-cubic-error": _match_error(3),
    "taylor-nonic-error": _match_error(9),
    "taylor-order-15-error": _match_error(15),
}
