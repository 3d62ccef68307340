"""What is measured about an implementation of GELU: errors, tail, infinities, gradient, layout.

An implementation is a function from NumPy arrays to NumPy arrays of the same dtype; how it gets
there is its own affair. The inputs are fixed, so that two measurements can be compared. For types
of 16 bits they are all finite floats. For the others they are a sample, and a largest error is the
largest that was found.

The errors are those of ``gelu_lib.floats.accuracy.compared``: against interval arithmetic for
float64, against ``gelu_lib.activations`` in float64 for the shorter types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.accuracy import compared
from gelu_lib.floats.types import all_finite, first_float, float_type, round_to

ArrayFunction = Callable[[np.ndarray], np.ndarray]

NEAR_END = 8
"""Absolute errors are taken for inputs up to this size; beyond, GELU is x or next to nothing."""
TAIL = tuple(-k / 4 for k in range(4, 61))
"""Where the windows of the left tail begin. Each is a quarter wide and lies left of its number."""
_LENGTHS = (1, 3, 17)
"""The lengths of the pieces in which the same inputs are given again."""
PIECES = 408
"""How many inputs are given again in pieces."""


class MeasuringError(ValueError):
    """A function does not return what an elementwise function of its type must return."""


@cache
def measured_inputs(dtype: str) -> np.ndarray:
    """The fixed inputs of a type, in ascending order, read-only.

    Args:
        dtype: a key of ``gelu_lib.floats.types.FLOAT_TYPES``.

    Returns:
        All finite floats of a type of 16 bits. Of float32 each 16381st, and 200,001 in [−16, 16].
        Of float64 some thousand: a grid on [−40, 10] and magnitudes from 1e-300 to 1e300.

    Raises:
        TypeError: if ``dtype`` is no such type.
    """
    kind = float_type(dtype)
    if kind.dtype.itemsize == 2:
        return all_finite(kind.name)
    if kind.name == "float32":
        bits = np.arange(0, 0x7F800000, 16381, dtype=np.int32).view(np.float32)
        sample = [bits, -bits, np.linspace(-16, 16, 200_001).astype(np.float32)]
    else:
        magnitudes = np.geomspace(1e-300, 1e300, 401)
        sample = [magnitudes, -magnitudes, np.linspace(-40, 10, 5001)]
    found = np.unique(np.concatenate(sample))
    found.setflags(write=False)
    return found


def form_accuracy(function: ArrayFunction, form: str, dtype: str) -> dict[str, Any]:
    """How far a function is from GELU, and from the formula that it means to compute.

    Args:
        function: the implementation.
        form: one of ``gelu_lib.activations.FORMS``, its formula.
        dtype: the type in which it is called.

    Returns:
        ``gelu`` and ``gelu_at``, the largest distance from GELU for inputs up to ``NEAR_END``, and
        where; ``form``, that from the formula. ``ulp`` and ``ulp_at`` are the largest error from
        the formula in units in the last place on [−1, ``NEAR_END``], where the value is a normal
        float. ``flushes`` says whether a result near 0 is 0 that should be subnormal.
        ``misrounded`` counts, among all inputs of a type of 16 bits, the results that are not the
        nearest floats; it is ``None`` for other types. ``nan`` counts the inputs at which the
        result is nan.

    Raises:
        ValueError: if ``form`` is none of the forms.
        MeasuringError: if the function does not keep shape and dtype, or returns nothing but nan.
    """
    _check_form(form)
    x = measured_inputs(dtype)
    y = _evaluated(function, x)
    found, from_gelu = (compared(y, FORMS[name].__name__, x) for name in (form, "exact"))
    near, size = np.abs(found.x) <= NEAR_END, np.abs(found.reference)
    subnormal = ~found.normal & (size >= 2 * float_type(dtype).smallest) & (np.abs(found.x) < 1)
    gelu, gelu_at = _largest(from_gelu.absolute, x, near)
    ulp, ulp_at = _largest(found.ulp, x, near & (found.x >= -1) & found.normal)
    return {
        "gelu": gelu,
        "gelu_at": gelu_at,
        "form": _largest(found.absolute, x, near)[0],
        "ulp": ulp,
        "ulp_at": ulp_at,
        "flushes": bool((y[subnormal] == 0).any()),
        "misrounded": int(np.sum(y != FORMS[form](x))) if x.dtype.itemsize == 2 else None,
        "nan": int(np.isnan(found.given).sum()),
    }


def left_tail(function: ArrayFunction, form: str, dtype: str) -> dict[str, Any]:
    """How the digits of the formula are lost on the left.

    Args:
        function: the implementation.
        form: one of ``gelu_lib.activations.FORMS``, its formula.
        dtype: the type in which it is called.

    Returns:
        ``windows``, the largest relative error in each window of ``TAIL``, ``None`` where the type
        holds no normal float near the formula's value. ``half_from``, the input nearest to 0 at
        which the relative error is 1/2 or more, among the inputs whose values are normal floats.
        ``zero_from``, that at which the result is 0 and the nearest float is not. ``positive``, how
        many inputs below 0 have a result above 0. The inputs are ``None`` where there is none.

    Raises:
        ValueError: if ``form`` is none of the forms.
        MeasuringError: if the function does not keep shape and dtype.
    """
    _check_form(form)
    x = measured_inputs(dtype)
    y = _evaluated(function, x)
    found, left = compared(y, FORMS[form].__name__, x), x < 0
    relative = np.where(left & found.normal, np.abs(found.relative), np.nan)
    zero = left & (y == 0) & (round_to(found.reference, dtype) != 0)
    return {
        "windows": [_rounded(_window(relative, x, end)) for end in TAIL],
        "half_from": _nearest_to_zero(x, (relative >= 0.5) & (x <= -0.5)),
        "zero_from": _nearest_to_zero(x, zero & (x <= -0.5)),
        "positive": int(np.sum(left & (y > 0))),
    }


def specials(function: ArrayFunction, dtype: str) -> dict[str, str]:
    """What a function gives at −∞, ∞ and nan, as Python writes it.

    Raises:
        MeasuringError: if the function does not keep shape and dtype.
    """
    x = np.array([-np.inf, np.inf, np.nan]).astype(float_type(dtype).dtype)
    y = _evaluated(function, x).astype(np.float64)
    return {name: repr(float(v)) for name, v in zip(("-inf", "inf", "nan"), y, strict=True)}


def gradient_accuracy(derivative: ArrayFunction, form: str, dtype: str) -> dict[str, Any]:
    """How a gradient behaves: its error, and where it is nan.

    Args:
        derivative: the derivative of the implementation, as its own differentiation gives it.
        form: one of ``gelu_lib.activations.FORMS``, its formula.
        dtype: the type in which it is called.

    Returns:
        ``error``, the largest distance from the derivative of the formula for inputs up to
        ``NEAR_END``. ``nan``, how many of the finite inputs have nan; ``nan_from``, on either side,
        the float at which nan begins, next to the nearest of them, or ``None``. ``-inf`` and
        ``inf``, what it is there.

    Raises:
        ValueError: if ``form`` is none of the forms.
        MeasuringError: if the function does not keep shape and dtype.
    """
    _check_form(form)
    x = measured_inputs(dtype)
    slope = _evaluated(derivative, x)
    found = compared(slope, f"{FORMS[form].__name__}_derivative", x)
    at_ends = specials(derivative, dtype)
    missing = np.isnan(found.given)
    return {
        "error": _largest(found.absolute, x, np.abs(found.x) <= NEAR_END)[0],
        "nan": int(missing.sum()),
        "nan_from": [_first_nan(derivative, x, missing, sign, dtype) for sign in (-1, 1)],
        "-inf": at_ends["-inf"],
        "inf": at_ends["inf"],
    }


def layout(
    function: ArrayFunction, dtype: str, strided: ArrayFunction | None = None
) -> dict[str, Any]:
    """Whether a result depends on what stands beside its input in memory.

    Args:
        function: the implementation, which gets contiguous arrays.
        dtype: the type in which it is called.
        strided: the same implementation on an array whose elements lie apart, if it has one.

    Returns:
        For the inputs in pieces of each of ``_LENGTHS``, and for ``strided``, how many of
        ``PIECES`` results differ in their bits from those of the whole array; ``None`` for
        ``strided`` if there is none.

    Raises:
        MeasuringError: if the function does not keep shape and dtype.
    """
    x = np.linspace(-6, 4, PIECES).astype(float_type(dtype).dtype)
    whole = _evaluated(function, x)
    found: dict[str, Any] = {}
    for length in _LENGTHS:
        pieces = [_evaluated(function, part) for part in np.split(x, PIECES // length)]
        found[str(length)] = _differing(np.concatenate(pieces), whole)
    found["strided"] = None if strided is None else _differing(_evaluated(strided, x), whole)
    return found


def nearest_form(function: ArrayFunction, dtype: str = "float32") -> str:
    """Which of the three forms a function is nearest to, in the largest distance on [−4, 4].

    Raises:
        MeasuringError: if the function does not keep shape and dtype, or is farther than 1e-3 from
            all of them.
    """
    x = np.linspace(-4, 4, 1001).astype(float_type(dtype).dtype)
    y = _evaluated(function, x).astype(np.float64)
    wide = x.astype(np.float64)
    distances = {name: float(np.max(np.abs(y - form(wide)))) for name, form in FORMS.items()}
    nearest = min(distances, key=distances.__getitem__)
    if not distances[nearest] <= 1e-3:
        raise MeasuringError(f"the function is {distances[nearest]:.2g} from the nearest form")
    return nearest


def _check_form(form: str) -> None:
    if form not in FORMS:
        raise ValueError(f"form is {form!r}; accepted are {', '.join(FORMS)}")


def _evaluated(function: ArrayFunction, x: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):  # far out an implementation may overflow
        y = np.asarray(function(x))
    if y.shape != x.shape or y.dtype != x.dtype:
        raise MeasuringError(
            f"for {x.dtype} of shape {x.shape} the function returned {y.dtype} of shape {y.shape}"
        )
    return y


def _largest(
    errors: np.ndarray, x: np.ndarray, counts: np.ndarray
) -> tuple[float | None, float | None]:
    """The size of the largest error that counts and its place, among those that are not nan."""
    sizes = np.where(counts, np.abs(errors), np.nan)
    if np.isnan(sizes).all():
        raise MeasuringError("every result is nan")
    place = int(np.nanargmax(sizes))
    return _rounded(sizes[place]), float(x[place])


def _rounded(number: float | None) -> float | None:
    return None if number is None or not np.isfinite(number) else float(f"{float(number):.4g}")


def _window(relative: np.ndarray, x: np.ndarray, end: float) -> float | None:
    inside = relative[(x <= end) & (x >= end - 0.25)]
    known = inside[~np.isnan(inside)]
    return float(known.max()) if len(known) else None


def _nearest_to_zero(x: np.ndarray, where: np.ndarray) -> float | None:
    return float(x[where].max()) if where.any() else None


def _first_nan(
    derivative: ArrayFunction, x: np.ndarray, missing: np.ndarray, sign: int, dtype: str
) -> float | None:
    """The float on one side of 0 where nan begins: next to one of the inputs, found by halving."""
    side = sign * x > 0
    if not (missing & side).any():
        return None
    nearest = np.abs(x[missing & side]).min()
    before = np.abs(x[side & ~missing & (np.abs(x) < nearest)]).max(initial=0)

    def is_nan(number: np.ndarray) -> bool:
        return bool(np.isnan(_evaluated(derivative, number.reshape(1)).astype(np.float64))[0])

    return first_float(is_nan, sign * float(before), sign * float(nearest), dtype)


def _differing(first: np.ndarray, second: np.ndarray) -> int:
    bits = f"i{first.dtype.itemsize}"
    return int(np.sum(first.view(bits) != second.view(bits)))
