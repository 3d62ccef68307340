"""Which tests pass the wrong form: how far it is from the exact one on the inputs that they take.

A test asks \\|y − GELU(x)\\| ≤ atol + rtol·\\|GELU(x)\\| at some inputs. It passes a wrong form if
its inputs lie where the forms are near, or its tolerance exceeds their distance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isinf

import numpy as np
from flint import arb, ctx
from scipy.special import ndtri

from gelu_lib.activations import gelu
from gelu_lib.certificates import Enclosure, certified_sup_error
from gelu_lib.certificates.balls import number
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.enclosures import ErrorCurve, enclosure
from gelu_lib.certificates.pieces import prove_below
from gelu_lib.families import GELU_PAPER, LOGISTIC, PAGE, TANH_CUBIC, exact_parameters
from gelu_lib.floats import float_type, round_to
from gelu_lib.variants.inputs import inputs_between
from gelu_lib.variants.tolerances import VARIANTS

APPROXIMATIONS = {"tanh": (TANH_CUBIC, PAGE), "sigmoid": (LOGISTIC, GELU_PAPER)}
"""The forms that are no exact GELU, as members of families."""

SLACK = 1e-7
"""By how much of itself the proved upper end exceeds the lower one."""

SAMPLES = 200_001
"""How many inputs are looked at for the largest difference."""

QUANTILES = 100_000
"""How many normal inputs stand for the distribution, evenly spaced in probability."""


def largest_difference(variant: str, half_width: float) -> Enclosure:
    """The largest \\|GELU(x) − form(x)\\| for \\|x\\| up to a number, between two proved ends.

    The lower end is the difference at one input, where it is the largest of many samples. That no
    input exceeds the upper end is proved by interval arithmetic.

    Args:
        variant: ``"tanh"`` or ``"sigmoid"``.
        half_width: where the range ends; infinite for the whole line.

    Raises:
        KeyError: if ``variant`` is something else.
        ValueError: if ``half_width`` is not positive.
        CertificationError: if the proof fails.
    """
    if not half_width > 0:
        raise ValueError(f"half_width is {half_width!r}; accepted is a positive number")
    family, parameters = APPROXIMATIONS[variant]
    if isinf(half_width):
        return certified_sup_error(family, parameters, of="GELU").error
    x = np.linspace(0, half_width, SAMPLES)[1:]
    place = float(x[np.argmax(np.abs(VARIANTS[variant](x) - gelu(x)))])
    curve = ErrorCurve(family, "GELU")
    with ctx.workprec(PROOF_BITS):
        values = [number(value) for value in exact_parameters(family, parameters).values()]
        found = abs(curve.taylor(arb(place), values, 1)[0])
        level = found * (1 + arb(SLACK))
        prove_below(curve, values, level, 0.0, half_width)
        return enclosure(found.union(level), 12)


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
    """
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
    """
    x = ndtri((np.arange(QUANTILES) + 0.5) / QUANTILES)
    return float(np.mean(_fails(function, round_to(x, dtype).astype(np.float64), rtol, atol)))


def _fails(
    function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, rtol: float, atol: float
) -> np.ndarray:
    exact = gelu(x)
    return np.abs(function(x) - exact) > atol + rtol * np.abs(exact)
