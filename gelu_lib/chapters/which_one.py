"""The chapter which-one: what a change of form does, beside what rounding does."""

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
from gelu_lib.certificates.sup_errors import CertifiedSupError, certified_sup_error
from gelu_lib.fits.optima import stored
from gelu_lib.floats.formulas import VALUES
from gelu_lib.floats.texts import bits, hexadecimal, nearest, shortest
from gelu_lib.floats.types import all_finite, float_type, ordinal, unit
from gelu_lib.functions.forms import APPROXIMATIONS
from gelu_lib.numbers.measured import between_seeds, interval, millionths, networks, swap
from gelu_lib.provenance.checkpoints import (
    OWN,
    Family,
    Seen,
    families,
    names,
    other_forms,
)
from gelu_lib.provenance.formulas import expression, stepwise
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, COLOURS, GREY, INK, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal

NARROW_TYPES = ("bfloat16", "float16")

MEMBERS = {f"{name} form": member for name, member in APPROXIMATIONS.items()}

EVALUATIONS = {
    "the tanh form": gelu_tanh,
    "the sigmoid form": gelu_sigmoid,
    "the exact form, rounded at every step": VALUES["erf"],
}

WISHES = {
    "least largest error of GELU": ("GELU", "sup"),
    "least largest error of its derivative": ("GELU_derivative", "sup"),
    "least root mean square error of GELU, normal inputs": ("GELU", "Gaussian L2"),
}
"""For what somebody may wish of new coefficients, the function and the measure of its error."""


def forms_against_rounding(low: float = -6.0, high: float = 6.0) -> Drawn:
    """The distance of both forms from GELU, and a unit in the last place of GELU in two formats.

    Where a curve lies above a dotted line, rounding to that format does not hide the difference,
    unless GELU lies just below a power of two and the form above it, where the unit is twice as
    large.
    """
    x = np.linspace(low, high, 1201)
    exact = gelu(x)
    curves = {
        "tanh form": (x, np.abs(gelu_tanh(x) - exact)),
        "sigmoid form": (x, np.abs(gelu_sigmoid(x) - exact)),
    }
    drawn = draw(curves, ylabel="distance from GELU")
    plt.yscale("log")
    plt.ylim(1e-7, 1)
    plt.gca().get_legend().remove()
    plt.xlim(1.1 * low, high + 5)  # the lines have their names beside them
    plt.text(high + 0.3, 2e-4, "sigmoid form", color=ORANGE, va="center")
    plt.text(high + 0.3, 5e-7, "tanh form", color=BLUE, va="center")
    rounding, nonzero = {}, exact != 0
    labels = ("one unit in\nbfloat16", "float16")
    for name, label, colour in zip(NARROW_TYPES, labels, (INK, GREY), strict=True):
        rounding[name] = (x[nonzero], unit(exact[nonzero], name))
        plt.plot(*rounding[name], color=colour, linewidth=1, linestyle=":")
        plt.text(high + 0.3, rounding[name][1][-1], label, color=colour, va="center")
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
    axes = plt.gca()
    axes.set_yscale("log")
    if axes.get_legend():
        axes.get_legend().remove()
    for (name, (_, values)), colour in zip(curves.items(), COLOURS, strict=False):
        late = 2 * len(values) // 3
        beside = {"textcoords": "offset points", "color": colour, "ha": "center", "va": "top"}
        words = f"{name}\nin place of GELU"
        axes.annotate(words, (late + 1, values[late]), (0, -16), **beside)
    return drawn


def change_table() -> Table:
    """How far each form, and its derivative, is from that of GELU at most: proved, with places."""
    header = ["instead of the exact form", "largest change of GELU", "of its derivative"]
    rows = []
    for name in MEMBERS:
        found = (_certified(name, of) for of in ("GELU", "GELU_derivative"))
        rows.append([name, *(f"{f.error.rounded(4)} at ±{f.points[0].rounded(4)}" for f in found)])
    return Table(header, rows)


@cache
def _certified(name: str, of: str) -> CertifiedSupError:
    return certified_sup_error(MEMBERS[name], of=of)


def rounding_table() -> Table:
    """Of the floats from 1/128 to 8, the percentage at which another evaluation is not GELU."""
    return Table(
        ["instead of the exact form", "type", "differ, x > 0", "differ, x < 0"],
        [
            [name, dtype, *(f"{percent} %" for percent in differing(name, dtype))]
            for name in EVALUATIONS
            for dtype in NARROW_TYPES
        ],
    )


@cache
def differing(name: str, dtype: str) -> tuple[int, int]:
    """The percentages of ``rounding_table`` of positive and of negative floats, rounded."""
    x = all_finite(dtype)
    differs = EVALUATIONS[name](x) != gelu(x)
    size = x.astype(float)
    sides = ((sign * size >= 2**-7) & (sign * size < 8) for sign in (1, -1))
    return tuple(round(100 * np.mean(differs[side])) for side in sides)


def wish_table() -> Table:
    """For each wish the best coefficients of both forms, and what they leave of the error."""
    header = ["wish", "tanh form, both free", "of what 0.044715 leaves", "sigmoid form"]
    return Table(header, [_wish_row(wish, *WISHES[wish]) for wish in WISHES])


def _wish_row(wish: str, of: str, measure: str) -> list[str]:
    free, single = (stored(form, of, measure) for form in ("tanh-free", "sigmoid"))
    p1, p3 = decimal(free.parameters["p1"], 7), decimal(free.parameters["p3"], 6)
    share = f"{float(1 / free.famous_ratio):.2f}"
    formulas = (
        rf"$x\,\sigma({p1}\,x + {p3}\,x^3)$",
        rf"$x\,\sigma({decimal(single.constant, 7)}\,x)$",
    )
    return [wish, formulas[0], share, formulas[1]]


def numbers(
    shift: Mapping[str, float], deviations: Mapping[str, Sequence[float]]
) -> dict[str, str]:
    """The numbers in the text.

    Args:
        shift: for each form the mean of its change over normally distributed inputs.
        deviations: for each form the deviations that ``growth_of_a_swap`` draws.
    """
    _hold_the_names()
    tanh, sigmoid, steps = (
        np.array([differing(name, dtype) for dtype in NARROW_TYPES]) for name in EVALUATIONS
    )
    assert (tanh < steps).all() and (steps < sigmoid).all() and (sigmoid > 50).all()
    assert 20 <= tanh[0, 1] <= 30
    assert shift["tanh form"] < 0 < shift["sigmoid form"]
    first, last = ([values[k] for values in deviations.values()] for k in (0, -1))
    return {
        "other-forms": str(len(other_forms())),
        "sup-factor": _factor("GELU"),
        "derivative-factor": _factor("GELU_derivative"),
        "growth": f"{last[0] / first[0]:.0f}",
        "between": f"{last[1] / last[0]:.0f}",
        **_in_a_network(),
    }


def _in_a_network() -> dict[str, str]:
    """What a swap does to the loss of a small transformer, and what another seed does."""
    seeds = between_seeds(networks()["transformer"])
    found = {
        form: float(result("network-swap-loss").numbers[f"transformer, {name}, root mean square"])
        for form, name in (("tanh", "tanh form"), ("sigmoid", "sigmoid form"), ("relu", "ReLU"))
    }
    assert found["tanh"] < found["sigmoid"] < seeds < found["relu"] / 10
    up, down = (interval(swap(one, "sigmoid", "exact")) for one in networks().values())
    assert up[0] > 0 > down[1] and networks()["transformer"]["seeds"] == 6
    sizes = {**found, "seeds": seeds}
    return {f"network-{name}": millionths(size) for name, size in sizes.items()}


def _factor(of: str) -> str:
    """How many times as large the largest error of the sigmoid form is."""
    tanh, sigmoid = (_certified(name, of).error for name in MEMBERS)
    return f"{(sigmoid / tanh).rounded(12):.0f}"


def _hold_the_names() -> None:
    """What the text says of the names in configurations is what the data file has."""
    transformers = names()["transformers"]
    tanh = ("gelu_new", "gelu_fast", "gelu_accurate", "gelu_pytorch_tanh", "gelu_python_tanh")
    assert all(transformers.form_of(name) == "tanh" for name in tanh)
    assert transformers.form_of("gelu") == "exact"
    assert transformers.form_of("quick_gelu") == "sigmoid"
    assert names()["jax"].default == "tanh"
    assert names()["ggml"].form_of("LLM_FFN_GELU") == "tanh"


# --- what weights need


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


# --- constants to paste

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


def steps_table() -> Table:
    """The constants that float32 misses, computed from left to right, and by how many floats."""
    own = [constant for constant in pasted_constants().values() if not constant.base_two]
    steps = {constant.name: steps_off(constant, "float32") for constant in own}
    return Table(
        ["computed from left to right in float32", "floats away from the nearest"],
        [[name, f"{count:+d}".replace("-", "−")] for name, count in steps.items() if count],
    )


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
