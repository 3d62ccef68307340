"""The formulas of the constants: their digits, and what floating-point steps make of them.

A formula is a product, quotient, sum or difference of decimals, ``pi``, square roots and natural
logarithms, in the notation of SymPy: ``3*0.044715*sqrt(2/pi)``. A decimal stands for itself, not
for a float.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, Inexact
from fractions import Fraction

import gelu_lib._proofs

import sympy as sp

from gelu_lib.floats.types import FLOAT_TYPES, nearest_float
from gelu_lib.provenance.literals.formula_input import ARITHMETIC, FormulaError, evaluated

STORED_DIGITS = 60
"""How many significant digits of an irrational constant are stored."""

_PI = Fraction(str(sp.N(sp.pi, 100)))


def expression(formula: str) -> sp.Expr:
    """A formula as an exact SymPy expression, in which a decimal is a rational number.

    Raises:
        FormulaError: if the formula contains anything but the forms above.
    """
    functions = {"sqrt": sp.sqrt, "log": sp.log}
    return evaluated(formula, sp.Rational, {"pi": sp.pi}, functions, ARITHMETIC, lambda x: x)


def decimal_digits(formula: str) -> str:
    """The value of a formula: a decimal of up to ``STORED_DIGITS`` digits or a fraction in full.

    A number that is neither is rounded to ``STORED_DIGITS`` significant digits.

    Raises:
        FormulaError: if the formula is not one, or its value is not positive.
    """
    value = expression(formula)
    if not value.is_positive:
        raise FormulaError(f"{formula} is {value}; accepted is a positive number")
    if not value.is_Rational:
        more = Decimal(
            str(sp.N(value, STORED_DIGITS + 15))
        )  # the last digit of N may be off by one
        return f"{Context(prec=STORED_DIGITS).plus(more):f}"
    try:
        exact = Context(prec=STORED_DIGITS, traps=[Inexact])
        return f"{exact.divide(Decimal(value.p), Decimal(value.q)):f}"
    except Inexact:
        return f"{value.p}/{value.q}"


def stepwise(formula: str, type: str) -> Fraction:
    """What a program computes in a float type: every literal, function and operation rounded.

    Each is rounded to nearest. The operations are taken from left to right, as Python and C take
    them.

    Raises:
        FormulaError: as ``expression``, and if a number overflows.
        ValueError: if a number on the way is not positive.
    """
    kind = FLOAT_TYPES[type]

    def rounded(number: Fraction) -> Fraction:
        near = nearest_float(number, kind)
        if near is None:
            raise FormulaError(f"{formula} overflows in {type}")
        return near

    functions = {"sqrt": _root, "log": _log}
    return evaluated(formula, Fraction, {"pi": rounded(_PI)}, functions, ARITHMETIC, rounded)


def _root(number: Fraction) -> Fraction:
    """A square root to more than 60 significant digits, cut off."""
    scale = 1 << 2 * (400 + number.denominator.bit_length())
    return Fraction(math.isqrt(int(number * scale)), math.isqrt(scale))


def _log(number: Fraction) -> Fraction:
    """A natural logarithm to 100 significant digits."""
    return Fraction(str(sp.N(sp.log(sp.Rational(number)), 100)))
