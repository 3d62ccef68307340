"""The reverse look-up: which constants a literal stands for, and how it was made."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gelu_lib.floats import FLOAT_TYPES
from gelu_lib.magic_numbers.catalogue import Constant, constants
from gelu_lib.magic_numbers.literals import Reading, read
from gelu_lib.magic_numbers.making import explain, sentence
from gelu_lib.magic_numbers.roundings import nearest_float, scientific
from gelu_lib.register import agreeing_digits

__all__ = ["Answer", "Match", "lookup"]

_SHOWN = 30  # digits of a constant in an answer
_NEAREST = 3


@dataclass(frozen=True)
class Match:
    """A constant and what a literal is to it.

    Attributes:
        reading: how the literal was read.
        constant: the constant.
        kind: how the literal was made from it, a key of ``gelu_lib.magic_numbers.making.KINDS``;
            empty for a constant that is only near.
        way: the type or formula on the way; empty if there is none.
        relative_difference: \\|literal − constant\\| / constant, of the digits that are known.
        right_digits: how many significant digits are right, that is how many n there are such that
            the difference is at most half a unit of the n-th digit of the constant.
        same_floats: the float types in which the literal and the constant round to one float.
    """

    reading: Reading
    constant: Constant
    kind: str
    way: str
    relative_difference: Fraction
    right_digits: int
    same_floats: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What the literal is to the constant, in words; empty for one that is only near."""
        return sentence(self.reading, self.kind, self.way) if self.kind else ""

    def __str__(self) -> str:
        lines = [f"{self.constant.name} = {shortened(self.constant.digits)}"]
        if self.kind:
            lines.append(f"is {self.sentence}")
        lines.append(f"relative difference {scientific(self.relative_difference, 2)}")
        if self.reading.digits and self.relative_difference:
            right = min(self.right_digits, self.reading.digits)
            lines[-1] += f"; {right} of {self.reading.digits} digits right"
        if self.same_floats:
            lines.append(f"the same {', '.join(self.same_floats)}")
        return "\n    ".join(lines)


@dataclass(frozen=True, repr=False)
class Answer:
    """What the look-up of a literal found.

    Attributes:
        literal: the literal as it was given.
        readings: how it can be read.
        matches: the constants that it stands for: first those that it equals, then those of
            programs before those of the register, each by distance.
        nearest: the nearest constants that it does not stand for.
    """

    literal: str
    readings: tuple[Reading, ...]
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]

    def __str__(self) -> str:
        lines = [self.literal]
        for reading in self.readings:
            if reading.type:
                lines.append(f"  as {reading.type} {float(reading.value)!r}")
            lines += [f"  {match}" for match in self.matches if match.reading == reading]
            if not any(match.reading == reading for match in self.matches):
                lines.append("  stands for no constant that is known here; the nearest:")
                lines += [f"  {near}" for near in self.nearest if near.reading == reading]
        return "\n".join(lines)

    __repr__ = __str__


def lookup(literal: str) -> Answer:
    """Which known constants a number in a program stands for.

    A constant matches only if the digits of the literal can be explained from it: by rounding, by
    cutting off, by way of a float type or of a product of rounded constants, or because somebody
    printed them for it. What is only near is given as near. The sign does not matter.

    Args:
        literal: the number as it is written: a decimal such as ``"0.1070322243"`` or
            ``"0.797884560804236f"``, a fraction such as ``"11/123"``, a hexadecimal float such as
            ``"0x1.988454p-1"``, or the bits of a float such as ``"0x3f4c422a"``. Four hexadecimal
            digits are read as bfloat16 and as float16.

    Returns:
        The matches and the nearest other constants, of every reading.

    Raises:
        TypeError: if it is not a string.
        LiteralError: if it is none of these forms; a ``ValueError`` that says what is accepted.
    """
    return _answer(literal, read(literal))


@lru_cache(maxsize=2**10)  # tables and figures ask for the same literals
def _answer(literal: str, readings: tuple[Reading, ...]) -> Answer:
    matches: list[Match] = []
    nearest: list[Match] = []
    for reading in readings:
        ranked = _ranked(reading)
        matches += sorted((m for m in ranked if m.kind), key=_order)
        nearest += [m for m in ranked if not m.kind][:_NEAREST]
    return Answer(literal, readings, tuple(matches), tuple(nearest))


def shortened(digits: str) -> str:
    """At most 30 significant digits of a decimal, cut, with … where it was cut."""
    digits, e, exponent = digits.partition("e")
    whole, point, decimals = digits.partition(".")
    leading = len(decimals) - len(decimals.lstrip("0")) if whole.strip("0") == "" else 0
    room = max(0, _SHOWN + leading - len(whole.lstrip("0")))
    cut = digits if len(decimals) <= room else whole + point + decimals[:room] + "…"
    return cut + e + exponent


def _order(match: Match) -> tuple[bool, bool]:
    return match.kind != "exact", match.constant.group == "register"


def _ranked(reading: Reading) -> list[Match]:
    """Every constant, nearest first, with what the literal is to it."""
    matches = [_match(reading, constant) for constant in constants().values()]
    return sorted(matches, key=lambda match: match.relative_difference)


def _match(reading: Reading, constant: Constant) -> Match:
    distance = abs(reading.value - constant.value) / constant.value
    if distance > Fraction(1, 2) and reading.value not in constant.printed:
        return Match(reading, constant, "", "", distance, 0, ())  # not a single digit is right
    right = agreeing_digits(reading.value, constant.value)
    kind, way = explain(reading, constant, right) or ("", "")
    return Match(reading, constant, kind, way, distance, right, _same_floats(reading, constant))


def _same_floats(reading: Reading, constant: Constant) -> tuple[str, ...]:
    near = {
        name: nearest_float(reading.value, kind)
        for name, kind in FLOAT_TYPES.items()
        if not reading.type or name == reading.type
    }
    return tuple(
        name
        for name, float_ in near.items()
        if float_ and float_ == nearest_float(constant.value, FLOAT_TYPES[name])
    )
