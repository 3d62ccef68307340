"""The constants with the least largest error in units in the last place: proved, or refused.

That the error is least inside a registered interval is tried with the statements, in
``tests/shared/named_trials.py``.
"""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import product

import mpmath
import numpy as np
import pytest
from kinds import slow_but
from scipy.special import ndtr

from gelu_lib.floats.best_rounded import (
    _attained,
    _prove_least,
    _prove_reference,
    counted_inputs,
    least_ulp,
    prove_least_ulp,
    ulp_demand,
)
from gelu_lib.floats.rounded_constants import SIGMOID_BY_SCALE, TANH_BY_CUBIC, intersection
from gelu_lib.floats.types import all_finite, unit

TYPES = ["float16", "bfloat16"]
FORMS = {"tanh": TANH_BY_CUBIC, "sigmoid": SIGMOID_BY_SCALE}
LEFT_ENDS = (-np.inf, -4.0, -2.0)


def mostly(*kept):
    """Every form in every type, and one of them in every run."""
    kinds = slow_but(kept.__eq__, product(FORMS, TYPES))
    return pytest.mark.parametrize(("form", "dtype"), kinds)


@cache
def found(form, dtype):
    return least_ulp(FORMS[form], all_finite(dtype), LEFT_ENDS)


@mostly("tanh", "bfloat16")
def test_the_least_error_is_proved(form, dtype):
    prove_least_ulp(found(form, dtype), all_finite(dtype))


def test_what_is_not_the_least_error_is_not_proved():
    inputs = all_finite("bfloat16")
    *_, best = found("tanh", "bfloat16")
    wide, narrow = found("tanh", "bfloat16")[:2]
    (place, worse), *_ = _attained(inputs[inputs.astype(float) >= -2], best.famous_error)
    larger = replace(
        best,
        error=best.famous_error,
        x=float(place),
        result=float(worse),
        constants=intersection(
            TANH_BY_CUBIC, ulp_demand(inputs, best.famous_error).from_left_end(-2.0)
        ),
    )
    for wrong, message in (
        (larger, "is possible"),
        (replace(best, error=best.error * (1 - 1e-9)), "results have an error near"),
        (replace(best, error=best.error * (1 + 2e-12)), "is not that of"),
        (replace(best, result=worse), "is not that of"),
        (replace(best, x=narrow.x, result=narrow.result), "is not that of"),
        (replace(best, constants=narrow.constants), "the demand does not have the end"),
        (replace(best, left=wide.left), "the demand does not have the end|less is allowed"),
    ):
        with pytest.raises(ArithmeticError, match=message):
            _prove_least(wrong, inputs[counted_inputs(inputs.astype(float), wrong.left)])


def test_an_inexact_reference_or_a_wrong_unit_is_noticed():
    dtype = all_finite("bfloat16").dtype
    x, value = -1.0, float(-ndtr(-1.0))
    _prove_reference(x, value, 2.0**-10, dtype)
    tiny = -(2.0**-54)  # GELU is a little nearer to 0 than x/2, and so in the next binade
    _prove_reference(tiny, tiny / 2, 2.0**-63, dtype)
    for wrong in (
        (x, value * (1 + 1e-12), 2.0**-10),
        (x, value, 2.0**-9),
        (tiny, tiny / 2, float(unit(tiny / 2, dtype))),
    ):
        with pytest.raises(ArithmeticError, match="not near enough to Arb"):
            _prove_reference(*wrong, dtype)


def test_the_error_is_enclosed_and_one_that_is_not_told_apart_is_refused():
    for best in found("tanh", "float16"):
        enclosed = best.enclosure(all_finite("float16").dtype, 50)
        assert enclosed.upper - enclosed.lower < Decimal("1e-50")
        with mpmath.workdps(90):
            value = best.x * mpmath.ncdf(best.x)
            exponent = mpmath.floor(mpmath.log(abs(value), 2))
            error = abs(best.result - value) / mpmath.mpf(2) ** (max(exponent, -14) - 10)
            assert mpmath.mpf(str(enclosed.lower)) < error < mpmath.mpf(str(enclosed.upper))
    inputs = all_finite("bfloat16")
    with pytest.raises(ArithmeticError, match="results have an error near"):
        _attained(inputs, 0.5)  # that of every odd input near 0, almost
    with pytest.raises(ArithmeticError, match="0 results have an error near"):
        _attained(inputs[-5:], 0.25)
    with pytest.raises(ValueError, match="no input but 0 is as large"):
        least_ulp(TANH_BY_CUBIC, all_finite("float16"), [1e6])
    with pytest.raises(ValueError, match="no result from it on has a choice"):
        least_ulp(TANH_BY_CUBIC, all_finite("float16"), [100])
    with pytest.raises(TypeError, match="inputs are float32; accepted are float16 and bfloat"):
        least_ulp(TANH_BY_CUBIC, np.ones(3, np.float32))


def test_a_search_that_leaves_out_what_binds_is_noticed(monkeypatch):
    inputs = all_finite("bfloat16")
    monkeypatch.setattr(
        "gelu_lib.floats.best_rounded.binding_inputs",
        lambda form, inputs: inputs[inputs.astype(float) > 0],
    )
    with pytest.raises(ArithmeticError, match="not confirmed"):
        least_ulp(TANH_BY_CUBIC, inputs)
