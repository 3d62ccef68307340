"""The table of criteria: what the best constant is, for each form, target and measure.

A cell belongs to a form of Φ̂, the function whose error is measured, and the way to measure it.
Here is what ``tools/write_choices.py`` has written of it to 50 digits; ``criteria`` proves it anew,
with any number of digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import sympy as sp
from sympy import Expr, Float

from gelu_lib.functions.expressions import X, phi
from gelu_lib.functions.families import SLOPE_KEPT, Family
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.functions.targets import TARGETS, target_of
from gelu_lib.rows import contents

if TYPE_CHECKING:
    from gelu_lib.certificates.enclosure import Enclosure


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


def constant(parameters: Mapping[str, Expr | Enclosure]) -> Expr | Enclosure:
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
class Cell:
    """One cell of the table. Its numbers are SymPy floats.

    Attributes:
        form: the key of ``FORMS``.
        parameters: the best parameters, by name.
        error: the measure at the best parameters.
        famous_error: the measure at the famous parameters.
        worst: an x > 0 where the error itself, without weight, is largest.
        worst_error: the size of the error there.
        points: for a sup norm the x > 0 where the weighted error is largest, for L1 where it is 0.
        signs: the signs of the error at the points, for a sup norm.
        multipliers: the multipliers of the points, for a sup norm.
    """

    form: str
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
    def best(self) -> Form:
        """The best form."""
        return Form(FORMS[self.form].family, self.parameters)

    @property
    def famous_ratio(self) -> Float:
        """How many times larger the measure is at the famous parameters than at the best ones."""
        return self.famous_error / self.error


@cache
def load_cell(form: str, target: str, measure: str) -> Cell:
    """One cell of the table, as it is stored, to 50 digits.

    Args:
        form: a key of ``FORMS``.
        target: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``.
        measure: a key of ``MEASURES``.

    Raises:
        ValueError: if an argument is not one of the table's.
    """
    check_cell(form, target, measure)
    record = _records()[entry_id(form, target)]["cells"][measure]
    return Cell(
        form=form,
        parameters=MappingProxyType({n: Float(v) for n, v in record["parameters"].items()}),
        error=Float(record["size"]),
        famous_error=Float(record["famous_size"]),
        worst=Float(record["worst"]),
        worst_error=Float(record["worst_error"]),
        points=tuple(map(Float, record["points"])),
        signs=tuple(record["signs"]),
        multipliers=tuple(map(Float, record["multipliers"])),
    )


def check_cell(form: str, target: str, measure: str) -> None:
    """Raise a ``ValueError`` unless the table has such a cell."""
    target_of(target)
    for name, value, accepted in (("form", form, FORMS), ("measure", measure, MEASURES)):
        if value not in accepted:
            raise ValueError(f"{name} must be one of {tuple(accepted)}, got {value!r}")


def entry_id(form: str, target: str) -> str:
    """The ID of the register's entry for a form and a target: six cells of the table."""
    slugs = dict(zip(TARGETS, ("phi", "gelu", "gelu-derivative"), strict=True))
    return f"criteria-{form}-{slugs[target]}"


def minimax_id(form: str, target: str) -> str:
    """The ID of the register's entry that is proved of a form and a target, in sup norms."""
    return entry_id(form, target).replace("criteria", "minimax", 1)


@cache
def _records() -> Mapping[str, dict]:
    return contents("choices.json")
