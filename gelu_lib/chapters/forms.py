"""The chapter forms: which of three forms of approximation comes closest, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import log_ndtr

from gelu_lib.chapters.curves import ERROR_LABEL
from gelu_lib.fits.bands import BandSolution, band_minimax
from gelu_lib.fits.criteria import Optimum
from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import Phi, X, numpy_function
from gelu_lib.functions.families import LOGISTIC, odd_logistic
from gelu_lib.functions.tanh_forms import TanhForm, centred_tanh_sum, merged_tanh_sum, tanh_powers
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, DASHES, GREEN, ORANGE, VIOLET, Drawn, draw
from gelu_lib.show.tables import Table, decimal

LEAST_COMPLEMENT = 1e-12
"""Where 1 − Φ̂ is smaller, rounding has left too little of it to draw."""

RIVAL_STYLES = ((ORANGE, "s"), (GREEN, "^"))

# the words of the opening picture: what is named, where, how far from there, on which side
OPENING_WORDS = (
    ("σ(odd polynomial)", (5, 1.44e-6), (-8, -5), "right", BLUE),
    ("powers\nof tanh", (5, 1.3e-3), (4, 10), "right", ORANGE),
    ("sums\nof tanh", (5, 1.8e-4), (4, -34), "right", GREEN),
    ("tanh form,\nslope kept", (1, 1.79e-4), (-6, -32), "left", VIOLET),
    ("powers 1, 3, 7, 9", (4, 4.56e-6), (-9, -4), "right", VIOLET),
)


# --- figures


def opening() -> Drawn:
    """The least error of Φ against the number of free parameters, for three kinds of forms."""
    degrees = ("logistic-scale", "tanh-free", "tanh-free", "degree-7", "degree-9")
    ours = {n: stored_number(f"{id}-error") for n, id in enumerate(degrees, 1)}
    counts, odd = range(1, 6), range(1, 12, 2)
    powers_one = {n: _reached(tanh_powers(odd[: n + 1], limit_one=True)) for n in counts}
    powers_free = {n: _reached(tanh_powers(odd[:n])) for n in counts}
    sums_one = {n: _reached(merged_tanh_sum(n, limit_one=True)) for n in counts}
    sums_free = {n: _reached(merged_tanh_sum(n - 1)) for n in counts if n > 1}
    rivals = {"powers of tanh": (powers_one, powers_free), "sums of tanh": (sums_one, sums_free)}
    marks = {
        "tanh form, slope kept": (1, stored_number("tanh-pinned-error")),
        "σ with powers 1, 3, 7, 9": (4, stored_number("sparse-error")),
    }
    drawn = errors_by_parameters(ours, rivals, marks)
    for words, place, shift, align, colour in OPENING_WORDS:
        beside = {"color": colour, "ha": align, "textcoords": "offset points"}
        plt.gca().annotate(words, place, shift, **beside)
    return drawn


def stored_number(id: str) -> float:
    """A number of the register in double precision."""
    return float(result(id).number)


def _reached(form: TanhForm) -> float:
    return float(minimax(form, digits=10).error)


def errors_by_parameters(
    ours: Mapping[int, float],
    rivals: Mapping[str, tuple[Mapping[int, float], ...]],
    marks: Mapping[str, tuple[int, float]],
) -> Drawn:
    """The least error of Φ against the number of free parameters, on a logarithmic axis.

    Args:
        ours: for σ of an odd polynomial, the error by the number of parameters.
        rivals: for each rival form, by its name, its errors with the limit 1; if there is a second
            mapping, those with the limit free.
        marks: single points of the family, by their names.

    Returns:
        A curve for each set of errors, and the marks.
    """
    axes = plt.figure(figsize=(5.4, 3.6)).add_subplot()
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
    axes.set_ylabel(f"least {ERROR_LABEL['Phi']}")
    return Drawn(curves, points)


def _plot(
    axes: plt.Axes, errors: Mapping[int, float], name: str, **style: object
) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.array(list(errors)), np.array([float(error) for error in errors.values()])
    axes.plot(x, y, label=name, **style)
    return x, y


def beyond_the_interval(quintic: BandSolution) -> Drawn:
    """Φ and the quintic that is best on [0, 6], far beyond that interval."""
    x, form = np.linspace(0, 14, 701), odd_logistic(5)
    member = numpy_function(form.expression, X, *form.symbols)
    best = member(x, *quintic.parameters.values())
    curves = {"Φ": (x, numpy_function(Phi(X))(x)), "quintic, best on [0, 6]": (x, best)}
    drawn = draw(curves, ylabel="value")
    axes = plt.gca()
    axes.get_legend().remove()
    axes.axvspan(0, 6, color=ORANGE, alpha=0.08, linewidth=0)
    axes.locator_params(axis="x", nbins=4)
    axes.text(3, 0.1, "fitted here", color=ORANGE, ha="center")
    axes.text(11.2, 0.5, "the quintic\nfalls to 0", color=ORANGE, ha="right", va="center")
    axes.text(13.9, 0.93, "Φ", color=BLUE, ha="right", va="top")
    return drawn


def log_odds(cubic: Optimum, powers: Optimum) -> Drawn:
    """The log-odds log(Φ̂/(1 − Φ̂)) of three forms beside those of Φ.

    Args:
        cubic: the best σ(p₁x + p₃x³).
        powers: the best sum of powers of tanh with the limit 1.

    Returns:
        The curves; the last one ends where 1 − Φ̂ is lost to rounding.
    """
    x = np.linspace(0, 7, 701)
    curves = {"Φ": (x, log_ndtr(x) - log_ndtr(-x))}
    for name, fit in {"cubic": cubic, "sigmoid form": minimax(LOGISTIC)}.items():
        terms = zip(fit.parameters.values(), fit.family.exponents, strict=True)
        curves[name] = (x, sum(float(p) * x**n for p, n in terms))
    values = map(float, powers.parameters.values())
    g = numpy_function(powers.family.expression, X, *powers.family.symbols)(x, *values)
    kept = np.cumprod(1 - g >= LEAST_COMPLEMENT).astype(bool)
    tail = np.log1p(g[kept]) - np.log1p(-g[kept])
    curves["powers of tanh"] = (x[kept], tail)
    return draw(curves, ylabel="log-odds")


# --- fits and tables


def best_quintic() -> BandSolution:
    """The quintic with the least error of Φ on [0, 6] alone."""
    return band_minimax(odd_logistic(5), end=6)


def coefficients(quintic: BandSolution) -> Table:
    """The coefficients of the quintic that is best on [0, 6]."""
    rows = [[name, decimal(value, 3)] for name, value in quintic.parameters.items()]
    return Table(["coefficient", "best on [0, 6]"], rows)


def signs(best: Mapping[str, Optimum]) -> Table:
    """The signs of the error at the alternation points of each fit."""
    rows = [[name, ", ".join("−+"[sign > 0] for sign in fit.signs)] for name, fit in best.items()]
    return Table(["best member", "signs of the error at its alternation points"], rows)


def close_scales(apart: Sequence[str]) -> Table:
    """The best sums of two terms with the scales s − h and s + h, and their limit.

    Args:
        apart: the numbers h.
    """
    least, rows = stored_number("tanh-sum-2-error"), []
    for h in apart:
        fit = minimax(centred_tanh_sum([f"-{h}", h]), digits=10)
        numbers = [decimal(fit.parameters[name], 5) for name in ("s", "a1", "a2")]
        rise = decimal((float(fit.error) - least) / float(h) ** 2, 3)
        rows.append([h, *numbers, decimal(fit.error, 6), rise])
    rows.append(
        ["merged", decimal(stored_number("tanh-sum-2-s"), 5), "", "", decimal(least, 6), ""]
    )
    header = ["$h$", "$s$", "$a$", "$c$", "largest error of Φ", "its rise, divided by $h^2$"]
    return Table(header, rows)


# --- numbers of the text


def at_two_parameters(by_count: Drawn) -> dict[str, str]:
    """The least error with two free parameters, beside that of the best drawn rival with as many.

    Args:
        by_count: what the opening picture shows.
    """
    ours, *rivals = ({int(n): e for n, e in zip(*c, strict=True)} for c in by_count.curves.values())
    assert ours[2] < min(min(errors.values()) for errors in rivals)
    best = min(errors[2] for errors in rivals if 2 in errors)
    numbers = {"ours": decimal(ours[2], 3), "rival": decimal(best, 3)}
    return numbers | {"times": decimal(best / ours[2], 2)}


def gains() -> dict[str, str]:
    """How many times smaller the error of each family is than that of the cubic."""
    families = {"seven": "degree-7", "sparse": "sparse", "nine": "degree-9"}
    cubic = stored_number("tanh-free-error")
    return {
        f"gain-{name}": decimal(cubic / stored_number(f"{id}-error"), 2)
        for name, id in families.items()
    }


def gain_of_quintic(quintic: BandSolution, cubic: Optimum) -> dict[str, str]:
    """How much smaller the error of the quintic is on the interval than that of the cubic."""
    return {"quintic-gain": decimal(float(cubic.error) / quintic.error, 2)}
