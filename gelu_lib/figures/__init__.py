"""The figures of the book, in one house style.

A figure function draws on a new Matplotlib figure and returns the numbers that it drew, so that
tests compare numbers and not pixels. Colour is never the only carrier: every curve has its own
dash pattern, and curves are named beside them or in a legend.

The rooms, from the ground up: ``style``, then one module for each subject.
"""

from gelu_lib.figures.activation import (
    gelu_over_identity,
    relu_beside_gelu,
    scaled_gelus,
    silu_beside_gelu,
    simulated_means,
    tangent_at_zero,
)
from gelu_lib.figures.certificates import (
    enclosure_widths,
    gradients_on,
    newton_step,
    proof_of,
)
from gelu_lib.figures.choices import (
    best_constants,
    condition,
    conditions,
    cost_of_the_famous,
)
from gelu_lib.figures.claims import verdict_bars
from gelu_lib.figures.constants import best_constant_by_inputs, same_number
from gelu_lib.figures.decision import (
    forms_against_rounding,
    growth_of_a_swap,
)
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
    error_panels,
    grid_at_peaks,
    sup_error_against,
)
from gelu_lib.figures.face import icon, social_picture
from gelu_lib.figures.floats import surviving_bits
from gelu_lib.figures.forms import errors_by_parameters, log_odds, searched_sums
from gelu_lib.figures.frameworks import left_tails
from gelu_lib.figures.history import error_against_cost
from gelu_lib.figures.literals import digits_of_literals
from gelu_lib.figures.local_matches import (
    errors_by_order,
    local_against_best,
    local_approximation,
    local_matches_far_out,
    sampled_local_error,
)
from gelu_lib.figures.singularities import coefficients_on_their_cosine, singularity_map
from gelu_lib.figures.slopes import inflection_crossing, slopes_of_the_forms
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
from gelu_lib.figures.tails import mills_series, tail_errors
from gelu_lib.figures.variants import margins_against_inputs, margins_of_pairs
from gelu_lib.figures.your_own import least_error_by_interval, pairs_of_a_type, quadratic_errors

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
    "best_constant_by_inputs",
    "best_constants",
    "coefficients_on_their_cosine",
    "condition",
    "conditions",
    "cost_of_the_famous",
    "digits_of_literals",
    "draw",
    "enclosure_widths",
    "error_against_cost",
    "error_curves",
    "error_on",
    "error_panels",
    "errors_by_order",
    "errors_by_parameters",
    "forms_against_rounding",
    "gelu_over_identity",
    "gradients_on",
    "grid_at_peaks",
    "growth_of_a_swap",
    "icon",
    "inflection_crossing",
    "least_error_by_interval",
    "left_tails",
    "local_against_best",
    "local_approximation",
    "local_matches_far_out",
    "log_odds",
    "logistic_densities",
    "margins_against_inputs",
    "margins_of_pairs",
    "mills_series",
    "newton_step",
    "pairs_of_a_type",
    "partial_sums",
    "phi_is_erf_rescaled",
    "proof_of",
    "quadratic_errors",
    "relu_beside_gelu",
    "same_number",
    "sampled_local_error",
    "scaled_gelus",
    "searched_sums",
    "silu_beside_gelu",
    "simulated_means",
    "singularity_map",
    "slopes_of_the_forms",
    "social_picture",
    "sup_error_against",
    "surviving_bits",
    "tail_errors",
    "tangent_at_zero",
    "use_house_style",
    "verdict_bars",
]
