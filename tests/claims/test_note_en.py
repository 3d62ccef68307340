"""The statements of the note in English: definitions, derivatives, series, the logistic fit."""

from itertools import pairwise

import numpy as np
import pytest
import said_by_several as several
import sympy as sp
from deciding_claims import N, begins, closer, equal, every_term, lines_of, positive, registered
from said_by_several import CUBIC, END, GAUSS, SCALE
from sympy import Derivative, Integral, Rational, Symbol, erf, exp, factorial, oo, pi, sqrt, tanh

from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.derivations.identities.phi_erf import LOCATION, WIDTH
from gelu_lib.derivations.identities.symbols import S
from gelu_lib.derivations.notation import DEFINITIONS, NormalProbability
from gelu_lib.functions.expressions import Phi, T, X, gelu_sigmoid, gelu_tanh, logistic, phi
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.functions.series import (
    erf_coefficient,
    local_match,
    tanh_coefficient,
    tanh_of_odd_series,
)

INNER = sqrt(2 / pi) * (X + CUBIC * X**3)
FADE = exp(-SCALE * X)
FRONT = 2 / sqrt(pi)
TAYLOR = (4 - pi) / (3 * pi)
FRACTION = Rational(11, 123)
W, R, A1, A3 = Symbol("w", positive=True), Symbol("R", positive=True), *sp.symbols("a_1 a_3")
DECAY = exp(-(X - LOCATION) / WIDTH)


def test_en_definition(holds):
    assert holds is (
        several.gelu_has_a_form_with_erf() and several.phi_is_the_standard_normal_probability()
    )


def test_en_which_normal(holds):
    normal = DEFINITIONS[NormalProbability](-oo, X, LOCATION, WIDTH**2)
    density = exp(-(((X - LOCATION) / WIDTH) ** 2) / 2) / (WIDTH * sqrt(2 * pi))
    assert holds is (equal(normal, Phi(X)) and equal(density, phi(X)))
    standard = {LOCATION: 0, WIDTH: 1}
    assert lines_of("phi-erf", Phi(X), normal.subs(standard))
    assert equal(density.subs(standard), phi(X))


def test_en_derivative_by_erf(holds):
    bell = exp(-(X**2) / 2)
    lines = (
        (1 + erf(END) + X * sqrt(2 / pi) * bell) / 2,
        (1 + erf(END)) / 2 + X * sqrt(1 / (2 * pi)) * bell,
        Phi(X) + X * phi(X),
    )
    assert holds is equal(sp.diff(X / 2 + X * erf(END) / 2, X), *lines, by=("phi-erf",))


def test_en_property_of_erf(holds):
    assert holds is equal(FRACTION, TAYLOR)
    assert equal(2 * local_match(3).ratio(3), TAYLOR)
    assert closer("note-en-fraction", registered("tanh-pinned-cubic", times=sp.Integer(2)), TAYLOR)


def test_en_fraction_rescaled(holds):
    quoted = tanh(FRONT * (END + FRACTION * END**3))
    assert holds is equal(quoted, tanh(sqrt(2 / pi) * (X + FRACTION * X**3 / 2)))


def test_en_fraction_origin(holds):
    assert holds is closer("tanh-pinned-cubic", "page-cubic", FRACTION / 2)


def test_en_tanh_form_derivative(holds):
    steep = sqrt(2 / pi) * (1 + 3 * CUBIC * X**2) * (1 - tanh(INNER) ** 2)
    assert holds is equal(sp.diff(gelu_tanh(), X), (1 + tanh(INNER) + X * steep) / 2)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the cube overflows, which is the point
def test_en_tanh_form_derivative_everywhere(holds):
    def derivative(x, root, cubic, half, tanh):
        steep = (x + 3 * cubic * x**3) * (1 - tanh(root * (x + cubic * x**3)) ** 2)
        return half + half * tanh(root * (x + cubic * x**3)) + half * root * steep

    exact = derivative(X, sqrt(2 / pi), CUBIC, Rational(1, 2), tanh)
    assert holds is equal(sp.diff(gelu_tanh(), X), exact)
    for dtype, far in ((np.float64, 1e103), (np.float32, 1e13), (np.float16, 200.0)):
        constants = (dtype(np.sqrt(2 / np.pi)), dtype(0.044715), dtype(0.5))
        assert derivative(dtype(10), *constants, np.tanh) == 1
        assert np.isnan(derivative(dtype(far), *constants, np.tanh))


def test_en_sigmoid_form(holds):
    assert holds is (
        several.the_sigmoid_form_is_nearer_than_relu() and equal(gelu_sigmoid(), X / (1 + FADE))
    )


def test_en_sigmoid_form_derivative(holds):
    printed = 1 / (1 + FADE) + SCALE * X * FADE / (1 + FADE) ** 2
    assert holds is equal(sp.diff(gelu_sigmoid(), X), printed)


def test_en_erf_variance(holds):
    x = Symbol("x", nonnegative=True)
    said = NormalProbability(-x, x, 0, Rational(1, 2))
    assert holds is equal(said, erf(x), by=("erf-probability",))


def test_en_erf_sigma(holds):
    def normal(deviation):
        density = exp(-((T / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi))
        return Integral(density, (T, -X, X))

    assert holds is equal(normal(Rational(1, 2)), erf(X))
    assert equal(normal(sqrt(2) / 2).doit(), erf(X))


def test_en_erf_derivative(holds):
    said = FRONT * exp(-(X**2))
    assert holds is equal(Derivative(erf(X), X), said, by=("erf-derivative",))


def test_en_phi_by_substitution(holds):
    split = Integral(GAUSS, (S, -oo, 0)) + Integral(GAUSS, (S, 0, END))
    assert holds is lines_of(
        "phi-erf",
        Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi),
        Integral(GAUSS, (S, -oo, END)) / sqrt(pi),
        split / sqrt(pi),
        Rational(1, 2) + erf(END) / 2,
    )


def test_en_by_taylor(holds):
    local = local_match(3)
    slope, cubic = sqrt(2) * local.coefficients[0], 2 * local.ratio(3)
    assert holds is (equal(slope, FRONT) and equal(cubic, TAYLOR))
    assert not equal(cubic, FRACTION)


def test_en_tanh_series(holds):
    def bernoulli(z):  # its series has the coefficients B_k/k!
        return z / (exp(z) - 1)

    def term(n):
        return 2 ** (2 * n) * (2 ** (2 * n) - 1) * sp.bernoulli(2 * n) / factorial(2 * n)

    generated = (bernoulli(4 * X) - bernoulli(2 * X)) / X + 1
    odd_vanish = equal(bernoulli(X) + X / 2, bernoulli(-X) - X / 2)
    same_powers = equal(2 ** (4 * N) - 2 ** (2 * N), 2 ** (2 * N) * (2 ** (2 * N) - 1))
    printed = {2 * n - 1: term(n) for n in range(1, 7)}
    assert holds is (
        equal(tanh(X).rewrite(exp), generated)
        and odd_vanish
        and same_powers
        and begins(printed, tanh_coefficient, 12)
    )


def test_en_tanh_radius(holds):
    quotient = (exp(2 * X) - 1) / (exp(2 * X) + 1)
    pole = exp(2 * sp.I * pi / 2) + 1
    assert holds is (equal(tanh(X).rewrite(exp), quotient) and equal(pole, 0))


def test_en_tanh_terms(holds):
    printed = {1: 1, 3: -Rational(1, 3), 5: Rational(2, 15), 7: -Rational(17, 315)}
    assert holds is begins(printed, tanh_coefficient, 8)


def test_en_erf_series(holds):
    term = FRONT * (-1) ** N / (factorial(N) * (2 * N + 1))
    assert holds is every_term(term, FRONT, -(2 * N + 1) / ((N + 1) * (2 * N + 3)))


def test_en_erf_terms(holds):
    printed = {k: FRONT / q for k, q in ((1, 1), (3, -3), (5, 10), (7, -42), (9, 216))}
    assert holds is begins(printed, erf_coefficient, 10)


def test_en_odd_argument(holds):
    a = sp.symbols("a_0:4")
    argument = sum(coefficient * X**k for k, coefficient in enumerate(a))
    both = argument + argument.subs(X, -X)
    assert holds is equal(both, 2 * a[0] + 2 * a[2] * X**2)


def test_en_expansion(holds):
    expanded = tanh_of_odd_series((A1, A3), 9)
    printed = {
        1: A1,
        3: A3 - A1**3 / 3,
        5: 2 * A1**5 / 15 - A1**2 * A3,
        7: -A1 * A3**2,
        9: -(A3**3) / 3,
    }
    assert holds is all(
        sp.Poly(expanded[power // 2], A1, A3).coeff_monomial(monomial) == factor
        for power, terms in printed.items()
        for monomial, factor in terms.as_coefficients_dict().items()
    )


def test_en_comparison(holds):
    first, third, *_ = tanh_of_odd_series((A1, A3), 3)
    of_tanh = equal(first, A1) and equal(third, A3 - A1**3 / 3)
    of_erf = equal(erf_coefficient(1), FRONT) and equal(erf_coefficient(3), -2 / (3 * sqrt(pi)))
    assert holds is (of_tanh and of_erf)


def test_en_index(holds):
    assert holds is equal(FRONT * TAYLOR, erf_coefficient(2))
    assert equal(FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3))


def test_en_cubic(holds):
    assert holds is equal(FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3))


def test_en_why_they_differ(holds):
    best = registered("tanh-pinned-cubic", times=sp.Integer(2))
    assert holds is closer("note-en-fraction", best, TAYLOR)


def test_en_slope_series(holds):
    assert holds is every_term(FRONT * (-1) ** N / factorial(N), FRONT, -1 / (N + 1))


def test_en_exp_series(holds):
    assert holds is every_term(1 / factorial(N), 1, 1 / (N + 1))


def test_en_uniform(holds):
    """If it were uniform, the terms would be small everywhere; each is 1 at some place."""
    place = factorial(N) ** (1 / (2 * N))
    assert holds is not equal(place ** (2 * N) / factorial(N), 1)
    bounds = sp.Sum(R ** (2 * N) / factorial(N), (N, 0, oo))
    assert equal(bounds.doit(), exp(R**2))


def test_en_logistic_density(holds):
    assert holds is lines_of("logistic-density", DECAY / (WIDTH * (1 + DECAY) ** 2))


def test_en_logistic_cdf(holds):
    density = DECAY / (WIDTH * (1 + DECAY) ** 2)
    assert holds is lines_of("logistic-density", Derivative(1 / (1 + DECAY), X), density)


def test_en_logistic_function(holds):
    assert holds is equal((1 / (1 + DECAY)).subs({LOCATION: 0, WIDTH: 1}), logistic(X))


def test_en_bell_shaped(holds):
    """A bell falls on its right side; the densities do, and the distribution functions do not."""
    laws, bells = (Phi, logistic), (phi, lambda x: exp(-x) / (1 + exp(-x)) ** 2)
    assert holds is all(positive(-law(W).diff(W)) for law in laws)
    assert all(positive(law(X).diff(X)) for law in laws)
    assert all(equal(bell(-X), bell(X)) for bell in bells)
    fall = exp(-W) * (1 - exp(-W)) / (1 + exp(-W)) ** 3
    assert positive(-phi(W).diff(W)) and equal(-bells[1](W).diff(W), fall) and positive(fall)


def test_en_same_centre(holds):
    """The error is odd, so the extrema of the best σ(cx) have mirror images of the other sign.

    Two members σ(cx + d) cross at most once: three alternating extrema on the line are enough.
    """
    proved = minimax(LOGISTIC, digits=16)
    line = [-sign for sign in reversed(proved.signs)] + list(proved.signs)
    assert holds is (1 + sum(a != b for a, b in pairwise(line)) >= 3)
    assert len(proved.points) == len(proved.signs) and equal(logistic(-X), 1 - logistic(X))
