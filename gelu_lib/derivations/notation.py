r"""The book's notation: what each named function means, and how an expression is set in TeX.

A definition stands here once. A derivation unfolds a function by the formula of this module and
by no other, so what "by definition" means cannot differ from page to page.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy import (
    Add,
    Derivative,
    Dummy,
    Expr,
    Function,
    Integral,
    Limit,
    Mul,
    Number,
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
    pi,
    sinh,
    sqrt,
    tanh,
)
from sympy.printing.latex import LatexPrinter

from gelu_lib.functions.expressions import GELU, Phi, logistic, phi


class NormalProbability(Function):
    """P(lower ≤ T ≤ upper) for a normal variable T: ``(lower, upper, mean, variance)``."""

    nargs = 4


class BernoulliMean(Function):
    """The mean of x·B for a random variable B that is 1 with probability p, else 0: ``(x, p)``."""

    nargs = 2


class LogisticCDF(Function):
    """The distribution function F of the logistic distribution: ``(x, location, scale)``."""

    nargs = 3


class LogisticDensity(Function):
    """The density f of the logistic distribution: ``(x, location, scale)``."""

    nargs = 3


class LogisticForm(Function):
    """A form of GELU, g(x; p₁, p₃) = xσ(p₁x + p₃x³): ``(x, p1, p3)``."""

    nargs = 3


class Coefficient(Expr):
    """The coefficient of ``x**k`` in the Taylor series of f at 0: ``(f, x, k)``."""

    is_commutative = True

    def __new__(cls, function: Expr, variable: Symbol, k: Expr | int) -> Coefficient:
        return super().__new__(cls, *map(sp.sympify, (function, variable, k)))

    @property
    def free_symbols(self) -> set[Symbol]:
        return (self.args[0].free_symbols - {self.args[1]}) | self.args[2].free_symbols


def _erf_formula(x: Expr) -> Expr:
    t = Dummy("t", real=True)
    return 2 / sqrt(pi) * Integral(exp(-(t**2)), (t, 0, x))


def _phi_integral(x: Expr) -> Expr:
    t = Dummy("t", real=True)
    return Integral(phi(t), (t, -oo, x))


def _normal_probability(lower: Expr, upper: Expr, mean: Expr, variance: Expr) -> Expr:
    t = Dummy("t", real=True)
    density = exp(-((t - mean) ** 2) / (2 * variance)) / sqrt(2 * pi * variance)
    return Integral(density, (t, lower, upper))


def _logistic_density(x: Expr, location: Expr, scale: Expr) -> Expr:
    decay = exp(-(x - location) / scale)
    return decay / (scale * (1 + decay) ** 2)


DEFINITIONS: dict[type[Function], Callable[..., Expr]] = {
    phi: lambda x: exp(-(x**2) / 2) / sqrt(2 * pi),
    Phi: _phi_integral,
    erf: _erf_formula,
    GELU: lambda x: x * Phi(x),
    logistic: lambda x: 1 / (1 + exp(-x)),
    tanh: lambda x: (exp(x) - exp(-x)) / (exp(x) + exp(-x)),
    sinh: lambda x: (exp(x) - exp(-x)) / 2,
    cosh: lambda x: (exp(x) + exp(-x)) / 2,
    NormalProbability: _normal_probability,
    BernoulliMean: lambda x, p: x * 1 * p + x * 0 * (1 - p),
    LogisticCDF: lambda x, location, scale: logistic((x - location) / scale),
    LogisticDensity: _logistic_density,
    LogisticForm: lambda x, p1, p3: x * logistic(p1 * x + p3 * x**3),
}
"""The formula of each named function, in its arguments."""

NONNEGATIVE: dict[type[Function], Callable[..., tuple[Expr, ...]]] = {
    NormalProbability: lambda lower, upper, mean, variance: (upper - lower, variance),
    BernoulliMean: lambda x, p: (p, 1 - p),
    LogisticCDF: lambda x, location, scale: (scale,),
    LogisticDensity: lambda x, location, scale: (scale,),
    LogisticForm: lambda x, p1, p3: (),
}
"""What must be nonnegative for a definition to make sense; a zero shows as a zero denominator."""

_NAMES: dict[type[Function], str] = {
    phi: r"\varphi",
    Phi: r"\Phi",
    erf: r"\operatorname{erf}",
    GELU: r"\operatorname{GELU}",
    logistic: r"\sigma",
    tanh: r"\tanh",
    sinh: r"\sinh",
    cosh: r"\cosh",
    sp.sin: r"\sin",
    sp.cos: r"\cos",
    LogisticCDF: "F",
    LogisticDensity: "f",
    LogisticForm: "g",
    sp.LambertW: "W",
    NormalProbability: r"\mathrm{P}",
    BernoulliMean: r"\mathbb{E}",
}


def ordered_sum(*terms: Expr) -> Expr:
    """A sum that is printed with its terms in this order.

    Args:
        *terms: SymPy expressions, or numbers.

    Returns:
        The sum, not evaluated.
    """
    return Add(*terms, evaluate=False)


def ordered_product(*factors: Expr) -> Expr:
    """A product that is printed with its factors in this order, none multiplied out.

    Args:
        *factors: SymPy expressions, or numbers.

    Returns:
        The product, not evaluated.
    """
    return Mul(*factors, evaluate=False)


# operators that reach to the end of what follows them
_OPERATORS = (Integral, Sum, Limit, Derivative)


def tex(expression: Expr) -> str:
    r"""The TeX of an expression, as the book sets it.

    Terms and factors stand in the order of the expression, so an expression built with
    ``evaluate=False`` is printed as it was written. Square roots in a constant are collected:
    √2/2 is printed as 1/√2, √2/√π as √(2/π).

    Args:
        expression: a SymPy expression.

    Returns:
        TeX for mathematics mode, without delimiters; it uses no package beyond what KaTeX has.
    """
    return _Printer().doprint(expression)


def name_tex(function: type[Function]) -> str:
    """The TeX of a function's name, without an argument.

    Args:
        function: a class of SymPy functions.

    Returns:
        TeX for mathematics mode.
    """
    name = _NAMES.get(function, rf"\operatorname{{{function.__name__}}}")
    return name.replace("operatorname", "mathrm")  # no space around it in a sentence


class _Printer(LatexPrinter):
    def __init__(self) -> None:
        super().__init__({"ln_notation": True})
        self._inline = False

    def _print(self, expr: object, **kwargs: object) -> str:
        # the functions of the library carry a `_latex` method, which is for SymPy's own printer
        return self._call(expr, "") if type(expr) in _NAMES else super()._print(expr, **kwargs)

    def _small(self, expr: Expr) -> str:
        """Print where there is no room for a built-up fraction: exponents and limits."""
        outer, self._inline = self._inline, True
        try:
            return self._print(expr)
        finally:
            self._inline = outer

    def _paren(self, expr: Expr) -> str:
        return _in_parentheses(self._print(expr))

    def _factor(self, expr: Expr) -> str:
        needs = isinstance(expr, (Add, *_OPERATORS)) and not _is_prime(expr)
        return self._paren(expr) if needs or _is_negative(expr) else self._print(expr)

    def _print_Add(self, expr: Add, order: str | None = None) -> str:
        terms = list(expr.args)
        if _is_negative(terms[0]):  # a sum starts with a positive term if it has one
            terms.sort(key=_is_negative)
        text = self._print(terms[0])
        for term in terms[1:]:
            negative = _is_negative(term)
            body = self._factor(-term) if negative else self._term(term)
            text += f" {'-' if negative else '+'} {body}"
        return text

    def _term(self, expr: Expr) -> str:
        return self._paren(expr) if isinstance(expr, Add) else self._print(expr)

    def _print_Mul(self, expr: Mul) -> str:
        if _is_as_written(expr):
            return r" \cdot ".join(map(self._factor, expr.args))
        if _is_negative(expr):
            return f"-{self._factor(-expr)}"
        constants = [factor for factor in expr.args if _is_constant(factor)]
        others = [factor for factor in expr.args if not _is_constant(factor)]
        above, below, beside = _constant_factors(Mul(*constants))
        tall = [f for f in others if isinstance(f, _OPERATORS) and not _is_prime(f)]
        under = [f for f in others if f not in tall and _is_reciprocal(f)]
        upper = [f for f in others if f not in tall and f not in under]
        lower = below + [1 / f for f in under]
        if not lower:
            return self._product(above + upper + tall)
        if under or not (beside or (tall and not upper) or not all(map(_is_light, upper))):
            above += beside
            fraction = self._fraction(above + upper, lower)
            return f"{fraction} {self._tail(tall)}" if tall else fraction
        return f"{self._fraction(above, lower)} {self._tail(beside + upper + tall)}"

    def _product(self, factors: list[Expr]) -> str:
        if not factors:
            return "1"
        if len(factors) == 1:
            return self._print(factors[0])
        return " ".join([*map(self._factor, factors[:-1]), self._tail(factors[-1:])])

    def _tail(self, factors: list[Expr]) -> str:
        """The last factors of a product; an operator at the very end needs no parentheses."""
        if len(factors) > 1:
            return self._product(factors)
        last = factors[0]
        return self._print(last) if isinstance(last, _OPERATORS) else self._factor(last)

    def _fraction(self, above: list[Expr], below: list[Expr]) -> str:
        if not self._inline:
            return rf"\frac{{{self._product(above)}}}{{{self._product(below)}}}"
        numerator = self._factor(above[0]) if len(above) == 1 else self._product(above)
        denominator = self._product(below)
        if len(below) > 1 or isinstance(below[0], Add):
            denominator = f"({denominator})"
        return f"{numerator}/{denominator}"

    def _print_Pow(self, expr: Pow) -> str:
        base, exponent = expr.args
        if exponent == S.Half:
            return rf"\sqrt{{{self._print(base)}}}"
        if exponent.is_Number and exponent < 0:
            return self._fraction([], [Pow(base, -exponent)])
        named = isinstance(base, Function) and type(base) in _NAMES and len(base.args) == 1
        if named and exponent.is_Integer:
            return self._call(base, f"^{{{exponent}}}")
        atom = base.is_Symbol or (base.is_Integer and base >= 0) or base in (pi, S.Exp1)
        body = self._print(base) if atom else self._paren(base)
        return f"{body}^{{{self._small(exponent)}}}"

    def _print_Rational(self, expr: Rational) -> str:
        if expr < 0:
            return f"-{self._print(-expr)}"
        if expr.q == 1:
            return str(expr.p)
        if _is_decimal(expr):
            return _decimal(expr)
        return self._fraction([sp.Integer(expr.p)], [sp.Integer(expr.q)])

    def _print_exp(self, expr: exp) -> str:
        return f"e^{{{self._small(expr.args[0])}}}"

    def _call(self, expr: Function, power: str) -> str:
        if isinstance(expr, NormalProbability):
            lower, upper = map(self._print, expr.args[:2])
            mean, variance = map(self._small, expr.args[2:])
            law = rf"\mathrm{{P}}_{{\mathcal{{N}}({mean},\,{variance})}}"
            return rf"{law}({lower} \le T \le {upper})"
        if isinstance(expr, BernoulliMean):
            return rf"\mathbb{{E}}[{self._factor(expr.args[0])} B_{{{self._small(expr.args[1])}}}]"
        name = _NAMES[type(expr)]
        first, *rest = map(self._print, expr.args)
        arguments = f"{first};{','.join(rest)}" if rest else first
        return f"{name}{power}{_in_parentheses(arguments)}"

    def _print_Coefficient(self, expr: Coefficient) -> str:
        function, variable, k = expr.args
        power = self._print(variable) + (f"^{{{k}}}" if k != 1 else "")
        return rf"[{power}]\,{self._factor(function)}"

    def _print_Integral(self, expr: Integral) -> str:
        signs = ""
        for _, lower, upper in reversed(expr.limits):
            signs += rf"\int_{{{self._small(lower)}}}^{{{self._small(upper)}}} "
        body = "" if expr.function == 1 else self._factor(expr.function)
        measures = "".join(rf"\,\mathrm{{d}}{self._print(limit[0])}" for limit in expr.limits)
        return f"{signs}{body}{measures}"

    def _print_Limit(self, expr: Limit) -> str:
        body, variable, point, _ = expr.args
        return rf"\lim_{{{self._print(variable)} \to {self._small(point)}}} {self._factor(body)}"

    def _print_Derivative(self, expr: Derivative) -> str:
        body, (variable, order) = expr.args
        if _is_prime(expr):
            return self._call(body, "'" * int(order))
        d = r"\partial" if len(body.free_symbols) > 1 else r"\mathrm{d}"
        power = "" if order == 1 else f"^{{{self._print(order)}}}"
        operator = rf"\frac{{{d}{power}}}{{{d} {self._print(variable)}{power}}}"
        needs = isinstance(body, (Add, Mul, *_OPERATORS))
        return rf"{operator} {self._paren(body) if needs else self._print(body)}"

    def _print_Subs(self, expr: Subs) -> str:
        body, (variable,), (point,) = expr.args
        if isinstance(body, Derivative) and _is_prime(body) and body.expr.args[0] == variable:
            at_point = body.expr.func(point, *body.expr.args[1:], evaluate=False)
            return self._call(at_point, "'" * int(body.variable_count[0][1]))
        return super()._print_Subs(expr)


def _in_parentheses(body: str) -> str:
    tall = any(command in body for command in (r"\frac", r"\int", r"\sum"))
    return rf"\left({body}\right)" if tall else f"({body})"


def _is_decimal(number: Rational) -> bool:
    """Whether a rational number is set as a decimal: it terminates, and is no simple fraction."""
    return number.q >= 100 and set(sp.factorint(number.q)) <= {2, 5}


def _decimal(number: Rational) -> str:
    """A terminating decimal, exactly."""
    places = 1
    while 10**places % number.q:
        places += 1
    whole, rest = divmod(int(number * 10**places), 10**places)
    return f"{whole}.{rest:0{places}d}"


def _is_prime(expr: Expr) -> bool:
    """Whether a derivative is set as f′(x): one variable, which is the whole argument.

    A form of GELU has its parameters besides, set as g′(x; p₁, p₃).
    """
    if not isinstance(expr, Derivative) or len(expr.variable_count) != 1:
        return False
    body, (variable, order) = expr.args
    parameters = body.args[1:] if isinstance(body, LogisticForm) else ()
    if type(body) not in _NAMES or any(variable in p.free_symbols for p in parameters):
        return False
    return body.args == (variable, *parameters) and order.is_Integer


def _is_as_written(expr: Mul) -> bool:
    """Whether a product was built unevaluated with bare numbers that the reader is to see."""
    return expr.args[0] in (0, 1) or any(isinstance(f, Number) for f in expr.args[1:])


def _is_negative(expr: Expr) -> bool:
    if isinstance(expr, Mul):
        return not _is_as_written(expr) and _is_negative(expr.args[0])
    return bool(expr.is_Number and expr < 0)


def _is_constant(expr: Expr) -> bool:
    """Whether a factor is a rational number, π, or a power of one with exponent n/2."""
    base, exponent = expr.as_base_exp()
    return (base.is_Rational or base == pi) and (2 * exponent).is_Integer


def _is_reciprocal(expr: Expr) -> bool:
    exponent = expr.as_base_exp()[1]
    return not isinstance(expr, exp) and bool(exponent.is_Number and exponent < 0)


def _is_light(expr: Expr) -> bool:
    """Whether a factor may stand in the numerator over a constant, as in x/√2 or (p − q)/2."""
    if isinstance(expr, Add):
        return not expr.has(Function, *_OPERATORS)
    return expr.as_base_exp()[0].is_Symbol


def _constant_factors(constant: Expr) -> tuple[list[Expr], list[Expr], list[Expr]]:
    """The factors above the line, below it and beside it, with at most one square root.

    √2/2 becomes 1/√2, and √2/√π becomes √(2/π), which stands beside a fraction if there is one.
    """
    rational, root, whole = _with_one_root(constant)
    if _is_decimal(rational):
        above, below = [rational], []
    else:
        above = [sp.Integer(rational.p)] if rational.p != 1 else []
        below = [sp.Integer(rational.q)] if rational.q != 1 else []
    (above if whole > 0 else below).extend([pi ** abs(whole)] if whole else [])
    numerator, denominator = sp.fraction(root)
    beside: list[Expr] = []
    if numerator != 1 and denominator != 1:
        (beside if below else above).append(Pow(root, S.Half, evaluate=False))
    elif numerator != 1:
        above.append(Pow(numerator, S.Half, evaluate=False))
    elif denominator != 1:
        below.append(Pow(denominator, S.Half, evaluate=False))
    return above, below, beside


def _with_one_root(constant: Expr) -> tuple[Rational, Expr, int]:
    """A constant as rational·√root·π^whole."""
    rational, root, whole = S.One, S.One, 0
    for factor in Mul.make_args(constant):
        base, exponent = factor.as_base_exp()
        halves = int(2 * exponent)
        if base == pi:
            whole += halves // 2
            root *= pi ** (halves % 2)
        elif halves % 2:
            root *= base ** (halves % 2)
            rational *= base ** (halves // 2)
        else:
            rational *= factor
    if root.has(pi) and whole < 0:
        root, whole = root / pi**2, whole + 1
    number = root.as_coeff_Mul()[0]
    if rational.q % number.p == 0 and number.p > 1:
        rational, root = rational * number, root / number**2
    return rational, root, whole
