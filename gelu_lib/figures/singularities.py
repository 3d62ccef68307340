"""Figures of the singularities of artanh(erf(x/√2)), and of what they do to its coefficients."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.figures.style import GREY, INK, Drawn, draw
from gelu_lib.functions.series import artanh_erf_coefficients
from gelu_lib.functions.singularities import artanh_erf_radius, erfc_zero, nearest_singularity


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
