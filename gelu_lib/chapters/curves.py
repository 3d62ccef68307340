"""Figures of error curves: members beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from matplotlib.axes import Axes

from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family, Value, error_expression, exact_parameters
from gelu_lib.show.style import Drawn, draw

ERROR_LABEL = {"Phi": "error of Φ", "GELU": "error of GELU", "GELU_derivative": "error of GELU′"}


def error_on(
    x: np.ndarray, family: Family, parameters: Mapping[str, Value], of: str = "Phi"
) -> np.ndarray:
    """The error of a member of a family at the points x, in float64: for drawing, not a bound."""
    values = map(float, exact_parameters(family, parameters).values())
    return _float_error(family, of)(x, *values)


@cache
def _float_error(family: Family, of: str) -> Callable[..., np.ndarray]:
    return numpy_function(error_expression(family, of), X, *family.symbols)


def error_curves(
    members: Mapping[str, tuple[Family, Mapping[str, Value]]],
    of: str = "Phi",
    high: float = 4.5,
    axes: Axes | None = None,
) -> Drawn:
    """The error curves of several members on x ≥ 0.

    Args:
        members: for each curve, by its name, the family and the parameters.
        of: the function that is approximated, as in ``families.error_expression``.
        high: the right end of the horizontal axis.
        axes: where to draw; a new figure if none is given.

    Returns:
        The curves.
    """
    x = np.linspace(0, high, 901)
    curves = {name: (x, error_on(x, *member, of)) for name, member in members.items()}
    return draw(curves, ylabel=ERROR_LABEL[of], axes=axes)
