"""Whether a statement, as it is printed, is what a derivation proved.

A derivation proves equations and inequalities between expressions, step by step. A statement's
claims are read from its TeX. Each claim must follow from the proved steps by putting them together:
its two sides are expressions of the derivation, up to equality that is proved, and the way from
one to the other has the relation that is claimed. Nothing is sampled here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from sympy import Abs, Basic, Expr, Limit, S, Symbol, oo
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.chain import Derivation
from gelu_lib.derivations.deciding import are_equal, plain
from gelu_lib.derivations.existence import differentiated
from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.notation import NONNEGATIVE
from gelu_lib.derivations.quantities import Chain, Inference
from gelu_lib.derivations.rules import Definition, Inequality, Rule
from gelu_lib.functions.expressions import GELU

_OPPOSITE = {"<": ">", ">": "<"}

Relations = frozenset[tuple[Expr, Expr]]
"""Strict inequalities between two expressions, the smaller one first, that are assumed."""


class NotStated(ValueError):
    """A claim of a statement is not what the derivation proved; the message shows it."""


def check_stated(said: Statement, proved: Derivation) -> None:
    """Check that every claim of a statement is proved by a derivation.

    Args:
        said: what a result states.
        proved: the derivation of the result.

    Raises:
        NotStated: if a claim is not proved, or is made for more values of a symbol than it is
            proved for.
    """
    known = _Proved(proved)
    always = [_named(chain) for chain in said.assumed if isinstance(chain, Chain)]
    equations = {c.sides[0]: c.sides[1] for c in always if c.signs == ("=",)}
    claims = [
        replace(chain, sides=tuple(side.xreplace(equations) for side in chain.sides))
        for claim in said.claims
        for chain in (_parts(claim) if isinstance(claim, Inference) else [_named(claim)])
    ]
    for symbols in _cases(claims, proved):
        for claim in claims:
            conditions = [*always, *map(_named, claim.given)]
            for left, sign, right in _pairs(claim, conditions):
                sides = [unfolded(side.xreplace(symbols)) for side in (left, right)]
                for assumed in _alternatives(conditions, symbols):
                    if not known.relates(*sides, sign, assumed):
                        shown = f"{plain(left)} {sign} {plain(right)}"
                        raise NotStated(f"{shown} is not what {proved.id} proves")


def unfolded(expression: Expr) -> Expr:
    """An expression with the book's own functions unfolded and its derivatives carried out."""
    inner = Definition((*NONNEGATIVE, GELU)).rewrite(expression)
    return differentiated(inner)


def _named(chain: Chain) -> Chain:
    """A chain in which a member of a family, as pⱼ, is a symbol."""

    def named(side: Basic) -> Basic:
        members = {
            part: Symbol(f"{part.func.__name__}{part.args[0]}", real=True)
            for part in side.atoms(AppliedUndef)
            if all(argument.is_Symbol for argument in part.args)
        }
        return side.xreplace(members)

    return replace(chain, sides=tuple(map(named, chain.sides)))


def _parts(claim: Inference) -> list[Chain]:
    """What "f > g ⇔ |x| < a" says in three parts: inside, outside and between.

    Inside f > g holds and outside f < g; where |x| = a the two are equal.
    """
    (premise,), (region,) = claim.premises, claim.conclusions
    (left, right), (size, end) = premise.sides, region.sides
    if claim.sign != "⇔" or premise.signs[0] not in _OPPOSITE or region.signs[0] not in _OPPOSITE:
        raise NotStated(f"{claim} is no equivalence of strict inequalities")
    if not isinstance(size, Abs):
        raise NotStated(f"{claim} has no region of the form |x| < a")
    outside = Chain(region.sides, (_OPPOSITE[region.signs[0]],))
    ends = [
        Chain(
            tuple(differentiated(side).xreplace({size.args[0]: x}) for side in premise.sides),
            ("=",),
        )
        for x in (end, -end)
    ]
    return [
        replace(premise, given=(region,)),
        Chain((left, right), (_OPPOSITE[premise.signs[0]],), (outside,)),
        *ends,
    ]


def _cases(claims: Sequence[Chain], proved: Derivation) -> list[dict[Symbol, Expr]]:
    """The derivation's symbol for each free one of the statement, by name.

    For a symbol that is stated to be nonnegative and proved for positive numbers, 0 is a case of
    its own.
    """
    known = {
        _name(s): s for part in proved.parts for e in _expressions(part) for s in e.free_symbols
    }
    cases: list[dict[Symbol, Expr]] = [{}]
    for symbol in {s for claim in claims for side in claim.sides for s in side.free_symbols}:
        own = known.get(_name(symbol))
        if own is None:
            raise NotStated(f"{proved.id} has no symbol {symbol}")
        values = [own]
        if not is_narrower(symbol, own):
            if not (symbol.is_nonnegative and own.is_positive):
                raise NotStated(f"{proved.id} assumes more of {symbol} than is stated")
            values.append(S.Zero)
        cases = [{**case, symbol: value} for case in cases for value in values]
    return cases


def is_narrower(symbol: Symbol, than: Symbol) -> bool:
    """Whether a symbol is assumed to be everything that another one is."""
    assumed = symbol.assumptions0
    return all(assumed.get(kind) == true for kind, true in than.assumptions0.items())


def _name(symbol: Symbol) -> str:
    return symbol.name.replace("_", "")


def _pairs(claim: Chain, conditions: Sequence[Chain]) -> Iterator[tuple[Expr, str, Expr]]:
    """Neighbours in a chain with their relation; what tends to a number does so as assumed."""
    for (left, right), sign in zip(pairwise(claim.sides), claim.signs, strict=True):
        if sign != "→":
            yield left, sign, right
            continue
        ((variable, point),) = (c.sides for c in conditions if c.signs == ("→",))
        yield Limit(left, variable, point, "-" if point == oo else "+"), "=", right


def _alternatives(conditions: Sequence[Chain], symbols: dict[Symbol, Symbol]) -> list[Relations]:
    """What is assumed, as strict inequalities; one set for each side of |x| > a."""
    found: list[set[tuple[Expr, Expr]]] = [set()]
    for chain in conditions:
        for (left, right), sign in zip(pairwise(chain.sides), chain.signs, strict=True):
            if sign not in ("<", ">"):
                continue
            ends = [side.xreplace(symbols) for side in (left, right)]
            small, large = ends if sign == "<" else ends[::-1]
            if isinstance(small, Abs):
                found = [one | {(small.args[0], large), (-large, small.args[0])} for one in found]
            elif isinstance(large, Abs):
                x = large.args[0]
                found = [one | {way} for one in found for way in ((small, x), (x, -small))]
            else:
                found = [one | {(small, large)} for one in found]
    return [frozenset(one) for one in found]


@dataclass(frozen=True)
class _Link:
    """Two expressions of a derivation, how the first stands to the second, and where."""

    left: int
    right: int
    sign: str
    needs: Relations


def _expressions(part: Derivation) -> list[Expr]:
    return [part.start, *(step.expression for step in part.steps)]


class _Proved:
    """The expressions of a derivation and how they are proved to stand to each other."""

    def __init__(self, proved: Derivation) -> None:
        self.nodes: list[Expr] = []
        self.links: list[_Link] = []
        for part in proved.parts:
            places = [self._place(unfolded(expression)) for expression in _expressions(part)]
            for (left, right), step in zip(pairwise(places), part.steps, strict=True):
                self._link(left, right, step.relation, _where(step.rule))

    def _place(self, expression: Expr) -> int:
        """The number of an expression; equal ones have the same."""
        for place, node in enumerate(self.nodes):
            if _same(node, expression):
                return place
        self.nodes.append(expression)
        return len(self.nodes) - 1

    def _link(self, left: int, right: int, sign: str, needs: Relations) -> None:
        self.links.append(_Link(left, right, sign, needs))
        self.links.append(_Link(right, left, _OPPOSITE.get(sign, sign), needs))

    def relates(self, left: Expr, right: Expr, sign: str, assumed: Relations) -> bool:
        """Whether steps lead from one side to the other with this relation."""
        if sign == "=" and _same(left, right):
            return True
        starts = [place for place, node in enumerate(self.nodes) if _same(node, left)]
        ends = {place for place, node in enumerate(self.nodes) if _same(node, right)}
        reached, waiting = set(), [(place, "=") for place in starts]
        while waiting:
            place, so_far = waiting.pop()
            if (place, so_far) in reached:
                continue
            reached.add((place, so_far))
            if place in ends and so_far == sign:
                return True
            for link in self.links:
                together = _composed(so_far, link.sign)
                if link.left == place and together and link.needs <= assumed:
                    waiting.append((link.right, together))
        return False


def _composed(first: str, second: str) -> str:
    """The relation of a to c, if a stands to b and b to c in these; empty if nothing follows."""
    if first == "=" or first == second:
        return second
    return first if second == "=" else ""


def _where(rule: Rule) -> Relations:
    """The inequalities under which a step holds."""
    if not isinstance(rule, Inequality) or rule.symbol is None:
        return frozenset()
    lower, upper = rule.interval.args[:2]
    ends = [] if lower == -oo else [(lower, rule.symbol)]
    return frozenset(ends if upper == oo else [*ends, (rule.symbol, upper)])


@lru_cache(maxsize=4096)
def _same(left: Expr, right: Expr) -> bool:
    if left == right:
        return True
    if isinstance(left, Limit) or isinstance(right, Limit):
        return _same_limit(left, right)
    return are_equal(left, right)


def _same_limit(left: Expr, right: Expr) -> bool:
    """Limits at one place are the same if their bodies are."""
    if not (isinstance(left, Limit) and isinstance(right, Limit)) or left.args[2] != right.args[2]:
        return False
    here = right.args[0].xreplace({right.args[1]: left.args[1]})
    return are_equal(left.args[0], here)
