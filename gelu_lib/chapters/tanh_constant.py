"""The chapter tanh-constant: how the numbers of its results are proved."""

from __future__ import annotations

from gelu_lib.chapters.recipes import (
    Certification,
    certified_error,
    certified_fit,
    cubic_ratio,
    error_of,
    parameter,
)
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC

CERTIFIED: dict[str, Certification] = {
    "tanh-pinned-cubic": certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, cubic_ratio),
    "tanh-pinned-error": certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, error_of),
    "page-error-phi": certified_error(TANH_CUBIC, PAGE, "Phi"),
    "page-error-gelu": certified_error(TANH_CUBIC, PAGE, "GELU"),
    "page-error-gelu-derivative": certified_error(TANH_CUBIC, PAGE, "GELU_derivative"),
    "tanh-gelu-cubic": certified_fit(TANH_CUBIC, "GELU", SLOPE_KEPT, cubic_ratio),
    "tanh-free-linear": certified_fit(TANH_CUBIC, "Phi", {}, parameter("p1")),
    "tanh-free-cubic": certified_fit(TANH_CUBIC, "Phi", {}, parameter("p3")),
    "tanh-free-error": certified_fit(TANH_CUBIC, "Phi", {}, error_of),
    "eleven-over-123-convergent": certified_fit(
        TANH_CUBIC, "Phi", SLOPE_KEPT, lambda found: 2 * cubic_ratio(found)
    ),
}
