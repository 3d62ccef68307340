"""Figures that help to choose a form: what a change of form does, beside what rounding does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.activations import gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.figures.style import GREY, INK, Drawn, draw
from gelu_lib.floats import unit

NARROW_TYPES = ("bfloat16", "float16")


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
