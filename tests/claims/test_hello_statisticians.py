"""The statements of the post in Japanese: the formula, the derivative, what is read off a plot."""

import sympy as sp
from deciding_claims import equal, lines_of, numeral
from scipy.special import ndtr
from sympy import Derivative, Integral, oo

from gelu_lib.functions.expressions import GELU, Phi, T, X, phi


def test_ja_phi_integral(holds):
    assert holds is lines_of("phi-erf", Phi(X), Integral(phi(T), (T, -oo, X)))


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


def test_ja_tangent(holds):
    slope = GELU(X).diff(X).subs(X, 0)
    assert holds is (equal(slope, Phi(sp.Integer(0))) and equal(GELU(X).subs(X, 0), 0))
