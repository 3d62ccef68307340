"""The one house style, and the figures of the book.

A figure function draws on a new Matplotlib figure and returns the numbers that it drew, so that
tests compare numbers and not pixels. Colour is never the only carrier: every curve has its own
dash pattern, and curves are named beside them or in a legend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle

import matplotlib as mpl
import matplotlib.pyplot as plt
import mpmath
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from scipy.special import erf, ndtr

from gelu_lib.activations import gelu
from gelu_lib.families import Family, Value, error_expression, exact_parameters
from gelu_lib.fits import Fit
from gelu_lib.functions import X, logistic, numpy_density, numpy_function
from gelu_lib.norms import error_function, sampled_sup_error
from gelu_lib.series import erf_partial_sum, tanh_partial_sum

INK, GREY = "#1b1f24", "#6b7280"
BLUE, ORANGE, GREEN, VIOLET = "#1f5fa8", "#c2570c", "#2f7d4f", "#7a3e9d"
DRAWN_TO = 10.0  # every peak of the errors that are drawn lies far to the left of this
COLOURS = (BLUE, ORANGE, GREEN, VIOLET)
ERROR_LABEL = {"Phi": "error of Φ", "GELU": "error of GELU", "GELU_derivative": "error of GELU′"}
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))

STYLE = {
    "figure.figsize": (5.4, 3.2),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.prop_cycle": cycler(color=COLOURS) + cycler(linestyle=DASHES),
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-3, 4),
    "grid.color": GREY,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "font.size": 11,
    "mathtext.fontset": "cm",
    "svg.fonttype": "path",
    "svg.hashsalt": "gelu_lib",
}


@dataclass(frozen=True)
class Drawn:
    """The numbers that a figure shows.

    Attributes:
        curves: for each curve, by its name, the arrays x and y.
        points: for each set of marked points, by its name, the arrays x and y.
    """

    curves: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    points: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)


def use_house_style() -> None:
    """Set the house style; in a notebook, show figures as SVG without a date in them."""
    mpl.rcParams.update(STYLE)
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # outside a notebook there is nothing to set
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", bbox_inches="tight", metadata={"Date": None})
        get_ipython().run_line_magic("matplotlib", "inline")


def draw(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    points: Mapping[str, tuple[np.ndarray, np.ndarray]] | None = None,
    *,
    xlabel: str = "x",
    ylabel: str = "",
    levels: Sequence[float] = (),
    axes: Axes | None = None,
) -> Drawn:
    """Draw curves and marked points in the house style.

    Args:
        curves: the name of each curve and its arrays x and y.
        points: the name of each set of points and its arrays x and y.
        xlabel: label of the horizontal axis.
        ylabel: label of the vertical axis.
        levels: heights of thin horizontal reference lines.
        axes: where to draw; a new figure if none is given.

    Returns:
        What was drawn.
    """
    axes = axes or plt.figure().add_subplot()
    points = points or {}
    axes.axhline(0, color=INK, linewidth=0.8)
    for level in levels:
        axes.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
    for name, (x, y) in curves.items():
        axes.plot(x, y, label=name)
    for marker, (name, (x, y)) in zip(cycle("osD^v"), points.items(), strict=False):
        axes.plot(x, y, marker, color=INK, markersize=6, markerfacecolor="none", label=name)
    axes.locator_params(axis="x", nbins=7)
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    if len(curves) + len(points) > 1:
        axes.legend()
    return Drawn(dict(curves), dict(points))


def relu_beside_gelu(low: float = -2.5, high: float = 2.5) -> Drawn:
    """ReLU and GELU on one pair of axes."""
    x = np.linspace(low, high, 501)
    return draw({"GELU": (x, gelu(x)), "ReLU": (x, np.maximum(x, 0))}, ylabel="activation")


def gelu_over_identity(at: Sequence[float] = (-1.0, 1.0, 2.0)) -> Drawn:
    """GELU beside the line y = x, with the points where the ratio Φ(x) is read off."""
    marked = np.asarray(at, dtype=float)
    x = np.linspace(min(-1.5, marked.min() - 0.5), max(2.5, marked.max() + 0.5), 401)
    curves = {"GELU": (x, gelu(x)), "$y = x$": (x, x)}
    return draw(curves, {r"$x\,\Phi(x)$": (marked, gelu(marked))}, ylabel="activation")


def tangent_at_zero() -> Drawn:
    """GELU and its tangent at 0, the line y = x/2."""
    x = np.linspace(-1, 2, 301)
    curves = {"GELU": (x, gelu(x)), "tangent $y = x/2$": (x, x / 2)}
    origin = np.zeros(1)
    return draw(curves, {"point of contact": (origin, origin)}, ylabel="activation")


def phi_is_erf_rescaled() -> Drawn:
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
    plt.text(x - 1.6, 0.12, r"area $\Phi(x)$")
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
    return draw(curves, xlabel="$t$", ylabel="density")


def partial_sums(name: str, orders: Sequence[int], high: float) -> Drawn:
    """A function and the partial sums of its Taylor series, up to x = ``high``.

    Args:
        name: ``"erf"`` or ``"tanh"``.
        orders: the highest power in each partial sum.
        high: the right end of the horizontal axis.

    Returns:
        The function and one curve for each order.
    """
    known = {"erf": (erf, erf_partial_sum), "tanh": (np.tanh, tanh_partial_sum)}
    if name not in known:
        raise ValueError(f"name is {name!r}; accepted are {', '.join(known)}")
    function, partial = known[name]
    x = np.linspace(0, high, 401)
    curves = {name: (x, function(x))}
    for order in orders:
        curves[f"to $x^{{{order}}}$"] = (x, numpy_function(partial(order))(x))
    drawn = draw(curves, ylabel="value")
    plt.ylim(-0.5, 2)
    return drawn


def error_on(
    x: np.ndarray, family: Family, parameters: Mapping[str, Value], of: str = "Phi"
) -> np.ndarray:
    """The error of a member of a family at the points x, in float64: for drawing, not a bound."""
    values = map(float, exact_parameters(family, parameters).values())
    return _float_error(family, of)(x, *values)


@cache
def _float_error(family: Family, of: str) -> Callable[..., np.ndarray]:
    return numpy_function(error_expression(family, of), X, *family.symbols)


def alternation(fit: Fit, high: float = 4.5, axes: Axes | None = None) -> Drawn:
    """The error curve of a fit on x ≥ 0, with its alternation points and the levels ±E."""
    x, level = np.linspace(0, high, 901), float(fit.error)
    places = np.array([float(place) for place, _ in fit.extrema])
    heights = np.array([sign * level for _, sign in fit.extrema])
    return draw(
        {"error": (x, error_on(x, fit.family, fit.parameters, fit.of))},
        {"alternation points": (places, heights)},
        ylabel=ERROR_LABEL[fit.of],
        levels=(-level, level),
        axes=axes,
    )


def alternations(fits: Mapping[str, Fit]) -> dict[str, Drawn]:
    """The error curves of several fits, one above the other, each with its name and its levels."""
    panels = plt.figure(figsize=(5.4, 2.1 * len(fits))).subplots(len(fits), sharex=True)
    drawn = {}
    for axes, (name, fit) in zip(np.atleast_1d(panels), fits.items(), strict=True):
        drawn[name] = alternation(fit, axes=axes)
        axes.set_title(name, loc="left", fontsize="medium")
        axes.label_outer()
    return drawn


def grid_at_peaks(fit: Fit, step: float) -> tuple[Drawn, ...]:
    """The error within three steps of each alternation point, with the points of a grid.

    Each panel shows, in its own tiny unit, how far the error lies below its peak.
    """
    panels = plt.figure(figsize=(5.4, 2.4)).subplots(1, len(fit.extrema), sharey=True)
    error = error_function(fit.family, fit.of)
    parameters = [mpmath.mpmathify(value) for value in fit.parameters.values()]
    drawn = []
    for axes, (place, sign) in zip(np.atleast_1d(panels), fit.extrema, strict=True):

        def below(x: np.ndarray, sign: int = sign) -> np.ndarray:
            with mpmath.workdps(fit.digits):  # the differences are lost in double precision
                values = [sign * error(mpmath.mpf(t), *parameters) for t in x]
                return np.array([float(value - mpmath.mpmathify(fit.error)) for value in values])

        middle = round(float(place) / step)
        x = np.linspace((middle - 3) * step, (middle + 3) * step, 61)
        dots = np.arange(middle - 3, middle + 4) * step
        curves = {"error": (x, below(x))}
        drawn.append(draw(curves, {"grid points": (dots, below(dots))}, axes=axes))
    panels[0].set_ylabel("size of the error\nless its peak")
    return tuple(drawn)


def error_curves(
    members: Mapping[str, tuple[Family, Mapping[str, Value]]],
    of: str = "Phi",
    high: float = 4.5,
    axes: Axes | None = None,
) -> Drawn:
    """The error curves of several members on x ≥ 0.

    Args:
        members: for each curve, by its name, the family and the parameters.
        of: the function that is approximated, as in ``gelu_lib.families.error_expression``.
        high: the right end of the horizontal axis.
        axes: where to draw; a new figure if none is given.

    Returns:
        The curves.
    """
    x = np.linspace(0, high, 901)
    curves = {name: (x, error_on(x, *member, of)) for name, member in members.items()}
    return draw(curves, ylabel=ERROR_LABEL[of], axes=axes)


def sup_error_against(
    parameter: np.ndarray,
    members: Sequence[tuple[Family, Mapping[str, Value]]],
    marks: Mapping[str, tuple[float, tuple[Family, Mapping[str, Value]]]],
    *,
    of: str = "Phi",
    xlabel: str,
) -> Drawn:
    """The largest error against one parameter, with some values of it marked.

    The curve is drawn from a grid; the marks are refined past it.

    Args:
        parameter: the horizontal coordinates.
        members: the member of a family at each of them.
        marks: for each mark, by its name, its horizontal coordinate and its member.
        of: the function that is approximated.
        xlabel: label of the horizontal axis.

    Returns:
        The curve and the marks.
    """
    x = np.linspace(0, DRAWN_TO, 4001)
    size = np.array([np.max(np.abs(error_on(x, *member, of))) for member in members])
    points = {
        name: (np.array([place]), np.array([sampled_sup_error(*member, of=of).error]))
        for name, (place, member) in marks.items()
    }
    label = f"largest {ERROR_LABEL[of]}"
    drawn = draw({"sup norm": (parameter, size)}, points, xlabel=xlabel, ylabel=label)
    plt.ylim(bottom=0)
    plt.legend(loc="upper center")
    return drawn
