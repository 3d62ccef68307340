"""Figures of the derivatives of GELU and its forms, and of where a form is steepest."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sympy import Rational

from gelu_lib.activations import gelu_derivative, gelu_sigmoid_derivative, gelu_tanh_derivative
from gelu_lib.figures.style import GREY, Drawn, draw
from gelu_lib.functions.expressions import X, logistic
from gelu_lib.values.derivatives import landmarks


def slopes_of_the_forms() -> tuple[Drawn, Drawn]:
    """GELU′ with its landmarks beside ReLU′, and how far the derivatives of the two forms are off.

    Returns:
        The upper panel with the derivatives, and the lower one with the differences from GELU′.
    """
    figure = plt.figure(figsize=(5.4, 5.2))
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    x = np.linspace(-4, 4, 1601)
    forms = {"sigmoid form": gelu_sigmoid_derivative(x), "tanh form": gelu_tanh_derivative(x)}
    relu = np.where(x == 0, np.nan, np.heaviside(x, 0))
    found = landmarks()
    turn, low_end = float(found.inflection), float(found.minimum_place)
    marks = {
        "inflections": (np.array([-turn, turn]), gelu_derivative(np.array([-turn, turn]))),
        "minimum": (np.array([low_end]), np.zeros(1)),
    }
    slopes = {"GELU′": (x, gelu_derivative(x)), "ReLU′": (x, relu)}
    top = draw(slopes, marks, xlabel="", ylabel="derivative", levels=(1,), axes=upper)
    upper.axvspan(-turn, turn, color=GREY, alpha=0.12, linewidth=0)
    upper.legend(loc="center left", fontsize="small")
    differences = {name: (x, slope - gelu_derivative(x)) for name, slope in forms.items()}
    bottom = draw(differences, ylabel="less GELU′", axes=lower)
    lower.margins(y=0.4)  # room for the names above the curves
    lower.legend(loc="upper right", ncols=2, fontsize="small")
    return top, bottom


def inflection_crossing(p1: float, p3: float) -> Drawn:
    """Both sides of the equation for an inflection of xσ(p₁x + p₃x³), and where they meet.

    Args:
        p1: the linear coefficient, positive.
        p3: the cubic coefficient, not negative.

    Returns:
        The side that rises, the side that falls, and the inflection, marked on the first.

    Raises:
        ValueError: if a coefficient is out of range or not finite.
    """
    if not (0 < p1 < np.inf and 0 <= p3 < np.inf):
        raise ValueError(f"p1 = {p1!r}, p3 = {p3!r}; accepted are p1 > 0 and p3 >= 0, finite")
    form = X * logistic(Rational(p1) * X + Rational(p3) * X**3)
    turn = float(landmarks(form).inflection)

    def rising(x: np.ndarray) -> np.ndarray:
        return np.tanh((p1 * x + p3 * x**3) / 2)

    def falling(x: np.ndarray) -> np.ndarray:
        return (2 * p1 + 12 * p3 * x**2) / (x * (p1 + 3 * p3 * x**2) ** 2)

    x, place = np.linspace(turn / 100, 2.8 * turn, 400), np.array([turn])
    curves = {r"$\tanh(v/2)$": (x, rising(x)), "$R(x)$": (x, falling(x))}
    drawn = draw(curves, {"inflection": (place, rising(place))}, ylabel="value")
    plt.ylim(0, 3)
    return drawn
