"""Families of approximations: an increasing function of given terms, rationals, anything else.

A family is a value: what its parameters are called, and what a member is, as an expression. The
values of parameters are exact numbers: a float stands for the binary fraction that it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from types import MappingProxyType
from typing import ClassVar, Protocol

import mpmath
import numpy as np
import sympy as sp
from sympy import Expr, Symbol

from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC, X, another_x
from gelu_lib.functions.links import SIGMA, Link

Value = int | float | Fraction | Decimal | str | mpmath.mpf | Expr
"""What is accepted as the value of a parameter."""


def without_floats(expression: Expr) -> Expr:
    """An expression in which every SymPy float is the binary fraction that it stands for.

    SymPy would round each time it combines floats.
    """
    return expression.xreplace({x: sp.Rational(x) for x in expression.atoms(sp.Float)})


def _is_odd_positive(number: object) -> bool:
    return type(number) is int and number > 0 and number % 2 == 1


def _exponent(term: Expr) -> int | None:
    """n for the term xⁿ, and ``None`` for others."""
    base, exponent = term.as_base_exp() if term != 1 else (X, sp.S.Zero)
    return int(exponent) if base == X and exponent.is_Integer and exponent >= 0 else None


NO_NUMBERS = (sp.I, sp.nan, sp.zoo, sp.oo, -sp.oo, sp.DiracDelta, sp.KroneckerDelta)
"""What no function has as a part that is real, and more than its value at a point."""


def in_x(expression: Expr | int, name: str) -> Expr:
    """An exact expression in ``X`` alone.

    Raises:
        ValueError: if it has another symbol, an imaginary or an infinite part; it says ``name``.
    """
    try:
        found = sp.sympify(expression)
    except (sp.SympifyError, TypeError):
        found = None
    if not isinstance(found, Expr) or found.free_symbols - {X} or found.has(*NO_NUMBERS):
        raise ValueError(
            f"{name} must be an expression in X alone, got {expression!r}{another_x(found)}"
        )
    return without_floats(found)


class WrongLimitError(ValueError):
    """The parameters give a function that does not tend to 1 at +∞, as Φ does."""


class Approximant(Protocol):
    """What a family of approximations is to those who fit and prove: symbols and an expression.

    How a best member is looked for, why it is the best, and what it does far out, depends on the
    kind of family. These are the functions ``gelu_lib.fits.start.start``,
    ``gelu_lib.certificates.best.theorem.prove_best`` and
    ``gelu_lib.certificates.best.tails.tail_bound``; each is open to other classes by ``register``.
    Without that, a class of one's own is fitted and proved as ``Nonlinear`` is, and has what that
    has: ``near``, a mapping from the names of all parameters to rough values.

    Attributes:
        symbols: the parameters, as real SymPy symbols.
        expression: a member, an expression in ``expressions.X`` and ``symbols``.
        name: the family in plain text, for messages.
    """

    @property
    def symbols(self) -> tuple[Symbol, ...]: ...
    @property
    def expression(self) -> Expr: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Family:
    """The functions b(x) + c(x)·L(Σ pⱼtⱼ(x)) with an increasing link L and given terms tⱼ.

    Args:
        link: the link L.
        terms: the terms tⱼ, expressions in ``X``, linearly independent.
        factor: the factor c, an expression in ``X``, of one sign between its zeros.
        base: the base b, an expression in ``X``.

    Raises:
        TypeError: if ``link`` is no link, or ``terms`` no tuple.
        ValueError: if there are no terms, two are the same, or one is 0 or no expression in ``X``.

    The parameter of a power xʲ is called ``pj``; of other terms the parameters are numbered ``p1``,
    ``p2`` and so on. As L increases, two members differ as the combinations do. Every proof of
    optimality rests on that (``alternation-any-degree``).

    Example:
        >>> import sympy as sp
        >>> from gelu_lib import Family, X
        >>> from gelu_lib.functions.links import EXP2
        >>> Family(EXP2, (1, X, X**2), factor=-sp.Abs(X), base=sp.Max(X, 0)).name
        '-2**(p0 + p1*x + p2*x**2)*Abs(x) + Max(0, x)'
    """

    link: Link
    terms: tuple[Expr, ...]
    factor: Expr = sp.S.One
    base: Expr = sp.S.Zero

    def __post_init__(self) -> None:
        if not isinstance(self.link, Link):
            raise TypeError(f"link must be a Link, got {self.link!r}")
        if not isinstance(self.terms, tuple | list):
            raise TypeError(f"terms must be a tuple of expressions in X, got {self.terms!r}")
        terms = tuple(in_x(term, "a term") for term in self.terms)
        if len({0, *terms}) <= max(len(terms), 1):
            raise ValueError(
                f"terms must be expressions other than 0, no two of them alike, got {self.terms!r}"
            )
        object.__setattr__(self, "terms", terms)
        for name in ("factor", "base"):
            object.__setattr__(self, name, in_x(getattr(self, name), name))

    @cached_property
    def exponents(self) -> tuple[int, ...] | None:
        """The exponents, if every term is a power of x, and otherwise ``None``."""
        found = tuple(_exponent(term) for term in self.terms)
        return None if None in found else found

    @cached_property
    def is_odd_logistic(self) -> bool:
        """Whether the members are σ of odd polynomials, and so f(x) + f(−x) = 1 for them."""
        plain = self.link == SIGMA and self.factor == 1 and self.base == 0
        return plain and self.exponents is not None and all(n % 2 for n in self.exponents)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters as real SymPy symbols, in the order of the terms."""
        numbers = self.exponents or range(1, len(self.terms) + 1)
        return tuple(Symbol(f"p{number}", real=True) for number in numbers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(symbol.name for symbol in self.symbols)

    @cached_property
    def argument(self) -> Expr:
        """Σ pⱼtⱼ(x), an expression in ``X`` and ``symbols``."""
        return sp.Add(*(p * term for p, term in zip(self.symbols, self.terms, strict=True)))

    @cached_property
    def expression(self) -> Expr:
        """A member, an expression in ``X`` and ``symbols``."""
        return self.base + self.factor * self.link(self.argument)

    @property
    def name(self) -> str:
        """A member in plain text, the terms in their order."""
        pairs = zip(self.symbols, self.terms, strict=True)
        terms = " + ".join(str(p * term) for p, term in pairs)
        inner = Symbol(terms if self.link.value.is_Function else f"({terms})")
        return str(self.base + self.factor * self.link(inner)).replace("logistic", "σ")


@dataclass(frozen=True)
class RationalFamily:
    """The functions b(x) + c(x)·(p₀ + … + pₘvᵐ)/(1 + q₁v + … + qₙvⁿ), with v = x or v = xᵏ.

    Args:
        numerator: the degree m of the numerator in v.
        denominator: the degree n of the denominator in v; it is positive where errors are measured.
        power: the exponent k.
        factor: the factor c, an expression in ``X``, of one sign between its zeros.
        base: the base b, an expression in ``X``.

    Raises:
        ValueError: if a degree is no integer ≥ 0, ``power`` none ≥ 1, or a factor no expression.

    Example:
        >>> from gelu_lib import RationalFamily
        >>> RationalFamily(1, 2, power=2).name
        '(p0 + p1*x**2)/(q1*x**2 + q2*x**4 + 1)'

    Source: the theorem of Achieser, N. I. Achieser, Theory of Approximation, Ungar 1956, §34.
    """

    numerator: int
    denominator: int
    power: int = 1
    factor: Expr = sp.S.One
    base: Expr = sp.S.Zero

    def __post_init__(self) -> None:
        for name, least in {"numerator": 0, "denominator": 0, "power": 1}.items():
            degree = getattr(self, name)
            if type(degree) is not int or degree < least:
                raise ValueError(f"{name} must be an integer >= {least}, got {degree!r}")
        for name in ("factor", "base"):
            object.__setattr__(self, name, in_x(getattr(self, name), name))

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The coefficients p₀, …, pₘ and q₁, …, qₙ, as real SymPy symbols."""
        names = [f"p{i}" for i in range(self.numerator + 1)]
        names += [f"q{i}" for i in range(1, self.denominator + 1)]
        return tuple(Symbol(name, real=True) for name in names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients."""
        return tuple(symbol.name for symbol in self.symbols)

    @cached_property
    def parts(self) -> tuple[Expr, Expr]:
        """The numerator and the denominator."""
        top, bottom = self.symbols[: self.numerator + 1], self.symbols[self.numerator + 1 :]
        powers = [X ** (i * self.power) for i in range(max(self.numerator, self.denominator) + 1)]
        pairs = (zip(p, powers, strict=False) for p in (top, (1, *bottom)))
        return tuple(sp.Add(*(a * power for a, power in pair)) for pair in pairs)

    @cached_property
    def expression(self) -> Expr:
        """A member, an expression in ``X`` and ``symbols``."""
        return self.base + self.factor * self.parts[0] / self.parts[1]

    @property
    def name(self) -> str:
        """A member in plain text."""
        return str(self.expression)


@dataclass(frozen=True)
class Nonlinear:
    """Any functions with some parameters, as an expression says.

    A member is the best *among all nearby* that is proved of it, and nothing of those far away.

    Args:
        expression: a member, in ``X`` and ``symbols``.
        near: rough values of the parameters, where the search begins, by name.

    Raises:
        ValueError: if the names of ``near`` are not those of the symbols of the expression besides
            ``X``, or a value is no finite number.

    Example:
        >>> import sympy as sp
        >>> from gelu_lib.functions.expressions import X
        >>> from gelu_lib.functions.families import Nonlinear
        >>> c = sp.Symbol("c", positive=True)
        >>> Nonlinear((X + sp.sqrt(X**2 + c)) / 2, {"c": 1.5}).symbols
        (c,)
    """

    expression: Expr
    near: Mapping[str, float] = field(hash=False)
    names: tuple[str, ...] = field(init=False, repr=False)  # mappings are equal in any order

    def __post_init__(self) -> None:
        expression = without_floats(sp.sympify(self.expression))
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "near", MappingProxyType(dict(self.near)))
        object.__setattr__(self, "names", tuple(self.near))
        found = sorted(symbol.name for symbol in expression.free_symbols - {X})
        if found != sorted(self.near) or not found or X.name in found:
            raise ValueError(
                f"near has {[*self.near]}, which must be the symbols of "
                f"{expression}{another_x(expression)}"
            )
        for name, value in self.near.items():
            exact_value(value, f"near[{name!r}]")

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters, in the order of ``near``."""
        by_name = {symbol.name: symbol for symbol in self.expression.free_symbols}
        return tuple(by_name[name] for name in self.names)

    @property
    def name(self) -> str:
        """A member in plain text."""
        return str(self.expression)


@dataclass(frozen=True)
class Given:
    """One function, a family without parameters.

    Args:
        expression: the function, an expression in ``X``.

    Raises:
        ValueError: if it is none.
    """

    expression: Expr
    symbols: ClassVar[tuple[Symbol, ...]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", in_x(self.expression, "approximation"))

    @property
    def name(self) -> str:
        """The function in plain text."""
        return str(self.expression)


def odd_logistic(degree: int | tuple[int, ...]) -> Family:
    """The family σ(p1 x + p3 x³ + … + p_degree x^degree), or with some odd powers alone.

    Because (1 + tanh u)/2 = σ(2u), the tanh form and the sigmoid form of GELU both come from it. As
    Φ does, its members have f(x) + f(−x) = 1.

    Args:
        degree: the degree of the polynomial, an odd positive integer; or the odd exponents,
            increasing.

    Returns:
        The family, with one parameter for each exponent.

    Raises:
        ValueError: if ``degree`` is neither.

    Example:
        >>> from gelu_lib import odd_logistic
        >>> odd_logistic(5).name, odd_logistic((1, 7)).name
        ('σ(p1*x + p3*x**3 + p5*x**5)', 'σ(p1*x + p7*x**7)')
    """
    exponents = tuple(range(1, degree + 1, 2)) if _is_odd_positive(degree) else degree
    fine = isinstance(exponents, tuple) and exponents and all(map(_is_odd_positive, exponents))
    if not fine or list(exponents) != sorted(set(exponents)):
        raise ValueError(
            "degree must be an odd positive integer, or an increasing tuple of such exponents, got "
            f"{degree!r}"
        )
    return Family(SIGMA, tuple(X**n for n in exponents))


LOGISTIC = odd_logistic(1)
"""σ(p1 x), the family of the sigmoid form."""

TANH_CUBIC = odd_logistic(3)
"""σ(p1 x + p3 x³) = (1 + tanh((p1 x + p3 x³)/2))/2, the family of the tanh form."""


SLOPE_KEPT = {"p1": 2 * LOCAL_SLOPE}
"""The linear coefficient 2√(2/π), which gives Φ̂ the slope of Φ at 0."""

PAGE = {**SLOPE_KEPT, "p3": 2 * LOCAL_SLOPE * PAGE_CUBIC}
"""The parameters of the tanh form with 0.044715."""


def exact_value(value: Value, argument: str = "value") -> Expr:
    """The real number that a value stands for, as an exact SymPy expression.

    Args:
        value: an integer, a float (its exact binary value), a ``Fraction``, a ``Decimal``, an
            mpmath ``mpf`` (its exact binary value), a string with a decimal or a ratio of
            integers, a real SymPy expression without free symbols, or an enclosure, of which the
            middle is taken.
        argument: how an error message calls the value.

    Returns:
        A real, finite SymPy expression; a rational number unless ``value`` is an expression.

    Raises:
        TypeError: if ``value`` is of another type.
        ValueError: if ``value`` is not a finite real number, or cannot be read as one.
    """
    value = getattr(value, "middle", value)
    if isinstance(value, Expr):
        return _exact_expression(value, argument)
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, Integral | float | np.floating | Fraction | Decimal | str | mpmath.mpf
    ):
        raise TypeError(
            f"{argument} = {value!r} is of type {type(value).__name__}; accepted are int, float, "
            "Fraction, Decimal, mpf, a decimal string and a SymPy number"
        )
    try:
        return sp.Rational(_fraction(value))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{argument} = {value!r} is not a finite real number") from None


def exact_values(family: Approximant, parameters: Mapping[str, Value]) -> dict[Symbol, Expr]:
    """The exact values of some of the parameters of a family.

    Args:
        family: the family.
        parameters: values by name; see ``exact_value`` for what is accepted.

    Returns:
        Symbols and exact values, by increasing exponent, ready for ``subs``.

    Raises:
        TypeError: if ``family`` is no family, ``parameters`` no mapping, or a value is of a type
            that is not accepted.
        ValueError: if ``family`` has no parameter of that name or a value is not a real number.
    """
    made = not isinstance(family, type)
    if not (made and hasattr(family, "symbols") and hasattr(family, "expression")):
        raise TypeError(f"family must be a family of approximations, got {family!r}")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"values of parameters must be a mapping from names, got {parameters!r}")
    names = tuple(symbol.name for symbol in family.symbols)
    unknown = [name for name in parameters if name not in names]
    if unknown:
        raise ValueError(f"{family.name} has the parameters {names}, none named {unknown}")
    present = [symbol for symbol in family.symbols if symbol.name in parameters]
    return {symbol: exact_value(parameters[symbol.name], symbol.name) for symbol in present}


def complete_parameters(family: Approximant, parameters: Mapping[str, Value]) -> dict[Symbol, Expr]:
    """The exact values of all parameters of a family, whatever Φ̂ tends to at +∞.

    Args:
        family: the family.
        parameters: a value for every parameter, by name; see ``exact_value``.

    Returns:
        Symbols and exact values, by increasing exponent, ready for ``subs``.

    Raises:
        TypeError: as ``exact_values``.
        ValueError: as ``exact_values``, or if a parameter is missing.
    """
    values = exact_values(family, parameters)
    missing = [symbol.name for symbol in family.symbols if symbol not in values]
    if missing:
        raise ValueError(f"{family.name} needs a value for {missing}")
    return values


def check_right_limit(values: Mapping[Symbol, Expr]) -> None:
    """Check that Φ̂ tends to 1 at +∞: that the last nonzero coefficient is positive.

    Args:
        values: the exact value of every parameter, by increasing exponent.

    Raises:
        WrongLimitError: if the last nonzero coefficient is negative, if all are zero, or if the
            sign of an expression cannot be decided.
    """
    nonzero = [(symbol, value) for symbol, value in values.items() if not value.is_zero]
    if not nonzero:
        raise WrongLimitError("all coefficients are zero, so that Φ̂ = 1/2 everywhere")
    symbol, leading = nonzero[-1]
    if not leading.is_positive:
        raise WrongLimitError(
            "the last nonzero coefficient must be positive, or Φ̂ does not tend to 1 at +∞; "
            f"got {symbol} = {sp.N(leading, 8)}"
        )


def _exact_expression(value: Expr, argument: str) -> Expr:
    if value.free_symbols:
        raise ValueError(f"{argument} = {value} has free symbols; a number is needed")
    if not (value.is_real and value.is_finite):
        raise ValueError(f"{argument} = {value} is not known to be a finite real number")
    return without_floats(value)


def _fraction(value: Value) -> Fraction:
    if isinstance(value, mpmath.mpf):
        if not mpmath.isfinite(value):
            raise ValueError
        # where gmpy2 is installed, mpmath has integers of its own, which SymPy may take for floats
        return Fraction(*map(int, mpmath.libmp.to_rational(value._mpf_)))
    if isinstance(value, Integral | str):
        return Fraction(value if isinstance(value, str) else int(value))
    return Fraction(*value.as_integer_ratio())
