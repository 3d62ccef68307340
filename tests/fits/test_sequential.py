"""Starts for families of any kind, and what is proved of them: the best among all nearby."""

import numpy as np
import pytest
import sympy as sp

from gelu_lib.certificates.best import theorem
from gelu_lib.certificates.best.certificate import certify
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits import sequential
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.sequential import descended, levelled, program
from gelu_lib.fits.start import StartError
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import TANH_CUBIC, Nonlinear
from gelu_lib.functions.targets import Target

A, B = sp.symbols("a b", real=True)
C = sp.Symbol("c", positive=True)
SOFTPLUS = Target(sp.log(1 + sp.exp(X)))
ERF = Target(2 * Phi(X) - 1)
ROOT = Nonlinear((X + sp.sqrt(X**2 + C)) / 2, {"c": 1.5})
TANH = Nonlinear(A * sp.tanh(B * X), {"a": 1, "b": 0.83})
CUBIC = Nonlinear((1 + sp.tanh(A * X + B * X**3)) / 2, {"a": 0.8, "b": 0.036})
BUMP = Nonlinear(sp.exp(-((X - A) ** 2)), {"a": 0.5})

SIX = Criterion(interval=(0, 6))

CASES = {
    "softplus by a root": (ROOT, SOFTPLUS, (0, 30)),
    "2Φ − 1 by a tanh": (TANH, ERF, (0, 6)),
    "Φ by the cubic": (CUBIC, "Phi", (-12, 12)),
    "two sides": (BUMP, Target(sp.exp(-(X**2)) + X / 3), (-2, 2)),
}


class Mine:
    """A family of one's own, with what the protocol asks, and ``near``."""

    symbols, expression, name = (A, B), A * sp.tanh(B * X), "a*tanh(b*x)"

    def __init__(self, near):
        if near is not None:
            self.near = near


@pytest.mark.parametrize("name", CASES)
def test_no_parameters_nearby_have_a_smaller_error_on_a_grid(name):
    family, target, (left, right) = CASES[name]
    best = minimax(family, target, digits=20, interval=(left, right))
    assert best.optimal == "among all nearby"
    x = np.unique([*np.linspace(left, right, 4001), *(float(place) for place in best.points)])
    plain = best.target.error(family.expression).replace(
        Phi, lambda u: (1 + sp.erf(u / sp.sqrt(2))) / 2
    )
    error = sp.lambdify((X, *family.symbols), plain, "scipy")

    def size(values):
        return np.max(np.abs(error(x, *values)))

    values = np.array([float(v) for v in best.parameters.values()])
    assert size(values) == pytest.approx(float(best.error), rel=1e-9)
    generator = np.random.default_rng(3)
    for change in generator.normal(size=(200, len(values))):
        assert size(values * (1 + 1e-3 * change)) > float(best.error)


def test_the_numbers_of_two_trials():
    root = minimax(ROOT, SOFTPLUS, digits=18, interval=(0, 30))
    assert str(root.parameters["c"].rounded(15)) == "1.52382103251875"
    assert str(root.error.rounded(18)) == "0.0759314499359699891"
    cubic, best = (minimax(f, digits=20, interval=(-12, 12)) for f in (CUBIC, TANH_CUBIC))
    assert cubic.error.rounded(20) == best.error.rounded(20)
    assert (2 * cubic.parameters["b"]).rounded(19) == best.parameters["p3"].rounded(19)


def test_rough_parameters_may_be_far_off():
    for near in ({"a": 3, "b": 0.1}, {"a": 0.1, "b": 5}):
        found = minimax(Nonlinear(TANH.expression, near), ERF, interval=(0, 6))
        assert found.error == pytest.approx(minimax(TANH, ERF, interval=(0, 6)).error, rel=1e-7)


def test_a_class_of_ones_own_is_served_and_told_what_it_lacks():
    best = minimax(Mine({"a": 1, "b": 1}), ERF, digits=20, interval=(0, 6))
    assert best.error.rounded(20) == minimax(TANH, ERF, digits=20, interval=(0, 6)).error.rounded(
        20
    )
    for near, error, reason in (
        (None, TypeError, r"has no near, .* parameters \('a', 'b'\)"),
        ({"a": 1}, ValueError, r"has \['a'\]; it must have \['b'\], too"),
        ({"a": 1, "b": "x"}, ValueError, "b = 'x' is not a finite real number"),
    ):
        with pytest.raises(error, match=reason):
            minimax(Mine(near), ERF, interval=(0, 6))
    given = minimax(Mine({"a": 1}), ERF, {"b": 0.8}, interval=(0, 6))
    assert given.parameters["b"] == 0.8 and len(given.points) == 2


@pytest.mark.parametrize(
    ("family", "target", "error", "reason"),
    [
        (Nonlinear(A * sp.sqrt(B - X), {"a": 1, "b": 1}), ERF, ValueError, "is not defined on"),
        (TANH, Target(sp.tanh(X)), StartError, "lost in rounding"),
        (Nonlinear(A * X + B * X, {"a": 1, "b": 1}), ERF, StartError, "is not independent"),
        (Nonlinear(A**3 * X, {"a": 0}), ERF, StartError, "is not independent"),
        (TANH, Target(sp.log(X)), ValueError, "is not defined near x = 0"),
        # scales that merge: there is no best member
        (
            Nonlinear(A * sp.tanh(B * X) + (1 - A) * sp.tanh(C * X), {"a": 2, "b": 1, "c": 2}),
            ERF, StartError, "do not settle",
        ),
    ],
)  # fmt: skip
def test_where_no_start_is_found_the_reason_is_told(family, target, error, reason):
    with pytest.raises(error, match=reason):
        minimax(family, target, interval=(0, 6))


def test_a_start_with_too_few_points_is_refused(monkeypatch):
    monkeypatch.setattr(sequential, "_one_of_each", lambda _: (np.array([3]), np.array([1])))
    with pytest.raises(StartError, match="1 points forbid a smaller error; 3 are needed"):
        sequential.sequential(problem(TANH, ERF, SIX))


def test_steps_that_do_not_lower_the_error_end_the_search(monkeypatch):
    made = problem(TANH, ERF, SIX)
    monkeypatch.setattr(
        sequential, "program", lambda e, s: (0.0, np.array([-1.0, 1.0]) * 1e3, None, None)
    )
    with pytest.raises(StartError, match="do not settle; they reached"):
        descended(made, np.linspace(0.1, 6, 50), np.array([1.0, 0.83]), 0.0)


def test_equal_errors_are_equal_and_nothing_else_is_taken_for_them():
    made, start = problem(TANH, ERF, SIX), minimax(TANH, ERF, interval=(0, 6))
    points, signs = np.array(start.points), np.array(start.signs)
    free, error = levelled(made, points, signs, np.array([1.0, 0.8]))
    assert error == pytest.approx(start.error, rel=1e-12)
    assert np.allclose(sequential.errors_at(made, points, free)[0], signs * error, rtol=1e-12)
    with pytest.raises(StartError, match="does not make the errors equal"):
        levelled(made, points, -signs, np.array([1.0, 0.8]))
    with pytest.raises(StartError, match="singular"):
        levelled(made, points[[0, 0, 1]], np.array([1, 1, -1]), np.array([1.0, 0.8]))


def test_a_program_finds_the_least_level_of_almost_parallel_terms_of_any_size():
    x = np.linspace(-1, 1, 201)
    slopes = np.column_stack([1e9 * np.ones_like(x), 1e-9 * x, 1e-9 * x + 1e-14 * x**3])
    level, change, places, signs = program(x**4, slopes)
    # the best parabola-free line under x⁴ is 1/2; that of odd parts is 0
    assert level == pytest.approx(0.5, rel=1e-6)
    assert np.max(np.abs(x**4 + slopes @ change)) == pytest.approx(level, rel=1e-6)
    assert {*signs} == {1, -1} and len(places) >= 2


def test_the_proof_asks_for_multipliers_of_one_sign(monkeypatch):
    best = minimax(TANH, ERF, digits=20, interval=(0, 6))
    monkeypatch.setattr(theorem, "balances", lambda *_: False)
    with pytest.raises(CertificationError, match="the peaks are not shown to balance nearby"):
        certify(best)
