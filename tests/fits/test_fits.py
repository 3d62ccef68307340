"""Minimax fits: their values, their optimality, their digits, the checker that must reject."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from types import MappingProxyType

import mpmath
import numpy as np
import pytest
from kinds import slow_but
from proofs import agree
from sympy import Float, Rational, sqrt
from sympy import pi as PI

from gelu_lib.fits.alternation import Level, alternating_peaks, error_curve, solve_level
from gelu_lib.fits.criteria import Criterion, NotAnOptimumError, problem
from gelu_lib.fits.minimax import check_optimum, minimax
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    WrongLimitError,
    exact_value,
    odd_logistic,
)
from gelu_lib.functions.forms import Form

PINNED = {"p1": 2 * LOCAL_SLOPE}


def solved(made, free, places, signs, digits):
    """The solution of the alternation equations near a start."""
    start = Level(tuple(free), mpmath.mpf(0), tuple(places), tuple(signs))
    return solve_level(error_curve(made), start, digits)


CASES = {
    "sigmoid": (LOGISTIC, "Phi", None),
    "sigmoid for GELU": (LOGISTIC, "GELU", None),
    "pinned cubic": (TANH_CUBIC, "Phi", PINNED),
    "pinned cubic for GELU": (TANH_CUBIC, "GELU", PINNED),
    "free cubic": (TANH_CUBIC, "Phi", None),
    "free cubic for GELU": (TANH_CUBIC, "GELU", None),
    "cubic with p3 fixed": (TANH_CUBIC, "Phi", {"p3": Fraction(1, 5)}),
    "cubic falling at 0": (TANH_CUBIC, "GELU", {"p3": 2}),
    "degree 9": (odd_logistic(9), "Phi", None),
}


KEPT = ("sigmoid", "pinned cubic for GELU", "free cubic", "cubic falling at 0", "degree 9")


@pytest.fixture(scope="module", params=slow_but(KEPT.__contains__, CASES))
def fit(request):
    return minimax(*CASES[request.param], digits=50)


def ratio(fit):
    """p3/p1, the number in the tanh form that is written 0.044715."""
    return fit.parameters["p3"] / fit.parameters["p1"]


def replaced(fit, **parameters):
    """The fit with other parameters, and nothing else changed."""
    return dataclasses.replace(fit, parameters=MappingProxyType({**fit.parameters, **parameters}))


# --- the best -------------------------------------------------------------------------------


def test_the_sampled_sup_norm_is_attained_at_every_alternation_point(fit):
    found = sampled_sup_error(fit, fit.of, digits=45)
    assert agree(found.error, fit.error, 44)
    for x, place in zip(found.points, fit.points, strict=True):
        assert agree(x, place, 44)


@pytest.mark.parametrize("change", ["1e-30", "-1e-30"])
def test_a_tiny_change_of_a_free_parameter_makes_it_worse(fit, change):
    for name in fit.free:
        changed = {**fit.parameters, name: fit.parameters[name] * (1 + Rational(change))}
        assert sampled_sup_error(Form(fit.family, changed), fit.of, digits=50).error > fit.error


# --- digits, and the start ------------------------------------------------------------------


@pytest.mark.parametrize(("few", "more"), [(1, 16), (16, 50), (50, 200)])
@pytest.mark.parametrize(
    "case", slow_but("free cubic for GELU".__eq__, ["sigmoid", "free cubic for GELU"])
)
def test_fewer_digits_are_the_first_of_more_digits(case, few, more):
    rough, fine = (minimax(*CASES[case], digits=digits) for digits in (few, more))
    for name in rough.family.names:
        assert agree(rough.parameters[name], fine.parameters[name], few)
    assert agree(rough.error, fine.error, few)
    assert rough.signs == fine.signs
    for name in ("points", "multipliers"):
        for one, same in zip(getattr(rough, name), getattr(fine, name), strict=True):
            assert agree(one, same, few)


@pytest.mark.parametrize("ambient", [5, 15, 100])
def test_a_ratio_of_two_parameters_keeps_all_digits(ambient):
    fit, reference = (minimax(TANH_CUBIC, digits=digits) for digits in (50, 80))
    numbers = [*fit.parameters.values(), fit.error, *fit.points, *fit.multipliers]
    assert {type(number) for number in numbers} == {Float}
    exact = exact_value(reference.parameters["p3"]) / exact_value(reference.parameters["p1"])
    with mpmath.workdps(ambient):
        assert agree(ratio(fit), exact, 50)
        p1, p3 = (mpmath.mpmathify(fit.parameters[name]) for name in ("p1", "p3"))
        assert agree(p3 / p1, exact, 50) == (ambient >= 50)  # an mpf forgets its digits


def test_a_fixed_value_is_kept_to_all_digits_and_a_wrong_limit_is_seen():
    fit = minimax(TANH_CUBIC, fixed=PINNED, digits=50)
    assert agree(fit.parameters["p1"], sqrt(8 / PI).evalf(70), 50)
    assert fit.fixed == PINNED
    assert fit.free == ("p3",)
    error = np.array([0.0, 1.0, 0.0, -1.0, 0.0, 3.0])
    assert alternating_peaks(error, 2).tolist() == [1, 3]
    assert alternating_peaks(error, 3).tolist() == [1, 3]


# --- the checker rejects --------------------------------------------------------------------


def test_a_fit_that_was_changed_is_rejected(fit):
    for name in fit.free:
        changed = replaced(fit, **{name: fit.parameters[name] * (1 + Rational("1e-44"))})
        with pytest.raises(NotAnOptimumError):
            check_optimum(changed)
    larger = dataclasses.replace(fit, error=fit.error * (1 + Rational("1e-45")))
    with pytest.raises(NotAnOptimumError, match=r"the error at x = .* and not"):
        check_optimum(larger)
    with pytest.raises(NotAnOptimumError, match="is not positive"):
        check_optimum(dataclasses.replace(fit, error=-fit.error))
    x, *others = fit.points
    moved = x * (1 + Rational("1e-45"))
    with pytest.raises(NotAnOptimumError, match="no extremum at x"):
        check_optimum(dataclasses.replace(fit, points=(moved, *others)))


@pytest.mark.parametrize(
    ("doctored", "reason"),
    [
        (lambda x, s: (x[:-1], s[:-1]), "alternation points; .* free parameters need one more"),
        (lambda x, s: ((*x, x[-1] + 1), (*s, -s[-1])), "free parameters need one more"),
        (lambda x, s: (x[:-1], s), "points, .* signs and .* multipliers"),
        (lambda x, s: (x[::-1], s[::-1]), "not positive and increasing"),
        (lambda x, s: (tuple(-y for y in x[::-1]), s[::-1]), "not positive"),
        (lambda x, s: (x, [1] * len(s)), "do not alternate"),
        (lambda x, s: (x, [2 * sign for sign in s]), "are not 1 or"),
        (lambda x, s: (x, [-sign for sign in s]), "the error at x = .* and not"),
    ],
)
def test_doctored_alternation_points_are_rejected(doctored, reason):
    fit = minimax(TANH_CUBIC)
    points, signs = doctored(fit.points, fit.signs)
    claim = dataclasses.replace(fit, points=tuple(points), signs=tuple(signs), multipliers=())
    with pytest.raises(NotAnOptimumError, match=reason):
        check_optimum(claim)


def test_a_level_alternation_that_a_third_extremum_exceeds_is_rejected():
    # with p3 = 0.07 the error has three extrema; the best p1 levels the first two
    made = problem(TANH_CUBIC, Criterion("sup", "Phi"), {"p3": "0.07"})
    best = minimax(TANH_CUBIC, fixed={"p3": "0.07"})
    found = solved(made, [1.5995], [1.55, 2.8], [1, -1], 16)
    level = dataclasses.replace(
        replaced(best, p1=Float(found.parameters[0], 36)),
        error=Float(found.error, 36),
        points=tuple(Float(x, 36) for x in found.points),
        signs=found.signs,
        multipliers=(),
    )
    with pytest.raises(NotAnOptimumError, match="is exceeded at"):
        check_optimum(level)


# --- where there is no best member ----------------------------------------------------------


@pytest.mark.parametrize(
    ("degree", "of"),
    [
        (5, "Phi"),
        (11, "GELU"),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((5, "GELU"), (11, "Phi"))),
    ],
)
def test_degrees_5_and_11_have_their_best_member_at_the_edge_of_the_right_limit(degree, of):
    with pytest.raises(
        NotAnOptimumError, match=r"last coefficient .* is 0 as far as .* leave it out$"
    ):
        minimax(odd_logistic(degree), of)


@pytest.mark.parametrize("p1", [2, 3])
def test_a_linear_coefficient_that_is_too_large_leaves_nothing_to_alternate(p1):
    with pytest.raises(NotAnOptimumError, match=r"last coefficient .* is 0 as far as"):
        minimax(TANH_CUBIC, fixed={"p1": p1})
    with pytest.raises(ConvergenceError, match=r"no member .*p1: 50.* has a sampled error below"):
        minimax(TANH_CUBIC, fixed={"p1": 50})


@pytest.mark.parametrize(
    ("free", "places", "signs"),
    [([1.7], [30.0, 35.0], [1, -1]), ([1.7], [0.57, 2.04], [1, 1]), ([1e3], [1.0, 2.0], [-1, 1])],
)
def test_newton_from_a_bad_start_says_what_it_reached(free, places, signs):
    made = problem(LOGISTIC, Criterion("sup", "Phi"))
    with pytest.raises(ConvergenceError, match=r"did not settle; it reached p1 = "):
        solved(made, free, places, signs, 16)


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "reason"),
    [
        ({"of": "erf"}, ValueError, "of must be one of"),
        ({"fixed": {"p1": 1, "p3": 1}}, ValueError, "at least one must be free"),
        ({"fixed": {"a": 1}}, ValueError, r"none named \['a'\]"),
        ({"fixed": {"p1": "1e400"}}, ValueError, "beyond the range of floats"),
        ({"fixed": {"p1": 1e300}}, ValueError, r"p1 = 1\.0.* accepted are sizes up to 1e\+15"),
        ({"fixed": {"p3": -1}}, WrongLimitError, r"p3 = -1\.0.* is fixed, so that Φ̂ tends to 0"),
        ({"fixed": {"p1": -1, "p3": 0}}, ValueError, "at least one must be free"),
        ({"fixed": {"p1": "nan"}}, ValueError, "p1 = 'nan' is not a finite real number"),
        ({"fixed": {"p1": None}}, TypeError, "p1 = None is of type NoneType"),
        ({"fixed": ["p1"]}, TypeError, "must be a mapping"),
    ],
)
def test_what_cannot_be_fitted_is_refused(arguments, error, reason):
    with pytest.raises(error, match=reason):
        minimax(TANH_CUBIC, **arguments)


def test_no_limit_is_left_where_higher_coefficients_are_fixed_at_0():
    with pytest.raises(WrongLimitError, match=r"p3 = -1\.0"):
        minimax(odd_logistic(5), fixed={"p3": -1, "p5": 0})


def test_as_many_digits_are_given_as_are_accepted(monkeypatch):
    monkeypatch.setattr("gelu_lib.fits.sup_norm.MOST_DIGITS", 40)
    assert minimax(LOGISTIC, digits=40).digits == 40
    with pytest.raises(ValueError, match="digits must be at most 40"):
        minimax(LOGISTIC, digits=41)


def test_other_digits_are_refused():
    with pytest.raises(ValueError, match="digits must be at least 1"):
        minimax(LOGISTIC, digits=0)
    with pytest.raises(ValueError, match="digits must be at most 10000"):
        minimax(LOGISTIC, digits=10**400)
    with pytest.raises(TypeError, match="digits must be an integer"):
        minimax(LOGISTIC, digits=16.0)
