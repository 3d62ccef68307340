"""Points at which a statement is tried: seeded numbers that satisfy what is assumed.

A symbol gets a random number of its kind. A family, such as the coefficients cₖ, gets one for each
subscript that occurs. An equation among the assumptions, such as κ = coth κ, determines the last
symbol in it that they declare; further equations and inequalities are conditions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import sympy as sp
from flint import acb, arb
from quantities_values import NoValue, Values, ball, exact, is_finite_sum, terms, value
from roots import roots
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import Chain, Inference, Proposition
from gelu_lib.register import Result, results

POINTS = 6
INFERRED = 32
"""At how many points a claim is tried; one that infers at more, since it may hold on both sides."""
DRAWN = 400
NEAR = tuple(map(sp.Rational, ("1/2", "63/64", "1", "65/64", "2")))
"""By which factors points are near a threshold."""
CLOSE = (1 - sp.Rational(1, 2**20), 1 + sp.Rational(1, 2**20))
"""And of what holds on one side of it alone, where a constant may be wrong in its last digit."""
SEED = 44715
DOTS = sp.Function("dots")()


class Untried(Exception):
    """A claim of which nothing can be compared."""


def enclosed(ends: tuple[str, str]) -> arb:
    return arb(ends[0]).union(arb(ends[1]))


def own_value(entry: Result) -> arb | None:
    if entry.enclosure:
        return enclosed(entry.enclosure)
    return own_value(results()[entry.of]) if entry.of else None


def registered(text: str) -> arb:
    """A proved number of the register, behind a colon one of several; or an ordinary one."""
    if not text[0].isalpha():
        return arb(text)
    id, _, name = text.partition(": ")
    entry = results()[id]
    found = enclosed(entry.enclosures[name]) if name else own_value(entry)
    if found is None:
        raise Untried(f"{id} has no proved number")
    return found


@dataclass
class Point:
    """Numbers of symbols and of members of families.

    Attributes:
        values: balls by symbol; a member of a family is one when it has occurred.
        rng: draws the members that occur.
    """

    values: dict[Symbol, arb | acb]
    rng: random.Random

    def explicit(self, claim: Proposition) -> Proposition:
        """A claim with every finite sum written out and every member of a family a number."""
        if isinstance(claim, Inference):
            premises, conclusions = (
                tuple(map(self.explicit, chains)) for chains in (claim.premises, claim.conclusions)
            )
            return Inference(premises, claim.sign, conclusions)
        chain, members = _named(claim, self.integers())
        for member in members:
            self.member(member)
        return replace(chain, given=tuple(map(self.explicit, claim.given)))

    def written(self, chain: Chain) -> Chain:
        """A chain with its sums written out, and what dots stand for."""
        return _written(chain, self.integers())

    def integers(self) -> tuple[tuple[Symbol, sp.Rational], ...]:
        """The symbols that stand for integers, with these."""
        return tuple(whole(self.values).items())

    def member(self, member: AppliedUndef) -> Symbol:
        """The symbol that stands for a member of a family; it gets a number if it has none."""
        symbol = _symbol(member)
        if symbol not in self.values:
            self.values[symbol] = draw(member, self.rng)
        return symbol


def points(
    claim: Proposition, said: Statement, known: Values, holds: Callable[[Chain, Values], bool]
) -> Iterator[Point]:
    """Points for a claim, at which its conditions and what is assumed hold.

    Args:
        claim: what is tried.
        said: the statement that it belongs to.
        known: numbers that are given.
        holds: whether a condition holds at values.

    Raises:
        Untried: if no point is found.
    """
    given = claim.given if isinstance(claim, Chain) else ()
    equations, conditions = _sorted(said, known)
    symbols = _needed(free(claim), equations) - set(known)
    names = families(claim)
    conditions = [c for c in conditions if _concerns(c, symbols, known, names)]
    of_members = [c for c in conditions if c.signs == ("=",) and families(c)]
    drawn = sorted(symbols - set(equations), key=str)
    solved = [(s, equation) for s, equation in equations.items() if s in symbols]
    rng = random.Random(SEED)
    kept, enough = 0, INFERRED if isinstance(claim, Inference) else POINTS
    for _ in range(DRAWN):
        point = Point({**known, **{s: draw(s, rng) for s in drawn}}, rng)
        if not all(_solve(point, symbol, equation) for symbol, equation in solved):
            continue
        for chain in of_members:
            _solve_member(point, chain)
        if all(holds(point.explicit(c), point.values) for c in (*conditions, *given)):
            kept += 1
            yield point
            if kept == enough or not (drawn or names):
                break
    if not kept:
        raise Untried("no point satisfies the assumptions")
    used = set().union(*(free(equation) - {s} for s, equation in solved))
    comparisons = [*_comparisons(claim), *(c for c in conditions if set(c.signs) & _UNEQUAL)]
    near_to = [s for s in drawn if s not in used]
    others = free(claim).union(*map(free, comparisons)) - set(near_to)
    factors = (*NEAR, *CLOSE) if isinstance(claim, Inference) else NEAR
    for near in _at_thresholds(point, comparisons, near_to, others, factors):
        if all(holds(near.explicit(c), near.values) for c in (*conditions, *given)):
            yield near


_UNEQUAL = {"<", ">", "≤", "≥", "≠"}


def _at_thresholds(
    point: Point,
    comparisons: list[Chain],
    drawn: list[Symbol],
    named: set[Symbol],
    factors: tuple[sp.Rational, ...],
) -> Iterator[Point]:
    """Points at which a symbol is at, near or opposite a side of a comparison without it.

    An inequality, or one thing that holds exactly where another does, is true or false on either
    side of such a number, or of another symbol's, which random points seldom meet.
    """
    chains = [point.explicit(chain) for chain in comparisons]
    sides = [s for chain in chains for s in chain.sides if isinstance(s, Expr) and not s.has(DOTS)]
    fixed = [side for side in sides if not (drawn and side.has(*drawn))]
    others = sorted((s for s in named if not s.is_integer), key=str)
    for symbol in (s for s in drawn if not s.is_integer):
        ends = [end for chain in chains for end in _ends_of(chain, symbol)]
        for threshold in dict.fromkeys([*fixed, *ends, *others]):
            try:
                end = value(threshold, point.values)
            except NoValue:
                continue
            if not isinstance(end, arb) or not end.is_finite() or end.contains(0):
                continue
            for factor in factors:
                for place in (end * ball(factor), -end * ball(factor)):
                    if not (symbol.is_nonnegative and place < 0):
                        values = {**point.values, symbol: place}
                        yield Point(values, point.rng)


def _ends_of(chain: Chain, symbol: Symbol) -> Iterator[Expr]:
    """Where a symbol, or its size, is what a chain compares a multiple of it with."""
    for pair in pairwise(chain.sides):
        for one, other in (pair, pair[::-1]):
            factor = (one.args[0] if isinstance(one, sp.Abs) else one) / symbol
            if symbol not in factor.free_symbols | other.free_symbols and factor != 0:
                yield other / factor


def _comparisons(claim: Proposition) -> Iterator[Chain]:
    """The chains of a claim, with its conditions, if it is more than an equation."""
    if isinstance(claim, Inference):
        yield from (*claim.premises, *claim.conclusions)
    elif set(claim.signs) & _UNEQUAL:
        yield from (claim, *claim.given)


def free(claim: Proposition) -> set[Symbol]:
    """The symbols of a claim that no operator binds."""
    if isinstance(claim, Inference):
        return set().union(*(free(chain) for chain in (*claim.premises, *claim.conclusions)))
    own = set().union(*(side.free_symbols for side in claim.sides if isinstance(side, sp.Basic)))
    return own.union(*map(free, claim.given)) if isinstance(claim, Chain) else own


def families(claim: Proposition) -> set[str]:
    """The names of the families in a claim."""
    if isinstance(claim, Inference):
        return set().union(*map(families, (*claim.premises, *claim.conclusions)))
    members = set().union(*(side.atoms(AppliedUndef) for side in claim.sides))
    named = {m.func.__name__ for m in members if len(m.args) == 1 and m.args[0].is_integer}
    return named.union(*map(families, claim.given))


def whole(values: Values) -> dict[Symbol, sp.Rational]:
    """The symbols that stand for integers, with these."""
    return {s: exact(v) for s, v in values.items() if isinstance(s, Symbol) and s.is_integer}


def draw(symbol: Expr, rng: random.Random) -> arb:
    """A number of a symbol's kind, which a ball holds exactly."""
    if symbol.is_integer:
        least = 1 if symbol.is_positive else 0 if symbol.is_nonnegative else -3
        return arb(rng.randint(least, 6))
    size = sp.Rational(rng.randint(1, 512), 128)
    negative = symbol.is_negative or (not symbol.is_nonnegative and rng.random() < 0.5)
    return ball(-size if negative else size)


# ---------------------------------------------------------------------------- sums and families


@lru_cache(maxsize=1024)
def _written(chain: Chain, integers: tuple[tuple[Symbol, sp.Rational], ...]) -> Chain:
    known = dict(integers)
    sides = tuple(s.xreplace(known).replace(is_finite_sum, terms) for s in chain.sides)
    return filled(replace(chain, sides=sides))


@lru_cache(maxsize=1024)
def _named(
    chain: Chain, integers: tuple[tuple[Symbol, sp.Rational], ...]
) -> tuple[Chain, tuple[AppliedUndef, ...]]:
    """A chain that is written out, with a symbol for each member of a family, and these members."""
    chain = _written(chain, integers)
    parts = (part for side in chain.sides for part in sp.preorder_traversal(side))
    members = tuple(dict.fromkeys(part for part in parts if _member(part)))
    names = {member: _symbol(member) for member in members}
    return replace(chain, sides=tuple(side.xreplace(names) for side in chain.sides)), members


def _member(part: Expr) -> bool:
    return isinstance(part, AppliedUndef) and len(part.args) == 1 and part.args[0].is_Integer


def _symbol(member: AppliedUndef) -> Symbol:
    return Symbol(f"{member.func.__name__}_{member.args[0]}", real=True)


def filled(chain: Chain) -> Chain:
    """Write out what dots in a chain stand for: b₁ < b₂ < ⋯ < bₙ, also where n is 1."""
    if DOTS not in chain.sides:
        return chain
    at = chain.sides.index(DOTS)
    before, after = chain.sides[at - 1], chain.sides[at + 1]
    if len(set(chain.signs)) != 1 or not (_member(before) and _member(after)):
        raise Untried("dots that do not stand for members of a family")
    last = after.args[0]
    head = [s for s in chain.sides[:at] if not _member(s) or s.args[0] <= last]
    rest = [after.func(n) for n in sp.Range(before.args[0] + 1, last + 1)]
    sides = (*head, *rest, *chain.sides[at + 2 :])
    return replace(chain, sides=sides, signs=chain.signs[:1] * (len(sides) - 1))


# ---------------------------------------------------------------------------- equations


def _sorted(said: Statement, known: Values) -> tuple[dict[Symbol, Chain], list[Chain]]:
    """The equations that determine a symbol, by this symbol, and the other assumptions."""
    declared = [s for s in said.domains.values() if not s.is_integer and s not in known]
    equations: dict[Symbol, Chain] = {}
    others = []
    for chain in said.assumed:
        if isinstance(chain, Inference):
            continue
        identity = chain.signs != ("=",) or chain.sides[0] == chain.sides[1]
        found = [] if identity else [s for s in declared if s in free(chain)]
        if found and found[-1] not in equations:
            equations[found[-1]] = chain
        else:
            others.append(chain)
    return equations, others


def _needed(symbols: set[Symbol], equations: Mapping[Symbol, Chain]) -> set[Symbol]:
    """Symbols, and those on which they depend by equations."""
    found = set(symbols)
    for symbol in reversed(equations):
        if symbol in found:
            found |= free(equations[symbol])
    return found


def _solve(point: Point, symbol: Symbol, chain: Chain) -> bool:
    """Give a symbol one of the values that an equation allows; whether there is one."""
    left, right = point.explicit(chain).sides
    found = roots(left - right, symbol, point.values)
    if found:
        point.values[symbol] = point.rng.choice(found)
    return bool(found)


def _solve_member(point: Point, chain: Chain) -> None:
    """Give the last member of a family in an equation, linear in it, its value."""
    left, right = point.written(chain).sides
    equation = left - right
    *others, last = sorted(filter(_member, equation.atoms(AppliedUndef)), key=lambda m: m.args[0])
    for member in others:
        point.member(member)
    (point.values[_symbol(last)],) = roots(
        equation.replace(_member, _symbol), _symbol(last), point.values
    )


def _concerns(chain: Chain, symbols: set[Symbol], known: Values, names: set[str]) -> bool:
    """Whether a condition speaks of what a claim speaks of, and of nothing else."""
    own, about = free(chain), families(chain)
    return own <= symbols | set(known) and about <= names and bool(own & symbols or about)
