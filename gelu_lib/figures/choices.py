"""Figures of the table of criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib.figures.errors import ERROR_LABEL, error_on
from gelu_lib.figures.style import BLUE, GREEN, INK, ORANGE, Drawn, draw
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.optima import FORMS, MEASURES, stored
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.functions.families import TARGETS

MARKERS = dict(zip(TARGETS, (("o", BLUE), ("s", ORANGE), ("D", GREEN)), strict=True))
FUNCTION_NAMES = dict(zip(TARGETS, ("Φ", "GELU", "GELU′"), strict=True))


def best_constants(forms: Sequence[str] = ("tanh-pinned", "sigmoid")) -> dict[str, Drawn]:
    """The best constant by every measure, and the famous one as a line; one panel for each form.

    Args:
        forms: keys of ``gelu_lib.fits.optima.FORMS``.

    Returns:
        For each form, the best constants as points (constant, row), by function.
    """
    panels = plt.figure(figsize=(5.4, 3.0 * len(forms))).subplots(len(forms), squeeze=False)[:, 0]
    drawn = {}
    for axes, form in zip(panels, forms, strict=True):
        rows, points = np.arange(len(MEASURES), dtype=float), {}
        for of, (marker, colour) in MARKERS.items():
            constants = np.array([float(stored(form, of, m).constant) for m in MEASURES])
            points[FUNCTION_NAMES[of]] = (constants, rows)
            axes.plot(constants, rows, marker, color=colour, label=FUNCTION_NAMES[of])
        axes.axvline(float(FORMS[form].literal), color=INK, linewidth=1)
        axes.set_yticks(rows, MEASURES)
        axes.invert_yaxis()
        axes.locator_params(axis="x", nbins=4)
        axes.set_title(
            f"{FORMS[form].name}: line at {FORMS[form].literal}", loc="left", fontsize=11
        )
        drawn[form] = Drawn(points=points)
    panels[0].legend(title="error of", loc="center left", bbox_to_anchor=(1, 0.5))
    panels[-1].set_xlabel("best constant")
    plt.tight_layout()
    return drawn


def cost_of_the_famous(form: str) -> Drawn:
    """A map of how much larger each measure is at the famous constant than at the best one.

    Args:
        form: a key of ``gelu_lib.fits.optima.FORMS``.

    Returns:
        For each function, the rows and the ratios.
    """
    cells = [[stored(form, of, measure) for of in TARGETS] for measure in MEASURES]
    ratios = np.array([[float(cell.famous_ratio) for cell in row] for row in cells])
    axes = plt.figure(figsize=(5.4, 3.2)).add_subplot()
    axes.imshow(np.log(ratios), cmap="Oranges", vmin=0, vmax=np.log(4), aspect="auto")
    for (row, column), ratio in np.ndenumerate(ratios):
        text = axes.text(column, row, f"× {ratio:.3f}", ha="center", va="center")
        text.set_color("black" if ratio < 2.5 else "white")
    axes.set_xticks(range(len(TARGETS)), [f"error of {FUNCTION_NAMES[of]}" for of in TARGETS])
    axes.set_yticks(range(len(MEASURES)), MEASURES)
    axes.grid(visible=False)
    rows = np.arange(len(MEASURES), dtype=float)
    return Drawn({of: (rows, ratios[:, column]) for column, of in enumerate(TARGETS)})


def condition(optimum: Optimum, high: float = 5.0, axes: Axes | None = None) -> Drawn:
    """The weighted error of an optimum on x ≥ 0, with the points of its optimality condition.

    For the sup norm these are the highest peaks, between the levels ±E; for L1 the zeros.
    """
    criterion = optimum.criterion
    x = np.linspace(0, high, 1201)
    places = np.array([float(place) for place in optimum.points])
    peaks = criterion.norm == "sup"
    level = float(optimum.size)

    def error(at: np.ndarray) -> np.ndarray:
        weight = numpy_function(criterion.weight)(at) if peaks else 1.0
        return weight * error_on(at, optimum.family, optimum.parameters, criterion.of)

    name = "highest peaks" if peaks else "changes of sign"
    heights = level * np.array(optimum.signs) if peaks else np.zeros(len(places))
    return draw(
        {"error": (x, error(x))},
        {name: (places, heights)} if len(places) else {},
        ylabel=ERROR_LABEL[criterion.of],
        levels=(-level, level) if peaks else (),
        axes=axes,
    )


def conditions(optima: Mapping[str, Optimum], high: float = 5.0) -> dict[str, Drawn]:
    """Several optima, one above the other, each with its name; see ``condition``."""
    panels = plt.figure(figsize=(5.4, 2.2 * len(optima))).subplots(len(optima), sharex=True)
    drawn = {}
    for axes, (name, optimum) in zip(np.atleast_1d(panels), optima.items(), strict=True):
        drawn[name] = condition(optimum, high, axes)
        axes.set_title(name, loc="right", fontsize="medium")
        axes.label_outer()
    plt.tight_layout()
    return drawn
