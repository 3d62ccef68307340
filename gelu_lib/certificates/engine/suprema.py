"""The largest size of any function of x on an interval, between two proved ends.

For the members of a family ``sup_errors`` proves more. Here nothing is known of the function but
its expression. The interval is cut into pieces; on each piece the function is enclosed; the piece
with the largest enclosure is halved until that is hardly larger than a value that is attained.
``refined_supremum`` adds digits: it encloses the highest peak, if there is one alone, and proves
that the function is smaller elsewhere; ``supremum_at_end`` does so where it is largest at an end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import inf, isfinite, nextafter

import sympy as sp
from flint import arb, ctx
from sympy import Expr

from gelu_lib.certificates.engine.balls import bits, interval
from gelu_lib.certificates.engine.enclosures import Curve, Enclosure, Function, enclosure, text
from gelu_lib.certificates.engine.pieces import (
    SMALLEST,
    Piece,
    halved,
    prove_below,
    prove_peak,
    prove_sign,
)
from gelu_lib.certificates.engine.solutions import polished, prove_solution, refine, stationary
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits
from gelu_lib.functions.expressions import X

SUPREMUM_BITS = 128
"""The precision, enough for the few digits that are asked for."""

SUPREMUM_ORDER = 6
"""The order of the remainder in the Taylor enclosure of a piece."""

FIRST_PIECES = 32
"""Into how many pieces of one length the interval is cut before halving begins."""


LAST_PART = 8
"""A function that is largest at the right end must rise on the last such part of its interval."""


class real_root(sp.Function):  # the name under which ``balls`` knows it
    """√x where x is known not to be negative."""

    nargs = 1


@dataclass(frozen=True)
class CertifiedSupremum:
    """The largest size of a function on an interval, between two proved ends.

    Attributes:
        size: an enclosure of the largest absolute value.
        place: where the function is enclosed around its lower end, as a float.
        pieces: how many pieces cover the interval.
    """

    size: Enclosure
    place: float
    pieces: int


def certified_supremum(
    function: Expr, start: float, end: float, digits: int = 6
) -> CertifiedSupremum:
    """The largest absolute value of a function of x for start ≤ x ≤ end, with a proof.

    Args:
        function: an expression in x alone, real and continuous on the interval; roots are taken to
            be real there.
        start: the left end, a finite float.
        end: the right end, a finite float above ``start``.
        digits: to how many significant digits the two ends of the enclosure shall agree.

    Returns:
        The enclosure, and where a value within it is attained.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if the ends are not finite and increasing, or ``digits`` is below 1.
        CertificationError: if a piece became too small before the digits were reached, as it does
            if the function is 0 everywhere.
        NotImplementedError: if the function has a part that is not evaluated in Arb.
    """
    _check(start, end, digits)
    with ctx.workprec(SUPREMUM_BITS):
        return _search(_curve(function), start, end, digits)


def refined_supremum(function: Expr, start: float, end: float, digits: int) -> CertifiedSupremum:
    """As ``certified_supremum``, to any number of digits, if one interior peak is the highest.

    Args:
        function: an expression in x alone, real on the interval and smooth at its highest peak.
        start: the left end, a finite float.
        end: the right end, a finite float above ``start``.
        digits: how many significant digits the enclosure shall have.

    Returns:
        The enclosure, and the place of the peak.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: as ``certified_supremum``.
        CertificationError: if there is no such peak, or the function is not shown to be smaller
            elsewhere.
        NotImplementedError: if the function has a part that is not evaluated in Arb.
    """
    check_digits(digits)
    rough, curve = certified_supremum(function, start, end), _curve(function)
    with ctx.workprec(max(SUPREMUM_BITS, bits(digits + GUARD_DIGITS))):
        slope = stationary(curve)
        found = prove_solution(slope, polished(slope, [rough.place]))
        (place,) = refine(slope, found, digits + GUARD_DIGITS // 2)
        height = curve.at(place)
        size = enclosure(abs(height), digits + GUARD_DIGITS // 2)
    with ctx.workprec(SUPREMUM_BITS):
        level = abs(height).lower()
        left, right = prove_peak(curve, (), place, 1 if height > 0 else -1, level).neighbourhood
        pieces = prove_below(curve, (), level, start, left)
        pieces += prove_below(curve, (), level, right, end)
    return CertifiedSupremum(size, float(place.mid()), len(pieces) + 1)


def supremum_at_end(function: Expr, start: float, end: float, digits: int) -> Enclosure:
    """The largest absolute value of a function that has it at the right end of an interval.

    Args:
        function: an expression in x alone, real and smooth on the interval.
        start: the left end, a finite float.
        end: the right end, a finite float above ``start``.
        digits: how many significant digits the enclosure shall have.

    Returns:
        An enclosure of the value at the end.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if the ends are not finite and increasing, or ``digits`` is below 1.
        CertificationError: if it is not shown that the function is smaller before the end.
        NotImplementedError: if the function has a part that is not evaluated in Arb.
    """
    _check(start, end, digits)
    curve = _curve(function)
    with ctx.workprec(max(SUPREMUM_BITS, bits(digits + GUARD_DIGITS))):
        height = curve.at(arb(end))
        size = enclosure(abs(height), digits + GUARD_DIGITS // 2)
    with ctx.workprec(SUPREMUM_BITS):
        near = end - (end - start) / LAST_PART
        prove_sign(curve, (), 1 if height > 0 else -1, near, end, order=1)
        prove_below(curve, (), abs(height).lower(), start, near)
    return size


def _check(start: float, end: float, digits: int) -> None:
    check_digits(digits)
    if not (isfinite(start) and isfinite(end) and start < end):
        raise ValueError(f"start < end must be finite, got {start!r} and {end!r}")


def _search(curve: Curve, start: float, end: float, digits: int) -> CertifiedSupremum:
    """Halve the piece with the largest upper bound until no bound exceeds the largest value."""
    step = (end - start) / FIRST_PIECES
    fresh = list(pairwise([start + i * step for i in range(FIRST_PIECES)] + [end]))
    waiting: list[tuple[float, Piece]] = []  # by minus the upper bound, rounded up to a float
    lower, place = arb(0), start
    while True:
        for ends in fresh:
            piece = interval(*ends)
            value = abs(curve.at(piece.mid()))
            if value.is_finite() and value > lower:
                lower, place = value.lower(), float(piece.mid())
            heappush(waiting, (-_upper_bound(curve, piece), ends))
        upper, (left, right) = arb(-waiting[0][0]), waiting[0][1]
        if lower > 0 and upper <= lower * (1 + arb(10) ** -digits):
            size = enclosure(lower.union(upper), digits + GUARD_DIGITS // 2)
            return CertifiedSupremum(size, place, len(waiting))
        fresh = halved(left, right, SMALLEST * min(1.0, end - start))
        if not fresh:
            raise CertificationError(
                "bound",
                f"near x = {left} the function is only shown to stay below {text(upper)}; the "
                f"largest value found is {text(lower)}",
            )
        heappop(waiting)


def _upper_bound(curve: Curve, piece: arb) -> float:
    """A float that |f| does not exceed on a piece: the least of two bounds."""
    balls = curve.at(piece), curve.enclose(piece, last=SUPREMUM_ORDER)
    sizes = [float(abs(ball).upper()) for ball in balls]
    return min((nextafter(size, inf) for size in sizes if isfinite(size)), default=inf)


@lru_cache
def _curve(function: Expr) -> Function:
    """The function on balls and series, with roots that are real by presupposition."""
    return Function(function.replace(_is_root, lambda root: real_root(root.base) ** (2 * root.exp)))


def _is_root(part: Expr) -> bool:
    return part.is_Pow and part.exp.is_Rational and part.exp.q == 2 and part.base.has(X)
