"""How each registered number is computed or proved, at any number of digits.

For each number of the register there is its ID, and a function from a number of significant
digits: in ``CERTIFICATIONS`` to proved enclosures, in ``COMPUTATIONS`` to a number without proof.
A chapter's module has the first as ``CERTIFIED``, and the second, if there are any, as ``NUMBERS``.
What was measured has as many digits as it has: ``MEASUREMENTS``, ``MEASURED`` in the module, take
no argument.
Nothing here reads the register; ``tools/write_values.py`` writes what is computed here into it,
and a test computes it again.

The rooms: ``recipes`` (the kinds of computation), then one module for each chapter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import mpmath

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters import (
    criteria,
    derivatives,
    floating_point,
    forms_rivals,
    gelu,
    history,
    in_a_network,
    left_tail,
    logistic_constant,
    sixteen_bits,
    tanh_constant,
    taylor,
    taylor_orders,
    telling_them_apart,
    your_own,
)
from gelu_lib.chapters.claims import registered
from gelu_lib.chapters.recipes import Certification, Computation, numeral

__all__ = ["CERTIFICATIONS", "COMPUTATIONS", "GUARD_DIGITS", "MEASUREMENTS", "compute", "enclose"]

CHAPTERS = (
    gelu,
    derivatives,
    taylor,
    taylor_orders,
    forms_rivals,
    tanh_constant,
    logistic_constant,
    criteria,
    floating_point,
    left_tail,
    sixteen_bits,
    telling_them_apart,
    in_a_network,
    history,
    your_own,
    registered,
)

COMPUTATIONS: dict[str, Computation] = {
    id: computation
    for chapter in CHAPTERS
    for id, computation in getattr(chapter, "NUMBERS", {}).items()
}
"""For each number of the register without proof, how it is computed to a number of digits."""

CERTIFICATIONS: dict[str, Certification] = {
    id: certification
    for chapter in CHAPTERS
    for id, certification in getattr(chapter, "CERTIFIED", {}).items()
}
"""For each entry of the register whose numbers are proved, how they are enclosed."""

MEASUREMENTS: dict[str, Callable[[], Mapping[str, str]]] = {
    id: measurement
    for chapter in CHAPTERS
    for id, measurement in getattr(chapter, "MEASURED", {}).items()
}
"""For each entry of the register that was measured, how its numbers follow from the record."""

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""


def compute(id: str, digits: int) -> str:
    """A registered number to significant digits, computed or proved now.

    Args:
        id: the ID of a result that is a number.
        digits: how many significant digits, at least 1.

    Returns:
        A decimal string, rounded to nearest.

    Raises:
        KeyError: if the result is not a number, or no result has this ID.
        ValueError: if ``digits`` is not a positive integer.
    """
    _check_digits(digits)
    if id in CERTIFICATIONS and "" in (found := CERTIFICATIONS[id](digits)):
        return numeral(found[""].rounded(digits))
    if id not in COMPUTATIONS:
        known = ", ".join({**COMPUTATIONS, **CERTIFICATIONS})
        raise KeyError(f"no number has the ID {id!r}; numbers are {known}")
    with mpmath.workdps(digits + GUARD_DIGITS):
        number = mpmath.mpmathify(COMPUTATIONS[id](digits + GUARD_DIGITS))
        return mpmath.nstr(number, digits, strip_zeros=False, min_fixed=-mpmath.inf)


def enclose(id: str, digits: int) -> dict[str, Enclosure]:
    """Proved enclosures of the numbers of a result, computed now.

    Args:
        id: the ID of a result whose numbers are proved.
        digits: how many significant digits, at least 1.

    Returns:
        Enclosures by the names of the numbers; that of a single value is empty.

    Raises:
        KeyError: if the numbers of no result with this ID are proved.
        ValueError: if ``digits`` is not a positive integer.
        CertificationError: if the proof fails.
    """
    _check_digits(digits)
    if id not in CERTIFICATIONS:
        raise KeyError(f"no result with proved numbers has the ID {id!r}")
    return dict(CERTIFICATIONS[id](digits))


def _check_digits(digits: int) -> None:
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
