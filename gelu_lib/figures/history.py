"""The picture of the classical approximations: how large the error is, against what it costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.figures.style import BLUE, GREY, INK, Drawn

NEAR, LINE = 2, 11
"""Labels whose errors differ by less than this factor are so many points apart, line by line."""

LABEL = {"textcoords": "offset points", "fontsize": 9, "color": INK}


def error_against_cost(
    points: Mapping[str, tuple[float, float]], front: Collection[str], of: str
) -> Drawn:
    """One mark for each approximation; those that no other one beats are joined and named.

    Args:
        points: cost and largest error by name.
        front: the names of those that no other one beats in both.
        of: the function that is approximated, for the label.

    Returns:
        The marks on the front, by increasing cost, and the others.

    Raises:
        ValueError: if a name of ``front`` is not among the points.
    """
    strays = sorted(set(front) - set(points))
    if strays:
        raise ValueError(f"front has {', '.join(strays)}, which are not among the points")
    best = _arrays([points[name] for name in points if name in front])
    rest = _arrays([points[name] for name in points if name not in front])
    axes = plt.figure(figsize=(7.4, 4.4)).add_subplot()
    axes.plot(*rest, "o", color=GREY, markerfacecolor="none", markersize=6, label="beaten")
    axes.plot(*best, "s-", color=BLUE, drawstyle="steps-post", label="not beaten in both")
    # below and to the left of the front there is nothing; labels at one height go below each other
    level, line = float("inf"), 0
    for name in sorted(front, key=points.__getitem__):
        cost, error = points[name]
        line = line + 1 if error > level / NEAR else 0
        level = error
        below = (-5, -4 - LINE * line)
        axes.annotate(name, (cost, error), xytext=below, va="top", ha="right", **LABEL)
    axes.set_yscale("log")
    axes.set_xlabel("cost in additions")
    axes.set_ylabel(f"largest error of {of}")
    axes.margins(x=0.15)
    axes.legend(fontsize=9.5)
    return Drawn(points={"not beaten": best, "beaten": rest})


def _arrays(pairs: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    ordered = sorted(pairs)
    return np.array([x for x, _ in ordered]), np.array([y for _, y in ordered])
