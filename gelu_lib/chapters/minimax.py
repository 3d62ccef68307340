"""The chapter minimax: what best means, and how an optimum is found and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

import matplotlib.pyplot as plt
import mpmath
import numpy as np
from matplotlib.axes import Axes
from sympy import Expr, Rational

from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters import curves
from gelu_lib.chapters.curves import error_on
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import error_function
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, DASHES, GREY, INK, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal

STROKES = ((GREY, 1.4), (BLUE, 2.6), (ORANGE, 1.4))
OFFSET = {"textcoords": "offset points", "fontsize": "medium"}

# the words in two figures: what is said, at which place, how far from it, in which colour
OPENING_WORDS = (
    ("$k$ too small: over the top", (1.27, 2.45e-4), (34, 8), GREY),
    ("best", (0.75, 1.05e-4), (-20, 0), BLUE),
    ("$k$ too large: below the bottom", (2.52, -2.1e-4), (0, -18), ORANGE),
)
RIVAL_WORDS = {
    "imagined": (
        "a better rival would cross\nthe best curve twice",
        ("above", (0.48, 1.05e-4), (0, 1), ORANGE),
        ("below", (1.42, -0.4e-4), (0, -4), ORANGE),
        ("above", (3.0, -0.4e-4), (0, 3), ORANGE),
        ("best", (0.48, -1.4e-4), (0, -16), BLUE),
    ),
    "real": (
        "a real rival can cross it only once",
        ("above", (0.33, 1.15e-4), (0, -2), ORANGE),
        ("still above: too high", (1.28, 1.75e-4), (0, 8), ORANGE),
        ("below: too low", (2.6, -1.8e-4), (0, -15), ORANGE),
        ("best", (0.48, -1.4e-4), (0, -16), BLUE),
    ),
}
REAL_RIVAL = {"p1": Rational("0.9992"), "p3": Rational("1.0055")}
"""By what the coefficients of the best pair are multiplied to get the real rival."""

# --- figures


def opening() -> Drawn:
    """The errors of Φ with the best cubic coefficient, and with half a percent less and more.

    The band between the peaks of the best one is shaded; the two others leave it, each on one side.
    """
    best = minimax(TANH_CUBIC, of="Phi", fixed=SLOPE_KEPT, digits=50)
    factors = {"too small": Rational("0.995"), "best": Rational(1), "too large": Rational("1.005")}
    members = {
        name: (TANH_CUBIC, {**SLOPE_KEPT, "p3": best.parameters["p3"] * factor})
        for name, factor in factors.items()
    }
    drawn = curves.error_curves(members)
    axes = plt.gca()
    axes.get_legend().remove()
    for line, (colour, width) in zip(axes.get_lines()[-3:], STROKES, strict=True):
        line.set(color=colour, linewidth=width, linestyle="-")
    band(axes, float(best.error))
    for words, place, shift, colour in OPENING_WORDS:
        axes.annotate(words, place, shift, color=colour, ha="center", **OFFSET)
    axes.set_ylim(-3.1e-4, 3.1e-4)
    return drawn


def rivals() -> dict[str, Drawn]:
    """The best pair's error beside that of a better rival, which is imagined, and of a real one.

    The alternation points are marked, and where the difference changes its sign.
    """
    fit = minimax(TANH_CUBIC, of="Phi", digits=50)
    x = np.linspace(0, 4.5, 901)
    best = error_on(x, TANH_CUBIC, fit.parameters)
    moved = {name: value * REAL_RIVAL[name] for name, value in fit.parameters.items()}
    errors = (0.6 * error_on(x, TANH_CUBIC, PAGE), error_on(x, TANH_CUBIC, moved))
    places = np.array([float(place) for place in fit.points])
    touched = (places, float(fit.error) * np.array(fit.signs))
    panels = plt.figure(figsize=(5.4, 5.6), layout="constrained").subplots(2, sharex=True)
    drawn = {}
    for axes, name, error in zip(panels, RIVAL_WORDS, errors, strict=True):
        difference = error - best
        changes = 1 + np.nonzero(difference[1:-1] * difference[2:] < 0)[0]  # both are 0 at 0
        points = {"crossings": (x[changes], best[changes]), "alternation points": touched}
        drawn[name] = draw({"best": (x, best), "rival": (x, error)}, points, axes=axes)
        _decorate(axes, name, float(fit.error))
    return drawn


def _decorate(axes: Axes, name: str, level: float) -> None:
    """Give a panel of ``rivals`` its band, its colours and its words."""
    axes.get_legend().remove()
    *_, best, rival, crossings, touched = axes.get_lines()
    band(axes, level)
    best.set(color=BLUE, linewidth=2.6)
    rival.set(color=ORANGE, linestyle=DASHES[1])
    crossings.set(marker="o", markersize=11, markeredgecolor=INK, markeredgewidth=1.8)
    touched.set(marker="o", markeredgecolor=BLUE, markerfacecolor=BLUE)
    title, *words = RIVAL_WORDS[name]
    axes.set_title(title, loc="left", fontsize="medium")
    for text, place, shift, colour in words:
        axes.annotate(text, place, shift, color=colour, ha="center", **OFFSET)
    axes.set_ylim(-2.6e-4, 2.6e-4)
    axes.set_ylabel("error of Φ")
    axes.label_outer()


def band(axes: Axes, level: float) -> None:
    """Shade the band from −E to +E and name its edges."""
    axes.axhspan(-level, level, color=BLUE, alpha=0.08, linewidth=0)
    for height, name in ((level, "$+E$"), (-level, "$-E$")):
        axes.axhline(height, color=GREY, linewidth=0.9, linestyle=":")
        axes.annotate(name, (4.5, height), (0, 3), color=GREY, ha="right", **OFFSET)


def error_curve(fit: Optimum) -> Drawn:
    """The error of a fit, with its alternation points and the band from −E to +E."""
    drawn = curves.alternation(fit)
    band(plt.gca(), float(fit.error))
    return drawn


def grid_at_peaks(fit: Optimum, step: float) -> tuple[Drawn, ...]:
    """The error near each alternation point, with the grid point that is nearest to it.

    Each panel shows, in its own tiny unit, how far the error lies below its peak.
    """
    figure = plt.figure(figsize=(5.4, 2.6), layout="constrained")
    panels = figure.subplots(1, len(fit.points), sharey=True)
    error = error_function(fit.family, fit.of)
    parameters = [mpmath.mpmathify(value) for value in fit.parameters.values()]
    drawn = []
    columns = np.atleast_1d(panels)
    for axes, place, sign in zip(columns, fit.points, fit.signs, strict=True):

        def below(x: np.ndarray, sign: int = sign) -> np.ndarray:
            with mpmath.workdps(fit.digits):  # the differences are lost in double precision
                values = [sign * error(mpmath.mpf(t), *parameters) for t in x]
                return np.array([float(value - mpmath.mpmathify(fit.error)) for value in values])

        top = float(place)
        x = np.linspace(top - step / 4, top + step / 4, 61)
        dot = np.array([round(top / step) * step])
        arch = {"error": (x, below(x))}
        drawn.append(draw(arch, {"grid points": (dot, below(dot))}, axes=axes))
        axes.get_legend().remove()
        axes.annotate("grid point", (dot[0], below(dot)[0]), (0, -30), **OFFSET)
        axes.set_xticks([float(dot[0])], [f"{dot[0]:.3f}"])
        axes.tick_params(labelleft=True)
        axes.yaxis.offsetText.set_visible(True)
    panels[0].set_ylabel("size of the error\nless its peak")
    return tuple(drawn)


# --- tables


def solution(fit: Optimum) -> Table:
    """The best k, the least error, and the places where it is reached."""
    rows = {"$k$": fit.parameters["p3"] / fit.parameters["p1"], "$E$": fit.error}
    for x, sign in zip(fit.points, fit.signs, strict=True):
        rows[f"$x$ where the error is ${'+' if sign > 0 else '-'}E$"] = x
    return Table.of_digits(rows, 8)


def growth(fit: Optimum, steps: Sequence[str]) -> Table:
    """How much the largest error grows when the cubic coefficient is a little too small or large.

    Args:
        fit: the tanh form with the slope kept.
        steps: how far the coefficient is moved, relative to itself.
    """

    def error_with(factor: Expr) -> Expr:
        parameters = {**SLOPE_KEPT, "p3": fit.parameters["p3"] * factor}
        found = certified_sup_error(Form(TANH_CUBIC, parameters), digits=20)
        return Rational(str(found.error.lower))

    rows = []
    for step in steps:
        below, above = (error_with(1 + sign * Rational(step)) for sign in (-1, 1))
        rows.append([step, decimal(below - fit.error, 3), decimal(above - fit.error, 3)])
    return Table(["relative step", "growth of the error below", "above"], rows)


def digits_right(searched: Mapping[str, float], exact: Mapping[str, Expr]) -> Table:
    """What a search on a grid finds, what was printed, and what alternation finds.

    Args:
        searched: the coefficient of each form that the search found.
        exact: the best coefficient of each.
    """
    values = {f"{form}, grid and Powell": (form, decimal(b, 14)) for form, b in searched.items()}
    values |= {f"{form}, as printed": (form, result(id).value) for form, id in PRINTED.items()}
    rows = [
        [name, _right_in_bold(value, exact[form]), _right(value, exact[form])]
        for name, (form, value) in values.items()
    ]
    rows += [
        [f"{form}, alternation", f"**{decimal(best, 17)}**", "all"] for form, best in exact.items()
    ]
    return Table(["coefficient", "value", "digits right"], rows)


def _right_in_bold(value: str, exact: Expr) -> str:
    """A decimal whose first digits, as far as the exact number has the same, are bold."""
    pairs = zip(value, decimal(exact, 50), strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return f"**{value[:same]}**{value[same:]}"


PRINTED = {"tanh form": "su-b", "sigmoid form": "su-scale"}
"""The literals of the source that searched on a grid, by the form."""


def distances(found: Mapping[float, float], exact: Expr) -> Table:
    """How far the best coefficient on a grid is from the best of all, for each step of the grid."""
    rows = [
        [f"{step:g}", decimal(b - float(exact), 2), _right(b, exact)] for step, b in found.items()
    ]
    return Table(["step", "distance from the optimum", "digits right"], rows)


def _right(approximation: float | str, exact: Expr) -> str:
    return str(agreeing_digits(approximation, decimal(exact, 50)))
