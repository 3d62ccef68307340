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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.best.integrals import Entry, Terms, integral, rest
from gelu_lib.certificates.best.results import NEARBY, Best
from gelu_lib.certificates.best.signs import prove_signs
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, number
from gelu_lib.certificates.engine.enclosures import ErrorCurve, text
from gelu_lib.certificates.engine.solutions import (
    BOX_BITS,
    Box,
    polished,
    prove_solution,
    refine,
)
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.begin import begin
from gelu_lib.fits.criteria import Criterion, Problem, by_name, problem
from gelu_lib.fits.exchange import grid
from gelu_lib.fits.grid import Grid
from gelu_lib.fits.start import Start
from gelu_lib.functions.families import Approximant, Value
from gelu_lib.functions.forms import Form, right_limit
from gelu_lib.functions.targets import TARGETS, Target, target_of
from gelu_lib.precision import ENCLOSED_DIGITS, INTEGRAL_DIGITS, PROOF_BITS, check_digits

INTEGRALS = ("L1", "L2")
"""The norms that are integrals."""

BOX_DIGITS = 20
"""The digits of the ends of a box; it is some 1e-12 wide."""

WIDENINGS = 20
"""How often a ball around a zero is doubled until it holds the zeros for all parameters."""


def least_integral(
    family: Approximant,
    target: Target | str = "Phi",
    fixed: Mapping[str, Value] | None = None,
    digits: int | None = None,
    weight: Expr = sp.S.One,
    norm: str = "L2",
) -> Start | Best:
    """The member of a family with the least L1 or L2 norm of the error over the line.

    Without ``digits`` it is found in double precision, and nothing is proved of it. With them the
    equations of the optimum are solved in balls from there, and what is returned is proved to be
    the best of all near it: of the parameters in its ``box`` no others are as good.

    Args:
        family: a family; with ``digits``, one of ``odd_logistic``.
        target: what is approximated; with ``digits``, one of ``targets.TARGETS``.
        fixed: the values of parameters that are not free, by name; see ``families.exact_value``.
        digits: how many significant digits of every number shall be proved; without it, none.
        weight: the weight under the integral, a positive even function of ``X``; with ``digits``,
            one that does not grow for x > 0.
        norm: ``"L1"`` or ``"L2"``; see ``gelu_lib.fits.criteria``.

    Returns:
        A ``Start`` without ``digits``, a ``Best`` with them. For L1 its points are the x > 0 where
        the error is 0.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if an argument is not accepted, or no parameter is free.
        StartError, NotAnOptimumError: as ``gelu_lib.fits.begin.begin``.
        CertificationError: if a step of the proof fails; nothing is returned then.

    Example:
        >>> from gelu_lib import LOGISTIC
        >>> from gelu_lib.certificates.best.least_integrals import least_integral
        >>> best = least_integral(LOGISTIC, digits=20)
        >>> best.parameters["p1"].n(12), best.optimal
        (1.70099134833, 'among all nearby')
    """
    made = problem(family, target, _criterion(norm, weight), fixed)
    if digits is None:
        return begin(made)
    check_digits(digits)
    equations, around, box = _proved(made)
    kept = digits + ENCLOSED_DIGITS
    box = refine(equations, box, kept)
    with flint.ctx.workprec(bits(kept + INTEGRAL_DIGITS)):
        error = enclosure(equations.size(box), kept)
        parameters = [enclosure(p, kept) for p in equations.parameters(box)]
    free = len(made.free)
    return Best(
        family=family,
        parameters=by_name(family.symbols, parameters),
        problem=made,
        digits=digits,
        error=error,
        points=tuple(enclosure(z, kept) for z in box[free:]),
        optimal=NEARBY,
        box=by_name(made.free, map(_inside, around[:free])),
    )


def integral_norm(
    form: Form,
    target: Target | str = "Phi",
    digits: int = 16,
    weight: Expr = sp.S.One,
    norm: str = "L2",
) -> Enclosure:
    """The L1 or L2 norm of the error of a form over the line, enclosed.

    Args:
        form: a member of a family of ``odd_logistic`` that tends to 1 at +∞.
        target: what is approximated, one of ``targets.TARGETS``.
        digits: how many significant digits the enclosure shall have.
        weight: the weight under the integral, as ``least_integral`` has it.
        norm: ``"L1"`` or ``"L2"``.

    Returns:
        The enclosure.

    Raises:
        TypeError: if ``form`` is none of such a family, or ``digits`` no integer.
        WrongLimitError: if it has another limit.
        ValueError: if another argument is not accepted.
        CertificationError: if the norm is not enclosed.

    Example:
        >>> from gelu_lib import tanh_form
        >>> from gelu_lib.certificates.best.least_integrals import integral_norm
        >>> integral_norm(tanh_form(), "GELU").n(12)
        0.000697555352231
    """
    check_digits(digits)
    exact = right_limit(form)
    made = Problem(form.family, target_of(target), _criterion(norm, weight), exact)
    equations, _, zeros = _solved(made, Grid(made, grid(made)).points([])[0])
    kept = digits + ENCLOSED_DIGITS
    zeros = refine(equations, zeros, kept) if zeros else zeros
    with flint.ctx.workprec(bits(kept + INTEGRAL_DIGITS)):
        return enclosure(equations.size(zeros), kept)


def _inside(ball: flint.arb) -> Enclosure:
    """Ends within a ball of ``BOX_BITS``, of which all that is said of the ball holds."""
    return enclosure(flint.arb(ball.mid(), ball.rad() / 2), BOX_DIGITS)


def _criterion(norm: str, weight: Expr) -> Criterion:
    if norm not in INTEGRALS:
        raise ValueError(f"norm must be one of {INTEGRALS}, got {norm!r}")
    return Criterion(norm, weight)


@lru_cache(maxsize=256)
def _proved(made: Problem) -> tuple[Squares | AbsoluteError, Box, Box]:
    """What is proved of a problem once, whatever digits are asked for; see ``_solved``."""
    begun = begin(made)
    return _solved(made, [*begun.free, *begun.points])


def _solved(made: Problem, start: Sequence[float]) -> tuple[Squares | AbsoluteError, Box, Box]:
    """The equations of a problem, a box where its norm is convex, and a solution in it."""
    if not getattr(made.family, "is_odd_logistic", False) or made.target not in TARGETS.values():
        raise ValueError(
            f"the integrals over the line for {made.family.name} and {made.target} are not proved; "
            f"accepted are families of odd_logistic and the targets {tuple(TARGETS)}"
        )
    if not made.weight.is_positive:
        raise ValueError(f"weight is {made.weight}, which is not known to be positive")
    equations = AbsoluteError(made) if made.criterion.norm == "L1" else Squares(made)
    with flint.ctx.workprec(PROOF_BITS):
        around = polished(equations, start) if len(start) else []
        box = prove_solution(equations, around) if around else []
        equations.prove_convex(around)
    return equations, around, box


@dataclass(frozen=True)
class Norm:
    """An integral over x > 0, as equations for its stationary points.

    Attributes:
        problem: the family, the target, the criterion and the fixed parameters.
    """

    problem: Problem

    def parameters(self, unknowns: Box) -> Box:
        """All parameters of the family, out of the unknowns and the fixed ones."""
        free = unknowns[: len(self.problem.free)]
        return self.problem.complete(free, map(number, self.problem.fixed.values()))

    def second(self, entry: Callable[[int, int], flint.arb]) -> flint.arb_mat:
        """The symmetric matrix of second derivatives by the free parameters, of one each."""
        free = range(len(self.problem.free))
        upper = {(j, k): entry(j, k) for j, k in combinations_with_replacement(free, 2)}
        return flint.arb_mat([[upper[min(j, k), max(j, k)] for k in free] for j in free])


class Squares(Norm):
    """Half the integral of w·r² over x > 0."""

    def __call__(self, unknowns: Box) -> tuple[Box, flint.arb_mat]:
        """The first derivatives on a box of free parameters, and the second ones."""
        gradient = [self.total(unknowns, (((), (j,)),)) for j in range(len(unknowns))]
        return gradient, self._second(unknowns)

    def prove_convex(self, unknowns: Box) -> None:
        """Prove that the integral is strictly convex in the parameters on a box.

        Raises:
            CertificationError: if it was not shown.
        """
        require_positive_definite(self._second(unknowns))

    def size(self, unknowns: Box) -> flint.arb:
        """The L2 norm over the whole line."""
        return (2 * self.total(unknowns, (((), ()),))).sqrt()

    def _second(self, unknowns: Box) -> flint.arb_mat:
        return self.second(lambda j, k: self.total(unknowns, (((j,), (k,)), ((), (j, k)))))

    def total(self, unknowns: Box, terms: Terms) -> flint.arb:
        """The integral of w times a sum of products, on a box of free parameters."""
        parameters = self.parameters(unknowns)
        end, beyond = rest(self.problem, parameters, terms)
        return integral(self.problem, parameters, terms, flint.arb(0), flint.arb(end)) + beyond


class AbsoluteError(Norm):
    """The integral of w·\\|r\\| over x > 0; the zeros of r are unknowns besides the parameters."""

    def __call__(self, unknowns: Box) -> tuple[Box, flint.arb_mat]:
        """The first derivatives, and w·r at its zeros, on a box; and all derivatives of both.

        They are those of the integral times the sign before the first zero, which is 1 or −1.
        """
        free, crossings = range(len(self.problem.free)), self._crossings(unknowns)
        gradient = [self._signed(unknowns, (j,)) for j in free]
        inner = self.second(lambda *pair: self._signed(unknowns, pair))
        rows = [
            [
                *(inner[j, k] for k in free),
                *(2 * (-1) ** i * at.tilts[j] for i, at in enumerate(crossings)),
            ]
            for j in free
        ]
        rows += [
            [*at.tilts, *(at.slope if other is at else flint.arb(0) for other in crossings)]
            for at in crossings
        ]
        return [*gradient, *(at.error for at in crossings)], flint.arb_mat(rows)

    def prove_convex(self, unknowns: Box) -> None:
        """Prove the signs of the error, and that the integral is strictly convex, on a box.

        Raises:
            CertificationError: if it was not shown.
        """
        parameters = self.parameters(unknowns)
        places = [self._wherever(z, parameters) for z in self._places(unknowns)]
        unknowns = [*unknowns[: len(self.problem.free)], *places]
        crossings = self._crossings(unknowns)
        # with no zero, the sign is that at 1
        before = -crossings[0].slope if crossings else self._curve.at(flint.arb(1), parameters)
        first = 1 if before > 0 else -1
        prove_signs(self.problem, parameters, places, first)

        def second(j: int, k: int) -> flint.arb:
            jumps = (2 * at.tilts[j] * at.tilts[k] / abs(at.slope) for at in crossings)
            return first * self._signed(unknowns, (j, k)) + sum(jumps, flint.arb(0))

        require_positive_definite(self.second(second))

    def size(self, unknowns: Box) -> flint.arb:
        """The L1 norm over the whole line."""
        return 2 * abs(self._signed(unknowns, ()))

    @cached_property
    def _curve(self) -> ErrorCurve:
        return ErrorCurve(self.problem)

    def _wherever(self, place: flint.arb, parameters: Box) -> flint.arb:
        """A ball around a zero that is shown to hold one for every choice of the parameters."""
        middle, radius = place.mid(), abs(place).upper() * flint.arb(2) ** -BOX_BITS
        error = self._curve.taylor(middle, parameters, 1)[0]
        for _ in range(WIDENINGS):
            ball, radius = flint.arb(middle, radius), 2 * radius
            # interval Newton, for all parameters at once
            image = middle - error / self._curve.enclose(ball, parameters, 1)
            if ball.contains_interior(image):
                return image
        raise CertificationError("solution", f"no zero is shown near x = {text(place)}")

    def _places(self, unknowns: Box) -> Box:
        return unknowns[len(self.problem.free) :]

    def _signed(self, unknowns: Box, entry: Entry) -> flint.arb:
        """The integral of w times a derivative of r, with a change of sign at every zero."""
        parameters, terms = self.parameters(unknowns), ((entry,),)
        end, beyond = rest(self.problem, parameters, terms)
        ends = [flint.arb(0), *self._places(unknowns), flint.arb(end)]
        for i, (left, right) in enumerate(pairwise(ends)):
            beyond += (-1) ** i * integral(self.problem, parameters, terms, left, right)
        return beyond

    def _crossings(self, unknowns: Box) -> list[Crossing]:
        parameters, by = self.parameters(unknowns), tuple((p,) for p in self.problem.free)
        found = []
        for z in self._places(unknowns):
            (error, slope), *tilts = self._curve.jets(z, parameters, 2, ((), *by))
            found.append(Crossing(error, slope, [tilt[0] for tilt in tilts]))
        return found


@dataclass(frozen=True)
class Crossing:
    """What is known of w·r at a zero.

    Attributes:
        error: its value.
        slope: its derivative by x.
        tilts: its derivatives by the free parameters.
    """

    error: flint.arb
    slope: flint.arb
    tilts: list[flint.arb]


def require_positive_definite(matrix: flint.arb_mat) -> None:
    """Require that every matrix of a matrix of balls is positive definite, by its leading minors.

    Raises:
        CertificationError: if it was not shown.
    """
    rows = matrix.tolist()
    for size in range(1, len(rows) + 1):
        if not flint.arb_mat([row[:size] for row in rows[:size]]).det() > 0:
            raise CertificationError(
                "optimality", f"the second derivatives {rows} are not shown positive definite"
            )
