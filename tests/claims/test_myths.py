"""What is said of the constants in other places than the five posts."""

import numpy as np
import sympy as sp
from deciding_claims import below, closer, equal, less, numeral, registered, rounded
from scipy.optimize import least_squares
from scipy.special import erf as scipy_erf
from sympy import Rational, erf, pi, sqrt, tanh

from gelu_lib.functions.expressions import GELU, LOCAL_SLOPE, PAGE_CUBIC, X, gelu_sigmoid, gelu_tanh

FRACTION, FAR = Rational(11, 123), sp.Integer(8)


def test_myth_taylor(holds):
    assert rounded("0.7978845608028654", LOCAL_SLOPE)  # the linear one is a Taylor coefficient
    assert holds is rounded("page-cubic", "taylor-cubic")
    assert rounded("page-cubic", "tanh-pinned-cubic")


def test_myth_root(holds):
    assert holds is rounded("gelu-paper-scale", LOCAL_SLOPE)
    assert rounded("gelu-paper-scale", "logistic-scale")
    assert not rounded("gelu-paper-scale", 2 * LOCAL_SLOPE)


def test_myth_samples(holds):
    """Ever more samples from an ever wider range tend to the optimum of the mean square."""
    least_square = registered("criteria-tanh-pinned-phi", "L2, k")
    assert holds is rounded("page-cubic", least_square)
    assert closer("page-cubic", least_square, "answer-cubic")
    assert rounded("page-cubic", "tanh-pinned-cubic")

    def error(k, x):
        return np.tanh(np.sqrt(2 / np.pi) * (x + k * x**3)) - scipy_erf(x / np.sqrt(2))

    for half_width in (6, 12):
        x = np.linspace(-half_width, half_width, 20_001)
        found = least_squares(error, 0.045, xtol=1e-15, ftol=1e-15, args=(x,))
        assert abs(found.x[0] - float(least_square[0])) < 2e-7


def test_myth_fraction(holds):
    assert holds is equal(PAGE_CUBIC, FRACTION / 2)
    assert closer("tanh-pinned-cubic", PAGE_CUBIC, FRACTION / 2)


def test_myth_fraction_bound(holds):
    """Beyond 8 both erf and the formula lie between their values there and 1."""
    form = tanh(2 / sqrt(pi) * (X + FRACTION * X**3))
    beyond = (1 - erf(FAR), 1 - form.subs(X, FAR))
    near = below(erf(X) - form, "question-bound", 0, FAR)
    assert holds is (near and all(less(short, "question-bound") for short in beyond))


def test_myth_lowest(holds):
    assert holds is less("bowling-printed-error-phi", "hastings-error-phi")
    hastings = registered("hastings-error-phi", times=sp.Integer(2000))
    assert less(hastings, "bowling-printed-error-phi")


def test_myth_below(holds):
    assert holds is less("bowling-printed-error-phi", "bowling-error")
    assert rounded("bowling-error", "bowling-printed-error-phi")


def test_myth_gap(holds):
    assert holds is below(GELU(X) - gelu_tanh(), "cumo-gap", 0, FAR)
    assert less("cumo-gap", "page-error-gelu")


def test_myth_scale_digits(holds):
    assert holds is less("logistic-scale-error", "yang-error")


def test_myth_stale_bound(holds):
    assert holds is below(GELU(X) - gelu_sigmoid(), "mlx-bound", -6, 6)
    first = Rational(numeral("mlx-scale"))  # of the function until 2024-02-27
    assert below(GELU(X) - gelu_sigmoid(X, first), "mlx-bound", -6, 6)
    assert rounded("mlx-scale", "logistic-gelu-scale")
    assert less("mlx-bound", "scale-1702-error-gelu")
