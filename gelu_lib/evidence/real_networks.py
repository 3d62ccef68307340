"""What other forms did to three networks that people use: the record, and the register's numbers.

What the page shows its notebook computes, from the same record.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binomtest

from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.laws import InputLaw
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.rows import contents

SITE_FITS: Mapping[str, Mapping[str, Any]] = {
    "k": {"written": "factored", "fixed": {"s": LOCAL_SLOPE}},
    "k and s": {"written": "factored"},
    "c": {"family": LOGISTIC},
}
"""Cases of ``best_constants`` for a form that is fitted to inputs, by the names of what is free."""


OUTSIDE = 24.0
"""Where inputs are put that no histogram has; no form has an error there."""


@cache
def real_network_record() -> Mapping[str, Any]:
    """What ``tools/laboratory/record_real_networks.py`` measured."""
    return contents("real_networks.json")


def site_law(site: Mapping[str, Any]) -> InputLaw:
    """The law of the inputs of a site, by its histogram.

    What lies outside of the histogram is put at ``OUTSIDE``, where no form has an error.
    """
    counts = np.array(site["counts"].split(), dtype=np.int64)
    edges = np.linspace(-site["width"], site["width"], counts.size + 1)
    inside = (edges[1:] + edges[:-1]) / 2
    return InputLaw([*inside, OUTSIDE], [*counts, site["inputs"] - counts.sum()])


def site_constants(site: Mapping[str, Any], free: str) -> dict[str, float]:
    """The constants with the least mean square error at a site, by a key of ``SITE_FITS``."""
    found = best_constants(inputs=site_law(site), **SITE_FITS[free]).constants
    return {name: float(value) for name, value in found.items()}


def wilson(changed: int, decisions: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share of decisions, as if they were independent."""
    interval = binomtest(changed, decisions).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)
