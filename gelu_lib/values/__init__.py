"""How each registered number is computed, at any number of digits.

One entry of ``COMPUTATIONS`` for each number of the register: its ID, and a function from a number
of significant digits to the number. Nothing here reads the register; ``tools/write_values.py``
writes what is computed here into it, and a test computes it again.

The rooms: ``recipes`` (the kinds of computation), then one module for each chapter.
"""

from __future__ import annotations

import mpmath

from gelu_lib.values import (
    claims,
    criteria,
    derivatives,
    forms,
    gelu,
    logistic_constant,
    tanh_constant,
    taylor,
)
from gelu_lib.values.recipes import Computation

__all__ = ["COMPUTATIONS", "GUARD_DIGITS", "compute"]

CHAPTERS = (gelu, derivatives, taylor, forms, tanh_constant, logistic_constant, criteria, claims)

COMPUTATIONS: dict[str, Computation] = {
    id: computation for chapter in CHAPTERS for id, computation in chapter.NUMBERS.items()
}
"""For each number of the register, how it is computed to a number of digits."""

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""


def compute(id: str, digits: int) -> str:
    """A registered number to significant digits, computed now.

    Args:
        id: the ID of a result that is a number.
        digits: how many significant digits, at least 1.

    Returns:
        A decimal string, rounded to nearest.

    Raises:
        KeyError: if the result is not a number, or no result has this ID.
        ValueError: if ``digits`` is not a positive integer.
    """
    if id not in COMPUTATIONS:
        raise KeyError(f"no number has the ID {id!r}; numbers are {', '.join(COMPUTATIONS)}")
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
    with mpmath.workdps(digits + GUARD_DIGITS):
        number = mpmath.mpmathify(COMPUTATIONS[id](digits + GUARD_DIGITS))
        return mpmath.nstr(number, digits, strip_zeros=False, min_fixed=-mpmath.inf)
