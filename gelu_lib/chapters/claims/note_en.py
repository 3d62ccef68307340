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

from gelu_lib.chapters.claims import programs
from gelu_lib.chapters.claims.checks import (
    All,
    Below,
    BestOnTheLine,
    Chain,
    Closer,
    Coefficients,
    Digits,
    Equal,
    Less,
    Not,
    Positive,
    Recurrence,
    Told,
)
from gelu_lib.chapters.claims.common import (
    END,
    ERF_AS_AN_INTEGRAL,
    ERF_IS_ODD,
    GAUSS,
    GELU_BY_ERF,
    GELU_IS_SMOOTH,
    HALF,
    INNER,
    IS_NOT_ELEMENTARY,
    IS_THE_SIGMOID_FORM,
    IS_THE_TANH_FORM,
    PHI_AS_AN_INTEGRAL,
    PHI_IS_A_PROBABILITY,
    PRINTED_CUBIC,
    PRINTED_SCALE,
)
from gelu_lib.chapters.claims.compared import Registered
from gelu_lib.chapters.claims.programs import Prints
from gelu_lib.chapters.claims.statements import Checks
from gelu_lib.derivations.identities.phi_erf import LOCATION, SCALE, S
from gelu_lib.derivations.notation import DEFINITIONS, NormalProbability
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import Phi, T, X, gelu_sigmoid, gelu_tanh, logistic, phi
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.functions.series import (
    erf_coefficient,
    local_match,
    tanh_coefficient,
    tanh_of_odd_series,
)

TAYLOR = (4 - pi) / (3 * pi)
FRACTION = Rational(11, 123)
OPTIMUM = Registered("tanh-pinned-cubic", factor=sp.Integer(2))
FRONT = 2 / sqrt(pi)
CHECKED_ORDER = 12
FAR = Rational(8)

DISTANCE = Symbol("x", nonnegative=True)
POSITIVE = Symbol("w", positive=True)
BOUND = Symbol("R", positive=True)
N = Symbol("n", integer=True, nonnegative=True)
PLACE = factorial(N) ** (1 / (2 * N))
BOUND_TERM = BOUND ** (2 * N) / factorial(N)
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


def below_the_bound(approximation: Expr) -> Below:
    """The relative error of an approximation of erf(x) stays below the bound for 0 < x ≤ 8."""
    difference = approximation - erf(X)
    return Below(difference, "note-en-bound", sp.S.Zero, FAR, unit=approximation)


def keeps_the_bound(cubic: Expr) -> All:
    """The relative error stays below the bound for every x > 0.

    From 8 on both erf and the formula increase from their values there to 1.
    """
    at_the_end = erf_form(cubic, FAR)
    return All(
        below_the_bound(erf_form(cubic)),
        Told("beyond 8", Less(1 - erf(FAR), "note-en-bound")),
        Told("and", Less(1 / at_the_end - 1, "note-en-bound")),
    )


def bernoulli_function(z: Expr) -> Expr:
    """z/(eᶻ − 1), whose series has the coefficients Bₙ/n!; this defines the Bernoulli numbers."""
    return z / (exp(z) - 1)


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


BELL = exp(-(X**2) / 2)
DECAY = exp(-(X - LOCATION) / SCALE)
DENSITIES = (phi, lambda x: exp(-x) / (1 + exp(-x)) ** 2)
"""The densities of the normal law and of the logistic law."""

LOGISTIC_FALL = exp(-POSITIVE) * (1 - exp(-POSITIVE)) / (1 + exp(-POSITIVE)) ** 3

DENSITY = DECAY / (SCALE * (1 + DECAY) ** 2)
FADE = exp(-PRINTED_SCALE * X)
NORMAL = DEFINITIONS[NormalProbability](-oo, X, LOCATION, SCALE**2)
NORMAL_DENSITY = exp(-(((X - LOCATION) / SCALE) ** 2) / 2) / (SCALE * sqrt(2 * pi))
STANDARD = {LOCATION: 0, SCALE: 1}
TANH_FORM_DERIVATIVE = (
    sp.diff(gelu_tanh(), X),
    HALF
    + HALF * tanh(INNER)
    + sqrt(1 / (2 * pi)) * (X + 3 * PRINTED_CUBIC * X**3) * (1 - tanh(INNER) ** 2),
)
VARIANCE_HALF = Equal(
    NormalProbability(-DISTANCE, DISTANCE, 0, HALF), erf(DISTANCE), by=("erf-probability",)
)

GELU_CHECKS = {
    "en-definition": Checks(All(GELU_BY_ERF, PHI_IS_A_PROBABILITY)),
    "en-which-normal": Checks(
        printed=All(Equal(NORMAL, Phi(X)), Equal(NORMAL_DENSITY, phi(X))),
        repaired=All(
            Chain("phi-erf", (Phi(X), NORMAL.subs(STANDARD))),
            Equal(NORMAL_DENSITY.subs(STANDARD), phi(X)),
        ),
    ),
    "en-derivative": Checks(GELU_IS_SMOOTH),
    "en-derivative-by-erf": Checks(
        Equal(
            sp.diff(X / 2 + X * erf(END) / 2, X),
            HALF * (1 + erf(END) + X * sqrt(2 / pi) * BELL),
            HALF * (1 + erf(END)) + X * sqrt(1 / (2 * pi)) * BELL,
            Phi(X) + X * phi(X),
            by=("phi-erf",),
        )
    ),
    "en-property-of-erf": Checks(
        printed=Equal(FRACTION, TAYLOR),
        repaired=All(
            Equal(2 * local_match(3).ratio(3), TAYLOR), Closer("note-en-fraction", OPTIMUM, TAYLOR)
        ),
    ),
    "en-fraction-rescaled": Checks(
        Equal(erf_form(FRACTION, END), tanh(sqrt(2 / pi) * (X + FRACTION * X**3 / 2)))
    ),
    "en-half-fraction": Checks(Digits("page-cubic", FRACTION / 2)),
    "en-fraction-origin": Checks(Closer("tanh-pinned-cubic", "page-cubic", FRACTION / 2)),
    "en-tanh-form": Checks(IS_THE_TANH_FORM),
    "en-tanh-form-derivative": Checks(
        Equal(
            sp.diff(gelu_tanh(), X),
            HALF
            + HALF * tanh(INNER)
            + HALF * X * sqrt(2 / pi) * (1 + 3 * PRINTED_CUBIC * X**2) * (1 - tanh(INNER) ** 2),
        )
    ),
    "en-tanh-form-derivative-short": Checks(Equal(*TANH_FORM_DERIVATIVE)),
    "en-tanh-form-derivative-everywhere": Checks(
        All(
            Equal(*TANH_FORM_DERIVATIVE),
            Told(
                "typed as it stands, at 10 and where the cube overflows",
                Prints(
                    programs.print_tanh_form_derivative,
                    " ".join(f"{name} 1 nan" for name in programs.OVERFLOWS),
                ),
            ),
        )
    ),
    "en-sigmoid-form": Checks(All(IS_THE_SIGMOID_FORM, Equal(gelu_sigmoid(), X / (1 + FADE)))),
    "en-sigmoid-form-derivative": Checks(
        Equal(
            sp.diff(gelu_sigmoid(), X), 1 / (1 + FADE) + PRINTED_SCALE * X * FADE / (1 + FADE) ** 2
        )
    ),
}

ERF_CHECKS = {
    "en-erf-integral": Checks(ERF_AS_AN_INTEGRAL),
    "en-phi-integral": Checks(PHI_AS_AN_INTEGRAL),
    "en-erf-variance": Checks(VARIANCE_HALF),
    "en-erf-sigma": Checks(Equal(normal_between(HALF), erf(X)), repaired=VARIANCE_HALF),
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
        Equal(Derivative(erf(X), X), FRONT * exp(-(X**2)), by=("erf-derivative",))
    ),
    "en-erf-odd": Checks(ERF_IS_ODD),
}

SERIES_CHECKS = {
    "en-by-taylor": Checks(
        All(
            Equal(FRONT, sqrt(2) * local_match(3).coefficients[0]),
            Equal(2 * local_match(3).ratio(3), TAYLOR),
            Told("with the fraction", Not(Equal(FRACTION, TAYLOR))),
        )
    ),
    "en-tanh-series": Checks(
        All(
            Equal(
                tanh(X).rewrite(exp),
                (bernoulli_function(4 * X) - bernoulli_function(2 * X)) / X + 1,
            ),
            Equal(bernoulli_function(X) + X / 2, bernoulli_function(-X) - X / 2),
            Equal(2 ** (4 * N) - 2 ** (2 * N), 2 ** (2 * N) * (2 ** (2 * N) - 1)),
            Coefficients(
                {2 * n - 1: bernoulli_term(n) for n in range(1, CHECKED_ORDER // 2 + 1)},
                lambda k: tanh_of_odd_series([1], CHECKED_ORDER - 1)[k // 2] if k % 2 else 0,
                CHECKED_ORDER,
            ),
        )
    ),
    "en-tanh-radius": Checks(
        All(
            Equal(tanh(X).rewrite(exp), (exp(2 * X) - 1) / (exp(2 * X) + 1)),
            Equal(exp(2 * sp.I * pi / 2) + 1, 0),
        )
    ),
    "en-tanh-terms": Checks(
        Coefficients(
            {1: 1, 3: -Rational(1, 3), 5: Rational(2, 15), 7: -Rational(17, 315)},
            tanh_coefficient,
            8,
        )
    ),
    "en-erf-series": Checks(
        Recurrence(
            FRONT * (-1) ** N / (factorial(N) * (2 * N + 1)),
            FRONT,
            -(2 * N + 1) / ((N + 1) * (2 * N + 3)),
            N,
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
            sum(a * (X**k + (-X) ** k) for k, a in enumerate((A0, A1, A2, A3))),
            2 * A0 + 2 * A2 * X**2,
        )
    ),
    "en-expansion": Checks(
        All(
            *(
                Equal(expanded(power, monomial), factor)
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
            Equal(cubic_form()[0], A1),
            Equal(cubic_form()[1], A3 - A1**3 / 3),
            Equal(erf_coefficient(1), FRONT),
            Equal(erf_coefficient(3), -2 / (3 * sqrt(pi))),
        )
    ),
    "en-index": Checks(
        printed=Equal(FRONT * TAYLOR, erf_coefficient(2)),
        repaired=Equal(FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3)),
    ),
    "en-cubic": Checks(Equal(FRONT * TAYLOR - FRONT**3 / 3, erf_coefficient(3))),
    "en-pi-over-35": Checks(
        printed=Equal(pi / 35, TAYLOR),
        repaired=All(
            Equal(2 * local_match(3).ratio(3), TAYLOR),
            Told(r"with $\frac{\pi}{35}$", keeps_the_bound(pi / 35)),
            Told("with the other one", Not(below_the_bound(erf_form(TAYLOR)))),
        ),
    ),
    "en-ratio-denominator": Checks(
        printed=below_the_bound(tanh(X)),
        repaired=keeps_the_bound(pi / 35),
    ),
    "en-ratio-bound": Checks(keeps_the_bound(pi / 35)),
    "en-why-they-differ": Checks(Closer("note-en-fraction", OPTIMUM, TAYLOR)),
    "en-slope-series": Checks(Recurrence(FRONT * (-1) ** N / factorial(N), FRONT, -1 / (N + 1), N)),
    "en-exp-series": Checks(Recurrence(1 / factorial(N), sp.S.One, 1 / (N + 1), N)),
    "en-uniform": Checks(
        printed=Told(
            "the term $x^{2n}/n!$ at $x = (n!)^{1/(2n)}$",
            Not(Equal(PLACE ** (2 * N) / factorial(N), 1)),
        ),
        repaired=Equal(sp.Sum(BOUND_TERM, (N, 0, oo)).doit(), exp(BOUND**2)),
    ),
    "en-constant": Checks(Equal(erf(sp.S.Zero), 0)),
}

LOGISTIC_CHECKS = {
    "en-logistic-density": Checks(Chain("logistic-density", (DENSITY,))),
    "en-logistic-cdf": Checks(Chain("logistic-density", (Derivative(1 / (1 + DECAY), X), DENSITY))),
    "en-logistic-function": Checks(
        Equal((1 / (1 + DECAY)).subs({LOCATION: 0, SCALE: 1}), logistic(X))
    ),
    "en-bell-shaped": Checks(
        printed=All(*(Positive(-f(POSITIVE).diff(POSITIVE)) for f in (Phi, logistic))),
        repaired=All(
            *(Positive(f(X).diff(X)) for f in (Phi, logistic)),
            *(Equal(density(-X), density(X)) for density in DENSITIES),
            Positive(-phi(POSITIVE).diff(POSITIVE)),
            Equal(-DENSITIES[1](POSITIVE).diff(POSITIVE), LOGISTIC_FALL),
            Positive(LOGISTIC_FALL),
        ),
    ),
    "en-simpler-formula": Checks(IS_NOT_ELEMENTARY),
    "en-same-centre": Checks(BestOnTheLine(lambda: minimax(LOGISTIC))),
    "en-gamma": Checks(Digits("gelu-paper-scale", "logistic-scale")),
    "en-deviation": Checks(Digits("note-en-deviation", "scale-1702-error-phi")),
    "en-place": Checks(Digits("note-en-place", "scale-1702-place")),
    "en-best-fit": Checks(Digits("gelu-paper-scale", "logistic-scale")),
}

CHECKS = {**GELU_CHECKS, **ERF_CHECKS, **SERIES_CHECKS, **LOGISTIC_CHECKS}
"""What decides each statement of the note that is not editorial, by its ID."""
