"""Where a search for good sums of tanh ended.

The search takes minutes, so ``tools/search_tanh_sums.py`` has recorded it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources

SCALE_RANGE = (0.1, 5.0)
"""Between these the scales of a start are drawn, uniformly in their logarithm."""

RECORD = "tanh_sums.json"


def recorded_search() -> Mapping:
    """What the search recorded: ``starts``, ``seed`` and ``searches``.

    Returns:
        Each search has ``count``, ``of``, ``limit_one`` and ``found``: for each start the scales
        that it ended with, to six digits, after the least error with these scales. The error is
        the sup norm on the real line, as ``minimax`` finds it, not that on the grid
        of the search. The sums stand by increasing error.
    """
    file = resources.files("gelu_lib") / "data" / RECORD
    return json.loads(file.read_text(encoding="utf-8"))
