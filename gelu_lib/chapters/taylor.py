"""The local match as a member of a family."""

from __future__ import annotations

from sympy import Expr

from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.series import local_match


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
