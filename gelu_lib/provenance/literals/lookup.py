"""The reverse look-up: which constants a literal stands for, and how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice

import numpy as np

from gelu_lib.floats.types import FLOAT_TYPES, nearest_float, ordinal
from gelu_lib.provenance.literals import products
from gelu_lib.provenance.literals.bit_words import read_word
from gelu_lib.provenance.literals.catalogue import ASIDE, Constant, constants
from gelu_lib.provenance.literals.chance import accidents, as_near, slip_accident_note
from gelu_lib.provenance.literals.formula_input import (
    IN_FORMULAS,
    FormulaError,
    is_formula,
    read_formula,
)
from gelu_lib.provenance.literals.literal import LONGEST_TEXT, LiteralError, Reading, read_literal
from gelu_lib.provenance.literals.origin import BY_FLOAT, FEWEST_PLACES, explain, sentence
from gelu_lib.provenance.literals.slips import Slip, slips
from gelu_lib.provenance.literals.values import (
    FunctionValue,
    read_pair,
    told_apart,
    values_at,
    values_of,
)
from gelu_lib.register import agreeing_digits

NEAREST = 3
"""How many constants at most are named where a literal stands for none."""

NEAR_DIGITS = 3
"""How many digits must be right for a constant to be called near."""

NEAR_RESULT = Fraction(1, 10_000)
"""So near, relatively, must a coefficient be that stands in the register and in no program."""

_NOT_KNOWN = "is no number known here from GELU code, from a formula for Φ or from this book"

UNKNOWN_KINDS = {
    "near": f"{_NOT_KNOWN}; the nearest:",
    "alone": f"{_NOT_KNOWN}, and none is near",
    "short": "has too few digits to tell a constant by",
    "word": f'{_NOT_KNOWN}; in fixed point it has to have a format, as in "0x002DC6C5 as Q5.26"',
}
"""What is said of a reading that stands for no constant."""

NO_VALUE = "no function known here has this value; the nearest:"

MOST_STEPS = 9
"""Up to so many floats from that of a constant, their number is told."""

_SHOWN = 30  # digits of a constant in an answer


@dataclass(frozen=True)
class Match:
    """A constant and what a literal is to it.

    Attributes:
        reading: how the literal was read.
        constant: the constant.
        kind: how the literal was made from it, a key of ``origin.KINDS``; empty for a constant
            that is only near.
        way: the type or formula on the way; empty if there is none.
        relative_difference: \\|literal − constant\\| / constant, of the digits that are known.
        right_digits: how many significant digits are right: the largest n such that the difference
            is at most half a unit of the n-th digit of the constant, at most 1000. 0 if the
            difference is more than half of the constant.
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

    @property
    def other_floats(self) -> tuple[str, ...]:
        """How many floats above or below that of the constant it is, where that are few."""
        steps = ((name, _steps(name, *two)) for name, two in _floats(self.reading, self.constant))
        return tuple(
            f"{'one' if abs(n) == 1 else abs(n)} {name} {'above' if n > 0 else 'below'}"
            for name, n in steps
            if 0 < abs(n) <= MOST_STEPS
        )

    def __str__(self) -> str:
        name, digits = self.constant.name, self.constant.digits
        lines = [f"{name} = {abridged(digits)}" if name != digits else name]
        if self.constant.group != "register":  # there the name is a title
            lines.append(self.constant.meaning)
        if self.kind:
            lines.append(f"is {self.sentence}")
        lines.append(f"relative difference {scientific(self.relative_difference, 2)}")
        if self.reading.kind == "decimal" and self.relative_difference:
            right = min(self.right_digits, self.reading.digits)
            lines[-1] += f"; {right} of {self.reading.digits} digits right"
        same = [f"the same {', '.join(self.same_floats)}"] if self.same_floats else []
        if same or self.other_floats:
            lines.append("; ".join([*same, *self.other_floats]))
        return "\n    ".join(lines)


@dataclass(frozen=True, repr=False)
class Answer:
    """What the look-up of a literal found.

    Attributes:
        literal: the literal as it was given.
        readings: how it can be read.
        matches: the constants that it stands for, of each reading: first those that it equals, then
            those of programs and classical formulas before those of the register, and of these
            first those for which it names a source; each by distance. A fitted coefficient that was
            rounded is told only of a number that is none of programs or of classical formulas.
        nearest: of each reading, up to ``NEAREST`` constants that it does not stand for: those that
            somebody writes, with at least ``NEAR_DIGITS`` right digits, and coefficients of the
            register within ``NEAR_RESULT``. None where the literal is too short to tell.
        slips: of each reading that stands for no constant of programs or of classical formulas, the
            numbers of programs that it is one slip away from.
        values: the functions that have it as a value: at x, if a pair was asked for; else, if it
            stands for nothing, at halves of small integers.
        others: of a pair, the functions that do not have that value, the nearest first; ``None``
            if no pair was asked for.
    """

    literal: str
    readings: tuple[Reading, ...]
    matches: tuple[Match, ...]
    nearest: tuple[Match, ...]
    slips: tuple[Slip, ...]
    values: tuple[FunctionValue, ...] = ()
    others: tuple[FunctionValue, ...] | None = None

    def __str__(self) -> str:
        if self.others is not None:
            return "\n  ".join([self.literal, *_of_pair(self)])
        lines = [self.literal]
        for reading in self.readings:
            if reading.type:
                packed = "packed " * (reading.kind == "packed")
                lines.append(f"  as {packed}{reading.type} {float(reading.value)!r}")
            found = [match for match in self.matches if match.reading == reading]
            lines += [f"  {match}" for match in found]
            if not found:
                near = [match for match in self.nearest if match.reading == reading]
                lines.append(f"  {UNKNOWN_KINDS[unknown(reading, bool(near))]}")
                lines += [f"  {match}" for match in near]
            may_be = [slip for slip in self.slips if slip.reading == reading]
            lines += [f"  {slip}" for slip in may_be]
            lines += [
                f"  by accident: {clause}" for clause in accident_notes(reading, found, may_be)
            ]
        lines += [f"  or a value: {value}" for value in self.values]
        return "\n".join(lines)

    __repr__ = __str__


def _of_pair(answer: Answer) -> list[str]:
    """What is said of a pair: the functions with this value, what tells them apart, the others."""
    lines = [*map(str, answer.values)] or [NO_VALUE]
    lines += [told_apart(answer.values)] if len(answer.values) > 1 else []
    return [*lines, *map(str, answer.others[: NEAREST if not answer.values else 1])]


def lookup(literal: str, as_type: str = "") -> Answer:
    """Which known constants a number in a program stands for.

    A constant matches only if the digits of the literal can be explained from it: by rounding, by
    cutting off, by way of a float type or of a formula with rounded constants, or because somebody
    printed them for it. A literal with at least seven right digits and wrong ones behind matches
    too, and the answer says so. What is only near is given as near. A decimal that stands for
    nothing in programs, and is one slip away from a number that does, gets that number named as one
    that may be meant: ten times it, or a digit exchanged, doubled, lost or replaced. The sign does
    not matter.

    A match is no proof of origin, since short numbers match by accident, and so does one of the few
    that are as near to a constant as the literal is. How often they do, the text of the answer
    says, where it is more often than once in 10,000.

    Args:
        literal: the number as it is written: a decimal such as ``"0.1070322243"`` or
            ``"0.797884560804236f"``, a fraction such as ``"11/123"``, a hexadecimal float such as
            ``"0x1.988454p-1"``, or the bits of a float such as ``"0x3f4c422a"``. Four hexadecimal
            digits are read as bfloat16 and as float16. Or a formula such as ``"sqrt(2/pi)"``, made
            of numbers, ``+ - * / **``, brackets, ``sqrt``, ``exp``, ``log``, ``pi`` and ``e``; it
            is calculated to 75 digits, more than any constant is known to. Or a pair of an input
            and a value, ``"(2, 1.9546)"``, ``"gelu(2) = 1.9546"`` or ``"1.9546 at 2"``.
        as_type: the format of a word in fixed point, such as ``"Q5.26"``; the same as
            ``"0x002DC6C5 as Q5.26"``.

    Returns:
        The matches, the nearest other constants and the slips, of every reading. A literal of fewer
        than three significant digits matches only what it equals or was printed for.

    Raises:
        TypeError: if it is not a string.
        LiteralError: if it is none of these forms, is 0, is out of the range of every float type,
            has more than 50 significant digits, or is the bit pattern of no finite float; a
            ``ValueError`` that says what is accepted.

    Example:
        >>> from gelu_lib import lookup
        >>> lookup("0.7978845608").matches[0].constant.name
        '√(2/π)'
        >>> [match.constant.id for match in lookup("3*0.044715*sqrt(2/pi)").matches]
        ['three-slope-cubics']
        >>> print(lookup("0.44715").slips[0])
        may be a slip for 0.044715: ten times as large
        >>> print(lookup("(2, 1.9546)"))
        (2, 1.9546)
          the tanh form at 2 is 1.9545977, rounded to what is written
          the exact form at 2 is 1.9544997, which would be written 1.9545, 1.0e-4 away
        >>> print(lookup("0x002DC6C5", "Q5.26").slips[0])
        may be a slip for 0x002DC9C5 (0.044715): one hexadecimal digit is another
    """
    literal = f"{literal} as {as_type}" if as_type else literal
    is_read = isinstance(literal, str) and len(literal) <= LONGEST_TEXT  # else it is refused
    words = read_word(literal) if is_read else ()
    if pair := not words and is_read and read_pair(literal):
        x, sign, readings = pair
        found = [value for reading in readings for value in values_at(x, sign, reading)]
        fits = tuple(value for value in found if value.way)
        others = tuple(value for value in found if not value.way)
        return Answer(literal, readings, (), (), (), fits, others)
    return _answer(literal, _readings(literal, words))


def _readings(literal: str, words: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """A literal in all its readings, those as a word among them; or a formula."""
    try:
        return *read_literal(literal), *words
    except LiteralError:
        if words:
            return words
        if not is_formula(literal):
            raise
    try:
        return (read_formula(literal),)
    except FormulaError as error:
        raise LiteralError(
            f"literal is no formula that has a value here: {error}; accepted are {IN_FORMULAS}"
        ) from error


@lru_cache(maxsize=2**10)  # tables and figures ask for the same literals
def _answer(literal: str, readings: tuple[Reading, ...]) -> Answer:
    matches: list[Match] = []
    nearest: list[Match] = []
    may_be: list[Slip] = []
    for reading in readings:
        ranked = _ranked(reading)
        found = sorted((m for m in ranked if m.kind), key=_order)
        if any(match.constant.group not in ASIDE for match in found):
            found = [m for m in found if m.constant.group != "fitted" or m.kind != "rounded"]
        matches += found
        if all(match.constant.group in ASIDE for match in found):
            may_be += slips(reading)
        if not is_short(reading):
            nearest += islice((m for m in ranked if not m.kind and _is_near(m)), NEAREST)
    values = () if matches or may_be else tuple(v for r in readings for v in values_of(r))
    return Answer(literal, readings, tuple(matches), tuple(nearest), tuple(may_be), values)


def _is_near(match: Match) -> bool:
    """Whether a constant that a literal does not stand for is worth naming."""
    if match.constant.group in ASIDE:
        return match.constant.coefficient and match.relative_difference <= NEAR_RESULT
    return match.right_digits >= NEAR_DIGITS


def is_short(reading: Reading) -> bool:
    """Whether a literal has so few digits that it cannot be called a rounding of anything."""
    return bool(reading.unit) and reading.value < FEWEST_PLACES * reading.unit


def unknown(reading: Reading, near: bool) -> str:
    """What is to be said where a reading stands for no constant, a key of ``UNKNOWN_KINDS``."""
    if reading.type == "float32" and reading.value < FLOAT_TYPES["float32"].smallest * 2**23:
        return "word"  # no program has a constant that is subnormal
    return "short" if is_short(reading) else "near" if near else "alone"


def accident_notes(reading: Reading, matches: Sequence[Match], may_be: Sequence[Slip]) -> list[str]:
    """How often numbers such as this one match, or are a slip, by accident; none if it does not."""
    types = {match.way: None for match in matches if match.kind in BY_FLOAT}
    clauses = accidents(reading, types) if matches else []
    clauses += [as_near(reading, m.constant, m.kind, m.way) for m in matches if m.constant.is_met]
    clauses += [slip_accident_note(reading.digits)] if may_be and reading.digits else []
    return [clause for clause in dict.fromkeys(clauses) if clause]


def abridged(digits: str) -> str:
    """At most 30 significant digits of a decimal, cut, with … where it was cut."""
    digits, e, exponent = digits.partition("e")
    whole, point, decimals = digits.partition(".")
    leading = len(decimals) - len(decimals.lstrip("0")) if whole.strip("0") == "" else 0
    room = max(0, _SHOWN + leading - len(whole.lstrip("0")))
    cut = digits if len(decimals) <= room else whole + point + decimals[:room] + "…"
    return cut + e + exponent


def scientific(number: Fraction, digits: int) -> str:
    """A number that is not negative, rounded half up to significant digits, as ``1.0e-9``.

    0 is ``0``.
    """
    if number == 0:
        return "0"
    rounded = Decimal(products.shortened(number, digits))
    return f"{rounded:.{digits - 1}e}".replace("e+", "e")


def _order(match: Match) -> tuple[bool, bool, bool]:
    constant = match.constant
    return match.kind != "exact", constant.group in ASIDE, not constant.cited


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
    return tuple(name for name, (ours, theirs) in _floats(reading, constant) if ours == theirs)


def _floats(
    reading: Reading, constant: Constant
) -> Iterator[tuple[str, tuple[Fraction, Fraction]]]:
    """The floats nearest to a literal and to a constant, in the types that have both."""
    for name in [reading.type] if reading.type in FLOAT_TYPES else FLOAT_TYPES:
        two = [nearest_float(x, FLOAT_TYPES[name]) for x in (reading.value, constant.value)]
        if all(two):
            yield name, (two[0], two[1])


def _steps(type: str, ours: Fraction, theirs: Fraction) -> int:
    """How many floats of a type one is above another."""
    upper = type == "bfloat16"  # the upper half of float32, and NumPy alone has no such type
    dtype = np.dtype(np.float32) if upper else FLOAT_TYPES[type].dtype
    first, last = ordinal(np.array([float(theirs), float(ours)], dtype)).tolist()
    return last - first >> 16 * upper
