"""The numbers of the chapter logistic-constant."""

from __future__ import annotations

from gelu_lib.families import GELU_PAPER, LOGISTIC
from gelu_lib.values.recipes import Computation, error_of, fit_part, sup_part

NUMBERS: dict[str, Computation] = {
    "logistic-scale": fit_part(LOGISTIC, "Phi", {}, lambda fit: fit.parameters["p1"]),
    "logistic-scale-error": fit_part(LOGISTIC, "Phi", {}, error_of),
    "scale-1702-error-phi": sup_part(LOGISTIC, GELU_PAPER, "Phi", error_of),
    "scale-1702-place": sup_part(LOGISTIC, GELU_PAPER, "Phi", lambda found: found.where[0]),
    "scale-1702-error-gelu": sup_part(LOGISTIC, GELU_PAPER, "GELU", error_of),
    "scale-1702-error-gelu-derivative": sup_part(LOGISTIC, GELU_PAPER, "GELU_derivative", error_of),
    "logistic-gelu-scale": fit_part(LOGISTIC, "GELU", {}, lambda fit: fit.parameters["p1"]),
}
