"""How a literal was made from a constant, as far as its digits show it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from gelu_lib.floats.types import FLOAT_TYPES, nearest_float
from gelu_lib.provenance.literals.catalogue import Constant, Way
from gelu_lib.provenance.literals.formula_input import KEPT_DIGITS
from gelu_lib.provenance.literals.literal import Reading

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "exact": "exactly this number",
        "rounded": "this number, rounded to {unit}",
        "truncated": "this number, cut off to {unit} and not rounded",
        "exact-float": "exactly the {way} nearest to this number",
        "shortest": "the {way} nearest to this number, in the shortest decimal that gives it back",
        "float": "the {way} nearest to this number, in more digits than give it back",
        "steps": "what {way} makes of the formula, every operation rounded",
        "made-exact": "{way}, with all digits",
        "made": "{way}, rounded to {unit}",
        "made-truncated": "{way}, cut off to {unit} and not rounded",
        "spelled": "the {way}, which was met for this number",
        "printed": "printed for this number, though no rounding of it has these digits",
        "wrong": "meant for this number, it seems, but no known way leads to its last digits",
        "undecided": "the same in every known digit of this number, and has more digits",
    }
)
"""What a literal can be to a constant, by name, as a sentence."""

UNITS: Mapping[str, str] = MappingProxyType(
    {
        "decimal": "the digits written",
        "hexadecimal": "the hexadecimal digits written",
        "formula": f"the {KEPT_DIGITS} digits to which a formula is calculated",
    }
)
"""To what a number is rounded that is read so; one in a type, to the type."""

BY_FLOAT = ("exact-float", "shortest", "float", "steps")
"""The kinds whose way is a float type, since the literal is a float or stands for one."""

FEWEST_PLACES = 100
"""A literal of fewer units of its last place, which for a decimal means fewer than three
significant digits, is close to too many numbers to be called a rounding of one."""

FITTED_DIGITS = 6
"""Of a fitted coefficient, so many digits tell it when it is rounded; it is not cut off."""

MEANT_DIGITS = 7
"""With so many right digits, and wrong ones behind, a decimal is still taken for the constant."""


def explain(reading: Reading, constant: Constant, right_digits: int) -> tuple[str, str] | None:
    """The simplest way from a constant to a literal.

    A literal that only comes near is not explained. It would have to be the constant, or the
    constant rounded or cut off to the written digits, or come along one of its ways, or be known
    from print, or be a decimal with at least ``MEANT_DIGITS`` right digits. Of a hexadecimal float
    it comes first that it is the float nearest to the constant, since such a literal is written to
    give a float exactly.

    Args:
        reading: the literal.
        constant: the constant.
        right_digits: how many digits of the literal are right.

    Returns:
        A key of ``KINDS`` and the name of the way, empty where the kind has none; ``None`` if no
        way is known.
    """
    number, unit = reading.value, reading.unit
    if number == constant.value and not constant.uncertainty:
        return "exact", ""
    printed, fitted = number in constant.printed, constant.group == "fitted"
    if unit and (printed or number >= FEWEST_PLACES * unit):
        if reading.kind == "hexadecimal":
            for way in constant.ways:
                if way.kind == "float" and way.value == number:
                    return "exact-float", way.name
        if constant.uncertainty > unit / 2:
            if abs(number - constant.value) <= constant.uncertainty + unit:
                return "undecided", ""
        elif (kind := rounding(number, unit, constant.value)) and (
            not fitted or (kind == "rounded" and reading.digits >= FITTED_DIGITS)
        ):
            return kind, ""
        for way in constant.ways:
            if kind := _along(way, number, unit):
                return kind, way.name
    if printed:
        return "printed", ""
    meant = MEANT_DIGITS <= right_digits < reading.digits and not fitted
    if reading.kind == "decimal" and meant:
        return "wrong", ""
    return None


def rounding(number: Fraction, unit: Fraction, value: Fraction) -> str:
    """Whether a number is a value rounded or cut off to a unit; empty if it is neither.

    A value in the middle of two units may have been rounded up or to the even one.
    """
    below, tie = value - number, 2 * abs(value - number) == unit
    if 2 * abs(below) < unit or (tie and (below < 0 or number / unit % 2 == 0)):
        return "rounded"
    return "truncated" if 0 <= below < unit else ""


def _along(way: Way, number: Fraction, unit: Fraction) -> str:
    """The kind of a literal that comes along this way; empty if it does not."""
    if way.kind == "spelled":
        return "spelled" if number == way.value else ""
    kind = rounding(number, unit, way.value)
    if way.kind == "made":
        made = {"rounded": "made", "truncated": "made-truncated"}.get(kind, "")
        return "made-exact" if number == way.value else made
    type = FLOAT_TYPES[way.name]
    if kind != "rounded" or nearest_float(number, type) != way.value:
        return ""
    if number == way.value and way.kind == "float":
        return "exact-float"
    fewer_digits = round(way.value / (10 * unit)) * 10 * unit
    needed = way.kind == "float" and nearest_float(fewer_digits, type) != way.value
    return "shortest" if needed else way.kind


def sentence(reading: Reading, kind: str, way: str) -> str:
    """What ``explain`` found, in words."""
    return KINDS[kind].format(way=way, unit=UNITS.get(reading.kind, reading.type))
