"""What no constants can undercut: lower bounds from the error at a few points.

Where constants range over a box, the parameters of Φ̂ = σ(Σ pⱼxʲ) range over balls. At one point x
the error then lies in a ball, and no constants of the box have a largest error below its distance
from 0. Two enclosures are intersected: the plain one, and the one by the mean value theorem.

An error E also bounds the parameters. If \\|w·x·e\\| ≤ E at a point, Φ̂ is known there up to
E/(wx), and so is Σ pⱼxʲ, which is linear in the parameters. For GELU′ the error is (xe)′, and with
a weight that does not grow \\|x·e\\| ≤ xE/w follows by integration. So k points enclose k
parameters.

*De la Vallée-Poussin.* Let the error of Φ or GELU have alternating signs at k + 1 points of the
interval, and let d be its least size there. Parameters with errors below d at all these points
would give a difference Σ (pⱼ − qⱼ)xʲ with n positive zeros, and a combination of n odd powers has
at most k − 1. So on every set that holds the points, bounded or not, the least error is at least d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf, isfinite, nextafter

from flint import arb, arb_mat
from sympy import Expr, Rational

from gelu_lib.certificates.best.tails import require_falling_weight, weight_at
from gelu_lib.certificates.engine.balls import normal, number
from gelu_lib.certificates.engine.enclosures import ErrorCurve
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem, alternating
from gelu_lib.functions.targets import GELU

FARTHEST_PROBE = 1.5
"""The points that enclose the parameters lie between 0 and here."""


@dataclass(frozen=True)
class PointBounds:
    """Lower bounds of the error from given points.

    Attributes:
        problem: the family, the error and the fixed parameters.
        points: floats x > 0.
    """

    problem: Problem
    points: tuple[float, ...]

    @cached_property
    def curve(self) -> ErrorCurve:
        """The weighted error."""
        return ErrorCurve(self.problem)

    def complete(self, free: Sequence[arb]) -> list[arb]:
        """All parameters, of which the free ones are given."""
        return self.problem.complete(free, map(number, self.problem.fixed.values()))

    def lower(self, free: Sequence[arb], enough: float = inf) -> float:
        """A float that the largest error is not below, for all free parameters in balls.

        Args:
            free: balls with the free parameters.
            enough: the points that are left are not asked once the bound is above this.
        """
        bound = 0.0
        for x in self.points:
            bound = max(bound, _float_below(abs(self._error(arb(x), free)).lower()))
            if bound > enough:
                break
        return bound

    def _error(self, x: arb, free: Sequence[arb]) -> arb:
        by = tuple((symbol,) for symbol in self.problem.free)
        wide, middles = self.complete(free), [arb(ball.mid()) for ball in free]
        plain, *slopes = (jet[0] for jet in self.curve.jets(x, wide, 1, ((), *by)))
        if all(ball.is_exact() for ball in free):
            return plain
        mean = self.curve.taylor(x, self.complete(middles), 1)[0]
        for slope, ball, middle in zip(slopes, free, middles, strict=True):
            mean += slope * (ball - middle)
        return _intersection(plain, mean)


def _intersection(one: arb, other: arb) -> arb:
    """A ball that contains what lies in both balls; one of them if the other is not finite."""
    if not (one.is_finite() and other.is_finite()):
        return one if one.is_finite() else other
    return one.intersection(other)


def _float_below(exact: arb) -> float:
    size = float(exact)
    return nextafter(size, -inf) if isfinite(size) else 0.0


def parameter_box(
    problem: Problem, end: float, error: arb, places: Sequence[float] = ()
) -> list[arb]:
    """Balls that hold the free parameters of every member whose error is not above a number.

    Args:
        problem: the family, the error, its weight and the fixed parameters.
        end: the error is meant for 0 ≤ x ≤ end; infinity is accepted.
        error: the number.
        places: where the error bounds Φ̂, at least one place for each free parameter; without
            them, equal steps up to the end or to ``FARTHEST_PROBE``.

    Returns:
        A ball for each free parameter.

    Raises:
        CertificationError: if the error is so large that it bounds nothing, the weight is not
            known to fall, or there are too few places.
    """
    bounds, count = PointBounds(problem, ()), len(problem.free)
    if problem.target.derivative:
        require_falling_weight(problem)
    places = places or [min(end, FARTHEST_PROBE) * (i / count) for i in range(1, count + 1)]
    if len(places) < count or places[count - 1] > end:
        raise CertificationError("optimality", f"{count} places up to {end} are needed: {places}")
    known = bounds.complete([arb(0)] * count)
    rows, sides = [], []
    for x in map(arb, places[:count]):
        slack = error / weight_at(problem, x) / (x if problem.target == GELU else 1)
        near = normal(x) + arb(0, slack.abs_upper())
        powers = [x**n for n in problem.family.exponents]
        rest = sum((p * power for p, power in zip(known, powers, strict=True)), arb(0))
        pairs = zip(problem.family.symbols, powers, strict=True)
        rows.append([power for symbol, power in pairs if symbol in problem.free])
        sides.append([-(1 / near - 1).log() - rest])
    found = arb_mat(rows).solve(arb_mat(sides)).entries()
    if not all(ball.is_finite() for ball in found):
        raise CertificationError("optimality", f"an error of {error} leaves no finite box")
    return found


def alternation_bound(
    problem: Problem, parameters: Sequence[Expr], points: Sequence[Rational], end: float = inf
) -> arb:
    """What the least error cannot be below, by de la Vallée-Poussin's argument.

    Args:
        problem: the family, the error of Φ or GELU, its weight and the fixed parameters.
        parameters: exact values of all parameters; those that are fixed must be kept.
        points: increasing exact points x > 0.
        end: the error is measured for 0 ≤ x ≤ end, so that the points must not lie beyond.

    Returns:
        The least size of the error at the points, as an exact number.

    Raises:
        CertificationError: if the error does not alternate at one point more than there are free
            parameters, or is that of GELU′, for which the argument does not hold.
    """
    if problem.target.derivative:
        raise CertificationError("optimality", "the argument does not cover the error of GELU′")
    values = dict(zip(problem.family.symbols, parameters, strict=True))
    if any(values[symbol] != exact for symbol, exact in problem.fixed.items()):
        raise CertificationError("optimality", "a fixed parameter is not kept")
    if not all(a < b for a, b in pairwise([0, *points])) or points[-1] > end:
        raise CertificationError("optimality", f"{points} do not increase from 0 to {end}")
    bounds = PointBounds(problem, ())
    numbers = [number(value) for value in values.values()]
    errors = [bounds.curve.taylor(number(x), numbers, 1)[0] for x in points]
    return least_alternating(errors, len(problem.free) + 1)


def least_alternating(errors: Sequence[arb], count: int) -> arb:
    """The least size of errors, as an exact number, if so many are given and their signs alternate.

    Args:
        errors: errors at increasing points.
        count: how many there must be.

    Raises:
        CertificationError: if the signs do not alternate, or are not proved.
    """
    signs = [1 if error > 0 else -1 if error < 0 else 0 for error in errors]
    if not alternating(signs, count):
        raise CertificationError(
            "optimality", f"the signs at the points are {signs}; {count} must alternate"
        )
    return min((abs(error).lower() for error in errors), key=lambda exact: exact.fmpq())
