"""The largest size of a function on stretches of the line, between two proved ends.

*Branch and bound.* The size at the highest of some samples is a lower end. A stretch is cut into
pieces, and a piece is halved until the function is enclosed on it below a level that is hardly
higher than the lower end; what is higher in the middle of a piece is the lower end from then on.
The pieces that are not shown to stay below the lower end hold every place of the largest size.

*Peaks.* There the extrema are solved for, inside or at an end of a stretch, and enclosed with as
many digits as are asked for. The highest are the largest size, if around each there is none but
that one extremum, and the function is smaller elsewhere (``pieces``). A place that was missed
makes the proof fail, not the result wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import sympy as sp
from sympy import Expr, oo

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import interval, number
from gelu_lib.certificates.engine.enclosures import Curve, Function, text
from gelu_lib.certificates.engine.pieces import (
    Peak,
    Piece,
    cut,
    float_end,
    halved,
    prove_bound,
    prove_end_peak,
    prove_peak,
)
from gelu_lib.certificates.engine.solutions import Box, polished, prove_solution, refine, stationary
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.exchange import places
from gelu_lib.functions.expressions import X

_WIDTH = 1e-6
"""How far apart the two ends of branch and bound are, relatively."""

_NARROW = 2.0**-10
"""The width of a piece that holds a place of the largest size, relatively."""

_ZOOM, _ZOOMS = 41, 8
"""How many samples are taken of a piece, and how often of the part around the highest."""


class real_root(sp.Function):  # the name under which ``balls`` knows it
    """√x where x is known not to be negative."""

    nargs = 1

    def fdiff(self, argindex: int = 1) -> Expr:
        """1/(2√x)."""
        return 1 / (2 * self)


@dataclass(frozen=True)
class RealCurve(Curve):
    """A function in which every root is real by presupposition.

    Attributes:
        function: what it is, an expression in ``expressions.X`` and ``symbols``.
        symbols: the parameters.
    """

    function: Expr
    symbols: tuple[sp.Symbol, ...] = ()

    @cached_property
    def expression(self) -> Expr:
        """The function, with a root of nothing negative where it has one."""
        return self.function.replace(
            lambda part: part.is_Pow and part.exp.is_Rational and part.exp.q == 2 and part.has(X),
            lambda root: real_root(root.base) ** (2 * root.exp),
        )

    def floats(self, x: np.ndarray, parameters: Box = ()) -> np.ndarray:
        """Values in double precision; where these fail, the middles of balls.

        Raises:
            ValueError: if the function is not defined at one of the places.
        """
        values = self._plain.floats(x, parameters)
        for i in np.flatnonzero(~np.isfinite(values)):
            value = self._plain.at(flint.arb(float(x[i])), parameters)
            if not value.is_finite():
                raise ValueError(
                    f"the error {self.function} is not defined near x = {x[i]:.6g}; accepted is an "
                    "interval on which it is"
                )
            values[i] = float(value)
        return values

    @cached_property
    def _plain(self) -> Function:
        return Function(self.function, self.symbols)


@dataclass(frozen=True, eq=False)
class Stretch:
    """A function between two ends.

    Attributes:
        curve: the function; it has ``floats`` as ``RealCurve`` has them.
        parameters: the values of its parameters.
        ends: the two ends, exact; the right one may be infinite for ``tail``.
        side: −1 if x stands for −x, else 1.
        tail: proves that beyond some end, that lies beyond a float, its size is below a level; it
            returns the end and a bound there.
        stop: where the tail begins, and
        beyond: what the size does not exceed from there on; both ``None`` without a tail.
    """

    curve: Curve
    parameters: Box
    ends: tuple[Expr, Expr]
    side: int = 1
    tail: Callable[[flint.arb, float], tuple[float, flint.arb]] | None = None
    stop: float | None = None
    beyond: flint.arb | None = None

    @cached_property
    def samples(self) -> tuple[np.ndarray, np.ndarray]:
        """Places, and the values there in double precision."""
        x = places(*self.ends)
        return x, self.curve.floats(x, self.parameters)

    @cached_property
    def top(self) -> tuple[float, flint.arb]:
        """The place of the highest sample, and a number that the size there is not below."""
        x, values = self.samples
        place = float(x[np.argmax(np.abs(values))])
        return place, self.size(flint.arb(place))

    def size(self, x: flint.arb) -> flint.arb:
        """A number that the size at a place is not below."""
        size = abs(self.curve.at(x, self.parameters)).lower()
        return size if size.is_finite() else flint.arb(0)

    def stopped(self, level: flint.arb) -> Stretch:
        """The stretch with a tail in which the size is below a level."""
        if self.ends[1] != oo:
            return self
        stop, beyond = self.tail(level, max(self.top[0], float(self.ends[0])))
        return replace(self, stop=stop, beyond=beyond)

    @property
    def piece(self) -> Piece:
        """The two ends as floats, rounded outward, without a tail."""
        return self.edges([])

    def edges(self, peaks: Sequence[Peak]) -> Piece:
        """The two ends as floats; those of peaks that lie there."""
        left, right = self.ends
        last = float_end(right, 1, peaks) if self.stop is None else self.stop
        return float_end(left, -1, peaks), last

    def is_below(self, piece: flint.arb, level: flint.arb) -> bool:
        """Whether the size is shown to be below a level on a piece."""
        return bool(abs(self.curve.enclose(piece, self.parameters)) < level)


def bounded(
    stretches: Sequence[Stretch], low: flint.arb
) -> tuple[flint.arb, flint.arb, list[list[Piece]]]:
    """The largest size on some stretches between two ends, by branch and bound.

    Args:
        stretches: the stretches, with their tails.
        low: a lower end to begin with.

    Returns:
        A lower and an upper end, and for each stretch the pieces that hold every place where the
        size is largest, neighbours joined to one.

    Raises:
        CertificationError: if a piece became too small, as it does if the function is 0 everywhere.
    """
    share, doubtful = 1 + flint.arb(_WIDTH), []
    for stretch in stretches:

        def below(piece: flint.arb, stretch: Stretch = stretch) -> bool:
            nonlocal low
            if stretch.is_below(piece, low * share):
                return True
            if not (size := stretch.size(piece.mid())) > low:
                return False
            low = size
            return stretch.is_below(piece, low * share)

        pieces, failed = cut(below, *stretch.piece)
        if failed is not None:
            upper = abs(stretch.curve.at(failed, stretch.parameters)).upper()
            raise CertificationError(
                "bound",
                f"near x = {text(stretch.side * failed)} the size is only shown to stay below "
                f"{text(upper)}; the largest value found is {text(low)}",
            )
        doubtful.append(pieces)
    pairs = zip(stretches, doubtful, strict=True)
    return low, low * share, [_joined(_narrowed(s, pieces, low)) for s, pieces in pairs]


def _narrowed(stretch: Stretch, waiting: list[Piece], low: flint.arb) -> list[Piece]:
    """The narrow parts of pieces on which the size is not shown to be below a number."""
    left, right = stretch.piece
    kept, waiting = [], waiting[::-1]
    while waiting:
        ends = waiting.pop()
        if stretch.is_below(interval(*ends), low):
            continue
        size = max(*map(abs, ends), (right - left) / 64)
        if halves := halved(*ends, _NARROW * size):
            waiting += reversed(halves)
        else:
            kept.append(ends)
    return kept


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Pieces, with those that touch each other joined."""
    joined: list[Piece] = []
    for left, right in pieces:
        if joined and joined[-1][1] == left:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    return joined


@dataclass(frozen=True)
class Top:
    """A peak that may be the highest: its place, enclosed, and the end that it is, if it is one."""

    place: flint.arb
    end: Expr | None = None


def tops(stretch: Stretch, pieces: Sequence[Piece], digits: int) -> list[Top]:
    """The peaks in some narrow pieces, each once; see ``top_in``."""
    found: list[Top] = []
    for piece in pieces:
        top = top_in(stretch, piece, digits)
        if not found or not top.place.overlaps(found[-1].place):
            found.append(top)
    return found


def top_in(stretch: Stretch, piece: Piece, digits: int) -> Top:
    """The highest place in a narrow piece: an end of the stretch, or where the slope is 0.

    Args:
        stretch: the stretch.
        piece: the piece.
        digits: how many significant digits of the place.

    Raises:
        CertificationError: if no extremum is found there.
    """
    for i, end in enumerate(stretch.ends):
        if piece[i] == stretch.piece[i] and end.is_finite and _is_highest(stretch, piece, i):
            return Top(number(end), end)
    found = _highest_float(stretch, *piece)
    slope = stationary(stretch.curve, stretch.parameters)
    sizes = [max(abs(found), piece[1] - piece[0])]
    box = prove_solution(slope, polished(slope, [found], sizes))
    return Top(refine(slope, box, digits, sizes)[0])


def _is_highest(stretch: Stretch, piece: Piece, i: int) -> bool:
    """Whether the size rises on a piece to an end of the stretch, or is flat at it."""
    if stretch.curve.is_flat(stretch.ends[i]):
        return True
    value, slope = (stretch.curve.enclose(interval(*piece), stretch.parameters, j) for j in (0, 1))
    return bool((value * slope < 0) if i == 0 else (value * slope > 0))


def _highest_float(stretch: Stretch, left: float, right: float) -> float:
    """The highest place that floats show in a piece."""
    for _ in range(_ZOOMS):
        x = np.linspace(left, right, _ZOOM)
        best = int(np.argmax(np.abs(stretch.curve.floats(x, stretch.parameters))))
        left, right = float(x[max(best - 1, 0)]), float(x[min(best + 1, _ZOOM - 1)])
    return float(x[best])


def proved_peaks(stretch: Stretch, tops: Sequence[Top], level: flint.arb) -> list[Peak]:
    """The neighbourhoods of peaks in which there is no other extremum.

    Raises:
        CertificationError: if one is not shown to be so.
    """
    middles = [float(top.place.mid()) for top in tops]
    edges, found = stretch.piece, []
    for i, (top, middle) in enumerate(zip(tops, middles, strict=True)):
        others = [*middles[:i], *middles[i + 1 :], *edges]
        room = min(abs(x - middle) for x in others if x != middle) / 2
        at = (stretch.curve, stretch.parameters, top.place)
        sign = 1 if stretch.curve.at(top.place, stretch.parameters) > 0 else -1
        if top.end is None:
            found.append(prove_peak(*at, sign, level, room))
        else:
            inwards = room if top.end == stretch.ends[0] else -room
            flat = stretch.curve.is_flat(top.end)
            found.append(prove_end_peak(*at, sign, level, inwards, flat=flat))
    return found


def proved_below(stretch: Stretch, peaks: Sequence[Peak], level: flint.arb) -> list[Piece]:
    """The pieces on which the size is shown to be below a level, outside of the neighbourhoods.

    Raises:
        CertificationError: if it is not shown.
    """
    start, end = stretch.edges(peaks)
    return prove_bound(stretch.curve, stretch.parameters, peaks, level, end, start)
