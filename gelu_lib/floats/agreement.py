"""Which results are the same number once they are rounded to a float type.

Two formulas that differ in the reals may agree as floats. ``rounded`` evaluates a form of GELU with
any constants and rounds it once, as ``gelu_lib.activations`` does with the famous ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np
import sympy as sp
from scipy.special import expit
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.activations import FORMS
from gelu_lib.certificates.engine.balls import compiled, number
from gelu_lib.certificates.engine.roots import is_positive
from gelu_lib.floats.types import all_finite, ordinal, round_to
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC
from gelu_lib.functions.forms import Form, right_limit

_SLACK = 2.0**-40
"""More than the relative error of the float64 evaluation. It is at most some units in the last
place for each unit of the exponent, which is below 800 where a result is not 0."""


def rounded(inputs: np.ndarray, form: Form) -> np.ndarray:
    """The value xΦ̂(x) of a form at each input, rounded once to the type of the inputs.

    Args:
        inputs: finite float16, bfloat16 or float32.
        form: a member of ``LOGISTIC`` or ``TANH_CUBIC`` without negative coefficients. With two
            signs the exponent would cancel, and float64 would not know how near to a middle it is.

    Returns:
        An array of the same type and shape. Each result is the float nearest to the exact value.
        Where float64 is too near to the middle of two floats to tell, interval arithmetic decides.

    Raises:
        TypeError: if the inputs are of another type, or ``form`` is no form.
        ValueError: if an input is not finite, the form is of another family, or a coefficient is
            negative or no finite float64.
        CertificationError: if a value is not told from the middle of two floats.
    """
    inputs = np.asarray(inputs)
    if inputs.dtype.name not in ("float16", "bfloat16", "float32"):
        raise TypeError(f"inputs are {inputs.dtype}; accepted are float16, bfloat16 and float32")
    exact = [*right_limit(form).values(), sp.S.Zero][:2]
    linear, cubic = map(float, exact)
    known = form.family in (LOGISTIC, TANH_CUBIC)
    if not (known and 0 <= linear < np.inf and 0 <= cubic < np.inf):
        raise ValueError(
            f"form is {form!r}; accepted are members of LOGISTIC and TANH_CUBIC whose coefficients "
            "are float64 that are finite, from 0"
        )
    x = inputs.astype(np.float64)
    if not np.isfinite(x).all():
        raise ValueError("inputs have an infinity or nan; accepted are finite floats")
    y = x * expit(x * (linear + cubic * x * x))
    low, high = (round_to(y * (1 + side * _SLACK), inputs.dtype) for side in (-1, 1))
    found = high.copy()
    for i in np.flatnonzero(ordinal(low) != ordinal(high)):
        ends = sorted((float(low.flat[i]), float(high.flat[i])))
        found.flat[i] = _nearer(ends, float(x.flat[i]), exact)
    return found


_MEMBER = compiled((X, *TANH_CUBIC.symbols), X * TANH_CUBIC.expression)
"""The same in interval arithmetic."""


def _nearer(ends: list[float], x: float, coefficients: list[Expr]) -> float:
    """The one of two neighbouring floats that the exact value is nearer to."""
    middle = (ends[0] + ends[1]) / 2  # exact in float64
    above = is_positive(
        lambda: _MEMBER(flint.arb(x), *map(number, coefficients)) - middle,
        f"at x = {x!r} the distance of the value from the middle of {ends}",
    )
    return ends[1] if above else ends[0]


def steps_apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How many floats apart two arrays of one type are: 0 is the same number, 1 a neighbour.

    A float and its neighbour differ by one unit in the last place. Both zeros count as one float.

    Raises:
        TypeError: if the arrays are of two types, or of another one than ``ordinal`` takes.
        ValueError: if an element is nan.
    """
    if one.dtype != other.dtype:
        raise TypeError(f"the arrays are {one.dtype} and {other.dtype}; accepted is one type")
    return np.abs(ordinal(one) - ordinal(other))


@cache
def ordinals(dtype: str) -> Mapping[str, np.ndarray]:
    """The three forms at ``all_finite(dtype)``, each result by its place among the floats."""
    inputs = all_finite(dtype)
    return MappingProxyType({name: ordinal(form(inputs)) for name, form in FORMS.items()})


def agreeing(dtype: str, *names: str) -> np.ndarray:
    """At which finite floats, in ascending order, functions round to one number.

    Args:
        dtype: ``"float16"`` or ``"bfloat16"``.
        *names: keys of ``gelu_lib.activations.FORMS``, at least two.

    Raises:
        ValueError: if fewer than two names are given, or an unknown one.
    """
    if len(names) < 2 or not set(names) <= set(FORMS):
        raise ValueError(f"names are {names!r}; accepted are two or more of {', '.join(FORMS)}")
    first, *others = (ordinals(dtype)[name] for name in names)
    return np.logical_and.reduce([first == other for other in others])
