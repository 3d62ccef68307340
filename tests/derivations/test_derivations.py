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
from gelu_lib.derivations.notation import Coefficient, NormalProbability
from gelu_lib.derivations.rules import (
    EULER_SUM,
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
k = Symbol("k", integer=True, positive=True)


def start(expression):
    return Derivation("example", expression)


def bell(variable, lower, upper):
    return Integral(exp(-(variable**2)), (variable, lower, upper))


def with_square(lower, upper):
    """What becomes of the integral of exp(−t²) under t = s²."""
    return Integral(2 * s * exp(-(s**4)), (s, lower, upper))


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


def test_the_counterexample_is_a_point_where_the_sides_differ_if_there_is_one():
    found = refused(lambda: start(X**2).step(Algebra(), X)).counterexample
    ((symbol, value),) = found.point
    assert symbol == X
    assert found.left == pytest.approx(float(value**2)) and found.right == float(value)
    assert found.left != found.right
    error = refused(lambda: start(erf(X)).step(Algebra(), 2 * Phi(sqrt(2) * X) - 1))
    assert error.counterexample is None
    assert "is not proven" in str(error)


def test_a_counterexample_is_looked_for_where_the_symbols_are():
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


# ---------------------------------------------------------------------------- arithmetic


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((X + 1) ** 2, X**2 + 2 * X + 1),
        (exp(X + s), exp(X) * exp(s)),
        (sqrt(exp(X)), exp(X / 2)),
        (1 / sqrt(2), sqrt(2) / 2),
        (Integral(phi(T), (T, -oo, X)), Integral(phi(s), (s, -oo, X))),
        (Integral(2 * phi(T), (T, 0, X)), -2 * Integral(phi(s), (s, X, 0))),
        (Integral(exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0)), bell(z, -oo, 0) ** 2),
    ],
)
def test_arithmetic_accepts(before, after):
    assert start(before).step(Algebra(), after).end == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (exp(X + s), exp(X) + exp(s)),
        (Pow(p**2, HALF), -p),
        (erf(X), tanh(X)),
        (Phi(X), (1 + erf(X / sqrt(2))) / 2),
        (logistic(2 * X), (1 + tanh(X)) / 2),
        (Integral(1, (T, 0, X)), Integral(1, (T, 0, X)) ** 2),
        # an inner integral that depends on the outer variable is no constant of it
        (
            Integral(exp(v * Integral(T, (T, 0, w))), (v, 0, 1), (w, 0, 1)),
            Integral(exp(v * Integral(T, (T, 0, w))), (v, 0, 1)) * Integral(1, (w, 0, 1)),
        ),
    ],
)
def test_arithmetic_refuses(before, after):
    refused(lambda: start(before).step(Algebra(), after))


# ---------------------------------------------------------------------------- definitions


def test_a_definition_unfolds_and_folds():
    formula = (exp(X) - exp(-X)) / (exp(X) + exp(-X))
    start(tanh(X)).step(Definition(tanh), formula).step(Definition(tanh), tanh(X))
    start(erf(-X, evaluate=False)).step(Definition(erf), 2 / sqrt(pi) * bell(T, 0, -X))


@pytest.mark.parametrize(
    ("function", "before", "after"),
    [
        (phi, phi(X), exp(X**2 / 2) / sqrt(2 * pi)),  # a printed slip of one of the sources
        (phi, phi(X), exp(-(X**2) / 2) / sqrt(pi)),
        (erf, erf(X), bell(T, 0, X)),
        (Phi, Phi(X), Integral(phi(T), (T, 0, X))),
        (tanh, phi(X), phi(X)),  # tanh occurs on neither side
        (exp, exp(X), exp(X)),  # exp has no definition
        (GELU, GELU(X), X * (1 + erf(X / sqrt(2))) / 2),  # that needs more than the definition
    ],
)
def test_a_definition_refuses(function, before, after):
    refused(lambda: start(before).step(Definition(function), after))


def test_a_known_result_is_used_at_the_values_that_are_named():
    known = derivation("phi-erf")
    twice = (1 + erf(sqrt(2) * X)) / 2
    start(Phi(2 * X)).step(Known(known, at=2 * X), twice)
    refused(lambda: start(Phi(2 * X)).step(Known(known), twice))
    refused(lambda: start(Phi(X)).step(Known(known), (1 + erf(X)) / 2))
    assert Known(known).reason == r"by \texttt{phi-erf}"


def test_a_known_result_is_an_equation_in_one_symbol_and_keeps_its_assumptions():
    known = derivation("erf-probability")  # for x >= 0 alone
    start(erf(p)).step(Known(known, at=p), NormalProbability(-p, p, 0, HALF))
    even = erf(X**2)
    start(even).step(Known(known, at=X**2), NormalProbability(-(X**2), X**2, 0, HALF))
    claim = refused(lambda: start(erf(X) + even).step(Known(known, at=X), 2 * even))
    assert "not shown to be positive" in str(claim)
    refused(lambda: start(X).step(Known(derivation("logistic-order")), X))
    symmetric = derivation("logistic-symmetry")
    assert "3 symbols" in str(refused(lambda: start(X).step(Known(symmetric, at=1), X)))


# ---------------------------------------------------------------------------- integrals


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (bell(T, 0, X), 2 * s, Integral(2 * exp(-4 * s**2), (s, 0, X / 2))),
        (bell(T, -oo, X), -s, bell(s, -X, oo)),
        (bell(T, 0, 1), -T, bell(T, -1, 0)),
        (bell(T, -oo, p), p * s, Integral(p * exp(-((p * s) ** 2)), (s, -oo, 1))),
    ],
)
def test_substitution_accepts(before, value, after):
    start(before).step(Substitution(T, value), after)


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        # the factor 2 is missing; the old limit; the sign
        (bell(T, 0, X), 2 * s, Integral(exp(-4 * s**2), (s, 0, X / 2))),
        (bell(T, 0, X), 2 * s, Integral(2 * exp(-4 * s**2), (s, 0, X))),
        (bell(T, 0, X), -s, bell(s, 0, -X)),
        # not affine
        (bell(T, 0, 1), s**2, with_square(0, 1)),
        # the slope may vanish
        (bell(T, 0, oo), X * s, Integral(X * exp(-((X * s) ** 2)), (s, 0, oo))),
        (X * bell(T, 0, 1), X * s, X * Integral(X * exp(-((X * s) ** 2)), (s, 0, 1))),
        # an old variable, two new ones, none, one that is no real number
        (X * bell(T, 0, 1), X, X * bell(X, 0, 1)),
        (bell(T, 0, 1), s + u, bell(T, 0, 1)),
        (bell(T, 0, 1), Rational(1), bell(T, 0, 1)),
        (bell(T, 0, 1), 2 * k, bell(T, 0, 1)),
        # no integral over t
        (bell(s, 0, 1), 2 * u, bell(s, 0, 1)),
        # the new variable is bound inside the integrand already
        (
            Integral(T * Integral(T * s, (s, 0, 1)), (T, 0, 1)),
            2 * s,
            Integral(4 * s * Integral(2 * s * s, (s, 0, 1)), (s, 0, HALF)),
        ),
    ],
)
def test_substitution_refuses(before, value, after):
    refused(lambda: start(before).step(Substitution(T, value), after))


def test_splitting():
    start(bell(T, 0, 1)).step(Split(T, HALF), bell(T, 0, HALF) + bell(T, HALF, 1))
    start(bell(T, 0, 1)).step(Split(T, 2), bell(T, 0, 2) - bell(T, 1, 2))  # outside: still true
    for point, after in (
        (1, bell(T, 0, 1) - bell(T, 1, X)),
        (1, bell(T, 0, 1) + bell(T, 0, X)),
        (1, bell(T, 0, 1)),
        (oo, bell(T, 0, oo) + bell(T, oo, X)),
        (0.5, bell(T, 0, HALF) + bell(T, HALF, X)),
    ):
        refused(lambda point=point, after=after: start(bell(T, 0, X)).step(Split(T, point), after))


def test_antiderivatives_and_splitting_where_a_part_does_not_exist():
    whole = Integral(1 / T, (T, 1, 2))
    refused(lambda: start(whole).step(Split(T, -1), whole))
    start(Integral(T, (T, 0, X))).step(Antiderivative(T, T**2 / 2), X**2 / 2)
    start(Integral(exp(-T), (T, 0, oo))).step(Antiderivative(T, -exp(-T)), 1)
    refused(lambda: start(Integral(T, (T, 0, X))).step(Antiderivative(T, T**2), X**2 / 2))
    refused(lambda: start(Integral(T, (T, 0, X))).step(Antiderivative(T, T**2 / 2), -(X**2) / 2))
    refused(lambda: start(Integral(exp(-T), (T, 0, oo))).step(Antiderivative(T, exp(-T)), 1))
    # tanh(1/t) + 1/(1 + t²) and its like jump at 0
    refused(lambda: start(bell(T, -1, 1)).step(Antiderivative(T, tanh(1 / T)), 0))


def test_an_end_that_is_infinite_must_be_plus_or_minus_infinity():
    start(Integral(exp(T), (T, -oo, 0))).step(Antiderivative(T, exp(T)), 1)
    for end in (zoo, nan):
        refused(
            lambda end=end: start(Integral(exp(T), (T, 0, end))).step(Antiderivative(T, exp(T)), -1)
        )
        refused(
            lambda end=end: start(Integral(exp(T), (T, end, 0))).step(Antiderivative(T, exp(T)), 1)
        )
        refused(lambda end=end: start(Limit(tanh(X), X, end)))


def test_integration_by_parts():
    before = Integral(T * exp(T), (T, 0, 1))
    start(before).step(Antiderivative(T, T * exp(T)), exp(1) - Integral(exp(T), (T, 0, 1)))
    refused(
        lambda: start(before).step(
            Antiderivative(T, T * exp(T)), exp(1) + Integral(exp(T), (T, 0, 1))
        )
    )
    refused(lambda: start(before).step(Antiderivative(T, T * exp(T)), -Integral(exp(T), (T, 0, 1))))


def test_linearity_where_the_parts_exist():
    both = Integral(phi(T) + T * phi(T), (T, 0, oo))
    parts = [Integral(f, (T, 0, oo)) for f in (phi(T), T * phi(T))]
    start(both).step(Linearity(T), sum(parts))
    refused(lambda: start(both).step(Algebra(), sum(parts)))
    refused(lambda: start(both).step(Linearity(T), parts[0] - parts[1]))
    whole = Integral(logistic(T) - 1, (T, 0, oo))  # it decays, its two terms do not
    parts = Integral(logistic(T), (T, 0, oo)) - Integral(1, (T, 0, oo))
    refused(lambda: start(whole).step(Linearity(T), parts))
    refused(lambda: start(whole).step(Linearity(T), whole))


QUADRANT = Integral(exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0))
RING = Integral(z * exp(-(z**2)), (z, 0, oo), (u, pi, 3 * pi / 2))
NOT_POLAR = {
    "no jacobian": (QUADRANT, Integral(exp(-(z**2)), (z, 0, oo), (u, pi, 3 * pi / 2))),
    "wrong sector": (QUADRANT, Integral(z * exp(-(z**2)), (z, 0, oo), (u, 0, pi))),
    "not radial": (Integral(exp(-(s**2) - 2 * T**2), (T, -oo, 0), (s, -oo, 0)), RING),
    "not positive": (Integral(-exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0)), -RING),
    "a strip": (Integral(exp(-(s**2) - T**2), (T, -1, 0), (s, -oo, 0)), RING),
    "another quadrant": (
        Integral(exp(-(s**2) - T**2), (T, 0, oo), (s, 0, oo)),
        Integral(z * exp(-(z**2)), (z, 0, oo), (u, 0, pi / 2)),
    ),
    "one integral": (bell(s, 0, oo), bell(z, 0, oo)),
}


@pytest.mark.parametrize("fault", NOT_POLAR)
def test_polar_coordinates_are_those_of_a_quadrant(fault):
    start(QUADRANT).step(Polar((s, T), z, u), RING)
    before, after = NOT_POLAR[fault]
    refused(lambda: start(before).step(Polar((s, T), z, u), after))


def test_a_geometric_series_must_be_that_of_the_integrand():
    whole = Integral(z * exp(-z) / (1 + exp(-z)), (z, 0, oo))
    sign = (-1) ** (k - 1)
    term = sign * z * exp(-k * z)
    primitive = -sign * (z / k + 1 / k**2) * exp(-k * z)
    value = Sum(sign / k**2, (k, 1, oo))
    start(whole).step(GeometricSeries(z, k, term, primitive), value)
    for bad in (
        (z, k, z * exp(-k * z), primitive, value),  # the signs
        (z, k, term / k, primitive, value),  # not geometric
        (z, k, term, -primitive, value),
        (z, k, term, primitive, 2 * value),
    ):
        refused(lambda bad=bad: start(whole).step(GeometricSeries(*bad[:4]), bad[4]))
    # on (−1, 1) the ratio exp(−z) exceeds 1
    near = Integral(exp(-z) / (1 + exp(-z)), (z, -1, 1))
    series = Sum(sign / k**2, (k, 1, oo))
    error = refused(lambda: start(near).step(GeometricSeries(z, k, sign * exp(-k * z), z), series))
    assert "not shown to be positive" in str(error)


def test_the_sum_of_alternating_squares_and_no_other_equation_is_quoted():
    j = Symbol("j", integer=True, positive=True)
    alternating = Sum((-1) ** (j - 1) / j**2, (j, 1, oo))
    start(X * alternating).step(Quoted(EULER_SUM), X * pi**2 / 12)
    refused(lambda: start(alternating).step(Quoted(EULER_SUM), pi**2 / 6))
    refused(lambda: start(Sum(1 / j**2, (j, 1, oo))).step(Quoted(EULER_SUM), pi**2 / 12))
    refused(lambda: start(X).step(Quoted(EULER_SUM), X))
    basel = Sum(1 / k**2, (k, 1, oo)), pi**2 / 6
    error = refused(lambda: start(basel[0]).step(Quoted(basel), basel[1]))
    assert "is not derived here" in str(error)


# ---------------------------------------------------------------------------- limits, derivatives


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        (Limit(2 + X * Phi(X) - logistic(-3 * X), X, -oo), 1),
        (Limit(bell(T, X, 0), X, -oo), bell(T, -oo, 0)),
    ],
)
def test_limits_accept(limit, value):
    start(limit).step(Limits(), value)


@pytest.mark.parametrize(
    ("limit", "value"),
    [
        (Limit(logistic(X), X, oo), 0),
        (Limit(exp(-1 / X), X, 0, "+"), 0),  # true, but limits are taken at infinity alone
        (Limit(exp(s * X), X, oo), 0),  # the sign of s is not known
        (Limit(bell(T, 0, X), X, oo), bell(T, -oo, 0)),  # true, but no limit: a substitution
        (Limit(Integral(exp(-X * T), (T, 0, X)), X, oo), 0),
    ],
)
def test_limits_refuse(limit, value):
    refused(lambda: start(limit).step(Limits(), value))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Derivative(X * Phi(X), X), Phi(X) + X * phi(X)),
        (Derivative(X * Phi(X), X), Phi(X) + X * Derivative(Phi(X), X)),
        (Derivative(bell(T, 0, X**2), X), 2 * X * exp(-(X**4))),
        (Derivative(X**3, X, X), 6 * X),
        (Subs(Derivative(X**2, X), X, 3), 6),
    ],
)
def test_derivatives_accept(before, after):
    start(before).step(Differentiation(), after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Derivative(X * Phi(X), X), Phi(X) - X * phi(X)),
        (Derivative(X * Phi(X), X), phi(X)),
        (Derivative(bell(T, 0, X**2), X), exp(-(X**4))),
        (Derivative(bell(T, X, 0), X), exp(-(X**2))),
        (Derivative(logistic(2 * X), X), logistic(2 * X) * logistic(-2 * X)),
        (Derivative(X**3, X, X), 3 * X**2),
        (Subs(Derivative(X**2, X), X, 3), 0),
    ],
)
def test_derivatives_refuse(before, after):
    refused(lambda: start(before).step(Differentiation(), after))


def test_coefficients():
    a, b = symbols("a_1 a_3", real=True)
    start(Coefficient(tanh(X), X, 3)).step(Differentiation(), -Rational(1, 3))
    start(Coefficient(erf(X / sqrt(2)), X, 3)).step(Differentiation(), -1 / (3 * sqrt(2 * pi)))
    inner = a * X + b * X**3
    start(Coefficient(tanh(inner), X, 3)).step(Differentiation(), b - a**3 / 3)
    refused(lambda: start(Coefficient(tanh(inner), X, 3)).step(Differentiation(), b + a**3 / 3))
    refused(lambda: start(Coefficient(tanh(inner), X, 3)).step(Differentiation(), b - a**3))
    refused(lambda: start(Coefficient(tanh(X), X, k)).step(Differentiation(), 0))
    refused(lambda: start(Coefficient(tanh(X), X, -1)).step(Differentiation(), 0))
    refused(lambda: start(Coefficient(1 / X, X, 1)).step(Differentiation(), 0))


# ---------------------------------------------------------------------------- inequalities


@pytest.mark.parametrize(
    ("left", "right", "on"),
    [
        (1 - Phi(X), 0, None),
        (X**2 - X + 1, 0, None),
        (X**2, 0, (X, Interval.open(0, oo))),
        (X**2, 0, (X, Interval.Lopen(0, 1))),
        (X**3, 8, (X, Interval.open(2, oo))),
        (X, u, (X, Interval.open(u, oo))),
        (1, exp(-p), None),
    ],
)
def test_inequalities_accept(left, right, on):
    start(left).step(Inequality(">", *(on or ())), right)
    start(right).step(Inequality("<", *(on or ())), left)


@pytest.mark.parametrize(
    ("left", "right", "on"),
    [
        pytest.param(X**2, 0, None, id="false at 0"),
        pytest.param(X**2, 0, (X, Interval(0, 1)), id="false at the closed end"),
        pytest.param((X - 1) ** 2, 0, (X, Interval.open(0, 2)), id="false at one inner point"),
        pytest.param((3 * X - 1) ** 2 * exp(X), 0, None, id="false at 1/3"),
        pytest.param(X, 0, (X, Interval.open(-1, 1)), id="false on one half"),
        pytest.param(X, X, None, id="equal"),
        pytest.param(Phi(X), HALF, None, id="false on the left"),
        pytest.param(X, 0, (X, Interval(0.1, 1)), id="rounded end"),
        pytest.param(X, 0, (X, Interval(X, X + 1)), id="ends that move"),
        pytest.param(exp(X), 1 + X, (X, Interval.open(0, oo)), id="true, undecided"),
    ],
)
def test_inequalities_refuse(left, right, on):
    refused(lambda: start(left).step(Inequality(">", *(on or ())), right))


def test_an_inequality_is_claimed_on_an_interval_and_in_one_direction():
    with pytest.raises(TypeError, match="interval is"):
        start(X).step(Inequality(">", X, FiniteSet(1, 2)), 0)
    with pytest.raises(ValueError, match="mixes < and >"):
        start(X).step(Inequality("<"), X + 1).step(Inequality(">"), X)
    assert start(X).step(Inequality("<"), X + 1).step(Inequality("<"), X + 2).relation == "<"
    refused(lambda: Derivation("example", X, (Step(Inequality(">="), X),)))


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


def test_a_long_left_side_has_its_own_line():
    long = (
        start(GELU(X) - GELU(-X))
        .step(Algebra(), -GELU(-X) + GELU(X))
        .step(Algebra(), GELU(X) - GELU(-X))
    )
    assert len(long.tex.splitlines()) == 2 + 1 + 2
    assert len(start(X).step(Algebra(), X).tex.splitlines()) == 2 + 1


def test_the_claim_names_its_conditions():
    assert start(p).step(Algebra(), p).claim == "p = p \\quad (p > 0)"
    on_half_line = start(X).step(Inequality(">", X, Interval.open(0, oo)), 0)
    assert on_half_line.claim == r"x > 0 \text{ for } 0 < x"
    assert start(X).step(Inequality(">"), X - 1).conditions == ()
    count, whole = Symbol("n", integer=True, nonnegative=True), Symbol("n", integer=True)
    assert start(count).step(Algebra(), count).conditions == (r"n \in \mathbb{N}_0",)
    assert start(whole).step(Algebra(), whole).conditions == (r"n \in \mathbb{Z}",)


def test_the_domain_of_an_inequality_stands_beside_its_own_part():
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


def test_the_plain_text_is_short_and_says_that_it_was_checked():
    assert repr(start(X).step(Algebra(), X)) == "<Derivation example: 1 step, each checked>"
    assert (
        str(start(X).step(Algebra(), X).step(Algebra(), X))
        == "<Derivation example: 2 steps, each checked>"
    )


# ---------------------------------------------------------------------------- refusals that explain


def test_an_inequality_names_a_symbol_that_occurs_on_either_side():
    absent = Symbol("a", real=True)
    with pytest.raises(DerivationError, match="a occurs on neither side"):
        start(1 + X**2).step(Inequality(">", absent, Interval.open(0, oo)), 0)
    a = Symbol("a", real=True)
    Derivation("example", 1 + X**2).step(Inequality(">", a, Interval.open(0, oo)), -a)
    with pytest.raises(DerivationError, match=r"not proven|false"):
        Derivation("example", 1 + X**2).step(Inequality(">", a, Interval.open(0, oo)), a)


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
