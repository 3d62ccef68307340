"""Exact values rounded once: against NumPy's casts, against mpmath, and at ties and ends."""

from __future__ import annotations

import math
from itertools import cycle, product

import mpmath
import numpy as np
import pytest
from flint import arb, ctx
from kinds import slow_but

from gelu_lib.floats.types import FLOAT_TYPES, float_type, from_ordinal, ordinal, round_to
from gelu_lib.floats.ulp import (
    ERROR_FUNCTIONS,
    correctly_rounded,
    exact,
    is_correctly_rounded,
    round_ball,
)
from gelu_lib.functions.expressions import GELU, X, gelu_sigmoid, gelu_tanh, mpmath_function

NAMES, TYPES = list(ERROR_FUNCTIONS), list(FLOAT_TYPES)
VALUES, DERIVATIVES = NAMES[:3], NAMES[3:]
SEED = 20160627

every_type = pytest.mark.parametrize("dtype", TYPES)


def sign_of(x: float) -> float:
    return math.copysign(1.0, x)


@every_type
def test_a_float64_is_rounded_as_by_a_cast(dtype: str) -> None:
    rng = np.random.default_rng(SEED)
    bits = rng.integers(0, 2**64, size=2000, dtype=np.uint64).view(np.float64)
    numbers = np.concatenate([bits[np.isfinite(bits)], np.exp(rng.uniform(-110, 95, 2000))])
    expected = round_to(numbers, dtype).astype(np.float64).tolist()
    assert [round_ball(arb(x), dtype) for x in numbers.tolist()] == expected


@every_type
def test_a_tie_goes_to_the_even_float_and_a_trace_beyond_it_does_not(dtype: str) -> None:
    kind = float_type(dtype)
    least_normal = int(ordinal(np.array(2.0**kind.least_exponent, kind.dtype)))
    last = int(ordinal(np.array(kind.greatest, kind.dtype)))
    with ctx.workprec(2500):
        for place in (0, 1, 2, 3, least_normal - 1, least_normal, least_normal + 1, last - 1):
            below, above = from_ordinal([place, place + 1], dtype).astype(np.float64).tolist()
            tie, trace = (arb(below) + arb(above)) / 2, arb(2) ** -1300
            for sign in (1, -1):
                even = below if place % 2 == 0 else above
                assert round_ball(sign * tie, dtype) == sign * even
                assert round_ball(sign * (tie - trace), dtype) == sign * below
                assert round_ball(sign * (tie + trace), dtype) == sign * above


@every_type
def test_what_is_far_out_is_infinite_and_what_is_far_below_a_zero_with_its_sign(dtype: str) -> None:
    kind = float_type(dtype)
    with ctx.workprec(2000):
        half = arb(2) ** (math.frexp(kind.greatest)[1] - kind.digits - 2)
        edge, trace = arb(kind.greatest) + half, arb(2) ** -100
        for sign in (1, -1):
            assert round_ball(sign * (edge - trace), dtype) == sign * kind.greatest
            assert round_ball(sign * edge, dtype) == sign * math.inf
            assert round_ball(sign * arb(10) ** 9999, dtype) == sign * math.inf
    for number in (arb(-(10**6)).exp(), arb(2) ** -1300, arb(2) ** -(10**9)):
        assert sign_of(round_ball(number, dtype)) == 1
        assert sign_of(round_ball(-number, dtype)) == -1
        assert round_ball(number, dtype) == 0
    assert round_ball(arb(0), dtype) == 0


def some_floats(dtype: str, count: int) -> list[float]:
    """Finite floats of a type: random bits, everyday numbers, and the left tail."""
    kind, rng = float_type(dtype), np.random.default_rng(SEED)
    bits = rng.integers(0, 256, size=(count, kind.dtype.itemsize), dtype=np.uint8)
    floats = bits.view(kind.dtype).ravel()
    with np.errstate(all="ignore"):  # signalling nan
        floats = floats[np.isfinite(floats.astype(np.float64))]
    others = np.concatenate([rng.normal(size=count), rng.uniform(-45, 10, count)])
    return [*floats.astype(np.float64).tolist(), *others.astype(kind.dtype).astype(float).tolist()]


FORMULAS = {"gelu": GELU(X), "gelu_tanh": gelu_tanh(X), "gelu_sigmoid": gelu_sigmoid(X)}
FORMULAS |= {f"{name}_derivative": formula.diff(X) for name, formula in FORMULAS.items()}
by_mpmath = {name: mpmath_function(formula) for name, formula in FORMULAS.items()}


def is_nearest_by_mpmath(name: str, x: float, y: float, dtype: str) -> bool:
    """Whether neither neighbour of y is as near to the value as y."""
    place = int(ordinal(np.array(y, float_type(dtype).dtype)))
    neighbours = from_ordinal([place - 1, place + 1], dtype).astype(np.float64).tolist()
    with mpmath.workprec(1600):  # 1 + tanh cancels down to the smallest float64
        value = by_mpmath[name](mpmath.mpf(x))
        return all(abs(value - y) < abs(value - other) for other in neighbours)


@pytest.mark.parametrize(
    ("name", "dtype"),
    slow_but([*zip(NAMES, cycle(TYPES), strict=False)].__contains__, product(NAMES, TYPES)),
)
def test_mpmath_finds_the_same_floats(name: str, dtype: str) -> None:
    inputs = [x for x in some_floats(dtype, 400) if 1e-4 < abs(x) < 40][:40]
    for x in inputs:
        y = correctly_rounded(name, x, dtype)
        assert is_nearest_by_mpmath(name, x, y, dtype)
        beside = float(from_ordinal(ordinal(np.array(y, float_type(dtype).dtype)) + 1, dtype))
        assert not is_nearest_by_mpmath(name, x, beside, dtype)


@pytest.mark.parametrize("name", VALUES)
@every_type
def test_a_tie_of_half_of_x_is_decided_by_what_the_value_adds(name: str, dtype: str) -> None:
    smallest = FLOAT_TYPES[dtype].smallest
    for k in (1, 3, 5):  # k/2 units and a trace, which raises the value on both sides of 0
        assert correctly_rounded(name, k * smallest, dtype) == (k + 1) / 2 * smallest
        assert correctly_rounded(name, -k * smallest, dtype) == -(k - 1) / 2 * smallest
    assert sign_of(correctly_rounded(name, -smallest, dtype)) == -1


@every_type
def test_limits_and_zeros(dtype: str) -> None:
    greatest = FLOAT_TYPES[dtype].greatest
    for name in NAMES:
        for x in (-math.inf, -greatest):
            y = correctly_rounded(name, x, dtype)
            assert y == 0 and sign_of(y) == -1
    for name in VALUES:
        for x in (math.inf, greatest, 0.0, -0.0):
            y = correctly_rounded(name, x, dtype)
            assert y == x and sign_of(y) == sign_of(x)
    for name in DERIVATIVES:
        found = [correctly_rounded(name, x, dtype) for x in (math.inf, greatest, 0.0, -0.0)]
        assert found == [1.0, 1.0, 0.5, 0.5]


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_enclosure_and_is_not_the_nearest_float(x: float) -> None:
    with pytest.raises(ValueError, match=f"x is {x}; accepted is a finite float"):
        exact("gelu", x)
    assert not is_correctly_rounded("gelu", 1.0, x)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("relu", 1.0), ValueError, "name is 'relu'; accepted are gelu, gelu_tanh"),
        (("gelu", math.nan), ValueError, "x is nan; accepted are the floats of float64 but nan"),
        (("gelu", 0.1, "float32"), ValueError, "x is 0.1; accepted are the floats of float32"),
        (("gelu", 1e39, "bfloat16"), ValueError, "accepted are the floats of bfloat16"),
        (("gelu", 1.0, np.int16), TypeError, "accepted are float64, float32, float16, bfloat16"),
    ],
)
def test_refusals(arguments: tuple, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        correctly_rounded(*arguments)
