"""The statements of the post in Japanese: the density, the derivative, three plots."""

from __future__ import annotations

import sympy as sp
from sympy import Derivative, Piecewise, Rational, Symbol, exp, pi, sqrt

from gelu_lib.claims import programs
from gelu_lib.claims.checks import All, Chain, Digits, Equal, Prints
from gelu_lib.claims.statements import Checks
from gelu_lib.functions import GELU, Phi, X, phi
from gelu_lib.register import result

RELU = Piecewise((0, X < 0), (X, True))
STEP = Symbol("h", positive=True)
PRINTED = ("hello-phi-at-minus-1", "hello-phi-at-1", "hello-phi-at-2")

CHECKS = {
    "ja-density": Checks(
        printed=Equal((exp(X**2 / 2) / sqrt(2 * pi), phi(X))),
        repaired=Equal((exp(-(X**2) / 2) / sqrt(2 * pi), phi(X))),
    ),
    "ja-definition": Checks(Equal((GELU(X), X * Phi(X)))),
    "ja-derivative": Checks(
        Chain(
            "gelu-derivative",
            (
                Derivative(X * Phi(X), X),
                Phi(X) + X * Derivative(Phi(X), X),
                Phi(X) + X * phi(X),
            ),
        )
    ),
    "ja-relu-label": Checks(
        printed=Equal((X, RELU)),
        repaired=Equal((X.subs(X, STEP), RELU.subs(X, STEP))),
    ),
    "ja-print": Checks(
        Prints(programs.print_phi, " ".join(result(literal).value for literal in PRINTED))
    ),
    "ja-ratio-minus-1": Checks(Digits(PRINTED[0], GELU(sp.Integer(-1)) / -1)),
    "ja-ratio-1": Checks(Digits(PRINTED[1], GELU(sp.S.One))),
    "ja-ratio-2": Checks(Digits(PRINTED[2], GELU(sp.Integer(2)) / 2)),
    "ja-plotted-range": Checks(
        printed=Prints(programs.print_whether_two_is_plotted, "x = 2 is plotted"),
        repaired=Digits(PRINTED[2], GELU(Rational(199, 100)) / Rational(199, 100)),
    ),
    "ja-relu-corner": Checks(
        Equal(
            (
                sp.limit(RELU.subs(X, STEP) / STEP, STEP, 0)
                - sp.limit(RELU.subs(X, -STEP) / -STEP, STEP, 0),
                1,
            )
        )
    ),
    "ja-gelu-smooth": Checks(
        Equal((Derivative(GELU(X), X), Phi(X) + X * phi(X)), by=("gelu-derivative",))
    ),
    "ja-tangent": Checks(
        All(
            (
                Equal((GELU(X).diff(X).subs(X, 0), Phi(sp.S.Zero))),
                Equal((GELU(X).subs(X, 0), 0)),
            )
        )
    ),
}
"""What decides each statement of the post that is not editorial, by its ID."""
