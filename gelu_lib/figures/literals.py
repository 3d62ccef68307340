"""The figure of the magic numbers: how many digits of a literal are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.figures.style import BLUE, GREEN, GREY, INK, ORANGE, Drawn
from gelu_lib.number_tables import own_match
from gelu_lib.provenance.catalogue import constants

_GROUPS: Mapping[str, tuple[str, str, tuple[str, ...]]] = MappingProxyType(
    {
        "rounded": ("o", BLUE, ("rounded",)),
        "cut off": ("v", GREEN, ("truncated",)),
        "from a float": ("s", ORANGE, ("exact-float", "shortest", "float", "steps")),
        "from rounded constants": ("D", INK, ("made", "made-exact", "made-truncated")),
        "not explained": ("X", GREY, ("printed", "wrong")),
    }
)
"""What is drawn together: name, marker, colour and the kinds of match."""


def digits_of_literals() -> Drawn:
    """How many digits of each literal are right, against how many it has.

    The decimals of programs are drawn that are not exactly their constant. On the line all digits
    are right. A larger marker stands for several literals.
    """
    counts = {name: Counter(_digits(kinds)) for name, (_, _, kinds) in _GROUPS.items()}
    axes = plt.figure().add_subplot()
    end = max(written for count in counts.values() for written, _ in count) + 1
    axes.plot([0, end], [0, end], color=GREY, linewidth=0.9, linestyle=":")
    points = {}
    for (name, (marker, colour, _)), count in zip(_GROUPS.items(), counts.values(), strict=True):
        x, y = np.array(sorted(count)).reshape(-1, 2).T
        points[name] = (x, y)
        sizes = [30 * count[at] for at in sorted(count)]
        style = {"marker": marker, "edgecolors": colour, "facecolors": "none"}
        axes.scatter(x, y, s=sizes, label=name, **style)
    axes.set_xlabel("digits written")
    axes.set_ylabel("digits right")
    axes.legend(loc="upper left")
    return Drawn(points=points)


def _digits(kinds: tuple[str, ...]) -> list[tuple[int, int]]:
    """Digits written and digits right of every decimal that was met, of these kinds."""
    matches = [
        own_match(text, constant)
        for constant in constants().values()
        if constant.group != "register"
        for text in constant.seen
    ]
    return [
        (match.reading.digits, min(match.reading.digits, match.right_digits))
        for match in matches
        if match.kind in kinds and match.reading.kind == "decimal"
    ]
