"""Figures of what is left of GELU's digits in floating point."""

from __future__ import annotations

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib import activations
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification
from gelu_lib.chapters.style import COLOURS, DASHES, GREY, INK, Drawn
from gelu_lib.floats.accuracy import errors, first_zero_of_value
from gelu_lib.floats.formulas import VALUES, Formula
from gelu_lib.floats.thresholds import THRESHOLDS, threshold
from gelu_lib.floats.types import FLOAT_TYPES, FloatType, all_finite, round_to

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
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
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


# --- numbers of the register


def _in_each_type(id: str) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        return {dtype: threshold(id, dtype, digits + GUARD_DIGITS) for dtype in FLOAT_TYPES}

    return enclosures


CERTIFIED: dict[str, Certification] = {id: _in_each_type(id) for id in THRESHOLDS}
