"""Figures of the local matches: the tanh forms with the Taylor series of Φ up to some order."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit, ndtr

from gelu_lib.figures.errors import error_on
from gelu_lib.figures.style import Drawn, draw
from gelu_lib.fits.minimax import Fit
from gelu_lib.functions.series import artanh_erf_coefficients
from gelu_lib.functions.singularities import artanh_erf_radius
from gelu_lib.values.taylor import local_member

FINE = np.arange(1, 1401) / 100
"""Where the error on the whole line is sampled, 0.01 to 14. Beyond, Φ is 1 to double precision."""


def local_approximation(order: int, x: np.ndarray) -> np.ndarray:
    """σ(2u(x)), the local match of Φ, in double precision.

    Args:
        order: the degree of u, an odd integer.
        x: where it is wanted.

    Returns:
        Its values, an array of the shape of ``x``.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    x = np.asarray(x, dtype=float)
    coefficients = artanh_erf_coefficients(order, 17)
    powers = range(1, order + 1, 2)
    return expit(2 * sum(float(a) * x**k for a, k in zip(coefficients, powers, strict=True)))


def sampled_local_error(order: int, high: float) -> float:
    """The largest error of the local match of Φ among points of [0, ``high``], 1/1000 apart.

    Args:
        order: the degree of the match, an odd integer.
        high: the right end of the interval, at least 1/1000.

    Returns:
        The largest size of Φ(x) − σ(2u(x)) at those points, in double precision.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1, or ``high`` too small or not finite.
    """
    if not 0.001 <= high < np.inf:
        raise ValueError(f"high is {high!r}; accepted is a finite number >= 0.001")
    x = np.arange(1, round(1000 * high) + 1) / 1000
    return float(np.abs(ndtr(x) - local_approximation(order, x)).max())


def local_against_best(best: Fit) -> Drawn:
    """The sizes of the error of Φ with the Taylor coefficient and with the best one.

    Args:
        best: the fit of the tanh form with the slope of Φ at 0.

    Returns:
        Both curves, on logarithmic axes.
    """
    x = np.geomspace(0.05, 5, 1000)
    members = {"Taylor": local_member(3), "best": (best.family, best.parameters)}
    sizes = {name: (x, np.abs(error_on(x, *member))) for name, member in members.items()}
    drawn = draw(sizes, ylabel="size of the error of Φ")
    plt.loglog()
    plt.ylim(1e-12, 1e-3)
    return drawn


def local_matches_far_out(orders: Sequence[int]) -> Drawn:
    """Local matches of Φ up to x = 100, on a logarithmic axis.

    Args:
        orders: their degrees, odd integers.

    Returns:
        One curve for each.
    """
    x = np.geomspace(0.1, 100, 1200)
    curves = {f"order {order}": (x, local_approximation(order, x)) for order in orders}
    drawn = draw(curves, ylabel=r"approximation of $\Phi$")
    plt.xscale("log")
    return drawn


def errors_by_order(highest: int) -> Drawn:
    """The largest error of Φ on the whole line, for the local match of each order.

    An order whose last coefficient is negative has the supremum 1, because the match tends to 0.
    That of another is sampled at 0.01, 0.02, …, 14, in double precision.

    Args:
        highest: the last order, an odd integer.

    Returns:
        The orders whose error is below 1/2 and the others as points, the height Φ(−R) as a curve.

    Raises:
        TypeError: if ``highest`` is not an integer.
        ValueError: if ``highest`` is even or less than 1.
    """
    coefficients = artanh_erf_coefficients(highest, 17)
    orders = np.arange(1, highest + 1, 2)
    terms = np.array(
        [float(a) * FINE ** float(k) for a, k in zip(coefficients, orders, strict=True)]
    )
    sampled = np.abs(ndtr(FINE) - expit(2 * np.cumsum(terms, axis=0))).max(axis=1)
    errors = np.where([a > 0 for a in coefficients], sampled, 1.0)
    works = errors < 0.5
    level = np.full(2, ndtr(-float(artanh_erf_radius(17))))
    drawn = draw(
        {r"$\Phi(-R)$": (orders[[0, -1]], level)},
        {
            "orders that work": (orders[works], errors[works]),
            "orders that fail": (orders[~works], errors[~works]),
        },
        xlabel="order",
        ylabel="largest error of Φ",
    )
    plt.yscale("log")
    plt.legend(loc="center right")
    return drawn
