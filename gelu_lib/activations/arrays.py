"""What comes in, what goes out: dtypes, shapes, refusals, and the loop over blocks."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from gelu_lib.activations.blocks import Activation, Evaluation

Real = float | np.floating | np.ndarray

_PYTHON_NUMBERS = (bool, int, float)
_FLOATS = frozenset((np.float16, np.float32, np.float64))

_ACCEPTED = (
    "accepted are real numbers and unmasked arrays of bool, of integers of at most 64 bits, "
    "and of float16, bfloat16, float32 or float64"
)

_DEEPEST = 64  # NumPy's arrays have no more dimensions

_TENSOR = "; a tensor of PyTorch as x.detach().cpu().numpy(), one of bfloat16 as float32"


def evaluate(x: ArrayLike, activation: Activation) -> Real:
    """The activation at each element of what a caller handed in."""
    values = real_array(x)
    dtype = values.dtype if is_float(values.dtype) else np.dtype(np.float64)
    result = np.empty_like(values, dtype.newbyteorder("="))
    _fill(values, result, activation.wide if dtype.itemsize == 8 else activation.narrow)
    if isinstance(x, _PYTHON_NUMBERS) and not isinstance(x, np.generic):
        return float(result)
    return result if result.ndim else result[()]


# An underflow is a right result here, so no error state of the caller shall turn it into a warning
# or an exception.
@np.errstate(all="ignore")
def _fill(values: np.ndarray, result: np.ndarray, evaluation: Evaluation) -> None:
    rounds = is_bfloat16(result.dtype)
    for x, out in _blocks(values, result, evaluation.block):
        evaluation.fill(x, out)
        if rounds:
            round_to_bfloat16(out)


def _blocks(values: np.ndarray, result: np.ndarray, length: int) -> Iterator[tuple]:
    """Blocks of both as float64, copied only where they must be."""
    if values.dtype == np.float64 and values.flags.c_contiguous and values.flags.aligned:
        # They stand in memory as they are wanted, and to make an iterator takes as long as five
        # passes over 10³ numbers.
        x, out = values.reshape(-1), result.reshape(-1)
        for start in range(0, x.size, length):
            yield x[start : start + length], out[start : start + length]
        return
    if not values.ndim:  # before NumPy 2.3 the iterator leaves a buffer for one number as it was
        values, result = values.reshape(1), result.reshape(1)
    with np.nditer(
        [values, result],
        flags=["external_loop", "buffered", "zerosize_ok"],
        op_flags=[["readonly", "contig", "aligned"], ["writeonly", "contig", "aligned"]],
        op_dtypes=[np.float64, np.float64],
        casting="unsafe",  # the dtypes have been looked at
        order="K",
        buffersize=length,
    ) as blocks:
        yield from blocks


def round_to_bfloat16(y: np.ndarray) -> None:
    """Round float64 to 8 bits, ties to even, so that a cast to bfloat16 is exact.

    ml_dtypes casts by way of float32 and so rounds twice.
    """
    # The addition of 3·2⁵¹ units rounds to whole units. A unit is 2⁻⁷ of the power of two below y,
    # and 2⁻¹³³ where y is subnormal.
    power = (y.view(np.uint64) & np.uint64(0x7FF << 52)).view(np.float64)
    shift = np.clip(power, 2.0**-126, 2.0**128) * (3 * 2.0**44)  # finite where y is infinite
    sign = y.copy()
    np.subtract(y + shift, shift, out=y)
    np.copysign(y, sign, out=y)


def real_array(x: ArrayLike) -> np.ndarray:
    """``x`` as an array of an accepted dtype, or a TypeError."""
    values = x if type(x) is np.ndarray else _array(x)
    if is_float(values.dtype) or values.dtype.kind in "biu":
        return values
    if values.dtype == object:  # its elements may be too large to be printed
        held = ", ".join(sorted({type(element).__name__ for element in values.flat}))
        raise TypeError(f"{_came(x)}, which NumPy holds as objects ({held}); {_ACCEPTED}")
    raise TypeError(f"{_came(x)} of dtype {values.dtype}, {reprlib.repr(x)}; {_ACCEPTED}")


def _array(x: ArrayLike) -> np.ndarray:
    """``x`` as an array of whatever dtype."""
    came = _came(x)
    masked = TypeError(f"{came}, whose mask would be lost; {_ACCEPTED}")
    try:
        lost = _is_sequence(x) and any(map(_is_masked, x))
        values = np.ma.masked if lost else np.asanyarray(x)  # asarray would drop a mask unsaid
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        # a tensor of PyTorch may be of a type that NumPy lacks, or have a gradient
        tensor = _TENSOR if type(x).__module__.partition(".")[0] == "torch" else ""
        raise TypeError(
            f"{came}, which does not make an array ({error}); {_ACCEPTED}{tensor}"
        ) from error
    if isinstance(values, np.ma.MaskedArray):
        raise masked
    return np.asarray(values)


def _came(x: ArrayLike) -> str:
    return f"x came as {type(x).__name__}"


def is_float(dtype: np.dtype) -> bool:
    """Whether it is a floating type that is accepted, and so kept."""
    return dtype.type in _FLOATS or is_bfloat16(dtype)


def is_bfloat16(dtype: np.dtype) -> bool:
    """Whether it is the bfloat16 of ml_dtypes, which need not be installed."""
    # NumPy composes the name of a dtype anew, which takes as long as five passes over 10³ floats.
    return dtype.type.__module__ == "ml_dtypes" and dtype.name == "bfloat16"


def _is_masked(element: ArrayLike, depth: int = 1) -> bool:
    """Whether an element of a sequence is masked, makes itself a masked array, or holds one."""
    if depth > _DEEPEST:
        raise ValueError(f"it is nested deeper than {_DEEPEST} levels, or contains itself")
    if isinstance(element, float | int | np.generic):
        return False
    if hasattr(element, "__array__"):
        return isinstance(np.asanyarray(element), np.ma.MaskedArray)
    return _is_sequence(element) and any(_is_masked(inner, depth + 1) for inner in element)


def _is_sequence(x: ArrayLike) -> bool:
    """Whether NumPy makes an array of it by taking its elements."""
    takes = hasattr(x, "__len__") and hasattr(x, "__getitem__") and not hasattr(x, "__array__")
    return takes and not isinstance(x, str | bytes | bytearray | memoryview | dict)
