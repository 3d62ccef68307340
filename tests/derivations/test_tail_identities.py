"""The derivations of the left tail: Mills' ratio, its bounds and its series, the two forms."""

import pytest
import sympy as sp
from sympy import Derivative, Integral, Limit, Rational, Symbol, exp, oo, sqrt

from gelu_lib import sigmoid_form, tanh_form
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
from gelu_lib.functions.expressions import GELU, Phi, X, logistic, phi

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
TANH = tanh_form().parameters


def start(expression):
    return Derivation("example", expression)


def refused(build):
    with pytest.raises(DerivationError) as caught:
        build()
    return caught.value


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
    for x in (Rational(1, 2), 1, 2, 4, 9, 20):
        values = {AHEAD: x, P1: TANH["p1"], P3: TANH["p3"], C: sigmoid_form().parameters["p1"]}
        for part in (cubic, linear):
            low, high = (sp.N(side.subs(values), 30) for side in (part.start, part.end))
            assert 0 < low < high


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_slope_of_the_mean_is_a_multiple_of_mean_less_power(order):
    moment = Integral(U ** (-2 * order) * phi(U), (U, AHEAD, oo))
    mean, hazard = moment / Phi(-AHEAD), phi(AHEAD) / Phi(-AHEAD)
    before = start(Derivative(mean, AHEAD))
    before.step(Differentiation(), hazard * (mean - AHEAD ** (-2 * order)))
    refused(lambda: before.step(Differentiation(), hazard * (mean + AHEAD ** (-2 * order))))
    refused(lambda: before.step(Differentiation(), hazard * mean))
