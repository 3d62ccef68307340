"""The chapter left-tail: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Expr, Le, Rational, Symbol

from gelu_lib.certificates.left_tail import UNIT_ROUNDOFF, earliest_reach, relative_rest
from gelu_lib.certificates.tail_ratios import place
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification, Certified
from gelu_lib.derivations.enclosed import Root
from gelu_lib.derivations.quantities import Infimum
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form


def _earliest(size: Rational) -> Certification:
    """The least x > 0 at which a partial sum can have a relative error of at most a size."""
    terms = Symbol("N", integer=True, positive=True)

    def quantity() -> Expr:
        least = Infimum(relative_rest(X, terms), [terms])
        return Infimum(X, [X], (X > 0) & Le(least, size, evaluate=False))

    return Certified(quantity, lambda digits: {"": earliest_reach(size, digits + GUARD_DIGITS)[1]})


def _where(form: Form, ratio: Rational) -> Certification:
    """The x < 0 where a form is a given multiple of GELU."""
    return Certified(
        lambda: Root(form.expression - ratio * Phi(X)),
        lambda digits: {"": place(form, ratio, digits + GUARD_DIGITS)},
    )


CERTIFIED: dict[str, Certification] = {
    "mills-float64-place": _earliest(UNIT_ROUNDOFF),
    "page-tail-half": _where(tanh_form(), Rational(1, 2)),
    "page-tail-crossing": _where(tanh_form(), Rational(1)),
    "scale-1702-tail-double": _where(sigmoid_form(), Rational(2)),
    "scale-1702-tail-crossing": _where(sigmoid_form(), Rational(1)),
}
