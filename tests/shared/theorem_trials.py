"""Trials of theorems at instances, and of what was measured in networks.

A theorem speaks of every function of a kind. What is evaluated is what is printed, with functions
of the book in the place of the names: the premises must hold at the best members, and where they
hold the conclusion must. Members that are not best show what a weaker premise would let in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product

import mpmath
import numpy as np
import optima_values as optima
import quantities_values as quantities
import real_network_trials
import sympy as sp
from flint import arb, arb_mat
from named_trials import X, real, true
from points import DOTS, SEED, Point, Untried, registered
from quantities_values import Values, value
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import ncf, t
from sympy import Expr, Lambda, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import ArgMin, Chain, Inference, Infimum, Supremum
from gelu_lib.evidence.measured import WORDS, losses, network_inputs, networks, swap
from gelu_lib.evidence.trajectories import marks, sizes, trajectory_record
from gelu_lib.functions.expressions import Phi, logistic, numpy_function, phi
from gelu_lib.register import results

RNG = random.Random(SEED)
Decide = Callable[[Chain, Values], bool | None]
"""Whether a chain holds at values; None if it has none."""
Member = Mapping[str, str]
"""The parameters of a member of a family: IDs of results, or numbers."""


def put(chain: Chain, named: Mapping[str, Expr]) -> Chain:
    """A chain with functions and whole numbers in the place of names."""
    return replace(chain, sides=tuple(placed(side, named) for side in chain.sides))


def placed(part: Expr, named: Mapping[str, Expr]) -> Expr:
    def chosen(call: AppliedUndef) -> Expr:
        return named[call.func.__name__](*call.args)

    part = part.xreplace(
        {s: named[str(s)] for s in part.free_symbols if str(s) in {*named} & {*"nm"}}
    )
    return part.replace(lambda f: isinstance(f, AppliedUndef) and f.func.__name__ in named, chosen)


def holds(chain: Chain, at: Values, decide: Decide) -> bool | None:
    try:
        return decide(Point(dict(at), RNG).explicit(chain), at)
    except (Untried, KeyError, ValueError):
        return None


def peaks(error: Expr, at: Values) -> list[arb]:
    """Where the size of an error is largest, right of 0."""
    found = quantities.peaks(abs(error), X, sp.true, at, 1)
    top = max(height for _, height in found) * (1 - mpmath.mpf(10) ** -9)
    return [quantities.point(x) for x, height in sorted(found) if x > 0 and height >= top]


# ---------------------------------------------------------------------------- alternation

SLOPE = "1.59576912160573071175978423973752747390343452465942"  # 2√(2/π)
CUBIC = {"p1": "tanh-free-linear", "p3": "tanh-free-cubic"}
GELU_CUBIC = {"p1": "minimax-tanh-free-gelu: p1", "p3": "minimax-tanh-free-gelu: p3"}
LINE = {"p1": "logistic-scale"}
SUM_OF_POWERS = {"a_1": "tanh-powers-limit-a3", "a_2": "tanh-powers-limit-a5"}
ALTERNATING: Mapping[str, list[tuple[Member, Expr, Member]]] = {
    "alternation-": [
        (LINE, sp.S.One, {}),
        (CUBIC, sp.S.One, {"p1": SLOPE, "p3": "minimax-tanh-pinned-phi: p3"}),
        (GELU_CUBIC, X, {"p1": SLOPE, "p3": "minimax-tanh-pinned-gelu: p3"}),
        (
            {name: id.replace(": ", ": Gaussian ") for name, id in GELU_CUBIC.items()},
            X * sp.exp(-(X**2) / 2),
            {"p1": SLOPE, "p3": "minimax-tanh-pinned-gelu: Gaussian p3"},
        ),
    ],
    "tanh-powers-alternation": [
        (SUM_OF_POWERS, sp.S.One, {"a_1": "tanh-powers-two-limit-a3", "a_2": "0"})
    ],
}
"""Best members, the weights of their errors, and others whose errors have an alternation less."""


def alternation(said: Statement, decide: Decide, id: str) -> int:
    """Alternation is enough, and a point less is not."""
    cases = next(cases for start, cases in ALTERNATING.items() if id.startswith(start))
    count = 0
    for best, weight, other in cases:
        free = {name: registered(text) for name, text in best.items()}
        case = Alternation(said, decide, free, weight)
        count += case.of_the_best()
        if other:
            count += case.of_another({name: registered(text) for name, text in other.items()})
    return count


class Alternation:
    """A theorem on alternation, at the best member of a family."""

    def __init__(
        self, said: Statement, decide: Decide, best: Mapping[str, arb], weight: Expr
    ) -> None:
        (claim,) = said.claims
        letter = next(iter(best))[0]
        odd = {n: sum(real(f"{n}{k}") * X**k for k in (1, 3)) for n in "pq"}
        functions = {n: Lambda(X, odd[n]) for n in "pq" if letter == "p"}
        functions |= {"w": Lambda(X, weight), "n": sp.Integer(len(best)), "m": sp.Integer(2)}
        self.claim = Inference(
            tuple(put(c, functions) for c in claim.premises),
            claim.sign,
            tuple(put(c, functions) for c in claim.conclusions),
        )
        weights = [c.sides for c in said.assumed if _of_weight(c)]
        known = {w for cases in ALTERNATING.values() for _, w, _ in cases}
        for part, printed in weights:
            true(part == sp.Function("w")(X), f"{part} is not the weight")
            true(set(printed) == known, f"the weights are not {known}")
        self.assumed = [put(c, functions) for c in said.assumed if c.signs and not _of_weight(c)]
        self.different = [c for c in self.assumed if c.signs == ("≠",)]
        self.ordered = [_of_places(c) for c in self.assumed if DOTS in c.sides]
        s = said.domains.get("s", real("s"))
        of_sign = [c for c in self.assumed if c.signs == ("∈",) and s in c.sides[0].free_symbols]
        signs = [k for k in range(-3, 4) if all(holds(c, {s: arb(k)}, decide) for c in of_sign)]
        true(signs == [-1, 1], f"a sign is any of {signs}")
        self.said, self.decide, self.best, self.letter = said, decide, best, letter
        error = placed(said.definitions["e"](X), functions)
        self.error = Point({}, RNG).explicit(Chain((error,), ())).sides[0]

    def values(self, named: Mapping[str, arb], letter: str) -> dict[Symbol, arb]:
        """The coefficients of a member; those of odd powers that are not given are 0."""
        if self.letter == "a":
            named = {**named, "a_0": 1 - named["a_1"] - named["a_2"]}
        else:
            named = {"p1": arb(0), "p3": arb(0), **named}
        return {real(letter + name[1:]): known for name, known in named.items()}

    def premise(self, member: Mapping[str, arb], sign: int) -> dict[Symbol, arb] | None:
        """The values with which all that is asked of a member holds; None if it does not."""
        at = self.values(member, self.letter)
        s, i = (self.said.domains.get(name, real(name)) for name in "si")
        at[s] = arb(sign)
        ranges = [c for c in self.claim.premises if c.signs == ("∈",)]
        indices = [
            k for k in range(-2, 9) if all(holds(c, {**at, i: arb(k)}, self.decide) for c in ranges)
        ]
        places = peaks(self.error, at)
        if not indices or indices[0] < 1 or len(indices) > len(places):
            return None
        # points of which nothing is asked, before those of which something is
        before = [places[0] * j / indices[0] for j in range(1, indices[0])]
        for index, place in enumerate([*before, *places], 1):
            at |= {real(f"x_{index}"): place, real(f"x{index}"): place}
        asked = [c for c in self.claim.premises if c not in ranges]
        ordered = [c for c in self.ordered if str(c.sides[-1]) == f"x({indices[-1]})"]
        if not ordered:
            return None
        for k in indices:
            here = {**at, i: arb(k)}
            assumed = [holds(c, here, self.decide) for c in self.assumed if c not in self.different]
            if False in assumed or not all(holds(c, here, self.decide) for c in ordered + asked):
                return None
        members = {f for c in asked for side in c.sides for f in side.atoms(AppliedUndef)}
        below = any(f.func.__name__ == "x" and f.is_negative for f in members)
        return None if below else at

    def follows(self, at: Values, other: Mapping[str, arb], differs: bool) -> int:
        """The conclusion holds for another member, if it is one that is asked for."""
        at = {**at, **self.values(other, "q")}
        at |= {self.said.domains.get(n, real(n)): arb(1 + (n == "q" and differs)) for n in "pqa"}
        if any(holds(c, at, self.decide) is False for c in self.different):
            return true(not differs, f"another member is left out: {self.different}")
        return sum(true(holds(c, at, self.decide), c) for c in self.claim.conclusions)

    def of_the_best(self) -> int:
        found = [at for sign in (1, -1) if (at := self.premise(self.best, sign))]
        true(len(found) == 1, f"the best error does not alternate as is asked: {self.claim}")
        count = self.follows(found[0], self.best, differs=False)
        for steps, size in product(product((-1, 0, 1), repeat=len(self.best)), (1e-2, 1e-5)):
            if any(steps):
                near = {
                    name: known * (1 + step * arb(size))
                    for (name, known), step in zip(self.best.items(), steps, strict=True)
                }
                count += self.follows(found[0], near, differs=True)
                if size < 1e-4:
                    self.near(found[0], near)
        return count

    def near(self, at: Values, other: Mapping[str, arb]) -> None:
        """Near the best member the error is not much larger than what is said of it."""
        at = {**at, **self.values(other, "q")}
        for chain in self.claim.conclusions:
            sides = Point(dict(at), RNG).explicit(chain).sides
            worse, least = (value(quantities.differentiated(side), at) for side in sides)
            true(worse < least * arb(1.5), f"near the best error the error is {worse.str(8)}")

    def of_another(self, member: Mapping[str, arb]) -> int:
        """If what is asked holds of a member that is not best, the conclusion does, of the best."""
        found = [at for sign in (1, -1) if (at := self.premise(member, sign))]
        return sum(self.follows(at, self.best, differs=True) for at in found)


def _of_places(chain: Chain) -> Chain:
    """In which order the places are, without the end up to which the last one may be."""
    if chain.sides[-1] != sp.oo:
        return chain
    true(chain.signs[-1] == "≤", f"the last place may be the end: {chain}")
    return replace(chain, sides=chain.sides[:-1], signs=chain.signs[:-1])


def _of_weight(chain: Chain) -> bool:
    """Whether a condition says what the weight is."""
    return str(chain.sides[0]).startswith("w(")


# ---------------------------------------------------------------------------- the next power


DEGREE_7, DEGREE_9 = (
    {f"p{k}": f"degree-{degree}-p{k}" for k in range(1, degree + 1, 2)} for degree in (7, 9)
)
NEXT: list[tuple[Member, int, Member]] = [(LINE, 3, CUBIC), (CUBIC, 5, {}), (DEGREE_7, 9, DEGREE_9)]
"""Best members, the next power, and the best with that power if it gains anything."""


def last_sign(said: Statement, decide: Decide, id: str) -> int:
    """What the next power gains: over members near the best, and the best with one power more."""
    signs = []
    for best, power, more in NEXT:
        named = {name: registered(text) for name, text in best.items()}
        at = {real(name): known for name, known in named.items()}
        p = sum(s * X ** int(str(s)[1:]) for s in at)
        functions = {"p": Lambda(X, p), "n": sp.Integer(len(named)), "m": sp.Integer(power)}
        places = peaks(placed(said.definitions["e"](X), functions), at)
        at |= {real(f"x_{k}"): place for k, place in enumerate(places, 1)}
        at[real("x1")] = places[0]
        ordered = (holds(put(c, functions), at, decide) for c in said.assumed if c.signs)
        true(False not in ordered and said.domains["x"].is_positive, said.assumed)
        premises = [_of_tails(put(c, functions)) for claim in said.claims for c in claim.premises]
        held = [holds(premise, at, decide) for premise in premises]
        true(sorted(held, key=str) == [False, True], f"one of both signs is met: {premises}")
        (conclusion,) = said.claims[held.index(True)].conclusions
        least, own = conclusion.sides
        _require_one_power_more(least, said)
        body = placed(least.body, {**functions, "q": Lambda(X, p)})
        members = [{**named, "c": arb(0)}]
        members += [{**named, "c": arb(c)} for c in ("-1e-3", "1e-6", "1e-4")]
        if more:
            one = {name: registered(text) for name, text in more.items()}
            members.append({**one, "c": one[f"p{power}"]})
        sizes = [value(body, {real(k): v for k, v in one.items()}) for one in members]
        gained = min(sizes, key=lambda size: size.mid())
        there = {**at, real("gained"): gained}
        chain = Chain((real("gained"), placed(own, functions)), conclusion.signs)
        true(holds(chain, there, decide), conclusion)
        signs.append(held.index(True))
    return true(len({*signs}) == 2, "both signs are met") * len(signs)


def _of_tails(chain: Chain) -> Chain:
    """Φ and σ by what is left of them to 1, of which far out nothing is lost."""
    sides = (
        side.replace(Phi, lambda u: 1 - Phi(-u)).replace(logistic, lambda u: 1 - logistic(-u))
        for side in chain.sides
    )
    return replace(chain, sides=tuple(sides))


def _require_one_power_more(least: Expr, said: Statement) -> None:
    """What is least is the error e of members with the next power, which is odd."""
    member = Lambda(X, sp.Function("q")(X) + real("c") * X ** real("m"))
    error = placed(said.definitions["e"](X), {"p": member})
    family = Infimum(Supremum(abs(error), [X]), [real("q"), real("c")])
    true(least == family, f"{least} is not {family}")


def best_exists(said: Statement, decide: Decide, id: str) -> int:
    """The best cubic has the right limit, and no member near it has a smaller error."""
    functions = {"p": Lambda(X, sum(real(name) * X ** int(name[1:]) for name in CUBIC))}
    at = {real(name): registered(text) for name, text in CUBIC.items()}
    (least,), (attaining,), limit = (chain.sides for chain in said.claims)
    true(isinstance(least, Infimum), f"{least} is attained")
    body = placed(least.body, functions)
    gap = value(body, at) - registered("tanh-free-error")
    true(abs(gap) < arb("1e-15"), f"{body} is not the error of Φ")
    for steps in product((-1, 0, 1), repeat=2):
        near = {
            s: v * (1 + step * arb("1e-5")) for (s, v), step in zip(at.items(), steps, strict=True)
        }
        true(not value(body, near) < value(body, at), f"steps {steps} make the error smaller")
    # the best polynomial is what is said to attain it, such as p
    functions["p"] = Lambda(X, functions["p"](X) / (attaining / real("p")))
    return true(holds(put(Chain(limit, ("=",)), functions), at, decide), limit)


def merged(said: Statement, decide: Decide, id: str) -> int:
    """Two tanh with scales close together are as near as the merged ones, also the best of them."""
    (claim,) = said.claims
    true(isinstance(claim.sides[0], Infimum), f"{claim.sides[0]} is a least error")
    least, merged_error = (
        side.xreplace({said.domains["K"]: sp.Integer(2)}) for side in claim.sides
    )
    index, step, sums = Symbol("i", integer=True), arb("1e-5"), []
    equal = {real("one"): arb(1), real("other"): arb(1)}  # one tanh is merged with none
    true(decide(Chain(tuple(equal), claim.signs), equal), f"{claim.signs} for K = 1")
    best = [registered(f"tanh-sum-2-{name}") for name in ("s", "c0", "c1")]
    for scale, c0, c1 in (best, list(map(arb, ("1.2", "0.9", "0.1")))):
        split = {"a_1": (c0 - c1 / step) / 2, "a_2": (c0 + c1 / step) / 2}
        split |= {"b_1": scale - step, "b_2": scale + step}
        at = {real(name): known for name, known in split.items()}
        at |= {said.domains["s"]: scale, real("c_0"): c0, real("c_1"): c1}
        of_family = {real(f"{name}i"): sp.Function(name)(index) for name in "ab"}
        sums.append(_value(least.body.xreplace(of_family), at))
        gained = min(sums, key=lambda size: size.mid()) * (1 - arb("1e-6"))
        own = _value(merged_error, at)
        chain = Chain((real("gained"), real("own")), claim.signs)
        true(decide(chain, {real("gained"): gained, real("own"): own}), claim)
        true(sums[-1] > own * arb("0.99"), f"{sums[-1].str(8)} is far below {own.str(8)}")
    return len(sums)


def vanishing(said: Statement, decide: Decide, id: str) -> int:
    """The determinant of the printed equations has two signs where s may be, so it is 0 between."""
    (claim,) = said.claims
    (span,) = (c.sides for c in said.assumed if c.signs == ("<", "<"))
    ((place, places),) = (c.sides for c in said.assumed if c.signs == ("∈",))
    amplitudes = sorted(claim.sides[0].atoms(AppliedUndef), key=lambda a: a.args[0])
    true(claim.signs == ("=",) and claim.sides[1] == 0, f"{claim} is no equation of a kernel")
    true(len(amplitudes) == len(places) == 7, f"{len(amplitudes)} unknowns, {places}")
    true(0 < span[0] < span[2], f"s is not positive in {span}")
    signs = []
    for end in span[::2]:
        sums = [claim.sides[0].xreplace({place: n, span[1]: end}) for n in places]
        rows = [[value(one.coeff(a), {}) for a in amplitudes] for one in sums]
        signs.append(arb_mat(rows).det())
    return true(signs[0] * signs[1] < 0, f"no change of sign in {span}: {signs}")


NEAR_FADING = ("1.595681607", "0.073076412", "-0.0004645175"), ("1.5961461718", "0.0718766481")


def fading(said: Statement, decide: Decide, id: str) -> int:
    """At one width the best quintic and the best cubic, found from close to them."""
    (claim,) = said.claims
    longer, shorter = claim.sides
    true(longer.body.xreplace({real("p5"): 0}) == shorter.body, "not the same weight and family")
    true(said.domains["T"].is_positive, "not every width")
    sides = tuple(side.xreplace({said.domains["T"]: sp.Integer(2)}) for side in claim.sides)
    for side, near in zip(sides, NEAR_FADING, strict=True):
        start = dict(zip(side.variables, map(arb, near), strict=True))
        optima.STARTS[optima.problem_key(side)] = lambda at, start=start: start
    return true(decide(replace(claim, sides=sides), {}), claim)


def _value(part: Expr, at: Values) -> arb:
    """A quantity with finite sums of members of families."""
    point = Point(dict(at), RNG)
    (side,) = point.explicit(Chain((part,), ())).sides
    return value(quantities.differentiated(side), point.values)


def balance_of_slopes(said: Statement, decide: Decide, id: str) -> int:
    """No other scale has as small an error of GELU′, with each weight."""
    (claim,) = said.claims
    (touching,) = (c for c in said.assumed if c.signs == ("=",) and c.sides[0] == claim.sides[1])
    count = 0
    scale = real("scale")
    form = Lambda((scale, X), 1 / (1 + sp.exp(-scale * X)))
    of_weights = (("p1", "x1", sp.S.One), ("Gaussian p1", "Gaussian x2", sp.exp(-(X**2) / 2)))
    for name, crest, weight in of_weights:  # a peak at which the error is positive
        best = registered(f"minimax-sigmoid-gelu-derivative: {name}")
        functions = {"hatPhi": form, "w": Lambda(X, weight)}
        p, q = (said.domains.get(n, real(n)) for n in "pq")
        peak = registered(f"minimax-sigmoid-gelu-derivative: {crest}")
        at_crest = put(touching, {**functions, "x": Lambda(X, real("xi"))})
        true(holds(at_crest, {p: best, real("xi"): peak}, decide), touching)
        for factor in ("0.8", "0.999", "1", "1.0001", "1.3"):
            at = {p: best, q: best * arb(factor)}
            if all(holds(c, at, decide) is not False for c in claim.given):
                true(factor != "1", f"the same member is compared: {claim.given}")
                one = replace(put(claim, functions), given=())
                count += true(holds(one, at, decide), claim)
                worse, least = (value(quantities.differentiated(side), at) for side in one.sides)
                known = registered(f"minimax-sigmoid-gelu-derivative: {name.replace('p1', 'E')}")
                true(abs(least - known) < arb("1e-15"), f"{least.str(8)} is not the least error")
                true(factor != "1.0001" or worse < least * arb("1.01"), f"far larger near: {claim}")
    return true(count == 8, "another member is left out") * count


# ---------------------------------------------------------------------------- balance

SHIFT = sp.Rational(1, 4)
"""How far errors and weights are shifted, so that they are neither even nor odd."""

ERRORS = ("phi", "gelu", "gelu-derivative")
"""Of what the printed errors are, in this order."""

GROWING = sp.exp(3 * abs(X)) / (1 + X**2) ** 2
"""A weight with which both norms are infinite for scales below 3, and least at 3, unbalanced."""


def _errors(said: Statement, bell: Expr, powers: int) -> Iterator[tuple[str, str, Expr, Expr]]:
    """Each printed error under each printed weight: its name, that of the weight, and both.

    If no weight is printed, any may be put in, such as one that grows.
    """
    errors = [c.sides[0] for c in said.assumed if not c.signs and c.sides[0].has(sp.Function("p"))]
    true(len(errors) == len(ERRORS), f"{errors} are not the errors of {ERRORS}")
    known = {sp.S.One: "", bell: "Gaussian "}
    printed = {w for c in said.assumed if c.sides[0] == sp.Function("w")(X) for w in c.sides[1]}
    true(not printed or printed == {*known}, f"{printed} are not the weights {[*known]}")
    member = Lambda(X, sum(real(f"p{j}") * X**j for j in range(1, 2 * powers, 2)))
    for (name, error), weight in product(zip(ERRORS, errors, strict=True), known):
        own = placed(error, {"w": Lambda(X, weight), "p": member}).doit()
        yield name, known[weight], own.subs(X, X - SHIFT), weight.subs(X, X - SHIFT)
    if not printed:
        own = placed(errors[0], {"w": Lambda(X, GROWING), "p": Lambda(X, real("p1") * X)})
        yield "", "", own, GROWING


def balance(said: Statement, decide: Decide, id: str) -> int:
    """At a best member there are multipliers, and they satisfy what is printed; elsewhere none."""
    _require_parameters(said)
    count = 0
    p = [real("p1"), real("p3")]
    for name, start, error, _ in _errors(said, sp.exp(-(X**2) / 2), powers=2):
        if not name:  # one peak, which is the highest with the best scale
            at = {p[0]: arb(3)}
            (place,) = peaks(error, at)
            alone = [(mpmath.mpf(1), _sign(error, {**at, X: place}))]
            for chain, held in _balanced(said, decide, error, p[:1], at, [place], alone):
                true(held, f"a weight that grows: {chain}")
            continue
        named = {s: registered(f"minimax-tanh-free-{name}: {start}{s}") for s in p}
        places = [registered(f"minimax-tanh-free-{name}: {start}x{k}") for k in (1, 2, 3)]
        places = [x + quantities.ball(SHIFT) for x in places]
        first, *others = (abs(value(error, {**named, X: x})) for x in places)
        true(all(abs(size / first - 1) < arb("1e-15") for size in others), "the peaks are level")
        found = _multipliers(error, p, named, places)
        true(min(m for m, _ in found) > 0, "the multipliers of a best member are positive")
        opposite = 2 * quantities.ball(SHIFT) - places[0]  # a peak as high, which is not needed
        more, beside = [*places, opposite], _sign(error, {**named, X: opposite})
        chains = _balanced(said, decide, error, p, named, more, [*found, (mpmath.mpf(0), beside)])
        count += sum(true(held, chain) for chain, held in chains)
        equal = [(mpmath.mpf(1) / len(found), sign) for _, sign in found]
        chains = _balanced(said, decide, error, p, named, places, equal)
        true(not all(held for _, held in chains), "equal multipliers do as well")
        elsewhere = {**named, p[0]: named[p[0]] * arb("1.05")}
        moved = [*peaks(error, elsewhere), *places][:3]
        true(min(m for m, _ in _multipliers(error, p, elsewhere, moved)) < 0, "only a best member")
    return count


def _multipliers(
    error: Expr, p: list[Symbol], at: Values, places: list[arb]
) -> list[tuple[mpmath.mpf, int]]:
    """The multipliers that add up to 1 and cancel the slopes, each with the sign of its error."""
    signs = [_sign(error, {**at, X: x}) for x in places]
    rows = [
        [
            s * quantities.number(value(error.diff(j), {**at, X: x}))
            for s, x in zip(signs, places, strict=True)
        ]
        for j in p
    ]
    found = mpmath.lu_solve(
        mpmath.matrix([*rows, [1] * len(places)]), mpmath.matrix([0] * len(p) + [1])
    )
    return list(zip(found, signs, strict=True))


def _require_parameters(said: Statement) -> None:
    named = [chain.sides for chain in said.claims if not chain.signs]
    true(named == [(real("pj"),)], f"{named} are no parameters that are free")


def _sign(error: Expr, at: Values) -> int:
    return 1 if value(error, at) > 0 else -1


def _balanced(said, decide, error, p, at, places, found) -> Iterator[tuple[Chain, bool]]:
    """What is said of multipliers, and whether it holds."""
    at = {**at, real("m"): arb(len(places))}
    for k, ((multiplier, sign), place) in enumerate(zip(found, places, strict=True), 1):
        at |= {
            real(f"lambda_{k}"): quantities.approximate(multiplier, 25),
            real(f"s_{k}"): arb(sign),
            real(f"x_{k}"): place,
        }
    for j in p:
        named = {"r∂pj": Lambda(X, error.diff(j)), "m": sp.Integer(len(places))}
        for chain in (put(c, named) for c in said.claims if c.signs):
            for k in range(1, len(places) + 1):
                one = replace(chain, sides=tuple(s.subs(_index(s), k) for s in chain.sides))
                left, right = (_value(s, at) + arb(0, arb("1e-20")) for s in one.sides)
                near = {real("l"): left, real("r"): right}
                yield chain, bool(decide(Chain(tuple(near), one.signs), near))


def _index(side: Expr) -> Expr:
    """The free index of a side."""
    free = [s for s in side.free_symbols if str(s) == "i"]
    return free[0] if free else Symbol("none")


def signs_balance(said: Statement, decide: Decide, id: str) -> int:
    """At the least L1 norms of the sigmoid form, for each error."""
    _require_parameters(said)
    chain = said.claims[0]
    true(chain.sides[0].limits == ((X, -sp.oo, sp.oo),), "the integral is over the whole line")
    p = real("p1")
    for name, start, error, weight in _errors(said, phi(X), powers=1):
        functions = {"w": Lambda(X, weight), "r": Lambda(X, error)}
        functions["r∂pj"] = Lambda(X, error.diff(p))
        at = {p: registered(f"criteria-sigmoid-{name}: {start}L1, p1") if name else arb(3)}
        integral, right = put(chain, functions).sides
        integrand, size = (_of_one(part, at) for part in (integral.function, error))
        grid = [mpmath.mpf(n) / 16 + mpmath.mpf(1) / 64 for n in range(-200, 200)]
        zeros = [
            mpmath.findroot(size, (a, b), solver="anderson")
            for a, b in pairwise(grid)
            if size(a) * size(b) < 0
        ]
        ends = sorted([-60, -15, mpmath.mpf(1) / 4, *zeros, 15, 60])  # x·e is 0 at the shifted 0
        left = quantities.approximate(mpmath.quad(integrand, ends))
        near = {real("l"): left + arb(0, arb("1e-12")), real("r"): value(right, at)}
        true(decide(Chain((real("l"), real("r")), chain.signs), near), chain)
    return 2 * len(ERRORS)


def _of_one(body: Expr, at: Values) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """A function of x; mpmath hands options to one that takes any number of arguments."""
    evaluate = quantities.numeric(body, (X,), at)

    def function(x: mpmath.mpf) -> mpmath.mpf:
        return evaluate(x)

    return function


# ---------------------------------------------------------------------------- interval Newton

SQUARE = Lambda(X, (X - 3) ** 2 - 2)
BOXES = [
    # (z − 3)² − 2: the box, the point in it, and how many zeros it holds
    (("4.395", "4.42"), "4.4", 1),
    (("4.40", "4.43"), "4.42", 1),
    (("4.395", "4.41"), "4.4", 0),
    (("4.42", "4.45"), "4.43", 0),
    (("1.5", "4.5"), "3.1", 2),
    (("1.58", "1.605"), "1.6", 1),
]


def newton(said: Statement, decide: Decide, id: str) -> int:
    """Of (z − 3)² − 2 in boxes: where the image lies inside there is one zero."""
    inference, member = said.claims
    ((image, inside),) = (chain.sides for chain in inference.premises)
    true(inference.premises[0].signs == ("⊂",) and inside.func.__name__ == "int", inside)
    true(str(member.sides[0]) == "z" and member.signs == ("∈",), member)
    y, A, m, z, Z = (real(name) for name in "yAmzZ")
    (equation,) = (c for c in image.domain.args if isinstance(c, sp.Equality))
    (of_slopes,) = (c for c in image.domain.args if c != equation)
    slope = sp.Derivative(sp.Function("F")(Z), Z)
    true(of_slopes.args == (A, slope) and inside.args == (Z,), f"{A} is a derivative on the box")
    true(member.sides == (z, Z) and said.assumed[0].sides == (m, Z), f"{z} and {m} are in the box")
    true(all(c.sides == (slope,) for c in said.assumed[1:]), f"{slope} encloses the derivatives")
    held = 0
    for ends, middle, zeros in BOXES:
        low, high = map(sp.Rational, ends)
        slopes = sp.Interval(2 * (low - 3), 2 * (high - 3))
        (solved,) = sp.solve(placed(equation.lhs - equation.rhs, {"F": SQUARE}), y)
        body = image.body.xreplace({y: solved, m: sp.Rational(middle)}).xreplace(
            {m: sp.Rational(middle)}
        )
        if 0 in slopes or body.subs(A, slopes.start).is_infinite:
            continue
        found = [body.subs(A, end) for end in (slopes.start, slopes.end)]
        if low < min(found) and max(found) < high:
            true(zeros == 1, f"{ends} holds {zeros} zeros, and its image lies inside")
            held += 1
    root = {z: 3 + arb(2).sqrt()}
    for chain in inference.conclusions:
        true(decide(put(chain, {"F": SQUARE}), root), chain)
    return true(held == 3, f"{held} images lie inside their boxes, not 3") * len(BOXES)


# ---------------------------------------------------------------------------- weights

WIDTHS = ("1/4", "1", "1.2", "7.05")
"""Widths of a weight, increasing."""
NARROW, WIDE = ("1/4", "1/8", "1/16"), ("128", "256", "512")
"""Widths that tend to 0 and to infinity, by factors of 2."""


def any_width(said: Statement, decide: Decide, id: str) -> int:
    """The best constant falls as the weight widens, and tends to what is said at both ends."""
    falls, between, narrow, wide = said.claims
    narrower, wider = (said.domains[name] for name in "ST")
    sides = (*falls.conclusions[0].sides, *between.sides)
    for part in set().union(*(side.atoms(ArgMin) for side in sides)):
        optima.STARTS[optima.problem_key(part)] = lambda at, part=part: _level(part, at)
    true(narrower.is_positive and wider.is_positive, "a width is positive")
    numbers = [_width(text) for text in WIDTHS]
    for one, other in product(numbers, repeat=2):
        if one is not other:
            at = {narrower: one, wider: other}
            asked = all(holds(c, at, decide) for c in falls.premises)
            known = [holds(c, at, decide) for c in falls.conclusions]
            true(all(found is asked for found in known), f"{falls} at {at}")
    true(between.sides[::2] == (wide.sides[1], narrow.sides[1]), "it lies between its limits")
    for number in numbers:
        true(holds(between, {wider: number}, decide), f"{between} at {number}")
    count = len(numbers) ** 2
    for chain, widths, near in ((narrow, NARROW, "2e-6"), (wide, WIDE, "1e-9")):
        tends, limit = chain.sides
        true(isinstance(tends, sp.Limit) and chain.signs == ("=",), chain)
        end = 0 if widths is NARROW else sp.oo
        true(tends.args[2] == end, f"a limit of another width: {tends}")
        first, second, third = (value(tends.args[0], {wider: _width(text)}) for text in widths)
        last = (8 * third - 6 * second + first) / 3  # where the difference has two terms
        count += true(abs(last - value(limit, {})) < arb(near), f"{last.str(10)} is not {limit}")
    return count


def _width(text: str) -> arb:
    exact = sp.Rational(text)
    return arb(exact.p) / arb(exact.q)


def _level(part: ArgMin, at: Values) -> dict[Symbol, arb]:
    """Where crest and trough of a weighted error are level on a grid."""
    (k,), (x,) = part.variables, part.body.variables
    (size,) = part.body.body.atoms(sp.Abs)
    weighted = numpy_function((part.body.body / size * size.args[0]).xreplace(_exact(at)), x, k)
    grid = np.linspace(1e-3, 8, 8000)

    def sum_of_peaks(constant: float) -> float:
        error = weighted(grid, constant)
        return float(error.max() + error.min())

    return {k: arb(brentq(sum_of_peaks, 0.043, 0.0456, xtol=1e-13))}


def _exact(at: Values) -> dict[Symbol, sp.Float]:
    return {symbol: sp.Float(float(known)) for symbol, known in at.items()}


# ---------------------------------------------------------------------------- networks


def of_seeds(differences: np.ndarray, chances: list[float]) -> dict[str, float]:
    """The mean, its interval, and the mean that is seen, with the probabilities that are said."""
    count = len(differences)
    error = np.std(differences, ddof=1) / np.sqrt(count)
    found = {"mean": np.mean(differences), "root mean square": np.sqrt(np.mean(differences**2))}
    reach = t.ppf((1 + chances[0]) / 2, count - 1) * error
    found |= {"from": found["mean"] - reach, "to": found["mean"] + reach}
    if len(chances) > 1:
        critical = t.ppf(1 - chances[1] / 2, count - 1)
        shifts = np.linspace(0, 3 * critical, 2001)
        power = ncf.sf(critical**2, 1, count - 1, shifts**2)
        found["seen from"] = np.interp(chances[2], power, shifts) * error
    return found


def swapped(said: Statement, decide: Decide, id: str) -> int:
    """The losses of the record, put into what is printed."""
    chances = [float(c.sides[0]) for c in said.assumed if c.sides[0].is_number]
    arm = {"network-training-tanh": "tanh", "network-training-slope": "exact, tanh slope"}.get(id)
    shown = {WORDS[form]: form for form in ("tanh", "sigmoid", "silu", "relu")}
    count = 0
    for name, digits in results()[id].numbers.items():
        network, *form, of = name.split(", ")
        record = networks()[network]
        before = losses(record, "exact")
        after = losses(record, arm) if arm else before + swap(record, "exact", shown[form[0]])
        (chain,) = said.claims
        function = sp.lambdify([real("before"), real("after")], _plain(chain.sides[0]))
        found = of_seeds(function(before, after), chances)[of]
        count += true(abs(found / float(digits) - 1) < 6e-4, f"{name} is {found}, not {digits}")
    return count


def _plain(part: Expr) -> Expr:
    """A difference of losses with plain names: L(f) or L_f before, L(g) or L_g after."""
    names = {"f": "before", "g": "after"}
    calls = {call: real(names[str(call.args[0])]) for call in part.atoms(AppliedUndef)}
    symbols = {s: real(names[str(s)[1:]]) for s in part.free_symbols if str(s) in {"Lf", "Lg"}}
    return part.xreplace({**calls, **symbols})


def constants(said: Statement, decide: Decide, id: str) -> int:
    """The constants for the inputs of the networks: constants beside them are worse."""
    (width,) = (float(c.sides[0]) for c in said.assumed if c.sides[0].is_number)
    count = 0
    for name, digits in results()[id].numbers.items():
        network, which = name.split(", ")
        middles, shares = network_inputs(networks()[network])
        true(np.allclose(np.diff(middles), width), f"the bins are {width} wide")
        (place,) = (c.sides[1] for c in said.claims if str(c.sides[0]) == which)
        true(type(place).__name__ == "ArgMin", place)
        (error,) = (call.args[0] for call in place.body.atoms(AppliedUndef))
        evaluate = numpy_function(error, X, *place.variables)

        def mean(constant: float) -> float:
            return float(shares @ evaluate(middles, constant))  # noqa: B023

        unit = 10.0 ** -len(digits.partition(".")[2])
        for step in (-2, -1, 1, 2):
            worse = mean(float(digits) + step * unit)
            count += true(mean(float(digits)) < worse, f"{name} + {step} units is better")
    return count


def along_training(said: Statement, decide: Decide, id: str) -> int:
    """The best k of every mark is found again, by what is printed, and put into the difference."""
    (square,) = (c.sides[0] for c in said.assumed if c.sides[0].has(X))
    ((difference,),) = (c.sides for c in said.claims)
    evaluate = numpy_function(square, X, *square.free_symbols - {X})
    missed = sp.lambdify(sp.symbols("kx, kz", real=True), difference)

    def best(x: np.ndarray, shares: np.ndarray) -> float:
        return minimize_scalar(lambda k: 1e8 * (shares @ evaluate(x, k)), (0.04, 0.05)).x

    z, count = np.linspace(0, 9, 1001), 0
    for kind in trajectory_record()["networks"]:
        found = []
        for *_, mark in marks(kind):
            fitted = best(*sizes(mark))
            true(abs(fitted - mark["k"]) < 3e-6, f"the best k of {kind} is {fitted}")
            found.append(missed(fitted, best(mark["rms"] * z, np.exp(-(z**2) / 2))))
        known = results()[id].numbers
        for which, number in (
            ("largest", max(found, key=abs)),
            ("root mean square", np.sqrt(np.mean(np.square(found)))),
        ):
            near = abs(number - float(known[f"{kind}, {which}"])) < 3e-6
            count += true(near, f"{kind}, {which} is {number}")
    return count


TRIALS: Mapping[str, Callable[[Statement, Decide, str], int]] = {
    "alternation-theorem": alternation,
    "alternation-any-degree": alternation,
    "tanh-powers-alternation": alternation,
    "last-sign-rule": last_sign,
    "line-best-exists": best_exists,
    "tanh-sums-merge": merged,
    "tanh-sum-seven-zeros": vanishing,
    "quintic-gains-fading-weight": fading,
    "balance-theorem": balance_of_slopes,
    "balance-condition": balance,
    "sign-condition": signs_balance,
    "interval-newton": newton,
    "tanh-gelu-any-width": any_width,
    "network-swap-loss": swapped,
    "network-training-tanh": swapped,
    "network-training-slope": swapped,
    "network-input-constants": constants,
    "trajectory-law-deviation": along_training,
    **real_network_trials.TRIALS,
}
"""How a theorem is tried, by its ID."""
