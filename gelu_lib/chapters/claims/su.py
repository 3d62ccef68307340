"""The statements of Su's post: the forms, the local, the global and the mixed fit."""

from __future__ import annotations

import sympy as sp
from sympy import Rational, Symbol, erf, exp, pi, sin, sqrt, tan, tanh

from gelu_lib.chapters.claims import programs
from gelu_lib.chapters.claims.checks import (
    All,
    Below,
    Chain,
    Closer,
    Coefficients,
    Digits,
    Equal,
    Less,
    Not,
    Positive,
    Told,
    Within,
)
from gelu_lib.chapters.claims.common import (
    END,
    ERF_AS_AN_INTEGRAL,
    ERF_HAS_LIMITS,
    ERF_IS_ODD,
    GELU_BY_ERF,
    GELU_BY_PHI,
    HALF,
    IS_LOCAL,
    IS_NOT_ELEMENTARY,
    IS_THE_SIGMOID_FORM,
    IS_THE_TANH_FORM,
    KEEPS_THE_SLOPE,
    LOCAL_B,
    PHI_AS_AN_INTEGRAL,
    A,
    B,
    C,
    erf_taylor,
    tanh_taylor,
)
from gelu_lib.chapters.claims.compared import Registered
from gelu_lib.chapters.claims.programs import Prints
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.functions.expressions import LOCAL_SLOPE, Phi, X
from gelu_lib.functions.series import local_match
from gelu_lib.register import result

TENTH, FAR = Rational(1, 10), sp.Integer(8)
POWELL = Rational(str(programs.TOLERANCE))
GRID_EFFECT = Rational("0.0005") ** 2
"""The square of half a step of the grid: next to a peak the error falls off by the square."""
ROUNDINGS = Rational(4, 2**53)
"""Four roundings to double precision: of 2/π, its root, the printed number and the quotient."""

N = Symbol("n", integer=True, nonnegative=True)
D, E, F = (Symbol(name, real=True) for name in "def")
CANDIDATES = (
    tanh(A * X + B * X**3 + C * X**5),
    A * tanh(X) + B * tanh(X) ** 3 + C * tanh(X) ** 5,
    A * tanh(B * X) + C * tanh(D * X) + E * tanh(F * X),
)


TANH = tanh(X).rewrite(exp)


def odd(*functions: sp.Expr) -> All:
    """The functions of x are odd."""
    return All(*(Equal(f.subs(X, -X), -f) for f in functions))


FORMULAS = {
    "su-not-elementary": Checks(IS_NOT_ELEMENTARY),
    "su-definition": Checks(All(GELU_BY_PHI, Chain("phi-erf", (Phi(X), HALF * (1 + erf(END)))))),
    "su-phi-integral": Checks(PHI_AS_AN_INTEGRAL),
    "su-erf-integral": Checks(ERF_AS_AN_INTEGRAL),
    "su-sigmoid-form": Checks(IS_THE_SIGMOID_FORM),
    "su-tanh-form": Checks(IS_THE_TANH_FORM),
    "su-same-problem": Checks(GELU_BY_ERF),
    "su-erf-odd": Checks(ERF_IS_ODD),
    "su-erf-increasing": Checks(Positive(erf(X).diff(X))),
    "su-erf-limits": Checks(ERF_HAS_LIMITS),
    "su-odd-functions": Checks(odd(X ** (2 * N + 1), sin(X), tan(X), tanh(X), sin(X + X**3))),
    "su-tanh": Checks(
        All(odd(TANH), Positive(TANH.diff(X)), Positive(1 - TANH), Positive(1 + TANH))
    ),
    "su-tanh-resembles": Checks(
        All(
            Below(tanh(X) - erf(X), TENTH, sp.S.Zero, FAR),
            Told("beyond 8", Less(1 - erf(FAR), TENTH)),
            Told("and", Less(1 - tanh(FAR), TENTH)),
        )
    ),
    "su-candidates": Checks(odd(*CANDIDATES)),
}

LOCAL = {
    "su-residual": Checks(
        Coefficients(
            {1: sqrt(2 / pi) - A, 3: A**3 / 3 - B - 1 / (3 * sqrt(2 * pi))},
            lambda k: erf_taylor(k) - tanh_taylor(k),
            4,
        )
    ),
    "su-local-solution": Checks(
        All(
            Equal(LOCAL_SLOPE, local_match(3).coefficients[0]),
            Equal((4 - pi) / (3 * sqrt(2) * pi ** Rational(3, 2)), LOCAL_B),
            Equal(LOCAL_B, local_match(3).coefficients[1]),
        )
    ),
    "su-local-decimal": Checks(Digits("su-local-cubic", "taylor-cubic")),
    "su-local-is-local": Checks(IS_LOCAL),
    "su-first-order": Checks(KEEPS_THE_SLOPE),
}

GLOBAL = {
    "su-weights": Checks(
        Less(
            Registered("criteria-tanh-pinned-phi", "L2, k"),
            Registered("criteria-tanh-pinned-phi", "Gaussian L2, k"),
        )
    ),
    "su-no-weight": Checks(
        printed=Digits("page-cubic", "tanh-gelu-cubic"),
        repaired=Digits("page-cubic", "tanh-pinned-cubic"),
    ),
    "su-script": Checks(Prints(programs.print_cubic, f"[{result('note-zh-b').value}]")),
    "su-search-result": Checks(Within("su-b", "tanh-grid-coefficient", POWELL)),
    "su-conversion": Checks(
        Within("su-cubic", Rational(result("su-b").value) / sqrt(2 / pi), ROUNDINGS)
    ),
    "su-last-digits": Checks(Not(Digits("su-cubic", "tanh-pinned-cubic"))),
    "su-match": Checks(Digits("page-cubic", Rational(result("su-cubic").value))),
    "su-best-for-gelu": Checks(
        All(
            Closer("su-cubic", "tanh-pinned-cubic", "tanh-gelu-cubic"),
            Told(
                "largest error of GELU",
                Less(Registered("criteria-tanh-pinned-gelu", "sup, error"), "page-error-gelu"),
            ),
        ),
    ),
    "su-scale-search": Checks(Within("su-scale", "logistic-grid-scale", POWELL)),
    "su-scale-optimum": Checks(
        All(
            Within("su-scale", "logistic-scale", GRID_EFFECT),
            Not(Digits("su-scale", "logistic-scale")),
        )
    ),
    "su-scale-match": Checks(Digits("gelu-paper-scale", Rational(result("su-scale").value))),
}

CHECKS = {**FORMULAS, **LOCAL, **GLOBAL}
"""What decides each statement of the post that is not editorial, by its ID."""
