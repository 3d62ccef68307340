"""What a word of bits may be beside a float: a number in fixed point, or two packed float16."""

from __future__ import annotations

import re
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

    Raises:
        LiteralError: if the word does not fit into its format, or is one of Verilog without one and
            no constant in any.
    """
    found = _WORD.fullmatch(text.strip().lower().replace("−", "-"))
    width, kind, prefix, digits, unsigned, before, behind = found.groups() if found else [""] * 7
    if not (kind or prefix or behind):
        return ()
    base = 16 if prefix else {"b": 2, "h": 16}.get((kind or "d")[-1], 10)
    digits = digits.replace("_", "")
    try:
        word, size = int(digits, base), int(width or 4 * len(digits))
    except ValueError:
        return ()
    if behind:
        size, places = int(before) + int(behind) + (not unsigned), [int(behind)]
    else:
        unsigned = bool(kind) and "s" not in kind
        places = range(size + 1 if kind or size == 32 else 0)
    if not size or word >> size:
        raise LiteralError(f"literal is {text!r}, of more than {size} bits; accepted is {FORMATS}")
    number = abs(word - (0 if unsigned else word >> size - 1 << size))
    sign, whole = ("U", size) if unsigned else ("", size - 1)
    readings = [
        Reading("fixed", Fraction(number, 2**n), Fraction(1, 2**n), 0, f"{sign}Q{whole - n}.{n}")
        for n in places
        if n <= whole and number
    ]
    if not behind:
        readings = [reading for reading in readings if _is_constant(reading)]
        readings += _halves(digits) if prefix else []
    if not readings and kind:
        raise LiteralError(f"literal is {text!r}, no constant in any format; accepted is {FORMATS}")
    return (*readings,)


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
