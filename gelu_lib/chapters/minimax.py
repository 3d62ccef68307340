"""The chapter minimax: what best means, and how an optimum is found and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import mpmath
import numpy as np
from sympy import Expr, Rational

from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters import curves
from gelu_lib.chapters.style import Drawn, draw
from gelu_lib.chapters.tables import Table, decimal
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import error_function
from gelu_lib.functions.families import SLOPE_KEPT, TANH_CUBIC
from gelu_lib.register import agreeing_digits, result

# --- figures


def opening() -> Drawn:
    """The errors of Φ with the best cubic coefficient, and with half a percent less and more."""
    best = minimax(TANH_CUBIC, of="Phi", fixed=SLOPE_KEPT, digits=50).parameters["p3"]
    factors = {"too small": Rational("0.995"), "best": Rational(1), "too large": Rational("1.005")}
    members = {
        name: (TANH_CUBIC, {**SLOPE_KEPT, "p3": best * factor}) for name, factor in factors.items()
    }
    return curves.error_curves(members)


def error_curve(fit: Optimum) -> Drawn:
    """The error of a fit, with its alternation points and the levels ±E."""
    return curves.alternation(fit)


def grid_at_peaks(fit: Optimum, step: float) -> tuple[Drawn, ...]:
    """The error within three steps of each alternation point, with the points of a grid.

    Each panel shows, in its own tiny unit, how far the error lies below its peak.
    """
    panels = plt.figure(figsize=(5.4, 2.4)).subplots(1, len(fit.points), sharey=True)
    error = error_function(fit.family, fit.of)
    parameters = [mpmath.mpmathify(value) for value in fit.parameters.values()]
    drawn = []
    columns = np.atleast_1d(panels)
    for axes, place, sign in zip(columns, fit.points, fit.signs, strict=True):

        def below(x: np.ndarray, sign: int = sign) -> np.ndarray:
            with mpmath.workdps(fit.digits):  # the differences are lost in double precision
                values = [sign * error(mpmath.mpf(t), *parameters) for t in x]
                return np.array([float(value - mpmath.mpmathify(fit.error)) for value in values])

        middle = round(float(place) / step)
        x = np.linspace((middle - 3) * step, (middle + 3) * step, 61)
        dots = np.arange(middle - 3, middle + 4) * step
        curves = {"error": (x, below(x))}
        drawn.append(draw(curves, {"grid points": (dots, below(dots))}, axes=axes))
        axes.locator_params(axis="x", nbins=3, steps=[1, 2, 5, 10])  # long numbers, little room
    panels[0].set_ylabel("size of the error\nless its peak")
    return tuple(drawn)


# --- tables


def fifty_digits(fit: Optimum) -> Table:
    """The best k, the least error, and the places where it is reached."""
    rows = {"$k$": fit.parameters["p3"] / fit.parameters["p1"], "$E$": fit.error}
    for x, sign in zip(fit.points, fit.signs, strict=True):
        rows[f"$x$ where the error is ${'+' if sign > 0 else '-'}E$"] = x
    return Table.of_digits(rows, 50)


def growth(fit: Optimum, steps: Sequence[str]) -> Table:
    """How much the largest error grows when the cubic coefficient is a little too small or large.

    Args:
        fit: the tanh form with the slope kept.
        steps: how far the coefficient is moved, relative to itself.
    """

    def error_with(factor: Expr) -> Expr:
        parameters = {**SLOPE_KEPT, "p3": fit.parameters["p3"] * factor}
        found = certified_sup_error(TANH_CUBIC, parameters, digits=20)
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
    printed = {form: result(id).value for form, id in PRINTED.items()}
    rows = [
        [f"{form}, grid and Powell", decimal(found, 14), _right(found, exact[form])]
        for form, found in searched.items()
    ]
    rows += [
        [f"{form}, as printed", literal, _right(literal, exact[form])]
        for form, literal in printed.items()
    ]
    rows += [[f"{form}, alternation", decimal(best, 30), "all"] for form, best in exact.items()]
    return Table(["coefficient", "value", "digits right"], rows)


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
