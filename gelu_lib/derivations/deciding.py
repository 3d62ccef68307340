"""Proofs that two expressions are equal and that one is positive.

Each function here proves its statement or raises ``NotProven``; none guesses. The proofs rest on
few operations of SymPy: exact arithmetic, the field operations (``together``, ``expand``), the
sign that the assumptions on symbols imply. ``simplify`` is not among them.

Equality is decided in a field of rational expressions: every function, derivative, limit and
integral is a variable of it, and two of them are the same variable only if they are proved equal.
No formula about Φ or erf is used unless it is given, except for those that are applied whenever
an expression is built: values at 0 and ±∞, as Φ(0) = 1/2, and the parity of φ, erf, tanh, sinh and
cosh, as erf(−x) = −erf(x).
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from sympy import (
    Derivative,
    Dummy,
    Expr,
    Function,
    Integral,
    Limit,
    Poly,
    S,
    Subs,
    Sum,
    Symbol,
    erf,
    exp,
    expand,
    fraction,
    oo,
    sstr,
    tanh,
    together,
)

from gelu_lib.derivations.notation import Coefficient
from gelu_lib.functions.expressions import Phi, logistic

# operators that bind a variable; what they contain may not be touched term by term
BINDERS = (Derivative, Limit, Subs, Sum, Coefficient)

OPERATORS = (Integral, *BINDERS)

Equation = tuple[Expr, Expr]


class NotProven(Exception):
    """A statement that is false or that could not be decided.

    Args:
        message: the text, with ``{}`` for each of the expressions.
        *parts: the expressions; they are printed only if the message is read.
    """

    def __init__(self, message: str, *parts: object) -> None:
        super().__init__(message, *parts)
        self.message, self.parts = message, parts

    def __str__(self) -> str:
        return self.message.format(*map(plain, self.parts))


def plain(expression: object) -> str:
    """An expression on one line, its terms in their own order.

    Args:
        expression: the expression.

    Returns:
        Text. SymPy's ``str`` sorts terms by their values, for which it evaluates integrals.
    """
    return sstr(expression, order="none")


# ---------------------------------------------------------------------------- equality


def prove_equal(left: Expr, right: Expr, given: Iterable[Equation] = ()) -> None:
    """Prove that two expressions are equal wherever both are defined.

    Args:
        left: an expression.
        right: an expression.
        given: equations that hold. Each is solved for one function value, derivative, limit or
            integral that occurs in it linearly, and used to eliminate that.

    Raises:
        NotProven: if the difference does not reduce to zero.
    """
    field = Field()
    difference = _numerator(field.embed(left) - field.embed(right))
    for known_left, known_right in given:
        known = _numerator(field.embed(known_left) - field.embed(known_right))
        if known != 0:
            difference = _numerator(difference.xreplace(dict([_solved(known)])))
    if difference != 0:
        raise NotProven("the two sides do not reduce to the same expression")


def are_equal(left: Expr, right: Expr) -> bool:
    """Whether two expressions are proved equal; False also means that it is not decided.

    Args:
        left: an expression.
        right: an expression.

    Returns:
        Whether ``prove_equal`` succeeds.
    """
    try:
        prove_equal(left, right)
    except NotProven:
        return False
    return True


class Field:
    """The rational expressions in which integrals and other operators are variables.

    Two operators get the same symbol only if they are proved equal; the symbol is declared
    positive only if the integral is proved positive.
    """

    def __init__(self) -> None:
        self._variables: list[tuple[Expr, Dummy]] = []

    def embed(self, expression: Expr) -> Expr:
        """Replace every integral and every other operator by its symbol."""
        if isinstance(expression, Integral):
            return self._embed_integral(expression)
        if isinstance(expression, BINDERS):
            return self._variable(expression)
        if not expression.args:
            return expression
        return expression.func(*map(self.embed, expression.args))

    def _embed_integral(self, integral: Integral) -> Expr:
        """c·v for the integral of c·h, where c is free of the variable of integration."""
        body, variable, lower, upper = one_integral(integral)
        constant, body = _without_constants(self.restore(self.embed(body), variable), variable)
        if constant == 0 or _same_end(lower, upper):
            return S.Zero
        canonical = Integral(body, (variable, lower, upper))
        for known, dummy in self._variables:
            ratio = _ratio(canonical, known) if isinstance(known, Integral) else None
            if ratio is not None:
                return ratio * constant * dummy
        return constant * self._new(canonical, positive=_is_positive_integral(canonical))

    def restore(self, expression: Expr, variable: Symbol) -> Expr:
        """Put back the operators that depend on a variable, since they are not constants."""
        inside = {
            dummy: self.restore(operator, variable)
            for operator, dummy in self._variables
            if dummy in expression.free_symbols and self._depends(operator, variable)
        }
        return expression.xreplace(inside)

    def _depends(self, operator: Expr, variable: Symbol) -> bool:
        # an operator that was stored earlier can stand, as its symbol, inside a later one
        nested = [known for known, dummy in self._variables if dummy in operator.free_symbols]
        return variable in operator.free_symbols or any(
            self._depends(known, variable) for known in nested
        )

    def _variable(self, operator: Expr) -> Dummy:
        for known, dummy in self._variables:
            if type(known) is type(operator) and _same_operator(known, operator):
                return dummy
        return self._new(operator)

    def _new(self, operator: Expr, positive: bool = False) -> Dummy:
        dummy = Dummy(positive=True) if positive else Dummy(real=True)
        self._variables.append((operator, dummy))
        return dummy


def one_integral(integral: Integral) -> tuple[Expr, Symbol, Expr, Expr]:
    """Integrand, variable and limits of the outermost of the integral signs.

    Args:
        integral: a definite integral, with one or more variables.

    Returns:
        The integrand, an integral itself if there are more signs; the variable; both limits.

    Raises:
        NotProven: if the outermost integral has no limits.
    """
    *inner, outer = integral.limits
    if len(outer) != 3:
        raise NotProven("{} is not a definite integral", integral)
    body = Integral(integral.function, *inner) if inner else integral.function
    return body, *outer


def _without_constants(body: Expr, variable: Symbol) -> Equation:
    """The factors of an integrand that do not depend on the variable, and the others."""
    numerator, denominator = fraction(together(body))
    numerator = sp.factor_terms(expand(numerator))
    above, numerator = numerator.as_independent(variable, as_Add=False)
    below, denominator = denominator.as_independent(variable, as_Add=False)
    return above / below, numerator / denominator


def _ratio(integral: Integral, known: Integral) -> Expr | None:
    """The number by which one integral is a multiple of another; None if none is proved."""
    body, x, lower, upper = one_integral(integral)
    known_body, y, known_lower, known_upper = one_integral(known)
    if _same_end(lower, known_lower) and _same_end(upper, known_upper):
        sign = S.One
    elif _same_end(lower, known_upper) and _same_end(upper, known_lower):
        sign = S.NegativeOne
    else:
        return None
    t = Dummy(real=True)
    body, known_body = body.xreplace({x: t}), known_body.xreplace({y: t})
    if are_equal(body, known_body):
        return sign
    # if the integrands are proportional, then with the factor that they have at one point
    if body.has(*OPERATORS) or known_body.has(*OPERATORS):
        return None
    factor = (body / known_body).xreplace({t: S.One})
    if factor.is_finite and are_equal(body, factor * known_body):
        return sign * factor
    return None


def _same_end(a: Expr, b: Expr) -> bool:
    if a.is_infinite or b.is_infinite:
        return a == b
    return are_equal(a, b)


def _same_operator(a: Expr, b: Expr) -> bool:
    # all of them carry the body first, then what they bind and where
    return a == b or (a.args[1:] == b.args[1:] and are_equal(a.args[0], b.args[0]))


def _numerator(expression: Expr) -> Expr:
    numerator = expand(fraction(together(expression))[0])
    if numerator.has(S.NaN, S.ComplexInfinity, oo, -oo):
        raise NotProven("a value is infinite or undefined")
    return numerator


def _solved(zero: Expr) -> tuple[Expr, Expr]:
    """A variable of the field and its value, from an expression that is known to be zero."""
    symbols = sorted(zero.atoms(Dummy), key=lambda d: d.dummy_index)
    values = sorted(zero.atoms(Function), key=sp.default_sort_key)
    for unknown in [*symbols, *values]:
        coefficient = zero.coeff(unknown)
        rest = expand(zero - coefficient * unknown)
        if coefficient.is_zero is False and not (rest.has(unknown) or coefficient.has(unknown)):
            return unknown, -rest / coefficient
    raise NotProven("a cited equation cannot be solved for one of its function values")


# ---------------------------------------------------------------------------- sign


def prove_positive(expression: Expr) -> None:
    """Prove that an expression is greater than zero for every value of its symbols.

    Values of φ, Φ, σ, tanh and erf are replaced by what ranges over the same interval; SymPy's
    assumptions decide the rest, and Sturm's theorem decides a polynomial in one variable.

    Args:
        expression: a real expression; the assumptions of its symbols are used.

    Raises:
        NotProven: if the sign is not positive, or not decided.
    """
    bounded = _ranged(Field().embed(expression), {})
    numerator, denominator = map(expand, fraction(together(bounded)))
    if bounded.is_positive or (numerator * denominator).is_positive:
        return
    if numerator.is_positive and denominator.is_positive:
        return
    if not (denominator.is_positive and _is_positive_polynomial(numerator)):
        raise NotProven("{} is not shown to be positive", expression)


def prove_nonnegative(expression: Expr) -> None:
    """Prove that an expression is at least zero for every value of its symbols.

    Args:
        expression: a real expression; the assumptions of its symbols are used.

    Raises:
        NotProven: if it is negative somewhere, or not decided.
    """
    bounded = _ranged(Field().embed(expression), {})
    if not (bounded.is_nonnegative or expand(bounded).is_nonnegative):
        prove_positive(expression)


def prove_nonzero(expression: Expr) -> None:
    """Prove that an expression vanishes for no value of its symbols.

    Args:
        expression: a real expression; the assumptions of its symbols are used.

    Raises:
        NotProven: if it has a zero, or none is excluded.
    """
    if Field().embed(expression).is_zero is False:
        return
    try:
        prove_positive(expression)
    except NotProven:
        prove_positive(-expression)


def _ranged(expression: Expr, seen: dict[Expr, Dummy]) -> Expr:
    """Replace bounded functions by expressions with the same range, in a free positive symbol."""
    if not expression.args:
        return expression
    if isinstance(expression, exp) and expression.args[0].is_nonzero:
        w = seen.setdefault(expression, Dummy(positive=True))
        if expression.args[0].is_positive:
            return 1 + w
        return w / (1 + w) if expression.args[0].is_negative else w
    if isinstance(expression, (Phi, logistic, tanh, erf)):
        w = seen.setdefault(expression, Dummy(positive=True))
        return (w if isinstance(expression, (Phi, logistic)) else w - 1) / (1 + w)
    return expression.func(*(_ranged(arg, seen) for arg in expression.args))


def _is_positive_polynomial(expression: Expr) -> bool:
    symbols = list(expression.free_symbols)
    if len(symbols) != 1 or not expression.is_polynomial(*symbols):
        return False
    (x,) = symbols
    polynomial = Poly(expression, x)
    if polynomial.domain not in (sp.ZZ, sp.QQ):
        return False
    lower = 0 if x.is_nonnegative else None
    roots = polynomial.count_roots(lower, None)
    if x.is_positive and polynomial.eval(0) == 0:
        roots -= 1
    return roots == 0 and polynomial.eval(1) > 0


def cover(variable: Symbol, lower: Expr, upper: Expr, ends: Iterable[Expr] = ()) -> list[Expr]:
    """Expressions whose values, taken together, are the points of an interval.

    Args:
        variable: the variable that ranges over the interval; only its name is used.
        lower: one end, a real expression or −∞.
        upper: the other end, a real expression or ∞; which end is greater need not be known.
        ends: the finite ends that belong to the interval.

    Returns:
        One expression for the open interval, then ``ends``. Its symbol carries assumptions, so
        that a sign query knows the interval.
    """
    w = Dummy(variable.name, positive=True)
    if lower.is_infinite and upper.is_infinite:
        inside = Dummy(variable.name, real=True)
    elif upper.is_infinite:
        inside = lower + w if upper == oo else lower - w
    elif lower.is_infinite:
        inside = upper - w if lower == -oo else upper + w
    else:
        inside = (lower + upper * w) / (1 + w)
    return [inside, *ends]


def prove_ordered(lower: Expr, upper: Expr) -> None:
    """Prove lower < upper, where either may be infinite.

    Args:
        lower: a real expression, or −∞.
        upper: a real expression, or ∞.

    Raises:
        NotProven: if the order is another one, or not decided.
    """
    if lower == oo or upper == -oo:
        raise NotProven("{} is not less than {}", lower, upper)
    if lower != -oo and upper != oo:
        prove_positive(upper - lower)


def _is_positive_integral(integral: Integral) -> bool:
    body, variable, lower, upper = one_integral(integral)
    try:
        prove_ordered(lower, upper)
        for point in cover(variable, lower, upper):
            prove_positive(body.xreplace({variable: point}))
    except NotProven:
        return False
    return True
