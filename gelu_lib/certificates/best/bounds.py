"""What no constants can undercut: lower bounds from the error at a few points.

Where constants range over a box, the parameters of Φ̂ = σ(Σ pⱼxʲ) range over balls. At one point x
the error then lies in a ball, and no constants of the box have a largest error below its distance
from 0. Two enclosures are intersected: the plain one, and the one by the mean value theorem.

An error E also bounds the parameters. If \\|w·x·e\\| ≤ E at a point, Φ̂ is known there up to
E/(wx), and so is Σ pⱼxʲ, which is linear in the parameters. For GELU′ the error is (xe)′, and with
a weight that does not grow \\|x·e\\| ≤ xE/w follows by integration. So k points enclose k
parameters.

*De la Vallée-Poussin.* Let the signs of the error of a member at n + 1 points be such that no other
member has errors as small at all of them (``references``), and let d be its least size there. A
member with errors below d at all the points would be such another one. So on every set that holds
the points, bounded or not, the least error is at least d.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from math import inf, isfinite, nextafter

from sympy import Expr, Rational, oo

from gelu_lib._extras import flint
from gelu_lib.certificates.best.references import prove_reference
from gelu_lib.certificates.best.tails import require_falling_weight, weight_at
from gelu_lib.certificates.engine.balls import normal, number
from gelu_lib.certificates.engine.enclosures import ErrorCurve, error_curve
from gelu_lib.certificates.engine.suprema import RealCurve
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.links import IDENTITY
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
        return error_curve(self.problem)

    def complete(self, free: Sequence[flint.arb]) -> list[flint.arb]:
        """All parameters, of which the free ones are given."""
        return self.problem.complete(free, map(number, self.problem.fixed.values()))

    def lower(self, free: Sequence[flint.arb], enough: float = inf) -> float:
        """A float that the largest error is not below, for all free parameters in balls.

        Args:
            free: balls with the free parameters.
            enough: the points that are left are not asked once the bound is above this.
        """
        bound = 0.0
        for x in self.points:
            bound = max(bound, _float_below(abs(self._error(flint.arb(x), free)).lower()))
            if bound > enough:
                break
        return bound

    def _error(self, x: flint.arb, free: Sequence[flint.arb]) -> flint.arb:
        by = tuple((symbol,) for symbol in self.problem.free)
        wide, middles = self.complete(free), [flint.arb(ball.mid()) for ball in free]
        plain, *slopes = (jet[0] for jet in self.curve.jets(x, wide, 1, ((), *by)))
        if all(ball.is_exact() for ball in free):
            return plain
        mean = self.curve.taylor(x, self.complete(middles), 1)[0]
        for slope, ball, middle in zip(slopes, free, middles, strict=True):
            mean += slope * (ball - middle)
        return _intersection(plain, mean)


def _intersection(one: flint.arb, other: flint.arb) -> flint.arb:
    """A ball that contains what lies in both balls; one of them if the other is not finite."""
    if not (one.is_finite() and other.is_finite()):
        return one if one.is_finite() else other
    return one.intersection(other)


def _float_below(exact: flint.arb) -> float:
    size = float(exact)
    return nextafter(size, -inf) if isfinite(size) else 0.0


def parameter_box(
    problem: Problem, error: flint.arb, places: Sequence[float] = ()
) -> list[flint.arb]:
    """Balls that hold the free parameters of every member whose error is not above a number.

    Args:
        problem: the family, σ of an odd polynomial, the error of Φ, GELU or GELU′, its weight, the
            interval, symmetric about 0 or from there on, and the fixed parameters.
        error: the number.
        places: where the error bounds Φ̂, at least one place for each free parameter; without
            them, equal steps up to the end or to ``FARTHEST_PROBE``.

    Returns:
        A ball for each free parameter.

    Raises:
        CertificationError: if the error is so large that it bounds nothing, the weight is not
            known to fall, or there are too few places.
    """
    bounds, count, end = PointBounds(problem, ()), len(problem.free), float(problem.ends[1])
    if problem.target.derivative:
        require_falling_weight(problem)
    places = places or [min(end, FARTHEST_PROBE) * (i / count) for i in range(1, count + 1)]
    if len(places) < count or places[count - 1] > end:
        raise CertificationError("optimality", f"{count} places up to {end} are needed: {places}")
    known = bounds.complete([flint.arb(0)] * count)
    rows, sides = [], []
    for x in map(flint.arb, places[:count]):
        slack = error / weight_at(problem, x) / (x if problem.target == GELU else 1)
        near = normal(x) + flint.arb(0, slack.abs_upper())
        powers = [x**n for n in problem.family.exponents]
        rest = sum((p * power for p, power in zip(known, powers, strict=True)), flint.arb(0))
        pairs = zip(problem.family.symbols, powers, strict=True)
        rows.append([power for symbol, power in pairs if symbol in problem.free])
        sides.append([-(1 / near - 1).log() - rest])
    found = flint.arb_mat(rows).solve(flint.arb_mat(sides)).entries()
    if not all(ball.is_finite() for ball in found):
        raise CertificationError("optimality", f"an error of {error} leaves no finite box")
    return found


def alternation_bound(
    problem: Problem, parameters: Sequence[Expr], points: Sequence[Rational]
) -> flint.arb:
    """What the least error cannot be below, by de la Vallée-Poussin's argument.

    Args:
        problem: the family, the target, the criterion and the fixed parameters.
        parameters: exact values of all parameters; those that are fixed must be kept.
        points: increasing exact points between the ends of the problem.

    Returns:
        The least size of the error at the points, as an exact number.

    Raises:
        CertificationError: if the points do not increase between the ends, a sign is not shown, or
            the signs forbid no smaller errors; see ``references.prove_reference``.
    """
    if getattr(problem.family, "link", IDENTITY).lowest > -oo:  # a member may be below, too
        raise CertificationError("optimality", f"the link of {problem.family.name} also falls")
    values = dict(zip(problem.family.symbols, parameters, strict=True))
    if any(values[symbol] != exact for symbol, exact in problem.fixed.items()):
        raise CertificationError("optimality", "a fixed parameter is not kept")
    (left, right), inner = problem.ends, list(points)
    if not (all(a < b for a, b in pairwise(inner)) and left <= inner[0] and inner[-1] <= right):
        raise CertificationError("optimality", f"{points} do not increase from {left} to {right}")
    numbers, places = [[number(v) for v in vs] for vs in (values.values(), points)]
    curve = real_curve(problem)
    errors = [curve.at(x, numbers) for x in places]
    if any(error.contains(0) for error in errors):
        raise CertificationError("optimality", "a sign of the error is not shown")
    signs = [1 if error > 0 else -1 for error in errors]
    prove_reference(problem.family, problem, numbers, places, signs)
    return least_size(errors)


@lru_cache
def real_curve(problem: Problem) -> RealCurve:
    """The weighted error of a problem, compiled once."""
    return RealCurve(problem.error, problem.family.symbols)


def least_size(errors: Sequence[flint.arb]) -> flint.arb:
    """The least size of some errors, as an exact number."""
    sizes = (abs(error).lower() for error in errors)
    return reduce(lambda least, size: size if size < least else least, sizes)
