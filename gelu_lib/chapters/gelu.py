"""The chapter gelu: its three formulas, ReLU, its (μ, σ) relatives, SiLU and random means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from scipy.special import expit, ndtr

from gelu_lib.activations import gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.chapters.derivatives import GELU_FORMULA, minimum
from gelu_lib.chapters.recipes import (
    Certification,
    at_root,
    certified_error,
    certified_place,
    closed_form,
)
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, GREY, INK, ORANGE, VIOLET, Drawn, draw
from gelu_lib.show.tables import Table, decimal

# of the opening picture: the panels, and how many times as tall the lower ones are drawn
HEIGHTS = (2, 1, 1)
TIMES = (40, 1600)
FORMS = {"sigmoid form": VIOLET, "tanh form": ORANGE}
OFFSET = {"textcoords": "offset points", "fontsize": "medium"}
ARROW = {"arrowstyle": "->", "color": INK, "shrinkB": 4}

# --- figures


def opening() -> Drawn:
    """GELU and its two forms to scale, and below what is left between them, magnified.

    Returns:
        The three functions and GELU minus either form, all as they are; the drawing magnifies.
    """
    x = np.linspace(-4, 4, 801)
    values = {"GELU": gelu(x), "tanh form": gelu_tanh(x), "sigmoid form": gelu_sigmoid(x)}
    figure = plt.figure(figsize=(5.4, 6.4), layout="constrained")
    scale, *glasses = figure.subplots(3, sharex=True, height_ratios=HEIGHTS)
    drawn = draw({name: (x, y) for name, y in values.items()}, ylabel="to scale", axes=scale)
    scale.get_legend().remove()
    scale.set_ylim(-1, 4)
    said = "GELU,\ntanh form,\nsigmoid form:\none line"
    scale.annotate(said, (1.5, gelu(1.5)), (-14, 30), ha="right", arrowprops=ARROW, **OFFSET)
    curves = dict(drawn.curves)
    for axes, (name, colour), times in zip(glasses, FORMS.items(), TIMES, strict=True):
        left = values["GELU"] - values[name]
        magnified(axes, x, left, times, f"GELU − {name}", colour)
        curves[f"GELU − {name}"] = (x, left)
    for axes in (scale, *glasses):
        axes.label_outer()
    return Drawn(curves)


def magnified(axes: Axes, x: np.ndarray, y: np.ndarray, times: int, name: str, colour: str) -> None:
    """Draw a small curve so many times as tall as in the highest panel, and name its extreme."""
    draw({name: (x, y)}, ylabel=f"{times:,} times", axes=axes)
    axes.lines[-1].set(color=colour, linestyle="-")
    half = 5 * HEIGHTS[1] / HEIGHTS[0] / times / 2
    axes.set_ylim(-half, half)
    far = np.argmax(np.abs(y[x > 0])) + np.count_nonzero(x <= 0)
    said, up = f"off by {abs(y[far]):.3g}", np.sign(y[far])
    place = (x[far], y[far])
    axes.annotate(said, place, (0, 8 * up - 4), ha="center", color=colour, **OFFSET)
    axes.text(0, -0.75 * up * half, name, color=colour, ha="center", va="center")


def relu_beside_gelu() -> Drawn:
    """ReLU and GELU on one pair of axes."""
    x = np.linspace(-2.5, 2.5, 501)
    drawn = draw({"GELU": (x, gelu(x)), "ReLU": (x, np.maximum(x, 0))}, ylabel="activation")
    axes = plt.gca()
    axes.get_legend().remove()
    axes.annotate("ReLU", (0.9, 0.9), (-8, 8), ha="right", color=ORANGE, **OFFSET)
    axes.annotate("GELU", (1, gelu(1.0)), (10, -16), color=BLUE, **OFFSET)
    return drawn


def gelu_over_identity(at: Sequence[float] = (-1.0, 1.0, 2.0)) -> Drawn:
    """GELU beside the line y = x, with the points where the ratio Φ(x) is read off."""
    marked = np.asarray(at, dtype=float)
    x = np.linspace(min(-1.5, marked.min() - 0.5), max(2.5, marked.max() + 0.5), 401)
    curves = {"GELU": (x, gelu(x)), "$y = x$": (x, x)}
    drawn = draw(curves, {r"$x\,\Phi(x)$": (marked, gelu(marked))}, ylabel="activation")
    axes = plt.gca()
    axes.vlines(marked, 0, marked, color=GREY, linewidth=0.9)
    for place in marked:
        share = f"{100 * ndtr(place):.2g} %"
        aside = (7, -12) if place > 0 else (-5, 11)  # clear of the line y = x
        axes.annotate(share, (place, gelu(place)), aside, color=BLUE, **OFFSET)
    return drawn


def tangent_at_zero() -> Drawn:
    """GELU and its tangent at 0, the line y = x/2."""
    x = np.linspace(-1, 2, 301)
    curves = {"GELU": (x, gelu(x)), "tangent $y = x/2$": (x, x / 2)}
    origin = np.zeros(1)
    drawn = draw(curves, {"point of contact": (origin, origin)}, ylabel="activation")
    plt.locator_params(axis="x", nbins=4)
    return drawn


def scaled_gelus(members: Sequence[tuple[float, float]]) -> Drawn:
    """Members xΦ((x − μ)/σ) of the (μ, σ) family.

    Args:
        members: pairs (μ, σ), with σ > 0.

    Returns:
        One curve for each pair.

    Raises:
        ValueError: if a μ is not finite, or a σ is not finite and positive.
    """
    if not all(math.isfinite(mu) and 0 < sigma < math.inf for mu, sigma in members):
        raise ValueError(f"members are {members!r}; accepted are finite μ and finite σ > 0")
    x = np.linspace(-3, 3, 1201)
    curves = {
        rf"$\mu={mu:g},\ \sigma={sigma:g}$": (x, x * ndtr((x - mu) / sigma))
        for mu, sigma in members
    }
    return draw(curves, ylabel=r"$x\,\Phi((x-\mu)/\sigma)$")


def silu_beside_gelu(scale: float) -> Drawn:
    """GELU, SiLU xσ(x), and the sigmoid form xσ(cx) with c = ``scale``."""
    x = np.linspace(-6, 3, 901)
    curves = {
        "GELU": (x, gelu(x)),
        r"SiLU, $x\,\sigma(x)$": (x, x * expit(x)),
        rf"$x\,\sigma({scale:g}\,x)$": (x, x * expit(scale * x)),
    }
    return draw(curves, ylabel="activation")


def simulated_means(x: np.ndarray, means: Mapping[int, np.ndarray]) -> tuple[Drawn, ...]:
    """Means of x·B, B = 1 with probability Φ(x), in a band of two standard errors around GELU.

    Args:
        x: where the means were taken, increasing.
        means: for each number of draws the mean at each x; one panel each.

    Returns:
        For each panel GELU and the edges of the band as curves, the means as points.
    """
    panels = plt.figure(figsize=(5.4, 2.4 * len(means))).subplots(len(means), sharex=True)
    drawn = []
    for axes, (draws, mean) in zip(np.atleast_1d(panels), means.items(), strict=True):
        error = _standard_error(x, draws)
        low, high = gelu(x) - 2 * error, gelu(x) + 2 * error
        panel = draw({"GELU": (x, gelu(x))}, {"mean": (x, mean)}, ylabel="activation", axes=axes)
        axes.lines[-1].set(markersize=3, markerfacecolor=INK)  # the band must show between them
        axes.fill_between(x, low, high, color=BLUE, alpha=0.25, linewidth=0, label="band")
        axes.get_legend().remove()
        axes.set_title(f"{draws} draws", loc="left", fontsize="medium")
        axes.label_outer()
        drawn.append(Drawn({**panel.curves, "low": (x, low), "high": (x, high)}, panel.points))
    np.atleast_1d(panels)[0].legend()
    return tuple(drawn)


def _standard_error(x: np.ndarray, draws: int) -> np.ndarray:
    """The standard deviation of a mean of so many x·B."""
    return np.abs(x) * np.sqrt(ndtr(x) * ndtr(-x) / draws)


# --- tables and small answers


def integrals_of_the_density() -> Table:
    """The integral over the line of exp(t²/2), as a source prints it, and of exp(−t²/2)."""
    t = sp.Symbol("t", real=True)
    printed, meant = sp.exp(t**2 / 2), sp.exp(-(t**2) / 2)
    rows = [
        [f"${sp.latex(f)}$", f"${sp.latex(sp.integrate(f, (t, -sp.oo, sp.oo)))}$"]
        for f in (printed, meant)
    ]
    return Table(["function", "integral over the line"], rows)


def probabilities() -> Table:
    """Φ and GELU at the three points of the figure, Φ also rounded as a source has it."""
    rows = [
        [f"${x}$", decimal(Phi(x), 2), decimal(Phi(x), 8), decimal(gelu(float(x)), 8)]
        for x in (-1, 1, 2)
    ]
    return Table(["$x$", "two digits", r"$\Phi(x)$", "GELU$(x)$"], rows)


def deviations(found: Mapping[int, tuple[float, float]]) -> Table:
    """For each number of draws the typical deviation that was found, beside the standard error."""
    rows = [
        [str(draws), *(decimal(float(v), 3) for v in (typical, formula, typical / formula))]
        for draws, (typical, formula) in found.items()
    ]
    return Table(["draws", "typical deviation", "standard error", "quotient"], rows)


def distances_from_relu(gaps: Mapping[float, float]) -> Table:
    """The largest distance from ReLU for each width σ, which is σ times one constant.

    Args:
        gaps: the distance that was found for each σ.
    """
    constant = float(result("relu-distance").value)
    assert all(abs(gap / sigma - constant) < 1e-6 for sigma, gap in gaps.items())
    rows = [
        [f"{sigma:g}", *(decimal(float(v), 6) for v in (gap, gap / sigma))]
        for sigma, gap in gaps.items()
    ]
    return Table([r"$\sigma$", "largest distance", r"divided by $\sigma$"], rows)


# --- numbers of the text


def distance_of_relu() -> dict[str, str]:
    """The largest distance of ReLU from GELU, and where it is reached."""
    ids = ("relu-distance", "relu-distance-place")
    return {id: decimal(sp.Float(result(id).value), 8) for id in ids}


def distance_of_silu() -> dict[str, str]:
    """The largest distance of SiLU from GELU, and of the sigmoid form with 1.702."""
    ids = ("silu-distance", "silu-distance-place", "scale-1702-error-gelu")
    silu, place, form = (sp.Float(result(id).value) for id in ids)
    return {
        "silu-distance": decimal(silu, 6),
        "silu-place": decimal(place, 6),
        "form-distance": decimal(form, 3),
        "times": decimal(silu / form, 2),
    }


# --- numbers of the register

CERTIFIED: dict[str, Certification] = {
    "phi-at-minus-1": closed_form(Phi(-1)),
    "phi-at-1": closed_form(Phi(1)),
    "phi-at-2": closed_form(Phi(2)),
    # GELU and ReLU are farthest apart where GELU is least, and at the mirror image
    "relu-distance": minimum(GELU_FORMULA, -GELU_FORMULA),
    "relu-distance-place": at_root(sp.diff(GELU_FORMULA, X), -0.75, -X),
    "silu-distance": certified_error(LOGISTIC, {"p1": 1}, "GELU"),
    "silu-distance-place": certified_place(LOGISTIC, {"p1": 1}, "GELU"),
}
