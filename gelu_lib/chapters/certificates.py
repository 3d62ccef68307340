"""The chapter certificates: what proves a decimal, shown step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from flint import arb, arb_mat, ctx
from sympy import Expr, Rational

from gelu_lib.certificates.balls import bits, interval, number
from gelu_lib.certificates.bounds import parameter_box
from gelu_lib.certificates.certificate import PROOF_BITS, Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure, ErrorCurve, enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.optimality import (
    PROBES,
    balances,
    contracted,
    gradient,
    prove_comparable,
)
from gelu_lib.certificates.pieces import cut, prove_peak
from gelu_lib.certificates.solutions import (
    Box,
    Equations,
    System,
    accuracy,
    newton_image,
    prove_solution,
)
from gelu_lib.certificates.sup_errors import certified_sup_error, prove_error_below
from gelu_lib.certificates.tails import tail_bound
from gelu_lib.chapters.curves import ERROR_LABEL, error_on
from gelu_lib.chapters.recipes import cubic_ratio
from gelu_lib.fits.criteria import Criterion, Optimum, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import optimum
from gelu_lib.functions.expressions import Phi, X, logistic
from gelu_lib.functions.families import (
    GELU_PAPER,
    LOGISTIC,
    PAGE,
    SLOPE_KEPT,
    TANH_CUBIC,
    Family,
    exact_parameters,
    odd_logistic,
)
from gelu_lib.functions.forms import Form
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, DASHES, GREEN, GREY, INK, ORANGE, Drawn, draw
from gelu_lib.show.tables import Table, decimal, end_cells

MARGIN = 1.14
"""How far past the beginning of the tail the curve is drawn, as a factor."""

BOX = {"facecolor": BLUE + "38", "edgecolor": BLUE, "linewidth": 0.8, "align": "edge"}
"""What the rectangle of an enclosure looks like."""


# --- figures


def opening(certificate: Certificate) -> Drawn:
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
    axes.figure.legend(loc="outside upper center")
    return drawn


def enclosure_widths() -> Drawn:
    """How wide the enclosure of Page's error is on pieces around 2 that get shorter.

    Returns:
        The three widths against the length, which are those of the enclosure that is computed
        operation by operation, of the one by Taylor's formula, and of the error's own range, as
        samples show it.
    """
    curve, lengths = ErrorCurve(TANH_CUBIC, "Phi"), 2.0 ** -np.arange(2, 11)
    plain, taylor, own = [], [], []
    with ctx.workprec(PROOF_BITS):
        numbers = list(map(number, exact_parameters(TANH_CUBIC, PAGE).values()))
        for length in lengths:
            left, right = 2 - length / 2, 2 + length / 2
            piece = interval(left, right)
            plain.append(2 * float(curve.taylor(piece, numbers, 1)[0].rad()))
            taylor.append(2 * float(curve.enclose(piece, numbers).rad()))
            samples = np.linspace(left, right, 41)
            own.append(np.ptp(_values(lambda at: curve.taylor(at, numbers, 1)[0], samples)))
    curves = {
        "operation by operation": (lengths, np.array(plain)),
        "by Taylor's formula": (lengths, np.array(taylor)),
        "the error's own range": (lengths, np.array(own)),
    }
    axes = plt.figure(figsize=(5.4, 3.6), layout="constrained").add_subplot()
    for marker, (name, (_, widths)) in zip("os^", curves.items(), strict=True):
        axes.loglog(
            lengths, widths, marker=marker, markersize=5, markerfacecolor="none", label=name
        )
    axes.set_xlabel("length of the piece")
    axes.set_ylabel("width of the enclosure")
    axes.figure.legend(loc="outside upper center")
    return Drawn(curves)


def hidden_dip(rounded: Mapping[str, str]) -> Drawn:
    """The error of a member of degree 7 up to 24, with samples up to 6."""
    x, marks = np.linspace(0, 24, 961), np.linspace(0, 6, 13)
    return draw(
        {"error": (x, error_on(x, odd_logistic(7), rounded))},
        {"samples": (marks, error_on(marks, odd_logistic(7), rounded))},
        ylabel="error of Φ",
    )


def slope_of_the_error(box: Box) -> tuple[Box, arb_mat]:
    """The derivative of Page's error and the derivative of that, as interval Newton takes them."""
    numbers = [number(value) for value in PAGE.values()]
    curve = ErrorCurve(TANH_CUBIC, "Phi")
    value, derivative = (curve.enclose(box[0], numbers, order) for order in (1, 2))
    return [value], arb_mat([[2 * derivative]])


def first_step() -> Drawn:
    """One step of interval Newton towards the first peak of Page's error."""
    with ctx.workprec(256):
        return newton_step(slope_of_the_error, 1.2, 1.3)


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
    axes.figure.legend(loc="outside upper center")
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
    axes.figure.legend(loc="outside upper center")
    points = {f"gradient {j + 1}": (found[0], found[1]) for j, found in enumerate(corners)}
    return Drawn({"triangle": (first, second)}, points)


def last_gradients(found: Certificate) -> Drawn:
    """The gradients of three peaks on what is left of the parameters at the end of a proof."""
    equations, box, _, left, _ = _contraction(found)
    with ctx.workprec(PROOF_BITS):
        return gradients_on(equations, box, left)


def _values(function: Callable[[arb], arb], x: np.ndarray) -> np.ndarray:
    return np.array([float(function(arb(at)).mid()) for at in x.tolist()])


def _ends(balls: Sequence[arb]) -> np.ndarray:
    """The lower and the upper end of each ball, as floats, one row for each."""
    return np.array([(float(ball.lower()), float(ball.upper())) for ball in balls])


# --- enclosures and samples


def examples() -> Table:
    """Enclosures of three numbers and of a function on an interval."""
    balls = {
        "$1/3$": arb(1) / 3,
        r"$\sqrt2$": arb(2).sqrt(),
        r"$\pi\sqrt2$": arb.pi() * arb(2).sqrt(),
        r"$e^{-x}$ for all $x$ from 1 to 2": (-interval(1, 2)).exp(),
    }
    rows = [[name, *end_cells(enclosure(ball, 18))] for name, ball in balls.items()]
    return Table(["number", "from", "to"], rows)


def difference_with_itself() -> Table:
    """The enclosure of x − x for x from 0 to 1."""
    unit = interval(0, 1)
    return Table.of_ends({"$x - x$": enclosure(unit - unit, 10)})


def pieces_needed(proof: Certificate) -> dict[str, int]:
    """Into how many pieces the axis is cut up to the first peak, with each kind of enclosure."""
    curve, numbers, level = _curve(proof)
    first = proof.neighbourhoods[0][0]
    plain, _ = cut(lambda piece: abs(curve.taylor(piece, numbers, 1)[0]) < level, 0.0, first)
    taylor, _ = cut(lambda piece: abs(curve.enclose(piece, numbers)) < level, 0.0, first)
    return {"operation by operation": len(plain), "by Taylor's formula": len(taylor)}


def _curve(proof: Certificate) -> tuple[ErrorCurve, list[arb], arb]:
    """The error of a proof, the enclosures of its parameters, and the level that holds."""
    numbers = [found.ball for found in proof.parameters.values()]
    return ErrorCurve(proof.family, "Phi"), numbers, proof.error.ball.lower()


def beside_the_enclosure(literal: str, best: Enclosure) -> dict[str, bool | int]:
    """Whether a printed constant may be the best one, and how many of its digits are right."""
    right = agreeing_digits(literal, str(best.rounded(50)))
    return {"in the enclosure": Decimal(literal) in best, "digits right": right}


def rounded_degree_7() -> dict[str, str]:
    """The best coefficients of degree 7, rounded to seven decimals."""
    names = odd_logistic(7).names
    return {name: str(round(Decimal(result(f"degree-7-{name}").value), 7)) for name in names}


def largest_sample(rounded: Mapping[str, str]) -> str:
    """The largest error of a member of degree 7 among 6001 samples from 0 to 6."""
    samples = np.linspace(0, 6, 6001)
    return decimal(np.abs(error_on(samples, odd_logistic(7), rounded)).max(), 3)


def error_of(family: Family, of: str, x: Expr) -> Expr:
    """The error of a family as the proofs write it, for x > 0."""
    return ErrorCurve(family, of).expression.xreplace({X: x})


# --- the steps of a proof


def newton_steps(count: int) -> Table:
    """The first peak of Page's error, enclosed again and again by interval Newton."""
    rows, old = [], interval(arb("1.2"), arb("1.3"))
    with ctx.workprec(256):
        for step in range(1, count + 1):
            (new,) = newton_image(slope_of_the_error, [old])
            inside = "yes" if old.contains_interior(new) else "no"
            radius = f"{float(new.rad()):.0e}"
            rows.append([str(step), *end_cells(enclosure(new, 30)), radius, inside])
            old = new
    return Table(["step", "from", "to", "radius", "inside the last one?"], rows)


def solution_step(fit: Optimum) -> Table:
    """The box around what a search found, and its image under a step of interval Newton."""
    found = [fit.parameters["p3"], fit.error, *fit.points]
    with ctx.workprec(128):
        box = [arb(float(value), 1e-9 * float(value)) for value in found]
        image = prove_solution(_equations(), box)
    radii = [[f"{float(ball.rad()):.0e}" for ball in balls] for balls in (box, image)]
    names = ["$p_3$", "$E$", "$x_1$", "$x_2$"]
    rows = list(zip(names, *radii, strict=True))
    return Table(["unknown", "radius of the box", "radius of its image"], rows)


def _equations() -> Equations:
    """What the best p₃ with the slope kept, its error and its two peaks have to fulfil."""
    return Equations(problem(TANH_CUBIC, Criterion("sup", "Phi"), SLOPE_KEPT), signs=(1, -1))


def bends(proof: Certificate) -> Table:
    """The second derivative of the error in the neighbourhood of each peak."""
    curve, numbers, _ = _curve(proof)
    rows = []
    for hood, sign in zip(proof.neighbourhoods, proof.signs, strict=True):
        bend = 2 * curve.enclose(interval(*hood), numbers, 2)
        where = " to ".join(f"{x:.3f}" for x in hood)
        rows.append([where, "+" if sign > 0 else "−", *end_cells(enclosure(bend, 3))])
    return Table(["neighbourhood", "sign of the peak", "second derivative from", "to"], rows)


def tail_bounds(proof: Certificate, ends: Sequence[float]) -> Table:
    """A bound of the error beyond each of these places, and whether it is below the level."""
    curve, numbers, level = _curve(proof)
    rows = []
    for end in ends:
        bound = tail_bound(curve, numbers, end)
        enough = "yes" if bound < level else "no"
        rows.append([f"{end:g}", str(enclosure(bound, 3).upper), enough])
    return Table(["beyond", "the error is at most", "enough?"], rows)


def best_for_slope() -> dict[str, Optimum]:
    """The least largest error of GELU′ in each of the three forms."""
    forms = {
        "sigmoid form": "sigmoid",
        "tanh form, slope kept": "tanh-pinned",
        "tanh form, both free": "tanh-free",
    }
    return {name: optimum(form, "GELU_derivative", "sup") for name, form in forms.items()}


def bands(certificates: Mapping[str, Certificate]) -> Table:
    """The parameters that are not excluded at first, and what is left of them at the end."""
    rows = []
    for name, found in certificates.items():
        equations, _, band, left, rounds = _contraction(found)
        free = [symbol.name for symbol in equations.problem.free]
        peaks = str(len(found.signs))
        rows.append([name, peaks, _shown(free, band), str(rounds), _shown(free, left)])
    return Table(["best for GELU′", "peaks", "band", "rounds", "what is left at the end"], rows)


def _contraction(found: Certificate) -> tuple[Equations, Box, Box, Box, int]:
    """How a certificate excludes other parameters: equations, solution, band, rest, rounds."""
    made = problem(found.family, found.criterion, found.fixed)
    equations = Equations(made, found.signs)
    free = [found.parameters[symbol.name] for symbol in made.free]
    box = [enclosed.ball for enclosed in (*free, found.error, *found.points)]
    with ctx.workprec(PROOF_BITS):
        level = equations.level(box)
        left = band = parameter_box(equations.problem, np.inf, level, PROBES)
        rounds = 0
        while not balances(equations, box, left):
            left, rounds = contracted(equations, box, left), rounds + 1
    return equations, box, band, left, rounds


def _shown(names: Sequence[str], balls: Box) -> str:
    pairs = zip(names, (enclosure(wide, 4) for wide in balls), strict=True)
    return ", ".join(f"{name} in [{found.lower}, {found.upper}]" for name, found in pairs)


def thirty_digits(certificates: Mapping[str, Certificate]) -> Table:
    """The best constant and the least error of each form, to 30 digits."""
    rows = []
    for name, found in certificates.items():
        constant = cubic_ratio(found) if "p3" in found.parameters else found.parameters["p1"]
        rows.append([name, f"`{constant.rounded(30)}`", f"`{found.error.rounded(30)}`"])
    return Table(["best for GELU′", "$p_1$ or $p_3/p_1$, 30 digits", "least error"], rows)


# --- what a certificate says


def what_is_proved(certificate: Certificate) -> Table:
    """The enclosures of a certificate with two peaks."""
    certified = {
        "$k = p_3/p_1$": cubic_ratio(certificate),
        "$E$": certificate.error,
        "$x_1$": certificate.points[0],
        "$x_2$": certificate.points[1],
    }
    rows = []
    for name, found in certified.items():
        low, high = end_cells(found)
        rows += [[name, "from", low], ["", "to", high]]
    return Table(["", "", "proved"], rows)


def what_else_it_says(certificate: Certificate) -> Table:
    """How the proof went: its pieces, its tail, the signs, and why no other is as good."""
    signs = ", ".join("+" if sign > 0 else "−" for sign in certificate.signs)
    rows = [
        ["pieces", str(len(certificate.pieces))],
        ["the tail begins at", f"{certificate.end:g}"],
        ["bound of the tail", str(certificate.tail.upper)],
        ["signs at the peaks", signs],
        ["no other is as good, by", f"`{certificate.theorem}`"],
    ]
    return Table(["what else it says", ""], rows)


def digits_after_each_step(certificate: Certificate, digits: int) -> list[int]:
    """How many digits are proved at the start and after each step of interval Newton.

    Args:
        certificate: the proof to start from, of the tanh form with the slope kept.
        digits: how many are asked for.
    """
    unknowns = (certificate.parameters["p3"], certificate.error, *certificate.points)
    box = [enclosed.ball for enclosed in unknowns]
    proved = [int(accuracy(box) * 0.30103)]
    while accuracy(box) < bits(digits):
        with ctx.workprec(2 * accuracy(box) + 128):
            image = newton_image(_equations(), box)
            box = [old.intersection(new) for old, new in zip(box, image, strict=True)]
        proved.append(int(accuracy(box) * 0.30103))
    return proved


def rounded_constants(proofs: Mapping[int, Certificate]) -> Table:
    """The best k to as many digits as each certificate has; long ones are cut in the middle."""
    rows = []
    for digits, proof in proofs.items():
        text = str(cubic_ratio(proof).rounded(digits))
        short = f"{text[:14]}…{text[-20:]}" if digits > 50 else text
        rows.append([str(digits), f"`{short}`"])
    return Table(["digits", "$k$, rounded"], rows)


# --- printed claims, and attempts to cheat


def printed_pair_and_scale(free_best: Certificate) -> Table:
    """The largest errors of a quoted pair, of the best pair and of the sigmoid form with 1.702."""
    bowling = {"p1": result("bowling-linear").value, "p3": result("bowling-cubic").value}
    quoted = certified_sup_error(Form(TANH_CUBIC, bowling)).error
    scale = certified_sup_error(Form(LOGISTIC, GELU_PAPER)).error
    claimed = Decimal(result("bowling-error").value)
    for error in (quoted, free_best.error):
        assert error.lower > claimed == error.rounded(2)
    errors = {
        f"σ({bowling['p1']}x + {bowling['p3']}x³)": quoted,
        "the best pair of all": free_best.error,
        "σ(1.702x)": scale,
    }
    rows = [[name, *end_cells(error)] for name, error in errors.items()]
    return Table(["", "largest error from", "to"], rows)


def deviation_and_place() -> tuple[str, str, str]:
    """The largest error with 1.702 and its place, to two digits, and on how many pieces a bound."""
    error, place = result("note-en-deviation").value, result("note-en-place").value
    sigmoid = certified_sup_error(Form(LOGISTIC, GELU_PAPER))
    found = sigmoid.error.rounded(2), sigmoid.points[0].rounded(2)
    assert found == (Decimal(error), Decimal(place))
    pieces = prove_error_below(Form(LOGISTIC, GELU_PAPER), error)
    return str(found[0]), str(found[1]), f"a bound, on {len(pieces)} pieces"


def with_cubic(fit: Optimum, cubic: Expr) -> Optimum:
    """A fit that claims another cubic coefficient."""
    return replace(fit, parameters={**fit.parameters, "p3": cubic.evalf(30)})


def attempt(proof: Callable[[], object]) -> None:
    """Print what a proof gives, or at which step it stops and why."""
    try:
        print(proof())
    except CertificationError as failure:
        print(failure)


def bound_the_dip(rounded: Mapping[str, str]) -> None:
    """Try to prove that the error of a member of degree 7 is below 0.001."""
    attempt(lambda: prove_error_below(Form(odd_logistic(7), rounded), "0.001"))


def attempts_to_cheat(fit: Optimum, proof: Certificate) -> Table:
    """One attempt for each step of the proof, with where it stops and the message."""
    rows = []
    for name, cheat in _cheats(fit, proof).items():
        try:
            cheat()
        except CertificationError as failure:
            step, _, message = str(failure).partition(": ")
            rows.append([name, step, message])
        else:
            raise AssertionError(f"{name} is accepted")
    return Table(["attempt", "stopped at", "message"], rows)


def _cheats(fit: Optimum, proof: Certificate) -> dict[str, Callable[[], object]]:
    two_free = minimax(TANH_CUBIC, of="Phi")
    fewer = replace(two_free, points=two_free.points[:2], signs=two_free.signs[:2])
    smaller = replace(fit, error=fit.error * (1 - sp.Float("1e-9")))
    swapped = replace(fit, signs=tuple(-sign for sign in fit.signs))
    curve, numbers, level = _curve(proof)
    place = proof.points[0].ball
    of_gelu, of_slope = (ErrorCurve(LOGISTIC, of) for of in ("GELU", "GELU_derivative"))
    return {
        "leave out a point": lambda: certify(fewer),
        "claim a smaller error": lambda: certify(smaller),
        "swap the signs": lambda: certify(swapped),
        "call a peak a valley": lambda: prove_peak(curve, numbers, place, -1, level),
        "bound 1.702 too low": lambda: prove_error_below(Form(LOGISTIC, {"p1": "1.702"}), "0.0094"),
        "begin a tail of GELU too early": lambda: tail_bound(of_gelu, [arb(2)], 0.5),
        "treat GELU′ like Φ": lambda: prove_comparable(of_slope),
        "read off more digits": lambda: proof.error.rounded(80),
    }


# --- numbers of the text


def in_short(fit: Optimum, proof: Certificate) -> dict[str, str]:
    """The first digits of k, the pieces of the proof, its end, and the digits of the search."""
    return {
        "k-short": str(cubic_ratio(proof).lower)[:12],
        "pieces": str(len(proof.pieces)),
        "end": f"{proof.end:g}",
        "fit-digits": str(fit.digits),
    }


def numbers_of_the_dip(rounded: Mapping[str, str]) -> dict[str, str]:
    """The least error of degree 7, and how far down the rounded member goes in its dip."""
    family = odd_logistic(7)
    values = {symbol: Rational(rounded[symbol.name]) for symbol in family.symbols}
    polynomial = sp.Add(*family.terms).subs(values)
    dip = max(root for root in sp.nroots(polynomial.diff(X), n=30) if root.is_real)
    value = logistic(polynomial.subs(X, dip))
    assert Phi(dip) - value > Rational(1, 3)
    return {
        "seven": decimal(Rational(result("degree-7-error").value), 3),
        "phi-six": decimal(Phi(-6), 2),
        "dip-place": decimal(dip, 5),
        "dip-value": decimal(value, 4),
    }


def level(proof: Certificate) -> dict[str, str]:
    """The level E of a proof that decides 50 digits."""
    assert proof.error.rounded(50) and cubic_ratio(proof).rounded(50)
    return {"level": decimal(Rational(str(proof.error.lower)), 4)}
