"""The certificate of a best approximation: four steps, each with its own module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp
from flint import arb, ctx
from sympy import Expr, oo

from gelu_lib.certificates.best.optimality import prove_optimality
from gelu_lib.certificates.best.tails import prove_tail
from gelu_lib.certificates.best.tanh_errors import prove_coefficients, prove_form_tail
from gelu_lib.certificates.best.tanh_optima import prove_scale
from gelu_lib.certificates.engine.balls import bits, number
from gelu_lib.certificates.engine.enclosures import Enclosure, enclosure
from gelu_lib.certificates.engine.errors import CertificationError
from gelu_lib.certificates.engine.pieces import Peak, Piece, prove_bound, prove_peak
from gelu_lib.certificates.engine.solutions import Box, Equations, prove_solution, refine
from gelu_lib.fits.criteria import (
    Criterion,
    Optimum,
    Problem,
    by_name,
    problem,
)
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits
from gelu_lib.functions.families import Family
from gelu_lib.functions.tanh_forms import S, TanhForm

PROOF_BITS = 128
"""The precision of the proof on the line, which needs no more whatever digits are asked for."""


@dataclass(frozen=True)
class Certificate:
    """What is proved of a best approximation, for every real x and all values that are free.

    Among the members with the fixed values exactly one has the least sup norm of the weighted
    error. Its parameters, that norm, and the places x > 0 where it is attained lie in the
    enclosures.

    Attributes:
        family: the family, or the form that is built from tanh.
        criterion: what is made small; its norm is ``"sup"``.
        digits: how many significant digits the enclosures decide, as a rule.
        fixed: the exact values that were given, by name.
        parameters: an enclosure of every parameter, by name.
        error: an enclosure of the least sup norm.
        points: enclosures of every x > 0 where the weighted error has that size, increasing.
        signs: the sign of the error at each point; one more if a form of tanh has it in the limit.
        theorem: the ID of the theorem by which no other parameters are as good; ``None`` for a
            form of tanh, whose argument ``tanh_errors`` and ``tanh_optima`` give.
        neighbourhoods: for each point, an interval in which the error curves like a peak.
        pieces: the intervals that cover the rest up to ``end``, on each of which it is smaller.
        end: where the tail begins.
        tail: what the weighted error does not exceed beyond ``end``.
    """

    family: Family | TanhForm
    criterion: Criterion
    digits: int
    fixed: Mapping[str, Expr]
    parameters: Mapping[str, Enclosure]
    error: Enclosure
    points: tuple[Enclosure, ...]
    signs: tuple[int, ...]
    theorem: str | None
    neighbourhoods: tuple[Piece, ...]
    pieces: tuple[Piece, ...]
    end: float
    tail: Enclosure


def certify(best: Optimum, digits: int = 50) -> Certificate:
    """Prove that parameters are the best of their family, and enclose them.

    What was found by a search is only a claim here: its numbers with as many digits as it states.
    Steps: (1) near the claim the equations of the optimum have exactly one solution; (2) up to
    some end the error of the solution is nowhere larger than at its peaks; (3) nor beyond;
    (4) no other parameters are as good. Then the solution is enclosed to more digits.

    Args:
        best: an optimum in a sup norm; about 8 of its digits at least must be right.
        digits: how many significant digits the enclosures shall have.

    Returns:
        The certificate.

    Raises:
        TypeError: if ``best`` is no ``Optimum``, or ``digits`` no integer.
        ValueError: if the norm is not ``"sup"``, or ``digits`` is below 1.
        CertificationError: if a step fails. It names the step and what failed. That a step was
            not shown does not mean that the claim is false, unless the message says so.
        NotImplementedError: if the weight or a fixed value has a part that is not evaluated in Arb.

    Example:
        >>> from gelu_lib import LOGISTIC, certify, minimax
        >>> proved = certify(minimax(LOGISTIC), digits=20)
        >>> print(proved.parameters["p1"].rounded(20), proved.error.rounded(10))
        1.7017449253380033123 0.009457309176

    Source: step 1 is the interval Newton operator, R. E. Moore, R. B. Kearfott and M. J. Cloud,
    Introduction to Interval Analysis, SIAM 2009, https://doi.org/10.1137/1.9780898717716. The
    arithmetic is that of F. Johansson, Arb: Efficient Arbitrary-Precision Midpoint-Radius Interval
    Arithmetic, 2017, https://doi.org/10.1109/TC.2017.2690633.
    """
    check_digits(digits)
    made, places = _claimed_problem(best), _finite(best)
    infinite = len(places) < len(best.points)
    equations = Equations(made, tuple(map(int, best.signs)), infinite)
    with ctx.workprec(max(PROOF_BITS, bits(best.digits))):
        numbers = [*(best.parameters[p.name] for p in made.free), best.error, *places]
        return _certificate(equations, [_claimed(n, best.digits) for n in numbers], digits)


def _certificate(equations: Equations, box: Box, digits: int) -> Certificate:
    """The certificate of the solution in a box, with so many digits."""
    made = equations.problem
    box = prove_solution(equations, box)
    with ctx.workprec(PROOF_BITS):
        peaks, pieces, end, tail = prove_error(equations, box)
        theorem = _prove_no_others(equations, box)
        bound = enclosure(tail, 5)
    kept = digits + GUARD_DIGITS // 2
    box = refine(equations, box, kept)
    with ctx.workprec(bits(kept)):
        ends = [enclosure(ball, kept) for ball in box]
        parameters = [enclosure(ball, kept) for ball in equations.parameters(box)]
    count = len(made.free)
    return Certificate(
        family=made.family,
        criterion=made.criterion,
        digits=digits,
        fixed=by_name(made.fixed.keys(), made.fixed.values()),
        parameters=by_name(made.family.symbols, parameters),
        error=ends[count],
        points=tuple(ends[count + 1 :]),
        signs=equations.signs,
        theorem=theorem,
        neighbourhoods=tuple(peak.neighbourhood for peak in peaks),
        pieces=tuple(pieces),
        end=end,
        tail=bound,
    )


def prove_error(equations: Equations, box: Box) -> tuple[list[Peak], list[Piece], float, arb]:
    """Prove that the error of the solution in a box is largest at its peaks, on the whole line.

    Returns:
        The peaks, the pieces between them, where the tail begins, and the bound of the tail.

    Raises:
        CertificationError: if a step fails.
    """
    curve, parameters = equations.curve, equations.parameters(box)
    level = equations.level(box).lower()  # what is below this is below the error
    if not level > 0:
        raise CertificationError("claim", f"the error {equations.level(box)} is not positive")
    # a sign without a place, at most the last one, is that of a limit
    pairs = zip(equations.places(box), equations.signs, strict=not equations.infinite)
    peaks = [prove_peak(curve, parameters, x, sign, level) for x, sign in pairs]
    after = peaks[-1].neighbourhood[1]
    if isinstance(equations.problem.family, TanhForm):
        end, tail = prove_form_tail(equations, box, level, after)
    else:
        end, tail = prove_tail(curve, parameters, level, after)
    return peaks, prove_bound(curve, parameters, peaks, level, end), end, tail


def _prove_no_others(equations: Equations, box: Box) -> str | None:
    """Prove that no other parameters are as good; the ID of the theorem, if one says so."""
    if not isinstance(equations.problem.family, TanhForm):
        return prove_optimality(equations, box)
    prove_coefficients(equations, box)
    if S in equations.problem.family.symbols:
        prove_scale(equations, box)
    return None


def _claimed_problem(best: Optimum) -> Problem:
    """The problem that is claimed to be solved, if the claim has the right shape."""
    if not isinstance(best, Optimum):
        raise TypeError(f"best must be an Optimum, got {best!r}")
    if best.criterion.norm != "sup":
        raise ValueError(f"norm is {best.criterion.norm!r}; only the norm 'sup' has certificates")
    made, points, signs = problem(best.family, best.criterion, best.fixed), best.points, best.signs
    check_digits(best.digits)
    if best.parameters.keys() != {symbol.name for symbol in made.family.symbols}:
        raise CertificationError("claim", f"the parameters are {', '.join(best.parameters)}")
    for value in (*best.parameters.values(), best.error, *_finite(best)):
        if not (isinstance(value, Expr) and value.is_finite):
            raise CertificationError("claim", f"{value!r} is not a finite SymPy number")
    if len(points) != len(signs) or not set(signs) <= {1, -1}:
        raise CertificationError("claim", f"{len(points)} points with the signs {signs}")
    if [0, *points] != sorted({0, *points}):
        raise CertificationError("claim", f"the points {points} are not positive and increasing")
    if isinstance(made.family, TanhForm) and not best.alternates:
        raise CertificationError("claim", f"the signs {signs} do not alternate at enough points")
    for symbol, exact in made.fixed.items():
        with ctx.workprec(max(PROOF_BITS, bits(best.digits))):
            if not _claimed(best.parameters[symbol.name], best.digits).overlaps(number(exact)):
                raise CertificationError(
                    "claim", f"{symbol} is {best.parameters[symbol.name]}, but fixed at {exact}"
                )
    return made


def _finite(best: Optimum) -> tuple[Expr, ...]:
    """The points of an optimum without the infinite one that the error of a form may have."""
    ends = isinstance(best.family, TanhForm) and best.points[-1:] == (oo,)
    return best.points[:-1] if ends else best.points


def _claimed(value: Expr, digits: int) -> arb:
    """A number within one unit of the last digit that is claimed, at least."""
    middle = number(sp.Rational(value)).mid()
    return arb(middle, abs(middle) * arb(10) ** (1 - digits))
