"""Definitions mean what SymPy and SciPy mean, and TeX is set as the book sets it."""

import pytest
import scipy.stats
from sympy import (
    Add,
    Derivative,
    Integer,
    Integral,
    Interval,
    Limit,
    Mul,
    N,
    Rational,
    Subs,
    Sum,
    Symbol,
    cosh,
    erf,
    exp,
    log,
    oo,
    pi,
    sinh,
    sqrt,
    tanh,
)

from gelu_lib.derivations.notation import (
    DEFINITIONS,
    NONNEGATIVE,
    BernoulliMean,
    Coefficient,
    LogisticCDF,
    LogisticDensity,
    NormalProbability,
    name_tex,
    tex,
)
from gelu_lib.derivations.rules import Inequality, unfolded
from gelu_lib.functions.expressions import GELU, PAGE_CUBIC, Phi, T, X, logistic, phi

HALF = Rational(1, 2)
mu, s = Symbol("mu", real=True), Symbol("s", positive=True)
k = Symbol("k", integer=True, positive=True)


@pytest.mark.parametrize("function", [phi, Phi, erf, GELU, logistic, tanh, sinh, cosh])
@pytest.mark.parametrize("x", [Rational(-7, 5), Rational(0), Rational(2, 3)])
def test_a_definition_agrees_with_the_evaluation_of_the_function(function, x):
    formula = unfolded(DEFINITIONS[function](x), phi)  # Φ is defined by φ
    assert abs(N(formula, 20) - N(function(x), 20)) <= 1e-15


def test_the_distributions_agree_with_scipy_and_say_when_they_make_sense():
    variance = Rational(1, 2)
    law = scipy.stats.norm(0.25, float(variance) ** 0.5)
    ours = DEFINITIONS[NormalProbability](-1, 2, Rational(1, 4), variance)
    assert float(N(ours)) == pytest.approx(law.cdf(2) - law.cdf(-1), rel=1e-12)
    law = scipy.stats.logistic(loc=1, scale=0.5)
    assert float(N(DEFINITIONS[LogisticCDF](2, 1, HALF))) == pytest.approx(law.cdf(2), rel=1e-14)
    density = DEFINITIONS[LogisticDensity](2, 1, HALF)
    assert float(N(density)) == pytest.approx(law.pdf(2), rel=1e-14)
    assert DEFINITIONS[BernoulliMean](X, s) == X * s
    own = {f for f in DEFINITIONS if f.__module__ == "gelu_lib.derivations.notation"}
    assert own == set(NONNEGATIVE)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (X / sqrt(2), r"\frac{x}{\sqrt{2}}"),
        (sqrt(2) / 2, r"\frac{1}{\sqrt{2}}"),
        (sqrt(2 / pi), r"\sqrt{\frac{2}{\pi}}"),
        (sqrt(pi / 2), r"\sqrt{\frac{\pi}{2}}"),
        (1 / sqrt(2 * pi), r"\frac{1}{\sqrt{2 \pi}}"),
        (-sqrt(pi) / 2, r"-\frac{\sqrt{\pi}}{2}"),
        ((4 - pi) / (6 * pi), r"\frac{4 - \pi}{6 \pi}"),
        (2 * sqrt(2) / (3 * pi ** Rational(3, 2)), r"\frac{2}{3 \pi} \sqrt{\frac{2}{\pi}}"),
        (HALF, r"\frac{1}{2}"),
        (PAGE_CUBIC * X**3, "0.044715 x^{3}"),
        (-PAGE_CUBIC, "-0.044715"),
        (1 - X, "1 - x"),
        (X - 1, "x - 1"),
        (1 / X, r"\frac{1}{x}"),
        ((X - mu) / s, r"\frac{x - \mu}{s}"),
        (Mul(HALF, 1 + tanh(X), evaluate=False), r"\frac{1}{2} (1 + \tanh(x))"),
        (Mul(0, Phi(0, evaluate=False), evaluate=False), r"0 \cdot \Phi(0)"),
        (Add(Phi(X), X * phi(X), evaluate=False), r"\Phi(x) + x \varphi(x)"),
        (Add(X * phi(X), Phi(X), evaluate=False), r"x \varphi(x) + \Phi(x)"),
        (exp(-(T**2) / 2), "e^{-t^{2}/2}"),
        (exp(-X / (2 * s)), "e^{-x/(2 s)}"),
        (tanh(X) ** 2, r"\tanh^{2}(x)"),
        (log(2), r"\ln{\left(2 \right)}"),
        (erf(X / sqrt(2)), r"\operatorname{erf}\left(\frac{x}{\sqrt{2}}\right)"),
        (Derivative(GELU(X), X), r"\operatorname{GELU}'(x)"),
        (Derivative(Phi(X), X, X), r"\Phi''(x)"),
        (Derivative(X * Phi(X), X), r"\frac{\mathrm{d}}{\mathrm{d} x} (x \Phi(x))"),
        (Derivative(logistic(s * X), s), r"\frac{\partial}{\partial s} \sigma(x s)"),
        (Subs(Derivative(GELU(X), X), X, 0), r"\operatorname{GELU}'(0)"),
        (Integral(phi(T), (T, -oo, X)), r"\int_{-\infty}^{x} \varphi(t)\,\mathrm{d}t"),
        (Integral(1, (T, 0, X / sqrt(2))), r"\int_{0}^{x/\sqrt{2}} \,\mathrm{d}t"),
        (X * Integral(T + 1, (T, 0, 1)), r"x \int_{0}^{1} (1 + t)\,\mathrm{d}t"),
        (Integral(T, (T, 0, 1)) ** 2, r"\left(\int_{0}^{1} t\,\mathrm{d}t\right)^{2}"),
        (Limit(X, X, oo), r"\lim_{x \to \infty} x"),
        (Sum(1 / k**2, (k, 1, oo)), r"\sum_{k=1}^{\infty} \frac{1}{k^{2}}"),
        (Coefficient(tanh(X), X, 3), r"[x^{3}]\,\tanh(x)"),
        (LogisticCDF(X, mu, s), r"F(x;\mu,s)"),
        (BernoulliMean(X, Phi(X)), r"\mathbb{E}[x B_{\Phi(x)}]"),
        (NormalProbability(-X, X, 0, HALF), r"\mathrm{P}_{\mathcal{N}(0,\,1/2)}(-x \le T \le x)"),
    ],
)
def test_tex(expression, expected):
    assert tex(expression) == expected


def test_names_have_no_spacing_and_a_coefficient_binds_its_variable():
    assert name_tex(erf) == r"\mathrm{erf}"
    assert name_tex(Phi) == r"\Phi"
    assert Coefficient(tanh(s * X), X, 3).free_symbols == {s}
    assert Coefficient(X, X, 1).args[2] == Integer(1)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (Interval.open(0, oo), "0 < x"),
        (Interval(0, 1), r"0 \le x \le 1"),
        (Interval.Ropen(-oo, HALF), r"x < \frac{1}{2}"),
    ],
)
def test_tex_of_a_domain(interval, expected):
    assert Inequality(">", X, interval).domain() == expected
