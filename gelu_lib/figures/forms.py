"""Figures of the chapter forms: what each form of approximation reaches."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import log_ndtr

from gelu_lib.figures.errors import ERROR_LABEL
from gelu_lib.figures.style import BLUE, DASHES, GREEN, GREY, ORANGE, VIOLET, Drawn, draw
from gelu_lib.fits.tanh_minimax import TanhFit
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.sum_search import SCALE_RANGE, recorded_search

LEAST_COMPLEMENT = 1e-12
"""Where 1 − Φ̂ is smaller, rounding has left too little of it to draw."""

RIVAL_STYLES = ((ORANGE, "s"), (GREEN, "^"))


def errors_by_parameters(
    ours: Mapping[int, float],
    rivals: Mapping[str, tuple[Mapping[int, float], ...]],
    marks: Mapping[str, tuple[int, float]],
    of: str = "Phi",
) -> Drawn:
    """The least error against the number of free parameters, on a logarithmic axis.

    Args:
        ours: for σ of an odd polynomial, the error by the number of parameters.
        rivals: for each rival form, by its name, its errors with the limit 1; if there is a second
            mapping, those with the limit free.
        marks: single points of the family, by their names.
        of: the function that is approximated.

    Returns:
        A curve for each set of errors, and the marks.
    """
    axes = plt.figure(figsize=(5.4, 3.9)).add_subplot()
    curves = {"σ(odd polynomial)": _plot(axes, ours, "σ(odd polynomial)", marker="o")}
    for (colour, marker), (name, variants) in zip(RIVAL_STYLES, rivals.items(), strict=True):
        for i, errors in enumerate(variants):
            label = f"{name}, limit {'free' if i else 1}"
            face = "white" if i else colour
            style = {"color": colour, "marker": marker, "linestyle": DASHES[1 + i]}
            curves[label] = _plot(axes, errors, label, markerfacecolor=face, **style)
    points = {name: (np.array([n]), np.array([error])) for name, (n, error) in marks.items()}
    for (name, (x, y)), marker in zip(points.items(), "*X", strict=False):
        axes.plot(x, y, marker, color=VIOLET, markersize=11, label=name)
    axes.set_yscale("log")
    axes.set_xticks(range(1, 1 + max(max(x) for x, _ in curves.values())))
    axes.set_xlabel("free parameters")
    axes.set_ylabel(f"least {ERROR_LABEL[of]}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, fontsize="small")
    return Drawn(curves, points)


def _plot(
    axes: plt.Axes, errors: Mapping[int, float], name: str, **style: object
) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.array(list(errors)), np.array([float(error) for error in errors.values()])
    axes.plot(x, y, label=name, **style)
    return x, y


def searched_sums(merged: Mapping[int, float], of: str = "Phi") -> dict[int, Drawn]:
    """What the recorded search found: the scales of each sum, and its error.

    Args:
        merged: for each number of terms the error of the best merged form, a horizontal line.
        of: the function that is approximated; the limit is free for ``"Phi"`` and else 1.

    Returns:
        For each number of terms the points (scale, error), those of one sum after another.
    """
    panels = plt.figure(figsize=(5.4, 2.4 * len(merged))).subplots(len(merged), sharex=True)
    drawn = {}
    for axes, (count, level) in zip(panels, merged.items(), strict=True):
        (search,) = (
            one
            for one in recorded_search()["searches"]
            if (one["count"], one["of"], one["limit_one"]) == (count, of, of == "GELU")
        )
        scales = np.concatenate([scales for _, scales in search["found"]])
        errors = np.repeat([error for error, _ in search["found"]], count)
        axes.axhline(float(level), color=GREY, linewidth=0.9, linestyle=":")
        axes.plot(scales, errors, "o", color=BLUE, markerfacecolor="none")
        axes.set_title(f"{count} terms", loc="left", fontsize="medium")
        axes.set_ylabel(ERROR_LABEL[of])
        drawn[count] = Drawn(points={"found": (scales, errors)})
    panels[-1].set_xlim(0, SCALE_RANGE[1])
    panels[-1].set_xlabel("scales of the sum")
    plt.tight_layout()
    return drawn


def log_odds(
    polynomials: Mapping[str, Mapping[int, float]],
    fits: Mapping[str, TanhFit],
    high: float = 7.0,
) -> Drawn:
    """The log-odds log(Φ̂/(1 − Φ̂)) of several forms beside those of Φ.

    Args:
        polynomials: for each σ(p), by its name, the coefficients of p by their exponents.
        fits: the other forms, by their names.
        high: the right end of the horizontal axis.

    Returns:
        The curves; each ends where 1 − Φ̂ is lost to rounding, or is not positive.
    """
    x = np.linspace(0, high, 701)
    curves = {"Φ": (x, log_ndtr(x) - log_ndtr(-x))}
    for name, coefficients in polynomials.items():
        curves[name] = (x, sum(float(p) * x**n for n, p in coefficients.items()))
    for name, fit in fits.items():
        values = map(float, fit.parameters.values())
        g = numpy_function(fit.form.expression, X, *fit.form.symbols)(x, *values)
        lost = np.flatnonzero(1 - g < LEAST_COMPLEMENT)
        end = lost[0] if len(lost) else len(x)
        curves[name] = (x[:end], np.log1p(g[:end]) - np.log1p(-g[:end]))
    return draw(curves, ylabel="log-odds")
