"""The statements of the post in Japanese: the formula, the derivative, what is read off a plot."""

import said_by_several as several
import sympy as sp
from deciding_claims import equal, lines_of, numeral, rounded
from scipy.special import ndtr
from sympy import Derivative, Integral, oo

from gelu_lib.functions.expressions import GELU, Phi, T, X, phi


def test_ja_phi_integral(holds):
    assert holds is lines_of("phi-erf", Phi(X), Integral(phi(T), (T, -oo, X)))


def test_ja_definition(holds):
    assert holds is several.gelu_is_x_times_phi()


def test_ja_derivative(holds):
    assert holds is lines_of(
        "gelu-derivative",
        Derivative(X * Phi(X), X),
        Phi(X) + X * Derivative(Phi(X), X),
        Phi(X) + X * phi(X),
    )


def test_ja_print(holds):
    printed = [numeral(f"hello-phi-at-{x}") for x in ("minus-1", "1", "2")]
    assert holds is ([f"{ndtr(x):.2f}" for x in (-1, 1, 2)] == printed)


def test_ja_ratio_minus_1(rounds):
    assert rounds is rounded("hello-phi-at-minus-1", GELU(sp.Integer(-1)) / -1)


def test_ja_ratio_1(rounds):
    assert rounds is rounded("hello-phi-at-1", GELU(sp.Integer(1)) / 1)


def test_ja_ratio_2(rounds):
    assert rounds is rounded("hello-phi-at-2", GELU(sp.Integer(2)) / 2)


def test_ja_relu_corner(holds):
    assert holds is several.relu_has_a_corner()


def test_ja_gelu_smooth(holds):
    assert holds is several.gelu_is_differentiable()


def test_ja_tangent(holds):
    slope = GELU(X).diff(X).subs(X, 0)
    assert holds is (equal(slope, Phi(sp.Integer(0))) and equal(GELU(X).subs(X, 0), 0))
