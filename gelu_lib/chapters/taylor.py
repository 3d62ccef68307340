"""The chapter taylor: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Expr, atanh, erf, sqrt

from gelu_lib.chapters.recipes import Certification, Certified, certified_error, closed_form
from gelu_lib.derivations.notation import Coefficient
from gelu_lib.fits.quantities import largest
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import error_expression
from gelu_lib.functions.forms import local_form
from gelu_lib.functions.series import local_match


def match_error(order: int) -> Certification:
    """The sup error of Φ with the local match of an order, on all of ℝ."""
    form = local_form(order)
    family = form.family

    def meant() -> Expr:
        match = (Coefficient(atanh(erf(X / sqrt(2))), X, j) for j in family.exponents)
        doubled = {p: 2 * a for p, a in zip(family.symbols, match, strict=True)}
        return largest(error_expression(family).xreplace(doubled))

    return Certified(meant, certified_error(family, form.parameters, "Phi").enclosures)


CERTIFIED: dict[str, Certification] = {
    "taylor-slope": closed_form(local_match(1).coefficients[0]),
    "taylor-cubic": closed_form(local_match(3).ratio(3)),
    "taylor-cubic-error": match_error(3),
}
