"""The statements of Su's post: the forms, the local, the global and the mixed fit."""

from __future__ import annotations

import sympy as sp
from sympy import Derivative, Limit, Rational, Symbol, erf, exp, oo, pi, sin, sqrt, tan, tanh

from gelu_lib.claims import programs
from gelu_lib.claims.checks import (
    All,
    Coefficients,
    Digits,
    Equal,
    Less,
    Not,
    NotElementary,
    Positive,
    Prints,
    Registered,
    Within,
)
from gelu_lib.claims.note_zh import GROWS, LOCAL_B, A, B, erf_taylor, tanh_taylor
from gelu_lib.claims.statements import Checks
from gelu_lib.functions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
)
from gelu_lib.register import result
from gelu_lib.series import local_match

HALF = Rational(1, 2)
POWELL = Rational(str(programs.TOLERANCE))
N = Symbol("n", integer=True, nonnegative=True)
C, D, E, F = (Symbol(name, real=True) for name in "cdef")
CANDIDATES = (
    tanh(A * X + B * X**3 + C * X**5),
    A * tanh(X) + B * tanh(X) ** 3 + C * tanh(X) ** 5,
    A * tanh(B * X) + C * tanh(D * X) + E * tanh(F * X),
)


def odd(*functions: sp.Expr) -> All:
    """The functions of x are odd."""
    return All(tuple(Equal((f.subs(X, -X), -f)) for f in functions))


FORMULAS = {
    "su-not-elementary": Checks(NotElementary(exp(-(X**2)))),
    "su-definition": Checks(
        Equal((GELU(X), X * Phi(X), X * HALF * (1 + erf(X / sqrt(2)))), by=("phi-erf",))
    ),
    "su-sigmoid-form": Checks(Equal((X * logistic(LOGISTIC_SCALE * X), gelu_sigmoid()))),
    "su-tanh-form": Checks(
        Equal((HALF * X * (1 + tanh(sqrt(2 / pi) * (X + PAGE_CUBIC * X**3))), gelu_tanh()))
    ),
    "su-same-problem": Checks(
        printed=Digits("page-cubic", "tanh-gelu-cubic"),
        repaired=Digits("page-cubic", "tanh-pinned-cubic"),
    ),
    "su-erf-odd": Checks(Equal((erf(-X, evaluate=False), -erf(X)), by=("erf-odd",))),
    "su-erf-increasing": Checks(Positive(erf(X).diff(X))),
    "su-erf-limits": Checks(
        Equal((Limit(erf(X), X, oo), 1), by=("erf-limit",)),
    ),
    "su-odd-functions": Checks(odd(X ** (2 * N + 1), sin(X), tan(X), tanh(X), sin(X + X**3))),
    "su-tanh": Checks(
        All(
            (
                odd(tanh(X)),
                Positive(1 - tanh(X) ** 2),
                Positive(1 - tanh(X)),
                Positive(1 + tanh(X)),
            )
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
            (
                Equal((LOCAL_SLOPE, local_match(3).coefficients[0])),
                Equal(((4 - pi) / (3 * sqrt(2) * pi ** Rational(3, 2)), LOCAL_B)),
                Equal((LOCAL_B, local_match(3).coefficients[1])),
            )
        )
    ),
    "su-local-decimal": Checks(Digits("su-local-cubic", "taylor-cubic")),
    "su-local-is-local": Checks(GROWS),
    "su-first-order": Checks(
        Equal(
            (
                Derivative(erf(X / sqrt(2)), X).doit().subs(X, 0),
                tanh(LOCAL_SLOPE * X + B * X**3).diff(X).subs(X, 0),
            )
        )
    ),
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
        Within("su-cubic", Rational(result("su-b").value) / sqrt(2 / pi), Rational(1, 10**15))
    ),
    "su-last-digits": Checks(Not(Digits("su-cubic", "tanh-pinned-cubic"))),
    "su-match": Checks(Digits("page-cubic", Rational(result("su-cubic").value))),
    "su-forty-years": Checks(Less(40, 2020 - 1977)),
    "su-scale-search": Checks(Within("su-scale", "logistic-grid-scale", POWELL)),
    "su-scale-optimum": Checks(
        printed=Digits("su-scale", "logistic-scale"),
        repaired=Digits("note-zh-scale", "logistic-scale"),
    ),
    "su-scale-match": Checks(Digits("gelu-paper-scale", Rational(result("su-scale").value))),
}

CHECKS = {**FORMULAS, **LOCAL, **GLOBAL}
"""What decides each statement of the post that is not editorial, by its ID."""
