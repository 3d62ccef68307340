"""How a number is computed: the few kinds of computation that the registered numbers need.

A computation is a function of a number of significant digits. So is a certification, which gives
enclosures instead of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

import sympy as sp
from sympy import Expr, Float

from gelu_lib.certificates import Certificate, Enclosure, certified_sup_error, certify
from gelu_lib.criteria import Optimum
from gelu_lib.families import Family, Value
from gelu_lib.fits import Fit, minimax

Computation = Callable[[int], Float]
"""A function of a number of digits that returns the number, right to as many."""

Certification = Callable[[int], Mapping[str, Enclosure]]
"""A function of a number of digits that returns proved enclosures with as many. They go by the
names of the register's numbers; the name of a single value is empty."""


GUARD_DIGITS = 5
"""Digits enclosed beyond those that are asked for, so that these are decided."""


def numeral(number: Decimal) -> str:
    """A number as the register writes it: plain, or with an exponent rather than added zeros."""
    return f"{number:f}" if number.as_tuple().exponent <= 0 else f"{number:e}"


def exact(expression: Expr) -> Computation:
    return lambda digits: sp.N(expression, digits)


def certified_part(
    claim: Callable[[], Fit | Optimum], part: Callable[[Certificate], Enclosure]
) -> Certification:
    """One enclosure out of the certificate of a claim."""
    return lambda digits: {"": part(certify(claim(), digits))}


def certified_fit(
    family: Family, of: str, fixed: Mapping[str, Value], part: Callable[[Certificate], Enclosure]
) -> Certification:
    """One enclosure out of the certificate of a minimax fit."""
    return certified_part(lambda: minimax(family, of, fixed), part)


def certified_error(family: Family, parameters: Mapping[str, Value], of: str) -> Certification:
    """The sup error of given parameters."""
    return lambda digits: {"": certified_sup_error(family, parameters, of, digits).error}


def certified_place(family: Family, parameters: Mapping[str, Value], of: str) -> Certification:
    """The one x > 0 where the error of given parameters is largest."""

    def place(digits: int) -> dict[str, Enclosure]:
        (found,) = certified_sup_error(family, parameters, of, digits).where
        return {"": found}

    return place


def error_of(found: Fit | Certificate) -> Float | Enclosure:
    return found.error


def parameter(name: str) -> Callable[[Certificate], Enclosure]:
    return lambda certificate: certificate.parameters[name]


def cubic_ratio(certificate: Certificate) -> Enclosure:
    """The coefficient k of x + k·x³ in a member of the cubic family."""
    return certificate.parameters["p3"] / certificate.parameters["p1"]
