"""What a problem of approximation asks for, as objects with which statements are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp
from sympy import Abs, Expr, Integral, Limit, Symbol

from gelu_lib.derivations.quantities import ArgMin, Component, Infimum, Supremum
from gelu_lib.fits.criteria import Criterion, Problem, problem
from gelu_lib.functions.expressions import Phi, T, X
from gelu_lib.functions.families import Family, error_expression
from gelu_lib.functions.tanh_forms import S, TanhForm


@dataclass(frozen=True)
class Asked:
    """What a certificate of a best approximation encloses, by the names that it has there.

    Attributes:
        error: the least size of the error.
        parameters: each parameter by its name: where the least size is attained, or the value
            that it is fixed at.
    """

    error: Infimum
    parameters: Mapping[str, Expr]


def asked(made: Problem, names: Sequence[str] = ()) -> Asked:
    """What is asked for in a problem.

    Args:
        made: the problem.
        names: what the free parameters are called, in their order; as in the problem if empty.
    """
    own = [
        Symbol(name, positive=symbol.is_positive, real=True)
        for name, symbol in zip(names or map(str, made.free), made.free, strict=True)
    ]
    size = measure(made).xreplace(dict(zip(made.free, own, strict=True)))
    best = {str(symbol): Component(ArgMin(size, own), symbol) for symbol in own}
    fixed = {str(symbol): value for symbol, value in made.fixed.items()}
    return Asked(Infimum(size, own), {**best, **fixed})


def measure(made: Problem) -> Expr:
    """The size of the error that a criterion measures, over the whole line."""
    norm, weight = made.criterion.norm, made.criterion.weight
    error = signed_error(made.family, made.criterion.of).xreplace(dict(made.fixed))
    if norm == "sup":
        return largest(error, weight=weight)
    if norm == "L1":
        return Integral(weight * Abs(error, evaluate=False), (X, -sp.oo, sp.oo))
    return sp.sqrt(Integral(weight * error**2, (X, -sp.oo, sp.oo)))


def signed_error(family: Family | TanhForm, of: str) -> Expr:
    """The error of a family, or of a form that is built from tanh, for Φ or GELU."""
    if isinstance(family, Family):
        return error_expression(family, of)
    return _error_of_form(family.expression, of)


def _error_of_form(form: Expr, of: str) -> Expr:
    error = Phi(X) - (1 + form) / 2
    return X * error if of == "GELU" else error


def splitting_rate(form: TanhForm, of: str, names: Sequence[str]) -> Limit:
    """How fast the least error grows when the merged scales of a form move apart.

    The scales of the sums are s + t·dᵢ, and the last dᵢ is what the others leave of 0. The object
    has every real s, though the fits have s > 0: −s gives the same forms as s if all coefficients
    are free, and forms with the limit −1 if the limit is given.

    Args:
        form: a form made by ``merged_tanh_sum``.
        of: ``"Phi"`` or ``"GELU"``.
        names: what its parameters are called.
    """
    merged = asked(problem(form, Criterion("sup", of)), names)
    count = range(1, len(form.terms) + 1)
    a = [Symbol(f"a{i}", real=True) for i in count]
    d = [Symbol(f"d{i}", real=True) for i in count]
    d[-1] = -sp.Add(*d[:-1])
    parts = [sp.tanh((S + T * offset) * X) for offset in d]
    if form.limit_one:
        a[0] = 1 - sp.Add(*a[1:])
    apart = _error_of_form(sp.Add(*(b * part for b, part in zip(a, parts, strict=True))), of)
    free = [*a[form.limit_one :], S]
    square = sp.Add(*((T * offset) ** 2 for offset in d)) / 2
    growth = (Infimum(largest(apart), free) - merged.error) / square
    return Limit(growth.xreplace({S: Symbol(S.name, real=True)}), T, 0)


def largest(error: Expr, domain: Expr = sp.true, weight: Expr = sp.S.One) -> Supremum:
    """The largest size of an error in x, on the whole line or where a condition holds."""
    return Supremum(weight * Abs(error, evaluate=False), [X], domain)
