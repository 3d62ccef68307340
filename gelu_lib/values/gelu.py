"""The numbers of the chapter gelu."""

from __future__ import annotations

from gelu_lib.families import LOGISTIC
from gelu_lib.functions import Phi
from gelu_lib.values.derivatives import landmarks
from gelu_lib.values.recipes import (
    Certification,
    Computation,
    certified_error,
    certified_place,
    exact,
)

NUMBERS: dict[str, Computation] = {
    "phi-at-minus-1": exact(Phi(-1)),
    "phi-at-1": exact(Phi(1)),
    "phi-at-2": exact(Phi(2)),
    "relu-distance": lambda digits: -landmarks(digits=digits).minimum_value,
    "relu-distance-place": lambda digits: -landmarks(digits=digits).minimum_place,
}

CERTIFIED: dict[str, Certification] = {
    "silu-distance": certified_error(LOGISTIC, {"p1": 1}, "GELU"),
    "silu-distance-place": certified_place(LOGISTIC, {"p1": 1}, "GELU"),
}
