"""The pictures of constants for one's own case: of a type, on an interval, without exponentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, Inexact, localcontext

import matplotlib.pyplot as plt
import numpy as np
from sympy import Rational

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters.curves import error_on
from gelu_lib.chapters.recipes import Certification
from gelu_lib.chapters.style import BLUE, GREY, INK, Drawn, draw
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.grids import grid
from gelu_lib.floats.integer_gelu import IBERT, best_fixed_point, certified_error, float_error
from gelu_lib.functions.families import TANH_CUBIC

LINE = np.linspace(0, 6, 1201)
"""Where errors are taken for a picture."""

MARKERS = "*sD^"


def pairs_of_a_type(
    representable_in: str,
    marked: Mapping[str, tuple[float, float]],
    s: tuple[float, float],
    k: tuple[float, float],
) -> Drawn:
    """Every pair of constants of 2s·(x + k·x³) that a type holds, in a window.

    A larger dot is a smaller largest error of GELU, as a grid of x shows it.

    Args:
        representable_in: the type.
        marked: pairs (s, k) by name, which need not be representable.
        s: the window of s.
        k: the window of k.

    Returns:
        The pairs, and the marked ones.
    """
    held = grid(representable_in)
    sides = [
        [float(held.value(n)) for n in range(held.nearest(low), held.nearest(high) + 1)]
        for low, high in (s, k)
    ]
    pairs = np.array([(left, right) for left in sides[0] for right in sides[1]]).T
    errors = np.array([_largest(*pair) for pair in pairs.T])
    axes = plt.figure(figsize=(5.4, 4.2)).add_subplot()
    axes.scatter(*pairs, s=240 * (errors.min() / errors) ** 2, color=BLUE, alpha=0.65, linewidths=0)
    points = {}
    for marker, (name, pair) in zip(MARKERS, marked.items(), strict=False):
        axes.plot(
            *pair, marker, color=INK, markersize=11, markerfacecolor="none", ls="", label=name
        )
        points[name] = (np.array([pair[0]]), np.array([pair[1]]))
    axes.set_xlabel("$s$")
    axes.set_ylabel("$k$")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return Drawn(points={**points, "pairs": tuple(pairs)})


def _largest(s: float, k: float) -> float:
    return float(np.max(np.abs(error_on(LINE, TANH_CUBIC, {"p1": 2 * s, "p3": 2 * s * k}, "GELU"))))


def least_error_by_interval(
    ends: Sequence[float], errors: Mapping[str, Sequence[float]], on_the_line: Mapping[str, float]
) -> Drawn:
    """How small the largest error can be if inputs are known to lie between −L and L.

    Args:
        ends: the values of L.
        errors: the least errors by name, one for each L.
        on_the_line: the least error on the whole line by the same names, as a thin line.

    Returns:
        The curves.
    """
    curves = {name: (np.array(ends), np.array(values)) for name, values in errors.items()}
    drawn = draw(curves, xlabel="$L$", ylabel="least largest error")
    for level in on_the_line.values():
        plt.axhline(level, color=GREY, linewidth=0.9, linestyle=":")
    plt.yscale("log")
    return drawn


def quadratic_errors(forms: Mapping[str, tuple[float, float]]) -> Drawn:
    """The errors of GELU with clipped quadratics.

    Args:
        forms: the constants a and b by name.

    Returns:
        The curves.
    """
    curves = {name: (LINE, float_error(*pair, LINE)) for name, pair in forms.items()}
    return draw(curves, ylabel="error of GELU")


# --- numbers of the register

SIXTEEN = "bfloat16"


def _best_pair(written: str) -> Certification:
    """The pair of bfloat16 that is proved to be the best, and its error for GELU."""

    def pair(digits: int) -> dict[str, Enclosure]:
        best = best_constants("GELU", representable_in=SIXTEEN, written=written)
        if not best.certified or best.tied:
            raise CertificationError("optimality", best.proof)
        error = certified_sup_error(TANH_CUBIC, best.parameters, "GELU", digits).error
        return {**{n: _point(c, digits) for n, c in best.constants.items()}, "error": error}

    return pair


def _eight_bits(digits: int) -> dict[str, Enclosure]:
    best = best_fixed_point(8)
    error = certified_error(best.a, best.b, digits)
    return {"a": _point(best.a, digits), "b": _point(best.b, digits), "error": error}


def _point(value: Rational, digits: int) -> Enclosure:
    """A binary fraction as an enclosure of no width, written with as many digits as the others."""
    with localcontext(prec=digits + 20, traps=[Inexact]):
        exact = Decimal(int(value.p)) / int(value.q)
        padded = exact.quantize(Decimal((0, (1,), exact.adjusted() - digits - 19)))
    return Enclosure(padded, padded)


CERTIFIED: dict[str, Certification] = {
    "bfloat16-best-pair": _best_pair("expanded"),
    "bfloat16-best-factored": _best_pair("factored"),
    "ibert-error-gelu": lambda digits: {"": certified_error(*IBERT.values(), digits)},
    "quadratic-eight-bits": _eight_bits,
}
