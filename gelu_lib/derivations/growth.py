"""How fast an expression grows or decays at infinity, for every value of its other symbols.

SymPy finds limits for general values of a parameter and says nothing about special ones: for
1/(1 + s²t⁴) it gives the decay that holds for all s but 0. The functions here never assume that a
coefficient is not zero; where its sign is not proved they give no bound.
"""

from __future__ import annotations

from sympy import Add, Expr, Mul, Poly, Pow, S, Symbol, cosh, erf, exp, oo, sinh, tanh

from gelu_lib.derivations.deciding import (
    NotProven,
    prove_nonnegative,
    prove_nonzero,
    prove_positive,
)
from gelu_lib.derivations.notation import DEFINITIONS, LogisticCDF, LogisticDensity
from gelu_lib.functions.expressions import GELU, Phi, logistic, phi


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
