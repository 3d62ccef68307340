"""The rival forms: what is best in floats, what increases, what was searched, what is refused."""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from math import factorial

import numpy as np
import pytest
import search_tanh_sums
import sympy as sp
from kinds import slow_but
from scipy.optimize import minimize
from scipy.special import ndtr
from search_tanh_sums import least_error, search_sums
from sympy import Rational, tanh

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.fits.criteria import problem
from gelu_lib.fits.start import StartError
from gelu_lib.fits.tanh_starts import valleys
from gelu_lib.functions.expressions import LOCAL_SLOPE, X
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC, odd_logistic
from gelu_lib.functions.forms import Form
from gelu_lib.functions.shape import increases
from gelu_lib.functions.tanh_forms import (
    S,
    TanhForm,
    merged_tanh_sum,
    tanh_powers,
    tanh_sum,
)

FORMS = {
    "powers": (tanh_powers((1, 3, 5)), "Phi"),
    "powers, limit 1": (tanh_powers((1, 3, 5), limit_one=True), "Phi"),
    "powers for GELU": (tanh_powers((1, 3, 5), limit_one=True), "GELU"),
    "powers, one free": (tanh_powers((1, 3), limit_one=True), "Phi"),
    "scaled powers": (tanh_powers((1, 3), scaled=True, limit_one=True), "Phi"),
    "merged": (merged_tanh_sum(2), "Phi"),
    "merged for GELU": (merged_tanh_sum(3, limit_one=True), "GELU"),
    "two scales": (tanh_sum(["0.57", "0.67"]), "Phi"),
    "scales far apart": (tanh_sum([0.3, 0.9]), "Phi"),
    "scales that move": (TanhForm((tanh(S * X / 2), tanh(S * X)), (1, 1)), "Phi"),
}


# --- the best of a form ---------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMS)
def test_its_error_is_the_largest_on_a_fine_grid_and_alternates(name):
    form, target = FORMS[name]
    fit = minimax(form, target)
    x = np.append(np.linspace(0, 60, 600_001)[1:], 500.0)
    # by another way: Φ itself, and no difference of tails
    error = (x if target == "GELU" else 1) * (ndtr(x) - fit(x))
    assert np.max(np.abs(error)) == pytest.approx(fit.error, rel=1e-7)
    assert fit.points[-1] < 10  # farther out lies a limit, which has no place
    assert fit.signs == tuple((-1) ** i * fit.signs[0] for i in range(len(form.symbols) + 1))
    assert np.allclose(
        np.interp(fit.points, x, error),
        fit.error * np.array(fit.signs)[: len(fit.points)],
        rtol=1e-6,
    )


def test_one_tanh_with_the_limit_1_is_the_sigmoid_form():
    fit, sigmoid = (minimax(f, digits=30) for f in (merged_tanh_sum(1, limit_one=True), LOGISTIC))
    assert (2 * fit.parameters["s"]).rounded(29) == sigmoid.parameters["p1"].rounded(29)
    assert fit.error.rounded(30) == sigmoid.error.rounded(30)


def test_a_sum_with_almost_equal_scales_is_fitted_and_the_best_one_is_inside():
    fit = minimax(tanh_sum([0.910818, 0.91244, 0.915671], limit_one=True), "GELU")
    merged = minimax(merged_tanh_sum(3, limit_one=True), "GELU")
    assert max(map(abs, fit.parameters.values())) > 1e4
    assert merged.error < fit.error < merged.error * 1.001
    with pytest.raises(StartError, match="no scale between"):
        minimax(TanhForm((tanh(1000 * S * X),), (1,)))


# --- what increases -------------------------------------------------------------------------


def test_growth_of_a_form_is_seen():
    assert increases(Form(TANH_CUBIC, {"p1": 2, "p3": 1}))
    assert not increases(Form(TANH_CUBIC, {"p1": 2, "p3": "-0.1"}))
    assert increases(Form(tanh_powers((1, 3)), {"a1": 1, "a2": 0.5}))
    assert not increases(Form(tanh_powers((1, 3)), {"a1": 2, "a2": -1}))
    assert increases(Form(tanh_sum([1, 2]), {"a1": 1, "a2": 1}))
    assert not increases(Form(tanh_sum([1, 2]), {"a1": -1, "a2": 1}))
    assert not increases(minimax(merged_tanh_sum(2, limit_one=True)))
    assert increases(minimax(TANH_CUBIC, fixed={"p1": 2 * LOCAL_SLOPE}))


@pytest.mark.parametrize("p3", ["-1e-4", "-1e-12", "-1e-40"])
def test_a_fall_far_out_is_seen_however_far(p3):
    assert not increases(Form(TANH_CUBIC, {"p1": "1.6", "p3": p3}))


def test_what_increases_and_what_has_a_positive_scale():
    # p′ = (x² − 1)² and p′ = (x² − 1)(x² − 1.001)
    assert increases(Form(odd_logistic(5), {"p1": 1, "p3": "-2/3", "p5": "1/5"}))
    crossing = {"p1": "1.001", "p3": Rational("-2.001") / 3, "p5": "1/5"}
    assert not increases(Form(odd_logistic(5), crossing))
    assert increases(Form(odd_logistic((3,)), {"p3": 1}))
    assert not increases(Form(LOGISTIC, {"p1": 0}))


# --- the search -----------------------------------------------------------------------------


RECORD = json.loads(search_tanh_sums.RECORD.read_text(encoding="utf-8"))
SEARCHES = pytest.mark.parametrize(
    "search",
    slow_but(
        lambda search: search["count"] == 2 and search["of"] == "GELU",
        RECORD["searches"],
    ),
)


@SEARCHES
def test_no_recorded_sum_is_below_the_merged_form_and_one_is_close(search):
    form = merged_tanh_sum(search["count"], limit_one=search["limit_one"])
    merged = minimax(form, search["of"]).error
    errors = [error for error, _ in search["found"]]
    assert errors == sorted(errors)
    assert len(errors) == RECORD["starts"]
    assert merged < errors[0] < 1.002 * merged


@SEARCHES
def test_a_recorded_error_is_the_true_least_error_at_its_scales(search):
    for error, scales in (search["found"][0], search["found"][-1]):
        form = tanh_sum(scales, limit_one=search["limit_one"])
        assert minimax(form, search["of"]).error == pytest.approx(error, rel=1e-5)
        on_grid = least_error(np.array(scales), search["of"], limit_one=search["limit_one"])
        assert 0.997 < on_grid / error < 1.0001


@pytest.mark.parametrize(
    "search",
    slow_but(
        lambda search: search["count"] == 2,
        [search for search in RECORD["searches"] if not search["limit_one"]],
    ),
)
def test_with_the_limit_free_every_recorded_sum_is_close_to_a_merged_form(search):
    merged = valleys(problem(merged_tanh_sum(search["count"])))
    for error, scales in search["found"]:
        assert scales[-1] - scales[0] < 0.1
        near = min(merged, key=lambda valley: abs(valley.parameters["s"] - np.mean(scales)))
        assert abs(near.parameters["s"] - np.mean(scales)) < 0.02
        assert 1 < error / near.error < 1.015


def test_a_shorter_search_ends_where_a_recorded_start_ended(monkeypatch):
    def in_few_steps(*given, options, **named):
        return minimize(*given, options={**options, "maxfev": 80}, **named)

    monkeypatch.setattr(search_tanh_sums, "minimize", in_few_steps)
    ((error, _),) = search_sums(2, 1, RECORD["seed"])
    recorded = [found for found, _ in RECORD["searches"][0]["found"]]
    assert min(abs(error / other - 1) for other in recorded) < 1e-2


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "reason"),
    [
        (lambda: tanh_powers((1, 2)), ValueError, "increasing odd positive integers"),
        (lambda: tanh_powers(()), ValueError, "0 terms"),
        (lambda: tanh_powers((1,), limit_one=True), ValueError, "has no parameter"),
        (lambda: tanh_sum([1, 1]), ValueError, "positive and increasing"),
        (lambda: tanh_sum([None]), TypeError, "scale = None is of type NoneType"),
        (lambda: merged_tanh_sum(0), ValueError, "count must be a positive integer"),
        (lambda: TanhForm((tanh(X),), (0,)), ValueError, "the first 1"),
        (lambda: TanhForm((tanh(X),), (1, 1)), ValueError, "1 terms with 2 limits"),
        (lambda: TanhForm((tanh(X) ** 2,), (1,)), ValueError, "is not odd"),
        (lambda: TanhForm((2 * tanh(X),), (1,)), ValueError, "tends to 2, not to 1"),
        (lambda: TanhForm((tanh(X), tanh(2 * X)), (1, 0)), ValueError, "tends to 1, not to 0"),
        (lambda: TanhForm((tanh(X), X), (1, 0)), ValueError, "tends to x, not to 0"),
        (lambda: TanhForm((sp.atan(X),), (1,)), ValueError, "is not a polynomial in x and"),
        (lambda: TanhForm((tanh(-X, evaluate=False),), (1,)), ValueError, "is not a polynomial"),
        (lambda: least_error(np.array([1.0, -1.0])), ValueError, "positive and increasing"),
        (lambda: least_error(np.array([])), ValueError, "positive and increasing"),
        (lambda: least_error(np.array([1.0]), "GELU"), ValueError, "'GELU' with limit_one"),
        (lambda: search_sums(2, 1, 1, "GELU"), ValueError, "'GELU' with limit_one"),
        (lambda: minimax(tanh_powers((1, 3)), "GELU"), ValueError, "is infinite"),
        (lambda: minimax(tanh_powers((1, 3)), "erf"), ValueError, "target must be one of"),
        (lambda: minimax(tanh_powers((1, 3)), fixed={"a1": 1}), ValueError, "of a form of tanh"),
        (lambda: minimax(tanh_powers((1, 3)), interval=(0, 4)), ValueError, "of a form of tanh"),
        (lambda: minimax(tanh_powers((1, 3)), weight=X**2 + 1), ValueError, "of a form of tanh"),
    ],
)
def test_bad_input_is_refused(make, error, reason):
    with pytest.raises(error, match=reason):
        make()


@pytest.mark.parametrize("digits", [12.0, True])
def test_digits_are_checked_after_the_same_fit_was_made(digits):
    assert minimax(tanh_powers((1, 3)), digits=1).error.decides(1)
    with pytest.raises(TypeError, match="an integer"):
        minimax(tanh_powers((1, 3)), digits=digits)


@pytest.mark.parametrize(
    ("start", "step", "count", "sign"),
    [(115, 10, 7, -1), (120, 10, 7, 1), (85, 5, 7, -1), (120, 10, 6, -1)],
)
def test_decimals_give_determinants_of_tanh_the_signs_that_balls_give(start, step, count, sign):
    with localcontext(prec=90):
        points = [Decimal(start + i * step) / 100 for i in range(count)]
        rows = [[1 - 2 / (1 + (2 * b * x).exp()) for x in points] for b in points]
    found = sp.Matrix([[Rational(*t.as_integer_ratio()) for t in row] for row in rows]).det()
    # what a change of each entry, which is below 1, by 1e-80 can do
    assert found * sign > 7 * factorial(7) * Rational(1, 10**80)
