"""Number literals as they stand in programs, read exactly.

A literal says more than a number: its last written place says how far it was rounded. So a reading
keeps the number as a fraction and the unit of the last place beside it.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gelu_lib.floats.types import FLOAT_TYPES, FloatType, nearest_float

LONGEST = 50
"""The most significant digits that a literal may have. The constants stand with more."""

LONGEST_TEXT = 200
"""The most characters that a literal may have, since zeros behind the point are no digits of it."""

ACCEPTED = (
    'a decimal such as "0.044715", ".0357" or "1e-3", with or without the f of C; a fraction such '
    'as "11/123"; a hexadecimal float such as "0x1.988454p-1"; the bits of a finite float as 4, 8 '
    'or 16 hexadecimal digits such as "0x3f4c422a"'
)
"""What a literal may be, in words."""

_WIDEST = FLOAT_TYPES["float64"]

SIZES = f"sizes from {_WIDEST.smallest:.2g} to {_WIDEST.greatest:.2g}"
"""How large a literal may be, in words. The widest type rounds all others to 0 or to infinity."""

_DECIMAL = re.compile(r"(\d+\.?\d*|\.\d+)(?:e([+-]?\d{1,4}))?[fl]?", re.ASCII)
_FRACTION = re.compile(r"(\d+)/(\d+)", re.ASCII)
_HEXADECIMAL = re.compile(r"0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d{1,4})[fl]?", re.ASCII)
_BITS = re.compile(r"0x([0-9a-f]{16}|[0-9a-f]{8}|[0-9a-f]{4})[ul]*")
_SIGN = re.compile(r"^[+-]")  # one
_GAP = re.compile(r"(?<=\d)[ _'’](?=\d)", re.ASCII)
_COMMA = re.compile(r"([+-]?\d+),(\d+)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", re.ASCII)
_SUFFIX = re.compile(r"([+-]?[\d.]+(?:e[+-]?\d+)?)_?[a-df-z]\w*", re.ASCII)
_TYPES_BY_LENGTH = {4: ("bfloat16", "float16"), 8: ("float32",), 16: ("float64",)}


class LiteralError(ValueError):
    """A text that is no literal of a number that a float holds; the message says what is accepted.

    The number must not be 0.
    """


@dataclass(frozen=True)
class Reading:
    """One way to read a literal. The sign is dropped.

    Attributes:
        kind: ``"decimal"``, ``"fraction"``, ``"hexadecimal"`` or ``"bits"``; ``"formula"`` for one
            that ``formula_input.read_formula`` has read.
        value: the number, exactly.
        unit: the unit of the last place that is written, of a bit pattern the spacing of its
            type, of a formula that of the last digit kept; 0 for a fraction, which is not rounded.
        digits: how many significant digits are written, hexadecimal ones in a hexadecimal float;
            0 for a fraction, a bit pattern and a formula.
        type: the type of a bit pattern; empty otherwise.
    """

    kind: str
    value: Fraction
    unit: Fraction
    digits: int = 0
    type: str = ""


def read_literal(literal: str) -> tuple[Reading, ...]:
    """Every reading of a literal: one, or two where four hexadecimal digits leave the type open.

    Args:
        literal: the text, in one of the forms that ``ACCEPTED`` names, with or without a sign.

    Returns:
        The readings, bfloat16 before float16.

    Raises:
        TypeError: if it is not a string.
        LiteralError: if it is none of these forms, is 0, is too large or too small for every float
            type, has more than ``LONGEST`` significant digits or ``LONGEST_TEXT`` characters, or is
            the bit pattern of no finite number. Where it can be guessed what is meant, the message
            says it.
    """
    if not isinstance(literal, str):
        raise TypeError(
            f"literal is {literal!r} of type {type(literal).__name__}; accepted is a string, "
            "because the digits as written say how a number was made"
        )
    if len(literal) > LONGEST_TEXT:
        raise LiteralError(
            f"literal is {reprlib.repr(literal)} of {len(literal)} characters; accepted are at "
            f"most {LONGEST_TEXT}"
        )
    text = _plain(literal)
    if not text:
        raise LiteralError(f"literal is {literal!r}, an empty text; accepted is {ACCEPTED}")
    readings = tuple(_readings(_SIGN.sub("", text)))
    if not readings:
        near = suggestion(literal)
        meant = f"; did you mean {near!r}?" if near else ""
        raise LiteralError(f"literal is {literal!r}; accepted is {ACCEPTED}{meant}")
    if any(reading.digits > LONGEST for reading in readings):
        raise LiteralError(f"literal is {literal!r}; accepted are at most {LONGEST} digits")
    numbers = tuple(reading for reading in readings if reading.value)
    if not numbers:
        raise LiteralError(f"literal is {literal!r}, which is 0; accepted is another number")
    if not any(_is_held(reading) for reading in numbers):
        raise LiteralError(
            f"literal is {literal!r}, which is out of the range of every float type; accepted are "
            f"{SIZES}"
        )
    return numbers


def suggestion(literal: str) -> str:
    """What may be meant by a text that cannot be read.

    A decimal comma becomes a point. What groups digits goes: spaces, underscores, apostrophes, and
    commas before three digits each if there are several or a point follows. The suffix of a type
    goes.

    Returns:
        A literal that can be read, or an empty string.
    """
    text = _GAP.sub("", _plain(literal))
    if found := _COMMA.fullmatch(text):
        text = f"{found[1]}.{found[2]}"
    elif _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    elif found := _SUFFIX.fullmatch(text):
        text = found[1]
    readings = _readings(_SIGN.sub("", text))
    readable = any(r.value and r.digits <= LONGEST and _is_held(r) for r in readings)
    return text if readable else ""


def _is_held(reading: Reading) -> bool:
    """Whether the widest float type rounds a number neither to 0 nor to infinity."""
    return bool(nearest_float(reading.value, _WIDEST))


def _plain(literal: str) -> str:
    return literal.strip().lower().replace("−", "-")


def _readings(text: str) -> Iterator[Reading]:
    if found := _BITS.fullmatch(text):
        for name in _TYPES_BY_LENGTH[len(found[1])]:
            yield from _of_bits(int(found[1], 16), 4 * len(found[1]), FLOAT_TYPES[name])
    elif found := _HEXADECIMAL.fullmatch(text):
        whole, decimals, exponent = found[1], found[2] or "", int(found[3])
        yield _positional("hexadecimal", whole, decimals, Fraction(2) ** exponent, 16)
    elif found := _FRACTION.fullmatch(text):
        if int(found[2]):
            yield Reading("fraction", Fraction(int(found[1]), int(found[2])), Fraction(0))
    elif found := _DECIMAL.fullmatch(text):
        whole, _, decimals = found[1].partition(".")
        scale = Fraction(10) ** int(found[2] or 0)
        yield _positional("decimal", whole, decimals, scale, 10)


def _positional(kind: str, whole: str, decimals: str, scale: Fraction, base: int) -> Reading:
    written = (whole + decimals).lstrip("0")
    unit = scale / Fraction(base) ** len(decimals)
    return Reading(kind, int(written or "0", base) * unit, unit, len(written))


def _of_bits(bits: int, size: int, kind: FloatType) -> Iterator[Reading]:
    """The float with these bits: sign, exponent, digits behind the point. None if not finite."""
    exponent_bits = size - 1 - kind.digits
    exponent = bits >> kind.digits & (1 << exponent_bits) - 1
    fraction = bits & (1 << kind.digits) - 1
    if exponent == (1 << exponent_bits) - 1:
        return
    significand = fraction + (1 << kind.digits) * (exponent > 0)
    unit = Fraction(2) ** (kind.least_exponent - kind.digits + max(exponent, 1) - 1)
    yield Reading("bits", significand * unit, unit, type=kind.name)
