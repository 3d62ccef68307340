"""Identities and inequalities of the activations, at floats that hypothesis chooses.

A tolerance is never chosen: it is the sum of the errors that the results may have. In float64 the
error of each result is at most ``limit(name)`` units in the last place, the largest error recorded
with an allowance for the processor. In float32 it is 0.51 units.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of
from kinds import slow_but
from numpy.testing import assert_array_equal

from gelu_lib import activations
from gelu_lib.activations import coefficients
from gelu_lib.floats.ulp import ERROR_FUNCTIONS, measured_errors

NAMES = list(ERROR_FUNCTIONS)
VALUES, DERIVATIVES = NAMES[:3], NAMES[3:]
RECORD = measured_errors()
PROCESSOR = 0.5
FLOAT32 = 0.51

# The minimum of each form lies at minus the zero of its derivative.
MINIMUM = {
    "gelu": coefficients.GELU_ZERO,
    "gelu_tanh": coefficients.TANH_ZERO,
    "gelu_sigmoid": coefficients.SIGMOID_ZERO,
}

floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(-40, 40),
    st.floats(-2, 2),
    st.floats(-450, -30),
)
floats32 = st.floats(-120, 120, width=32)
settings.register_profile(
    "reproducible", derandomize=True, database=None, deadline=None, max_examples=300
)
settings.load_profile("reproducible")


def limit(name: str) -> Fraction:
    """The largest error of a float64 result, in units in the last place."""
    sides = RECORD["float64"][name]
    return Fraction(max(sides[side]["largest ULP"] for side in ("left", "right")) + PROCESSOR)


def value(name: str, x: float) -> float:
    return getattr(activations, name)(x)


def slack(name: str, *results: float) -> Fraction:
    """The sum of the errors that these results may have."""
    # The unit belongs to the exact value, which may lie one binade above the result.
    return limit(name) * sum(Fraction(2 * math.ulp(y)) for y in results)


@pytest.mark.parametrize("name", slow_but("gelu".__eq__, VALUES))
@given(x=floats)
def test_the_value_less_that_at_minus_x_is_x(name: str, x: float) -> None:
    right, left = value(name, x), value(name, -x)
    assert abs(Fraction(right) - Fraction(left) - Fraction(x)) <= slack(name, right, left)


@pytest.mark.parametrize("name", slow_but("gelu_tanh_derivative".__eq__, DERIVATIVES))
@given(x=floats)
def test_the_slopes_at_x_and_minus_x_have_the_sum_1(name: str, x: float) -> None:
    right, left = value(name, x), value(name, -x)
    assert abs(Fraction(right) + Fraction(left) - 1) <= slack(name, right, left)


@pytest.mark.parametrize("name", slow_but("gelu_sigmoid".__eq__, VALUES))
@given(x=floats, y=floats)
def test_falling_before_the_minimum_and_rising_behind_it(name: str, x: float, y: float) -> None:
    place = -MINIMUM[name][0]
    x, y = min(x, y), max(x, y)
    low, high = (x, y) if x >= place else (y, x)
    if x >= place or y < place:
        first, second = value(name, low), value(name, high)
        assert Fraction(first) - Fraction(second) <= slack(name, first, second)


@pytest.mark.parametrize("name", slow_but("gelu_tanh".__eq__, VALUES))
@given(x=floats)
def test_the_value_lies_between_the_minimum_and_x(name: str, x: float) -> None:
    y, least = value(name, x), value(name, -MINIMUM[name][0])
    assert Fraction(y) >= Fraction(least) - slack(name, y, least)
    assert y <= max(x, 0.0)  # without tolerance: one rounding of something below it
    if x > 0:
        assert Fraction(y) >= Fraction(x) / 2 - slack(name, y)


@pytest.mark.parametrize("name", slow_but("gelu_derivative".__eq__, DERIVATIVES))
@given(x=floats)
def test_the_slope_has_the_sign_of_the_distance_to_the_minimum(name: str, x: float) -> None:
    place = -MINIMUM[name.removesuffix("_derivative")][0]
    y = value(name, x)
    if y != 0:  # it vanishes where it is too small for a float
        assert (y > 0) == (x > place) or x == place


arrays = arrays_of.arrays(
    np.float64, arrays_of.array_shapes(min_dims=1, max_dims=3, max_side=4), elements=floats
)


@pytest.mark.parametrize("name", slow_but(lambda name: name == "gelu", NAMES))
@given(x=arrays, data=st.data())
def test_every_layout_gives_the_result_of_the_scalars(
    name: str, x: np.ndarray, data: st.DataObject
) -> None:
    function: Callable = getattr(activations, name)
    expected = np.array([function(float(number)) for number in x.flat]).reshape(x.shape)
    steps = data.draw(st.tuples(*[st.sampled_from([1, 2, -1, -3]) for _ in x.shape]))
    view = tuple(slice(None, None, step) for step in steps)
    axes = data.draw(st.permutations(range(x.ndim)))
    locked = np.asfortranarray(x)
    locked.flags.writeable = False
    for array, result in (
        (x, expected),
        (locked, expected),
        (x[view], expected[view]),
        (x.transpose(axes), expected.transpose(axes)),
        (x[view].astype(">f8"), expected[view]),
        (x[:0], expected[:0]),
        (x.tolist(), expected),
    ):
        assert_array_equal(function(array), result)


@pytest.mark.parametrize("name", slow_but(["gelu", "gelu_sigmoid_derivative"].__contains__, NAMES))
@given(x=floats32)
def test_float32_is_float64_rounded(name: str, x: float) -> None:
    exact, narrow = value(name, x), value(name, np.float32(x))
    assert type(narrow) is np.float32
    # The exact value lies within both errors; the unit of float32 may be that of the next binade.
    unit = Fraction(float(np.maximum(np.spacing(np.abs(narrow)), 2 * np.spacing(np.float32(0)))))
    distance = abs(Fraction(exact) - Fraction(float(narrow)))
    assert distance <= Fraction(FLOAT32) * unit + slack(name, exact)
