"""Gates: the two floats around each exact value, against mpmath, and what passes between them."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from gelu_lib import activations
from gelu_lib.floats.gates import gates, neighbours, share_gates
from gelu_lib.floats.types import all_finite, from_ordinal, ordinal, round_to

TYPES = ("float16", "bfloat16")
NAMES = ("gelu", "gelu_derivative")
BITS = 2_000
"""So many bits tell GELU(x) from x up to x = 36."""


def by_mpmath(name, x):
    """The function in mpmath, from erfc and exp alone."""
    x = mpmath.mpf(float(x))
    value = mpmath.erfc(-x / mpmath.sqrt(2)) / 2
    if name == "gelu":
        return x * value
    return value + x * mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)


def hard_inputs(x, nearest):
    """Where a float is so near to the value that a sign is lost easily, and some others."""
    size = np.abs(x.astype(float))
    near = np.abs(nearest.astype(float)) < 1e-3
    chosen = (size < 36) & (x != 0)
    rng = np.random.default_rng(7)
    some = [np.flatnonzero(chosen & kind) for kind in (size < 1e-4, size > 6, near, size < 6)]
    return np.concatenate([rng.choice(places, min(60, places.size), False) for places in some])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", NAMES)
def test_the_exact_value_lies_between_its_neighbours(name, dtype):
    x, (below, above) = all_finite(dtype), neighbours(dtype, name)
    assert set(above - below) == {0, 1} and x[above == below].tolist() == [0]
    with mpmath.workprec(BITS):
        for i in hard_inputs(x, getattr(activations, name)(x)):
            low, high = (float(from_ordinal(n[i], dtype)) for n in (below, above))
            assert low < by_mpmath(name, x[i]) < high, x[i]


@pytest.mark.parametrize("dtype", TYPES)
def test_far_out_gelu_is_below_the_identity_and_below_0(dtype):
    x, (below, above) = all_finite(dtype), neighbours(dtype)
    far = x.astype(float) > 50
    assert np.array_equal(above[far], ordinal(x[far])) and not above[x.astype(float) < -50].any()
    below, above = neighbours(dtype, "gelu_derivative")
    one = int(ordinal(round_to(1, dtype)))
    assert set(below[far]) == {one} and set(below[x.astype(float) < -50]) == {-1}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("demand", ["nearest", "faithful"])
def test_what_is_inside_a_gate_is_rounded_to_what_is_allowed_and_what_is_outside_is_not(
    dtype, demand
):
    given = gates(dtype, demand)
    x = all_finite(dtype)[all_finite(dtype) != 0]
    assert np.array_equal(given.x, x.astype(float))
    below, above = (n[all_finite(dtype) != 0] for n in neighbours(dtype))
    if demand == "nearest":
        below = above = ordinal(activations.gelu(x))
    inward, outward = given.high - given.low, given.low * 2.0**-40
    step = np.maximum(np.abs(outward), 2.0**-160)
    for inside in (given.low + step, given.high - step, given.low + inward / 2):
        places = ordinal(round_to(inside, dtype))
        assert np.all((places == below) | (places == above))
    for outside in (given.low - step, given.high + step):
        finite = np.isfinite(round_to(outside, dtype))
        places = ordinal(round_to(outside, dtype))
        assert not np.any(finite & ((places == below) | (places == above)))


def test_the_share_of_gelu_passes_its_gates():
    given = gates("bfloat16", "faithful")
    a, low, high = share_gates(given, np.maximum(given.x, 0), -np.abs(given.x))
    assert np.array_equal(a, given.x[given.x > 0])
    with mpmath.workprec(200):
        for i in range(0, a.size, 997):
            tail = mpmath.erfc(mpmath.mpf(a[i]) / mpmath.sqrt(2)) / 2
            assert low[i] < tail < high[i]
    i = int(np.searchsorted(a, 2.5625))  # of the two signs the left one is the narrower
    left = int(np.searchsorted(given.x, -2.5625))
    assert Fraction(low[i]) >= Fraction(-given.high[left]) / Fraction(2.5625) * (1 - 2**-40)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bfloat16", "exact"), "demand is 'exact'; accepted are nearest, faithful"),
        (("float32", "faithful"), "dtype is float32; accepted are float16 and bfloat16"),
        (("float16", "faithful", "silu"), "name is 'silu'; accepted are gelu, gelu_derivative"),
    ],
)
def test_what_is_not_understood_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        gates(*arguments)
