"""Approximating families of Φ: the logistic function of an odd polynomial.

Because (1 + tanh u)/2 = σ(2u), the tanh form and the sigmoid form of GELU both come from
Φ̂(x) = σ(p1 x + p3 x³ + p5 x⁵ + …). A ``Family`` says which of these coefficients there are.
Their values are exact numbers: a float stands for the binary fraction that it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from typing import ClassVar

import mpmath
import numpy as np
import sympy as sp
from sympy import Expr, Symbol

from gelu_lib.functions.expressions import (
    LOCAL_SLOPE,
    PAGE_CUBIC,
    Phi,
    X,
    logistic,
)

Value = int | float | Fraction | Decimal | str | mpmath.mpf | Expr
"""What is accepted as the value of a parameter."""

TARGETS = ("Phi", "GELU", "GELU_derivative")
"""The functions whose error can be asked for, which are Φ, GELU = xΦ and GELU′ = (xΦ)′."""


class WrongLimitError(ValueError):
    """The parameters give a function that does not tend to 1 at +∞, as Φ does."""


def _is_odd_positive(number: object) -> bool:
    return type(number) is int and number > 0 and number % 2 == 1


@dataclass(frozen=True)
class Family:
    """The functions Φ̂(x) = σ(Σ pⱼ xʲ), with one parameter pⱼ for each odd exponent j.

    Args:
        exponents: the odd exponents, increasing.

    Raises:
        ValueError: if ``exponents`` is empty, or not an increasing tuple of odd positive integers.

    The logistic function makes Φ̂(x) + Φ̂(−x) = 1, as it is for Φ. Two members with different
    parameters agree at no more points x > 0 than there are free parameters, less one (Descartes'
    rule of signs, because σ is strictly increasing). Every proof of optimality rests on that.

    Example:
        >>> from gelu_lib import LOGISTIC, TANH_CUBIC, Family
        >>> Family((1, 3)) == TANH_CUBIC, LOGISTIC.names, Family((1, 3, 5)).names
        (True, ('p1',), ('p1', 'p3', 'p5'))
    """

    exponents: tuple[int, ...]
    variable: ClassVar[Symbol] = X

    def __post_init__(self) -> None:
        exponents = self.exponents
        fine = isinstance(exponents, tuple) and len(exponents) > 0
        fine = fine and all(_is_odd_positive(exponent) for exponent in exponents)
        if not fine or list(exponents) != sorted(set(exponents)):
            raise ValueError(
                f"exponents must be an increasing tuple of odd positive integers, got {exponents!r}"
            )

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters as real SymPy symbols, by increasing exponent."""
        return tuple(Symbol(f"p{exponent}", real=True) for exponent in self.exponents)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, ``p1``, ``p3`` and so on."""
        return tuple(symbol.name for symbol in self.symbols)

    @property
    def terms(self) -> tuple[Expr, ...]:
        """The terms pⱼ xʲ of the odd polynomial, by increasing exponent."""
        pairs = zip(self.symbols, self.exponents, strict=True)
        return tuple(symbol * X**exponent for symbol, exponent in pairs)

    @property
    def expression(self) -> Expr:
        """Φ̂ as a SymPy expression in ``variable`` and ``symbols``."""
        return logistic(sp.Add(*self.terms))

    @property
    def name(self) -> str:
        """Φ̂ in plain text."""
        return f"σ({' + '.join(map(str, self.terms))})"

    @property
    def tex(self) -> str:
        """Φ̂ in TeX, with the terms by increasing exponent."""
        return rf"\sigma\left({' + '.join(map(sp.latex, self.terms))}\right)"


def odd_logistic(degree: int) -> Family:
    """The family σ(p1 x + p3 x³ + … + p_degree x^degree) with every odd exponent.

    Args:
        degree: the degree of the polynomial, an odd positive integer.

    Returns:
        The family with (degree + 1)/2 parameters.

    Raises:
        ValueError: if ``degree`` is not an odd positive integer.
    """
    if not _is_odd_positive(degree):
        raise ValueError(f"degree must be an odd positive integer, got {degree!r}")
    return Family(tuple(range(1, degree + 1, 2)))


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
            integers, or a real SymPy expression without free symbols.
        argument: how an error message calls the value.

    Returns:
        A real, finite SymPy expression; a rational number unless ``value`` is an expression.

    Raises:
        TypeError: if ``value`` is of another type.
        ValueError: if ``value`` is not a finite real number, or cannot be read as one.
    """
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


def without_floats(expression: Expr) -> Expr:
    """An expression in which every SymPy float is the binary fraction that it stands for.

    SymPy would round each time it combines floats.
    """
    return expression.xreplace({x: sp.Rational(x) for x in expression.atoms(sp.Float)})


def exact_values(family: Family, parameters: Mapping[str, Value]) -> dict[Symbol, Expr]:
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
    if not isinstance(family, Family):
        raise TypeError(f"family must be a Family, got {family!r}")
    if not isinstance(parameters, Mapping):
        raise TypeError(f"values of parameters must be a mapping from names, got {parameters!r}")
    unknown = [name for name in parameters if name not in family.names]
    if unknown:
        raise ValueError(f"{family.name} has the parameters {family.names}, none named {unknown}")
    present = [symbol for symbol in family.symbols if symbol.name in parameters]
    return {symbol: exact_value(parameters[symbol.name], symbol.name) for symbol in present}


def complete_parameters(family: Family, parameters: Mapping[str, Value]) -> dict[Symbol, Expr]:
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


def error_expression(family: Family, of: str = "Phi") -> Expr:
    """The error of a family, exact value minus approximation, as a SymPy expression.

    With e = Φ − Φ̂ the error is e itself, x·e or (x·e)′. The first and the last are odd functions
    of x, the second is even. On the scale of erf(x/√2) an error is twice that of Φ.

    Args:
        family: the family.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.

    Returns:
        An expression in x and the symbols of ``family``.

    Raises:
        ValueError: if ``of`` is not one of these.
    """
    check_target(of)
    error = Phi(X) - family.expression
    if of == "Phi":
        return error
    return X * error if of == "GELU" else sp.diff(X * error, X)


def check_target(of: str) -> None:
    """Raise a ``ValueError`` unless ``of`` is one of ``TARGETS``."""
    if not isinstance(of, str) or of not in TARGETS:
        raise ValueError(f"of must be one of {TARGETS}, got {of!r}")


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
