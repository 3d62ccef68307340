"""The proved numbers of the claims: what stands behind them, and what they must refuse."""

import numpy as np
import pytest
import sympy as sp
from sympy import erf, pi, sqrt, tanh

from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence import suprema
from gelu_lib.evidence.suprema import SUPREMUM_PROOFS, B, best_on_grid, ratio_error
from gelu_lib.functions.expressions import (
    LOCAL_SLOPE,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
)
from gelu_lib.functions.expressions import numpy_function as in_floats

TANH_ERROR = erf(X / sqrt(2)) - tanh(LOCAL_SLOPE * X + B * X**3)
LOGISTIC_ERROR = Phi(X) - logistic(B * X)


@pytest.mark.parametrize(
    ("error", "fall"),
    [
        (TANH_ERROR, X**3 * (1 - tanh(LOCAL_SLOPE * X + B * X**3) ** 2)),
        (LOGISTIC_ERROR, X * logistic(B * X) * logistic(-B * X)),
    ],
)
def test_the_error_falls_as_the_parameter_grows_and_is_zero_at_zero(error, fall):
    assert sp.simplify(sp.diff(error, B) + fall) == 0  # both factors of it are positive
    assert sp.simplify(error.subs(X, 0)) == 0


def test_two_points_that_are_not_the_extreme_ones_are_refused(monkeypatch):
    monkeypatch.setattr(suprema, "_ends", lambda errors: (500, 2300))
    with pytest.raises(CertificationError, match="not shown smaller"):
        best_on_grid(LOGISTIC_ERROR, 1.7, 15)


def test_the_series_of_the_numerator_begins_with_the_cube():
    of_tanh = tanh(2 / sqrt(pi) * (X + B * X**3))
    for order in range(3):
        assert sp.simplify((of_tanh - erf(X)).diff(X, order).subs(X, 0)) == 0
    assert sp.simplify((of_tanh - erf(X)).diff(X, 3).subs(X, 0)) != 0


@pytest.mark.parametrize(("near", "far", "step"), [(0.25, 8.0, "bound"), (0.015625, 2.0, "tail")])
def test_ends_from_which_the_ratio_is_not_bounded_are_refused(monkeypatch, near, far, step):
    monkeypatch.setattr(suprema, "SEARCHED_FROM", near)
    monkeypatch.setattr(suprema, "SEARCHED_TO", far)
    with pytest.raises(CertificationError, match="the ratio may be large") as caught:
        ratio_error(pi / 35, 15)
    assert caught.value.step == step


@pytest.mark.parametrize(
    ("id", "other"), [("tanh-sigmoid-gap", gelu_tanh()), ("quick-silu-distance", X * logistic(X))]
)
def test_the_forms_are_nowhere_farther_apart(id, other):
    found = float(SUPREMUM_PROOFS[id](15)[""].upper)
    x = np.linspace(-40, 40, 800_001)
    gap = np.abs(in_floats(other - gelu_sigmoid())(x))
    assert found * (1 - 1e-9) < np.max(gap) < found * (1 + 1e-9)
