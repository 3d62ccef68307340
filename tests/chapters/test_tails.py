"""The left tail: Mills' ratio, its series, the relative errors of the two forms."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import matplotlib
import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from kinds import slow_but
from sympy import Derivative, Float, Integral, Limit, Rational, Symbol, exp, oo, sqrt
from test_second_methods import DIGITS, bisected, decimal_cdf, decimal_pi, sigma

from gelu_lib.certificates import left_tail as mills
from gelu_lib.certificates import tail_ratios
from gelu_lib.certificates.enclosures import Function
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.left_tail import (
    UNIT_ROUNDOFF,
    best_terms,
    coefficient,
    earliest_reach,
    mills_ratio,
    partial_sum,
    reach,
    relative_rest,
    truncation_error,
)
from gelu_lib.certificates.roots import change, is_positive
from gelu_lib.certificates.tail_ratios import SIGMOID_TAIL, TANH_TAIL, Tail, place, relative_error
from gelu_lib.chapters import left_tail as chapter
from gelu_lib.chapters.numbers import compute, left_tail
from gelu_lib.derivations.chain import Derivation, DerivationError, Known
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.identities.left_tail import AHEAD, FAR, INDEX, U
from gelu_lib.derivations.rules import (
    Antiderivative,
    Definition,
    Differentiation,
    Inequality,
    Limits,
)
from gelu_lib.functions.expressions import GELU, LOCAL_SLOPE, Phi, X, logistic, phi
from gelu_lib.register import agreeing_digits, result, results

matplotlib.use("svg")

# permanent: a line is never removed
IDS = {
    "mills-derivative",
    "phi-tail-above",
    "phi-tail-below",
    "mills-bounds",
    "gelu-left-tail",
    "mills-series-step",
    "tail-ratio-slope",
    "cubic-tail-bound",
    "linear-tail-bound",
}

P1, P3 = Symbol("p_1", real=True), Symbol("p_3", positive=True)
C = Symbol("c", positive=True)
BELL = exp(-(FAR**2) / 2)
FIRST_STEP = Derivative(-(FAR ** (-2 * INDEX - 1)) * BELL, FAR)
X_VALUES = [Rational(1, 2), 1, Rational(3, 2), 2, 3, 4, 6, 9, 13, 20, 38]
COUNTS = [1, 2, 3, 5, 8, 13, 21, 34]
SOME_X = slow_but({Rational(1, 2), 3, 9}.__contains__, X_VALUES)
SOME_COUNTS = slow_but({1, 5, 34}.__contains__, COUNTS)


def start(expression):
    return Derivation("example", expression)


def refused(build):
    with pytest.raises(DerivationError) as caught:
        build()
    return caught.value


# ---------------------------------------------------------------------------- derivations


def test_no_id_has_vanished():
    assert all(derivation(id).id == id for id in IDS)


@pytest.mark.parametrize(
    ("id", "claim"),
    [
        (
            "mills-bounds",
            r"\frac{\Phi(-x)}{\varphi(x)} < \frac{1}{x}, \quad "
            r"\frac{\Phi(-x)}{\varphi(x)} > \frac{x}{x^{2} + 1} \quad (x > 0)",
        ),
        (
            "mills-series-step",
            r"\frac{\partial}{\partial t} (-t^{-2 n - 1} e^{-t^{2}/2}) = t^{-2 n} e^{-t^{2}/2} "
            r"+ (2 n + 1) t^{-2 n - 2} e^{-t^{2}/2} \quad (n \in \mathbb{N}_0, t > 0)",
        ),
    ],
)
def test_the_claim_is_what_the_book_says(id, claim):
    assert derivation(id).claim == claim


@pytest.mark.parametrize(
    "wrong",
    [
        X * Phi(-X) / phi(X) + 1,
        -X * Phi(-X) / phi(X) - 1,
        Phi(-X) / phi(X) - 1,
        X * Phi(-X) / phi(X),
        X * Phi(X) / phi(X) - 1,
    ],
)
def test_another_equation_for_the_slope_of_mills_ratio_is_refused(wrong):
    refused(lambda: start(Derivative(Phi(-X) / phi(X), X)).step(Differentiation(), wrong))


@pytest.mark.parametrize(
    ("known", "relation", "wrong"),
    [
        ("phi-tail-above", ">", 1 / AHEAD),
        ("phi-tail-above", "<", 1 / (2 * AHEAD)),
        ("phi-tail-above", "<", AHEAD / (AHEAD**2 + 1)),
        ("phi-tail-below", "<", AHEAD / (AHEAD**2 + 1)),
        ("phi-tail-below", ">", 1 / AHEAD),
        ("phi-tail-below", ">", AHEAD / AHEAD**2),
        ("phi-tail-below", ">", 1 / sqrt(AHEAD**2 + 1)),
    ],
)
def test_a_bound_of_mills_ratio_on_the_wrong_side_is_refused(known, relation, wrong):
    tail = derivation(known)
    chain = start(Phi(-AHEAD) / phi(AHEAD)).step(Known(tail), tail.end / phi(AHEAD))
    right = {">": AHEAD / (AHEAD**2 + 1), "<": 1 / AHEAD}
    if known.endswith("above") == (relation == "<"):
        chain.step(Inequality(relation), right[relation])
    refused(lambda: chain.step(Inequality(relation), wrong))


@pytest.mark.parametrize(
    ("known", "primitive", "wrong"),
    [
        ("above", -phi(AHEAD + U) / AHEAD, phi(AHEAD) / AHEAD),
        (
            "above",
            -phi(AHEAD + U) / AHEAD,
            phi(AHEAD) / AHEAD + Integral(U * phi(AHEAD + U), (U, 0, oo)) / AHEAD,
        ),
        (
            "below",
            -U * phi(U) / (U**2 + 1),
            AHEAD * phi(AHEAD) / (AHEAD**2 + 1)
            + Integral(phi(U) / (U**2 + 1) ** 2, (U, AHEAD, oo)),
        ),
        ("below", -U * phi(U) / (U**2 + 1), AHEAD * phi(AHEAD) / (AHEAD**2 + 1)),
        ("below", -U * phi(U) / (U**2 + 2), derivation("phi-tail-below").end),
    ],
)
def test_an_integration_by_parts_with_a_slip_is_refused(known, primitive, wrong):
    whole = derivation(f"phi-tail-{known}")
    before = start(whole.steps[-2].expression)
    before.step(Antiderivative(U, whole.steps[-1].rule.primitive), whole.end)
    refused(lambda: before.step(Antiderivative(U, primitive), wrong))


def test_the_tail_of_gelu_has_its_bounds_on_their_sides():
    product, below = -AHEAD * Phi(-AHEAD), derivation("phi-tail-below")
    above = derivation("phi-tail-above")
    by_below = (
        start(GELU(-AHEAD)).step(Definition(GELU), product).step(Known(below), -AHEAD * below.end)
    )
    by_above = (
        start(GELU(-AHEAD)).step(Definition(GELU), product).step(Known(above), -AHEAD * above.end)
    )
    inner, outer = -(AHEAD**2) * phi(AHEAD) / (AHEAD**2 + 1), -phi(AHEAD)
    by_below.step(Inequality("<"), inner)
    by_above.step(Inequality(">"), outer)
    for wrong in (
        lambda: by_below.step(Inequality(">"), inner),
        lambda: by_above.step(Inequality("<"), outer),
    ):
        refused(wrong)
    refused(lambda: by_below.step(Inequality("<"), outer))
    refused(lambda: by_above.step(Inequality(">"), -phi(AHEAD) / 2))


@pytest.mark.parametrize(
    "wrong",
    [
        FAR ** (-2 * INDEX) * BELL - (2 * INDEX + 1) * FAR ** (-2 * INDEX - 2) * BELL,
        FAR ** (-2 * INDEX) * BELL + (2 * INDEX - 1) * FAR ** (-2 * INDEX - 2) * BELL,
        FAR ** (-2 * INDEX) * BELL + (2 * INDEX + 1) * FAR ** (-2 * INDEX - 1) * BELL,
        FAR ** (-2 * INDEX) * BELL,
        (2 * INDEX + 1) * FAR ** (-2 * INDEX - 2) * BELL,
    ],
)
def test_a_step_of_the_series_with_a_slip_is_refused(wrong):
    assert refused(lambda: start(FIRST_STEP).step(Differentiation(), wrong)).counterexample


@pytest.mark.parametrize("sign", [1, -1])
def test_the_slope_of_the_ratio_has_both_of_its_terms(sign):
    p1, p3 = sp.symbols("p_1 p_3", real=True)
    v, rise = p1 * X + p3 * X**3, p1 + 3 * p3 * X**2
    ratio = logistic(-v) / Phi(-X)
    before = start(Derivative(ratio, X))
    before.step(Differentiation(), ratio * (phi(X) / Phi(-X) - rise * logistic(v)))
    for wrong in (
        -phi(X) / Phi(-X) - rise * logistic(v),
        phi(X) / Phi(-X) - rise * logistic(-v),
        phi(X) / Phi(-X) - (p1 + p3 * X**2) * logistic(v),
        phi(X) / Phi(-X),
    ):
        refused(lambda wrong=wrong: before.step(Differentiation(), sign * ratio * wrong))


def test_the_bound_with_a_cubic_term_is_not_smaller_and_needs_the_term():
    whole = derivation("cubic-tail-bound").previous
    last = whole.steps[2]
    chain = Derivation("example", whole.start, whole.steps[:2])
    chain.step(Inequality("<"), last.expression)
    refused(lambda: chain.step(Inequality("<"), last.expression / 3))
    refused(lambda: chain.step(Inequality(">"), last.expression))
    bound = derivation("cubic-tail-bound").start.args[0]
    start(Limit(bound, X, oo)).step(Limits(), 0)
    refused(lambda: start(Limit(bound, X, oo)).step(Limits(), 1))
    refused(lambda: start(Limit(bound, X, -oo)).step(Limits(), 0))
    for symbol in (Symbol("p_3", real=True), Symbol("p_3", nonnegative=True), -P3, sp.S.Zero):
        weaker = bound.xreplace({P3: symbol})
        refused(lambda weaker=weaker: start(Limit(weaker, X, oo)).step(Limits(), 0))


def test_the_bound_without_a_cubic_term_is_not_smaller():
    whole = derivation("linear-tail-bound").previous
    chain = Derivation("example", whole.start, whole.steps[:2])
    chain.step(Inequality("<"), whole.steps[2].expression)
    refused(lambda: chain.step(Inequality("<"), whole.steps[2].expression / 2))
    refused(lambda: chain.step(Inequality(">"), whole.steps[2].expression))
    growing = exp(C * X + X**2 / 2) / X
    refused(lambda: start(Limit(growing, X, oo)).step(Limits(), 0))


def test_the_bounds_hold_for_the_forms_themselves():
    cubic, linear = (derivation(f"{kind}-tail-bound").previous for kind in ("cubic", "linear"))
    for x in X_VALUES:
        values = {AHEAD: x, P1: TANH_TAIL.p1, P3: TANH_TAIL.p3, C: SIGMOID_TAIL.p1}
        for part in (cubic, linear):
            low, high = (sp.N(side.subs(values), 30) for side in (part.start, part.end))
            assert 0 < low < high


# ---------------------------------------------------------------------------- the series


def test_the_coefficients_are_the_odd_factorials():
    assert [coefficient(n) for n in range(6)] == [1, -1, 3, -15, 105, -945]


def series(terms, wrong=None):
    """The partial sum as an expression; with ``wrong`` a coefficient that has the wrong value."""
    values = [coefficient(n) + (n == wrong) for n in range(terms)]
    return sum(value / AHEAD ** (2 * n + 1) for n, value in enumerate(values))


def defect(expression):
    """S′ − xS + 1, which is 0 for Mills' ratio itself."""
    return sp.expand(sp.diff(expression, AHEAD) - AHEAD * expression + 1)


@pytest.mark.parametrize("terms", range(1, 9))
def test_the_steps_of_the_proof_telescope(terms):
    left = (-1) ** terms * sp.factorial2(2 * terms - 1) / AHEAD ** (2 * terms)
    assert sp.expand(defect(series(terms)) - left) == 0
    for wrong in range(terms):
        assert sp.expand(defect(series(terms, wrong)) - left) != 0


@pytest.mark.parametrize("x", X_VALUES)
def test_mills_ratio_is_its_definition(x):
    exact = sp.N(Phi(-x) / phi(x), 60)
    assert abs(mills_ratio(x, 50) / exact - 1) < 1e-49
    assert Rational(x) / (x**2 + 1) < mills_ratio(x, 50) < 1 / Rational(x)


def rest(x, terms):
    """\\|r_N(x)\\|/R(x) by the incomplete gamma function, with no difference taken."""
    z, half = arb(fmpq(x.p, x.q)) ** 2 / 2, arb(1) / 2
    upper = [z.gamma_upper(half - n) for n in (terms, 0)]
    return int(sp.factorial2(2 * terms - 1)) * upper[0] / upper[1] / 2**terms


@pytest.mark.parametrize("terms", SOME_COUNTS)
@pytest.mark.parametrize("x", SOME_X)
def test_the_rest_is_what_the_incomplete_gamma_function_says(x, terms):
    with ctx.workprec(2000):
        exact = rest(sp.Rational(x), terms)
        found = arb(str(truncation_error(x, terms, 40)))
        assert abs(found / exact - 1) < arb("1e-39")
        assert not abs(found / rest(sp.Rational(x), terms + 1) - 1) < arb("1e-39")


@pytest.mark.parametrize(("x", "terms"), [(1, 2), (2, 3), (5, 1), (5, 9)])
def test_the_rest_is_the_integral_of_the_statement(x, terms):
    with mpmath.workdps(40):
        tail = mpmath.quad(lambda t: t ** (-2 * terms) * mpmath.npdf(t), [x, x + 4, mpmath.inf])
        exact = mpmath.fac2(2 * terms - 1) * tail / mpmath.ncdf(-x)
        found = mpmath.mpf(str(truncation_error(x, terms, 30)))
        assert abs(found / exact - 1) < mpmath.mpf("1e-20")


@pytest.mark.parametrize(("x", "terms"), [(1, 2), (2, 3), (5, 1), (5, 9)])
def test_the_rest_as_an_expression_has_the_values_that_are_computed(x, terms):
    found = truncation_error(x, terms, 30)
    for count, equal in ((terms, True), (terms + 1, False)):
        exact = sp.N(relative_rest(sp.Integer(x), sp.Integer(count)).doit(), 40)
        assert (abs(found / exact - 1) < 1e-28) == equal


@pytest.mark.parametrize("terms", SOME_COUNTS)
@pytest.mark.parametrize("x", SOME_X)
def test_the_rest_has_the_sign_of_the_first_term_left_out_and_is_smaller(x, terms):
    ratio, total = mills_ratio(x, 400), partial_sum(x, terms, 400)
    first_left_out = Rational(coefficient(terms)) / Rational(x) ** (2 * terms + 1)
    share = (ratio - total) / first_left_out
    assert 0 < share < 1
    assert truncation_error(x, terms, 30) < abs(first_left_out) * x
    assert abs(share * first_left_out / ratio) == pytest.approx(float(truncation_error(x, terms)))


def test_with_a_wrong_coefficient_the_rest_would_not_be_enclosed():
    for wrong in range(1, 5):
        value = (series(6, wrong)).subs(AHEAD, 20)
        share = (mills_ratio(20, 60) - value) / (Rational(coefficient(6)) / 20**13)
        assert not 0 < share < 1


@pytest.mark.parametrize("terms", SOME_COUNTS)
def test_the_relative_error_falls_as_x_grows(terms):
    errors = [truncation_error(Rational(k, 4), terms, 30) for k in range(1, 160)]
    assert all(later < earlier for earlier, later in pairwise(errors))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_slope_of_the_mean_is_a_multiple_of_mean_less_power(order):
    moment = Integral(U ** (-2 * order) * phi(U), (U, AHEAD, oo))
    mean, hazard = moment / Phi(-AHEAD), phi(AHEAD) / Phi(-AHEAD)
    before = start(Derivative(mean, AHEAD))
    before.step(Differentiation(), hazard * (mean - AHEAD ** (-2 * order)))
    refused(lambda: before.step(Differentiation(), hazard * (mean + AHEAD ** (-2 * order))))
    refused(lambda: before.step(Differentiation(), hazard * mean))


@pytest.mark.parametrize("x", X_VALUES)
def test_the_relative_errors_are_a_convex_sequence_in_logarithms(x):
    errors = [Float(1)] + [truncation_error(x, terms, 40) for terms in range(1, 40)]
    for before, middle, after in zip(errors, errors[1:], errors[2:], strict=False):
        assert middle**2 < before * after


@pytest.mark.parametrize("x", slow_but(lambda x: x not in {13, 20}, X_VALUES))
def test_the_best_number_of_terms_is_the_best_of_all(x):
    counts = range(1, 2 * int(x) ** 2 + 10) if x < 20 else range(best_terms(x) - 9, 730)
    errors = {terms: truncation_error(x, terms, 20) for terms in counts}
    assert best_terms(x) == min(errors, key=errors.get)


@pytest.mark.parametrize("x", [2, 5, 7])
def test_the_terms_fall_and_then_grow(x):
    sizes = [abs(Rational(coefficient(n))) / x ** (2 * n + 1) for n in range(3 * x**2)]
    falls = [later < earlier for earlier, later in pairwise(sizes)]
    assert falls == [2 * n + 1 < x**2 for n in range(len(falls))]
    assert sizes[-1] > 1


@pytest.mark.parametrize("terms", [1, 2, 5, 20, 37, 60])
def test_a_reach_has_the_size_between_its_ends(terms):
    found = reach(terms, UNIT_ROUNDOFF, 20)
    low, high = (truncation_error(end, terms, 30) for end in (found.upper, found.lower))
    assert low <= UNIT_ROUNDOFF <= high
    assert found.rounded(18) and low != high


@pytest.mark.parametrize("near", slow_but((5).__eq__, [5, 80]))
def test_the_earliest_reach_is_not_earlier_with_another_number_of_terms(near):
    terms, found = earliest_reach(UNIT_ROUNDOFF, 20)
    assert terms == best_terms(found.upper)
    counts = {n for n in range(1, 80) if n in (1, 79) or abs(n - terms) <= near} - {terms}
    others = {n: reach(n, UNIT_ROUNDOFF, 15).lower for n in counts}
    assert min(others.values()) > found.upper
    assert max(others) > terms > min(others)


@pytest.mark.parametrize("first", [1, 6, 7, 8, 12])
def test_the_best_is_found_from_either_side(first):
    assert mills._settled(first, lambda terms, other: abs(other - 7) < abs(terms - 7)) == 7


def test_numbers_of_terms_that_are_not_told_apart_are_refused():
    with pytest.raises(CertificationError, match=r"\[3, 4\] terms are not told apart"):
        mills._settled(3, lambda terms, other: {terms, other} == {3, 4})


def test_the_earliest_reach_of_a_coarse_and_of_a_fine_error():
    assert [earliest_reach(Rational(1, n))[0] for n in (1, 4, 32)] == [1, 2, 4]
    terms, found = earliest_reach("1e-40", 20)
    assert truncation_error(found.upper, terms) <= Rational("1e-40")
    assert truncation_error(found.upper, terms + 1) > Rational("1e-40")
    assert truncation_error(found.upper, terms - 1) > Rational("1e-40")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mills_ratio(0), "x is 0; accepted is a positive number"),
        (lambda: mills_ratio(-1), "x is -1"),
        (lambda: mills_ratio(1, 0), "digits is 0; accepted is an integer from 1"),
        (lambda: partial_sum(1, 0), "terms is 0; accepted is an integer from 1"),
        (lambda: truncation_error("0", 3), "x is '0'"),
        (lambda: truncation_error(2, 2.0), "terms is 2.0"),
        (lambda: truncation_error(2, True), "terms is True"),
        (lambda: coefficient(-1), "n is -1; accepted is an integer from 0"),
        (lambda: best_terms(-2), "x is -2"),
        (lambda: reach(0, "1e-3"), "terms is 0"),
        (lambda: reach(3, 0), "size is 0; accepted is a positive number"),
        (lambda: reach(3, "1e-3", "9"), "digits is '9'"),
        (lambda: earliest_reach(-1), "size is -1"),
        (lambda: earliest_reach("1e-3", 0), "digits is 0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_sum_that_is_zero_is_exact_or_refused():
    assert float(partial_sum(1, 2)) == 0
    root = sqrt(3 + 2 * sqrt(2)) - sqrt(2)  # 1, which is not seen
    with pytest.raises(CertificationError, match="a number may be 0"):
        partial_sum(root, 2)


@pytest.mark.parametrize("x", [None, [1], np.array([1.0])])
def test_other_types_are_refused(x):
    with pytest.raises(TypeError, match="accepted are"):
        mills_ratio(x)


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


# ---------------------------------------------------------------------------- the two forms


def decimal_ratio(p1, p3):
    return lambda x: sigma(p1 * x + p3 * x**3) / decimal_cdf(x)


def second_way():
    with localcontext(prec=DIGITS):
        p1 = 2 * (2 / decimal_pi()).sqrt()
        tanh_form = decimal_ratio(p1, p1 * Decimal("0.044715"))
        sigmoid_form = decimal_ratio(Decimal("1.702"), 0)
        return {
            "page-tail-half": bisected(lambda x: tanh_form(x) - Decimal("0.5"), -5, -3),
            "page-tail-crossing": bisected(lambda x: tanh_form(x) - 1, -3, -1),
            "scale-1702-tail-double": bisected(lambda x: sigmoid_form(x) - 2, -3, -2),
            "scale-1702-tail-crossing": bisected(lambda x: sigmoid_form(x) - 1, -2, -1),
        }


def by_incomplete_gamma(terms):
    """Where the relative error of so many terms is 2⁻⁵³, in mpmath."""

    def excess(x):
        z, half = x**2 / 2, mpmath.mpf(1) / 2
        share = mpmath.gammainc(half - terms, z) / mpmath.gammainc(half, z)
        return mpmath.fac2(2 * terms - 1) * share / mpmath.mpf(2) ** terms * 2**53 - 1

    with mpmath.workdps(70):
        return mpmath.nstr(mpmath.findroot(excess, (8, 9), solver="anderson"), 65)


@pytest.mark.slow
def test_a_number_of_the_left_tail_is_confirmed_by_a_second_method():
    found = {id: str(value) for id, value in second_way().items()}
    found["mills-float64-place"] = by_incomplete_gamma(earliest_reach(UNIT_ROUNDOFF)[0])
    assert set(found) == set(left_tail.CERTIFIED)
    for id, value in found.items():
        assert agreeing_digits(value, compute(id, 60)) >= 50
        assert results()[id].check
    other = by_incomplete_gamma(earliest_reach(UNIT_ROUNDOFF)[0] + 1)
    assert agreeing_digits(other, compute("mills-float64-place", 60)) < 5


@pytest.mark.parametrize(
    ("tail", "ratio"), [(TANH_TAIL, 1), (TANH_TAIL, "0.01"), (SIGMOID_TAIL, 1), (SIGMOID_TAIL, 99)]
)
def test_a_place_has_the_ratio_between_its_ends(tail, ratio):
    found = place(tail, ratio, 30)
    with mpmath.workdps(60):
        p1, p3 = (mpmath.mpmathify(sp.N(value, 60)) for value in (tail.p1, tail.p3))
        ends = [mpmath.mpf(str(end)) for end in (found.lower, found.upper)]
        ratios = [1 / (1 + mpmath.exp(-p1 * x - p3 * x**3)) / mpmath.ncdf(x) for x in ends]
        assert (ratios[0] < ratios[1]) == bool(tail.p3)
        assert min(ratios) < mpmath.mpf(ratio) < max(ratios)


def test_the_ratio_of_another_constant_is_elsewhere():
    other = Tail(2 * LOCAL_SLOPE, 2 * LOCAL_SLOPE * Rational("0.04472"))
    found = place(other, 1, 20).rounded(15)
    assert agreeing_digits(str(found), result("page-tail-crossing").value) < 5


@pytest.mark.parametrize(
    ("tail", "ratio", "step"),
    [
        (TANH_TAIL, 2, "claim"),  # never met
        (SIGMOID_TAIL, Rational(1, 2), "claim"),
        (SIGMOID_TAIL, Rational(98, 100), "claim"),  # met twice
        (TANH_TAIL, Rational(1001, 1000), "claim"),  # met twice
        (TANH_TAIL, "1e-9", "claim"),  # met left of −8
        (Tail(Rational(8, 5), Rational(1, 14)), 1, "claim"),  # starts on the other side
        (SIGMOID_TAIL, Rational(998, 1000), "bound"),  # met a first time next to 0
        (Tail("1.62", "0.067"), "0.982", "bound"),  # not monotone from 7/8 of the place on
        (Tail(9, "0.001"), Rational(1, 2), "tail"),  # the ratio rises beyond −8
    ],
)
def test_a_place_that_is_not_proved_is_refused(tail, ratio, step):
    with pytest.raises(CertificationError) as caught:
        place(tail, ratio)
    assert caught.value.step == step


def test_each_step_of_the_proof_can_fail():
    gap = Function(logistic(-TANH_TAIL.exponent) - Phi(-X))
    tail_ratios._prove_gap(TANH_TAIL, sp.S.One, gap, 1, 1.5)
    with pytest.raises(CertificationError, match=r"bound: a sign is not shown near x = 1\.88"):
        tail_ratios._prove_gap(TANH_TAIL, sp.S.One, gap, 1, 2.0)
    with pytest.raises(CertificationError, match="bound: a sign is not shown close to x = 0"):
        tail_ratios._prove_gap(TANH_TAIL, sp.S.One, gap, -1, 1.5)
    tail_ratios._prove_monotone(TANH_TAIL, 1, 1.75)
    with pytest.raises(CertificationError, match="bound: a sign is not shown near x = 1"):
        tail_ratios._prove_monotone(TANH_TAIL, 1, 1.0)
    with pytest.raises(CertificationError, match="bound: a sign is not shown"):
        tail_ratios._prove_monotone(SIGMOID_TAIL, 1, 1.75)
    tail_ratios._prove_beyond(TANH_TAIL)
    with pytest.raises(CertificationError, match="tail: the ratio is not shown to fall"):
        tail_ratios._prove_beyond(Tail(1, Rational(1, 1000)))
    tail_ratios._prove_beyond(Tail(8, 0))
    with pytest.raises(CertificationError, match="tail: p1 = 9 is greater than the end"):
        tail_ratios._prove_beyond(Tail(9, 0))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Tail(0, 1), "p1 is 0; accepted is a positive number"),
        (lambda: Tail(1, -1), "p3 is -1; accepted is a nonnegative number"),
        (lambda: place(TANH_TAIL, 0), "ratio is 0; accepted is a positive number"),
        (lambda: place(TANH_TAIL, 1, 0), "digits is 0; accepted is a positive integer"),
        (lambda: relative_error(TANH_TAIL, [0.0]), r"not in \[-30, 0\)"),
        (lambda: relative_error(TANH_TAIL, [-31.0]), r"not in \[-30, 0\)"),
        (lambda: relative_error(TANH_TAIL, [np.nan]), r"not in \[-30, 0\)"),
    ],
)
def test_bad_arguments_of_the_ratios_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


WITNESS = -29.613681589319242
"""Where the largest error of ``relative_error`` was found."""


def test_the_relative_error_is_as_accurate_as_it_says():
    x = np.concatenate([np.linspace(-30, 0, 300)[:-1], -np.logspace(-6, 0, 60), [WITNESS]])
    worst = {}
    for tail in (TANH_TAIL, SIGMOID_TAIL):
        with mpmath.workdps(40):
            p1, p3 = (mpmath.mpmathify(sp.N(value, 40)) for value in (tail.p1, tail.p3))
            for at, found in zip(map(mpmath.mpf, x), relative_error(tail, x), strict=True):
                grown = mpmath.exp(p1 * at + p3 * at**3)
                ratio = grown / (1 + grown) / mpmath.ncdf(at)
                error = abs(mpmath.mpf(found) - (ratio - 1)) / max(ratio, 1)
                worst[float(error)] = float(at)
    assert max(worst) < 1.95e-13
    assert worst[max(worst)] == WITNESS


def test_the_relative_errors_go_where_the_theorems_say():
    x = np.linspace(-14, -5, 91)
    tanh_form, sigmoid_form = (relative_error(tail, x) for tail in (TANH_TAIL, SIGMOID_TAIL))
    assert np.all(np.diff(tanh_form) >= 0) and tanh_form[0] == -1 < tanh_form[-1]
    assert np.all(np.diff(sigmoid_form) < 0) and sigmoid_form[0] > 1e33


# ---------------------------------------------------------------------------- figures


def test_the_figure_of_the_series_shows_its_relative_errors():
    drawn = chapter.mills_series((1, 10), high=9)
    assert list(drawn.curves) == ["1 term", "10 terms", "best number of terms"]
    x, best = drawn.curves["best number of terms"]
    for terms, name in ((1, "1 term"), (10, "10 terms")):
        _, error = drawn.curves[name]
        assert error[44] == float(truncation_error(Rational(x[44]), terms))
        assert np.all(best <= error) and np.all(np.diff(error) < 0)
    assert best[44] == float(truncation_error(Rational(x[44]), best_terms(Rational(x[44]))))


def test_more_terms_are_worse_on_the_left_and_better_on_the_right():
    curves = chapter.mills_series((1, 30)).curves
    (_, few), (_, many) = curves["1 term"], curves["30 terms"]
    assert many[0] > 1e6 * few[0] and many[-1] < 1e-6 * few[-1]


def test_the_figure_of_the_relative_errors_marks_what_the_register_has():
    drawn = chapter.tail_errors(low=-8)
    for id, name in (
        ("page-tail-half", "half of GELU"),
        ("scale-1702-tail-double", "twice GELU"),
    ):
        (at,), _ = drawn.points[name]
        assert at == float(result(id).value)
    for name, height in (("half of GELU", -0.5), ("twice GELU", 1), ("equal to GELU", 0)):
        np.testing.assert_array_equal(drawn.points[name][1], height)
    at, _ = drawn.points["equal to GELU"]
    assert at.tolist() == [
        float(result(f"{form}-tail-crossing").value) for form in ("scale-1702", "page")
    ]
    for name, tail in (("sigmoid form", SIGMOID_TAIL), ("tanh form", TANH_TAIL)):
        x, error = drawn.curves[name]
        np.testing.assert_array_equal(error, relative_error(tail, x))
        assert x[0] == -8
    _, tanh_form = drawn.curves["tanh form"]
    assert np.all(tanh_form > -1)


@pytest.mark.parametrize("x", [10**5, 10**200, 201])
def test_the_best_number_of_terms_is_not_looked_for_beyond_reason(x):
    with pytest.raises(ValueError, match="accepted is at most 200"):
        best_terms(x)
