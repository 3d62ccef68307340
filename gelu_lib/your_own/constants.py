"""The best constants for a reader's own case, with a proof where there is one.

Real constants on the whole line come from ``gelu_lib.certificates``. On a bounded interval they
come from an exchange; the error is enclosed, and de la Vallée-Poussin's argument, or a search over
boxes, bounds what any constants can reach. Constants that a type must hold are finitely many near
the real optimum: a search over boxes discards those that cannot be the best, and encloses the error
of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from types import MappingProxyType

import sympy as sp
from flint import arb, ctx
from sympy import Expr, Float, Rational

from gelu_lib.certificates import (
    CertificationError,
    Enclosure,
    certified_minimax,
    certify,
)
from gelu_lib.certificates.balls import interval as ball_between
from gelu_lib.certificates.balls import number
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.enclosures import enclosure
from gelu_lib.certificates.sup_errors import certified_error_within
from gelu_lib.criteria import Criterion, Problem
from gelu_lib.criteria import problem as made_problem
from gelu_lib.families import (
    TANH_CUBIC,
    Family,
    Value,
    WrongLimitError,
    exact_value,
)
from gelu_lib.norms import GUARD_DIGITS, check_digits
from gelu_lib.peak_fits import peak_optimum
from gelu_lib.starts import ConvergenceError
from gelu_lib.your_own.bounds import PointBounds, alternation_bound, parameter_box
from gelu_lib.your_own.grids import FixedPoint, Grid, grid
from gelu_lib.your_own.intervals import Levelled, high_peaks, levelled, lowered
from gelu_lib.your_own.search import Box, ascending, best_places, halves

WRITTEN = ("expanded", "factored")
"""How a program may write the polynomial: p1·x + p3·x³, or 2s·(x + k·x³)."""

MOST_DIGITS = 12
"""More digits are not enclosed on a bounded interval, nor where a type restricts the constants."""

LOOSE = Rational(999, 1000)
"""Where no alternation bounds the least error, it is bounded to this part of the error found."""

CELLS = 2**30
"""Into how many cells a range of real constants is cut, for a search over boxes."""

SHIFTS = (0.96, 0.98, 1.0, 1.02, 1.04)
"""Errors are bounded at each peak, and at the peak multiplied by these."""

FAR = 8.0
"""On the whole line, peaks are looked for up to here."""


@dataclass(frozen=True)
class BestConstants:
    """The best constants for a case, and what is proved of them.

    Attributes:
        constants: the free constants by name, as the program writes them. Those that a type must
            hold are exact. So are real ones on a bounded interval, as binary fractions. Real ones
            on the line are the best ones rounded to the digits that were asked for.
        parameters: all parameters of the family, which follow from the constants.
        error: an enclosure of the largest error with the constants; of the exact best ones, where
            these were rounded.
        least: an enclosure of the least error that any accepted constants have; ``None`` if
            nothing but ``error`` is proved.
        proof: what proves it, or why nothing does.
        tied: other constants whose error was not told from the least one.
    """

    constants: Mapping[str, Expr]
    parameters: Mapping[str, Expr]
    error: Enclosure
    least: Enclosure | None
    proof: str
    tied: tuple[Mapping[str, Expr], ...] = ()

    @property
    def certified(self) -> bool:
        """Whether it is proved between which ends the least error lies."""
        return self.least is not None


@dataclass(frozen=True)
class Case:
    """A checked case: the problem, the interval 0 ≤ x ≤ end, and how the constants are written."""

    problem: Problem
    end: float
    written: str
    digits: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free constants."""
        free = tuple(symbol.name for symbol in self.problem.free)
        return free if self.written == "expanded" else ("s", "k")[-len(free) :]

    def free(self, constants: list) -> list:
        """The free parameters that belong to constants, which may be balls or exact numbers."""
        if self.written == "expanded":
            return constants
        if len(constants) == 2:
            s, k = constants
            return [2 * s, 2 * s * k]
        (slope,) = self.problem.fixed.values()
        (k,) = constants
        return [(number(slope) if isinstance(k, arb) else slope) * k]

    def constants(self, free: list) -> list:
        """The constants that belong to free parameters."""
        if self.written == "expanded":
            return free
        if len(free) == 2:
            return [free[0] / 2, free[1] / free[0]]
        (slope,) = self.problem.fixed.values()
        return [free[0] / (number(slope) if isinstance(free[0], arb) else slope)]

    def parameters(self, free: list) -> dict[str, Expr]:
        """All parameters by name."""
        values = self.problem.complete(free, self.problem.fixed.values())
        return dict(zip(self.problem.family.names, values, strict=True))

    def error(self, free: list) -> Enclosure:
        """The largest error with exact free parameters, enclosed."""
        criterion = self.problem.criterion
        return certified_error_within(
            self.end,
            self.problem.family,
            self.parameters(free),
            criterion.of,
            self.digits,
            criterion.weight,
        )


def best_constants(
    of: str = "GELU",
    family: Family = TANH_CUBIC,
    fixed: Mapping[str, Value] | None = None,
    interval: tuple[float, float] | None = None,
    representable_in: str | FixedPoint | None = None,
    written: str = "expanded",
    weight: Expr = sp.S.One,
    digits: int = 10,
) -> BestConstants:
    """The constants with the least largest error, for a case of one's own.

    Args:
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        family: the family Φ̂ = σ(Σ pₙxⁿ).
        fixed: values of constants that are not free, by name. They need not be representable.
        interval: two numbers, with 0 between them, between which the inputs lie; without it, the
            whole real line.
        representable_in: the type that must hold the free constants, ``"float32"``,
            ``"float16"``, ``"bfloat16"`` or a ``FixedPoint``; without it, they are real.
        written: ``"expanded"`` for p1·x + p3·x³ and its like, or ``"factored"`` for
            2s·(x + k·x³), which the tanh form writes; then the constants are ``s`` and ``k``, and
            only ``s`` may be fixed.
        weight: what the error is multiplied by, a positive even function of x.
        digits: to how many digits errors are enclosed; at most 12 unless the constants are real
            and the inputs are not bounded.

    Returns:
        The constants, their error and what is proved. The error is that of exact arithmetic. What
        a kernel rounds on its way comes on top.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if an argument is not accepted; the message names it.
        WrongLimitError: if the type is so coarse that it rounds all constants to 0.
        ConvergenceError: if no start was found.
        CertificationError: if the error of the constants was not enclosed.
    """
    case = _case(of, family, fixed, interval, written, weight, digits)
    wanted = None if representable_in is None else grid(representable_in)
    if (wanted is not None or case.end < inf) and digits > MOST_DIGITS:
        raise ValueError(f"digits is {digits}; accepted are at most {MOST_DIGITS} in this case")
    with ctx.workprec(PROOF_BITS):
        free, found = _real_on_line(case) if case.end == inf else _real_on_interval(case)
        return found if wanted is None else _representable(case, wanted, free)


def _case(
    of: str,
    family: Family,
    fixed: Mapping[str, Value] | None,
    interval: tuple[float, float] | None,
    written: str,
    weight: Expr,
    digits: int,
) -> Case:
    check_digits(digits)
    if written not in WRITTEN:
        raise ValueError(f"written is {written!r}; accepted are {WRITTEN}")
    if written == "factored":
        if family != TANH_CUBIC:
            raise ValueError("written = 'factored' is accepted for the family TANH_CUBIC alone")
        fixed = _unfactored({} if fixed is None else fixed)
    made = made_problem(family, Criterion("sup", of, weight), fixed)
    return Case(made, _end(interval), written, digits)


def _unfactored(fixed: Mapping[str, Value]) -> dict[str, Value]:
    if not isinstance(fixed, Mapping):
        raise TypeError(f"fixed must be a mapping from names, got {fixed!r}")
    if set(fixed) - {"s"}:
        raise ValueError(f"fixed has {sorted(fixed)}; of 2s·(x + k·x³) only 's' may be fixed")
    if not fixed:
        return {}
    s = exact_value(fixed["s"], "s")
    if not s.is_positive:
        raise ValueError(f"fixed s is {fixed['s']!r}; accepted is a positive number")
    return {"p1": 2 * s}


def _end(interval: tuple[float, float] | None) -> float:
    """The right end of the interval of |x|: errors have the same size at x and −x."""
    if interval is None:
        return inf
    try:
        left, right = map(float, interval)
    except (TypeError, ValueError):
        raise TypeError(f"interval is {interval!r}; accepted are None or two numbers") from None
    if not (isfinite(left) and isfinite(right) and left <= 0 <= right and left < right):
        raise ValueError(
            f"interval is {interval!r}; accepted are two finite numbers, increasing, with 0 between"
        )
    return max(-left, right)


def _real_on_line(case: Case) -> tuple[list[Rational], BestConstants]:
    """The best real constants on the line, proved."""
    made, criterion = case.problem, case.problem.criterion
    fixed = {symbol.name: value for symbol, value in made.fixed.items()}
    if criterion.of != "GELU_derivative" and criterion.weight == 1:
        proved = certified_minimax(made.family, criterion.of, fixed, case.digits)
    else:
        proved = certify(peak_optimum(made.family, criterion, fixed), case.digits)
    middles = [_middle(proved.parameters[symbol.name]) for symbol in made.free]
    rounded = [sp.N(value, case.digits) for value in case.constants(middles)]
    return middles, BestConstants(
        constants=_named(case, rounded),
        parameters=MappingProxyType(case.parameters([Float(m, case.digits) for m in middles])),
        error=proved.error,
        least=proved.error,
        proof=f"the optimum on the whole line is enclosed ({proved.theorem})",
    )


def _real_on_interval(case: Case) -> tuple[list[Rational], BestConstants]:
    """The best real constants on a bounded interval, and what is proved of them."""
    found = _alternating(case)
    free = list(lowered(case.problem, case.end) if found is None else found.free)
    error = case.error(free)
    least, proof = _bounded_below(case, free, found, error)
    return free, BestConstants(
        constants=_named(case, case.constants(free)),
        parameters=MappingProxyType(case.parameters(free)),
        error=error,
        least=least,
        proof=proof,
    )


def _alternating(case: Case) -> Levelled | None:
    """A fit whose error alternates; none for GELU′, where that would not make it the best."""
    if case.problem.criterion.of == "GELU_derivative":
        return None
    try:
        return levelled(case.problem, case.end, case.digits)
    except ConvergenceError:
        return None


def _bounded_below(
    case: Case, free: list[Rational], found: Levelled | None, error: Enclosure
) -> tuple[Enclosure | None, str]:
    """Between which ends the least error lies, and the argument; or why it is not known."""
    try:
        if found is not None:
            values = list(case.parameters(free).values())
            lower = alternation_bound(case.problem, values, found.points, case.end)
            proof = f"the error alternates at {len(found.points)} points (de la Vallée-Poussin)"
        else:
            lower, proof = _box_bound(case, free, error), "a search over boxes of constants"
    except CertificationError as failed:
        return None, f"best found; no lower bound is proved: {failed}"
    ends = enclosure(lower, case.digits + GUARD_DIGITS // 2)
    return Enclosure(ends.lower, error.upper), proof


def _box_bound(case: Case, free: list[Rational], error: Enclosure) -> arb:
    """A number that no real constants' error is below, a little less than the error found."""
    bounds = _point_bounds(case, free)
    ranges = parameter_box(case.problem, case.end, error.ball.upper())
    lows, steps = [b.lower() for b in ranges], [(b.upper() - b.lower()) / CELLS for b in ranges]

    def lower_bound(box: Box) -> float:
        cells = zip(lows, steps, box, strict=True)
        return bounds.lower(
            [ball_between(low + step * a, low + step * (b + 1)) for low, step, (a, b) in cells]
        )

    target = float(LOOSE) * float(error.lower)
    for bound, box in ascending(lower_bound, ((0, CELLS - 1),) * len(ranges)):
        if bound >= target:
            return arb(bound)
        if not halves(box):  # a cell that may hold better constants, and is not cut again
            break
    raise CertificationError("optimality", "the cells are too coarse")


def _representable(case: Case, wanted: Grid, free: list[Rational]) -> BestConstants:
    """The best constants that a type holds, proved if the search ends."""
    start = tuple(wanted.nearest(float(value)) for value in case.constants(free))
    near = case.error(_exact_free(case, wanted, start))
    try:
        found = _searched(case, wanted, free, near)
        least, proof = next(iter(found.values())), "a search over all constants of the type"
        least = Enclosure(min(error.lower for error in found.values()), least.upper)
    except CertificationError as failed:
        found, least = {start: near}, None
        proof = f"the real constants, rounded; that they are best is not proved: {failed}"
    (best, error), *others = found.items()
    named = [_named(case, _values(wanted, place)) for place, _ in others]
    return BestConstants(
        constants=_named(case, _values(wanted, best)),
        parameters=MappingProxyType(case.parameters(_exact_free(case, wanted, best))),
        error=error,
        least=least,
        proof=proof,
        tied=tuple(named),
    )


def _searched(
    case: Case, wanted: Grid, free: list[Rational], near: Enclosure
) -> dict[tuple[int, ...], Enclosure]:
    bounds = _point_bounds(case, free)
    ranges = case.constants(parameter_box(case.problem, case.end, near.ball.upper()))
    if not all(ball.is_finite() for ball in ranges):
        raise CertificationError("optimality", "no finite range of constants is left")
    box = tuple(
        (wanted.nearest(float(ball.lower())) - 1, wanted.nearest(float(ball.upper())) + 1)
        for ball in ranges
    )

    def lower_bound(part: Box) -> float:
        ends = [(wanted.value(low), wanted.value(high)) for low, high in part]
        return bounds.lower(case.free([_ball(low, high) for low, high in ends]))

    def certified_error(place: tuple[int, ...]) -> Enclosure | None:
        try:
            return case.error(_exact_free(case, wanted, place))
        except WrongLimitError:  # no approximation on the whole line
            return None

    return best_places(lower_bound, certified_error, box)


def _point_bounds(case: Case, free: list[Rational]) -> PointBounds:
    places = high_peaks(case.problem, min(case.end, FAR), [float(value) for value in free])
    # a peak moves with the constants, and it may be its moving alone that keeps the error up
    around = sorted({min(x * shift, case.end) for x in places for shift in SHIFTS})
    return PointBounds(case.problem, tuple(around))


def _exact_free(case: Case, wanted: Grid, place: tuple[int, ...]) -> list[Expr]:
    return case.free(_values(wanted, place))


def _values(wanted: Grid, place: tuple[int, ...]) -> list[Rational]:
    return [Rational(wanted.value(n)) for n in place]


def _ball(low: Fraction, high: Fraction) -> arb:
    return ball_between(number(Rational(low)), number(Rational(high)))


def _middle(ends: Enclosure) -> Rational:
    return (Rational(str(ends.lower)) + Rational(str(ends.upper))) / 2


def _named(case: Case, constants: list) -> Mapping[str, Expr]:
    return MappingProxyType(dict(zip(case.names, constants, strict=True)))
