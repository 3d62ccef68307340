"""The statements of the note in Chinese: the split integral, both approximations, both searches."""

from __future__ import annotations

import sympy as sp
from sympy import Integral, Rational, erf, oo, pi, sqrt, tanh

from gelu_lib.chapters.claims import programs
from gelu_lib.chapters.claims.checks import (
    All,
    Chain,
    Coefficients,
    Depends,
    Digits,
    Equal,
    Less,
    Told,
)
from gelu_lib.chapters.claims.common import (
    BELL,
    END,
    ERF_AS_AN_INTEGRAL,
    GAUSS,
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
    PHI_IS_A_PROBABILITY,
    A,
    B,
    C,
    erf_taylor,
    tanh_taylor,
)
from gelu_lib.chapters.claims.compared import Registered, bounds
from gelu_lib.chapters.claims.programs import Prints
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.derivations.identities.phi_erf import S, U
from gelu_lib.derivations.notation import BernoulliMean
from gelu_lib.functions.expressions import GELU, LOCAL_SLOPE, Phi, T, X, logistic
from gelu_lib.functions.series import local_match
from gelu_lib.register import result


def down(id: str) -> Rational:
    """A rational number that is not above a certified one, and hardly below it."""
    lower, _ = bounds(id)
    return Rational(lower.numerator, lower.denominator)


TERMS = {1: sqrt(2 / pi), 3: -1 / (3 * sqrt(2 * pi))}
LAST = sp.Integer(4)
LAST_INNER = LOCAL_SLOPE * (LAST + down("tanh-pinned-cubic") * LAST**3)
"""With the best coefficient rounded down 1 − tanh is not smaller."""

CUBIC_ERROR = Registered("tanh-pinned-error", factor=sp.Integer(2))
BEST_SCALE = down("logistic-scale")
"""With the best scale rounded down 1 − σ is not smaller."""

EQUATIONS = All(
    Equal(LOCAL_SLOPE, local_match(3).coefficients[0]),
    Equal(
        2 * sqrt(2) / (3 * pi ** Rational(3, 2)) - 1 / (3 * sqrt(2 * pi)),
        LOCAL_B,
        local_match(3).coefficients[1],
    ),
)

FORMULAS = {
    "zh-regulariser": Checks(Chain("gelu-expectation", (BernoulliMean(X, Phi(X)), GELU(X)))),
    "zh-definition": Checks(All(GELU_BY_PHI, PHI_IS_A_PROBABILITY)),
    "zh-phi-integral": Checks(PHI_AS_AN_INTEGRAL),
    "zh-erf-integral": Checks(ERF_AS_AN_INTEGRAL),
    "zh-split-first": Checks(
        Chain(
            "phi-erf-split-first",
            (
                Integral(BELL, (T, -oo, X)) / sqrt(2 * pi),
                (Integral(BELL.subs(T, U), (U, -oo, 0)) + Integral(BELL, (T, 0, X))) / sqrt(2 * pi),
                (sqrt(pi / 2) + sqrt(2) * Integral(GAUSS, (S, 0, END))) / sqrt(2 * pi),
                HALF + Integral(GAUSS, (S, 0, END)) / sqrt(pi),
                HALF * (1 + erf(END)),
            ),
        )
    ),
    "zh-not-elementary": Checks(IS_NOT_ELEMENTARY),
    "zh-tanh-form": Checks(IS_THE_TANH_FORM),
    "zh-sigmoid-form": Checks(IS_THE_SIGMOID_FORM),
    "zh-same-problem": Checks(GELU_BY_ERF),
}

LOCAL = {
    "zh-erf-terms": Checks(Coefficients(TERMS, erf_taylor, 4)),
    "zh-erf-remainder": Checks(
        printed=Coefficients(TERMS, erf_taylor, 5),
        repaired=Coefficients(TERMS, erf_taylor, 4),
    ),
    "zh-tanh-terms": Checks(Coefficients({1: A, 3: -(A**3 - 3 * B) / 3}, tanh_taylor, 4)),
    "zh-tanh-remainder": Checks(
        printed=Coefficients({1: A, 3: -(A**3 - 3 * B) / 3}, tanh_taylor, 5),
        repaired=Coefficients({1: A, 3: -(A**3 - 3 * B) / 3}, tanh_taylor, 4),
    ),
    "zh-local-coefficients": Checks(EQUATIONS),
    "zh-local-decimal": Checks(Digits("su-local-cubic", "taylor-cubic")),
    "zh-local-is-local": Checks(IS_LOCAL),
    "zh-first-order": Checks(KEEPS_THE_SLOPE),
}

GLOBAL = {
    "zh-range": Checks(
        All(
            Told("$1 - \\operatorname{erf}(x/\\sqrt2)$ at 4", Less(2 * Phi(-LAST), CUBIC_ERROR)),
            Told("$1 - \\tanh$ at 4", Less(1 - tanh(LAST_INNER), CUBIC_ERROR)),
            Told("$1 - \\Phi$ at 4", Less(Phi(-LAST), "logistic-scale-error")),
            Told(
                "$1 - \\sigma$ at 4",
                Less(logistic(-LAST * BEST_SCALE), "logistic-scale-error"),
            ),
        )
    ),
    "zh-script-b": Checks(Prints(programs.print_cubic, f"[{result('note-zh-b').value}]")),
    "zh-b": Checks(Digits("note-zh-b", Registered("tanh-pinned-cubic", factor=LOCAL_SLOPE))),
    "zh-cubic": Checks(Digits("note-zh-cubic", "tanh-pinned-cubic")),
    "zh-conversion": Checks(
        Digits("note-zh-cubic", Rational(result("note-zh-b").value) / sqrt(2 / pi))
    ),
    "zh-min-over-b": Checks(
        printed=Depends(Phi(X) - logistic(C * X), B),
        repaired=Depends(Phi(X) - logistic(C * X), C),
    ),
    "zh-script-c": Checks(Prints(programs.print_scale, f"[{result('note-zh-scale').value}]")),
    "zh-scale": Checks(Digits("note-zh-scale", "logistic-scale")),
    "zh-best-for-gelu": Checks(
        All(
            Digits("note-zh-cubic", "tanh-pinned-cubic"),
            Digits("note-zh-scale", "logistic-scale"),
            Told(
                "largest error of GELU, tanh form",
                Less(Registered("criteria-tanh-pinned-gelu", "sup, error"), "page-error-gelu"),
            ),
            Told(
                "sigmoid form",
                Less(Registered("criteria-sigmoid-gelu", "sup, error"), "scale-1702-error-gelu"),
            ),
        ),
    ),
}

CHECKS = {**FORMULAS, **LOCAL, **GLOBAL}
"""What decides each statement of the note that is not editorial, by its ID."""
