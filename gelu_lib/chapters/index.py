"""The front page, the icon of all pages, and the picture that a link to the book shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from sympy import Expr, Rational

from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters.curves import DRAWN_TO, ERROR_LABEL, alternation, error_on
from gelu_lib.chapters.explorer import one_numbers
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import stored
from gelu_lib.functions.families import (
    GELU_PAPER,
    LOGISTIC,
    PAGE,
    SLOPE_KEPT,
    TANH_CUBIC,
    TARGETS,
    Family,
    Value,
)
from gelu_lib.functions.forms import Form
from gelu_lib.show.style import BLUE, GREY, INK, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal

SIDE, MARGIN = 32, 6  # of the icon, in its own unit
SOCIAL_INCHES, SOCIAL_DPI = (12.0, 6.3), 100


def opening(fits: Mapping[str, Optimum]) -> dict[str, Drawn]:
    """The error curves of several fits, one above the other, each with its name and its levels."""
    panels = plt.figure(figsize=(5.4, 2.1 * len(fits))).subplots(len(fits), sharex=True)
    drawn = {}
    for axes, (name, fit) in zip(np.atleast_1d(panels), fits.items(), strict=True):
        drawn[name] = alternation(fit, axes=axes)
        axes.set_title(name, loc="left", fontsize="medium")
        axes.label_outer()
    return drawn


def levelling(
    low: float = 0.044, high: float = 0.046, panels: Sequence[Axes] | None = None
) -> dict[str, Drawn]:
    """What the slider of the page shows, standing still: two errors, and the V that holds both.

    Args:
        low: the left end of the V, a cubic coefficient.
        high: its right end.
        panels: where the errors and the V are drawn; beside each other in a new figure if none
            are given.

    Returns:
        The panels "error", the errors of Φ with Taylor's coefficient and with the printed one, and
        "largest", the largest error against the coefficient, with a dot for either of the two.
    """
    cubic = one_numbers()["tanh"]
    named = {"Taylor": float(cubic.local), cubic.literal: float(cubic.literal)}
    x, far = np.linspace(0, 5, 501), np.linspace(0, DRAWN_TO, 4001)
    numbers = np.linspace(low, high, 201)
    sizes = _largest_errors(numbers, far)
    dots = {name: (np.array([k]), _largest_errors([k], far)) for name, k in named.items()}
    left, right = _beside_each_other() if panels is None else panels
    curves = {name: (x, _error_with(k, x)) for name, k in named.items()}
    drawn = {
        "error": draw(curves, ylabel=ERROR_LABEL["Phi"], axes=left),
        "largest": draw(
            {"largest error": (numbers, sizes)},
            dots,
            xlabel=f"cubic coefficient ${cubic.letter}$",
            ylabel=f"largest {ERROR_LABEL['Phi']}",
            axes=right,
        ),
    }
    _name_directly(left, right, drawn)
    return drawn


def _error_with(cubic: float, x: np.ndarray) -> np.ndarray:
    return error_on(x, TANH_CUBIC, {**SLOPE_KEPT, "p3": SLOPE_KEPT["p1"] * Rational(cubic)})


def _largest_errors(cubics: Iterable[float], x: np.ndarray) -> np.ndarray:
    return np.array([np.max(np.abs(_error_with(cubic, x))) for cubic in cubics])


def _beside_each_other() -> np.ndarray:
    figure = plt.figure(figsize=(7.2, 3.0), layout="constrained")
    return figure.subplots(1, 2, width_ratios=(3, 2))


def _name_directly(left: Axes, right: Axes, drawn: Mapping[str, Drawn]) -> None:
    """Write each name beside what it names: Taylor's trough, the other's crest, and the dots."""
    for axes in (left, right):
        axes.get_legend().remove()
        axes.margins(y=0.25)
    right.set_ylim(bottom=0)
    right.locator_params(axis="x", nbins=3)
    curves, dots = drawn["error"].curves, drawn["largest"].points
    for (name, (x, error)), colour, extreme, over in zip(
        curves.items(), (BLUE, ORANGE), (np.argmin, np.argmax), (False, True), strict=True
    ):
        beside = {"color": colour, "textcoords": "offset points"}
        place = extreme(error)
        shift, side = ((0, 6), "bottom") if over else ((0, -6), "top")
        left.annotate(name, (x[place], error[place]), shift, ha="center", va=side, **beside)
        number, size = dots[name]
        right.annotate(name, (number[0], size[0]), (6, -6), va="top", **beside)


def best_constants(tanh_fit: Optimum, sigmoid_fit: Optimum) -> dict[str, str]:
    """Both optima to eight digits."""
    return {
        "cubic": decimal(_ratio(tanh_fit), 8),
        "scale": decimal(sigmoid_fit.parameters["p1"], 8),
    }


def optima(tanh_fit: Optimum, sigmoid_fit: Optimum) -> Table:
    """The best constants of each form for Φ, for GELU and for GELU′, by the largest error."""
    free = minimax(TANH_CUBIC, of="Phi", digits=50)
    gelu_fit = minimax(TANH_CUBIC, of="GELU", fixed=SLOPE_KEPT, digits=50)
    gelu_scale = minimax(LOGISTIC, of="GELU", digits=50).parameters["p1"]
    of_derivative = {
        form: stored(form, "GELU_derivative", "sup").constant for form in ("tanh-pinned", "sigmoid")
    }
    both = f"{_ten('a', free.parameters['p1'] / 2)}, {_ten('k', _ratio(free))}"
    rows = [
        [r"$\tanh\!\big(\sqrt{2/\pi}\,(x + k x^3)\big)$", r"$\Phi$", _ten("k", _ratio(tanh_fit))],
        ["the same", "GELU", _ten("k", _ratio(gelu_fit))],
        ["the same", "GELU′", _ten("k", of_derivative["tanh-pinned"])],
        [r"$\tanh\!\big(a\,(x + k x^3)\big)$", r"$\Phi$", both],
        [r"$\sigma(c\,x)$", r"$\Phi$", _ten("c", sigmoid_fit.parameters["p1"])],
        ["the same", "GELU", _ten("c", gelu_scale)],
        ["the same", "GELU′", _ten("c", of_derivative["sigmoid"])],
    ]
    return Table(["form", "made small: the largest error of", "optimum"], rows)


def _ratio(fit: Optimum) -> Expr:
    return fit.parameters["p3"] / fit.parameters["p1"]


def _ten(name: str, value: Expr) -> str:
    return f"${name} = {decimal(value, 10)}$"


def largest_errors() -> Table:
    """The proved largest errors of the three functions with each of the famous constants."""
    rows = [["0.044715", *_costs(TANH_CUBIC, PAGE)], ["1.702", *_costs(LOGISTIC, GELU_PAPER)]]
    return Table(["constant", r"largest error of $\Phi$", "of GELU", "of GELU′"], rows)


def _costs(family: Family, parameters: Mapping[str, Value]) -> list[str]:
    found = [certified_sup_error(Form(family, parameters), of=of) for of in TARGETS]
    return [f"{f.error.rounded(4):f} at ±{f.points[0].rounded(3):f}" for f in found]


# --- the icon and the picture of a link


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
    axes.set_axis_off()
    axes.lines[-2].set(linewidth=5)
    axes.lines[-1].set(markersize=18, markeredgewidth=3)
    return drawn
