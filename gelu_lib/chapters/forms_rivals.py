"""The chapter forms-rivals: higher degrees, and what the other forms reach."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from sympy import Abs, Eq, Expr, oo

from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.increasing import PROBLEM, certify_increasing
from gelu_lib.certificates.merging import certified_splitting_rate
from gelu_lib.chapters.curves import ERROR_LABEL, alternation
from gelu_lib.chapters.forms import gains, stored_number
from gelu_lib.chapters.recipes import (
    GUARD_DIGITS,
    Certification,
    Certified,
    Part,
    certified_fit,
    error_of,
    parameter,
)
from gelu_lib.derivations.quantities import Infimum, Supremum
from gelu_lib.fits.alternation import error_curve, solve_level, start_level
from gelu_lib.fits.bands import GRID, band_minimax
from gelu_lib.fits.criteria import Criterion, Optimum, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.quantities import asked, signed_error, splitting_rate
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.shape import shape
from gelu_lib.functions.tanh_forms import TanhForm, merged_tanh_sum, tanh_powers
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, GREY, Drawn
from gelu_lib.show.tables import Table, decimal, end_cells

# --- figures


def error_of_degree_7(seventh: Optimum) -> Drawn:
    """The error of the best member of degree 7, far enough to show its last point."""
    return alternation(seventh, high=30)


def searched_sums() -> dict[int, Drawn]:
    """What the recorded search found for Φ: the scales of each sum, and its error.

    A horizontal line is the error of the best merged form.

    Returns:
        For each number of terms the points (scale, error), those of one sum after another.
    """
    merged = {count: stored_number(f"tanh-sum-{count}-error") for count in (2, 3)}
    figure = plt.figure(figsize=(5.4, 2.4 * len(merged)), layout="constrained")
    panels = figure.subplots(len(merged), sharex=True)
    drawn = {}
    for axes, (count, level) in zip(panels, merged.items(), strict=True):
        (search,) = (
            one
            for one in recorded_search()["searches"]
            if (one["count"], one["of"], one["limit_one"]) == (count, "Phi", False)
        )
        scales = np.concatenate([scales for _, scales in search["found"]])
        errors = np.repeat([error for error, _ in search["found"]], count)
        axes.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
        axes.plot(scales, errors, "o", color=BLUE, markerfacecolor="none")
        axes.set_title(f"{count} terms", loc="left", fontsize="medium")
        axes.set_ylabel(ERROR_LABEL["Phi"])
        drawn[count] = Drawn(points={"found": (scales, errors)})
    panels[-1].set_xlim(0, SCALE_RANGE[1])
    panels[-1].set_xlabel("scales of the sum")
    return drawn


# --- tables


def errors_and_points(fits: Sequence[Optimum]) -> Table:
    """For each family the powers, the least error, and where it is reached."""
    rows = []
    for fit in fits:
        places = ", ".join(decimal(x, 4) for x in fit.points)
        rows.append([_powers(fit.family), decimal(fit.error, 5), places])
    return Table(["powers", "largest error of Φ", "alternation points"], rows)


def _powers(family: Family) -> str:
    return ", ".join(map(str, family.exponents))


def proved_errors(certificates: Sequence[Certificate]) -> Table:
    """Between which numbers each least error is proved to lie, and where its tail begins."""
    rows = [[_powers(c.family), *end_cells(c.error), f"{c.end:g}"] for c in certificates]
    return Table(["powers", "least error, at least", "at most", "tail from"], rows)


def powers_of_tanh(fits: Mapping[str, Optimum]) -> Table:
    """The least errors with powers of tanh, and their alternation points, the infinite one too."""
    rows = []
    for name, fit in fits.items():
        places = ["∞" if x == oo else decimal(x, 4) for x in fit.points]
        rows.append([name, decimal(fit.error, 6), ", ".join(places)])
    return Table(["tanh, tanh³, tanh⁵", "largest error of Φ", "alternation points"], rows)


def merged_sums() -> Table:
    """Scale, error and rate of the merged forms, for three criteria."""
    kinds = {"": "Φ", "-limit": "Φ, limit 1", "-limit-gelu": "GELU, limit 1"}
    rows = []
    for terms in (2, 3):
        for kind, name in kinds.items():
            parts = {"s": 6, "error": 6, "rate": 3}
            stored = {part: stored_number(f"tanh-sum-{terms}{kind}-{part}") for part in parts}
            rows.append([str(terms), name, *(decimal(stored[p], n) for p, n in parts.items())])
    return Table(["terms", "criterion", "$s$", "error of the merged form", "rate"], rows)


def shapes() -> Table:
    """Slope at 0, limit, growth and errors of the best member of each form."""
    members = {
        "σ, powers 1, 3, 5, 7": "degree-7",
        "σ, powers 1, 3, 7, 9": "sparse",
        "σ, powers 1, 3, 5, 7, 9": "degree-9",
        "powers of tanh, limit 1": "tanh-powers-limit",
        "two tanh merged, limit 1": "tanh-sum-2-limit",
        "powers of tanh": "tanh-powers",
        "two tanh merged": "tanh-sum-2",
        "three tanh merged": "tanh-sum-3",
    }
    rows = []
    for name, id in members.items():
        found = shape(*stored_member(id))
        growth = "yes" if found.increases else "no"
        shown = [decimal(found.relative_slope, 5), decimal(found.limit, 5), growth]
        gelu = decimal(stored_number(f"{id}-gelu-error"), 3) if found.limit == 1 else "infinite"
        rows.append([name, *shown, decimal(stored_number(f"{id}-error"), 3), gelu])
    header = ["form", "relative slope at 0", "limit of $g$", "increasing"]
    return Table([*header, "error of Φ", "of GELU"], rows)


# --- numbers of the text


def beyond_the_cubic(seventh: Optimum) -> dict[str, str]:
    """What each family gains over the cubic, where degree 7 dips, and what it costs to rise."""
    cost = stored_number("degree-7-increasing-error") / stored_number("degree-7-error") - 1
    return {
        **gains(),
        "dip": decimal(seventh.points[-1], 4),
        "rising-cost": decimal(100 * cost, 2),
    }


def starts_of_the_search() -> dict[str, str]:
    """How many starts the recorded search had, and its seed."""
    return {name: str(recorded_search()[name]) for name in ("starts", "seed")}


# --- numbers of the register

SPARSE = Family((1, 3, 7, 9))
"""The family without the fifth power."""

FAMILIES = {"degree-7": odd_logistic(7), "degree-9": odd_logistic(9), "sparse": SPARSE}
"""The families that are better than the cubic, by the first part of their IDs."""

POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""


def _on_line(family: Family, of: str, part: Part) -> Certification:
    return certified_fit(family, of, {}, part)


@lru_cache
def tanh_certificate(form: TanhForm, of: str, digits: int) -> Certificate:
    """What is proved of the best parameters of a form made of tanh."""
    return certify(minimax(form, of), digits)


def _form_error(form: TanhForm, of: str, names: Sequence[str]) -> Certification:
    return Certified(
        lambda: asked(problem(form, Criterion("sup", of)), names).error,
        lambda digits: {"": tanh_certificate(form, of, digits).error},
    )


def _form_parameter(form: TanhForm, of: str, names: Sequence[str], name: str) -> Certification:
    own = form.symbols[names.index(name)].name
    return Certified(
        lambda: asked(problem(form, Criterion("sup", of)), names).parameters[name],
        lambda digits: {"": tanh_certificate(form, of, digits).parameters[own]},
    )


def last_place(family: Family, of: str) -> Certification:
    """The last x > 0 where the error of the best member is as large as anywhere."""

    def place() -> Expr:
        best = asked(problem(family, Criterion("sup", of)))
        values = {symbol: best.parameters[symbol.name] for symbol in family.symbols}
        size = Abs(signed_error(family, of).xreplace(values), evaluate=False)
        return Supremum(X, [X], (X > 0) & Eq(size, best.error, evaluate=False))

    return Certified(place, lambda digits: {"": certify(minimax(family, of), digits).points[-1]})


def _rate(form: TanhForm, of: str, names: Sequence[str]) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        best = tanh_certificate(form, of, digits + GUARD_DIGITS)
        return {"": certified_splitting_rate(best)}

    return Certified(lambda: splitting_rate(form, of, names), enclosures)


def _increasing_error(digits: int) -> dict[str, Enclosure]:
    """The least error of degree 7 if p must not fall: p′ has a double zero, x² = u."""
    family = odd_logistic(7)
    found = np.array(list(band_minimax(family, increasing=True).parameters.values()))
    # the roots of p′(x) = a·(x² − u)²·(x² + c)
    roots = np.roots((found * family.exponents)[::-1])
    alone = roots[np.argmin(roots.real)].real
    values = [7 * found[-1], (np.sum(roots).real - alone) / 2, -alone]
    curve = error_curve(PROBLEM)
    sampled = numpy_function(curve.error, X, *curve.symbols)(GRID, *values)
    level = solve_level(curve, start_level(curve.symbols, values, GRID, sampled), 16)
    return {"": certify_increasing(level, digits).error}


def _least_increasing() -> Expr:
    """The least error of degree 7 over the polynomials that nowhere fall."""
    family = odd_logistic(7)
    least = asked(problem(family, Criterion("sup", "Phi"))).error
    slope = Infimum(sp.diff(sp.Add(*family.terms), X), [X])
    return Infimum(least.body, least.variables, sp.Ge(slope, 0, evaluate=False))


LIMIT_POWERS = tanh_powers(POWERS, limit_one=True)
SCALED_POWERS = tanh_powers(POWERS, scaled=True, limit_one=True)
POWER_FORMS: dict[str, tuple[TanhForm, str, tuple[str, ...]]] = {
    "tanh-powers": (tanh_powers(POWERS), "Phi", ("a1", "a3", "a5")),
    "tanh-powers-limit": (LIMIT_POWERS, "Phi", ("a3", "a5")),
    "tanh-powers-limit-gelu": (LIMIT_POWERS, "GELU", ("a3", "a5")),
    "tanh-powers-two-limit": (tanh_powers((1, 3), limit_one=True), "Phi", ("a3",)),
    "tanh-powers-scaled-limit": (SCALED_POWERS, "Phi", ("a3", "a5", "s")),
}
"""The forms made of powers, by the first part of their IDs, and how their parameters are called:
a number after the power that a coefficient stands at."""

MERGED_FORMS: dict[str, tuple[TanhForm, str, tuple[str, ...]]] = {
    f"tanh-sum-{count}{id}": (
        merged_tanh_sum(count, limit_one=limit_one),
        of,
        (*(f"c{order}" for order in range(int(limit_one), count)), "s"),
    )
    for count in (2, 3)
    for id, limit_one, of in (
        ("", False, "Phi"),
        ("-limit", True, "Phi"),
        ("-limit-gelu", True, "GELU"),
    )
}
"""The merged forms likewise, with a number after the order of a derivative."""

TANH_FORMS = {**POWER_FORMS, **MERGED_FORMS}

CERTIFIED: dict[str, Certification] = {
    **{f"{id}-error": _on_line(family, "Phi", error_of) for id, family in FAMILIES.items()},
    **{f"{id}-gelu-error": _on_line(family, "GELU", error_of) for id, family in FAMILIES.items()},
    **{
        f"{id}-{name}": _on_line(family, "Phi", parameter(name))
        for id, family in FAMILIES.items()
        for name in family.names
    },
    "degree-7-dip": last_place(odd_logistic(7), "Phi"),
    "degree-7-increasing-error": Certified(_least_increasing, _increasing_error),
    **{f"{id}-error": _form_error(*solved) for id, solved in TANH_FORMS.items()},
    **{
        f"{id}-{name}": _form_parameter(*solved, name)
        for id, solved in TANH_FORMS.items()
        for name in solved[2]
    },
    **{f"{id}-rate": _rate(*solved) for id, solved in MERGED_FORMS.items()},
}


def stored_member(id: str) -> tuple[Family | TanhForm, Mapping[str, str]]:
    """A form of the chapter, with the best parameters that the register holds.

    Args:
        id: a key of ``FAMILIES`` or of ``TANH_FORMS``.

    Returns:
        The form and its parameters by name, as decimal strings. They are the best ones for Φ;
        for GELU if ``id`` ends so.

    Raises:
        KeyError: if there is no such key.
    """
    if id in FAMILIES:
        form, names = FAMILIES[id], FAMILIES[id].names
    else:
        form, _, names = TANH_FORMS[id]
    values = (result(f"{id}-{name}").value for name in names)
    return form, dict(zip((symbol.name for symbol in form.symbols), values, strict=True))


# --- the recorded search for sums of tanh

SCALE_RANGE = (0.1, 5.0)
"""Between these the scales of a start are drawn, uniformly in their logarithm."""

RECORD = "tanh_sums.json"


def recorded_search() -> Mapping:
    """What ``tools/search_tanh_sums.py`` recorded: ``starts``, ``seed`` and ``searches``.

    Returns:
        Each search has ``count``, ``of``, ``limit_one`` and ``found``: for each start the scales
        that it ended with, to six digits, after the least error with these scales. The error is
        the sup norm on the real line, as ``minimax`` finds it, not that on
        the grid of the search. The sums stand by increasing error.
    """
    file = resources.files("gelu_lib") / "data" / RECORD
    return json.loads(file.read_text(encoding="utf-8"))
