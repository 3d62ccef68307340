"""The chapter logistic-constant: how the numbers of its results are proved."""

from __future__ import annotations

from gelu_lib.chapters.recipes import (
    Certification,
    certified_error,
    certified_fit,
    certified_place,
    error_of,
    parameter,
)
from gelu_lib.functions.families import GELU_PAPER, LOGISTIC

CERTIFIED: dict[str, Certification] = {
    "logistic-scale": certified_fit(LOGISTIC, "Phi", {}, parameter("p1")),
    "logistic-scale-error": certified_fit(LOGISTIC, "Phi", {}, error_of),
    "scale-1702-error-phi": certified_error(LOGISTIC, GELU_PAPER, "Phi"),
    "scale-1702-place": certified_place(LOGISTIC, GELU_PAPER, "Phi"),
    "scale-1702-error-gelu": certified_error(LOGISTIC, GELU_PAPER, "GELU"),
    "scale-1702-error-gelu-derivative": certified_error(LOGISTIC, GELU_PAPER, "GELU_derivative"),
    "logistic-gelu-scale": certified_fit(LOGISTIC, "GELU", {}, parameter("p1")),
}
