"""The numbers of the chapter taylor."""

from __future__ import annotations

from gelu_lib.series import local_match, tanh_radius
from gelu_lib.values.recipes import (
    Computation,
    exact,
)

NUMBERS: dict[str, Computation] = {
    "tanh-radius": exact(tanh_radius()),
    "taylor-slope": exact(local_match(1).coefficients[0]),
    "taylor-cubic": exact(local_match(3).ratio(3)),
    "taylor-quintic": exact(local_match(5).ratio(5)),
}
