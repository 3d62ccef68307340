"""Proofs that an expression is a real number, and values of limits and derivatives.

A chain of equations is worth nothing if one of its links is undefined. Each function here proves
its statement or raises ``NotProven``; none asks SymPy for a limit.

Integrals, sums and limits rest on ``growth``, how fast an expression grows or decays at infinity
for every value of its other symbols. It never assumes that a coefficient is not zero: of
1/(1 + s²t⁴) it says that it is bounded, for s may be 0. Where a sign is not proved there is no
bound.
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
    Poly,
    Pow,
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
    Field,
    NotProven,
    cover,
    one_integral,
    prove_nonnegative,
    prove_nonzero,
    prove_positive,
)
from gelu_lib.derivations.notation import (
    DEFINITIONS,
    NONNEGATIVE,
    Coefficient,
    LogisticCDF,
    LogisticDensity,
)
from gelu_lib.functions.expressions import GELU, Phi, logistic, phi

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


def limit_value(body: Expr, variable: Symbol, point: Expr) -> Expr:
    """The limit of an expression at infinity, as a number or as an improper integral.

    The limit of ∫ₐˣ f as x → ±∞ is the improper integral, by its definition. Derivatives are
    carried out first. Sums and constant factors are taken apart.

    Args:
        body: the expression.
        variable: the variable that tends to ``point``.
        point: ∞ or −∞.

    Returns:
        The value, which is finite.

    Raises:
        NotProven: if there is no finite limit, or none is found; if ``point`` is finite.
    """
    if point not in (oo, -oo):
        raise NotProven("limits are taken at oo and -oo alone, not at {}", point)
    body = differentiated(_without_abbreviations(body))
    if variable not in body.free_symbols:
        return body
    constant, rest = body.as_independent(variable, as_Add=False)
    if constant != 1:
        return constant * limit_value(rest, variable, point)
    if growth_at(body, variable, point) < 0:
        return S.Zero
    if isinstance(body, Add):
        return Add(*(limit_value(term, variable, point) for term in body.args))
    if isinstance(body, logistic) and growth_at(logistic(-body.args[0]), variable, point) < 0:
        return S.One  # σ(x) = 1 − σ(−x)
    if isinstance(body, (erf, Phi)):
        return limit_value(DEFINITIONS[type(body)](*body.args), variable, point)
    return _improper_integral(body, variable, point)


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
    """Carry out every derivative and Taylor coefficient, and put in the value where one is taken.

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
    if isinstance(expression, Coefficient):
        body, variable, k = expression.args
        if not (k.is_Integer and k >= 0):
            raise NotProven("the power {} is not a natural number", k)
        return substituted(derivative(body, variable, k), variable, S.Zero) / sp.factorial(k)
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
    body, variable, point, _ = limit.args
    _prove_plain(variable)
    w = Dummy(variable.name, positive=True)
    prove_defined(substituted(body, variable, w if point == oo else -w))
    limit_value(body, variable, point)


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
    _prove_plain(coefficient.args[1])
    differentiated(coefficient)


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


def _improper_integral(integral: Expr, variable: Symbol, point: Expr) -> Expr:
    if isinstance(integral, Integral):
        body, _, lower, upper = one_integral(integral)
        fixed, moving = (lower, upper) if upper == variable else (upper, lower)
        if moving == variable and variable not in body.free_symbols | fixed.free_symbols:
            improper = substituted(integral, variable, point)
            prove_defined(improper)
            return improper
    raise NotProven("the limit of {} is not decided", integral)


# ---------------------------------------------------------------------------- growth


def growth(expression: Expr, variable: Symbol) -> Expr:
    """A number k such that the expression is O(xᵏ) as the variable x tends to ∞.

    Args:
        expression: an expression that is defined for all large x.
        variable: the variable x, a symbol declared positive.

    Returns:
        k, a rational number; −∞ for a decay that is faster than every power, ∞ if no bound is
        found. The constant in the bound may depend on the other symbols.
    """
    if variable not in expression.free_symbols:
        return S.Zero
    if expression == variable:
        return S.One
    if isinstance(expression, Add):
        return max(growth(term, variable) for term in expression.args)
    if isinstance(expression, Mul):
        return min(_growth_of_product(expression, variable), _growth_by_rates(expression, variable))
    if isinstance(expression, Pow):
        return _growth_of_power(*expression.args, variable)
    rule = _GROWTH.get(type(expression), lambda *_: oo)
    return rule(expression, variable)


def leading_sign(expression: Expr, variable: Symbol) -> int:
    """The sign of the leading coefficient of a polynomial that is not constant.

    Args:
        expression: the expression.
        variable: the variable of the polynomial.

    Returns:
        1 or −1; 0 if the expression is constant or no polynomial, or if the sign is not proved.
    """
    if variable not in expression.free_symbols or not expression.is_polynomial(variable):
        return 0
    polynomial = Poly(expression, variable)
    if polynomial.degree() < 1:
        return 0
    for sign in (1, -1):
        try:
            prove_positive(sign * polynomial.LC())
        except NotProven:
            continue
        return sign
    return 0


def _growth_of_product(product: Mul, variable: Symbol) -> Expr:
    orders = [growth(factor, variable) for factor in product.args]
    return oo if oo in orders else Add(*orders)


def _growth_by_rates(product: Mul, variable: Symbol) -> Expr:
    """For e^h/(1 + e^g)ⁿ, where e^h grows: 1 + e^g > e^g, so it is less than e^(h − ng)."""
    bound = Mul(*(_without_summands(factor) for factor in product.args))
    if bound == product:
        return oo
    if isinstance(bound, Mul):
        return _growth_of_product(bound, variable)
    return growth(bound, variable)


def _without_summands(factor: Expr) -> Expr:
    """In a denominator, one exponential in place of a sum of positive terms that contains it."""
    base, exponent = factor.as_base_exp()
    if not (isinstance(base, Add) and exponent.is_Rational and exponent < 0):
        return factor
    exponentials = [term for term in base.args if isinstance(term, exp)]
    if not exponentials or not all(term.is_positive for term in base.args):
        return factor
    return exponentials[0] ** exponent


def _growth_of_power(base: Expr, exponent: Expr, variable: Symbol) -> Expr:
    if base == -1 and exponent.is_integer:
        return S.Zero
    if not exponent.is_Rational:
        return oo
    if exponent > 0:
        return exponent * growth(base, variable)
    return exponent * _least_growth(base, variable)


def _least_growth(expression: Expr, variable: Symbol) -> Expr:
    """A number k such that the size is at least c·xᵏ for large x, c > 0; −∞ if none is found."""
    if isinstance(expression, Mul):
        orders = [_least_growth(factor, variable) for factor in expression.args]
        return -oo if -oo in orders else Add(*orders)
    if isinstance(expression, Pow) and expression.exp.is_Rational:
        if expression.exp > 0:
            return expression.exp * _least_growth(expression.base, variable)
        return expression.exp * growth(expression.base, variable)
    if isinstance(expression, exp) and leading_sign(expression.args[0], variable) == 1:
        return oo
    if leading_sign(expression, variable):
        return S(Poly(expression, variable).degree())
    try:
        if variable not in expression.free_symbols:
            prove_nonzero(expression)
            return S.Zero
        if isinstance(expression, Add):  # of terms that cannot cancel
            for term in expression.args:
                prove_nonnegative(term)
            return max(_least_growth(term, variable) for term in expression.args)
    except NotProven:
        pass
    return -oo


def _growth_of_exp(expression: Expr, variable: Symbol) -> Expr:
    argument = expression.args[0]
    if leading_sign(argument, variable) == -1:
        return -oo
    return S.Zero if growth(argument, variable) <= 0 else oo


def _growth_of_step(expression: Expr, variable: Symbol) -> Expr:
    """Of σ and Φ, which lie between 0 and 1 and vanish fast at −∞."""
    return -oo if leading_sign(expression.args[0], variable) == -1 else S.Zero


def _growth_of_bell(expression: Expr, variable: Symbol) -> Expr:
    """Of φ and of the logistic density about a fixed point, bounded and vanishing fast at ±∞."""
    if any(variable in parameter.free_symbols for parameter in expression.args[1:]):
        return oo
    return -oo if leading_sign(expression.args[0], variable) else S.Zero


def _growth_of_formula(expression: Expr, variable: Symbol) -> Expr:
    return growth(DEFINITIONS[type(expression)](*expression.args), variable)


_GROWTH = {
    exp: _growth_of_exp,
    phi: _growth_of_bell,
    Phi: _growth_of_step,
    logistic: _growth_of_step,
    tanh: lambda *_: S.Zero,
    erf: lambda *_: S.Zero,
    GELU: _growth_of_formula,
    sinh: _growth_of_formula,
    cosh: _growth_of_formula,
    LogisticCDF: _growth_of_formula,
    LogisticDensity: _growth_of_bell,
}
