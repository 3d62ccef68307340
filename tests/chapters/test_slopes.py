"""The chapter derivatives: its kinds of step, its identities and its numbers."""

import numpy as np
import pytest
import sympy as sp
from sympy import (
    Derivative,
    Integral,
    LambertW,
    Limit,
    Rational,
    Subs,
    Symbol,
    erf,
    exp,
    oo,
    sqrt,
    tanh,
)

from gelu_lib.activations import gelu_sigmoid_derivative, gelu_tanh_derivative
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.derivations.chain import Derivation, DerivationError, Known
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.notation import DEFINITIONS, LogisticForm, tex
from gelu_lib.derivations.rules import (
    LAMBERT_EQUATION,
    Algebra,
    Differentiation,
    Inequality,
    Limits,
    Quoted,
)
from gelu_lib.evidence.kinds import AtRoot
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    PAGE_CUBIC,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    numpy_function,
)

c, p = Symbol("c", positive=True), Symbol("p", positive=True)
s, u = Symbol("s", real=True), Symbol("u", real=True)
W = LambertW(exp(-1))


def start(expression):
    return Derivation("example", expression)


def refused(build):
    with pytest.raises(DerivationError) as caught:
        build()
    return str(caught.value)


# ---------------------------------------------------------------------------- a known result inside


def test_a_known_result_reaches_into_a_derivative_a_limit_and_an_integral():
    known = derivation("phi-erf")
    with_erf = (1 + erf(X / sqrt(2))) / 2
    start(Derivative(Phi(X), X)).step(Known(known), Derivative(with_erf, X))
    slope = derivation("gelu-derivative")
    start(Limit(slope.start, X, -oo)).step(Known(slope), Limit(slope.end, X, -oo))
    start(Integral(Phi(X), (X, 0, 1))).step(Known(known), Integral(with_erf, (X, 0, 1)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Derivative(Phi(X), X), Derivative(1 + erf(X / sqrt(2)), X)),  # the factor ½ is lost
        (Derivative(Phi(s), s), Derivative((1 + erf(s / sqrt(2))) / 2, s)),  # not as it is written
        (Limit(Phi(X), X, -oo), Limit((1 + erf(X / sqrt(2))) / 2, X, oo)),
    ],
)
def test_a_known_result_inside_refuses(before, after):
    refused(lambda: start(before).step(Known(derivation("phi-erf")), after))


def test_what_is_put_inside_is_an_equation_for_all_real_values():
    known = derivation("erf-probability")  # for x >= 0 alone
    x = known.end.args[0]
    refused(lambda: start(Derivative(known.start, x)).step(Known(known), Derivative(known.end, x)))
    inequality = start(1 + X**2).step(Inequality(">"), 0)
    assert "not an equation" in refused(
        lambda: start(Derivative(1 + X**2, X)).step(Known(inequality), 1)
    )
    trivial = start(X).step(Algebra(), X + 1 - 1)  # no expression that could be replaced
    refused(lambda: start(Derivative(X, X)).step(Known(trivial), 1))


def test_a_result_with_several_symbols_is_taken_at_values_of_x():
    known = derivation("form-derivative")
    slope = Subs(Derivative(LogisticForm(X, *_symbols(known)), X), X, 0)
    start(slope).step(Known(known, at=0), Rational(1, 2))
    refused(lambda: start(slope).step(Known(known, at=0), Rational(1, 3)))
    refused(lambda: start(slope).step(Known(known, at=1), Rational(1, 2)))


def _symbols(known):
    return known.start.args[0].args[1:]


# ---------------------------------------------------------------------------- limits of slopes


def test_a_limit_carries_out_the_derivatives_in_it():
    slope = Derivative(GELU(X), X)
    start(Limit(slope, X, -oo)).step(Limits(), 0)
    start(Limit(Subs(Derivative(GELU(s), s), s, -X), X, oo)).step(Limits(), 0)
    start(Limit(Derivative(LogisticForm(X, p, 0), X), X, -oo)).step(Limits(), 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Limit(Derivative(GELU(X), X), X, -oo), 1),
        (Limit(Derivative(LogisticForm(X, p, 0), X), X, oo), 0),
        (Limit(Derivative(LogisticForm(X, s, 0), X), X, -oo), 0),  # ½ if s = 0
        (Limit(Derivative(abs(X), X), X, oo), 1),  # not smooth at 0
    ],
    ids=str,
)
def test_a_limit_of_a_slope_refuses(before, after):
    refused(lambda: start(before).step(Limits(), after))


def test_the_limits_of_the_slopes_are_those_that_the_register_states():
    for id, function in (
        ("gelu-derivative-limits", GELU),
        ("form-derivative-limits", LogisticForm),
    ):
        for part in derivation(id).parts:
            assert isinstance(part.start, Limit) and isinstance(part.start.args[0], Derivative)
            assert isinstance(part.start.args[0].expr, function)


# ---------------------------------------------------------------------------- Lambert's W


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (W * exp(W), exp(-1)),
        (exp(-W), W * exp(1)),
    ],
)
def test_the_equation_of_w_accepts(before, after):
    start(before).step(Quoted(LAMBERT_EQUATION), after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (W * exp(W), exp(1)),
        (exp(W), exp(-1) * W),
        (exp(W / 2), exp(-Rational(1, 2)) / sqrt(W)),  # no integer multiple
        (X, X),  # no W
    ],
)
def test_the_equation_of_w_refuses(before, after):
    refused(lambda: start(before).step(Quoted(LAMBERT_EQUATION), after))


@pytest.mark.parametrize("argument", [X, -exp(-2), sp.S.Zero, -p])
def test_w_is_used_for_positive_arguments_alone(argument):
    assert "start" in refused(lambda: start(LambertW(argument, evaluate=False)))


@pytest.mark.parametrize(
    "of_a_branch",
    [
        LambertW(p, -1),  # complex for a positive argument
        LambertW(p, 0, evaluate=False),  # the principal branch, but named
        tanh(LambertW(5, 1)) + tanh(LambertW(5, -1)),  # real, and 33.8…
    ],
    ids=str,
)
def test_w_is_used_for_its_principal_branch_alone(of_a_branch):
    assert "names a branch" in refused(lambda: start(of_a_branch))
    assert "names a branch" in refused(lambda: start(of_a_branch).step(Inequality("<"), 2))


# ---------------------------------------------------------------------------- notation


def test_a_form_and_its_derivatives_are_set_with_their_parameters():
    p1, p3 = sp.symbols("p_1 p_3", real=True)
    form = LogisticForm(X, p1, p3)
    assert tex(Derivative(form, (X, 2))) == "g''(x;p_{1},p_{3})"
    assert tex(Subs(Derivative(form, X), X, -X)) == "g'(-x;p_{1},p_{3})"
    assert tex(LogisticForm(X / c, c, 0)) == r"g\left(\frac{x}{c};c,0\right)"
    assert r"\partial" in tex(Derivative(form, p1))
    assert r"\mathrm{d}" in tex(Derivative(LogisticForm(X, X, 0), X))


def test_the_two_forms_are_members_of_one_family():
    member = DEFINITIONS[LogisticForm]
    slope = 2 * LOCAL_SLOPE
    for x in (Rational(-3, 2), Rational(1, 4), 3):
        for ours, form in (
            (member(x, slope, slope * PAGE_CUBIC), gelu_tanh(x)),
            (member(x, Rational("1.702"), 0), gelu_sigmoid(x)),
        ):
            assert abs(sp.N(ours - form, 30, maxn=100)) < 1e-28


# ---------------------------------------------------------------------------- identities


def test_the_safe_shapes_are_what_the_library_evaluates():
    x = np.linspace(-6, 6, 241)
    constants = {"a": LOCAL_SLOPE, "k": PAGE_CUBIC}
    safe = derivation("tanh-form-derivative").end
    safe = safe.subs({symbol: constants.get(symbol.name, X) for symbol in safe.free_symbols})
    np.testing.assert_allclose(numpy_function(safe)(x), gelu_tanh_derivative(x), atol=1e-14)
    safe = derivation("sigmoid-form-derivative").end.subs(c, Rational("1.702"))
    np.testing.assert_allclose(numpy_function(safe)(x), gelu_sigmoid_derivative(x), atol=1e-14)


def test_the_sign_of_the_ratio_needs_a_coefficient_that_is_not_negative():
    x, p1, p3 = Symbol("x", positive=True), Symbol("p_1", positive=True), Symbol("p_3", real=True)
    ratio = (2 * p1 + 12 * p3 * x**2) / (x * (p1 + 3 * p3 * x**2) ** 2)
    fall = p1**2 + 9 * p1 * p3 * x**2 + 54 * p3**2 * x**4
    slope = -2 * fall / (x**2 * (p1 + 3 * p3 * x**2) ** 3)
    assert sp.simplify(ratio.diff(x) - slope) == 0
    kept = Symbol("p_3", nonnegative=True)
    start(Derivative(ratio.subs(p3, kept), x)).step(Differentiation(), slope.subs(p3, kept)).step(
        Inequality("<"), 0
    )
    # fall is positive for every real p₃: the power of the other factor turns the sign
    assert slope.subs({p1: 1, p3: -1, x: 1}) > 0
    assert fall.subs({p1: 1, p3: -1, x: 1}) > 0
    for wrong in (p3, -Symbol("p_3", positive=True)):
        refused(lambda wrong=wrong: start(slope.subs(p3, wrong)).step(Inequality("<"), 0))


# ---------------------------------------------------------------------------- numbers


def test_a_place_without_a_zero_of_the_equation_is_refused():
    with pytest.raises(CertificationError):
        AtRoot(X**2 + 1, 0.5)(20)
    with pytest.raises(CertificationError):
        AtRoot((X - 1) ** 2, 1.0)(20)
