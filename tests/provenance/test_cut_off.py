"""A form that is cut off at an input is named, and where it is cut off."""

from functools import partial

import numpy as np
import pytest

from gelu_lib import gelu, gelu_sigmoid, gelu_tanh, identify

FORMS = {"exact": gelu, "tanh": gelu_tanh, "sigmoid": gelu_sigmoid}


def cut(form, limit, x):
    return FORMS[form](np.minimum(x, x.dtype.type(limit)))


def clipped(x):
    return np.clip(gelu(x), -10, 10).astype(x.dtype)


def found(function, dtype="float32"):
    return [name for name in identify(function, dtype).others if "min(x," in name]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("form", "limit"), [("sigmoid", 7), ("tanh", 2.25), ("exact", 16)])
def test_the_form_and_the_limit_are_named(form, limit, dtype):
    names = found(partial(cut, form, limit), dtype)
    assert any(f"the {form} form of min(x, {limit})" in name for name in names)


def test_those_that_have_a_name_bear_it():
    assert found(clipped) == ["the exact form of min(x, 10), which transformers calls gelu_10"]
    (gate,) = found(partial(cut, "sigmoid", 7))
    assert gate.endswith(", the gate of gpt-oss")


@pytest.mark.parametrize(
    "other",
    [
        lambda x: np.minimum(x, x.dtype.type(7)) / 2,  # level, but no form below
        lambda x: np.maximum(x, 0),  # grows to the end
        lambda x: np.where(x > 7, gelu(np.float32(6)), gelu(x)),  # falls back
        lambda x: np.where(x > 7, np.nan, gelu(x)),
        lambda x: np.where(x > 7, np.inf, gelu(x)),
    ],
)
def test_what_is_no_form_that_is_cut_off_is_not_named(other):
    assert found(lambda x: other(x).astype(x.dtype)) == []
