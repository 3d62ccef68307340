"""The kinds of proofs of a number: each says what is proved, and encloses it when it is called.

A proof is a function of a number of significant digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled, number
from gelu_lib.certificates.engine.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.facts.tail_ratios import place
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Approximant, Value
from gelu_lib.functions.forms import Form
from gelu_lib.precision import DECIDED_DIGITS

Certification = Callable[[int], Mapping[str, Enclosure]]
"""A function of a number of digits that returns proved enclosures with as many. They go by the
names of the register's numbers; the name of a single value is empty."""


def numeral(number: Decimal) -> str:
    """A number as the register writes it: plain, or with an exponent rather than added zeros."""
    return f"{number:f}" if number.as_tuple().exponent <= 0 else f"{number:e}"


def whole(number: int) -> Enclosure:
    """An integer as an enclosure of no width."""
    return Enclosure(Decimal(number), Decimal(number))


@dataclass(frozen=True)
class ClosedForm:
    """A number that is written out: it is evaluated in Arb."""

    value: Expr

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        kept = digits + DECIDED_DIGITS
        with flint.ctx.workprec(2 * bits(kept)):
            return {"": enclosure(number(self.value), kept)}


@dataclass(frozen=True)
class AtRoot:
    """An expression at the zero of another one that is proved to be there, close to a number.

    That the equation has no other zero in question is for the chapter to prove.

    Attributes:
        equation: an expression in ``X`` with a simple zero.
        near: a number near it.
        value: what is enclosed at the zero, which itself if nothing is said.
    """

    equation: Expr
    near: float
    value: Expr = X

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        system = compiled((X,), [self.equation, sp.diff(self.equation, X)])
        wanted = compiled((X,), self.value)

        def slope(unknowns: Box) -> tuple[Box, flint.arb_mat]:
            found, derivative = system(unknowns[0])
            return [flint.arb(found)], flint.arb_mat([[flint.arb(derivative)]])

        kept = digits + DECIDED_DIGITS
        with flint.ctx.workprec(2 * bits(kept)):
            found = prove_solution(slope, polished(slope, [self.near]))
            box = refine(slope, found, kept + DECIDED_DIGITS)
            return {"": enclosure(flint.arb(wanted(box[0])), kept)}


@dataclass(frozen=True)
class OfBest:
    """A number of the best member of a family in the sup norm.

    Attributes:
        family: the family.
        target: the function that is approximated.
        fixed: names and values of the parameters that are not free.
        part: ``"error"``, the name of a parameter, or of two with a stroke for their ratio.
        factor: by which positive integer it is multiplied.
    """

    family: Approximant
    target: str
    fixed: tuple[tuple[str, Value], ...]
    part: str
    factor: int = 1

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        proved = minimax(self.family, self.target, dict(self.fixed), digits)
        numbers = {"error": proved.error, **proved.parameters}
        above, _, below = self.part.partition("/")
        found = numbers[above] / numbers[below] if below else numbers[above]
        return {"": self.factor * found}


@dataclass(frozen=True)
class OfLargest:
    """The largest error of a form on the whole line, or the one x > 0 where it is.

    Attributes:
        form: the form.
        target: the function that is approximated.
        part: ``"error"`` or ``"place"``.
        factor: by which positive integer it is multiplied.
    """

    form: Form
    target: str
    part: str = "error"
    factor: int = 1

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        proved = certified_sup_error(self.form, self.target, digits)
        if self.part == "error":
            return {"": self.factor * proved.error}
        (found,) = proved.points
        return {"": found}


@dataclass(frozen=True)
class FormCrossing:
    """The one x < 0 where a form is a given multiple of GELU."""

    form: Form
    ratio: Expr

    def __call__(self, digits: int) -> Mapping[str, Enclosure]:
        return {"": place(self.form, self.ratio, digits + DECIDED_DIGITS)}


Proof = ClosedForm | AtRoot | OfBest | OfLargest | FormCrossing
