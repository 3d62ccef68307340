"""That no polynomial of a degree passes through given gates, by one divided difference.

Let x₀ < … < xₙ be n + 1 places and wᵢ = 1/∏ⱼ≠ᵢ(xᵢ − xⱼ). The divided difference Σ wᵢq(xᵢ) of a
polynomial q of degree less than n is 0. If every q(xᵢ) with a positive weight is at least lᵢ, and
every one with a negative weight at most uᵢ, the sum is at least Σ wᵢlᵢ + Σ wᵢuᵢ over these; so a
positive bound is a contradiction. The same holds with all signs changed. The weights are exact, the
bounds are balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gelu_lib._extras import flint
from gelu_lib.certificates.errors import CertificationError

Bounds = tuple["flint.arb | None", "flint.arb | None"]
"""What a polynomial is at least and at most at a place; ``None`` where nothing is asked."""


def weights(places: Sequence[Fraction]) -> list[Fraction]:
    """The weights of a divided difference.

    Args:
        places: different rational numbers.

    Raises:
        ValueError: if two are equal.
    """
    if len(set(places)) != len(places):
        raise ValueError(f"places are {list(places)}; accepted are different numbers")
    found = []
    for i, x in enumerate(places):
        product = Fraction(1)
        for other in (*places[:i], *places[i + 1 :]):
            product *= x - other
        found.append(1 / product)
    return found


def prove_impassable(places: Sequence[Fraction], bounds: Sequence[Bounds]) -> flint.arb:
    """Prove that no polynomial of degree n − 1 or less keeps to bounds at n + 1 places.

    Args:
        places: n + 1 different rational numbers, at least two.
        bounds: what the polynomial shall be at least and at most at each of them.

    Returns:
        How far the divided difference of such a polynomial would be from 0, a positive number.

    Raises:
        ValueError: if two places are equal, or there are fewer than two, or not as many bounds.
        CertificationError: if the bounds were not shown to contradict each other.
    """
    if len(places) < 2 or len(places) != len(bounds):
        raise ValueError(
            f"{len(places)} places and {len(bounds)} bounds; accepted are as many, ≥ 2"
        )
    least = _least(weights(places), bounds)
    if least is None or not least > 0:
        most = _least([-weight for weight in weights(places)], bounds)
        if most is None or not most > 0:
            raise CertificationError("claim", f"the divided difference may be 0: {least}, {most}")
        return most
    return least


def _least(factors: Sequence[Fraction], bounds: Sequence[Bounds]) -> flint.arb | None:
    """What the weighted sum is at least; ``None`` if a bound that it needs is not asked for."""
    total = flint.arb(0)
    for factor, (low, high) in zip(factors, bounds, strict=True):
        bound = low if factor > 0 else high
        if bound is None:
            return None
        total += flint.fmpq(factor.numerator, factor.denominator) * bound
    return total
