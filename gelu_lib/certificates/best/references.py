"""References: n + 1 points at which errors of given signs forbid that all are smaller.

*Families with an increasing link.* Let the weighted error wc(T − L(u)) have the signs sᵢ at n + 1
points, wc not 0 there, with the sign σᵢ. If v is another combination of the n terms tⱼ whose error
is smaller than that of u at all these points, then sᵢσᵢ(L(v) − L(u)) > 0 there. As L increases,
sᵢσᵢ(v − u)(xᵢ) > 0. Now let the vectors sᵢσᵢ(t₁, …, tₙ)(xᵢ) cancel with positive multipliers. The
products of these vectors with the coefficients of v − u are positive, and with the multipliers
their sum is 0, which cannot be. If the errors are not larger instead of smaller, all products are
0, and v = u, because any n of the vectors are independent. For powers of x the multipliers are
positive where the signs alternate (``alternation-any-degree``); the theorem asks for no more than
their signs.

*Rationals.* If the denominator is positive and the signs alternate at m + n + 2 points, no other
rational of these degrees has errors as small there (Achieser): the difference of two has a
numerator of degree m + n at most, which would have as many zeros and one more, double ones counted
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch

from sympy import Expr, oo

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import compiled
from gelu_lib.certificates.engine.multipliers import cancel_positively
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem, alternating
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Approximant, Family, RationalFamily


@singledispatch
def prove_reference(
    family: Approximant,
    problem: Problem,
    parameters: Sequence[flint.arb],
    places: Sequence[flint.arb],
    signs: Sequence[int],
) -> None:
    """Prove that no other member has errors as small as some member at all of some places.

    Args:
        family: the family of the problem, by whose class the argument is chosen.
        problem: the problem.
        parameters: enclosures of all parameters of the member.
        places: enclosures of increasing places.
        signs: the signs of its errors there.

    Raises:
        CertificationError: if a hypothesis does not hold or was not shown.
    """
    raise CertificationError("optimality", f"no theorem is known for {family.name}")


@prove_reference.register(Family)
def _(
    family: Family,
    problem: Problem,
    parameters: Sequence[flint.arb],
    places: Sequence[flint.arb],
    signs: Sequence[int],
) -> None:
    free = [family.symbols.index(symbol) for symbol in problem.free]
    terms = compiled((X,), [problem.seen(family.terms[j], "term") for j in free])
    rows = [
        [s * flint.arb(t) for t in terms(x)]
        for x, s in zip(places, _signs_of_difference(problem, places, signs), strict=True)
    ]
    if len(rows) != len(free) + 1 or not cancel_positively(rows):
        raise CertificationError(
            "optimality", f"no positive multipliers are shown at the points {places}"
        )
    lowest = family.link.lowest
    if lowest > -oo:
        above = _function(problem, family.argument - lowest)
        if not all(flint.arb(above(x, *parameters)) > 0 for x in places):
            raise CertificationError("optimality", f"the link may be below {lowest} at a point")


@prove_reference.register(RationalFamily)
def _(
    family: RationalFamily,
    problem: Problem,
    parameters: Sequence[flint.arb],
    places: Sequence[flint.arb],
    signs: Sequence[int],
) -> None:
    if problem.fixed:
        raise CertificationError("optimality", "fixed coefficients of a rational have no theorem")
    if family.power % 2 == 0 and problem.ends[0] < 0:
        raise CertificationError("optimality", f"x^{family.power} is the same at x and at −x")
    signed = _signs_of_difference(problem, places, signs)
    if not alternating(signed, len(problem.free) + 1):
        raise CertificationError("optimality", f"the signs {signed} do not alternate")
    below = _function(problem, family.parts[1])
    if not all(flint.arb(below(x, *parameters)) > 0 for x in places):
        raise CertificationError("optimality", "the denominator may not be positive at a point")


def _function(problem: Problem, part: Expr) -> Callable[..., flint.arb]:
    return compiled((X, *problem.family.symbols), problem.seen(part, "the family"))


def _signs_of_difference(
    problem: Problem, places: Sequence[flint.arb], signs: Sequence[int]
) -> list[int]:
    """The signs of T − F at some places, where wc is not 0, out of those of the errors."""
    if problem.target.derivative:
        raise CertificationError("optimality", "the argument does not cover a derivative")
    size = compiled((X,), problem.weight * problem.parts[1])
    values = [flint.arb(size(x)) for x in places]
    if any(value.contains(0) for value in values):
        raise CertificationError("optimality", "the weight or the factor may be 0 at a point")
    return [s if value > 0 else -s for s, value in zip(signs, values, strict=True)]
