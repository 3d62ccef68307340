"""What several of the sources state, and the symbols in which it is written."""

from __future__ import annotations

import sympy as sp
from sympy import (
    Abs,
    Derivative,
    Expr,
    Integral,
    Limit,
    Rational,
    Symbol,
    erf,
    exp,
    oo,
    pi,
    sqrt,
    tanh,
)

from gelu_lib.chapters.claims.checks import (
    All,
    Chain,
    Coefficients,
    Equal,
    Less,
    Not,
    NotElementary,
    Told,
)
from gelu_lib.chapters.claims.compared import literal
from gelu_lib.derivations.identities.phi_erf import S
from gelu_lib.derivations.notation import DEFINITIONS, NormalProbability
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    PAGE_CUBIC,
    Phi,
    T,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    phi,
)
from gelu_lib.functions.series import erf_coefficient, local_match, tanh_of_odd_series

HALF = Rational(1, 2)
END = X / sqrt(2)
GAUSS = exp(-(S**2))
BELL = exp(-(T**2) / 2)
A, B, C = (Symbol(name, real=True) for name in "abc")
STEP = Symbol("h", positive=True)
RELU = sp.Max(0, X)

# ------------------------------------------------------------------ definitions

GELU_BY_PHI = Chain("gelu-erf", (GELU(X), X * Phi(X)))
GELU_BY_ERF = Chain("gelu-erf", (GELU(X), X * Phi(X), X * HALF * (1 + erf(END))))
PHI_IS_A_PROBABILITY = Chain("phi-erf", (DEFINITIONS[NormalProbability](-oo, X, 0, 1),))
PHI_AS_AN_INTEGRAL = Chain("phi-erf", (Phi(X), Integral(BELL / sqrt(2 * pi), (T, -oo, X))))

_ERF_INTEGRAL = 2 / sqrt(pi) * Integral(GAUSS, (S, 0, X))
ERF_AS_AN_INTEGRAL = All(
    Told("derivative", Equal(_ERF_INTEGRAL.diff(X), erf(X).diff(X))),
    Told("value at 0", Equal(_ERF_INTEGRAL.subs(X, 0).doit(), erf(sp.S.Zero))),
)
"""The integral and erf have the same derivative and the same value at 0."""

ERF_IS_ODD = Equal(erf(-X, evaluate=False), -erf(X), by=("erf-odd",))
ERF_HAS_LIMITS = All(
    *(Equal(Limit(erf(X), X, end), sp.sign(end), by=("erf-limit",)) for end in (oo, -oo))
)
IS_NOT_ELEMENTARY = NotElementary(exp(-(X**2)))
GELU_IS_SMOOTH = Equal(Derivative(GELU(X), X), Phi(X) + X * phi(X), by=("gelu-derivative",))
RELU_HAS_A_CORNER = All(
    Told("derivative from the right", Equal(sp.limit(RELU.subs(X, STEP) / STEP, STEP, 0), 1)),
    Told("derivative from the left", Equal(sp.limit(RELU.subs(X, -STEP) / -STEP, STEP, 0), 0)),
)

# ------------------------------------------------------------------ the two forms

PRINTED_CUBIC = Rational(literal("page-cubic"))
PRINTED_SCALE = Rational(literal("gelu-paper-scale"))
INNER = sqrt(2 / pi) * (X + PRINTED_CUBIC * X**3)

RELU_IS_FARTHER = "largest error, and how far ReLU is off at 1"
RELU_AT_1 = 1 - GELU(sp.S.One)

IS_THE_TANH_FORM = All(
    Equal(HALF * X * (1 + tanh(INNER)), gelu_tanh()),
    Told(RELU_IS_FARTHER, Less("page-error-gelu", RELU_AT_1)),
)
"""The form as printed is the one of the book, and it is nearer to GELU than ReLU is."""

IS_THE_SIGMOID_FORM = All(
    Equal(X * logistic(PRINTED_SCALE * X), gelu_sigmoid()),
    Told(RELU_IS_FARTHER, Less("scale-1702-error-gelu", RELU_AT_1)),
)

# ------------------------------------------------------------------ the local fit

LOCAL_B = sqrt(2 / pi) * (2 / (3 * pi) - Rational(1, 6))
KEEPS_THE_SLOPE = Equal(
    Derivative(erf(END), X).doit().subs(X, 0), tanh(LOCAL_SLOPE * X + B * X**3).diff(X).subs(X, 0)
)


def erf_taylor(power: int) -> Expr:
    """The Taylor coefficients of erf(x/√2)."""
    return erf_coefficient(power) / sqrt(2) ** power


_COMPOSED = tanh_of_odd_series((A, B), 5)


def tanh_taylor(power: int) -> Expr:
    """The Taylor coefficients of tanh(ax + bx³)."""
    return _COMPOSED[power // 2] if power % 2 else sp.S.Zero


def _composed(cubic: Expr) -> dict[int, Expr]:
    """The coefficients of x and x³ of tanh(√(2/π)(x + cubic·x³))."""
    at = {A: LOCAL_SLOPE, B: LOCAL_SLOPE * cubic}
    return {power: tanh_taylor(power).subs(at) for power in (1, 3)}


def _error(x: Expr) -> Expr:
    """The size of the error of erf(x/√2) with the local coefficient."""
    cubic = local_match(3).ratio(3)
    return Abs(erf(x / sqrt(2)) - tanh(LOCAL_SLOPE * (x + cubic * x**3)))


IS_LOCAL = All(
    Coefficients(_composed(local_match(3).ratio(3)), erf_taylor, 4),
    Told("with 0.044715", Not(Coefficients(_composed(PAGE_CUBIC), erf_taylor, 4))),
    Told("error at ½ and 1", Less(_error(HALF), _error(sp.S.One))),
    Told("error at 1 and 2", Less(_error(sp.S.One), _error(sp.Integer(2)))),
)
"""Near 0 the local fit is the better one, by the order of its error, which is larger at 1 and 2."""
