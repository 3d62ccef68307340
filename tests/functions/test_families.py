"""Links, families, targets and the exact values of parameters: what they are and refuse."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from sympy import Rational, Symbol, oo, tanh

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
    numpy_function,
    parity,
    phi,
)
from gelu_lib.functions.families import (
    LOGISTIC,
    TANH_CUBIC,
    Family,
    Given,
    Nonlinear,
    RationalFamily,
    WrongLimitError,
    exact_value,
    exact_values,
    odd_logistic,
)
from gelu_lib.functions.forms import Form, right_limit
from gelu_lib.functions.links import EXP2, IDENTITY, SIGMA, TANH, Link, U, V, even_power
from gelu_lib.functions.targets import GELU_DERIVATIVE, PHI, TARGETS, Target, target_of

P1, P3, C = (Symbol(name, real=True) for name in ("p1", "p3", "c"))
SOFT = Link(sp.log(1 + sp.exp(U)), sp.log(sp.exp(V) - 1))


# --- links ----------------------------------------------------------------------------------

LINKS = {
    IDENTITY: (-oo, oo),
    SIGMA: (0, 1),
    TANH: (-1, 1),
    EXP2: (0, oo),
    even_power(1): (0, oo),
    even_power(3): (0, oo),
    SOFT: (0, oo),
}


@pytest.mark.parametrize("link", LINKS, ids=str)
def test_a_link_increases_and_its_inverse_leads_back(link):
    assert link.range == LINKS[link]
    u = np.linspace(max(-3.0, float(link.lowest) + 0.01), 3, 41)
    value, back = numpy_function(link.value, U), numpy_function(link.inverse, V)
    np.testing.assert_allclose(back(value(u)), u, atol=1e-12)
    slope = np.broadcast_to(numpy_function(link.slope, U)(u), u.shape)
    assert (slope > 0).all() and (np.diff(value(u)) > 0).all()
    if link.decay is not None:
        share = np.broadcast_to(numpy_function(link.decay, V)(value(u)), u.shape)
        np.testing.assert_allclose(share * value(u), slope, rtol=1e-12)
        assert (np.diff(share) <= 1e-15).all()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"value": -U, "inverse": -V}, "value is -u, which is not shown to increase for every u"),
        ({"value": U**2, "inverse": sp.sqrt(V)}, "not shown to increase for every u"),
        ({"value": U**2, "inverse": V, "lowest": 0}, "inverse is v, which is none of u"),
        ({"value": U**2 - U, "inverse": V, "lowest": 0}, "not shown to increase for u > 0"),
        ({"value": U**3, "inverse": sp.cbrt(V)}, "not shown to increase"),  # flat at 0
        ({"value": X, "inverse": V}, "value must be an expression in u, got x"),
        ({"value": U + C, "inverse": V - C}, "value must be an expression in u"),
        ({"value": U**2, "inverse": sp.sqrt(V), "lowest": X}, "lowest must be a number or -oo"),
        ({"value": U, "inverse": U}, "inverse must be an expression in v"),
        ({"value": 2**U, "inverse": sp.log(V, 2), "decay": 1}, "decay is 1, not shown to be"),
        ({"value": U, "inverse": V, "decay": 1 / V}, "decay is 1/v, not shown to be"),
        ({"value": -sp.exp(-U), "inverse": -sp.log(-V), "decay": -1}, "decay is -1, not shown"),
    ],
)
def test_what_is_no_link_is_refused(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        Link(**{name: sp.sympify(value) for name, value in arguments.items()})


@pytest.mark.parametrize("order", [0, -1, 1.0, True, "1"])
def test_other_numbers_of_squarings_are_refused(order):
    with pytest.raises(ValueError, match="order must be a positive integer"):
        even_power(order)


# --- families -------------------------------------------------------------------------------


def test_a_family_is_a_link_of_terms_with_names():
    assert TANH_CUBIC.expression == logistic(P1 * X + P3 * X**3)
    assert TANH_CUBIC.symbols == (P1, P3) and TANH_CUBIC.names == ("p1", "p3")
    assert odd_logistic(11).names == ("p1", "p3", "p5", "p7", "p9", "p11")
    assert odd_logistic(11).name.endswith("+ p9*x**9 + p11*x**11)")
    assert odd_logistic(3) == TANH_CUBIC == odd_logistic((1, 3)) == Family(SIGMA, (X, X**3))
    assert len({odd_logistic(1), LOGISTIC, TANH_CUBIC}) == 2
    slope = 2 * LOCAL_SLOPE
    cubic = {P1: slope, P3: slope * PAGE_CUBIC}
    assert sp.simplify(X * TANH_CUBIC.expression.subs(cubic).rewrite(tanh) - gelu_tanh()) == 0
    assert X * LOGISTIC.expression.subs(P1, LOGISTIC_SCALE) == gelu_sigmoid()


@pytest.mark.parametrize(
    ("family", "names", "odd"),
    [
        (TANH_CUBIC, ("p1", "p3"), True),
        (Family(SIGMA, (1, X)), ("p0", "p1"), False),
        (Family(SIGMA, (X,), factor=X), ("p1",), False),
        (Family(SIGMA, (X,), base=1), ("p1",), False),
        (Family(TANH, (X,)), ("p1",), False),
        (Family(IDENTITY, (sp.tanh(X), X**2)), ("p1", "p2"), False),
        (RationalFamily(1, 2, power=2, factor=X), ("p0", "p1", "q1", "q2"), None),
        (Nonlinear((X + sp.sqrt(X**2 + C)) / 2, {"c": 1}), ("c",), None),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_the_names_of_parameters_and_the_symmetry_of_a_family(family, names, odd):
    assert family.names == names == tuple(symbol.name for symbol in family.symbols)
    assert getattr(family, "is_odd_logistic", None) is odd
    members = family.expression.subs({s: Rational(i + 2, 7) for i, s in enumerate(family.symbols)})
    assert members.free_symbols == {X} and "logistic" not in family.name


def test_a_rational_is_a_quotient_of_polynomials():
    family = RationalFamily(1, 2, power=2, factor=X, base=1)
    p0, p1, q1, q2 = family.symbols
    assert family.parts == (p0 + p1 * X**2, 1 + q1 * X**2 + q2 * X**4)
    assert sp.simplify(family.expression - 1 - X * family.parts[0] / family.parts[1]) == 0


REFUSED = [
    (lambda: Family("sigma", (X,)), TypeError, "link must be a Link"),
    (lambda: Family(SIGMA, X), TypeError, "terms must be a tuple of expressions in X, got x"),
    (lambda: Family(SIGMA, ()), ValueError, "terms must be"),
    (lambda: Family(SIGMA, (X, X)), ValueError, "no two of them alike"),
    (lambda: Family(SIGMA, (C,)), ValueError, "a term must be an expression in X alone, got c"),
    (lambda: Family(SIGMA, (X,), factor=C), ValueError, "factor must be an expression in X"),
    (lambda: Family(SIGMA, (X,), base="1/"), ValueError, "base must be an expression in X"),
    (lambda: RationalFamily(-1, 1), ValueError, "numerator must be an integer >= 0, got -1"),
    (lambda: RationalFamily(1, 1.0), ValueError, "denominator must be an integer >= 0"),
    (lambda: RationalFamily(1, 1, power=0), ValueError, "power must be an integer >= 1"),
    (lambda: Nonlinear(X + C, {}), ValueError, "which must be the symbols of"),
    (lambda: Nonlinear(X + C, {"d": 1}), ValueError, "near has .*'d'"),
    (lambda: Nonlinear(X + C, {"c": "nan"}), ValueError, r"near\['c'\] = 'nan' is not a finite"),
    (lambda: Given(C), ValueError, "approximation must be an expression in X"),
    (lambda: Target(C), ValueError, "function must be an expression in X alone, got c$"),
    (lambda: Target(sp.Symbol("x")), ValueError, "got x, whose x is not gelu_lib.X"),
    (lambda: Family(SIGMA, ("x",)), ValueError, "got 'x', whose x is not gelu_lib.X"),
    (lambda: Nonlinear(C * sp.Symbol("x"), {"c": 1}), ValueError, "whose x is not gelu_lib.X"),
    (lambda: Target(X, factor=None), ValueError, "factor must be"),
    (lambda: Target(X, derivative="yes"), TypeError, "derivative must be True or False, got 'yes'"),
    (lambda: target_of("erf"), ValueError, "target must be one of .*, or a Target, got 'erf'"),
    (lambda: target_of(Phi(X)), TypeError, "target must be a Target or one of"),
    (lambda: exact_values(TANH_CUBIC, {"a": 1}), ValueError, r"none named \['a'\]"),
    (lambda: exact_values(TANH_CUBIC, [1, 2]), TypeError, "mapping"),
    (lambda: exact_values("tanh", {}), TypeError, "family must be a family"),
    (lambda: Form(TANH_CUBIC, {"p1": 1}), ValueError, r"needs a value for \['p3'\]"),
    (lambda: Form("tanh", {}), TypeError, "family must be a family"),
    (lambda: right_limit(Form(Family(TANH, (X,)), {"p1": 1})), TypeError, "of odd_logistic"),
]


@pytest.mark.parametrize(("call", "error", "reason"), REFUSED)
def test_what_is_refused(call, error, reason):
    with pytest.raises(error, match=reason):
        call()


@pytest.mark.parametrize(
    "degree", [0, 2, -1, 1.0, True, "3", (), (2,), (1, 2), (3, 1), (1, 1), (-1,), (True,), [1]]
)
def test_other_degrees_and_exponents_are_refused(degree):
    with pytest.raises(ValueError, match="degree must be"):
        odd_logistic(degree)


# --- targets --------------------------------------------------------------------------------


def test_the_error_is_the_exact_function_minus_the_approximation():
    error = Phi(X) - TANH_CUBIC.expression
    assert PHI.error(TANH_CUBIC.expression) == error
    assert TARGETS["GELU"].error(TANH_CUBIC.expression) == X * error
    derivative = sp.diff(GELU(X) - X * TANH_CUBIC.expression, X)
    assert sp.expand(GELU_DERIVATIVE.error(TANH_CUBIC.expression) - derivative) == 0
    own = Target(Phi(X), factor=X)
    assert own == TARGETS["GELU"] and own.expression == X * Phi(X) and str(own) == "x*Phi(x)"
    assert target_of(own) is own and target_of("Phi") is PHI and str(PHI) == "Phi"
    assert Target(X / 2.0).function == X / 2


@pytest.mark.parametrize(
    ("expression", "sign"),
    [
        *(
            (target.error(TANH_CUBIC.expression), s)
            for target, s in zip(TARGETS.values(), (-1, 1, -1), strict=True)
        ),
        (X * Phi(X) - X / 2, 1),
        (sp.Max(X, 0) - X / 2, 1),
        (phi(X) * X, -1),
        (sp.exp(-((X - 2) ** 2)) + sp.exp(-((X + 2) ** 2)), 1),
        (Phi(X), 0),
        (X + X**2, 0),
        (X - X, 1),
    ],
)
def test_even_and_odd_functions_are_seen(expression, sign):
    assert parity(expression) == sign


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


def test_values_come_by_increasing_exponent():
    assert list(exact_values(TANH_CUBIC, {"p3": 1, "p1": 2}).items()) == [(P1, 2), (P3, 1)]
    assert exact_values(TANH_CUBIC, {"p3": 1}) == {P3: 1}


# --- the limit at infinity ------------------------------------------------------------------


@pytest.mark.parametrize(("p1", "p3"), [(1, 1), (1, 0), (-1, 1), (0, "1e-30"), (1e9, 1e-9)])
def test_a_positive_leading_coefficient_is_accepted(p1, p3):
    assert len(right_limit(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))) == 2


@pytest.mark.parametrize(
    ("p1", "p3", "reason"),
    [
        *(
            (a, b, "must be positive")
            for a, b in ((1, -1), (-1, 0), (1e9, "-1e-30"), (1, 3 - sp.pi))
        ),
        (0, 0.0, "all coefficients are zero"),
    ],
)
def test_another_leading_coefficient_has_the_wrong_limit(p1, p3, reason):
    with pytest.raises(WrongLimitError, match=reason):
        right_limit(Form(TANH_CUBIC, {"p1": p1, "p3": p3}))


def test_a_form_of_any_family_has_values_and_errors():
    x, values = np.linspace(-2, 2, 9), {"p0": 1, "q1": Rational(1, 3)}
    form = Form(RationalFamily(0, 1, power=2, factor=X), values)
    np.testing.assert_allclose(form(x), x / (1 + x * x / 3), rtol=1e-15)
    np.testing.assert_allclose(
        form.error_at(x, Target(sp.atan(X))), np.arctan(x) - form(x), atol=1e-15
    )
    assert form.expression == X / (1 + X**2 / 3)
