"""The chapter criteria: the best constants by six measures, and what the famous ones cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from scipy.special import expit
from sympy import S

from gelu_lib.activations import gelu_derivative
from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.least_integrals import IntegralCertificate, certify_integral
from gelu_lib.chapters.curves import ERROR_LABEL, error_on
from gelu_lib.chapters.recipes import Certification, Certified, at_root
from gelu_lib.derivations.quantities import Infimum
from gelu_lib.fits.criteria import Optimum, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import (
    FORMS,
    MEASURES,
    Choice,
    criterion,
    entry_id,
    minimax_id,
    optimum,
    stored,
)
from gelu_lib.fits.quantities import asked
from gelu_lib.functions.expressions import X, logistic, numpy_function
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC, TARGETS
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, COLOURS, GREEN, GREY, INK, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal, end_cells

MARKERS = dict(zip(TARGETS, (("o", BLUE), ("s", ORANGE), ("D", GREEN)), strict=True))
FUNCTION_NAMES = dict(zip(TARGETS, ("Φ", "GELU", "GELU′"), strict=True))


# --- figures


def opening() -> Drawn:
    """The error of GELU for the best constants of three judges, over the hill of likely inputs.

    Returns:
        For each judge, by the name of the measure, the curve of its choice; the hill as "likely".
    """
    x = np.linspace(0, 5, 501)
    choices = {name: stored("tanh-pinned", "GELU", name) for name in JUDGES}
    curves = {
        name: (x, error_on(x, TANH_CUBIC, choice.parameters, "GELU"))
        for name, choice in choices.items()
    }
    level = float(choices["sup"].error)
    drawn = draw(curves, ylabel=ERROR_LABEL["GELU"], levels=(-level, level))
    axes = plt.gca()
    axes.get_legend().remove()
    axes.set_ylim(-7.2e-4, 5.0e-4)
    floor, top = axes.get_ylim()
    hill = floor + 0.4 * (top - floor) * np.exp(-(x**2) / 2)
    axes.fill_between(x, floor, hill, color=GREY, alpha=0.15, linewidth=0)
    axes.text(0.08, -6.8e-4, "where inputs\nare likely", color=INK, fontsize="small")
    for error, colour, (label, at, place) in zip(
        (y for _, y in curves.values()), COLOURS, JUDGES.values(), strict=False
    ):
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.9}
        beside = {"color": colour, "va": "center", "arrowprops": line}
        axes.annotate(label, (at, np.interp(at, x, error)), place, **beside)
    return Drawn({**drawn.curves, "likely": (x, hill)})


# of the opening picture: the words of each measure, a place on its curve, and where they stand
JUDGES = {
    "sup": ("best by the\nlargest error", 1.6, (2.3, 3.9e-4)),
    "L1": ("best by\nthe average", 3.1, (3.6, -2.9e-4)),
    "Gaussian L1": ("best by the\naverage over\nlikely inputs", 2.9, (3.6, -5.5e-4)),
}


def spread() -> dict[str, Drawn]:
    """The best constant by every measure, and the famous one as a line; one panel for each form.

    Returns:
        For each form, the best constants as points (constant, row), by function.
    """
    forms = ("tanh-pinned", "sigmoid")
    panels = plt.figure(figsize=(5.4, 6.2), layout="constrained").subplots(len(forms))
    drawn = {form: _best_constants(axes, form) for axes, form in zip(panels, forms, strict=True)}
    for (name, (constants, rows)), (_, colour) in zip(
        drawn["tanh-pinned"].points.items(), MARKERS.values(), strict=True
    ):  # the first row is the key of all
        beside = {"textcoords": "offset points", "color": colour, "fontweight": "bold"}
        panels[0].annotate(
            name, (constants[0], rows[0]), (-10 if name == "GELU" else 4, 9), **beside
        )
    panels[-1].set_xlabel("best constant")
    return drawn


def _best_constants(axes: Axes, form: str) -> Drawn:
    """One panel of ``spread``."""
    rows, points = np.arange(len(MEASURES), dtype=float), {}
    famous = FORMS[form].literal
    axes.axvline(float(famous), color=INK, linewidth=1)
    for of, (marker, colour) in MARKERS.items():
        constants = np.array([float(stored(form, of, m).constant) for m in MEASURES])
        points[FUNCTION_NAMES[of]] = (constants, rows)
        axes.plot(constants, rows, marker, color=colour, markersize=7)
    ends = np.sort([constants for constants, _ in points.values()], axis=0)
    axes.hlines(rows, ends[0], ends[-1], color=GREY, linewidth=1, zorder=1)
    axes.tick_params(axis="x", labelsize="small")
    axes.set_yticks(rows, MEASURES)
    axes.set_ylim(len(MEASURES) - 0.5, -1.0)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.12)
    axes.set_title(f"{FORMS[form].name};\nthe line is {famous}", loc="left", fontsize="medium")
    return Drawn(points=points)


def cost_of_the_famous(form: str) -> Drawn:
    """A map of how much larger each measure is at the famous constant than at the best one.

    Args:
        form: a key of ``gelu_lib.fits.optima.FORMS``.

    Returns:
        For each function, the rows and the ratios.
    """
    cells = [[stored(form, of, measure) for of in TARGETS] for measure in MEASURES]
    ratios = np.array([[float(cell.famous_ratio) for cell in row] for row in cells])
    axes = plt.figure(figsize=(5.4, 3.2)).add_subplot()
    axes.imshow(np.log(ratios), cmap="Oranges", vmin=0, vmax=np.log(4), aspect="auto")
    for (row, column), ratio in np.ndenumerate(ratios):
        text = axes.text(column, row, f"× {ratio:.3f}", ha="center", va="center")
        text.set_color("black" if ratio < 2.5 else "white")
    axes.set_xticks(range(len(TARGETS)), [FUNCTION_NAMES[of] for of in TARGETS])
    axes.set_xlabel("whose error is measured")
    axes.set_yticks(range(len(MEASURES)), MEASURES)
    axes.set_title(f"What {FORMS[form].literal} costs", loc="left", fontsize=11)
    axes.grid(visible=False)
    rows = np.arange(len(MEASURES), dtype=float)
    return Drawn({of: (rows, ratios[:, column]) for column, of in enumerate(TARGETS)})


def stretched(scales: Sequence[float] = (1.2, 2.6)) -> Drawn:
    """The derivative of GELU beside those of x·σ(cx), whose bump moves and is never lifted.

    Args:
        scales: the scales besides the best one, in the middle.

    Returns:
        The curves, GELU′ first, and the summits of the bumps as points.
    """
    x = np.linspace(0, 5, 1001)
    best = float(result("sigmoid-slope-scale").value)
    curves = {"GELU′": (x, gelu_derivative(x))}
    for c in sorted((*scales, best)):
        slope = expit(c * x) * (1 + c * x * expit(-c * x))
        curves["best scale" if c == best else f"c = {c:g}"] = (x, slope)
    axes, points = plt.figure().add_subplot(), {}
    for (name, (_, y)), colour, place in zip(
        curves.items(), (INK, GREY, ORANGE, GREY), SLOPE_NAMES, strict=True
    ):
        axes.plot(x, y, color=colour, linestyle="-", linewidth=1.2 if colour == GREY else 2)
        summit = np.argmax(y)
        points[name] = (x[summit : summit + 1], y[summit : summit + 1])
        axes.plot(*points[name], "o", color=colour, markersize=5)
        line = {"arrowstyle": "-", "color": colour} if name == "best scale" else None
        at = (points[name][0][0], points[name][1][0])
        axes.annotate(name, at, place, color=colour, ha="center", arrowprops=line)
    (place,), (top,) = points["GELU′"]
    level = points["best scale"][1][0]
    axes.annotate("", (place, level), (place, top), arrowprops={"arrowstyle": "<->"})
    thin = {"arrowstyle": "-", "linewidth": 0.9}
    axes.annotate("no scale closes\nthis gap", (place, 1.115), (2.3, 1.125), arrowprops=thin)
    axes.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
    axes.set_ylim(0.78, 1.16)
    axes.set_xlim(-0.5, 5)
    axes.set_xlabel("x")
    axes.set_ylabel("derivative")
    return Drawn(curves, points)


SLOPE_NAMES = ((1.41, 1.145), (3.45, 1.075), (1.9, 0.93), (0.3, 1.112))
"""Where the names of the curves of ``stretched`` stand."""


def condition(optimum: Optimum, high: float = 5.0, axes: Axes | None = None) -> Drawn:
    """The weighted error of an optimum on x ≥ 0, with the points of its optimality condition.

    For the sup norm these are the highest peaks, between the levels ±E; for L1 the zeros.
    """
    criterion = optimum.criterion
    x = np.linspace(0, high, 1201)
    places = np.array([float(place) for place in optimum.points])
    peaks = criterion.norm == "sup"
    level = float(optimum.error)

    def error(at: np.ndarray) -> np.ndarray:
        weight = numpy_function(criterion.weight)(at) if peaks else 1.0
        return weight * error_on(at, optimum.family, optimum.parameters, criterion.of)

    name = "highest peaks" if peaks else "changes of sign"
    heights = level * np.array(optimum.signs) if peaks else np.zeros(len(places))
    axes = axes or plt.figure().add_subplot()
    drawn = draw(
        {"error": (x, error(x))},
        {name: (places, heights)} if len(places) else {},
        ylabel=ERROR_LABEL[criterion.of],
        levels=(-level, level) if peaks else (),
        axes=axes,
    )
    if len(places):
        axes.get_legend().remove()
        axes.margins(y=0.3)  # room for the words beyond the highest peak
        words = name if len(places) > 1 else name.removesuffix("s")
        away = (8, -11 if heights[-1] < 0 else 11)
        beside = {"textcoords": "offset points", "va": "center"}
        axes.annotate(words, (places[-1], heights[-1]), away, **beside)
    return drawn


def conditions(optima: Mapping[str, Optimum], high: float = 5.0) -> dict[str, Drawn]:
    """Several optima, one above the other, each with its name; see ``condition``."""
    figure = plt.figure(figsize=(5.4, 2.2 * len(optima)), layout="constrained")
    panels = figure.subplots(len(optima), sharex=True)
    drawn = {}
    for axes, (name, best) in zip(np.atleast_1d(panels), optima.items(), strict=True):
        drawn[name] = condition(best, high, axes)
        axes.set_title(name, loc="right", fontsize="medium")
        axes.label_outer()
    return drawn


def best_by_average() -> Drawn:
    """The error of GELU with both coefficients free and the least L1 norm, and its zeros."""
    return condition(optimum("tanh-free", "GELU", "L1"))


# --- optima


def best_for_slope() -> dict[str, Optimum]:
    """The least largest error of GELU′ in each of the three forms."""
    return {
        "sigmoid form": minimax(LOGISTIC, "GELU_derivative"),
        "tanh form, slope kept": minimax(TANH_CUBIC, "GELU_derivative", SLOPE_KEPT),
        "tanh form, both free": minimax(TANH_CUBIC, "GELU_derivative"),
    }


def best_by(weight: Callable[[sp.Symbol], sp.Expr]) -> Optimum:
    """The cubic coefficient with the least largest weighted error of GELU, the slope kept.

    Args:
        weight: the weight as a function of x that SymPy can follow; what ``Criterion`` accepts.
    """
    return minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, digits=30, weight=weight(X))


# --- tables


def verdicts(
    judges: Mapping[str, Callable[[np.ndarray], float]],
    error: Callable[[float], np.ndarray],
    chosen: Mapping[str, float],
) -> Table:
    """What every judge says of every choice: the measure, divided by that of the judge's own.

    Args:
        judges: the measures of a sampled error, by name.
        error: the sampled error of a constant.
        chosen: the best constant of each judge.
    """
    rows = [
        [
            name,
            f"{k:.5f}",
            *(f"{j(error(k)) / j(error(chosen[own])):.2f}" for own, j in judges.items()),
        ]
        for name, k in chosen.items()
    ]
    return Table(["choice of", "constant", *judges], rows)


def digits_table(form: str, *constants: str) -> Table:
    """The best constants of a form by all measures of all functions, and what is known of each.

    Args:
        form: a key of ``gelu_lib.fits.optima.FORMS``.
        constants: the names of the columns of constants, the compared one last.
    """
    literal = FORMS[form].literal
    header = ["measure", "error of", *constants, "least measure", f"{literal}: times the least"]
    header += [f"rounds to {literal}?", "largest error", "known to be"]
    return Table(header, [_row(form, of, measure) for measure in MEASURES for of in TARGETS])


def _row(form: str, of: str, measure: str) -> list[str]:
    cell = stored(form, of, measure)
    free = [cell.parameters[name] for name in cell.parameters if name not in FORMS[form].fixed]
    known = "best of all, certified" if measure in SUP_MEASURES else "best nearby"
    return [
        measure,
        FUNCTION_NAMES[of],
        *(decimal(value, 8) for value in free if len(free) == 2),
        decimal(cell.constant, 8),
        decimal(cell.error, 6),
        f"{float(cell.famous_ratio):.4f}",
        "yes" if cell.rounds_to_the_literal else "no",
        f"{decimal(cell.worst_error, 4)} at ±{decimal(cell.worst, 4)}",
        known,
    ]


def highest_peaks(optima: Mapping[str, Optimum]) -> Table:
    """Where the highest peaks of each optimum are, their signs, and the multipliers."""
    rows = [
        [
            name,
            ", ".join(decimal(x, 6) for x in best.points),
            ", ".join("+" if sign > 0 else "−" for sign in best.signs),
            ", ".join(decimal(weight, 6) for weight in best.multipliers),
        ]
        for name, best in optima.items()
    ]
    return Table(["form", "highest peaks", "signs", "multipliers"], rows)


def free_parameters(proved: Mapping[str, Certificate]) -> Table:
    """Between which numbers each free parameter is proved to lie."""
    rows = [
        [name, f"`{symbol}`", *end_cells(found)]
        for name, certificate in proved.items()
        for symbol, found in certificate.parameters.items()
        if symbol not in certificate.fixed
    ]
    return Table(["form", "parameter", "at least", "at most"], rows)


def closed_form_agrees() -> Table:
    """How many digits of the table's numbers for GELU′ are those of the closed form."""
    entry = result("criteria-sigmoid-gelu-derivative").numbers
    closed = {"sup, p1": "sigmoid-slope-scale", "sup, error": "sigmoid-slope-floor-value"}
    rows = [
        [f"`{name}`", str(min(50, agreeing_digits(entry[name], result(id).value)))]
        for name, id in closed.items()
    ]
    return Table(["number", "digits that agree"], rows)


def measured(best: Optimum) -> Table:
    """The best k by a measure of one's own, and whether the error alternates."""
    k = best.parameters["p3"] / best.parameters["p1"]
    row = [decimal(k, 8), decimal(best.error, 8), "yes" if best.alternates else "no"]
    return Table(["$k$", "least measure", "alternates"], [row])


# --- numbers of the text


def hits_and_costs() -> dict[str, str]:
    """How often the best constant rounds to the famous one, and what the famous one costs."""
    worst = max(stored("tanh-pinned", "GELU", m).famous_ratio for m in MEASURES)
    assert worst == stored("tanh-pinned", "GELU", "Gaussian sup").famous_ratio
    return {
        "tanh-hits": _hits("tanh-pinned"),
        "free-hits": _hits("tanh-free"),
        "sigmoid-hits": _hits("sigmoid"),
        **_ends_of("k", "tanh-pinned", 5),
        **_ends_of("free", "tanh-free", 5),
        **_ends_of("c", "sigmoid", 3),
        "k-spread": _spread("tanh-pinned"),
        "c-spread": _spread("sigmoid"),
        "gelu-ratio": f"{float(worst):.1f}",
        "gelu-sup-ratio": _ratio("tanh-pinned", "sup", 2),
        "gelu-l1-ratio": _ratio("tanh-pinned", "L1", 3),
        "sigmoid-gelu-ratio": _ratio("sigmoid", "sup", 2),
        "sigmoid-gelu-normal": _ratio("sigmoid", "Gaussian L2", 2),
        "normal-k": decimal(stored("tanh-pinned", "GELU", "Gaussian L2").constant, 8),
        "normal-c": decimal(stored("sigmoid", "GELU", "Gaussian L2").constant, 8),
    }


def _spread(form: str) -> str:
    """By how many percent the largest of all best constants exceeds the smallest."""
    constants = [cell.constant for cell in _cells(form)]
    return f"{float(100 * (max(constants) / min(constants) - 1)):.1f}"


def _hits(form: str) -> str:
    count = sum(cell.rounds_to_the_literal for cell in _cells(form))
    return ("none", "one", "two", "three", "four", "five", "six")[count]


def _cells(form: str) -> list[Choice]:
    return [stored(form, of, measure) for of in TARGETS for measure in MEASURES]


def _ratio(form: str, measure: str, places: int) -> str:
    """How much larger a measure of the error of GELU is at the famous constant."""
    return f"{float(stored(form, 'GELU', measure).famous_ratio):.{places}f}"


def _ends_of(name: str, form: str, places: int) -> dict[str, str]:
    """Numbers between which all best constants of a form lie, so rounded outward."""
    constants = [cell.constant * 10**places for cell in _cells(form)]
    low, high = sp.floor(min(constants)), sp.ceiling(max(constants))
    return {
        f"{name}-low": f"{low / 10**places:.{places}f}",
        f"{name}-high": f"{high / 10**places:.{places}f}",
    }


# --- numbers of the register

SUP_MEASURES = {"sup": "", "Gaussian sup": "Gaussian "}
"""The measures that have certificates for the whole line, and how their numbers' names begin."""


@lru_cache
def certificate(form: str, of: str, measure: str, digits: int) -> Certificate | IntegralCertificate:
    """What is proved of one cell of the table: for a sup norm on the whole, else of all nearby."""
    prove = certify if measure in SUP_MEASURES else certify_integral
    return prove(optimum(form, of, measure), digits)


def _constants(proved: Certificate | IntegralCertificate) -> dict[str, Enclosure]:
    """The constants that were found: those that are free, and k if there are two coefficients."""
    found = {name: p for name, p in proved.parameters.items() if name not in proved.fixed}
    if "p3" in found:
        return {"k": proved.parameters["p3"] / proved.parameters["p1"], **found}
    return found


def _least(form: str, of: str, measures: Iterable[str]) -> tuple[Infimum, ...]:
    """The least size of an error by each measure."""
    own = FORMS[form]
    made = [problem(own.family, criterion(of, measure), own.fixed) for measure in measures]
    return tuple(asked(one).error for one in made)


def _minimax(form: str, of: str) -> Certification:
    """What is proved of a form and a function: the best constants, the error and its places."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure, begin in SUP_MEASURES.items():
            proved = certificate(form, of, measure, digits)
            found |= {f"{begin}{name}": value for name, value in _constants(proved).items()}
            found[f"{begin}E"] = proved.error
            found |= {f"{begin}x{i}": x for i, x in enumerate(proved.points, 1)}
        return found

    return Certified(lambda: _least(form, of, SUP_MEASURES), enclosures)


def _all_measures(form: str, of: str) -> Certification:
    """The best constants by every measure, and how large it then is."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure in MEASURES:
            proved = certificate(form, of, measure, digits)
            found |= {f"{measure}, {name}": value for name, value in _constants(proved).items()}
            found[f"{measure}, error"] = proved.error
        return found

    return Certified(lambda: _least(form, of, MEASURES), enclosures)


TABLE: dict[str, Certification] = {
    entry_id(form, of): _all_measures(form, of) for form in FORMS for of in TARGETS
}
"""The entries of the table of criteria, which ``tools/write_choices.py`` writes."""

_STEEPEST = (1 + sp.erf(S.One)) / 2 + 1 / (sp.E * sp.sqrt(sp.pi))
_AT_STEEPEST = X * sp.tanh(X / 2) - 2
"""Its only zero x > 0 is where x·σ(x) is steepest, because x·tanh(x/2) rises."""

CERTIFIED: dict[str, Certification] = {
    **{minimax_id(form, of): _minimax(form, of) for form in FORMS for of in TARGETS},
    **TABLE,
    "sigmoid-slope-floor-value": at_root(
        _AT_STEEPEST, 2.4, _STEEPEST - sp.diff(X * logistic(X), X)
    ),
    "sigmoid-slope-scale": at_root(_AT_STEEPEST, 2.4, X / sp.sqrt(2)),
}
