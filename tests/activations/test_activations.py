"""The activations against their formulas, evaluated by Arb, and their contract.

The record of ``benchmarks/float_accuracy.py`` holds the largest errors found among far more inputs.
Here the docstrings are held against the record, and samples against both.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tracemalloc
import warnings
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import ml_dtypes
import mpmath
import numpy as np
import pytest
import scipy.special
import write_activation_coefficients
from flint import arb, ctx
from float_accuracy import WHERE_IT_VANISHES, climbed, exp_target, hard_inputs, results_with_libm
from kinds import slow_but
from numpy.testing import assert_array_equal

from gelu_lib import activations
from gelu_lib.activations import arrays, blocks, coefficients, gaussian, logistic, table
from gelu_lib.floats.ulp import (
    ERROR_FUNCTIONS,
    errors_in_ulp,
    exact,
    is_correctly_rounded,
    measured_errors,
    unit_exponent,
)
from gelu_lib.functions import expressions as functions
from gelu_lib.functions.expressions import GELU, X

NAMES = list(ERROR_FUNCTIONS)
VALUES = NAMES[:3]
FUNCTIONS = {name: getattr(activations, name) for name in NAMES}
EXPRESSIONS = {
    "gelu": GELU(X),
    "gelu_tanh": functions.gelu_tanh(X),
    "gelu_sigmoid": functions.gelu_sigmoid(X),
    "gelu_derivative": GELU(X).diff(X),
    "gelu_tanh_derivative": functions.gelu_tanh(X).diff(X),
    "gelu_sigmoid_derivative": functions.gelu_sigmoid(X).diff(X),
}

ROOT = Path(__file__).resolve().parents[2]
RECORD = measured_errors()
FLOAT64_LIMITS = {  # a little above what a hill climb finds, which finds more than random inputs
    "gelu": 3.5,
    "gelu_tanh": 4.5,
    "gelu_sigmoid": 4.5,
    "gelu_derivative": 5.5,
    "gelu_tanh_derivative": 8.5,
    "gelu_sigmoid_derivative": 8.0,
}
FLOAT32_LIMIT = 0.51
SEED = 20160627
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NARROW = {"float16": np.dtype(np.float16), "bfloat16": BFLOAT16}

PROCESSOR = 0.5
"""By so much, in ULP, an error in float64 may pass the recorded largest one: with another exp than
that of the record, or at inputs that were not among its own."""

every_function = pytest.mark.parametrize("name", NAMES)
every_float_type = pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])


def recorded(name: str) -> tuple[float, str]:
    """The largest error found in float64, and where."""
    return worst_of(RECORD["float64"][name])


def worst_of(found: dict) -> tuple[float, str]:
    """The larger of the errors that were found on the half-lines, and where."""
    worst = max(found["left"], found["right"], key=lambda side: side["largest ULP"])
    return worst["largest ULP"], worst["at"]


def largest_error(
    name: str, inputs: np.ndarray, function: Callable | None = None
) -> tuple[float, str]:
    """The largest error at `inputs` in units in the last place, and where it is."""
    with np.errstate(all="ignore"):
        computed = (function or FUNCTIONS[name])(inputs)
    errors = np.abs(errors_in_ulp(name, inputs.tolist(), computed.tolist(), inputs.dtype.type))
    return errors.max(), float(inputs[errors.argmax()]).hex()


# The checker.


def test_the_unit_and_the_rounding_are_those_of_the_number_and_not_of_the_float_next_to_it():
    with ctx.workprec(100):
        below_one = 1 - arb(2) ** -70
    assert float(below_one) == 1
    assert unit_exponent(below_one) == -53
    assert unit_exponent(arb(1)) == -52
    assert unit_exponent(arb(1), BFLOAT16.type) == -7
    assert unit_exponent(arb(0), BFLOAT16.type) == -133
    x = float(BFLOAT16.type(3 * 2.0**-133))  # x/2 lies halfway, and GELU(x) a little above
    assert is_correctly_rounded("gelu", x, 2 * 2.0**-133, BFLOAT16.type)
    assert not is_correctly_rounded("gelu", x, 2.0**-133, BFLOAT16.type)


# Accuracy in float64.


@every_function
def test_the_largest_error_has_not_grown_and_the_witness_of_the_record_has_its(name: str) -> None:
    error, at = largest_error(name, hard_inputs(name, 4000, SEED + 1))
    assert error <= recorded(name)[0] + PROCESSOR, at
    figure, witness = recorded(name)
    error, _ = largest_error(name, np.array([float.fromhex(witness)]))
    if exp_target() == RECORD["exp of NumPy"]:
        assert error == pytest.approx(figure, abs=1e-4)
    else:  # another exp errs at other inputs
        assert error <= figure + PROCESSOR


def test_the_climb_reaches_a_narrow_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "float_accuracy.sizes", lambda name, x, y: 1 / (1 + 1e9 * np.abs(x + np.pi))
    )
    start = np.linspace(-10, -1, 50)
    at, error, tried = climbed("gelu", start, 40, np.copy)
    assert at == pytest.approx(-np.pi, abs=1e-10) and error > 0.9
    assert tried > 50 * 8 * 40
    assert climbed("gelu", start, 0, np.copy)[0] == start[np.abs(start + np.pi).argmin()]


@every_function
def test_no_worst_error_has_grown_beyond_its_limit_or_its_docstring(name: str) -> None:
    for part in ("float64", "float64-libm"):
        assert worst_of(RECORD[part][name])[0] <= FLOAT64_LIMITS[name]
    assert RECORD["float32"][name]["largest ULP"] <= FLOAT32_LIMIT
    assert [RECORD[part][name]["not correctly rounded"] for part in NARROW] == [0, 0]
    assert RECORD["float64"][name]["inputs"] > 2 * 10**6
    text = " ".join(FUNCTIONS[name].__doc__.split())
    assert figures(name) in text
    every_number = re.findall(r"\d[\d.]* ULP", text)
    assert every_number == re.findall(r"\d[\d.]* ULP", figures(name))


def figures(name: str) -> str:
    """The figures of a docstring as the record has them."""
    float64, float32 = RECORD["float64"][name], RECORD["float32"][name]
    error, at = recorded(name)
    return (
        f"In float64 the largest error found is {error:.2f} ULP, at ``x = {at}``, by a hill climb "
        f"over {float64['inputs']:,} inputs (seed {float64['seed']}), subnormal results included. "
        "It is the largest found, not a bound. Over all float32 the largest error is "
        f"{float32['largest ULP']:.4f} ULP, at ``x = {float32['at']}``; "
        f"{float32['not correctly rounded']:,} results are not the nearest float32."
    )


@every_function
def test_the_left_tail_is_kept_until_the_value_underflows_where_kernels_are_cut(
    name: str,
) -> None:
    # the checker counts in units of the last subnormal here; 0 is right only below half of one
    inputs = np.linspace(*WHERE_IT_VANISHES[name], 400)
    results = FUNCTIONS[name](inputs)
    assert np.count_nonzero(np.abs(results) < np.finfo(float).tiny) > 150
    assert np.count_nonzero(results) > 300
    assert largest_error(name, inputs)[0] <= recorded(name)[0] + PROCESSOR
    last = inputs[np.flatnonzero(results)[0]]
    for x in inputs[results == 0]:
        assert x < last
        assert abs(exact(name, x)) < arb(2) ** -1075 * 1.01
    form = name.removesuffix("_derivative")
    end = {"gelu": gaussian.VANISHED, "gelu_tanh": logistic.TANH_FAR}.get(
        form, logistic.SIGMOID_FAR
    )
    assert abs(exact(name, -end)) < arb(2) ** -1075


# Faults that are put into the evaluation.

ZERO = np.array(0.0)
NODES = table.left_half()


def with_wide(activation: blocks.Activation, **changes: object) -> blocks.Activation:
    return dataclasses.replace(activation, wide=dataclasses.replace(activation.wide, **changes))


FAULTS = {
    "an early branch": ("gelu", gaussian, "GELU_VALUE", with_wide(gaussian.GELU_VALUE, near=4.0)),
    "reflections swapped": (
        "gelu_derivative",
        gaussian,
        "GELU_DERIVATIVE",
        with_wide(gaussian.GELU_DERIVATIVE, reflect=blocks.reflect_value),
    ),
    "a table off by units": ("gelu", table, "left_half", lambda: NODES * (1 + 2.0**-50)),
    "the step without its slope": ("gelu", gaussian, "_MEAN", (ZERO, ZERO, gaussian._MEAN[2])),
    "a term dropped": ("gelu_derivative", gaussian, "_NEAR_SLOPE", gaussian._NEAR_SLOPE[1:]),
    "a far coefficient dropped": ("gelu", gaussian, "_FAR_RATIO", gaussian._FAR_RATIO[1:]),
    "a zero as one float": ("gelu_derivative", gaussian, "_ZERO_REST", ZERO),
    "1.702 as a float": ("gelu_sigmoid", coefficients, "SIGMOID_SCALE", (1.702, 0.0)),
    "a rest of the cubic dropped": ("gelu_tanh", logistic, "_CUBIC_REST", ZERO),
    "a coarse grid": ("gelu_tanh", logistic, "_TANH_GRID", np.array(1.5 * 2.0**52)),
    "an early end": (
        "gelu_tanh_derivative",
        logistic,
        "TANH_DERIVATIVE",
        with_wide(logistic.TANH_DERIVATIVE, end=20.0),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_evaluation_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, module, attribute, faulty = FAULTS[fault]
    limit, _ = recorded(name)
    inputs = np.append(hard_inputs(name, 2000, SEED), -coefficients.GELU_ZERO[0])
    assert largest_error(name, inputs)[0] <= limit + PROCESSOR
    monkeypatch.setattr(module, attribute, faulty)
    assert largest_error(name, inputs)[0] > limit + PROCESSOR


# The constants.


@pytest.mark.slow
def test_the_constants_are_those_that_the_tool_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Path(coefficients.__file__).read_text(encoding="utf-8")
    monkeypatch.setattr(write_activation_coefficients, "FILE", tmp_path / "coefficients.py")
    write_activation_coefficients.main()
    assert (tmp_path / "coefficients.py").read_text(encoding="utf-8") == written


def test_the_constants_are_exact_to_twice_the_digits_of_a_float() -> None:
    with mpmath.workprec(200):
        linear = 2 * mpmath.sqrt(2 / mpmath.pi)
        cubic, scale = linear * mpmath.mpf("0.044715"), mpmath.mpf("1.702")
        constants = {
            coefficients.TANH_LINEAR_PAIR: linear,
            coefficients.TANH_LINEAR_SPLIT: linear,
            coefficients.TANH_CUBIC_PAIR: cubic,
            coefficients.TANH_CUBIC_SPLIT: cubic,
            coefficients.SIGMOID_SCALE: scale,
            coefficients.SIGMOID_SCALE_SPLIT: scale,
        }
        for (high, low), true in constants.items():
            assert abs(high - true) > true / 2**60  # the float alone would not do
            assert abs(mpmath.mpf(high) + mpmath.mpf(low) - true) < true / 2**70
    zeros = {
        "gelu_derivative": coefficients.GELU_ZERO,
        "gelu_tanh_derivative": coefficients.TANH_ZERO,
        "gelu_sigmoid_derivative": coefficients.SIGMOID_ZERO,
    }
    for name, (high, low) in zeros.items():
        zero = mpmath.mpf(high) + mpmath.mpf(low)
        slope = functions.mpmath_function(EXPRESSIONS[name])
        with mpmath.workprec(300):
            step = zero * mpmath.mpf(2) ** -100
            assert slope(-zero - step) < 0 < slope(-zero + step)


def test_what_is_called_exact_in_the_exponents_is_exact() -> None:
    a = np.random.default_rng(SEED).uniform(0, coefficients.TABLE_END, 500)
    top, rest, work = np.empty_like(a), np.empty_like(a), np.empty((3, a.size))
    logistic.tanh_split(a, top, rest, work)
    linear, cubic = (
        Fraction(pair[0])
        for pair in (coefficients.TANH_LINEAR_SPLIT, coefficients.TANH_CUBIC_SPLIT)
    )
    for number, sum_, small in zip(a, top, rest, strict=True):
        h = Fraction(round(Fraction(number) * 2**10), 2**10)
        assert Fraction(sum_) == linear * h + cubic * h**3
        assert abs(small) < 2**-6
    logistic.sigmoid_split(a, top, rest, work)
    scale = Fraction(coefficients.SIGMOID_SCALE_SPLIT[0])
    for number, large, small in zip(a, top, rest, strict=True):
        assert Fraction(large) == scale * Fraction(round(Fraction(number) * 2**22), 2**22)
        assert abs(small) < 2**-20


# Accuracy in the narrower types.


def float32_sample(name: str) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    zero = float(coefficients.GELU_ZERO[0])
    around = np.float32(-zero) + np.arange(-50, 50) * np.spacing(np.float32(zero))
    return np.concatenate(
        [
            rng.uniform(-15, 5, 1500),
            rng.normal(size=500),
            rng.uniform(-110, 110, 200),
            np.exp(rng.uniform(-100, 0, 300)),
            around,
            [float.fromhex(RECORD["float32"][name]["at"])],
        ]
    ).astype(np.float32)


@every_function
def test_float32_is_within_half_a_unit_and_a_trace_as_the_record_has_it(
    name: str,
) -> None:
    error, at = largest_error(name, float32_sample(name))
    assert error <= FLOAT32_LIMIT, at
    stored = RECORD["float32"][name]
    assert stored["inputs"] == 2**32 - 2**24  # all but infinities and nan
    error, _ = largest_error(name, np.array([float.fromhex(stored["at"])], np.float32))
    assert error == pytest.approx(stored["largest ULP"], abs=1e-5)


@pytest.mark.parametrize("name", VALUES)
def test_a_tie_of_float32_is_decided_by_what_the_value_adds_to_half_of_x(name: str) -> None:
    odd = np.arange(-99, 100, 2).astype(np.float32) * np.finfo(np.float32).smallest_subnormal
    for x, y in zip(odd.tolist(), FUNCTIONS[name](odd).tolist(), strict=True):
        assert is_correctly_rounded(name, x, y, np.float32)


def test_the_float32_checker_rejects_arithmetic_in_float32() -> None:
    inputs = np.random.default_rng(SEED).uniform(-9, -5, 50).astype(np.float32)
    one_half, root = np.float32(0.5), np.float32(np.sqrt(0.5))
    error, _ = largest_error("gelu", inputs, lambda x: one_half * x * scipy.special.erfc(-x * root))
    assert error > 1


def all_of(dtype: np.dtype) -> np.ndarray:
    return np.arange(2**16, dtype=np.uint16).view(dtype)


def wrongly_rounded(name: str, inputs: np.ndarray, results: np.ndarray) -> list[float]:
    """The finite inputs where a result is not the float of its type nearest to the exact value."""
    with np.errstate(invalid="ignore"):  # a signalling nan is made quiet
        pairs = list(
            zip(inputs.astype(float).tolist(), results.astype(float).tolist(), strict=True)
        )
    return [
        x
        for x, y in pairs
        if np.isfinite(x) and not is_correctly_rounded(name, x, y, inputs.dtype.type)
    ]


@pytest.mark.slow  # the ordinary run compares all of them with the published vectors
@pytest.mark.parametrize("dtype", NARROW)
@every_function
def test_every_result_of_16_bits_is_rounded_correctly(name: str, dtype: str) -> None:
    inputs = all_of(NARROW[dtype])
    results = FUNCTIONS[name](inputs)
    assert results.dtype == inputs.dtype
    assert wrongly_rounded(name, inputs, results) == []


# Another exp.


@pytest.mark.parametrize(
    ("name", "dtype"),
    slow_but(
        [("gelu", "float16"), ("gelu_tanh_derivative", "bfloat16")].__contains__,
        product(NAMES, NARROW),
    ),
)
def test_with_the_exp_of_the_c_library_16_bits_are_the_same(name: str, dtype: str) -> None:
    inputs = all_of(NARROW[dtype])
    with np.errstate(invalid="ignore"):  # a signalling nan is made quiet
        inputs = inputs[np.isfinite(inputs.astype(float))]
    assert_array_equal(results_with_libm(name, inputs), FUNCTIONS[name](inputs))


@pytest.mark.parametrize("name", slow_but("gelu_tanh_derivative".__eq__, NAMES))
def test_with_the_exp_of_the_c_library_the_errors_are_within_the_same_limits(name: str) -> None:
    wide, single = hard_inputs(name, 2000, SEED + 2), float32_sample(name)
    error, at = largest_error(name, wide, lambda x: results_with_libm(name, x))
    assert error <= recorded(name)[0] + PROCESSOR, at
    error, at = largest_error(name, single, lambda x: results_with_libm(name, x))
    assert error <= FLOAT32_LIMIT, at


def test_another_exp_is_another_one_and_the_module_says_what_it_changes() -> None:
    inputs = np.random.default_rng(SEED).uniform(-8, 0, 1000)
    if exp_target() == RECORD["exp of NumPy"]:
        function = activations.gelu_derivative  # it has the exp as a factor
        assert np.any(results_with_libm("gelu_derivative", inputs) != function(inputs))
    text = " ".join(activations.__doc__.split())
    said = "at a fifth as many inputs, no largest error found in float64 was greater"
    assert said in text
    for name in NAMES:
        full, libm = RECORD["float64"][name], RECORD["float64-libm"][name]
        assert 5 * libm["inputs"] == pytest.approx(full["inputs"], rel=0.02)
        assert worst_of(libm)[0] <= worst_of(full)[0]


def test_rounding_to_bfloat16_is_to_the_nearest_and_from_ties_to_even() -> None:
    floats = np.sort(all_of(BFLOAT16)[:0x7F80].astype(np.float64))
    middles = (floats[:-1] + floats[1:]) / 2
    even = np.where(np.arange(middles.size) % 2, floats[1:], floats[:-1])
    for sign in (1.0, -1.0):
        for y, expected in (
            (floats, floats),
            (middles, even),
            (np.nextafter(middles, 0.0), floats[:-1]),
            (np.nextafter(middles, np.inf), floats[1:]),
        ):
            rounded = sign * y
            arrays.round_to_bfloat16(rounded)
            assert_array_equal(rounded, sign * expected)
            assert_array_equal(np.signbit(rounded), np.signbit(sign * expected))


# Limits, signs and silence.


@every_float_type
@every_function
def test_limits_and_signed_zeros(name: str, dtype: type) -> None:
    info = np.finfo(dtype)
    inputs = np.array([-np.inf, info.min, -0.0, 0.0, info.max, np.inf, np.nan], dtype)
    values = [-0.0, -0.0, -0.0, 0.0, info.max, np.inf, np.nan]
    expected = np.array(values if name in VALUES else [0, 0, 0.5, 0.5, 1, 1, np.nan], dtype)
    results = FUNCTIONS[name](inputs)
    assert_array_equal(results, expected)
    if name in VALUES:
        assert_array_equal(np.signbit(results[:-1]), np.signbit(expected[:-1]))


@every_float_type
@pytest.mark.parametrize("name", VALUES)
def test_subnormal_inputs_are_halved(name: str, dtype: type) -> None:
    tiny = np.finfo(dtype).smallest_subnormal
    inputs = np.arange(-9, 10).astype(dtype) * tiny
    results = FUNCTIONS[name](inputs)
    assert np.all(np.abs(results / tiny - np.arange(-9, 10) / 2) <= 0.5)
    assert_array_equal(np.signbit(results), np.arange(-9, 10) < 0)  # also where −x/2 becomes 0


def extreme(dtype: type) -> np.ndarray:
    """Floats of a dtype at, near and far beyond everything that could overflow or underflow."""
    info = np.finfo(dtype)
    with np.errstate(all="ignore"):
        powers = np.ldexp(dtype(1), np.arange(info.minexp - info.nmant, info.maxexp))
        grid = np.linspace(-1000, 1000, 4001).astype(dtype)
        return np.concatenate([powers, -powers, grid, [info.max, info.min, 0.0, -0.0]], dtype=dtype)


@every_function
@every_float_type
def test_silent_and_never_nan_for_a_finite_input(name: str, dtype: type) -> None:
    inputs = all_of(np.dtype(np.float16)) if dtype is np.float16 else extreme(dtype)
    specials = np.array([np.inf, -np.inf, np.nan], dtype)
    with warnings.catch_warnings(), np.errstate(all="raise"), scipy.special.errstate(all="raise"):
        warnings.simplefilter("error")
        results = FUNCTIONS[name](inputs)
        FUNCTIONS[name](specials)
        for scalar in (-1e308, -38.5, -1e-320, dtype(-21), np.int64(-(2**62)), True):
            FUNCTIONS[name](scalar)
    assert_array_equal(np.isnan(results), np.isnan(inputs))


@every_function
def test_neither_the_error_state_nor_the_input_is_changed_or_returned(name: str) -> None:
    with np.errstate(divide="print", over="warn", under="raise", invalid="ignore"):
        before = np.geterr()
        FUNCTIONS[name]([-1e308, -38.5, np.nan])
        with pytest.raises(TypeError):
            FUNCTIONS[name](1j)
        assert np.geterr() == before
    array = np.linspace(-3, 3, 7)
    copy = array.copy()
    result = FUNCTIONS[name](array)
    assert_array_equal(array, copy)
    assert not np.shares_memory(result, array)
    assert result.flags.writeable


# Dtypes and shapes.


@every_function
@pytest.mark.parametrize("number", [True, False, 0, -1, 2**63, 1.5, -0.0, float("inf")])
def test_a_python_number_gives_a_python_float(name: str, number: float) -> None:
    result = FUNCTIONS[name](number)
    assert type(result) is float
    assert result == FUNCTIONS[name](np.array([number], np.float64))[0]


@every_function
@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "i", "l", "L", "q", "e", "f", "d"])
def test_dtypes_kept_or_float64(name: str, dtype: str) -> None:
    kept = np.dtype(dtype if dtype in "efd" else "d")
    array = np.array([[0, 1], [1, 0]], dtype)
    result = FUNCTIONS[name](array)
    assert result.dtype == kept
    assert result.shape == array.shape
    assert_array_equal(result, FUNCTIONS[name](array.astype("d")).astype(kept))
    for scalar in (array[0, 1], np.array(1, dtype)):
        assert type(FUNCTIONS[name](scalar)) is kept.type
        assert FUNCTIONS[name](scalar) == result[0, 1]


@every_function
def test_every_layout_gives_the_same(name: str) -> None:
    array = np.random.default_rng(SEED).normal(scale=5, size=(6, 4))
    expected = FUNCTIONS[name](array)
    locked = array.copy()
    locked.flags.writeable = False
    backing = np.zeros((12, 8))
    backing[::2, ::2] = array
    unaligned = np.zeros(array.nbytes + 1, np.uint8)[1:].view(float).reshape(array.shape)
    unaligned[:] = array
    layouts = {
        "list": array.tolist(),
        "tuple of arrays": tuple(array),
        "Fortran order": np.asfortranarray(array),
        "strided": backing[::2, ::2],
        "reversed": array[::-1][::-1],
        "read-only": locked,
        "big-endian": array.astype(">f8"),
        "little-endian": array.astype("<f8"),
        "unaligned": unaligned,
        "buffer": memoryview(array),
        "subclass": array.view(np.recarray),
    }
    for layout, x in layouts.items():
        result = FUNCTIONS[name](x)
        assert type(result) is np.ndarray and result.dtype == np.float64, layout
        assert_array_equal(result, expected, err_msg=layout)
    assert_array_equal(FUNCTIONS[name](array.T), expected.T)


def test_a_call_within_a_call_spoils_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a signal handler may make one."""
    x, within = np.linspace(-9, 9, 300), np.linspace(1, 3, 300)
    right = [activations.gelu(one) for one in (x, within)]
    kernel, inner = gaussian.GELU_VALUE.wide.kernel, []

    def interrupted(a: np.ndarray, out: np.ndarray, work: blocks.WorkRows) -> None:
        if not inner:
            inner.append(None)
            inner[0] = activations.gelu(within)
        kernel(a, out, work)

    monkeypatch.setattr(gaussian, "GELU_VALUE", with_wide(gaussian.GELU_VALUE, kernel=interrupted))
    assert_array_equal(activations.gelu(x), right[0])
    assert_array_equal(inner[0], right[1])


@every_function
@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (1,), (2, 1, 3)])
@every_float_type
def test_shape_kept_with_no_elements_too(name: str, shape: tuple[int, ...], dtype: type) -> None:
    for x, kept in ((np.zeros(shape, dtype), dtype), (np.zeros(shape).tolist(), np.float64)):
        result = FUNCTIONS[name](x)
        assert result.dtype == kept and result.shape == np.shape(x)


@every_function
def test_bfloat16_is_kept(name: str) -> None:
    array = np.array([[0.5, -1.0], [-0.0, 3.0]], BFLOAT16)
    for x in (array, array.T, array[:, ::-1], np.array([], BFLOAT16)):
        result = FUNCTIONS[name](x)
        assert result.dtype == BFLOAT16
        assert result.shape == x.shape
        assert_array_equal(result, FUNCTIONS[name](x.astype(np.float64)).astype(BFLOAT16))
    assert type(FUNCTIONS[name](array[0, 1])) is ml_dtypes.bfloat16
    assert_array_equal(
        np.isnan(FUNCTIONS[name](np.array([np.nan, -np.inf, np.inf], BFLOAT16)).astype(float)),
        [True, False, False],
    )


# Blocks and memory.


@every_function
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_element_does_not_depend_on_those_beside_it(name: str, dtype: type) -> None:
    rng = np.random.default_rng(SEED)
    array = (rng.standard_cauchy(60_000) * 3).astype(dtype)  # far ones and near ones, many blocks
    array[::7919] = np.nan
    whole = FUNCTIONS[name](array)
    for start, stop in ((0, 1), (1, 18), (5, 30_000), (59_990, 60_000)):
        assert_array_equal(FUNCTIONS[name](array[start:stop]), whole[start:stop])


@pytest.mark.parametrize(
    ("name", "dtype"),
    slow_but(
        [("gelu", np.int64), ("gelu_tanh_derivative", np.float32)].__contains__,
        product(NAMES, [np.float16, np.float32, np.float64, np.int64]),
    ),
)
def test_at_most_one_mebibyte_is_taken_beside_the_result(name: str, dtype: type) -> None:
    array = np.ones((1500, 1000), dtype)
    FUNCTIONS[name](array)
    for x in (array, array.T, array[:, ::2], 9 * array, -300 * array):
        tracemalloc.start()
        result = FUNCTIONS[name](x)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak - result.nbytes + 8 * blocks.MEMORY <= 2**20


def test_the_table_and_the_copy_cost_what_the_docstring_says() -> None:
    table.left_half.cache_clear()
    tracemalloc.start()
    table.left_half()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "half as much more once" in " ".join(activations.__doc__.split())
    assert 2**17 < peak <= 2**19
    record = json.loads((ROOT / "benchmarks/records/activation_speed.json").read_text("utf-8"))
    ratios = [
        record[dtype][inputs]["100000000"]["gelu against"]["a copy"]
        for dtype in ("float64", "float32")
        for inputs in ("normal", "uniform")
    ]
    said = f"{min(ratios):.0f} to {max(ratios):.0f} times as long as a copy"
    assert said in " ".join(activations.__doc__.split())


# Refusals.


class Unsupported:
    """What a bfloat16 tensor of PyTorch says to NumPy."""

    def __array__(self, *_, **__):
        raise TypeError("Got unsupported ScalarType BFloat16")


class Masking:
    """An object that NumPy takes for an array, and whose array has a mask."""

    def __array__(self, dtype: type | None = None, copy: bool | None = None) -> np.ndarray:
        return np.ma.array([1.0, 2.0], mask=[False, True])


class Plain:
    """The same without a mask."""

    def __array__(self, dtype: type | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array([1.0, 2.0])


@every_function
@pytest.mark.parametrize("x", [Plain(), [Plain()], deque([1.0, 2.0])])
def test_what_numpy_takes_for_an_array_without_a_mask_is_taken(name: str, x: object) -> None:
    result = FUNCTIONS[name](x)
    assert type(result) is np.ndarray
    assert_array_equal(result.ravel(), FUNCTIONS[name](np.array([1.0, 2.0])))


ENDLESS: list = [1.0]
ENDLESS.append(ENDLESS)

REFUSED = {
    "complex": (1 + 2j, r"complex of dtype complex128, \(1\+2j\)"),
    "complex array": (np.zeros(2, np.complex64), "ndarray of dtype complex64"),
    "longdouble": (np.longdouble(1), "longdouble of dtype (float|longdouble)"),
    "str": ("0.5", "str of dtype <U3, '0.5'"),
    "bytes": (b"0.5", "bytes of dtype .S3"),
    "None": (None, r"NoneType, .*objects \(NoneType\)"),
    "object array": (np.array([1.0, None]), r"ndarray, .*objects \(NoneType, float\)"),
    "Decimal": (Decimal("0.5"), r"objects \(Decimal\)"),
    "Fraction": ([Fraction(1, 2)], r"list, .*objects \(Fraction\)"),
    "dict": ({}, r"objects \(dict\)"),
    "int beyond 64 bits": (2**70, r"int, .*objects \(int\)"),
    "int beyond float": (10**400, r"int, .*objects \(int\)"),
    "list with an int beyond float": ([1.0, 10**400], "list"),
    "datetime64": (np.datetime64("2020-01-01"), r"datetime64 of dtype datetime64\[D\]"),
    "timedelta64": (np.timedelta64(1, "s"), r"timedelta64 of dtype timedelta64\[s\]"),
    "another type of ml_dtypes": (np.zeros(2, ml_dtypes.float8_e5m2), "dtype float8_e5m2"),
    "structured array": (np.zeros(2, [("a", "f8")]), "ndarray of dtype"),
    "masked array": (np.ma.array([1.0, 2.0], mask=[0, 1]), "MaskedArray, whose mask"),
    "unmasked masked array": (np.ma.array([1.0]), "MaskedArray, whose mask"),
    "list with a masked element": ([1.0, np.ma.masked], "list, whose mask"),
    "deque with a masked array": (deque([np.ma.array([1.0], mask=[1])]), "deque, whose mask"),
    "tuple with such an object": (([Masking()],), "tuple, whose mask"),
    "tensor of a type that NumPy has not": (
        Unsupported(),
        "Unsupported, which does not make an array .Got unsupported ScalarType",
    ),
    "list that contains itself": (ENDLESS, "list, which .*64 levels, or contains itself"),
    "list nested too deep": ([np.ones(64 * (1,)).tolist()], "list, which .*deeper than 64 levels"),
    "ragged list": ([[1.0], [1.0, 2.0]], "list, which does not make an array .*inhomogeneous"),
}


@every_function
@pytest.mark.parametrize("case", REFUSED)
def test_refusals_name_what_came_and_what_is_accepted(name: str, case: str) -> None:
    x, came = REFUSED[case]
    accepted = "accepted are real numbers and .*bool.*float16, bfloat16, float32 or float64"
    with pytest.raises(TypeError, match=f"x came as .*{came}.*; {accepted}"):
        FUNCTIONS[name](x)


@pytest.mark.parametrize(
    "approximate", ["tanh", "sigmoid", True, 0, None, np.array(["none", "none"]), ENDLESS]
)
def test_gelu_asked_for_another_form_says_what_is_accepted(approximate: object) -> None:
    assert activations.gelu(1.0, "none") == activations.gelu(1.0, approximate=False)
    said = r"^approximate is .*accepted are 'none' and False.* gelu_tanh\(x\)"
    with pytest.raises(ValueError, match=said):
        activations.gelu(1.0, approximate)


def test_the_table_is_read_at_places_of_the_size_of_a_pointer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    types, right = [], activations.gelu(-1.0)

    class Nodes:
        def take(self, places: np.ndarray, *rest: object) -> None:
            types.append(places.dtype)
            NODES.take(places, *rest)

    monkeypatch.setattr(table, "left_half", Nodes)
    monkeypatch.setattr(np, "intp", np.int32)  # as on a machine of 32 bits
    assert activations.gelu(-1.0) == right
    assert set(types) == {np.dtype(np.int32)}
