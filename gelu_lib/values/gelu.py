"""The numbers of the chapter gelu."""

from __future__ import annotations

from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.values.derivatives import GELU_FORMULA, minimum
from gelu_lib.values.recipes import Certification, certified_error, certified_place, closed_form

CERTIFIED: dict[str, Certification] = {
    "phi-at-minus-1": closed_form(Phi(-1)),
    "phi-at-1": closed_form(Phi(1)),
    "phi-at-2": closed_form(Phi(2)),
    # GELU and ReLU are farthest apart where GELU is least, and at the mirror image
    "relu-distance": minimum(GELU_FORMULA, -GELU_FORMULA),
    "relu-distance-place": minimum(GELU_FORMULA, -X),
    "silu-distance": certified_error(LOGISTIC, {"p1": 1}, "GELU"),
    "silu-distance-place": certified_place(LOGISTIC, {"p1": 1}, "GELU"),
}
