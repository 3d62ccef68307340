"""Zeros of an analytic function in the complex plane: how many a disc holds, and where one is.

*How many.* As z runs once round a circle, the argument of f(z) grows by 2π for each zero inside,
counted with its multiplicity (the argument principle). The circle is cut into arcs. On an arc f is
enclosed, and where the quotient f(z)/f(z₀) by the value at the arc's beginning stays right of the
imaginary axis, the argument grows from there to the arc's end by the principal argument of the
quotient at the end, no turn more or less. An arc on which this is not shown is halved. The sum is
an enclosure of the count times 2π, and the count is a whole number.

*Where.* The interval Newton operator in one complex unknown is N(Z) = m − f(m)/f′(Z), for a
rectangle Z with the middle m. On the way from m to a zero in Z the mean of f′ lies in the smallest
rectangle that holds f′(Z), because rectangles are convex. So every zero in Z lies in N(Z), and if
N(Z) lies in the interior of Z there is exactly one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import bits, interval
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.precision import CANCELLED_BITS, PROOF_BITS

Analytic = Callable[["flint.acb"], "flint.acb"]
"""A function that is analytic in the whole plane, on complex balls; it encloses its values."""

FIRST_ARCS = 16
"""Into how many arcs of one length a circle is cut before halving begins."""

MOST_ARCS = 2**24
"""An arc is not halved when more of its length make the circle."""

BOX_RADIUS = 2.0**-20
"""Half the side of the first square around a rough zero, relative to its size."""


def zero_count(function: Analytic, radius: flint.arb | flint.fmpq | int | str) -> int:
    """How many zeros an entire function has in the disc \\|z\\| < radius, with a proof.

    Args:
        function: the function.
        radius: the radius of the disc, positive; a string is read as an exact decimal.

    Returns:
        The number of zeros, each counted with its multiplicity. None lies on the circle.

    Raises:
        ValueError: if ``radius`` is not a positive number.
        CertificationError: if the function is not shown to be other than 0 at some point of the
            circle, as where a zero lies on it or very close to it.
    """
    with flint.ctx.workprec(PROOF_BITS):
        size = _radius(radius)
        ends = [flint.fmpq(i, FIRST_ARCS) for i in range(FIRST_ARCS + 1)]
        turns, waiting = flint.arb(0), list(pairwise(ends))
        while waiting:
            left, right = waiting.pop()
            growth = _growth(function, size, left, right)
            if growth is not None:
                turns += growth
                continue
            if (right - left) * MOST_ARCS < 1:
                place = _on_circle(size, flint.arb(left)).str(8, radius=False)
                raise CertificationError(
                    "bound", f"on the circle the function is not shown to differ from 0 at {place}"
                )
            middle = (left + right) / 2
            waiting += [(middle, right), (left, middle)]
        count = (turns / (2 * flint.arb.pi())).unique_fmpz()
        if count is None:
            raise CertificationError("digits", f"the turns {turns} do not decide one whole number")
        return int(count)


def zero_in_box(
    function: Analytic, derivative: Analytic, start: flint.acb, digits: int
) -> flint.acb:
    """The one zero in a small square around a rough one, with a proof that it is there.

    Args:
        function: the function.
        derivative: its derivative.
        start: a number near the zero, right to some seven digits.
        digits: how many significant digits both parts of the zero shall have.

    Returns:
        A ball that holds the zero. In the square of ``BOX_RADIUS`` around ``start`` there is no
        other.

    Raises:
        CertificationError: if it is not shown that there is exactly one.
    """
    with flint.ctx.workprec(bits(digits) + CANCELLED_BITS):
        middle = flint.acb(start).mid()
        side = flint.arb(0, abs(middle).upper() * BOX_RADIUS)
        box = flint.acb(middle.real + side, middle.imag + side)
        image = _newton(function, derivative, box)
        if not box.contains_interior(image):
            raise CertificationError(
                "solution", f"exactly one zero is not shown around {middle.str(8, radius=False)}"
            )
        while True:
            nearer = _newton(function, derivative, image)
            if not _narrower(nearer, image):
                return image
            image = nearer


def _newton(function: Analytic, derivative: Analytic, box: flint.acb) -> flint.acb:
    """The interval Newton operator, and nothing beyond the box."""
    middle = box.mid()
    return middle - function(middle) / derivative(box)


def _narrower(one: flint.acb, other: flint.acb) -> bool:
    """Whether a ball is less than half as wide as another one, in both parts."""
    return bool(2 * one.real.rad() < other.real.rad() and 2 * one.imag.rad() < other.imag.rad())


def _growth(
    function: Analytic, radius: flint.arb, left: flint.fmpq, right: flint.fmpq
) -> flint.arb | None:
    """By how much the argument grows on an arc; nothing if that is not shown."""
    start = function(_on_circle(radius, flint.arb(left)))
    quotient = function(_on_circle(radius, interval(flint.arb(left), flint.arb(right)))) / start
    if not quotient.real > 0:
        return None
    return (function(_on_circle(radius, flint.arb(right))) / start).arg()


def _on_circle(radius: flint.arb, turn: flint.arb) -> flint.acb:
    """The points of a circle from the positive real axis on, by parts of a turn."""
    return radius * flint.acb(2 * turn).exp_pi_i()


def _radius(radius: flint.arb | flint.fmpq | int | str) -> flint.arb:
    try:
        size = flint.arb(radius)
    except (TypeError, ValueError):
        size = flint.arb.nan()
    if not (size.is_finite() and size > 0):
        raise ValueError(f"radius is {radius!r}; accepted is a positive number")
    return size
