"""The statements of the note in English: definitions, derivatives, series, the logistic fit."""

from __future__ import annotations

from functools import cache

import sympy as sp
from sympy import (
    Abs,
    Derivative,
    Expr,
    Integral,
    Rational,
    Symbol,
    bernoulli,
    erf,
    exp,
    factorial,
    oo,
    pi,
    sqrt,
    tanh,
)

from gelu_lib.claims.checks import (
    All,
    Below,
    BestOnTheLine,
    Chain,
    Closer,
    Coefficients,
    Digits,
    Equal,
    Positive,
    Registered,
)
from gelu_lib.claims.statements import Checks
from gelu_lib.derivations.identities import LOCATION, SCALE, S
from gelu_lib.derivations.notation import NormalProbability
from gelu_lib.families import LOGISTIC
from gelu_lib.fits import minimax
from gelu_lib.functions import (
    GELU,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    T,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    phi,
)
from gelu_lib.series import (
    erf_coefficient,
    local_match,
    tanh_coefficient,
    tanh_of_odd_series,
    tanh_radius,
)

HALF = Rational(1, 2)
TAYLOR = (4 - pi) / (3 * pi)
FRACTION = Rational(11, 123)
OPTIMUM = Registered("tanh-pinned-cubic", factor=sp.Integer(2))
FRONT = 2 / sqrt(pi)
ORDER = 40
FAR = Rational(8)

DISTANCE = Symbol("x", nonnegative=True)
POSITIVE = Symbol("w", positive=True)
BOUND = Symbol("R", positive=True)
N = Symbol("n", integer=True, positive=True)
TERM = X ** (2 * N) / factorial(N)
A0, A1, A2, A3 = (Symbol(f"a_{k}", real=True) for k in range(4))


def erf_form(cubic: Expr, x: Expr = X) -> Expr:
    """tanh(2/√π·(x + cubic·x³)), which stands for erf(x)."""
    return tanh(FRONT * (x + cubic * x**3))


def ratio_error(approximation: Expr) -> Expr:
    """The relative error of erf(x) that the note bounds."""
    return Abs(1 - erf(X) / approximation)


def normal_between(deviation: Expr) -> Expr:
    """The probability of [−x, x] for a normal variable with mean 0, as the note writes it."""
    density = exp(-((T / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi))
    return Integral(density, (T, -X, X))


@cache
def erf_by_equation() -> tuple[Expr, ...]:
    """Taylor coefficients of erf, from y″ = −2xy′ with y(0) = 0 and y′(0) = 2/√π."""
    found = [sp.S.Zero, FRONT]
    for k in range(ORDER):
        found.append(-2 * k * found[k] / ((k + 2) * (k + 1)))
    return tuple(found)


@cache
def tanh_by_equation() -> tuple[Expr, ...]:
    """The coefficients of x, x³, x⁵, … in tanh, from y′ = 1 − y²."""
    return tanh_of_odd_series([1], ORDER + 1)


def bernoulli_term(n: int) -> Expr:
    """The coefficient of x²ⁿ⁻¹ in the series of tanh, as the note writes it."""
    return 2 ** (2 * n) * (2 ** (2 * n) - 1) * bernoulli(2 * n) / factorial(2 * n)


@cache
def cubic_form() -> tuple[Expr, ...]:
    """The coefficients of x, x³, …, x⁹ in tanh(a₁x + a₃x³)."""
    return tanh_of_odd_series((A1, A3), 9)


def expanded(power: int, monomial: Expr) -> Expr:
    """How often a monomial in a₁ and a₃ stands in the coefficient of a power of x."""
    return sp.Poly(cubic_form()[power // 2], A1, A3).coeff_monomial(monomial)


INNER = sqrt(2 / pi) * (X + PAGE_CUBIC * X**3)
BELL = exp(-(X**2) / 2)
END = X / sqrt(2)
GAUSS = exp(-(S**2))
DECAY = exp(-(X - LOCATION) / SCALE)
DENSITY = DECAY / (SCALE * (1 + DECAY) ** 2)
FADE = exp(-LOGISTIC_SCALE * X)
VARIANCE_HALF = Equal(
    (NormalProbability(-DISTANCE, DISTANCE, 0, HALF), erf(DISTANCE)), by=("erf-probability",)
)

GELU_CHECKS = {
    "en-definition": Checks(
        Equal((GELU(X), X * Phi(X), X * HALF * (1 + erf(END))), by=("phi-erf",))
    ),
    "en-derivative": Checks(
        Equal((Derivative(GELU(X), X), Phi(X) + X * phi(X)), by=("gelu-derivative",))
    ),
    "en-derivative-by-erf": Checks(
        Equal(
            (
                sp.diff(X / 2 + X * erf(END) / 2, X),
                HALF * (1 + erf(END) + X * sqrt(2 / pi) * BELL),
                HALF * (1 + erf(END)) + X * sqrt(1 / (2 * pi)) * BELL,
                Phi(X) + X * phi(X),
            ),
            by=("phi-erf",),
        )
    ),
    "en-fraction-rescaled": Checks(
        Equal((erf_form(FRACTION, END), tanh(sqrt(2 / pi) * (X + FRACTION * X**3 / 2))))
    ),
    "en-half-fraction": Checks(Digits("page-cubic", FRACTION / 2)),
    "en-tanh-form": Checks(Equal((HALF * X * (1 + tanh(INNER)), gelu_tanh()))),
    "en-tanh-form-derivative": Checks(
        Equal(
            (
                sp.diff(gelu_tanh(), X),
                HALF
                + HALF * tanh(INNER)
                + HALF * X * sqrt(2 / pi) * (1 + 3 * PAGE_CUBIC * X**2) * (1 - tanh(INNER) ** 2),
            )
        )
    ),
    "en-tanh-form-derivative-short": Checks(
        Equal(
            (
                sp.diff(gelu_tanh(), X),
                HALF
                + HALF * tanh(INNER)
                + sqrt(1 / (2 * pi)) * (X + 3 * PAGE_CUBIC * X**3) * (1 - tanh(INNER) ** 2),
            )
        )
    ),
    "en-sigmoid-form": Checks(Equal((gelu_sigmoid(), X / (1 + FADE)))),
    "en-sigmoid-form-derivative": Checks(
        Equal(
            (
                sp.diff(gelu_sigmoid(), X),
                1 / (1 + FADE) + LOGISTIC_SCALE * X * FADE / (1 + FADE) ** 2,
            )
        )
    ),
}

ERF_CHECKS = {
    "en-erf-variance": Checks(VARIANCE_HALF),
    "en-erf-sigma": Checks(Equal((normal_between(HALF), erf(X))), repaired=VARIANCE_HALF),
    "en-phi-by-substitution": Checks(
        Chain(
            "phi-erf",
            (
                Integral(exp(-(T**2) / 2), (T, -oo, X)) / sqrt(2 * pi),
                Integral(GAUSS, (S, -oo, END)) / sqrt(pi),
                (Integral(GAUSS, (S, -oo, 0)) + Integral(GAUSS, (S, 0, END))) / sqrt(pi),
                HALF + HALF * erf(END),
            ),
        )
    ),
    "en-erf-derivative": Checks(
        Equal((Derivative(erf(X), X), FRONT * exp(-(X**2))), by=("erf-derivative",))
    ),
    "en-erf-odd": Checks(Equal((erf(-X, evaluate=False), -erf(X)), by=("erf-odd",))),
}

SERIES_CHECKS = {
    "en-tanh-series": Checks(
        Coefficients(
            {2 * n - 1: bernoulli_term(n) for n in range(1, ORDER // 2 + 1)},
            lambda k: tanh_by_equation()[k // 2] if k % 2 else 0,
            ORDER,
        )
    ),
    "en-tanh-radius": Checks(Equal((tanh_radius(), pi / 2))),
    "en-tanh-terms": Checks(
        Coefficients(
            {1: 1, 3: -Rational(1, 3), 5: Rational(2, 15), 7: -Rational(17, 315)},
            tanh_coefficient,
            8,
        )
    ),
    "en-erf-series": Checks(
        Coefficients(
            {
                2 * n + 1: FRONT * (-1) ** n / (factorial(n) * (2 * n + 1))
                for n in range(ORDER // 2)
            },
            lambda k: erf_by_equation()[k],
            ORDER,
        )
    ),
    "en-erf-terms": Checks(
        Coefficients(
            {k: FRONT / Rational(q) for k, q in ((1, 1), (3, -3), (5, 10), (7, -42), (9, 216))},
            erf_coefficient,
            10,
        )
    ),
    "en-odd-argument": Checks(
        Equal(
            (
                sum(a * (X**k + (-X) ** k) for k, a in enumerate((A0, A1, A2, A3))),
                2 * A0 + 2 * A2 * X**2,
            )
        )
    ),
    "en-expansion": Checks(
        All(
            tuple(
                Equal((expanded(power, monomial), factor))
                for power, monomial, factor in (
                    (1, A1, 1),
                    (3, A3, 1),
                    (3, A1**3, -Rational(1, 3)),
                    (5, A1**2 * A3, -1),
                    (5, A1**5, Rational(2, 15)),
                    (7, A1 * A3**2, -1),
                    (9, A3**3, -Rational(1, 3)),
                )
            )
        )
    ),
    "en-comparison": Checks(
        All(
            (
                Equal((cubic_form()[0], A1)),
                Equal((cubic_form()[1], A3 - A1**3 / 3)),
                Equal((erf_coefficient(1), FRONT)),
                Equal((erf_coefficient(3), -2 / (3 * sqrt(pi)))),
            )
        )
    ),
    "en-index": Checks(
        printed=Equal((FRONT * TAYLOR, erf_coefficient(2))),
        repaired=Equal((FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3))),
    ),
    "en-cubic": Checks(Equal((FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3)))),
    "en-pi-over-35": Checks(
        printed=Equal((pi / 35, TAYLOR)),
        repaired=Equal((2 * local_match(3).ratio(3), TAYLOR)),
    ),
    "en-ratio-denominator": Checks(
        printed=Below(ratio_error(tanh(X)), "note-en-bound", sp.S.Zero, FAR),
        repaired=Below(ratio_error(erf_form(pi / 35)), "note-en-bound", sp.S.Zero, FAR),
    ),
    "en-ratio-bound": Checks(
        printed=Below(ratio_error(erf_form(TAYLOR)), "note-en-bound", sp.S.Zero, FAR),
        repaired=All(
            (
                Below(ratio_error(erf_form(pi / 35)), "note-en-bound", sp.S.Zero, FAR),
                Below(ratio_error(erf_form(FRACTION)), "note-en-bound", sp.S.Zero, FAR),
            )
        ),
    ),
    "en-why-they-differ": Checks(
        Closer("note-en-fraction", Registered("tanh-pinned-cubic", factor=sp.Integer(2)), TAYLOR)
    ),
    "en-slope-series": Checks(
        Coefficients(
            {2 * n: FRONT * (-1) ** n / factorial(n) for n in range(ORDER // 2)},
            lambda k: (k + 1) * erf_by_equation()[k + 1],
            ORDER - 2,
        )
    ),
    "en-exp-series": Checks(
        Coefficients(
            {n: 1 / factorial(n) for n in range(21)},
            lambda k: sp.diff(exp(X), (X, k)).subs(X, 0) / sp.prod(range(1, k + 1)),
            20,
        )
    ),
    "en-uniform": Checks(
        printed=Equal((TERM.subs(X, factorial(N) ** (1 / (2 * N))), 0)),
        repaired=Equal(
            (
                sp.Sum(TERM.subs(X, BOUND), (N, 0, oo)).doit(),
                exp(BOUND**2),
            )
        ),
    ),
    "en-constant": Checks(Equal((erf(sp.S.Zero), 0))),
}

LOGISTIC_CHECKS = {
    "en-logistic-density": Checks(Chain("logistic-density", (DENSITY,))),
    "en-logistic-cdf": Checks(Chain("logistic-density", (Derivative(1 / (1 + DECAY), X), DENSITY))),
    "en-logistic-function": Checks(
        Equal(((1 / (1 + DECAY)).subs({LOCATION: 0, SCALE: 1}), logistic(X)))
    ),
    "en-bell-shaped": Checks(
        printed=All(tuple(Positive(-f(POSITIVE).diff(POSITIVE)) for f in (Phi, logistic))),
        repaired=All(
            (
                *(Positive(f(X).diff(X)) for f in (Phi, logistic)),
                Positive(-phi(POSITIVE).diff(POSITIVE)),
            )
        ),
    ),
    "en-same-centre": Checks(BestOnTheLine(lambda: minimax(LOGISTIC), free=2)),
    "en-gamma": Checks(Digits("gelu-paper-scale", "logistic-scale")),
    "en-deviation": Checks(Digits("note-en-deviation", "scale-1702-error-phi")),
    "en-place": Checks(Digits("note-en-place", "scale-1702-place")),
    "en-best-fit": Checks(
        printed=Digits("gelu-paper-scale", "logistic-gelu-scale"),
        repaired=Digits("gelu-paper-scale", "logistic-scale"),
    ),
}

CHECKS = {**GELU_CHECKS, **ERF_CHECKS, **SERIES_CHECKS, **LOGISTIC_CHECKS}
"""What decides each statement of the note that is not editorial, by its ID."""
