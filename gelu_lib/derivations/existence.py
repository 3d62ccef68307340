"""Proofs that an expression is a real number, and values of limits and derivatives.

A chain of equations is worth nothing if one of its links is undefined. Each function here proves
its statement or raises ``NotProven``.
"""

from __future__ import annotations

from functools import cache

import sympy as sp
from sympy import (
    Add,
    Derivative,
    Dummy,
    Expr,
    Float,
    Function,
    Integral,
    LambertW,
    Limit,
    Mul,
    Pow,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    cosh,
    erf,
    exp,
    oo,
    sinh,
    tanh,
)

from gelu_lib.derivations.deciding import (
    BINDERS,
    Field,
    NotProven,
    cover,
    one_integral,
    prove_equal,
    prove_nonnegative,
    prove_nonzero,
    prove_positive,
)
from gelu_lib.derivations.growth import growth
from gelu_lib.derivations.notation import DEFINITIONS, NONNEGATIVE, Coefficient
from gelu_lib.functions.expressions import GELU, Phi, logistic, phi

# what tends to a limit; one symbol for all limits, so that each is found once
_MOVING = Dummy("x", real=True)

# what may be assumed of a bound variable, and of the index of a series
_REAL = Symbol("x", real=True).assumptions0
_COUNTING = Symbol("k", integer=True, positive=True).assumptions0

# functions that are smooth on all of ℝ
_SMOOTH = (exp, erf, sinh, cosh, tanh, phi, Phi, logistic, GELU)


def prove_defined(expression: Expr) -> None:
    """Prove that an expression is a real number for every value of its symbols.

    A denominator may not vanish, the base of a broken power must be positive, an integral must
    exist (a continuous integrand that decays faster than 1/t at an infinite end), and so must a
    limit, a derivative and a sum. A bound variable ranges over real numbers, with no further
    assumption. An integrand may contain an integral that depends on the variable only if the
    variable is one of its limits, or comes out as a factor.

    Args:
        expression: an expression of arithmetic, the functions of ``notation``, and integrals,
            derivatives, limits, sums and substitutions of such.

    Raises:
        NotProven: if it is undefined somewhere, or not decided.
    """
    if isinstance(expression, Symbol):
        if not expression.is_real:
            raise NotProven("the symbol {} is not declared real", expression)
    elif isinstance(expression, Float):
        raise NotProven("{} is a rounded number; write an exact one", expression)
    elif expression.is_Number or expression.is_NumberSymbol:
        if not expression.is_real:
            raise NotProven("{} is not a finite number", expression)
    elif isinstance(expression, (Add, Mul)):
        for arg in expression.args:
            prove_defined(arg)
    else:
        for kind, prove in _PROOFS.items():
            if isinstance(expression, kind):
                return prove(expression)
        raise NotProven("{} is of a kind that is not handled", expression)


def limit_value(body: Expr, variable: Symbol, point: Expr, side: str = "+") -> Expr:
    """The limit of an expression, as a number or as an improper integral.

    The limit of ∫ₐˣ f as x → ±∞ is the improper integral, by its definition; at a finite point a
    continuous function has its value. Derivatives are carried out first. Sums and constant factors
    are taken apart. SymPy finds the other limits of elementary functions.

    Args:
        body: the expression.
        variable: the variable that tends to ``point``.
        point: a real expression, ∞ or −∞.
        side: ``"+"`` from above, ``"-"`` from below, ``"+-"`` from both; no matter at ±∞.

    Returns:
        The value, which is finite.

    Raises:
        NotProven: if there is no finite limit, or none is found.
    """
    body = differentiated(_without_abbreviations(body))
    if variable not in body.free_symbols:
        return body
    constant, rest = body.as_independent(variable, as_Add=False)
    if constant != 1:
        return constant * limit_value(rest, variable, point, side)
    if not point.is_infinite and _is_smooth(body, variable):
        return substituted(body, variable, point)
    if point.is_infinite and growth_at(body, variable, point) < 0:
        return S.Zero
    if not body.has(Integral, erf, Phi, GELU):
        return _elementary_limit(body, variable, point, side)
    if isinstance(body, Add):
        return Add(*(limit_value(term, variable, point, side) for term in body.args))
    if type(rest) in (erf, Phi):
        return limit_value(DEFINITIONS[type(rest)](*rest.args), variable, point, side)
    return _improper_integral(rest, variable, point)


def growth_at(expression: Expr, variable: Symbol, end: Expr) -> Expr:
    """The order of growth as the variable tends to an infinite end, as ``growth`` gives it.

    Args:
        expression: the expression.
        variable: the variable that tends to ``end``.
        end: ∞ or −∞.

    Returns:
        A number k as for ``growth``; ∞ if no bound is found.
    """
    w = Dummy(variable.name, positive=True)
    return growth(substituted(expression, variable, w if end == oo else -w), w)


def derivative(body: Expr, variable: Symbol, order: int = 1) -> Expr:
    """The derivative of an expression that is proved to be smooth.

    An integral may depend on the variable through its limits (the fundamental theorem of
    calculus), not through its integrand.

    Args:
        body: the expression.
        variable: the variable of differentiation.
        order: how many times.

    Returns:
        The derivative, by the rules that SymPy applies.

    Raises:
        NotProven: if ``body`` is not proved to be smooth.
    """
    prove_defined(body)
    _prove_continuous(body, variable)
    return body.diff(variable, order)


def differentiated(expression: Expr) -> Expr:
    """Carry out every derivative, and put in the value at which one is taken.

    Args:
        expression: the expression.

    Returns:
        The expression without derivatives, but for those of functions that have no rule.

    Raises:
        NotProven: if what is differentiated is not proved to be smooth.
    """
    if isinstance(expression, Derivative):
        body = differentiated(expression.expr)
        for variable, order in expression.variable_count:
            body = derivative(body, variable, order)
        return body
    if isinstance(expression, Subs):
        if len(expression.variables) != 1:
            raise NotProven("{} puts in more than one value", expression)
        (variable,), (point,) = expression.variables, expression.point
        return substituted(differentiated(expression.expr), variable, point)
    if not expression.args:
        return expression
    return expression.func(*map(differentiated, expression.args))


def substituted(expression: Expr, symbol: Symbol, value: Expr) -> Expr:
    """Put a value in the place of a symbol, where the symbol is free.

    Args:
        expression: the expression.
        symbol: the symbol to be replaced.
        value: what replaces it.

    Returns:
        The expression with SymPy's automatic arithmetic done. A derivative in ``symbol`` becomes
        the value of that derivative at ``value``.

    Raises:
        NotProven: if an operator binds a symbol of ``value`` where ``symbol`` stands.
    """
    if expression == symbol:
        return value
    if symbol not in expression.free_symbols:
        return expression
    if isinstance(expression, Derivative) and symbol in expression.variables:
        return expression.subs(symbol, value)
    bound = _bound_symbols(expression)
    if bound and bound & value.free_symbols:
        raise NotProven("a bound variable of {} occurs in {}; rename it", expression, value)
    if isinstance(expression, Integral):
        body, variable, lower, upper = one_integral(expression)
        body = body if variable == symbol else substituted(body, symbol, value)
        ends = (substituted(end, symbol, value) for end in (lower, upper))
        return Integral(body, (variable, *ends))
    if symbol in bound:
        raise NotProven("{} is both free and bound in {}; rename it", symbol, expression)
    return expression.func(*(substituted(arg, symbol, value) for arg in expression.args))


def _without_abbreviations(expression: Expr) -> Expr:
    """Unfold the named functions that have no rule of differentiation."""
    for function in DEFINITIONS.keys() - set(_SMOOTH):
        expression = expression.replace(function, DEFINITIONS[function])
    return expression


def _is_smooth(body: Expr, variable: Symbol) -> bool:
    try:
        derivative(body, variable)
    except NotProven:
        return False
    return True


def _prove_continuous(body: Expr, variable: Symbol) -> None:
    """Prove that an expression that is defined everywhere is continuous, and smooth, too.

    An integral, a limit and a sum may jump where they exist at every point: the integral of
    x·exp(−x²t) over t > 0 is 1/x, and 0 at 0. An integral is smooth in its own limits.
    """
    for part in body.atoms(Integral, Limit, Sum, Subs):
        limits = part.limits if isinstance(part, Integral) else ()
        inside = part.function if len(limits) == 1 else part
        if variable in inside.free_symbols:
            raise NotProven("{} is not shown to be smooth in {}", part, variable)


def _prove_plain(variable: Symbol) -> None:
    """Refuse a bound variable whose assumptions could be broken where it is bound."""
    if variable.assumptions0 != _REAL:
        raise NotProven("the bound variable {} must be real, with no other assumption", variable)


def _bound_symbols(operator: Expr) -> set[Symbol]:
    """The symbols that an operator itself binds; a derivative's variable counts as bound."""
    if isinstance(operator, (Integral, Sum)):
        return {limit[0] for limit in operator.limits}
    if isinstance(operator, (Limit, Coefficient)):
        return {operator.args[1]}
    if isinstance(operator, (Derivative, Subs)):
        return set(operator.variables)
    return set()


def _prove_power(power: Pow) -> None:
    base, exponent = power.args
    prove_defined(base)
    prove_defined(exponent)
    if not exponent.is_integer:
        prove_positive(base)
    elif not exponent.is_nonnegative:
        prove_nonzero(base)


def _prove_application(application: Function) -> None:
    for arg in application.args:
        prove_defined(arg)
    kind = type(application)
    if kind in _SMOOTH:
        return
    if kind is LambertW:  # its principal branch, of which no more than this is used
        if len(application.args) != 1:
            raise NotProven("{} names a branch; W is used for its principal one", application)
        return prove_positive(application.args[0])
    if kind not in DEFINITIONS:
        raise NotProven("{} has no definition here", kind.__name__)
    for condition in NONNEGATIVE[kind](*application.args):
        prove_nonnegative(condition)
    prove_defined(DEFINITIONS[kind](*application.args))


@cache
def _prove_integral(integral: Integral) -> None:
    body, variable, lower, upper = one_integral(integral)
    _prove_plain(variable)
    finite = [end for end in (lower, upper) if end not in (oo, -oo)]
    for end in finite:
        prove_defined(end)
    for point in cover(variable, lower, upper, finite):
        prove_defined(substituted(body, variable, point))
    field = Field()
    factored = field.restore(field.embed(body), variable)
    _prove_continuous(factored, variable)
    for end in {lower, upper} - set(finite):
        if not growth_at(factored, variable, end) < -1:
            raise NotProven("{} is not shown to converge", integral)


def _prove_limit(limit: Limit) -> None:
    body, variable, point, side = limit.args
    _prove_plain(variable)
    if point not in (oo, -oo):
        prove_defined(point)
    w = Dummy(variable.name, positive=True)
    sides = {oo: [w], -oo: [-w]}.get(point, [point + w * int(f"{s}1") for s in str(side)])
    for near in sides:
        prove_defined(substituted(body, variable, near))
    limit_value(*limit.args[:3], str(side))


def _prove_sum(series: Sum) -> None:
    """Absolute convergence, by comparison with Σ 1/kᵃ, a > 1."""
    if len(series.limits) != 1:
        raise NotProven("{} has more than one index", series)
    index, first, last = series.limits[0]
    if not (index.assumptions0 == _COUNTING and first == 1 and last == oo):
        raise NotProven("{} must run over a positive integer from 1 to infinity", series)
    prove_defined(series.function)
    if not growth(series.function, index) < -1:
        raise NotProven("{} is not shown to converge", series)


def _prove_subs(subs: Subs) -> None:
    for variable in subs.variables:
        _prove_plain(variable)
    for part in (subs.expr, *subs.point):
        prove_defined(part)


def _prove_derivative(operator: Derivative) -> None:
    if len(operator.variable_count) != 1:
        raise NotProven("{} differentiates by more than one variable", operator)
    derivative(operator.expr, operator.variables[0])


def _prove_coefficient(coefficient: Coefficient) -> None:
    body, variable, k = coefficient.args
    _prove_plain(variable)
    if not (k.is_Integer and k >= 0):
        raise NotProven("the power {} is not a natural number", k)
    derivative(body, variable)


_PROOFS = {
    Pow: _prove_power,
    Function: _prove_application,
    Integral: _prove_integral,
    Limit: _prove_limit,
    Sum: _prove_sum,
    Subs: _prove_subs,
    Derivative: _prove_derivative,
    Coefficient: _prove_coefficient,
}


def _elementary_limit(body: Expr, variable: Symbol, point: Expr, side: str) -> Expr:
    """A limit by SymPy, which is asked about exp alone and refused where samples contradict it.

    It is not asked about parameters, whose special values it passes over, nor about the hyperbolic
    functions: for tanh(1/(exp(x) + 1)) at −∞ SymPy 1.14 answers 1, and not tanh(1).
    """
    for function in (logistic, phi, tanh, sinh, cosh):
        body = body.replace(function, DEFINITIONS[function])
    strange = {type(part) for part in body.atoms(Function)} - {exp}
    if strange or body.has(Integral, *BINDERS) or body.free_symbols != {variable}:
        raise NotProven("the limit of {} is not found", body)
    values = [_sympy_limit(body.xreplace({variable: _MOVING}), point, s) for s in side]
    if None in values:
        raise NotProven(
            "{} has no finite limit as {} tends to {}, or none found", body, variable, point
        )
    for value in values[1:]:
        prove_equal(values[0], value)
    return values[0]


@cache
def _sympy_limit(body: Expr, point: Expr, side: str) -> Expr | None:
    try:
        value = sp.limit(body, _MOVING, point, side)
    except (NotImplementedError, ValueError, TypeError):
        return None
    if value.is_finite is not True or value.has(Limit, sp.AccumBounds, _MOVING):
        return None
    return None if _samples_contradict(body, point, side, value) else value


def _samples_contradict(body: Expr, point: Expr, side: str, value: Expr) -> bool:
    """Whether the distance from an alleged limit neither is small nor falls on the way there."""
    if point.is_infinite:
        ways = [40, 400] if point is oo else [-40, -400]
    else:
        sign = 1 if side == "+" else -1
        ways = [point + sign * Rational(1, 40), point + sign * Rational(1, 400)]
    distances = []
    for x in ways:
        try:
            distance = abs(sp.N(body.xreplace({_MOVING: S(x)}) - value, 30))
        except (OverflowError, MemoryError, ValueError):  # too large for a float of any precision
            return False
        if not distance.is_Float and distance != 0:
            return False
        distances.append(distance)
    far, near = distances
    return bool(near > Float("1e-9") and near > far * Rational(9, 10))


def _improper_integral(integral: Expr, variable: Symbol, point: Expr) -> Expr:
    if isinstance(integral, Integral) and point.is_infinite:
        body, _, lower, upper = one_integral(integral)
        fixed, moving = (lower, upper) if upper == variable else (upper, lower)
        if moving == variable and variable not in body.free_symbols | fixed.free_symbols:
            improper = substituted(integral, variable, point)
            prove_defined(improper)
            return improper
    raise NotProven("the limit of {} is not decided", integral)
