"""Whether a statement holds: it is proved, or it is refuted; what is neither raises."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import arb, ctx, fmpq
from sympy import Expr, Function, Rational, Symbol, exp
from sympy.integrals.risch import NonElementaryIntegral, risch_integrate

from gelu_lib.certificates.engine.balls import bits, interval, number
from gelu_lib.certificates.facts.positive import is_positive
from gelu_lib.derivations.deciding import NotProven, are_equal, prove_equal, prove_positive
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, numpy_function, phi
from gelu_lib.register import result

N = Symbol("n", integer=True, nonnegative=True)
PRECISION = 40
"""Digits to which a number is enclosed before it is compared with another one."""

SAMPLES = 4000
"""How many points of an interval are searched for the largest value of a function."""


class Undecided(Exception):
    """A statement is neither proved nor refuted."""


def equal(*sides: Expr | int, by: tuple[str, ...] = ()) -> bool:
    """Whether expressions are equal, by algebra and by the equations of derivations."""
    given = [
        (unfolded(part.start), unfolded(part.end)) for id in by for part in derivation(id).parts
    ]
    first, *others = (unfolded(sp.sympify(side)) for side in sides)
    for other in others:
        try:
            prove_equal(first, other, given)
        except NotProven:
            symbols = first.free_symbols | other.free_symbols
            gap = abs(value_at_a_point(first - other, symbols))
            if not (gap.is_Float and gap > 1e-12):
                raise Undecided(f"{first} = {other}") from None
            return False
    return True


def positive(expression: Expr) -> bool:
    """Whether an expression is positive for all values of its symbols."""
    try:
        prove_positive(unfolded(expression))
    except NotProven:
        if not value_at_a_point(expression, expression.free_symbols) <= 0:
            raise Undecided(f"{expression} > 0") from None
        return False
    return True


def value_at_a_point(expression: Expr, symbols: set[Symbol]) -> Expr:
    """The value where the symbols are 1, 4/3, 5/3 …, or 3, 4, … if they are integers."""
    ordered = enumerate(sorted(symbols, key=str))
    point = {s: 3 + i if s.is_integer else 1 + Rational(i, 3) for i, s in ordered}
    return sp.N(expression.subs(point), PRECISION)


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


def lines_of(id: str, *lines: Expr) -> bool:
    """Whether the lines of a calculation are lines of a derivation of the book, in that order."""
    derived = derivation(id)
    steps = iter([derived.start, *(step.expression for step in derived.all_steps)])
    step = next(steps)
    for line in lines:
        while not (line == step or are_equal(line, step)):
            step = next(steps, None)
            if step is None:
                if equal(derived.start.doit(), line):
                    raise Undecided(f"{line} is equal, but no line of {id}")
                return False
    return True


def begins(printed: dict[int, Expr], coefficient, order: int) -> bool:
    """Whether a power series has these coefficients and no others up to a power."""
    return all(equal(printed.get(k, 0), coefficient(k)) for k in range(order + 1))


def every_term(term: Expr, first: Expr, ratio: Expr) -> bool:
    """Whether coefficients begin so and have this ratio, as a differential equation asks."""
    found = sp.combsimp(term.subs(N, N + 1) / term)
    return equal(term.subs(N, 0), first) and equal(found, ratio)


def elementary(integrand: Expr) -> bool:
    """Whether a function of x has an elementary antiderivative, by SymPy's Risch algorithm."""
    x = Symbol("x")
    return not isinstance(risch_integrate(integrand.xreplace({X: x}), x), NonElementaryIntegral)


# ------------------------------------------------------------------ numbers

Ends = tuple[Fraction, Fraction]
"""The ends of an interval that holds a number; they are equal for a rational one."""

Number = Expr | str | int | Ends
"""An exact number, the ID of a registered one, or the ends of an interval that holds one."""


def ends_of(ball: arb) -> Ends:
    """The ends of a ball.

    Raises:
        ArithmeticError: if the ball is not finite.
    """
    if not ball.is_finite():
        raise ArithmeticError(f"{ball} is not finite")
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def scaled(pair: Ends, factor: Expr) -> Ends:
    """The ends of an interval that holds a multiple of a number, given those of the number."""
    if factor.is_Rational:
        return tuple(sorted(end * Fraction(factor.p, factor.q) for end in pair))
    with ctx.workprec(bits(PRECISION)):
        whole = interval(*(arb(fmpq(end.numerator, end.denominator)) for end in pair))
        return ends_of(whole * number(factor))


def enclosed(expression: Expr) -> Ends:
    """An interval that is proved to hold an exact number.

    Raises:
        NotImplementedError: if the expression has a part that is not evaluated here.
        ArithmeticError: if no finite interval was found.
    """
    if expression.is_Rational:
        return (Fraction(expression.p, expression.q),) * 2
    with ctx.workprec(bits(PRECISION)):
        return ends_of(number(expression))


def registered(id: str, name: str = "", times: Expr = sp.S.One) -> Ends:
    """The proved ends of a registered number, or of a multiple of it.

    The digits of a result without a certificate are right up to one unit of the last.
    """
    entry = result(id)
    exact = entry.named_numbers[name]
    if entry.status == "certified":
        found = tuple(map(Fraction, entry.enclosures[name] if name else entry.enclosure))
    elif entry.status == "historical":
        found = exact, exact
    else:
        digits = entry.numbers[name] if name else entry.value
        unit = Fraction(10) ** Decimal(digits).as_tuple().exponent
        found = exact - unit, exact + unit
    return scaled(found, times)


def ends(number: Number) -> Ends:
    """The ends of an interval that holds a number."""
    if isinstance(number, str):
        return registered(number)
    return number if isinstance(number, tuple) else enclosed(sp.sympify(number))


def numeral(printed: str) -> str:
    """A decimal as it was printed, given itself or by the ID of a historical literal."""
    entry = result(printed) if printed[0].isalpha() else None
    if entry and entry.status != "historical":
        raise ValueError(f"printed is {printed!r}; accepted is a historical literal")
    return entry.value if entry else printed


def rounded(printed: str, exact: Number) -> bool:
    """Whether a decimal is the exact number, rounded to the digits that are printed."""
    places = -Decimal(numeral(printed)).as_tuple().exponent
    low, high = (round(end, places) for end in ends(exact))
    if low != high:
        raise Undecided(f"{printed} is half a unit from {exact}")
    return low == Fraction(numeral(printed))


def within(printed: str, exact: Number, relative: Rational) -> bool:
    """Whether a printed decimal is as near to an exact number as its method promises."""
    exact = sum(ends(exact)) / 2
    return abs(Fraction(numeral(printed)) - exact) <= Fraction(relative) * abs(exact)


def less(left: Number, right: Number) -> bool:
    """Whether one number is less than another one."""
    (low, high), (other_low, other_high) = ends(left), ends(right)
    if not (high < other_low or other_high < low):
        raise Undecided(f"{left} and {right} are not told apart")
    return high < other_low


def closer(number: Number, near: Number, far: Number) -> bool:
    """Whether a number is closer to one number than to another."""
    return less(distance(number, near), distance(number, far))


def distance(left: Number, right: Number) -> Ends:
    (low, high), (other_low, other_high) = ends(left), ends(right)
    below, above = low - other_high, high - other_low
    return max(below, -above, Fraction(0)), max(above, -below)


def below(function: Expr, bound: Number, low: Expr, high: Expr, unit: Expr = sp.S.One) -> bool:
    """Whether the size of function/unit stays below a bound on an interval, its left end left out.

    What holds is proved by interval arithmetic; a sample refutes what does not.
    """
    low, high = sp.sympify(low), sp.sympify(high)
    points = [low + (high - low) * Rational(i, SAMPLES) for i in range(1, SAMPLES + 1)]
    sizes = np.abs(numpy_function(function / unit)(np.array(points, dtype=float)))
    worst = points[int(np.nanargmax(sizes))]
    if not less(abs((function / unit).subs(X, worst)), bound):
        return False
    least, _ = ends(bound)
    margin = unit * Rational(least.numerator, least.denominator)
    if not all(is_positive(margin + side, low, high) for side in (function, -function)):
        raise Undecided(f"|{function}| < {bound}")
    return True
