"""The rival forms and the whole line: what is best, what is accepted, what is rejected."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal, localcontext
from functools import cache
from itertools import product
from math import factorial
from types import MappingProxyType

import numpy as np
import pytest
import search_tanh_sums
import sympy as sp
from kinds import slow_but
from mpmath import mpf
from proofs import agree
from scipy.optimize import minimize
from scipy.special import ndtr
from search_tanh_sums import least_error, search_sums
from sympy import Float, Integer, Rational, oo, tanh

from gelu_lib.fits.alternation import Curve, Level, error_curve, solve_level
from gelu_lib.fits.bands import band_minimax
from gelu_lib.fits.criteria import NotAnOptimumError, problem
from gelu_lib.fits.minimax import check_optimum, minimax
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import sign_changes, tail_form
from gelu_lib.fits.tanh_starts import valleys
from gelu_lib.functions.expressions import LOCAL_SLOPE, X, numpy_function
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    Family,
    odd_logistic,
)
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
}


@pytest.fixture(
    scope="module",
    params=slow_but(["powers", "powers for GELU", "merged", "two scales"].__contains__, FORMS),
)
def fit(request):
    return minimax(*FORMS[request.param], digits=30)


compiled = cache(numpy_function)


def float_error(form, of, x, values):
    """The error by another way: float64, and no tail form."""
    g = compiled(form.expression, X, *form.symbols)(x, *values)
    return (x if of == "GELU" else 1) * (ndtr(x) - (1 + g) / 2)


# --- the best of a form ---------------------------------------------------------------------


def test_its_error_is_the_largest_on_a_fine_grid(fit):
    x = np.append(np.linspace(0, 40, 400_001)[1:], 200.0)
    error = np.abs(float_error(fit.family, fit.of, x, [float(v) for v in fit.parameters.values()]))
    assert np.max(error) == pytest.approx(float(fit.error), rel=1e-7)


def test_one_tanh_with_the_limit_1_is_the_sigmoid_form():
    fit = minimax(merged_tanh_sum(1, limit_one=True), digits=30)
    sigmoid = minimax(LOGISTIC, digits=30)
    assert agree(2 * fit.parameters["s"], sigmoid.parameters["p1"], 29)
    assert agree(fit.error, sigmoid.error, 29)


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
    assert increases(Form(Family((3,)), {"p3": 1}))
    assert not increases(Form(LOGISTIC, {"p1": 0}))
    fit = minimax(tanh_powers((1, 3), scaled=True, limit_one=True))
    turned = {name: -value for name, value in fit.parameters.items()}
    with pytest.raises(NotAnOptimumError, match=r"a scale is not positive|the error at x"):
        check_optimum(dataclasses.replace(fit, parameters=MappingProxyType(turned)))


# --- the checker rejects --------------------------------------------------------------------


def test_a_changed_coefficient_is_rejected(fit):
    for name, value in fit.parameters.items():
        changed = {**fit.parameters, name: value * (1 + Rational("1e-25"))}
        with pytest.raises(NotAnOptimumError):
            check_optimum(dataclasses.replace(fit, parameters=MappingProxyType(changed)))


def test_a_level_alternation_that_another_extremum_exceeds_is_rejected():
    # the first two points of the best member, and infinity in the place of the third
    fit = minimax(tanh_powers((1, 3)), digits=20)
    points = (*(mpf(float(x)) for x in fit.points[:2]), mpf("inf"))
    values = tuple(mpf(float(v)) for v in fit.parameters.values())
    start = Level(values, mpf(0.003), points, (*fit.signs[:2], 1))
    level = solve_level(error_curve(problem(fit.family, fit.criterion)), start, 20)
    values = (Float(value, 40) for value in level.parameters)
    other = dataclasses.replace(
        fit,
        parameters=MappingProxyType(dict(zip(fit.parameters, values, strict=True))),
        error=Float(level.error, 40),
        points=tuple(oo if x == mpf("inf") else Float(x, 40) for x in level.points),
        signs=level.signs,
        multipliers=(),
    )
    with pytest.raises(NotAnOptimumError, match="is exceeded at x"):
        check_optimum(other)


# --- exchanges, and coefficients that cancel ------------------------------------------------


def test_a_sum_with_almost_equal_scales_is_fitted_and_the_best_one_is_inside():
    form = tanh_sum([0.910818, 0.91244, 0.915671], limit_one=True)
    fit = minimax(form, "GELU", digits=10)
    merged = minimax(merged_tanh_sum(3, limit_one=True), "GELU", digits=10)
    assert max(map(abs, fit.parameters.values())) > 1e4
    assert merged.error < fit.error < merged.error * Rational("1.001")
    with pytest.raises(ConvergenceError, match="no scale between"):
        valleys(TanhForm((tanh(1000 * S * X),), (1,)), "Phi")


def test_an_exchange_brings_in_the_peak_that_exceeds_the_others_and_ends():
    fit = minimax(tanh_sum([0.3, 0.9]))
    x = np.append(np.linspace(0, 60, 300_001)[1:], 500.0)
    error = np.abs(float_error(fit.family, "Phi", x, [float(v) for v in fit.parameters.values()]))
    assert np.max(error) == pytest.approx(float(fit.error), rel=1e-7)
    with pytest.raises(ArithmeticError, match="rounding decides"):
        list(sign_changes(lambda x: mpf(1 if x > 1.5 else -1), lambda x: mpf(0), [1, 2]))


# --- the whole line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fixed", "of"),
    slow_but(
        [({"p1": "1.7"}, "Phi"), ({"p1": -5}, "GELU")].__contains__,
        product([{"p1": "1.7"}, {"p3": "0.07"}, {"p1": -5}], ["Phi", "GELU"]),
    ),
    ids=str,
)
def test_fixed_coefficients_are_kept_by_the_programs(fixed, of):
    fit, near = minimax(TANH_CUBIC, of, fixed), band_minimax(TANH_CUBIC, of, fixed)
    ((name, value),) = fixed.items()
    assert float(fit.parameters[name]) == near.parameters[name] == float(value)
    assert near.error == pytest.approx(float(fit.error), rel=2e-3)


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
    merged = float(minimax(form, search["of"]).error)
    errors = [error for error, _ in search["found"]]
    assert errors == sorted(errors)
    assert len(errors) == RECORD["starts"]
    assert merged < errors[0] < 1.002 * merged


@SEARCHES
def test_a_recorded_error_is_the_true_least_error_at_its_scales(search):
    for error, scales in (search["found"][0], search["found"][-1]):
        form = tanh_sum(scales, limit_one=search["limit_one"])
        fit = minimax(form, search["of"], digits=10)
        assert float(fit.error) == pytest.approx(error, rel=1e-5)
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
    merged = valleys(merged_tanh_sum(search["count"]), "Phi")
    for error, scales in search["found"]:
        assert scales[-1] - scales[0] < 0.1
        near = min(merged, key=lambda valley: abs(valley.scale - np.mean(scales)))
        assert abs(near.scale - np.mean(scales)) < 0.02
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
        (lambda: minimax(tanh_powers((1, 3)), "GELU"), ValueError, "is infinite"),
        (lambda: minimax(tanh_powers((1, 3)), "erf"), ValueError, "of must be one of"),
        (lambda: band_minimax(LOGISTIC, "GELU_derivative"), ValueError, "no convex problem"),
        (lambda: band_minimax(LOGISTIC, end=0.0), ValueError, "0 samples are too few"),
        (lambda: band_minimax(TANH_CUBIC, fixed={"p1": 100}), ConvergenceError, "p1: 100"),
        (lambda: search_sums(2, 1, 1, "GELU"), ValueError, "'GELU' with limit_one"),
    ],
)
def test_bad_input_is_refused(make, error, reason):
    with pytest.raises(error, match=reason):
        make()


@pytest.mark.parametrize("digits", [12.0, True])
def test_digits_are_checked_after_the_same_fit_was_made(digits):
    minimax(tanh_powers((1, 3)), digits=12)
    minimax(tanh_powers((1, 3)), digits=1)
    with pytest.raises(TypeError, match="an integer"):
        minimax(tanh_powers((1, 3)), digits=digits)


def test_a_start_with_too_few_points_is_refused():
    curve = Curve(tail_form(LOGISTIC, "Phi"), Integer(0), LOGISTIC.symbols)
    with pytest.raises(ValueError, match="1 points; 1 free parameters need one more"):
        solve_level(curve, Level((mpf(1.7),), mpf("0.01"), (mpf(1),), (1,)), 16)


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
