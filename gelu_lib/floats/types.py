"""The floats of a type: their order, the unit in the last place, and rounding to them.

The types are float64, float32, float16 of NumPy and bfloat16 of ``ml_dtypes``. Real numbers stand
as float64 where they need not be floats of the type, and exact ones as fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np

from gelu_lib.activations.arrays import is_bfloat16, round_to_bfloat16


@dataclass(frozen=True)
class FloatType:
    """A binary floating-point type.

    Attributes:
        name: as NumPy or ``ml_dtypes`` has it.
        digits: binary digits behind the point of a normal float; precision is one more.
        least_exponent: 2 to this power is the smallest normal float.
        greatest: the largest finite float.
    """

    name: str
    digits: int
    least_exponent: int
    greatest: float

    @property
    def dtype(self) -> np.dtype:
        """The type of arrays.

        Raises:
            ImportError: if it is bfloat16 and ``ml_dtypes`` is not installed.
        """
        if self.name == "bfloat16":
            try:
                import ml_dtypes  # noqa: F401  # makes the name known to NumPy
            except ImportError as error:
                raise ImportError(
                    "bfloat16 needs the package ml_dtypes, which the extra bfloat16 brings"
                ) from error
        return np.dtype(self.name)

    @property
    def smallest(self) -> float:
        """The smallest positive float, which is subnormal."""
        return 2.0 ** (self.least_exponent - self.digits)

    @property
    def overflow(self) -> int:
        """The least number that is rounded to infinity, half a unit above the greatest float."""
        exponent = int(np.frexp(self.greatest)[1])
        return 2**exponent - 2 ** (exponent - self.digits - 2)


def _of_numpy(name: str) -> FloatType:
    info = np.finfo(name)
    return FloatType(name, int(info.nmant), int(info.minexp), float(info.max))


FLOAT_TYPES: dict[str, FloatType] = {
    "float64": _of_numpy("float64"),
    "float32": _of_numpy("float32"),
    "float16": _of_numpy("float16"),
    "bfloat16": FloatType("bfloat16", 7, -126, 255 * 2.0**120),
}
"""The four types by their names."""


def float_type(dtype: np.dtype | type | str) -> FloatType:
    """One of ``FLOAT_TYPES``, by its name or its dtype, which may be that of PyTorch.

    Raises:
        TypeError: if it is none of the four.
    """
    if type(dtype).__module__ == "torch":  # NumPy takes no dtype of PyTorch
        name = str(dtype).removeprefix("torch.")
    elif isinstance(dtype, str):
        name = dtype
    else:  # NumPy takes None for float64
        name = None if dtype is None else np.dtype(dtype).name
    if name not in FLOAT_TYPES:
        raise TypeError(f"dtype is {dtype!r}; accepted are {', '.join(FLOAT_TYPES)}")
    return FLOAT_TYPES[name]


def ordinal(x: np.ndarray) -> np.ndarray:
    """The place of each float among the floats of its type, counted from 0 at both zeros.

    Args:
        x: an array of one of the four types without nan.

    Returns:
        An int64 array of the same shape, with k for the k-th positive float and −k for its
        negative. Infinity comes next after the greatest float. So the difference of two ordinals
        counts steps.

    Raises:
        TypeError: if ``x`` is of another type.
        ValueError: if an element is nan.
    """
    floats = np.asarray(x)
    floats = np.asarray(floats, float_type(floats.dtype).dtype)  # in native byte order
    if np.isnan(floats).any():
        raise ValueError("x has a nan, which has no place among the floats")
    bits = floats.view(f"i{floats.dtype.itemsize}").astype(np.int64)
    lowest = -(2 ** (8 * floats.dtype.itemsize - 1))  # the bits of −0.0
    return np.where(bits < 0, lowest - bits, bits)


def from_ordinal(n: np.ndarray | int, dtype: np.dtype | type | str) -> np.ndarray:
    """The floats at these places, the inverse of ``ordinal``. Place 0 is +0.0.

    Raises:
        TypeError: if ``n`` does not consist of integers.
        ValueError: if a place is beyond that of infinity.
    """
    kind = float_type(dtype)
    size = kind.dtype.itemsize
    places = np.asarray(n)
    if places.size and places.dtype.kind not in "iu":
        raise TypeError(f"n is of dtype {places.dtype}; accepted are integers of at most 64 bits")
    last = int(ordinal(np.array(np.inf, kind.dtype)))
    if not np.all((places >= -last) & (places <= last)):
        raise ValueError(f"n has a place that is not from {-last} to {last}, those of {kind.name}")
    n = places.astype(np.int64)
    bits = np.where(n < 0, -(2 ** (8 * size - 1)) - n, n)
    return bits.astype(f"i{size}").view(kind.dtype)


@cache
def all_finite(dtype: str) -> np.ndarray:
    """Every finite number of a type of 16 bits, once, in ascending order; read-only.

    There are 63,487 in float16 and 65,279 in bfloat16: zero counts once, as +0.0.

    Raises:
        ValueError: if the type has more than 16 bits.
    """
    kind = float_type(dtype)
    if kind.dtype.itemsize != 2:
        raise ValueError(f"dtype is {kind.name}; accepted are float16 and bfloat16")
    last = int(ordinal(np.array(kind.greatest, kind.dtype)))
    floats = from_ordinal(np.arange(-last, last + 1), kind.dtype)
    floats.setflags(write=False)
    return floats


def round_to(values: np.ndarray | float, dtype: np.dtype | type | str) -> np.ndarray:
    """The floats of a type nearest to float64 values, ties to even, rounded once."""
    kind = float_type(dtype)
    values = np.array(values, np.float64)  # a copy, which may be overwritten
    with np.errstate(all="ignore"):
        if is_bfloat16(kind.dtype):
            flat = values.reshape(-1)
            round_to_bfloat16(flat)
            values = flat.reshape(values.shape)
        return values.astype(kind.dtype)


@lru_cache(maxsize=2**14)  # a search asks again and again for those of the same constants
def nearest_float(number: Fraction, kind: FloatType) -> Fraction | None:
    """The float of a type nearest to a positive number, ties to even.

    Returns:
        The float, exactly; 0 up to half of the smallest float; ``None`` where the type overflows.

    Raises:
        ValueError: if the number is not positive.
    """
    exponent = max(floor_power(number, 2), kind.least_exponent) - kind.digits
    unit = Fraction(2) ** exponent
    rounded = round(number / unit) * unit
    return rounded if rounded <= kind.greatest else None


def floor_power(number: Fraction, base: int) -> int:
    """The n with baseⁿ ≤ number < baseⁿ⁺¹, for a positive number, in exact arithmetic.

    Raises:
        ValueError: if the number is not positive; no power is below it then.
    """
    if not number > 0:
        raise ValueError(f"number is {number}; accepted is a positive number")
    bits = number.numerator.bit_length() - number.denominator.bit_length()
    exponent = int(bits / math.log2(base))  # off by one or two at most
    while number >= Fraction(base) ** (exponent + 1):
        exponent += 1
    while number < Fraction(base) ** exponent:
        exponent -= 1
    return exponent


def unit(values: np.ndarray | float, dtype: np.dtype | type | str) -> np.ndarray:
    """The unit in the last place of real numbers: the spacing of the floats in their binade.

    It is taken in the binade of the number itself, as by ``gelu_lib.floats.ulp.unit_exponent``.
    Below the normal floats it is the smallest subnormal float.

    Returns:
        float64 of the shape of ``values``; nan where the value is not finite.
    """
    kind = float_type(dtype)
    values = np.asarray(values, np.float64)
    exponent = np.maximum(np.frexp(values)[1] - 1, kind.least_exponent)
    exponent = np.where(values == 0, kind.least_exponent, exponent)
    return np.where(np.isfinite(values), np.ldexp(1.0, exponent - kind.digits), np.nan)


def first_float(
    holds: Callable[[np.ndarray], bool], start: float, stop: float, dtype: np.dtype | type | str
) -> float:
    """The first float on the way from ``start`` to ``stop`` at which a property holds.

    It is found by halving, on the promise that the property does not cease to hold once it does.

    Args:
        holds: takes a float of the type, in an array of no dimension.
        start: a float of the type where the property does not hold.
        stop: a float of the type where it holds; it may be the lesser.

    Raises:
        ValueError: if the property holds at ``start``, or does not at ``stop``.
    """
    kind = float_type(dtype)
    before, after = (int(ordinal(np.array(x, kind.dtype))) for x in (start, stop))
    if holds(from_ordinal(before, kind.dtype)) or not holds(from_ordinal(after, kind.dtype)):
        raise ValueError(
            f"start = {start!r} and stop = {stop!r} do not bracket a change: the property must "
            "fail at start and hold at stop"
        )
    while abs(after - before) > 1:
        middle = (before + after) // 2
        if holds(from_ordinal(middle, kind.dtype)):
            after = middle
        else:
            before = middle
    return float(from_ordinal(after, kind.dtype))


def unit_roundoff(dtype: str) -> float:
    """The largest relative error of rounding to a type, half the spacing of the floats at 1."""
    return 2.0 ** -(FLOAT_TYPES[dtype].digits + 1)
