"""The numbers of the chapter gelu."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
from mpmath import mpf

from gelu_lib.families import LOGISTIC
from gelu_lib.functions import Phi
from gelu_lib.values.recipes import Computation, error_of, exact, sup_part


def _relu_gap(part: Callable[[mpf], mpf]) -> Computation:
    """A number at the greatest distance of GELU and ReLU, where Φ(−t) = tφ(t)."""

    def compute(digits: int) -> mpf:
        with mpmath.workdps(digits):
            place = mpmath.findroot(lambda t: mpmath.ncdf(-t) - t * mpmath.npdf(t), 0.75)
            return part(place)

    return compute


NUMBERS: dict[str, Computation] = {
    "phi-at-minus-1": exact(Phi(-1)),
    "phi-at-1": exact(Phi(1)),
    "phi-at-2": exact(Phi(2)),
    "relu-distance": _relu_gap(lambda t: t * mpmath.ncdf(-t)),
    "relu-distance-place": _relu_gap(lambda t: t),
    "silu-distance": sup_part(LOGISTIC, {"p1": 1}, "GELU", error_of),
    "silu-distance-place": sup_part(LOGISTIC, {"p1": 1}, "GELU", lambda found: found.where[0]),
}
