"""Which tests pass the wrong form: how far it is from the exact one on the inputs that they take.

A test asks \\|y − GELU(x)\\| ≤ atol + rtol·\\|GELU(x)\\| at some inputs. It passes a wrong form if
its inputs lie where the forms are near, or its tolerance exceeds their distance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
from scipy.special import ndtri

from gelu_lib.activations import gelu
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.sup_errors import certified_error_within
from gelu_lib.floats.types import float_type, round_to
from gelu_lib.functions.families import APPROXIMATIONS
from gelu_lib.provenance.inputs import inputs_between
from gelu_lib.provenance.tolerances import workings

DIGITS = 7
"""To how many digits a largest difference is enclosed."""

QUANTILES = 100_000
"""How many normal inputs stand for the distribution, evenly spaced in probability."""


def largest_difference(variant: str, half_width: float) -> Enclosure:
    """The largest \\|GELU(x) − form(x)\\| for \\|x\\| up to a number, between two proved ends.

    Args:
        variant: ``"tanh"`` or ``"sigmoid"``.
        half_width: where the range ends; infinite for the whole line.

    Raises:
        ValueError: if ``variant`` is something else, or ``half_width`` is not positive.
        CertificationError: if the proof fails.
    """
    if variant not in APPROXIMATIONS:
        raise ValueError(f"variant is {variant!r}; accepted are {', '.join(APPROXIMATIONS)}")
    if not half_width > 0:
        raise ValueError(f"half_width is {half_width!r}; accepted is a positive number")
    family, parameters = APPROXIMATIONS[variant]
    return certified_error_within(half_width, family, parameters, "GELU", DIGITS)


def passing_half_width(
    function: Callable[[np.ndarray], np.ndarray], rtol: float, atol: float, dtype: str
) -> float:
    """How far from 0 a test must reach to fail a callable.

    Args:
        function: what is tested against the exact form, on float64.
        rtol: the relative tolerance of the test.
        atol: the absolute one.
        dtype: float16 or bfloat16, the floats at which the test is tried.

    Returns:
        The size of the smallest float at which the test fails, on either side of 0; infinite if it
        passes at every finite float. Other inputs were not tried.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if it has more than 16 bits, or a tolerance is negative or nan.
    """
    if len(workings(dtype)) == 1:
        raise ValueError(f"dtype is {dtype!r}; accepted are float16 and bfloat16")
    x = inputs_between(float_type(dtype), -inf, inf)
    return float(np.min(np.abs(x[_fails(function, x, rtol, atol)]), initial=inf))


def failing_share(
    function: Callable[[np.ndarray], np.ndarray], rtol: float, atol: float, dtype: str
) -> float:
    """The share of normally distributed inputs, rounded to a type, at which a test fails.

    Args:
        function: what is tested against the exact form, on float64.
        rtol: the relative tolerance of the test.
        atol: the absolute one.
        dtype: one of the four types.

    Returns:
        The share among so many quantiles of the normal distribution; an estimate.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if a tolerance is negative or nan.
    """
    x = ndtri((np.arange(QUANTILES) + 0.5) / QUANTILES)
    return float(np.mean(_fails(function, round_to(x, dtype).astype(np.float64), rtol, atol)))


def _fails(
    function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, rtol: float, atol: float
) -> np.ndarray:
    if not (rtol >= 0 and atol >= 0):
        raise ValueError(f"rtol is {rtol!r} and atol is {atol!r}; accepted are numbers from 0")
    exact = gelu(x)
    return np.abs(function(x) - exact) > atol + rtol * np.abs(exact)
