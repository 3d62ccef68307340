"""Φ(−h) at the multiples h of 2⁻¹⁰ up to 8, each the float nearest to it, from whole numbers alone.

The integral of exp(−x²/2) is summed in cells between the multiples, out to where nothing is left.
All cells together are half of the whole integral, so no π is needed to make a probability of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, islice

import numpy as np

SPACING = 2.0**-10
NODES = 2**13 + 1
"""The multiples of SPACING from 0 to 8."""

_BITS = 160
"""Whole numbers count in 2**−_BITS. The smallest that is wanted, Φ(−8), is above 2⁻⁵¹."""

_TERMS = 8
"""The mean over a cell is a series in even powers; the eighth is less than 2⁻⁷⁵ of it anywhere."""


@cache
def left_half() -> np.ndarray:
    """Φ(−i·SPACING) for i from 0 to NODES − 1, in float64, read-only; made at the first call."""
    cells = _cells()
    near = list(islice(cells, NODES - 1))
    half = sum(near) + sum(cells)
    # a quotient of integers is rounded once
    beyond = ((half - before) / (2 * half) for before in accumulate(near, initial=0))
    nodes = np.fromiter(beyond, np.float64, NODES)
    nodes.flags.writeable = False
    return nodes


def _cells() -> Iterator[int]:
    """The integrals over the cells from 0 to the right, in units that are all the same."""
    # With e = 2⁻¹¹, a cell has the middle m = (2i + 1)e. From one to the next exp(−m²/2) falls by a
    # factor that falls by exp(−4e²) each time.
    at_middle, factor = _exp_minus(23), _exp_minus(20)
    step, i = factor, 0
    while at_middle:
        yield at_middle * _mean(i) >> _BITS
        at_middle, factor, i = at_middle * factor >> _BITS, factor * step >> _BITS, i + 1


def _mean(i: int) -> int:
    """The mean of exp(−x²/2)/exp(−m²/2) over the i-th cell: the sum of He₂ₖ(m)·e²ᵏ/(2k + 1)!."""
    before, term = 0, 1 << _BITS  # Heₖ(m)·eᵏ, of which the next is me·Heₖeᵏ − k·e²·Heₖ₋₁eᵏ⁻¹
    total, factorial = 0, 1
    for k in range(_TERMS):
        if k % 2 == 0:
            total += term // (factorial * (k + 1))
        before, term = term, ((2 * i + 1) * term - k * before) >> 22
        factorial *= k + 1
    return total


def _exp_minus(k: int) -> int:
    """exp(−2⁻ᵏ)."""
    term, total, n = 1 << _BITS, 0, 0
    while term:
        total, n = total + (-term if n % 2 else term), n + 1
        term = (term >> k) // n
    return total
