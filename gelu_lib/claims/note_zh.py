"""The statements of the note in Chinese: the split integral, both approximations, both searches."""

from __future__ import annotations

from functools import cache

import sympy as sp
from sympy import Abs, Expr, Integral, Rational, Symbol, erf, exp, oo, pi, sqrt, tanh

from gelu_lib.claims import programs
from gelu_lib.claims.checks import (
    All,
    Chain,
    Coefficients,
    Depends,
    Digits,
    Equal,
    Less,
    NotElementary,
    Prints,
    Registered,
)
from gelu_lib.claims.statements import Checks
from gelu_lib.derivations.identities import S, U
from gelu_lib.functions import (
    GELU,
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    T,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
)
from gelu_lib.register import result
from gelu_lib.series import erf_coefficient, local_match, tanh_of_odd_series

HALF = Rational(1, 2)
A, B, C = (Symbol(name, real=True) for name in "abc")
LOCAL_B = sqrt(2 / pi) * (2 / (3 * pi) - Rational(1, 6))
END = X / sqrt(2)
GAUSS = exp(-(S**2))
TERMS = {1: sqrt(2 / pi), 3: -1 / (3 * sqrt(2 * pi))}


def local_error(x: Expr, cubic: Expr) -> Expr:
    """The size of the error of erf(x/√2) with the slope √(2/π) and a cubic coefficient."""
    return Abs(erf(x / sqrt(2)) - tanh(LOCAL_SLOPE * (x + cubic * x**3)))


def erf_taylor(power: int) -> Expr:
    """The Taylor coefficients of erf(x/√2)."""
    return erf_coefficient(power) / sqrt(2) ** power


@cache
def tanh_series() -> tuple[Expr, ...]:
    """The coefficients of x, x³, x⁵ in tanh(ax + bx³)."""
    return tanh_of_odd_series((A, B), 5)


def tanh_taylor(power: int) -> Expr:
    """The Taylor coefficients of tanh(ax + bx³)."""
    return tanh_series()[power // 2] if power % 2 else sp.S.Zero


GROWS = All(
    (
        Less(local_error(HALF, local_match(3).ratio(3)), local_error(HALF, PAGE_CUBIC)),
        Less(
            local_error(HALF, local_match(3).ratio(3)),
            local_error(sp.S.One, local_match(3).ratio(3)),
        ),
        Less(
            local_error(sp.S.One, local_match(3).ratio(3)),
            local_error(sp.Integer(2), local_match(3).ratio(3)),
        ),
    )
)
"""The local fit beats 0.044715 at 1/2, and its error grows from 1/2 to 1 and to 2."""

EQUATIONS = All(
    (
        Equal((LOCAL_SLOPE, local_match(3).coefficients[0])),
        Equal(
            (
                2 * sqrt(2) / (3 * pi ** Rational(3, 2)) - 1 / (3 * sqrt(2 * pi)),
                LOCAL_B,
                local_match(3).coefficients[1],
            )
        ),
    )
)

FORMULAS = {
    "zh-definition": Checks(Equal((GELU(X), X * Phi(X)))),
    "zh-split-first": Checks(
        Chain(
            "phi-erf-split-first",
            (
                Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi),
                (Integral(exp(-(U**2) / 2), (U, -oo, 0)) + Integral(exp(-(T**2) / 2), (T, 0, X)))
                / sqrt(2 * pi),
                (sqrt(pi / 2) + Integral(exp(-(T**2) / 2), (T, 0, X))) / sqrt(2 * pi),
                HALF + Integral(GAUSS, (S, 0, END)) / sqrt(pi),
                HALF * (1 + erf(END)),
            ),
        )
    ),
    "zh-not-elementary": Checks(NotElementary(exp(-(X**2)))),
    "zh-tanh-form": Checks(
        Equal((HALF * X * (1 + tanh(sqrt(2 / pi) * (X + PAGE_CUBIC * X**3))), gelu_tanh()))
    ),
    "zh-sigmoid-form": Checks(Equal((X * logistic(LOGISTIC_SCALE * X), gelu_sigmoid()))),
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
    "zh-local-is-local": Checks(GROWS),
    "zh-first-order": Checks(
        Equal(
            (
                sp.diff(erf(END), X).subs(X, 0),
                sp.diff(tanh(LOCAL_SLOPE * X + B * X**3), X).subs(X, 0),
            )
        )
    ),
}

GLOBAL = {
    "zh-range": Checks(
        All(
            (
                Less(2 * Phi(sp.Integer(-4)), "tanh-pinned-error"),
                Less(2 * logistic(-4 * LOGISTIC_SCALE), "logistic-scale-error"),
            )
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
}

CHECKS = {**FORMULAS, **LOCAL, **GLOBAL}
"""What decides each statement of the note that is not editorial, by its ID."""
