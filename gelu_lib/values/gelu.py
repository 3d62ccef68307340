"""The numbers of the chapter gelu."""

from __future__ import annotations

from gelu_lib.functions import Phi
from gelu_lib.values.recipes import (
    Computation,
    exact,
)

NUMBERS: dict[str, Computation] = {
    "phi-at-minus-1": exact(Phi(-1)),
    "phi-at-1": exact(Phi(1)),
    "phi-at-2": exact(Phi(2)),
}
