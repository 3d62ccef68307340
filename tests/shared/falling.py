"""The conditions of a bound on a tail hold exactly where the parts of the bound fall.

Such a bound is the larger of two parts at the beginning b of the tail, one for Φ and one for a
form: each may stand for the whole tail because it falls. The condition on the form is an infimum
over t ≥ b, and what stands in it must be 0 for t = b where the slope of the form's part is; that
on b alone belongs to the other parts. At random forms and beginnings the signs are compared, so
that a condition that asks for too little is noticed, and one that asks for too much as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import sympy as sp
from flint import arb
from named_trials import Wrong
from points import SEED, Point
from quantities_values import differentiated, value
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import Chain, Infimum

FORMS = 150
BEGINNINGS = [arb(n) / 16 for n in range(1, 49)]


def tried(said: Statement) -> int:
    """Try the conditions of every bound of a statement; how many comparisons were made.

    Raises:
        Wrong: if a condition is another one, or is no infimum from the beginning on.
    """
    beginning = said.domains["b"]
    of_phi = []
    for claim in said.claims:
        parts = list(_parts(claim))
        (form,) = (part for part in parts if part.atoms(AppliedUndef))
        (phi,) = (part for part in parts if part != form)
        _compare(_gap(claim.given[-1], beginning), sp.diff(form, beginning), beginning, said)
        of_phi.append((phi, claim.given))
    _compare_beginnings(of_phi, beginning)
    return len(of_phi) * (FORMS + len(BEGINNINGS))


def _parts(claim: Chain) -> Iterator[Expr]:
    """The two parts of which a bound is the larger one."""
    bound = claim.sides[1]
    (larger,) = bound.atoms(sp.Max)
    yield from ((bound / larger) * part for part in larger.args)


def _gap(condition: Chain, beginning: Symbol) -> Expr:
    """By how much a condition holds at the beginning, which is the least that is asked for."""
    infimum, least = condition.sides
    if not isinstance(infimum, Infimum) or condition.signs != ("≥",):
        raise Wrong(f"it is not asked that an infimum is at least something: {condition}")
    (t,) = infimum.variables
    for place in (-4, 3, 4, 5, 8):
        if bool(infimum.domain.xreplace({t: sp.Integer(place), beginning: sp.Integer(4)})) != (
            place >= 4
        ):
            raise Wrong(f"the infimum is not taken from {beginning} on: {infimum.domain}")
    return infimum.body.xreplace({t: beginning}) - least


def _compare(gap: Expr, slope: Expr, beginning: Symbol, said: Statement) -> None:
    """A condition holds at the beginning where a part falls there, and fails where it rises."""
    rng, signs = random.Random(SEED), set()
    chain = Chain((gap, differentiated(slope)), ("=",))
    for _ in range(FORMS):
        at = {beginning: arb(rng.randint(16, 80)) / 32, said.domains["m"]: arb(rng.randint(0, 2))}
        terms = {
            Symbol(f"p_{j}", real=True): arb(rng.uniform(-2, 2)) / at[beginning] ** (2 * j + 1)
            for j in range(8)
        }
        point = Point(at | terms, rng)
        held, falls = (value(side, point.values) for side in point.explicit(chain).sides)
        if not held * falls < 0:
            raise Wrong(f"{held.str(8)} where the slope is {falls.str(8)}: {gap}")
        signs.add(bool(held > 0))
    if len(signs) < 2:
        raise Wrong(f"one sign at every form that is tried: {gap}")


def _compare_beginnings(parts: list[tuple[Expr, tuple[Chain, ...]]], beginning: Symbol) -> None:
    """What is asked of b alone makes the parts for Φ fall, and is needed for one of them."""
    needed = []
    for part, conditions in parts:
        alone = [c for c in conditions if _symbols(c) == {beginning}]
        slope = sp.diff(part, beginning)
        held = [all(_holds(c, {beginning: b}) for c in alone) for b in BEGINNINGS]
        falls = [not value(slope, {beginning: b}) > 0 for b in BEGINNINGS]
        if any(h and not f for h, f in zip(held, falls, strict=True)):
            raise Wrong(f"{part} rises where it is bounded: {alone}")
        needed += [held == falls] if alone else []
    if not any(needed):
        raise Wrong(f"more is asked of {beginning} alone than is needed")


def _symbols(condition: Chain) -> set[Symbol]:
    return set().union(*(side.free_symbols for side in condition.sides))


def _holds(condition: Chain, at: dict[Symbol, arb]) -> bool:
    left, right = (value(side, at) for side in condition.sides)
    return {"≥": left >= right, ">": left > right, "≤": left <= right, "<": left < right}[
        condition.signs[0]
    ]
