"""Constants of a type with a small error: they are rounded one after the other.

To round the best real constants one by one may lose most of what they reach, because each of them
answers to the others. So the first constant takes one of the numbers beside its best value, the
others become best again beside it, the second takes one of the numbers beside its new value, and so
on. What comes out need not be the best; a search with a proof begins from it.
"""

from __future__ import annotations

from math import inf

import numpy as np
from sympy import Rational

from gelu_lib.fits.interval import FAR, grid_on, lowered, weighted_errors
from gelu_lib.floats.cases import Case
from gelu_lib.floats.grids import Grid
from gelu_lib.functions.families import WrongLimitError

Place = tuple[int, ...]
"""For each constant the place of its value in the type."""

BESIDE = (0, -1, 1)
"""How far from the nearest place others are tried."""

ENOUGH = 1e-9
"""To this step the constants that are not rounded yet become best again."""


def rounded_in_turn(case: Case, wanted: Grid, free: list[Rational]) -> Place:
    """The place of constants whose error is small, though not always the least.

    Args:
        case: the case.
        wanted: the numbers that a constant may be.
        free: the best real parameters.

    Raises:
        WrongLimitError: if on the whole line Φ̂ tends to 1 for none of the constants that were
            tried, or if they leave s = 0 alone in 2s·(x + k·x³).
    """
    places: list[Place] = [()]
    for _ in free:
        centres = [(place, wanted.nearest(_adapted(case, wanted, place, free))) for place in places]
        places = [(*place, wanted.kept(n + d)) for place, n in centres for d in BESIDE]
        if case.written == "factored":  # which has no k without an s
            places = [place for place in places if wanted.value(place[0]) != 0]
        if not places:
            raise WrongLimitError("s is rounded to 0, so that Φ̂ = 1/2 everywhere")
    by_size = sorted(dict.fromkeys(places), key=lambda place: _size(case, wanted, place))
    right = by_size if case.end < inf else [p for p in by_size if _tends_to_1(case, wanted, p)]
    if not right:
        raise WrongLimitError(
            f"no constants beside {free_at(case, wanted, by_size[0])} let Φ̂ tend to 1"
        )
    return right[0]


def free_at(case: Case, wanted: Grid, place: Place) -> list[Rational]:
    """The free parameters that belong to constants of a type."""
    return case.free(_values(wanted, place))


def _adapted(case: Case, wanted: Grid, place: Place, free: list[Rational]) -> float:
    """The best value of the next constant, where those before it are at a place."""
    if place:
        first, left = case.with_first(_values(wanted, place))
        free = [*first, *lowered(left, min(case.end, FAR), ENOUGH)]
    return float(case.constants(free)[len(place)])


def _values(wanted: Grid, place: Place) -> list[Rational]:
    return [Rational(wanted.value(n)) for n in place]


def _size(case: Case, wanted: Grid, place: Place) -> float:
    x = grid_on(min(case.end, 2 * FAR))
    free = [float(value) for value in free_at(case, wanted, place)]
    return float(np.max(np.abs(weighted_errors(case.problem, x, free))))


def _tends_to_1(case: Case, wanted: Grid, place: Place) -> bool:
    values = case.parameters(free_at(case, wanted, place)).values()
    leading = [value for value in values if not value.is_zero][-1:]
    return bool(leading) and leading[0].is_positive is True
