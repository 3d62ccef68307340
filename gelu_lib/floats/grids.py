"""The numbers that a type can hold, each with its place in their order.

A place is an integer, and the next place has the next greater number. So a range of places is a
range of numbers, which a search can halve.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from gelu_lib.floats.types import FloatType, float_type, from_ordinal, ordinal, round_to

FLOATS = ("float32", "float16", "bfloat16")
"""The floating-point types that may be asked for. The best constants among float64 differ from the
real ones by less than what is enclosed here."""

MOST_FRACTION_BITS = 24
"""A fixed point number has at most so many bits behind the point."""


class Grid(Protocol):
    """The numbers of a type, in order."""

    def value(self, place: int) -> Fraction:
        """The number at a place."""

    def nearest(self, number: float) -> int:
        """The place of a number of the type that is nearest, or next to that."""

    def kept(self, place: int) -> int:
        """The place itself, or that of the last number of the type before it."""


@dataclass(frozen=True)
class FixedPoint:
    """The multiples of 2⁻ⁿ, as an integer kernel holds them.

    Args:
        fraction_bits: n, from 1 to 24.

    Raises:
        ValueError: if ``fraction_bits`` is something else.
    """

    fraction_bits: int

    def __post_init__(self) -> None:
        bits = self.fraction_bits
        if type(bits) is not int or not 1 <= bits <= MOST_FRACTION_BITS:
            raise ValueError(
                f"fraction_bits is {bits!r}; accepted is an integer from 1 to {MOST_FRACTION_BITS}"
            )

    def value(self, place: int) -> Fraction:
        """The number at a place."""
        return Fraction(place, 2**self.fraction_bits)

    def nearest(self, number: float) -> int:
        """The place of the nearest number."""
        return round(Fraction(number) * 2**self.fraction_bits)

    def kept(self, place: int) -> int:
        """The place itself: there is no last number."""
        return place


@dataclass(frozen=True)
class Floats:
    """The finite numbers of a floating-point type."""

    kind: FloatType

    def value(self, place: int) -> Fraction:
        """The number at a place."""
        return Fraction(float(from_ordinal(place, self.kind.name)))

    def nearest(self, number: float) -> int:
        """The place of the nearest float; of the greatest one for numbers beyond it."""
        greatest = self.kind.greatest
        return int(ordinal(round_to(min(max(number, -greatest), greatest), self.kind.name)))

    def kept(self, place: int) -> int:
        """The place itself; that of the greatest finite number for places beyond it."""
        last = self.nearest(self.kind.greatest)
        return min(max(place, -last), last)


def grid(representable_in: str | FixedPoint) -> Grid:
    """The numbers that a constant may be.

    Args:
        representable_in: the name of a floating-point type, or a ``FixedPoint``.

    Raises:
        ValueError: if it is neither.
    """
    if isinstance(representable_in, FixedPoint):
        return representable_in
    if not isinstance(representable_in, str) or representable_in not in FLOATS:
        raise ValueError(
            f"representable_in is {representable_in!r}; accepted are None for real numbers, "
            f"{', '.join(map(repr, FLOATS))} and FixedPoint(fraction_bits)"
        )
    return Floats(float_type(representable_in))
