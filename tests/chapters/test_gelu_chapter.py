"""The chapter gelu: the random input, the (μ, σ) family, ReLU as a limit, SiLU as a neighbour."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from scipy.special import expit, ndtr
from sympy import Rational

from gelu_lib.activations import gelu
from gelu_lib.activations import gelu_sigmoid as library_sigmoid_form
from gelu_lib.derivations.chain import Derivation, DerivationError
from gelu_lib.derivations.identities.neighbours import gelu_scaling, gelu_variance, silu_rescaling
from gelu_lib.derivations.notation import BernoulliMean, tex
from gelu_lib.derivations.rules import Algebra, Definition
from gelu_lib.functions.expressions import GELU, LOGISTIC_SCALE, Phi, X, gelu_sigmoid, logistic
from gelu_lib.numbers.proved import compute


def number(id: str, digits: int = 30) -> mpmath.mpf:
    with mpmath.workdps(digits):
        return mpmath.mpf(compute(id, digits))


# the random input


def test_the_variance_is_that_of_the_two_values():
    p = float(Phi(Rational(-3, 2)).evalf())
    mean = -1.5 * p
    spread = p * (-1.5 - mean) ** 2 + (1 - p) * mean**2
    assert abs(float(gelu_variance().end.subs(X, Rational(-3, 2))) - spread) < 1e-15


def test_another_variance_is_refused():
    start = BernoulliMean(X**2, Phi(X)) - BernoulliMean(X, Phi(X)) ** 2
    with pytest.raises(DerivationError, match="false"):
        Derivation("wrong", start).step(Definition(BernoulliMean), X**2 * Phi(X) ** 2)


def test_the_square_of_a_mean_is_printed_as_a_square():
    assert tex(BernoulliMean(X, Phi(X)) ** 2) == r"(\mathbb{E}[x B_{\Phi(x)}])^{2}"
    assert tex(Phi(X) ** 2) == r"\Phi^{2}(x)"


def test_means_of_draws_keep_within_their_standard_error():
    rng = np.random.default_rng(seed=7)
    x = np.linspace(-3, 3, 41)
    for draws in (100, 10_000):
        means = x * rng.binomial(draws, ndtr(x), size=(500, x.size)) / draws
        formula = np.sqrt(np.array([float(gelu_variance().end.subs(X, v)) for v in x]) / draws)
        typical = np.sqrt(np.mean((means - gelu(x)) ** 2, axis=0))
        moving = x != 0
        # the relative error of such a spread is about √((kurtosis − 1)/2000), 0.07 at most here
        assert np.all(np.abs(typical[moving] / formula[moving] - 1) < 0.3)
        assert np.all(np.abs(typical[moving] / (2 * formula[moving]) - 1) > 0.3)


def test_a_mean_with_the_logistic_function_is_not_gelu():
    rng = np.random.default_rng(seed=7)
    means = 2 * rng.binomial(10_000, expit(2.0), size=500) / 10_000
    assert abs(np.mean(means) - gelu(2.0)) > 0.1


# the (μ, σ) family and ReLU


@pytest.mark.parametrize("sigma", [1e-3, 0.5, 1.0, 7.0])
def test_the_distance_to_relu_is_proportional_to_the_width(sigma):
    t = np.linspace(-30, 30, 600_001)
    x = sigma * t
    gap = np.abs(x * ndtr(x / sigma) - np.maximum(x, 0))
    assert abs(gap.max() / (sigma * float(number("relu-distance"))) - 1) < 1e-8
    place = float(number("relu-distance-place"))
    assert abs(abs(t[gap.argmax()]) - place) < 1e-3


def test_the_distance_to_relu_is_the_depth_of_gelu():
    with mpmath.workdps(40):
        place, depth = number("relu-distance-place", 40), number("relu-distance", 40)
        assert abs(place * mpmath.ncdf(-place) - depth) < 1e-38
        assert abs(mpmath.ncdf(-place) - place * mpmath.npdf(place)) < 1e-38
    x = np.linspace(-5, 0, 500_001)
    assert abs(gelu(x).min() + float(depth)) < 1e-11


def test_the_slope_of_the_distance_is_that_of_gelu_mirrored():
    slope = (X * Phi(-X)).diff(X)
    assert sp.expand(slope - GELU(X).diff(X).subs(X, -X)) == 0
    assert sp.expand(slope - GELU(X).diff(X)) != 0


def test_with_a_mean_the_limit_jumps_up_for_a_positive_one_and_down_for_a_negative_one():
    x = np.array([-1.0, 0.5, 0.999, 1.001, 2.0])
    np.testing.assert_allclose(x * ndtr((x - 1) / 1e-5), [0, 0, 0, 1.001, 2], atol=1e-300)
    x = np.array([-2.0, -1.001, -0.999, 2.0])
    np.testing.assert_allclose(x * ndtr((x + 1) / 1e-5), [0, 0, -0.999, 2], atol=1e-300)


def test_a_positive_mean_makes_the_dip_shallower_and_the_curve_lower_on_the_right():
    x = np.linspace(-8, 8, 16_001)
    dips = [(x * ndtr(x - mu)).min() for mu in (-1, 0, 0.5, 1, 2)]
    assert dips == sorted(dips) and dips[-1] < 0
    assert np.all((x * ndtr(x - 1) < gelu(x))[(x > 0) & (x < 6)])
    assert gelu(x).min() < 4 * (x * ndtr(x - 1)).min() < 0


def test_a_draw_is_noisier_than_its_mean_on_the_left_and_not_on_the_right():
    x = np.array([-3.0, -2.0, -0.1, 0.1, 2.0])
    ratio = np.sqrt(np.array([float(gelu_variance().end.subs(X, v)) for v in x])) / abs(gelu(x))
    np.testing.assert_array_equal(ratio > 1, x < 0)
    assert np.all(np.diff(ratio) < 0)


def test_a_wide_member_is_half_the_identity_at_each_point_and_not_uniformly():
    x = np.linspace(-5, 5, 1001)
    for sigma in (10.0, 1000.0):
        difference = np.abs(x * ndtr(x / sigma) - x / 2)
        assert np.all(difference <= x**2 / (sigma * np.sqrt(2 * np.pi)) + 1e-15)
        assert sigma * ndtr(1) - sigma / 2 > 0.3 * sigma


# SiLU


def test_the_sigmoid_form_is_silu_in_another_unit():
    c = sp.Symbol("c", positive=True)
    assert silu_rescaling().start.subs(c, LOGISTIC_SCALE) == gelu_sigmoid()
    x = np.linspace(-40, 40, 4001)

    def silu(x):
        return x * expit(x)

    form = library_sigmoid_form(x)
    np.testing.assert_allclose(form, silu(1.702 * x) / 1.702, rtol=1e-13)
    assert np.max(np.abs(form - silu(1.7 * x) / 1.7)) > 1e-4
    assert np.max(np.abs(form - silu(1.702 * x))) > 1


def test_a_wrong_unit_is_refused():
    c = sp.Symbol("c", positive=True)
    with pytest.raises(DerivationError, match="false"):
        Derivation("wrong", X * logistic(c * X)).step(Algebra(), c * X * logistic(c * X))
    with pytest.raises(DerivationError, match="false"):
        Derivation("wrong", gelu_scaling().start).step(Definition(GELU), GELU(X))


def test_the_distance_to_silu_is_reached_where_it_is_said_and_nowhere_exceeded():
    distance, place = float(number("silu-distance")), float(number("silu-distance-place"))
    x = np.linspace(-60, 60, 240_001)
    gap = np.abs(gelu(x) - x * expit(x))
    assert distance * (1 - 1e-8) < gap.max() <= distance * (1 + 1e-12)
    assert abs(abs(x[gap.argmax()]) - place) < 1e-3
