"""Figures of slopes: the derivatives of GELU and its forms, and where a form is steepest."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.activations import gelu_derivative, gelu_sigmoid_derivative, gelu_tanh_derivative
from gelu_lib.figures.style import GREY, Drawn, draw
from gelu_lib.values.derivatives import landmarks


def slopes_of_the_forms(high: float = 4.0) -> tuple[Drawn, Drawn]:
    """GELU′ with its landmarks beside the slope of ReLU, and how far the two forms' slopes are off.

    Args:
        high: the right end of the horizontal axis; the left end is −``high``.

    Returns:
        The upper panel with the slopes, and the lower one with the differences from GELU′.
    """
    if not high > 0:
        raise ValueError(f"high is {high!r}; accepted is a positive number")
    figure = plt.figure(figsize=(5.4, 5.2))
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    x = np.linspace(-high, high, 1601)
    forms = {"sigmoid form": gelu_sigmoid_derivative(x), "tanh form": gelu_tanh_derivative(x)}
    relu = np.where(x == 0, np.nan, np.heaviside(x, 0))
    found = landmarks()
    turn, low_end = float(found.inflection), float(found.minimum_place)
    marks = {
        "inflections": (np.array([-turn, turn]), gelu_derivative(np.array([-turn, turn]))),
        "minimum": (np.array([low_end]), np.zeros(1)),
    }
    slopes = {"GELU′": (x, gelu_derivative(x)), "ReLU′": (x, relu)}
    top = draw(slopes, marks, xlabel="", ylabel="slope", levels=(1,), axes=upper)
    upper.axvspan(-turn, turn, color=GREY, alpha=0.12, linewidth=0)
    upper.legend(loc="center left", fontsize="small")
    differences = {name: (x, slope - gelu_derivative(x)) for name, slope in forms.items()}
    bottom = draw(differences, ylabel="slope less GELU′", axes=lower)
    lower.margins(y=0.4)  # room for the names above the curves
    lower.legend(loc="upper right", ncols=2, fontsize="small")
    return top, bottom


def inflection_crossing(p1: float, p3: float, high: float = 4.0) -> Drawn:
    """Both sides of the equation for an inflection of xσ(p₁x + p₃x³), and where they meet.

    Args:
        p1: the linear coefficient, positive.
        p3: the cubic coefficient, not negative.
        high: the right end of the horizontal axis.

    Returns:
        The side that rises, the side that falls, and the crossing.
    """
    if not (p1 > 0 and p3 >= 0):
        raise ValueError(f"p1 = {p1!r}, p3 = {p3!r}; accepted are p1 > 0 and p3 >= 0")
    x = np.linspace(high / 400, high, 400)

    def rising(x: np.ndarray) -> np.ndarray:
        return np.tanh((p1 * x + p3 * x**3) / 2)

    def falling(x: np.ndarray) -> np.ndarray:
        return (2 * p1 + 12 * p3 * x**2) / (x * (p1 + 3 * p3 * x**2) ** 2)

    place = _crossing(x, rising(x) - falling(x))
    curves = {r"$\tanh(v/2)$": (x, rising(x)), "$R(x)$": (x, falling(x))}
    drawn = draw(curves, {"inflection": (place, rising(place))}, ylabel="value")
    plt.ylim(0, 3)
    return drawn


def _crossing(x: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Where a difference that is drawn changes its sign, by linear interpolation."""
    i = np.flatnonzero(np.diff(np.sign(difference)))
    share = difference[i] / (difference[i] - difference[i + 1])
    return x[i] + share * (x[i + 1] - x[i])
