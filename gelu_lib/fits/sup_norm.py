"""The size of an error curve, found by sampling and refined by solving for its extrema.

A sampled sup norm is exact at the extrema that were found, and no bound: between two samples
others may hide. That the samples are dense wherever Φ or Φ̂ varies makes this unlikely; it does
not exclude it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import pairwise

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from numpy.polynomial.polynomial import Polynomial
from sympy import Expr, Float, Symbol

from gelu_lib.fits.criteria import checked_weight
from gelu_lib.functions.expressions import Phi, X, mpmath_function, mpmath_logistic
from gelu_lib.functions.families import Family, error_expression
from gelu_lib.functions.forms import Form, right_limit
from gelu_lib.functions.tanh_forms import TanhForm

GUARD_DIGITS = 20
"""Digits carried beyond those that are asked for."""

MOST_DIGITS = 10_000
"""More digits are refused; so many take about ten seconds for one parameter."""

SCAN_DIGITS = 60
"""Digits carried at least, so that the sign of a slope is right close to 0 too."""

PHI_END = 12.0
"""The samples reach at least this x, because 1 − Φ(12) is below 1e-32."""

LOGISTIC_END = 80.0
"""The samples reach at least this value of Σ pⱼ xʲ, because σ(−80) is below 1e-34."""

DENSE_END = 40.0
"""Up to this x the samples are dense in x; φ(40) is below 1e-300."""

STEP = 0.1
"""The greatest distance of samples, in x and in the inverse hyperbolic sine of Σ pⱼ xʲ."""

FARTHEST = 1e150
"""Where the samples must end at last, as mpmath has no Φ(−x) much beyond."""

HALVINGS = 30
"""How often the first sample is halved, to find extrema close to 0."""


@dataclass(frozen=True)
class Extremum:
    """A local extremum of an error curve: its place x > 0 and the signed error there."""

    x: float | Float
    error: float | Float


@dataclass(frozen=True)
class SampledSupError:
    """The largest absolute error that was found, and where; not a bound.

    The error of Φ and of GELU′ is an odd function of x and that of GELU an even one, so that
    everything said here of x > 0 holds at −x with that symmetry.

    Attributes:
        form: the form.
        of: the function that is approximated.
        weight: the weight w by which the error is multiplied.
        error: the sup norm of the weighted error over the real line, as far as the samples show.
        points: every x > 0 where it is attained, to the digits that are given.
        signs: the sign of the error at each of these points.
        extrema: every local extremum of the weighted error that was found, by increasing x.
        sampled: the interval that was sampled, from close to 0 into the tail.
        tail: what the absolute weighted error cannot exceed beyond ``sampled`` if the weight does
            not grow there, rounded up; it is below ``error``.
    """

    form: Form
    of: str
    weight: Expr
    error: float | Float
    points: tuple[float | Float, ...]
    signs: tuple[int, ...]
    extrema: tuple[Extremum, ...]
    sampled: tuple[float, float]
    tail: float


def sampled_sup_error(
    form: Form,
    of: str = "Phi",
    digits: int | None = None,
    weight: Expr = sp.S.One,
) -> SampledSupError:
    """The largest absolute error of a form over the real line, by sampling.

    The derivative of the error is evaluated at samples that are dense where Φ or Φ̂ varies. Where
    it changes its sign, the extremum is solved for at raised precision, and the result is rounded
    once. Beyond the samples the exact function and its approximation approach their common limit
    from the same side, each at a distance below a decreasing function: their difference there is
    at most the larger of the two at the last sample, which is the ``tail`` of the result.

    Args:
        form: a member of a family.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        digits: how many significant digits are wanted, at most 10,000; without it, Python floats
            are returned.
        weight: what the error is multiplied by, a positive even function of x; it should vary
            no faster than φ, because the samples are placed for Φ and Φ̂.

    Returns:
        The error, where it is attained, all local extrema, and what was sampled. Numbers are
        the nearest Python floats, or SymPy floats of ``digits`` digits, which keep them in
        every further computation.

    Raises:
        TypeError: if ``form`` or ``digits`` is of a type that is not accepted.
        ValueError: if ``of``, ``weight`` or ``digits`` is not accepted, or a
            coefficient is too small or too large for samples in floats.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞. The error does not tend to 0 there, and that
            of GELU is not bounded.
        ArithmeticError: if the error is so small that it is lost in the tail.

    Example:
        >>> from gelu_lib.fits.sup_norm import sampled_sup_error
        >>> from gelu_lib import sigmoid_form
        >>> found = sampled_sup_error(sigmoid_form(), digits=8)
        >>> found.error, found.points
        (0.0094863244, (0.57148537,))
    """
    family, values, weight = form.family, right_limit(form), checked_weight(weight)
    if digits is not None:
        check_digits(digits, GUARD_DIGITS)  # with which ``check_optimum`` asks
    with mpmath.workdps(max(SCAN_DIGITS, (digits or 17) + GUARD_DIGITS)):
        numbers = numerical(values.values())
        points = sample_points(family, values)

        def at(x: mpf, *derivatives: Symbol) -> mpf:
            return error_function(family, of, *derivatives, weight=weight)(x, *numbers)

        places = sign_changes(lambda x: at(x, X), lambda x: at(x, X, X), points)
        extrema = [Extremum(x, at(x)) for x in places]
        error = max(abs(extremum.error) for extremum in extrema)
        end = mpf(points[-1])
        tail = mpmath_function(weight)(end) * _tail_bound(family, of, numbers, end)
        if tail >= error:
            raise ArithmeticError(f"the error {float(error)} is lost in the tail")
        attained = error * (1 - mpf(10) ** -(digits or 16))
        highest = [extremum for extremum in extrema if abs(extremum.error) >= attained]
    rounded = partial(_rounded, digits=digits)
    return SampledSupError(
        form=form,
        of=of,
        weight=weight,
        error=rounded(error),
        points=tuple(rounded(found.x) for found in highest),
        signs=tuple(1 if found.error > 0 else -1 for found in highest),
        extrema=tuple(Extremum(rounded(found.x), rounded(found.error)) for found in extrema),
        sampled=(float(points[0]), float(points[-1])),
        tail=math.nextafter(float(tail), math.inf),
    )


def tail_form(family: Family | TanhForm, of: str, weight: Expr = sp.S.One) -> Expr:
    """The weighted error for x ≥ 0, written so that it does not cancel on the right.

    With e = Φ − Φ̂, e(x) = Φ̂(−x) − Φ(−x): far to the right both terms are small, and
    neither is a difference from 1. The error of Φ and of GELU′ is odd, that of GELU is even.
    """
    if isinstance(family, TanhForm):  # Φ̂ = (1 + g)/2
        error = (1 - family.expression) / 2 - Phi(-X)
        return weight * (X * error if of == "GELU" else error)
    reflected = error_expression(family, of).xreplace({X: -X})
    return weight * (reflected if of == "GELU" else -reflected)


@lru_cache
def error_function(
    family: Family, of: str, *derivatives: Symbol, weight: Expr = sp.S.One
) -> Callable[..., mpf]:
    """The weighted error, or a derivative of it, as a function of mpmath numbers.

    Args:
        family: the family.
        of: the function that is approximated.
        *derivatives: the symbols to differentiate by, in order: ``X`` or parameters.
        weight: what the error is multiplied by.

    Returns:
        A function of x ≥ 0 and all parameters, which must be mpmath numbers (see ``numerical``);
        it computes to the precision that is set when it is called.
    """
    derivative = reduce(sp.diff, derivatives, tail_form(family, of, weight))
    return mpmath_function(derivative, X, *family.symbols)


def numerical(values: Iterable[Expr]) -> list[mpf]:
    """Exact values as mpmath numbers, right to the precision that is set and a little more."""
    return [mpmath.mpmathify(value.evalf(mpmath.mp.dps + 5)) for value in values]


def check_digits(digits: int, guard: int = 0) -> None:
    """Raise unless ``digits`` is a positive integer that is not too large to be served.

    Raises:
        TypeError: if it is no integer.
        ValueError: if it is below 1 or above ``MOST_DIGITS`` and a number of guard digits.
    """
    if type(digits) is not int:
        raise TypeError(f"digits must be an integer, got {digits!r}")
    if digits < 1:
        raise ValueError(f"digits must be at least 1, got {digits}")
    if digits > MOST_DIGITS + guard:
        raise ValueError(f"digits must be at most {MOST_DIGITS}, got a greater number")


def rising_precisions(last: int) -> list[int]:
    """Rising numbers of digits up to ``last``, each about twice the one before."""
    precisions = [last]
    while precisions[0] > 30:
        precisions.insert(0, precisions[0] // 2 + 5)
    return precisions


def sign_changes(
    function: Callable[[mpf], mpf], derivative: Callable[[mpf], mpf], points: Iterable[float]
) -> Iterator[mpf]:
    """The zeros of a function between neighbouring points where its sign differs.

    Args:
        function: a function of an mpmath number.
        derivative: its derivative.
        points: increasing places; a zero between two of them with equal signs is not seen.

    Yields:
        The zeros, increasing, to the precision that is set.
    """
    signs = [(x, mpmath.sign(function(x))) for x in map(mpf, points)]
    nonzero = [(x, sign) for x, sign in signs if sign != 0]
    for (left, sign), (right, next_sign) in pairwise(nonzero):
        if sign != next_sign:
            yield _zero(function, derivative, left, right)


def sample_points(family: Family, values: Mapping[Symbol, Expr]) -> np.ndarray:
    """Increasing places x > 0 that are dense where Φ or Φ̂ varies, as ``sampled_sup_error`` takes.

    Args:
        family: the family.
        values: the exact value of every parameter, with the right limit at +∞.

    Returns:
        A float64 array.

    Raises:
        ValueError: if a coefficient is too small or too large for samples in floats.
    """
    return _samples(_float_polynomial(family, values))


def _float_polynomial(family: Family, values: Mapping[Symbol, Expr]) -> Polynomial:
    coefficients = np.zeros(family.exponents[-1] + 1)
    for exponent, (symbol, value) in zip(family.exponents, values.items(), strict=True):
        coefficients[exponent] = float(value)
        if not np.isfinite(coefficients[exponent]) or (value != 0 and coefficients[exponent] == 0):
            raise ValueError(f"{symbol} = {sp.N(value, 8)} is beyond the range of floats")
    return Polynomial(coefficients).trim()


def _samples(polynomial: Polynomial) -> np.ndarray:
    """Increasing x > 0, dense where φ or the derivative of σ(polynomial) is not negligible."""
    end = _sampling_end(polynomial)
    regular = np.arange(0, min(end, DENSE_END), STEP)
    points = np.unique(np.concatenate([regular, _turning_points(polynomial, end), [end]]))
    while len(middles := _middles_of_wide_gaps(polynomial, points)) > 0:
        if np.isin(middles, points).any():
            raise ValueError(f"the coefficients {polynomial.coef} are too large for float samples")
        points = np.sort(np.append(points, middles))
    head = points[1] * 2.0 ** np.arange(-HALVINGS, 0)
    return np.concatenate([head, points[1:]])


def _middles_of_wide_gaps(polynomial: Polynomial, points: np.ndarray) -> np.ndarray:
    # clipped, because far from its jump σ needs no samples
    height = np.arcsinh(np.clip(polynomial(points), -1000, 1000))
    wide = np.flatnonzero(np.abs(np.diff(height)) > STEP)
    return (points[wide] + points[wide + 1]) / 2


def _sampling_end(polynomial: Polynomial) -> float:
    """Where both Φ and Φ̂ are in their tail, and the tail argument holds.

    By the root bound of Kioustelidis, taken twice, beyond the first value of ``end`` the
    polynomial p is positive and so are x p′ and x (x p′)′, each at most 15/14·degree times the
    one before. Where p ≥ 2·degree as well, σ(−p), x σ(−p) and x p′ σ(−p) decrease.
    """
    *lower, leading = polynomial.coef.tolist()
    degree = len(lower)
    bounds = [(-c / leading) ** (1 / (degree - n)) for n, c in enumerate(lower) if c < 0]
    end = max(PHI_END, 4 * max(bounds, default=0))
    with np.errstate(over="ignore", invalid="ignore"):
        while end < FARTHEST and polynomial(end) < max(LOGISTIC_END, 2 * degree):
            end *= 2
        if end >= FARTHEST or not np.isfinite(polynomial(end)):
            raise ValueError(f"the coefficients {polynomial.coef} are too small or too large")
    return end


def _turning_points(polynomial: Polynomial, end: float) -> np.ndarray:
    """Where the polynomial turns in (0, end), so that no narrow peak is stepped over."""
    scaled = polynomial.coef / np.max(np.abs(polynomial.coef))
    for n in range(1, len(scaled)):
        scaled[n:] *= end
    roots = Polynomial(scaled / np.max(np.abs(scaled))).deriv().trim().roots() * end
    # a real part that belongs to no real root is one sample more
    return roots.real[(roots.real > 0) & (roots.real < end)]


def _zero(
    function: Callable[[mpf], mpf], derivative: Callable[[mpf], mpf], left: mpf, right: mpf
) -> mpf:
    """The zero in a bracket, by Newton's method where its steps halve, and else by bisection."""
    # after a Newton step, the error is of the order of the square of the step
    small = mpf(10) ** -(mpmath.mp.dps // 2 + 4)
    falling = function(left) > 0
    x, last = (left + right) / 2, right - left
    while left < x < right:
        value, slope = function(x), derivative(x)
        step = value / slope if slope != 0 else mpmath.inf
        if abs(step) <= small * x:
            return x - step
        left, right = (x, right) if (value > 0) == falling else (left, x)
        if left < x - step < right and 2 * abs(step) <= last:
            x, last = x - step, abs(step)
        else:
            x, last = (left + right) / 2, (right - left) / 2
    raise ArithmeticError(
        f"the sign changes at x = {mpmath.nstr(x, 8)} and no zero is there; at "
        f"{mpmath.mp.dps} digits rounding decides it"
    )


def _tail_bound(family: Family, of: str, parameters: list[mpf], end: mpf) -> mpf:
    terms = [p * end**n for p, n in zip(parameters, family.exponents, strict=True)]
    normal, logistic = mpmath.ncdf(-end), mpmath_logistic(-mpmath.fsum(terms))
    if of == "GELU_derivative":
        slope = mpmath.fsum(n * term for n, term in zip(family.exponents, terms, strict=True))
        return max(end * mpmath.npdf(end), slope * logistic)
    return max(normal, logistic) * (end if of == "GELU" else 1)


def _rounded(number: mpf, digits: int | None) -> float | Float:
    return float(number) if digits is None else Float(number, digits)
