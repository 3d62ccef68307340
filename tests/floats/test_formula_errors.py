"""The errors of the usual formulas, counted again with interval arithmetic, and where they end."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from flint import arb
from kinds import slow_but

from gelu_lib import activations
from gelu_lib.floats.accuracy import (
    ERROR_PARTS,
    compared,
    errors,
    first_nan,
    first_zero,
    first_zero_of_value,
    inputs,
    summary,
)
from gelu_lib.floats.formulas import GRADIENTS, VALUES
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, from_ordinal, ordinal, round_to, unit
from gelu_lib.floats.ulp import error_in_ulp, exact, is_correctly_rounded
from gelu_lib.register import results

ALL = {**VALUES, **GRADIENTS}
SHORT = ["float16", "bfloat16"]
LONG = ["float64", "float32"]

every_type = pytest.mark.parametrize("dtype", FLOAT_TYPES)
IN_TURN = {
    (name, dtype)
    for i, name in enumerate(ALL)
    for dtype in [*FLOAT_TYPES, *FLOAT_TYPES][i % 4 :][:2]
}
every_name_and_type = pytest.mark.parametrize(
    ("name", "dtype"), slow_but(IN_TURN.__contains__, product(ALL, FLOAT_TYPES))
)


def sample(dtype: str, count: int = 60, left: float = -12.0) -> np.ndarray:
    return round_to(np.random.default_rng(11).uniform(left, 6, size=count), dtype)


def values(name: str, x: np.ndarray) -> np.ndarray:
    return ALL[name](x).astype(np.float64)


def place(x: float, dtype: str) -> int:
    return int(ordinal(np.array(x, FLOAT_TYPES[dtype].dtype)))


def spread(dtype: str, count: int = 20_000) -> np.ndarray:
    """Every float of 16 bits; of a longer type, floats of every magnitude and near the origin."""
    if dtype in SHORT:
        return all_finite(dtype)
    last = place(FLOAT_TYPES[dtype].greatest, dtype)
    far = from_ordinal([*range(-last, last, 2 * last // count), last], dtype)
    return np.sort(np.concatenate([far, round_to(np.linspace(-500, 20, count), dtype)]))


@every_name_and_type
def test_the_errors_are_those_of_the_one_definition_and_add_up(name, dtype):
    x = sample(dtype)
    found, formula = errors(ALL[name], x), ALL[name]
    pairs = zip(x.astype(float).tolist(), values(name, x).tolist(), strict=True)
    expected = [
        error_in_ulp(formula.value, v, y, FLOAT_TYPES[dtype].dtype.type) if y == y else np.nan
        for v, y in pairs
    ]
    # the reference in float64 is some units of 2**-52 off, which count 2**-28 in float32
    close = {"rtol": 1e-12, "atol": 0 if dtype == "float64" else 2.0**-25}
    assert np.allclose(found.ulp, expected, equal_nan=True, **close)
    true = [float(exact(formula.value, v)) for v in x.astype(float).tolist()]
    assert np.allclose(found.reference, true, rtol=2e-15, atol=0)
    assert np.allclose(found.absolute, values(name, x) - true, atol=1e-14, equal_nan=True)
    x = sample(dtype)
    evaluation, total = (errors(ALL[name], x, part) for part in ERROR_PARTS)
    value, aim = (getattr(activations, n)(evaluation.x) for n in (ALL[name].value, ALL[name].aim))
    both = evaluation.absolute + (value - aim)
    assert np.allclose(total.absolute, both, rtol=1e-12, atol=1e-14, equal_nan=True)
    assert (np.abs(value - aim).max() > 1e-4) != (ALL[name].value == ALL[name].aim)


@every_type
@pytest.mark.parametrize("part", ERROR_PARTS)
def test_units_and_relative_errors_follow_from_the_values(part, dtype):
    x = sample(dtype, left=-5.0)
    found = errors(VALUES["tanh"], x, part)
    close = {"rtol": 1e-6, "atol": 1e-9}
    assert np.allclose(found.relative, found.given / found.reference - 1, **close)
    assert np.allclose(found.ulp * unit(found.reference, dtype), found.absolute, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "id"), [("tanh", "page-error-gelu"), ("sigmoid", "scale-1702-error-gelu")]
)
def test_the_error_of_a_formula_is_the_certified_one(name, id):
    largest = float(results()[id].value)
    found = np.abs(errors(VALUES[name], np.linspace(-4, 4, 4001), "total").absolute).max()
    assert largest * (1 - 1e-5) < found <= largest * (1 + 1e-9)


@every_type
def test_relative_errors_far_out(dtype):
    x = round_to(np.array([-FLOAT_TYPES[dtype].greatest, -500.0, 0.0]), dtype)
    assert errors(VALUES["erf"], x).relative.tolist() == [-1, -1, 0]
    assert errors(VALUES["tanh"], x, "total").relative.tolist() == [-1, -1, 0]
    lost = compared(round_to([np.nan, 1.0], dtype), "gelu", x[:1].repeat(2)).relative
    assert np.isnan(lost[0]) and abs(lost[1]) == np.inf


@pytest.mark.parametrize("bad", [np.array([np.nan]), np.array([[1.0]]), np.array([np.inf])])
def test_errors_wants_finite_floats_in_one_dimension(bad):
    with pytest.raises(ValueError, match="accepted are finite floats in one dimension"):
        errors(VALUES["erf"], bad)


def test_errors_refuses_what_is_no_part_and_no_type():
    with pytest.raises(ValueError, match="part is 'both'; accepted are evaluation"):
        errors(VALUES["erf"], np.ones(1), "both")
    with pytest.raises(TypeError, match="accepted are float64"):
        errors(VALUES["erf"], np.ones(1, int))
    with pytest.raises(ValueError, match="name is 'silu'; accepted are gelu, gelu_tanh"):
        compared(np.ones(1), "silu", np.ones(1))


@pytest.mark.parametrize(("name", "dtype"), slow_but(IN_TURN.__contains__, product(ALL, SHORT)))
def test_what_is_misrounded_is_found_again_with_interval_arithmetic(name, dtype):
    formula, x = ALL[name], all_finite(dtype)
    y = values(name, x)
    nearest = getattr(activations, formula.value)(x).astype(np.float64)
    flagged = (y != nearest) & ~np.isnan(y)
    found = summary(formula, dtype)
    assert (found.inputs, found.exhaustive) == (x.size, True)
    assert found.misrounded == flagged.sum() and found.nans == np.isnan(y).sum()
    some = np.flatnonzero(~np.isnan(y) & (np.abs(x.astype(float)) < 60))
    some = np.random.default_rng(2).choice(some, size=60, replace=False)
    kind = FLOAT_TYPES[dtype].dtype.type
    for i in some.tolist():
        right = is_correctly_rounded(formula.value, float(x[i]), y[i], kind)
        assert right != flagged[i], float(x[i])


@every_name_and_type
def test_a_witness_has_its_error_and_no_other_input_a_larger_one(name, dtype):
    formula = ALL[name]
    found, x = summary(formula, dtype), inputs(formula, dtype)
    all_errors = errors(formula, x)
    for worst, size in ((found.ulp, all_errors.ulp), (found.absolute, all_errors.absolute)):
        assert abs(worst.error) == np.nanmax(np.abs(size))
    again = error_in_ulp(formula.value, found.ulp.x, found.ulp.given, FLOAT_TYPES[dtype].dtype.type)
    assert found.ulp.error == pytest.approx(again, rel=1e-6)
    assert float(values(name, round_to([found.ulp.x], dtype))[0]) == found.ulp.given
    for worst in (found.absolute, found.relative):
        assert abs(worst.reference) <= 3 * abs(worst.x) + 1
    relative = found.relative.given / found.relative.reference - 1
    assert found.relative.error == pytest.approx(relative, rel=1e-3)
    assert abs(found.relative.reference) >= 2.0 ** FLOAT_TYPES[dtype].least_exponent


def test_what_is_off_is_counted_also_against_gelu():
    def function(x):
        y = VALUES["ndtr"].function(x)
        y[x == 3] += 2.0
        return y

    faulty = replace(VALUES["ndtr"], function=function)
    right, wrong = (summary(formula, "float16") for formula in (VALUES["ndtr"], faulty))
    assert wrong.misrounded == right.misrounded + 1
    assert (wrong.absolute.x, wrong.ulp.x) == (3, 3)
    found = summary(VALUES["tanh"], "bfloat16", "total")
    x = all_finite("bfloat16")
    nearest = activations.gelu(x)
    assert found.misrounded == (VALUES["tanh"](x) != nearest).sum()
    assert found.misrounded > summary(VALUES["tanh"], "bfloat16").misrounded


@pytest.mark.parametrize("dtype", LONG)
def test_a_sample_is_named_so(dtype):
    found = summary(VALUES["erf"], dtype, count=50)
    assert (found.inputs, found.exhaustive) == (50, False)
    with pytest.raises(ValueError, match="count is 1"):
        inputs(VALUES["erf"], dtype, count=1)
    with pytest.raises(ValueError, match="part is 'formula'"):
        summary(VALUES["erf"], dtype, "formula")


@every_name_and_type
def test_zeros_begin_where_it_is_said_and_do_not_end(name, dtype):
    x = spread(dtype)
    x = x[x <= -1]
    y, first = values(name, x), first_zero(ALL[name], dtype)
    nan = first_nan(ALL[name], dtype, side=-1)
    if first is None:
        assert nan is not None and not (y == 0).any()
        return
    number = np.isfinite(y)
    assert np.array_equal(y == 0, (x.astype(float) <= first) & number)
    pair = from_ordinal([place(first, dtype), place(first, dtype) + 1], dtype)
    assert (values(name, pair) == 0).tolist() == [True, False]


@every_name_and_type
@pytest.mark.parametrize("side", [-1, 1])
def test_nan_begins_where_it_is_said_and_does_not_end(name, side, dtype):
    x = spread(dtype)
    y, first = values(name, x), first_nan(ALL[name], dtype, side)
    this = side * x.astype(float) > 0
    if first is None:
        assert not np.isnan(y[this]).any()
        return
    beyond = side * x.astype(float) >= side * first
    assert np.array_equal(np.isnan(y[this]), beyond[this])
    pair = from_ordinal([place(first, dtype), place(first, dtype) - side], dtype)
    assert np.isnan(values(name, pair)).tolist() == [True, False]


@pytest.mark.parametrize("side", [0, 2, "left"])
def test_a_side_is_left_or_right(side):
    with pytest.raises(ValueError, match="side is"):
        first_nan(VALUES["erf"], "float32", side)


@every_type
@pytest.mark.parametrize("name", ["gelu", "gelu_tanh", "gelu_sigmoid_derivative"])
def test_the_exact_value_vanishes_between_two_floats(name, dtype):
    first = first_zero_of_value(name, dtype)
    before = float(from_ordinal(place(first, dtype) + 1, dtype))
    half = arb(FLOAT_TYPES[dtype].smallest) / 2
    assert abs(exact(name, first)) < half < abs(exact(name, before))
