"""The families of Φ̂, the exact values of their parameters, and the error expressions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from sympy import Rational, Symbol, tanh

from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    mpmath_function,
)
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    TARGETS,
    Family,
    WrongLimitError,
    error_expression,
    exact_value,
    exact_values,
    odd_logistic,
)
from gelu_lib.functions.forms import Form, right_limit

P1, P3 = Symbol("p1", real=True), Symbol("p3", real=True)


# --- the family -----------------------------------------------------------------------------


def test_a_family_is_the_logistic_function_of_an_odd_polynomial_with_names():
    assert TANH_CUBIC.expression == logistic(P1 * X + P3 * X**3)
    assert TANH_CUBIC.symbols == (P1, P3)
    assert TANH_CUBIC.names == ("p1", "p3")
    assert TANH_CUBIC.variable == X
    family = odd_logistic(11)
    assert family.names == ("p1", "p3", "p5", "p7", "p9", "p11")
    assert family.name.endswith("+ p9*x**9 + p11*x**11)")
    assert TANH_CUBIC.tex == r"\sigma\left(p_{1} x + p_{3} x^{3}\right)"
    assert TANH_CUBIC.tex == sp.latex(TANH_CUBIC.expression)
    assert odd_logistic(3) == TANH_CUBIC == Family((1, 3))
    assert LOGISTIC != TANH_CUBIC
    assert len({odd_logistic(1), LOGISTIC, TANH_CUBIC}) == 2
    slope = 2 * LOCAL_SLOPE
    cubic = {P1: slope, P3: slope * PAGE_CUBIC}
    assert sp.simplify(X * TANH_CUBIC.expression.subs(cubic).rewrite(tanh) - gelu_tanh()) == 0
    assert X * LOGISTIC.expression.subs(P1, LOGISTIC_SCALE) == gelu_sigmoid()


@pytest.mark.parametrize("exponents", [(), (2,), (1, 2), (3, 1), (1, 1), (-1,), (True,), [1], 1])
def test_other_exponents_are_refused(exponents):
    with pytest.raises(ValueError, match="exponents must be"):
        Family(exponents)


@pytest.mark.parametrize("degree", [0, 2, -1, 1.0, True, "3"])
def test_other_degrees_are_refused(degree):
    with pytest.raises(ValueError, match="degree must be"):
        odd_logistic(degree)


# --- values of parameters -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (3, Rational(3)),
        (np.int64(3), Rational(3)),
        (0.1, Rational(0x1999999999999A, 2**56)),
        (np.float32(0.1), Rational(0xCCCCCD, 2**27)),
        (Fraction(11, 123), Rational(11, 123)),
        (Decimal("1.702"), Rational(1702, 1000)),
        ("0.044715", Rational(44715, 10**6)),
        ("-1e-3", Rational(-1, 1000)),
        ("11/123", Rational(11, 123)),
        (mpmath.mpf("-0.375"), Rational(-3, 8)),
        (sp.sqrt(2 / sp.pi), sp.sqrt(2 / sp.pi)),
        (sp.Float("0.5") * sp.pi, sp.pi / 2),
    ],
)
def test_a_value_is_taken_exactly(value, exact):
    assert exact_value(value) == exact


def test_every_digit_of_an_mpmath_number_is_kept():
    with mpmath.workdps(200):
        number = mpmath.sqrt(2)
        assert mpmath.mpf(exact_value(number).p) / exact_value(number).q == number


OF_TYPES = (True, None, 1j, [1], np.array([1.0]), mpmath.mpc(1, 0), b"1")
NOT_FINITE = (
    *("", "x", "nan", "1/0", float("nan"), float("inf"), Decimal("NaN"), Decimal("inf")),
    *(mpmath.inf, mpmath.nan, sp.oo, sp.nan, sp.zoo, sp.I, Symbol("a")),
)


def test_what_is_no_finite_real_number_is_refused():
    for value in OF_TYPES:
        with pytest.raises(TypeError, match=r"p1 = .* is of type .*; accepted are"):
            exact_value(value, "p1")
    for value in NOT_FINITE:
        with pytest.raises(ValueError, match="p1 = "):
            exact_value(value, "p1")


def test_values_come_by_increasing_exponent_and_from_known_names():
    assert list(exact_values(TANH_CUBIC, {"p3": 1, "p1": 2}).items()) == [(P1, 2), (P3, 1)]
    assert exact_values(TANH_CUBIC, {"p3": 1}) == {P3: 1}
    with pytest.raises(ValueError, match=r"none named \['a'\]"):
        exact_values(TANH_CUBIC, {"a": 1})
    with pytest.raises(ValueError, match=r"needs a value for \['p3'\]"):
        Form(TANH_CUBIC, {"p1": 1})
    with pytest.raises(TypeError, match="mapping"):
        exact_values(TANH_CUBIC, [1, 2])
    with pytest.raises(TypeError, match="family must be a Family"):
        exact_values("tanh", {})


# --- the limit at infinity ------------------------------------------------------------------


@pytest.mark.parametrize(("p1", "p3"), [(1, 1), (1, 0), (-1, 1), (0, "1e-30"), (1e9, 1e-9)])
def test_a_positive_leading_coefficient_is_accepted(p1, p3):
    assert len(right_limit(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))) == 2


@pytest.mark.parametrize(("p1", "p3"), [(1, -1), (-1, 0), (1e9, "-1e-30"), (1, 3 - sp.pi)])
def test_a_negative_leading_coefficient_has_the_wrong_limit(p1, p3):
    with pytest.raises(WrongLimitError, match="last nonzero coefficient must be positive"):
        right_limit(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))


def test_the_error_is_the_exact_function_minus_the_approximation():
    with pytest.raises(WrongLimitError, match="all coefficients are zero"):
        right_limit(Form(TANH_CUBIC, {"p1": 0, "p3": 0.0}))
    error = Phi(X) - TANH_CUBIC.expression
    assert error_expression(TANH_CUBIC) == error
    assert sp.expand(error_expression(TANH_CUBIC, "GELU") - X * error) == 0
    derivative = sp.diff(GELU(X) - X * TANH_CUBIC.expression, X)
    assert sp.expand(error_expression(TANH_CUBIC, "GELU_derivative") - derivative) == 0


# --- the error ------------------------------------------------------------------------------


@pytest.mark.parametrize(("of", "parity"), [("Phi", -1), ("GELU", 1), ("GELU_derivative", -1)])
def test_the_error_has_its_parity(of, parity):
    error = mpmath_function(error_expression(TANH_CUBIC, of).subs({P1: 1, P3: Rational(1, 3)}))
    for x in (mpmath.mpf("0.3"), mpmath.mpf(2)):
        assert error(x) != 0
        assert abs(error(-x) - parity * error(x)) <= 1e-12 * abs(error(x))


def test_another_target_is_refused():
    assert TARGETS == ("Phi", "GELU", "GELU_derivative")
    with pytest.raises(ValueError, match="of must be one of"):
        error_expression(TANH_CUBIC, "erf")
