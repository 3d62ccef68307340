"""The chapter derivatives: GELU′ and the derivatives of the forms, and where each is steepest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import matplotlib.pyplot as plt
import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from sympy import Dummy, Expr, Float, LambertW, Rational, S, exp, pi, sqrt, tanh

from gelu_lib.activations import (
    gelu,
    gelu_derivative,
    gelu_sigmoid_derivative,
    gelu_tanh_derivative,
)
from gelu_lib.chapters.recipes import Certification, Certified, at_root, closed_form
from gelu_lib.derivations.quantities import ArgMin, Infimum, Supremum
from gelu_lib.functions.expressions import (
    LOCAL_SLOPE,
    LOGISTIC_SCALE,
    PAGE_CUBIC,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    mpmath_function,
)
from gelu_lib.show.style import GREY, Drawn, draw
from gelu_lib.show.tables import Table, decimal


def opening() -> tuple[Drawn, Drawn]:
    """GELU′ with its landmarks beside ReLU′, and how far the derivatives of the two forms are off.

    Returns:
        The upper panel with the derivatives, and the lower one with the differences from GELU′.
    """
    figure = plt.figure(figsize=(5.4, 5.2))
    upper, lower = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    x = np.linspace(-4, 4, 1601)
    forms = {"sigmoid form": gelu_sigmoid_derivative(x), "tanh form": gelu_tanh_derivative(x)}
    relu = np.where(x == 0, np.nan, np.heaviside(x, 0))
    found = landmarks()
    turn, low_end = float(found.inflection), float(found.minimum_place)
    marks = {
        "inflections": (np.array([-turn, turn]), gelu_derivative(np.array([-turn, turn]))),
        "minimum": (np.array([low_end]), np.zeros(1)),
    }
    slopes = {"GELU′": (x, gelu_derivative(x)), "ReLU′": (x, relu)}
    top = draw(slopes, marks, xlabel="", ylabel="derivative", levels=(1,), axes=upper)
    upper.axvspan(-turn, turn, color=GREY, alpha=0.12, linewidth=0)
    upper.legend(loc="center left", fontsize="small")
    differences = {name: (x, slope - gelu_derivative(x)) for name, slope in forms.items()}
    bottom = draw(differences, ylabel="less GELU′", axes=lower)
    lower.margins(y=0.4)  # room for the names above the curves
    lower.legend(loc="upper right", ncols=2, fontsize="small", handlelength=1.2)
    return top, bottom


def inflection_crossing(p1: float, p3: float) -> Drawn:
    """Both sides of the equation for an inflection of xσ(p₁x + p₃x³), and where they meet.

    Args:
        p1: the linear coefficient, positive.
        p3: the cubic coefficient, not negative.

    Returns:
        The side that rises, the side that falls, and the inflection, marked on the first.

    Raises:
        ValueError: if a coefficient is out of range or not finite.
    """
    if not (0 < p1 < np.inf and 0 <= p3 < np.inf):
        raise ValueError(f"p1 = {p1!r}, p3 = {p3!r}; accepted are p1 > 0 and p3 >= 0, finite")
    form = X * logistic(Rational(p1) * X + Rational(p3) * X**3)
    turn = float(landmarks(form).inflection)

    def rising(x: np.ndarray) -> np.ndarray:
        return np.tanh((p1 * x + p3 * x**3) / 2)

    def falling(x: np.ndarray) -> np.ndarray:
        return (2 * p1 + 12 * p3 * x**2) / (x * (p1 + 3 * p3 * x**2) ** 2)

    x, place = np.linspace(turn / 100, 2.8 * turn, 400), np.array([turn])
    curves = {r"$\tanh(v/2)$": (x, rising(x)), "$R(x)$": (x, falling(x))}
    drawn = draw(curves, {"inflection": (place, rising(place))}, ylabel="value")
    plt.ylim(0, 3)
    return drawn


def inflection_of_the_tanh_form() -> Drawn:
    """Where the tanh form with 0.044715 has its inflection."""
    p1 = float(2 * LOCAL_SLOPE)
    return inflection_crossing(p1, p1 * float(PAGE_CUBIC))


# --- the landmarks of a form

GELU_FORMULA = X * Phi(X)
"""GELU written out, so that every form can be differentiated."""

DOUBLINGS = 40
"""An inflection point is looked for at 2⁻⁴⁰ to 2⁴⁰ times 1/f″(0), the limit at −∞ as far out."""

GUARD_DIGITS = 15
"""Digits carried beyond those that are asked for."""


@dataclass(frozen=True)
class Landmarks:
    """Where a form of GELU turns, and its steepest slopes.

    Attributes:
        minimum_place: the x < 0 where the slope is 0.
        minimum_value: the value there, the least of all.
        inflection: the x > 0 where the slope is largest; it is smallest at −x.
        largest_slope: the slope there.
        smallest_slope: the slope at −x, which is 1 minus the largest.
    """

    minimum_place: Float
    minimum_value: Float
    inflection: Float
    largest_slope: Float
    smallest_slope: Float


def landmarks(form: Expr = GELU_FORMULA, digits: int = 15) -> Landmarks:
    """The minimum, the inflection points and the extreme slopes of a form of GELU.

    Args:
        form: f in the variable ``functions.X``, with f(x) − f(−x) = x, limit 0 at −∞ and one
            inflection on each side, such as ``gelu_tanh()`` or ``gelu_sigmoid(scale=1)``. The
            equation and the limit are tested at several points; that there is one inflection is
            not. For xσ(p₁x + p₃x³) with p₁ > 0 and p₃ ≥ 0 all three are proved.
        digits: how many significant digits.

    Returns:
        SymPy floats of ``digits`` digits. Each place lies within one unit of the last digit of a
        sign change of the derivative, as mpmath evaluates it with more digits. No interval
        arithmetic stands behind it.

    Raises:
        TypeError: if ``form`` is not a SymPy expression.
        ValueError: if ``form`` has another variable or is not evaluated to real numbers, is not
            convex at 0, breaks f(x) − f(−x) = x, does not tend to 0 on the left, or has no
            inflection from 2⁻⁴⁰ to 2⁴⁰ times 1/f″(0); if ``digits`` is not a positive integer.
        ArithmeticError: if a place is not found to that many digits.
    """
    if not isinstance(form, Expr):
        raise TypeError(f"form is {form!r}; accepted is a SymPy expression in x")
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
    value, slope, bend = _evaluations(form)
    with mpmath.workdps(digits + GUARD_DIGITS):
        low, high = _bracket(form, bend)
        _check_ends(form, value, high)
        turn = _sign_change(bend, low, high, digits)
        place = _sign_change(slope, -turn, mpf(0), digits)
        numbers = (place, value(place), turn, slope(turn), slope(-turn))
    return Landmarks(*(Float(number, digits) for number in numbers))


@cache
def _evaluations(form: Expr) -> tuple[Callable[[mpf], mpf], ...]:
    """The form and its first two derivatives as mpmath functions, which refuse what is not real."""
    return tuple(_real(form, mpmath_function(sp.diff(form, X, order))) for order in range(3))


def _real(form: Expr, function: Callable[[mpf], object]) -> Callable[[mpf], mpf]:
    def evaluate(x: mpf) -> mpf:
        try:
            number = mpmath.mpmathify(function(x))
        except (NameError, TypeError, ZeroDivisionError) as error:  # as lambdify's functions raise
            raise ValueError(f"form is {form}, which cannot be evaluated: {error}") from None
        if not (isinstance(number, mpf) and mpmath.isfinite(number)):
            raise ValueError(f"form is {form}; accepted is one with finite real slopes")
        return number

    return evaluate


def _bracket(form: Expr, bend: Callable[[mpf], mpf]) -> tuple[mpf, mpf]:
    """Two ends right of 0, the second derivative positive at the first, negative at the other."""
    start = bend(mpf(0))
    if not start > 0:
        raise ValueError(f"form is {form}; accepted is one that is convex at 0")
    ends = [mpf(2) ** k / start for k in range(-DOUBLINGS, DOUBLINGS + 1)]
    # from the middle outwards: far out the sign of a second derivative is that of its rounding
    i = DOUBLINGS
    while 0 < i < 2 * DOUBLINGS and bend(ends[i]) > 0:
        i += 1
    while i > 0 and not bend(ends[i - 1]) > 0:
        i -= 1
    if i == 0 or not bend(ends[i]) < 0:
        raise ValueError(f"form is {form}; accepted is one with an inflection point")
    return ends[i - 1], ends[i]


def _check_ends(form: Expr, value: Callable[[mpf], mpf], unit: mpf) -> None:
    """Refuse a form without the reflection or without the limit 0, as far as samples show it."""
    for x in (unit / 3, unit, unit * 5 / 2):
        if not abs(value(x) - value(-x) - x) <= abs(x) * mpf(10) ** (3 - mpmath.mp.dps):
            raise ValueError(f"form is {form}; accepted is f with f(x) - f(-x) = x")
    dip = abs(value(-unit))
    for k in range(6, DOUBLINGS):
        if not abs(value(-unit * mpf(2) ** k)) < dip / 8:
            raise ValueError(f"form is {form}; accepted is one that tends to 0 on the left")


def _sign_change(function: Callable[[mpf], mpf], low: mpf, high: mpf, digits: int) -> mpf:
    """A zero between two ends of opposite sign, known to have another sign close on either side."""
    # the sign change below decides; the test of findroot is about the size of the function
    zero = mpmath.findroot(function, (low, high), solver="anderson", maxsteps=500, verify=False)
    near = abs(zero) * mpf(10) ** (-digits - 2)
    if not function(zero - near) * function(zero + near) < 0:
        raise ArithmeticError(f"{mpmath.nstr(zero, 15)} is not known to {digits} digits")
    return zero


def sigmoid_landmarks(scale: Expr | int = LOGISTIC_SCALE) -> Landmarks:
    """The landmarks of the sigmoid form xσ(cx) with this scale c > 0."""
    return landmarks(gelu_sigmoid(scale=scale))


def all_landmarks() -> Table:
    """The landmarks of GELU and of both forms."""
    found = {"GELU": landmarks(), "tanh form": landmarks(gelu_tanh())}
    found["sigmoid form"] = sigmoid_landmarks()
    names = ("minimum_place", "minimum_value", "inflection", "smallest_slope", "largest_slope")
    rows = []
    for name in names:
        words = name.replace("_", " ").replace("slope", "derivative")
        rows.append([words, *(decimal(getattr(form, name), 12) for form in found.values())])
    return Table(["", *found], rows)


# --- derivatives in floating point, and small answers

Derivative = Callable[[np.float64], float]

FAR = {r"$-10^{120}$": -1e120, r"$-\infty$": -np.inf}
"""Where the derivative is 0 to any number of digits that is printed.

:meta hide-value:
"""


def tanh_slopes_far_out(printed: Derivative, safer: Derivative) -> Table:
    """The derivative of the tanh form in double precision, in three ways, far to the left."""
    form = X * logistic(2 * LOCAL_SLOPE * (X + PAGE_CUBIC * X**3))  # 1 + tanh would cancel
    return _slopes(form, (6, 7, 12, 500), printed, safer, gelu_tanh_derivative)


def sigmoid_slopes_far_out(printed: Derivative, safer: Derivative) -> Table:
    """The derivative of the sigmoid form in double precision, in three ways, far to the left."""
    return _slopes(gelu_sigmoid(), (12, 300, 500), printed, safer, gelu_sigmoid_derivative)


def _slopes(form: Expr, near: Iterable[int], *ways: Derivative) -> Table:
    exactly = mpmath_function(sp.diff(form, X))
    rows = []
    for label, x in ({f"−{n}": -float(n) for n in near} | FAR).items():
        true = "tends to 0" if label in FAR else decimal(exactly(x), 5)
        with np.errstate(all="ignore"):
            slopes = [float(way(np.float64(x))) for way in ways]
        rows.append([label, true, *(decimal(s, 5) if np.isfinite(s) else "nan" for s in slopes)])
    header = ["$x$", "true derivative", "as printed", r"with $\sigma\sigma$", "`gelu_lib`"]
    return Table(header, rows)


def slopes_at_zero() -> dict[str, tuple[Expr, Expr]]:
    """The limits of the difference quotient at 0, from the left and from the right."""
    h = sp.Symbol("h", real=True)
    quotients = {"ReLU": sp.Max(0, h) / h, "GELU": Phi(h)}  # GELU(h)/h
    return {
        name: (sp.limit(quotient, h, 0, "-"), sp.limit(quotient, h, 0, "+"))
        for name, quotient in quotients.items()
    }


def with_the_printed_density() -> tuple[str, str]:
    """Φ(2) + 2φ(2) with φ as a source prints it, beside a difference quotient of GELU."""
    density = exp(X**2 / 2) / sqrt(2 * pi)
    by_formula = (Phi(X) + X * density).subs(X, 2)
    quotient = (gelu(2.001) - gelu(1.999)) / 0.002
    return decimal(by_formula, 5), decimal(quotient, 5)


def in_short() -> dict[str, str]:
    """The landmarks that the text names, and how far the two forms are from GELU there."""
    exact, page, sigmoid = landmarks(), landmarks(gelu_tanh()), sigmoid_landmarks()
    return {
        "largest": decimal(exact.largest_slope, 5),
        "smallest": decimal(exact.smallest_slope, 5),
        "place": decimal(exact.minimum_place, 5),
        "value": decimal(exact.minimum_value, 5),
        "page-gap": decimal(exact.minimum_value - page.minimum_value, 2),
        "sigmoid-largest": decimal(sigmoid.largest_slope, 5),
        "sigmoid-gap": decimal(sigmoid.minimum_value - exact.minimum_value, 2),
        "kappa": decimal(coth_fixed_point(15), 5),
        "lambert": decimal(LAMBERT, 5),
    }


# --- numbers of the register

LAMBERT = LambertW(exp(-1))
"""W(1/e), the positive solution of w·exp(w) = 1/e.

:meta hide-value:
"""


def minimum(form: Expr, value: Expr = X) -> Certification:
    """An expression where a form of GELU is least, which is the only zero of its derivative."""
    here = {form: Infimum(form, [X]), X: ArgMin(form, [X])}
    place = at_root(sp.diff(form, X), -0.75, value)
    return Certified(lambda: _in_terms(value, here), place.enclosures)


def inflection(form: Expr, value: Expr = X, side: int = 1) -> Certification:
    """An expression at the inflection point of a form of GELU on one side of 0; each has one.

    There the slope of the form is largest, or least if the side is −1.
    """
    slope, turn = sp.diff(form, X), at_root(sp.diff(form, X, 2), 1.42 * side, value)
    if value == X:
        return turn
    here = {slope: (Supremum if side == 1 else Infimum)(slope, [X])}
    return Certified(lambda: _in_terms(value, here), turn.enclosures)


def _in_terms(value: Expr, known: Mapping[Expr, Expr]) -> Expr:
    """An expression in terms of what some of its parts are, the larger parts first."""
    symbols = {part: Dummy() for part in known}
    found = {symbols[part]: meaning for part, meaning in known.items()}
    return value.subs(list(symbols.items())).xreplace(found)


def coth_fixed_point(digits: int) -> Float:
    """The v > 0 with v = coth v, by its sign change between 1 and 2."""
    with mpmath.workdps(digits + GUARD_DIGITS):
        zero = _sign_change(lambda v: v * mpmath.tanh(v) - 1, mpf(1), mpf(2), digits)
    return Float(zero, digits)


def _at_lambert(value: Expr) -> Certification:
    """An expression in w = W(1/e), the only w > 0 with w·exp(w) = 1/e, because w·exp(w) rises."""
    return at_root(X * exp(X + 1) - 1, 0.28, value)


def _at_coth_fixed_point(value: Expr) -> Certification:
    """An expression in κ = coth κ, the only κ > 0 with κ·tanh κ = 1, because κ·tanh κ rises."""
    return at_root(X * tanh(X) - 1, 1.2, value)


_STEEPEST = (1 + sp.erf(S.One)) / 2 + exp(-1) / sqrt(pi)
_PAGE = gelu_tanh()

CERTIFIED: dict[str, Certification] = {
    "gelu-minimum-place": minimum(GELU_FORMULA),
    "gelu-minimum-value": minimum(GELU_FORMULA, GELU_FORMULA),
    "gelu-largest-slope": closed_form(_STEEPEST),
    "gelu-smallest-slope": closed_form(1 - _STEEPEST),
    "page-minimum-place": minimum(_PAGE),
    "page-minimum-value": minimum(_PAGE, _PAGE),
    "page-inflection": inflection(_PAGE),
    "page-largest-slope": inflection(_PAGE, sp.diff(_PAGE, X)),
    "page-smallest-slope": inflection(_PAGE, sp.diff(_PAGE, X), side=-1),
    "lambert-w-of-inverse-e": _at_lambert(X),
    "scale-1702-minimum-place": _at_lambert(-(1 + X) / LOGISTIC_SCALE),
    "scale-1702-minimum-value": _at_lambert(-X / LOGISTIC_SCALE),
    "coth-fixed-point": _at_coth_fixed_point(X),
    "scale-1702-inflection": _at_coth_fixed_point(2 * X / LOGISTIC_SCALE),
    "sigmoid-form-largest-slope": _at_coth_fixed_point((1 + X) / 2),
    "sigmoid-form-smallest-slope": _at_coth_fixed_point((1 - X) / 2),
}
