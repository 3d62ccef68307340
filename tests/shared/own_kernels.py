"""A second program for kernels of GELU: floats around it, and sums of products in float32.

It shares no code with the library, which rounds to odd where this looks for middles, and asks Arb
where this subtracts first what is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from named_trials import TYPES, true
from scipy.special import erf, erfc

NORMAL = {"float16": -14, "bfloat16": -126}
"""The exponents of the smallest normal numbers."""


class Around(NamedTuple):
    """For each input the places of the floats below, above and next to the exact value, as they
    are counted in ``finite``, and whether that is a normal number."""

    x: np.ndarray
    finite: np.ndarray
    below: np.ndarray
    above: np.ndarray
    nearest: np.ndarray
    normal: np.ndarray

    def asked(self, at: np.ndarray, demand: str) -> np.ndarray:
        """Whether results at some places are as is demanded."""
        nearest = at == self.nearest
        if demand == "nearest":
            return nearest | ~self.normal
        return (at == self.below) | (at == self.above)

    def ends(self, demand: str) -> tuple[np.ndarray, np.ndarray]:
        """Between which numbers a result is rounded to what is demanded."""
        near = self.nearest
        first, last = (self.below, self.above) if demand == "faithful" else (near, near)
        top = 2 * self.finite[-1] - self.finite[-2]
        wide = np.array([-top, *self.finite, top])
        return (wide[first] + wide[first + 1]) / 2, (wide[last + 1] + wide[last + 2]) / 2


def parted(x: np.ndarray, slope: bool) -> tuple[np.ndarray, np.ndarray]:
    """GELU, or its slope, as a number of float64 and a rest that float64 has to 12 digits."""
    odd, tail = erf(x / np.sqrt(2)) / 2, erfc(np.abs(x) / np.sqrt(2)) / 2
    lost = x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    if slope:
        near, limit, rests = 0.5, np.float64(x > 0), (odd + lost, np.sign(-x) * tail + lost)
    else:
        near, limit, rests = x / 2, np.maximum(x, 0), (x * odd, -np.abs(x) * tail)
    rest = np.where(np.abs(x) < 1, *rests)
    side = np.where(slope & (x > 0), 1, -1)  # on which side of its limit it is far out
    far = np.where(rest == 0, side * 5e-324, rest)
    return np.where(np.abs(x) < 1, near, limit), far


@cache
def around(dtype: str, slope: bool = False) -> Around:
    kind = TYPES[dtype]
    finite, x = kind.finite, kind.finite[kind.finite != 0]
    part, rest = parted(x, slope)

    def is_above(number: np.ndarray) -> np.ndarray:
        gap = (part - number) + rest  # the first difference is exact
        true((np.abs(gap) > 1e-11 * np.abs(rest)).all(), "it is not decided on which side GELU is")
        return gap > 0

    below = np.clip(np.searchsorted(finite, part + rest) - 1, 1, finite.size - 3)
    below = below - ~is_above(finite[below])
    below = below + is_above(finite[below + 1])
    upper = is_above((finite[below] + finite[below + 1]) / 2)
    size = np.where(part + rest > 0, finite[below], -finite[below + 1])
    return Around(x, finite, below, below + 1, below + upper, size >= 2.0 ** NORMAL[dtype])


def single(value: np.ndarray) -> np.ndarray:
    return value.astype(np.float32).astype(np.float64)


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a·b + c rounded once: where float64 has a middle of two float32, what is lost decides."""
    product = a * b
    total = product + c
    big, small = np.where(np.abs(product) > np.abs(c), [product, c], [c, product])
    lost = small - (total - big)
    found = total.astype(np.float32)
    towards = np.where(total > found, np.inf, -np.inf).astype(np.float32)
    other = np.nextafter(found, towards).astype(np.float64)
    found = found.astype(np.float64)
    middle = (total - found == other - total) & (lost != 0)
    ends = np.where(lost > 0, np.maximum(found, other), np.minimum(found, other))
    return np.where(middle, ends, found)


def exponentials(q: np.ndarray, error: float) -> list[np.ndarray]:
    """The least and the greatest float32 that 2^q may be, or the nearest one."""
    if not error:
        return [single(np.exp2(q))]
    found = []
    for sign in (-1, 1):
        exact = np.exp2(q) * (1 + sign * error)
        near = exact.astype(np.float32)
        short = sign * (near.astype(np.float64) - exact) < 0
        found.append(np.where(short, np.nextafter(near, np.float32(sign * np.inf)), near))
    return [one.astype(np.float64) for one in found]


def computed(
    form: str, numbers: Sequence[float], x: np.ndarray, error: float, limit: float, zero: float = 0
) -> list[np.ndarray]:
    """What a kernel returns in float32, for the two ends of what the exponential may be."""
    a = np.minimum(np.abs(x), limit)
    p = np.full(x.shape, numbers[-1])
    with np.errstate(all="ignore"):
        for number in reversed(numbers[:-1]):
            p = fused(p, a, np.full(x.shape, number))
        if form == "saturated":
            return [single(x * np.clip(fused(x, p, np.full(x.shape, 0.5)), 0, 1))]
        if form == "clipped":
            return [single(np.maximum(x, 0) - np.clip(p, 0, 1))]
        if form == "derivative":
            step = np.float64(x > 0)
            gap = single(x - np.copysign(zero, x))
            return [fused(gap, e, step) for e in exponentials(p, error)]
        if form == "exponential":
            return [fused(-a, e, np.maximum(x, 0)) for e in exponentials(p, error)]
        power, share = int(form.removeprefix("power ")), np.clip(p, 0, 1)
        while power > 1:
            power, share = power // 2, single(share * share)
        return [fused(-a, share, np.maximum(x, 0))]


def places(dtype: str, results: np.ndarray) -> np.ndarray:
    """Where results stand among all finite floats, after they were rounded to nearest even."""
    kind = TYPES[dtype]
    unit = kind.unit(results)
    return kind.place(np.rint(results / unit) * unit)


def weights(at: Sequence[Fraction]) -> list[Fraction]:
    """The weights of a divided difference."""
    found = []
    for x in at:
        others = (x - other for other in at if other != x)
        found.append(1 / np.prod(list(others), initial=Fraction(1)))
    return found
