"""Draw what is a picture before any page is built: the README's figure and the face of the site.

.venv/bin/python tools/draw_figures.py
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.results import Best
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.show.curves import plot_errors
from gelu_lib.show.style import BLUE, GREY, INK

STATIC = Path(__file__).resolve().parent.parent / "book" / "_static"
TITLE, SUBTITLE = "Why 0.044715?", "A research book on GELU, checked step by step"
SIDE, MARGIN = 32, 6  # of the icon, in its own unit
SOCIAL_INCHES, SOCIAL_DPI = (12.0, 6.3), 100


def tanh_fit() -> Best:
    return minimax(TANH_CUBIC, fixed=SLOPE_KEPT, digits=16)


def draw_alternation(target: Path) -> None:
    """The figure of README.md, which is also the one of the landing page."""
    matplotlib.use("svg")
    fits = {"tanh form": tanh_fit(), "sigmoid form": minimax(LOGISTIC, digits=16)}
    panels = plt.figure(figsize=(5.4, 4.2)).subplots(2, sharex=True)
    for axes, (name, fit) in zip(panels, fits.items(), strict=True):
        plot_errors({name: fit}, points=fit, axes=axes)
        axes.set_title(name, loc="left", fontsize="medium")
        axes.label_outer()
    plt.savefig(target, bbox_inches="tight", metadata={"Date": None})
    plt.close()


def draw_icon(target: Path) -> None:
    """The icon of the pages: an error curve between its two levels, white on blue.

    Its one path is the curve; the levels are the edges of its box, so that it reads at 16 pixels,
    on light and on dark.
    """
    x, y = icon_curve(tanh_fit())
    points = " ".join(f"{a:.2f},{b:.2f}" for a, b in zip(x, y, strict=True))
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
        f'<rect width="{SIDE}" height="{SIDE}" rx="6" fill="{BLUE}"/>'
        f'<polyline points="{points}" fill="none" stroke="#ffffff" stroke-width="3.5"'
        ' stroke-linecap="round" stroke-linejoin="round"/></svg>\n'
    )
    target.write_text(drawing, encoding="utf-8")


def icon_curve(fit: Best, high: float = 4.0) -> tuple[np.ndarray, np.ndarray]:
    """The points of the icon's curve on [0, high]: the levels ±E lie at the margins."""
    x = np.linspace(0, high, 41)
    error = fit.error_at(x) / float(fit.error)
    room = SIDE / 2 - MARGIN
    return MARGIN / 2 + x / high * (SIDE - MARGIN), SIDE / 2 - room * error


def draw_social_picture(target: Path) -> None:
    """The picture of a link to the book; a page names it once the public address is known."""
    matplotlib.use("agg")
    figure = plt.figure(figsize=SOCIAL_INCHES, dpi=SOCIAL_DPI)
    figure.text(0.06, 0.80, TITLE, fontsize=66, color=INK)
    figure.text(0.06, 0.69, SUBTITLE, fontsize=28, color=GREY)
    fit, axes = tanh_fit(), figure.add_axes((0.06, 0.08, 0.88, 0.52))
    plot_errors({"error": fit}, points=fit, axes=axes)
    axes.set_axis_off()
    _, curve, *_, points = axes.lines
    curve.set(linewidth=5)
    points.set(markersize=18, markeredgewidth=3)
    plt.savefig(target, metadata={"Software": None})
    plt.close()


def main(folder: Path = STATIC) -> None:
    draw_alternation(folder / "alternation.svg")
    draw_icon(folder / "favicon.svg")
    draw_social_picture(folder / "social.png")


if __name__ == "__main__":
    main()
