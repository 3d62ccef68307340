"""What the chapter which-one says in words."""

import numpy as np
import sympy as sp
from scipy.integrate import quad

from gelu_lib.activations import gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.families import GELU_PAPER, LOGISTIC, PAGE, TANH_CUBIC
from gelu_lib.floats import round_to
from gelu_lib.functions import Phi, X, numpy_density, phi
from gelu_lib.norms import sampled_sup_error


def test_the_error_of_the_sigmoid_form_is_about_forty_times_larger():
    tanh = sampled_sup_error(TANH_CUBIC, PAGE, "GELU").error
    assert 40 < sampled_sup_error(LOGISTIC, GELU_PAPER, "GELU").error / tanh < 45


def test_the_usual_spellings_of_the_factor_are_one_number_in_float32():
    spellings = ["0.79788456", "0.7978845608", "0.7978846", "0.7978845608028654"]
    assert len({np.float32(text) for text in spellings if len(text) >= 10}) == 1
    assert np.float32("0.797885") != np.float32("0.79788456")


def test_one_plus_tanh_keeps_nothing_below_one_part_in_256_with_eight_bits():
    tail = -1 + np.array([2.0**-10, 2.0**-9, 2.0**-8])
    assert (1 + round_to(tail, "bfloat16").astype(float)).tolist() == [0, 0, 2.0**-8]


def test_the_tail_formulas_are_the_same_functions():
    tail = (sp.erfc(-X / sp.sqrt(2)) / 2).rewrite(sp.erf)
    assert sp.expand(tail - Phi(X).rewrite(sp.erf)) == 0


def test_the_mean_of_gelu_over_normal_inputs():
    by_parts = sp.diff(-phi(X) * Phi(X), X) - (X * Phi(X) * phi(X) - phi(X) ** 2)
    assert sp.expand(by_parts) == 0
    total = sp.integrate(sp.expand(phi(X).rewrite(sp.exp) ** 2), (X, -sp.oo, sp.oo))
    assert sp.simplify(total - 1 / (2 * sp.sqrt(sp.pi))) == 0
    sampled = quad(lambda x: numpy_density(x) * gelu(x), -12, 12)[0]
    assert abs(sampled - float(total)) < 1e-12


def test_the_relative_error_of_the_tanh_form_tends_to_one_on_the_left():
    ratio = gelu_tanh(np.array([-4.0, -5.0, -6.0, -7.0])) / gelu(np.array([-4.0, -5.0, -6.0, -7.0]))
    assert np.all(np.diff(ratio) < 0)
    assert ratio[-1] < 0.01
    assert abs(gelu_tanh(-7.0) - gelu(-7.0)) < 1e-9


def test_of_the_forms_on_a_short_range_a_loose_tolerance_finds_the_sigmoid_alone():
    x = np.linspace(-1, 1, 2001)
    assert np.max(np.abs(gelu_tanh(x) - gelu(x))) < 1e-3 < np.max(np.abs(gelu_sigmoid(x) - gelu(x)))
