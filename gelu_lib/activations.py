"""GELU, its tanh form, its sigmoid form and their derivatives, on NumPy arrays.

Each form is f(x) = x·S(x) with S(x) + S(−x) = 1. Hence f(x) = x + f(−x) and f′(x) = 1 − f′(−x),
and the right half-line follows from the left one without loss. So a kernel takes a ≥ 0, the
absolute value of x, and returns f(−a) or f′(−a). There each form is a moderate factor times
exp(−v). An absolute error of v is a relative error of the result, and v passes 700 before the
result vanishes: v is therefore carried as a sum of two floats.

The constants 0.044715, 1.702 and √(2/π) are exact real numbers here, not the floats near them.

float16 and float32 are computed in float64 and rounded once more at the end. Arithmetic in the
narrow type would lose whole units in the tail, and its x³ overflows early. The second rounding
picks the wrong neighbour only where the true value lies as near to the midpoint of two floats as
the float64 error reaches. One unit of float64 is 2⁻²⁹ units of float32 and 2⁻⁴² units of float16,
so the chosen neighbour is then still almost exactly half a unit from the truth. (At the zero of a
derivative the float64 error is larger than that in such units.)

The errors stated below are measured against mpmath by ``tests/test_activations.py``, with NumPy
2.4.6 on x86-64 with AVX-512. Another exp changes them by some tenths of a unit.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

__all__ = [
    "gelu",
    "gelu_derivative",
    "gelu_sigmoid",
    "gelu_sigmoid_derivative",
    "gelu_tanh",
    "gelu_tanh_derivative",
]

Real = float | np.floating | np.ndarray
Pair = tuple[np.ndarray | float, np.ndarray | float]
"""An unevaluated sum of two floats; the second is a few units in the last place of the first."""

_ACCEPTED = (
    "accepted are real numbers and unmasked arrays of bool, of integers of at most 64 bits, "
    "and of float16, float32 or float64"
)


def gelu(x: ArrayLike) -> Real:
    """GELU(x) = xΦ(x), where Φ is the standard normal distribution function.

    The left tail is kept: a result is zero only where the exact value is nearer to zero than to
    the smallest subnormal number, which in float64 begins left of −38.5.

    Args:
        x: real numbers: a Python number, a NumPy scalar, an array or nested lists. Memory layout
            and byte order are free. A subclass such as ``np.matrix`` counts as a plain array.

    Returns:
        A new array of the shape of ``x``; a NumPy scalar for a NumPy scalar or a 0-d array; a
        Python float for a Python number. float16, float32 and float64 are kept, in native byte
        order. Integers and bools become float64. The value at −∞ and at −0.0 is −0.0, at +∞ it is
        +∞, at nan it is nan. No finite input gives nan, and no input gives a floating-point
        warning, whatever error state is set.

    Raises:
        TypeError: if ``x`` is complex, longdouble, text, a date, a masked array, a ragged list, or
            an object such as ``None`` or an integer that does not fit 64 bits.

    In float64 the largest error found is 3.34 ULP, at ``x = -0x1.77b9bb6209ad0p+0``, among 971,188
    inputs of both signs and all magnitudes below 1e150 (seed 20160627). It is the largest found,
    not a bound. In float32 and float16 the result is such a number, rounded once more.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    return _evaluate(x, _gelu_left, _value_right)


def gelu_tanh(x: ArrayLike) -> Real:
    """The tanh form of GELU, x(1 + tanh(√(2/π)(x + 0.044715x³)))/2.

    The result is the exact value of this formula, rounded; how far the formula is from GELU is
    another matter. Left of about −21.5 it is −0.0 in float64, as the exact value of the formula is
    below half the smallest subnormal number there.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        As ``gelu``, with shape and float dtype kept and the same limits and signs of zero.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    In float64 the largest error found is 3.76 ULP, at ``x = -0x1.595d9289b8ee0p-2``, among 971,188
    inputs of both signs and all magnitudes below 1e150 (seed 20160627). It is the largest found,
    not a bound. In float32 and float16 the result is such a number, rounded once more.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    return _evaluate(x, _gelu_tanh_left, _value_right)


def gelu_sigmoid(x: ArrayLike) -> Real:
    """The sigmoid form of GELU, xσ(1.702x) with the logistic function σ.

    The result is the exact value of this formula, rounded; how far the formula is from GELU is
    another matter. Left of about −441 it is −0.0 in float64, as the exact value of the formula is
    below half the smallest subnormal number there.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        As ``gelu``, with shape and float dtype kept and the same limits and signs of zero.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    In float64 the largest error found is 3.41 ULP, at ``x = -0x1.0654fe3afa035p-5``, among 971,188
    inputs of both signs and all magnitudes below 1e150 (seed 20160627). It is the largest found,
    not a bound. In float32 and float16 the result is such a number, rounded once more.

    Source: D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, arXiv:1606.08415, section 2.
    """
    return _evaluate(x, _gelu_sigmoid_left, _value_right)


def gelu_derivative(x: ArrayLike) -> Real:
    """The derivative of GELU, Φ(x) + xφ(x), where φ is the standard normal density.

    It has one zero, near −0.75, where its two terms cancel. Between −1.5 and −0.5 the absolute
    error is small, but the relative error is unbounded and no figure is given for it.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, as by ``gelu``. The limit at −∞ is 0, given as −0.0 because it
        is approached from below; at +∞ it is 1. The value at nan is nan. No finite input gives
        nan, and no input gives a floating-point warning.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    In float64, left of −1.5 and right of −0.5, the largest error found is 4.95 ULP, at
    ``x = -0x1.8f5dffef0f63bp+0``, among 836,567 inputs of both signs and all magnitudes below 1e150
    (seed 20160627). Between, the largest found is 0.58 units in the last place of 1, at
    ``x = -0x1.578fd8e05ea4bp-1``, among 134,621. Neither is a bound. In float32 and float16 the
    result is such a number, rounded once more.

    Source: the product rule.
    """
    return _evaluate(x, _gelu_derivative_left, _derivative_right)


def gelu_tanh_derivative(x: ArrayLike) -> Real:
    """The derivative of the tanh form, σ(v) + x·v′·σ(v)σ(−v) with v = 2√(2/π)(x + 0.044715x³).

    The usual way to write it multiplies 1 − tanh² by a polynomial: 0·∞ far out on either side.
    This evaluation does not. The derivative has one zero, near −0.75, where its two terms cancel.
    Between −1.5 and −0.5 only the absolute error is small.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, limits as for ``gelu_derivative``.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    In float64, left of −1.5 and right of −0.5, the largest error found is 4.83 ULP, at
    ``x = -0x1.51a5ef7c83686p+1``, among 836,567 inputs of both signs and all magnitudes below 1e150
    (seed 20160627). Between, the largest found is 0.41 units in the last place of 1, at
    ``x = -0x1.331d56a67cd7bp+0``, among 134,621. Neither is a bound. In float32 and float16 the
    result is such a number, rounded once more.

    Source: the product rule, and (1 + tanh u)/2 = σ(2u).
    """
    return _evaluate(x, _gelu_tanh_derivative_left, _derivative_right)


def gelu_sigmoid_derivative(x: ArrayLike) -> Real:
    """The derivative of the sigmoid form, σ(v) + v·σ(v)σ(−v) with v = 1.702x.

    The usual way to write it, with exp(−v)/(1 + exp(−v))², is ∞/∞ on the left; this evaluation is
    not. The derivative has one zero, near −0.75, where its two terms cancel. Between −1.5 and −0.5
    only the absolute error is small.

    Args:
        x: real numbers, as in ``gelu``.

    Returns:
        Shape and float dtype kept, limits as for ``gelu_derivative``.

    Raises:
        TypeError: if ``x`` is not of an accepted kind, as in ``gelu``.

    In float64, left of −1.5 and right of −0.5, the largest error found is 5.01 ULP, at
    ``x = -0x1.6c1ecb5a52898p+1``, among 836,567 inputs of both signs and all magnitudes below 1e150
    (seed 20160627). Between, the largest found is 0.35 units in the last place of 1, at
    ``x = -0x1.5b676b0b3289cp+0``, among 134,621. Neither is a bound. In float32 and float16 the
    result is such a number, rounded once more.

    Source: the product rule, and σ′(v) = σ(v)σ(−v).
    """
    return _evaluate(x, _gelu_sigmoid_derivative_left, _derivative_right)


# The wrapper: what comes in, what goes out.


def _evaluate(
    x: ArrayLike,
    left: Callable[[np.ndarray], np.ndarray],
    right: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> Real:
    """f(x) at each element, where left(a) is f(−a) and right(x, f(−x)) is f(x)."""
    values = _real_array(x)
    dtype = values.dtype.type if values.dtype.kind == "f" else np.float64
    # An underflow is a right result here, so no error state of the caller shall turn it into a
    # warning or an exception. SciPy has a state of its own.
    with np.errstate(all="ignore"), special.errstate(all="ignore"):
        wide = values.astype(np.float64)  # in native byte order, too
        on_the_left = left(np.minimum(np.abs(wide), _FAR))
        result = np.where(np.signbit(wide), on_the_left, right(wide, on_the_left)).astype(dtype)
    if isinstance(x, bool | int | float) and not isinstance(x, np.generic):
        return float(result)
    return result if result.ndim else result[()]


def _value_right(x: np.ndarray, mirrored: np.ndarray) -> np.ndarray:
    return x + mirrored


def _derivative_right(x: np.ndarray, mirrored: np.ndarray) -> np.ndarray:
    return 1 - mirrored


def _real_array(x: ArrayLike) -> np.ndarray:
    """``x`` as an array of an accepted dtype, or a TypeError."""
    came = f"x came as {type(x).__name__}"
    if _is_masked(x):  # asarray would drop the mask without a word
        raise TypeError(f"{came}, whose mask would be lost; {_ACCEPTED}")
    try:
        values = np.asarray(x)
    except (ValueError, OverflowError) as error:
        raise TypeError(f"{came}, which does not make an array ({error}); {_ACCEPTED}") from error
    if values.dtype.kind in "biu" or values.dtype.type in (np.float16, np.float32, np.float64):
        return values
    if values.dtype == object:  # its elements may be too large to be printed
        held = ", ".join(sorted({type(element).__name__ for element in values.flat}))
        raise TypeError(f"{came}, which NumPy holds as objects ({held}); {_ACCEPTED}")
    raise TypeError(f"{came} of dtype {values.dtype}, {reprlib.repr(x)}; {_ACCEPTED}")


def _is_masked(x: ArrayLike) -> bool:
    if isinstance(x, list | tuple):
        return any(map(_is_masked, x))
    return isinstance(x, np.ma.MaskedArray)


# The kernels: f(−a) and f′(−a) for float64 arrays, 0 ≤ a ≤ _FAR or nan.


def _gelu_left(a: np.ndarray) -> np.ndarray:
    # −a·Φ(−a). SciPy's ndtr is ½ + ½erf near 0, which is good while Φ(−a) > ¼. Further out it
    # cancels, and in the tail it loses hundreds of units and dies early.
    near, far = np.minimum(a, _NEAR), np.maximum(a, _NEAR)
    tail = _times_exp(-_scaled_tail(far), _half_square(far))
    return np.where(a < _NEAR, -near * special.ndtr(-near), tail)


def _gelu_derivative_left(a: np.ndarray) -> np.ndarray:
    # Φ(−a) − a·φ(a), with the same two branches; exp(−a²/2) is taken out in the tail.
    near, far = np.minimum(a, _NEAR), np.maximum(a, _NEAR)
    head = special.ndtr(-near) - near * (_DENSITY_AT_0 * np.exp(-near * near / 2))
    tail = _times_exp(_scaled_tail(far) / far - _DENSITY_AT_0 * far, _half_square(far))
    return np.where(a < _NEAR, head, tail)


def _gelu_tanh_left(a: np.ndarray) -> np.ndarray:
    # (1 + tanh u)/2 = σ(2u), and 1 + tanh u would cancel for u < 0.
    return _logistic_left(a, _odd_cubic(a, _TANH_LINEAR, _TANH_CUBIC))


def _gelu_tanh_derivative_left(a: np.ndarray) -> np.ndarray:
    three_cubic = _multiply(_TANH_CUBIC, (3.0, 0.0))
    a_slope = _odd_cubic(a, _TANH_LINEAR, three_cubic)
    return _logistic_derivative_left(a_slope, _odd_cubic(a, _TANH_LINEAR, _TANH_CUBIC))


def _gelu_sigmoid_left(a: np.ndarray) -> np.ndarray:
    return _logistic_left(a, _multiply(_SIGMOID_SCALE, (a, 0.0)))


def _gelu_sigmoid_derivative_left(a: np.ndarray) -> np.ndarray:
    exponent = _multiply(_SIGMOID_SCALE, (a, 0.0))
    return _logistic_derivative_left(exponent, exponent)


def _logistic_left(a: np.ndarray, exponent: Pair) -> np.ndarray:
    """−a·σ(−v), by σ(−v) = σ(v)·exp(−v)."""
    return _times_exp(-a * _logistic(exponent), exponent)


def _logistic_derivative_left(a_slope: Pair, exponent: Pair) -> np.ndarray:
    """σ(−v) − a·v′·σ(−v)·σ(v), where ``a_slope`` is a·v′; by σ(−v) = σ(v)·exp(−v)."""
    # Large a·v′ meets exp(−v) only after the subtraction, as one finite factor: no ∞·0, no ∞/∞.
    right = _logistic(exponent)
    return _times_exp((1 - sum(a_slope) * right) * right, exponent)


def _logistic(exponent: Pair) -> np.ndarray:
    """σ(v) for v ≥ 0, as 1 − σ(−v), where the rounding of 1 + exp(−v) counts least."""
    power = np.exp(-exponent[0])
    return 1 - power / (1 + power)


def _scaled_tail(a: np.ndarray) -> np.ndarray:
    """a·Φ(−a)·exp(a²/2) for a ≥ _NEAR, which is (1/π)∫ a²/(a² + t²)·exp(−t²/2) dt over t > 0.

    Write a²/(a² + t²) as 1 − t²/(a² + t²). The first part integrates to 1/√(2π). The second is
    summed by the trapezoidal rule, whose error is exponentially small except for the residue of
    the pole at t = ia. The residue is known and is put back. The rule goes back to Chiarella and
    Reichel (Mathematics of Computation 22, 1968; original not seen).
    """
    rule = sum(weight / (a * a + node) for weight, node in _RULE)
    inside = np.minimum(a, _PERIOD)  # beyond, the residue no longer counts and is negligible
    residue = inside * np.exp(inside * inside / 2) / np.expm1(_PERIOD * inside)
    return _DENSITY_AT_0 - (rule + residue)


def _half_square(a: np.ndarray) -> Pair:
    square, rest = _multiply((a, 0.0), (a, 0.0))
    return square / 2, rest / 2


def _odd_cubic(a: np.ndarray, linear: Pair, cubic: Pair) -> Pair:
    """linear·a + cubic·a³."""
    x = (a, 0.0)
    return _multiply(x, _add(linear, _multiply(cubic, _multiply(x, x))))


# Arithmetic with sums of two floats. Each operation keeps about twice the digits of a float.


def _times_exp(factor: np.ndarray, exponent: Pair) -> np.ndarray:
    """factor·exp(−exponent) for a moderate factor, rounded once where it is subnormal."""
    v, rest = exponent
    # exp(−v) itself may be subnormal and short of digits, so it is taken in two parts.
    first = np.minimum(v, 600.0)
    power = np.exp(-first)
    return factor * np.exp(first - v) * (power - power * rest)


def _multiply(a: Pair, b: Pair) -> Pair:
    # Dekker's product: the leading halves, of 24 bits each, have an exact product.
    product = a[0] * b[0]
    a_top, b_top = np.float64(np.float32(a[0])), np.float64(np.float32(b[0]))
    a_low, b_low = a[0] - a_top, b[0] - b_top
    error = ((a_top * b_top - product) + a_top * b_low + a_low * b_top) + a_low * b_low
    return product, error + (a[0] * b[1] + a[1] * b[0])


def _add(a: Pair, b: Pair) -> Pair:
    # Knuth's sum: what rounding took from either summand is found exactly.
    total = a[0] + b[0]
    b_kept = total - a[0]
    error = (a[0] - (total - b_kept)) + (b[0] - b_kept)
    return total, error + (a[1] + b[1])


def _pair(number: Fraction) -> Pair:
    return float(number), float(number - Fraction(float(number)))


def _sqrt_2_over_pi() -> Fraction:
    """√(2/π) to twice the digits of a float."""
    pi = Fraction(np.pi) + Fraction(np.sin(np.pi))  # sin is π − np.pi there, to its last digit
    root = Fraction(np.sqrt(2 / np.pi))
    return (root + 2 / pi / root) / 2  # Heron's step doubles the digits


_TANH_LINEAR = _pair(2 * _sqrt_2_over_pi())
_TANH_CUBIC = _pair(2 * _sqrt_2_over_pi() * Fraction("0.044715"))
_SIGMOID_SCALE = _pair(Fraction("1.702"))
_DENSITY_AT_0 = float(_sqrt_2_over_pi() / 2)

_FAR = 512.0  # every form has vanished there, the sigmoid form last, and nothing overflows yet
_NEAR = 0.675  # Φ(−a) passes ¼ there

# The trapezoidal rule of _scaled_tail: pairs (weight, t²), smallest contribution first. With this
# step both its error, about exp(−_PERIOD²/2), and what is cut off are far below one rounding.
_STEP = 0.625
_PERIOD = 2 * np.pi / _STEP
_RULE = [
    (_STEP / np.pi * t * t * np.exp(-t * t / 2), t * t) for t in _STEP * np.arange(15.0, 0.0, -1.0)
]
