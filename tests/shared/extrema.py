"""Every extremum of an error of the tanh form for x > 0, as samples in double precision show them.

The library proves the highest ones alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp
from scipy.optimize import brentq

from gelu_lib.fits.criteria import problem
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import TANH_CUBIC
from gelu_lib.functions.targets import TARGETS

NOISE = 1e-12
"""Beside the target, what may be rounding: near 0 the error of a match vanishes."""

PLACES = np.geomspace(1e-4, 1e16, 60_001)


def extrema(parameters: Mapping[str, object], target: str = "Phi") -> list[tuple[float, float]]:
    """The places of the extrema and the errors there, in the order of the places.

    The error is written from the left, where nothing cancels far out.
    """
    error = problem(TANH_CUBIC, target).error
    both = [numpy_function(e, X, *TANH_CUBIC.symbols) for e in (error, sp.diff(error, X))]
    numbers = [float(parameters.get(name, 0)) for name in TANH_CUBIC.names]
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        slope = both[1](PLACES, *numbers)
        turns = np.flatnonzero(slope[:-1] * slope[1:] < 0)
        pairs = [tuple(PLACES[i : i + 2]) for i in turns]
        found = [brentq(both[1], *pair, args=tuple(numbers), xtol=1e-300) for pair in pairs]
        peaks = [(x, float(both[0](x, *numbers))) for x in found]
    exact = numpy_function(TARGETS[target].expression)
    return [(x, size) for x, size in peaks if abs(size) > NOISE * abs(exact(-x))]
