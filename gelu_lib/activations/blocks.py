"""A function of the whole line from its left half, block by block.

f(x) = x + f(−x) and f′(x) = 1 − f′(−x), so the right half-line follows from the left one without
loss: a kernel computes f(−a) or f′(−a) for a = abs(x).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

MEMORY = 2**16
"""Floats of working memory, half a MiB, however large the array is."""

FEW = 1024
"""Elements beyond the blocks' kernel that are evaluated at once."""

_SIGN_BIT = np.array(1 << 63, np.uint64)
_ONE_BITS = np.array(np.float64(1).view(np.uint64))

WorkRows = Sequence[np.ndarray]
"""Working memory: rows as long as the block."""

BlockKernel = Callable[[np.ndarray, np.ndarray, WorkRows], None]
"""Takes a block of a, which it may overwrite, the block of results, and working memory."""

Reflection = Callable[[np.ndarray, np.ndarray, WorkRows], None]
"""Takes x, the results at −abs(x), which become those at x, and working memory."""


@dataclass(frozen=True)
class Evaluation:
    """How one function is evaluated: a kernel for a ≤ near, another for the few a ≤ end beyond.

    Left of −end the function has vanished. The working memory is cut into so many ``rows``, one for
    a and the others for the kernel. There are at least four, so that blocks are small enough for
    copies of the input and the output in float64, where these are of another type.
    """

    kernel: BlockKernel
    near: float
    far: Callable[[np.ndarray], np.ndarray]
    end: float
    reflect: Reflection
    rows: int

    @property
    def block(self) -> int:
        """Numbers in a block."""
        return MEMORY // self.rows // 64 * 64

    def fill(self, x: np.ndarray, out: np.ndarray) -> None:
        """Write f(x) for a block of float64, whatever they are."""
        if x.size == 1:  # NumPy takes thrice as long to overwrite one float as to overwrite two
            both = np.empty(2)
            self.fill(np.repeat(x, 2), both)
            out[:] = both[0]
            return
        # A signal handler that comes to this line, too, finds none and takes memory of its own.
        memory, _kept.memory = getattr(_kept, "memory", None) or _Memory(), None
        a, *work = memory.cut(self.rows, x.size)
        np.abs(x, a)
        all_near = a[a.argmax()] <= self.near  # not if there is a nan, which the kernel hands on
        self.kernel(a, out, work)
        if not all_near:
            self._fill_far(np.abs(x, a), out)
        self.reflect(x, out, work)
        _kept.memory = memory

    def _fill_far(self, a: np.ndarray, out: np.ndarray) -> None:
        out[a > self.end] = -0.0
        beyond = np.flatnonzero((a > self.near) & (a <= self.end))
        for start in range(0, beyond.size, FEW):
            few = beyond[start : start + FEW]
            out[few] = self.far(a[few])


@dataclass(frozen=True)
class Activation:
    """A function on the line: its evaluation for float64 and for the narrower types."""

    wide: Evaluation
    narrow: Evaluation


def reflect_value(x: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """f(x) = max(x, −0.0) + f(−abs(x))."""
    positive = work[0]
    # Taken as integers without sign, negative floats are those above −0.0. So this is max(x, −0.0)
    # with both zeros told apart.
    np.minimum(x.view(np.uint64), _SIGN_BIT, out=positive.view(np.uint64))
    np.add(out, positive, out)


def reflect_derivative(x: np.ndarray, out: np.ndarray, work: WorkRows) -> None:
    """f′(x) is f′(−abs(x)) for negative x and 1 minus it for the others."""
    sign, step = work[0].view(np.uint64), work[1]
    np.bitwise_and(x.view(np.uint64), _SIGN_BIT, out=sign)
    np.bitwise_xor(out.view(np.uint64), sign, out=out.view(np.uint64))
    np.maximum(sign, _ONE_BITS, out=step.view(np.uint64))  # 1 or, left of 0, −0.0
    np.subtract(step, out, out=out)


class _Memory:
    """Working memory; to take new pages costs as much as to use them.

    The rows into which it was cut last stand ready, since the next block is often as long.
    """

    def __init__(self) -> None:
        whole = np.empty(MEMORY + 7)
        start = -whole.ctypes.data % 64 // 8  # where a line of the cache begins
        self._whole = whole[start : start + MEMORY]
        self._cut: tuple[tuple[int, int], WorkRows] = ((0, 0), [])

    def cut(self, rows: int, size: int) -> WorkRows:
        """So many rows, each at the beginning of a line of the cache."""
        if self._cut[0] != (rows, size):
            starts = range(0, MEMORY, size + -size % 8)[:rows]
            self._cut = (rows, size), [self._whole[start : start + size] for start in starts]
        return self._cut[1]


_kept = threading.local()
"""Each thread keeps its memory, but while it is in use."""
