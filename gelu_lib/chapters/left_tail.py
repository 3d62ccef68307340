"""The chapter left-tail: the series of Mills' ratio, and how far off the two forms are."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from sympy import Expr, Le, Rational, Symbol, exp, sqrt

from gelu_lib.certificates.left_tail import (
    UNIT_ROUNDOFF,
    best_terms,
    earliest_reach,
    mills_ratio,
    partial_sum,
    reach,
    relative_rest,
    truncation_error,
)
from gelu_lib.certificates.tail_ratios import SIGMOID_TAIL, TANH_TAIL, Tail, place, relative_error
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification, Certified
from gelu_lib.derivations.enclosed import Root
from gelu_lib.derivations.quantities import Infimum
from gelu_lib.functions.expressions import Phi, X, logistic
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, COLOURS, DASHES, GREY, INK, ORANGE, Drawn
from gelu_lib.show.tables import Table, decimal

LINEAR_SHARE = 12.0
"""How many powers of 10 take as much room as the numbers from 0 to 1, above which the scale is
logarithmic."""

TICKS = {-1: "$-1$", -0.5: "$-1/2$", 0: "$0$", 1: "$1$"} | {
    10.0**power: f"$10^{{{power}}}$" for power in (8, 16, 24, 32)
}


def mills_series(counts: Sequence[int] = (1, 3, 10, 30), high: float = 12.0) -> Drawn:
    """The relative error of the series of Mills' ratio, against x, for some numbers of terms.

    Args:
        counts: up to four numbers of terms.
        high: where x ends; it begins at 1.

    Returns:
        A curve for each number of terms, and the one for the best number at each x.
    """
    x = np.linspace(1, high, 89)
    curves = {
        f"{count} term{'s' * (count > 1)}": (x, _errors(x, [count] * len(x))) for count in counts
    }
    axes = plt.figure(figsize=(5.4, 4.2), layout="constrained").add_subplot()
    for (name, curve), colour, dash in zip(curves.items(), COLOURS, DASHES, strict=False):
        axes.plot(*curve, color=colour, linestyle=dash, label=name)
    best = x, _errors(x, [best_terms(Rational(at)) for at in x])
    axes.plot(*best, color=INK, linewidth=3.2, alpha=0.45, label="best number of terms")
    level = float(UNIT_ROUNDOFF)
    axes.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
    axes.text(1, level, "unit roundoff\nof float64", color=GREY, va="top", fontsize="small")
    axes.set_yscale("log")
    axes.set_ylim(1e-24, 1e4)
    axes.set_xlabel("x")
    axes.set_ylabel("relative error")
    axes.figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    return Drawn({**curves, "best number of terms": best})


def _errors(x: np.ndarray, counts: Sequence[int]) -> np.ndarray:
    pairs = zip(x, counts, strict=True)
    return np.array([float(truncation_error(Rational(at), count)) for at, count in pairs])


def tail_errors(low: float = -14.0) -> Drawn:
    """The relative errors of the tanh form and the sigmoid form left of 0, on a split scale.

    Args:
        low: where x begins, not below −30.

    Returns:
        A curve for each form, and on them where the tanh form is half of GELU, where the sigmoid
        form is twice GELU, and where each crosses GELU.
    """
    x = np.linspace(low, 0, 701)[:-1]
    forms = {"sigmoid form": SIGMOID_TAIL, "tanh form": TANH_TAIL}
    curves = {name: (x, relative_error(tail, x)) for name, tail in forms.items()}
    half = float(place(TANH_TAIL, Rational(1, 2)).upper)
    double = float(place(SIGMOID_TAIL, 2).upper)
    zeros = [float(place(tail, 1).upper) for tail in forms.values()]
    points = {
        "twice GELU": (np.array([double]), np.ones(1)),
        "half of GELU": (np.array([half]), np.array([-0.5])),
        "equal to GELU": (np.array(zeros), np.zeros(2)),
    }
    axes = plt.figure(figsize=(5.4, 3.9)).add_subplot()
    axes.set_yscale("symlog", linthresh=1, linscale=LINEAR_SHARE)
    axes.set_yticks(list(TICKS), TICKS.values())
    axes.minorticks_off()
    axes.axhline(-1, color=INK, linewidth=0.8)
    for (name, curve), colour, dash in zip(curves.items(), (ORANGE, BLUE), DASHES, strict=False):
        axes.plot(*curve, color=colour, linestyle=dash, label=name)
    for (name, mark), shape in zip(points.items(), "osD", strict=True):
        axes.plot(*mark, shape, color=INK, markersize=6, markerfacecolor="none", label=name)
    axes.set_xlabel("x")
    axes.set_ylabel("relative error")
    axes.legend(fontsize="small")
    return Drawn(curves, points)


def best_terms_table(places: Sequence[int]) -> Table:
    """At each place the best number of terms of the series, its error, and Stirling's estimate."""
    header = ["$x$", "best number of terms", "least relative error", "$e^{-x^2/2}/\\sqrt{2}$"]
    rows = []
    for x in places:
        terms = best_terms(x)
        estimate = exp(-(Rational(x) ** 2) / 2) / sqrt(2)
        error = decimal(truncation_error(x, terms), 3)
        rows.append([str(x), str(terms), error, decimal(estimate, 3)])
    return Table(header, rows)


def reach_table() -> Table:
    """From which place on some numbers of terms give float64, the best number among them."""
    best, _ = earliest_reach(UNIT_ROUNDOFF)
    header = ["number of terms", "relative error below $2^{-53}$ from $x =$"]
    counts = (1, 2, 3, 5, 10, 20, best, 60)
    places = [Rational(str(reach(count, UNIT_ROUNDOFF, 12).upper)) for count in counts]
    return Table(header, [[str(n), decimal(x, 4)] for n, x in zip(counts, places, strict=True)])


def numbers() -> dict[str, str]:
    """The numbers in the text."""
    best_count, earliest = earliest_reach(UNIT_ROUNDOFF)
    best = best_terms(8)
    mean_of_two = (partial_sum(8, best, 40) + partial_sum(8, best + 1, 40)) / 2
    registered = {
        "half-place": "page-tail-half",
        "tanh-crossing": "page-tail-crossing",
        "double-place": "scale-1702-tail-double",
        "sigmoid-crossing": "scale-1702-tail-crossing",
    }
    half_place = Rational(result("page-tail-half").value)
    return {
        "earliest": decimal(Rational(str(earliest.upper)), 4),
        "best-count": str(best_count),
        "mean-of-two": decimal(abs(mean_of_two / mills_ratio(8, 40) - 1), 2),
        **{name: decimal(Rational(result(id).value), 4) for name, id in registered.items()},
        "lost-at-half": decimal(-half_place * Phi(half_place) / 2, 2),
    }


# --- numbers of the register


def _earliest(size: Rational) -> Certification:
    """The least x > 0 at which a partial sum can have a relative error of at most a size."""
    terms = Symbol("N", integer=True, positive=True)

    def place() -> Expr:
        least = Infimum(relative_rest(X, terms), [terms])
        return Infimum(X, [X], (X > 0) & Le(least, size, evaluate=False))

    return Certified(place, lambda digits: {"": earliest_reach(size, digits + GUARD_DIGITS)[1]})


def _where(tail: Tail, ratio: Rational) -> Certification:
    """The x < 0 where a form is a given multiple of GELU."""
    return Certified(
        lambda: Root(logistic(tail.exponent) - ratio * Phi(X)),
        lambda digits: {"": place(tail, ratio, digits + GUARD_DIGITS)},
    )


CERTIFIED: dict[str, Certification] = {
    "mills-float64-place": _earliest(UNIT_ROUNDOFF),
    "page-tail-half": _where(TANH_TAIL, Rational(1, 2)),
    "page-tail-crossing": _where(TANH_TAIL, Rational(1)),
    "scale-1702-tail-double": _where(SIGMOID_TAIL, Rational(2)),
    "scale-1702-tail-crossing": _where(SIGMOID_TAIL, Rational(1)),
}
