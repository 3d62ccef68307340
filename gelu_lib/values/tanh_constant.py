"""The numbers of the chapter tanh-constant."""

from __future__ import annotations

from gelu_lib.families import PAGE, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.values.recipes import Computation, cubic_ratio, error_of, fit_part, sup_part

NUMBERS: dict[str, Computation] = {
    "tanh-pinned-cubic": fit_part(TANH_CUBIC, "Phi", SLOPE_KEPT, cubic_ratio),
    "tanh-pinned-error": fit_part(TANH_CUBIC, "Phi", SLOPE_KEPT, error_of),
    "page-error-phi": sup_part(TANH_CUBIC, PAGE, "Phi", error_of),
    "page-error-gelu": sup_part(TANH_CUBIC, PAGE, "GELU", error_of),
    "page-error-gelu-derivative": sup_part(TANH_CUBIC, PAGE, "GELU_derivative", error_of),
    "tanh-gelu-cubic": fit_part(TANH_CUBIC, "GELU", SLOPE_KEPT, cubic_ratio),
    "tanh-free-linear": fit_part(TANH_CUBIC, "Phi", {}, lambda fit: fit.parameters["p1"]),
    "tanh-free-cubic": fit_part(TANH_CUBIC, "Phi", {}, lambda fit: fit.parameters["p3"]),
    "tanh-free-error": fit_part(TANH_CUBIC, "Phi", {}, error_of),
    "eleven-over-123-convergent": fit_part(
        TANH_CUBIC, "Phi", SLOPE_KEPT, lambda fit: 2 * cubic_ratio(fit)
    ),
}
