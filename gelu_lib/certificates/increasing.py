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

from collections.abc import Mapping
from dataclasses import dataclass

from flint import arb, arb_mat, ctx

from gelu_lib.certificates.balls import bits
from gelu_lib.certificates.certificate import PROOF_BITS
from gelu_lib.certificates.enclosures import Enclosure, ErrorCurve, enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.optimality import cofactors
from gelu_lib.certificates.pieces import prove_bound, prove_peak
from gelu_lib.certificates.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.tails import prove_tail
from gelu_lib.fits.criteria import by_name
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
class Equations:
    """The equations sᵢe(xᵢ) = E and e′(xᵢ) = 0 in the unknowns a, u, c, E and x₁, …, x₄.

    Attributes:
        signs: the sign of the error at each point.
    """

    signs: tuple[int, ...]

    def __call__(self, unknowns: Box) -> tuple[Box, arb_mat]:
        """The residuals on a box of unknowns, and their derivatives."""
        level, places = unknowns[3], unknowns[4:]
        parameters, changes = coefficients(*unknowns[:3])
        by = ((), *((p,) for p in FAMILY.symbols))
        residuals, rows = [], []
        for i, (x, sign) in enumerate(zip(places, self.signs, strict=True)):
            (error, slope, half_curvature), *jets = CURVE.jets(x, parameters, 3, by)
            here = [arb(i == j) for j in range(len(places))]
            tilts = [
                [sum(jet[n] * change[k] for k, jet in enumerate(jets)) for change in changes]
                for n in (0, 1)
            ]
            residuals += [sign * error - level, slope]
            rows += [
                [*(sign * t for t in tilts[0]), arb(-1), *(sign * slope * h for h in here)],
                [*tilts[1], arb(0), *(2 * half_curvature * h for h in here)],
            ]
        return residuals, arb_mat(rows)


CURVE = ErrorCurve(FAMILY, "Phi")
"""The error of Φ."""


def coefficients(a: arb, u: arb, c: arb) -> tuple[Box, list[Box]]:
    """The coefficients of p out of p′ = a·(x² − u)²·(x² + c), and their derivatives by a, u, c."""
    values = [a * u**2 * c, a * (u**2 - 2 * u * c) / 3, a * (c - 2 * u) / 5, a / 7]
    by_a = [u**2 * c, (u**2 - 2 * u * c) / 3, (c - 2 * u) / 5, arb(1) / 7]
    by_u = [2 * a * u * c, 2 * a * (u - c) / 3, -2 * a / 5, arb(0)]
    by_c = [a * u**2, -2 * a * u / 3, a / 5, arb(0)]
    return values, [by_a, by_u, by_c]


def certify_increasing(
    roots: Mapping[str, float],
    error: float,
    points: tuple[tuple[float, int], ...],
    digits: int = 50,
) -> IncreasingCertificate:
    """Prove that a member of degree 7 is the best of those that increase.

    Args:
        roots: rough values of a, u and c, by name.
        error: a rough value of its error.
        points: the four places x > 0 where it is attained, roughly, each with the sign there.
        digits: how many significant digits the enclosures shall have.

    Returns:
        The certificate.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``digits`` is below 1.
        CertificationError: if a step of the proof fails; the message names it.
    """
    check_digits(digits)
    equations = Equations(tuple(sign for _, sign in points))
    start = [*(roots[name] for name in "auc"), error, *(x for x, _ in points)]
    with ctx.workprec(PROOF_BITS):
        box = prove_solution(equations, polished(equations, start))
        prove_error(equations, box)
        prove_least(equations, box)
    kept = digits + GUARD_DIGITS // 2
    box = refine(equations, box, kept)
    with ctx.workprec(bits(kept)):
        found, _ = coefficients(*box[:3])
        parameters = [enclosure(ball, kept) for ball in found]
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
    (parameters, _), level = coefficients(*box[:3]), box[3].lower()
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
