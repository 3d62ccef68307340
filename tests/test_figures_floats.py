"""The figure of the bits that survive, by its numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from gelu_lib import activations
from gelu_lib.chapters import floating_point as chapter
from gelu_lib.chapters.floating_point import LIBRARY, right_bits
from gelu_lib.floats.accuracy import first_zero, first_zero_of_value
from gelu_lib.floats.formulas import VALUES, Formula
from gelu_lib.floats.types import FLOAT_TYPES, all_finite


@pytest.fixture(scope="module")
def panels():
    drawn = chapter.surviving_bits()
    yield drawn
    plt.close("all")


def test_there_is_a_panel_for_each_type_with_the_same_curves(panels):
    assert list(panels) == list(FLOAT_TYPES)
    names = {tuple(panel.curves) for panel in panels.values()}
    assert names == {("½x(1 + erf)", "½x erfc", "tanh form", "sigmoid form", "gelu_lib")}


@pytest.mark.parametrize("name", FLOAT_TYPES)
def test_the_library_keeps_its_bits_where_results_are_normal(panels, name):
    x, bits = panels[name].curves["gelu_lib"]
    kind = FLOAT_TYPES[name]
    edge = {"float64": -37.4, "float32": -12.9, "float16": -4.1, "bfloat16": -12.9}[name]
    assert bits[x > edge].min() >= kind.digits + 1 - (3 if name == "float64" else 0.1)
    assert bits[0] < kind.digits  # subnormal results have fewer


@pytest.mark.parametrize("name", FLOAT_TYPES)
def test_the_first_formula_has_no_bit_left_where_it_returns_0(panels, name):
    x, bits = panels[name].curves["½x(1 + erf)"]
    gone = x < first_zero(VALUES["erf"], name) - 0.7  # one window is at most as wide
    assert gone.any() and (bits[gone] == 0).all()
    assert bits[-1] > FLOAT_TYPES[name].digits - 2


@pytest.mark.parametrize("name", FLOAT_TYPES)
def test_the_windows_reach_from_where_gelu_vanishes_to_the_right_end(panels, name):
    x, _ = panels[name].curves["gelu_lib"]
    assert (np.diff(x) > 0).all()
    assert 0 < x[0] - first_zero_of_value("gelu", name) < 1 and 1.5 < x[-1] < 2


def test_right_bits_are_those_of_the_relative_error():
    x = all_finite("bfloat16")
    x = x[(x > -3.5) & (x < -3.2)]
    assert (right_bits(VALUES["erf"], x) == 0).all()  # 0 is wrong by all of it
    assert (right_bits(LIBRARY, x) >= 7.9).all()
    half_wrong = Formula(lambda x: activations.gelu(x) / 2, "gelu")
    assert right_bits(half_wrong, x) == pytest.approx(1, abs=0.02)
