"""Whether a statement, as it is printed, is what a certificate encloses.

A certificate encloses a quantity, as the least largest error of a family, the parameter with which
it is attained, or the root of an equation. Which one follows from what was handed to the proof:
the family, the function that is approximated, the norm, the fixed coefficients, the domain. So it
can be written as an object of the kind that statements are read into, and here the two are
compared. Nothing is evaluated: digits that agree by chance do not make two quantities the same.

What may differ is what leaves a quantity as it is. Bound symbols have any name. A parameter that
an equation determines may be eliminated, and a single one may be measured in another unit, as
k = p₃/p₁ for a given p₁. An error and its negative have the same size, and a size that is even has
its supremum on the right half of the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import sympy as sp
from sympy import (
    Abs,
    Basic,
    Derivative,
    Dummy,
    Expr,
    Function,
    Integral,
    Interval,
    LambertW,
    Limit,
    S,
    Subs,
    Symbol,
)
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.deciding import NotProven, are_equal, plain, prove_nonzero
from gelu_lib.derivations.existence import differentiated
from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.notation import DEFINITIONS, Coefficient
from gelu_lib.derivations.quantities import (
    ArgMax,
    ArgMin,
    Binding,
    Chain,
    Claim,
    Component,
    Inference,
    Infimum,
    Supremum,
)
from gelu_lib.derivations.stated import NotStated, is_narrower
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, phi


@dataclass(frozen=True)
class Root:
    """An expression where another one is 0, both in ``X``."""

    equation: Expr
    value: Expr = X


@dataclass(frozen=True)
class Determined:
    """An expression in a number that is determined by what holds of it."""

    value: Expr
    number: Symbol
    conditions: tuple[Chain, ...]


Enclosed = Expr | Root | Determined | tuple[Expr, ...]
"""A quantity, a value at a root or at another number, or the least sizes of one error.

It is what a certificate encloses; a least value is an ``Infimum`` over the parameters.
"""


def check_enclosed(said: Statement, enclosed: Enclosed) -> None:
    """Check that a statement speaks of what a certificate encloses.

    Args:
        said: what a result states.
        enclosed: what the certificate of the result encloses.

    Raises:
        NotStated: if it is another quantity, or the two are not shown to be the same.
    """
    kinds = {Root: _states_root, Determined: _states_determined, tuple: _states_sizes}
    if not kinds.get(type(enclosed), _states_quantity)(said, enclosed):
        shown = enclosed.equation if isinstance(enclosed, Root) else enclosed
        raise NotStated(f"it is not stated of {plain(shown)}")


def with_quantities(said: Statement, quantities: Mapping[str, Expr]) -> Statement:
    """A statement in which names stand for quantities, as those of other results.

    Args:
        said: what a result states.
        quantities: what the names stand for; what certificates enclose, for example.
    """
    named = {said.domains.get(n, Symbol(n, real=True)): found for n, found in quantities.items()}
    claims = (
        replace(claim, sides=tuple(side.xreplace(named) for side in claim.sides))
        if isinstance(claim, Chain)
        else claim
        for claim in said.claims
    )
    return replace(said, claims=tuple(claims))


# ---------------------------------------------------------------------------- what is stated


def _states_quantity(said: Statement, enclosed: Expr) -> bool:
    """Whether a claim says what the quantity is called, or nothing but the quantity.

    Of several extrema or Taylor coefficients that are equal it is enough that one side is it; a
    continued fraction writes the number out, as digits do.
    """
    for claim in said.claims:
        if not isinstance(claim, Chain) or claim.given or not {*claim.signs} <= {"="}:
            continue
        sides = [_declared(side, said) for side in claim.sides if not side.is_Symbol]
        others = [side for side in sides if not same(side, enclosed)]
        if len(others) < len(sides) and all(side.has(*_NAMES) for side in others):
            return True
    return False


_NAMES = (Binding, Coefficient, Function("continued_fraction"))


def _states_sizes(said: Statement, enclosed: tuple[Expr, ...]) -> bool:
    """Whether the sizes of an error that are printed are these, in the same order.

    They are listed, or there is one with a weight of which the assumptions say what it may be.
    """
    weights = [c.sides[1] for c in said.assumed if isinstance(c, Chain) and c.signs == ("∈",)]
    if weights:
        (claim,) = said.claims
        (weight,) = claim.sides[1].atoms(AppliedUndef)
        sizes = [claim.sides[1].xreplace({weight: one}) for one in weights[0]]
        return len(sizes) == len(enclosed) and all(
            any(same(size, other) for size in sizes) for other in enclosed
        )
    listed = [c.sides[0] for c in said.assumed if isinstance(c, Chain) and not c.signs]
    sizes = [size for size in listed if size.has(Supremum, Integral)]
    return len(sizes) == len(enclosed) and all(
        same(Infimum(size, sorted(size.free_symbols, key=str)), other)
        for size, other in zip(sizes, enclosed, strict=True)
    )


def _states_root(said: Statement, enclosed: Root) -> bool:
    """Whether an equation has this root, and the number that is stated is this value there."""
    sides = [_root_of(side) for chain in _chains(said.claims) for side in chain.sides]
    for gap in _equations(said):
        for symbol in sorted(gap.free_symbols, key=str):
            for place in (symbol, -symbol):
                equation, value = (
                    part.xreplace({X: place}) for part in (enclosed.equation, enclosed.value)
                )
                if _vanish_together(gap, equation, symbol, said):
                    return value == symbol or any(same(side, value) for side in sides)
    return False


def _states_determined(said: Statement, enclosed: Determined) -> bool:
    """Whether all that determines a number is assumed of a symbol, and this value is stated."""
    for symbol in said.domains.values():
        there = {enclosed.number: symbol}
        conditions = [
            replace(chain, sides=tuple(side.xreplace(there) for side in chain.sides))
            for chain in enclosed.conditions
        ]
        if _states_quantity(said, enclosed.value.xreplace(there)) and all(
            any(_same_chain(one, other) for one in said.assumed) for other in conditions
        ):
            return True
    return False


def _same_chain(stated: Claim, proved: Chain) -> bool:
    alike = isinstance(stated, Chain) and stated.signs == proved.signs
    return alike and all(map(same, stated.sides, proved.sides))


def _equations(said: Statement) -> Iterator[Expr]:
    """What is 0 by the claims, by the conditions, and by the meaning of Lambert's W."""
    for chain in _chains((*said.claims, *said.assumed)):
        if chain.signs == ("=",):
            yield _root_of(chain.sides[0] - chain.sides[1])
        for value in {w for side in chain.sides for w in side.atoms(LambertW)}:
            yield _W * sp.exp(_W) - value.args[0]


_W = Symbol("W", positive=True)


def _root_of(side: Expr) -> Expr:
    """A side with a symbol for a value of Lambert's W at a positive number."""
    return side.replace(LambertW, lambda value: _W if value.is_positive else LambertW(value))


def _chains(claims: Sequence[Claim]) -> Iterator[Chain]:
    for claim in claims:
        if isinstance(claim, Inference):
            yield from _chains((*claim.premises, *claim.conclusions))
        else:
            yield claim
            yield from claim.given


def _vanish_together(left: Expr, right: Expr, symbol: Symbol, said: Statement) -> bool:
    """Whether one expression is a multiple of another by a factor that has no zero."""
    sign = _sign(symbol, said)
    left, right = (_plain(_carried_out(side).xreplace({symbol: sign})) for side in (left, right))
    if right == 0 or left.free_symbols != right.free_symbols:
        return False
    factor = sp.cancel(sp.together(sp.expand(left) / sp.expand(right)))
    try:
        if not factor.is_nonzero:
            prove_nonzero(factor)
    except NotProven:
        return False
    return are_equal(left, factor * right)


def _sign(symbol: Symbol, said: Statement) -> Symbol:
    """A symbol with the sign that claims and conditions give it."""
    signs = {">": {"positive": True}, "<": {"negative": True}}
    for chain in _chains((*said.claims, *said.assumed)):
        if chain.sides[0] == symbol and chain.sides[1:] == (S.Zero,) and chain.signs[0] in signs:
            return Dummy(**signs[chain.signs[0]])
    return symbol


def _declared(side: Expr, said: Statement) -> Expr:
    """A side in which symbols are what the assumptions say of their names.

    Of the symbols in an equation that is assumed the last one is eliminated.
    """
    side = side.xreplace({Symbol(name, real=True): own for name, own in said.domains.items()})
    for chain in said.assumed:
        if isinstance(chain, Chain) and chain.signs == ("=",):
            gap = chain.sides[0] - chain.sides[1]
            symbols = sorted(gap.free_symbols, key=str)
            if symbols and gap.free_symbols <= side.free_symbols and gap.is_polynomial(*symbols):
                solved = sp.solve(gap, symbols[-1])
                side = side.xreplace({symbols[-1]: solved[0]}) if len(solved) == 1 else side
    return side


# ---------------------------------------------------------------------------- what is the same


def same(stated: Expr, proved: Expr) -> bool:
    """Whether two quantities are proved to be the same."""
    named: list[tuple[Expr, Dummy]] = []

    def new(operator: Expr) -> Expr:
        named.append((operator, Dummy(real=True)))
        return named[-1][1]

    def known(operator: Expr) -> Expr:
        for other, symbol in named:
            if (factor := _factor(other, operator)) is not None:
                return factor * symbol
        return Dummy(real=True)

    left, right = (_carried_out(side).replace(Abs, Size) for side in (stated, proved))
    return _equal(_outside(left, new), _outside(right, known))


class Size(Function):
    """What stands between bars; SymPy would look for the sign of an ``Abs`` at every change."""

    nargs = 1

    def _eval_is_extended_real(self) -> bool:
        return True


def _outside(expression: Expr, name: Callable[[Expr], Expr]) -> Expr:
    """An expression with a symbol in place of each extremum, each place of one, and each limit."""
    if isinstance(expression, Binding | Component | Limit):
        return name(expression)
    if not expression.args:
        return expression
    return expression.func(*(_outside(part, name) for part in expression.args))


def _factor(stated: Expr, proved: Expr) -> Expr | None:
    """By which factor the second of two operators is the first; ``None`` if it is not."""
    stated, proved = map(_alone, (stated, proved))
    if type(stated) is not type(proved):
        return None
    if isinstance(stated, Component):
        names = [str(place.args[1]) for place in (stated, proved)]
        return None if names[0] != names[1] else _factor(stated.args[0], proved.args[0])
    if isinstance(stated, Limit):
        return S.One if _same_limit(stated, proved) else None
    if stated.body.has(Binding, Integral):
        return _factor_of_best(_eliminated(stated), proved)
    return S.One if _same_extremum(stated, proved) else None


def _same_limit(stated: Limit, proved: Limit) -> bool:
    (body, t, *place), (other, u, *there) = stated.args, proved.args
    return place == there and same(body, other.xreplace({u: t}))


def _alone(place: Expr) -> Expr:
    """The only coordinate of a place is the place."""
    alone = isinstance(place, Component) and len(place.args[0].variables) == 1
    return place.args[0] if alone else place


def _eliminated(best: Binding) -> Binding:
    """An extremum over parameters, of which each equation determines the first."""
    conditions = list(sp.And.make_args(best.domain))
    body, variables = best.body, list(best.variables)
    for equation in [c for c in conditions if isinstance(c, sp.Equality)]:
        first = next((v for v in variables if v in equation.free_symbols), None)
        solved = [] if first is None else sp.solve(equation.lhs - equation.rhs, first)
        if len(solved) == 1:
            conditions.remove(equation)
            variables.remove(first)
            body = body.xreplace({first: solved[0]})
            conditions = [c.xreplace({first: solved[0]}) for c in conditions]
    return best.func(body, variables, sp.And(*conditions))


def _factor_of_best(stated: Binding, proved: Binding) -> Expr | None:
    """The factor of a least value, which is 1, or that of the parameter that attains it."""
    pairs = _paired(stated.variables, proved.variables)
    if pairs is None or not all(is_narrower(own, other) for other, own in pairs.items()):
        return None
    units = [S.One]
    if len(pairs) == 1:
        ((other, own),) = pairs.items()
        units = _units((stated.body, own), (proved.body, other))
    for unit in units:
        there = {other: unit * own for other, own in pairs.items()}
        body, domain = proved.body.xreplace(there), proved.domain.xreplace(there)
        if _same_conditions(stated.domain, domain) and _same_measure(stated.body, body):
            return unit if isinstance(stated, ArgMin | ArgMax) else S.One
    return None


def _paired(stated: Sequence[Symbol], proved: Sequence[Symbol]) -> dict[Symbol, Symbol] | None:
    """Which parameter is which: by name, if there are several."""
    if len(stated) == len(proved) == 1:
        return {proved[0]: stated[0]}
    by_name = {str(symbol): symbol for symbol in stated}
    if set(by_name) != set(map(str, proved)):
        return None
    return {symbol: by_name[str(symbol)] for symbol in proved}


def _units(stated: tuple[Expr, Symbol], proved: tuple[Expr, Symbol]) -> list[Expr]:
    """In which units one parameter may be another; whether it is so is shown afterwards.

    If p is m·q, the derivatives by q and by p at 0 have the quotient m, at x = 1 as anywhere.
    """
    if not all(body.has(Supremum, Integral) for body, _ in (stated, proved)):
        return [S.One]
    slopes = [_slope(*stated), _slope(*proved)]
    unit = sp.cancel(sp.together(slopes[0] / slopes[1])) if slopes[1] != 0 else S.Zero
    return [unit, -unit] if unit.is_real and unit.is_nonzero else [S.One]


def _slope(body: Expr, parameter: Symbol) -> Expr:
    """How a parameter enters: by its first place in an argument of a function, or linearly."""
    inner = max(body.atoms(Supremum, Integral), key=sp.count_ops)
    signed = _plain(inner.args[0].replace(Size, lambda part: part))
    arguments = (
        part.args[0] for part in sp.preorder_traversal(signed) if isinstance(part, sp.tanh)
    )
    enters = next((u for u in arguments if parameter in u.free_symbols), signed)
    return sp.diff(enters, parameter).xreplace({parameter: S.Zero, inner.args[1][0]: S.One})


def _same_conditions(stated: Basic, proved: Basic) -> bool:
    left, right = (
        [c for c in sp.And.make_args(domain) if c != sp.true] for domain in (stated, proved)
    )
    return len(left) == len(right) and all(
        type(one) is type(other) and same(one.lhs - one.rhs, other.lhs - other.rhs)
        for one, other in zip(left, right, strict=True)
    )


def _same_measure(stated: Expr, proved: Expr) -> bool:
    """Whether two sizes of an error are the same: suprema, integrals, or roots of integrals."""
    if isinstance(stated, sp.Pow) and isinstance(proved, sp.Pow):
        return stated.exp == proved.exp and _same_measure(stated.base, proved.base)
    if isinstance(stated, Integral) and isinstance(proved, Integral):
        (x, *ends), (y, *others) = stated.limits[0], proved.limits[0]
        return ends == others and _same_size(stated.function, proved.function.xreplace({y: x}))
    both = isinstance(stated, Supremum) and isinstance(proved, Supremum)
    return both and _same_extremum(stated, proved)


def _same_extremum(stated: Binding, proved: Binding) -> bool:
    """Whether two extrema of functions of one variable are the same."""
    if len(stated.variables) != 1 or len(proved.variables) != 1:
        return False
    (x,), (y,) = stated.variables, proved.variables
    if (x.is_integer, x.is_extended_real) != (y.is_integer, y.is_extended_real):
        return False
    proved = proved.xreplace({y: x})
    implicit = _implicit(stated)
    if not _same_conditions(implicit, _implicit(proved)):
        return False
    regions = [_region(part) for part in (stated, proved)]
    free = implicit == sp.true and not x.is_integer
    if regions[0] != regions[1] and free and isinstance(stated, Supremum | Infimum):
        regions = [_half(*one) for one in zip((stated, proved), regions, strict=True)]
    if regions[0] != regions[1]:
        return False
    if x.is_integer or not x.is_extended_real:
        return _same_size(stated.body, proved.body)
    right = isinstance(regions[0], sp.Set) and regions[0].inf.is_nonnegative
    place = Dummy(positive=True) if right else Dummy(real=True)
    return _same_size(*(_at(part, place) for part in (stated, proved)))


def _at(part: Binding, place: Expr) -> Expr:
    """The body of an extremum at a place."""
    return part.body.xreplace({part.variables[0]: place})


def _implicit(part: Binding) -> Basic:
    """Of the conditions of an extremum the equations, and what is said of other extrema."""
    conditions = sp.And.make_args(part.domain)
    return sp.And(*(c for c in conditions if isinstance(c, sp.Equality) or c.has(Binding)))


def _region(part: Binding) -> object:
    """Where an extremum is taken by the other conditions, as a set of numbers, or a grid."""
    if isinstance(part.domain, sp.Contains):
        return _grid(part.domain.args[1])
    implicit = sp.And.make_args(_implicit(part))
    conditions = [c for c in sp.And.make_args(part.domain) if c not in implicit]
    bounds = sp.And(*(c.func(*c.args) for c in conditions))  # n ≥ 1 says nothing of n = 1, 2, …
    return S.Reals if bounds == sp.true else bounds.replace(Size, Abs).as_set()


def _half(part: Binding, region: object) -> object:
    """Where the extremum of a continuous function is the same; of an even one, on the right."""
    if not isinstance(region, sp.Set):
        return region
    region, place = region.closure, Dummy(positive=True)
    if region.inf == -region.sup and _same_size(_at(part, place), _at(part, -place)):
        return sp.Intersection(region, Interval(0, sp.oo))
    return region


def _grid(among: sp.Set) -> object:
    """A set of numbers at equal distances, without the name of its index."""
    if not isinstance(among, sp.ImageSet):
        return among
    index, step = among.lamda.variables[0], among.lamda.expr
    return step.xreplace({index: Symbol("i", integer=True)}), among.base_set


def _same_size(stated: Expr, proved: Expr) -> bool:
    """Whether two functions are the same, or have the same size if the size of both is taken."""
    (weight, left), (other, right) = map(_signed, (stated, proved))
    if left is None or right is None:
        return left is right and _equal(stated, proved)
    if weight.is_positive and other.is_positive:
        left, right = weight * left, other * right
    elif not _equal(weight, other):
        return False
    return _equal(left, right) or _equal(left, -right)


def _signed(size: Expr) -> tuple[Expr, Expr | None]:
    """A weight, and what stands between bars behind it; ``None`` if there are no bars."""
    factors = sp.Mul.make_args(size)
    bars = [factor.args[0] for factor in factors if isinstance(factor, Size)]
    weight = sp.Mul(*(factor for factor in factors if not isinstance(factor, Size)))
    return weight, sp.Mul(*bars) if bars else None


def _equal(stated: Expr, proved: Expr) -> bool:
    """Whether two expressions without extrema are equal."""
    left, right = map(_plain, (stated, proved))
    if left == right or _differ(left, right):
        return left == right
    if left.has(sp.tanh) != right.has(sp.tanh):
        left, right = (side.replace(sp.tanh, DEFINITIONS[sp.tanh]) for side in (left, right))
    return are_equal(left, right)


def _differ(left: Expr, right: Expr) -> bool:
    """Whether two expressions have clearly different values at one point, which is quickly seen."""
    if left.has(sp.Sum) or right.has(sp.Sum):
        return False
    parts = {p for side in (left, right) for p in sp.preorder_traversal(side) if _is_open(p)}
    ordered = sorted(parts, key=sp.default_sort_key)
    at = {part: sp.Rational(2 * i + 5, 3 * i + 17) for i, part in enumerate(ordered)}
    one, other = (side.xreplace(at).evalf(20) for side in (left, right))
    return one.is_Float and other.is_Float and abs(one - other) > 1e-9 * (abs(one) + abs(other))


def _is_open(part: Basic) -> bool:
    """Whether a part stands for a number that is not written out."""
    return isinstance(part, Symbol | Coefficient | AppliedUndef)


def _plain(expression: Expr) -> Expr:
    """An expression by erf, tanh and exp alone, so that what is equal is found equal."""
    for kind, formula in _PLAIN.items():
        expression = expression.replace(kind, formula)
    return expression


def _size_of_line(line: Expr) -> Expr:
    """The size of ax + b as a multiple of that of x + b/a, so that equal ones are found equal."""
    line = sp.expand(line)
    slopes = [line.coeff(x) for x in sorted(line.free_symbols, key=str)]
    slope = next((slope for slope in slopes if slope != 0), S.One)
    return Abs(slope) * Abs(sp.expand(line / slope))


_PLAIN: Mapping[type[Expr], Callable[[Expr], Expr]] = {
    Size: Abs,
    GELU: DEFINITIONS[GELU],
    phi: DEFINITIONS[phi],
    sp.erfc: lambda u: 1 - sp.erf(u),
    Phi: lambda u: (1 + sp.erf(u / sp.sqrt(2))) / 2,
    logistic: lambda u: (1 + sp.tanh(u / 2)) / 2,
    sp.coth: lambda u: 1 / sp.tanh(u),
    sp.Max: lambda u, v: (u + v + _size_of_line(u - v)) / 2,
    sp.Min: lambda u, v: (u + v - _size_of_line(u - v)) / 2,
}


def _carried_out(expression: Basic) -> Basic:
    """An expression in which the derivatives are carried out, and nothing else."""
    if isinstance(expression, Derivative | Subs):
        return differentiated(expression)
    if not expression.args or not expression.has(Derivative, Subs):
        return expression
    return expression.func(*map(_carried_out, expression.args))
