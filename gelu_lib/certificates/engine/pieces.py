"""Step 2: between 0 and the tail, the error is nowhere larger than at its highest peaks.

Around each peak there is a neighbourhood in which the error is concave, or convex under a negative
peak: its only critical point there is the peak. Outside the neighbourhoods the error is enclosed on
pieces, and a piece on which the enclosure is too wide is halved. The absolute error is an even
function of x, so x ≥ 0 is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, nextafter

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import interval
from gelu_lib.certificates.engine.enclosures import Curve, text
from gelu_lib.certificates.errors import CertificationError

Piece = tuple[float, float]
"""The ends of an interval, as floats, which are exact."""

SMALLEST = 2.0**-40
"""A piece is not halved when it is shorter than this, or than this part of a short interval."""

ALIKE = 1e-9
"""By what part of the level an error may differ from it, where a message calls them alike."""

HALVINGS = 40
"""How often the neighbourhood of a peak or of a zero is halved before it is given up."""


@dataclass(frozen=True)
class Peak:
    """A local extremum of the error, and an interval in which there is no other.

    Attributes:
        place: an enclosure of the x > 0 where it is.
        sign: the sign of the error there.
        neighbourhood: an interval around it, in which sign·r is concave.
    """

    place: flint.arb
    sign: int
    neighbourhood: Piece


def halved(left: float, right: float, smallest: float = SMALLEST) -> list[Piece]:
    """The two halves of an interval; none if it is shorter, or if no float lies between its ends.

    Without the second, what is tiny or far out would be halved for ever.
    """
    middle = left + (right - left) / 2
    if right - left < smallest or not left < middle < right:
        return []
    return [(left, middle), (middle, right)]


def cut(
    holds: Callable[[flint.arb], bool], left: float, right: float
) -> tuple[list[Piece], flint.arb | None]:
    """Pieces of an interval, from left to right, on each of which something is shown to hold.

    Args:
        holds: whether it is shown on a piece.
        left: where the interval begins.
        right: where it ends.

    Returns:
        The pieces, and the first one that is too small to be halved and on which it is not shown;
        ``None`` if there is none, and then the pieces cover the interval.
    """
    waiting, pieces, smallest = [(left, right)], [], SMALLEST * min(1.0, right - left)
    while waiting:
        left, right = waiting.pop()
        piece = interval(left, right)
        if holds(piece):
            pieces.append((left, right))
        elif halves := halved(left, right, smallest):
            waiting += reversed(halves)
        else:
            return pieces, piece
    return pieces, None


def prove_below(
    curve: Curve, parameters: Sequence[flint.arb], level: flint.arb, left: float, right: float
) -> list[Piece]:
    """Prove that \\|r\\| < level at every x of an interval.

    Returns:
        The pieces on which it was shown; they cover the interval.

    Raises:
        CertificationError: if it is false, or not shown; the message says where.
    """

    def below(piece: flint.arb) -> bool:
        if abs(curve.enclose(piece, parameters)) < level:
            return True
        size = abs(curve.taylor(piece.mid(), parameters, 1)[0])
        if size > level:
            raise CertificationError(
                "bound",
                f"the level {text(level)} is exceeded at x = {text(piece)}, where the absolute "
                f"error is {text(size)}",
            )
        return False

    pieces, doubtful = cut(below, left, right)
    if doubtful is not None:
        size = abs(curve.taylor(doubtful.mid(), parameters, 1)[0])
        alike = abs(size - level) < level * ALIKE
        raise CertificationError(
            "bound",
            f"the level {text(level)} is not shown to hold near x = {text(doubtful)}"
            + (", where the error is as large, as far as seen" if alike else ""),
        )
    return pieces


def prove_sign(
    curve: Curve,
    parameters: Sequence[flint.arb],
    sign: int,
    left: float,
    right: float,
    order: int = 0,
) -> None:
    """Prove that sign·r > 0 at every x of an interval; or sign·r′ > 0, if the order is 1.

    Raises:
        CertificationError: if it was not shown; the message says where.
    """
    _, doubtful = cut(
        lambda piece: bool(sign * curve.enclose(piece, parameters, order) > 0), left, right
    )
    if doubtful is not None:
        raise CertificationError("bound", f"a sign is not shown near x = {text(doubtful)}")


def prove_first_sign(
    curve: Curve,
    parameters: Sequence[flint.arb],
    sign: int,
    left: float,
    right: float,
    order: int,
) -> float:
    """Prove that sign·r > 0 just right of a point where r is 0, from the order in which it begins.

    If the Taylor coefficients at ``left`` below an order n are 0, then r(x) is (x − left)ⁿ times
    the n-th coefficient at some place between ``left`` and x.

    Args:
        curve: the function r.
        parameters: enclosures of all parameters.
        sign: the sign, 1 or −1.
        left: the point.
        right: where the interval ends in which a right end is looked for.
        order: the order n; that the coefficients below it are 0 is not proved here.

    Returns:
        A right end up to which it is shown.

    Raises:
        CertificationError: if none was found.
    """
    width = right - left
    for _ in range(HALVINGS):
        near = interval(left, left + width)
        if sign * curve.taylor(near, parameters, order + 1)[order] > 0:
            return left + width
        width /= 2
    raise CertificationError("bound", f"a sign is not shown close to x = {left}")


def prove_peak(
    curve: Curve,
    parameters: Sequence[flint.arb],
    place: flint.arb,
    sign: int,
    level: flint.arb,
    reach: float | None = None,
) -> Peak:
    """Prove that sign·r has no other maximum near an extremum, and that −sign·r is below a level.

    Args:
        curve: the error.
        parameters: enclosures of all parameters.
        place: an enclosure of the extremum.
        sign: the sign of the error there.
        level: the level.
        reach: how far the neighbourhood may reach on each side; a quarter of the place if nothing
            is said.

    Returns:
        The peak with a neighbourhood in which sign·r is concave.

    Raises:
        CertificationError: if no neighbourhood was found in which it is.
    """
    middle = float(place.mid())
    radius = middle / 4 if reach is None else reach
    for _ in range(HALVINGS):
        neighbourhood = (middle - radius, middle + radius)
        piece = interval(*neighbourhood)
        if (
            piece.contains_interior(place)
            and sign * curve.enclose(piece, parameters, 2) < 0
            and -sign * curve.enclose(piece, parameters) < level
        ):
            return Peak(place, sign, neighbourhood)
        radius /= 2
    raise CertificationError(
        "peaks", f"around x = {text(place)} the error is not shown to curve like a peak of its sign"
    )


def prove_end_peak(
    curve: Curve,
    parameters: Sequence[flint.arb],
    place: flint.arb,
    sign: int,
    level: flint.arb,
    inwards: float,
    *,
    flat: bool = False,
) -> Peak:
    """Prove that sign·r falls from an end of the interval inwards, and −sign·r is below a level.

    Args:
        curve: the error.
        parameters: enclosures of all parameters.
        place: an enclosure of the end.
        sign: the sign of the error there.
        level: the level.
        inwards: how far the neighbourhood may reach from there, negative to the left.
        flat: whether r′ is 0 there whatever the parameters are, so that sign·r must be concave.

    Returns:
        The peak with a neighbourhood in which it is so.

    Raises:
        CertificationError: if no neighbourhood was found in which it is.
    """
    direction, width, middle = (1 if inwards > 0 else -1), inwards, float(place.mid())
    for _ in range(HALVINGS):
        piece = place.union(flint.arb(middle + width))
        slope = curve.enclose(piece, parameters, 2 if flat else 1)
        falls = sign * slope < 0 if flat else sign * direction * slope < 0
        if falls and -sign * curve.enclose(piece, parameters) < level:
            return Peak(place, sign, (min(middle, middle + width), max(middle, middle + width)))
        width /= 2
    raise CertificationError(
        "peaks", f"from x = {text(place)} inwards the error is not shown to fall"
    )


def float_end(end: Expr, outwards: int, peaks: Sequence[Peak]) -> float:
    """A float at an end or a little beyond; that of the peak that lies there, if one does."""
    near = float(end)
    for peak in peaks:
        if near in peak.neighbourhood:
            return near
    exact = (sp.Rational(near) - end) * outwards >= 0
    return near if exact else nextafter(near, outwards * inf)


def prove_bound(
    curve: Curve,
    parameters: Sequence[flint.arb],
    peaks: Sequence[Peak],
    level: flint.arb,
    end: float,
    start: float = 0.0,
) -> list[Piece]:
    """Prove that \\|r\\| < level on [start, end] outside the neighbourhoods of the peaks.

    Returns:
        The pieces on which it was shown, from left to right.

    Raises:
        CertificationError: if it is false, not shown, or the neighbourhoods overlap.
    """
    ends = [start, *(x for peak in peaks for x in peak.neighbourhood), end]
    if any(right < left for left, right in pairwise(ends)):
        raise CertificationError("peaks", f"neighbourhoods overlap or lie outside [{start}, {end}]")
    gaps = [gap for gap in list(pairwise(ends))[::2] if gap[0] < gap[1] or not peaks]
    return [piece for gap in gaps for piece in prove_below(curve, parameters, level, *gap)]
