"""The picture of the verdicts: how many statements of each source are right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.chapters.style import BLUE, INK, ORANGE, VIOLET, Drawn

LOOKS = ((BLUE, ""), (BLUE, "///"), (ORANGE, "..."), (VIOLET, "xxx"), (INK, ""), ("none", ""))
"""Fill and hatch of the parts of a bar, from the left; hatched parts have a pale fill."""

PALE = 0.3


def verdict_bars(counts: Mapping[str, Mapping[str, int]]) -> Drawn:
    """One bar for each source, cut into parts by verdict, with the numbers in the parts.

    Args:
        counts: for each source, by its name, how many statements have each verdict. The verdicts
            must be the same for every source; they are drawn in their order.

    Returns:
        For each verdict the places of the bars and the lengths of the parts.

    Raises:
        ValueError: if ``counts`` is empty, or two sources have different verdicts.
    """
    kinds = {tuple(tally) for tally in counts.values()}
    if len(kinds) != 1:
        raise ValueError(f"counts must have the same verdicts for every source, got {kinds}")
    places = np.arange(len(counts))[::-1]
    left = np.zeros(len(counts))
    axes = plt.figure(figsize=(6.2, 3.4)).add_subplot()
    drawn = {}
    for verdict, (colour, hatch) in zip(*kinds, cycle(LOOKS), strict=False):
        lengths = np.array([tally[verdict] for tally in counts.values()])
        alpha = PALE if hatch else 1
        fill = colour if colour == "none" else (colour, alpha)
        axes.barh(places, lengths, left=left, color=fill, hatch=hatch, edgecolor=INK, label=verdict)
        solid = alpha == 1 and colour != "none"
        for x, y, length in zip(left, places, lengths, strict=True):
            if length:
                _write(axes, x + length / 2, y, length, solid)
        left = left + lengths
        drawn[verdict] = (places, lengths)
    axes.set_yticks(places, list(counts))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("number of statements")
    axes.grid(visible=False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.2), ncols=3, fontsize=9.5)
    return Drawn(drawn)


def _write(axes: plt.Axes, x: float, y: float, number: int, solid: bool) -> None:
    """A number in the middle of a part; on a hatched part it stands on a pale patch."""
    patch = None if solid else {"boxstyle": "round,pad=0.1", "fc": "#ffffff", "ec": "none"}
    colour = "#ffffff" if solid else INK
    axes.text(x, y, str(number), color=colour, ha="center", va="center", fontsize=9, bbox=patch)
