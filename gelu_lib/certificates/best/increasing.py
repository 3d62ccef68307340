r"""The best member of degree 7 that does not fall anywhere, in the sup norm of the error of Φ.

Let Φ̂ = σ(p) with p′(x) = a·(x² − t²)²·(x² + c) and a, t, c > 0: p increases, and p′ has a
double zero at t. Suppose that the error is largest at four points x₁ < … < x₄, where it is sᵢE
with sᵢ = ±1, and let q be any other odd polynomial of degree 7 with q′ ≥ 0 and an error of at
most E. Write d for q − p. Since Φ − σ(p) falls where p grows, sᵢd(xᵢ) ≥ 0; and d′(t) = q′(t) ≥ 0.
These are five linear functions of the four coefficients of d. If they cancel with positive
multipliers, none of them is positive, so that d(xᵢ) = 0 at all four points. But an odd
polynomial with four powers has at most three positive zeros (Descartes' rule of signs), unless
d = 0. So p alone has the least error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import ClassVar

from sympy import Expr, Symbol

from gelu_lib._extras import flint
from gelu_lib.certificates.best.results import GLOBAL, Best
from gelu_lib.certificates.best.tails import tail_bound
from gelu_lib.certificates.best.theorem import prove_best
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled
from gelu_lib.certificates.engine.multipliers import cancel_positively
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem, by_name, problem
from gelu_lib.functions.families import odd_logistic
from gelu_lib.precision import ENCLOSED_DIGITS

FAMILY = odd_logistic(7)
"""The polynomials of degree 7, whether they fall or not."""


@dataclass(frozen=True)
class IncreasingSeptic:
    """Φ̂ = σ(p) with p′(x) = a·(x² − t²)²·(x² + c): p touches at t what would be a fall.

    The best one has a proof of its own, which says that no other member of ``FAMILY`` that does not
    fall is as good. The function ``coefficients`` turns its parameters to p1, …, p7.

    Example:
        >>> from gelu_lib import minimax
        >>> from gelu_lib.certificates.best.increasing import INCREASING
        >>> best = minimax(INCREASING, digits=10)
        >>> best.optimal, best.error.n(8), best.parameters["t"].n(8)
        ('global among those that do not fall', 1.9308693e-5, 12.111895)
    """

    symbols: ClassVar[tuple[Symbol, ...]] = tuple(Symbol(name, positive=True) for name in "atc")
    near: ClassVar[Mapping[str, float]] = MappingProxyType({"a": 1e-5, "t": 12.0, "c": 7.0})
    name: ClassVar[str] = "σ(p), p of degree 7 and not falling"

    @property
    def coefficients(self) -> tuple[Expr, ...]:
        """The coefficients of p, in the order of ``FAMILY``."""
        a, t, c = self.symbols
        return a * t**4 * c, a * (t**4 - 2 * t**2 * c) / 3, a * (c - 2 * t**2) / 5, a / 7

    @cached_property
    def expression(self) -> Expr:
        """Φ̂ in ``expressions.X`` and ``symbols``."""
        pairs = zip(FAMILY.symbols, self.coefficients, strict=True)
        return FAMILY.expression.xreplace(dict(pairs))


INCREASING = IncreasingSeptic()
"""The family, for ``minimax``."""


def coefficients(best: Best) -> Mapping[str, Enclosure]:
    """Enclosures of p1, …, p7 of a best member of ``INCREASING``, by name."""
    family, kept = best.family, best.digits + ENCLOSED_DIGITS
    with flint.ctx.workprec(bits(kept)):
        values = _coefficients(family)(*(number.ball for number in best.parameters.values()))
        return by_name(FAMILY.symbols, [enclosure(flint.arb(value), kept) for value in values])


@cache
def _coefficients(family: IncreasingSeptic) -> Callable[..., Box]:
    return compiled(family.symbols, list(family.coefficients))


@tail_bound.register(IncreasingSeptic)
def _(
    family: IncreasingSeptic, made: Problem, parameters: Sequence[flint.arb], end: float
) -> flint.arb:
    values = _coefficients(family)(*parameters)
    plain = problem(FAMILY, made.target, made.criterion)
    return tail_bound(FAMILY, plain, list(map(flint.arb, values)), end)


@prove_best.register(IncreasingSeptic)
def _(family: IncreasingSeptic, equations: Equations, box: Box, end: float) -> tuple[str, None]:
    if equations.problem != problem(family):
        raise CertificationError("optimality", "only the plain error of Φ on the line has a proof")
    a, t, c = equations.parameters(box)
    if not (a > 0 and t > 0 and c > 0):
        raise CertificationError("claim", f"a, t and c are not all positive in {[a, t, c]}")
    prove_least(t, equations.places(box), equations.signs)
    return f"{GLOBAL} among those that do not fall", None


def prove_least(touch: flint.arb, places: Box, signs: Sequence[int]) -> None:
    """Prove that the five linear functions of the difference cancel with positive multipliers.

    Args:
        touch: where p′ is 0.
        places: the four places where the error is largest.
        signs: its signs there.

    Raises:
        CertificationError: if it was not shown, or the places do not increase from 0 on.
    """
    exponents = FAMILY.exponents
    rows = [[sign * x**n for n in exponents] for x, sign in zip(places, signs, strict=True)]
    rows.append([n * touch ** (n - 1) for n in exponents])
    if not cancel_positively(rows):
        raise CertificationError("optimality", "the multipliers are not all positive")
    if not all(a < b for a, b in zip([flint.arb(0), *places], places, strict=False)):
        raise CertificationError("optimality", "the points are not positive and increasing")
