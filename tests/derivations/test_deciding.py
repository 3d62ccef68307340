"""The provers behind the derivations: equality, sign, existence, limits, substitution."""

import pytest
from sympy import (
    Add,
    Derivative,
    I,
    Integral,
    Limit,
    Pow,
    Rational,
    S,
    Subs,
    Sum,
    Symbol,
    cosh,
    erf,
    exp,
    nan,
    oo,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
    zoo,
)

from gelu_lib.derivations.deciding import (
    Field,
    NotProven,
    are_equal,
    cover,
    plain,
    prove_equal,
    prove_nonnegative,
    prove_nonzero,
    prove_ordered,
    prove_positive,
)
from gelu_lib.derivations.existence import (
    derivative,
    growth,
    leading_sign,
    limit_value,
    prove_defined,
    substituted,
)
from gelu_lib.derivations.notation import (
    BernoulliMean,
    Coefficient,
    LogisticCDF,
    LogisticDensity,
    NormalProbability,
)
from gelu_lib.functions.expressions import GELU, Phi, T, X, logistic, phi

HALF = Rational(1, 2)
s, u, v, w = symbols("s u v w", real=True)
p, q = symbols("p q", positive=True)
n = Symbol("n", nonnegative=True)
k = Symbol("k", integer=True, positive=True)


def bell(variable, lower, upper):
    return Integral(exp(-(variable**2)), (variable, lower, upper))


# ---------------------------------------------------------------------------- equality


def test_what_is_given_is_used_and_nothing_else():
    reflection = (Phi(X) + Phi(-X), S.One)
    prove_equal(X * Phi(X) + X * Phi(-X), X, [reflection])
    for given in ([], [(Phi(s) + Phi(-s), S(1))], [(Phi(X) + Phi(-X), S(2))]):
        with pytest.raises(NotProven):
            prove_equal(X * Phi(X) + X * Phi(-X), X, given)
    prove_equal(3 * bell(s, -oo, 0), 3 * sqrt(pi) / 2, [(2 * bell(T, -oo, 0), sqrt(pi))])
    slope = Derivative(GELU(X), X)
    prove_equal(slope + 1, X * phi(X) + Phi(X) + 1, [(slope, X * phi(X) + Phi(X))])
    with pytest.raises(NotProven, match="cannot be solved"):
        prove_equal(Phi(X), tanh(X), [(X * Phi(X), X * tanh(X))])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (bell(T, 0, X), bell(s, 0, X)),
        (bell(T, 0, X), -bell(s, X, 0)),
        (bell(T, X, X), S.Zero),
        (bell(T, (X + 1) ** 2, oo), bell(T, X**2 + 2 * X + 1, oo)),
        (Integral(phi(T) / (1 + s**2), (T, 0, 1)), Integral(phi(T), (T, 0, 1)) / (1 + s**2)),
        (Integral(exp(T + s), (T, 0, 1)), exp(s) * Integral(exp(u), (u, 0, 1))),
        (
            Integral(exp(v * Integral(T, (T, 0, w))), (v, 0, 1), (w, 0, 1)),
            Integral(exp(u * Integral(s, (s, 0, T))), (u, 0, 1), (T, 0, 1)),
        ),
        (Limit(X + X, X, 0), Limit(2 * X, X, 0)),
        (Sum(1 / k**2 + 1 / k**2, (k, 1, oo)), Sum(2 / k**2, (k, 1, oo))),
        (sqrt(bell(T, -oo, 0) ** 2), bell(s, -oo, 0)),
    ],
)  # fmt: skip
def test_equal_operators_are_recognised(one, other):
    assert are_equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (bell(T, 0, X), bell(T, 0, s)),
        (bell(T, 0, oo), bell(T, -oo, 0)),
        (bell(T, 0, X), Integral(exp(-(T**2) / 2), (T, 0, X))),
        (bell(T, 0, X), bell(T, X, 0)),
        (Integral(exp(v * w), (v, 0, 1), (w, 0, 1)), Integral(exp(v * w), (v, 0, 1), (w, 0, 2))),
        (Integral(exp(v * w), (v, 0, w), (w, 0, 1)), Integral(exp(v * w), (w, 0, v), (v, 0, 2))),
        (Integral(s * T, (T, 0, s), (s, 0, 1)), Integral(s * T, (T, 0, 1), (s, 0, 1))),
        (Limit(X, X, 0, "+"), Limit(X, X, 0, "-")),
        (Limit(X, X, 0), Limit(X, X, 1)),
        (Sum(1 / k**2, (k, 1, oo)), Sum(1 / k**2, (k, 2, oo))),
        (Derivative(X**3, X), Derivative(X**3, X, X)),
        (Derivative(X * s, X), Derivative(X * s, s)),
        (Subs(Derivative(X**2, X), X, 1), Subs(Derivative(X**2, X), X, 2)),
    ],
)  # fmt: skip
def test_different_operators_are_told_apart(one, other):
    assert not are_equal(one, other)


def test_signs_of_integrals_and_leading_terms_are_proved():
    for integral, is_positive in (
        (bell(T, -oo, 0), True),
        (bell(T, 0, p), True),
        (bell(T, 0, -oo), None),
        (Integral(T, (T, -1, 1)), None),
        (Integral(T, (T, 0, 1)), True),
        (Integral(T - HALF, (T, 0, 1)), None),
    ):
        assert Field().embed(integral).is_positive is is_positive, integral
    for expression, sign in (
        (q * p**2 - p, 1), (s - p / q, -1), (p - p**3, -1),
        (s * p, 0), (s**2 * p, 0), (q, 0), (exp(p), 0),
    ):  # fmt: skip
        assert leading_sign(expression, p) == sign, expression


# ---------------------------------------------------------------------------- sign


@pytest.mark.parametrize(
    "expression",
    [
        exp(X), cosh(X), sinh(p), phi(X), Phi(X), 1 - Phi(X), 2 - Phi(X) - Phi(-X), logistic(X),
        1 - logistic(X), 1 - tanh(X), 1 + erf(X), 1 - erf(X) ** 2, 1 - exp(-p), exp(p) - 1,
        X**2 + 1, X**2 - X + 1, X**4 - X + 1, p**k, 1 / p, p / (1 + p), n + 1, sqrt(2) - 1,
        1 / (X**2 + 1) + X**2, bell(T, -oo, 0),
    ],
    ids=str,
)  # fmt: skip
def test_positive(expression):
    prove_positive(expression)
    prove_nonzero(expression)
    prove_nonzero(-expression)


@pytest.mark.parametrize(
    "expression",
    [
        X, -p, n, X**2, X**2 - X + Rational(1, 4), (p - 1) ** 2, X**2 - 2, 1 - sqrt(2),
        Phi(X) - HALF, Phi(X) - logistic(X), tanh(X), 1 - exp(-X), exp(X) - 1, X**k, p - q, s * X,
        1 - 2 * Phi(X), bell(T, 0, X), S.Zero,
    ],
    ids=str,
)  # fmt: skip
def test_not_shown_to_be_positive(expression):
    with pytest.raises(NotProven):
        prove_positive(expression)


def test_nonnegative_nonzero_and_in_order():
    for expression in (n, X**2, p, Phi(X)):
        prove_nonnegative(expression)
    for expression in (X, -n, -p, X**2 - 1):
        with pytest.raises(NotProven):
            prove_nonnegative(expression)
    for expression in (X, n, X**2, X**2 - 1, tanh(X), bell(T, 0, X)):
        with pytest.raises(NotProven):
            prove_nonzero(expression)
    for lower, upper in ((S(0), S(1)), (-oo, X), (X, oo), (-oo, oo), (X, X + 1), (-p, q)):
        prove_ordered(lower, upper)
    for lower, upper in ((S(1), S(0)), (oo, X), (X, -oo), (oo, oo), (X, X), (X, s), (p, q)):
        with pytest.raises(NotProven):
            prove_ordered(lower, upper)


@pytest.mark.parametrize(
    ("lower", "upper"), [(S(0), S(1)), (-oo, S(1)), (S(0), oo), (S(2), S(-1)), (-oo, oo)]
)
def test_a_cover_fills_its_interval_and_stays_inside(lower, upper):
    inside, *ends = cover(X, lower, upper, [S(7)])
    assert ends == [7]
    (w,) = inside.free_symbols
    grid = [Rational(2) ** power for power in range(-20, 21)]
    values = [
        inside.subs(w, g * sign) for g in grid for sign in ((1,) if w.is_positive else (1, -1))
    ]
    low, high = min(lower, upper), max(lower, upper)
    assert all(low < value < high for value in values)
    for end, nearest in ((low, min(values)), (high, max(values))):
        assert abs(nearest) > 10**5 if end.is_infinite else abs(nearest - end) < Rational(1, 10**5)


# ---------------------------------------------------------------------------- growth


@pytest.mark.parametrize(
    ("expression", "order"),
    [
        (s, 0), (p**3 + p, 3), (1 / (1 + p**2), -2), (sqrt(1 + p), HALF), (p / (1 + p) ** 2, -1),
        (1 / (1 + s**2 * p**4), 0),  # not −4: s may be 0
        (exp(-p), -oo), (p**9 * exp(-p), -oo), (exp(-(p - s) / q), -oo), (exp(1 - q * p**2), -oo),
        (exp(1 / p), 0), (exp(tanh(p)), 0), (tanh(p), 0), (phi(p + s), -oo), (phi(s - q * p), -oo),
        (Phi(p), 0), (Phi(-p), -oo), (p**2 * Phi(p), 2), (GELU(-p), -oo), (GELU(p), 1),
        (logistic(p) * logistic(-p), -oo), (exp(p) / (1 + exp(p)) ** 2, -oo),
        (exp(p) / (1 + exp(p)), 0), (1 / (exp(p) + 1), -oo), (LogisticDensity(p, s, q), -oo),
        ((-1) ** k / p, -1),
    ],
    ids=plain,
)  # fmt: skip
def test_growth(expression, order):
    assert growth(S(expression), p) == order


@pytest.mark.parametrize(
    "expression",
    [
        exp(p), exp(s * p), exp(-s * p), exp(-(s**2) * p), 1 / (p - s * p),
        1 / tanh(p), exp(2 * p) / (1 + exp(p)), sinh(p), bell(T, 0, p), sin(p), p**p,
        1 / (q - p * s), LogisticDensity(p, p, q), LogisticDensity(p, s, p),
        exp(p) / (1 + exp(p) - p),
    ],
    ids=plain,
)  # fmt: skip
def test_no_bound_is_found_where_a_coefficient_may_vanish_or_nothing_is_known(expression):
    assert growth(expression, p) == oo


# ---------------------------------------------------------------------------- existence


@pytest.mark.parametrize(
    "expression",
    [
        1 / (1 + exp(-X)), sqrt(1 + X**2), p ** Rational(1, 3), tanh(1 / p), Phi(X) ** 2,
        Integral(phi(T), (T, -oo, X)), Integral(1 / T, (T, 1, 2)), Integral(1 / T**2, (T, -oo, -1)),
        Integral(T**2 * logistic(T) * logistic(-T), (T, -oo, oo)),
        Integral(exp(-(s**2) - T**2), (T, -oo, 0), (s, -oo, 0)),
        Integral(Phi(T), (T, -oo, 0)), Integral(p * exp(-p * T), (T, 0, oo)),
        Integral(exp(-T) / (1 + exp(-T)) ** 2, (T, -oo, oo)),
        Limit(erf(X), X, oo), Sum((-1) ** k / k**2, (k, 1, oo)),
        Derivative(bell(T, 0, X), X), Subs(Derivative(GELU(X), X), X, 0),
    ],
    ids=plain,
)  # fmt: skip
def test_defined(expression):
    prove_defined(expression)


@pytest.mark.parametrize(
    "expression",
    [
        nan, oo, zoo, I, Pow(X**2, HALF, evaluate=False), (X**2 - 1) / (X - 1), sin(1 / X),
        Phi(oo, evaluate=False), Integral(T), Integral(p, (p, -1, 1)), BernoulliMean(X, 2 * Phi(X)),
        NormalProbability(X, -X, 0, 1), NormalProbability(-1, 1, 0, X), LogisticCDF(X, 0, s),
        Limit(tanh(1 / X), X, 0, "+-"), Integral(exp(T), (T, 0, oo)),
        1 / X, 1 / (1 - exp(-X)), sqrt(X), sqrt(n), X ** Rational(1, 3), tanh(1 / X), sin(X),
        0.5, Symbol("c"), Integral(1 / T, (T, X, 2)), Integral(1 / T, (T, -1, 1)),
        Integral(1 / T, (T, 0, 1)), Integral(phi(1 / T), (T, 0, 1)), Integral(1 / T, (T, 1, oo)),
        Integral(exp(-T), (T, -oo, oo)), Integral(Phi(T), (T, 0, oo)),
        Integral(exp(-X * T), (T, 0, oo)), Integral(exp(-((s * T) ** 2)), (T, 0, oo)),
        Integral(1 / (1 + s**2 * T**4), (T, 0, oo)), Limit(tanh(1 / p), p, 0),
        Integral(1 / (1 + (p - 1) ** 2 * T**4), (T, 0, oo)), Subs(sqrt(p), p, -1),
        Integral(exp(-T) / (1 + exp(-T)), (T, -oo, oo)),
        Limit(Integral(p * phi(p * T), (T, -oo, oo)), p, 0), Integral(1, (T, -oo, oo), (s, 0, 1)),
        Limit(X, X, oo), Limit(1 / X, X, 0), Sum((-1) ** k, (k, 1, oo)), Sum(1 / k, (k, 1, oo)),
        Sum(1 / k**2, (k, 0, oo)), Sum(1 / k**2, (k, 1, oo), (k, 1, oo)), Derivative(abs(X), X),
        Derivative(Integral(exp(-X * T), (T, 0, 1)), X), Subs(1 / X, X, 0),
    ],
    ids=plain,
)  # fmt: skip
def test_not_shown_to_be_defined(expression):
    with pytest.raises(NotProven):
        prove_defined(S(expression))


@pytest.mark.parametrize(
    ("body", "point", "value"),
    [
        (logistic(X), oo, 1),
        (1 - 2 * logistic(-3 * X), -oo, -1),
        (X**3 * logistic(-X), oo, 0),
        (s * bell(T, 0, X) + s, oo, s * bell(T, 0, oo) + s),
        (Phi(X), oo, Integral(phi(T), (T, -oo, oo))),
        (s, oo, s),
    ],
)
def test_limits(body, point, value):
    assert are_equal(limit_value(body, X, point), S(value))


# 1 + 1/s for s > 0, but 1 at s = 0
JUMPS = Integral(s * exp(-(s**2) * T) + exp(-T), (T, 0, oo))


def test_an_integrand_with_an_inner_integral_must_be_continuous():
    for value in (S.Zero, p, S.One):
        prove_defined(substituted(JUMPS, s, value))  # it exists at every point
    factor = Integral(s * exp(-T), (T, 0, oo))
    moving = Integral(exp(-(T**2)), (T, -oo, s))
    for body in (factor, moving, factor * exp(-moving)):
        prove_defined(Integral(body, (s, 1, 2)))
    series = Sum(s * exp(-k * s**2) + 1 / k**2, (k, 1, oo))
    for body in (JUMPS, JUMPS + moving, exp(-JUMPS)):
        with pytest.raises(NotProven, match="not shown to be smooth in s"):
            prove_defined(Integral(body, (s, 0, 1)))
    for body in (series, Limit(logistic(s - u), u, -oo)):
        with pytest.raises(NotProven):
            prove_defined(Integral(body, (s, 0, 1)))


def test_a_bound_variable_has_no_assumption_of_its_own():
    def uses(x):
        yield from (
            Integral(x, (x, 0, 1)),
            Limit(exp(-(x**2)), x, oo),
            Subs(x, x, 1),
            Coefficient(x, x, 1),
        )

    for expression in uses(s):
        prove_defined(expression)
    for assumed in ("nonnegative", "nonpositive", "nonzero", "rational", "integer", "irrational"):
        for expression in uses(Symbol("s", real=True, **{assumed: True})):
            with pytest.raises(NotProven, match="with no other assumption"):
                prove_defined(expression)
    even = Symbol("k", even=True, positive=True)
    with pytest.raises(NotProven, match="must run over"):
        prove_defined(Sum(1 / even**2, (even, 1, oo)))


def test_the_order_of_a_coefficient_is_a_natural_number():
    prove_defined(Coefficient(exp(X), X, 0))
    for order in (-1, HALF, k, s):
        with pytest.raises(NotProven, match="not a natural number"):
            prove_defined(Coefficient(exp(X), X, order))


@pytest.mark.parametrize(
    ("body", "point"),
    [
        (exp(-X), 0), (X, oo), (exp(s * X), oo), (logistic(s * X), oo), (logistic(1 / X), oo),
        (sin(X), oo), (bell(T, X, 2 * X), oo), (bell(T, 0, X**2), oo), (X * bell(T, X, oo), oo),
        (Integral(phi(T), (T, 0, X)) * X, oo),
    ],
)  # fmt: skip
def test_no_limit_is_found(body, point):
    with pytest.raises(NotProven):
        limit_value(body, X, S(point))


def test_derivatives():
    assert are_equal(derivative(bell(T, s, X**2), X), 2 * X * exp(-(X**4)))
    assert are_equal(derivative(bell(T, X, oo), X), -exp(-(X**2)))
    for body in (
        abs(X),
        1 / X,
        Integral(exp(-X * T), (T, 0, 1)),
        Integral(exp(-X * X * T * T) / (1 + T**2), (T, -oo, oo)),
        Limit(s * X, s, 1),
    ):
        with pytest.raises(NotProven):
            derivative(body, X)


def test_substitution_and_messages_keep_what_is_bound_and_written():
    inner = Integral(X * T, (T, 0, X))
    assert substituted(inner, X, s) == Integral(s * T, (T, 0, s))
    assert substituted(inner, T, s) == inner  # T is not free
    assert substituted(Derivative(GELU(X), X), X, S.Zero) == Subs(Derivative(GELU(X), X), X, 0)
    for expression, bound in ((inner, T), (Sum(X / k**2, (k, 1, oo)), k), (Limit(X * s, s, 1), s)):
        with pytest.raises(NotProven, match="rename"):
            substituted(expression, X, bound + 1)
    parts = bell(T, 0, 1), Phi(X), Add(X, 1, -(X**2), evaluate=False)
    message = str(NotProven("{} and {} and {}", *parts))
    assert message == "Integral(exp(-t**2), (t, 0, 1)) and Phi(x) and x + 1 - x**2"
