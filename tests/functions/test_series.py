"""Taylor series of erf and tanh, and the local match between them."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from kinds import slow_but
from sympy import Integer, Poly, Rational, Symbol, oo, pi, sqrt, tanh

from gelu_lib.functions.expressions import LOCAL_SLOPE, X
from gelu_lib.functions.series import (
    erf_coefficient,
    first_mismatch,
    local_match,
    tanh_coefficient,
    tanh_of_odd_series,
)


def mpmath_taylor(function, order):
    """Taylor coefficients at 0 by numerical differentiation with 60 digits."""
    with mpmath.workdps(60):
        return mpmath.taylor(function, 0, order)


def distance(exact, numerical):
    """The absolute difference, at 60 digits."""
    with mpmath.workdps(60):
        return abs(mpmath.mpf(sp.N(exact, 70)) - numerical)


# the series of erf


def test_coefficients_against_numerical_differentiation():
    for k, numerical in enumerate(mpmath_taylor(mpmath.erf, 41)):
        assert distance(erf_coefficient(k), numerical) < 1e-50
    for k, numerical in enumerate(mpmath_taylor(mpmath.tanh, 41)):
        assert distance(tanh_coefficient(k), numerical) < 1e-50


# the series of tanh


# what both have in common


@pytest.mark.parametrize("coefficient", [erf_coefficient, tanh_coefficient])
def test_even_coefficients_vanish(coefficient):
    assert [coefficient(k) for k in (0, 2, 40)] == [0, 0, 0]


# radii of convergence


def test_ratio_of_tanh_coefficients_tends_to_the_radius():
    # by Euler |c₂ₙ₋₁| = 2λ(2n)(2/π)²ⁿ, where λ(2n) = Σ j⁻²ⁿ over odd j falls to 1
    for n in (1, 5, 40):
        ratio = abs(tanh_coefficient(2 * n - 1) / tanh_coefficient(2 * n + 1))
        bounds = (pi / 2) ** 2, (pi / 2) ** 2 * (1 + Rational(2, 9**n))
        assert sp.N(bounds[0], 90) < sp.N(ratio, 90) < sp.N(bounds[1], 90)


# the local match


@pytest.mark.parametrize("order", slow_but((25).__eq__, [25, 41]))
def test_local_match_composed_back(order):
    match = local_match(order)
    assert first_mismatch(match.coefficients, order) is None
    assert first_mismatch(match.coefficients, order + 2) == order + 2


def test_local_match_against_numerical_differentiation():
    match = local_match(41)
    numerical = mpmath_taylor(lambda z: mpmath.atanh(mpmath.erf(z / mpmath.sqrt(2))), 41)
    for k, coefficient in zip(match.powers, match.coefficients, strict=True):
        assert distance(coefficient, numerical[k]) < 1e-50


def test_ratios_are_polynomials_in_one_over_pi_over_one_denominator():
    p = Symbol("p")
    for n, ratio in enumerate(local_match(21).ratios):
        numerator, denominator = (Poly(part.subs(pi, p), p) for part in ratio.as_numer_denom())
        assert denominator.monoms() == [(n,)]
        assert numerator.degree() == n
        assert numerator.get_domain() == sp.ZZ
        highest = Rational(numerator.eval(0), denominator.LC())
        assert highest == Rational(2**n, 2 * n + 1)


def test_ratio_is_asked_for_by_the_power_of_x():
    match = local_match(5)
    assert tuple(map(match.ratio, match.powers)) == match.ratios
    assert match.ratio(5) == (96 - 40 * pi + 3 * pi**2) / (120 * pi**2)
    with pytest.raises(ValueError, match=r"^k must be an odd integer from 1 to 5; got 7$"):
        match.ratio(7)
    for value in (-1, 0, 2):
        with pytest.raises(ValueError, match=rf"^k must be an odd integer >= 1; got {value}$"):
            match.ratio(value)
    with pytest.raises(TypeError, match=r"^k must be an odd integer >= 1; got float 3.0$"):
        match.ratio(3.0)


# the composition check rejects a wrong coefficient


@pytest.mark.parametrize("k", slow_but([1, 11].__contains__, [1, 3, 5, 7, 9, 11]))
@pytest.mark.parametrize("change", [Rational(1, 10**50), 1 / (1 + pi)])
def test_first_mismatch_is_at_the_changed_coefficient(k, change):
    coefficients = list(local_match(11).coefficients)
    coefficients[k // 2] += change
    assert first_mismatch(coefficients, 21) == k


def test_first_mismatch_knows_its_order_equal_numbers_and_no_symbols():
    assert first_mismatch(local_match(3).coefficients, 3) is None
    assert first_mismatch(local_match(3).coefficients, 5) == 5
    assert first_mismatch([Rational(4, 5)], 1) == 1
    assert first_mismatch([], 1) == 1
    cubic = (4 - pi) / (3 * sqrt(2) * pi ** Rational(3, 2))
    assert first_mismatch([sqrt(2) / sqrt(pi), cubic], 3) is None
    with pytest.raises(ValueError, match=r"^coefficients\[0\] must be an exact number .*; got x$"):
        first_mismatch([X], 3)


# tanh of an odd series


def test_tanh_of_a_series_against_sympy_and_with_constants():
    a1, a3 = sp.symbols("a1 a3")
    series = sp.series(tanh(X), X, 0, 10).removeO().subs(X, a1 * X + a3 * X**3)
    expected = [sp.expand(series).coeff(X, k) for k in (1, 3, 5, 7, 9)]
    assert list(tanh_of_odd_series((a1, a3), 9)) == expected
    assert tanh_of_odd_series((), 5) == (0, 0, 0)
    b = Symbol("b")
    assert tanh_of_odd_series([sqrt(2 / pi), sqrt(2 / pi) * b], 3) == (
        LOCAL_SLOPE,
        sp.expand(LOCAL_SLOPE * (b - 2 / (3 * pi))),
    )


# arguments


@pytest.mark.parametrize("function", [erf_coefficient, tanh_coefficient])
def test_coefficient_index(function):
    assert function(np.int64(3)) == function(Integer(3)) == function(3)
    with pytest.raises(ValueError, match=r"^k must be an integer >= 0; got -1$"):
        function(-1)
    for value in (3.0, True, "3", None, pi, Symbol("n", integer=True)):
        with pytest.raises(TypeError, match=r"^k must be an integer >= 0; got "):
            function(value)


@pytest.mark.parametrize(
    "function",
    [
        local_match,
        lambda order: first_mismatch([1], order),
        lambda order: tanh_of_odd_series([1], order),
    ],
)
def test_order_of_a_match(function):
    for value in (-3, 0, 4):
        with pytest.raises(ValueError, match=rf"^order must be an odd integer >= 1; got {value}$"):
            function(value)
    for value in (3.0, True, "3"):
        with pytest.raises(TypeError, match=r"^order must be an odd integer >= 1; got "):
            function(value)


@pytest.mark.parametrize("function", [first_mismatch, tanh_of_odd_series])
def test_coefficients_are_a_sequence_of_exact_expressions(function):
    for value in (None, "12", {1: 2}, {1, 2}, pi):
        with pytest.raises(TypeError, match=r"^coefficients must be a sequence"):
            function(value, 3)
    for value in (None, "1", True, sp.Eq(X, 1)):
        with pytest.raises(TypeError, match=r"^coefficients\[1\] must be a SymPy expression"):
            function([1, value], 3)
    for value in (0.8, 0.8 * pi, sqrt(3), sp.E, sp.I, oo, sp.nan, sp.sin(1), pi**X, 1 / X):
        with pytest.raises(ValueError, match=r"^coefficients\[1\] must be .*; got "):
            function([1, value], 3)
