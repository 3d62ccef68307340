"""The figures of the book, in one house style.

A figure function draws on a new Matplotlib figure and returns the numbers that it drew, so that
tests compare numbers and not pixels. Colour is never the only carrier: every curve has its own
dash pattern, and curves are named beside them or in a legend.

The rooms, from the ground up: ``style``, then one module for each subject.
"""

from gelu_lib.chapters.certificates import (
    enclosure_widths,
    gradients_on,
    newton_step,
    proof_of,
)
from gelu_lib.chapters.claims.figures import verdict_bars
from gelu_lib.chapters.criteria import (
    best_constants,
    condition,
    conditions,
    cost_of_the_famous,
)
from gelu_lib.chapters.curves import (
    ERROR_LABEL,
    alternation,
    alternations,
    error_curves,
    error_on,
    error_panels,
    grid_at_peaks,
    sup_error_against,
)
from gelu_lib.chapters.derivatives import inflection_crossing, slopes_of_the_forms
from gelu_lib.chapters.erf_and_phi import (
    area_under_density,
    logistic_densities,
    partial_sums,
    phi_is_erf_rescaled,
)
from gelu_lib.chapters.floating_point import surviving_bits
from gelu_lib.chapters.forms import errors_by_parameters, log_odds, searched_sums
from gelu_lib.chapters.frameworks import left_tails
from gelu_lib.chapters.gelu import (
    gelu_over_identity,
    relu_beside_gelu,
    scaled_gelus,
    silu_beside_gelu,
    simulated_means,
    tangent_at_zero,
)
from gelu_lib.chapters.history import error_against_cost
from gelu_lib.chapters.index import icon, social_picture
from gelu_lib.chapters.left_tail import mills_series, tail_errors
from gelu_lib.chapters.magic_numbers import digits_of_literals
from gelu_lib.chapters.sixteen_bits import best_constant_by_inputs, same_number
from gelu_lib.chapters.style import (
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
from gelu_lib.chapters.taylor import (
    coefficients_on_their_cosine,
    errors_by_order,
    local_against_best,
    local_approximation,
    local_matches_far_out,
    sampled_local_error,
    singularity_map,
)
from gelu_lib.chapters.telling_them_apart import margins_against_inputs, margins_of_pairs
from gelu_lib.chapters.which_one import (
    forms_against_rounding,
    growth_of_a_swap,
)
from gelu_lib.chapters.your_own import least_error_by_interval, pairs_of_a_type, quadratic_errors

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
