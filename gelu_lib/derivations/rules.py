"""The kinds of step that a derivation can take, each with the checker that proves it.

A rule turns the expression before the step into one that is equal to it, after it has proved its
own side conditions. The step holds if that expression and the one after the step are equal by
arithmetic. A rule never looks at numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    expand,
    oo,
    pi,
)

from gelu_lib.derivations.deciding import (
    BINDERS,
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
from gelu_lib.derivations.growth import leading_sign
from gelu_lib.derivations.notation import DEFINITIONS, Coefficient, name_tex, tex

_NEGATIVE, _ALL, _POSITIVE = (-oo, S.Zero), (-oo, oo), (S.Zero, oo)

# where the angle of the polar coordinates runs, for a quadrant or the whole plane
_SECTORS = {
    (_POSITIVE, _POSITIVE): (S.Zero, pi / 2),
    (_NEGATIVE, _POSITIVE): (pi / 2, pi),
    (_NEGATIVE, _NEGATIVE): (pi, 3 * pi / 2),
    (_POSITIVE, _NEGATIVE): (3 * pi / 2, 2 * pi),
    (_ALL, _ALL): (S.Zero, 2 * pi),
}


class Rule:
    """A kind of step: how it is justified, and what it makes of an expression."""

    relation = "="
    both_sides = False
    """Whether the rule is applied to the expression after the step, too."""

    def reason(self) -> str:
        """The reason that stands beside the step, text with TeX between dollar signs."""
        raise NotImplementedError

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

    def reason(self) -> str:
        return "algebra"

    def rewrite(self, expression: Expr) -> Expr:
        return expression


@dataclass(frozen=True)
class Definition(Rule):
    """Named functions are replaced by their formulas, or formulas by named functions."""

    functions: tuple[type[Function], ...]
    both_sides = True

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

    The new variable is the one symbol of ``value`` that the step before does not contain. The map
    must be strictly monotone between the new limits, which are found if it is affine and must be
    given otherwise.
    """

    variable: Symbol
    value: Expr
    limits: tuple[Expr, Expr] | None = None

    def reason(self) -> str:
        return f"${tex(self.variable)} = {tex(self.value)}$"

    def rewrite(self, expression: Expr) -> Expr:
        new = self._new_variable(expression)
        slope = derivative(self.value, new)

        def change(body: Expr, lower: Expr, upper: Expr) -> Expr:
            if new in body.free_symbols - {self.variable}:
                raise NotProven("{} is not a new variable", new)
            start, stop = self.limits or self._affine_limits(new, slope, lower, upper)
            for old_end, new_end in ((lower, start), (upper, stop)):
                prove_maps_to(self.value, new, new_end, old_end)
            for point in cover(new, start, stop):
                prove_nonzero(substituted(slope, new, point))
            return Integral(
                substituted(body, self.variable, self.value) * slope, (new, start, stop)
            )

        return map_integrals(expression, self.variable, change)

    def _new_variable(self, expression: Expr) -> Symbol:
        new = self.value.free_symbols - expression.free_symbols
        if len(new) != 1:
            raise NotProven("{} must contain exactly one new variable", self.value)
        return new.pop()

    def _affine_limits(self, new: Symbol, slope: Expr, lower: Expr, upper: Expr) -> list[Expr]:
        if new in slope.free_symbols:
            raise NotProven("{} is not affine in {}; give the new limits", self.value, new)
        prove_nonzero(slope)
        return [(end - substituted(self.value, new, S.Zero)) / slope for end in (lower, upper)]


@dataclass(frozen=True)
class Split(Rule):
    """Every integral over ``variable`` is split in two at a point."""

    variable: Symbol
    point: Expr

    def reason(self) -> str:
        return f"split at ${tex(self.point)}$"

    def rewrite(self, expression: Expr) -> Expr:
        prove_defined(self.point)

        def split(body: Expr, lower: Expr, upper: Expr) -> Expr:
            left = Integral(body, (self.variable, lower, self.point))
            return left + Integral(body, (self.variable, self.point, upper))

        return map_integrals(expression, self.variable, split)


@dataclass(frozen=True)
class Antiderivative(Rule):
    """∫f = [G] + ∫(f − G′) for every integral over ``variable``.

    With G′ = f this is the fundamental theorem of calculus, otherwise integration by parts.
    """

    variable: Symbol
    primitive: Expr

    def reason(self) -> str:
        return f"antiderivative ${tex(self.primitive)}$"

    def rewrite(self, expression: Expr) -> Expr:
        return map_integrals(expression, self.variable, self.evaluate)

    def evaluate(self, body: Expr, lower: Expr, upper: Expr) -> Expr:
        """The integral of ``body``, as end values and what is left to integrate."""
        slope = derivative(self.primitive, self.variable)
        ends = [limit_at(self.primitive, self.variable, end) for end in (upper, lower)]
        if are_equal(body, slope):
            return ends[0] - ends[1]
        return ends[0] - ends[1] + Integral(body - slope, (self.variable, lower, upper))


@dataclass(frozen=True)
class Linearity(Rule):
    """The integral of a sum is the sum of the integrals, each of which must exist."""

    variable: Symbol

    def reason(self) -> str:
        return "linearity"

    def rewrite(self, expression: Expr) -> Expr:
        def distribute(body: Expr, lower: Expr, upper: Expr) -> Expr:
            terms = Add.make_args(expand(body))
            return Add(*(Integral(term, (self.variable, lower, upper)) for term in terms))

        return map_integrals(expression, self.variable, distribute)


@dataclass(frozen=True)
class Polar(Rule):
    """Polar coordinates in a double integral over a quadrant or over the whole plane.

    The integrand must be positive (Tonelli's theorem then allows the exchange) and depend on the
    radius alone.
    """

    variables: tuple[Symbol, Symbol]
    radius: Symbol
    angle: Symbol

    def reason(self) -> str:
        return "polar coordinates"

    def rewrite(self, expression: Expr) -> Expr:
        return map_integrals(expression, self.variables[0], self._turn)

    def _turn(self, inner: Expr, *outer_limits: Expr) -> Expr:
        first, second = self.variables
        if not isinstance(inner, Integral):
            raise NotProven("the integral over {} does not contain one over {}", first, second)
        body, variable, *inner_limits = one_integral(inner)
        sector = _SECTORS.get((tuple(outer_limits), tuple(inner_limits)))
        if variable != second or sector is None:
            raise NotProven("the region is neither a quadrant nor the plane")
        if body.free_symbols != {first, second} or body.has(Integral, *BINDERS):
            raise NotProven("{} is not a function of {} and {} alone", body, first, second)
        prove_positive(body)
        c, s = Dummy(real=True), Dummy(real=True)
        turned = body.xreplace({first: self.radius * c, second: self.radius * s})
        radial = expand(expand(turned, power_exp=False).subs(s**2, 1 - c**2), power_exp=False)
        if radial.has(c, s):
            raise NotProven("{} does not depend on the radius alone", body)
        ring = Integral(radial * self.radius, (self.radius, S.Zero, oo))
        return Integral(ring, (self.angle, *sector))


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

    def reason(self) -> str:
        return "geometric series, term by term"

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

        return map_integrals(expression, self.variable, expand_series)


@dataclass(frozen=True)
class AlternatingSquares(Rule):
    """Euler's sum Σ (−1)ʲ⁻¹/j² = π²/12, the sum over j ≥ 1."""

    def reason(self) -> str:
        return r"$\sum_{j \ge 1} (-1)^{j-1}/j^2 = \pi^2/12$"

    def rewrite(self, expression: Expr) -> Expr:
        return replace_all(expression, Sum, self._value)

    def _value(self, series: Sum) -> Expr:
        prove_defined(series)  # it has one index, which runs from 1 to infinity
        index = series.limits[0][0]
        factor = substituted(series.function, index, S.One)
        prove_equal(series.function, factor * (-1) ** (index - 1) / index**2)
        return factor * pi**2 / 12


@dataclass(frozen=True)
class LambertEquation(Rule):
    """The equation that defines Lambert's function, W(y)·exp(W(y)) = y for y > 0."""

    both_sides = True

    def reason(self) -> str:
        return "$W(y)\\,e^{W(y)} = y$"

    def rewrite(self, expression: Expr) -> Expr:
        if not expression.args:
            return expression
        expression = expression.func(*map(self.rewrite, expression.args))
        if not isinstance(expression, sp.exp):
            return expression
        exponent = expand(expression.args[0])
        factor = S.One
        # from the outside in: an application may occur inside another one, and by itself as well
        for application in sorted(exponent.atoms(LambertW), key=_by_size, reverse=True):
            power = exponent.coeff(application)
            exponent = expand(exponent - power * application)
            if not power.is_Integer or exponent.has(application):
                raise NotProven("{} is no integer multiple of {}", expression, application)
            factor *= (application.args[0] / application) ** power
        return sp.exp(exponent) * factor

    def prove(self, before: Expr, after: Expr) -> None:
        for application in before.atoms(LambertW) | after.atoms(LambertW):
            prove_defined(application)  # which names no branch but the principal one
        if not (before.has(LambertW) or after.has(LambertW)):
            raise NotProven("there is no W on either side")
        super().prove(before, after)


@dataclass(frozen=True)
class Limits(Rule):
    """Limits are replaced by their values; that of ∫ₐˣ at infinity is an improper integral."""

    both_sides = True

    def reason(self) -> str:
        return "limit"

    def rewrite(self, expression: Expr) -> Expr:
        return replace_all(expression, Limit, lambda at: limit_value(*at.args[:3], str(at.args[3])))


@dataclass(frozen=True)
class Differentiation(Rule):
    """Derivatives are carried out; that of an integral by its limit is the integrand."""

    both_sides = True

    def reason(self) -> str:
        return "differentiate"

    def rewrite(self, expression: Expr) -> Expr:
        return differentiated(expression)


@dataclass(frozen=True)
class TaylorCoefficient(Rule):
    """Coefficients of Taylor series at 0 are compared, each the k-th derivative over k!."""

    both_sides = True

    def reason(self) -> str:
        return "compare coefficients"

    def rewrite(self, expression: Expr) -> Expr:
        return replace_all(expression, Coefficient, self._value)

    def _value(self, node: Coefficient) -> Expr:
        body, variable, k = node.args
        if not (k.is_Integer and k >= 0):
            raise NotProven("the power {} is not a natural number", k)
        return substituted(derivative(body, variable, k), variable, S.Zero) / sp.factorial(k)


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


def _by_size(expression: Expr) -> tuple:
    """A key that puts an expression after every proper part of it, the same on every run."""
    return sum(1 for _ in sp.preorder_traversal(expression)), sp.default_sort_key(expression)


def unfolded(expression: Expr, function: type[Function]) -> Expr:
    """Replace a function by its definition, wherever it is applied.

    Args:
        expression: the expression; applications that are not evaluated are seen, too.
        function: the function.

    Returns:
        The new expression, with SymPy's automatic arithmetic done.

    Raises:
        NotProven: if ``function`` has no definition in ``gelu_lib.derivations.notation``.
    """
    if function not in DEFINITIONS:
        raise NotProven("{} has no definition in gelu_lib.derivations.notation", function.__name__)
    if not expression.args:
        return expression
    args = [unfolded(arg, function) for arg in expression.args]
    make = DEFINITIONS[function] if type(expression) is function else expression.func
    return make(*args)


def map_integrals(
    expression: Expr, variable: Symbol, change: Callable[[Expr, Expr, Expr], Expr]
) -> Expr:
    """Replace every integral over one variable.

    Args:
        expression: the expression.
        variable: the variable of integration.
        change: makes the replacement from the integrand and the limits.

    Returns:
        The new expression.

    Raises:
        NotProven: if there is no integral over ``variable``, or from ``change``.
    """
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


def replace_all(
    expression: Expr, kind: type | tuple[type, ...], change: Callable[[Expr], Expr]
) -> Expr:
    """Replace every outermost node of a kind.

    Args:
        expression: the expression.
        kind: a class of nodes, or several.
        change: makes the replacement.

    Returns:
        The new expression, with SymPy's automatic arithmetic done.
    """
    if isinstance(expression, kind):
        return change(expression)
    if not expression.args:
        return expression
    return expression.func(*(replace_all(arg, kind, change) for arg in expression.args))


def limit_at(expression: Expr, variable: Symbol, end: Expr) -> Expr:
    """The value at a finite end, the limit at an infinite one.

    Args:
        expression: an expression that is continuous at a finite ``end``.
        variable: the variable that tends to ``end``.
        end: a real expression, ∞ or −∞.

    Returns:
        The value.

    Raises:
        NotProven: if the value does not exist, or is not decided.
    """
    if end.is_infinite:
        return limit_value(expression, variable, end)
    value = substituted(expression, variable, end)
    prove_defined(value)
    return value


def prove_maps_to(value: Expr, variable: Symbol, end: Expr, target: Expr) -> None:
    """Prove that ``value`` tends to ``target`` as ``variable`` tends to ``end``.

    Args:
        value: the expression that is substituted.
        variable: its new variable.
        end: a new limit of integration.
        target: the old limit of integration.

    Raises:
        NotProven: if it tends to something else, or it is not decided.
    """
    if not target.is_infinite:
        prove_equal(limit_at(value, variable, end), target)
        return
    w = Dummy(positive=True)
    far = substituted(value, variable, w if end == oo else -w)
    if not end.is_infinite or leading_sign(far, w) != (1 if target == oo else -1):
        raise NotProven("{} does not tend to {} as {} tends to {}", value, target, variable, end)
