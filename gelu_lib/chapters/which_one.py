"""Figures that help to choose a form: what a change of form does, beside what rounding does."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from sympy import Expr

from gelu_lib.activations import FORMS, gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.chapters.style import GREY, INK, Drawn, draw
from gelu_lib.chapters.tables import Table
from gelu_lib.floats.texts import bits, hexadecimal, nearest, shortest
from gelu_lib.floats.types import float_type, ordinal, unit
from gelu_lib.provenance.checkpoints import OWN, Family, Seen, families, names
from gelu_lib.provenance.formulas import expression, stepwise

NARROW_TYPES = ("bfloat16", "float16")


def forms_against_rounding(low: float = -6.0, high: float = 6.0) -> Drawn:
    """The distance of both forms from GELU, and a unit in the last place of GELU in two formats.

    Where a curve lies above a dotted line, rounding to that format cannot hide the difference.
    """
    x = np.linspace(low, high, 1201)
    exact = gelu(x)
    curves = {
        "tanh form": (x, np.abs(gelu_tanh(x) - exact)),
        "sigmoid form": (x, np.abs(gelu_sigmoid(x) - exact)),
    }
    drawn = draw(curves, ylabel="distance from GELU")
    plt.yscale("log")
    plt.ylim(1e-7, 0.1)
    rounding = {}
    for name, colour in zip(NARROW_TYPES, (INK, GREY), strict=True):
        nonzero = exact != 0
        rounding[name] = (x[nonzero], unit(exact[nonzero], name))
        label = f"{name}: one unit"
        plt.plot(*rounding[name], color=colour, linewidth=1, linestyle=":", label=label)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return Drawn({**drawn.curves, **rounding})


def growth_of_a_swap(deviations: Mapping[str, Sequence[float]]) -> Drawn:
    """How far two copies of a network drift apart, layer by layer, on a logarithmic axis.

    Args:
        deviations: for each form that replaced GELU, by its name, the deviation after each layer.

    Returns:
        One curve for each form.
    """
    curves = {
        name: (np.arange(1, len(values) + 1), np.asarray(values, dtype=float))
        for name, values in deviations.items()
    }
    drawn = draw(curves, xlabel="layer", ylabel="deviation of the features")
    plt.yscale("log")
    return drawn


# --- constants to paste

__all__ = ["PasteError", "PastedConstant", "parse", "paste_table", "pasted_constants", "steps_off"]

_FIELDS = {"name": str, "formula": str, "use": str, "base_two": bool}


class PasteError(ValueError):
    """The data file breaks a rule; the message names the entry."""


@dataclass(frozen=True)
class PastedConstant:
    """A constant that kernels multiply by.

    Attributes:
        id: its name in the data file.
        name: as it is shown, Markdown with TeX.
        formula: what it is, in the notation of ``gelu_lib.provenance.formulas``.
        use: what a kernel does with it.
        base_two: whether the formula is divided by ln 2, for exp2.
    """

    id: str
    name: str
    formula: str
    use: str
    base_two: bool = False

    @property
    def value(self) -> Expr:
        """The exact number."""
        exact = expression(self.formula)
        return exact / sp.log(2) if self.base_two else exact


@cache
def pasted_constants() -> Mapping[str, PastedConstant]:
    """Every constant by its ID, in the order of the data file.

    Raises:
        PasteError: if the data file breaks a rule.
        FormulaError: if a formula is none.
    """
    path = files("gelu_lib") / "data" / "pasted_constants.toml"
    return MappingProxyType(parse(path.read_text(encoding="utf-8")))


def parse(text: str) -> dict[str, PastedConstant]:
    """Read the data file, given as text.

    Raises:
        PasteError: naming the entry, the field and what is accepted.
    """
    return {id: _constant(id, fields) for id, fields in tomllib.loads(text).items()}


def _constant(id: str, fields: Mapping[str, object]) -> PastedConstant:
    for name, value in fields.items():
        if not isinstance(value, _FIELDS.get(name, ())):
            accepted = ", ".join(f"{field} ({type.__name__})" for field, type in _FIELDS.items())
            raise PasteError(f"{id}: {name} is {value!r}; accepted are {accepted}")
    missing = {"name", "formula", "use"} - set(fields)
    if missing:
        raise PasteError(f"{id}: {', '.join(sorted(missing))} is missing")
    return PastedConstant(id, **fields)


def paste_table() -> Table:
    """Every constant as the nearest float of four types, as a table for the site.

    Returns:
        For float64 the shortest decimal; for float32 the shortest decimal, the hexadecimal float
        and the bits; for float16 and bfloat16 the bits.
    """
    header = ["constant", "float64", "float32", "float16", "bfloat16"]
    return Table(header, [_row(constant) for constant in pasted_constants().values()])


def _row(constant: PastedConstant) -> list[str]:
    names = ("float64", "float32", "float16", "bfloat16")
    wide, single, half, brain = (nearest(constant.value, name) for name in names)
    texts = [
        [shortest(wide)],
        [shortest(single), hexadecimal(single), bits(single)],
        [bits(half)],
        [bits(brain)],
    ]
    cells = ["<br>".join(f"`{text}`" for text in cell) for cell in texts]
    return [f"{constant.name}<br>{constant.use}", *cells]


def steps_off(constant: PastedConstant, dtype: str) -> int:
    """How many floats a program is off that computes the constant in a type, step by step.

    Every literal, root and operation of the formula is rounded to the type, from left to right.

    Returns:
        The steps from the nearest float to the computed one.

    Raises:
        ValueError: if the constant has a logarithm in it, which no formula writes.
    """
    if constant.base_two:
        raise ValueError(f"constant is {constant.id}; accepted is one without base_two")
    kind = float_type(dtype)
    computed: Fraction = stepwise(constant.formula, kind.name)
    return int(
        ordinal(kind.dtype.type(float(computed))) - ordinal(nearest(constant.value, kind.name))
    )


def family_table() -> Table:
    """The families with their form and what it is called, as a table for the site.

    A program that computes another form is marked.
    """
    header = ["weights", "form", "in the publishers' code", "in other programs"]
    return Table(header, [_family_row(family) for family in families().values()])


def _family_row(family: Family) -> list[str]:
    own = [f"`{one.text}`<br>{one.source}" for one in family.at(OWN)] or ["not checked"]
    others = [_elsewhere(family, one) for one in family.seen if one.where != OWN]
    notes = [family.note] if family.note else []
    head = f'<span id="weights-{family.id}"></span>**{family.name}**'
    cells = ["<br>".join(own), "<br>".join([*others, *notes]) or "—"]
    return [head, family.form, *cells]


def _elsewhere(family: Family, one: Seen) -> str:
    other = "" if one.form == family.form else f", **another form: {one.form}**"
    place = "" if one.release else f" ({one.source})"
    release = f" {one.release}" if one.release else ""
    return f"{one.where}{release}: `{one.text}`{place}{other}"


def name_table() -> Table:
    """What each framework calls the three forms, as a table for the site."""
    rows = []
    for one in names().values():
        cells = ["<br>".join(f"`{name}`" for name in getattr(one, form)) or "—" for form in FORMS]
        default = f"default: {one.default}" if one.default else "a name for each form"
        notes = [one.source, *([one.note] if one.note else [])]
        rows.append([f"**{one.name}**<br>{default}", *cells, "<br>".join(notes)])
    return Table(["framework", *FORMS, "where, and what else"], rows)
