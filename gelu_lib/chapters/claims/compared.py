"""Numbers that a statement compares: exact ones, registered ones, and those that were printed."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import sympy as sp
from sympy import Expr, Rational

from gelu_lib.certificates.positive import PRECISION, Ends, enclosed, scaled
from gelu_lib.derivations.notation import tex
from gelu_lib.register import Result, result
from gelu_lib.show.tables import decimal

EXACT_DIGITS = 12
"""A terminating decimal of at most so many digits is shown whole."""

SMALL = Rational(1, 10**5)
"""A number below this is not shown exactly, as it is written with an exponent."""

LARGEST_DENOMINATOR = 10**4
"""A fraction with a denominator up to this is shown as one."""


@dataclass(frozen=True)
class Registered:
    """A registered number, or a multiple of one.

    Attributes:
        id: the ID of the result.
        name: which number of the result, if it has several.
        factor: what it is multiplied by, as for the scale of erf, where all is twice as large.
    """

    id: str
    name: str = ""
    factor: Expr = sp.S.One


Number = Expr | str | int | Registered
"""What stands for a number, which is an exact expression, or a registered number or its ID."""


def literal(printed: str) -> str:
    """A numeral as it was printed.

    Args:
        printed: a decimal numeral, or the ID of a historical literal that is one.

    Returns:
        The numeral.

    Raises:
        KeyError: if ``printed`` has the form of an ID and no result has it.
        ValueError: if ``printed``, or the result with this ID, is no decimal numeral as printed.
    """
    text = printed
    if printed[:1].isalpha():
        entry = result(printed)
        text = str(entry.value) if entry.status == "historical" else entry.status
    try:
        Decimal(text)
    except InvalidOperation:
        accepted = "a decimal numeral, or the ID of a historical literal that is one"
        raise ValueError(f"printed is {printed!r}; accepted is {accepted}") from None
    return text


def fraction(number: Number) -> Fraction:
    """A number as a rational one, right to ``PRECISION`` digits, or to all that are registered.

    A rational number stays what it is.
    """
    if isinstance(number, str):
        number = Registered(number)
    if isinstance(number, Registered):
        return result(number.id).named_numbers[number.name] * fraction(number.factor)
    exact = sp.sympify(number)
    value = exact if exact.is_Rational else sp.Rational(sp.N(exact, PRECISION))
    return Fraction(value.p, value.q)


def bounds(number: Number) -> Ends:
    """The ends of an interval that holds a number.

    They are proved for an exact expression, and for a certified result. The digits of another
    result are taken to be right, up to one unit of the last.
    """
    if isinstance(number, str):
        number = Registered(number)
    if isinstance(number, Registered):
        return scaled(_registered(result(number.id), number.name), sp.sympify(number.factor))
    return enclosed(sp.sympify(number))


def _registered(entry: Result, name: str) -> Ends:
    if entry.status == "certified":
        lower, upper = entry.enclosures[name] if name else entry.enclosure
        return Fraction(lower), Fraction(upper)
    exact = entry.named_numbers[name]
    if entry.status == "historical":
        return exact, exact
    digits = entry.numbers[name] if name else entry.value
    unit = Fraction(10) ** Decimal(digits).as_tuple().exponent
    return exact - unit, exact + unit


def show(number: Number, digits: int) -> str:
    """A number rounded to some digits, with a link to its result if it is registered.

    A rational number is shown exactly if that is short. A certified one is called proved.
    """
    if isinstance(number, str):
        number = Registered(number)
    if isinstance(number, Registered):
        status = result(number.id).status
        if status == "historical":
            return f"{{literal}}`{number.id}`"
        times = f"${tex(number.factor)}$ times " if number.factor != 1 else ""
        value = fraction(number)
        shown = decimal(sp.Rational(value.numerator, value.denominator), digits)
        proved = ", proved" if status == "certified" else ""
        return f"{shown} ({times}{link(number.id)}{proved})"
    exact = sp.sympify(number)
    whole = exactly(exact) if exact.is_Rational else ""
    if "/" in whole:
        return f"{whole} ≈ {decimal(exact, digits)}"
    return whole or decimal(exact, digits)


def exactly(number: Rational) -> str:
    """A rational number as a whole one, a decimal or a fraction; empty if that is long."""
    sign, size = ("−" if number < 0 else ""), abs(number)
    if size.is_Integer:
        return f"{sign}{size}"
    if size < SMALL:
        return ""
    if set(sp.factorint(size.q)) <= {2, 5}:
        terminating = Decimal(int(size.p)) / Decimal(int(size.q))
        short = len(terminating.as_tuple().digits) <= EXACT_DIGITS
        return f"{sign}{terminating:f}" if short else ""
    return f"{sign}{size.p}/{size.q}" if size.q <= LARGEST_DENOMINATOR else ""


def link(id: str) -> str:
    """A link to a result's permanent entry, by its ID."""
    return f"{{result}}`{id} <{id}>`"
