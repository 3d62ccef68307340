"""The chapter floating-point: what is left of GELU's digits on a machine."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from sympy import Symbol

from gelu_lib import activations
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification, Certified
from gelu_lib.derivations.enclosed import Root
from gelu_lib.floats import accuracy
from gelu_lib.floats.accuracy import errors, first_nan, first_zero, first_zero_of_value, summary
from gelu_lib.floats.formulas import GRADIENTS, VALUES, Formula, through_float32
from gelu_lib.floats.thresholds import OVERFLOW, THRESHOLDS, TIE, TINY, threshold
from gelu_lib.floats.types import FLOAT_TYPES, FloatType, all_finite, round_to
from gelu_lib.floats.ulp import ERROR_FUNCTIONS, correctly_rounded, measured_errors
from gelu_lib.show.style import COLOURS, DASHES, GREY, INK, Drawn
from gelu_lib.show.tables import Table, decimal

LIBRARY = Formula(activations.gelu, "gelu")
"""The library's own evaluation, as a formula beside the others."""

DRAWN = {
    "½x(1 + erf)": VALUES["erf"],
    "½x erfc": VALUES["erfc"],
    "tanh form": VALUES["tanh"],
    "sigmoid form": VALUES["sigmoid"],
    "gelu_lib": LIBRARY,
}
LAST = 2.0
"""The right end of the panels; farther right little is lost."""

WINDOWS, IN_A_WINDOW = 56, 20


def surviving_bits() -> dict[str, Drawn]:
    """How many bits of GELU are right at worst, for five evaluations in four types.

    The line is cut into windows from the place where GELU vanishes in the type up to 2. In each the
    fewest right bits are drawn: of a sample in float64 and float32, of every float in the others.
    Left out are the floats next to 0, whose results are subnormal and have few bits to be right.

    Returns:
        For each type its panel.
    """
    figure = plt.figure(figsize=(5.4, 5.0), layout="constrained")
    panels = figure.subplots(2, 2)
    drawn = {
        name: _panel(axes, FLOAT_TYPES[name])
        for axes, name in zip(panels.flat, FLOAT_TYPES, strict=True)
    }
    for axes in panels[1]:
        axes.set_xlabel("x")
    for axes in panels[:, 0]:
        axes.set_ylabel("right bits")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return drawn


def _panel(axes: Axes, kind: FloatType) -> Drawn:
    precision = kind.digits + 1
    windows = _windows(kind)
    middles = np.array([window.astype(np.float64).mean() for window in windows])
    x, ends = np.concatenate(windows), np.cumsum([0, *map(len, windows)])[:-1]
    curves = {
        name: (middles, np.minimum.reduceat(right_bits(formula, x), ends))
        for name, formula in DRAWN.items()
    }
    styles = [*zip(COLOURS, DASHES, strict=True), (INK, "-")]
    axes.axhline(precision, color=GREY, linewidth=0.9, linestyle=":")
    for (name, curve), (colour, dash) in zip(curves.items(), styles, strict=True):
        axes.plot(*curve, color=colour, linestyle=dash, label=name, clip_on=False)
    axes.set_ylim(0, 1.04 * precision)
    axes.set_title(kind.name, fontsize="medium")
    axes.locator_params(nbins=5)
    return Drawn(curves)


def right_bits(formula: Formula, x: np.ndarray) -> np.ndarray:
    """−log₂ of the relative error against GELU, from 0 up to the precision of the type."""
    relative = np.abs(errors(formula, x, "total").relative)
    precision = FLOAT_TYPES[x.dtype.name].digits + 1
    return np.clip(-np.log2(np.maximum(relative, 2.0**-precision)), 0, precision)


def _windows(kind: FloatType) -> list[np.ndarray]:
    """The inputs of each window: all floats of a type of 16 bits, else an even sample."""
    first = first_zero_of_value("gelu", kind.name)
    edges = np.linspace(first, LAST, WINDOWS + 1)
    if kind.dtype.itemsize == 2:
        floats = all_finite(kind.name)
        floats = floats[np.abs(floats.astype(np.float64)) >= 4 * 2.0**kind.least_exponent]
        places = np.searchsorted(floats.astype(np.float64), edges, side="right")
        return [floats[low:high] for low, high in pairwise(places)]
    sample = np.linspace(first, LAST, WINDOWS * IN_A_WINDOW + 1)[1:]
    return np.split(round_to(sample, kind.name), WINDOWS)


# --- tables


def type_table() -> Table:
    """The four types: how many bits they have, and their smallest and greatest numbers."""
    header = ["type", "bits of precision", "smallest normal", "smallest", "greatest"]
    rows = []
    for name, kind in FLOAT_TYPES.items():
        least = [f"$2^{{{int(np.log2(x))}}}$" for x in (2.0**kind.least_exponent, kind.smallest)]
        rows.append([f"`{name}`", str(kind.digits + 1), *least, decimal(kind.greatest, 3)])
    return Table(header, rows)


def _formula_table(
    title: str, formulas: dict[str, Formula], cell: Callable[[Formula, str], str]
) -> Table:
    """A row for each formula, with a cell for each type."""
    rows = [
        [f"${formula.tex}$", *(cell(formula, name) for name in FLOAT_TYPES)]
        for formula in formulas.values()
    ]
    return Table([title, *FLOAT_TYPES], rows)


def _place(x: float | None) -> str:
    return "nowhere" if x is None else decimal(x, 4)


def zero_table() -> Table:
    """From which place on each formula returns 0, and where GELU itself is rounded to 0."""
    found = _formula_table(
        "returns 0 from here to the left",
        VALUES,
        lambda formula, name: _place(first_zero(formula, name)),
    )
    ends = [_place(first_zero_of_value("gelu", name)) for name in FLOAT_TYPES]
    return Table(found.header, [*found.rows, ["GELU is rounded to 0", *ends]])


def relative_error_table() -> Table:
    """The largest relative error against GELU that was found, and where."""

    def worst(formula: Formula, name: str) -> str:
        found = summary(formula, name, "total").relative
        return f"{decimal(abs(found.error), 2)} at {decimal(found.x, 3)}"

    return _formula_table("largest relative error", VALUES, worst)


def ulp_table() -> Table:
    """The largest error against GELU in units in the last place that was found, and where."""

    def worst(formula: Formula, name: str) -> str:
        found = summary(formula, name, "total").ulp
        return f"{decimal(abs(found.error), 2)} at {decimal(found.x, 3)}"

    return _formula_table("largest error in ULP", VALUES, worst)


def digit_table(x: float) -> Table:
    """The steps of ½x(1 + erf(x/√2)) at one x: the exact digits, then those of each type."""
    _, *steps = accuracy.digit_table(x)  # the first is x/√2
    rows = [["exact", *(row.exact[:20] + "…" for row in steps)]]
    for name in FLOAT_TYPES:
        rows.append([name, *(f"{row.computed[name]} ({row.right[name]})" for row in steps)])
    return Table(["", *(f"${row.tex}$" for row in steps)], rows)


def wide_table() -> Table:
    """From where two formulas return 0, rounded at every step and worked out in float32."""
    rows = []
    for name in ("float16", "bfloat16"):
        for formula in (VALUES["erf"], VALUES["tanh"]):
            ends = [_place(first_zero(f, name)) for f in (formula, through_float32(formula))]
            rows.append([f"${formula.tex}$", f"`{name}`", *ends])
    return Table(["returns 0 from", "type", "in the type", "through `float32`"], rows)


def nan_table() -> Table:
    """From where outward each formula of a derivative returns nan."""

    def places(formula: Formula, name: str) -> str:
        left, right = (first_nan(formula, name, side) for side in (-1, 1))
        if left is None and right is None:
            return "never"
        if right is not None and left == -right:
            return f"±{decimal(right, 4)}"
        return f"{_place(left)}, {_place(right)}"

    return _formula_table("nan from here outward", GRADIENTS, places)


def library_table() -> Table:
    """The largest errors of the library's own functions, from the record of the measurement."""
    record = measured_errors()

    def row(name: str) -> list[str]:
        wide, single = record["float64"][name], record["float32"][name]
        largest = max(wide[side]["largest ULP"] for side in ("left", "right"))
        missed = f"{single['not correctly rounded']:,}"
        return [f"`{name}`", f"{largest:.2f}", f"{single['largest ULP']:.4f}", missed]

    header = ["function", "largest ULP found, float64", "largest ULP, all float32"]
    rows = [row(name) for name in sorted(ERROR_FUNCTIONS)]
    return Table([*header, "not the nearest float32"], rows)


def correctly_rounded_bits(x: float) -> str:
    """The bits in bfloat16 of x, and of the six functions there, each correctly rounded."""
    bfloat16 = FLOAT_TYPES["bfloat16"].dtype
    row = [x, *(correctly_rounded(name, x, bfloat16) for name in ERROR_FUNCTIONS)]
    return " ".join(f"{bits:04x}" for bits in np.array(row).astype(bfloat16).view("u2").tolist())


def numbers() -> dict[str, str]:
    """The numbers in the text."""
    erf = VALUES["erf"]
    last = first_zero(erf, "bfloat16")
    record = measured_errors()
    x = np.linspace(-38, -37, 100_001)
    normal = float(x[-activations.gelu(x) >= 2.0 ** FLOAT_TYPES["float64"].least_exponent][0])
    return {
        "erf-zero-64": decimal(first_zero(erf, "float64"), 3),
        "erf-zero-bf": decimal(last, 3),
        "gelu-at-erf-zero": decimal(float(activations.gelu(last)), 2),
        "sampled": str(summary(erf, "float64").inputs),
        "normal-38": decimal(normal, 3),
        "condition-38": f"{normal**2 / 2:.0f}",
        "cube-16": decimal(first_nan(GRADIENTS["tanh cube"], "float16", 1), 3),
        "quotient-16": decimal(first_nan(GRADIENTS["sigmoid quotient"], "float16", -1), 3),
        "all-float32": f"{record['float32']['gelu']['inputs']:,}",
        "hard-64": f"{record['float64']['gelu']['inputs']:,}",
    }


# --- numbers of the register


p, mu, Omega = (Symbol(name, real=True) for name in ("p", "mu", "Omega"))
OF_TYPE = {TIE: 2 ** -(p + 1), TINY: mu / 2, OVERFLOW: Omega}
"""By the numbers that the statements have, those of a type.

That is its bits, its smallest positive number and the least that is rounded to infinity.
"""


def _in_each_type(id: str) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        return {dtype: threshold(id, dtype, digits + GUARD_DIGITS) for dtype in FLOAT_TYPES}

    return Certified(lambda: Root(THRESHOLDS[id].excess.subs(OF_TYPE)), enclosures)


CERTIFIED: dict[str, Certification] = {id: _in_each_type(id) for id in THRESHOLDS}
