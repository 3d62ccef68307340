"""Criteria: what a weight may be, and when a list of signs alternates."""

import pytest
import sympy as sp

from gelu_lib.fits.criteria import Criterion, alternating, check_growth, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.functions.expressions import X, phi
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC

SUP = Criterion("sup", "Phi")


@pytest.mark.parametrize("weight", [1, phi(X), sp.exp(-(X**2)), 1 / (1 + X**2), 1 + X**2])
def test_a_positive_even_weight_is_accepted(weight):
    assert Criterion("L2", "GELU", weight).weight == sp.sympify(weight)


@pytest.mark.parametrize(
    "weight", [1, phi(X), 1 + X**2, sp.cosh(X), 2 + sp.cos(X), sp.exp(X**2 / 3)]
)
def test_a_weight_that_leaves_the_error_finite_is_let_through(weight):
    check_growth(sp.sympify(weight))


@pytest.mark.parametrize("weight", [sp.exp(X**2 / 2), sp.exp(X**2), sp.cosh(X**3)])
def test_a_weight_that_makes_every_error_infinite_is_named(weight):
    with pytest.raises(ValueError, match=r"weight is .*; accepted is one that grows so slowly"):
        check_growth(weight)
    with pytest.raises(ValueError, match="weight is "):
        minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, weight=weight)


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
