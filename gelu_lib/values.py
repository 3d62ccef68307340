"""How each registered number is computed, at any number of digits.

One entry of ``COMPUTATIONS`` for each number of the register: its ID, and a function from a number
of significant digits to the number. Nothing here reads the register; ``tools/write_values.py``
writes what is computed here into it, and a test computes it again.
"""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import sympy as sp
from sympy import Expr, Float

from gelu_lib.families import LOGISTIC, TANH_CUBIC, Family, Value
from gelu_lib.fits import Fit, minimax
from gelu_lib.functions import LOCAL_SLOPE, LOGISTIC_SCALE, PAGE_CUBIC, Phi
from gelu_lib.norms import SampledSupError, sampled_sup_error
from gelu_lib.series import local_match, tanh_radius

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""

SLOPE_KEPT = {"p1": 2 * LOCAL_SLOPE}
"""The linear coefficient that gives Φ̂ the slope of Φ at 0."""

PAGE = {**SLOPE_KEPT, "p3": 2 * LOCAL_SLOPE * PAGE_CUBIC}
"""The parameters of the tanh form with 0.044715."""

GELU_PAPER = {"p1": LOGISTIC_SCALE}
"""The parameter of the sigmoid form with 1.702."""


def compute(id: str, digits: int) -> str:
    """A registered number to significant digits, computed now.

    Args:
        id: the ID of a result that is a number.
        digits: how many significant digits, at least 1.

    Returns:
        A decimal string, rounded to nearest.

    Raises:
        KeyError: if the result is not a number, or no result has this ID.
        ValueError: if ``digits`` is not a positive integer.
    """
    if id not in COMPUTATIONS:
        raise KeyError(f"no number has the ID {id!r}; numbers are {', '.join(COMPUTATIONS)}")
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
    with mpmath.workdps(digits + GUARD_DIGITS):
        number = mpmath.mpmathify(COMPUTATIONS[id](digits + GUARD_DIGITS))
        return mpmath.nstr(number, digits, strip_zeros=False, min_fixed=-mpmath.inf)


def cubic_ratio(fit: Fit) -> Float:
    """The coefficient k of x + k·x³ in a member of the cubic family."""
    return fit.parameters["p3"] / fit.parameters["p1"]


def _exact(expression: Expr) -> Callable[[int], Float]:
    return lambda digits: sp.N(expression, digits)


def _fit(
    family: Family, of: str, fixed: dict[str, Value], part: Callable
) -> Callable[[int], Float]:
    return lambda digits: part(minimax(family, of, fixed, digits))


def _sup(family: Family, parameters: dict[str, Value], of: str, part: Callable) -> Callable:
    return lambda digits: part(sampled_sup_error(family, parameters, of, digits))


def _error(found: Fit | SampledSupError) -> Float:
    return found.error


COMPUTATIONS: dict[str, Callable[[int], Float]] = {
    "phi-at-minus-1": _exact(Phi(-1)),
    "phi-at-1": _exact(Phi(1)),
    "phi-at-2": _exact(Phi(2)),
    "tanh-radius": _exact(tanh_radius()),
    "taylor-slope": _exact(local_match(1).coefficients[0]),
    "taylor-cubic": _exact(local_match(3).ratio(3)),
    "taylor-quintic": _exact(local_match(5).ratio(5)),
    "tanh-pinned-cubic": _fit(TANH_CUBIC, "Phi", SLOPE_KEPT, cubic_ratio),
    "tanh-pinned-error": _fit(TANH_CUBIC, "Phi", SLOPE_KEPT, _error),
    "page-error-phi": _sup(TANH_CUBIC, PAGE, "Phi", _error),
    "page-error-gelu": _sup(TANH_CUBIC, PAGE, "GELU", _error),
    "page-error-gelu-derivative": _sup(TANH_CUBIC, PAGE, "GELU_derivative", _error),
    "tanh-gelu-cubic": _fit(TANH_CUBIC, "GELU", SLOPE_KEPT, cubic_ratio),
    "tanh-free-linear": _fit(TANH_CUBIC, "Phi", {}, lambda fit: fit.parameters["p1"]),
    "tanh-free-cubic": _fit(TANH_CUBIC, "Phi", {}, lambda fit: fit.parameters["p3"]),
    "tanh-free-error": _fit(TANH_CUBIC, "Phi", {}, _error),
    "eleven-over-123-convergent": _fit(
        TANH_CUBIC, "Phi", SLOPE_KEPT, lambda fit: 2 * cubic_ratio(fit)
    ),
    "logistic-scale": _fit(LOGISTIC, "Phi", {}, lambda fit: fit.parameters["p1"]),
    "logistic-scale-error": _fit(LOGISTIC, "Phi", {}, _error),
    "scale-1702-error-phi": _sup(LOGISTIC, GELU_PAPER, "Phi", _error),
    "scale-1702-place": _sup(LOGISTIC, GELU_PAPER, "Phi", lambda found: found.where[0]),
    "scale-1702-error-gelu": _sup(LOGISTIC, GELU_PAPER, "GELU", _error),
    "scale-1702-error-gelu-derivative": _sup(LOGISTIC, GELU_PAPER, "GELU_derivative", _error),
    "logistic-gelu-scale": _fit(LOGISTIC, "GELU", {}, lambda fit: fit.parameters["p1"]),
}
"""For each number of the register, how it is computed to a number of digits."""
