"""How a number is computed: the few kinds of computation that the registered numbers need.

A computation is a function of a number of significant digits.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy import Expr, Float

from gelu_lib.families import Family, Value
from gelu_lib.fits import Fit, minimax
from gelu_lib.norms import SampledSupError, sampled_sup_error

Computation = Callable[[int], Float]
"""A function of a number of digits that returns the number, right to as many."""


def cubic_ratio(fit: Fit) -> Float:
    """The coefficient k of x + k·x³ in a member of the cubic family."""
    return fit.parameters["p3"] / fit.parameters["p1"]


def exact(expression: Expr) -> Callable[[int], Float]:
    return lambda digits: sp.N(expression, digits)


def fit_part(
    family: Family, of: str, fixed: dict[str, Value], part: Callable
) -> Callable[[int], Float]:
    return lambda digits: part(minimax(family, of, fixed, digits))


def sup_part(family: Family, parameters: dict[str, Value], of: str, part: Callable) -> Callable:
    return lambda digits: part(sampled_sup_error(family, parameters, of, digits))


def error_of(found: Fit | SampledSupError) -> Float:
    return found.error
