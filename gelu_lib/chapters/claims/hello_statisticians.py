"""The statements of the post in Japanese: the density, the derivative, three plots."""

from __future__ import annotations

import sympy as sp
from sympy import Derivative, Integral, Rational, exp, oo, pi, sqrt

from gelu_lib.chapters.claims import programs
from gelu_lib.chapters.claims.checks import All, Chain, Digits, Equal
from gelu_lib.chapters.claims.common import GELU_BY_PHI, GELU_IS_SMOOTH, RELU, RELU_HAS_A_CORNER
from gelu_lib.chapters.claims.programs import Draws, Prints
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.functions.expressions import GELU, Phi, T, X, phi
from gelu_lib.register import result

LAST_PLOTTED = Rational(199, 100)
PRINTED = ("hello-phi-at-minus-1", "hello-phi-at-1", "hello-phi-at-2")

CHECKS = {
    "ja-density": Checks(
        printed=Equal(exp(X**2 / 2) / sqrt(2 * pi), phi(X)),
        repaired=Equal(exp(-(X**2) / 2) / sqrt(2 * pi), phi(X)),
    ),
    "ja-phi-integral": Checks(Chain("phi-erf", (Phi(X), Integral(phi(T), (T, -oo, X))))),
    "ja-definition": Checks(GELU_BY_PHI),
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
    "ja-first-plot": Checks(Draws(programs.first_plot, {"ReLU": RELU, "GELU": GELU(X)})),
    "ja-relu-label": Checks(
        printed=Draws(programs.second_plot, {"ReLU": RELU}),
        repaired=Draws(programs.second_plot, {"ReLU": X, "GELU": GELU(X)}),
    ),
    "ja-print": Checks(
        Prints(programs.print_phi, " ".join(result(literal).value for literal in PRINTED))
    ),
    "ja-ratio-minus-1": Checks(Digits(PRINTED[0], GELU(sp.Integer(-1)) / -1)),
    "ja-ratio-1": Checks(Digits(PRINTED[1], GELU(sp.S.One))),
    "ja-ratio-2": Checks(Digits(PRINTED[2], GELU(sp.Integer(2)) / 2)),
    "ja-plotted-range": Checks(
        All(
            Prints(programs.print_last_of_second_plot, str(sp.N(LAST_PLOTTED, 3))),
            Digits(PRINTED[2], GELU(LAST_PLOTTED) / LAST_PLOTTED),
        )
    ),
    "ja-relu-corner": Checks(RELU_HAS_A_CORNER),
    "ja-gelu-smooth": Checks(GELU_IS_SMOOTH),
    "ja-tangent": Checks(
        All(Equal(GELU(X).diff(X).subs(X, 0), Phi(sp.S.Zero)), Equal(GELU(X).subs(X, 0), 0))
    ),
    "ja-third-plot": Checks(
        Draws(programs.third_plot, {"GELU": GELU(X), "tangent_line": Phi(sp.S.Zero) * X})
    ),
}
"""What decides each statement of the post that is not editorial, by its ID."""
