"""The chapter gelu: how the numbers of its results are proved."""

from __future__ import annotations

import sympy as sp

from gelu_lib.chapters.derivatives import GELU_FORMULA, minimum
from gelu_lib.chapters.recipes import (
    Certification,
    at_root,
    certified_error,
    certified_place,
    closed_form,
)
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import LOGISTIC

CERTIFIED: dict[str, Certification] = {
    "phi-at-minus-1": closed_form(Phi(-1)),
    "phi-at-1": closed_form(Phi(1)),
    "phi-at-2": closed_form(Phi(2)),
    # GELU and ReLU are farthest apart where GELU is least, and at the mirror image
    "relu-distance": minimum(GELU_FORMULA, -GELU_FORMULA),
    "relu-distance-place": at_root(sp.diff(GELU_FORMULA, X), -0.75, -X),
    "silu-distance": certified_error(LOGISTIC, {"p1": 1}, "GELU"),
    "silu-distance-place": certified_place(LOGISTIC, {"p1": 1}, "GELU"),
}
