"""L1 and L2: sizes against closed forms and other quadrature, and the conditions of the optima."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from scipy.integrate import quad
from sympy import Rational

from gelu_lib.fits import integral as integral_fits
from gelu_lib.fits.criteria import Criterion
from gelu_lib.fits.integral import integral_norm, integral_optimum
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE, X, mpmath_function, numpy_function, phi
from gelu_lib.functions.families import (
    LOGISTIC,
    SLOPE_KEPT,
    TANH_CUBIC,
    WrongLimitError,
    error_expression,
    odd_logistic,
)
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.register import agreeing_digits

CRITERIA = [
    Criterion(norm, of, weight)
    for norm in ("L1", "L2")
    for of in ("Phi", "GELU", "GELU_derivative")
    for weight in (1, phi(X))
]


def exact_error(form, of):
    return error_expression(form.family, of).subs(form.exact)


@pytest.mark.parametrize(
    "criterion", slow_but((CRITERIA[::4] + CRITERIA[3::4]).__contains__, CRITERIA), ids=str
)
def test_the_norm_agrees_with_scipys_quadrature(criterion):
    error = numpy_function(exact_error(sigmoid_form(), criterion.of))
    weight, power = numpy_function(criterion.weight), int(criterion.norm[1])

    def integrand(x):
        return weight(x) * abs(error(x)) ** power

    pieces = [quad(integrand, a, a + 0.5, epsabs=1e-13)[0] for a in np.arange(0, 20, 0.5)]
    expected = (2 * sum(pieces)) ** (1 / power)
    assert float(integral_norm(sigmoid_form(), criterion)) == pytest.approx(expected, 1e-8)


def test_the_norms_agree_with_the_variation_and_with_another_quadrature():
    # between the zeros of (x·e)′ its integral is a difference of x·e, here at the extrema
    sup = sampled_sup_error(tanh_form(), "GELU", digits=40)
    heights = [0, *(extremum.error for extremum in sup.extrema), 0]
    variation = 2 * sum(abs(b - a) for a, b in pairwise(heights))
    norm = integral_norm(tanh_form(), Criterion("L1", "GELU_derivative"), digits=30)
    assert abs(norm / variation - 1) < sp.Float("1e-29", 40)
    error = mpmath_function(exact_error(tanh_form(), "GELU"))
    with mpmath.workdps(50):
        squares = mpmath.quad(lambda x: error(x) ** 2, [-14, -7, -3, 0, 3, 7, 14])
        expected = mpmath.nstr(mpmath.sqrt(squares), 40)
    found = integral_norm(tanh_form(), Criterion("L2", "GELU"), digits=30)
    assert agreeing_digits(str(found), expected) >= 29


@pytest.mark.parametrize(
    ("norm", "digits"), [("L1", 12), ("L2", 25), pytest.param("L1", 25, marks=pytest.mark.slow)]
)
def test_the_size_of_an_optimum_is_its_norm(norm, digits):
    criterion = Criterion(norm, "GELU", phi(X))
    best = integral_optimum(TANH_CUBIC, criterion, SLOPE_KEPT, digits=digits)
    again = integral_norm(Form(TANH_CUBIC, best.parameters), criterion, digits=digits + 5)
    assert agreeing_digits(str(best.error), str(again)) >= digits


@pytest.mark.parametrize(("fewer", "more"), slow_but((10, 20).__eq__, [(10, 20), (15, 40)]))
def test_a_least_squares_fit_with_digits_keeps_those_of_one_with_fewer(fewer, more):
    few, many = (
        integral_optimum(LOGISTIC, Criterion("L2", "GELU"), digits=digits).parameters["p1"]
        for digits in (fewer, more)
    )
    assert agreeing_digits(str(few), str(many)) >= fewer


@pytest.mark.parametrize("function", [integral_norm, integral_optimum])
def test_the_sup_norm_is_no_integral(function):
    arguments = (sigmoid_form(),) if function is integral_norm else (LOGISTIC,)
    with pytest.raises(ValueError, match="'sup'; an integral norm is 'L1' or 'L2'"):
        function(*arguments, Criterion("sup", "Phi"))


@pytest.mark.parametrize("digits", [0, 2.5, True])
def test_a_bad_number_of_digits_is_refused(digits):
    with pytest.raises((TypeError, ValueError), match="digits must be"):
        integral_optimum(LOGISTIC, Criterion("L2", "Phi"), digits=digits)


def test_a_wrong_limit_is_refused():
    with pytest.raises(WrongLimitError):
        integral_norm(Form(TANH_CUBIC, {"p1": 1.6, "p3": -0.01}), Criterion("L2", "Phi"))


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_a_weight_that_grows_faster_than_the_error_dies_away_is_refused(norm):
    with pytest.raises(ConvergenceError, match="has not died away"):
        integral_norm(sigmoid_form(), Criterion(norm, "Phi", sp.exp(X**2 / 2)), digits=3)


def test_a_weight_that_grows_more_slowly_is_integrated_to_its_end():
    weight = sp.cosh(Rational("1.69") * X)
    error = numpy_function(exact_error(sigmoid_form(), "Phi"))
    found = integral_norm(sigmoid_form(), Criterion("L1", "Phi", weight))
    # beyond 12 the error is exp(−1.702x) but for terms below 1e-17 of it
    head = sum(
        quad(lambda x: np.cosh(1.69 * x) * abs(error(-x)), a, a + 0.5, epsabs=1e-13)[0]
        for a in np.arange(0, 12, 0.5)
    )
    tail = np.exp(-0.012 * 12) / 0.024 + np.exp(-3.392 * 12) / 6.784
    assert float(found) == pytest.approx(2 * (head + tail), rel=1e-7)


@pytest.mark.parametrize(
    ("scale", "place"),
    [
        pytest.param(Rational(3, 2), 1000, id="error of one sign", marks=pytest.mark.slow),
        pytest.param(5, 1700, id="farther"),
        pytest.param(600, 50, id="narrow"),
    ],
)
def test_a_dip_of_the_approximation_far_out_is_part_of_the_l1_norm(scale, place):
    """The polynomial scale·x(x² − place²)²/place⁴ is large before it touches 0 at the place.

    In the first two no sample behind the dip shows a change of sign that would point to it.
    """
    family = odd_logistic(5)
    dip = {"p1": scale, "p3": Rational(-2, place**2) * scale, "p5": Rational(1, place**4) * scale}
    x = np.concatenate([np.linspace(0, 15, 100_001), np.linspace(15, 3 * place, 500_001)[1:]])
    expected = 2 * np.trapezoid(np.abs(Form(family, dip).error_at(x)), x)
    found = integral_norm(Form(family, dip), Criterion("L1", "Phi"))
    assert float(found) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("slope", slow_but((10**6).__eq__, [10**4, 10**5, 10**6]))
def test_a_step_at_zero_is_part_of_the_l1_norm(slope):
    # Φ̂ > Φ for x > 0, where 1 − Φ has the integral 1/√(2π) and 1 − σ(slope·x) has log(2)/slope
    expected = sp.sqrt(2 / sp.pi) - 2 * sp.log(2) / slope
    found = integral_norm(Form(LOGISTIC, {"p1": slope}), Criterion("L1", "Phi"), digits=25)
    assert agreeing_digits(str(found), str(expected.n(40))) >= 24


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_an_error_of_one_sign_has_a_norm_too(norm):
    same_slope = {"p1": 2 * LOCAL_SLOPE}
    x = np.linspace(0, 40, 400_001)
    error = np.abs(Form(LOGISTIC, same_slope).error_at(x)) ** int(norm[1])
    expected = (2 * np.trapezoid(error, x)) ** (1 / int(norm[1]))
    found = integral_norm(Form(LOGISTIC, same_slope), Criterion(norm, "Phi"))
    assert float(found) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("norm", ["L1", "L2"])
def test_an_optimum_with_the_wrong_limit_is_refused(norm):
    with pytest.raises(WrongLimitError, match="got p5 = -"):
        integral_optimum(odd_logistic(5), Criterion(norm, "Phi", phi(X)))
    with pytest.raises(WrongLimitError, match="got p3 = -"):
        integral_optimum(TANH_CUBIC, Criterion(norm, "Phi"), {"p3": -1e-5})


def test_a_saddle_is_no_optimum(monkeypatch):
    for matrix in (
        [[mpmath.mpf(-1)]],
        [[mpmath.mpf(1), mpmath.mpf(2)], [mpmath.mpf(2), mpmath.mpf(1)]],
    ):
        with pytest.raises(ConvergenceError, match="not positive definite"):
            integral_fits._check_positive_definite(matrix)
    seen = []
    monkeypatch.setattr(integral_fits, "_check_positive_definite", seen.append)
    integral_optimum(LOGISTIC, Criterion("L2", "Phi"), digits=5)
    assert len(seen) == 1
