"""The one house style: what a figure looks like, and the numbers that it returns.

A room that draws imports this module, and that sets the style.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, SubplotSpec

INK, GREY = "#1b1f24", "#6b7280"
BLUE, ORANGE, GREEN, VIOLET = "#1f5fa8", "#c2570c", "#2f7d4f", "#7a3e9d"
COLOURS = (BLUE, ORANGE, GREEN, VIOLET)
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))

STYLE = {
    "figure.figsize": (5.4, 3.2),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.prop_cycle": cycler(color=COLOURS) + cycler(linestyle=DASHES),
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-3, 4),
    "grid.color": GREY,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "font.size": 11,
    "mathtext.fontset": "cm",
    "svg.fonttype": "path",
    "svg.hashsalt": "gelu_lib",
}

SAVED = {"bbox_inches": "tight", "metadata": {"Date": None}}
"""A notebook stores a figure without a date, so that it is the same on every run."""

NARROW = "image/vnd.narrow+svg"
"""The kind under which a notebook stores a figure once more, drawn for a phone."""

NARROW_WIDTH = 3.2
"""Its width in inches, at which its words are as large on a phone as those of the text."""


@dataclass(frozen=True)
class Drawn:
    """The numbers that a figure shows.

    Attributes:
        curves: for each curve, by its name, the arrays x and y.
        points: for each set of marked points, by its name, the arrays x and y.
    """

    curves: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    points: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)


def use_house_style() -> None:
    """Set the house style; in a notebook, show figures as SVG without a date."""
    mpl.rcParams.update(STYLE)
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # outside a notebook there is nothing to set
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", **SAVED)
        get_ipython().run_line_magic("matplotlib", "inline")


def draw_for_storing() -> None:
    """In a notebook that will be stored, draw each figure as PNG as well, and narrow.

    The PNG is for a program that does not trust the notebook, and so shows no SVG of it. The second
    SVG, which only the site knows, is narrow.
    """
    from IPython import get_ipython  # only a notebook calls this
    from IPython.core.formatters import SVGFormatter
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    set_matplotlib_formats("svg", "png", **SAVED)
    formatters = get_ipython().display_formatter.formatters
    formatters[NARROW] = SVGFormatter(format_type=NARROW, print_method="_repr_narrow_")
    formatters[NARROW].for_type(Figure, narrow)


def narrow(figure: Figure) -> str:
    """A figure once more as SVG, for a phone: narrow, and panels that stand in a row stacked.

    Its words keep their size, and so take more of its width. The figure stays as it was.
    """
    from IPython.core.pylabtools import print_figure  # only a notebook calls this

    size, panels = figure.get_size_inches(), [a for a in figure.axes if a.get_subplotspec()]
    places = [axes.get_subplotspec() for axes in panels]
    rows, columns = places[0].get_gridspec().get_geometry() if places else (1, 1)
    stack = GridSpec(rows * columns, 1, figure) if columns > 1 else places
    try:
        figure.set_size_inches(NARROW_WIDTH, size[1] * columns)
        _put(panels, stack)
        return print_figure(figure, "svg", **SAVED)
    finally:
        figure.set_size_inches(size)
        _put(panels, places)


def _put(panels: Iterable[Axes], places: Iterable[SubplotSpec]) -> None:
    for axes, place in zip(panels, places, strict=True):
        axes.set_subplotspec(place)


def draw(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    points: Mapping[str, tuple[np.ndarray, np.ndarray]] | None = None,
    *,
    xlabel: str = "x",
    ylabel: str = "",
    levels: Sequence[float] = (),
    axes: Axes | None = None,
) -> Drawn:
    """Draw curves and marked points in the house style.

    Args:
        curves: the name of each curve and its arrays x and y.
        points: the name of each set of points and its arrays x and y.
        xlabel: label of the horizontal axis.
        ylabel: label of the vertical axis.
        levels: heights of thin horizontal reference lines.
        axes: where to draw; a new figure if none is given.

    Returns:
        What was drawn.
    """
    axes = axes or plt.figure().add_subplot()
    points = points or {}
    axes.axhline(0, color=INK, linewidth=0.8)
    for level in levels:
        axes.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
    for name, (x, y) in curves.items():
        axes.plot(x, y, label=name)
    for marker, (name, (x, y)) in zip(cycle("osD^v"), points.items(), strict=False):
        axes.plot(x, y, marker, color=INK, markersize=6, markerfacecolor="none", label=name)
    axes.locator_params(axis="x", nbins=7)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if len(curves) + len(points) > 1:
        axes.legend()
    return Drawn(dict(curves), dict(points))


def key_above(axes: Axes) -> None:
    """Put the key of curves above the axes, where it covers none of them."""
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0)


use_house_style()
