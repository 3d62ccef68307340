"""The one house style: what a figure looks like.

A room that draws imports this module, and that sets the style.
"""

from __future__ import annotations

from collections.abc import Iterable

import matplotlib as mpl
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.transforms import Bbox

from gelu_lib.show.face import FIGURE_FACE, add_face

INK, GREY = "#1b1f24", "#6b7280"
PAPER = "#ffffff"
"""The ground of a figure, because a notebook may be read on a dark one, where ink is not seen. The
site, which turns its figures for its dark pages, takes the ground away (book/_ext/narrow_figures).
"""
BLUE, ORANGE, GREEN, VIOLET = "#1f5fa8", "#c2570c", "#2f7d4f", "#7a3e9d"
COLOURS = (BLUE, ORANGE, GREEN, VIOLET)
EXACT, TANH, TAYLOR, SIGMOID = COLOURS
"""One colour for one form, in the whole book. They are for Φ, erf and GELU themselves, for the tanh
form with any coefficients, for what Taylor's series gives, and for the sigmoid form. Where two of a
form stand in a figure, they differ in the dash or in the width.
"""
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))
"""A line has its dash from its place in a picture. So that a form keeps the dash that it has
elsewhere, the forms are drawn in one order: the exact one, tanh, Taylor's, the sigmoid form.
"""

STYLE = {
    "figure.figsize": (5.4, 3.2),
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
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
    "font.size": 9,  # as large as the captions of the site, where a figure is as wide as the text
    "mathtext.fontset": "cm",
    "svg.fonttype": "path",
    "svg.hashsalt": "gelu_lib",
}

TEXT_FACE = {
    "font.family": [FIGURE_FACE, "DejaVu Sans"],  # which has the few signs that it lacks
    "legend.labelspacing": 0.3,  # it brings more room of its own
    "mathtext.fontset": "custom",
    "mathtext.fallback": "stix",
    **{f"mathtext.{kind}": FIGURE_FACE for kind in ("rm", "bf", "sf", "tt")},
    **{f"mathtext.{kind}": f"{FIGURE_FACE}:italic" for kind in ("it", "bfit", "cal")},
}
"""What the style has in place of Matplotlib's faces, where that of the site is installed."""

SAVED = {"bbox_inches": "tight", "metadata": {"Date": None}}
"""A notebook stores a figure without a date, so that it is the same on every run."""

NARROW = "image/vnd.narrow+svg"
"""The kind under which a notebook stores a figure once more, drawn for a phone."""

NARROW_WIDTH = 3.2
"""Its width in inches, at which its words are as large on a phone as those of the text."""


def use_house_style() -> None:
    """Set the house style; in a notebook, show figures as SVG without a date and as PNG.

    The PNG is for a reader who has the notebook from somebody else who ran it: of a notebook that
    is not trusted, Jupyter Lab shows no SVG.
    """
    mpl.rcParams.update(STYLE)
    use_text_face()
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # outside a notebook there is nothing to set
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", "png", **SAVED)
        get_ipython().run_line_magic("matplotlib", "inline")


def use_text_face(package: str = "fontpkg_source_sans_3") -> None:
    """Set the words of figures in the face of the site's live ones, if its package is there.

    The book is built with it; who runs a notebook elsewhere need not have it.
    """
    if add_face(package):
        mpl.rcParams.update(TEXT_FACE)


def draw_for_storing() -> None:
    """In a notebook that will be stored, draw each figure once more, narrow, for the site."""
    from IPython import get_ipython  # only a notebook calls this
    from IPython.core.formatters import SVGFormatter

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
        # the site, which alone shows it, has a ground of its own
        return print_figure(figure, "svg", facecolor="none", **SAVED)
    finally:
        figure.set_size_inches(size)
        _put(panels, places)


Rectangle = tuple[float, float, float, float]
"""Left, bottom, width and height, as parts of a figure."""


def put_axes(axes: Axes, *, wide: Rectangle, narrow: Rectangle) -> None:
    """Put axes where they have room: at one place of their figure, at another once it is narrow."""

    def located(axes: Axes, _: object) -> Bbox:
        is_narrow = axes.figure.get_figwidth() <= NARROW_WIDTH
        return Bbox.from_bounds(*(narrow if is_narrow else wide))

    axes.set_axes_locator(located)


def _put(panels: Iterable[Axes], places: Iterable[SubplotSpec]) -> None:
    for axes, place in zip(panels, places, strict=True):
        axes.set_subplotspec(place)


def key_above(axes: Axes) -> None:
    """Put the key of curves above the axes, where it covers none of them, two in a line."""
    pad = 0 if axes.get_yscale() == "log" else 1.3  # room for the power of ten above the axis
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=pad, ncols=2, columnspacing=1
    )


use_house_style()
