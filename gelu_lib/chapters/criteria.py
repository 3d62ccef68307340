"""Figures of the table of criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from matplotlib.axes import Axes
from sympy import S

from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.least_integrals import IntegralCertificate, certify_integral
from gelu_lib.chapters.curves import ERROR_LABEL, error_on
from gelu_lib.chapters.recipes import Certification, at_root
from gelu_lib.chapters.style import BLUE, GREEN, INK, ORANGE, Drawn, draw
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.optima import FORMS, MEASURES, entry_id, minimax_id, optimum, stored
from gelu_lib.functions.expressions import X, logistic, numpy_function
from gelu_lib.functions.families import TARGETS

MARKERS = dict(zip(TARGETS, (("o", BLUE), ("s", ORANGE), ("D", GREEN)), strict=True))
FUNCTION_NAMES = dict(zip(TARGETS, ("Φ", "GELU", "GELU′"), strict=True))


def best_constants(forms: Sequence[str] = ("tanh-pinned", "sigmoid")) -> dict[str, Drawn]:
    """The best constant by every measure, and the famous one as a line; one panel for each form.

    Args:
        forms: keys of ``gelu_lib.fits.optima.FORMS``.

    Returns:
        For each form, the best constants as points (constant, row), by function.
    """
    panels = plt.figure(figsize=(5.4, 3.0 * len(forms))).subplots(len(forms), squeeze=False)[:, 0]
    drawn = {}
    for axes, form in zip(panels, forms, strict=True):
        rows, points = np.arange(len(MEASURES), dtype=float), {}
        for of, (marker, colour) in MARKERS.items():
            constants = np.array([float(stored(form, of, m).constant) for m in MEASURES])
            points[FUNCTION_NAMES[of]] = (constants, rows)
            axes.plot(constants, rows, marker, color=colour, label=FUNCTION_NAMES[of])
        axes.axvline(float(FORMS[form].literal), color=INK, linewidth=1)
        axes.set_yticks(rows, MEASURES)
        axes.invert_yaxis()
        axes.locator_params(axis="x", nbins=4)
        axes.set_title(
            f"{FORMS[form].name}: line at {FORMS[form].literal}", loc="left", fontsize=11
        )
        drawn[form] = Drawn(points=points)
    panels[0].legend(title="error of", loc="center left", bbox_to_anchor=(1, 0.5))
    panels[-1].set_xlabel("best constant")
    plt.tight_layout()
    return drawn


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
    axes.set_xticks(range(len(TARGETS)), [f"error of {FUNCTION_NAMES[of]}" for of in TARGETS])
    axes.set_yticks(range(len(MEASURES)), MEASURES)
    axes.grid(visible=False)
    rows = np.arange(len(MEASURES), dtype=float)
    return Drawn({of: (rows, ratios[:, column]) for column, of in enumerate(TARGETS)})


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
    return draw(
        {"error": (x, error(x))},
        {name: (places, heights)} if len(places) else {},
        ylabel=ERROR_LABEL[criterion.of],
        levels=(-level, level) if peaks else (),
        axes=axes,
    )


def conditions(optima: Mapping[str, Optimum], high: float = 5.0) -> dict[str, Drawn]:
    """Several optima, one above the other, each with its name; see ``condition``."""
    panels = plt.figure(figsize=(5.4, 2.2 * len(optima))).subplots(len(optima), sharex=True)
    drawn = {}
    for axes, (name, best) in zip(np.atleast_1d(panels), optima.items(), strict=True):
        drawn[name] = condition(best, high, axes)
        axes.set_title(name, loc="right", fontsize="medium")
        axes.label_outer()
    plt.tight_layout()
    return drawn


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

    return enclosures


def _all_measures(form: str, of: str) -> Certification:
    """The best constants by every measure, and how large it then is."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure in MEASURES:
            proved = certificate(form, of, measure, digits)
            found |= {f"{measure}, {name}": value for name, value in _constants(proved).items()}
            found[f"{measure}, error"] = proved.error
        return found

    return enclosures


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
