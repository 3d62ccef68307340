"""The chapter your-own: constants of a type, on an interval, without exponentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from sympy import Expr, Rational

from gelu_lib.activations import gelu
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.sup_errors import certified_sup_error
from gelu_lib.chapters.curves import error_curves, error_on
from gelu_lib.fits.minimax import minimax
from gelu_lib.floats.best_constants import BestConstants, best_constants
from gelu_lib.floats.grids import FixedPoint, grid
from gelu_lib.floats.integer_gelu import (
    IBERT,
    best_fixed_point,
    best_quadratic,
    certified_error,
    float_error,
    integer_gelu,
)
from gelu_lib.functions.expressions import LOCAL_SLOPE, PAGE_CUBIC, Phi
from gelu_lib.functions.families import PAGE, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.show.style import BLUE, GREY, INK, Drawn, draw, key_above
from gelu_lib.show.tables import Table, decimal

LINE = np.linspace(0, 6, 1201)
"""Where errors are taken for a picture."""

MARKERS = "*sD^"

SIXTEEN = "bfloat16"


# --- pairs of a type


@cache
def _best(written: str) -> BestConstants:
    """The best pair of bfloat16 for GELU, in one of the two ways of writing."""
    return best_constants("GELU", representable_in=SIXTEEN, written=written)


@cache
def _best_real() -> BestConstants:
    return best_constants("GELU", written="factored")


def _rounded() -> tuple[Rational, Rational]:
    """The famous pair s, k, each rounded to bfloat16."""
    held = grid(SIXTEEN)
    return tuple(Rational(held.value(held.nearest(float(c)))) for c in (LOCAL_SLOPE, PAGE_CUBIC))


def _parameters(s: Expr, k: Expr) -> dict[str, Expr]:
    return {"p1": 2 * s, "p3": 2 * s * k}


def opening() -> Drawn:
    """The pairs of bfloat16 near the famous one, and which of them is the best for GELU."""
    pairs = {
        "famous, rounded": _rounded(),
        "best in bfloat16": _best("factored").constants.values(),
        "best real": _best_real().constants.values(),
    }
    marked = {name: tuple(map(float, pair)) for name, pair in pairs.items()}
    return pairs_of_a_type(SIXTEEN, marked, (0.792, 0.81), (0.0415, 0.0455))


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
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return Drawn(points={**points, "pairs": tuple(pairs)})


def _largest(s: float, k: float) -> float:
    return float(np.max(np.abs(error_on(LINE, TANH_CUBIC, {"p1": 2 * s, "p3": 2 * s * k}, "GELU"))))


def error_table() -> Table:
    """The largest errors of GELU of the famous pair, of the best ones, and of the rounded one."""
    errors = {
        "famous, exact": _famous_error(),
        "famous, rounded to bfloat16": _rounded_error(),
        "best pair $s$, $k$ of bfloat16": _best("factored").error,
        "best pair $p_1$, $p_3$ of bfloat16": _best("expanded").error,
        "best real pair": _best_real().error,
    }
    rows = [(name, str(error.rounded(4))) for name, error in errors.items()]
    return Table(("constants", "largest error of GELU"), rows)


def _famous_error() -> Enclosure:
    return certified_sup_error(Form(TANH_CUBIC, PAGE), "GELU").error


def _rounded_error() -> Enclosure:
    return certified_sup_error(Form(TANH_CUBIC, _parameters(*_rounded())), "GELU").error


def errors_of_pairs() -> Drawn:
    """The error curves of GELU of the famous pair, of the rounded one, and of the best one."""
    members = {
        "famous": PAGE,
        "famous, rounded": _parameters(*_rounded()),
        "best in bfloat16": _parameters(*_best("factored").constants.values()),
    }
    pairs = {name: (TANH_CUBIC, parameters) for name, parameters in members.items()}
    drawn = error_curves(pairs, of="GELU", high=5)
    key_above(plt.gca())
    return drawn


def _pair_numbers() -> dict[str, str]:
    famous, rounded, best, real = _famous_error(), _rounded_error(), _best("factored"), _best_real()
    assert best.error.upper < famous.lower < rounded.lower and not best.tied
    return {
        "rounding-cost": f"{100 * float(rounded.lower / famous.upper - 1):.0f}",
        "choice-gain": f"{100 * float(1 - best.error.upper / rounded.lower):.0f}",
        "over-real": f"{100 * float(best.error.lower / real.error.upper - 1):.0f}",
        "best-s": f"{float(best.constants['s'])}",
        "best-k": f"{float(best.constants['k'])}",
    }


# --- bounded intervals


def least_errors() -> Drawn:
    """``least_error_by_interval`` of the best free pairs for Φ and for GELU."""
    ends = (0.75, 1, 1.25, 1.5, 2, 2.5, 3, 3.5)
    functions = {"Φ": "Phi", "GELU": "GELU"}
    errors = {
        name: [float(best_constants(of, interval=(-L, L), digits=6).error.upper) for L in ends]
        for name, of in functions.items()
    }
    line = {name: float(best_constants(of).error.upper) for name, of in functions.items()}
    return least_error_by_interval(ends, errors, line)


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


def _interval_numbers(three: BestConstants, two: BestConstants) -> dict[str, str]:
    line = best_constants("GELU")
    last = minimax(TANH_CUBIC, "GELU").points[-1]
    assert last < 3 and three.certified and two.certified
    assert three.least.lower <= line.least.upper and line.least.lower <= three.least.upper
    return {
        "last-point": decimal(last, 3),
        "two-gain": f"{float(line.error.lower / two.error.upper):.1f}",
    }


# --- integers


def clipped_quadratics() -> Drawn:
    """The errors of I-BERT's constants, of the best real ones, and of the best with eight bits."""
    real, eight = best_quadratic(), best_fixed_point(8)
    pairs = {
        "I-BERT": IBERT.values(),
        "best real": (real.a, real.b),
        "best with eight bits": (eight.a, eight.b),
    }
    return quadratic_errors({name: tuple(map(float, pair)) for name, pair in pairs.items()})


def quadratic_errors(forms: Mapping[str, tuple[float, float]]) -> Drawn:
    """The errors of GELU with clipped quadratics.

    Args:
        forms: the constants a and b by name.

    Returns:
        The curves.
    """
    curves = {name: (LINE, float_error(*pair, LINE)) for name, pair in forms.items()}
    drawn = draw(curves, ylabel="error of GELU")
    key_above(plt.gca())
    return drawn


def quadratic_table() -> Table:
    """The largest errors of GELU with a clipped quadratic, for constants of several kinds."""
    ibert, real = certified_error(*IBERT.values()), best_quadratic()
    rows = [("I-BERT", "", "", str(ibert.rounded(4)))]
    for bits in (6, 8, 10):
        best = best_fixed_point(bits)
        error = str(best.error.rounded(4))
        rows.append((f"best with {bits} bits", str(best.a), str(best.b), error))
    a, b = f"{float(real.a):.5f}", f"{float(real.b):.5f}"
    rows.append(("best real", a, b, str(real.least.rounded(4))))
    return Table(("constants", "$a$", "$b$", "largest error of GELU"), rows)


def largest_integer_error(width: int, input_bits: int, a: int, b: int) -> float:
    """The largest error of the integer GELU over every input, with eight bits in its constants.

    Args:
        width: how many bits an input has.
        input_bits: how many of them are fractional.
        a: the first constant, times 2**8.
        b: the second constant, times 2**8.
    """
    q = np.arange(-(2 ** (width - 1)), 2 ** (width - 1))
    result = integer_gelu(q, a, b, fraction_bits=8, input_bits=input_bits)
    return np.max(np.abs(result / 2**input_bits - gelu(q / 2**input_bits)))


def _quadratic_numbers() -> dict[str, str]:
    ibert, real, eight = certified_error(*IBERT.values()), best_quadratic(), best_fixed_point(8)
    assert eight.error.upper < ibert.lower
    _hold_integer_runs()
    return {
        "ibert-gain": f"{100 * float(1 - real.error.upper / ibert.lower):.0f}",
        "eight-gain": f"{100 * float(1 - eight.error.upper / ibert.lower):.0f}",
        "half-step": decimal(2.0**-6, 3),
    }


def _hold_integer_runs() -> None:
    """The integer runs have the constants that the text names, and the errors that it says."""
    eight = best_fixed_point(8)
    best = [int(eight.a * 2**8), int(eight.b * 2**8)]
    nearest = [round(float(value) * 2**8) for value in IBERT.values()]
    assert best == [17, 659] and nearest == [18, 640]
    for input_bits, width in ((5, 8), (12, 16)):
        for pair in (best, nearest):
            exact = certified_error(*(Rational(constant, 2**8) for constant in pair))
            found = largest_integer_error(width, input_bits, *pair)
            assert found <= float(exact.upper) + 2.0 ** -(input_bits + 1)
    assert largest_integer_error(16, 12, *best) < largest_integer_error(16, 12, *nearest)


def _exercise_numbers() -> dict[str, str]:
    """What the error of the best pair of quarters allows p₁ + p₃, p₁ + 4p₃ and 3p₃ to be."""
    quarters = best_constants("GELU", representable_in=FixedPoint(2))
    assert list(quarters.constants.values()) == [Rational(7, 4), 0]

    def allowed(x: int) -> list[Expr]:
        room = Rational(str(quarters.error.upper)) / x
        ends = (sp.N(Phi(x) + sign * room, 30) for sign in (-1, 1))
        return [sp.log(end / (1 - end)) / x for end in ends]

    one, two = allowed(1), allowed(2)
    thrice = [two[0] - one[1], two[1] - one[0]]
    assert max(map(abs, thrice)) < Rational(3, 4)  # so that -1/4 < p3 < 1/4
    assert 6 < 4 * max(one[0], two[0]) < 7 < 4 * min(one[1], two[1]) < 8
    numbers = {}
    for name, ends in (("one", one), ("two", two), ("difference", thrice)):
        low, high = sp.floor(100 * ends[0]), sp.ceiling(100 * ends[1])  # outwards
        numbers[f"{name}-low"] = f"{float(low) / 100:.2f}".replace("-", "−")
        numbers[f"{name}-high"] = f"{float(high) / 100:.2f}"
    return numbers


def numbers(three: BestConstants, two: BestConstants) -> dict[str, str]:
    """The numbers in the text; what it says without a number is held here too.

    Args:
        three: the best constants for GELU on [−3, 3].
        two: those on [−2, 2].
    """
    return {
        **_pair_numbers(),
        **_interval_numbers(three, two),
        **_quadratic_numbers(),
        **_exercise_numbers(),
    }
