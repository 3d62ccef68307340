"""The inputs at which a callable is asked, and the order in which it is asked."""

from __future__ import annotations

from math import gcd

import numpy as np

from gelu_lib.floats.types import FLOAT_TYPES, FloatType, all_finite, round_to

ROOM = 4
"""A callable is not asked, unless told to be, for inputs whose fourfold overflows."""

BENDS = 12.0
"""Beyond ± this, every form is 0 or x to within any tolerance."""

_STEPS = 4001
"""How many evenly spaced inputs are asked between those two."""

TELLING = 2.0, 4.0
"""In this size on either side each form differs from the others, from x, and from ReLU."""

LAST = 127
"""So many inputs of that size end the order, where a loop treats what fills no vector."""


def greatest_asked(kind: FloatType) -> float:
    """The greatest input asked by default: xΦ(x) may need 2x on its way, and 4x does not overflow.

    Work in float32 is allowed for float64, too, so that its greatest float counts there.
    """
    return min(kind.greatest, FLOAT_TYPES["float32"].greatest) / ROOM


def inputs_between(kind: FloatType, low: float, high: float) -> np.ndarray:
    """The inputs of a type between two ends, in ascending order.

    Args:
        kind: the type.
        low: the lower end; −∞ for the least finite float.
        high: the upper end; +∞ for the greatest.

    Returns:
        float64. For float16 and bfloat16 every finite float of the type, 0 once. For float32 and
        float64 every finite bfloat16 (each of them is a float32), every power of two of the type
        and its greatest float with their negatives, and evenly spaced inputs where the forms bend.

    Raises:
        ValueError: if ``low`` is not at most ``high``, or no input lies between them.
    """
    if not low <= high:
        raise ValueError(f"low = {low!r} and high = {high!r}; low must be at most high")
    candidates = _all_of_16_bits(kind.name) if kind.digits < 23 else _wide(kind, low, high)
    asked = candidates[(candidates >= low) & (candidates <= high)]
    if not len(asked):
        raise ValueError(f"low = {low!r} and high = {high!r} have no {kind.name} between them")
    return asked


def order_of_asking(x: np.ndarray) -> np.ndarray:
    """A fixed order in which to ask a callable, since a fault of its loop hides in sorted inputs.

    What fills no vector comes last, and among sorted inputs that is huge, where every form is x;
    and the numbers in a vector are alike. Here neighbours are far apart, and telling ones are last.

    Returns:
        The places of the inputs. They depend on their number and their size alone.
    """
    count = len(x)
    step = round(count * (5**0.5 - 1) / 2)
    while gcd(step, count) > 1:
        step += 1
    places = np.arange(count, dtype=np.int64) * step % count  # which 32 bits do not hold
    size = np.abs(x[places])
    last = places[(size >= TELLING[0]) & (size <= TELLING[1])][-LAST:]
    return np.concatenate([places[~np.isin(places, last)], last])


def _all_of_16_bits(name: str) -> np.ndarray:
    if name == "float16":
        return all_finite(name).astype(np.float64)
    # the upper half of a float32; so PyTorch's bfloat16 needs no other package
    bits = np.arange(2**16, dtype=np.uint32) << np.uint32(16)
    values = bits.view(np.float32)
    return np.unique(values[np.isfinite(values)].astype(np.float64))


def _wide(kind: FloatType, low: float, high: float) -> np.ndarray:
    least, last = kind.least_exponent - kind.digits, int(np.frexp(kind.greatest)[1])
    large = np.append(np.ldexp(1.0, np.arange(least, last)), kind.greatest)
    ends = np.clip([low, high], -BENDS, BENDS)
    even = round_to(np.linspace(*ends, _STEPS), kind.name).astype(np.float64)
    return np.unique(np.concatenate([_all_of_16_bits("bfloat16"), large, -large, even]))
