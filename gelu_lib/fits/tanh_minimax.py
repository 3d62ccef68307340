"""The best parameters of the forms that are built from tanh, in the sup norm.

With the scale fixed and n free coefficients the terms of a form of powers of tanh, and of two tanh
at different scales, are a Haar system on (0, ∞]: n + 1 alternation points, infinity among them if
the limit is free, prove that the coefficients are the best ones. With the scale free there is no
such theorem here, and the outcome is the best that a search found. That it is the best of all is
proved in ``gelu_lib.certificates.tanh_optima``, form by form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import mpmath
import numpy as np
from mpmath import mpf
from sympy import Expr, Float, oo

from gelu_lib.fits.alternation import Curve, Level, NotAnAlternationError, solve_level
from gelu_lib.fits.criteria import WEIGHTS, alternating
from gelu_lib.fits.starts import ConvergenceError
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits, numerical, sign_changes
from gelu_lib.fits.tanh_starts import error_expression, smallest_scale, start
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import check_target
from gelu_lib.functions.tanh_forms import S, TanhForm

SAMPLES = 12
"""How many samples a check takes on a length in which the slowest term falls by a factor e."""

MARGIN_DIGITS = 6
"""Digits by which the tail beyond the samples is below the tolerance; powers of x and the number
of terms take some of them."""

EXCHANGES = 20
"""The number of exchanges after which the fit of a form gives up."""

EXCHANGE_DIGITS = 10
"""The digits to which an exchange compares peaks."""


@dataclass(frozen=True)
class TanhFit:
    """Parameters of a form whose error alternates, as ``gelu_lib.fits.minimax.Fit`` for a family.

    Attributes:
        form: the form.
        of: ``"Phi"`` or ``"GELU"``, the function that is approximated.
        digits: how many significant digits of the numbers are meant to hold.
        parameters: the value of every free parameter, by name.
        error: the sup norm of the error over the real line.
        extrema: the alternation points x > 0, increasing, each with the sign of the error there;
            the last x is ``oo`` if the error is largest in the limit.
    """

    form: TanhForm
    of: str
    digits: int
    parameters: Mapping[str, Float]
    error: Float
    extrema: tuple[tuple[Expr, int], ...]


@lru_cache(typed=True)
def minimax_tanh(form: TanhForm, of: str = "Phi", digits: int = 16) -> TanhFit:
    """Parameters of a form whose error alternates as that of the best ones does.

    If the scale is given they are the best ones where ``tanh-powers-alternation`` says so; a
    scale that is free is locally best, the lowest that a search found. Linear programs on a
    grid, one for each scale that is tried, give the start; exchanges bring in the highest peak;
    Newton's method refines; ``check_tanh_fit`` accepts or rejects the solution.

    Args:
        form: the form.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        digits: how many significant digits of every number shall hold.

    Returns:
        The fit.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``of`` is not accepted, ``digits`` is below 1, or the error of GELU is asked
            for a form that may have another limit than 1: it is infinite.
        ConvergenceError: if the equations were not solved.
        NotAnAlternationError: if the solution is not accepted.
    """
    check_digits(digits)
    curve = error_curve(form, of)
    level = solve_level(curve, _exchanged(form, of), digits)
    precision = digits + GUARD_DIGITS
    values = (Float(value, precision) for value in level.parameters)
    names = (symbol.name for symbol in form.symbols)
    fit = TanhFit(
        form=form,
        of=of,
        digits=digits,
        parameters=MappingProxyType(dict(zip(names, values, strict=True))),
        error=Float(level.error, precision),
        extrema=tuple(
            (oo if x == mpmath.inf else Float(x, precision), sign) for x, sign in level.extrema
        ),
    )
    check_tanh_fit(fit)
    return fit


def error_curve(form: TanhForm, of: str = "Phi") -> Curve:
    """The error of a form for x > 0.

    Args:
        form: the form.
        of: ``"Phi"`` or ``"GELU"``.

    Returns:
        The curve, which ``gelu_lib.fits.alternation.solve_level`` takes.

    Raises:
        ValueError: if ``of`` is not accepted, or the error of GELU is infinite.
    """
    check_target(of)
    if of not in WEIGHTS:
        raise ValueError(f"of must be one of {WEIGHTS}, got {of!r}")
    if of == "GELU" and form.limit != 1:
        raise ValueError("the error of GELU is infinite if the limit of g is not 1; use limit_one")
    return Curve(error_expression(form, of), (1 - form.limit) / 2, form.symbols)


def check_tanh_fit(fit: TanhFit) -> None:
    """Check that the error of a fit alternates and that no other extremum is larger.

    There must be one alternation point more than there are free parameters; they must be extrema
    of the error with the values ±E in turn, the last one possibly in the limit; and no extremum
    that samples of the derivative show may be larger. Samples are no bound.

    Args:
        fit: the fit to check.

    Raises:
        NotAnAlternationError: if something is not so; the message says what.
    """
    curve = error_curve(fit.form, fit.of)
    signs = [sign for _, sign in fit.extrema]
    if len(signs) != len(curve.symbols) + 1:
        raise NotAnAlternationError(
            f"{len(signs)} alternation points; {len(curve.symbols)} free parameters need one more"
        )
    if not alternating(signs, len(signs)):
        raise NotAnAlternationError(f"the signs {signs} do not alternate")
    with mpmath.workdps(fit.digits + GUARD_DIGITS):
        parameters = numerical(fit.parameters[symbol.name] for symbol in curve.symbols)
        (error,) = numerical([fit.error])
        points = [mpmath.inf if x == oo else numerical([x])[0] for x, _ in fit.extrema]
        if not error > 0 or [0, *points] != sorted({0, *points}):
            raise NotAnAlternationError(f"E = {fit.error}, x = {points} must increase from 0")
        if not _smallest_scale(fit.form, parameters) > 0:
            raise NotAnAlternationError("a scale is not positive")
        level = Level(tuple(parameters), error, tuple(zip(points, signs, strict=True)))
        tolerance = mpf(10) ** -fit.digits
        _check_points(curve, level, tolerance)
        for x, value in _peaks(fit.form, curve, level, fit.digits):
            if abs(value) > error * (1 + tolerance):
                raise NotAnAlternationError(
                    f"the error is exceeded at x = {mpmath.nstr(x, 8)}, where it is "
                    f"{mpmath.nstr(value, 8)}"
                )


def _check_points(curve: Curve, level: Level, tolerance: mpf) -> None:
    for x, sign in level.extrema:
        found, place = curve.at(x, level.parameters), mpmath.nstr(x, 8)
        if abs(found - sign * level.error) > tolerance * level.error:
            raise NotAnAlternationError(f"the error at x = {place} is {mpmath.nstr(found, 20)}")
        if x == mpmath.inf:
            continue
        slope, curvature = (curve.at(x, level.parameters, *[X] * order) for order in (1, 2))
        if abs(slope) > tolerance * x * abs(curvature):
            raise NotAnAlternationError(f"the error has no extremum at x = {place}")


@lru_cache  # the same for every number of digits
def _exchanged(form: TanhForm, of: str) -> Level:
    """A level alternation that no other peak exceeds, by Remez exchanges from the start."""
    curve, level = error_curve(form, of), start(form, of)
    for _ in range(EXCHANGES):
        level = solve_level(curve, level, EXCHANGE_DIGITS)
        with mpmath.workdps(EXCHANGE_DIGITS + GUARD_DIGITS):
            if not _smallest_scale(form, level.parameters) > 0:
                raise ConvergenceError(f"a scale went below 0: {level.parameters}")
            peaks = _peaks(form, curve, level, EXCHANGE_DIGITS)
            points = _with_the_highest(level, peaks)
        if points == level.extrema:
            return level
        level = Level(level.parameters, level.error, points)
    raise ConvergenceError(f"{EXCHANGES} exchanges were not enough; E = {float(level.error):.8g}")


def _with_the_highest(
    level: Level, peaks: Sequence[tuple[mpf, mpf]]
) -> tuple[tuple[mpf, int], ...]:
    """As many alternating points, with the highest peak among them, if one exceeds the level."""
    tolerance = mpf(10) ** -EXCHANGE_DIGITS
    high = [peak for peak in peaks if abs(peak[1]) >= level.error * (1 - tolerance)]
    if all(abs(value) <= level.error * (1 + tolerance) for _, value in high):
        return level.extrema
    # of all peaks from the level up, so that the next level is higher
    kept: list[tuple[mpf, mpf]] = []
    for peak in high:
        if not kept or kept[-1][1] * peak[1] < 0:
            kept.append(peak)
        elif abs(peak[1]) > abs(kept[-1][1]):
            kept[-1] = peak
    count = len(level.extrema)
    highest = max(range(len(kept)), key=lambda i: abs(kept[i][1]))
    first = min(max(0, highest - count + 1), len(kept) - count)
    return tuple((x, int(mpmath.sign(value))) for x, value in kept[first : first + count])


def _peaks(form: TanhForm, curve: Curve, level: Level, digits: int) -> list[tuple[mpf, mpf]]:
    """Every extremum x > 0 that samples show, with its error; infinity is the last."""
    # coefficients that cancel take digits from the slope
    largest = max(map(abs, [1, *_coefficients(form, level.parameters)]))
    lost = int(mpmath.log10(largest)) + 1
    with mpmath.workdps(digits + GUARD_DIGITS + lost):
        small = mpf(10) ** -(digits + MARGIN_DIGITS) * level.error / largest
        places = sign_changes(
            lambda x: curve.at(x, level.parameters, X),
            lambda x: curve.at(x, level.parameters, X, X),
            _samples(form, level.parameters, float(-mpmath.log(small))),
        )
        return [(x, curve.at(x, level.parameters)) for x in [*places, mpmath.inf]]


def _samples(form: TanhForm, parameters: Sequence[mpf], fall: float) -> np.ndarray:
    """Increasing x > 0, from close to 0 to where all terms are e^(−fall) from their limits."""
    scale = [float(parameters[-1])] if S in form.symbols else []
    slowest = _smallest_scale(form, parameters)
    fastest = max(1.0, *(float(b.subs(S, *scale)) if scale else float(b) for b in form.scales))
    end = max(fall / (2 * slowest), np.sqrt(2 * fall))
    head = np.geomspace(1e-6, 1, 61)[:-1] / (SAMPLES * fastest)
    return np.concatenate([head, np.arange(1, end * SAMPLES * fastest) / (SAMPLES * fastest)])


def _smallest_scale(form: TanhForm, parameters: Sequence[mpf]) -> float:
    return smallest_scale(form, float(parameters[-1]) if S in form.symbols else 1.0)


def _coefficients(form: TanhForm, parameters: Sequence[mpf]) -> Sequence[mpf]:
    """The linear coefficients among the parameters; the scale comes last."""
    return parameters[: len(form.coefficients)]
