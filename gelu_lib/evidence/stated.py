"""From a statement to what proves it: the quantity that is stated is recognised, and handed on.

A statement that has other numbers in it gives other numbers, or is refused. Read are

- a number that is written out,
- the largest error of a form, and where it is; the least error of a family, and its parameters,
- the extremum of a smooth function of x, and its place; the root of an equation,
- an expression in such a number, if an equation of the assumptions says which it is.

Where an extremum or a root is, in rough, is looked for on a grid. That it is there is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import sympy as sp
from sympy import Abs, Derivative, Dummy, Expr, S, Subs, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.existence import differentiated
from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.notation import Coefficient
from gelu_lib.derivations.quantities import (
    ArgMax,
    ArgMin,
    Binding,
    Chain,
    Component,
    Inference,
    Infimum,
    Proposition,
    Supremum,
)
from gelu_lib.evidence.kinds import AtRoot, ClosedForm, FormCrossing, OfBest, OfLargest, Proof
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, numpy_function
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC, Approximant, Family, odd_logistic
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.functions.tanh_forms import merged_tanh_sum, tanh_powers
from gelu_lib.functions.targets import TARGETS

_POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""

_TANH_FORMS = (
    tanh_powers(_POWERS),
    tanh_powers(_POWERS, limit_one=True),
    tanh_powers(_POWERS[:2], limit_one=True),
    tanh_powers(_POWERS, scaled=True, limit_one=True),
    *(merged_tanh_sum(n, limit_one=limit_one) for n in (2, 3) for limit_one in (False, True)),
)
"""The forms that are built from tanh, of which statements speak."""

_REACH, _STEPS = 16, 6401
"""How far from 0, and at how many points on each side, a place is looked for."""


class NotRead(ValueError):
    """A statement asks for nothing that is handed to a proof from here."""


def read_statement(said: Statement, others: Mapping[str, Proof]) -> Proof:
    """What proves the number that a statement asks for.

    Args:
        said: what a result states.
        others: proofs of the numbers of other results, by the names that the statement has.

    Returns:
        The proof, which has not been run.

    Raises:
        NotRead: if the number is of no kind that is known.
    """
    chains = [chain for chain in _chains(said.claims) if {*chain.signs} <= {"="}]
    if chains:
        declared = {Symbol(name, real=True): own for name, own in said.domains.items()}
        sides = [side.xreplace(declared) for side in chains[0].sides]
        kinds = (
            *(_written_out, _of_approximation, _extremum),
            lambda side: _of_other(side, others) or _determined(side, said),
        )
        for kind in kinds:
            for side in sides:
                if _may_stand_beside(sides, side) and (found := kind(side)):
                    return found
        if len(sides) == 2 and (found := _root(sides[0] - sides[1], said)):
            return found
    raise NotRead("no proof is known of what is stated")


def _may_stand_beside(sides: list[Expr], own: Expr) -> bool:
    """Whether the other sides are names, numbers, or quantities of their own, which are tried."""
    others = [side for side in sides if side != own and not side.is_Symbol]
    return all(s.has(Binding, Component, Coefficient) or not s.free_symbols for s in others)


def _chains(claims: tuple[Proposition, ...]) -> Iterator[Chain]:
    """The claims; of those that hold exactly where others do, these."""
    for claim in claims:
        yield from claim.conclusions if isinstance(claim, Inference) else [claim]


def _plain(expression: Expr) -> Expr:
    """An expression with derivatives carried out, without what Arb does not evaluate."""
    found = expression.replace(lambda part: isinstance(part, Derivative | Subs), differentiated)
    return found.replace(sp.coth, lambda u: 1 / sp.tanh(u))


# ---------------------------------------------------------------------------- numbers, and roots


def _written_out(side: Expr) -> ClosedForm | None:
    unknown = (Binding, Component, Coefficient, AppliedUndef, sp.Integral)
    if side == 0 or side.free_symbols or side.has(*unknown):
        return None
    return ClosedForm(_plain(side))


def _of_other(side: Expr, others: Mapping[str, Proof]) -> Proof | None:
    """A multiple of the number of another result."""
    factor, symbol = side.as_coeff_Mul()
    other = others.get(str(symbol)) if symbol.is_Symbol and factor.is_Integer else None
    return replace(other, factor=int(factor)) if isinstance(other, OfBest | OfLargest) else None


def _determined(side: Expr, said: Statement) -> AtRoot | None:
    """An expression in a symbol for which the assumptions have an equation."""
    for chain in said.assumed:
        if isinstance(chain, Chain) and chain.signs == ("=",) and not side.is_Symbol:
            gap = chain.sides[0] - chain.sides[1]
            if side.free_symbols == gap.free_symbols and len(gap.free_symbols) == 1:
                return _root(gap, said, side)
    return None


def _root(gap: Expr, said: Statement, value: Expr | None = None) -> AtRoot | FormCrossing | None:
    """A value where an expression in one symbol is 0, on the side of 0 that is stated."""
    if len(gap.free_symbols) != 1 or gap.has(Binding, Coefficient, sp.Integral):
        return None
    (symbol,) = gap.free_symbols
    signs = {c.signs[0] for c in _chains(said.claims) if c.sides == (symbol, S.Zero)} & {"<", ">"}
    if symbol.is_positive:
        signs.add(">")
    if len(signs) != 1:
        return None
    equation = _plain(gap).xreplace({symbol: X})
    if signs == {"<"} and value is None and (found := _crossing(equation)):
        return found
    points = _points(X > 0) * (1 if signs == {">"} else -1)
    heights = numpy_function(equation, X)(points)
    points, above = points[heights != 0], heights[heights != 0] > 0
    (changes,) = np.nonzero(above[1:] != above[:-1])
    if len(changes) != 1:
        return None
    return AtRoot(equation, float(points[changes[0]]), (value or symbol).xreplace({symbol: X}))


def _crossing(equation: Expr) -> FormCrossing | None:
    """Where a form is a multiple of GELU, from x times the difference of the two."""
    gap = sp.expand(_by_sigma(equation) / X)
    ratio = -gap.coeff(Phi(X))
    for family, values in _members(gap):
        member = family.expression.xreplace(values)
        if not ratio.free_symbols and sp.expand(gap - member + ratio * Phi(X)) == 0:
            return FormCrossing(Form(family, _by_name(values)), ratio)
    return None


# ---------------------------------------------------------------------------- extrema


def _extremum(side: Expr) -> AtRoot | None:
    """An expression in one extremum of a form of GELU or of its slope, or in the place of one.

    That there is one stationary point, and for the slope one on each side of 0, is proved by the
    results ``gelu-minimum`` and ``form-shape``.
    """
    nodes = side.atoms(Binding)
    if len(nodes) != 1 or side.free_symbols or side.has(Component):
        return None
    (node,) = nodes
    if not _of_one(node) or node.domain not in (S.true, sp.Gt(node.variables[0], 0)):
        return None
    place = X if node.domain == S.true else Dummy(positive=True)
    body = (
        _plain(node.body).xreplace({node.variables[0]: place}).replace(GELU, lambda u: u * Phi(u))
    )
    inner = (body.args[0] if isinstance(body, Abs) else body).xreplace({place: X})
    if not _has_one_shape(inner):
        return None
    points = _points(node.domain)
    heights = numpy_function(inner, X)(points)
    sizes = np.abs(heights) if isinstance(body, Abs) else heights
    at = int(np.argmax(sizes) if isinstance(node, Supremum | ArgMax) else np.argmin(sizes))
    if at in (0, points.size - 1):
        return None
    sign = -1 if isinstance(body, Abs) and heights[at] < 0 else 1
    own = X if isinstance(node, ArgMax | ArgMin) else sign * inner
    return AtRoot(sp.diff(inner, X), float(points[at]), side.xreplace({node: own}))


def _has_one_shape(function: Expr) -> bool:
    """Whether a function is GELU, or x·σ(p₁x + p₃x³), or its slope, but for the signs of x and y.

    There p₁ is positive, and so is p₃ if it is not 0.
    """
    forms = [X * Phi(X)]
    for family, values in _members(function):
        if family in (LOGISTIC, TANH_CUBIC) and all(p.is_positive for p in values.values()):
            forms.append(X * family.expression.xreplace(values))
    known = [part for form in forms for part in (form, sp.diff(form, X))]
    known += [part.xreplace({X: -X}) for part in known]
    alike = (
        sp.expand((part + sign * function).rewrite(sp.erf)) for part in known for sign in (1, -1)
    )
    return 0 in alike


def _points(domain: Expr) -> np.ndarray:
    """Points of the line, or of its right half."""
    line = np.linspace(-_REACH, _REACH, 2 * _STEPS - 1)
    return line if domain == S.true else line[line > 0]


# ---------------------------------------------------------------------------- approximations

_Approximation = tuple[Approximant, str, Mapping[Symbol, Expr], sp.Integer]
"""A family, the function that it approximates, the values of its parameters, and how many times
the error of that is stated."""


def _of_approximation(side: Expr) -> OfBest | OfLargest | None:
    """The largest error of a form or where it is, or a number of the best of a family."""
    node, symbol = side.args if isinstance(side, Component) else (side, None)
    if isinstance(node, Infimum | ArgMin) and isinstance(node.body, Supremum):
        alone = node.variables[0] if isinstance(node, ArgMin) else None
        return _best(node, symbol or alone)
    domains = {Supremum: S.true, ArgMax: sp.Gt(node.variables[0], 0)} if _of_one(node) else {}
    found = _error(node) if domains.get(type(node)) == getattr(node, "domain", "") else None
    if not found or any(value.free_symbols for value in found[2].values()):
        return None
    family, target, values, factor = found
    part = "error" if isinstance(node, Supremum) else "place"
    times = int(factor) if part == "error" else 1
    return OfLargest(Form(family, _by_name(values)), target, part, times)


def _best(node: Infimum | ArgMin, symbol: Symbol | None) -> OfBest | None:
    """A number of the best approximation, of which each parameter that is free is named."""
    node = _eliminated(node)
    whole = node.domain == node.body.domain == S.true and _of_one(node.body)
    if not whole or not (found := _error(node.body)):
        return None
    family, target, values, factor = found
    fixed = tuple((p.name, value) for p, value in values.items() if not value.free_symbols)
    parts = {None: "error"}
    for own, value in values.items():
        if value.is_Symbol:
            parts[value] = own.name
        elif value.free_symbols:
            parts[value / values[family.symbols[0]]] = f"{own.name}/{family.symbols[0].name}"
    if set(parts) != {None, *node.variables} or symbol not in parts:
        return None
    return OfBest(family, target, fixed, parts[symbol], int(factor) if symbol is None else 1)


def _eliminated(best: Infimum | ArgMin) -> Infimum | ArgMin:
    """An extremum over parameters, of which each equation determines the first."""
    for equation in best.domain.atoms(sp.Equality):
        first = next(v for v in best.variables if v in equation.free_symbols)
        (value,) = sp.solve(equation, first)
        others = [v for v in best.variables if v != first]
        domain = best.domain.xreplace({equation: S.true})
        best = best.func(best.body.xreplace({first: value}), others, domain)
    return best


def _error(size: Binding) -> _Approximation | None:
    """What stands between bars, as a multiple of an error of a family or of a form of tanh."""
    if not isinstance(size.body, Abs):
        return None
    error = _plain(size.body.args[0]).xreplace({size.variables[0]: X})
    numbers = {Dummy(real=True): part for part in error.atoms(Coefficient)}
    error = sp.expand(error.xreplace({part: symbol for symbol, part in numbers.items()}))
    for form in _TANH_FORMS:
        symbols = sorted(error.free_symbols - {X}, key=str)
        if [s.is_positive for s in symbols] != [s.is_positive for s in form.symbols]:
            continue
        own = dict(zip(form.symbols, symbols, strict=True))
        for name in ("Phi", "GELU"):
            part = TARGETS[name].error(form.expression).xreplace(own)
            if 0 in (sp.expand(part - error), sp.expand(part + error)):
                return form, name, own, S.One
    error = _on_own_scale(sp.expand(_by_sigma(error)))
    for family, values in _members(error):
        for name, target in TARGETS.items():
            own = sp.expand(target.error(family.expression).xreplace(values))
            factor = error.coeff(Phi(X)) / own.coeff(Phi(X))
            if factor.is_Integer and sp.expand(error - factor * own) == 0:
                known = {symbol: _coefficient(*part.args) for symbol, part in numbers.items()}
                return family, name, {p: v.xreplace(known) for p, v in values.items()}, abs(factor)
    return None


def _members(error: Expr) -> Iterator[tuple[Family, dict[Symbol, Expr]]]:
    """The members σ(p₁x + p₃x³ + …) of families in an error, with their parameters."""
    for part in sorted(error.atoms(logistic), key=sp.default_sort_key):
        (exponent,) = part.args
        if not exponent.is_polynomial(X):
            continue
        powers = {n: value for (n,), value in sp.Poly(exponent, X).as_dict().items()}
        real = all(s.assumptions0 == X.assumptions0 for s in exponent.free_symbols)
        if real and all(n % 2 for n in powers):
            family = odd_logistic(tuple(sorted(powers)))
            yield family, dict(zip(family.symbols, map(powers.get, family.exponents), strict=True))


def _coefficient(body: Expr, variable: Symbol, power: Expr) -> Expr:
    """A Taylor coefficient of the local match, the only series of which statements speak so."""
    if body != sp.atanh(sp.erf(variable / sp.sqrt(2))):
        raise NotRead(f"the coefficients of {body} are not known")
    return local_match(int(power)).coefficients[-1]


def _by_sigma(expression: Expr) -> Expr:
    """An expression by Φ and σ."""
    for kind, formula in _BY_SIGMA.items():
        expression = expression.replace(kind, formula)
    return expression


_BY_SIGMA: Mapping[type[Expr], Callable[..., Expr]] = {
    GELU: lambda u: u * Phi(u),
    sp.erf: lambda u: 2 * Phi(sp.sqrt(2) * u) - 1,
    sp.tanh: lambda u: 2 * logistic(2 * u) - 1,
}


def _on_own_scale(error: Expr) -> Expr:
    """An error with Φ(x) in it in the place of Φ(ax), a > 0; its size on the line is the same."""
    scales = {part.args[0] / X for part in error.atoms(Phi)}
    scale = scales.pop() if len(scales) == 1 else S.One
    if scale == 1 or not scale.is_positive:
        return error
    return sp.expand(error.xreplace({X: X / scale}))


def _of_one(node: Expr) -> bool:
    return isinstance(node, Binding) and len(node.variables) == 1


def _by_name(values: Mapping[Symbol, Expr]) -> dict[str, Expr]:
    return {symbol.name: value for symbol, value in values.items()}
