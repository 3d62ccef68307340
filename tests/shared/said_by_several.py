"""What several posts say: each function says whether it holds."""

import sympy as sp
from deciding_claims import begins, elementary, equal, less, lines_of, numeral, positive, registered
from sympy import Derivative, Integral, Limit, Rational, Symbol, erf, exp, oo, pi, sqrt, tanh

from gelu_lib.derivations.identities.symbols import S
from gelu_lib.derivations.notation import DEFINITIONS, NormalProbability
from gelu_lib.functions.expressions import (
    GELU,
    LOCAL_SLOPE,
    Phi,
    T,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    phi,
)
from gelu_lib.functions.series import erf_coefficient, local_match, tanh_of_odd_series

END = X / sqrt(2)
GAUSS = exp(-(S**2))
BELL = exp(-(T**2) / 2)
A, B, C = (Symbol(name, real=True) for name in "abc")
H = Symbol("h", positive=True)
RELU = sp.Max(0, X)
CUBIC, SCALE = Rational(numeral("page-cubic")), Rational(numeral("gelu-paper-scale"))


def gelu_is_x_times_phi():
    return lines_of("gelu-erf", GELU(X), X * Phi(X))


def gelu_has_a_form_with_erf():
    return lines_of("gelu-erf", GELU(X), X * Phi(X), X * (1 + erf(END)) / 2)


def phi_is_the_standard_normal_probability():
    return lines_of("phi-erf", DEFINITIONS[NormalProbability](-oo, X, 0, 1))


def phi_is_the_integral_of_the_density():
    return lines_of("phi-erf", Phi(X), Integral(BELL / sqrt(2 * pi), (T, -oo, X)))


def erf_is_the_integral():
    """They have the same derivative and the same value at 0."""
    integral = 2 / sqrt(pi) * Integral(GAUSS, (S, 0, X))
    at_0 = equal(integral.subs(X, 0).doit(), erf(sp.S.Zero))
    return at_0 and equal(integral.diff(X), erf(X).diff(X))


def erf_is_odd():
    return equal(erf(-X, evaluate=False), -erf(X), by=("erf-odd",))


def erf_increases():
    return positive(erf(X).diff(X))


def erf_vanishes_at_0():
    return equal(erf(sp.S.Zero), 0)


def the_bell_has_no_elementary_integral():
    return not elementary(exp(-(X**2)))


def erf_has_the_limits_of_a_sign():
    return all(equal(Limit(erf(X), X, end), sp.sign(end), by=("erf-limit",)) for end in (oo, -oo))


def gelu_is_differentiable():
    return equal(Derivative(GELU(X), X), Phi(X) + X * phi(X), by=("gelu-derivative",))


def relu_has_a_corner():
    right, left = (sp.limit(RELU.subs(X, step) / step, H, 0) for step in (H, -H))
    return equal(right, 1) and equal(left, 0)


def the_tanh_form_is_nearer_than_relu():
    """The form as printed is that of the book, and its largest error is less than ReLU's at 1."""
    printed = X / 2 * (1 + tanh(sqrt(2 / pi) * (X + CUBIC * X**3)))
    return equal(printed, gelu_tanh()) and less("page-error-gelu", 1 - GELU(sp.S.One))


def the_sigmoid_form_is_nearer_than_relu():
    same = equal(X * logistic(SCALE * X), gelu_sigmoid())
    return same and less("scale-1702-error-gelu", 1 - GELU(sp.S.One))


def the_slope_is_kept():
    slope = tanh(LOCAL_SLOPE * X + B * X**3).diff(X).subs(X, 0)
    return equal(Derivative(erf(END), X).doit().subs(X, 0), slope)


def erf_taylor(power):
    """The Taylor coefficients of erf(x/√2)."""
    return erf_coefficient(power) / sqrt(2) ** power


def tanh_taylor(power):
    """The Taylor coefficients of tanh(ax + bx³), up to the fifth."""
    return tanh_of_odd_series((A, B), 5)[power // 2] if power % 2 else sp.S.Zero


def the_local_fit_is_local():
    """Near 0 its error begins later than that with 0.044715; but it grows, from ½ to 1 and to 2."""

    def agrees(cubic):
        at = {A: LOCAL_SLOPE, B: LOCAL_SLOPE * cubic}
        return begins({k: tanh_taylor(k).subs(at) for k in (1, 3)}, erf_taylor, 4)

    def error(x):
        return abs(erf(x / sqrt(2)) - tanh(LOCAL_SLOPE * (x + local * x**3)))

    local = local_match(3).ratio(3)
    half, one, two = map(error, (Rational(1, 2), sp.Integer(1), sp.Integer(2)))
    return agrees(local) and not agrees(CUBIC) and less(half, one) and less(one, two)


SAID = {
    gelu_is_x_times_phi: "ja-definition",
    gelu_has_a_form_with_erf: "su-same-problem zh-same-problem",
    gelu_is_differentiable: "en-derivative clay-gelu-smooth ja-gelu-smooth",
    relu_has_a_corner: "clay-relu-corner ja-relu-corner",
    phi_is_the_integral_of_the_density: "en-phi-integral su-phi-integral zh-phi-integral",
    the_bell_has_no_elementary_integral: "en-simpler-formula su-not-elementary zh-not-elementary",
    erf_is_the_integral: "en-erf-integral su-erf-integral zh-erf-integral clay-erf-definition",
    erf_is_odd: "en-erf-odd su-erf-odd",
    erf_increases: "su-erf-increasing clay-erf-falls",
    erf_vanishes_at_0: "en-constant clay-erf-zero",
    erf_has_the_limits_of_a_sign: "su-erf-limits",
    the_tanh_form_is_nearer_than_relu: "en-tanh-form su-tanh-form zh-tanh-form clay-tanh-form",
    the_sigmoid_form_is_nearer_than_relu: "su-sigmoid-form zh-sigmoid-form clay-sigmoid-form",
    the_slope_is_kept: "su-first-order zh-first-order",
    the_local_fit_is_local: "su-local-is-local zh-local-is-local",
}
"""The claims that are no more than what a function decides."""

ROUNDED = {
    "en-half-fraction": ("page-cubic", Rational(11, 123) / 2),
    "en-gamma": ("gelu-paper-scale", "logistic-scale"),
    "en-deviation": ("note-en-deviation", "scale-1702-error-phi"),
    "en-place": ("note-en-place", "scale-1702-place"),
    "en-best-fit": ("gelu-paper-scale", "logistic-scale"),
    "su-local-decimal": ("su-local-cubic", "taylor-cubic"),
    "su-match": ("page-cubic", Rational(numeral("su-cubic"))),
    "su-scale-match": ("gelu-paper-scale", Rational(numeral("su-scale"))),
    "zh-local-decimal": ("su-local-cubic", "taylor-cubic"),
    "zh-b": ("note-zh-b", registered("tanh-pinned-cubic", times=LOCAL_SLOPE)),
    "zh-conversion": ("note-zh-cubic", Rational(numeral("note-zh-b")) / sqrt(2 / pi)),
    "zh-scale": ("note-zh-scale", "logistic-scale"),
    "ja-ratio-minus-1": ("hello-phi-at-minus-1", GELU(sp.Integer(-1)) / -1),
    "ja-ratio-1": ("hello-phi-at-1", GELU(sp.Integer(1)) / 1),
    "ja-ratio-2": ("hello-phi-at-2", GELU(sp.Integer(2)) / 2),
    "myth-fraction-better": (
        "question-cubic",
        registered("tanh-pinned-cubic", times=sp.Integer(2)),
    ),
}
"""The claims that a printed number is another one, rounded."""
