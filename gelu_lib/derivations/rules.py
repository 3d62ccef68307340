"""The kinds of step that a derivation can take, each with the checker that proves it.

A rule turns the expression before the step into one that is equal to it, after it has proved its
own side conditions. The step holds if that expression and the one after the step are equal by
arithmetic. A rule never looks at numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import sympy as sp
from sympy import (
    Add,
    Dummy,
    Expr,
    Function,
    Integral,
    Interval,
    LambertW,
    Limit,
    S,
    Sum,
    Symbol,
    exp,
    expand,
    oo,
    pi,
)

from gelu_lib.derivations.deciding import (
    OPERATORS,
    Equation,
    NotProven,
    are_equal,
    cover,
    one_integral,
    prove_equal,
    prove_nonzero,
    prove_positive,
)
from gelu_lib.derivations.existence import (
    derivative,
    differentiated,
    limit_value,
    prove_defined,
    substituted,
)
from gelu_lib.derivations.notation import DEFINITIONS, name_tex, tex

_J = Symbol("j", integer=True, positive=True)
_W = LambertW(exp(-1))

EULER_SUM: Equation = (Sum((-1) ** (_J - 1) / _J**2, (_J, 1, oo)), pi**2 / 12)
"""Euler's sum of the alternating reciprocals of the squares."""

LAMBERT_EQUATION: Equation = (_W * exp(_W), exp(-1))
"""What defines W(1/e), Lambert's function being the inverse of w·exp(w)."""


def as_expression(name: str, value: object) -> Expr:
    """A value as an expression.

    Args:
        name: what it is called in the message.
        value: a SymPy expression or a number.

    Returns:
        The expression. A float stays one, which no proof accepts.

    Raises:
        TypeError: if it is no expression.
    """
    try:
        expression = sp.sympify(value, strict=True)
    except sp.SympifyError:
        expression = None
    if not isinstance(expression, Expr):
        raise TypeError(f"{name} is {value!r}; accepted are SymPy expressions and exact numbers")
    return expression


class Rule:
    """A kind of step: how it is justified, and what it makes of an expression."""

    relation = "="
    both_sides = False
    """Whether the rule is applied to the expression after the step, too."""

    reason: str
    """The reason that stands beside the step, text with TeX between dollar signs."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type == "Expr":
                value = as_expression(field.name, getattr(self, field.name))
                object.__setattr__(self, field.name, value)

    def rewrite(self, expression: Expr) -> Expr:
        """An expression that equals the given one.

        Raises:
            NotProven: if a side condition does not hold or is not decided.
        """
        raise NotImplementedError

    def prove(self, before: Expr, after: Expr) -> None:
        """Prove that ``before`` and ``after`` stand in the relation of this rule.

        Raises:
            NotProven: if they do not, or it is not decided.
        """
        left = self.rewrite(before)
        if not self.both_sides:  # those evaluate what exists; the others make new integrals
            prove_defined(left)
        right = self.rewrite(after) if self.both_sides else after
        if not are_equal(left, right):
            raise NotProven("the left side becomes {}, which does not reduce to {}", left, right)


@dataclass(frozen=True)
class Algebra(Rule):
    """Arithmetic, the law exp(a + b) = exp(a)·exp(b), and constant factors of integrals."""

    reason = "algebra"

    def rewrite(self, expression: Expr) -> Expr:
        return expression


@dataclass(frozen=True)
class Definition(Rule):
    """Named functions are replaced by their formulas, or formulas by named functions."""

    functions: type[Function] | tuple[type[Function], ...]
    both_sides = True

    def __post_init__(self) -> None:
        if not isinstance(self.functions, tuple):
            object.__setattr__(self, "functions", (self.functions,))

    @property
    def reason(self) -> str:
        # braces, or TeX sets an operator name off from the comma
        return "definition of " + ", ".join(f"${{{name_tex(f)}}}$" for f in self.functions)

    def rewrite(self, expression: Expr) -> Expr:
        for function in self.functions:
            expression = unfolded(expression, function)
        return expression

    def prove(self, before: Expr, after: Expr) -> None:
        left, right = before, after
        for function in self.functions:
            if not (left.has(function) or right.has(function)):
                raise NotProven("{} occurs on neither side", function.__name__)
            left, right = unfolded(left, function), unfolded(right, function)
        super().prove(before, after)


@dataclass(frozen=True)
class Substitution(Rule):
    """``variable = value`` in every integral over ``variable``.

    The new variable is the one symbol of ``value`` that the step before does not contain, and
    ``value`` is affine in it, with a slope that is not 0.
    """

    variable: Symbol
    value: Expr

    @property
    def reason(self) -> str:
        return f"${tex(self.variable)} = {tex(self.value)}$"

    def rewrite(self, expression: Expr) -> Expr:
        new = self._new_variable(expression)
        slope = derivative(self.value, new)
        if new in slope.free_symbols:
            raise NotProven("{} is not affine in {}", self.value, new)
        prove_nonzero(slope)
        shift = substituted(self.value, new, S.Zero)

        def change(body: Expr, *limits: Expr) -> Expr:
            if new in body.free_symbols - {self.variable}:
                raise NotProven("{} is not a new variable", new)
            ends = ((end - shift) / slope for end in limits)
            return Integral(substituted(body, self.variable, self.value) * slope, (new, *ends))

        return _map_integrals(expression, self.variable, change)

    def _new_variable(self, expression: Expr) -> Symbol:
        new = self.value.free_symbols - expression.free_symbols
        if len(new) != 1:
            raise NotProven("{} must contain exactly one new variable", self.value)
        return new.pop()


@dataclass(frozen=True)
class Split(Rule):
    """Every integral over ``variable`` is split in two at a point."""

    variable: Symbol
    point: Expr

    @property
    def reason(self) -> str:
        return f"split at ${tex(self.point)}$"

    def rewrite(self, expression: Expr) -> Expr:
        prove_defined(self.point)

        def split(body: Expr, lower: Expr, upper: Expr) -> Expr:
            left = Integral(body, (self.variable, lower, self.point))
            return left + Integral(body, (self.variable, self.point, upper))

        return _map_integrals(expression, self.variable, split)


@dataclass(frozen=True)
class Antiderivative(Rule):
    """∫f = [G] + ∫(f − G′) for every integral over ``variable``.

    With G′ = f this is the fundamental theorem of calculus, otherwise integration by parts.
    """

    variable: Symbol
    primitive: Expr

    @property
    def reason(self) -> str:
        return f"antiderivative ${tex(self.primitive)}$"

    def rewrite(self, expression: Expr) -> Expr:
        return _map_integrals(expression, self.variable, self.evaluate)

    def evaluate(self, body: Expr, lower: Expr, upper: Expr) -> Expr:
        """The integral of ``body``, as end values and what is left to integrate."""
        slope = derivative(self.primitive, self.variable)
        ends = [_limit_at(self.primitive, self.variable, end) for end in (upper, lower)]
        if are_equal(body, slope):
            return ends[0] - ends[1]
        return ends[0] - ends[1] + Integral(body - slope, (self.variable, lower, upper))


@dataclass(frozen=True)
class Linearity(Rule):
    """The integral of a sum is the sum of the integrals, each of which must exist."""

    variable: Symbol

    reason = "linearity"

    def rewrite(self, expression: Expr) -> Expr:
        def distribute(body: Expr, lower: Expr, upper: Expr) -> Expr:
            terms = Add.make_args(expand(body))
            return Add(*(Integral(term, (self.variable, lower, upper)) for term in terms))

        return _map_integrals(expression, self.variable, distribute)


@dataclass(frozen=True)
class Polar(Rule):
    """Polar coordinates in a double integral over the quadrant where both variables are negative.

    The integrand must be positive (Tonelli's theorem then allows the exchange) and depend on the
    radius alone.
    """

    variables: tuple[Symbol, Symbol]
    radius: Symbol
    angle: Symbol

    reason = "polar coordinates"

    def rewrite(self, expression: Expr) -> Expr:
        return _map_integrals(expression, self.variables[0], self._turn)

    def _turn(self, inner: Expr, *outer_limits: Expr) -> Expr:
        first, second = self.variables
        if not isinstance(inner, Integral):
            raise NotProven("the integral over {} does not contain one over {}", first, second)
        body, variable, *inner_limits = one_integral(inner)
        if variable != second or not (*outer_limits,) == (*inner_limits,) == (-oo, 0):
            raise NotProven("{} and {} do not run over a quadrant, from -oo to 0", first, second)
        if body.free_symbols != {first, second} or body.has(*OPERATORS):
            raise NotProven("{} is not a function of {} and {} alone", body, first, second)
        prove_positive(body)
        c, s = Dummy(real=True), Dummy(real=True)
        turned = body.xreplace({first: self.radius * c, second: self.radius * s})
        radial = expand(expand(turned, power_exp=False).subs(s**2, 1 - c**2), power_exp=False)
        if radial.has(c, s):
            raise NotProven("{} does not depend on the radius alone", body)
        ring = Integral(radial * self.radius, (self.radius, S.Zero, oo))
        return Integral(ring, (self.angle, pi, 3 * pi / 2))


@dataclass(frozen=True)
class GeometricSeries(Rule):
    """An integral is summed term by term; the integrand is a geometric series.

    Its ratio q lies between −1 and 1 inside the interval, so a partial sum is at most twice the
    integrand in size, and dominated convergence allows the exchange.
    """

    variable: Symbol
    index: Symbol
    term: Expr
    primitive: Expr

    reason = "geometric series, term by term"

    def rewrite(self, expression: Expr) -> Expr:
        def expand_series(body: Expr, lower: Expr, upper: Expr) -> Expr:
            first, second, following = (
                substituted(self.term, self.index, k) for k in (S(1), S(2), self.index + 1)
            )
            ratio = second / first
            prove_equal(following, ratio * self.term)
            prove_equal(body * (1 - ratio), first)
            for point in cover(self.variable, lower, upper):
                prove_defined(substituted(self.term, self.variable, point))
                prove_nonzero(substituted(first, self.variable, point))
                prove_positive(substituted(1 - ratio**2, self.variable, point))
            each = Antiderivative(self.variable, self.primitive).evaluate(self.term, lower, upper)
            return Sum(each, (self.index, 1, oo))

        return _map_integrals(expression, self.variable, expand_series)


@dataclass(frozen=True)
class Quoted(Rule):
    """An equation used without a derivation: ``EULER_SUM`` or ``LAMBERT_EQUATION``, no other."""

    equation: Equation

    @property
    def reason(self) -> str:
        left, right = self.equation
        return f"${tex(left)} = {tex(right)}$"

    def prove(self, before: Expr, after: Expr) -> None:
        if self.equation not in (EULER_SUM, LAMBERT_EQUATION):
            raise NotProven("{} = {} is not derived here", *self.equation)
        prove_used([self.equation], before, after)
        prove_equal(before, after, [self.equation])


@dataclass(frozen=True)
class Limits(Rule):
    """Limits at infinity are replaced by their values; that of ∫ₐˣ is an improper integral."""

    both_sides = True
    reason = "limit"

    def rewrite(self, expression: Expr) -> Expr:
        if isinstance(expression, Limit):
            return limit_value(*expression.args[:3])
        if not expression.args:
            return expression
        return expression.func(*map(self.rewrite, expression.args))


@dataclass(frozen=True)
class Differentiation(Rule):
    """Derivatives and Taylor coefficients are carried out.

    The derivative of an integral by its limit is the integrand; a coefficient of xᵏ is the k-th
    derivative at 0 over k!.
    """

    both_sides = True
    reason = "differentiate"

    def rewrite(self, expression: Expr) -> Expr:
        return differentiated(expression)


@dataclass(frozen=True)
class Inequality(Rule):
    """The expression before the step is greater, or less, than the one after.

    It holds for every value of the symbols; if ``symbol`` is given, which must occur on one of the
    sides, for its values in ``interval``.
    """

    relation: str
    symbol: Symbol | None = None
    interval: Interval | None = None

    def __post_init__(self) -> None:
        if self.symbol is not None and not isinstance(self.interval, Interval):
            raise TypeError(f"interval is {self.interval}; accepted is a sympy.Interval")

    @property
    def reason(self) -> str:
        if self.symbol is None:
            return "sign of each factor"
        return f"for ${self.domain()}$"

    def domain(self) -> str:
        """TeX of where the inequality is claimed, empty if for every value of the symbols."""
        if self.symbol is None:
            return ""
        a, b, left_open, right_open = self.interval.args
        signs = ["<" if is_open else r"\le" for is_open in (left_open, right_open)]
        left = "" if a == -oo else f"{tex(a)} {signs[0]} "
        right = "" if b == oo else f" {signs[1]} {tex(b)}"
        return f"{left}{tex(self.symbol)}{right}"

    def prove(self, before: Expr, after: Expr) -> None:
        if self.relation not in ("<", ">"):
            raise NotProven("the relation {} is neither < nor >", repr(self.relation))
        if self.symbol is not None and self.symbol not in before.free_symbols | after.free_symbols:
            raise NotProven("{} occurs on neither side", self.symbol)
        difference = before - after if self.relation == ">" else after - before
        if self.symbol is None:
            prove_positive(difference)
            return
        for point in self._points():
            prove_positive(substituted(difference, self.symbol, point))

    def _points(self) -> list[Expr]:
        if self.interval.has(self.symbol):
            raise NotProven("the interval {} depends on {}", self.interval, self.symbol)
        a, b, left_open, right_open = self.interval.args
        for end in {a, b} - {-oo, oo}:
            prove_defined(end)
        ends = [end for end, is_open in ((a, left_open), (b, right_open)) if not is_open]
        return cover(self.symbol, a, b, ends)


def unfolded(expression: Expr, function: type[Function]) -> Expr:
    """Replace a function by its definition wherever it is applied, evaluated or not."""
    if function not in DEFINITIONS:
        raise NotProven("{} has no definition in gelu_lib.derivations.notation", function.__name__)
    if not expression.args:
        return expression
    args = [unfolded(arg, function) for arg in expression.args]
    make = DEFINITIONS[function] if type(expression) is function else expression.func
    return make(*args)


def _map_integrals(
    expression: Expr, variable: Symbol, change: Callable[[Expr, Expr, Expr], Expr]
) -> Expr:
    """Replace every integral over a variable by what ``change`` makes of its body and limits."""
    hits = 0

    def visit(node: Expr) -> Expr:
        nonlocal hits
        if not isinstance(node, Integral):
            return node.func(*map(visit, node.args)) if node.args else node
        body, bound, lower, upper = one_integral(node)
        if bound != variable:
            return Integral(visit(body), (bound, visit(lower), visit(upper)))
        hits += 1
        return change(body, lower, upper)

    result = visit(expression)
    if not hits:
        raise NotProven("there is no integral over {}", variable)
    return result


def _limit_at(expression: Expr, variable: Symbol, end: Expr) -> Expr:
    """The value of a continuous expression at a finite end, the limit at an infinite one."""
    if end.is_infinite:
        return limit_value(expression, variable, end)
    value = substituted(expression, variable, end)
    prove_defined(value)
    return value


def prove_used(equations: list[Equation], before: Expr, after: Expr) -> None:
    """Prove that a function or an operator of the equations that a step uses occurs in it."""
    sides = [side for equation in equations for side in equation]
    kinds = {type(node) for side in sides for node in side.atoms(Function, *OPERATORS)}
    if not (before.has(*kinds) or after.has(*kinds)):
        raise NotProven("nothing of what the step uses occurs on either side")
