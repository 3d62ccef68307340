"""Numbers for which a claimed step is false.

Sampling refutes; it never proves. The samples are seeded, so a message is the same on every run.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import sympy as sp
from scipy.integrate import quad
from sympy import Expr, Integral, Rational, S, Symbol

from gelu_lib.derivations.deciding import NotProven, one_integral
from gelu_lib.derivations.existence import differentiated, substituted
from gelu_lib.derivations.notation import NONNEGATIVE
from gelu_lib.derivations.rules import (
    Definition,
    Inequality,
    Limits,
    Rule,
)
from gelu_lib.functions.expressions import numpy_function

_SEED = 20160627
_TRIALS = 8
_DRAWS = 50
# far above the error of the evaluation, far below any difference that a slip makes
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Counterexample:
    """Values of the symbols where a step is false, and what both sides are there."""

    point: tuple[tuple[Symbol, Expr], ...]
    left: float
    right: float

    def __str__(self) -> str:
        where = ", ".join(f"{symbol} = {value}" for symbol, value in self.point)
        place = f"at {where} " if where else ""
        return f"{place}({self.left:.12g} against {self.right:.12g})"


def counterexample(before: Expr, after: Expr, rule: Rule) -> Counterexample | None:
    """Look for a point where a step is false.

    Args:
        before: the expression before the step.
        after: the expression after the step.
        rule: the rule of the step, which has the relation and the interval that are claimed.

    Returns:
        The first point of a seeded sample where the numerical values contradict the claim by far
        more than their error; None if there is none.
    """
    rng = random.Random(_SEED)
    symbols = sorted(before.free_symbols | after.free_symbols, key=str)
    try:
        sides = [_numerical(side) for side in (before, after)]
    except NotProven:
        return None
    for _ in range(_TRIALS if symbols else 1):
        point = tuple((symbol, _sample(symbol, rng)) for symbol in symbols)
        if None in dict(point).values() or _is_outside(point, rule):
            continue
        left, right = (_value(side, point) for side in sides)
        if left is not None and right is not None and _contradicts(left, right, rule.relation):
            return Counterexample(point, left, right)
    return None


def _numerical(expression: Expr) -> Expr:
    """The expression without operators that have no numerical value by themselves."""
    expression = Limits().rewrite(differentiated(expression))
    return Definition(tuple(NONNEGATIVE)).rewrite(expression)


def _sample(symbol: Symbol, rng: random.Random) -> Expr | None:
    """A number that satisfies every assumption about a symbol; None if none is drawn."""
    for _ in range(_DRAWS):
        value = _draw(symbol, rng)
        if all(getattr(value, f"is_{key}") is known for key, known in symbol.assumptions0.items()):
            return value
    return None


def _draw(symbol: Symbol, rng: random.Random) -> Expr:
    if symbol.is_integer:
        return sp.Integer(rng.randint(1 if symbol.is_positive else -3, 4))
    value = Rational(rng.randint(1, 300), 100)
    return value if symbol.is_nonnegative or rng.random() < 0.5 else -value


def _is_outside(point: tuple[tuple[Symbol, Expr], ...], rule: Rule) -> bool:
    if not isinstance(rule, Inequality) or rule.symbol is None:
        return False
    value = dict(point).get(rule.symbol)
    return value is None or rule.interval.subs(point).contains(value) != S.true


def _value(expression: Expr, point: tuple[tuple[Symbol, Expr], ...]) -> float | None:
    try:
        for symbol, value in point:
            expression = substituted(expression, symbol, value)
        number = sp.N(_integrated(expression), 20)
    except (NotProven, ValueError, TypeError, ArithmeticError, NotImplementedError):
        return None
    return float(number) if number.is_Float or number.is_Integer else None


def _integrated(expression: Expr) -> Expr:
    """Replace simple integrals by their numerical values, if the estimated error is small."""
    if isinstance(expression, Integral):
        body, variable, lower, upper = one_integral(expression)
        function = numpy_function(body, variable)
        with np.errstate(all="ignore"):
            value, error, *_ = quad(function, float(lower), float(upper), full_output=True)
        if not error < _TOLERANCE / 1000:
            raise NotProven("{} is not evaluated", expression)
        return sp.Float(value)
    if not expression.args:
        return expression
    return expression.func(*map(_integrated, expression.args))


def _contradicts(left: float, right: float, relation: str) -> bool:
    margin = _TOLERANCE * max(1.0, abs(left), abs(right))
    if relation == "=":
        return abs(left - right) > margin
    return left - right < -margin if relation == ">" else right - left < -margin
