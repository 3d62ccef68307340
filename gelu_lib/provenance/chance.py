"""How much a match proves: how many short numbers match a constant by accident."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

from gelu_lib.floats.types import FLOAT_TYPES, floor_power
from gelu_lib.provenance.catalogue import constants
from gelu_lib.provenance.literals import Reading

MOST_DIGITS, MOST_BITS = 20, 60
"""The longest numbers of which a share is counted."""

TOLD = Fraction(1, 10_000)
"""An answer says how likely an accident is from this share on."""

_DECADES = (-2, -1, 0)
_BINADES = range(-7, 3)


@cache
def matching_share(digits: int) -> Fraction:
    """The share of all decimals of so many digits that are some constant, shortened.

    All decimals from 0.01 to below 10 with that many significant digits are counted. One matches
    if a constant of the catalogue, rounded or cut off to these digits, is this decimal.

    Args:
        digits: how many significant digits, from 1 to 20.

    Raises:
        ValueError: if ``digits`` is outside.
    """
    if type(digits) is not int or not 1 <= digits <= MOST_DIGITS:
        raise ValueError(f"digits is {digits!r}; accepted is an integer from 1 to {MOST_DIGITS}")
    return _share(10, _DECADES, digits - 1)


@cache
def matching_share_of_bits(bits: int) -> Fraction:
    """The share of all binary numbers with so many bits behind the first that are some constant.

    All numbers from 1/128 to below 8 are counted whose binary digits end so many places behind the
    leading one; bfloat16 has 7, float16 has 10. One matches if a constant of the catalogue, rounded
    or cut off to these bits, is this number.

    Args:
        bits: how many bits behind the first, from 0 to 60.

    Raises:
        ValueError: if ``bits`` is outside.
    """
    if type(bits) is not int or not 0 <= bits <= MOST_BITS:
        raise ValueError(f"bits is {bits!r}; accepted is an integer from 0 to {MOST_BITS}")
    return _share(2, _BINADES, bits)


def accidents(reading: Reading, types: Iterable[str] = ()) -> list[str]:
    """How often a number as short as a literal is some constant by accident, as clauses.

    Args:
        reading: the literal as it was read.
        types: the float types by way of which constants lead to it. A decimal that is a float of a
            type is no more worth than the bits of the float.

    Returns:
        For instance ``of the decimals of 4 digits from 0.01 to 10, 1 in N is some constant,
        rounded or cut off``. None for a fraction, and none where the share is below ``TOLD``.
    """
    clauses = []
    if reading.kind == "decimal":
        clauses.append(decimals_told(reading.digits))
    elif reading.unit:
        clauses.append(bits_told(floor_power(reading.value / reading.unit, 2)))
    clauses += [bits_told(FLOAT_TYPES[type].digits) for type in types if type != reading.type]
    return [clause for clause in dict.fromkeys(clauses) if clause]


def decimals_told(digits: int) -> str:
    """The clause on decimals of so many digits; empty if the share is below ``TOLD``."""
    share = matching_share(digits) if digits <= MOST_DIGITS else Fraction(0)
    return _told(share, f"decimals of {digits} digit{'s' * (digits > 1)} from 0.01 to 10")


def bits_told(bits: int) -> str:
    """The clause on numbers with so many bits behind the first, as ``decimals_told``."""
    share = matching_share_of_bits(bits) if bits <= MOST_BITS else Fraction(0)
    return _told(share, f"numbers of {bits + 1} bit{'s' * (bits > 0)} from 1/128 to 8")


def _told(share: Fraction, those: str) -> str:
    if share < TOLD:
        return ""
    often = f"1 in {round(1 / share):,}" if share <= Fraction(1, 2) else "more than every second"
    return f"of the {those}, {often} is some constant, rounded or cut off"


def _share(base: int, powers: range | tuple[int, ...], places: int) -> Fraction:
    """The share among all numbers in these powers with so many digits behind the first."""
    matching = {
        (power, number)
        for constant in constants().values()
        for power in _reached(constant.value, base)
        if power in powers
        for number in _shortened(constant.value, base, power, places)
    }
    return Fraction(len(matching), len(powers) * (base - 1) * base**places)


@cache
def _reached(value: Fraction, base: int) -> tuple[int, ...]:
    """The powers in which a value may lie, cut off or rounded: its own, and the next one."""
    power = floor_power(value, base)
    return power, power + 1


def _shortened(value: Fraction, base: int, power: int, places: int) -> Iterator[int]:
    """A value cut off and rounded, in units of the last digit, where it lies in the power."""
    units = value / Fraction(base) ** (power - places)
    for number in {int(units), int(units + Fraction(1, 2))}:
        if base**places <= number < base ** (places + 1):
            yield number
