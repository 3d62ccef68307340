"""Figures of the local matches: the tanh forms with the Taylor series of Φ up to some order."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit, ndtr
from sympy import Expr

from gelu_lib.certificates.singularities import (
    artanh_erf_radius,
    certified_first_zero,
    erfc_zero,
    nearest_singularity,
)
from gelu_lib.chapters.curves import error_on
from gelu_lib.chapters.recipes import Certification, certified_error, closed_form
from gelu_lib.chapters.style import GREY, INK, Drawn, draw
from gelu_lib.fits.criteria import Optimum
from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.series import artanh_erf_coefficients, local_match, tanh_radius

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


def local_against_best(best: Optimum) -> Drawn:
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


# --- the singularities of artanh(erf(x/√2))


def singularity_map(zeros: int = 2) -> Drawn:
    """The points of the complex plane where erf(x/√2) is 1 or −1, and the disc of convergence.

    Args:
        zeros: how many zeros of erfc are used, an integer >= 1; each gives four points.

    Returns:
        The circle as a curve; the points where erf(x/√2) is −1, and those where it is 1.

    Raises:
        ValueError: if ``zeros`` is no such integer.
    """
    if type(zeros) is not int or zeros < 1:
        raise ValueError(f"zeros is {zeros!r}; accepted is an integer >= 1")
    angle = np.linspace(0, 2 * np.pi, 361)
    radius = float(artanh_erf_radius(17))
    upper = -np.sqrt(2) * np.array([complex(erfc_zero(n, 17)) for n in range(1, zeros + 1)])
    minus = np.concatenate([upper, upper.conj()])
    axes = plt.figure(figsize=(5.0, 5.0)).add_subplot()
    drawn = draw(
        {"$|x| = R$": (radius * np.cos(angle), radius * np.sin(angle))},
        {
            r"$\mathrm{erf}(x/\sqrt{2}) = -1$": (minus.real, minus.imag),
            r"$\mathrm{erf}(x/\sqrt{2}) = 1$": (-minus.real, minus.imag),
        },
        xlabel="real part of $x$",
        ylabel="imaginary part of $x$",
        axes=axes,
    )
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.fill(*drawn.curves["$|x| = R$"], color=GREY, alpha=0.12, linewidth=0)
    axes.set_aspect("equal")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    return drawn


def coefficients_on_their_cosine(order: int) -> Drawn:
    """j·aⱼ·Rʲ for the coefficients aⱼ of artanh(erf(x/√2)), and the curve −2·cos(jθ).

    Args:
        order: the highest power j, an odd integer.

    Returns:
        The curve, and one point for each coefficient.
    """
    radius, angle = float(artanh_erf_radius(17)), np.angle(complex(nearest_singularity(17)))
    powers = np.arange(1, order + 1, 2)
    coefficients = np.array([float(a) for a in artanh_erf_coefficients(order, 17)])
    j = np.linspace(1, order, 40 * order)
    return draw(
        {r"$-2\cos(j\theta)$": (j, -2 * np.cos(j * angle))},
        {r"$j\,a_j\,R^j$": (powers, powers * coefficients * radius ** powers.astype(float))},
        xlabel="$j$",
        ylabel="scaled coefficient",
    )


# --- numbers of the register


def local_member(order: int) -> tuple[Family, dict[str, Expr]]:
    """The member σ(2u) of the family of an order, where u is the local match.

    Args:
        order: the degree of u, an odd integer.

    Returns:
        The family and the parameters, exact; as ``sampled_sup_error`` takes them.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    coefficients = local_match(order).coefficients
    family = odd_logistic(order)
    return family, {name: 2 * a for name, a in zip(family.names, coefficients, strict=True)}


def _match_error(order: int) -> Certification:
    """The sup error of Φ with the local match of an order, on all of ℝ."""
    return certified_error(*local_member(order), "Phi")


def _first_zero(part: str) -> Certification:
    """A part of the first zero of erfc, or the radius that it sets."""
    return lambda digits: {"": getattr(certified_first_zero(digits), part)}


CERTIFIED: dict[str, Certification] = {
    "tanh-radius": closed_form(tanh_radius()),
    "taylor-slope": closed_form(local_match(1).coefficients[0]),
    "taylor-cubic": closed_form(local_match(3).ratio(3)),
    "taylor-quintic": closed_form(local_match(5).ratio(5)),
    "taylor-septic": closed_form(local_match(7).ratio(7)),
    "taylor-nonic": closed_form(local_match(9).ratio(9)),
    "erfc-zero-real": _first_zero("real"),
    "erfc-zero-imaginary": _first_zero("imaginary"),
    "artanh-erf-radius": _first_zero("radius"),
    "taylor-cubic-error": _match_error(3),
    "taylor-nonic-error": _match_error(9),
    "taylor-order-15-error": _match_error(15),
}
