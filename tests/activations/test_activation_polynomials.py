"""The errors that ``coefficients`` states for its polynomials, proved on whole intervals by Arb.

On a piece of radius r about m, p − f is at most the sum of its Taylor terms at m below order n, and
r**n times what its n-th coefficient can be anywhere on the piece. Pieces are halved until it is
below the stated error times f.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flint import arb, arb_series, ctx
from kinds import slow_but

from gelu_lib.activations import coefficients as c

SOURCE = Path(c.__file__).read_text(encoding="utf-8")
ORDER = 12
BITS = 150
FAR = 40.0
AROUND = 2.0**-7  # about the zero of the slope
SMALLEST = 2.0**-16  # a piece that is no longer halved

Series = Callable[[arb_series], arb_series]


def ratio(a: arb_series) -> arb_series:
    """Φ(−a)·exp(a²/2)."""
    return (a / arb(2).sqrt()).erfc() * (a * a / 2).exp() / 2


def balance(a: arb_series) -> arb_series:
    """GELU′(−a)·exp(a²/2)."""
    return ratio(a) - a / (2 * arb.pi()).sqrt()


def polynomial(coefficients: tuple[float, ...], t: arb_series) -> arb_series:
    total = arb_series([arb(coefficients[0])])
    for coefficient in coefficients[1:]:
        total = total * t + arb(coefficient)
    return total


def mapped(a: arb_series) -> arb_series:
    return (a - c.POLE) / (a + c.POLE)


def zero() -> arb:
    """A ball about a₀; that a₀ lies in it is tested below."""
    return arb(c.GELU_ZERO[0]) + arb(c.GELU_ZERO[1]) + arb(0, 2.0**-105)


# Each polynomial with its constant, what it approximates, and where, as functions of a.
CASES: dict[str, tuple[Series, Series, float, float]] = {
    "FAR_RATIO": (
        lambda a: polynomial(c.FAR_RATIO, 1 / (a * a)) + arb(c.DENSITY_AT_0),
        lambda a: a * ratio(a),
        c.TABLE_END,
        FAR,
    ),
    "NEAR_SLOPE": (
        lambda a: polynomial(c.NEAR_SLOPE, mapped(a)),
        lambda a: balance(a) / (a - zero()),
        0.0,
        c.TABLE_END,
    ),
    "NARROW_SLOPE": (
        lambda a: polynomial(c.NARROW_SLOPE, 1 / (a + c.NARROW_POLE)),
        lambda a: balance(a) / (a - zero()),
        0.0,
        c.TABLE_END,
    ),
}


def stated(name: str) -> float:
    """The binary exponent of the error that the docstring of a polynomial states."""
    text = SOURCE[SOURCE.index(f"\n{name} = ") :]
    return float(re.search(r"relative error is\s+2\*\*(-[\d.]+)\.\s", text)[1])


def piece_is_good(p: Series, f: Series, low: float, high: float, limit: arb) -> bool:
    middle, radius = (arb(low) + arb(high)) / 2, (arb(high) - arb(low)) / 2
    at_middle = [g(arb_series([middle, 1])) for g in (p, f)]
    anywhere = [g(arb_series([middle + arb(0, 1) * radius, 1])) for g in (p, f)]
    return bounded(at_middle, anywhere, radius, limit)


def bounded(at_middle: list, anywhere: list, radius: arb, limit: arb) -> bool:
    difference = at_middle[0] - at_middle[1]
    error = abs(anywhere[0][ORDER] - anywhere[1][ORDER]) * radius**ORDER
    for k in range(ORDER):
        error += abs(difference[k]) * radius**k
    return bool(error < limit * abs(anywhere[1][0]))


def slope_is_good_around_its_zero(p: Series, radius: float, limit: arb) -> bool:
    """The same on [a₀ − radius, a₀ + radius], where balance(a)/(a − a₀) is a shifted series."""
    places = [arb_series([zero(), 1]), arb_series([zero() + arb(0, radius), 1])]
    at_middle, anywhere = (
        [p(place), arb_series([balance(place)[k + 1] for k in range(ORDER + 1)])]
        for place in places
    )
    # A coefficient of the quotient is a mean of those of balance, one order higher, on the piece.
    return bounded(at_middle, anywhere, arb(radius), limit)


def error_is_below(name: str, exponent: float) -> bool:
    p, f, low, high = CASES[name]
    old_cap, ctx.cap = ctx.cap, ORDER + 2
    try:
        with ctx.workprec(BITS):
            limit = arb(2) ** arb(exponent)
            pieces = [(low, high)]
            if name.endswith("SLOPE"):
                if not slope_is_good_around_its_zero(p, AROUND, limit):
                    return False
                middle = c.GELU_ZERO[0]
                pieces = [(low, middle - AROUND / 2), (middle + AROUND / 2, high)]
            while pieces:
                low, high = pieces.pop()
                if high - low < SMALLEST:
                    return False
                if high - low > 1 or not piece_is_good(p, f, low, high, limit):
                    middle = (low + high) / 2
                    pieces += [(low, middle), (middle, high)]
    finally:
        ctx.cap = old_cap
    return True


@pytest.mark.parametrize("name", slow_but(lambda name: name != "FAR_RATIO", CASES))
def test_the_stated_error_is_a_bound(name: str) -> None:
    assert error_is_below(name, stated(name) + 0.1)  # it is stated to one decimal place


@pytest.mark.parametrize("name", CASES)
def test_a_smaller_bound_is_not_proved(name: str) -> None:
    assert not error_is_below(name, stated(name) - 0.2)


def test_the_zero_of_the_slope_lies_in_the_ball_that_is_used() -> None:
    with ctx.workprec(BITS):
        below, above = (zero().mid() + sign * arb(zero().rad()) for sign in (-1, 1))
        assert balance(arb_series([below]))[0] > 0
        assert balance(arb_series([above]))[0] < 0
