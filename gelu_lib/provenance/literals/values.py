"""From a value to the form: which functions have, at an input, the value that was printed.

The standard library is enough. A value is computed to more digits than a literal can have, so each
digit that is written is judged by digits that are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from gelu_lib.floats.types import FLOAT_TYPES, floor_power, nearest_float
from gelu_lib.provenance.literals.formula_input import decimal_pi
from gelu_lib.provenance.literals.literal import LONGEST, LiteralError, Reading, read_literal
from gelu_lib.provenance.literals.origin import rounding
from gelu_lib.provenance.literals.products import shortened

FARTHEST_INPUT = 40
"""Farther out each function is 0, 1 or x to more digits than a float has."""

ENOUGH_DIGITS, EASY = 5, tuple(Fraction(k, 2) for k in range(-8, 9) if k)
"""A decimal of so many digits that is nothing else is compared with the values at these inputs."""

WAYS = {
    "rounded": "rounded to what is written",
    "truncated": "cut off to what is written, and not rounded",
    **{type: f"which {type} makes what is written" for type in FLOAT_TYPES},
    "": "{distance} away",
}
"""What a value is to the literal, in words, the simplest first."""

_NUMBER = r"([-+]?(?:\d+/[1-9]\d*|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?))f?"
_PAIR = re.compile(
    rf"\({_NUMBER},([^(),]+)\)|[a-z_][\w.]*\((?:x=)?{_NUMBER}\)(?:==?|≈|:)([^()]+)"
    rf"|([^()]+)at(?:x=)?{_NUMBER}",
    re.ASCII,
)
_MEANT = re.compile(r"\(.*,.*\)|.*\sat\s.*", re.DOTALL)

ACCEPTED_PAIRS = (
    'a pair of an input and a value, such as "(2, 1.9546)", "gelu(2) = 1.9546" or "1.9546 at 2"'
)
"""What a pair may be, in words."""


@dataclass(frozen=True)
class FunctionValue:
    """The ``value`` at ``x`` of the function ``of``, its distance, the ``way`` to the literal."""

    reading: Reading
    of: str
    x: Fraction
    value: Fraction
    distance: Fraction
    way: str

    def __str__(self) -> str:
        unit = self.reading.unit
        why = WAYS[self.way].format(distance=signed(self.distance, 2))
        if not self.way and self.reading.kind == "decimal":
            why = f"which would be written {signed(self.value, _digits(self.value, unit))}, {why}"
        shown = signed(self.value, _digits(self.reading.value, unit) + 3)
        return f"{self.of} at {float(self.x):g} is {shown}, {why}"


def read_pair(text: str) -> tuple[Fraction, int, tuple[Reading, ...]] | None:
    """The x, the sign of y and the readings of y in a pair, if it is one.

    Raises:
        LiteralError: if x is farther out than ``FARTHEST_INPUT``, or y is no literal; or if it is
            meant as a pair and cannot be read.
    """
    if not (found := _PAIR.fullmatch("".join(text.lower().replace("−", "-").split()))):
        if _MEANT.fullmatch(text.strip()):
            raise LiteralError(f"literal is {text!r}; accepted is {ACCEPTED_PAIRS}")
        return None
    x, y = found[1] or found[3] or found[6], found[2] or found[4] or found[5]
    if abs(Fraction(x)) > FARTHEST_INPUT:
        raise LiteralError(f"x is {x}; accepted is -{FARTHEST_INPUT} to {FARTHEST_INPUT}")
    try:
        readings = read_literal(y)
    except LiteralError as error:
        said = str(error).replace("literal is", f"in the pair {text!r} the value is", 1)
        raise LiteralError(said) from error
    if not readings[0].unit:
        raise LiteralError(f"the value is {y}; accepted is one with digits, and no fraction")
    return Fraction(x), -1 if y.startswith("-") else 1, readings


def values_at(x: Fraction, sign: int, reading: Reading) -> tuple[FunctionValue, ...]:
    """Each function at x: those that have the value, then the others; of both the nearest first.

    Only if no value, rounded or cut off, is what is written, float types are tried: x and the
    result are rounded to the type, and the result to the digits written.
    """
    y, unit = reading.value, reading.unit
    found = [
        FunctionValue(reading, of, x, v, abs(sign * v - y), rounding(y, unit, sign * v))
        for of, v in function_values(x).items()
    ]
    if not any(value.way for value in found):
        found = [replace(value, way=_by_float(value, sign)) for value in found]
    return (*sorted(found, key=lambda value: ([*WAYS].index(value.way), value.distance)),)


def values_of(reading: Reading) -> tuple[FunctionValue, ...]:
    """The functions that have a decimal as their value, rounded, at an input that is ``EASY``."""
    if reading.kind != "decimal" or reading.digits < ENOUGH_DIGITS:
        return ()
    return tuple(
        FunctionValue(reading, of, x, value, abs(abs(value) - reading.value), "rounded")
        for x in EASY
        for of, value in function_values(x).items()
        if rounding(reading.value, reading.unit, abs(value)) == "rounded"
    )


def told_apart(values: Sequence[FunctionValue]) -> str:
    """What several functions are at an input where they differ."""
    for x in (Fraction(-3), Fraction(-3, 2)):
        at = {v.of: signed(function_values(x).get(v.of, Fraction(0)), 4) for v in values}
        if len({*at.values()}) == len(at):
            break
    return f"at {float(x):g} " + ", ".join(f"{of} is {y}" for of, y in at.items())


def signed(value: Fraction, digits: int) -> str:
    """A number in so many significant digits, with its sign; a small one with an exponent."""
    if not (value and digits):
        return "0"
    near = Decimal(shortened(abs(value), digits))
    small = abs(value) < Fraction(1, 1000)
    places = f".{digits - 1}e" if small else f".{max(0, digits - 1 - near.adjusted())}f"
    return f"{'-' * (value < 0)}{near:{places}}"


def _digits(value: Fraction, unit: Fraction) -> int:
    """How many significant digits reach down to a unit; 0 if the value is less than half of it."""
    return max(1, floor_power(abs(value) / unit, 10) + 1) if 2 * abs(value) >= unit else 0


@lru_cache(maxsize=2**8)
def function_values(x: Fraction) -> Mapping[str, Fraction]:
    """Each function and its derivative by what it is; the derivative only where there is one."""
    with localcontext(Context(prec=LONGEST + 10 + int(x * x / 4))):
        found = [*_functions(Decimal(x.numerator) / x.denominator)]
    named = {of: y for of, y, _ in found} | {f"the derivative of {of}": y for of, _, y in found}
    return {of: Fraction(y) for of, y in named.items() if y is not None}


def _functions(x: Decimal) -> Iterator[tuple[str, Decimal, Decimal | None]]:
    """The functions that programs have in place of GELU, with their derivatives."""
    slope, cubic, scale = (8 / decimal_pi()).sqrt(), Decimal("0.044715"), Decimal("1.702")
    density = (-x * x / 2).exp() / (2 * decimal_pi()).sqrt()
    total, term, n = Decimal(0), x, 1
    while total != (total := total + term):  # x + x³/3 + x⁵/15 + …, all of one sign
        n += 2
        term *= x * x / n
    phi = Decimal("0.5") + density * total
    yield "the exact form", x * phi, phi + x * density
    yield "the tanh form", *_gated(x, slope * (x + cubic * x**3), slope * (1 + 3 * cubic * x * x))
    yield "the sigmoid form", *_gated(x, scale * x, scale)
    yield "SiLU", *_gated(x, x, Decimal(1))
    yield "ReLU", max(x, Decimal(0)), Decimal(int(x > 0)) if x else None
    yield "hard-swish", *_ramp(x, Decimal(3))
    yield "HardGELU", *_ramp(x, Decimal("1.58"))


def _gated(x: Decimal, v: Decimal, slope: Decimal) -> tuple[Decimal, Decimal]:
    """x·σ(v) and its derivative, from v and the derivative of v."""
    gate, rest = 1 / (1 + (-v).exp()), 1 / (1 + v.exp())
    return x * gate, gate + x * slope * gate * rest


def _ramp(x: Decimal, end: Decimal) -> tuple[Decimal, Decimal | None]:
    """x·min(max(x + end, 0), 2·end)/(2·end) and its derivative, which has corners at ±end."""
    if abs(x) >= end:
        return max(x, Decimal(0)), None if abs(x) == end else Decimal(int(x > 0))
    return x * (x + end) / (2 * end), (2 * x + end) / (2 * end)


def _by_float(value: FunctionValue, sign: int) -> str:
    """The float type that makes of a value what is written; empty if none does."""
    reading, x = value.reading, value.x
    for name, kind in FLOAT_TYPES.items():
        at = nearest_float(abs(x), kind) * (1 if x > 0 else -1) if x else x
        y = sign * function_values(at).get(value.of, Fraction(0))
        near = nearest_float(y, kind) if y > 0 else None
        if near and rounding(reading.value, reading.unit, near) == "rounded":
            return name
    return ""
