"""How a number is computed: the few kinds of computation that the registered numbers need.

A computation is a function of a number of significant digits. So is a certification, which gives
enclosures instead of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

import sympy as sp
from flint import arb, arb_mat, ctx
from sympy import Expr, Float

from gelu_lib.certificates.balls import bits, compiled, number
from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure, enclosure
from gelu_lib.certificates.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.derivations.enclosed import Enclosed, Root
from gelu_lib.derivations.quantities import ArgMax
from gelu_lib.fits.criteria import Criterion, Optimum, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.quantities import Asked, asked, largest
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, Value, error_expression, exact_values
from gelu_lib.functions.forms import Form

Computation = Callable[[int], Float]
"""A function of a number of digits that returns the number, right to as many."""

Certification = Callable[[int], Mapping[str, Enclosure]]
"""A function of a number of digits that returns proved enclosures with as many. They go by the
names of the register's numbers; the name of a single value is empty."""


@dataclass(frozen=True)
class Certified:
    """A certification that says what it encloses, so that the statement is compared with it.

    Attributes:
        of: makes the object; that takes a moment, so it is made where it is asked for.
        enclosures: the certification.
    """

    of: Callable[[], Enclosed]
    enclosures: Certification

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        return self.enclosures(digits)


Part = Callable[[Certificate | Asked], Enclosure | Expr]
"""Takes one enclosure out of a certificate, and out of what is asked for the quantity there."""

GUARD_DIGITS = 5
"""Digits enclosed beyond those that are asked for, so that these are decided."""


def numeral(number: Decimal) -> str:
    """A number as the register writes it: plain, or with an exponent rather than added zeros."""
    return f"{number:f}" if number.as_tuple().exponent <= 0 else f"{number:e}"


def closed_form(expression: Expr) -> Certified:
    """A number that is written out: it is evaluated in Arb."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        kept = digits + GUARD_DIGITS
        with ctx.workprec(2 * bits(kept)):
            return {"": enclosure(number(expression), kept)}

    return Certified(lambda: expression, enclosures)


def at_root(equation: Expr, near: float, value: Expr = X) -> Certified:
    """An expression at the zero of another one that is proved to be there, close to a number.

    That the equation has no other zero in question is for the chapter to prove.

    Args:
        equation: an expression in x with a simple zero.
        near: a number near it.
        value: what is enclosed at the zero, which itself if nothing is said.

    Returns:
        The certification.
    """
    system = compiled((X,), [equation, sp.diff(equation, X)])
    wanted = compiled((X,), value)

    def slope(unknowns: Box) -> tuple[Box, arb_mat]:
        found, derivative = system(unknowns[0])
        return [arb(found)], arb_mat([[arb(derivative)]])

    def enclosures(digits: int) -> dict[str, Enclosure]:
        kept = digits + GUARD_DIGITS
        with ctx.workprec(2 * bits(kept)):
            box = refine(slope, prove_solution(slope, polished(slope, [near])), kept + GUARD_DIGITS)
            return {"": enclosure(arb(wanted(box[0])), kept)}

    return Certified(lambda: Root(equation, value), enclosures)


def certified_fit(family: Family, of: str, fixed: Mapping[str, Value], part: Part) -> Certified:
    """One enclosure out of the certificate of a minimax fit."""
    return Certified(
        lambda: part(asked(problem(family, Criterion("sup", of), fixed))),
        lambda digits: {"": part(certify(minimax(family, of, fixed), digits))},
    )


def certified_error(family: Family, parameters: Mapping[str, Value], of: str) -> Certified:
    """The sup error of given parameters."""
    return Certified(
        lambda: largest(_error(family, parameters, of)),
        lambda digits: {"": certified_sup_error(Form(family, parameters), of, digits).error},
    )


def certified_place(family: Family, parameters: Mapping[str, Value], of: str) -> Certified:
    """The one x > 0 where the error of given parameters is largest."""

    def place(digits: int) -> dict[str, Enclosure]:
        (found,) = certified_sup_error(Form(family, parameters), of, digits).points
        return {"": found}

    return Certified(
        lambda: ArgMax(largest(_error(family, parameters, of)).body, [X], X > 0), place
    )


def _error(family: Family, parameters: Mapping[str, Value], of: str) -> Expr:
    return error_expression(family, of).xreplace(exact_values(family, parameters))


def error_of(found: Optimum | Certificate | Asked) -> Float | Enclosure | Expr:
    return found.error


def parameter(name: str) -> Part:
    return lambda certificate: certificate.parameters[name]


def cubic_ratio(certificate: Certificate | Asked) -> Enclosure | Expr:
    """The coefficient k of x + k·x³ in a member of the cubic family."""
    return certificate.parameters["p3"] / certificate.parameters["p1"]
