"""Step 1: the equations of the optimum have exactly one solution in a box.

For equations F = 0 and a box Z with the middle m, the interval Newton operator is
N(Z) = m − F′(Z)⁻¹F(m), where F′(Z) encloses the derivatives at all points of the box. By the mean
value theorem every solution in Z lies in N(Z). If N(Z) lies in the interior of Z, there is exactly
one. Applied again with more digits, it doubles the number of those that are proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import frexp

import sympy as sp
from sympy import Expr, oo

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import bits, compiled, number
from gelu_lib.certificates.engine.enclosures import Curve, ErrorCurve, error_curve, text
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.tanh_forms import TanhForm
from gelu_lib.precision import CANCELLED_BITS

MAX_STEPS = 20
"""How many steps Newton's method may take from a rough start."""

BOX_BITS = 40
"""How narrow the box around a polished start is, relatively, in bits."""

_SHOWN = 15
"""How many digits of a ball a refusal says: what is behind them depends on where a search began."""

_EXACT = 2**30
"""The accuracy of what is known exactly, in bits: more than is ever asked for."""

Box = list["flint.arb"]
System = Callable[[Box], tuple[Box, "flint.arb_mat"]]
"""Enclosures of the values of some functions, and of their derivatives, on a box."""


@dataclass(frozen=True)
class Equations:
    """The equations of an optimum: sᵢr(xᵢ) = E at every peak, and r′(xᵢ) = 0 where xᵢ is inside.

    With one peak more than there are free parameters these are as many as the unknowns. With one
    free parameter there may be a single peak, which is then stationary in p, too: ∂r(x)/∂p = 0.

    Attributes:
        problem: the family, the target, the criterion and the fixed parameters.
        signs: the sign of the error at each peak.
        held: the places of the peaks that are known, at an end of the interval, by their numbers.
            The last peak of a form of tanh may lie at ∞, where the limit of r takes its place.
    """

    problem: Problem
    signs: tuple[int, ...]
    held: Mapping[int, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        free, peaks = len(self.problem.free), len(self.signs)
        if peaks != free + 1 and not peaks == free == 1:
            raise CertificationError(
                "claim",
                f"{peaks} peaks; {free} free parameters need {free + 1}, and one may have a single",
            )

    @cached_property
    def curve(self) -> ErrorCurve:
        """The error curve of the problem."""
        return error_curve(self.problem)

    @property
    def inner(self) -> list[int]:
        """The numbers of the peaks whose places are unknown."""
        return [i for i in range(len(self.signs)) if i not in self.held]

    @property
    def infinite(self) -> bool:
        """Whether the last peak lies at infinity."""
        return oo in self.held.values()

    def parameters(self, unknowns: Box) -> Box:
        """All parameters of the family, out of the unknowns and the fixed ones."""
        free = unknowns[: len(self.problem.free)]
        return self.problem.complete(free, map(number, self.problem.fixed.values()))

    def level(self, unknowns: Box) -> flint.arb:
        """The unknown that is the size of the error."""
        return unknowns[len(self.problem.free)]

    def places(self, unknowns: Box) -> Box:
        """The finite places of the peaks, in their order."""
        found = iter(unknowns[len(self.problem.free) + 1 :])
        finite = (i for i in range(len(self.signs)) if self.held.get(i) != oo)
        return [number(self.held[i]) if i in self.held else next(found) for i in finite]

    def at_infinity(self, unknowns: Box) -> Box:
        """The limit of the error of a form of tanh, and its derivatives by the parameters."""
        return [
            flint.arb(value) for value in _limits(self.problem.family)(*self.parameters(unknowns))
        ]

    def __call__(self, unknowns: Box) -> tuple[Box, flint.arb_mat]:
        """The residuals on a box of unknowns p, E, xᵢ, and their derivatives."""
        free, single, inner = self.problem.free, len(self.signs) == 1, self.inner
        by = ((), *((p,) for p in free), *([(free[0], free[0])] if single else []))
        parameters, level = self.parameters(unknowns), self.level(unknowns)
        residuals, rows = [], []
        for i, x in enumerate(self.places(unknowns)):
            jets = self.curve.jets(x, parameters, 3, by)
            (error, slope, half_curvature), gradients = jets[0], jets[1 : len(free) + 1]
            sign, here = self.signs[i], [flint.arb(i == j) for j in inner]
            residuals.append(sign * error - level)
            rows.append(
                [
                    *(sign * g[0] for g in gradients),
                    flint.arb(-1),
                    *(sign * slope * h for h in here),
                ]
            )
            if i in self.held:
                continue
            residuals.append(slope)
            rows.append(
                [*(g[1] for g in gradients), flint.arb(0), *(2 * half_curvature * h for h in here)]
            )
            if single:
                residuals.append(gradients[0][0])
                rows.append([jets[2][0], flint.arb(0), gradients[0][1]])
        if self.infinite:
            sign, (limit, *slopes) = self.signs[-1], self.at_infinity(unknowns)
            residuals.append(sign * limit - level)
            rows.append(
                [*(sign * slope for slope in slopes), flint.arb(-1), *([flint.arb(0)] * len(inner))]
            )
        return residuals, flint.arb_mat(rows)


@lru_cache
def _limits(form: TanhForm) -> Callable[..., list[flint.arb]]:
    limit = (1 - form.limit) / 2
    symbols = form.symbols
    return compiled(symbols, [limit, *(sp.diff(limit, p) for p in symbols)])


def stationary(curve: Curve, parameters: Sequence[flint.arb] = ()) -> System:
    """The equation r′(x) = 0 of a function with given parameters, in the one unknown x."""

    def slope(unknowns: Box) -> tuple[Box, flint.arb_mat]:
        _, slope, half_curvature = curve.taylor(unknowns[0], parameters, 3)
        return [slope], flint.arb_mat([[2 * half_curvature]])

    return slope


def newton_image(system: System, box: Box) -> Box:
    """The interval Newton operator: a box with every solution that the given box contains.

    Args:
        system: the equations.
        box: enclosures of the unknowns.

    Returns:
        The image; it need not lie in the box.

    Raises:
        CertificationError: if the derivatives on the box are not shown to be invertible.
    """
    middle = [ball.mid() for ball in box]
    residuals, _ = system(middle)
    with flint.ctx.workprec(min(accuracy(box), flint.ctx.prec) + CANCELLED_BITS):
        _, derivatives = system(box)
        try:
            steps = derivatives.solve(flint.arb_mat([[residual] for residual in residuals]))
        except ZeroDivisionError:
            raise CertificationError(
                "solution", f"the derivatives may be singular on a box around {_text(box)}"
            ) from None
    return [m - step for m, step in zip(middle, steps.entries(), strict=True)]


def polished(system: System, start: Sequence[float], sizes: Sequence[float] = ()) -> Box:
    """Newton's method from a rough start, and a box around what it found; nothing is proved.

    Args:
        system: the equations.
        start: unknowns near a solution.
        sizes: what the accuracy of each unknown is measured by; its own size if there are none,
            which must not be 0.

    Returns:
        A box in which a solution is likely.

    Raises:
        CertificationError: if the derivatives become singular, or the steps do not become small.
    """
    unknowns = [flint.arb(value) for value in start]
    for _ in range(MAX_STEPS):
        before, unknowns = unknowns, [ball.mid() for ball in newton_image(system, unknowns)]
        scales = map(flint.arb, sizes) if sizes else map(abs, unknowns)
        pairs = zip(unknowns, scales, strict=True)
        box = [flint.arb(value, scale * flint.arb(2) ** -BOX_BITS) for value, scale in pairs]
        if all(ball.contains(value) for ball, value in zip(box, before, strict=True)):
            return box
    raise CertificationError("solution", f"Newton's method does not settle near {_text(unknowns)}")


def prove_solution(system: System, box: Box) -> Box:
    """Prove that the equations have exactly one solution in a box.

    Returns:
        A smaller box with that solution.

    Raises:
        CertificationError: if there is none, or it was not shown.
    """
    image = newton_image(system, box)
    if all(ball.contains_interior(new) for ball, new in zip(box, image, strict=True)):
        return image
    for ball, new in zip(box, image, strict=True):
        if not ball.overlaps(new):
            raise CertificationError(
                "solution",
                f"there is none in the box around {_text(box)}; {ball.str(_SHOWN)} is claimed "
                f"where only {new.str(_SHOWN)} could be",
            )
    raise CertificationError("solution", f"none is shown in the box around {_text(box)}")


def refine(system: System, box: Box, digits: int, sizes: Sequence[float] = ()) -> Box:
    """A smaller box with the solution that a box is known to contain.

    Args:
        system: the equations.
        box: a box with exactly one solution.
        digits: how many significant digits every unknown shall have.
        sizes: what they count from, as ``polished`` has it.

    Returns:
        The box.

    Raises:
        CertificationError: if the steps stop before so many digits are reached.
    """
    wanted = bits(digits)
    while (reached := accuracy(box, sizes)) < wanted:
        with flint.ctx.workprec(min(2 * reached, wanted) + 2 * CANCELLED_BITS):
            image = newton_image(system, box)
            box = [ball.intersection(new) for ball, new in zip(box, image, strict=True)]
        if accuracy(box, sizes) <= reached:
            raise CertificationError("digits", f"the steps stop at {reached} bits, not {wanted}")
    return box


def accuracy(box: Sequence[flint.arb], sizes: Sequence[float] = ()) -> int:
    """How many bits of every number of a box are known, from its own size or a given one on."""
    if not sizes:
        return max(2, min(ball.rel_accuracy_bits() for ball in box))
    return max(2, min(_bits_below(s, ball.rad()) for s, ball in zip(sizes, box, strict=True)))


def _bits_below(size: float, radius: flint.arb) -> int:
    """The binary logarithm of a size over a radius, rounded down."""
    if radius == 0:
        return _EXACT
    mantissa, exponent = radius.man_exp()
    return frexp(size)[1] - 1 - (int(mantissa).bit_length() + int(exponent))


def _text(box: Box) -> str:
    return "(" + ", ".join(text(ball) for ball in box) + ")"
