"""The kinds of check that decide whether a statement holds.

A check has the statement as data and one method, ``outcome``, which finds that the statement holds
or that it fails, or raises ``Undecided``. A refutation is a number at a named point, or a
coefficient. What holds is proved, by exact algebra or by interval arithmetic. But a comparison with
a registered number is a proof only if that is certified, and the evidence then calls it proved; of
another one the digits are taken to be right. Two kinds rely on a method, and say so in their
evidence: ``Within`` and ``NotElementary``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Protocol

import numpy as np
import sympy as sp
from sympy import Expr, Function, Rational, Symbol, exp
from sympy.integrals.risch import NonElementaryIntegral, risch_integrate

from gelu_lib.certificates.certificate import certify
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.positive import PRECISION, Ends, enclosed, is_positive
from gelu_lib.chapters.claims.compared import (
    Number,
    bounds,
    exactly,
    fraction,
    link,
    literal,
    show,
)
from gelu_lib.derivations.deciding import NotProven, are_equal, prove_equal, prove_positive
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.notation import tex
from gelu_lib.fits.criteria import Optimum
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, numpy_function, phi
from gelu_lib.register import agreeing_digits
from gelu_lib.show.tables import decimal

APART = Rational(1, 10**12)
"""Two numbers that differ by less than this part of their size count as not told apart."""

SAMPLES = 4000
"""How many points of an interval are searched for the largest value of a function."""

SHOWN = 8
"""Significant digits of a number in a line of evidence."""

LONGEST = 160
"""An equation whose TeX is longer than this is not repeated in a line of evidence."""


once = cache
"""For an outcome that several sources need. Checks stand in modules, so none is kept in vain."""


class Undecided(Exception):
    """A check could neither prove its statement nor refute it."""


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    Attributes:
        holds: whether the statement holds as it stands.
        evidence: one line of Markdown that says how this is known, with computed numbers.
        rounded: whether it holds as a rounded number and not exactly.
    """

    holds: bool
    evidence: str
    rounded: bool = False


class Check(Protocol):
    """What every kind of check can do."""

    def outcome(self) -> Outcome:
        """Decide the statement.

        Raises:
            Undecided: if it is neither proved nor refuted.
        """
        ...


@dataclass(frozen=True, init=False)
class Equal:
    """Expressions are equal for all values of their symbols, one line after the other.

    Attributes:
        sides: two expressions or more.
        by: the IDs of derivations whose equations may be used.
    """

    sides: tuple[Expr, ...]
    by: tuple[str, ...]

    def __init__(self, *sides: Expr, by: tuple[str, ...] = ()) -> None:
        if len(sides) < 2:
            raise ValueError(f"sides is {sides!r}; accepted are two expressions or more")
        object.__setattr__(self, "sides", sides)  # as frozen dataclasses set their own fields
        object.__setattr__(self, "by", by)

    @once
    def outcome(self) -> Outcome:
        given = [(part.start, part.end) for id in self.by for part in derivation(id).parts]
        given = [tuple(map(unfolded, pair)) for pair in given]
        sides = [sp.sympify(side) for side in self.sides]
        for side in sides[1:]:
            try:
                prove_equal(unfolded(sides[0]), unfolded(side), given)
            except NotProven:
                return _told_apart(sides[0], side)
        cited = "".join(f", with {link(id)}" for id in self.by)
        return Outcome(True, f"{_equation(sides)}{cited}")


@dataclass(frozen=True)
class Chain:
    """Lines of a calculation are lines of a derivation of the book, in the same order.

    Two lines may be one and the same line of the derivation, if they are equal by algebra.

    Attributes:
        id: the ID of the derivation.
        lines: the lines, each equal to the one before; at least one.
    """

    id: str
    lines: tuple[Expr, ...]

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("lines is (); accepted are one expression or more")

    @once
    def outcome(self) -> Outcome:
        derived = derivation(self.id)
        steps = [derived.start, *(step.expression for step in derived.all_steps)]
        place = 0
        for line in self.lines:
            while place < len(steps) and not _is_the_same(line, steps[place]):
                place += 1
            if place == len(steps):
                return self._stray(derived.start.doit(), line)
        return Outcome(True, f"each line is one of {link(self.id)}, checked step by step")

    def _stray(self, start: Expr, line: Expr) -> Outcome:
        """What is to be said of a line that is none of those that are left."""
        found = Equal(start, line).outcome()
        if found.holds:
            raise Undecided(f"{line} equals the first line of {self.id}; the step is not decided")
        return found


@dataclass(frozen=True)
class Positive:
    """An expression is positive for all values of its symbols."""

    expression: Expr

    def outcome(self) -> Outcome:
        expression = self.expression.replace(GELU, lambda x: GELU(x).rewrite(Phi))
        try:
            prove_positive(expression)
        except NotProven:
            return self._refuted()
        return Outcome(True, f"${tex(self.expression)} > 0$, proved")

    def _refuted(self) -> Outcome:
        for point in _points(self.expression.free_symbols):
            value = sp.N(self.expression.subs(point), PRECISION)
            if value.is_real and value <= 0:
                place = ", ".join(f"{tex(s)} = {tex(v)}" for s, v in point.items())
                return Outcome(False, f"at ${place}$ it is {decimal(value, SHOWN)}")
        raise Undecided(f"the sign of {self.expression} is not decided")


@dataclass(frozen=True)
class Digits:
    """A printed number is the exact number, rounded to the digits that are printed.

    Attributes:
        printed: a decimal numeral, or the ID of a historical literal that is one.
        exact: the number that it stands for.
    """

    printed: str
    exact: Number

    def outcome(self) -> Outcome:
        printed = literal(self.printed)
        stated, half = Fraction(printed), half_a_unit(printed)
        low, high = bounds(self.exact)
        shown = f"exact: {show(self.exact, len(Decimal(printed).as_tuple().digits) + 5)}"
        if stated - half < low and high < stated + half:
            return Outcome(True, shown, rounded=not low == high == stated)
        if not (high < stated - half or stated + half < low):
            raise Undecided(f"{printed} is too close to half a unit from {self.exact}")
        exact = fraction(self.exact)
        if exact == 0:
            return Outcome(False, shown)
        right = agreeing_digits(printed, exact)
        total = len(Decimal(printed).as_tuple().digits)
        return Outcome(False, f"right digits: {right} of {total}; {shown}")


@dataclass(frozen=True)
class Within:
    """A printed number is as close to an exact one as the method promises that printed it.

    Attributes:
        printed: a decimal numeral, or the ID of a historical literal that is one.
        exact: the number that the method approximates.
        relative: the relative tolerance of the method.
    """

    printed: str
    exact: Number
    relative: Rational

    def outcome(self) -> Outcome:
        stated, exact = Fraction(literal(self.printed)), fraction(self.exact)
        right = agreeing_digits(stated, exact)
        holds = abs(stated - exact) <= Fraction(self.relative) * abs(exact)
        total = len(Decimal(literal(self.printed)).as_tuple().digits)
        shown = f"agrees to {right} of {total} digits with {show(self.exact, total)}"
        limit = f"a relative {decimal(self.relative, 2)}"
        return Outcome(holds, f"{shown}, {'within' if holds else 'not within'} {limit}")


@dataclass(frozen=True)
class Less:
    """One number is less than another one."""

    left: Number
    right: Number

    def outcome(self) -> Outcome:
        less = _is_less(bounds(self.left), bounds(self.right))
        if less is None:
            raise Undecided(f"{self.left} and {self.right} are not told apart")
        relation = "is less than" if less else "is greater than"
        first, second = (show(number, 5) for number in (self.left, self.right))
        return Outcome(less, f"{first} {relation} {second}")


@dataclass(frozen=True)
class Closer:
    """A number is closer to one number than to another."""

    number: Number
    near: Number
    far: Number

    def outcome(self) -> Outcome:
        number = bounds(self.number)
        distances = [_distance(number, bounds(other)) for other in (self.near, self.far)]
        closer = _is_less(*distances)
        if closer is None:
            raise Undecided(f"{self.near} and {self.far} are equally close to {self.number}")
        shown = [
            f"{decimal(sp.Rational(d.numerator, d.denominator), 2)} from {show(other, SHOWN)}"
            for (d, _), other in zip(distances, (self.near, self.far), strict=True)
        ]
        return Outcome(closer, f"{show(self.number, SHOWN)} lies {' and '.join(shown)}")


@dataclass(frozen=True)
class Coefficients:
    """The Taylor coefficients of a function, all of them up to some power.

    A statement f(x) = p(x) + o(xᵏ) says just this: up to the power k the coefficients of f are
    those of the polynomial p.

    Attributes:
        printed: the coefficients by their power; those that are missing are 0.
        exact: a function from the power to the exact coefficient.
        order: the highest power that the statement speaks of.
    """

    printed: Mapping[int, Expr]
    exact: Callable[[int], Expr]
    order: int

    def __post_init__(self) -> None:
        if not all(0 <= power <= self.order for power in self.printed):
            raise ValueError(f"printed has the powers {list(self.printed)}, order is {self.order}")

    def outcome(self) -> Outcome:
        for power in range(self.order + 1):
            true = sp.sympify(self.exact(power))
            if not Equal(self.printed.get(power, 0), true).outcome().holds:
                stated = tex(sp.sympify(self.printed.get(power, 0)))
                shown = f"the coefficient of $x^{{{power}}}$ is ${tex(true)}$, not ${stated}$"
                return Outcome(False, shown)
        return Outcome(True, f"every coefficient up to $x^{{{self.order}}}$ agrees, exactly")


@dataclass(frozen=True)
class Recurrence:
    """The coefficients of a power series obey what a differential equation asks, for every n.

    The equation gives the first coefficient and the ratio of two that follow one another; both
    together determine every coefficient.

    Attributes:
        term: the n-th coefficient as it was printed, an expression in ``index``.
        first: the coefficient for n = 0, by the equation.
        ratio: the coefficient for n + 1 divided by the one for n, by the equation.
        index: the symbol n, an integer >= 0.
    """

    term: Expr
    first: Expr
    ratio: Expr
    index: Symbol

    def outcome(self) -> Outcome:
        start = Equal(self.term.subs(self.index, 0), self.first).outcome()
        if not start.holds:
            return start
        found = sp.combsimp(self.term.subs(self.index, self.index + 1) / self.term)
        step = Equal(found, self.ratio).outcome()
        if not step.holds:
            return step
        n = tex(self.index)
        first = f"the first coefficient is ${tex(sp.sympify(self.first))}$"
        told = f"$c_{{{n}+1}}/c_{n} = {tex(self.ratio)}$ for every ${n}$"
        return Outcome(True, f"{first}, and {told}, as the differential equation asks")


@dataclass(frozen=True)
class Below:
    """The size of a function of x stays below a bound on an interval, its left end left out.

    A witness refutes it, which samples look for. What holds is proved by interval arithmetic.

    Attributes:
        function: an expression in x, with a derivative on the interval.
        bound: the bound.
        low: the left end of the interval.
        high: the right end of the interval.
        unit: what the bound is multiplied by, a function of x; with it the error is relative.
    """

    function: Expr
    bound: Number
    low: Expr
    high: Expr
    unit: Expr = sp.S.One

    @once
    def outcome(self) -> Outcome:
        size, (lower, upper) = self.function / self.unit, bounds(self.bound)
        width = self.high - self.low
        samples = float(self.low) + float(width) * np.arange(1, SAMPLES + 1) / SAMPLES
        highest = int(np.nanargmax(np.abs(numpy_function(size)(samples))))
        worst = self.low + width * Rational(highest + 1, SAMPLES)
        value = size.subs(X, worst)
        shown = f"{decimal(sp.N(abs(value), PRECISION), 4)} at x = {decimal(worst, 4)}"
        if _distance(enclosed(value), (Fraction(0), Fraction(0)))[0] >= upper:
            return Outcome(False, f"it is {shown}")
        margin = self.unit * Rational(lower.numerator, lower.denominator)
        for side in (margin - self.function, margin + self.function):
            if not is_positive(side, self.low, self.high):
                raise Undecided(f"|{size}| < {self.bound} is neither proved nor refuted")
        told = f"that it stays below {show(self.bound, SHOWN)} is proved by interval arithmetic"
        return Outcome(True, f"the largest value found is {shown}; {told}")


@dataclass(frozen=True)
class Largest:
    """A printed number is the largest size of a function of x on an interval, rounded.

    Attributes:
        printed: a decimal numeral, or the ID of a historical literal that is one.
        function: an expression in x, with a derivative on the interval.
        low: the left end of the interval.
        high: the right end of the interval.
    """

    printed: str
    function: Expr
    low: Expr
    high: Expr

    def outcome(self) -> Outcome:
        printed = literal(self.printed)
        stated, half = Fraction(printed), half_a_unit(printed)
        under, over = (
            Below(self.function, Rational(end.numerator, end.denominator), self.low, self.high)
            for end in (stated + half, stated - half)
        )
        if over.outcome().holds:
            return Outcome(False, over.outcome().evidence)
        found = under.outcome()
        return Outcome(found.holds, found.evidence, rounded=found.holds)


@dataclass(frozen=True)
class BestOnTheLine:
    """A best fit stays the best when one more parameter, an odd one out, is set free.

    The error is odd, so its extrema x > 0 have mirror images with the opposite sign. Let n be the
    number of free parameters, with the one that is added, and let the difference of two members
    have at most n − 1 zeros on the whole line. Then n + 1 alternating extrema there are enough (the
    alternation theorem). That there are no more zeros is for the claim to say; the extrema are
    those of a certificate.

    Attributes:
        fit: a function that makes the fit.
    """

    fit: Callable[[], Optimum]

    def outcome(self) -> Outcome:
        try:
            proved = certify(self.fit())
        except CertificationError as failure:
            raise Undecided(str(failure)) from None
        # the error of GELU is even, so that its mirror images keep their sign
        if proved.criterion.of != "Phi":
            raise Undecided(f"the error of {proved.criterion.of} is not odd")
        free = len(proved.parameters) - len(proved.fixed) + 1
        line = [-sign for sign in reversed(proved.signs)] + list(proved.signs)
        runs = 1 + sum(a != b for a, b in pairwise(line))
        if runs <= free:
            raise Undecided(f"{runs} alternating extrema for {free} free parameters")
        places = " and ".join(f"±{x.rounded(4)}" for x in proved.points)
        told = f"{runs} alternating extrema, at {places}, proved; {free + 1} are enough"
        return Outcome(True, told)


@dataclass(frozen=True)
class Depends:
    """An expression depends on a symbol."""

    expression: Expr
    symbol: Symbol

    def outcome(self) -> Outcome:
        slope = sp.diff(self.expression, self.symbol)
        if not Equal(slope, sp.S.Zero).outcome().holds:
            return Outcome(True, f"its derivative with respect to ${tex(self.symbol)}$ is not 0")
        return Outcome(False, f"${tex(self.symbol)}$ does not occur in it")


@dataclass(frozen=True)
class NotElementary:
    """A function of x has no antiderivative among the elementary functions.

    Risch's algorithm decides it; it is SymPy's, and we rely on it.
    """

    integrand: Expr

    def outcome(self) -> Outcome:
        found = _antiderivative(self.integrand)
        if isinstance(found, NonElementaryIntegral):
            shown = f"${tex(self.integrand)}$ has no elementary antiderivative"
            return Outcome(True, f"{shown}, by Risch’s algorithm")
        return Outcome(False, f"an antiderivative is ${sp.latex(found)}$")


@dataclass(frozen=True)
class Told:
    """A check whose evidence begins with what it is about, where its numbers do not say so.

    Attributes:
        words: the beginning, Markdown.
        check: the check.
    """

    words: str
    check: Check

    def outcome(self) -> Outcome:
        found = self.check.outcome()
        return Outcome(found.holds, f"{self.words}: {found.evidence}", found.rounded)


@dataclass(frozen=True)
class Not:
    """A statement is false."""

    check: Check

    def outcome(self) -> Outcome:
        found = self.check.outcome()
        return Outcome(not found.holds, found.evidence)


@dataclass(frozen=True, init=False)
class All:
    """Several statements hold together.

    Attributes:
        checks: their checks, at least one; the first one that fails decides.
    """

    checks: tuple[Check, ...]

    def __init__(self, *checks: Check) -> None:
        if not checks:
            raise ValueError("checks is (); accepted are one check or more")
        object.__setattr__(self, "checks", checks)  # as frozen dataclasses set their own fields

    def outcome(self) -> Outcome:
        outcomes = []
        for check in self.checks:
            outcomes.append(check.outcome())
            if not outcomes[-1].holds:
                return outcomes[-1]
        evidence = "; ".join(dict.fromkeys(outcome.evidence for outcome in outcomes))
        return Outcome(True, evidence, any(outcome.rounded for outcome in outcomes))


def unfolded(expression: Expr) -> Expr:
    """An expression with GELU, φ and σ by their formulas, and every argument multiplied out.

    Φ and erf stay; what ties them together is a derivation and has to be cited.
    """
    expression = expression.replace(GELU, lambda x: GELU(x).rewrite(Phi))
    expression = expression.replace(phi, lambda x: phi(x).rewrite(exp))
    expression = expression.replace(logistic, lambda x: logistic(x).rewrite(exp))
    return expression.replace(
        lambda part: isinstance(part, Function) and len(part.args) == 1,
        lambda part: part.func(sp.expand(part.args[0])),
    )


def _points(symbols: set[Symbol]) -> list[dict[Symbol, Expr]]:
    """Values for symbols, rational ones, as their assumptions allow."""
    ordered = sorted(symbols, key=str)
    points = []
    for shift in (Rational(1), Rational(1, 2), Rational(2), Rational(-1), Rational(-3)):
        values = {symbol: shift + Rational(i, 3) for i, symbol in enumerate(ordered)}
        values = {s: sp.Integer(int(v) + 3) if s.is_integer else v for s, v in values.items()}
        if not any(s.is_nonnegative and v < 0 for s, v in values.items()):
            points.append(values)
    return points


def half_a_unit(printed: str) -> Fraction:
    """Half a unit of the last digit of a numeral."""
    return Fraction(10) ** Decimal(printed).as_tuple().exponent / 2


def _is_less(left: Ends, right: Ends) -> bool | None:
    """Whether one number is less than another one, if their enclosures decide it."""
    if left[1] < right[0] or right[1] < left[0]:
        return left[1] < right[0]
    return None


def _distance(left: Ends, right: Ends) -> Ends:
    """An enclosure of the distance of two numbers."""
    low, high = left[0] - right[1], left[1] - right[0]
    return max(low, -high, Fraction(0)), max(high, -low)


def _is_the_same(line: Expr, step: Expr) -> bool:
    return line == step or are_equal(line, step)


def _equation(sides: list[Expr]) -> str:
    """That the sides are equal, with the sides where they are short and look different."""
    if sides[0].is_Rational:
        return f"both are {exactly(sides[0]) or decimal(sides[0], SHOWN)}"
    shown = " = ".join(dict.fromkeys(map(tex, sides)))
    if " = " not in shown or len(shown) > LONGEST:
        return "equal by exact algebra"
    return f"${shown}$ by exact algebra"


def _told_apart(left: Expr, right: Expr) -> Outcome:
    """Refute that two expressions are equal, by their values at a point."""
    sides = [unfolded(left), unfolded(right)]
    for point in _points(sides[0].free_symbols | sides[1].free_symbols):
        values = [sp.N(side.subs(point), PRECISION) for side in sides]
        if _are_apart(*values):
            place = ", ".join(f"{tex(s)} = {tex(v)}" for s, v in point.items())
            named = zip((left, right), values, strict=True)
            told = " and ".join(_value_of(side, value) for side, value in named)
            return Outcome(False, f"at ${place}$ {told}" if place else told)
    raise Undecided(f"{left} = {right} is neither proved nor refuted")


def _value_of(side: Expr, value: Expr) -> str:
    shown = decimal(value, SHOWN)
    return exactly(side) or shown if side.is_Rational else f"${tex(side)}$ is {shown}"


@cache
def _antiderivative(integrand: Expr) -> Expr:
    x = Symbol("x")
    return risch_integrate(integrand.xreplace({X: x}), x)


def _are_apart(left: Expr, right: Expr) -> bool:
    if not (left.is_Number and right.is_Number):
        return False
    return bool(abs(left - right) > APART * max(abs(left), abs(right), 1))
