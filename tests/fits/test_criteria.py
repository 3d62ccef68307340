"""Criteria: what a weight and an interval may be, and when a list of signs alternates."""

import warnings

import numpy as np
import pytest
import sympy as sp
from flint import arb_poly
from proofs import fails
from scipy.special import expit, ndtr

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.tails import _largest_member
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Criterion, NotAnOptimumError, alternating, problem
from gelu_lib.fits.start import StartError
from gelu_lib.functions.expressions import X, logistic, numpy_function, phi
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC, odd_logistic
from gelu_lib.functions.links import SIGMA

TWO_BUMPS = sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2) ** 2))
EVEN = [
    *(1, phi(X), sp.exp(-(X**2)), 1 / (1 + X**2), 1 + X**2, TWO_BUMPS, logistic(X) * logistic(-X)),
    *(phi(X - 1) + phi(X + 1), 1 / (1 + (X - 1) ** 2) + 1 / (1 + (X + 1) ** 2)),
]
UNEVEN = [
    *(sp.exp(-X), 1 + X**2 + X, 2 * sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2) ** 2))),
    sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2.0001) ** 2)),
]


@pytest.mark.parametrize("weight", EVEN)
def test_under_an_even_weight_one_side_of_0_stands_for_both(weight):
    made = problem(LOGISTIC, "GELU", Criterion("L2", weight))
    assert (made.ends, made.sides, made.weight) == ((0, sp.oo), 2, sp.sympify(weight))


@pytest.mark.parametrize("weight", UNEVEN)
def test_under_another_weight_the_line_is_refused_and_an_interval_is_not(weight):
    with pytest.raises(ValueError, match="not shown to be even or odd"):
        _ = problem(LOGISTIC, "Phi", Criterion("sup", weight)).ends
    made = problem(LOGISTIC, "Phi", Criterion("sup", weight, (-1, 1)))
    assert (made.ends, made.sides) == ((-1, 1), 1)


def test_one_side_of_0_counts_once_if_it_alone_was_asked_for():
    for interval, ends in {(0, sp.oo): (0, sp.oo), (-sp.oo, 0): (0, sp.oo)}.items():
        made = problem(LOGISTIC, "Phi", Criterion("L1", interval=interval))
        assert (made.ends, made.sides) == (ends, 1)


@pytest.mark.parametrize(
    ("weight", "error", "digits"),
    [
        (TWO_BUMPS, 7.888452e-5, 8),
        (sp.sech(X), 3.722773e-5, None),  # not evaluated in balls
        (sp.cosh(X / 4), 1.633979e-4, 8),
        (sp.exp(X**2 / 4), 7.085788e-4, 8),
        (sp.exp(X**2 / 2.1), 1.690581e-2, 8),
        (sp.exp(X**2 / 2), 4.441601e-2, 8),
    ],
)
def test_beyond_floats_a_weight_gives_the_best_cubic_without_a_warning(weight, error, digits):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        best = minimax(TANH_CUBIC, weight=weight, digits=digits)
    assert float(best.error) == pytest.approx(error, rel=1e-6)
    x, p1, p3 = np.linspace(0.01, 30, 30_000), *map(float, best.parameters.values())
    size = numpy_function(weight)(x) * np.abs(ndtr(-x) - expit(-p1 * x - p3 * x**3))
    assert size.max() == pytest.approx(error, rel=1e-5)


@pytest.mark.parametrize(
    ("weight", "family", "target", "fault"),
    [
        (sp.exp(X**2 / 2), TANH_CUBIC, "GELU", CertificationError),  # many members share the least
        (sp.exp(X**2 / 2), TANH_CUBIC, "GELU_derivative", StartError),  # infinite for every member
        (sp.exp(X**2 / 4), LOGISTIC, "Phi", CertificationError),
    ],
)
def test_no_best_member_where_the_error_counts_far_out(weight, family, target, fault):
    with pytest.raises(fault):
        minimax(family, target, weight=weight, digits=8)


def test_a_weight_of_unknown_growth_does_not_count_as_falling():
    with fails("tail", "may grow"):
        _largest_member(SIGMA, 1 + sp.exp(X**2 / 4), arb_poly([0, -1.7]), 12.0)


@pytest.mark.parametrize(
    ("target", "weight"),
    [("Phi", 1 + X**2), ("GELU", 1 / sp.sqrt(1 + X**2)), ("GELU", 1 / (1 + X**2))],
)
def test_a_last_coefficient_that_is_0_is_to_be_left_out(target, weight):
    with pytest.raises(NotAnOptimumError, match=r"is 0 as far as .* leave it out$"):
        minimax(odd_logistic(5), target, weight=weight, digits=8)


@pytest.mark.parametrize(
    ("weight", "fault"),
    [
        (0, "positive"),
        (-1, "positive"),
        (sp.I, "positive"),
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
        Criterion("sup", weight)


@pytest.mark.parametrize(
    ("weight", "fault"), [(X**2, "not known to be positive"), (sp.cos(X), "is negative near")]
)
def test_a_weight_that_is_0_or_negative_somewhere_is_refused_where_it_is_seen(weight, fault):
    with pytest.raises(ValueError, match=fault):
        minimax(LOGISTIC, weight=weight, digits=8)


def test_an_unknown_norm_or_target_is_refused():
    with pytest.raises(ValueError, match=r"norm must be one of .* got 'L3'"):
        Criterion("L3")
    with pytest.raises(ValueError, match=r"target must be one of .* got 'erf'"):
        problem(LOGISTIC, "erf")


def test_a_problem_needs_a_criterion_and_a_free_parameter():
    assert problem(TANH_CUBIC, fixed=SLOPE_KEPT).free == TANH_CUBIC.symbols[1:]
    with pytest.raises(TypeError, match="criterion must be a Criterion, got 'sup'"):
        problem(LOGISTIC, "Phi", "sup")
    for fixed, family, fault in (
        ({"p1": 1.7}, LOGISTIC, "at least one must be free"),
        ({"p3": 1.7}, LOGISTIC, "none named"),
        ({"p1": sp.Integer(10) ** 400}, TANH_CUBIC, "beyond the range of floats"),
    ):
        with pytest.raises(ValueError, match=fault):
            problem(family, fixed=fixed)


def test_signs_alternate_only_if_each_is_the_opposite_of_the_one_before():
    assert alternating((1, -1, 1), 3)
    for signs in ((1, 1, -1), (1, -1), (2, -2, 2)):
        assert not alternating(signs, 3)
