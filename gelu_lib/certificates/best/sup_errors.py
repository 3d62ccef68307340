"""The sup norm of the error of given parameters, between two proved ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import compress
from math import inf

import sympy as sp
from flint import arb, ctx
from sympy import Expr

from gelu_lib.certificates.best.certificate import PROOF_BITS
from gelu_lib.certificates.best.tails import prove_tail
from gelu_lib.certificates.engine.balls import bits, number
from gelu_lib.certificates.engine.enclosures import Enclosure, ErrorCurve, enclosure
from gelu_lib.certificates.engine.pieces import Piece, prove_bound, prove_peak
from gelu_lib.certificates.engine.solutions import Box, prove_solution, refine, stationary
from gelu_lib.certificates.engine.suprema import certified_supremum
from gelu_lib.fits.criteria import checked_weight
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits, sampled_sup_error
from gelu_lib.functions.families import Value, check_target, error_expression, exact_value
from gelu_lib.functions.forms import Form, right_limit

START_DIGITS = 12
"""How many digits of a sampled peak are taken to be right; a proof follows."""


@dataclass(frozen=True)
class CertifiedSupError:
    """The sup norm of an error over the whole real line, between two proved ends.

    Attributes:
        form: the form.
        of: the function that is approximated.
        weight: the weight w by which the error is multiplied.
        error: an enclosure of the largest absolute weighted error.
        points: enclosures of points x > 0; at least one of them attains it, and no other x > 0
            does.
        signs: the sign of the error at each of these points.
        neighbourhoods: for each point, and for peaks that are hardly lower, an interval in which
            the error curves like a peak.
        pieces: the intervals that cover the rest up to ``end``, on each of which it is smaller.
        end: where the tail begins.
        tail: what the weighted error does not exceed beyond ``end``.
    """

    form: Form
    of: str
    weight: Expr
    error: Enclosure
    points: tuple[Enclosure, ...]
    signs: tuple[int, ...]
    neighbourhoods: tuple[Piece, ...]
    pieces: tuple[Piece, ...]
    end: float
    tail: Enclosure


def certified_sup_error(
    form: Form,
    of: str = "Phi",
    digits: int = 16,
    weight: Expr = sp.S.One,
) -> CertifiedSupError:
    """The largest absolute error of a form over the real line, with a proof.

    Where the error is largest is looked for by sampling. That it is attained there and nowhere
    exceeded is then proved by interval arithmetic: a peak that the samples missed makes the proof
    fail, not the result wrong.

    Args:
        form: a member of a family.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        digits: how many significant digits the enclosures shall have.
        weight: what the error is multiplied by, a positive even function of x that does not grow
            for x > 0.

    Returns:
        The enclosure of the error, of the points where it is attained, and the proof's pieces.

    Raises:
        TypeError: if ``form`` or ``digits`` is of a type that is not accepted.
        ValueError: if ``of`` or ``weight`` is not accepted, or ``digits`` is below 1.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞. The error does not tend to 0 there, and that
            of GELU is not bounded.
        CertificationError: if a step of the proof fails; the message names it.
        NotImplementedError: if the weight or a parameter has a part that is not evaluated in Arb.

    Example:
        >>> from gelu_lib import certified_sup_error, tanh_form
        >>> found = certified_sup_error(tanh_form(), of="Phi", digits=10)
        >>> print(found.error.rounded(10), found.points[0].rounded(6))
        0.0001789325838 2.59214
    """
    values, weight = right_limit(form), checked_weight(weight)
    check_digits(digits)
    curve = ErrorCurve(form.family, of, weight)
    starts = _highest_samples(form, of, weight)
    with ctx.workprec(max(PROOF_BITS, bits(digits + GUARD_DIGITS))):
        numbers = [number(value) for value in values.values()]
        places = [_peak(curve, numbers, x, digits) for x in starts]
        heights = [curve.taylor(place, numbers, 1)[0] for place in places]
        level = max((abs(height).lower() for height in heights), key=lambda exact: exact.fmpq())
        highest = [not abs(height) < level for height in heights]
        error = reduce(arb.union, map(abs, compress(heights, highest)))
    with ctx.workprec(PROOF_BITS):
        signs = [1 if height > 0 else -1 for height in heights]
        peaks = [
            prove_peak(curve, numbers, x, s, level) for x, s in zip(places, signs, strict=True)
        ]
        end, tail = prove_tail(curve, numbers, level, peaks[-1].neighbourhood[1])
        pieces = prove_bound(curve, numbers, peaks, level, end)
    kept = digits + GUARD_DIGITS // 2
    return CertifiedSupError(
        form=form,
        of=of,
        weight=weight,
        error=enclosure(error, kept),
        points=tuple(enclosure(x, kept) for x in compress(places, highest)),
        signs=tuple(compress(signs, highest)),
        neighbourhoods=tuple(peak.neighbourhood for peak in peaks),
        pieces=tuple(pieces),
        end=end,
        tail=enclosure(tail, 5),
    )


def prove_error_below(
    form: Form,
    bound: Value,
    of: str = "Phi",
    weight: Expr = sp.S.One,
) -> tuple[Piece, ...]:
    """Prove that the absolute error is below a bound at every real x, and say where it is not.

    Args:
        form: a member of a family.
        bound: the bound, a positive number.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        weight: what the error is multiplied by, a positive even function of x that does not grow
            for x > 0.

    Returns:
        The pieces of the proof, which are intervals from 0 to the beginning of the tail. On each
        of them the absolute error was enclosed below the bound.

    Raises:
        TypeError: if ``form`` or ``bound`` is of a type that is not accepted.
        ValueError: if an argument is not accepted, or ``bound`` is not positive.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞.
        CertificationError: if the bound is exceeded, or was not shown to hold.
        NotImplementedError: if the weight or a parameter has a part that is not evaluated in Arb.
    """
    check_target(of)
    values, weight = right_limit(form), checked_weight(weight)
    level = exact_value(bound, "bound")
    if not level > 0:
        raise ValueError(f"bound must be positive, got {bound!r}")
    curve = ErrorCurve(form.family, of, weight)
    with ctx.workprec(PROOF_BITS):
        numbers, ball = [number(value) for value in values.values()], number(level)
        end, _ = prove_tail(curve, numbers, ball)
        return tuple(prove_bound(curve, numbers, [], ball, end))


def certified_error_within(
    end: float,
    form: Form,
    of: str = "Phi",
    digits: int = 16,
    weight: Expr = sp.S.One,
) -> Enclosure:
    """The largest absolute error of a form for \\|x\\| up to an end, with a proof.

    On a bounded range it does not matter what Φ̂ tends to beyond, so that every value of the
    parameters is accepted there.

    Args:
        end: where the range ends, a positive float; infinite for the whole real line.
        form: a member of a family, with any limit where the range is bounded.
        of: the function that is approximated.
        digits: how many significant digits; some ten at most where the range is bounded.
        weight: what the error is multiplied by.

    Returns:
        The enclosure of the error.

    Raises:
        ValueError: as ``certified_sup_error``, or if ``end`` is not positive.
        WrongLimitError: on the whole line, if Φ̂ does not tend to 1 at +∞.
        CertificationError: if the proof fails.
    """
    if end == inf:
        return certified_sup_error(form, of, digits, weight).error
    error = checked_weight(weight) * error_expression(form.family, of).xreplace(dict(form.exact))
    return certified_supremum(error, 0.0, end, digits).size


def _highest_samples(form: Form, of: str, weight: Expr) -> list[Expr]:
    """The places of the sampled extrema that are highest, or lower by a hair."""
    sampled = sampled_sup_error(form, of, START_DIGITS, weight)
    enough = sampled.error * (1 - sp.Float(10) ** (2 - START_DIGITS))
    return [found.x for found in sampled.extrema if abs(found.error) >= enough]


def _peak(curve: ErrorCurve, parameters: Box, x: Expr, digits: int) -> arb:
    """An enclosure of the extremum near x, which is proved to be there."""
    middle, slope = number(sp.Rational(x)).mid(), stationary(curve, parameters)
    start = arb(middle, middle * arb(10) ** (2 - START_DIGITS))
    return refine(slope, prove_solution(slope, [start]), digits + GUARD_DIGITS // 2)[0]
