"""Where the best member's error alternates, by exchanges in double precision.

An error w(x)·c(x)·(T(x) − F(x)) is sampled, with T and F such as ``Family`` and ``RationalFamily``
have them. At as many points as there are parameters, and one more, some member has errors ±E of
equal size; its largest errors are the next points. For an increasing link L of a combination of
terms E comes from one equation: with the multipliers λᵢ with which the terms cancel at the points,

    Σ λᵢ·L⁻¹(Tᵢ − sign(λᵢ)·E/wᵢ) = 0.

Every summand falls when E grows, and where an inverse leaves its range the sum is −∞, with the
right sign. So bisection with Newton's steps cannot fail. For rationals E is an eigenvalue. Where an
exchange does not settle, a linear program for each of some levels says whether a member has an
error as small, and which points forbid a smaller one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.optimize
import sympy as sp
from sympy import Expr, oo

from gelu_lib.fits.criteria import NotAnOptimumError, Problem
from gelu_lib.fits.start import Start, StartError, made_start, start
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.functions.families import Family, RationalFamily
from gelu_lib.functions.links import Link, U, V

_POINTS = 801
"""How many points of a bounded interval are sampled, denser at its ends."""

HALF_LINE = np.concatenate(
    [
        [0.0],
        np.geomspace(1e-3, 0.05, 10),
        np.linspace(0.05, 12, 900)[1:],
        np.geomspace(12, 30, 100)[1:],
        np.geomspace(30, 1e4, 60)[1:],
    ]
)
"""The samples of a half-line, from its end: dense where Φ varies, with some far out."""

CORE = 6.0
"""Beyond this from the end of a half-line little is left of most errors."""

REACHES = (CORE, 3 * CORE)
"""How far from the end of a half-line the first reference reaches, at the first try and next."""

EXCHANGES = 60
"""After so many exchanges they are given up."""

ZOOM = 41
"""Into how many points the neighbourhood of a point is divided, to find it more finely."""

SETTLED = 1e-9
"""The largest error exceeds the level by no more than this, relatively, when exchanges end."""

RATIO = 1e-5
"""The relative width of the bracket of E at which linear programs end."""

ZOOMS = 2
"""How often the grid is made finer around the points."""

EDGE = 1e-3
"""A last term that is smaller than this at ``CORE`` serves nothing but the limit."""

DEPENDENT = 1e-12
"""A combination of the terms that is smaller than this, relatively, is 0."""

EPSILON = 4 * float(np.finfo(float).eps)
"""What rounding does to a value, relatively, at most."""

_TINY = 1e-300
"""In place of 0 as a divisor."""

NOISE = 1e-15
"""Errors that differ by no more than this part of the target are not told apart."""

LOST = 1e-13
"""An error below this, as a part of the target, is not told from rounding."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What double precision knows of a problem on a grid; a kind of family adds ``level``.

    Attributes:
        problem: the problem, of a family with a factor and a base.
        x: the grid.
    """

    problem: Problem
    x: np.ndarray

    @cached_property
    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """T, the weight w·\\|c\\| of T − F, and the sign of c."""
        functions = _parts(self.problem)
        with np.errstate(all="ignore"):
            goal, factor, weight = (f(self.x) for f in functions)
            size = weight * np.abs(factor)
        size = np.where(np.isfinite(size), size, 0.0)  # beyond floats nothing is looked for
        if (size < 0).any():
            place = self.x[int(np.argmax(size < 0))]
            raise ValueError(f"weight is negative near x = {place:.6g}; accepted are positive ones")
        if not np.isfinite(goal[size > 0]).all():
            place = self.x[int(np.argmin(np.isfinite(goal)))]
            raise ValueError(
                f"target {self.problem.target} is not defined near x = {place:.6g}, in the interval"
            )
        return np.where(size > 0, goal, 0.0), size, np.where(factor < 0, -1.0, 1.0)

    @property
    def count(self) -> int:
        """How many points a level needs."""
        return len(self.problem.free) + 1

    def errors(self, free: np.ndarray) -> np.ndarray:
        """The weighted errors of a member on the grid, with the sign of T − F."""
        goal, size, _ = self.parts
        with np.errstate(all="ignore"):
            return np.where(size > 0, size * (goal - self.values(free)), 0.0)

    def values(self, free: np.ndarray) -> np.ndarray:
        """F on the grid."""
        raise NotImplementedError

    def check_independent(self) -> None:
        """Raise a ``ValueError`` if some combination of the terms is 0 on the grid."""

    def last_term(self, free: np.ndarray) -> float:
        """The size of the term of the last coefficient near the core, if that is free."""
        return np.inf

    def level(self, at: np.ndarray, near: float = 0.0) -> tuple[np.ndarray, float]:
        """Free parameters whose errors at some places of the grid have one size, and the size.

        Args:
            at: the places.
            near: a size near that which is sought, if one is known.
        """
        raise NotImplementedError

    def band(self, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, right sides and places of linear inequalities for errors up to a level."""
        raise NotImplementedError


@lru_cache
def _parts(problem: Problem) -> tuple[Callable[[np.ndarray], np.ndarray], ...]:
    """T, c and w as functions of arrays."""
    return tuple(_array(part) for part in (*problem.parts, problem.weight))


def _array(expression: sp.Expr, *symbols: sp.Symbol) -> Callable[..., np.ndarray]:
    function = numpy_function(expression, *symbols)
    return lambda x: np.broadcast_to(np.asarray(function(x), float), np.shape(x))


@lru_cache
def _link(link: Link) -> tuple[Callable[[np.ndarray], np.ndarray], ...]:
    """L, L′ and L⁻¹ as functions of arrays; L⁻¹ is infinite outside of the range."""
    value, inverse = numpy_function(link.value, U), numpy_function(link.inverse, V)
    low, high = map(float, link.range)

    def inside(v: np.ndarray) -> np.ndarray:
        return np.where(v <= low, -np.inf, np.where(v >= high, np.inf, inverse(v)))

    return value, _array(link.slope, U), inside


class LinkSamples(Samples):
    """Samples of a family with an increasing link."""

    @cached_property
    def terms(self) -> tuple[np.ndarray, np.ndarray]:
        """The terms of the free parameters as columns, and the sum of the others."""
        problem, x = self.problem, self.x
        functions = _term_functions(problem)
        with np.errstate(all="ignore"):  # what is not finite is refused
            columns = [f(x) for f in functions]
        for term, column in zip(problem.family.terms, columns, strict=True):
            if not np.isfinite(column).all():
                place = x[int(np.argmin(np.isfinite(column)))]
                raise ValueError(
                    f"term {term} of the family is not finite in floats near x = {place:.6g}, in "
                    "the interval"
                )
        named = dict(zip(problem.family.symbols, columns, strict=True))
        known = np.zeros(len(x))
        for symbol, value in zip(problem.fixed, problem.float_fixed, strict=True):
            known = known + value * named[symbol]
        return np.column_stack([named[symbol] for symbol in problem.free]), known

    def values(self, free: np.ndarray) -> np.ndarray:
        columns, known = self.terms
        return _link(self.problem.family.link)[0](columns @ free + known)

    def check_independent(self) -> None:
        rows = self.terms[0] / np.abs(self.terms[0]).max(axis=1, keepdims=True).clip(_TINY)
        rows = rows / np.median(np.abs(rows), axis=0).clip(_TINY)
        if np.linalg.matrix_rank(rows, tol=DEPENDENT * np.linalg.norm(rows)) < rows.shape[1]:
            raise ValueError(
                f"family {self.problem.family.name} has terms that are not independent on the "
                "interval; accepted are terms of which no combination is 0 there"
            )

    def last_term(self, free: np.ndarray) -> float:
        at = np.searchsorted(self.x, self.x[0] + CORE)
        is_free = self.problem.family.symbols[-1] in self.problem.free
        return abs(free[-1] * self.terms[0][at, -1]) if is_free else np.inf

    def level(self, at: np.ndarray, near: float = 0.0) -> tuple[np.ndarray, float]:
        (columns, known), (goal, size, _) = self.terms, self.parts
        rows, goal, size = columns[at], goal[at], size[at]
        scale = np.abs(rows).max(axis=0)
        null = np.linalg.qr(rows / scale, mode="complete")[0][:, -1]
        link = self.problem.family.link
        with np.errstate(all="ignore"):  # what is not finite is looked at
            error, arguments = _common_error(link, null, goal, size, known[at], near)
        return np.linalg.lstsq(rows / scale, arguments)[0] / scale, error

    def band(self, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        (columns, known), (goal, size, _) = self.terms, self.parts
        _, _, inverse = _link(self.problem.family.link)
        with np.errstate(all="ignore"):
            width = np.where(size > 0, level / size, np.inf)
            low, high = inverse(goal - width), inverse(goal + width)
        low = np.maximum(low, float(self.problem.family.link.lowest))
        above, below = np.flatnonzero(np.isfinite(low)), np.flatnonzero(np.isfinite(high))
        rows = np.concatenate([-columns[above], columns[below]])
        right = np.concatenate([-(low - known)[above], (high - known)[below]])
        return rows, right, np.concatenate([above, below])


@lru_cache
def _term_functions(problem: Problem) -> list[Callable[[np.ndarray], np.ndarray]]:
    return [_array(problem.seen(term, "term")) for term in problem.family.terms]


def _common_error(
    link: Link,
    null: np.ndarray,
    goal: np.ndarray,
    size: np.ndarray,
    known: np.ndarray,
    error: float,
) -> tuple[float, np.ndarray]:
    """The size E of the errors at a reference, and the arguments of the link there less ``known``.

    ``null`` cancels the rows of the terms; its sign is that with which E is positive. The search
    begins at ``error``.
    """
    _, slope, inverse = _link(link)
    exact = inverse(goal)
    signs = np.sign(null) if null @ (np.clip(exact, -1e3, 1e3) - known) > 0 else -np.sign(null)
    step, null, low, high = signs / size, np.abs(null) * signs, 0.0, np.inf
    if error == 0 and not np.isfinite(exact).all():
        error = 1e-12
    for _ in range(100):
        arguments = inverse(goal - step * error) - known
        gap, guess = -np.inf, np.inf
        if np.isfinite(arguments).all():
            gap, falls = null @ arguments, null * step / slope(arguments + known)
            rounding = EPSILON * (
                falls @ (size * np.abs(goal) + error) + np.abs(null) @ np.abs(arguments)
            )
            if abs(gap) <= rounding:
                break
            guess = error + gap / falls.sum()  # every term falls with E
        low, high = (error, high) if gap > 0 else (low, error)
        if not low < guess < high:
            guess = (low + high) / 2 if high < np.inf else 2 * low + 1e-3
        error = guess
    return error, inverse(goal - step * error) - known


class RationalSamples(Samples):
    """Samples of rationals, for which a common error is an eigenvalue."""

    @cached_property
    def powers(self) -> tuple[np.ndarray, np.ndarray]:
        """The powers of the numerator and of the denominator, as columns."""
        family = self.problem.family
        v = self.x**family.power * (-1.0 if self.problem.mirrored and family.power % 2 else 1.0)
        most = max(family.numerator, family.denominator) + 1
        columns = np.vander(v, most, increasing=True)
        return columns[:, : family.numerator + 1], columns[:, : family.denominator + 1]

    def values(self, free: np.ndarray) -> np.ndarray:
        (top, bottom), count = self.powers, self.problem.family.numerator + 1
        return top @ free[:count] / (bottom @ np.concatenate([[1.0], free[count:]]))

    def level(self, at: np.ndarray, near: float = 0.0) -> tuple[np.ndarray, float]:
        (top, bottom), (goal, size, _) = self.powers, self.parts
        top, bottom, goal, size = top[at], bottom[at], goal[at], size[at]
        signs = (-1.0) ** np.arange(len(at))
        rest = np.linalg.qr(top, mode="complete")[0][:, top.shape[1] :].T
        left, right = rest @ ((signs / size)[:, None] * bottom), rest @ (goal[:, None] * bottom)
        try:
            values, vectors = np.linalg.eig(np.linalg.solve(left, right))
        except np.linalg.LinAlgError:
            raise StartError("the equations of a reference are singular") from None
        for error, vector in zip(values, vectors.T, strict=True):
            q = (bottom @ vector).real
            if abs(error.imag) <= 1e-9 * abs(error) and (np.all(q > 0) or np.all(q < 0)):
                p = np.linalg.lstsq(top, (goal - signs * error.real / size) * q)[0]
                return np.concatenate([p, vector[1:].real]) / vector[0].real, abs(error.real)
        raise StartError("no denominator has one sign at a reference")

    def band(self, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        (top, bottom), (goal, size, _) = self.powers, self.parts
        at = np.flatnonzero(size > 0)
        top, bottom, goal, width = top[at], bottom[at], goal[at, None], level / size[at, None]
        low, high = goal - width, goal + width
        rows = np.concatenate(
            [np.hstack([-top, low * bottom[:, 1:]]), np.hstack([top, -high * bottom[:, 1:]])]
        )
        return rows, np.concatenate([-low[:, 0], high[:, 0]]), np.concatenate([at, at])


@start.register
def _(family: Family, problem: Problem) -> Start:
    return exchanged(problem, LinkSamples)


@start.register
def _(family: RationalFamily, problem: Problem) -> Start:
    return exchanged(problem, RationalSamples)


def exchanged(problem: Problem, kind: type[Samples]) -> Start:
    """A start by exchanges on a grid, and again on finer ones around the points that they end at.

    Args:
        problem: a problem in the sup norm.
        kind: what knows the family.

    Raises:
        StartError: if exchanges and linear programs fail, or the error is lost in rounding.
        NotAnOptimumError: if the best member has fewer parameters.
        ValueError: if something is not defined on the interval, or the terms are not independent.
    """
    samples = kind(problem, grid(problem))
    free, error, at = _settled(samples)
    for _ in range(ZOOMS):
        fine = kind(problem, np.unique(np.concatenate([around(samples.x, i) for i in at])))
        try:
            free, error, at = exchange(fine, np.searchsorted(fine.x, samples.x[at]))
        except StartError:
            break
        samples = fine
    goal, size, sides = samples.parts
    if error <= LOST * np.max(size * np.abs(goal)):
        raise StartError(f"the error is below {LOST:.0e} of the target, which is lost in rounding")
    signs = np.sign(samples.errors(free)[at]) * sides[at]
    return made_start(problem, free, error, _at_ends(samples, free, at), signs)


def _at_ends(samples: Samples, free: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The places of a reference, where the first or last one is an end if rounding hides that."""
    x, ends = samples.x[at], np.array(samples.problem.ends, float)
    if np.isinf(ends[1]):
        return x
    outer = type(samples)(samples.problem, ends)
    noise = NOISE * np.max(outer.parts[1] * np.abs(outer.parts[0]))
    for i in (0, -1):
        high, end = samples.errors(free)[at[i]], outer.errors(free)[i]
        if abs(high - end) <= noise and abs(x[i] - ends[i]) < ZOOM**-1 * (ends[1] - ends[0]):
            x[i] = ends[i]
    return x


def grid(problem: Problem) -> np.ndarray:
    """The places at which a problem is sampled."""
    return places(*problem.ends)


def places(left: Expr, right: Expr) -> np.ndarray:
    """Increasing places between two ends, and at them, of which the right one may be infinite."""
    if right == oo:
        return float(left) + HALF_LINE
    steps = np.cos(np.linspace(0, np.pi, _POINTS))
    left, right = float(left), float(right)
    x = (left + right) / 2 - (right - left) / 2 * steps
    return np.concatenate([[left], x[1:-1], [right]])


def _settled(samples: Samples) -> tuple[np.ndarray, float, np.ndarray]:
    """What exchanges end at, from a usual reference, or else from the one that programs find."""
    for reach in REACHES if samples.problem.ends[1] == oo else (np.inf,):
        try:
            return exchange(samples, usual(samples, reach))
        except StartError:
            continue
    samples.check_independent()
    return exchange(samples, forbidding(samples))


def usual(samples: Samples, reach: float) -> np.ndarray:
    """A usual first reference: places of the grid up to a reach, denser at its ends."""
    last = min(int(np.searchsorted(samples.x, samples.x[0] + reach)), len(samples.x) - 1)
    spots = 0.5 - 0.5 * np.cos(np.pi * np.linspace(0, 1, samples.count + 1))[1:]
    return np.unique((1 + spots * (last - 1)).astype(int))


def exchange(samples: Samples, at: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """Exchanges from a reference, until no error is larger than those of one size.

    Returns:
        The free parameters, the size of the errors, and their places on the grid.

    Raises:
        StartError: if they do not settle, or the errors alternate too rarely.
    """
    goal, size, _ = samples.parts
    noise, error = NOISE * np.max(size * np.abs(goal)), 0.0
    for _ in range(EXCHANGES):
        free, error = samples.level(at, error)
        errors = samples.errors(free)
        if not np.isfinite(errors).all():
            raise StartError(f"errors are not finite at E = {error:.6g}")
        if np.abs(errors).max() <= error * (1 + SETTLED) + noise:
            if samples.x[at[-1]] - samples.x[0] >= HALF_LINE[-1]:
                raise StartError("the error is as large at the end of the samples as anywhere")
            return free, error, at
        at = alternating_places(errors, samples.count)
    raise StartError("exchanges do not settle")


def alternating_places(errors: np.ndarray, count: int) -> np.ndarray:
    """So many places with errors of alternating sign, the largest of all among them.

    Raises:
        StartError: if the errors alternate too rarely.
    """
    signs = np.where(errors < 0, -1, 1)
    runs = np.split(np.arange(len(errors)), np.flatnonzero(np.diff(signs)) + 1)
    best = [run[np.argmax(np.abs(errors[run]))] for run in runs]
    if len(best) < count:
        raise StartError(f"the error alternates {len(best)} times; {count} are needed")
    while len(best) > count:
        del best[0 if abs(errors[best[0]]) < abs(errors[best[-1]]) else -1]
    return np.array(best)


def forbidding(samples: Samples) -> np.ndarray:
    """The places that forbid a smaller error, by linear programs: those that have multipliers.

    Raises:
        NotAnOptimumError: if the last coefficient is 0 there, as far as the samples show.
        StartError: if the places are not one more than there are parameters.
    """
    goal, size, _ = samples.parts
    low, high = 0.0, float(np.max(size * (np.abs(goal) + 1)))
    least, found = LOST * np.max(size * np.abs(goal)), None
    while high - low > RATIO * high:
        level = np.sqrt(low * high) if low else high / 16
        member = in_band(samples, level)
        low, high, found = (level, high, found) if member is None else (low, level, member)
        if high < least:
            raise StartError(f"the error is below {high:.1e}, which double precision does not show")
    if found is None:
        raise StartError("no member was found in any band around the target")
    (free, places), problem = found, samples.problem
    if problem.ends[1] == oo and samples.last_term(free) < EDGE:
        raise NotAnOptimumError(
            f"the last coefficient of {problem.family.name} is 0 as far as the samples show; with "
            "another sign the error far out would be large, and that of a member at this edge need "
            "not alternate, so no optimum with this term is found: leave it out"
        )
    if len(places) == samples.count:
        return places
    raise StartError(
        f"{len(places)} points forbid a smaller error; {samples.count} are needed for a proof"
    )


def in_band(samples: Samples, level: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Free parameters of a member with errors up to a level, and where it touches the band.

    Returns:
        The member farthest from the edges, so that rounding does not decide; ``None`` if there is
        none.
    """
    rows, right, places = samples.band(level)
    unit = np.abs(rows).max(axis=1)
    rows, right, places = (part[unit > 0] for part in (rows, right, places))
    unit = unit[unit > 0]
    rows = rows / unit[:, None]
    columns = np.median(np.abs(rows), axis=0).clip(_TINY)
    found = scipy.optimize.linprog(
        np.append(np.zeros(rows.shape[1]), -1),
        np.hstack([rows / columns, np.ones((len(rows), 1))]),
        right / unit,
        bounds=[*[(None, None)] * rows.shape[1], (-1, 1)],
    )
    if found.status != 0 or found.x[-1] < 0:
        return None
    active = np.unique(places[-found.ineqlin.marginals > 1e-9])
    apart = np.diff(active, prepend=-10) > 2
    return found.x[:-1] / columns, active[apart]


def around(x: np.ndarray, i: int) -> np.ndarray:
    """Points around a place of a grid, up to its neighbours."""
    return np.linspace(x[max(i - 1, 0)], x[min(i + 1, len(x) - 1)], ZOOM)
