"""Criteria: what a weight may be, and when a list of signs alternates."""

import dataclasses
import warnings
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from scipy.special import expit, ndtr

from gelu_lib.fits.criteria import (
    Criterion,
    NotAnOptimumError,
    alternating,
    check_growth,
    fades,
    problem,
)
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.starts import ConvergenceError, float_weight
from gelu_lib.functions.expressions import X, logistic, phi
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC, Family
from gelu_lib.functions.forms import Form

SUP = Criterion("sup", "Phi")


TWO_BUMPS = sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2) ** 2))
EVEN = [1, phi(X), sp.exp(-(X**2)), 1 / (1 + X**2), 1 + X**2, TWO_BUMPS, logistic(X) * logistic(-X)]


@pytest.mark.parametrize(
    "weight", [*EVEN, phi(X - 1) + phi(X + 1), 1 / (1 + (X - 1) ** 2) + 1 / (1 + (X + 1) ** 2)]
)
def test_a_positive_even_weight_is_accepted(weight):
    assert Criterion("L2", "GELU", weight).weight == sp.sympify(weight)


SO_MANY = r"is 0\.398942 or more .* many may share the least"


@pytest.mark.parametrize(
    ("weight", "family", "of", "reason"),
    [
        (phi(X), LOGISTIC, "GELU_derivative", None),
        (sp.cosh(30 * X), LOGISTIC, "GELU", None),
        (2 + sp.cos(X), TANH_CUBIC, "GELU", None),
        (sp.exp(X**2 / 3), TANH_CUBIC, "GELU_derivative", None),
        (sp.exp(X**2 / 2), TANH_CUBIC, "GELU", SO_MANY),
        (sp.exp(X**2 / 2), TANH_CUBIC, "GELU_derivative", "is infinite for every member"),
        (sp.exp(X**2 / 4), LOGISTIC, "Phi", "is infinite for every member"),
        (sp.cosh(X**3), TANH_CUBIC, "GELU", "is infinite for every member"),
        (sp.exp(X**2 / 2) * (2 + sp.cos(X)), TANH_CUBIC, "GELU", "not known to be finite"),
    ],
)
def test_a_weight_under_which_the_error_counts_far_out_is_refused(weight, family, of, reason):
    criterion = SimpleNamespace(weight=weight, of=of)  # 2 + cos(x) is not known to be positive
    told = rf"largest error of {of} .*{reason}.*; accepted is one that grows so slowly"
    with pytest.raises(ValueError, match=told) if reason else nullcontext():
        check_growth(dataclasses.replace(problem(family, SUP), criterion=criterion))


def test_under_exp_x2_2_many_members_share_the_least_error_of_gelu():
    x = np.linspace(0.001, 37, 20_000)
    for p in ({"p1": 1.6, "p3": 0.07}, {"p1": 2.0, "p3": 0.044}):
        form = Form(TANH_CUBIC, p)
        error = np.exp(x**2 / 2) * x * (ndtr(-x) - form(-x))
        assert error.min() > -1e-3 and 0.398 < error.max() < 1 / np.sqrt(2 * np.pi)


@pytest.mark.parametrize(
    ("weight", "error"),
    [
        (TWO_BUMPS, 7.888452e-5),
        (sp.sech(X), 3.722773e-5),
        (sp.cosh(X / 4), 1.633979e-4),
        (sp.exp(X**2 / 4), 7.085788e-4),
        (sp.exp(X**2 / 2.1), 1.690581e-2),
        (sp.exp(X**2 / 2), 4.441601e-2),
    ],
)
def test_beyond_floats_a_weight_gives_the_best_cubic_without_a_warning(weight, error):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        best = minimax(TANH_CUBIC, weight=weight, digits=8)
    assert float(best.error) == pytest.approx(error, rel=1e-6)
    x, p1, p3 = np.linspace(0.01, 30, 30_000), *map(float, best.parameters.values())
    size = float_weight(best.criterion.weight)(x) * np.abs(ndtr(-x) - expit(-p1 * x - p3 * x**3))
    assert size.max() == pytest.approx(error, rel=1e-5)


@pytest.mark.parametrize(
    ("of", "weight", "told"),
    [
        ("Phi", sp.exp(-(X**2) / 2), "is negative; the weight .* fades"),
        ("GELU", sp.exp(-(X**2) / 100), "is negative; the weight .* fades"),
        ("GELU", 1 / (1 + X**2), "is close to 0 or negative; the weight .* fades"),
        ("GELU_derivative", phi(X), "the weight fades"),
        ("Phi", 1 + X**2, "is 0 as far as .* leave it out$"),
        ("GELU", 1 / sp.sqrt(1 + X**2), "is 0 as far as .* leave it out$"),
    ],
)
def test_only_a_weight_that_fades_allows_a_negative_last_coefficient(of, weight, told):
    assert fades(Criterion("sup", of, weight)) == ("fades" in told)
    with pytest.raises(NotAnOptimumError, match=told):
        minimax(Family((1, 3, 5)), of, weight=weight, digits=8)


def test_where_every_member_has_a_large_error_the_weight_is_named():
    with pytest.raises(ConvergenceError, match=r"below 0\.4 under the weight 1000"):
        minimax(LOGISTIC, weight=sp.Integer(1000))


@pytest.mark.parametrize(
    ("weight", "fault"),
    [
        (0, "positive"),
        (-1, "positive"),
        (X**2, "positive"),  # 0 at 0
        (sp.cos(X), "positive"),
        (sp.I, "positive"),
        (sp.exp(-X), "even"),
        (1 + X**2 + X, "even"),
        (2 * sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2) ** 2)), "even"),
        (sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2.0001) ** 2)), "even"),
        (sp.exp(-(sp.Symbol("y") ** 2)), "X alone"),
        (sp.exp(-(sp.Symbol("x") ** 2)), "X alone"),  # another x, not known to be real
        ("nonsense(", "expression in x"),
        ([1, 2], "X alone"),
        ("1/(1+x**2)", "X alone"),
        (1 + sp.Abs(X), "smooth"),
        (sp.exp(-sp.Abs(X)), "smooth"),
        (sp.Max(1, X**2), "smooth"),
    ],
)
def test_another_weight_is_refused(weight, fault):
    with pytest.raises(ValueError, match=fault):
        Criterion("sup", "Phi", weight)


def test_an_unknown_norm_or_function_is_refused():
    with pytest.raises(ValueError, match=r"norm must be one of .* got 'L3'"):
        Criterion("L3", "Phi")
    with pytest.raises(ValueError, match=r"of must be one of .* got 'erf'"):
        Criterion("L2", "erf")


def test_a_problem_needs_a_criterion_and_a_free_parameter():
    assert problem(TANH_CUBIC, SUP, SLOPE_KEPT).free == TANH_CUBIC.symbols[1:]
    with pytest.raises(TypeError, match="criterion must be a Criterion, got 'sup'"):
        problem(LOGISTIC, "sup")
    with pytest.raises(ValueError, match="at least one must be free"):
        problem(LOGISTIC, SUP, {"p1": 1.7})
    with pytest.raises(ValueError, match="none named"):
        problem(LOGISTIC, SUP, {"p3": 1.7})
    with pytest.raises(ValueError, match="beyond the range of floats"):
        problem(TANH_CUBIC, SUP, {"p1": sp.Integer(10) ** 400})


def test_signs_alternate_only_if_each_is_the_opposite_of_the_one_before():
    assert alternating((1, -1, 1), 3)
    assert not alternating((1, 1, -1), 3)
    assert not alternating((1, -1), 3)
    assert not alternating((2, -2, 2), 3)
