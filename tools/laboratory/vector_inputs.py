"""The inputs of the test vectors: where an evaluation of GELU is most likely to fail.

``write_test_vectors.py`` writes the vectors. Every choice here comes from the exact values or from
a seeded generator, and none from what some evaluation gives, so that it is the same anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from flint import arb, arb_series, ctx

from gelu_lib.floats.thresholds import THRESHOLDS, first_beyond
from gelu_lib.floats.types import (
    FloatType,
    all_finite,
    first_float,
    float_type,
    from_ordinal,
    ordinal,
)
from gelu_lib.floats.ulp import ERROR_FUNCTIONS, correctly_rounded, error_in_ulp, unit_exponent

SEED = 20160627
ERF_SEAMS = (0.84375, 1.25, 1 / 0.35, 6.0, 28.0)
"""Where erf or erfc of most C libraries changes its formula (FreeBSD's ``s_erf.c``)."""
SEAMS = (8.0, 15.0, 22.0, 40.0, 200.0, 450.0)
"""Where ``gelu_lib.activations`` changes its formula."""
OUTWARD = ("tanh-clamp", "tanh-quotient-overflows", "sinh-cosh-overflows")
"""Thresholds about which no floats are added: a tanh made from exponentials is not a number from
there on outward, which hundreds of other inputs show."""
HARDEST = 24
"""Inputs of each function that are kept of those whose values lie next to a midpoint."""
BLOCKS = {"float64": (1024, 2**14), "float32": (1024, 2**12)}
"""How many blocks of consecutive floats are searched for them, and the length of a block."""
DEGREE = 6
"""Of the Taylor polynomial in a block; what it leaves out is far below the distances found."""
FAR_STEP = 6
"""Far from 1 every so many binades are looked at."""


def inputs(dtype: str) -> np.ndarray:
    """The inputs of a type in ascending order, from −∞ over −0.0 and +0.0 to +∞, without nan."""
    kind = float_type(dtype)
    finite = all_finite(dtype) if kind.dtype.itemsize == 2 else chosen(kind)
    places = np.unique(ordinal(finite))
    negative, positive = places[places < 0], places[places > 0]
    ends = np.array([-np.inf, -0.0, 0.0, np.inf], kind.dtype)
    return np.concatenate(
        [
            ends[:1],
            from_ordinal(negative, dtype),
            ends[1:3],
            from_ordinal(positive, dtype),
            ends[3:],
        ]
    )


def chosen(kind: FloatType) -> np.ndarray:
    """Some thousand finite floats of a wide type, in no order."""
    rng = np.random.default_rng(SEED)
    places = [name for name in THRESHOLDS if name not in OUTWARD]
    parts = [
        extremes(kind),
        magnitudes(kind, rng),
        spread(kind, rng),
        around(signed(SEAMS), kind, 2),
        around(signed(math.sqrt(2) * seam for seam in ERF_SEAMS), kind, 2),
        around(signed(first_beyond(name, kind.name) for name in places), kind, 9),
    ]
    for name in ERROR_FUNCTIONS:
        first_subnormal, first_zero = where_it_vanishes(name, kind)
        parts += [
            around([first_subnormal, first_zero], kind, 4),
            rng.uniform(first_zero, first_subnormal, 40).astype(kind.dtype),
            near_midpoints(name, kind, first_subnormal, rng),
        ]
        if name.endswith("derivative"):  # its zero, which is the minimum of the function
            zero = first_float(lambda x, f=name: is_negative(f, x, kind), -0.5, -1.0, kind.name)
            parts.append(around([zero, -zero], kind, 12))
    return np.concatenate(parts, dtype=kind.dtype)


def signed(numbers: Iterable[float]) -> list[float]:
    """The numbers and their negatives."""
    return [sign * x for x in numbers for sign in (-1.0, 1.0)]


def around(numbers: list[float], kind: FloatType, steps: int) -> np.ndarray:
    """The float next to each number, and so many floats on either side of it."""
    places = ordinal(np.array(numbers, kind.dtype))
    return from_ordinal(np.add.outer(places, np.arange(-steps, steps + 1)).ravel(), kind.name)


def extremes(kind: FloatType) -> np.ndarray:
    """The least and the greatest floats, and those about the least normal one."""
    least_normal, greatest = ordinal(
        np.array([2.0**kind.least_exponent, kind.greatest], kind.dtype)
    )
    places = np.concatenate([np.arange(1, 20), least_normal + np.arange(-2, 3), [greatest - 1]])
    return from_ordinal(np.concatenate([places, [greatest], -places, [-greatest]]), kind.name)


def magnitudes(kind: FloatType, rng: np.random.Generator) -> np.ndarray:
    """Powers of two with their neighbours, every one near 1, and random floats of each binade."""
    near = list(range(-kind.digits - 4, 10))
    least, end = kind.least_exponent - kind.digits, math.frexp(kind.greatest)[1]
    far = [exponent for exponent in range(least, end) if exponent not in near][::FAR_STEP]
    random = np.ldexp(rng.uniform(1, 2, len(near + far)), near + far)
    powers = around(signed(2.0**exponent for exponent in near), kind, 1)
    return np.concatenate([powers, signed(2.0**exponent for exponent in far), signed(random)])


def spread(kind: FloatType, rng: np.random.Generator) -> np.ndarray:
    """Inputs of everyday size, evenly spread."""
    low, _ = where_it_vanishes("gelu", kind)
    return np.concatenate([rng.uniform(-4, 4, 1000), rng.uniform(low, 10, 400)]).astype(kind.dtype)


def is_negative(name: str, x: np.ndarray, kind: FloatType) -> bool:
    """Whether the value at a float is negative."""
    return correctly_rounded(name, float(x), kind.name) < 0


def where_it_vanishes(name: str, kind: FloatType) -> tuple[float, float]:
    """Going left, the first float with a subnormal result, and the first with the result 0."""

    def first_below(limit: float) -> float:
        def holds(x: np.ndarray) -> bool:
            return abs(correctly_rounded(name, float(x), kind.name)) < limit

        return first_float(holds, -8.0, -512.0, kind.name)

    return first_below(2.0**kind.least_exponent), first_below(kind.smallest)


# Values next to the midpoint of two floats, which decide wrongly if they are a little wrong.


def near_midpoints(name: str, kind: FloatType, low: float, rng: np.random.Generator) -> np.ndarray:
    """The hardest inputs to round between ``low`` and 6, among those in random blocks of floats."""
    blocks, length = BLOCKS[kind.name]
    starts = np.unique(ordinal(rng.uniform(low, 6.0, blocks).astype(kind.dtype)) // length) * length
    nearest = from_ordinal(
        [next_to_midpoint(name, int(n), length, kind) for n in starts], kind.name
    )
    distances = [distance_from_midpoint(name, float(x), kind) for x in nearest]
    return nearest[np.argsort(distances, kind="stable")[:HARDEST]]


def next_to_midpoint(name: str, start: int, length: int, kind: FloatType) -> int:
    """The ordinal in a block whose value lies nearest to a midpoint.

    A block starts at a multiple of its length, a power of two, so that its floats are evenly
    spaced. The value in units is a polynomial in the number t of steps. Of a real number only the
    fraction matters, which stands as 64 bits of an integer that may overflow.
    """
    first, second = from_ordinal([start, start + 1], kind.name).astype(np.float64).tolist()
    with ctx.workprec(300):
        constant, linear, *higher = in_units(name, first, second - first, kind)
        fractions = [
            int((c * arb(2) ** 64).floor().unique_fmpz()) % 2**64 for c in (constant, linear)
        ]
    t = np.arange(length, dtype=np.uint64)
    steps = t.astype(np.float64)
    curved = np.polyval([*map(float, higher[::-1]), 0.0, 0.0], steps) % 1.0
    position = np.uint64(fractions[0]) + np.uint64(fractions[1]) * t
    position += np.ldexp(curved, 63).astype(np.uint64) << np.uint64(1)
    from_middle = (position - np.uint64(2**63)).view(np.int64).astype(np.float64)
    return start + int(np.abs(from_middle).argmin())


def in_units(name: str, x: float, step: float, kind: FloatType) -> list[arb]:
    """The coefficients of the value at x + t·step in powers of t, in units in the last place."""
    cap, ctx.cap = ctx.cap, DEGREE + 1
    try:
        series = ERROR_FUNCTIONS[name](arb_series([arb(x), arb(step)]))
    finally:
        ctx.cap = cap
    per_unit = arb(2) ** -unit_exponent(series[0], kind.dtype.type)
    return [series[k] * per_unit for k in range(DEGREE + 1)]


def distance_from_midpoint(name: str, x: float, kind: FloatType) -> float:
    """How far the exact value is from the midpoint of two floats, in units."""
    rounded = correctly_rounded(name, x, kind.name)
    return abs(0.5 - abs(error_in_ulp(name, x, rounded, kind.dtype.type)))
