"""The chapter erf-and-phi: figures of Φ and of densities."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import erf, ndtr

from gelu_lib.functions.expressions import X, logistic, numpy_density, numpy_function
from gelu_lib.show.style import BLUE, INK, Drawn, draw, key_above


def opening() -> Drawn:
    """Φ(x) and erf(x/√2) on one pair of axes."""
    x = np.linspace(-3.5, 3.5, 401)
    curves = {r"$\Phi(x)$": (x, ndtr(x)), r"$\mathrm{erf}(x/\sqrt{2})$": (x, erf(x / np.sqrt(2)))}
    return draw(curves, ylabel="value")


def area_under_density(x: float = 1.0) -> Drawn:
    """The density φ with the area Φ(x) to the left of one point filled."""
    t = np.linspace(-3.5, 3.5, 401)
    left = t[t <= x]
    drawn = draw({r"$\varphi(t)$": (t, numpy_density(t))}, xlabel="$t$", ylabel="density")
    plt.fill_between(left, numpy_density(left), color=BLUE, alpha=0.25, linewidth=0)
    plt.axvline(x, color=INK, linewidth=0.8)
    plt.text(x - 1.3, 0.06, r"area $\Phi(x)$", ha="center")
    plt.text(x + 0.08, 0.36, "$x$")
    return drawn


def logistic_densities(members: Sequence[tuple[float, float]]) -> Drawn:
    """Densities of the logistic distribution beside that of the standard normal distribution.

    Args:
        members: pairs (μ, s) of location and scale.

    Returns:
        One curve for each pair, and φ.
    """
    if any(s <= 0 for _, s in members):
        raise ValueError(f"members are {members!r}; a scale s must be positive")
    t = np.linspace(-6, 8, 561)
    curves = {r"$\varphi$": (t, numpy_density(t))}
    slope = numpy_function(logistic(X).diff(X))
    for mu, s in members:
        curves[rf"$\mu={mu:g},\ s={s:g}$"] = (t, slope((t - mu) / s) / s)
    drawn = draw(curves, xlabel="$t$", ylabel="density")
    key_above(plt.gca())
    return drawn
