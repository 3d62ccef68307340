"""What a proof returns: a best member of a family, or a bound of an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from sympy import Expr, Symbol

from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.fits.start import Found

if TYPE_CHECKING:
    from gelu_lib.certificates.engine.pieces import Piece

SHOWN = 8
"""How many digits of a number a result shows in a notebook, if they are proved."""

GLOBAL, NEARBY = "global", "among all nearby"
"""Whether no other members at all are as good, or none of those nearby."""


@dataclass(frozen=True)
class Cover:
    """How it was shown that an error is nowhere larger.

    Attributes:
        neighbourhoods: for each peak, an interval in which the error curves like a peak, or rises
            to an end.
        pieces: the intervals that cover the rest up to ``end``, on each of which it is smaller.
        end: where the tail begins, or the interval ends.
        tail: what the error does not exceed beyond ``end``; ``None`` on a bounded interval.
    """

    neighbourhoods: tuple[Piece, ...]
    pieces: tuple[Piece, ...]
    end: float
    tail: Enclosure | None


@dataclass(frozen=True, repr=False)
class Best(Found):
    """The best member of a family, proved: exactly one has the least error.

    Its parameters, that error and the places where it is attained lie in the enclosures. As a form
    it is the member with the middles of the enclosures as parameters.

    Attributes:
        family: the family.
        parameters: an enclosure of every parameter, by name.
        problem: what was asked.
        digits: how many significant digits the enclosures decide, as a rule.
        error: an enclosure of the least norm of the error.
        points: for the sup norm, enclosures of every place where the weighted error is largest,
            increasing, of those on one side of 0 if the other side is alike; for L1 of those where
            the error is 0.
        signs: the sign of the error at each point, for the sup norm; one more if a form of tanh has
            it in the limit.
        optimal: ``"global"`` if no other member is as good, maybe with a condition on the members;
            ``"among all nearby"`` if that is proved of those nearby.
        theorem: the ID of the result by which no other is as good, if the book has it.
        cover: how it was shown that the error is nowhere larger; ``None`` for an integral norm.
        box: for an integral norm, an interval for every free parameter, by name, in which no other
            choice is as good.
    """

    digits: int
    error: Enclosure
    points: tuple[Enclosure, ...] = ()
    signs: tuple[int, ...] = ()
    optimal: str = GLOBAL
    theorem: str | None = None
    cover: Cover | None = None
    box: Mapping[str, Enclosure] = field(default_factory=dict, hash=False)

    @cached_property
    def exact(self) -> Mapping[Symbol, Expr]:
        """The middle of the enclosure of each parameter, by its symbol."""
        middles = {p: self.parameters[p.name].middle for p in self.family.symbols}
        return MappingProxyType(middles)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={_short(value)}" for name, value in self.parameters.items())
        return f"Best({values}, error={_short(self.error)}, optimal={self.optimal!r})"

    def _repr_markdown_(self) -> str:
        values = ", ".join(f"{name} = {_short(value)}" for name, value in self.parameters.items())
        return f"{values}; least error {_short(self.error)} (proved, {self.optimal})"


@dataclass(frozen=True, repr=False)
class Bound:
    """A proved bound: how large an error is at most, and where it is so.

    Attributes:
        error: an enclosure of the largest absolute error.
        points: enclosures of places of which at least one attains it, if they are known.
        signs: the sign of the error at each of these points.
        least: what no member of the family can undercut, if the error alternates and so says.
        cover: how it was shown that the error is nowhere larger.
    """

    error: Enclosure
    points: tuple[Enclosure, ...] = ()
    signs: tuple[int, ...] = ()
    least: Enclosure | None = None
    cover: Cover | None = None

    def __float__(self) -> float:
        return float(self.error)

    def __repr__(self) -> str:
        places = f", at x = {', '.join(map(_short, self.points))}" if self.points else ""
        least = f", least={_short(self.least)}" if self.least is not None else ""
        return f"Bound(error={_short(self.error)}{places}{least})"

    def _repr_markdown_(self) -> str:
        least = f"; no member has less than {_short(self.least)}" if self.least is not None else ""
        places = f" at x = {', '.join(map(_short, self.points))}" if self.points else ""
        return f"largest error {_short(self.error)}{places}{least} (proved)"


def _short(number: Enclosure) -> str:
    """A number to ``SHOWN`` digits, or to as many as are proved; else its two ends, roughly."""
    digits = next((n for n in range(SHOWN, 0, -1) if number.decides(n)), 0)
    if digits:
        return str(number.rounded(digits))
    ends = ((number.lower, ROUND_FLOOR), (number.upper, ROUND_CEILING))
    low, high = (Context(prec=2, rounding=rounding).plus(end) for end, rounding in ends)
    return f"[{low}, {high}]"
