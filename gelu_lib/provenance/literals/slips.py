"""Slips of the pen: a number that programs have, with digits exchanged, one doubled or one lost.

Nothing proves a slip, so it is named with the share of all decimals of its length that are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN
from fractions import Fraction
from functools import cache
from itertools import pairwise

from gelu_lib.provenance.literals.catalogue import Constant, constants
from gelu_lib.provenance.literals.literal import Reading
from gelu_lib.provenance.literals.products import shortened

SLIPS = {
    "ten": "ten times as large",
    "tenth": "a tenth of it",
    "exchanged": "two neighbouring digits exchanged",
    "doubled": "a digit doubled",
    "lost": "a digit lost",
    "hexadecimal": "one hexadecimal digit is another",
}
"""What a slip does to a number, in words."""

FEWEST_DIGITS = 4
"""Shorter decimals are a slip for something too often."""


@dataclass(frozen=True)
class Slip:
    """A constant that may have been ``meant``, as it is written; ``kind`` is a key of ``SLIPS``."""

    reading: Reading
    constant: Constant
    meant: str
    kind: str

    def __str__(self) -> str:
        name = "" if self.meant == self.constant.name else f" ({self.constant.name})"
        return f"may be a slip for {self.meant}{name}: {SLIPS[self.kind]}"


def slips(reading: Reading) -> list[Slip]:
    """The numbers of programs that a decimal or a word in fixed point is one slip away from."""
    if reading.kind == "fixed":
        return [*_slips_of_word(reading)]
    if reading.kind != "decimal" or reading.digits < FEWEST_DIGITS:
        return []
    found = by_value(reading.digits).get(reading.value, {})
    return [Slip(reading, constants()[id], *meant) for id, meant in found.items()]


def _slips_of_word(reading: Reading) -> Iterator[Slip]:
    """The constants whose word has another hexadecimal digit in one place, of three and more."""
    word = int(reading.value / reading.unit)
    digits = 8 if word >> 16 else 4
    for constant in constants().values():
        meant = round(constant.value / reading.unit)
        differ = word ^ meant
        place = (differ.bit_length() - 1) // 4 * 4
        if constant.is_met and min(word, meant) >= 16**2 and differ and not differ % 2**place:
            yield Slip(reading, constant, f"0x{meant:0{digits}X}", "hexadecimal")


@cache
def by_value(digits: int) -> Mapping[Fraction, dict[str, tuple[str, str]]]:
    """Every slip of so many digits: what was meant by it and the kind, by the ID of a constant."""
    found: dict[Fraction, dict[str, tuple[str, str]]] = {}
    for constant in constants().values():
        for longer in (0, -1, 1):
            for meant in _written(constant, digits + longer):
                for kind, value in _slips_of(meant, longer):
                    found.setdefault(value, {}).setdefault(constant.id, (meant, kind))
    return found


def _written(constant: Constant, digits: int) -> list[str]:
    """How programs have a constant in so many digits, if it was met; a decimal stands in full."""
    if not constant.is_met:
        return []
    if constant.decimal:
        in_full = len(constant.decimal.replace(".", "").lstrip("0")) == digits
        return [constant.decimal] if in_full else []
    both = (shortened(constant.value, digits, how) for how in (None, ROUND_DOWN))
    return list(dict.fromkeys(both))


def _slips_of(meant: str, longer: int) -> Iterator[tuple[str, Fraction]]:
    """Each slip that takes so many digits from a decimal, with its kind."""
    value = Fraction(meant)
    places = [i for i in range(len(meant)) if meant[i] != "." and meant[: i + 1].strip("0.")]
    if longer == -1:
        yield from (("doubled", Fraction(meant[:i] + meant[i] + meant[i:])) for i in places)
    elif longer == 1:
        yield from (("lost", Fraction(f"0{meant[:i]}{meant[i + 1 :]}")) for i in places)
    else:
        yield from (("ten", 10 * value), ("tenth", value / 10))
        for i, j in pairwise(places):
            if meant[i] != meant[j]:
                exchanged = meant[:i] + meant[j] + meant[i + 1 : j] + meant[i] + meant[j + 1 :]
                yield "exchanged", Fraction(exchanged)
