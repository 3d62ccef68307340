"""A derivation accepts true steps; every rule refuses false, undecided and badly founded ones."""

import dataclasses
import re
from pathlib import Path

import nbformat
import pytest
from sympy import (
    Add,
    Derivative,
    FiniteSet,
    Integral,
    Interval,
    LambertW,
    Limit,
    Pow,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    erf,
    exp,
    nan,
    oo,
    pi,
    sqrt,
    symbols,
    tanh,
    zoo,
)

from gelu_lib.derivations.chain import Derivation, DerivationError, Known, Step
from gelu_lib.derivations.counterexamples import counterexample
from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.derivations.notation import Coefficient, LogisticForm, NormalProbability
from gelu_lib.derivations.rules import (
    EULER_SUM,
    LAMBERT_EQUATION,
    Algebra,
    Antiderivative,
    Definition,
    Differentiation,
    GeometricSeries,
    Inequality,
    Limits,
    Linearity,
    Polar,
    Quoted,
    Split,
    Substitution,
)
from gelu_lib.functions.expressions import GELU, Phi, T, X, logistic, phi

BOOK = Path(__file__).resolve().parents[2] / "book"
HALF = Rational(1, 2)
s, u, v, w, z = symbols("s u v w z", real=True)
p = Symbol("p", positive=True)
k, j = symbols("k j", integer=True, positive=True)
A1, A3 = symbols("a_1 a_3", real=True)


def start(expression):
    return Derivation("example", expression)


def bell(variable, lower, upper):
    return Integral(exp(-(variable**2)), (variable, lower, upper))


def with_square(lower, upper):
    """What becomes of the integral of exp(−t²) under t = s²."""
    return Integral(2 * s * exp(-(s**4)), (s, lower, upper))


def named(step):
    """The rule of a step, by which its test is called."""
    return type(step[0]).__name__


def refused(build):
    with pytest.raises(DerivationError) as caught:
        build()
    return caught.value


# ---------------------------------------------------------------------------- the object


def test_a_false_step_is_named_with_its_derivation_number_reason_and_both_sides():
    half = start(Phi(X)).step(Definition(Phi), Integral(phi(T), (T, -oo, X)))
    wrong = Integral(exp(-(T**2)), (T, -oo, X)) / sqrt(2 * pi)
    error = refused(lambda: half.step(Definition(phi), wrong, "density"))
    assert (error.id, error.number, error.reason) == ("example", 2, "density")
    assert (error.before, error.after) == (half.end, wrong)
    for part in ("'example'", "step 2", "density", str(half.end), str(wrong), "is false at x ="):
        assert part in str(error)


def test_the_counterexample_is_a_point_where_the_symbols_are_and_the_sides_differ():
    found = refused(lambda: start(X**2).step(Algebra(), X)).counterexample
    ((symbol, value),) = found.point
    assert symbol == X
    assert found.left == pytest.approx(float(value**2)) and found.right == float(value)
    assert found.left != found.right
    error = refused(lambda: start(erf(X)).step(Algebra(), 2 * Phi(sqrt(2) * X) - 1))
    assert error.counterexample is None
    assert "is not proven" in str(error)
    count = Symbol("n", integer=True, nonnegative=True)
    # false for n = −3 alone
    error = refused(lambda: start(tanh(count) + 1).step(Inequality(">"), HALF))
    assert error.counterexample is None
    ((_, value),) = counterexample(2**count, S(2), Inequality(">")).point
    assert value in (0, 1)
    half_line = Inequality(">", X, Interval.open(1, oo))
    assert counterexample(X, X**2, Inequality("<")) and not counterexample(X**2, X, half_line)


def test_no_way_of_building_skips_the_check():
    good = start(X + X).step(Algebra(), 2 * X)
    lie = Step(Algebra(), 3 * X)
    refused(lambda: Derivation("example", X + X, (lie,)))
    refused(lambda: dataclasses.replace(good, steps=(lie,)))
    refused(lambda: dataclasses.replace(good, start=X))
    refused(lambda: Derivation("example", X + X, (*good.steps, Step(Algebra(), X))))
    with pytest.raises(dataclasses.FrozenInstanceError):
        good.start = X


def test_a_result_may_have_several_parts():
    two = start(X).step(Algebra(), X).then(p).step(Inequality(">"), 0)
    assert two.claim == r"x = x, \quad p > 0 \quad (p > 0)"
    assert [part.relation for part in two.parts] == ["=", ">"]
    assert len(two.all_steps) == 2 and len(two.steps) == 1
    assert refused(lambda: two.step(Algebra(), 1)).number == 3


@pytest.mark.parametrize("id", ["", "Phi", "phi_erf", "1st", "a b", None, 3])
def test_an_id_must_be_an_id(id):
    with pytest.raises(ValueError, match="id is"):
        Derivation(id, X)


@pytest.mark.parametrize("thing", ["x", None, True, [X], X > 0])
def test_a_step_must_lead_to_an_expression(thing):
    with pytest.raises(TypeError, match="expression is"):
        start(X).step(Algebra(), thing)


@pytest.mark.parametrize("expression", [nan, 1 / X, Integral(1 / T, (T, 1, oo))], ids=str)
def test_an_expression_that_is_undefined_somewhere_is_refused(expression):
    assert refused(lambda: start(expression)).number == 0
    assert refused(lambda: start(X).step(Algebra(), expression)).number == 1


# ---------------------------------------------------------------------------- what rules accept

both = Integral(phi(T) + T * phi(T), (T, 0, oo))
of_both = [Integral(f, (T, 0, oo)) for f in (phi(T), T * phi(T))]
inner = Integral(exp(v * Integral(T, (T, 0, w))), (v, 0, 1), (w, 0, 1))
fraction = (exp(X) - exp(-X)) / (exp(X) + exp(-X))
product, growing = Integral(T * exp(T), (T, 0, 1)), Integral(exp(T), (T, 0, 1))
falling = Integral(exp(-T), (T, 0, oo))
odd_argument = A1 * X + A3 * X**3
QUADRANT = Integral(exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0))
RING = Integral(z * exp(-(z**2)), (z, 0, oo), (u, pi, 3 * pi / 2))
POLAR = Polar((s, T), z, u)
SIGN = (-1) ** (k - 1)
TERM, PRIMITIVE = SIGN * z * exp(-k * z), -SIGN * (z / k + 1 / k**2) * exp(-k * z)
WHOLE = Integral(z * exp(-z) / (1 + exp(-z)), (z, 0, oo))
SQUARES = Sum(SIGN / k**2, (k, 1, oo))
HALF_LINE = Interval.open(0, oo)
W = LambertW(exp(-1))
BY_ERF, PHI_ERF = (1 + erf(X / sqrt(2))) / 2, Known(derivation("phi-erf"))
SLOPE, OF_FORM = derivation("gelu-derivative"), derivation("form-derivative")
SLOPE_OF_FORM = Subs(Derivative(LogisticForm(X, *OF_FORM.start.args[0].args[1:]), X), X, 0)
HALF_KNOWN = derivation("erf-probability")
AT = HALF_KNOWN.end.args[0]

TRUE = [
    (Algebra(), (X + 1) ** 2, X**2 + 2 * X + 1),
    (Algebra(), exp(X + s), exp(X) * exp(s)),
    (Algebra(), sqrt(exp(X)), exp(X / 2)),
    (Algebra(), 1 / sqrt(2), sqrt(2) / 2),
    (Algebra(), Integral(phi(T), (T, -oo, X)), Integral(phi(s), (s, -oo, X))),
    (Algebra(), Integral(2 * phi(T), (T, 0, X)), -2 * Integral(phi(s), (s, X, 0))),
    (Algebra(), QUADRANT, bell(z, -oo, 0) ** 2),
    (Definition(tanh), tanh(X), fraction),
    (Definition(tanh), fraction, tanh(X)),
    (Definition(erf), erf(-X, evaluate=False), 2 / sqrt(pi) * bell(T, 0, -X)),
    (Substitution(T, 2 * s), bell(T, 0, X), Integral(2 * exp(-4 * s**2), (s, 0, X / 2))),
    (Substitution(T, -s), bell(T, -oo, X), bell(s, -X, oo)),
    (Substitution(T, -T), bell(T, 0, 1), bell(T, -1, 0)),
    (Substitution(T, p * s), bell(T, -oo, p), Integral(p * exp(-((p * s) ** 2)), (s, -oo, 1))),
    (Split(T, HALF), bell(T, 0, 1), bell(T, 0, HALF) + bell(T, HALF, 1)),
    (Split(T, 2), bell(T, 0, 1), bell(T, 0, 2) - bell(T, 1, 2)),  # outside: still true
    (Antiderivative(T, T**2 / 2), Integral(T, (T, 0, X)), X**2 / 2),
    (Antiderivative(T, -exp(-T)), falling, S.One),
    (Antiderivative(T, exp(T)), Integral(exp(T), (T, -oo, 0)), S.One),
    (Antiderivative(T, T * exp(T)), product, exp(1) - growing),
    (Linearity(T), both, sum(of_both)),
    (POLAR, QUADRANT, RING),
    (GeometricSeries(z, k, TERM, PRIMITIVE), WHOLE, SQUARES),
    (Quoted(EULER_SUM), X * Sum((-1) ** (j - 1) / j**2, (j, 1, oo)), X * pi**2 / 12),
    (Quoted(LAMBERT_EQUATION), W * exp(W), exp(-1)),
    (Quoted(LAMBERT_EQUATION), exp(-W), W * exp(1)),
    (PHI_ERF, Derivative(Phi(X), X), Derivative(BY_ERF, X)),
    (PHI_ERF, Integral(Phi(X), (X, 0, 1)), Integral(BY_ERF, (X, 0, 1))),
    (Known(SLOPE), Limit(SLOPE.start, X, -oo), Limit(SLOPE.end, X, -oo)),
    (Known(OF_FORM, at=0), SLOPE_OF_FORM, HALF),
    (Limits(), Limit(2 + X * Phi(X) - logistic(-3 * X), X, -oo), S.One),
    (Limits(), Limit(bell(T, X, 0), X, -oo), bell(T, -oo, 0)),
    (Limits(), Limit(Derivative(GELU(X), X), X, -oo), S.Zero),
    (Limits(), Limit(Subs(Derivative(GELU(s), s), s, -X), X, oo), S.Zero),
    (Limits(), Limit(Derivative(LogisticForm(X, p, 0), X), X, -oo), S.Zero),
    (Differentiation(), Derivative(X * Phi(X), X), Phi(X) + X * phi(X)),
    (Differentiation(), Derivative(X * Phi(X), X), Phi(X) + X * Derivative(Phi(X), X)),
    (Differentiation(), Derivative(bell(T, 0, X**2), X), 2 * X * exp(-(X**4))),
    (Differentiation(), Derivative(X**3, X, X), 6 * X),
    (Differentiation(), Subs(Derivative(X**2, X), X, 3), S(6)),
    (Differentiation(), Coefficient(tanh(X), X, 3), -Rational(1, 3)),
    (Differentiation(), Coefficient(erf(X / sqrt(2)), X, 3), -1 / (3 * sqrt(2 * pi))),
    (Differentiation(), Coefficient(tanh(odd_argument), X, 3), A3 - A1**3 / 3),
    *(
        (Inequality(sign, *on), *sides)
        for left, right, on in (
            (1 - Phi(X), S.Zero, ()),
            (X**2 - X + 1, S.Zero, ()),
            (X**2, S.Zero, (X, HALF_LINE)),
            (X**2, S.Zero, (X, Interval.Lopen(0, 1))),
            (X**3, S(8), (X, Interval.open(2, oo))),
            (X, u, (X, Interval.open(u, oo))),
            (S.One, exp(-p), ()),
        )
        for sign, sides in ((">", (left, right)), ("<", (right, left)))
    ),
]


@pytest.mark.parametrize("step", TRUE, ids=named)
def test_a_rule_accepts(step):
    rule, before, after = step
    assert start(before).step(rule, after).end == after


# ---------------------------------------------------------------------------- what rules refuse

FALSE = [
    (Algebra(), exp(X + s), exp(X) + exp(s)),
    (Algebra(), Pow(p**2, HALF), -p),
    (Algebra(), erf(X), tanh(X)),
    (Algebra(), Phi(X), (1 + erf(X / sqrt(2))) / 2),
    (Algebra(), logistic(2 * X), (1 + tanh(X)) / 2),
    (Algebra(), Integral(1, (T, 0, X)), Integral(1, (T, 0, X)) ** 2),
    # an inner integral that depends on the outer variable is no constant of it
    (Algebra(), inner, inner.func(*inner.args[:2]) * Integral(1, (w, 0, 1))),
    (Algebra(), both, sum(of_both)),  # which needs that the parts exist
    (Definition(phi), phi(X), exp(X**2 / 2) / sqrt(2 * pi)),  # a printed slip of one of the sources
    (Definition(phi), phi(X), exp(-(X**2) / 2) / sqrt(pi)),
    (Definition(erf), erf(X), bell(T, 0, X)),
    (Definition(Phi), Phi(X), Integral(phi(T), (T, 0, X))),
    (Definition(tanh), phi(X), phi(X)),  # tanh occurs on neither side
    (Definition(exp), exp(X), exp(X)),  # exp has no definition
    (Definition(GELU), GELU(X), X * (1 + erf(X / sqrt(2))) / 2),  # more than the definition
    # the factor 2 is missing; the old limit; the sign
    (Substitution(T, 2 * s), bell(T, 0, X), Integral(exp(-4 * s**2), (s, 0, X / 2))),
    (Substitution(T, 2 * s), bell(T, 0, X), Integral(2 * exp(-4 * s**2), (s, 0, X))),
    (Substitution(T, -s), bell(T, 0, X), bell(s, 0, -X)),
    # not affine; the slope may vanish
    (Substitution(T, s**2), bell(T, 0, 1), with_square(0, 1)),
    (Substitution(T, X * s), bell(T, 0, oo), Integral(X * exp(-((X * s) ** 2)), (s, 0, oo))),
    (Substitution(T, X * s), X * bell(T, 0, 1), X * Integral(X * exp(-((X * s) ** 2)), (s, 0, 1))),
    # an old variable, two new ones, none, one that is no real number; no integral over t
    (Substitution(T, X), X * bell(T, 0, 1), X * bell(X, 0, 1)),
    (Substitution(T, s + u), bell(T, 0, 1), bell(T, 0, 1)),
    (Substitution(T, Rational(1)), bell(T, 0, 1), bell(T, 0, 1)),
    (Substitution(T, 2 * k), bell(T, 0, 1), bell(T, 0, 1)),
    (Substitution(T, 2 * u), bell(s, 0, 1), bell(s, 0, 1)),
    # the new variable is bound inside the integrand already
    (
        Substitution(T, 2 * s),
        Integral(T * Integral(T * s, (s, 0, 1)), (T, 0, 1)),
        Integral(4 * s * Integral(2 * s * s, (s, 0, 1)), (s, 0, HALF)),
    ),
    (Split(T, 1), bell(T, 0, X), bell(T, 0, 1) - bell(T, 1, X)),
    (Split(T, 1), bell(T, 0, X), bell(T, 0, 1) + bell(T, 0, X)),
    (Split(T, 1), bell(T, 0, X), bell(T, 0, 1)),
    (Split(T, oo), bell(T, 0, X), bell(T, 0, oo) + bell(T, oo, X)),
    (Split(T, 0.5), bell(T, 0, X), bell(T, 0, HALF) + bell(T, HALF, X)),
    (Split(T, -1), Integral(1 / T, (T, 1, 2)), Integral(1 / T, (T, 1, 2))),  # no part exists
    (Antiderivative(T, T**2), Integral(T, (T, 0, X)), X**2 / 2),
    (Antiderivative(T, T**2 / 2), Integral(T, (T, 0, X)), -(X**2) / 2),
    (Antiderivative(T, exp(-T)), falling, S.One),
    (Antiderivative(T, tanh(1 / T)), bell(T, -1, 1), S.Zero),  # which jumps at 0
    *((Antiderivative(T, exp(T)), Integral(exp(T), (T, 0, end)), -S.One) for end in (zoo, nan)),
    *((Antiderivative(T, exp(T)), Integral(exp(T), (T, end, 0)), -S.One) for end in (zoo, nan)),
    (Antiderivative(T, T * exp(T)), product, exp(1) + growing),
    (Antiderivative(T, T * exp(T)), product, -growing),
    (Linearity(T), both, of_both[0] - of_both[1]),
    (  # the whole decays, its two terms do not
        Linearity(T),
        Integral(logistic(T) - 1, (T, 0, oo)),
        Integral(logistic(T), (T, 0, oo)) - Integral(1, (T, 0, oo)),
    ),
    (Linearity(T), Integral(logistic(T) - 1, (T, 0, oo)), Integral(logistic(T) - 1, (T, 0, oo))),
    # no Jacobian, another sector, not radial, not positive, a strip, another quadrant, one integral
    (POLAR, QUADRANT, Integral(exp(-(z**2)), (z, 0, oo), (u, pi, 3 * pi / 2))),
    (POLAR, QUADRANT, Integral(z * exp(-(z**2)), (z, 0, oo), (u, 0, pi))),
    (POLAR, Integral(exp(-(s**2) - 2 * T**2), (T, -oo, 0), (s, -oo, 0)), RING),
    (POLAR, Integral(-exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0)), -RING),
    (POLAR, Integral(exp(-(s**2) - T**2), (T, -1, 0), (s, -oo, 0)), RING),
    (
        POLAR,
        Integral(exp(-(s**2) - T**2), (T, 0, oo), (s, 0, oo)),
        Integral(z * exp(-(z**2)), (z, 0, oo), (u, 0, pi / 2)),
    ),
    (POLAR, bell(s, 0, oo), bell(z, 0, oo)),
    # the signs; not geometric; another primitive; another value
    (GeometricSeries(z, k, z * exp(-k * z), PRIMITIVE), WHOLE, SQUARES),
    (GeometricSeries(z, k, TERM / k, PRIMITIVE), WHOLE, SQUARES),
    (GeometricSeries(z, k, TERM, -PRIMITIVE), WHOLE, SQUARES),
    (GeometricSeries(z, k, TERM, PRIMITIVE), WHOLE, 2 * SQUARES),
    (Quoted(EULER_SUM), Sum((-1) ** (j - 1) / j**2, (j, 1, oo)), pi**2 / 6),
    (Quoted(EULER_SUM), Sum(1 / j**2, (j, 1, oo)), pi**2 / 12),
    (Quoted(EULER_SUM), X, X),
    (Quoted(LAMBERT_EQUATION), W * exp(W), exp(1)),
    (Quoted(LAMBERT_EQUATION), exp(W), exp(-1) * W),
    (Quoted(LAMBERT_EQUATION), exp(W / 2), exp(-HALF) / sqrt(W)),  # no integer multiple
    (Quoted(LAMBERT_EQUATION), X, X),  # no W
    (PHI_ERF, Derivative(Phi(X), X), Derivative(2 * BY_ERF, X)),  # the factor ½ is lost
    (PHI_ERF, Derivative(Phi(s), s), Derivative(BY_ERF.subs(X, s), s)),  # not as it is written
    (PHI_ERF, Limit(Phi(X), X, -oo), Limit(BY_ERF, X, oo)),
    # for x >= 0 alone; no expression that could be replaced; another value; another place
    (Known(HALF_KNOWN), Derivative(HALF_KNOWN.start, AT), Derivative(HALF_KNOWN.end, AT)),
    (Known(start(X).step(Algebra(), X + 1 - 1)), Derivative(X, X), S.One),
    (Known(OF_FORM, at=0), SLOPE_OF_FORM, Rational(1, 3)),
    (Known(OF_FORM, at=1), SLOPE_OF_FORM, HALF),
    (Limits(), Limit(logistic(X), X, oo), S.Zero),
    (Limits(), Limit(exp(-1 / X), X, 0, "+"), S.Zero),  # true, but at infinity alone
    (Limits(), Limit(exp(s * X), X, oo), S.Zero),  # the sign of s is not known
    (Limits(), Limit(bell(T, 0, X), X, oo), bell(T, -oo, 0)),  # true, but a substitution
    (Limits(), Limit(Integral(exp(-X * T), (T, 0, X)), X, oo), S.Zero),
    *((Limits(), Limit(tanh(X), X, end), S.One) for end in (zoo, nan)),
    (Limits(), Limit(Derivative(GELU(X), X), X, -oo), S.One),
    (Limits(), Limit(Derivative(LogisticForm(X, p, 0), X), X, oo), S.Zero),
    (Limits(), Limit(Derivative(LogisticForm(X, s, 0), X), X, -oo), S.Zero),  # ½ if s = 0
    (Limits(), Limit(Derivative(abs(X), X), X, oo), S.One),  # not smooth at 0
    (Differentiation(), Derivative(X * Phi(X), X), Phi(X) - X * phi(X)),
    (Differentiation(), Derivative(X * Phi(X), X), phi(X)),
    (Differentiation(), Derivative(bell(T, 0, X**2), X), exp(-(X**4))),
    (Differentiation(), Derivative(bell(T, X, 0), X), exp(-(X**2))),
    (Differentiation(), Derivative(logistic(2 * X), X), logistic(2 * X) * logistic(-2 * X)),
    (Differentiation(), Derivative(X**3, X, X), 3 * X**2),
    (Differentiation(), Subs(Derivative(X**2, X), X, 3), S.Zero),
    (Differentiation(), Coefficient(tanh(odd_argument), X, 3), A3 + A1**3 / 3),
    (Differentiation(), Coefficient(tanh(odd_argument), X, 3), A3 - A1**3),
    (Differentiation(), Coefficient(tanh(X), X, k), S.Zero),
    (Differentiation(), Coefficient(tanh(X), X, -1), S.Zero),
    (Differentiation(), Coefficient(1 / X, X, 1), S.Zero),
    # false at 0, at the closed end, at one inner point, at 1/3, on one half, and equal
    (Inequality(">"), X**2, S.Zero),
    (Inequality(">", X, Interval(0, 1)), X**2, S.Zero),
    (Inequality(">", X, Interval.open(0, 2)), (X - 1) ** 2, S.Zero),
    (Inequality(">"), (3 * X - 1) ** 2 * exp(X), S.Zero),
    (Inequality(">", X, Interval.open(-1, 1)), X, S.Zero),
    (Inequality(">"), X, X),
    # false on the left; a rounded end; ends that move; true, but undecided
    (Inequality(">"), Phi(X), HALF),
    (Inequality(">", X, Interval(0.1, 1)), X, S.Zero),
    (Inequality(">", X, Interval(X, X + 1)), X, S.Zero),
    (Inequality(">", X, HALF_LINE), exp(X), 1 + X),
]


@pytest.mark.parametrize("step", FALSE, ids=named)
def test_a_rule_refuses(step):
    rule, before, after = step
    refused(lambda: start(before).step(rule, after))


def test_a_known_result_is_used_at_named_values_with_its_assumptions():
    known = derivation("phi-erf")
    twice = (1 + erf(sqrt(2) * X)) / 2
    start(Phi(2 * X)).step(Known(known, at=2 * X), twice)
    refused(lambda: start(Phi(2 * X)).step(Known(known), twice))
    refused(lambda: start(Phi(X)).step(Known(known), (1 + erf(X)) / 2))
    assert Known(known).reason == r"by \texttt{phi-erf}"
    known = derivation("erf-probability")  # for x >= 0 alone
    start(erf(p)).step(Known(known, at=p), NormalProbability(-p, p, 0, HALF))
    even = erf(X**2)
    start(even).step(Known(known, at=X**2), NormalProbability(-(X**2), X**2, 0, HALF))
    claim = refused(lambda: start(erf(X) + even).step(Known(known, at=X), 2 * even))
    assert "not shown to be positive" in str(claim)
    refused(lambda: start(X).step(Known(derivation("logistic-order")), X))
    symmetric = derivation("logistic-symmetry")
    assert "3 symbols" in str(refused(lambda: start(X).step(Known(symmetric, at=1), X)))
    inequality, slope = start(1 + X**2).step(Inequality(">"), 0), Derivative(1 + X**2, X)
    assert "not an equation" in str(refused(lambda: start(slope).step(Known(inequality), 1)))


def test_a_series_that_need_not_converge_and_a_value_that_is_not_derived_are_told():
    # on (−1, 1) the ratio exp(−z) exceeds 1
    near, rule = Integral(exp(-z) / (1 + exp(-z)), (z, -1, 1)), (z, k, SIGN * exp(-k * z), z)
    error = refused(lambda: start(near).step(GeometricSeries(*rule), SQUARES))
    assert "not shown to be positive" in str(error)
    basel = Sum(1 / k**2, (k, 1, oo)), pi**2 / 6
    error = refused(lambda: start(basel[0]).step(Quoted(basel), basel[1]))
    assert "is not derived here" in str(error)


def test_an_inequality_is_claimed_of_its_symbol_on_an_interval_in_one_direction():
    with pytest.raises(TypeError, match="interval is"):
        start(X).step(Inequality(">", X, FiniteSet(1, 2)), 0)
    with pytest.raises(ValueError, match="mixes < and >"):
        start(X).step(Inequality("<"), X + 1).step(Inequality(">"), X)
    assert start(X).step(Inequality("<"), X + 1).step(Inequality("<"), X + 2).relation == "<"
    refused(lambda: Derivation("example", X, (Step(Inequality(">="), X),)))
    absent = Symbol("a", real=True)
    with pytest.raises(DerivationError, match="a occurs on neither side"):
        start(1 + X**2).step(Inequality(">", absent, Interval.open(0, oo)), 0)
    a = Symbol("a", real=True)
    Derivation("example", 1 + X**2).step(Inequality(">", a, Interval.open(0, oo)), -a)
    with pytest.raises(DerivationError, match=r"not proven|false"):
        Derivation("example", 1 + X**2).step(Inequality(">", a, Interval.open(0, oo)), a)


# ---------------------------------------------------------------------------- what is displayed


def test_the_display_is_one_aligned_block_with_a_reason_beside_each_step():
    shown = start(X + X + s).step(Algebra(), 2 * X + s, "collect")._repr_markdown_()
    address, _, formula = shown.partition("\n\n")
    assert address == '<a id="equation-example"></a>'
    assert formula.startswith("$$\n\\begin{aligned}\n")
    assert formula.endswith("\n\\end{aligned}\n$$")
    assert r"&& {\small\text{collect}}" in shown
    halved = start(X + X + s).step(Algebra(), 2 * X + s, r"times $\frac{1}{2}$")._repr_markdown_()
    assert r"{\small\text{times $\dfrac{1}{2}$}}" in halved
    for forbidden in (r"\tag", r"\label", "\n\n"):
        assert forbidden not in formula


def test_the_display_has_its_lines_and_the_plain_text_says_that_it_was_checked():
    long = (
        start(GELU(X) - GELU(-X))
        .step(Algebra(), -GELU(-X) + GELU(X))
        .step(Algebra(), GELU(X) - GELU(-X))
    )
    assert len(long.tex.splitlines()) == 2 + 1 + 2
    assert len(start(X).step(Algebra(), X).tex.splitlines()) == 2 + 1
    assert repr(start(X).step(Algebra(), X)) == "<Derivation example: 1 step, each checked>"
    assert (
        str(start(X).step(Algebra(), X).step(Algebra(), X))
        == "<Derivation example: 2 steps, each checked>"
    )


def test_the_claim_names_its_conditions_each_beside_its_own_part():
    assert start(p).step(Algebra(), p).claim == "p = p \\quad (p > 0)"
    on_half_line = start(X).step(Inequality(">", X, Interval.open(0, oo)), 0)
    assert on_half_line.claim == r"x > 0 \text{ for } 0 < x"
    assert start(X).step(Inequality(">"), X - 1).conditions == ()
    count, whole = Symbol("n", integer=True, nonnegative=True), Symbol("n", integer=True)
    assert start(count).step(Algebra(), count).conditions == (r"n \in \mathbb{N}_0",)
    assert start(whole).step(Algebra(), whole).conditions == (r"n \in \mathbb{Z}",)
    half_line = (X, Interval.open(0, oo))
    three = (
        start(p)
        .step(Algebra(), p)
        .then(X)
        .step(Inequality(">", *half_line), 0)
        .then(s)
        .step(Algebra(), s)
    )
    assert three.claim == r"p = p, \quad x > 0 \text{ for } 0 < x, \quad s = s \quad (p > 0)"
    assert three.conditions == ("p > 0", "0 < x")


@pytest.mark.parametrize("assumed", [{}, {"real": True, "nonzero": True}, {"even": True}], ids=str)
def test_a_symbol_whose_assumptions_a_claim_cannot_name_is_refused(assumed):
    odd = Symbol("y", **assumed)
    with pytest.raises(ValueError, match="symbol y with assumptions that its claim cannot name"):
        start(odd)
    with pytest.raises(ValueError, match="cannot name"):
        start(X).step(Algebra(), Add(X, odd, -odd, evaluate=False))


def test_two_symbols_of_one_name_and_a_derivative_by_two_variables_are_refused():
    same = Symbol("x", positive=True)
    with pytest.raises(ValueError, match="two symbols of the name x"):
        start(X**2 + same).step(Inequality(">"), 0)
    with pytest.raises(ValueError, match="two symbols of the name x"):
        start(X).step(Algebra(), X).then(same)
    a = Symbol("a", real=True)
    mixed = Derivative(X * a, X, a)
    with pytest.raises(DerivationError, match="more than one variable"):
        Derivation("example", mixed)
    with pytest.raises(DerivationError, match="more than one variable"):
        Derivation("example", Derivative(Derivative(X * a, X), a))
    Derivation("example", Derivative(X * a, (X, 2))).step(Differentiation(), 0)


# ---------------------------------------------------------------------------- refusals that explain


NAMED = {
    "Definition": "*definition*",
    "Known": "*result*",
    "Algebra": "*equality*",
    "Differentiation": "*derivative*",
    "Substitution": "*substitution*",
    "Antiderivative": "*antiderivative*",
    "Split": "*split*",
    "Linearity": "*linearity*",
    "Polar": "*polar coordinates*",
    "Limits": "*limit*",
    "GeometricSeries": "*term by term*",
    "Quoted": "*One value is not checked*",
}


def test_the_page_names_every_kind_of_step_that_its_chains_take():
    page = nbformat.read(BOOK / "erf-and-phi.ipynb", as_version=4).cells
    code = "\n".join(cell.source for cell in page if cell.cell_type == "code")
    shown = re.findall(r'^derivation\("([a-z-]+)"\)', code, re.MULTILINE)
    kinds = {type(step.rule).__name__ for id in shown for step in derivation(id).all_steps}
    assert kinds == set(NAMED)
    (listed,) = [cell.source for cell in page if "each chain of" in cell.source.lower()]
    assert [kind for kind, words in NAMED.items() if words not in listed] == []
