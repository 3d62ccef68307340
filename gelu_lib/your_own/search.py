"""Search among finitely many boxes, the most promising first, so that nothing is left out.

A box is a range of places for each constant. Of a box only a lower bound is known: no constants in
it have a smaller error. The box with the least bound is cut in two, and so on. What has a bound
above an error that is attained cannot hold the best constants. The first box that is so ends the
search, because every other box has a bound at least as large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from heapq import heappop, heappush

from gelu_lib.certificates import CertificationError, Enclosure

Box = tuple[tuple[int, int], ...]
"""For each constant its first and its last place."""

MOST_BOXES = 6_000
"""After so many boxes a search is given up."""

MOST_CANDIDATES = 100
"""And after so many single places whose error had to be enclosed."""


def ascending(lower_bound: Callable[[Box], float], box: Box) -> Iterator[tuple[float, Box]]:
    """Boxes by increasing lower bound; what was yielded before is cut in two.

    Args:
        lower_bound: what no error in a box is below. It must not fall when a box is cut.
        box: where the search begins.

    Yields:
        A bound and a box. All constants in ``box`` whose error is below that bound lie in boxes of
        a single place that were yielded before.

    Raises:
        CertificationError: if there were too many boxes.
    """
    waiting = [(lower_bound(box), box)]
    for _ in range(MOST_BOXES):
        if not waiting:
            return
        bound, first = heappop(waiting)
        yield bound, first
        for part in halves(first):
            heappush(waiting, (max(bound, lower_bound(part)), part))
    raise CertificationError("optimality", f"{MOST_BOXES} boxes did not decide")


def halves(box: Box) -> list[Box]:
    """Two parts of a box, cut where it has the most places; none if it is a single place."""
    widest = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
    low, high = box[widest]
    if low == high:
        return []
    middle = (low + high) // 2
    ends = ((low, middle), (middle + 1, high))
    return [(*box[:widest], end, *box[widest + 1 :]) for end in ends]


def best_places(
    lower_bound: Callable[[Box], float],
    certified_error: Callable[[tuple[int, ...]], Enclosure | None],
    box: Box,
) -> dict[tuple[int, ...], Enclosure]:
    """The places in a box with the least error, proved.

    Args:
        lower_bound: what no error in a box is below.
        certified_error: an enclosure of the error at one place; ``None`` if the constants there
            are not admitted.
        box: where to search.

    Returns:
        The best places with their errors. There are several if their enclosures overlap. Then the
        least error lies in one of them, and which one it is remains open.

    Raises:
        CertificationError: if there were too many boxes, or an error was not enclosed.
    """
    tried: dict[tuple[int, ...], Enclosure] = {}
    least = Decimal("inf")
    for bound, first in ascending(lower_bound, box):
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
