"""Every formula of the register tried: at seeded points, at its optimum, against its digits.

``tried`` reads what is printed and evaluates both sides. A trial refutes; what proves a result
stands elsewhere. It returns how many comparisons were made, because a statement of which nothing
was compared was not tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, product

import falling
import kernel_trials  # noqa: F401  it adds its trials to those of named_trials
import mpmath
import named_trials
import optima_values as optima
import quantities_values as quantities
import sympy as sp
import theorem_trials
from flint import acb, arb, ctx
from limit_cases import CASES, Case
from points import (
    SEED,
    Point,
    Untried,
    enclosed,
    families,
    free,
    own_value,
    points,
    registered,
    whole,
)
from quantities_values import NoValue, Values, differentiated, value
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.certificates.best.increasing import FAMILY, INCREASING
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.derivations.meaning import Statement, statement
from gelu_lib.derivations.notation import Coefficient
from gelu_lib.derivations.quantities import (
    ArgMin,
    Binding,
    Chain,
    Component,
    Inference,
    Infimum,
    Proposition,
    Supremum,
)
from gelu_lib.functions.expressions import Phi, X, gelu_sigmoid
from gelu_lib.functions.families import TANH_CUBIC, odd_logistic
from gelu_lib.register import Result, results

RNG = random.Random(SEED)
ORDER = sp.Function("O")
"""The O of a statement about how fast a difference falls."""
TYPES = {
    "float64": (53, 1024, -1074),
    "float32": (24, 128, -149),
    "float16": (11, 16, -24),
    "bfloat16": (8, 128, -133),
}
"""Of each type its bits, the power of two beyond its largest number, and of its smallest."""


class FalseStatement(AssertionError):
    """A claim that is printed does not hold."""


@dataclass
class Trial:
    """One statement, tried with the numbers of its entry.

    Attributes:
        entry: the entry of the register.
        said: what it states.
        compared: how many comparisons were made.
    """

    entry: Result
    said: Statement
    compared: int = 0
    named: dict[Symbol, arb | acb] = field(default_factory=dict)

    def run(self) -> int:
        if self.entry.id in theorem_trials.TRIALS:
            return theorem_trials.TRIALS[self.entry.id](self.said, decided, self.entry.id)
        if self.entry.id in FALLING:
            self.compared += falling.tried(self.said)
        claims = self.said.claims
        if self.entry.status == "historical":
            claims = (printed(claims[0], self.entry),)  # of ± the sign of the number
        spoken = SPOKEN.get(self.entry.id)
        reasons = (*self.said.reasons, *([spoken(self.said)] if spoken else []))
        for setting in settings(self.entry, self.said):
            self.assumptions(setting)
            for place, claim in enumerate(claims):
                # the number of an entry is that of its first formula
                point = self.claim(claim, setting if place == 0 else replace(setting, own=None))
                self.limits(place, claim, point)
            for reason in reasons:
                self.reason(reason, setting)
        if not self.compared:
            raise Untried(f"nothing in {self.entry.id} was compared")
        return self.compared

    def assumptions(self, setting: Setting) -> None:
        """What is assumed of registered numbers holds, as in "where Φ(−t) = t φ(t)".

        An equation of power series, of whose variable nothing is said, holds near 0.
        """
        for symbol, known in setting.values.items():
            declared = self.said.domains.get(str(symbol))
            if declared is not None and _has_other_sign(declared, known):
                raise FalseStatement(f"{symbol} is {known.str(12)}")
        for chain in self.said.assumed:
            if not isinstance(chain, Chain) or not chain.signs:
                continue
            for member in of_members(chain, setting.values):
                self.compared += check(member, setting.values, None)
            series = {s for s in free(chain) if str(s) not in self.said.domains}
            if any(side.has(AppliedUndef) for side in chain.sides):
                continue
            open_ = free(chain) - set(setting.values)
            if not open_ or (len(open_) == 1 and open_ <= series and chain.signs == ("=",)):
                near = dict.fromkeys(open_, arb(1) / 4)
                self.compared += check(chain, {**setting.values, **near}, None)

    def reason(self, claim: Proposition, setting: Setting) -> None:
        """Try what is said besides; a symbol of which nothing is said is any real number."""
        open_ = {str(s): s for s in free(claim) - set(setting.values)}
        said = replace(self.said, domains={**open_, **self.said.domains})
        one = Trial(replace(self.entry, status="proof"), said)
        one.claim(claim, replace(setting, own=None))
        self.compared += one.compared

    def limits(self, place: int, claim: Proposition, point: Point) -> None:
        """The sides of an inequality come together where it is known that they do."""
        for case in CASES.get(self.entry.id, ()):
            if case.claim == place:
                values = case.values(point.values)
                if case.excluded:
                    self.excluded(case, Point(values, point.rng))
                    continue
                if case.holds:
                    self.compared += tried_at(Point(values, point.rng), claim)
                if case.within is None:
                    continue
                here = Point(values, point.rng).explicit(claim)
                left, right = (side(part, values) for part in here.sides[case.pair : case.pair + 2])
                if not abs(left - right) < abs(right) * arb(case.within) + arb(10) ** -15:
                    raise FalseStatement(f"{left.str(12)} is not near {right.str(12)}: {claim}")
                self.compared += 1
        if self.said.equality and isinstance(claim, Chain):
            self.equality(claim, point)

    def excluded(self, case: Case, point: Point) -> None:
        """An assumption with ≠ does not hold where the claim does not."""
        unequal = [c for c in self.said.assumed if isinstance(c, Chain) and c.signs == ("≠",)]
        own = [c for c in unequal if families(c) <= {name.partition("_")[0] for name in case.place}]
        if all(holds(point.explicit(chain), point.values) for chain in own):
            raise FalseStatement(f"the assumptions allow {case.place}, where it does not hold")

    def equality(self, claim: Chain, point: Point) -> None:
        """The sides are equal where it is said, and a supremum is attained at the place that is."""
        if {*claim.signs} & {"<", ">"}:
            raise FalseStatement(f"the sides are equal somewhere, and the sign is strict: {claim}")
        at, only = self.said.equality
        symbol, end = only.sides
        known = {s: v for s, v in point.values.items() if s != symbol}
        there = next(points(only, self.said, known, holds)).values
        values = {**there, symbol: side(end, there)}
        here = point.explicit(replace(claim, signs=("=",) * len(claim.signs)))
        attained = [
            differentiated(part.body).xreplace({at.sides[0]: at.sides[1]})
            if isinstance(part, Supremum) and at.sides[0] in part.variables
            else part
            for part in here.sides
        ]
        self.compared += check(here, values, None)
        self.compared += check(replace(here, sides=tuple(attained)), values, None)

    def claim(self, claim: Proposition, setting: Setting) -> Point:
        """Try a claim at points; the last one of them is returned."""
        symbols = free(claim) - set(setting.values)
        undeclared = sorted(
            s for s in map(str, symbols) if s not in self.said.domains and s not in self.also(claim)
        )
        if undeclared:
            raise Untried(f"nothing says what {', '.join(undeclared)} is")
        inferred: list[bool | None] = []
        for point in points(claim, self.said, setting.values, holds):
            if isinstance(claim, Chain) and any(part.has(ORDER) for part in claim.sides):
                self.compared += bounded(claim, point.values)
                continue
            here = point.explicit(claim)  # may give values to members of families
            if isinstance(here, Inference):
                inferred.append(infer(here, point.values))
            else:
                self.compared += check(here, point.values, setting.own, self.towards())
        decided_at = [premise for premise in inferred if premise is not None]
        if 2 * len(decided_at) < len(inferred):
            raise Untried("what is inferred is decided at few points")
        if says_on_which_side(claim) and {*decided_at} != {True, False}:
            raise Untried(f"it is not met where it holds and where it does not: {claim}")
        self.compared += len(decided_at)
        return point

    def towards(self) -> Chain | None:
        """Where the assumptions say that a limit is taken."""
        return next(
            (c for c in self.said.assumed if isinstance(c, Chain) and c.signs == ("→",)), None
        )

    def also(self, claim: Proposition) -> set[str]:
        """The names that a condition of the claim itself speaks of, such as x ≠ x*."""
        given = claim.given if isinstance(claim, Chain) else ()
        return {str(s) for chain in given for s in free(chain)}


@dataclass(frozen=True)
class Setting:
    """Numbers with which a statement is tried: of its symbols, and its own."""

    values: Values
    own: arb | None


def tried(entry: Result, said: Statement | None = None) -> int:
    """Try a statement; how many comparisons were made.

    Raises:
        FalseStatement: if a claim does not hold.
        Untried: if no claim can be compared, or a name in one means nothing.
        NoValue: if a quantity cannot be computed.
    """
    said = said or statement(entry.statement, entry.assumptions)
    with ctx.workprec(quantities.BITS), mpmath.workdps(40):
        try:
            compared = named_trials.tried(entry, said)
            return Trial(entry, said).run() if compared is None else compared
        except named_trials.Wrong as wrong:
            raise FalseStatement(f"{entry.id}: {wrong}") from None


# ---------------------------------------------------------------------------- numbers of an entry


def settings(entry: Result, said: Statement) -> Iterable[Setting]:
    """With which numbers a statement is tried: once, or once for each type that it names."""
    where = {
        said.domains.get(name, Symbol(name, real=True)): registered(id)
        for name, id in entry.where.items()
    }
    by_type = {name: ends for name, ends in entry.enclosures.items() if name in TYPES}
    if not by_type:
        own = own_value(entry)
        named = {Symbol(n, real=True): enclosed(e) for n, e in entry.enclosures.items() if n}
        symbol = None if own is None else own_symbol(said, where)
        yield Setting({**where, **named, **({symbol: own} if symbol else {})}, own)
        return
    for name, ends in by_type.items():
        bits, above, smallest = TYPES[name]
        constants = {
            "p": arb(bits),
            "Omega": arb(2) ** above - arb(2) ** (above - bits - 1),
            "mu": arb(2) ** smallest,
            "u": arb(2) ** -bits,
        }
        known = {Symbol(n, real=True): v for n, v in constants.items()}
        own = enclosed(ends)
        symbol = own_symbol(said, {**where, **known}, declared=True)
        yield Setting({**where, **known, **({symbol: own} if symbol else {})}, own)


def _has_other_sign(symbol: Symbol, number: arb | acb) -> bool:
    """Whether a number has not the sign that a symbol is declared to have."""
    below, above = (symbol.is_nonnegative, symbol.is_negative)
    return isinstance(number, arb) and bool((below and number < 0) or (above and number > 0))


def own_symbol(
    said: Statement, known: Mapping[Symbol, object], declared: bool = False
) -> Symbol | None:
    """The one symbol of a statement that nothing declares: what the entry's number is.

    It may be the one that is declared if there is no other, where the number is a root for sure.
    """
    symbols = set().union(*(free(claim) for claim in said.claims)) - set(known)
    open_ = [s for s in symbols if str(s) not in said.domains] or (symbols if declared else [])
    given = {
        s for claim in said.claims if isinstance(claim, Chain) for c in claim.given for s in free(c)
    }
    open_ = [s for s in open_ if s not in given] or open_
    return next(iter(open_)) if len(open_) == 1 else None


# ---------------------------------------------------------------------------- claims


def side(expression: Expr, at: Values) -> arb | acb:
    return value(differentiated(expression.xreplace(whole(at))), at)


def check(chain: Chain, at: Values, own: arb | None, towards: Chain | None = None) -> int:
    """Compare each side with the next; a quantity with the entry's number. How many were.

    What tends to something (→) does so as the assumptions say (``towards``).
    """
    if chain.signs != ("∈",) and any(not isinstance(part, Expr) for part in chain.sides):
        raise Untried("a set stands where a number is compared")
    if len(chain.sides) == 1:
        if own is None:
            raise Untried("a quantity stands alone, and the entry has no number")
        compare(side(chain.sides[0], at), "=", own, chain, at)
        return 1
    place = next((i for i, sign in enumerate(chain.signs) if sign in {"→", "~"}), None)
    if place is not None:
        if towards is None:
            raise Untried("nothing says where the limit is taken")
        variable, point = towards.sides
        body, limit = chain.sides[place : place + 2]
        if chain.signs[place] == "~":
            body, limit = body / limit, sp.S.One
        tends = sp.Limit(body, variable, point, "-" if point == sp.oo else "+")
        compared = check(Chain((tends, limit), ("=",)), at, None)
        before = Chain(chain.sides[: place + 1], chain.signs[:place])
        after = Chain(chain.sides[place + 1 :], chain.signs[place + 1 :])
        for part in (before, after):
            compared += check(part, at, None) if part.signs else 0
        return compared
    if chain.signs == ("∈",):
        return element(*chain.sides, at)
    values = [side(part, at) for part in chain.sides]
    for (left, right), sign in zip(pairwise(values), chain.signs, strict=True):
        compare(left, sign, right, chain, at)
    if own is not None and set(chain.signs) == {"="} and own not in at.values():
        compare(
            values[-1], "=", own, chain, at
        )  # a chain of equal quantities: the number is theirs
        return len(chain.signs) + 1
    return len(chain.signs)


def element(number: Expr, among: sp.Set, at: Values) -> int:
    """Whether a number is one of a set."""
    if not isinstance(among, sp.Set):
        raise Untried("nothing says what is in a set")
    if quantities.exact(side(number, at)) not in among:
        raise FalseStatement(f"{number} is not in {among}")
    return 1


def tried_at(point: Point, chain: Chain) -> int:
    """A chain at a point, also one with an O."""
    if any(part.has(ORDER) for part in chain.sides):
        return bounded(chain, point.values)
    return check(point.explicit(chain), point.values, None)


def bounded(chain: Chain, at: Values) -> int:
    """a = b + O(c): |a − b| is at most a multiple of |c|, while the integer in c grows.

    The largest of the last quotients must not be greater than the largest of the first ones.
    """
    left, right = chain.sides
    (order,) = right.atoms(ORDER)
    (index,) = (s for s in order.free_symbols if s.is_integer)
    quotient = (left - right.xreplace({order: sp.S.Zero})) / order.args[0]
    sizes = [abs(side(quotient, {**at, index: at[index] + 2 * step})) for step in range(40)]
    first, last = (max(part, key=lambda size: size.mid()) for part in (sizes[:20], sizes[20:]))
    if not last < first:
        raise FalseStatement(f"{last.str(8)} after {first.str(8)}, not bounded: {chain}")
    return len(sizes)


def compare(left: arb | acb, sign: str, right: arb | acb, chain: Chain, at: Values) -> None:
    """One comparison of balls; a strict inequality must be certain."""
    true = {
        "=": lambda: left.overlaps(right),
        "<": lambda: left < right,
        ">": lambda: left > right,
        "≤": lambda: not left > right,
        "≥": lambda: not left < right,
        "≠": lambda: left != right,
        "→": lambda: left.overlaps(right),
        "∈": lambda: left.overlaps(right),  # of an interval, which a ball is
    }
    if sign not in true:
        raise Untried(f"{sign} is not compared")
    if not (left.is_finite() and right.is_finite()) and not (left == right):
        raise NoValue("a side is infinite or not a number")
    if not true[sign]():
        where = ", ".join(f"{s} = {v.str(12, radius=False)}" for s, v in at.items())
        raise FalseStatement(f"{left.str(20)} {sign} {right.str(20)} at {where}: {chain}")


def holds(chain: Chain, at: Values) -> bool:
    """Whether a condition holds; one that cannot be decided does not count as a condition."""
    return decided(chain, at) is not False


def decided(chain: Chain, at: Values) -> bool | None:
    """Whether a chain holds; None where its sides have no values that can be compared."""
    try:
        check(chain, at, None)
    except FalseStatement:
        return False
    except (Untried, NoValue):
        return None
    return True


def says_on_which_side(claim: Proposition) -> bool:
    """Whether a claim says on which side of a number something holds: f(x) < g(x) ⇔ x < a."""
    return (
        isinstance(claim, Inference)
        and claim.sign == "⇔"
        and any({*chain.signs} & {"<", ">", "≤", "≥"} for chain in claim.conclusions)
    )


def infer(claim: Inference, at: Values) -> bool | None:
    """A conclusion must hold where the premises do, and for ⇔ the other way round.

    Returns:
        whether the premises hold; None where a part cannot be decided, and nothing is compared.
    """
    found = [
        [decided(chain, at) for chain in chains] for chains in (claim.premises, claim.conclusions)
    ]
    if None in (*found[0], *found[1]):
        return None
    before, after = map(all, found)
    if (before and not after) or (claim.sign == "⇔" and after and not before):
        raise FalseStatement(f"{before} {claim.sign} {after} at {at}: {claim}")
    return before


# ---------------------------------------------------------------------------- literals


def printed(claim: Chain, entry: Result) -> Chain:
    """What somebody printed: a number in place of another one is right to a unit of its last digit.

    A name in front, of which nothing is known, is left out.
    """
    if claim.signs[-1:] not in {("=",), ("≈",)}:
        return claim
    if abs(claim.sides[-1]) != abs(sp.Rational(entry.value)):
        raise FalseStatement(f"{entry.value} was printed, not {claim.sides[-1]}")
    sides = [s for s in claim.sides if not s.is_Symbol or entry.of or str(s) in entry.where]
    if len(sides) < 2 or not sides[-1].is_Number:
        raise Untried(f"{entry.id} compares no number with another")
    digits, _, exponent = entry.value.partition("e")
    unit = sp.Rational(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return Chain((sides[-1] - unit, *sides[:-1], sides[-1] + unit), ("≤",) * len(sides))


FALLING = {"tail-bounds"}
"""Whose conditions say where the parts of a bound fall."""


# ---------------------------------------------------------------------------- assumptions


def of_members(chain: Chain, known: Values) -> Iterator[Chain]:
    """What an equation for Taylor coefficients aⱼ says of those whose numbers are known."""
    coefficients = set().union(*(side.atoms(Coefficient) for side in chain.sides))
    for index in {c.args[2] for c in coefficients if c.args[2].is_Symbol}:
        for member, symbol in product(free(chain) - {index}, known):
            number = str(symbol).removeprefix(str(member).removesuffix(str(index)))
            if str(member).endswith(str(index)) and number.isdigit():
                there = {member: symbol, index: sp.Integer(number)}
                yield replace(chain, sides=tuple(side.xreplace(there) for side in chain.sides))


def quotient(said: Statement) -> Chain:
    """That the slope which is claimed is that of the quotient of the two functions listed last."""
    above, below = (chain.sides[0] for chain in said.assumed[-2:])
    (claim,) = said.claims
    (x,) = claim.sides[0].variables
    return Chain((sp.Derivative(above / below, x), claim.sides[1]), ("=",))


def form_of_limit(said: Statement) -> Chain:
    """That the form which tends to the wrong limit is the one whose error is stated."""
    (claim,), (reason,) = said.claims, said.reasons
    (error,), limit = claim.sides, reason.sides[0]
    (x,) = error.variables
    size = abs(Phi(x) - limit.args[0].xreplace({limit.args[1]: x}))
    return Chain((error.body, size), ("=",))


def left_of(said: Statement) -> Inference:
    """That t is where the reason allows −x, so that the equation has no other root there."""
    (allowed,), (reason,) = said.assumed, said.reasons
    (t,), (x,) = free(allowed), free(reason.premises[1])
    mirrored = replace(allowed, sides=tuple(side.xreplace({t: -x}) for side in allowed.sides))
    return Inference((mirrored,), "⇔", reason.premises[1:])


def slope_of_product(said: Statement) -> Chain:
    """That the product and s (1 − s) are the factors of the second term of the form's slope."""
    (reason,), (rest,) = said.reasons, (c.sides[0] for c in said.assumed if X in free(c))
    (steep,) = reason.premises[0].sides[0].args
    return Chain((gelu_sigmoid().diff(X), said.definitions["s"] + steep * rest), ("=",))


def terms(said: Statement) -> Chain:
    """That the sum of the first N terms has N of them."""
    (total,) = said.definitions["E_"].atoms(sp.Sum)
    ((_, first, last),) = total.limits
    return Chain((last - first + 1, said.domains["N"]), ("=",))


SPOKEN = {
    "tail-ratio-slope": quotient,
    "mills-float64-place": terms,
    "waissi-rossin-error": form_of_limit,
    "gelu-vanishes": left_of,
    "sigmoid-slope-product-overflows": slope_of_product,
}
"""What the words of some assumptions say of the formulas between them."""


# ---------------------------------------------------------------------------- problems


def register_optima(statements: Mapping[str, Statement]) -> None:
    """Note the registered parameters of each problem, and where the search for others begins."""
    with ctx.workprec(quantities.BITS):
        _register_optima(statements)


def _register_optima(statements: Mapping[str, Statement]) -> None:
    for id, said in statements.items():
        entry = results()[id]
        if id in BEGINNINGS:
            for part in _minima(said):
                optima.STARTS[optima.problem_key(part)] = partial(_beginning, id, part)
        own = own_value(entry)
        if own is None:
            continue
        for claim in said.claims:
            for place, name in _places(claim):
                optima.OPTIMA.setdefault(optima.problem_key(place), {})[name] = own


def _increasing() -> Mapping[str, float]:
    """The coefficients of the best increasing polynomial of degree 7."""
    values = minimax(INCREASING).exact
    pairs = zip(FAMILY.names, INCREASING.coefficients, strict=True)
    return {name: float(coefficient.xreplace(dict(values))) for name, coefficient in pairs}


BEGINNINGS: Mapping[str, Callable[[], Mapping[str, float]]] = {
    "degree-7-gelu-error": lambda: minimax(odd_logistic(7), "GELU").parameters,
    "degree-9-gelu-error": lambda: minimax(odd_logistic(9), "GELU").parameters,
    "sparse-gelu-error": lambda: minimax(odd_logistic((1, 3, 7, 9)), "GELU").parameters,
    "degree-7-increasing-error": _increasing,
    "quintic-gains-nothing": lambda: {**minimax(TANH_CUBIC).parameters, "p5": 0.0},
}
"""Rough parameters of the best members whose errors alone are registered."""


def _minima(said: Statement) -> Iterable[Infimum]:
    """The least suprema over several parameters of which a statement speaks."""
    sides = [side for claim in said.claims if isinstance(claim, Chain) for side in claim.sides]
    found = set().union(*(side.atoms(Infimum) for side in sides if isinstance(side, Expr)))
    return (part for part in found if isinstance(part.body, Supremum))


def _beginning(id: str, part: Infimum, at: Values) -> dict[Symbol, arb]:
    rough = BEGINNINGS[id]()
    if not {*map(str, part.variables)} <= {*rough}:
        raise NoValue(f"no beginning for {part.variables}")
    return {p: arb(rough[str(p)]) for p in part.variables}


def _places(claim: Proposition) -> Iterable[tuple[ArgMin, str]]:
    if not isinstance(claim, Chain):
        return
    for part in claim.sides:
        if isinstance(part, Component):
            yield part.args[0], str(part.args[1])
        elif isinstance(part, ArgMin) and len(part.variables) == 1 and part.body.atoms(Binding):
            yield part, str(part.variables[0])
