"""Figures of what was measured in the frameworks."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.figures.style import Drawn, draw
from gelu_lib.framework_record import tail_windows


def left_tails(implementations: Mapping[str, str], dtype: str) -> Drawn:
    """The relative error of implementations in the left tail, on a logarithmic axis.

    Args:
        implementations: the label of each curve, and the name of the implementation in the record.
        dtype: the type in which they were measured.

    Returns:
        One curve for each implementation, of the largest relative error in windows of a quarter,
        against their right ends.

    Raises:
        KeyError: if an implementation was not measured in this type.
    """
    curves = {}
    for label, key in implementations.items():
        windows = tail_windows(key, dtype)
        curves[label] = (np.array(list(windows)), np.array(list(windows.values())))
    drawn = draw(curves, ylabel="relative error", levels=[1.0])
    plt.yscale("log")
    plt.legend()  # once more, since the scale has changed where there is room
    return drawn
