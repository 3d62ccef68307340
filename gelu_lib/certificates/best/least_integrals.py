r"""A best approximation in the L1 or L2 norm: that it is one among all near it, and its size.

Let r be the error, w the weight and F(p) half the integral of w·r², or the integral of w·\|r\|,
over x > 0. An index stands for a derivative by a free parameter. All is shown for a box of
parameters.

*L2.* F has the derivatives ∫ w·r·r_j, and the second ones ∫ w·(r_j·r_l + r·r_jl).

*L1.* ``signs`` proves that r has the zeros z₁ < … < z_m on x > 0 and no others, that they are
simple, and its sign s_i between z_i and z_{i+1}. So F is the sum of s_i·∫ w·r over these
pieces. As r is 0 at their ends, its derivatives are the sums of s_i·∫ w·r_j, and its second
ones those of s_i·∫ w·r_jl plus 2·w·r_j·r_l/\|r′\| at every zero. The zeros are unknowns besides
p, with the equations r(z_i) = 0.

In the box the equations have exactly one solution, and the second derivatives are positive
definite everywhere. So F is strictly convex there, and least at the solution alone. What lies
outside the box is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

from flint import arb, arb_mat, ctx
from sympy import Expr

from gelu_lib.certificates.best.certificate import PROOF_BITS
from gelu_lib.certificates.engine.balls import bits, compiled, number
from gelu_lib.certificates.engine.enclosures import Enclosure, ErrorCurve, enclosure, text
from gelu_lib.certificates.engine.integrals import Entry, Terms, integral, rest
from gelu_lib.certificates.engine.signs import prove_signs
from gelu_lib.certificates.engine.solutions import (
    BOX_BITS,
    Box,
    polished,
    prove_solution,
    refine,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Criterion, Optimum, Problem, by_name, problem
from gelu_lib.fits.sup_norm import GUARD_DIGITS, check_digits
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family

WIDENINGS = 20
"""How often a ball around a zero is doubled until it holds the zeros for all parameters."""


@dataclass(frozen=True)
class IntegralCertificate:
    """What is proved of a best approximation in the L1 or L2 norm, among all near it.

    Of all parameters in ``box`` exactly one choice has the least norm. It, and its norm, lie in the
    enclosures.

    Attributes:
        family: the family.
        criterion: what is made small; its norm is ``"L1"`` or ``"L2"``.
        digits: how many significant digits the enclosures decide, as a rule.
        fixed: the exact values that were given, by name.
        box: an interval for every free parameter, by name.
        parameters: an enclosure of every parameter, by name.
        error: an enclosure of the norm of the error.
        points: for L1, enclosures of every x > 0 where the error is 0, increasing; for L2 none.
    """

    family: Family
    criterion: Criterion
    digits: int
    fixed: Mapping[str, Expr]
    box: Mapping[str, Enclosure]
    parameters: Mapping[str, Enclosure]
    error: Enclosure
    points: tuple[Enclosure, ...]


def certify_integral(best: Optimum, digits: int = 50) -> IntegralCertificate:
    """Prove that parameters make an L1 or L2 norm least among all near them, and enclose them.

    Args:
        best: an optimum in the L1 or L2 norm; some digits of its numbers must be right.
        digits: how many significant digits the enclosures shall have.

    Returns:
        The certificate.

    Raises:
        TypeError: if ``best`` is no ``Optimum``, or ``digits`` no integer.
        ValueError: if the norm is ``"sup"``, or ``digits`` is below 1.
        CertificationError: if a step fails; it says which, and what failed.
        NotImplementedError: if the weight or a fixed value has a part that is not evaluated in Arb.
    """
    if not isinstance(best, Optimum):
        raise TypeError(f"best must be an Optimum, got {best!r}")
    if best.criterion.norm == "sup":
        raise ValueError("norm is 'sup'; accepted are 'L1' and 'L2'")
    check_digits(digits)
    made = problem(best.family, best.criterion, best.fixed)
    if best.criterion.norm == "L1" and not best.points:
        raise CertificationError("claim", "no change of sign is claimed")
    norm = AbsoluteError(made, len(best.points)) if best.criterion.norm == "L1" else Squares(made)
    start = [*(float(best.parameters[p.name]) for p in made.free), *map(float, best.points)]
    with ctx.workprec(PROOF_BITS):
        around = polished(norm, start)
        box = prove_solution(norm, around)
        norm.prove_convex(around)
    kept = digits + GUARD_DIGITS // 2
    box = refine(norm, box, kept)
    with ctx.workprec(bits(kept + GUARD_DIGITS)):
        error = enclosure(norm.size(box), kept)
        parameters = [enclosure(p, kept) for p in norm.parameters(box)]
    count = len(made.free)
    return IntegralCertificate(
        family=made.family,
        criterion=made.criterion,
        digits=digits,
        fixed=by_name(made.fixed.keys(), made.fixed.values()),
        box=by_name(made.free, [enclosure(ball, GUARD_DIGITS) for ball in around[:count]]),
        parameters=by_name(made.family.symbols, parameters),
        error=error,
        points=tuple(enclosure(z, kept) for z in box[count:]),
    )


@dataclass(frozen=True)
class Squares:
    """Half the integral of w·r² over x > 0, as equations for its stationary points.

    Attributes:
        problem: the family, the criterion and the fixed parameters.
    """

    problem: Problem

    def __call__(self, unknowns: Box) -> tuple[Box, arb_mat]:
        """The first derivatives on a box of free parameters, and the second ones."""
        gradient = [self._integral(unknowns, (((), (j,)),)) for j in range(len(unknowns))]
        return gradient, self._second(unknowns)

    def parameters(self, unknowns: Box) -> Box:
        """All parameters of the family."""
        return complete(self.problem, unknowns)

    def prove_convex(self, unknowns: Box) -> None:
        """Prove that the integral is strictly convex in the parameters on a box.

        Raises:
            CertificationError: if it was not shown.
        """
        require_positive_definite(self._second(unknowns))

    def size(self, unknowns: Box) -> arb:
        """The L2 norm over the whole line."""
        return (2 * self._integral(unknowns, (((), ()),))).sqrt()

    def _second(self, unknowns: Box) -> arb_mat:
        return symmetric(
            {
                (i, j): self._integral(unknowns, (((i,), (j,)), ((), (i, j))))
                for i, j in pairs(self.problem)
            }
        )

    def _integral(self, unknowns: Box, terms: Terms) -> arb:
        parameters = self.parameters(unknowns)
        end, beyond = rest(self.problem, parameters, terms)
        return integral(self.problem, parameters, terms, arb(0), arb(end)) + beyond


@dataclass(frozen=True)
class AbsoluteError:
    """The integral of w·\\|r\\| over x > 0, as equations for its stationary points.

    Attributes:
        problem: the family, the criterion and the fixed parameters.
        zeros: how many zeros the error has on x > 0. They are unknowns besides the parameters.
    """

    problem: Problem
    zeros: int

    def __call__(self, unknowns: Box) -> tuple[Box, arb_mat]:
        """The first derivatives, and the error at its zeros, on a box; and all derivatives of both.

        They are those of the integral times the sign before the first zero, which is 1 or −1.
        """
        free, crossings = range(len(self.problem.free)), self._crossings(unknowns)
        gradient = [self._signed(unknowns, (j,)) for j in free]
        inner = symmetric({pair: self._signed(unknowns, pair) for pair in pairs(self.problem)})
        rows = [
            [
                *(inner[j, k] for k in free),
                *(2 * (-1) ** i * at.weight * at.tilts[j] for i, at in enumerate(crossings)),
            ]
            for j in free
        ]
        rows += [
            [*at.tilts, *(at.slope if i == k else arb(0) for k in range(self.zeros))]
            for i, at in enumerate(crossings)
        ]
        return [*gradient, *(at.error for at in crossings)], arb_mat(rows)

    def parameters(self, unknowns: Box) -> Box:
        """All parameters of the family."""
        return complete(self.problem, unknowns[: len(self.problem.free)])

    def prove_convex(self, unknowns: Box) -> None:
        """Prove the signs of the error, and that the integral is strictly convex, on a box.

        Raises:
            CertificationError: if it was not shown.
        """
        parameters = self.parameters(unknowns)
        places = [self._wherever(z, parameters) for z in self._places(unknowns)]
        unknowns = [*unknowns[: len(self.problem.free)], *places]
        crossings = self._crossings(unknowns)
        first = -1 if crossings[0].slope > 0 else 1
        prove_signs(self.problem, parameters, places, first)
        second = {pair: first * self._signed(unknowns, pair) for pair in pairs(self.problem)}
        for at in crossings:
            for j, k in second:
                second[j, k] += 2 * at.weight * at.tilts[j] * at.tilts[k] / abs(at.slope)
        require_positive_definite(symmetric(second))

    def size(self, unknowns: Box) -> arb:
        """The L1 norm over the whole line."""
        return 2 * abs(self._signed(unknowns, ()))

    def _wherever(self, place: arb, parameters: Box) -> arb:
        """A ball around a zero that is shown to hold one for every choice of the parameters."""
        curve = ErrorCurve(self.problem.family, self.problem.criterion.of)
        middle, radius = place.mid(), abs(place).upper() * arb(2) ** -BOX_BITS
        for _ in range(WIDENINGS):
            ball, radius = arb(middle, radius), 2 * radius
            error, slope = (
                curve.taylor(middle, parameters, 1)[0],
                curve.enclose(ball, parameters, 1),
            )
            image = middle - error / slope  # interval Newton, for all parameters at once
            if ball.contains_interior(image):
                return image
        raise CertificationError("solution", f"no zero is shown near x = {text(place)}")

    def _places(self, unknowns: Box) -> Box:
        return unknowns[len(self.problem.free) :]

    def _signed(self, unknowns: Box, entry: Entry) -> arb:
        """The integral of w times a derivative of r, with a change of sign at every zero."""
        parameters, terms = self.parameters(unknowns), ((entry,),)
        end, beyond = rest(self.problem, parameters, terms)
        ends = [arb(0), *self._places(unknowns), arb(end)]
        for i, (left, right) in enumerate(pairwise(ends)):
            beyond += (-1) ** i * integral(self.problem, parameters, terms, left, right)
        return beyond

    def _crossings(self, unknowns: Box) -> list[Crossing]:
        criterion, parameters = self.problem.criterion, self.parameters(unknowns)
        curve = ErrorCurve(self.problem.family, criterion.of)
        weight, by = compiled((X,), criterion.weight), tuple((p,) for p in self.problem.free)
        found = []
        for z in self._places(unknowns):
            (error, slope), *tilts = curve.jets(z, parameters, 2, ((), *by))
            found.append(Crossing(arb(weight(z)), error, slope, [tilt[0] for tilt in tilts]))
        return found


@dataclass(frozen=True)
class Crossing:
    """What is known at a zero of the error.

    Attributes:
        weight: the weight there.
        error: the error.
        slope: its derivative by x.
        tilts: its derivatives by the free parameters.
    """

    weight: arb
    error: arb
    slope: arb
    tilts: list[arb]


def complete(problem: Problem, free: Box) -> Box:
    """All parameters of a family, out of the free and the fixed ones."""
    return problem.complete(free, map(number, problem.fixed.values()))


def pairs(problem: Problem) -> list[Entry]:
    """The second derivatives by the free parameters, one of two that are equal."""
    return list(combinations_with_replacement(range(len(problem.free)), 2))


def symmetric(upper: Mapping[Entry, arb]) -> arb_mat:
    """The symmetric matrix with these entries on and above its diagonal."""
    count = range(1 + max(k for _, k in upper))
    return arb_mat([[upper[min(j, k), max(j, k)] for k in count] for j in count])


def require_positive_definite(matrix: arb_mat) -> None:
    """Require that every matrix of a matrix of balls is positive definite, by its leading minors.

    Raises:
        CertificationError: if it was not shown.
    """
    rows = matrix.tolist()
    for size in range(1, len(rows) + 1):
        if not arb_mat([row[:size] for row in rows[:size]]).det() > 0:
            raise CertificationError(
                "optimality", f"the second derivatives {rows} are not shown positive definite"
            )
