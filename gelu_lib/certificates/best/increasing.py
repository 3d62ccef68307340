r"""The best member of degree 7 that does not fall anywhere, in the sup norm of the error of Φ.

Let Φ̂ = σ(p) with p′(x) = a·(x² − u)²·(x² + c) and a, u, c > 0: p increases, and p′ has a
double zero at √u. Suppose that the error is largest at four points x₁ < … < x₄, where it is sᵢE
with sᵢ = ±1, and let q be any other odd polynomial of degree 7 with q′ ≥ 0 and an error of at
most E. Write d for q − p. Since Φ − σ(p) falls where p grows, sᵢd(xᵢ) ≥ 0; and d′(√u) = q′(√u)
≥ 0. These are five linear functions of the four coefficients of d. If they cancel with positive
multipliers, none of them is positive, so that d(xᵢ) = 0 at all four points. But an odd
polynomial with four powers has at most three positive zeros (Descartes' rule of signs), unless
d = 0. So p alone has the least error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from flint import arb, ctx
from sympy import Expr, Symbol

from gelu_lib.certificates.best.certificate import PROOF_BITS
from gelu_lib.certificates.best.optimality import cofactors
from gelu_lib.certificates.best.tails import prove_tail
from gelu_lib.certificates.engine.balls import bits, compiled
from gelu_lib.certificates.engine.enclosures import Enclosure, ErrorCurve, enclosure
from gelu_lib.certificates.engine.pieces import prove_bound, prove_peak
from gelu_lib.certificates.engine.solutions import Box, Equations, polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.alternation import Level, start_level
from gelu_lib.fits.bands import GRID, band_minimax
from gelu_lib.fits.criteria import Criterion, Problem, by_name
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits
from gelu_lib.functions.families import odd_logistic

FAMILY = odd_logistic(7)
"""The family."""


@dataclass(frozen=True)
class IncreasingCertificate:
    """The one member of degree 7 that increases and has the least error of Φ among those.

    Attributes:
        parameters: an enclosure of every coefficient, by name.
        error: an enclosure of the least sup norm.
        touch: an enclosure of √u, where p′ is 0.
        points: enclosures of the x > 0 where the error has that size, increasing.
        signs: the sign of the error at each point.
    """

    parameters: Mapping[str, Enclosure]
    error: Enclosure
    touch: Enclosure
    points: tuple[Enclosure, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True)
class IncreasingForm:
    """Φ̂ = σ(p) with p′(x) = a·(x² − u)²·(x² + c), in the place of a family."""

    symbols: tuple[Symbol, ...] = tuple(Symbol(name, positive=True) for name in "auc")

    @property
    def coefficients(self) -> tuple[Expr, ...]:
        """The coefficients of p, in the order of ``FAMILY``."""
        a, u, c = self.symbols
        return a * u**2 * c, a * (u**2 - 2 * u * c) / 3, a * (c - 2 * u) / 5, a / 7

    @property
    def expression(self) -> Expr:
        """Φ̂ in ``expressions.X`` and ``symbols``."""
        pairs = zip(FAMILY.symbols, self.coefficients, strict=True)
        return FAMILY.expression.xreplace(dict(pairs))


PROBLEM = Problem(IncreasingForm(), Criterion("sup", "Phi"), {})
"""The problem in the parameters a, u and c."""

CURVE = ErrorCurve(FAMILY, "Phi")
"""The error of Φ."""


def coefficients(box: Box) -> Box:
    """The coefficients of p out of a, u and c, the first unknowns of a box."""
    return [arb(value) for value in _coefficients()(*box[:3])]


@cache
def _coefficients() -> Callable[..., Box]:
    return compiled(PROBLEM.family.symbols, list(PROBLEM.family.coefficients))


def increasing_start() -> Level:
    """What ``certify_increasing`` starts from, as linear programs find it.

    Returns:
        Rough values of a, u and c, of the error, and of the places where it is attained.
    """
    best = band_minimax(FAMILY, increasing=True)
    slope = [n * p for n, p in zip(FAMILY.exponents, best.parameters.values(), strict=True)]
    # p′ has the zeros −c and, twice, u in x²; sampling parts the two that are one
    alone, *twice = sorted(np.roots(slope[::-1]).real)
    parameters = [slope[-1], np.mean(twice), -alone]
    return start_level(PROBLEM.family.symbols, parameters, GRID, best.error_at(GRID))


def certify_increasing(start: Level, digits: int = 50) -> IncreasingCertificate:
    """Prove that a member of degree 7 is the best of those that increase.

    Args:
        start: rough values of a, u and c, of the error, and of the four places x > 0 where it is
            attained, with the signs there.
        digits: how many significant digits the enclosures shall have.

    Returns:
        The certificate.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``digits`` is below 1.
        CertificationError: if a step of the proof fails; the message names it.
    """
    check_digits(digits)
    equations = Equations(PROBLEM, start.signs)
    numbers = [float(value) for value in (*start.parameters, start.error, *start.points)]
    with ctx.workprec(PROOF_BITS):
        box = prove_solution(equations, polished(equations, numbers))
        prove_error(equations, box)
        prove_least(equations, box)
    kept = digits + GUARD_DIGITS // 2
    box = refine(equations, box, kept)
    with ctx.workprec(bits(kept)):
        parameters = [enclosure(ball, kept) for ball in coefficients(box)]
        touch = enclosure(box[1].sqrt(), kept)
        ends = [enclosure(ball, kept) for ball in box]
    return IncreasingCertificate(
        by_name(FAMILY.symbols, parameters), ends[3], touch, tuple(ends[4:]), equations.signs
    )


def prove_error(equations: Equations, box: Box) -> None:
    """Prove that the member increases, and that its error is nowhere larger than at its peaks.

    Raises:
        CertificationError: if it was not shown.
    """
    if not all(value > 0 for value in box[:4]):
        raise CertificationError("claim", f"a, u, c and E are not all positive in {box[:4]}")
    parameters, level = coefficients(box), box[3].lower()
    pairs = zip(box[4:], equations.signs, strict=True)
    peaks = [prove_peak(CURVE, parameters, x, sign, level) for x, sign in pairs]
    end, _ = prove_tail(CURVE, parameters, level, peaks[-1].neighbourhood[1])
    prove_bound(CURVE, parameters, peaks, level, end)


def prove_least(equations: Equations, box: Box) -> None:
    """Prove that the five linear functions of the difference cancel with positive multipliers.

    Raises:
        CertificationError: if it was not shown.
    """
    exponents, touch = FAMILY.exponents, box[1].sqrt()
    rows = [
        [sign * x**n for n in exponents] for x, sign in zip(box[4:], equations.signs, strict=True)
    ]
    rows.append([n * touch ** (n - 1) for n in exponents])
    found = cofactors(rows)
    if not (all(m > 0 for m in found) or all(m < 0 for m in found)):
        raise CertificationError("optimality", f"the multipliers {found} are not all positive")
    if not all(a < b for a, b in zip([arb(0), *box[4:]], box[4:], strict=False)):
        raise CertificationError("optimality", "the points are not positive and increasing")
