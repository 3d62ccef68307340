"""What every kernel is made of: passes over one block of numbers, each into memory already there.

A block fits the cache of one core. A pass over it costs little more than its arithmetic, and no
memory is asked for. Scalars are arrays of no dimension, as NumPy takes them faster than floats.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Scalar = np.ndarray


def scalar(value: float) -> Scalar:
    """A float as ufuncs take it fastest."""
    return np.array(value, np.float64)


def scalars(values: Iterable[float]) -> tuple[Scalar, ...]:
    """Each float as ufuncs take it fastest."""
    return tuple(map(scalar, values))


def grid_shift(bits: int) -> Scalar:
    """The number whose addition rounds a smaller float to a multiple of 2**−bits."""
    return scalar(1.5 * 2.0 ** (52 - bits))


def to_grid(a: np.ndarray, shift: Scalar, out: np.ndarray) -> None:
    """The multiple of 2**−bits nearest to a, ``shift`` being ``grid_shift(bits)``."""
    np.add(a, shift, out=out)
    np.subtract(out, shift, out=out)


def horner(coefficients: tuple[Scalar, ...], t: np.ndarray, out: np.ndarray) -> None:
    """Horner's scheme; the highest coefficient comes first."""
    # A short block costs what its calls cost, and of them half are here: looked up once, and given
    # ``out`` by place, they take a quarter less.
    add, multiply = np.add, np.multiply
    multiply(t, coefficients[0], out)
    for coefficient in coefficients[1:-1]:
        add(out, coefficient, out)
        multiply(out, t, out)
    add(out, coefficients[-1], out)
