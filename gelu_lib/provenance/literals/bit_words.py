"""What a word of bits may be beside a float: a number in fixed point, or two packed float16."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from gelu_lib.provenance.literals.catalogue import constants
from gelu_lib.provenance.literals.literal import LiteralError, Reading, read_literal
from gelu_lib.provenance.literals.origin import rounding

FORMATS = 'a word of bits and its format, such as "0x002DC6C5 as Q5.26" or "16\'hCC42 as UQ0.16"'
"""What is accepted of fixed point. Q has a sign, so many bits before the point and so many behind
it; UQ has no sign."""

_WORD = re.compile(
    r"[+-]?(?:(\d{1,3})'(s?[bdh])|(0x)?)([\da-f_]+)[ul]*(?:\s+as\s+(u?)q(\d{1,3})\.(\d{1,3}))?",
    re.ASCII,
)
FEWEST_BITS = 12
"""A shorter word is some constant in some format too often."""


def read_word(text: str) -> tuple[Reading, ...]:
    """The readings of a word: in the format that it has, or in those in which it is a constant.

    Without a format, a word of Verilog such as ``32'sh002DC9C5`` or of eight hexadecimal digits is
    tried in each format of its width; eight digits also as two float16 that are constants or equal.
    A word of Verilog that is none is the bits of a float, as one with 0x is. A hexadecimal word
    with a format may do without its leading zeros; if it has one, it has them all.

    Raises:
        LiteralError: if a word does not have as many bits as its format, or is 0; if what has a
            format is no word, or the format none; or for a word of Verilog without one that is no
            constant in any and no float.
    """
    refused = f"literal is {text!r}"
    found = _WORD.fullmatch(text.strip().lower().replace("−", "-"))
    if not found and re.search(r"\sas\b", text):
        raise LiteralError(f"{refused}; with a format (as_type, --as) accepted is {FORMATS}")
    width, kind, prefix, digits, unsigned, before, behind = found.groups() if found else [""] * 7
    if not (kind or prefix or behind):
        return ()
    base = 16 if prefix else {"b": 2, "h": 16}.get((kind or "d")[-1], 10)
    digits = digits.replace("_", "")
    try:
        word, size = int(digits, base), int(width or 4 * len(digits))
    except ValueError:
        if behind:
            raise LiteralError(f"{refused}, of other digits; accepted is {FORMATS}") from None
        return ()
    written = size if width or (prefix and digits[0] == "0") else 0
    if behind:
        size, places = int(before) + int(behind) + (not unsigned), [int(behind)]
    else:
        unsigned = bool(kind) and "s" not in kind
        places = range(size + 1 if kind or size == 32 else 0)
    if not size or word >> size:
        raise LiteralError(f"{refused}, of more than {size} bits; accepted is {FORMATS}")
    if behind and written and not size <= written < size + (1 if width else 4):
        many = f"a word of {written} bits for a format of {size}"
        raise LiteralError(f"{refused}, {many}; accepted is {FORMATS}")
    readings = [*_in_fixed_point(word, size, places, bool(unsigned))]
    if not behind:
        readings = [reading for reading in readings if _is_constant(reading)]
        readings += _halves(digits) if prefix else []
    if not (readings or behind) and kind and size in (16, 32, 64):
        with suppress(LiteralError):  # no finite number
            return read_literal(f"0x{word:0{size // 4}x}")
    if not readings and (kind or behind):
        what = "which is 0" if behind else "no constant in any format"
        raise LiteralError(f"{refused}, {what}; accepted is {FORMATS}")
    return (*readings,)


def _in_fixed_point(
    word: int, size: int, places: Iterable[int], unsigned: bool
) -> Iterator[Reading]:
    """A word of so many bits with so many places behind the point, if it is not 0."""
    number = abs(word - (0 if unsigned else word >> size - 1 << size))
    sign, whole = ("U", size) if unsigned else ("", size - 1)
    for n in places:
        if n <= whole and number:
            value, unit = Fraction(number, 2**n), Fraction(1, 2**n)
            yield Reading("fixed", value, unit, 0, f"{sign}Q{whole - n}.{n}")


def _halves(digits: str) -> list[Reading]:
    """Two float16 of a word of eight digits, if they are constants or equal; one if they are."""
    if len(digits) != 8:
        return []
    parts = dict.fromkeys((digits[:4], digits[4:]))
    try:
        read = [reading for part in parts for reading in read_literal(f"0x{part}")]
    except LiteralError:  # no finite number
        return []
    halves = [replace(r, kind="packed") for r in read if r.type == "float16"]
    both = len(halves) == len(parts) and (len(parts) == 1 or all(map(_is_constant, halves)))
    return halves if both else []


def _is_constant(reading: Reading) -> bool:
    """Whether a word is a constant of programs, rounded or cut off, with enough bits to tell."""
    known = (constant.value for constant in constants().values() if constant.is_met)
    few = reading.kind == "fixed" and reading.value < 2**FEWEST_BITS * reading.unit
    return not few and any(rounding(reading.value, reading.unit, value) for value in known)
