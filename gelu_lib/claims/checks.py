"""The kinds of check that decide whether a statement holds.

A check has the statement as data and one method, ``outcome``. It proves the statement, refutes it,
or raises ``Undecided``; it never guesses. A refutation is a number at a named point, or a
coefficient. What is only searched for and not proved says so in its evidence.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

import numpy as np
import sympy as sp
from sympy import Expr, Function, Rational, Symbol, exp
from sympy.integrals.risch import NonElementaryIntegral, risch_integrate

from gelu_lib.derivations import derivation
from gelu_lib.derivations.deciding import NotProven, prove_equal, prove_positive
from gelu_lib.derivations.notation import tex
from gelu_lib.fits import Fit
from gelu_lib.functions import GELU, Phi, X, logistic, numpy_function, phi
from gelu_lib.register import agreeing_digits, result
from gelu_lib.tables import decimal

PRECISION = 40
"""Digits to which a number is evaluated before it is compared with another one."""

APART = Rational(1, 10**12)
"""Two numbers that differ by less than this part of their size count as not told apart."""

SAMPLES = 4000
"""How many points of an interval are searched for the largest value of a function."""

SHOWN = 8
"""Significant digits of a number in a line of evidence."""


@dataclass(frozen=True)
class Registered:
    """A registered number, or a multiple of one.

    Attributes:
        id: the ID of the result.
        name: which number of the result, if it has several.
        factor: what it is multiplied by, as for the scale of erf, where all is twice as large.
    """

    id: str
    name: str = ""
    factor: Expr = sp.S.One


Number = Expr | str | int | Registered
"""What stands for a number, which is an exact expression, or a registered number or its ID."""


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


@dataclass(frozen=True)
class Equal:
    """Expressions are equal for all values of their symbols, one line after the other.

    Attributes:
        sides: two expressions or more.
        by: the IDs of derivations whose equations may be used.
    """

    sides: tuple[Expr, ...]
    by: tuple[str, ...] = ()

    def outcome(self) -> Outcome:
        given = [(part.start, part.end) for id in self.by for part in derivation(id).parts]
        first, *others = [unfolded(sp.sympify(side)) for side in self.sides]
        try:
            for other in others:
                prove_equal(first, other, [tuple(map(unfolded, pair)) for pair in given])
        except NotProven:
            return self._refuted(first, other)
        if first.is_Rational:
            return Outcome(True, f"both are {show(first, SHOWN)}")
        cited = "".join(f", with {link(id)}" for id in self.by)
        return Outcome(True, f"equal by exact algebra{cited}")

    def _refuted(self, left: Expr, right: Expr) -> Outcome:
        for point in _points(left.free_symbols | right.free_symbols):
            values = [sp.N(side.subs(point), PRECISION) for side in (left, right)]
            if _are_apart(*values):
                place = ", ".join(f"{tex(s)} = {tex(v)}" for s, v in point.items())
                where = f"at ${place}$ " if place else ""
                shown = " against ".join(decimal(value, SHOWN) for value in values)
                return Outcome(False, f"{where}the sides are {shown}")
        raise Undecided(f"{left} = {right} is neither proved nor refuted")


@dataclass(frozen=True)
class Chain:
    """Lines of a calculation are lines of a derivation of the book, in the same order.

    Attributes:
        id: the ID of the derivation.
        lines: the lines, each equal to the one before.
    """

    id: str
    lines: tuple[Expr, ...]

    def outcome(self) -> Outcome:
        derived = derivation(self.id)
        steps = iter([derived.start, *(step.expression for step in derived.all_steps)])
        for line in self.lines:
            if not any(_is_proved_equal(line, step) for step in steps):
                refuted = Equal((derived.start.doit(), line)).outcome()
                return Outcome(False, refuted.evidence)
        return Outcome(True, f"each line is one of {link(self.id)}, checked step by step")


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
        stated, exact = Fraction(printed), fraction(self.exact)
        unit = Fraction(10) ** Decimal(printed).as_tuple().exponent
        distance = abs(stated - exact)
        if abs(distance - unit / 2) < unit / 10**6:
            raise Undecided(f"{printed} is too close to half a unit from {exact}")
        shown = f"exact: {show(self.exact, len(Decimal(printed).as_tuple().digits) + 5)}"
        if distance < unit / 2:
            return Outcome(True, shown, rounded=distance > 0)
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
        shown = show(self.exact, total)
        return Outcome(holds, f"agrees to {right} digits with {shown}")


@dataclass(frozen=True)
class Less:
    """One number is less than another one."""

    left: Number
    right: Number

    def outcome(self) -> Outcome:
        left, right = fraction(self.left), fraction(self.right)
        if abs(left - right) <= Fraction(APART) * max(abs(left), abs(right)):
            raise Undecided(f"{left} and {right} are not told apart")
        relation = "is less than" if left < right else "is not less than"
        first, second = (show(number, 5) for number in (self.left, self.right))
        return Outcome(left < right, f"{first} {relation} {second}")


@dataclass(frozen=True)
class Closer:
    """A number is closer to one number than to another."""

    number: Number
    near: Number
    far: Number

    def outcome(self) -> Outcome:
        number = fraction(self.number)
        near, far = (abs(number - fraction(other)) for other in (self.near, self.far))
        if abs(near - far) <= Fraction(APART) * max(near, far):
            raise Undecided(f"{self.near} and {self.far} are equally close to {self.number}")
        shown = [decimal(sp.Rational(d.numerator, d.denominator), 2) for d in (near, far)]
        return Outcome(near < far, f"distance {shown[0]} against {shown[1]}")


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

    def outcome(self) -> Outcome:
        for power in range(self.order + 1):
            true = sp.sympify(self.exact(power))
            if not Equal((self.printed.get(power, 0), true)).outcome().holds:
                return Outcome(False, f"the coefficient of $x^{{{power}}}$ is ${tex(true)}$")
        return Outcome(True, f"every coefficient up to $x^{{{self.order}}}$ agrees, exactly")


@dataclass(frozen=True)
class Below:
    """A function of x stays below a bound on an interval.

    A witness refutes it. That none is found on a grid is no proof, and the evidence says so.

    Attributes:
        function: an expression in x, defined on the interval.
        bound: the bound.
        low: the left end of the interval.
        high: the right end of the interval.
    """

    function: Expr
    bound: Number
    low: Rational
    high: Rational

    def outcome(self) -> Outcome:
        width = self.high - self.low
        samples = float(self.low) + float(width) * np.arange(1, SAMPLES + 1) / SAMPLES
        highest = int(np.nanargmax(numpy_function(self.function)(samples)))
        worst = self.low + width * Rational(highest + 1, SAMPLES)
        value = sp.N(self.function.subs(X, worst), PRECISION)
        shown = f"{decimal(value, 4)} at $x = {decimal(worst, 4)}$"
        if fraction(value) >= fraction(self.bound):
            return Outcome(False, f"it is {shown}")
        return Outcome(True, f"the largest value found is {shown}; searched, not proved")


@dataclass(frozen=True)
class BestOnTheLine:
    """A best fit stays the best when one more parameter, an odd one out, is set free.

    The error is odd, so its extrema x > 0 have mirror images with the opposite sign. With ``free``
    parameters whose differences have at most ``free`` − 1 zeros on the whole line, ``free`` + 1
    alternating extrema there are enough (the alternation theorem).

    Attributes:
        fit: a function that makes the fit.
        free: the number of free parameters, with the one that was added.
    """

    fit: Callable[[], Fit]
    free: int

    def outcome(self) -> Outcome:
        fit = self.fit()
        signs = [sign for _, sign in fit.extrema]
        line = [-sign for sign in reversed(signs)] + signs
        runs = 1 + sum(a != b for a, b in pairwise(line))
        if runs <= self.free:
            raise Undecided(f"{runs} alternating extrema for {self.free} free parameters")
        places = " and ".join(f"±{decimal(x, 4)}" for x, _ in fit.extrema)
        return Outcome(True, f"{runs} alternating extrema, at {places}; {self.free + 1} are enough")


@dataclass(frozen=True)
class Depends:
    """An expression depends on a symbol."""

    expression: Expr
    symbol: Symbol

    def outcome(self) -> Outcome:
        slope = sp.diff(self.expression, self.symbol)
        if not Equal((slope, sp.S.Zero)).outcome().holds:
            return Outcome(True, f"its derivative with respect to ${tex(self.symbol)}$ is not 0")
        return Outcome(False, f"${tex(self.symbol)}$ does not occur in it")


@dataclass(frozen=True)
class NotElementary:
    """A function of x has no antiderivative among the elementary functions.

    Risch's algorithm decides it; it is SymPy's, and we rely on it.
    """

    integrand: Expr

    def outcome(self) -> Outcome:
        x = Symbol("x")
        found = risch_integrate(self.integrand.xreplace({X: x}), x)
        if isinstance(found, NonElementaryIntegral):
            return Outcome(True, "Risch’s algorithm finds no elementary antiderivative")
        return Outcome(False, f"an antiderivative is ${sp.latex(found)}$")


@dataclass(frozen=True)
class Prints:
    """A program runs to its end and prints a text.

    Attributes:
        program: a function without arguments that prints.
        text: what it is said to print, but for white space at the end.
    """

    program: Callable[[], None]
    text: str

    def outcome(self) -> Outcome:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                self.program()
        except Exception as error:  # whatever stops the program is the finding
            return Outcome(False, f"it stops with {type(error).__name__}: {error}")
        found = " ".join(printed.getvalue().split())
        return Outcome(found == " ".join(self.text.split()), f"it prints {found}")


@dataclass(frozen=True)
class Recorded:
    """The record of what PyTorch does has a value at some place.

    Attributes:
        record: the record, see ``gelu_lib.claims.record``.
        path: the keys that lead to the value.
        value: what stands there, by the statement.
    """

    record: Mapping
    path: tuple[str, ...]
    value: object

    def outcome(self) -> Outcome:
        found: object = self.record
        for key in self.path:
            found = found[key]
        place = ", ".join(self.path)
        version = self.record["torch"]
        shown = " ".join(found) if isinstance(found, list) else found
        return Outcome(found == self.value, f"PyTorch {version}, recorded ({place}): {shown}")


@dataclass(frozen=True)
class Not:
    """A statement is false."""

    check: Check

    def outcome(self) -> Outcome:
        found = self.check.outcome()
        return Outcome(not found.holds, found.evidence)


@dataclass(frozen=True)
class All:
    """Several statements hold together.

    Attributes:
        checks: their checks; the first one that fails decides.
    """

    checks: tuple[Check, ...]

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


def literal(printed: str) -> str:
    """A numeral as it was printed: itself, or the historical literal with this ID."""
    return result(printed).value if printed[0].isalpha() else printed


def fraction(number: Number) -> Fraction:
    """A number as a rational one, right to ``PRECISION`` digits, or to all that are registered."""
    if isinstance(number, str):
        number = Registered(number)
    if isinstance(number, Registered):
        return result(number.id).named_numbers[number.name] * fraction(number.factor)
    value = sp.Rational(sp.N(sp.sympify(number), PRECISION))
    return Fraction(value.p, value.q)


def show(number: Number, digits: int) -> str:
    """A number rounded to some digits, with a link to its result if it is registered."""
    if isinstance(number, str):
        number = Registered(number)
    if isinstance(number, Registered):
        if result(number.id).status == "historical":
            return f"{{literal}}`{number.id}`"
        times = f"${tex(number.factor)}$ times " if number.factor != 1 else ""
        value = fraction(number)
        shown = decimal(sp.Rational(value.numerator, value.denominator), digits)
        return f"{shown} ({times}{link(number.id)})"
    exact = sp.sympify(number)
    return str(exact).replace("-", "−") if exact.is_Integer else decimal(exact, digits)


def link(id: str) -> str:
    """A link to a result's permanent entry, by its ID."""
    return f"{{result}}`{id} <{id}>`"


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


def _is_proved_equal(left: Expr, right: Expr) -> bool:
    try:
        prove_equal(left, right)
    except NotProven:
        return False
    return True


def _are_apart(left: Expr, right: Expr) -> bool:
    if not (left.is_Number and right.is_Number):
        return False
    return bool(abs(left - right) > APART * max(abs(left), abs(right), 1))
