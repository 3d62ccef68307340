"""The series of Mills' ratio: its coefficients, its rest, the best number of terms, its reach."""

from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise

import mpmath
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from kinds import slow_but
from sympy import Rational

from gelu_lib.certificates.engine.roots import change, is_positive
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts import left_tail as mills
from gelu_lib.certificates.facts.left_tail import (
    UNIT_ROUNDOFF,
    best_terms,
    coefficient,
    earliest_reach,
    reach_of,
)
from gelu_lib.derivations.chain import Derivation, DerivationError
from gelu_lib.derivations.identities.symbols import AHEAD, U
from gelu_lib.derivations.rules import Differentiation
from gelu_lib.functions.expressions import Phi, phi

X_VALUES = [Rational(1, 2), 1, Rational(3, 2), 2, 3, 4, 6, 9, 13, 20, 38]
COUNTS = [1, 2, 3, 5, 8, 13, 21, 34]
SOME_X = slow_but({Rational(1, 2), 3, 9}.__contains__, X_VALUES)
SOME_COUNTS = slow_but({1, 5, 34}.__contains__, COUNTS)


def left_out(x, most):
    """Mills' ratio less the sums of 0, 1, … terms, relative to the ratio, by mpmath alone."""
    with mpmath.workdps(440):  # of which hundreds cancel far out
        x = mpmath.mpf(Rational(x).p) / Rational(x).q
        ratio = mpmath.ncdf(-x) / mpmath.npdf(x)
        terms = (coefficient(n) / x ** (2 * n + 1) for n in range(most))
        return [1 - total / ratio for total in accumulate(terms, initial=mpmath.mpf(0))]


def relative_rests(x, most):
    with mpmath.workdps(440):  # abs rounds
        return list(map(abs, left_out(x, most)))


def relative_rest(x, terms):
    return relative_rests(x, terms)[-1]


@pytest.mark.parametrize(("x", "terms"), [(1, 2), (2, 3), (5, 1), (5, 9)])
def test_the_rest_is_the_integral_of_the_statement(x, terms):
    with mpmath.workdps(40):
        tail = mpmath.quad(lambda t: t ** (-2 * terms) * mpmath.npdf(t), [x, x + 4, mpmath.inf])
        exact = mpmath.fac2(2 * terms - 1) * tail / mpmath.ncdf(-x)
        assert abs(relative_rest(x, terms) / exact - 1) < mpmath.mpf("1e-20")


@pytest.mark.parametrize(("x", "terms"), [(1, 2), (2, 3), (5, 1), (5, 9)])
def test_the_size_of_the_rest_is_enclosed(x, terms):
    with ctx.workprec(200):
        enclosed = mills._error(arb(x), terms)
        for count, equal in ((terms, True), (terms + 1, False)):
            exact = arb(mpmath.nstr(relative_rest(x, count), 60))
            assert (abs(enclosed / exact - 1) < 1e-50) == equal


@pytest.mark.parametrize("terms", SOME_COUNTS)
@pytest.mark.parametrize("x", SOME_X)
def test_the_rest_has_the_sign_of_the_first_term_left_out_and_is_smaller(x, terms):
    first_left_out = Rational(coefficient(terms)) / Rational(x) ** (2 * terms + 1)
    with mpmath.workdps(50):
        ratio, first = mpmath.ncdf(-mpmath.mpf(x)) / mpmath.npdf(x), mpmath.mpf(first_left_out)
        assert 0 < left_out(x, terms)[-1] * ratio / first < 1
        assert relative_rest(x, terms) < abs(first) * x


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_slope_of_the_mean_is_a_multiple_of_mean_less_power(order):
    """Why the relative rest falls: the mean of t⁻²ᴺ over t > x is less than x⁻²ᴺ."""
    moment = sp.Integral(U ** (-2 * order) * phi(U), (U, AHEAD, sp.oo))
    mean, hazard = moment / Phi(-AHEAD), phi(AHEAD) / Phi(-AHEAD)
    before = Derivation("example", sp.Derivative(mean, AHEAD))
    before.step(Differentiation(), hazard * (mean - AHEAD ** (-2 * order)))
    with pytest.raises(DerivationError):
        before.step(Differentiation(), hazard * (mean + AHEAD ** (-2 * order)))


@pytest.mark.parametrize("terms", SOME_COUNTS)
def test_the_relative_error_falls_as_x_grows(terms):
    errors = [relative_rest(Rational(k, 4), terms) for k in range(1, 160)]
    assert all(later < earlier for earlier, later in pairwise(errors))


@pytest.mark.parametrize("x", slow_but(lambda x: x not in {13, 20}, X_VALUES))
def test_the_best_number_of_terms_is_the_best_of_all(x):
    counts = range(1, 2 * int(x) ** 2 + 10) if x < 20 else range(best_terms(x) - 9, 730)
    errors = dict(enumerate(relative_rests(x, counts[-1])))
    errors = {terms: errors[terms] for terms in counts}
    assert best_terms(x) == min(errors, key=errors.get)


@pytest.mark.parametrize("terms", [1, 2, 5, 20, 37, 60])
def test_a_reach_has_the_size_between_its_ends(terms):
    found = reach_of(terms, UNIT_ROUNDOFF, 20)
    low, high = (relative_rest(str(end), terms) for end in (found.upper, found.lower))
    assert low <= mpmath.mpf(2) ** -53 <= high
    assert found.rounded(18) and low != high


def test_the_earliest_reach_of_errors_that_are_told_apart():
    with pytest.raises(CertificationError, match=r"\[3, 4\] terms are not told apart"):
        mills._settled(3, lambda terms, other: {terms, other} == {3, 4})
    assert [earliest_reach(Rational(1, n))[0] for n in (1, 4, 32)] == [1, 2, 4]
    terms, found = earliest_reach("1e-40", 20)
    one_less, own, one_more = (relative_rest(str(found.upper), terms + n) for n in (-1, 0, 1))
    with mpmath.workdps(60):
        assert own <= mpmath.mpf("1e-40") < min(one_less, one_more)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: coefficient(-1), "n is -1; accepted is an integer from 0"),
        (lambda: best_terms(-2), "x is -2; accepted is a positive number"),
        (lambda: best_terms("0"), "x is '0'"),
        (lambda: reach_of(0, "1e-3"), "terms is 0; accepted is an integer from 1"),
        (lambda: reach_of(2.0, "1e-3"), "terms is 2.0"),
        (lambda: reach_of(True, "1e-3"), "terms is True"),
        (lambda: reach_of(3, 0), "size is 0; accepted is a positive number"),
        (lambda: reach_of(3, "1e-3", "9"), "digits is '9'"),
        (lambda: earliest_reach(-1), "size is -1"),
        (lambda: earliest_reach("1e-3", 0), "digits is 0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("x", [None, [1], 10**5, 10**200, 201])
def test_the_best_number_of_terms_is_not_looked_for_beyond_reason(x):
    error, accepted = (ValueError, "is at most 200") if isinstance(x, int) else (TypeError, "are")
    with pytest.raises(error, match=f"accepted {accepted}"):
        best_terms(x)


# ---------------------------------------------------------------------------- halving


def test_a_change_is_enclosed_with_the_digits_that_were_asked_for():
    found = change(lambda x: x * x < 2, fmpq(1), fmpq(2), 40)
    assert Fraction(found.lower) ** 2 < 2 < Fraction(found.upper) ** 2
    assert found.rounded(40) == Decimal("1.414213562373095048801688724209698078570")


@pytest.mark.parametrize(("low", "high"), [(2, 3), (1, Rational(5, 4)), (2, 1), (-1, 2), (0, 2)])
def test_ends_that_do_not_bracket_a_change_are_refused(low, high):
    ends = [fmpq(Rational(end).p, Rational(end).q) for end in (low, high)]
    with pytest.raises(ValueError, match="do not bracket a change"):
        change(lambda x: x * x < 2, *ends, 10)


def test_a_sign_is_decided_however_small_and_zero_is_not():
    tiny = "1e-3000"
    assert is_positive(lambda: arb(1) + arb(tiny) - 1)
    assert not is_positive(lambda: arb(1) - arb(tiny) - 1)
    with pytest.raises(CertificationError, match="65536 bits do not decide"):
        is_positive(lambda: arb(2).sqrt() ** 2 - 2)
