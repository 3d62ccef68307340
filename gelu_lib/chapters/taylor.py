"""The chapter taylor: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Expr, atanh, erf, sqrt

from gelu_lib.chapters.recipes import Certification, Certified, certified_error, closed_form
from gelu_lib.derivations.notation import Coefficient
from gelu_lib.fits.quantities import largest
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, error_expression, odd_logistic
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


def match_error(order: int) -> Certification:
    """The sup error of Φ with the local match of an order, on all of ℝ."""
    family, parameters = local_member(order)

    def meant() -> Expr:
        match = (Coefficient(atanh(erf(X / sqrt(2))), X, j) for j in family.exponents)
        doubled = {p: 2 * a for p, a in zip(family.symbols, match, strict=True)}
        return largest(error_expression(family).xreplace(doubled))

    return Certified(meant, certified_error(family, parameters, "Phi").enclosures)


CERTIFIED: dict[str, Certification] = {
    "taylor-slope": closed_form(local_match(1).coefficients[0]),
    "taylor-cubic": closed_form(local_match(3).ratio(3)),
    "taylor-cubic-error": match_error(3),
}
