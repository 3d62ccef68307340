"""How far a plain function of NumPy arrays is from its target, as far as samples show."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sympy import Expr, S, oo

from gelu_lib.fits.criteria import LINE, checked_interval
from gelu_lib.fits.exchange import ZOOM, places
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.functions.targets import Target, target_of

_ZOOMS = 3
"""How often the samples are made finer around the largest error."""


class Sampled(NamedTuple):
    """The largest error among some samples; another one may be larger.

    Attributes:
        error: its size.
        place: the x where it is.
    """

    error: float
    place: float


def sampled_sup_error(
    function: Callable[[np.ndarray], np.ndarray],
    target: Target | str = "Phi",
    interval: tuple = LINE,
) -> Sampled:
    """The largest absolute error of a function of arrays on some samples, in double precision.

    Nothing is proved: between two samples the error may be larger. What is given as a form, an
    expression or a function of balls has a proof by ``certified_sup_error``.

    Args:
        function: a function of a float64 array, which returns an array of the same shape.
        target: ``"Phi"``, ``"GELU"``, ``"GELU_derivative"`` or a ``Target`` of one's own; the
            function is compared with the target itself.
        interval: two numbers, or ±∞, between which x lies; samples reach as far as
            ``exchange.HALF_LINE``.

    Returns:
        The largest error that was found, and where.

    Raises:
        TypeError: if ``function`` is no function, or as ``targets.target_of``.
        ValueError: as that function; if the interval is not accepted; or if the values have another
            shape, or if they or those of the target are not finite at a sample.

    Example:
        >>> import numpy as np
        >>> from gelu_lib.fits.sampled import sampled_sup_error
        >>> found = sampled_sup_error(lambda x: x / (1 + np.exp(-1.702 * x)), "GELU", (-8, 8))
        >>> round(found.error, 6), round(abs(found.place), 3)
        (0.020335, 2.27)
    """
    if not callable(function):
        raise TypeError(f"function must be a function of arrays, got {function!r}")
    exact = numpy_function(target_of(target).expression)
    x, found = _samples(*checked_interval(interval)), Sampled(-1.0, 0.0)
    for _ in range(_ZOOMS + 1):
        with np.errstate(all="ignore"):  # what is not finite is refused
            goal = np.broadcast_to(exact(x), x.shape)
        errors = np.abs(_finite(goal, x, "target") - _values(function, x))
        best = int(np.argmax(errors))
        found = max(found, Sampled(float(errors[best]), float(x[best])))
        x = np.linspace(x[max(best - 1, 0)], x[min(best + 1, len(x) - 1)], ZOOM)
    return found


def _samples(left: Expr, right: Expr) -> np.ndarray:
    """Increasing places between two ends."""
    if left > -oo:
        return places(left, right)
    if right < oo:
        return -places(-right, oo)[::-1]
    return np.concatenate([-places(S.Zero, oo)[:0:-1], places(S.Zero, oo)])


def _values(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Values of a function at places, if they are numbers."""
    values = np.asarray(function(x), float)
    if values.shape != x.shape:
        raise ValueError(f"function returns the shape {values.shape} for {x.shape}")
    return _finite(values, x, "function")


def _finite(values: np.ndarray, x: np.ndarray, name: str) -> np.ndarray:
    if not np.isfinite(values).all():
        place = x[np.argmin(np.isfinite(values))]
        raise ValueError(f"{name} is not finite at x = {place:.6g}, in the interval")
    return values
