"""Arithmetic with sums of two floats; each operation keeps about twice the digits of a float.

It is used far out, where few inputs lie. There the absolute error of an exponent, which passes 700,
is the relative error of the result.
"""

from __future__ import annotations

import numpy as np

Pair = tuple[np.ndarray | float, np.ndarray | float]
"""An unevaluated sum of two floats, the second much smaller than the first."""


def times_exp(factor: np.ndarray, exponent: Pair) -> np.ndarray:
    """factor·exp(−exponent) for a moderate factor, rounded once where it is subnormal."""
    v, rest = exponent
    # exp(−v) itself may be subnormal and short of digits, so it is taken in two parts.
    first = np.minimum(v, 600.0)
    power = np.exp(-first)
    return factor * np.exp(first - v) * (power + power * np.expm1(-rest))


def odd_cubic(a: np.ndarray, linear: Pair, cubic: Pair) -> Pair:
    """linear·a + cubic·a³."""
    x = (a, 0.0)
    return multiply(x, add(linear, multiply(cubic, multiply(x, x))))


def multiply(a: Pair, b: Pair) -> Pair:
    """a·b."""
    # Dekker's product: the leading halves, of 24 bits each, have an exact product.
    product = a[0] * b[0]
    a_top, b_top = _leading_half(a[0]), _leading_half(b[0])
    a_low, b_low = a[0] - a_top, b[0] - b_top
    error = ((a_top * b_top - product) + a_top * b_low + a_low * b_top) + a_low * b_low
    return product, error + (a[0] * b[1] + a[1] * b[0])


def _leading_half(x: np.ndarray | float) -> np.ndarray:
    return np.asarray(x, np.float32).astype(np.float64)


def add(a: Pair, b: Pair) -> Pair:
    """a + b."""
    # Knuth's sum: what rounding took from either summand is found exactly.
    total = a[0] + b[0]
    b_kept = total - a[0]
    error = (a[0] - (total - b_kept)) + (b[0] - b_kept)
    return total, error + (a[1] + b[1])
