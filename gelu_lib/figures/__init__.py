"""The figures of the book, in one house style.

A figure function draws on a new Matplotlib figure and returns the numbers that it drew, so that
tests compare numbers and not pixels. Colour is never the only carrier: every curve has its own
dash pattern, and curves are named beside them or in a legend.

The rooms, from the ground up: ``style``, then one module for each subject.
"""

from gelu_lib.figures.activation import gelu_over_identity, relu_beside_gelu, tangent_at_zero
from gelu_lib.figures.distributions import (
    area_under_density,
    logistic_densities,
    partial_sums,
    phi_is_erf_rescaled,
)
from gelu_lib.figures.errors import (
    ERROR_LABEL,
    alternation,
    alternations,
    error_curves,
    error_on,
    grid_at_peaks,
    sup_error_against,
)
from gelu_lib.figures.style import (
    BLUE,
    COLOURS,
    DASHES,
    GREEN,
    GREY,
    INK,
    ORANGE,
    STYLE,
    VIOLET,
    Drawn,
    draw,
    use_house_style,
)

__all__ = [
    "BLUE",
    "COLOURS",
    "DASHES",
    "ERROR_LABEL",
    "GREEN",
    "GREY",
    "INK",
    "ORANGE",
    "STYLE",
    "VIOLET",
    "Drawn",
    "alternation",
    "alternations",
    "area_under_density",
    "draw",
    "error_curves",
    "error_on",
    "gelu_over_identity",
    "grid_at_peaks",
    "logistic_densities",
    "partial_sums",
    "phi_is_erf_rescaled",
    "relu_beside_gelu",
    "sup_error_against",
    "tangent_at_zero",
    "use_house_style",
]
