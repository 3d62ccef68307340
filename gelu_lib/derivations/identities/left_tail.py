"""The left tail: Mills' ratio with its bounds and its series, and what the two forms do there.

Everything is about −x with x > 0. Mills' ratio is Φ(−x)/φ(x); the ratio of the form xσ(p₁x + p₃x³)
to GELU at −x is σ(−p₁x − p₃x³)/Φ(−x), because the factor −x cancels.
"""

from __future__ import annotations

from sympy import Derivative, Expr, Integral, Limit, Symbol, exp, oo, pi, sqrt

from gelu_lib.derivations.chain import Derivation, Known
from gelu_lib.derivations.identities import identity
from gelu_lib.derivations.identities.symbols import AHEAD, P1, P3, SCALE, U
from gelu_lib.derivations.notation import ordered_product, ordered_sum
from gelu_lib.derivations.rules import (
    Algebra,
    Antiderivative,
    Definition,
    Differentiation,
    Inequality,
    Limits,
    Substitution,
)
from gelu_lib.functions.expressions import GELU, Phi, T, X, logistic, phi

_HIGHER, _FAR = Symbol("p_3", positive=True), Symbol("t", positive=True)
_INDEX = Symbol("n", integer=True, nonnegative=True)


def _mills(x: Expr) -> Expr:
    """Mills' ratio, written out."""
    return Phi(-x) / phi(x)


def _square_and_one(x: Expr) -> Expr:
    return ordered_sum(x**2, 1)


# ---------------------------------------------------------------------------- Mills' ratio


@identity
def mills_derivative() -> Derivation:
    """The derivative of Mills' ratio R is xR − 1."""
    ratio = _mills(X)
    return (
        Derivation("mills-derivative", Derivative(ratio, X))
        .step(Differentiation(), ordered_sum(ordered_product(X, ratio), -1), "quotient rule")
    )  # fmt: skip


@identity
def phi_tail_above() -> Derivation:
    """Φ(−x) is φ(x)/x less a positive integral."""
    shifted = phi(ordered_sum(AHEAD, U))
    rest = Integral(U * shifted, (U, 0, oo)) / AHEAD
    return (
        Derivation("phi-tail-above", Phi(-AHEAD))
        .step(Definition(Phi), Integral(phi(T), (T, -oo, -AHEAD)))
        .step(Substitution(T, ordered_sum(-AHEAD, -U)), Integral(shifted, (U, 0, oo)))
        .step(Antiderivative(U, -shifted / AHEAD), ordered_sum(phi(AHEAD) / AHEAD, -rest))
    )


@identity
def phi_tail_below() -> Derivation:
    """Φ(−x) is xφ(x)/(x² + 1) and a positive integral."""
    first = AHEAD * phi(AHEAD) / _square_and_one(AHEAD)
    rest = 2 * Integral(phi(U) / _square_and_one(U) ** 2, (U, AHEAD, oo))
    return (
        Derivation("phi-tail-below", Phi(-AHEAD))
        .step(Definition(Phi), Integral(phi(T), (T, -oo, -AHEAD)))
        .step(Substitution(T, -U), Integral(phi(U), (U, AHEAD, oo)))
        .step(Antiderivative(U, -U * phi(U) / _square_and_one(U)), ordered_sum(first, rest))
    )


@identity
def mills_bounds() -> Derivation:
    """Mills' ratio lies between x/(x² + 1) and 1/x for x > 0."""
    above, below = phi_tail_above(), phi_tail_below()
    return (
        Derivation("mills-bounds", _mills(AHEAD))
        .step(Known(above), above.end / phi(AHEAD))
        .step(Inequality("<"), 1 / AHEAD)
        .then(_mills(AHEAD))
        .step(Known(below), below.end / phi(AHEAD))
        .step(Inequality(">"), AHEAD / _square_and_one(AHEAD))
    )


@identity
def gelu_left_tail() -> Derivation:
    """GELU(−x) is −xφ(x) times Mills' ratio, and so between −x²φ(x)/(x² + 1) and −φ(x)."""
    above, below = phi_tail_above(), phi_tail_below()
    mirrored, product = GELU(-AHEAD), -AHEAD * Phi(-AHEAD)
    return (
        Derivation("gelu-left-tail", mirrored)
        .step(Definition(GELU), product)
        .step(Algebra(), -ordered_product(AHEAD, phi(AHEAD), _mills(AHEAD)))
        .then(mirrored)
        .step(Definition(GELU), product)
        .step(Known(below), -AHEAD * below.end)
        .step(Inequality("<"), -(AHEAD**2) * phi(AHEAD) / _square_and_one(AHEAD))
        .then(mirrored)
        .step(Definition(GELU), product)
        .step(Known(above), -AHEAD * above.end)
        .step(Inequality(">"), -phi(AHEAD))
    )


@identity
def gelu_condition() -> Derivation:
    """−x·GELU′(−x)/GELU(−x) lies between −x² and 1 − x² for x > 0."""
    above, below = phi_tail_above(), phi_tail_below()
    slope = ordered_sum(Phi(-AHEAD), -AHEAD * phi(AHEAD))
    rest = Integral(U * phi(ordered_sum(AHEAD, U)), (U, 0, oo)) / AHEAD
    return (
        Derivation("gelu-condition", slope / Phi(-AHEAD))
        .step(Algebra(), ordered_sum(1, -AHEAD * phi(AHEAD) / Phi(-AHEAD)))
        .step(
            Known(above), ordered_sum(1, -(AHEAD**2) * ordered_sum(Phi(-AHEAD), rest) / Phi(-AHEAD))
        )
        .step(Inequality("<"), ordered_sum(1, -(AHEAD**2)))
        .then(slope / Phi(-AHEAD))
        .step(Algebra(), ordered_sum(1, -AHEAD * phi(AHEAD) / Phi(-AHEAD)))
        .step(Known(below), ordered_sum(1, -AHEAD * phi(AHEAD) / below.end))
        .step(Inequality(">"), -(AHEAD**2))
    )


@identity
def mills_series_step() -> Derivation:
    """The integration by parts that makes one term of the series, as a derivative."""
    bell = exp(-(_FAR**2) / 2)
    primitive = -(_FAR ** ordered_sum(-2 * _INDEX, -1)) * bell
    lower = _FAR ** ordered_sum(-2 * _INDEX, -2)
    pieces = _FAR ** (-2 * _INDEX) * bell, ordered_product(ordered_sum(2 * _INDEX, 1), lower, bell)
    return (
        Derivation("mills-series-step", Derivative(primitive, _FAR))
        .step(Differentiation(), ordered_sum(*pieces), "product rule")
    )  # fmt: skip


# ---------------------------------------------------------------------------- the two forms


@identity
def tail_ratio_slope() -> Derivation:
    """The derivative of σ(−v)/Φ(−x), v = p₁x + p₃x³, is a multiple of φ/Φ(−x) − v′σ(v)."""
    v = ordered_sum(P1 * X, P3 * X**3)
    rise = ordered_sum(P1, 3 * P3 * X**2)
    ratio = logistic(-v) / Phi(-X)
    hazards = ordered_sum(phi(X) / Phi(-X), -ordered_product(rise, logistic(v)))
    return (
        Derivation("tail-ratio-slope", Derivative(ratio, X))
        .step(Differentiation(), ordered_product(ratio, hazards), "quotient rule")
    )  # fmt: skip


@identity
def cubic_tail_bound() -> Derivation:
    """With p₃ > 0 the ratio of the form to GELU lies below a bound that tends to 0."""
    below = phi_tail_below()
    v, decay = _cubic(AHEAD), exp(-_cubic(AHEAD))
    return (
        Derivation("cubic-tail-bound", logistic(-v) / Phi(-AHEAD))
        .step(Known(below), logistic(-v) / below.end)
        .step(Definition(logistic), decay / ordered_product(ordered_sum(1, decay), below.end))
        .step(
            Inequality("<"),
            decay * _square_and_one(AHEAD) / (AHEAD * phi(AHEAD)),
            "both sums without their second term",
        )
        .step(Definition(phi), _cubic_bound(AHEAD))
        .then(Limit(_cubic_bound(X), X, oo))
        .step(Limits(), 0, r"for $-p_3 x^3$ leads in the exponent")
    )


def _cubic(x: Expr) -> Expr:
    return P1 * x + _HIGHER * x**3


def _cubic_bound(x: Expr) -> Expr:
    return sqrt(2 * pi) * _square_and_one(x) * exp(x**2 / 2 - _cubic(x)) / x


@identity
def linear_tail_bound() -> Derivation:
    """Without a cubic term the ratio of GELU to the form lies below a bound that tends to 0."""
    above = phi_tail_above()
    growth = exp(SCALE * AHEAD)
    return (
        Derivation("linear-tail-bound", Phi(-AHEAD) / logistic(-SCALE * AHEAD))
        .step(Known(above), above.end / logistic(-SCALE * AHEAD))
        .step(Definition(logistic), ordered_product(ordered_sum(1, growth), above.end))
        .step(
            Inequality("<"),
            2 * growth * phi(AHEAD) / AHEAD,
            "$1 + e^{cx} < 2e^{cx}$, and without the integral",
        )
        .step(Definition(phi), _linear_bound(AHEAD))
        .then(Limit(_linear_bound(X), X, oo))
        .step(Limits(), 0, r"for $-x^2/2$ leads in the exponent")
    )


def _linear_bound(x: Expr) -> Expr:
    return sqrt(2 / pi) * exp(ordered_sum(ordered_product(SCALE, x), -(x**2) / 2)) / x
