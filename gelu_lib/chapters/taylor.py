"""The chapter taylor: the cubic coefficient that the series at 0 gives, and what it is good for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import ndtr
from sympy import Expr, Integral, Rational, Symbol, atanh, erf, pi, sqrt, tanh

from gelu_lib.certificates.certificate import certify
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters.curves import error_on
from gelu_lib.chapters.recipes import Certification, Certified, certified_error, closed_form
from gelu_lib.derivations.chain import Derivation
from gelu_lib.derivations.notation import Coefficient, tex
from gelu_lib.derivations.rules import Antiderivative, Differentiation
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.quantities import largest
from gelu_lib.functions import series
from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC, T, X
from gelu_lib.functions.families import (
    SLOPE_KEPT,
    TANH_CUBIC,
    Family,
    error_expression,
    odd_logistic,
)
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal

OFFSET = {"textcoords": "offset points", "fontsize": "medium"}


def local_member(order: int) -> tuple[Family, dict[str, Expr]]:
    """The member σ(2u) of the family of an order, where u is the local match.

    Args:
        order: the degree of u, an odd integer.

    Returns:
        The family and the parameters, exact; as ``sampled_sup_error`` takes them.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    coefficients = local_match(order).coefficients
    family = odd_logistic(order)
    return family, {name: 2 * a for name, a in zip(family.names, coefficients, strict=True)}


@cache
def best_member() -> Optimum:
    """The tanh form with the slope of Φ at 0 and the least largest error of Φ."""
    return minimax(TANH_CUBIC, of="Phi", fixed=SLOPE_KEPT, digits=20)


# --- figures


def opening() -> Drawn:
    """The sizes of the error of Φ with the Taylor coefficient and with the best one."""
    x = np.geomspace(0.05, 5, 1000)
    members = {"Taylor": local_member(3), "best": (best_member().family, best_member().parameters)}
    sizes = {name: (x, np.abs(error_on(x, *member))) for name, member in members.items()}
    drawn = draw(sizes, ylabel="size of the error of Φ")
    plt.loglog()
    plt.ylim(1e-12, 5e-3)
    axes = plt.gca()
    axes.get_legend().remove()
    for name, at, shift, side, colour in (
        ("Taylor", 0.13, (12, -12), "left", BLUE),
        ("best", 0.4, (-8, 8), "right", ORANGE),
    ):
        place = (at, np.interp(at, *sizes[name]))
        said = f"{name}\ncoefficient" if side == "right" else f"{name} coefficient"
        axes.annotate(said, place, shift, ha=side, color=colour, **OFFSET)
    peak = np.argmax(sizes["Taylor"][1])
    place = (x[peak], sizes["Taylor"][1][peak])
    axes.annotate("higher here", place, (-26, 12), ha="center", color=BLUE, **OFFSET)
    return drawn


def right_at_each_point() -> Drawn:
    """The cubic coefficient that makes the tanh form right at x, against x.

    Returns:
        The curve; the Taylor coefficient at 0 and 0.044715 where it is right, as points.
    """
    x = np.linspace(0.05, 4, 400)
    right = (np.log(ndtr(x) / ndtr(-x)) / (2 * float(LOCAL_SLOPE) * x) - 1) / x**2
    taylor, printed = float(local_match(3).ratio(3)), float(PAGE_CUBIC)
    place = np.interp(-printed, -right, x)  # the curve falls
    drawn = draw(
        {"right at $x$": (np.append(0, x), np.append(taylor, right))},
        {
            "Taylor": (np.zeros(1), np.array([taylor])),
            "0.044715": (np.array([place]), np.array([printed])),
        },
        ylabel="constant that is right at $x$",
        levels=(taylor, printed),
    )
    axes = plt.gca()
    axes.get_legend().remove()
    axes.set_ylim(0.0415, 0.0462)
    axes.annotate("Taylor: the limit at 0", (0, taylor), (14, 7), color=BLUE, **OFFSET)
    said = f"0.044715:\nright at {place:.2f}"
    axes.annotate(said, (place, printed), (12, 7), color=ORANGE, **OFFSET)
    return drawn


# --- derivations


def one_term_of_erf() -> Derivation:
    """The integral of one term of the series of exp(−t²), with a constant c for its factor."""
    n = Symbol("n", integer=True, nonnegative=True)
    c = Symbol("c", real=True)
    primitive = c * T ** (2 * n + 1) / (2 * n + 1)
    start = Integral(c * T ** (2 * n), (T, 0, X))
    return Derivation("one-term-of-erf", start).step(
        Antiderivative(T, primitive), primitive.subs(T, X)
    )


def cubic_terms() -> Derivation:
    """The coefficients of x³ in both series, by the definition of a Taylor coefficient."""
    a1, a3 = sp.symbols("a_1 a_3", real=True)
    three = sp.Integer(3)
    _, of_tanh = series.tanh_of_odd_series((a1, a3), 3)
    return (
        Derivation("cubic-terms", Coefficient(tanh(a1 * X + a3 * X**3), X, three))
        .step(Differentiation(), of_tanh, "compare coefficients")
        .then(Coefficient(sp.erf(X / sqrt(2)), X, three))
        .step(Differentiation(), series.erf_coefficient(3) / sqrt(2) ** 3, "compare coefficients")
    )


# --- tables


def power_by_power(of_tanh: Sequence[Expr], of_erf: Sequence[Expr]) -> Table:
    """The coefficients of both sides that have to be equal, for x, x³ and x⁵."""
    rows = [
        [f"${tex(X**j)}$", f"${tex(ours)}$", f"${tex(theirs)}$"]
        for j, ours, theirs in zip((1, 3, 5), of_tanh, of_erf, strict=True)
    ]
    left = r"$\tanh(a_1 x + a_3 x^3 + a_5 x^5 + \cdots)$"
    return Table(["power", left, r"$\operatorname{erf}(x/\sqrt2)$"], rows)


def fifth_powers(of_erf: Expr, of_tanh: Expr) -> Table:
    """The first coefficients that differ, those of x⁵."""
    difference = local_match(3).residual_coefficient
    assert sp.expand(of_erf - of_tanh - difference) == 0
    rows = [
        [r"$\operatorname{erf}(x/\sqrt2)$", decimal(of_erf, 8)],
        [r"$\tanh(a_1 x + a_3 x^3)$", decimal(of_tanh, 8)],
        ["difference", decimal(difference, 5)],
    ]
    return Table(["series", "coefficient of $x^5$"], rows)


def beside_the_bound(errors: Mapping[str, Expr], at: Expr) -> Table:
    """The relative errors of erf at one point, beside the bound that a source states."""
    claimed = Rational(result("note-en-bound").value)
    rows = [
        [name, decimal(error, 6), "yes" if error < claimed else "no"]
        for name, error in errors.items()
    ]
    return Table(["coefficient", f"at $x = {decimal(at, 2)}$", "below the bound"], rows)


# --- numbers of the text


def taylor_coefficient(slope: Expr, cubic: Expr) -> dict[str, str]:
    """The cubic coefficient that was solved for, and how many printed digits of it are right."""
    assert cubic == sp.expand((4 - pi) / (6 * pi)) == 2 / (3 * pi) - Rational(1, 6)
    assert slope == LOCAL_SLOPE
    printed = result("su-local-cubic").value
    return {
        "cubic": decimal(cubic, 8),
        "printed-digits": str(agreeing_digits(printed, decimal(cubic, 30))),
    }


def fifth_of_error() -> dict[str, str]:
    """The coefficient of x⁵ in the error of Φ."""
    return {"fifth-of-error": decimal(local_match(3).residual_coefficient / 2, 3)}


def broken_bound(error: Expr, at: Expr) -> dict[str, str]:
    """A relative error that breaks the bound of a source, and the one that keeps it."""
    claimed = Rational(result("note-en-bound").value)
    searched = Rational(result("erf-ratio-pi-over-35-error").value)
    assert error > claimed > searched
    return {
        "at": decimal(at, 2),
        "at-erf": decimal(error, 3),
        "pi-35-relative": decimal(searched, 3),
    }


def taylor_against_best() -> dict[str, str]:
    """Where the best coefficient overtakes the Taylor coefficient, and both largest errors."""
    local, best = certified_sup_error(Form(*local_member(3))), certify(best_member()).error
    between = {**SLOPE_KEPT, "p3": SLOPE_KEPT["p1"] * pi / 70}
    between_error = certified_sup_error(Form(TANH_CUBIC, between)).error
    assert local.error.lower > best.upper and between_error.upper < local.error.lower

    def advantage(x: float) -> float:
        members = (best_member().family, best_member().parameters), local_member(3)
        fitted, taylor = (abs(error_on(np.array([x]), *member)[0]) for member in members)
        return fitted - taylor

    assert advantage(0.5) > 0 > advantage(2.3)
    return {
        "crossing": decimal(brentq(advantage, 0.5, 2.3), 3),
        "pi-70-error": f"{between_error.rounded(3):f}",
        "taylor-error": f"{local.error.rounded(3):f}",
        "local-error": f"{local.error.rounded(4):f}",
        "local-place": f"{local.points[0].rounded(4):f}",
        "best-error": f"{best.rounded(4):f}",
        "ratio-of-errors": f"{(local.error / best).rounded(3):f}",
    }


def local_scale() -> dict[str, str]:
    """The scale of the sigmoid form that keeps the slope, beside the best one."""
    return {
        "local-scale": decimal(2 * LOCAL_SLOPE, 6),
        "local-scale-error": f"{certified_sup_error(Form(*local_member(1))).error.rounded(3):f}",
        "best-scale-error": decimal(sp.Float(result("logistic-scale-error").value), 3),
    }


def digits_lost() -> dict[str, str]:
    """How many digits the largest term of the series of erf at 6 has before the point."""
    terms = (abs(series.erf_coefficient(j)) * sp.Integer(6) ** j for j in range(1, 200, 2))
    lost = sp.floor(sp.log(max(terms), 10))
    assert 12 <= lost <= 15
    return {"lost": str(lost)}


# --- numbers of the register


def match_error(order: int) -> Certification:
    """The sup error of Φ with the local match of an order, on all of ℝ."""
    family, parameters = local_member(order)

    def meant() -> Expr:
        match = (Coefficient(atanh(erf(X / sqrt(2))), X, j) for j in family.exponents)
        doubled = {p: 2 * a for p, a in zip(family.symbols, match, strict=True)}
        return largest(error_expression(family).xreplace(doubled))

    return Certified(meant, certified_error(family, parameters, "Phi").enclosures)


CERTIFIED: dict[str, Certification] = {
    "taylor-slope": closed_form(local_match(1).coefficients[0]),
    "taylor-cubic": closed_form(local_match(3).ratio(3)),
    "taylor-cubic-error": match_error(3),
}
