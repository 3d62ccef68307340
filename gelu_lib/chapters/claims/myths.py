"""What is said of the constants in other places than the five posts, and what decides it."""

from __future__ import annotations

import sympy as sp
from sympy import Rational, erf

from gelu_lib.chapters.claims.checks import All, Below, Closer, Digits, Equal, Less, Not, Told
from gelu_lib.chapters.claims.compared import Registered, literal
from gelu_lib.chapters.claims.note_en import FAR, erf_form
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.functions.expressions import GELU, LOCAL_SLOPE, PAGE_CUBIC, X, gelu_sigmoid, gelu_tanh

HALF_FRACTION = Rational(11, 246)
SIX = sp.Integer(6)
FIRST_SCALE = Rational(literal("mlx-scale"))
"""The scale of the sigmoid form in MLX until 2024-02-27."""
LEAST_SQUARES = Registered("criteria-tanh-pinned-phi", "L2, k")
"""The best cubic coefficient for the mean square of the error over the line."""

CHECKS = {
    "myth-taylor": Checks(
        printed=All(
            Digits("0.7978845608028654", LOCAL_SLOPE), Digits("page-cubic", "taylor-cubic")
        ),
        repaired=All(
            Digits("0.7978845608028654", LOCAL_SLOPE), Digits("page-cubic", "tanh-pinned-cubic")
        ),
    ),
    "myth-root": Checks(
        printed=Digits("gelu-paper-scale", LOCAL_SLOPE),
        repaired=All(
            Digits("gelu-paper-scale", "logistic-scale"),
            Told("twice the root", Not(Digits("gelu-paper-scale", 2 * LOCAL_SLOPE))),
        ),
    ),
    "myth-samples": Checks(
        printed=Digits("page-cubic", LEAST_SQUARES),
        repaired=All(
            Closer("page-cubic", LEAST_SQUARES, "answer-cubic"),
            Digits("page-cubic", "tanh-pinned-cubic"),
        ),
    ),
    "myth-fraction": Checks(
        printed=Equal(PAGE_CUBIC, HALF_FRACTION),
        repaired=Closer("tanh-pinned-cubic", PAGE_CUBIC, HALF_FRACTION),
    ),
    "myth-fraction-bound": Checks(
        All(
            Below(erf(X) - erf_form(2 * HALF_FRACTION), "question-bound", sp.S.Zero, FAR),
            Told("beyond 8", Less(1 - erf(FAR), "question-bound")),
            Told("and", Less(1 - erf_form(2 * HALF_FRACTION, FAR), "question-bound")),
        )
    ),
    "myth-fraction-better": Checks(
        Digits("question-cubic", Registered("tanh-pinned-cubic", factor=sp.Integer(2)))
    ),
    "myth-lowest": Checks(
        printed=Less("bowling-printed-error-phi", "hastings-error-phi"),
        repaired=Less(
            Registered("hastings-error-phi", factor=sp.Integer(2000)), "bowling-printed-error-phi"
        ),
    ),
    "myth-below": Checks(
        printed=Less("bowling-printed-error-phi", "bowling-error"),
        repaired=Digits("bowling-error", "bowling-printed-error-phi"),
    ),
    "myth-gap": Checks(
        printed=Below(GELU(X) - gelu_tanh(), "cumo-gap", sp.S.Zero, FAR),
        repaired=Less("cumo-gap", "page-error-gelu"),
    ),
    "myth-scale-digits": Checks(
        printed=Less("logistic-scale-error", "yang-error"),
        repaired=Less("yang-error", "logistic-scale-error"),
    ),
    "myth-stale-bound": Checks(
        printed=Below(GELU(X) - gelu_sigmoid(), "mlx-bound", -SIX, SIX),
        repaired=All(
            Told(
                "at first",
                Below(GELU(X) - gelu_sigmoid(X, FIRST_SCALE), "mlx-bound", -SIX, SIX),
            ),
            Told("which is", Digits("mlx-scale", "logistic-gelu-scale")),
            Told("now", Less("mlx-bound", "scale-1702-error-gelu")),
        ),
    ),
}
"""What decides each of them, by its ID."""
