"""The chapter derivatives: how the numbers of its results are proved."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from sympy import Dummy, Expr, S, exp, pi, sqrt, tanh

from gelu_lib.chapters.recipes import Certification, Certified, at_root, closed_form
from gelu_lib.derivations.quantities import ArgMin, Infimum, Supremum
from gelu_lib.functions.expressions import LOGISTIC_SCALE, Phi, X, gelu_tanh

GELU_FORMULA = X * Phi(X)
"""GELU written out, so that it can be differentiated as every form can."""


def minimum(form: Expr, value: Expr = X) -> Certification:
    """An expression where a form of GELU is least, which is the only zero of its derivative."""
    here = {form: Infimum(form, [X]), X: ArgMin(form, [X])}
    place = at_root(sp.diff(form, X), -0.75, value)
    return Certified(lambda: _in_terms(value, here), place.enclosures)


def inflection(form: Expr, value: Expr = X, side: int = 1) -> Certification:
    """An expression at the inflection point of a form of GELU on one side of 0; each has one.

    There the slope of the form is largest, or least if the side is −1.
    """
    slope, turn = sp.diff(form, X), at_root(sp.diff(form, X, 2), 1.42 * side, value)
    if value == X:
        return turn
    here = {slope: (Supremum if side == 1 else Infimum)(slope, [X])}
    return Certified(lambda: _in_terms(value, here), turn.enclosures)


def _in_terms(value: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """An expression in terms of what some of its parts are, the larger parts first."""
    symbols = {part: Dummy() for part in known}
    found = {symbols[part]: meaning for part, meaning in known.items()}
    return value.subs(list(symbols.items())).xreplace(found)


def _at_lambert(value: Expr) -> Certification:
    """An expression in w = W(1/e), the only w > 0 with w·exp(w) = 1/e, because w·exp(w) rises."""
    return at_root(X * exp(X + 1) - 1, 0.28, value)


def _at_coth_fixed_point(value: Expr) -> Certification:
    """An expression in κ = coth κ, the only κ > 0 with κ·tanh κ = 1, because κ·tanh κ rises."""
    return at_root(X * tanh(X) - 1, 1.2, value)


_STEEPEST = (1 + sp.erf(S.One)) / 2 + exp(-1) / sqrt(pi)
_PAGE = gelu_tanh()

CERTIFIED: dict[str, Certification] = {
    "gelu-minimum-place": minimum(GELU_FORMULA),
    "gelu-minimum-value": minimum(GELU_FORMULA, GELU_FORMULA),
    "gelu-largest-slope": closed_form(_STEEPEST),
    "gelu-smallest-slope": closed_form(1 - _STEEPEST),
    "page-minimum-place": minimum(_PAGE),
    "page-minimum-value": minimum(_PAGE, _PAGE),
    "page-inflection": inflection(_PAGE),
    "page-largest-slope": inflection(_PAGE, sp.diff(_PAGE, X)),
    "page-smallest-slope": inflection(_PAGE, sp.diff(_PAGE, X), side=-1),
    "lambert-w-of-inverse-e": _at_lambert(X),
    "scale-1702-minimum-place": _at_lambert(-(1 + X) / LOGISTIC_SCALE),
    "scale-1702-minimum-value": _at_lambert(-X / LOGISTIC_SCALE),
    "coth-fixed-point": _at_coth_fixed_point(X),
    "scale-1702-inflection": _at_coth_fixed_point(2 * X / LOGISTIC_SCALE),
    "sigmoid-form-largest-slope": _at_coth_fixed_point((1 + X) / 2),
    "sigmoid-form-smallest-slope": _at_coth_fixed_point((1 - X) / 2),
}
