"""The proof of a best approximation: four steps, each with its own module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sympy import oo

from gelu_lib._extras import flint
from gelu_lib.certificates.best import tanh_errors  # noqa: F401  # registers its proofs
from gelu_lib.certificates.best.results import Best, Cover
from gelu_lib.certificates.best.tails import far_out
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, number
from gelu_lib.certificates.engine.enclosures import Function
from gelu_lib.certificates.engine.multipliers import cofactors
from gelu_lib.certificates.engine.pieces import (
    Peak,
    float_end,
    prove_bound,
    prove_end_peak,
    prove_peak,
    prove_sign,
)
from gelu_lib.certificates.engine.solutions import Box, Equations, polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import Problem, by_name
from gelu_lib.fits.start import Start
from gelu_lib.functions.families import exact_value
from gelu_lib.precision import ENCLOSED_DIGITS, PROOF_BITS, TAIL_DIGITS, check_digits

ZERO = 1e-6
"""An unknown that is smaller than this part of the largest of its kind may be 0."""


@dataclass(frozen=True, eq=False)
class Proved:
    """What is proved of a problem once, whatever digits are asked for: it is refined for them.

    Attributes:
        equations: the equations of the optimum.
        box: a box with exactly one solution.
        sizes: what digits of the unknowns count from.
        optimal, theorem: as ``Best`` has them.
        cover: as ``Best`` has it.
    """

    equations: Equations
    box: Box
    sizes: tuple[float, ...]
    optimal: str
    theorem: str | None
    cover: Cover

    def best(self, digits: int) -> Best:
        """The best member, with enclosures of so many digits."""
        equations, kept = self.equations, digits + ENCLOSED_DIGITS
        box, made = refine(equations, self.box, kept, self.sizes), equations.problem
        with flint.ctx.workprec(bits(kept)):
            values = [enclosure(ball, kept) for ball in equations.parameters(box)]
            points = [enclosure(ball, kept) for ball in equations.places(box)]
            error = enclosure(equations.level(box), kept)
        return Best(
            family=made.family,
            parameters=by_name(made.family.symbols, values),
            problem=made,
            digits=digits,
            error=error,
            points=tuple(points),
            signs=equations.signs,
            optimal=self.optimal,
            theorem=self.theorem,
            cover=self.cover,
        )


@lru_cache(maxsize=256)
def proved(made: Problem, begun: Start | None = None) -> Proved:
    """Solve a problem in the sup norm and prove the solution, once for all digits.

    Args:
        made: the problem.
        begun: where to begin, if not where ``gelu_lib.fits.begin`` does.

    Returns:
        What is proved.

    Raises:
        StartError, NotAnOptimumError, ValueError: as ``gelu_lib.fits.begin.begin``.
        CertificationError: if a step fails; it names the step and what failed.
        NotImplementedError: if an expression has a part that is not evaluated in Arb.
    """
    begun = begun or begin(made)
    equations = _equations(made, begun.points, begun.signs)
    inner = [begun.points[i] for i in equations.inner]
    rough = [*begun.free, begun.error, *inner]
    sizes = _sizes(begun.free, inner, begun.error)
    with flint.ctx.workprec(PROOF_BITS):
        return _proved(equations, polished(equations, rough, sizes), sizes)


def certify(claim: Start | Best, digits: int = 50) -> Best:
    """Prove that claimed parameters are the best of their family, and enclose them.

    A start claims nothing but that a best member is near. Of a ``Best`` the numbers are a claim:
    they are right to as many digits as it states. Steps: (1) near the claim the equations of the
    optimum have exactly one solution; (2) up to some end the error of the solution is nowhere
    larger than at its peaks; (3) nor beyond; (4) no other parameters are as good. Then the solution
    is enclosed to the digits that are asked for.

    Args:
        claim: what ``minimax`` returns, or the like.
        digits: how many significant digits the enclosures shall have.

    Returns:
        The best member, proved.

    Raises:
        TypeError: if ``claim`` is neither, or ``digits`` no integer.
        ValueError: if ``digits`` is below 1 or above 10,000, or the norm is an integral, of which
            ``least_integrals`` has the proofs.
        CertificationError: if a step fails. It names the step and what failed. That a step was
            not shown does not mean that the claim is false, unless the message says so.
        NotImplementedError: if the weight or a fixed value has a part that is not evaluated in Arb.

    Example:
        >>> from gelu_lib import LOGISTIC, certify, minimax
        >>> best = certify(minimax(LOGISTIC), digits=20)
        >>> print(best.parameters["p1"].rounded(20), best.error.rounded(10))
        1.7017449253380033123 0.009457309176

    Source: step 1 is the interval Newton operator, R. E. Moore, R. B. Kearfott and M. J. Cloud,
    Introduction to Interval Analysis, SIAM 2009, https://doi.org/10.1137/1.9780898717716. The
    arithmetic is that of F. Johansson, Arb: Efficient Arbitrary-Precision Midpoint-Radius Interval
    Arithmetic, 2017, https://doi.org/10.1109/TC.2017.2690633.
    """
    check_digits(digits)
    if not isinstance(claim, Start | Best):
        raise TypeError(f"claim must be a Start or a Best, got {claim!r}")
    if claim.criterion.norm != "sup":
        raise ValueError(f"norm is {claim.criterion.norm!r}; only the norm 'sup' has certificates")
    if isinstance(claim, Start):
        return proved(claim.problem, claim).best(digits)
    _check_claim(claim)
    made = claim.problem
    equations = _equations(made, claim.points, claim.signs)
    with flint.ctx.workprec(max(PROOF_BITS, bits(claim.digits))):
        inner = [claim.points[i] for i in equations.inner]
        numbers = [*(claim.parameters[p.name] for p in made.free), claim.error, *inner]
        box = [_claimed(n, claim.digits) for n in numbers]
        middles = [float(ball.mid()) for ball in box]
        free = len(made.free)
        sizes = _sizes(middles[:free], middles[free + 1 :], middles[free])
        return _proved(equations, box, sizes).best(digits)


def multipliers(best: Best) -> tuple[Enclosure, ...]:
    """The multipliers, of sum 1, with which the signed gradients of the highest peaks cancel.

    They are unique for one peak more than there are free parameters. A single peak has 1.

    Args:
        best: a best member in the sup norm.

    Returns:
        An enclosure for each sign of ``best``.

    Raises:
        CertificationError: if their sum may be 0.

    Example:
        >>> from gelu_lib import LOGISTIC, minimax
        >>> from gelu_lib.certificates.best.certificate import multipliers
        >>> [m.n(8) for m in multipliers(minimax(LOGISTIC, digits=20))]
        [0.34314759, 0.65685241]
    """
    equations, free = _equations(best.problem, best.points, best.signs), best.problem.free
    inner = [best.points[i] for i in equations.inner]
    kept = best.digits + ENCLOSED_DIGITS
    with flint.ctx.workprec(bits(kept)):
        numbers = [*(best.parameters[p.name] for p in free), best.error, *inner]
        _, derivatives = equations([number.ball for number in numbers])
        # the rows of the level equations, in which the error has the derivative −1
        rows = [row[: len(free)] for row in derivatives.tolist() if row[len(free)] == -1]
        found = cofactors(rows) if len(rows) > len(free) else [flint.arb(1)]
        return tuple(enclosure(m / sum(found), kept) for m in found)


def _proved(equations: Equations, box: Box, sizes: tuple[float, ...]) -> Proved:
    """What is proved of the solution in a box."""
    made, box = equations.problem, prove_solution(equations, box)
    with flint.ctx.workprec(PROOF_BITS):
        cover = prove_cover(equations, box)
        _prove_weight(made, cover.end)
        optimal, theorem = prove_best(made.family, equations, box, cover.end)
    return Proved(equations, box, sizes, optimal, theorem, cover)


def prove_cover(equations: Equations, box: Box) -> Cover:
    """Prove that the error of the solution in a box is largest at its peaks, between the ends.

    Raises:
        CertificationError: if a step fails.
    """
    made, curve, parameters = equations.problem, equations.curve, equations.parameters(box)
    level = equations.level(box).lower()  # what is below this is below the error
    if not level > 0:
        raise CertificationError("claim", f"the error {equations.level(box)} is not positive")
    # a sign without a place, at most the last one, is that of a limit
    pairs = zip(equations.places(box), equations.signs, strict=not equations.infinite)
    peaks = [_peak(equations, box, i, *pair, level) for i, pair in enumerate(pairs)]
    tail = None
    if made.ends[1] == oo:
        end, bound = far_out(made.family, equations, box, level, peaks[-1].neighbourhood[1])
        tail = enclosure(bound, TAIL_DIGITS)
    else:
        end = float_end(made.ends[1], 1, peaks)
    start = float_end(made.ends[0], -1, peaks)
    pieces = prove_bound(curve, parameters, peaks, level, end, start)
    return Cover(tuple(peak.neighbourhood for peak in peaks), tuple(pieces), end, tail)


def _peak(
    equations: Equations, box: Box, i: int, place: flint.arb, sign: int, level: flint.arb
) -> Peak:
    """The peak of a number, inside or at an end."""
    curve, parameters, made = equations.curve, equations.parameters(box), equations.problem
    room = _room(equations, box, i) / 2
    if i not in equations.held:
        reach = None if made.ends == (0, oo) else room
        return prove_peak(curve, parameters, place, sign, level, reach)
    end = equations.held[i]
    inwards = room if end == made.ends[0] else -room
    return prove_end_peak(curve, parameters, place, sign, level, inwards, flat=curve.is_flat(end))


def _room(equations: Equations, box: Box, i: int) -> float:
    """How far a peak is from the nearest other one, or from an end that is none."""
    places = [float(x.mid()) for x in equations.places(box)]
    others = [*places[:i], *places[i + 1 :], *equations.problem.float_ends]
    return min((abs(x - places[i]) for x in others if x != places[i]), default=1.0)


def _prove_weight(made: Problem, end: float) -> None:
    """Prove that the weight is positive between the ends."""
    if made.weight.is_positive:
        return
    if made.ends[1] == oo:
        raise ValueError(f"weight is {made.weight}, which is not known to be positive far out")
    try:
        prove_sign(Function(made.weight), (), 1, float_end(made.ends[0], -1, []), end)
    except CertificationError:
        raise ValueError(
            f"weight is {made.weight}, not shown to be positive on the interval"
        ) from None


def _equations(made: Problem, points: tuple, signs: tuple[int, ...]) -> Equations:
    """The equations of peaks at some places, of which those at an end are held there."""
    ends = {float(end): end for end in made.ends if abs(end) < oo}
    held = {i: ends[float(x)] for i, x in enumerate(points) if float(x) in ends}
    if len(signs) == len(points) + 1:
        held[len(points)] = oo
    return Equations(made, tuple(map(int, signs)), held)


def _sizes(free: Sequence[float], inner: Sequence[float], error: float) -> tuple[float, ...]:
    """What digits of the unknowns count from, if one of them may be 0; otherwise nothing."""
    found = []
    for values in (free, inner):
        largest = max(map(abs, values), default=0.0)
        found.append([max(abs(value), largest * ZERO) for value in values])
    sizes = (*found[0], error, *found[1])
    unknowns = (*free, error, *inner)
    return sizes if any(abs(v) < size for v, size in zip(unknowns, sizes, strict=True)) else ()


def _check_claim(claim: Best) -> None:
    """Check that a claim has the right shape, before anything is computed."""
    made, points, signs = claim.problem, claim.points, claim.signs
    check_digits(claim.digits)
    if claim.parameters.keys() != {symbol.name for symbol in made.family.symbols}:
        raise CertificationError("claim", f"the parameters are {', '.join(claim.parameters)}")
    infinite = len(signs) - len(points)
    if infinite not in (0, 1) or (infinite and not hasattr(made.family, "limit")):
        raise CertificationError("claim", f"{len(points)} points with the signs {signs}")
    if not set(signs) <= {1, -1}:
        raise CertificationError("claim", f"{len(points)} points with the signs {signs}")
    places = [float(x) for x in points]
    if any(a >= b for a, b in pairwise(places)) or any(x < made.ends[0] for x in places):
        raise CertificationError("claim", f"the points {points} are not increasing from 0 on")
    for symbol, exact in made.fixed.items():
        with flint.ctx.workprec(max(PROOF_BITS, bits(claim.digits))):
            given = claim.parameters[symbol.name]
            if not _claimed(given, claim.digits).overlaps(number(exact)):
                raise CertificationError("claim", f"{symbol} is {given}, but fixed at {exact}")


def _claimed(value: object, digits: int) -> flint.arb:
    """A number within one unit of the last digit that is claimed, at least."""
    if isinstance(value, Enclosure):
        ball = value.ball
        return flint.arb(ball.mid(), ball.rad() + abs(ball.mid()) * flint.arb(10) ** (1 - digits))
    middle = number(exact_value(value)).mid()
    return flint.arb(middle, abs(middle) * flint.arb(10) ** (1 - digits))
