"""The other forms that are built from tanh, and their best parameters in the sup norm.

A form g approximates erf(x/√2), so that Φ̂ = (1 + g)/2. It is a sum of terms with linear
coefficients: odd powers of tanh(s·x); tanh at several scales; or tanh(s·x) and its derivatives by
s, which is what a sum of tanh tends to when its scales merge. The scale s is a parameter too.

With the scale fixed and k free coefficients the terms are a Haar system on (0, ∞] (powers of tanh,
and tanh at two scales): k + 1 alternation points, infinity among them if the limit is free, prove
that the coefficients are the best ones. With the scale free there is no such theorem here, and the
outcome is the best that a search found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import mpmath
import numpy as np
import sympy as sp
from mpmath import mpf
from scipy.optimize import linprog, minimize_scalar
from sympy import Expr, Float, Integer, Symbol, oo, tanh

from gelu_lib.alternation import Curve, Level, solve_level, start_level
from gelu_lib.families import Family, Value, check_target, exact_value
from gelu_lib.fits import WEIGHTS, NotAnAlternationError
from gelu_lib.functions import Phi, X, mpmath_function, numpy_function
from gelu_lib.norms import GUARD_DIGITS, check_digits, numerical, sign_changes

S = Symbol("s", positive=True)
"""The scale that is fitted."""

SCALES = np.geomspace(0.2, 4, 31)
"""Where the search for the best scale looks first."""

GRID = np.concatenate([np.linspace(0, 6, 201)[1:], np.linspace(6, 12, 21)[1:]])
"""The values of b·x, for the smallest scale b, at which the start is made small. Farther out no
difference from the limit is left in double precision."""

VALLEYS = 3
"""How many of the best scales of the search are refined."""

SAMPLES = 12
"""How many samples a check takes on a length in which the slowest term falls by a factor e."""


GROWTH_END, GROWTH_SAMPLES = 8.0, 4001
"""How far the slope is sampled, as a value of b·x for the smallest scale b, and how often."""


@dataclass(frozen=True)
class TanhForm:
    """A sum of terms made from tanh, with linear coefficients and at most one scale.

    Args:
        terms: odd functions of ``X`` for x ∈ ℝ, bounded; ``S`` may stand in them.
        limits: the limit of each term as x → ∞, 0 or 1; that of the first is 1.
        limit_one: whether g must tend to 1. Then the coefficient of the first term is not free:
            it is what the others leave of 1.

    Raises:
        ValueError: if there are no terms, not as many limits, or nothing is left to fit.
    """

    terms: tuple[Expr, ...]
    limits: tuple[int, ...]
    limit_one: bool = False

    def __post_init__(self) -> None:
        if not self.terms or len(self.terms) != len(self.limits):
            raise ValueError(f"{len(self.terms)} terms with {len(self.limits)} limits")
        if self.limits[0] != 1 or not set(self.limits) <= {0, 1}:
            raise ValueError(f"limits must be 0 or 1, the first 1, got {self.limits}")
        if not self.symbols:
            raise ValueError("a single term with the limit 1 and a given scale has no parameter")

    @property
    def coefficients(self) -> tuple[Symbol, ...]:
        """The linear coefficients that are free."""
        first = 1 if self.limit_one else 0
        return tuple(Symbol(f"a{i + 1}", real=True) for i in range(first, len(self.terms)))

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Everything that is free, which is the coefficients, and the scale if there is one."""
        scale = (S,) if any(term.has(S) for term in self.terms) else ()
        return self.coefficients + scale

    @property
    def limit(self) -> Expr:
        """The limit of g as x → ∞."""
        return self._sum([Integer(limit) for limit in self.limits])

    @property
    def expression(self) -> Expr:
        """g as an expression in ``X`` and ``symbols``."""
        return self._sum(self.terms)

    def _sum(self, values: Sequence[Expr]) -> Expr:
        free = list(self.coefficients)
        if self.limit_one:
            others = zip(free, self.limits[1:], strict=True)
            free = [1 - sp.Add(*(symbol for symbol, limit in others if limit)), *free]
        return sp.Add(*(a * value for a, value in zip(free, values, strict=True)))


def tanh_powers(
    exponents: Sequence[int], *, scaled: bool = False, limit_one: bool = False
) -> TanhForm:
    """The form Σ aₙ·tanhⁿ(x), or Σ aₙ·tanhⁿ(s·x).

    Args:
        exponents: the odd exponents, increasing.
        scaled: whether the scale s is free; otherwise it is 1.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        The form.

    Raises:
        ValueError: if ``exponents`` is not an increasing sequence of odd positive integers, or
            nothing is left to fit.
    """
    fine = all(type(n) is int and n > 0 and n % 2 == 1 for n in exponents)
    if not fine or list(exponents) != sorted(set(exponents)):
        raise ValueError(f"exponents must be increasing odd positive integers, got {exponents!r}")
    base = tanh(S * X) if scaled else tanh(X)
    return TanhForm(tuple(base**n for n in exponents), (1,) * len(exponents), limit_one)


def tanh_sum(scales: Sequence[Value], *, limit_one: bool = False) -> TanhForm:
    """The form Σ aₖ·tanh(bₖ·x) with given scales bₖ.

    Args:
        scales: positive numbers, increasing; see ``gelu_lib.families.exact_value``.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        The form.

    Raises:
        TypeError: if a scale is of a type that is not accepted.
        ValueError: if the scales are not positive and increasing, or nothing is left to fit.
    """
    exact = [exact_value(scale, "scale") for scale in scales]
    if [0, *exact] != sorted({0, *exact}):
        raise ValueError(f"scales must be positive and increasing, got {scales!r}")
    return TanhForm(tuple(tanh(b * X) for b in exact), (1,) * len(exact), limit_one)


def merged_tanh_sum(count: int, *, limit_one: bool = False) -> TanhForm:
    """The limit of Σ aₖ·tanh(bₖ·x) with ``count`` terms when all scales merge into one.

    It is a₁·tanh(s·x) + a₂·∂tanh(s·x)/∂s + …, because a difference quotient of tanh(s·x) in s
    tends to its derivative.

    Args:
        count: how many terms merge, at least 1.
        limit_one: whether a₁ must be 1.

    Returns:
        The form, with the scale free.

    Raises:
        ValueError: if ``count`` is not a positive integer.
    """
    if type(count) is not int or count < 1:
        raise ValueError(f"count must be a positive integer, got {count!r}")
    terms = tuple(sp.diff(tanh(S * X), S, order) for order in range(count))
    return TanhForm(terms, (1,) + (0,) * (count - 1), limit_one)


@dataclass(frozen=True)
class TanhFit:
    """Parameters of a form whose error alternates, as ``gelu_lib.fits.Fit`` for a family.

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


@lru_cache
def minimax_tanh(form: TanhForm, of: str = "Phi", digits: int = 16) -> TanhFit:
    """The parameters of a form with the least sup norm of the error over the whole real line.

    Linear programs on a grid, one for each scale that is tried, give the start; Newton's method
    refines it; ``check_tanh_fit`` accepts or rejects the solution.

    Args:
        form: the form.
        of: ``"Phi"`` for the error of Φ, ``"GELU"`` for that of xΦ.
        digits: how many significant digits of every number shall hold.

    Returns:
        The fit. With a scale that is free it is the best one that the search found.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``of`` is not accepted, ``digits`` is below 1, or the error of GELU is asked
            for a form that may have another limit than 1: it is infinite.
        ConvergenceError: if the equations were not solved.
        NotAnAlternationError: if the solution is not accepted.
    """
    check_digits(digits)
    curve = error_curve(form, of)
    level = solve_level(curve, _start(form, of), digits)
    precision = digits + GUARD_DIGITS
    fit = TanhFit(
        form=form,
        of=of,
        digits=digits,
        parameters=MappingProxyType(
            {
                symbol.name: Float(value, precision)
                for symbol, value in zip(form.symbols, level.parameters, strict=True)
            }
        ),
        error=Float(level.error, precision),
        extrema=tuple(
            (oo if x == mpmath.inf else Float(x, precision), sign) for x, sign in level.extrema
        ),
    )
    check_tanh_fit(fit)
    return fit


def error_curve(form: TanhForm, of: str = "Phi") -> Curve:
    """The error of a form for x > 0: exact value minus approximation.

    Args:
        form: the form.
        of: ``"Phi"`` or ``"GELU"``.

    Returns:
        The error and its limit as x → ∞.

    Raises:
        ValueError: if ``of`` is not accepted, or is ``"GELU"`` and the limit of g is not 1.
    """
    check_target(of)
    if of not in WEIGHTS:
        raise ValueError(f"of must be one of {WEIGHTS}, got {of!r}")
    if of == "GELU" and form.limit != 1:
        raise ValueError("the error of GELU is infinite if the limit of g is not 1; use limit_one")
    error = (1 - form.expression) / 2 - Phi(-X)
    return Curve(X * error if of == "GELU" else error, (1 - form.limit) / 2, form.symbols)


def check_tanh_fit(fit: TanhFit) -> None:
    """Check that the error of a fit alternates and that no other extremum is larger.

    There must be one alternation point more than there are free parameters; they must be extrema
    of the error with the values ±E in turn, the last one possibly in the limit; and no extremum
    that samples of the slope show may be larger. Samples are no bound.

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
    if abs(signs[0]) != 1 or any(s != signs[0] * (-1) ** i for i, s in enumerate(signs)):
        raise NotAnAlternationError(f"the signs {signs} do not alternate")
    with mpmath.workdps(fit.digits + GUARD_DIGITS):
        parameters = numerical(fit.parameters[symbol.name] for symbol in curve.symbols)
        (level,) = numerical([fit.error])
        points = [mpmath.inf if x == oo else numerical([x])[0] for x, _ in fit.extrema]
        if not level > 0 or [0, *points] != sorted({0, *points}):
            raise NotAnAlternationError(f"E = {fit.error}, x = {points} must increase from 0")
        if S in curve.symbols and not parameters[-1] > 0:
            raise NotAnAlternationError(f"the scale {parameters[-1]} is not positive")
        tolerance = mpf(10) ** -fit.digits
        _check_points(curve, parameters, list(zip(points, signs, strict=True)), level, tolerance)
        _check_largest(curve, parameters, level * (1 + tolerance))


def slope_and_growth(
    form: TanhForm | Family, parameters: Mapping[str, Value]
) -> tuple[float, bool]:
    """The slope of Φ̂ at 0, and whether samples of the slope show no fall anywhere.

    Args:
        form: a form of this module, or a family.
        parameters: the values of its free parameters, by name.

    Returns:
        The slope, and whether it is nowhere negative at the samples, in double precision. They
        end where the slope of a term of tanh is lost to rounding.
    """
    ours = isinstance(form, TanhForm)
    expression = (1 + form.expression) / 2 if ours else form.expression
    values = [float(parameters[symbol.name]) for symbol in form.symbols]
    scales = [b.subs(dict(zip(form.symbols, values, strict=True))) for b in _scales(expression)]
    x = np.linspace(0, GROWTH_END / float(min(scales, default=0.5)), GROWTH_SAMPLES)
    slope = numpy_function(sp.diff(expression, X), X, *form.symbols)(x, *values)
    return float(slope[0]), bool(np.min(slope) >= 0)


def splitting_rate(fit: TanhFit) -> Float:
    """How fast the least error grows when the merged scales of a fit move apart, at least.

    Let K scales lie at s + dᵢ, with Σ dᵢ = 0 and h = Σ dᵢ²/2. A sum of tanh at these scales differs
    from the merged form, to first order, by a combination of the terms T₀, …, T_K (Tⱼ is the j-th
    derivative of tanh(s·x) by s) and by h·a_K/(K(K + 1))·T_(K+1), where a_K is the last
    coefficient of the form. Positive weights λᵢ at the K + 2 alternation points annihilate the
    combination. So the largest error is at least E + rate·h, to first order: if the rate is
    positive, no sum with scales close together is better than the merged form.

    Args:
        fit: a fit of a form made by ``merged_tanh_sum``.

    Returns:
        The rate, to the digits of the fit.

    Raises:
        ValueError: if the fit is of another form, or no such weights are positive.
    """
    count = len(fit.form.terms)
    if fit.form != merged_tanh_sum(count, limit_one=fit.form.limit_one):
        raise ValueError("a splitting rate needs a fit of a form made by merged_tanh_sum")
    terms = [sp.diff(tanh(S * X), S, order) for order in range(count + 2)]
    with mpmath.workdps(fit.digits + GUARD_DIGITS):
        scale, *_ = numerical([fit.parameters[S.name]])
        last = numerical([fit.parameters.get(f"a{count}", Integer(1))])[0]
        signed = [
            [sign * _value(term, x, scale, fit.of) for x, sign in fit.extrema] for term in terms
        ]
        spanned = signed[1 if fit.form.limit_one else 0 : count + 1]
        matrix = mpmath.matrix([*spanned, [1] * len(fit.extrema)])
        weights = mpmath.lu_solve(matrix, mpmath.matrix([0] * len(spanned) + [1]))
        if min(weights) <= 0:
            raise ValueError(f"the weights {mpmath.nstr(weights.T, 5)} are not all positive")
        rate = -last * mpmath.fdot(weights, signed[-1]) / (2 * count * (count + 1))
        return Float(rate, fit.digits)


def _value(term: Expr, x: Expr, scale: mpf, of: str) -> mpf:
    """A term under the weight of a criterion, at an alternation point; ``oo`` is the limit."""
    if x == oo:
        return mpf(term == tanh(S * X))
    (place,) = numerical([x])
    return _mpmath(term)(place, scale) * (place if of == "GELU" else 1)


def _check_points(
    curve: Curve,
    parameters: list[mpf],
    points: list[tuple[mpf, int]],
    level: mpf,
    tolerance: mpf,
) -> None:
    for x, sign in points:
        found, place = curve.at(x, parameters), mpmath.nstr(x, 8)
        if abs(found - sign * level) > tolerance * level:
            raise NotAnAlternationError(f"the error at x = {place} is {mpmath.nstr(found, 20)}")
        if x == mpmath.inf:
            continue
        slope, curvature = curve.at(x, parameters, X), curve.at(x, parameters, X, X)
        if abs(slope) > tolerance * x * abs(curvature):
            raise NotAnAlternationError(f"the error has no extremum at x = {place}")


def _check_largest(curve: Curve, parameters: list[mpf], largest: mpf) -> None:
    places = sign_changes(
        lambda x: curve.at(x, parameters, X),
        lambda x: curve.at(x, parameters, X, X),
        _samples(curve, parameters),
    )
    for x in [*places, mpmath.inf]:
        if abs(curve.at(x, parameters)) > largest:
            raise NotAnAlternationError(
                f"the error is exceeded at x = {mpmath.nstr(x, 8)}, where it is "
                f"{mpmath.nstr(curve.at(x, parameters), 8)}"
            )


def _samples(curve: Curve, parameters: list[mpf]) -> np.ndarray:
    """Increasing x > 0, from close to 0 to where the slope is below the precision."""
    values = dict(zip(curve.symbols, map(float, parameters), strict=True))
    scales = [float(b.subs(values)) for b in _scales(curve.error)]
    slowest, fastest = min(scales), max(1.0, *scales)
    end = mpmath.mp.dps * np.log(10) / (2 * slowest)
    head = np.geomspace(1e-6, 1, 61)[:-1] / (SAMPLES * fastest)
    return np.concatenate([head, np.arange(1, end * SAMPLES * fastest) / (SAMPLES * fastest)])


def _scales(expression: Expr) -> list[Expr]:
    """The factors b of x in every tanh(b·x) of an expression."""
    return [node.args[0].coeff(X) for node in expression.atoms(tanh)]


@lru_cache  # the same for every number of digits
def _start(form: TanhForm, of: str) -> Level:
    """Parameters that are best on a grid, and the peaks of their error."""
    if S not in form.symbols:
        return _start_at(form, of, 1.0)
    errors = np.array([_linear(form, of, scale)[0] for scale in SCALES])
    inner = errors[1:-1]
    valleys = np.flatnonzero((inner <= errors[:-2]) & (inner < errors[2:])) + 1
    found = [
        minimize_scalar(
            lambda scale: _linear(form, of, scale)[0],
            bounds=(SCALES[i - 1], SCALES[i + 1]),
            method="bounded",
            options={"xatol": 1e-7},
        )
        for i in sorted(valleys, key=lambda i: errors[i])[:VALLEYS]
    ]
    best = min(found, key=lambda valley: valley.fun)
    return _start_at(form, of, float(best.x))


def _start_at(form: TanhForm, of: str, scale: float) -> Level:
    curve = error_curve(form, of)
    free = _linear(form, of, scale)[1].tolist()
    free += [scale] * (len(curve.symbols) - len(free))
    x = _grid(form, scale)
    error = numpy_function(curve.error, X, *curve.symbols)(x, *free)
    if form.limit != 1:
        limit = curve.at_infinity.subs(dict(zip(curve.symbols, free, strict=True)))
        x, error = np.append(x, np.inf), np.append(error, float(limit))
    return start_level(curve.symbols, free, x, error)


def _grid(form: TanhForm, scale: float) -> np.ndarray:
    """The points x > 0 at which the start is made small, for one value of ``S``."""
    return GRID / min(float(b.subs(S, scale)) for b in _scales(form.expression))


def _linear(form: TanhForm, of: str, scale: float) -> tuple[float, np.ndarray]:
    """The least error on the grid for one scale, and the coefficients, by a linear program."""
    curve = error_curve(form, of)
    rows, right = _columns(curve, form.coefficients)(_grid(form, scale), scale)
    if form.limit != 1:  # the point at infinity
        at_infinity = _columns(
            Curve(curve.at_infinity, curve.at_infinity, curve.symbols), form.coefficients
        )
        last, value = at_infinity(np.ones(1), 1.0)
        rows, right = np.concatenate([rows, last]), np.append(right, value)
    if not form.coefficients:
        return float(np.max(np.abs(right))), np.empty(0)
    count = len(form.coefficients)
    level = np.ones((len(right), 1))
    found = linprog(
        np.append(np.zeros(count), 1),
        A_ub=np.block([[rows, -level], [-rows, -level]]),
        b_ub=np.concatenate([-right, right]),
        bounds=[(None, None)] * count + [(0, None)],
    )
    if found.status != 0:
        return np.inf, np.full(count, np.nan)
    return float(found.x[-1]), found.x[:-1]


def _columns(
    curve: Curve, coefficients: tuple[Symbol, ...]
) -> Callable[[np.ndarray, float], tuple[np.ndarray, np.ndarray]]:
    """The error as rows·coefficients + right, at an array of points and one scale."""
    constant = curve.error.subs(dict.fromkeys(coefficients, 0))
    slopes = [sp.diff(curve.error, symbol) for symbol in coefficients]

    def at(x: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        values = [_numpy(part)(x, scale) * np.ones_like(x) for part in [*slopes, constant]]
        return np.column_stack(values[:-1]) if slopes else np.empty((len(x), 0)), values[-1]

    return at


@lru_cache
def _mpmath(expression: Expr) -> Callable[..., mpf]:
    return mpmath_function(expression, X, S)


@lru_cache
def _numpy(expression: Expr) -> Callable[..., np.ndarray]:
    return numpy_function(expression, X, S)
