"""The largest size of any function of x on an interval, between two proved ends.

For the members of a family ``sup_errors`` proves more. Here nothing is known of the function but
its expression. The interval is cut into pieces; on each piece the function is enclosed; the piece
with the largest enclosure is halved until that is hardly larger than a value that is attained.
``refined_supremum`` adds digits: it encloses the highest peak, if there is one alone, and proves
that the function is smaller elsewhere; ``supremum_at_end`` does so where it is largest at an end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import inf, isfinite, nextafter

from flint import arb, arb_mat, arb_series, ctx
from sympy import Expr, Function

from gelu_lib.certificates.balls import Ball, bits, compiled, interval
from gelu_lib.certificates.enclosures import Enclosure, enclosure, text
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.pieces import HALVINGS, SMALLEST, Piece, cut
from gelu_lib.certificates.solutions import Box, polished, prove_solution, refine
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


class real_root(Function):  # the name under which ``balls`` knows it
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
    check_digits(digits)
    if not (isfinite(start) and isfinite(end) and start < end):
        raise ValueError(f"start < end must be finite, got {start!r} and {end!r}")
    with ctx.workprec(SUPREMUM_BITS):
        return _search(function, start, end, digits)


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

    def slope(unknowns: Box) -> tuple[Box, arb_mat]:
        _, first, half_second = _taylor(function, unknowns[0], 3)
        return [first], arb_mat([[2 * half_second]])

    check_digits(digits)
    rough = certified_supremum(function, start, end)
    with ctx.workprec(max(SUPREMUM_BITS, bits(digits + GUARD_DIGITS))):
        found = prove_solution(slope, polished(slope, [rough.place]))
        place = refine(slope, found, digits + GUARD_DIGITS // 2)[0]
        height = _taylor(function, place, 1)[0]
        size = enclosure(abs(height), digits + GUARD_DIGITS // 2)
    with ctx.workprec(SUPREMUM_BITS):
        near = _arch(function, place, 1 if height > 0 else -1)
        pieces = _prove_lower(function, (start, near[0]), abs(height).lower())
        pieces += _prove_lower(function, (near[1], end), abs(height).lower())
    return CertifiedSupremum(size, float(place.mid()), pieces + 1)


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
    check_digits(digits)
    if not (isfinite(start) and isfinite(end) and start < end):
        raise ValueError(f"start < end must be finite, got {start!r} and {end!r}")
    with ctx.workprec(max(SUPREMUM_BITS, bits(digits + GUARD_DIGITS))):
        height = arb(_evaluation(function)(arb(end)))
        size = enclosure(abs(height), digits + GUARD_DIGITS // 2)
    with ctx.workprec(SUPREMUM_BITS):
        rises, near = 1 if height > 0 else -1, end - (end - start) / LAST_PART
        _, doubtful = cut(lambda x: bool(rises * _taylor(function, x, 2)[1] > 0), near, end)
        if doubtful is not None:
            raise CertificationError("peaks", f"the function is not shown to rise up to x = {end}")
        _prove_lower(function, (start, near), abs(height).lower())
    return size


def _arch(function: Expr, place: arb, sign: int) -> Piece:
    """An interval around a peak in which sign·f is concave, so that it has no other maximum."""
    middle = float(place.mid())
    radius = middle / 4
    for _ in range(HALVINGS):
        piece = interval(middle - radius, middle + radius)
        value, _, curvature = _taylor(function, piece, 3)
        if piece.contains_interior(place) and sign * curvature < 0 and sign * value > 0:
            return middle - radius, middle + radius
        radius /= 2
    raise CertificationError("peaks", f"around x = {text(place)} there is no arch")


def _prove_lower(function: Expr, piece: Piece, level: arb) -> int:
    """Prove that |f| < level on an interval, and say in how many pieces."""
    left, right = piece
    pieces, doubtful = cut(lambda ball: bool(_bounds(function, ball)[0] < level), left, right)
    if doubtful is not None:
        raise CertificationError(
            "bound", f"the level {text(level)} is not shown to hold near x = {text(doubtful)}"
        )
    return len(pieces)


def _search(function: Expr, start: float, end: float, digits: int) -> CertifiedSupremum:
    """Halve the piece with the largest upper bound until no bound exceeds the largest value."""
    step = (end - start) / FIRST_PIECES
    fresh = list(pairwise([start + i * step for i in range(FIRST_PIECES)] + [end]))
    waiting: list[tuple[float, Piece]] = []  # by minus the upper bound, rounded up to a float
    lower, place = arb(0), start
    while True:
        for ends in fresh:
            piece = interval(*ends)
            upper, value = _bounds(function, piece)
            if value > lower:
                lower, place = value.lower(), float(piece.mid())
            heappush(waiting, (-_float_above(upper), ends))
        upper, (left, right) = arb(-waiting[0][0]), waiting[0][1]
        if lower > 0 and upper <= lower * (1 + arb(10) ** -digits):
            size = enclosure(lower.union(upper), digits + GUARD_DIGITS // 2)
            return CertifiedSupremum(size, place, len(waiting))
        if right - left < SMALLEST * min(1.0, end - start):
            raise CertificationError(
                "bound",
                f"near x = {left} the function is only shown to stay below {text(upper)}; the "
                f"largest value found is {text(lower)}",
            )
        heappop(waiting)
        fresh = list(pairwise([left, (left + right) / 2, right]))


def _float_above(number: arb) -> float:
    """A float that is not below an exact number."""
    size = float(number)
    return nextafter(size, inf) if isfinite(size) else inf


def _bounds(function: Expr, piece: arb) -> tuple[arb, arb]:
    """An upper bound of |f| on a piece, and |f| at its middle."""
    middle = piece.mid()
    plain = abs(_evaluation(function)(piece) + arb(0))
    value = _taylor(function, piece, SUPREMUM_ORDER + 1)[SUPREMUM_ORDER]
    for term in reversed(_taylor(function, middle, SUPREMUM_ORDER)):
        value = value * (piece - middle) + term
    bounds = [bound for bound in (plain.upper(), abs(value).upper()) if bound.is_finite()]
    here = abs(_evaluation(function)(middle) + arb(0))
    return min(bounds, key=_float_above, default=arb.pos_inf()), here if here.is_finite() else arb(
        0
    )


def _taylor(function: Expr, x: arb, length: int) -> list[arb]:
    """Taylor coefficients at every point of a ball; nan where Arb finds none."""
    zero = arb_series([0], prec=length)
    try:
        series = zero + _evaluation(function)(arb_series([x, 1], prec=length))
    except (ValueError, ZeroDivisionError):  # a divisor or a root may be 0 on a ball so wide
        return [arb.nan()] * length
    if series.prec < length:  # what Arb has cut off must not be taken for zero
        return [arb.nan()] * length
    known = series.coeffs()
    return known + [arb(0)] * (length - len(known))


@lru_cache
def _evaluation(function: Expr) -> Callable[[Ball], Ball]:
    """The function on balls and series, with roots that are real by presupposition."""
    roots = function.replace(_is_root, lambda root: real_root(root.base) ** (2 * root.exp))
    return compiled((X,), roots)


def _is_root(part: Expr) -> bool:
    return part.is_Pow and part.exp.is_Rational and part.exp.q == 2 and part.base.has(X)
