"""The identities of Φ, erf, the logistic distribution and GELU, each derived step by step.

Each derivation is built, and so checked, when it is first asked for.
"""

from __future__ import annotations

from sympy import (
    Add,
    Derivative,
    Expr,
    Integral,
    Interval,
    Limit,
    Subs,
    Sum,
    Symbol,
    cosh,
    erf,
    exp,
    oo,
    pi,
    sinh,
    sqrt,
    tanh,
)

from gelu_lib.derivations.chain import Derivation, Known
from gelu_lib.derivations.identities import identity
from gelu_lib.derivations.identities.symbols import HALF, S, U
from gelu_lib.derivations.notation import (
    BernoulliMean,
    LogisticCDF,
    LogisticDensity,
    NormalProbability,
    ordered_product,
    ordered_sum,
)
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

_R, _Z, _THETA = (Symbol(name, real=True) for name in ("r", "z", "theta"))
_P, _Q, _D, LOCATION = (Symbol(name, real=True) for name in ("p", "q", "d", "mu"))
WIDTH = Symbol("s", positive=True)


def _bell(variable: Symbol, lower: Expr, upper: Expr) -> Expr:
    """The integral of exp(−t²)."""
    return Integral(exp(-(variable**2)), (variable, lower, upper))


# ---------------------------------------------------------------------------- Φ and erf


@identity
def gaussian_half_line() -> Derivation:
    """∫ exp(−s²) ds over the negative half-line is √π/2, by polar coordinates."""
    plane = Integral(exp(ordered_sum(-(S**2), -(T**2))), (T, -oo, 0), (S, -oo, 0))
    ring = Integral(_R * exp(-(_R**2)), (_R, 0, oo), (_THETA, pi, 3 * pi / 2))
    return (
        Derivation("gaussian-half-line", _bell(S, -oo, 0))
        .step(Algebra(), sqrt(plane), "root of the square")
        .step(Polar((S, T), _R, _THETA), sqrt(ring))
        .step(
            Antiderivative(_R, -exp(-(_R**2)) / 2), sqrt(Integral(HALF, (_THETA, pi, 3 * pi / 2)))
        )
        .step(Antiderivative(_THETA, _THETA / 2), sqrt(pi) / 2)
    )


@identity
def phi_erf() -> Derivation:
    """Φ(x) = (1 + erf(x/√2))/2: first substitute, then split at 0."""
    end = X / sqrt(2)
    return (
        Derivation("phi-erf", Phi(X))
        .step(Definition(Phi), Integral(phi(T), (T, -oo, X)))
        .step(Definition(phi), Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi))
        .step(Substitution(T, sqrt(2) * S), _bell(S, -oo, end) / sqrt(pi))
        .step(
            Split(S, 0),
            ordered_product(1 / sqrt(pi), ordered_sum(_bell(S, -oo, 0), _bell(S, 0, end))),
        )
        .step(Known(gaussian_half_line()), ordered_sum(HALF, _bell(S, 0, end) / sqrt(pi)))
        .step(Definition(erf), ordered_product(HALF, 1 + erf(end)))
    )


@identity
def phi_erf_split_first() -> Derivation:
    """Φ(x) = (1 + erf(x/√2))/2: first split at 0, then substitute in both parts."""
    end = X / sqrt(2)
    front = 1 / sqrt(2 * pi)
    left = Integral(exp(-(U**2) / 2), (U, -oo, 0))
    right = Integral(exp(-(T**2) / 2), (T, 0, X))
    return (
        Derivation("phi-erf-split-first", Phi(X))
        .step(Definition((Phi, phi)), Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi))
        .step(Split(T, 0), ordered_product(front, ordered_sum(left, right)))
        .step(
            Substitution(U, sqrt(2) * S),
            ordered_product(front, ordered_sum(sqrt(2) * _bell(S, -oo, 0), right)),
        )
        .step(Known(gaussian_half_line()), ordered_product(front, ordered_sum(sqrt(pi / 2), right)))
        .step(Substitution(T, sqrt(2) * S), ordered_sum(HALF, _bell(S, 0, end) / sqrt(pi)))
        .step(Definition(erf), ordered_product(HALF, 1 + erf(end)))
    )


@identity
def phi_reflection() -> Derivation:
    """Φ(x) + Φ(−x) = 1."""
    end = X / sqrt(2)
    values = [ordered_sum(erf(end), erf(-end, evaluate=False)), ordered_sum(erf(end), -erf(end))]
    return (
        Derivation("phi-reflection", ordered_sum(Phi(X), Phi(-X)))
        .step(Known(phi_erf(), at=(X, -X)), ordered_sum(1, ordered_product(HALF, values[0])))
        .step(Known(erf_odd(), at=end), ordered_sum(1, ordered_product(HALF, values[1])))
        .step(Algebra(), 1)
    )


@identity
def erf_derivative() -> Derivation:
    """erf′(x) = 2/√π·exp(−x²), by the fundamental theorem of calculus."""
    return (
        Derivation("erf-derivative", Derivative(erf(X), X))
        .step(Definition(erf), Derivative(2 / sqrt(pi) * _bell(T, 0, X), X))
        .step(Differentiation(), 2 / sqrt(pi) * exp(-(X**2)), "fundamental theorem of calculus")
    )


@identity
def erf_odd() -> Derivation:
    """erf(−x) = −erf(x)."""
    return (
        Derivation("erf-odd", erf(-X, evaluate=False))
        .step(Definition(erf), 2 / sqrt(pi) * _bell(T, 0, -X))
        .step(Substitution(T, -U), -2 / sqrt(pi) * _bell(U, 0, X))
        .step(Definition(erf), -erf(X))
    )


@identity
def erf_limit() -> Derivation:
    """erf(x) tends to 1 as x → ∞ and to −1 as x → −∞."""
    front = 2 / sqrt(pi)
    return (
        Derivation("erf-limit", Limit(erf(X), X, oo))
        .step(Definition(erf), Limit(front * _bell(T, 0, X), X, oo))
        .step(Limits(), front * _bell(T, 0, oo), "meaning of the improper integral")
        .step(Substitution(T, -S), front * _bell(S, -oo, 0))
        .step(Known(gaussian_half_line()), 1)
        .then(Limit(erf(X), X, -oo))
        .step(Definition(erf), Limit(front * _bell(T, 0, X), X, -oo))
        .step(Limits(), -front * _bell(T, -oo, 0), "meaning of the improper integral")
        .step(Known(gaussian_half_line()), -1)
    )


@identity
def erf_probability(variance: Expr = HALF) -> Derivation:
    """P(−x ≤ T ≤ x) = erf(x) for x ≥ 0 and a normal T with mean 0 and variance 1/2.

    Args:
        variance: another value makes the first step fail: σ = 1/2 is variance 1/4.

    Returns:
        The derivation.

    Raises:
        DerivationError: if ``variance`` is not 1/2.
    """
    x = Symbol("x", nonnegative=True)
    return (
        Derivation("erf-probability", NormalProbability(-x, x, 0, variance))
        .step(Definition(NormalProbability), _bell(S, -x, x) / sqrt(pi), "density, variance $1/2$")
        .step(
            Split(S, 0), ordered_product(1 / sqrt(pi), ordered_sum(_bell(S, -x, 0), _bell(T, 0, x)))
        )
        .step(Substitution(S, -T), 2 / sqrt(pi) * _bell(T, 0, x))
        .step(Definition(erf), erf(x))
    )


# ---------------------------------------------------------------------------- GELU


@identity
def gelu_erf() -> Derivation:
    """GELU(x) = x(1 + erf(x/√2))/2."""
    return (
        Derivation("gelu-erf", GELU(X))
        .step(Definition(GELU), X * Phi(X))
        .step(Known(phi_erf()), ordered_product(X / 2, 1 + erf(X / sqrt(2))))
    )


@identity
def gelu_expectation() -> Derivation:
    """The mean of x·B is GELU(x) if B is 1 with probability Φ(x), else 0."""
    terms = ordered_sum(ordered_product(X, 1, Phi(X)), ordered_product(X, 0, 1 - Phi(X)))
    return (
        Derivation("gelu-expectation", BernoulliMean(X, Phi(X)))
        .step(Definition(BernoulliMean), terms, "sum over the two values of $B$")
        .step(Algebra(), X * Phi(X))
        .step(Definition(GELU), GELU(X))
    )


@identity
def gelu_reflection() -> Derivation:
    """GELU(x) − GELU(−x) = x."""
    return (
        Derivation("gelu-reflection", ordered_sum(GELU(X), -GELU(-X)))
        .step(Definition(GELU), ordered_sum(X * Phi(X), X * Phi(-X)))
        .step(Algebra(), ordered_product(X, ordered_sum(Phi(X), Phi(-X))))
        .step(Known(phi_reflection()), X)
    )


@identity
def gelu_derivative() -> Derivation:
    """GELU′(x) = Φ(x) + xφ(x)."""
    return (
        Derivation("gelu-derivative", Derivative(GELU(X), X))
        .step(Definition(GELU), Derivative(X * Phi(X), X))
        .step(Differentiation(), ordered_sum(Phi(X), X * Derivative(Phi(X), X)), "product rule")
        .step(Differentiation(), ordered_sum(Phi(X), X * phi(X)), r"$\Phi' = \varphi$")
    )


@identity
def gelu_tangent() -> Derivation:
    """GELU(0) = 0 and GELU′(0) = 1/2, so the tangent at 0 is y = x/2."""
    value = GELU(0, evaluate=False)
    slope = Subs(Derivative(GELU(X), X), X, 0)
    half = Phi(0, evaluate=False)
    return (
        Derivation("gelu-tangent", value)
        .step(Definition(GELU), ordered_product(0, half))
        .step(Algebra(), 0)
        .then(slope)
        .step(
            Known(gelu_derivative(), at=0),
            ordered_sum(half, ordered_product(0, phi(0, evaluate=False))),
        )
        .step(Known(phi_reflection(), at=0), HALF)
        .then(ordered_sum(value, ordered_product(slope, X)))
        .step(Known(gelu_derivative(), at=0), X / 2, "both values")
    )


# ---------------------------------------------------------------------------- logistic function


@identity
def logistic_tanh() -> Derivation:
    """σ(2u) = (1 + tanh u)/2."""
    plus, minus = exp(U), exp(-U)
    return (
        Derivation("logistic-tanh", logistic(2 * U))
        .step(Definition(logistic), 1 / (1 + exp(-2 * U)))
        .step(Algebra(), plus / ordered_sum(plus, minus), "times $e^u/e^u$")
        .step(
            Algebra(),
            ordered_product(
                HALF, ordered_sum(1, ordered_sum(plus, -minus) / ordered_sum(plus, minus))
            ),
        )
        .step(Definition(tanh), ordered_product(HALF, 1 + tanh(U)))
    )


@identity
def logistic_derivative() -> Derivation:
    """σ′(x) = σ(x)σ(−x)."""
    return (
        Derivation("logistic-derivative", Derivative(logistic(X), X))
        .step(Definition(logistic), Derivative(1 / (1 + exp(-X)), X))
        .step(Differentiation(), exp(-X) / (1 + exp(-X)) ** 2)
        .step(Algebra(), ordered_product(1 / (1 + exp(-X)), 1 / (1 + exp(X))))
        .step(Definition(logistic), ordered_product(logistic(X), logistic(-X)))
    )


@identity
def logistic_order() -> Derivation:
    """σ(p) − σ(q) has the sign of p − q."""
    half_difference = ordered_product(HALF, _P - _Q)
    spread = ordered_sum(exp(half_difference), -exp(-half_difference))
    product = [ordered_sum(exp(v / 2), exp(-v / 2)) for v in (_P, _Q)]
    quotient = sinh(half_difference) / (2 * cosh(_P / 2) * cosh(_Q / 2))
    return (
        Derivation("logistic-order", ordered_sum(logistic(_P), -logistic(_Q)))
        .step(Definition(logistic), ordered_sum(1 / (1 + exp(-_P)), -1 / (1 + exp(-_Q))))
        .step(Algebra(), spread / ordered_product(*product))
        .step(Definition((sinh, cosh)), quotient)
        .then(quotient)
        .step(Inequality(">", _P, Interval.open(_Q, oo)), 0)
    )


@identity
def two_term_signs() -> Derivation:
    """d₁ + d₃x² in the middle of three points is a mixture of its values at the outer two."""
    d1, d3, x1, x3, share = (Symbol(n, real=True) for n in ("d_1", "d_3", "x_1", "x_3", "lambda"))
    middle = ordered_sum(share * x1**2, ordered_product(1 - share, x3**2))
    outer = [ordered_sum(d1, d3 * x**2) for x in (x1, x3)]
    mixture = ordered_sum(ordered_product(share, outer[0]), ordered_product(1 - share, outer[1]))
    return (
        Derivation("two-term-signs", ordered_sum(d1, ordered_product(d3, middle)))
        .step(Algebra(), mixture, r"$d_1 = \lambda d_1 + (1 - \lambda) d_1$")
    )  # fmt: skip


@identity
def family_monotone() -> Derivation:
    """σ(pxʲ + r) grows with p if x > 0, whatever the other terms r are."""
    x = Symbol("x", positive=True)
    j = Symbol("j", integer=True, positive=True)
    p = Symbol("p_j", real=True)
    argument = ordered_sum(p * x**j, _R)
    return (
        Derivation("family-monotone", Derivative(logistic(argument), p))
        .step(
            Differentiation(),
            ordered_product(x**j, logistic(argument), logistic(ordered_product(-1, argument))),
            "chain rule",
        )
        .step(Inequality(">"), 0)
    )


# ---------------------------------------------------------------------------- logistic distribution


def _decay(x: Expr) -> Expr:
    """exp(−x/s), printed with the minus sign in front of a difference."""
    return exp(ordered_product(-1, x / WIDTH)) if isinstance(x, Add) else exp(-x / WIDTH)


@identity
def logistic_density() -> Derivation:
    """The density of the logistic distribution is F′, and it is symmetric about μ."""
    shift = X - LOCATION
    sides = [
        _decay(_D) / (WIDTH * (1 + _decay(_D)) ** 2),
        _decay(-_D) / (WIDTH * (1 + _decay(-_D)) ** 2),
    ]
    return (
        Derivation("logistic-density", Derivative(LogisticCDF(X, LOCATION, WIDTH), X))
        .step(Definition((LogisticCDF, logistic)), Derivative(1 / (1 + _decay(shift)), X))
        .step(Differentiation(), _decay(shift) / (WIDTH * (1 + _decay(shift)) ** 2))
        .step(Definition(LogisticDensity), LogisticDensity(X, LOCATION, WIDTH))
        .then(LogisticDensity(ordered_sum(LOCATION, _D), LOCATION, WIDTH))
        .step(Definition(LogisticDensity), sides[0])
        .step(Algebra(), sides[1], "times $e^{2d/s}/e^{2d/s}$")
        .step(Definition(LogisticDensity), LogisticDensity(LOCATION - _D, LOCATION, WIDTH))
    )


@identity
def logistic_symmetry() -> Derivation:
    """F(μ + d) + F(μ − d) = 1, so μ is the median."""
    ends = [LogisticCDF(ordered_sum(LOCATION, d), LOCATION, WIDTH) for d in (_D, -_D)]
    values = [1 / (1 + _decay(d)) for d in (_D, -_D)]
    return (
        Derivation("logistic-symmetry", ordered_sum(*ends))
        .step(Definition((LogisticCDF, logistic)), ordered_sum(*values))
        .step(Algebra(), 1)
    )


def _standard(variable: Symbol, power: int, lower: Expr, upper: Expr) -> Expr:
    """The integral of zⁿσ(z)σ(−z)."""
    body = variable**power * logistic(variable) * logistic(-variable)
    return Integral(body, (variable, lower, upper))


@identity
def logistic_mean() -> Derivation:
    """The mean of the logistic distribution is μ."""
    law = LogisticDensity(X, LOCATION, WIDTH)
    y = (X - LOCATION) / WIDTH
    affine = ordered_sum(LOCATION, ordered_product(WIDTH, _Z))
    halves = ordered_sum(_standard(_Z, 1, -oo, 0), _standard(U, 1, 0, oo))
    return (
        Derivation("logistic-mean", Integral(X * law, (X, -oo, oo)))
        .step(
            Definition((LogisticDensity, logistic)),
            Integral(X * logistic(y) * logistic(-y), (X, -oo, oo)) / WIDTH,
        )
        .step(
            Substitution(X, affine), Integral(affine * logistic(_Z) * logistic(-_Z), (_Z, -oo, oo))
        )
        .step(
            Linearity(_Z),
            ordered_sum(LOCATION * _standard(_Z, 0, -oo, oo), WIDTH * _standard(U, 1, -oo, oo)),
        )
        .step(
            Antiderivative(_Z, logistic(_Z)),
            ordered_sum(LOCATION, WIDTH * _standard(U, 1, -oo, oo)),
        )
        .step(Split(U, 0), ordered_sum(LOCATION, ordered_product(WIDTH, halves)))
        .step(Substitution(_Z, -U), LOCATION, "$z = -u$, the halves cancel")
    )


@identity
def logistic_variance() -> Derivation:
    """The variance of the logistic distribution is π²s²/3."""
    law = LogisticDensity(X, LOCATION, WIDTH)
    y = (X - LOCATION) / WIDTH
    j = Symbol("j", integer=True, positive=True)
    sign = (-1) ** (j - 1)
    halves = ordered_sum(_standard(U, 2, -oo, 0), _standard(_Z, 2, 0, oo))
    return (
        Derivation("logistic-variance", Integral((X - LOCATION) ** 2 * law, (X, -oo, oo)))
        .step(
            Definition((LogisticDensity, logistic)),
            Integral((X - LOCATION) ** 2 * logistic(y) * logistic(-y), (X, -oo, oo)) / WIDTH,
        )
        .step(
            Substitution(X, ordered_sum(LOCATION, ordered_product(WIDTH, U))),
            WIDTH**2 * _standard(U, 2, -oo, oo),
        )
        .step(Split(U, 0), ordered_product(WIDTH**2, halves))
        .step(Substitution(U, -_Z), 2 * WIDTH**2 * _standard(_Z, 2, 0, oo))
        .step(
            Antiderivative(_Z, -(_Z**2) * logistic(-_Z)),
            4 * WIDTH**2 * Integral(_Z * logistic(-_Z), (_Z, 0, oo)),
            "by parts",
        )
        .step(
            Definition(logistic),
            4 * WIDTH**2 * Integral(_Z * exp(-_Z) / (1 + exp(-_Z)), (_Z, 0, oo)),
        )
        .step(
            GeometricSeries(
                _Z, j, sign * _Z * exp(-j * _Z), -sign * (_Z / j + 1 / j**2) * exp(-j * _Z)
            ),
            4 * WIDTH**2 * Sum(sign / j**2, (j, 1, oo)),
        )
        .step(
            Quoted(EULER_SUM), pi**2 * WIDTH**2 / 3, r"$\sum_{j \ge 1} (-1)^{j-1}/j^2 = \pi^2/12$"
        )
    )
