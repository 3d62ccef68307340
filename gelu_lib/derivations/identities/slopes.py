"""The identities of the slopes: derivatives of GELU and its forms, and where these turn.

The forms are written as one, g(x; p₁, p₃) = xσ(p₁x + p₃x³). With a = √(2/π) and k = 0.044715 the
tanh form is g(x; 2a, 2ak); the sigmoid form is g(x; 1.702, 0).
"""

from __future__ import annotations

from sympy import (
    Derivative,
    Expr,
    Interval,
    LambertW,
    Limit,
    Rational,
    Subs,
    Symbol,
    erf,
    exp,
    oo,
    pi,
    sqrt,
    tanh,
)

from gelu_lib.derivations.chain import Derivation, Known
from gelu_lib.derivations.identities import identity
from gelu_lib.derivations.identities.phi_erf import (
    gelu_derivative,
    gelu_erf,
    phi_erf,
    phi_reflection,
)
from gelu_lib.derivations.identities.symbols import AHEAD, HALF, P1, P3, SCALE, S, U
from gelu_lib.derivations.notation import LogisticForm, ordered_product, ordered_sum
from gelu_lib.derivations.rules import (
    LAMBERT_EQUATION,
    Algebra,
    Definition,
    Differentiation,
    Inequality,
    Limits,
    Quoted,
)
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    logistic,
    phi,
)

_SLOPE, _CUBIC = Symbol("a", real=True), Symbol("k", real=True)
_LINEAR, _HIGHER = Symbol("p_1", positive=True), Symbol("p_3", nonnegative=True)


def _at(function: Expr, point: Expr) -> Expr:
    """The derivative of a function of x at a point."""
    return Subs(Derivative(function, X), X, point)


def _cubic(x: Expr, p1: Expr, p3: Expr) -> Expr:
    """The polynomial p₁x + p₃x³."""
    return ordered_sum(ordered_product(p1, x), ordered_product(p3, x**3))


def _cubic_slope(x: Expr, p1: Expr, p3: Expr) -> Expr:
    """The derivative of ``_cubic``."""
    return ordered_sum(p1, ordered_product(3 * p3, x**2))


def _both_sigmas(v: Expr) -> tuple[Expr, Expr]:
    """The factors σ(v) and σ(−v), which the derivative of σ(v) has."""
    return logistic(v), logistic(-v)


# ---------------------------------------------------------------------------- GELU


@identity
def gelu_derivative_erf() -> Derivation:
    """GELU′(x) = Φ(x) + xφ(x), by differentiating the form with erf."""
    factor = ordered_sum(1, erf(X / sqrt(2)))
    bell = exp(-(X**2) / 2)
    return (
        Derivation("gelu-derivative-erf", Derivative(GELU(X), X))
        .step(Known(gelu_erf()), Derivative(ordered_product(X / 2, factor), X))
        .step(
            Differentiation(),
            ordered_product(
                HALF, ordered_sum(1, erf(X / sqrt(2)), ordered_product(X, sqrt(2 / pi), bell))
            ),
        )
        .step(
            Algebra(),
            ordered_sum(ordered_product(HALF, factor), ordered_product(X, bell / sqrt(2 * pi))),
        )
        .step(Definition(phi), ordered_sum(ordered_product(HALF, factor), X * phi(X)))
        .step(Known(phi_erf()), ordered_sum(Phi(X), X * phi(X)))
    )


@identity
def gelu_derivative_reflection() -> Derivation:
    """GELU′(x) + GELU′(−x) = 1."""
    sides = [ordered_sum(Phi(X), X * phi(X)), ordered_sum(Phi(-X), -X * phi(X))]
    return (
        Derivation(
            "gelu-derivative-reflection", ordered_sum(Derivative(GELU(X), X), _at(GELU(X), -X))
        )
        .step(Known(gelu_derivative(), at=(X, -X)), ordered_sum(*sides[0].args, *sides[1].args))
        .step(Algebra(), ordered_sum(Phi(X), Phi(-X)))
        .step(Known(phi_reflection()), 1)
    )


@identity
def gelu_second_derivative() -> Derivation:
    """GELU″(x) = (2 − x²)φ(x), positive between −√2 and √2 and negative beyond."""
    bend = ordered_product(2 - X**2, phi(X))
    root = sqrt(2)
    return (
        Derivation("gelu-second-derivative", Derivative(GELU(X), (X, 2)))
        .step(Definition(GELU), Derivative(X * Phi(X), (X, 2)))
        .step(Differentiation(), Derivative(ordered_sum(Phi(X), X * phi(X)), X), "product rule")
        .step(
            Differentiation(),
            ordered_sum(phi(X), phi(X), -(X**2) * phi(X)),
            r"$\varphi' = -x\varphi$",
        )
        .step(Algebra(), bend)
        .then(bend)
        .step(Inequality("<", X, Interval.open(-oo, -root)), 0)
        .then(bend)
        .step(Inequality("<", X, Interval.open(root, oo)), 0)
        .then(bend)
        .step(Inequality(">", X, Interval.open(-root, root)), 0)
    )


@identity
def gelu_derivative_limits() -> Derivation:
    """GELU′(x) tends to 0 as x → −∞ and to 1 as x → ∞."""
    slope = ordered_sum(Phi(X), X * phi(X))
    mirrored = ordered_sum(1, -Phi(-X), X * phi(X))
    known = Derivation("phi-right", Phi(X)).step(Known(phi_reflection()), 1 - Phi(-X))
    return (
        Derivation("gelu-derivative-limits", Limit(Derivative(GELU(X), X), X, -oo))
        .step(Known(gelu_derivative()), Limit(slope, X, -oo))
        .step(Limits(), 0, r"$\Phi$ and $\varphi$ vanish faster than any power")
        .then(Limit(Derivative(GELU(X), X), X, oo))
        .step(Known(gelu_derivative()), Limit(slope, X, oo))
        .step(Known(known), Limit(mirrored, X, oo), r"by \texttt{phi-reflection}")
        .step(Limits(), 1, "again, faster than any power")
    )


@identity
def gelu_slope_at_inflections() -> Derivation:
    """GELU′(√2) = (1 + erf 1)/2 + 1/(e√π), and GELU′(−√2) is 1 minus that."""
    root = sqrt(2)
    value = ordered_sum(ordered_product(HALF, ordered_sum(1, erf(1))), exp(-1) / sqrt(pi))
    return (
        Derivation("gelu-slope-at-inflections", _at(GELU(X), root))
        .step(Known(gelu_derivative(), at=root), ordered_sum(Phi(root), root * phi(root)))
        .step(
            Known(phi_erf(), at=root),
            ordered_sum(ordered_product(HALF, ordered_sum(1, erf(1))), root * phi(root)),
        )
        .step(Definition(phi), value)
        .then(_at(GELU(X), -root))
        .step(Known(gelu_derivative(), at=-root), ordered_sum(Phi(-root), -root * phi(root)))
        .step(Known(phi_reflection(), at=root), ordered_sum(1, -Phi(root), -root * phi(root)))
        .step(
            Known(phi_erf(), at=root),
            ordered_sum(ordered_product(HALF, ordered_sum(1, -erf(1))), -root * phi(root)),
        )
        .step(
            Definition(phi),
            ordered_sum(ordered_product(HALF, ordered_sum(1, -erf(1))), -exp(-1) / sqrt(pi)),
        )
    )


# ---------------------------------------------------------------------------- the two forms


@identity
def form_derivative() -> Derivation:
    """The derivative of g(x; p₁, p₃) = xσ(p₁x + p₃x³)."""
    v = _cubic(X, P1, P3)
    rise = _cubic_slope(X, P1, P3)
    return (
        Derivation("form-derivative", Derivative(LogisticForm(X, P1, P3), X))
        .step(Definition(LogisticForm), Derivative(X * logistic(v), X))
        .step(
            Differentiation(),
            ordered_sum(logistic(v), ordered_product(X, rise, *_both_sigmas(v))),
            r"$\sigma' = \sigma(v)\sigma(-v)$",
        )
    )


@identity
def form_derivative_reflection() -> Derivation:
    """g′(x; p₁, p₃) + g′(−x; p₁, p₃) = 1."""
    form = LogisticForm(X, P1, P3)
    v = _cubic(X, P1, P3)
    term = ordered_product(X, _cubic_slope(X, P1, P3), *_both_sigmas(v))
    whole = ordered_sum(logistic(v), term, logistic(-v), ordered_product(-1, term))
    return (
        Derivation("form-derivative-reflection", ordered_sum(Derivative(form, X), _at(form, -X)))
        .step(Known(form_derivative(), at=(X, -X)), whole)
        .step(Algebra(), ordered_sum(*_both_sigmas(v)))
        .step(Definition(logistic), 1)
    )


@identity
def tanh_form_derivative() -> Derivation:
    """The derivative of the tanh form, with 1 − tanh² and with σ(2u)σ(−2u)."""
    u = ordered_product(_SLOPE, ordered_sum(X, _CUBIC * X**3))
    rise = ordered_sum(1, 3 * _CUBIC * X**2)
    v = ordered_product(2 * _SLOPE, u.args[1])
    with_tanh = ordered_sum(
        HALF, tanh(u) / 2, ordered_product(X / 2, _SLOPE, rise, 1 - tanh(u) ** 2)
    )
    return (
        Derivation(
            "tanh-form-derivative", Derivative(ordered_product(X / 2, ordered_sum(1, tanh(u))), X)
        )
        .step(Differentiation(), with_tanh, "product rule and chain rule")
        .step(
            Definition((tanh, logistic)),
            ordered_sum(logistic(v), ordered_product(2 * _SLOPE, X, rise, *_both_sigmas(v))),
        )
    )


@identity
def tanh_form_derivative_printed() -> Derivation:
    """The same with the printed constants, in the two shapes that a source has."""
    u = ordered_product(LOCAL_SLOPE, ordered_sum(X, PAGE_CUBIC * X**3))
    cubed = ordered_product(3, PAGE_CUBIC, X**2)
    rise = ordered_product(LOCAL_SLOPE, ordered_sum(1, cubed))
    spread = ordered_sum(X, ordered_product(3, PAGE_CUBIC, X**3))
    first = ordered_sum(HALF, tanh(u) / 2, ordered_product(X / 2, rise, 1 - tanh(u) ** 2))
    second = ordered_sum(
        HALF, tanh(u) / 2, ordered_product(1 / sqrt(2 * pi), spread, 1 - tanh(u) ** 2)
    )
    return (
        Derivation(
            "tanh-form-derivative-printed",
            Derivative(ordered_product(X / 2, ordered_sum(1, tanh(u))), X),
        )
        .step(Differentiation(), first, "product rule and chain rule")
        .step(Algebra(), second)
    )


@identity
def sigmoid_form_derivative() -> Derivation:
    """The derivative of the sigmoid form xσ(cx), with exponentials and with σ(cx)σ(−cx)."""
    v = ordered_product(SCALE, X)
    decay = exp(ordered_product(-1, *v.args))
    quotient = ordered_product(SCALE, X, decay, 1 / (1 + decay) ** 2)
    return (
        Derivation("sigmoid-form-derivative", Derivative(LogisticForm(X, SCALE, 0), X))
        .step(Definition((LogisticForm, logistic)), Derivative(X / (1 + decay), X))
        .step(
            Differentiation(), ordered_sum(1 / (1 + decay), quotient), "product rule and chain rule"
        )
        .step(
            Definition(logistic),
            ordered_sum(logistic(v), ordered_product(SCALE, X, *_both_sigmas(v))),
        )
    )


@identity
def sigmoid_form_derivative_printed() -> Derivation:
    """The same with 1.702, in the shape that a source has."""
    decay = exp(-LOGISTIC_SCALE * X)
    quotient = LOGISTIC_SCALE * X * decay / (1 + decay) ** 2
    slope = ordered_sum(1 / (1 + decay), quotient)
    return (
        Derivation("sigmoid-form-derivative-printed", Derivative(X / (1 + decay), X))
        .step(Differentiation(), slope, "product rule and chain rule")
    )  # fmt: skip


# ---------------------------------------------------------------------------- where they turn


@identity
def form_second_derivative() -> Derivation:
    """g″(x; p₁, p₃) is σ(v)σ(−v) times a bracket that decides its sign."""
    v = _cubic(X, P1, P3)
    rise = _cubic_slope(X, P1, P3)
    bracket = ordered_sum(
        2 * P1, 12 * P3 * X**2, ordered_product(-1, X, rise**2, tanh(ordered_product(HALF, v)))
    )
    first = ordered_sum(logistic(v), ordered_product(X, rise, *_both_sigmas(v)))
    return (
        Derivation("form-second-derivative", Derivative(LogisticForm(X, P1, P3), (X, 2)))
        .step(Definition(LogisticForm), Derivative(X * logistic(v), (X, 2)))
        .step(Differentiation(), Derivative(first, X), "product rule")
        .step(
            Differentiation(),
            ordered_product(
                *_both_sigmas(v),
                ordered_sum(
                    2 * P1,
                    12 * P3 * X**2,
                    ordered_product(X, rise**2, ordered_sum(logistic(-v), -logistic(v))),
                ),
            ),
        )
        .step(Definition((logistic, tanh)), ordered_product(*_both_sigmas(v), bracket))
    )


@identity
def form_inflection_ratio() -> Derivation:
    """For x > 0 one side of the equation of an inflection falls and the other rises."""
    v = _cubic(AHEAD, _LINEAR, _HIGHER)
    rise = _cubic_slope(AHEAD, _LINEAR, _HIGHER)
    ratio = ordered_sum(2 * _LINEAR, 12 * _HIGHER * AHEAD**2) / (AHEAD * rise**2)
    fall = ordered_sum(
        _LINEAR**2,
        ordered_product(9 * _LINEAR, _HIGHER, AHEAD**2),
        ordered_product(54 * _HIGHER**2, AHEAD**4),
    )
    return (
        Derivation("form-inflection-ratio", Derivative(ratio, AHEAD))
        .step(Differentiation(), ordered_product(-2, fall, 1 / AHEAD**2, 1 / rise**3))
        .step(Inequality("<"), 0)
        .then(Derivative(tanh(ordered_product(HALF, v)), AHEAD))
        .step(
            Differentiation(),
            ordered_product(HALF, rise, 1 - tanh(ordered_product(HALF, v)) ** 2),
            "chain rule",
        )
        .step(Inequality(">"), 0)
    )


@identity
def form_derivative_limits() -> Derivation:
    """The derivative of a form tends to 0 as x → −∞, with a cubic term and without."""
    higher = Symbol("p_3", positive=True)
    cubic, linear = _cubic(X, _LINEAR, higher), ordered_product(_LINEAR, X)
    forms = LogisticForm(X, _LINEAR, higher), LogisticForm(X, _LINEAR, 0)
    slopes = [
        ordered_sum(logistic(v), ordered_product(X, rise, *_both_sigmas(v)))
        for v, rise in ((cubic, _cubic_slope(X, _LINEAR, higher)), (linear, _LINEAR))
    ]
    return (
        Derivation("form-derivative-limits", Limit(Derivative(forms[0], X), X, -oo))
        .step(Definition(LogisticForm), Limit(Derivative(X * logistic(cubic), X), X, -oo))
        .step(Differentiation(), Limit(slopes[0], X, -oo))
        .step(Limits(), 0, r"the first $\sigma$ vanishes faster than any power")
        .then(Limit(Derivative(forms[1], X), X, -oo))
        .step(Definition(LogisticForm), Limit(Derivative(X * logistic(linear), X), X, -oo))
        .step(Differentiation(), Limit(slopes[1], X, -oo))
        .step(Limits(), 0, r"the first $\sigma$ vanishes faster than any power")
    )


@identity
def sigmoid_form_slope_sign() -> Derivation:
    """The slope of xσ(cx) at x = −(1 + s)/c has the sign of 1/e − s·exp(s), which falls in s."""
    place = -(1 + S) / SCALE
    ahead, behind = logistic(ordered_sum(1, S)), logistic(ordered_sum(-1, -S))
    swell = S * exp(S)
    return (
        Derivation("sigmoid-form-slope-sign", _at(LogisticForm(X, SCALE, 0), place))
        .step(
            Known(sigmoid_form_derivative(), at=place),
            ordered_sum(behind, ordered_product(-1, 1 + S, ahead, behind)),
        )
        .step(
            Definition(logistic),
            ordered_product(ahead, behind, ordered_sum(exp(ordered_sum(-1, -S)), -S)),
        )
        .step(Algebra(), ordered_product(ahead, behind, exp(-S), ordered_sum(exp(-1), -swell)))
        .then(Derivative(swell, S))
        .step(Differentiation(), ordered_product(1 + S, exp(S)), "product rule")
        .step(Inequality(">", S, Interval.open(-1, oo)), 0)
    )


@identity
def sigmoid_form_minimum() -> Derivation:
    """xσ(cx) is −W(1/e)/c at x = −(1 + W(1/e))/c, with Lambert's W."""
    w = LambertW(exp(-1))
    place = -(1 + w) / SCALE
    return (
        Derivation("sigmoid-form-minimum", LogisticForm(place, SCALE, 0))
        .step(Definition(LogisticForm), ordered_product(place, logistic(ordered_sum(-1, -w))))
        .step(Definition(logistic), place / (1 + exp(1 + w)))
        .step(Quoted(LAMBERT_EQUATION), place / (1 + 1 / w), r"$W(y)\,e^{W(y)} = y$")
        .step(Algebra(), -w / SCALE)
    )


@identity
def sigmoid_form_slope_at_inflection() -> Derivation:
    """The slope of xσ(cx) at x = u/c, written so that the bracket is 0 at an inflection."""
    half = tanh(U / 2)
    rest = ordered_product(Rational(1, 4), half, ordered_sum(2, -U * half))
    return (
        Derivation("sigmoid-form-slope-at-inflection", _at(LogisticForm(X, SCALE, 0), U / SCALE))
        .step(
            Known(sigmoid_form_derivative(), at=U / SCALE),
            ordered_sum(logistic(U), ordered_product(U, *_both_sigmas(U))),
        )
        .step(Definition((logistic, tanh)), ordered_sum(HALF, U / 4, rest))
    )
