"""The best constants for a reader's own case, with a proof where there is one.

Real constants come from ``gelu_lib.certificates``, but for GELU′ on a bounded interval: there they
come from a search on a grid, and a search over boxes bounds what any constants can reach. Constants
that a type must hold are finitely many near the real optimum: a search over boxes discards those
that cannot be the best, and encloses the error of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from math import inf
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np
import scipy.signal
import sympy as sp
from sympy import Expr, Rational

from gelu_lib._extras import flint
from gelu_lib.certificates.best.bounds import PointBounds, parameter_box
from gelu_lib.certificates.best.certificate import proved
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, number
from gelu_lib.certificates.engine.balls import interval as ball_between
from gelu_lib.certificates.engine.search import Ranges, ascending, best_places
from gelu_lib.certificates.engine.solutions import polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.begin import begin
from gelu_lib.floats.cases import Case, checked_case
from gelu_lib.floats.grids import FixedPoint, Grid, grid
from gelu_lib.floats.laws import InputLaw, check_judge
from gelu_lib.floats.mean_squares import MeanSquare
from gelu_lib.floats.rounded_means import Between, best_between, range_end, rounded_mean
from gelu_lib.functions.families import TANH_CUBIC, Family, Value, WrongLimitError
from gelu_lib.functions.targets import Target
from gelu_lib.precision import DECIMAL_DIGITS, ENCLOSED_DIGITS, INTEGRAL_DIGITS, PROOF_BITS

LOOSE = Rational(999, 1000)
"""Where the optimum is not proved, the least error is bounded to this part of the error found."""

CELLS = 2**30
"""Into how many cells a range of real constants is cut, for a search over boxes."""

SHIFTS = (0.96, 0.98, 1.0, 1.02, 1.04)
"""Errors are bounded at each peak, and at the peak multiplied by these."""

WRONG_LIMIT_ERROR = Decimal("0.5")
"""No error on the whole line is below this if Φ̂ does not tend to 1 at +∞ and there is no weight."""

RANGE = 4
"""A constant is searched by rounded results up to so many times that with the least largest error,
at the least.
"""

_Place = tuple[int, ...]
"""For each constant the place of its value in the type."""

BESIDE = (0, -1, 1)
"""How far from the nearest place others are tried."""

LOW = 0.2
"""Peaks lower than this part of the highest one are of no use to a bound."""


@dataclass(frozen=True)
class BestConstants:
    """The best constants for a case, and what is proved of them.

    Attributes:
        constants: the free constants by name, as the program writes them. Those that a type must
            hold are exact. So are real ones: decimals with as many digits as it takes for ``error``
            to be the least error to the digits that were asked for, or binary fractions where the
            optimum is not proved.
        parameters: all parameters of the family, which follow from the constants.
        error: an enclosure of the largest error, or of the mean error under a law, with exactly
            these constants.
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


def best_constants(
    target: Target | str = "GELU",
    family: Family = TANH_CUBIC,
    fixed: Mapping[str, Value] | None = None,
    interval: tuple[float, float] | None = None,
    representable_in: str | FixedPoint | None = None,
    written: str = "expanded",
    weight: Expr = sp.S.One,
    digits: int = 10,
    inputs: InputLaw | None = None,
    judged_by: str = "mean square",
    rounded_to: str | None = None,
) -> BestConstants:
    """The constants with the least largest error, for a case of one's own; or the least mean error.

    Args:
        target: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        family: the family Φ̂ = σ(Σ pⱼxʲ).
        fixed: values of constants that are not free, by name. They need not be representable.
        interval: two numbers, with 0 between them, between which the inputs lie; without it, the
            whole real line.
        representable_in: the type that must hold the free constants, ``"float32"``,
            ``"float16"``, ``"bfloat16"`` or a ``FixedPoint``; without it, they are real.
        written: ``"expanded"`` for p1·x + p3·x³ and its like, or ``"factored"`` for
            2s·(x + k·x³), which the tanh form writes; then the constants are ``s`` and ``k``, and
            only ``s`` may be fixed.
        weight: what the error is multiplied by, a positive even function of x.
        digits: to how many digits errors are enclosed.
        inputs: a law of the inputs, for the least mean error under it in place of the largest
            error. Then there are no ``interval``, ``representable_in`` and ``weight``.
        judged_by: the mean error under the law. ``"mean square"``: the root of the mean square.
            ``"ulp"``: the mean distance in units in the last place between GELU and the form, which
            is rounded once. ``"agreement"``: the share of inputs at which that float is not the
            one nearest to GELU. The last two are of GELU, and of one free constant that is not
            negative.
        rounded_to: for ``"ulp"`` and ``"agreement"``: the type of the inputs, which are rounded to
            it, and of the results, ``"float32"``, ``"float16"`` or ``"bfloat16"``.

    Returns:
        The constants, their error and what is proved. The error is that of exact arithmetic. What
        a kernel rounds on its way comes on top. Of a mean square it is proved that no constants
        nearby are as good, and of one free constant for Φ or GELU that no others are. By rounded
        results the constant is searched from 0 to ``RANGE`` times the one with the least largest
        error, or farther where the law asks for it; ``least`` is that of all constants from 0 on.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if an argument is not accepted; the message names it.
        WrongLimitError: if the type is so coarse that it rounds all constants to 0.
        StartError: if no start was found.
        CertificationError: if the error of the constants was not enclosed.

    Example:
        >>> from gelu_lib import LOGISTIC, best_constants
        >>> best = best_constants("Phi", LOGISTIC, representable_in="bfloat16")
        >>> best.constants["p1"], best.certified
        (109/64, True)
        >>> from gelu_lib.floats.laws import InputLaw
        >>> law = InputLaw.of_histogram([-3, -2, -1, 0, 1, 2], [1, 4, 5, 4, 1])
        >>> best = best_constants("GELU", LOGISTIC, inputs=law)
        >>> best.constants["p1"].n(6), best.certified
        (1.73996, True)
    """
    case = checked_case(target, family, fixed, interval, written, weight, digits)
    wanted = None if representable_in is None else grid(representable_in)
    refused = {"interval": interval is not None, "representable_in": wanted, "weight": weight != 1}
    check_judge(inputs, judged_by, rounded_to, [name for name in refused if refused[name]])
    if inputs is not None and judged_by == "mean square":
        return _by_mean_square(LawCase(case.problem, written, digits, inputs))
    if inputs is not None:
        return _by_rounded_results(case, rounded_mean(case, inputs, rounded_to, judged_by))
    with flint.ctx.workprec(PROOF_BITS):
        is_open = case.problem.target.derivative and case.end < inf
        free, found = _searched_for(case) if is_open else _proved(case)
        return found if wanted is None else _representable(case, wanted, free)


def _proved(case: Case) -> tuple[list[Rational], BestConstants]:
    """The best real constants, proved."""
    known = proved(case.problem)
    best, finer = known.best(case.digits), known.best(case.digits + DECIMAL_DIGITS)
    middles = [finer.exact[symbol] for symbol in case.problem.free]
    rounded, error = _rounded(case, case.constants(middles), best.error)
    where = "on the whole line" if case.end == inf else "on the interval"
    proof = f"the optimum {where} is enclosed ({best.theorem})"
    return middles, _best(case, rounded, error, best.error, proof)


@dataclass(frozen=True)
class LawCase(Case):
    """A case whose errors are judged by the root of their mean square under a law."""

    law: InputLaw

    @cached_property
    def squares(self) -> MeanSquare:
        """The mean square."""
        return MeanSquare(self.problem, self.law)

    def error(self, free: list) -> Enclosure:
        """The root of the mean square, enclosed; the free parameters may be balls."""
        balls = [value if isinstance(value, flint.arb) else number(value) for value in free]
        return enclosure(self.squares.size(balls), self.digits + ENCLOSED_DIGITS)


def _by_mean_square(case: LawCase) -> BestConstants:
    """The best constants by mean square: nearby, and of one that is free everywhere."""
    squares, kept = case.squares, case.digits + ENCLOSED_DIGITS
    if len(squares.shares) <= len(case.names):
        raise ValueError(
            f"inputs has {len(squares.shares)} sizes other than 0; accepted are more than there "
            f"are free constants, {', '.join(case.names)}"
        )
    with flint.ctx.workprec(bits(kept + INTEGRAL_DIGITS)):
        around = polished(squares, begin(case.near).free)
        box = prove_solution(squares, around)
        squares.prove_convex(around)
        box = refine(squares, box, kept)
        least: Enclosure | None = case.error(box)
        middles = [enclosure(ball, kept).middle for ball in box]
        constants, error = _rounded(case, case.constants(middles), least)
        proof = "the only minimum nearby is enclosed (interval Newton)"
        try:
            squares.prove_alone(box)
            proof += ", and all others are excluded (a search over cells)"
        except CertificationError as failed:
            least, proof = None, f"{proof}; nothing is proved of others: {failed}"
    return _best(case, constants, error, least, proof)


def _by_rounded_results(case: Case, between: Between) -> BestConstants:
    """The best constant by rounded results, as far as a search finds it."""
    most = range_end(between, RANGE * abs(float(*case.constants(begin(case.near).free))))
    constant, lower = best_between(between, most)
    low, high = between(float(constant), float(constant))
    lower, low, high = (Decimal(repr(end)) for end in (lower, low, high))
    proof = f"a search over cells of constants from 0 to {most:.4g}, and one from there to ∞"
    return _best(case, [constant], Enclosure(low, high), Enclosure(lower, high), proof)


def _best(
    case: Case, constants: list[Rational], error: Enclosure, least: Enclosure | None, proof: str
) -> BestConstants:
    parameters = MappingProxyType(case.parameters(case.free(constants)))
    return BestConstants(_named(case, constants), parameters, error, least, proof)


def _rounded(case: Case, constants: list, least: Enclosure) -> tuple[list[Rational], Enclosure]:
    """The constants with as few digits as keep the least error to its digits, and their error."""
    enough = Fraction(least.upper) * (1 + Fraction(1, 10**case.digits))
    for digits in range(case.digits + 2, case.digits + DECIMAL_DIGITS, 2):
        rounded = [_decimal(value, digits) for value in constants]
        error = case.error(case.free(rounded))
        if Fraction(error.upper) <= enough:
            return rounded, error
    raise CertificationError("claim", f"the error with {digits} digits is {error}")


def _decimal(value: Expr, digits: int) -> Rational:
    """A real number rounded to significant digits, exactly that decimal."""
    near = Rational(sp.N(value, digits + DECIMAL_DIGITS))
    with localcontext(prec=digits):
        return Rational(Fraction(Decimal(int(near.p)) / Decimal(int(near.q))))


def _searched_for(case: Case) -> tuple[list[Rational], BestConstants]:
    """Real constants that a search on a grid ends at, and what is proved of them."""
    free = [Rational(value) for value in begin(case.problem).free]
    error = case.error(free)
    try:
        lower = enclosure(_box_bound(case, free, error), case.digits + ENCLOSED_DIGITS)
        least = Enclosure(lower.lower, error.upper)
        proof = "a search over boxes of constants"
    except CertificationError as failed:
        least, proof = None, f"best found; no lower bound is proved: {failed}"
    return free, _best(case, case.constants(free), error, least, proof)


def _box_bound(case: Case, free: list[Rational], error: Enclosure) -> flint.arb:
    """A number that no real constants' error is below, a little less than the error found."""
    bounds = _point_bounds(case, [free])
    ranges = parameter_box(case.problem, error.ball.upper())
    lows, steps = [b.lower() for b in ranges], [(b.upper() - b.lower()) / CELLS for b in ranges]

    target = float(LOOSE) * float(error.lower)

    def lower_bound(box: Ranges) -> float:
        cells = zip(lows, steps, box, strict=True)
        return bounds.lower(
            [ball_between(low + step * a, low + step * (b + 1)) for low, step, (a, b) in cells],
            target,
        )

    numbers = (Fraction,) * len(ranges)
    for bound, box in ascending(lower_bound, numbers, ((0, CELLS - 1),) * len(ranges)):
        if bound >= target:
            return flint.arb(bound)
        if all(
            low == high for low, high in box
        ):  # a cell that may hold better constants, and is not cut again
            break
    raise CertificationError("optimality", "the cells are too coarse")


def _representable(case: Case, wanted: Grid, free: list[Rational]) -> BestConstants:
    """The best constants that a type holds, proved if the search ends."""
    start = _rounded_in_turn(case, wanted, free)
    near = case.error(_free_at(case, wanted, start))
    try:
        found = _searched(case, wanted, [free, _free_at(case, wanted, start)], near)
        least, proof = next(iter(found.values())), "a search over all constants of the type"
        least = Enclosure(min(error.lower for error in found.values()), least.upper)
    except CertificationError as failed:
        found, least = {start: near}, None
        proof = f"rounded one after the other; that they are best is not proved: {failed}"
    (best, error), *others = found.items()
    named = [_named(case, _values(wanted, place)) for place, _ in others]
    return BestConstants(
        constants=_named(case, _values(wanted, best)),
        parameters=MappingProxyType(case.parameters(_free_at(case, wanted, best))),
        error=error,
        least=least,
        proof=proof,
        tied=tuple(named),
    )


def _rounded_in_turn(case: Case, wanted: Grid, free: list[Rational]) -> _Place:
    """The place of constants whose error is small, though not always the least.

    To round the best real constants one by one may lose most of what they reach, because each of
    them answers to the others. So the first constant takes one of the numbers beside its best
    value, the others become best again beside it, the second takes one of the numbers beside its
    new value, and so on.

    Raises:
        WrongLimitError: if on the whole line Φ̂ tends to 1 for none of the constants that were
            tried, or if they leave s = 0 alone in 2s·(x + k·x³).
    """
    places: list[_Place] = [()]
    for _ in free:
        centres = [(place, wanted.nearest(_adapted(case, wanted, place, free))) for place in places]
        places = [(*place, wanted.kept(n + d)) for place, n in centres for d in BESIDE]
        if case.written == "factored":  # which has no k without an s
            places = [place for place in places if wanted.value(place[0]) != 0]
        if not places:
            raise WrongLimitError("s is rounded to 0, so that Φ̂ = 1/2 everywhere")
    by_size = sorted(dict.fromkeys(places), key=lambda place: _size(case, wanted, place))
    right = by_size if case.end < inf else [p for p in by_size if _tends_to_1(case, wanted, p)]
    if not right:
        raise WrongLimitError(
            f"no constants beside {_free_at(case, wanted, by_size[0])} let Φ̂ tend to 1"
        )
    return right[0]


def _free_at(case: Case, wanted: Grid, place: _Place) -> list[Rational]:
    """The free parameters that belong to constants of a type."""
    return case.free(_values(wanted, place))


def _adapted(case: Case, wanted: Grid, place: _Place, free: list[Rational]) -> float:
    """The best value of the next constant, where those before it are at a place."""
    if place:
        first, left = case.with_first(_values(wanted, place))
        free = [*first, *map(Rational, begin(left).free)]
    return float(case.constants(free)[len(place)])


def _size(case: Case, wanted: Grid, place: _Place) -> float:
    return float(case.sizes(_free_at(case, wanted, place))[1].max())


def _tends_to_1(case: Case, wanted: Grid, place: _Place) -> bool:
    values = case.parameters(_free_at(case, wanted, place)).values()
    leading = [value for value in values if not value.is_zero][-1:]
    return bool(leading) and leading[0].is_positive is True


def _searched(
    case: Case, wanted: Grid, good: list[list[Rational]], near: Enclosure
) -> dict[_Place, Enclosure]:
    """The best constants of the type, by a search that begins with bounds at the peaks of some."""
    bounds = _point_bounds(case, good)
    ranges = case.constants(parameter_box(case.problem, near.ball.upper()))
    if not all(ball.is_finite() for ball in ranges):
        raise CertificationError("optimality", "no finite range of constants is left")
    box = tuple(
        (
            wanted.kept(wanted.nearest(float(ball.lower())) - 1),
            wanted.kept(wanted.nearest(float(ball.upper())) + 1),
        )
        for ball in ranges
    )

    enough = float(near.upper) * (1 + 1e-9)

    def lower_bound(part: Ranges) -> float:
        ends = [(wanted.value(low), wanted.value(high)) for low, high in part]
        return bounds.lower(case.free([_ball(low, high) for low, high in ends]), enough)

    def certified_error(place: _Place) -> Enclosure | None:
        try:
            return case.error(_free_at(case, wanted, place))
        except WrongLimitError as wrong:  # on the whole line alone
            _require_worse(case, near, wrong)
            return None

    return best_places(lower_bound, certified_error, (wanted.value,) * len(box), box)


def _require_worse(case: Case, near: Enclosure, wrong: WrongLimitError) -> None:
    """Require that constants for which Φ̂ does not tend to 1 have a larger error than others.

    Φ̂ tends to 0 for them, or is 1/2. So the error of Φ and that of GELU′ tend to 1 or to 1/2, and
    that of GELU grows without bound. Under a weight that falls this says nothing.
    """
    if case.problem.criterion.weight != 1 or not near.upper < WRONG_LIMIT_ERROR:
        raise CertificationError("optimality", f"constants are not excluded, though {wrong}")


def _point_bounds(case: Case, good: list[list[Rational]]) -> PointBounds:
    """Lower bounds at the peaks of the error with good parameters, and beside them."""
    places = {x for free in good for x in _high_peaks(case, free)}
    # a peak moves with the constants, and it may be its moving alone that keeps the error up
    around = sorted({min(x * shift, case.end) for x in places for shift in SHIFTS})
    return PointBounds(case.problem, tuple(around))


def _high_peaks(case: Case, free: list[Rational]) -> list[float]:
    """Where the size of the error has peaks that are not low; the end counts as one."""
    x, size = case.sizes(free)
    # some way apart, because the rounding of the errors makes small peaks beside each other
    peaks, _ = scipy.signal.find_peaks(
        np.append(size, 0), height=LOW * size.max(), distance=len(size) // 100
    )
    return x[peaks].tolist()


def _values(wanted: Grid, place: _Place) -> list[Rational]:
    return [Rational(wanted.value(n)) for n in place]


def _ball(low: Fraction, high: Fraction) -> flint.arb:
    return ball_between(number(Rational(low)), number(Rational(high)))


def _named(case: Case, constants: list) -> Mapping[str, Expr]:
    return MappingProxyType(dict(zip(case.names, constants, strict=True)))
