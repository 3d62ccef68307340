"""What interval arithmetic proves of an expression: its value, or its sign on an interval."""

from fractions import Fraction

import pytest
import sympy as sp
from deciding_claims import enclosed, scaled
from sympy import Rational, Symbol, erf, exp, pi, sqrt, tanh

from gelu_lib.certificates.facts.positive import is_positive
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    logistic,
    phi,
)

NUMBERS = (
    1 - erf(Rational(8)),
    sqrt(2 / pi) * (2 / (3 * pi) - Rational(1, 6)),
    pi ** Rational(-3, 2),
    Phi(-4) + phi(sp.Integer(2)),
    GELU(sp.Integer(-1)),
    sp.Abs(erf(Rational(1, 3)) - tanh(Rational(1, 2))),
    exp(-2) * logistic(sp.Integer(3)),
    Rational(-1, 3),
)


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_the_enclosure_of_a_number_is_narrow_and_holds_it(number):
    low, high = enclosed(number)
    value = Rational(sp.N(number, 70))
    assert Rational(low.numerator, low.denominator) <= value + abs(value) / 10**65
    assert Rational(high.numerator, high.denominator) >= value - abs(value) / 10**65
    assert high - low <= abs(low) * Fraction(1, 10**25)


def test_a_multiple_of_an_interval_holds_both_ends():
    pair = (Fraction(1, 3), Fraction(1, 2))
    assert scaled(pair, sp.Integer(-2)) == (Fraction(-1), Fraction(-2, 3))
    low, high = scaled(pair, sqrt(2))
    assert low**2 <= Fraction(2, 9)
    assert high**2 >= Fraction(1, 2)
    assert high - low < Fraction(1, 4)


@pytest.mark.parametrize("expression", [sp.sin(X), X ** Rational(1, 3), sp.zeta(3), Symbol("w")])
def test_what_has_no_enclosure_is_refused(expression):
    with pytest.raises(NotImplementedError, match="not evaluated in Arb"):
        is_positive(expression, sp.S.Zero, sp.S.One)


def test_what_is_not_shown_to_be_positive_is_refused():
    assert is_positive(tanh(X) / X, Rational(1, 8), sp.S.One)
    assert not is_positive(tanh(X) / X, sp.S.Zero, sp.S.One)
    with pytest.raises(NotImplementedError, match="no absolute value of a function"):
        is_positive(sp.Abs(X), Rational(1, 8), sp.S.One)
    with pytest.raises(NotImplementedError, match="not both floats"):
        is_positive(X, sp.S.Zero, Rational(1, 3))


@pytest.mark.parametrize(
    ("expression", "positive"),
    [
        (erf(X), True),
        (-erf(X), False),
        (X - tanh(X), False),  # true, but the slope at 0 is 0
        (2 * X - tanh(X), True),
        (tanh(X) - X, False),
        (1 - X, False),  # it is 0 at the right end
        (Rational(1001, 1000) - X, True),
        ((X - sqrt(2) / 2) ** 2, False),  # it is 0 inside
        ((X - sqrt(2) / 2) ** 2 + Rational(1, 10**6), True),
        ((X - sqrt(2) / 2) ** 2 - Rational(1, 10**20), False),  # below 0 on 2e-10 of the line
        (sp.S.One, True),
        (1 / (1 + X) - Rational(49, 100), True),
        (1 / (1 + X) - Rational(51, 100), False),
    ],
)
def test_a_sign_is_proved_where_it_is_so_and_not_where_it_is_not(expression, positive):
    assert is_positive(expression, sp.S.Zero, sp.S.One) == positive


def test_between_minus_1_and_1_the_sigmoid_form_is_above_the_tanh_form_but_at_0():
    inner = 2 * LOCAL_SLOPE * (X + PAGE_CUBIC * X**3)
    gap = logistic(LOGISTIC_SCALE * X) - logistic(inner)  # the difference divided by −x
    assert is_positive(gap, sp.S.Zero, sp.S.One)
