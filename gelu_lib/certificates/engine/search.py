"""Search among finitely many boxes, the most promising first, so that nothing is left out.

A box is a range of places for each constant. Of a box only a lower bound is known: no constants in
it have a smaller error. The box with the least bound is cut in two, and so on. What has a bound
above an error that is attained cannot hold the best constants. The first box that is so ends the
search, because every other box has a bound at least as large.

A box is cut where it is widest in the numbers at its places, each measured by the range where the
search began. Places alone would mislead: most floats between two numbers lie around 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from heapq import heappop, heappush

from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError

Ranges = tuple[tuple[int, int], ...]
"""For each constant its first and its last place."""

MOST_BOXES = 6_000
"""After so many boxes a search is given up."""

MOST_CANDIDATES = 40
"""And after so many single places whose error had to be enclosed."""


Values = Sequence[Callable[[int], Fraction]]
"""For each constant the number at a place; it grows with the place."""


def ascending(
    lower_bound: Callable[[Ranges], float], values: Values, box: Ranges
) -> Iterator[tuple[float, Ranges]]:
    """Boxes by increasing lower bound; what was yielded before is cut in two.

    Args:
        lower_bound: what no error in a box is below. It must not fall when a box is cut.
        values: the numbers at the places.
        box: where the search begins.

    Yields:
        A bound and a box. All constants in ``box`` whose error is below that bound lie in boxes of
        a single place that were yielded before.

    Raises:
        CertificationError: if there were too many boxes.
    """
    whole = widths(values, box)
    waiting = [(lower_bound(box), box)]
    for _ in range(MOST_BOXES):
        if not waiting:
            return
        bound, first = heappop(waiting)
        yield bound, first
        for part in halves(values, whole, first):
            heappush(waiting, (max(bound, lower_bound(part)), part))
    raise CertificationError("optimality", f"{MOST_BOXES} boxes did not decide")


def widths(values: Values, box: Ranges) -> list[Fraction]:
    """How far apart the numbers at the ends of each range of places are."""
    return [value(high) - value(low) for value, (low, high) in zip(values, box, strict=True)]


def halves(values: Values, whole: Sequence[Fraction], box: Ranges) -> list[Ranges]:
    """Two parts of a box, cut where it is widest as a part of the whole.

    There are none if the box is a single place.
    """
    if all(low == high for low, high in box):
        return []
    parts = [a / b if b else b for a, b in zip(widths(values, box), whole, strict=True)]
    widest = parts.index(max(parts))
    low, high = box[widest]
    middle = (low + high) // 2
    ends = ((low, middle), (middle + 1, high))
    return [(*box[:widest], end, *box[widest + 1 :]) for end in ends]


def best_places(
    lower_bound: Callable[[Ranges], float],
    certified_error: Callable[[tuple[int, ...]], Enclosure | None],
    values: Values,
    box: Ranges,
) -> dict[tuple[int, ...], Enclosure]:
    """The places in a box with the least error, proved.

    Args:
        lower_bound: what no error in a box is below.
        certified_error: an enclosure of the error at one place; ``None`` if the constants there
            are proved not to be the best.
        values: the numbers at the places.
        box: where to search.

    Returns:
        The best places with their errors. There are several if their enclosures overlap. Then the
        least error lies in one of them, and which one it is remains open.

    Raises:
        CertificationError: if there were too many boxes, or an error was not enclosed.
    """
    tried: dict[tuple[int, ...], Enclosure] = {}
    least = Decimal("inf")
    for bound, first in ascending(lower_bound, values, box):
        if bound > least:
            break
        if all(low == high for low, high in first):
            place = tuple(low for low, _ in first)
            if (error := certified_error(place)) is None:
                continue
            tried[place], least = error, min(least, error.upper)
            if len(tried) == MOST_CANDIDATES:
                raise CertificationError("optimality", f"{MOST_CANDIDATES} places did not decide")
    kept = {place: error for place, error in tried.items() if error.lower <= least}
    return dict(sorted(kept.items(), key=lambda item: item[1].upper))
