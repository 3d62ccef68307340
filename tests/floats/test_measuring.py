"""What is measured of an implementation: on functions whose faults are known."""

import numpy as np
import pytest
from kinds import slow_but
from record_frameworks import changes
from scipy.special import erf, expit, ndtri

from gelu_lib import activations
from gelu_lib.activations import FORMS
from gelu_lib.floats import measuring
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.floats.ulp import error_in_ulp

TYPES = list(FLOAT_TYPES)


def gelu(x):
    return activations.gelu(x)


def with_erf(x):
    """The exact form with the sum that cancels, each step in the type of x."""
    root = np.sqrt(x.dtype.type(0.5))
    return x * x.dtype.type(0.5) * (1 + erf(x * root).astype(x.dtype))


@pytest.mark.parametrize("dtype", slow_but(["float32", "float16"].__contains__, TYPES))
def test_the_reference_implementation_has_no_fault(dtype):
    found = measuring.form_accuracy(gelu, "exact", dtype)
    assert found["ulp"] <= (4 if dtype == "float64" else 0.51)
    assert found["misrounded"] in (0, None)
    assert (found["misrounded"] is None) == (dtype in ("float64", "float32"))
    assert found["nan"] == 0 and not found["flushes"]
    tail = measuring.left_tail(gelu, "exact", dtype)
    assert (tail["half_from"], tail["zero_from"], tail["positive"]) == (None, None, 0)
    assert measuring.specials(gelu, dtype) == {"-inf": "-0.0", "inf": "inf", "nan": "nan"}
    slope = measuring.gradient_accuracy(activations.gelu_derivative, "exact", dtype)
    assert slope["nan"] == 0 and slope["nan_from"] == [None, None]
    assert (slope["-inf"], slope["inf"]) == ("-0.0", "1.0")
    assert set(measuring.layout(gelu, dtype, lambda x: gelu(np.repeat(x, 2)[::2])).values()) == {0}


def test_errors_are_those_of_interval_arithmetic_and_of_the_register():
    found = measuring.form_accuracy(with_erf, "exact", "float64")
    place = found["ulp_at"]
    error = error_in_ulp("gelu", place, float(with_erf(np.array(place))))
    assert found["ulp"] == pytest.approx(abs(error), rel=1e-3)
    found = measuring.form_accuracy(activations.gelu_tanh, "tanh", "float32")
    assert found["gelu"] == pytest.approx(4.732e-4, rel=1e-3)
    assert found["form"] < 3e-7
    wrong = measuring.form_accuracy(activations.gelu_tanh, "exact", "float32")
    assert wrong["form"] == found["gelu"]


@pytest.mark.parametrize("dtype", TYPES[:3])
def test_the_sum_that_cancels_is_found_where_it_is_foretold(dtype):
    foretold = float(ndtri(2.0 ** -(FLOAT_TYPES[dtype].digits + 3)))
    tail = measuring.left_tail(with_erf, "exact", dtype)
    assert tail["zero_from"] == pytest.approx(foretold, abs=0.03)
    assert tail["half_from"] >= tail["zero_from"]
    known = [size for size in tail["windows"] if size is not None]
    assert known[0] < 50 * np.finfo(dtype).eps
    assert max(known) >= 1 or dtype == "float16"


def test_a_result_of_the_wrong_sign_or_flushed_is_counted():
    x = measuring.measured_inputs("float32")
    tail = measuring.left_tail(lambda x: np.abs(gelu(x)), "exact", "float32")
    assert tail["positive"] == np.sum(gelu(x[x < 0]) != 0) > 0

    def flushed(x):
        y = gelu(x)
        return np.where(np.abs(y) < np.finfo(np.float32).tiny, y * 0, y)

    assert measuring.form_accuracy(flushed, "exact", "float32")["flushes"]
    assert not measuring.form_accuracy(with_erf, "exact", "float16")["flushes"]


def test_places_are_exact_and_what_depends_on_the_length_is_counted():
    def slope(x):
        return np.where(np.abs(x) >= 147.875, np.nan, 1).astype(x.dtype)

    found = measuring.gradient_accuracy(slope, "tanh", "float16")
    assert found["nan_from"] == [-147.875, 147.875]
    left = measuring.gradient_accuracy(lambda x: slope(np.minimum(x, 0)), "exact", "float32")
    assert left["nan_from"] == [-147.875, None]

    def by_length(x):
        return gelu(x) if len(x) > 1 else np.nextafter(gelu(x), x.dtype.type(9))

    found = measuring.layout(by_length, "float32")
    assert found == {"1": measuring.PIECES, "3": 0, "17": 0, "strided": None}
    strided = measuring.layout(gelu, "float64", lambda x: np.nextafter(gelu(x), 9))
    assert strided["strided"] == measuring.PIECES


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_nearest_to_itself(form):
    assert measuring.nearest_form(FORMS[form]) == form


def test_what_is_near_to_no_form_or_of_an_unknown_one_is_refused():
    with pytest.raises(measuring.MeasuringError, match="from the nearest form"):
        measuring.nearest_form(lambda x: x * expit(x))
    with pytest.raises(measuring.MeasuringError, match="from the nearest form"):
        measuring.nearest_form(lambda x: x * np.nan)
    with pytest.raises(measuring.MeasuringError, match="nan"):
        measuring.form_accuracy(lambda x: x * np.nan, "exact", "float16")
    some = measuring.form_accuracy(lambda x: np.where(x == 0, np.nan, gelu(x)), "exact", "float16")
    assert some["nan"] == 1
    for measure in (measuring.form_accuracy, measuring.left_tail, measuring.gradient_accuracy):
        for form in ("silu", "gelu"):
            with pytest.raises(ValueError, match=f"'{form}'; accepted are exact, tanh, sigmoid"):
                measure(gelu, form, "float16")
    with pytest.raises(TypeError, match="float32"):
        measuring.measured_inputs("float8")


@pytest.mark.parametrize(
    "function", [lambda x: x.astype(np.float64), lambda x: x[1:], lambda x: np.float32(0)]
)
def test_a_function_that_changes_dtype_or_shape_is_refused(function):
    with pytest.raises(measuring.MeasuringError, match=r"for float32 of shape .* returned"):
        measuring.form_accuracy(function, "exact", "float32")


def test_changes_names_what_is_new_gone_and_other():
    old = {"a": {"x": 1, "gone": 2}, "b": 3}
    new = {"a": {"x": 1, "new": 4}, "b": 5}
    assert changes(new, old) == ["a/new: None -> 4", "a/gone: 2 -> None", "b: 3 -> 5"]
    assert changes(old, old) == []
