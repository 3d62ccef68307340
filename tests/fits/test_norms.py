"""The sampled sup norm of the error: its value, its place, the tail, and what is refused."""

from __future__ import annotations

from itertools import cycle, product

import mpmath
import numpy as np
import pytest
from kinds import slow_but
from proofs import agree, errors
from sympy import Float

from gelu_lib.fits import sup_norm as norms
from gelu_lib.fits.sup_norm import error_function, numerical, sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC, X
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    TARGETS,
    WrongLimitError,
    odd_logistic,
)
from gelu_lib.functions.forms import Form

PAGE = {"p1": 2 * LOCAL_SLOPE, "p3": 2 * LOCAL_SLOPE * PAGE_CUBIC}
TWIN_ROOTS = {"p1": 1e6 * 0.5**2 * 0.51**2, "p3": -1e6 * (0.5**2 + 0.51**2), "p5": 1e6}
CASES = {
    "1.702": (LOGISTIC, {"p1": "1.702"}),
    "flat": (LOGISTIC, {"p1": 1e-6}),
    "steep": (LOGISTIC, {"p1": 1e6}),
    "Page": (TANH_CUBIC, PAGE),
    "no cubic": (TANH_CUBIC, {"p1": 1, "p3": 0}),
    "huge cubic": (TANH_CUBIC, {"p1": 1, "p3": 1e8}),
    "falling at 0": (TANH_CUBIC, {"p1": -1, "p3": 1}),
    "jump at 1": (TANH_CUBIC, {"p1": -1000, "p3": 1000}),
    "dip from 0.5 to 0.51": (odd_logistic(5), TWIN_ROOTS),
}


@pytest.fixture(
    scope="module",
    params=slow_but(
        lambda one: one[0] in zip(CASES, cycle(TARGETS), strict=False),
        [(each,) for each in product(CASES, TARGETS)],
    ),
    ids=" ".join,
)
def found(request):
    case, of = request.param
    family, parameters = CASES[case]
    return sampled_sup_error(Form(family, parameters), of, digits=30)


# --- the value ------------------------------------------------------------------------------


def test_no_point_of_a_fine_grid_is_worse_and_some_are_almost_as_bad(found):
    wide, finer = np.linspace(1e-3, 12, 100_000), np.linspace(0.49, 1.01, 100_000)
    x = np.concatenate([np.geomspace(1e-8, 1e8, 100_000), wide, finer])
    values = found.form.parameters.values()
    worst = np.max(np.abs(errors(found.form.family, found.of, values, x)))
    assert worst <= found.error * (1 + 1e-12)
    assert worst >= found.error * (1 - 1e-5)


def test_the_error_is_attained_at_extrema(found):
    error_at, slope_at = (error_function(found.form.family, found.of, *d) for d in ((), (X,)))
    with mpmath.workdps(60):
        numbers = numerical(found.form.parameters.values())
        for extremum in found.extrema:
            x, error = numerical([extremum.x, extremum.error])
            step = mpmath.mpf("1e-28") * x
            before, after = (slope_at(x + s, *numbers) for s in (-step, step))
            assert before * after < 0
            assert abs(error_at(x, *numbers) - error) <= mpmath.mpf("1e-29") * found.error
    sizes = {extremum.x: abs(extremum.error) for extremum in found.extrema}
    assert found.points
    assert max(sizes.values()) == found.error
    assert all(agree(sizes[x], found.error, 29) for x in found.points)


def test_more_digits_refine_the_same_value():
    few, more = (sampled_sup_error(Form(TANH_CUBIC, PAGE), "GELU", digits=n) for n in (50, 80))
    assert agree(few.error, more.error, 50)
    assert not agree(few.error, more.error, 60)
    for a, b in zip(few.extrema, more.extrema, strict=True):
        assert agree(a.x, b.x, 50)
    plain = sampled_sup_error(Form(TANH_CUBIC, PAGE), "GELU")
    assert plain.error == float(more.error)
    assert plain.points == tuple(float(x) for x in more.points)


@pytest.mark.parametrize(("digits", "kind"), [(None, float), (50, Float)])
def test_the_numbers_are_python_floats_or_carry_their_digits(digits, kind):
    found = sampled_sup_error(Form(TANH_CUBIC, PAGE), digits=digits)
    numbers = [found.error, *found.points]
    numbers += [number for e in found.extrema for number in (e.x, e.error)]
    assert {type(number) for number in numbers} == {kind}
    assert {type(number) for number in (*found.sampled, found.tail)} == {float}


# --- close to 0, and in the tail ------------------------------------------------------------


def test_a_slope_rounded_to_a_float_makes_an_extremum_close_to_0():
    exact = sampled_sup_error(Form(TANH_CUBIC, PAGE))
    rounded = sampled_sup_error(Form(TANH_CUBIC, {"p1": float(PAGE["p1"]), "p3": PAGE["p3"]}))
    assert len(rounded.extrema) == len(exact.extrema) + 1
    assert rounded.extrema[0].x < 1e-6
    assert abs(rounded.extrema[0].error) < 1e-20


def test_the_tail_bound_holds_beyond_the_samples(found):
    assert found.tail < found.error
    with mpmath.workdps(60):
        numbers = numerical(found.form.parameters.values())
        for factor in (1, 1.001, 1.1, 2, 10):
            x = mpmath.mpf(found.sampled[1]) * factor
            assert abs(error_function(found.form.family, found.of)(x, *numbers)) <= found.tail


def test_an_error_lost_in_the_tail_is_not_returned(monkeypatch):
    monkeypatch.setattr(norms, "PHI_END", 1.0)
    monkeypatch.setattr(norms, "LOGISTIC_END", 1.0)
    with pytest.raises(ArithmeticError, match="lost in the tail"):
        sampled_sup_error(Form(LOGISTIC, {"p1": "1.702"}))


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize("parameters", [{"p1": 1.6, "p3": -1e-5}, {"p1": 0, "p3": 0}])
def test_a_wrong_limit_is_refused(parameters):
    with pytest.raises(WrongLimitError):
        sampled_sup_error(Form(TANH_CUBIC, parameters))


@pytest.mark.parametrize(
    ("p1", "p3"),
    [("1e400", 1), ("1e-400", 1), (1e-149, 0), (1e308, 1e308), (-1e300, 1e-300), (-1e20, 1e20)],
)
def test_coefficients_beyond_the_reach_of_floats_are_refused(p1, p3):
    with pytest.raises(ValueError, match=r"range of floats|too (small|large)"):
        sampled_sup_error(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))


def test_other_targets_and_digits_are_refused():
    with pytest.raises(ValueError, match="of must be one of"):
        sampled_sup_error(Form(LOGISTIC, {"p1": 1}), "erf")
    with pytest.raises(ValueError, match="digits must be at least 1"):
        sampled_sup_error(Form(LOGISTIC, {"p1": 1}), digits=0)
    with pytest.raises(TypeError, match="digits must be an integer"):
        sampled_sup_error(Form(LOGISTIC, {"p1": 1}), digits=16.0)
