"""How much a match proves: how many short numbers match a constant by accident."""

from __future__ import annotations

from fractions import Fraction

from gelu_lib.magic_numbers.catalogue import constants

__all__ = ["matching_share"]

_DECADES = (-2, -1, 0)


def matching_share(digits: int) -> Fraction:
    """The share of all decimals of so many digits that are some constant, shortened.

    All decimals from 0.01 to below 10 with that many significant digits are counted. One matches
    if a constant of the catalogue, rounded or cut off to these digits, is this decimal.

    Args:
        digits: how many significant digits, from 1 to 20.

    Raises:
        ValueError: if ``digits`` is outside.
    """
    if type(digits) is not int or not 1 <= digits <= 20:
        raise ValueError(f"digits is {digits!r}; accepted is an integer from 1 to 20")
    matching = {
        (decade, places)
        for decade in _DECADES
        for constant in constants().values()
        for places in _shortened(constant.value, decade, digits)
    }
    return Fraction(len(matching), len(_DECADES) * 9 * 10 ** (digits - 1))


def _shortened(value: Fraction, decade: int, digits: int) -> set[int]:
    """A value cut off and rounded, in units of the last digit, where it lies in the decade."""
    places = value / Fraction(10) ** (decade - digits + 1)
    both = {int(places), int(places + Fraction(1, 2))}
    return {n for n in both if 10 ** (digits - 1) <= n < 10**digits}
