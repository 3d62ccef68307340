"""The chapter tanh-constant: where 0.044715 comes from, and what other choices cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import islice

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from sympy import Expr, Rational

from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters import curves
from gelu_lib.chapters.recipes import (
    Certification,
    certified_error,
    certified_fit,
    cubic_ratio,
    error_of,
    parameter,
)
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.optima import stored
from gelu_lib.functions.expressions import PAGE_CUBIC
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC, TARGETS, Family, Value
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, GREY, INK, ORANGE, Drawn
from gelu_lib.show.tables import Table, decimal

TAYLOR = local_match(3).ratio(3)
"""The cubic coefficient of the local match, (4 − π)/(6π)."""

HALF_OF_THE_FRACTION = Rational(11, 246)

# of the opening picture
STROKES = ((GREY, 1.4), (BLUE, 2.6), (ORANGE, 1.4))
NAMES_IN_THE_V = (
    ("0.044715", (-28, -40), BLUE),
    ("11/246", (-6, 44), GREY),
    (r"$\pi/70$", (10, -22), INK),
    ("Taylor", (10, -22), ORANGE),
)
POINTER = {"arrowstyle": "-", "color": GREY, "linewidth": 0.8, "shrinkB": 4}
OFFSET = {"textcoords": "offset points", "fontsize": "medium"}
ARROW = {"arrowstyle": "->", "color": INK, "shrinkB": 4}


def tanh_form(cubic: Value) -> tuple[Family, Mapping[str, Value]]:
    """The member with the slope of Φ at 0 and this coefficient k in x + k·x³."""
    return TANH_CUBIC, {**SLOPE_KEPT, "p3": SLOPE_KEPT["p1"] * cubic}


# --- figures


def opening() -> Drawn:
    """The error of Φ for three constants: a larger one lowers one peak and deepens the other."""
    members = {name: tanh_form(Rational(name)) for name in ("0.0443", "0.044715", "0.0451")}
    drawn = curves.error_curves(members)
    axes = plt.gca()
    axes.get_legend().remove()
    for line, (colour, width) in zip(axes.get_lines()[-3:], STROKES, strict=True):
        line.set(color=colour, linewidth=width, linestyle="-")
    first, second = zip(*(peaks(*curve) for curve in drawn.curves.values()), strict=True)
    for line, (name, (colour, _)) in enumerate(zip(members, STROKES, strict=True)):
        axes.annotate(
            f"$k$ = {name}", (4.6, 3.1e-4), (0, -15 * line), ha="right", color=colour, **OFFSET
        )
    said = "a larger $k$\nlowers this peak"
    axes.annotate(said, first[1], (34, -34), arrowprops=ARROW, **OFFSET)
    axes.annotate("and deepens\nthat one", second[1], (24, -30), arrowprops=ARROW, **OFFSET)
    axes.set_ylim(-3.2e-4, 3.6e-4)
    return drawn


def peaks(x: np.ndarray, y: np.ndarray) -> list[tuple[float, float]]:
    """Where a sampled curve is highest and where it is lowest, with its values there."""
    return [(x[i], y[i]) for i in (np.argmax(y), np.argmin(y))]


def largest_error_by_constant() -> Drawn:
    """The largest error of Φ against the cubic coefficient, with the four that have a name."""
    named = {
        "0.044715": PAGE_CUBIC,
        "11/246": HALF_OF_THE_FRACTION,
        r"$\pi/70$": sp.pi / 70,
        "Taylor": TAYLOR,
    }
    cubics = np.linspace(0.0437, 0.0457, 41)
    drawn = curves.sup_error_against(
        cubics,
        [tanh_form(Rational(cubic)) for cubic in cubics],
        {name: (float(cubic), tanh_form(cubic)) for name, cubic in named.items()},
        xlabel="constant $k$",
    )
    axes = plt.gca()
    axes.get_legend().remove()
    for line, (name, shift, colour) in zip(axes.get_lines()[-4:], NAMES_IN_THE_V, strict=True):
        line.set(color=colour, markerfacecolor=colour, marker="o", zorder=3 if shift[1] < 0 else 2)
        (place,) = line.get_xydata()
        axes.annotate(name, place, shift, color=colour, arrowprops=POINTER, **OFFSET)
    return drawn


def best_beside_taylor(fit: Optimum) -> Drawn:
    """The errors of Φ with the best coefficient and with the Taylor coefficient."""
    members = {"best": (fit.family, fit.parameters), "Taylor": tanh_form(TAYLOR)}
    return curves.error_curves(members)


def errors_of_gelu(gelu_fit: Optimum) -> Drawn:
    """The errors of GELU with 0.044715 and with the coefficient that is best for GELU."""
    best = (gelu_fit.family, gelu_fit.parameters)
    members = {"0.044715": tanh_form(PAGE_CUBIC), "best for GELU": best}
    drawn = curves.error_curves(members, of="GELU")
    axes = plt.gca()
    axes.get_legend().remove()
    crest, _ = peaks(*drawn.curves["best for GELU"])
    _, trough = peaks(*drawn.curves["0.044715"])
    axes.annotate("best for GELU", crest, (14, -4), color=ORANGE, **OFFSET)
    axes.annotate("0.044715", trough, (0, -15), ha="center", color=BLUE, **OFFSET)
    axes.set_ylim(bottom=-5.8e-4)
    return drawn


def best_pair(free_fit: Optimum) -> Drawn:
    """The error with both coefficients free, which alternates at three points."""
    return curves.alternation(free_fit)


def three_functions() -> dict[str, Drawn]:
    """What three choices leave of Φ, of GELU and of GELU′."""
    return curves.error_panels(
        {
            "0.044715": tanh_form(PAGE_CUBIC),
            "Taylor": tanh_form(TAYLOR),
            "both free, best for GELU′": (TANH_CUBIC, _best_pair("GELU_derivative")),
        }
    )


# --- tables


def proved_ends(proof: Certificate) -> Table:
    """The best constant and the largest error that it leaves, each between two proved ends."""
    return Table.of_ends({"$k$": cubic_ratio(proof), "$E$": proof.error})


def best_pair_table(fit: Optimum) -> Table:
    """Both coefficients of the best pair, their ratio and the largest error that they leave."""
    p1, p3 = fit.parameters["p1"], fit.parameters["p3"]
    best = {"$p_1$": p1, "$p_3$": p3, "$k = p_3/p_1$": p3 / p1, "$E$": fit.error}
    return Table.of_digits(best, 8)


def candidates(cubic: Expr, gelu_cubic: Expr) -> dict[str, Value]:
    """The constants that the tables compare, by name."""
    return {
        "0.044715": PAGE_CUBIC,
        "best for Φ": cubic,
        "best for GELU": gelu_cubic,
        "Taylor": TAYLOR,
        "11/246": HALF_OF_THE_FRACTION,
    }


def costs_of_cubics(cubics: Mapping[str, Value]) -> Table:
    """The proved largest errors of Φ and of GELU with each coefficient, the slope kept."""
    rows = [[name, *(_cost(k, of) for of in ("Phi", "GELU"))] for name, k in cubics.items()]
    return Table(["$k$", r"largest error of $\Phi$", "of GELU"], rows)


def costs_of_choices(cubics: Mapping[str, Value], free_fit: Optimum) -> Table:
    """The proved largest errors of all three functions, for each of the choices of the chapter."""
    best = stored("tanh-pinned", "GELU_derivative", "sup").parameters
    choices = {f"slope kept, {name}": tanh_form(k)[1] for name, k in cubics.items()}
    choices |= {
        "slope kept, best for GELU′": best,
        "both free, best for Φ": free_fit.parameters,
        "both free, best for GELU": _best_pair("GELU"),
        "both free, best for GELU′": _best_pair("GELU_derivative"),
        "both free, as quoted from Bowling": _bowling(),
    }
    rows = []
    for name, parameters in choices.items():
        found = [certified_sup_error(Form(TANH_CUBIC, parameters), of, digits=5) for of in TARGETS]
        rows.append([name, *(f"{f.error.rounded(5)} at ±{f.points[0].rounded(4)}" for f in found)])
    return Table(["choice", r"largest error of $\Phi$", "of GELU", "of GELU′"], rows)


def continued_fraction(number: Expr) -> list[int]:
    """The first six terms of a number's continued fraction."""
    return list(islice(sp.continued_fraction_iterator(Rational(number)), 6))


def costs_of_convergents(terms: Sequence[int], cubic: Expr) -> Table:
    """For each convergent of 2k: how many digits of k are right, and the largest error of Φ."""
    rows = []
    for double in islice(sp.continued_fraction_convergents(terms), 1, None):
        k = double / 2
        right = agreeing_digits(decimal(k, 30), decimal(cubic, 45))
        rows.append([f"{double}", decimal(k, 10), str(right), _cost(k, "Phi")])
    return Table(["convergent of $2k$", "$k$", "digits right", "largest error of Φ"], rows)


def coefficients_of_erf(cubic: Expr) -> Table:
    """The coefficients that a source has in the formula for erf, beside twice the optimum."""
    doubles = {
        r"$(4-\pi)/(3\pi)$": (4 - sp.pi) / (3 * sp.pi),
        r"$\pi/35$": sp.pi / 35,
        "$11/123$": Rational(11, 123),
        "$2k$, the optimum": 2 * cubic,
    }
    rows = [[name, decimal(d, 10), _cost(d / 2, "Phi")] for name, d in doubles.items()]
    return Table(["coefficient of $x^3$ in erf's formula", "value", "largest error of Φ"], rows)


def _cost(cubic: Value, of: str) -> str:
    """The proved largest error with a coefficient, and where it is reached."""
    found = certified_sup_error(Form(*tanh_form(cubic)), of=of, digits=5)
    places = " and ".join(f"±{x.rounded(4)}" for x in found.points)
    return f"{found.error.rounded(5)} at {places}"


# --- numbers of the text


def cost_of_rounding(proof: Certificate) -> dict[str, str]:
    """How many printed digits are right, and how much more the rounding and Taylor's k cost."""
    best, cubic = proof.error, cubic_ratio(proof)
    return {
        "page-digits": str(agreeing_digits("0.044715", cubic.lower)),
        "rounding-cost": _percent_more(_largest(PAGE), best),
        "taylor-cost": _percent_more(_largest(tanh_form(TAYLOR)[1]), best),
        "best-error": str(best.rounded(4)),
        "is-rounding": str(cubic.rounded(5)),
        "best-k": str(cubic.lower)[:9],
    }


def of_the_fraction(terms: Sequence[int], cubic: Expr) -> dict[str, str]:
    """The term after 11/123, and how far the decimal and half of the fraction are from k."""
    return {
        "next-term": str(terms[4]),
        "page-distance": decimal(abs(PAGE_CUBIC - cubic), 3),
        "half-distance": decimal(abs(HALF_OF_THE_FRACTION - cubic), 3),
    }


def gain_of_both(free_fit: Optimum, proof: Certificate) -> dict[str, str]:
    """What a free linear coefficient gains, and that no pair has the error of the abstract."""
    quoted, free = _largest(_bowling()), certify(free_fit).error
    claimed = Decimal(result("bowling-error").value)
    assert quoted.lower > free.upper > free.lower > claimed
    return {
        "free-gain": _percent_less(free, proof.error),
        "bowling-error": str(quoted.rounded(5)),
        "free-error": str(free.rounded(5)),
    }


def costs_for_training() -> dict[str, str]:
    """How the errors of GELU′ compare with those of GELU, and what the best pair gains."""
    of = "GELU_derivative"
    page, taylor = _largest(PAGE, of), _largest(tanh_form(TAYLOR)[1], of)
    gelu = _largest(PAGE, "GELU")
    assert taylor.upper < page.lower
    assert 5 * _largest(_best_pair("GELU"), "GELU").upper < 3 * gelu.lower
    return {
        "slope-to-gelu": str((page / gelu).rounded(2)),
        "slope-gain": _percent_less(_largest(_best_pair(of), of), page),
    }


def _largest(parameters: Mapping[str, Value], of: str = "Phi") -> Enclosure:
    """An enclosure of the largest error of a member of the cubic family."""
    return certified_sup_error(Form(TANH_CUBIC, parameters), of, digits=5).error


def _percent_more(error: Enclosure, least: Enclosure) -> str:
    return f"{100 * ((error / least).rounded(12) - 1):.2g}"


def _percent_less(error: Enclosure, largest: Enclosure) -> str:
    return f"{100 * (1 - (error / largest).rounded(12)):.2g}"


def _best_pair(of: str) -> Mapping[str, Expr]:
    """Both coefficients free, the largest error of one function least."""
    return stored("tanh-free", of, "sup").parameters


def _bowling() -> dict[str, str]:
    """The pair that is quoted from Bowling and others."""
    return {"p1": result("bowling-linear").value, "p3": result("bowling-cubic").value}


# --- numbers of the register

CERTIFIED: dict[str, Certification] = {
    "tanh-pinned-cubic": certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, cubic_ratio),
    "tanh-pinned-error": certified_fit(TANH_CUBIC, "Phi", SLOPE_KEPT, error_of),
    "page-error-phi": certified_error(TANH_CUBIC, PAGE, "Phi"),
    "page-error-gelu": certified_error(TANH_CUBIC, PAGE, "GELU"),
    "page-error-gelu-derivative": certified_error(TANH_CUBIC, PAGE, "GELU_derivative"),
    "tanh-gelu-cubic": certified_fit(TANH_CUBIC, "GELU", SLOPE_KEPT, cubic_ratio),
    "tanh-free-linear": certified_fit(TANH_CUBIC, "Phi", {}, parameter("p1")),
    "tanh-free-cubic": certified_fit(TANH_CUBIC, "Phi", {}, parameter("p3")),
    "tanh-free-error": certified_fit(TANH_CUBIC, "Phi", {}, error_of),
    "eleven-over-123-convergent": certified_fit(
        TANH_CUBIC, "Phi", SLOPE_KEPT, lambda found: 2 * cubic_ratio(found)
    ),
}
