"""The chapter derivatives: its kinds of step, its identities and its numbers."""

import numpy as np
import pytest
import sympy as sp
from sympy import Derivative, LambertW, Limit, Rational, Subs, Symbol, exp, tanh

from gelu_lib.activations import gelu_sigmoid_derivative, gelu_tanh_derivative
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.derivations.chain import Derivation, DerivationError
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.notation import DEFINITIONS, LogisticForm, tex
from gelu_lib.derivations.rules import Differentiation, Inequality
from gelu_lib.evidence.kinds import AtRoot
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    PAGE_CUBIC,
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


def test_limits_and_forms_are_those_of_the_register_as_the_book_sets_them():
    for id, function in (
        ("gelu-derivative-limits", GELU),
        ("form-derivative-limits", LogisticForm),
    ):
        for part in derivation(id).parts:
            assert isinstance(part.start, Limit) and isinstance(part.start.args[0], Derivative)
            assert isinstance(part.start.args[0].expr, function)
    p1, p3 = sp.symbols("p_1 p_3", real=True)
    form = LogisticForm(X, p1, p3)
    assert tex(Derivative(form, (X, 2))) == "g''(x;p_{1},p_{3})"
    assert tex(Subs(Derivative(form, X), X, -X)) == "g'(-x;p_{1},p_{3})"
    assert tex(LogisticForm(X / c, c, 0)) == r"g\left(\frac{x}{c};c,0\right)"
    assert r"\partial" in tex(Derivative(form, p1))
    assert r"\mathrm{d}" in tex(Derivative(LogisticForm(X, X, 0), X))


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


def test_the_forms_are_of_one_family_whose_safe_shapes_the_library_evaluates():
    member = DEFINITIONS[LogisticForm]
    slope = 2 * LOCAL_SLOPE
    for x in (Rational(-3, 2), Rational(1, 4), 3):
        for ours, form in (
            (member(x, slope, slope * PAGE_CUBIC), gelu_tanh(x)),
            (member(x, Rational("1.702"), 0), gelu_sigmoid(x)),
        ):
            assert abs(sp.N(ours - form, 30, maxn=100)) < 1e-28
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


def test_a_place_without_a_zero_of_the_equation_is_refused():
    with pytest.raises(CertificationError):
        AtRoot(X**2 + 1, 0.5)(20)
    with pytest.raises(CertificationError):
        AtRoot((X - 1) ** 2, 1.0)(20)
