"""The chapter logistic-constant: where 1.702 comes from, and what other scales cost."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

from gelu_lib.activations import gelu, gelu_sigmoid
from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.sup_errors import CertifiedSupError, certified_sup_error
from gelu_lib.chapters import curves
from gelu_lib.chapters.recipes import (
    Certification,
    certified_error,
    certified_fit,
    certified_place,
    error_of,
    parameter,
)
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.optima import Choice, stored
from gelu_lib.fits.sup_norm import sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE
from gelu_lib.functions.families import (
    GELU_PAPER,
    LOGISTIC,
    PAGE,
    TANH_CUBIC,
    TARGETS,
    Family,
    Value,
)
from gelu_lib.functions.forms import Form
from gelu_lib.register import agreeing_digits
from gelu_lib.show.style import BLUE, GREY, INK, ORANGE, Drawn
from gelu_lib.show.tables import Table, decimal


def sigmoid_form(scale: Value) -> tuple[Family, Mapping[str, Value]]:
    """The member σ(cx) with this scale c."""
    return LOGISTIC, {"p1": scale}


def best_for_slope() -> Choice:
    """The scale with the least largest error of GELU′."""
    return stored("sigmoid", "GELU_derivative", "sup")


def scales(fit: Optimum, gelu_fit: Optimum) -> dict[str, Value]:
    """The scales that the table compares, by the reason for each."""
    return {
        "smallest error of Φ": fit.parameters["p1"],
        "1.702": LOGISTIC_SCALE,
        "smallest error of GELU": gelu_fit.parameters["p1"],
        "smallest error of GELU′": best_for_slope().constant,
        "same slope at 0": 2 * LOCAL_SLOPE,
        "same variance": sp.pi / sp.sqrt(3),
    }


# --- figures

OFFSET = {"textcoords": "offset points", "fontsize": "medium"}
SCALE_WORDS = {
    "1.702": ((0, -17), "center", BLUE),
    "same slope at 0": ((10, 2), "left", INK),
    "same variance": ((-10, 0), "right", INK),
}
PEAK_WORDS = ("a larger $c$ deepens this", "and lowers that")
GELU_WORDS = (
    ("1.702", (2.27, 2.03e-2), (0, 6), BLUE),
    ("best for GELU", (0.9, -1.39e-2), (66, 0), ORANGE),
)


def opening() -> Drawn:
    """The largest error of Φ against the scale, with three scales that have a name."""
    named = {
        "1.702": LOGISTIC_SCALE,
        "same slope at 0": 2 * LOCAL_SLOPE,
        "same variance": sp.pi / sp.sqrt(3),
    }
    scales = np.linspace(1.55, 1.85, 41)
    drawn = curves.sup_error_against(
        scales,
        [sigmoid_form(scale) for scale in scales],
        {name: (float(scale), sigmoid_form(scale)) for name, scale in named.items()},
        xlabel="scale $c$",
    )
    axes = plt.gca()
    axes.get_legend().remove()
    curve, *marks = axes.get_lines()[-4:]
    curve.set(color=GREY)
    for mark, (name, (shift, align, colour)) in zip(marks, SCALE_WORDS.items(), strict=True):
        mark.set(marker="o", markeredgecolor=colour, markerfacecolor=colour)
        (x,), (y,) = drawn.points[name]
        words = name.replace(" at", "\nat")
        axes.annotate(words, (x, y), shift, color=colour, ha=align, **OFFSET)
    return drawn


def error_curve(fit: Optimum) -> Drawn:
    """The error of Φ with the best scale, and its two alternation points."""
    drawn = curves.alternation(fit, high=6)
    axes = plt.gca()
    places = zip(*drawn.points["alternation points"], strict=True)
    for place, words, shift in zip(places, PEAK_WORDS, ((44, -14), (52, 8)), strict=True):
        axes.annotate(words, place, shift, ha="center", **OFFSET)
    axes.set_ylim(-1.25e-2, 1.25e-2)
    return drawn


def errors_of_gelu(gelu_scale: Value) -> Drawn:
    """The errors of GELU with 1.702 and with the scale that is best for GELU."""
    members = {"1.702": LOGISTIC_SCALE, "best for GELU": gelu_scale}
    drawn = curves.error_curves(_forms(members), of="GELU", high=6)
    axes = plt.gca()
    axes.get_legend().remove()
    for name, place, shift, colour in GELU_WORDS:
        axes.annotate(name, place, shift, color=colour, ha="center", **OFFSET)
    return drawn


def three_functions(gelu_scale: Value) -> dict[str, Drawn]:
    """What three scales leave of Φ, of GELU and of GELU′."""
    scales = {
        "1.702": LOGISTIC_SCALE,
        "best for GELU": gelu_scale,
        "same slope at 0": 2 * LOCAL_SLOPE,
    }
    return curves.error_panels(_forms(scales), high=6)


def _forms(scales: Mapping[str, Value]) -> dict[str, tuple[Family, Mapping[str, Value]]]:
    return {name: sigmoid_form(scale) for name, scale in scales.items()}


# --- tables and numbers of the text


def costs(scales: Mapping[str, Value]) -> Table:
    """The proved largest errors of all three functions with each scale, and where they are."""
    rows = [[name, decimal(c, 8), *(_cost(c, of) for of in TARGETS)] for name, c in scales.items()]
    return Table(["choice", "$c$", r"largest error of $\Phi$", "of GELU", "of GELU′"], rows)


def _cost(scale: Value, of: str) -> str:
    found = _largest(scale, of)
    places = " and ".join(f"±{x.rounded(4)}" for x in found.points)
    return f"{found.error.rounded(4)} at {places}"


def _largest(scale: Value, of: str) -> CertifiedSupError:
    return certified_sup_error(Form(*sigmoid_form(scale)), of=of, digits=5)


def proved_ends(proof: Certificate) -> Table:
    """The best scale and the largest error that it leaves, each between two proved ends."""
    return Table.of_ends({"$c$": proof.parameters["p1"], "$E$": proof.error})


def cost_of_rounding(proof: Certificate) -> dict[str, str]:
    """How many digits of 1.702 are right, what rounding costs, and the two peaks of the error."""
    printed = certified_sup_error(Form(LOGISTIC, GELU_PAPER))
    (where,) = printed.points
    _, second = sampled_sup_error(Form(LOGISTIC, GELU_PAPER), digits=20).extrema
    assert where.upper < second.x
    return {
        "digits": str(agreeing_digits("1.702", proof.parameters["p1"].lower)),
        "cost": f"{100 * ((printed.error / proof.error).rounded(12) - 1):.2g}",
        "error": str(printed.error.rounded(6)),
        "where": str(where.rounded(6)),
        "second-error": decimal(abs(second.error), 6),
        "second-where": decimal(second.x, 6),
    }


def cost_for_gelu(gelu_fit: Optimum) -> dict[str, str]:
    """What 1.702 costs GELU: where it costs most, beside the tanh form, beside the best scale."""
    printed = _largest(LOGISTIC_SCALE, "GELU")
    (place,) = printed.points
    there = -float(place.rounded(3))
    tanh = certified_sup_error(Form(TANH_CUBIC, PAGE), of="GELU", digits=5).error
    proof = certify(gelu_fit)
    return {
        "there": decimal(there, 3),
        "gelu-there": decimal(float(gelu(there)), 3),
        "form-there": decimal(float(gelu_sigmoid(there)), 3),
        "times-tanh": str((printed.error / tanh).rounded(2)),
        "gelu-gain": f"{100 * (1 - (proof.error / printed.error).rounded(12)):.2g}",
        "gelu-scale": str(proof.parameters["p1"].rounded(8)),
    }


def cost_for_slope(gelu_scale: Value) -> dict[str, str]:
    """The best scale for GELU′, and what 1.702 costs there; the two others cost more."""
    of, best = "GELU_derivative", best_for_slope()
    for other in (gelu_scale, 2 * LOCAL_SLOPE):
        assert _largest(LOGISTIC_SCALE, of).error.upper < _largest(other, of).error.lower
    return {
        "slope-scale": decimal(best.constant, 8),
        "slope-cost": decimal(100 * (best.famous_ratio - 1), 2),
        "slope-least": decimal(best.error, 4),
    }


# --- numbers of the register

CERTIFIED: dict[str, Certification] = {
    "logistic-scale": certified_fit(LOGISTIC, "Phi", {}, parameter("p1")),
    "logistic-scale-error": certified_fit(LOGISTIC, "Phi", {}, error_of),
    "scale-1702-error-phi": certified_error(LOGISTIC, GELU_PAPER, "Phi"),
    "scale-1702-place": certified_place(LOGISTIC, GELU_PAPER, "Phi"),
    "scale-1702-error-gelu": certified_error(LOGISTIC, GELU_PAPER, "GELU"),
    "scale-1702-error-gelu-derivative": certified_error(LOGISTIC, GELU_PAPER, "GELU_derivative"),
    "logistic-gelu-scale": certified_fit(LOGISTIC, "GELU", {}, parameter("p1")),
}
