"""The table of criteria: what the best constant is, for each form, function and measure.

A choice is one cell of the table: a form of Φ̂, the function whose error is measured, and the way
to measure it. ``compute`` finds it at any number of digits. ``stored`` reads the outcome that
``tools/write_choices.py`` has computed to 50 digits, because the whole table takes minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

import sympy as sp
from sympy import Expr, Float

from gelu_lib.fits.criteria import Criterion, Optimum, alternating
from gelu_lib.fits.integral import integral_norm, integral_optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import GUARD_DIGITS, SampledSupError, sampled_sup_error
from gelu_lib.functions.expressions import X, phi
from gelu_lib.functions.families import (
    SLOPE_KEPT,
    TARGETS,
    Family,
    check_target,
)
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.rows import contents


@dataclass(frozen=True)
class NamedFamily:
    """A family with its free parameters, and the form that it is famous for.

    Attributes:
        name: what the table calls it.
        famous: the form that is in use everywhere.
        fixed: the parameters that are not free.
    """

    name: str
    famous: Form
    fixed: Mapping[str, Expr] = field(default_factory=dict)

    @property
    def family(self) -> Family:
        """The family."""
        return self.famous.family

    @property
    def literal(self) -> str:
        """The constant of ``famous`` as it is printed."""
        return str(float(constant(self.famous.parameters)))


def constant(parameters: Mapping[str, Expr]) -> Expr:
    """The constant that a form is known by, p3/p1 for the tanh form and p1 for the other."""
    if "p3" in parameters:
        return parameters["p3"] / parameters["p1"]
    return parameters["p1"]


FORMS: Mapping[str, NamedFamily] = MappingProxyType(
    {
        "tanh-pinned": NamedFamily("tanh form, slope kept", tanh_form(), SLOPE_KEPT),
        "tanh-free": NamedFamily("tanh form, both free", tanh_form()),
        "sigmoid": NamedFamily("sigmoid form", sigmoid_form()),
    }
)
"""The forms, by the part of an ID that stands for them."""

MEASURES: Mapping[str, tuple[str, Expr]] = MappingProxyType(
    {
        "sup": ("sup", sp.S.One),
        "L2": ("L2", sp.S.One),
        "Gaussian L2": ("L2", phi(X)),
        "L1": ("L1", sp.S.One),
        "Gaussian L1": ("L1", phi(X)),
        "Gaussian sup": ("sup", sp.exp(-(X**2) / 2)),
    }
)
"""The measures, by name, each as a norm and a weight. The Gaussian weight of the integrals is the
density φ; that of the sup norm is φ(x)/φ(0), which is 1 at 0."""


@dataclass(frozen=True)
class Choice:
    """One cell of the table.

    The numbers are SymPy floats with the digits that hold.

    Attributes:
        form: the key of ``FORMS``.
        of: the function that is approximated.
        measure: the key of ``MEASURES``.
        parameters: the best parameters, by name.
        error: the measure at the best parameters.
        famous_error: the measure at the famous parameters; a sup norm is sampled.
        worst: an x > 0 where the error itself, without weight, is largest, as samples show.
        worst_error: the size of the error there.
        points: the x > 0 of the optimality condition; see ``gelu_lib.fits.criteria.Optimum``.
        signs: the signs of the error at the points, for a sup norm.
        multipliers: the multipliers of the points, for a sup norm.
    """

    form: str
    of: str
    measure: str
    parameters: Mapping[str, Float]
    error: Float
    famous_error: Float
    worst: Float
    worst_error: Float
    points: tuple[Float, ...]
    signs: tuple[int, ...]
    multipliers: tuple[Float, ...]

    @property
    def constant(self) -> Float:
        """The constant that the form is known by."""
        return constant(self.parameters)

    @property
    def alternates(self) -> bool:
        """Whether the error alternates; see ``gelu_lib.fits.criteria.Optimum``."""
        free = len(self.parameters) - len(FORMS[self.form].fixed)
        return alternating(self.signs, free + 1)

    @property
    def best(self) -> Form:
        """The best form."""
        return Form(_form(self.form).family, self.parameters)

    @property
    def famous_ratio(self) -> Float:
        """How many times larger the measure is at the famous parameters than at the best ones."""
        return self.famous_error / self.error


def criterion(of: str, measure: str) -> Criterion:
    """The criterion of a row and a column of the table.

    Raises:
        ValueError: if ``of`` or ``measure`` is not one of the table's.
    """
    check_target(of)
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {tuple(MEASURES)}, got {measure!r}")
    norm, weight = MEASURES[measure]
    return Criterion(norm, of, weight)


def optimum(form: str, of: str, measure: str, digits: int = 16) -> Optimum:
    """The best parameters of one cell, computed now; see ``compute`` for what is accepted."""
    kind, made = _form(form), criterion(of, measure)
    if made.norm == "sup":
        return minimax(kind.family, of, kind.fixed, digits, made.weight)
    return integral_optimum(kind.family, made, kind.fixed, digits)


def size(form: Form, of: str, measure: str, digits: int) -> Float:
    """The measure of a row and a column at any form, as a SymPy float of ``digits`` digits."""
    made = criterion(of, measure)
    if made.norm == "sup":
        return sampled_sup_error(form, of, digits, made.weight).error
    return integral_norm(form, made, digits)


def compute(form: str, of: str, measure: str, digits: int = 16) -> Choice:
    """One cell of the table, computed now.

    Args:
        form: a key of ``FORMS``.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``.
        measure: a key of ``MEASURES``.
        digits: how many significant digits of every number shall hold.

    Returns:
        The cell.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if another argument is not one of the table's, or ``digits`` is below 1.
        ConvergenceError: if the equations were not solved.
        NotAnOptimumError: if their solution is not the best nearby.
    """
    best = optimum(form, of, measure, digits)
    kind = _form(form)
    more = digits + GUARD_DIGITS  # so that rounding the outcome to its digits rounds once
    sup = sampled_sup_error(best, of, more)
    return Choice(
        form=form,
        of=of,
        measure=measure,
        parameters=best.parameters,
        error=best.error,
        famous_error=size(kind.famous, of, measure, more),
        worst=_first_highest(sup),
        worst_error=sup.error,
        points=best.points,
        signs=best.signs,
        multipliers=best.multipliers,
    )


def _first_highest(sup: SampledSupError) -> Float:
    """The first of the extrema that are highest; equal ones differ in their last digits."""
    enough = sup.error * (1 - Float("1e-8"))
    return next(found.x for found in sup.extrema if abs(found.error) >= enough)


@cache
def stored(form: str, of: str, measure: str) -> Choice:
    """One cell of the table, as it was computed to 50 digits.

    Args:
        form: a key of ``FORMS``.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``.
        measure: a key of ``MEASURES``.

    Returns:
        The cell. A test computes it again with fewer digits.

    Raises:
        ValueError: if an argument is not one of the table's.
    """
    _form(form)
    criterion(of, measure)
    record = _records()[entry_id(form, of)]["cells"][measure]
    return Choice(
        form=form,
        of=of,
        measure=measure,
        parameters=MappingProxyType({n: Float(v) for n, v in record["parameters"].items()}),
        error=Float(record["size"]),
        famous_error=Float(record["famous_size"]),
        worst=Float(record["worst"]),
        worst_error=Float(record["worst_error"]),
        points=tuple(map(Float, record["points"])),
        signs=tuple(record["signs"]),
        multipliers=tuple(map(Float, record["multipliers"])),
    )


def table(of: str) -> dict[tuple[str, str], Choice]:
    """All stored cells for one function, by form and measure."""
    check_target(of)
    return {(form, name): stored(form, of, name) for form in FORMS for name in MEASURES}


def entry_id(form: str, of: str) -> str:
    """The ID of the register's entry for a form and a function: six cells of the table."""
    slugs = dict(zip(TARGETS, ("phi", "gelu", "gelu-derivative"), strict=True))
    return f"criteria-{form}-{slugs[of]}"


def minimax_id(form: str, of: str) -> str:
    """The ID of the register's entry that is proved of a form and a function, in sup norms."""
    return entry_id(form, of).replace("criteria", "minimax", 1)


@cache
def _records() -> Mapping[str, dict]:
    return contents("choices.json")


def _form(form: str) -> NamedFamily:
    if form not in FORMS:
        raise ValueError(f"form must be one of {tuple(FORMS)}, got {form!r}")
    return FORMS[form]
