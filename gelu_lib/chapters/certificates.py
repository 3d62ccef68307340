"""Figures of proofs: boxes around an error curve, widths of enclosures, a step of Newton's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from flint import arb, ctx

from gelu_lib.certificates.balls import interval, number
from gelu_lib.certificates.certificate import PROOF_BITS, Certificate
from gelu_lib.certificates.enclosures import ErrorCurve
from gelu_lib.certificates.optimality import gradient
from gelu_lib.certificates.solutions import Box, Equations, System, newton_image
from gelu_lib.chapters.curves import ERROR_LABEL
from gelu_lib.chapters.style import BLUE, DASHES, GREEN, GREY, INK, ORANGE, Drawn
from gelu_lib.functions.families import Family, Value, exact_parameters

MARGIN = 1.14
"""How far past the beginning of the tail the curve is drawn, as a factor."""

BOX = {"facecolor": BLUE + "38", "edgecolor": BLUE, "linewidth": 0.8, "align": "edge"}
"""What the rectangle of an enclosure looks like."""


def proof_of(certificate: Certificate) -> Drawn:
    """The error curve of a certificate, in the boxes that its proof puts around it.

    On each piece the error is enclosed again as in the proof. The ends of the boxes are rounded
    to floats, to be drawn.

    Args:
        certificate: the proof that is drawn.

    Returns:
        The error, the two corners of every box, the peaks, and where the tail begins with its
        bound.
    """
    curve = ErrorCurve(certificate.family, certificate.criterion.of, certificate.criterion.weight)
    x = np.linspace(0, MARGIN * certificate.end, 601)
    with ctx.workprec(PROOF_BITS):
        parameters = [enclosed.ball for enclosed in certificate.parameters.values()]
        error = _values(lambda at: curve.taylor(at, parameters, 1)[0], x)
        ranges = [curve.enclose(interval(*piece), parameters) for piece in certificate.pieces]
    (lefts, rights), (lower, upper) = np.array(certificate.pieces).T, _ends(ranges).T
    places = np.array([float(point.lower) for point in certificate.points])
    level, tail = float(certificate.error.upper), float(certificate.tail.upper)
    drawn = Drawn(
        {"error": (x, error)},
        {
            "lower left corners": (lefts, lower),
            "upper right corners": (rights, upper),
            "peaks": (places, level * np.array(certificate.signs)),
            "tail": (np.array([certificate.end]), np.array([tail])),
        },
    )
    axes = plt.figure(figsize=(5.4, 3.9), layout="constrained").add_subplot()
    for height in (-level, level):
        axes.axhline(height, color=GREY, linewidth=0.9, linestyle=":")
    for j, hood in enumerate(certificate.neighbourhoods):
        label = None if j else "neighbourhood of a peak"
        axes.axvspan(*hood, color=GREEN, alpha=0.3, linewidth=0, label=label)
    axes.bar(lefts, upper - lower, rights - lefts, lower, **BOX, label="enclosure on a piece")
    hatched = {"facecolor": ORANGE + "30", "edgecolor": ORANGE, "hatch": "//", "align": "edge"}
    beyond = x[-1] - certificate.end
    axes.bar(certificate.end, 2 * tail, beyond, -tail, **hatched, label="bound of the tail")
    axes.plot(x, error, color=INK, linewidth=1.4, label="error")
    circle = {"color": INK, "markersize": 6, "markerfacecolor": "none"}
    axes.plot(*drawn.points["peaks"], "o", **circle, label="peaks")
    axes.set_xlim(0, x[-1])
    axes.set_xlabel("x")
    axes.set_ylabel(ERROR_LABEL[certificate.criterion.of])
    axes.figure.legend(loc="outside upper center", ncols=2)
    return drawn


def enclosure_widths(
    family: Family,
    parameters: Mapping[str, Value],
    middle: float,
    lengths: Sequence[float],
    of: str = "Phi",
) -> Drawn:
    """How wide the enclosure of an error is on shrinking pieces, in two ways of computing it.

    Args:
        family: the family.
        parameters: a value for every parameter, by name.
        middle: the middle of all pieces.
        lengths: the lengths of the pieces, decreasing.
        of: the function that is approximated.

    Returns:
        The three widths against the length, which are those of the enclosure that is computed
        operation by operation, of the one by Taylor's formula, and of the error's own range, as
        samples show it.
    """
    curve = ErrorCurve(family, of)
    plain, taylor, own = [], [], []
    with ctx.workprec(PROOF_BITS):
        numbers = list(map(number, exact_parameters(family, parameters).values()))
        for length in lengths:
            piece = interval(middle - length / 2, middle + length / 2)
            plain.append(2 * float(curve.taylor(piece, numbers, 1)[0].rad()))
            taylor.append(2 * float(curve.enclose(piece, numbers).rad()))
            samples = np.linspace(middle - length / 2, middle + length / 2, 41)
            own.append(np.ptp(_values(lambda at: curve.taylor(at, numbers, 1)[0], samples)))
    x = np.array(lengths, dtype=float)
    curves = {
        "operation by operation": (x, np.array(plain)),
        "by Taylor's formula": (x, np.array(taylor)),
        "the error's own range": (x, np.array(own)),
    }
    axes = plt.figure(figsize=(5.4, 3.6), layout="constrained").add_subplot()
    for marker, (name, (_, widths)) in zip("os^", curves.items(), strict=True):
        axes.loglog(x, widths, marker=marker, markersize=5, markerfacecolor="none", label=name)
    axes.set_xlabel("length of the piece")
    axes.set_ylabel("width of the enclosure")
    axes.figure.legend(loc="outside upper center", ncols=2)
    return Drawn(curves)


def newton_step(system: System, left: float, right: float) -> Drawn:
    """One step of interval Newton for one equation: all the slopes, and where they lead.

    Args:
        system: encloses the one function and its one derivative.
        left: where the interval begins.
        right: where it ends.

    Returns:
        The function, the two outer lines of the fan, the interval and its image.
    """
    piece = interval(left, right)
    x, middle = np.linspace(left, right, 101), piece.mid()
    y = _values(lambda at: system([at])[0][0], x)
    (ends,) = _ends(newton_image(system, [piece]))
    start = float(system([middle])[0][0].mid())
    (slopes,) = _ends(system([piece])[1].entries())
    low, high = np.sort(start + slopes[:, np.newaxis] * (x - float(middle)), axis=0)

    axes = plt.figure(figsize=(5.4, 3.6), layout="constrained").add_subplot()
    axes.axhline(0, color=INK, linewidth=0.8)
    fan = {"color": BLUE, "alpha": 0.2, "linewidth": 0}
    axes.fill_between(x, low, high, **fan, label="all lines with a slope that may occur")
    axes.plot(x, y, color=BLUE, linestyle=DASHES[0], label="the function")
    bars = {"interval": (left, right), "its image": ends}
    for (name, span), colour, width in zip(bars.items(), (GREY, ORANGE), (3, 8), strict=True):
        style = {"color": colour, "linewidth": width, "linestyle": "-", "solid_capstyle": "butt"}
        axes.plot(span, (0, 0), **style, label=name, zorder=3)
    axes.plot(float(middle), start, "o", color=INK, markersize=6, markerfacecolor="none")
    axes.set_xlabel("x")
    axes.locator_params(axis="x", nbins=6)
    axes.figure.legend(loc="outside upper center", ncols=2)
    points = {name: (np.array(span, dtype=float), np.zeros(2)) for name, span in bars.items()}
    return Drawn({"function": (x, y), "lowest line": (x, low), "highest line": (x, high)}, points)


def gradients_on(equations: Equations, box: Box, band: Box) -> Drawn:
    """The gradients of the sizes of three peaks by two parameters, for all parameters of a band.

    Args:
        equations: the equations of an optimum with two free parameters and three peaks.
        box: enclosures of its solution.
        band: enclosures of the two parameters.

    Returns:
        The triangle of the gradients at the solution; for every peak the corners of the rectangle
        that encloses its gradients on the band.
    """
    pairs = list(zip(equations.signs, equations.places(box), strict=True))
    tips = [[float(s * g.mid()) for g in gradient(equations, x, box[:2])] for s, x in pairs]
    corners = [_ends([s * g for g in gradient(equations, x, band)]) for s, x in pairs]
    first, second = np.array([*tips, tips[0]]).T

    axes = plt.figure(figsize=(5.4, 3.6), layout="constrained").add_subplot()
    for j, ((left, right), (low, high)) in enumerate(corners):
        label = None if j else "all gradients on the box"
        axes.bar(left, high - low, right - left, low, **BOX, label=label)
    axes.plot(first, second, color=ORANGE, linestyle=DASHES[1], label="at the solution")
    for j, tip in enumerate(tips):
        arrow = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", tip, (0, 0), arrowprops=arrow)
        outward = 16 * np.sign(tip)  # in points, away from the rectangle
        beside = {"xytext": outward, "textcoords": "offset points", "ha": "center", "va": "center"}
        axes.annotate(f"$G_{j + 1}$", tip, **beside)
    axes.plot(0, 0, "o", color=INK, markersize=6, label="zero")
    axes.use_sticky_edges = False  # a bar would leave no margin below it
    axes.margins(0.2)
    by = [f"derivative by ${name[0]}_{name[1:]}$" for name in map(str, equations.problem.free)]
    axes.set_xlabel(by[0])
    axes.set_ylabel(by[1])
    axes.figure.legend(loc="outside upper center", ncols=2)
    points = {f"gradient {j + 1}": (found[0], found[1]) for j, found in enumerate(corners)}
    return Drawn({"triangle": (first, second)}, points)


def _values(function: Callable[[arb], arb], x: np.ndarray) -> np.ndarray:
    return np.array([float(function(arb(at)).mid()) for at in x.tolist()])


def _ends(balls: Sequence[arb]) -> np.ndarray:
    """The lower and the upper end of each ball, as floats, one row for each."""
    return np.array([(float(ball.lower()), float(ball.upper())) for ball in balls])
