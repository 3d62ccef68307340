"""How much a match proves: how many numbers as short, or as near, match by accident."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import ceil, floor

from gelu_lib.floats.types import FLOAT_TYPES, floor_power
from gelu_lib.provenance.literals.catalogue import Constant, constants
from gelu_lib.provenance.literals.literal import Reading
from gelu_lib.provenance.literals.origin import FITTED_DIGITS
from gelu_lib.provenance.literals.slips import by_value

MOST_DECIMALS, MOST_BITS = 20, 60
"""The longest numbers of which a share is counted."""

REPORT_FROM = Fraction(1, 10_000)
"""An answer says how likely an accident is from this share on."""

_HALF = Fraction(1, 2)
_MATCHING = "some constant or product, rounded or cut off"
_DECADES = (-2, -1, 0)
_BINADES = range(-7, 3)


@cache
def matching_share(digits: int) -> Fraction:
    """The share of all decimals of so many digits that are some constant, shortened.

    All decimals from 0.01 to below 10 with that many significant digits are counted. One matches
    if a constant of the catalogue, or a product that leads to one, is this decimal if it is rounded
    or cut off to these digits; a fitted coefficient, if it is rounded to six digits or more.

    Args:
        digits: how many significant digits, from 1 to 20.

    Raises:
        ValueError: if ``digits`` is outside.
    """
    if type(digits) is not int or not 1 <= digits <= MOST_DECIMALS:
        raise ValueError(f"digits is {digits!r}; accepted is an integer from 1 to {MOST_DECIMALS}")
    return _share(10, _DECADES, digits - 1, _fitted() if digits >= FITTED_DIGITS else frozenset())


@cache
def matching_share_of_bits(bits: int) -> Fraction:
    """The share of all binary numbers with so many bits behind the first that are some constant.

    All numbers from 1/128 to below 8 are counted whose binary digits end so many places behind the
    leading one; bfloat16 has 7, float16 has 10. One matches if a constant of the catalogue, or a
    product that leads to one, is this number if it is rounded or cut off to these bits.

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
        For instance ``of the decimals of 4 digits from 0.01 to 10, 1 in N is some constant or
        product, rounded or cut off``. None for a fraction, and none where the share is below
        ``REPORT_FROM``.
    """
    clauses = []
    if reading.kind == "decimal":
        clauses.append(decimal_accident_note(reading.digits))
    elif reading.unit:
        clauses.append(bit_accident_note(floor_power(reading.value / reading.unit, 2)))
    clauses += [
        bit_accident_note(FLOAT_TYPES[type].digits) for type in types if type != reading.type
    ]
    return [clause for clause in dict.fromkeys(clauses) if clause]


def decimal_accident_note(digits: int) -> str:
    """The clause on decimals of so many digits; empty if the share is below ``REPORT_FROM``."""
    share = matching_share(digits) if digits <= MOST_DECIMALS else Fraction(0)
    return _accident_note(share, f"decimals of {digits} digit{'s' * (digits > 1)} from 0.01 to 10")


def bit_accident_note(bits: int) -> str:
    """The clause on numbers with so many bits behind the first, as ``decimal_accident_note``."""
    share = matching_share_of_bits(bits) if bits <= MOST_BITS else Fraction(0)
    return _accident_note(share, f"numbers of {bits + 1} bit{'s' * (bits > 0)} from 1/128 to 8")


def slip_accident_note(digits: int) -> str:
    """The clause on slips among the decimals of so many digits, as ``decimal_accident_note``."""
    values = by_value(digits) if digits <= MOST_DECIMALS else ()
    share = Fraction(sum(Fraction(1, 100) <= x < 10 for x in values), 27 * 10 ** (digits - 1))
    return _accident_note(
        share, f"decimals of {digits} digits from 0.01 to 10", "a slip for some number"
    )


def as_near(reading: Reading, constant: Constant, kind: str, way: str) -> str:
    """The clause on how many numbers are as near to a constant, and how many are made alike.

    Few are as near as a decimal with a wrong last digit, or as a float beside the nearest one, so
    it proves little if one of them is a product, or what rounded steps come to. It is empty for
    another ``kind`` of match, and below ``REPORT_FROM``.
    """
    number, unit, those = reading.value, reading.unit, reading.type or "numbers with as many places"
    similar = [number]
    if kind.startswith("made"):
        similar = [w.value for w in constant.ways if w.kind == "made"]
    elif kind == "steps":
        similar = [w.value for w in constant.ways if w.kind == kind and w.name == way]
        number, those, type = similar[0], way, FLOAT_TYPES[way]
        unit = Fraction(2) ** (max(floor_power(number, 2), type.least_exponent) - type.digits)
    elif kind != "truncated" or not reading.type:
        return ""
    middle, within = constant.value / unit, abs(number - constant.value) / unit
    all_near = floor(middle + within) - ceil(middle - within) + 1
    made = {n for value in similar for n in (floor(value / unit), floor(value / unit + _HALF))}
    near = sum(abs(n - middle) <= within for n in made)
    are = "is" if near == 1 else "are"
    clause = f"of the {all_near:,} {those} no farther from {constant.name}, {near} {are} made so"
    return clause if Fraction(near, all_near) >= REPORT_FROM else ""


def _accident_note(share: Fraction, those: str, what: str = _MATCHING) -> str:
    if share < REPORT_FROM:
        return ""
    often = f"1 in {round(1 / share):,}" if share <= _HALF else "more than every second"
    return f"of the {those}, {often} is {what}"


def _share(
    base: int,
    powers: range | tuple[int, ...],
    places: int,
    only_rounded: frozenset[Fraction] = frozenset(),
) -> Fraction:
    """The share among all numbers in these powers with so many digits behind the first."""
    matching = {
        (power, number)
        for value in _values() | only_rounded
        for power in _reached(value, base)
        if power in powers
        for number in _shortened(value, base, power, places, value not in _values())
    }
    return Fraction(len(matching), len(powers) * (base - 1) * base**places)


@cache
def _values() -> frozenset[Fraction]:
    """Every constant that is rounded or cut off, and every product that leads to one."""
    known = [constant for constant in constants().values() if constant.group != "fitted"]
    made = {way.value for constant in known for way in constant.ways if way.kind == "made"}
    return frozenset(made | {constant.value for constant in known})


@cache
def _fitted() -> frozenset[Fraction]:
    """Every fitted coefficient."""
    return frozenset(c.value for c in constants().values() if c.group == "fitted")


@cache
def _reached(value: Fraction, base: int) -> tuple[int, ...]:
    """The powers in which a value may lie, cut off or rounded: its own, and the next one."""
    power = floor_power(value, base)
    return power, power + 1


def _shortened(value: Fraction, base: int, power: int, places: int, rounded: bool) -> Iterator[int]:
    """A value rounded, and else cut off, too, in units of the last digit, if in the power."""
    units = value / Fraction(base) ** (power - places)
    for number in {int(units + _HALF), int(units + _HALF if rounded else units)}:
        if base**places <= number < base ** (places + 1):
            yield number
