"""The face of the book: the icon of its pages and the picture that a link to it shows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.chapters.curves import alternation, error_on
from gelu_lib.chapters.style import BLUE, GREY, INK, Drawn
from gelu_lib.fits.criteria import Optimum

SIDE, MARGIN = 32, 6  # of the icon, in its own unit
SOCIAL_INCHES, SOCIAL_DPI = (12.0, 6.3), 100


def icon(fit: Optimum, high: float = 4.0) -> str:
    """The icon: the error curve of a fit between its two levels, white on blue.

    Args:
        fit: whose error on [0, high] is drawn.
        high: the right end.

    Returns:
        An SVG drawing. Its one path is the curve; the levels are the edges of its box, so it reads
        at 16 pixels, on light and on dark.
    """
    x, y = icon_curve(fit, high)
    points = " ".join(f"{a:.2f},{b:.2f}" for a, b in zip(x, y, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">'
        f'<rect width="{SIDE}" height="{SIDE}" rx="6" fill="{BLUE}"/>'
        f'<polyline points="{points}" fill="none" stroke="#ffffff" stroke-width="3.5"'
        ' stroke-linecap="round" stroke-linejoin="round"/></svg>\n'
    )


def icon_curve(fit: Optimum, high: float) -> tuple[np.ndarray, np.ndarray]:
    """The points of the icon's curve: the levels ±E lie at the margins, above and below."""
    x = np.linspace(0, high, 41)
    error = error_on(x, fit.family, fit.parameters, fit.of) / float(fit.error)
    room = SIDE / 2 - MARGIN
    return MARGIN / 2 + x / high * (SIDE - MARGIN), SIDE / 2 - room * error


def social_picture(fit: Optimum, title: str, subtitle: str) -> Drawn:
    """The picture of a link to the book: its title over the error curve of a fit.

    Args:
        fit: whose error, levels and alternation points are drawn.
        title: the line in large letters.
        subtitle: the line under it.

    Returns:
        What was drawn, on a white figure of 1200 by 630 pixels at ``SOCIAL_DPI``.
    """
    figure = plt.figure(figsize=SOCIAL_INCHES, dpi=SOCIAL_DPI, facecolor="white")
    figure.text(0.06, 0.80, title, fontsize=60, fontweight="bold", color=INK)
    figure.text(0.06, 0.69, subtitle, fontsize=28, color=GREY)
    axes = figure.add_axes((0.06, 0.08, 0.88, 0.52))
    drawn = alternation(fit, axes=axes)
    axes.get_legend().remove()
    axes.set_axis_off()
    axes.lines[-2].set(linewidth=5)
    axes.lines[-1].set(markersize=18, markeredgewidth=3)
    return drawn
