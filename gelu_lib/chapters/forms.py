"""Figures of the chapter forms: what each form of approximation reaches."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import log_ndtr
from sympy import Symbol

from gelu_lib.certificates.certificate import Certificate
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.increasing import PROBLEM, certify_increasing
from gelu_lib.certificates.merging import certified_splitting_rate
from gelu_lib.certificates.tanh_errors import TanhCertificate
from gelu_lib.certificates.tanh_optima import certify_tanh
from gelu_lib.chapters.curves import ERROR_LABEL
from gelu_lib.chapters.recipes import (
    GUARD_DIGITS,
    Certification,
    certified_part,
    error_of,
    parameter,
)
from gelu_lib.chapters.style import BLUE, DASHES, GREEN, GREY, ORANGE, VIOLET, Drawn, draw
from gelu_lib.fits.alternation import error_curve, solve_level, start_level
from gelu_lib.fits.bands import GRID, band_minimax
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.tanh_forms import TanhForm, merged_tanh_sum, tanh_powers
from gelu_lib.register import result

LEAST_COMPLEMENT = 1e-12
"""Where 1 − Φ̂ is smaller, rounding has left too little of it to draw."""

RIVAL_STYLES = ((ORANGE, "s"), (GREEN, "^"))


def errors_by_parameters(
    ours: Mapping[int, float],
    rivals: Mapping[str, tuple[Mapping[int, float], ...]],
    marks: Mapping[str, tuple[int, float]],
    of: str = "Phi",
) -> Drawn:
    """The least error against the number of free parameters, on a logarithmic axis.

    Args:
        ours: for σ of an odd polynomial, the error by the number of parameters.
        rivals: for each rival form, by its name, its errors with the limit 1; if there is a second
            mapping, those with the limit free.
        marks: single points of the family, by their names.
        of: the function that is approximated.

    Returns:
        A curve for each set of errors, and the marks.
    """
    axes = plt.figure(figsize=(5.4, 3.9)).add_subplot()
    curves = {"σ(odd polynomial)": _plot(axes, ours, "σ(odd polynomial)", marker="o")}
    for (colour, marker), (name, variants) in zip(RIVAL_STYLES, rivals.items(), strict=True):
        for i, errors in enumerate(variants):
            label = f"{name}, limit {'free' if i else 1}"
            face = "white" if i else colour
            style = {"color": colour, "marker": marker, "linestyle": DASHES[1 + i]}
            curves[label] = _plot(axes, errors, label, markerfacecolor=face, **style)
    points = {name: (np.array([n]), np.array([error])) for name, (n, error) in marks.items()}
    for (name, (x, y)), marker in zip(points.items(), "*X", strict=False):
        axes.plot(x, y, marker, color=VIOLET, markersize=11, label=name)
    axes.set_yscale("log")
    axes.set_xticks(range(1, 1 + max(max(x) for x, _ in curves.values())))
    axes.set_xlabel("free parameters")
    axes.set_ylabel(f"least {ERROR_LABEL[of]}")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, fontsize="small")
    return Drawn(curves, points)


def _plot(
    axes: plt.Axes, errors: Mapping[int, float], name: str, **style: object
) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.array(list(errors)), np.array([float(error) for error in errors.values()])
    axes.plot(x, y, label=name, **style)
    return x, y


def searched_sums(merged: Mapping[int, float], of: str = "Phi") -> dict[int, Drawn]:
    """What the recorded search found: the scales of each sum, and its error.

    Args:
        merged: for each number of terms the error of the best merged form, a horizontal line.
        of: the function that is approximated; the limit is free for ``"Phi"`` and else 1.

    Returns:
        For each number of terms the points (scale, error), those of one sum after another.
    """
    panels = plt.figure(figsize=(5.4, 2.4 * len(merged))).subplots(len(merged), sharex=True)
    drawn = {}
    for axes, (count, level) in zip(panels, merged.items(), strict=True):
        (search,) = (
            one
            for one in recorded_search()["searches"]
            if (one["count"], one["of"], one["limit_one"]) == (count, of, of == "GELU")
        )
        scales = np.concatenate([scales for _, scales in search["found"]])
        errors = np.repeat([error for error, _ in search["found"]], count)
        axes.axhline(float(level), color=GREY, linewidth=0.9, linestyle=":")
        axes.plot(scales, errors, "o", color=BLUE, markerfacecolor="none")
        axes.set_title(f"{count} terms", loc="left", fontsize="medium")
        axes.set_ylabel(ERROR_LABEL[of])
        drawn[count] = Drawn(points={"found": (scales, errors)})
    panels[-1].set_xlim(0, SCALE_RANGE[1])
    panels[-1].set_xlabel("scales of the sum")
    plt.tight_layout()
    return drawn


def log_odds(
    polynomials: Mapping[str, Mapping[int, float]],
    fits: Mapping[str, Optimum],
    high: float = 7.0,
) -> Drawn:
    """The log-odds log(Φ̂/(1 − Φ̂)) of several forms beside those of Φ.

    Args:
        polynomials: for each σ(p), by its name, the coefficients of p by their exponents.
        fits: the other forms, by their names.
        high: the right end of the horizontal axis.

    Returns:
        The curves; each ends where 1 − Φ̂ is lost to rounding, or is not positive.
    """
    x = np.linspace(0, high, 701)
    curves = {"Φ": (x, log_ndtr(x) - log_ndtr(-x))}
    for name, coefficients in polynomials.items():
        curves[name] = (x, sum(float(p) * x**n for n, p in coefficients.items()))
    for name, fit in fits.items():
        values = map(float, fit.parameters.values())
        g = numpy_function(fit.family.expression, X, *fit.family.symbols)(x, *values)
        lost = np.flatnonzero(1 - g < LEAST_COMPLEMENT)
        end = lost[0] if len(lost) else len(x)
        curves[name] = (x[:end], np.log1p(g[:end]) - np.log1p(-g[:end]))
    return draw(curves, ylabel="log-odds")


# --- numbers of the register

SPARSE = Family((1, 3, 7, 9))
"""The family without the fifth power."""

FAMILIES = {"degree-7": odd_logistic(7), "degree-9": odd_logistic(9), "sparse": SPARSE}
"""The families that are better than the cubic, by the first part of their IDs."""

POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""


def _on_line(family: Family, of: str, part: Callable[[Certificate], Enclosure]) -> Certification:
    return certified_part(lambda: minimax(family, of), part)


@lru_cache
def tanh_certificate(form: TanhForm, of: str, digits: int) -> TanhCertificate:
    """What is proved of the best parameters of a form made of tanh."""
    return certify_tanh(minimax(form, of), digits)


def _form_error(form: TanhForm, of: str) -> Certification:
    return lambda digits: {"": tanh_certificate(form, of, digits).error}


def _form_parameter(form: TanhForm, of: str, symbol: Symbol) -> Certification:
    return lambda digits: {"": tanh_certificate(form, of, digits).parameters[symbol.name]}


def _rate(form: TanhForm, of: str) -> Certification:
    return lambda digits: {
        "": certified_splitting_rate(tanh_certificate(form, of, digits + GUARD_DIGITS))
    }


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
    "degree-7-dip": _on_line(odd_logistic(7), "Phi", lambda certificate: certificate.points[-1]),
    "degree-7-increasing-error": _increasing_error,
    **{f"{id}-error": _form_error(form, of) for id, (form, of, _) in TANH_FORMS.items()},
    **{
        f"{id}-{name}": _form_parameter(form, of, symbol)
        for id, (form, of, names) in TANH_FORMS.items()
        for name, symbol in zip(names, form.symbols, strict=True)
    },
    **{f"{id}-rate": _rate(form, of) for id, (form, of, _) in MERGED_FORMS.items()},
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
