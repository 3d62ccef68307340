"""GELU without exponentials: Φ by a clipped quadratic, as kernels compute it that know integers.

For x ≥ 0 let Φ̂(x) = 1 − a·(b − x)² up to x = b, and 1 beyond; for x < 0 let Φ̂(x) = 1 − Φ̂(−x).
The form erf(z) ≈ 1 + α(z + β)², z ≤ −β, is the same with a = −α/4 and b = −β√2.

The root √(1 − Φ̂) = √a·(b − x) is linear in √a and √a·b, and two straight lines meet at most once.
Therefore de la Vallée-Poussin's argument holds with k = 2: if the error has alternating signs at
three points x > 0, no a > 0 and b have a smaller one than the least of the three. And at every
point 1 − Φ̂ does not fall when a or b grows, so that the corners of a box enclose it on the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import gelu_lib._proofs

import numpy as np
import scipy.optimize
import sympy as sp
from scipy.special import ndtr
from sympy import Expr, Rational

from gelu_lib._extras import flint
from gelu_lib.certificates.best.bounds import least_size
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import normal
from gelu_lib.certificates.engine.decay import normal_beyond
from gelu_lib.certificates.engine.search import Ranges, best_places
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import alternating
from gelu_lib.fits.exchange import alternating_places
from gelu_lib.floats.grids import FixedPoint
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.families import Value, exact_value
from gelu_lib.functions.targets import Target
from gelu_lib.precision import ENCLOSED_DIGITS, PROOF_BITS

IBERT = {"a": Rational(2888, 40000), "b": Rational(1769, 1000) * sp.sqrt(2)}
"""The constants that I-BERT prints, −0.2888 and −1.769 for erf, as constants for Φ."""

_START = (0.25, 2.5)
"""Where the search for √a and b begins."""

_PROBES = ((0.75, 1.5), (0.5, 1.0))
"""Pairs of points where an error bounds √a and √a·b; at the first pair smaller errors do."""


@dataclass(frozen=True)
class Quadratic:
    """Constants of the clipped quadratic, and what is proved of the error of GELU with them.

    Attributes:
        a: the curvature, exact.
        b: where the form is clipped, exact.
        error: an enclosure of the largest error of GELU on the whole line.
        least: an enclosure of the least error that constants of the kind in question can have.
    """

    a: Expr
    b: Expr
    error: Enclosure
    least: Enclosure


def float_error(a: float, b: float, x: np.ndarray) -> np.ndarray:
    """The error GELU − xΦ̂ at x ≥ 0 in double precision; it is even in x."""
    return x * (a * np.maximum(b - x, 0) ** 2 - ndtr(-x))


def quadratic_error(a: Expr, ramp: Expr) -> Expr:
    """The error GELU − xΦ̂ at x ≥ 0 by the ramp max(b − x, 0), or b − x up to b; it is even."""
    return X * (a * ramp**2 - Phi(-X))


def certified_error(a: Value, b: Value, digits: int = 10) -> Enclosure:
    """The largest error of GELU on the whole line, with a proof.

    Args:
        a: the curvature, a positive number.
        b: where the form is clipped, a number of at least 1.
        digits: how many significant digits the enclosure shall have.

    Returns:
        The enclosure.

    Raises:
        ValueError: if ``a`` or ``b`` is not accepted.
        CertificationError: if the proof fails.
    """
    a, b = exact_value(a, "a"), exact_value(b, "b")
    if not (a.is_positive and (b - 1).is_nonnegative):
        raise ValueError(f"a = {a} and b = {b}; accepted are a > 0 and b ≥ 1")
    inner = X * a * (b - X) ** 2, Target(X * Phi(-X))  # how far from 0 and from x each is
    error = certified_sup_error(*inner, digits, interval=(0, b)).error
    end = np.nextafter(float(b), 0)
    with flint.ctx.workprec(PROOF_BITS):
        if not normal_beyond(float(end), 1) < error.ball:
            raise CertificationError("tail", "the error is not shown to be smaller beyond b")
    return error


def best_quadratic(digits: int = 10) -> Quadratic:
    """The real constants with the least largest error of GELU.

    Args:
        digits: to how many digits the error is enclosed.

    Returns:
        The constants as binary fractions, and two-sided enclosures.

    Raises:
        CertificationError: if the error does not alternate as it should.
    """
    a, b, points = _levelled()
    a, b = Rational(a), Rational(b)
    error = certified_error(a, b, digits)
    with flint.ctx.workprec(PROOF_BITS):
        lower = enclosure(quadratic_error_floor(a, b, points), digits + ENCLOSED_DIGITS)
    return Quadratic(a, b, error, Enclosure(lower.lower, error.upper))


def quadratic_error_floor(a: Rational, b: Rational, points: Sequence[float]) -> flint.arb:
    """What the error of no constants is below, by the argument of the module.

    Args:
        a: the curvature.
        b: where the form is clipped.
        points: three increasing points x > 0.

    Returns:
        The least size of the error at the points.

    Raises:
        CertificationError: if the points do not increase from 0, or the signs do not alternate.
    """
    if not all(x < y for x, y in pairwise([0, *points])):
        raise CertificationError("optimality", f"{list(points)} do not increase from 0")
    errors = [_error_at(x, (a, a), (b, b)) for x in points]
    signs = [1 if error > 0 else -1 if error < 0 else 0 for error in errors]
    if not alternating(signs, 3):
        raise CertificationError(
            "optimality", f"the signs at the points are {signs}; 3 must alternate"
        )
    return least_size(errors)


def best_fixed_point(fraction_bits: int, digits: int = 10) -> Quadratic:
    """The best a and b that are multiples of 2⁻ⁿ.

    Args:
        fraction_bits: n.
        digits: to how many digits errors are enclosed.

    Returns:
        The constants; ``least`` is the error of the best ones, proved by a search.

    Raises:
        ValueError: if ``fraction_bits`` is not accepted.
        CertificationError: if the search did not decide; for n = 1 it has no end to begin from.
    """
    grid, real = FixedPoint(fraction_bits), best_quadratic(digits)
    near = certified_error(*map(grid.value, _near(grid, float(real.a))), digits)
    points = _peaks(float(real.a), float(real.b))

    def lower_bound(box: Ranges) -> float:
        (a, b) = [(grid.value(low), grid.value(high)) for low, high in box]
        with flint.ctx.workprec(PROOF_BITS):
            sizes = [abs(_error_at(x, a, b)).lower() for x in points]
            return max(np.nextafter(float(size), -np.inf) for size in sizes)

    def error_at(place: tuple[int, ...]) -> Enclosure:
        return certified_error(*map(grid.value, place), digits)

    places = _places(grid, near.upper)
    found = best_places(lower_bound, error_at, (grid.value, grid.value), places)
    (best, error), *ties = found.items()
    if ties:
        raise CertificationError("optimality", f"{len(ties)} other pairs are not told apart")
    a, b = (Rational(grid.value(place)) for place in best)
    return Quadratic(a, b, error, error)


def integer_gelu(q: np.ndarray, a: int, b: int, fraction_bits: int, input_bits: int) -> np.ndarray:
    """GELU in integers alone.

    Args:
        q: the input x·2ˢ as integers, at most 16 bits wide.
        a: the curvature times 2ⁿ, which is below 1.
        b: the clipping point times 2ⁿ, which is below 4.
        fraction_bits: n, at most 12.
        input_bits: s, at most 14; the result has the same scale.

    Returns:
        The result times 2ˢ, int64. Only the last step rounds, to nearest, halves up.

    Raises:
        TypeError: if ``q`` does not hold integers, or another number is none.
        ValueError: if a number is beyond the range for which nothing overflows.
    """
    _check_integers(np.asarray(q), a, b, fraction_bits, input_bits)
    q = np.asarray(q, np.int64)
    scale = max(fraction_bits, input_bits)
    ramp = np.maximum((b << (scale - fraction_bits)) - (np.abs(q) << (scale - input_bits)), 0)
    shift = fraction_bits + 2 * scale
    below = a * ramp**2  # (1 − Φ̂(|x|))·2^shift
    phi = np.where(q < 0, below, (1 << shift) - below)
    return (q * phi + (1 << (shift - 1))) >> shift


def _check_integers(q: np.ndarray, a: int, b: int, fraction_bits: int, input_bits: int) -> None:
    if not np.issubdtype(q.dtype, np.integer):
        raise TypeError(f"q is of type {q.dtype}; accepted are integers")
    others = {"a": a, "b": b, "fraction_bits": fraction_bits, "input_bits": input_bits}
    for name, given in others.items():
        if type(given) is not int:
            raise TypeError(f"{name} is {given!r}; accepted is an integer")
    if q.size and not (q.min() >= -(2**15) and q.max() < 2**15):
        raise ValueError(f"q goes from {q.min()} to {q.max()}; accepted are 16 bits")
    if not (1 <= fraction_bits <= 12 and 1 <= input_bits <= 14):
        raise ValueError(
            f"fraction_bits is {fraction_bits} and input_bits {input_bits}; accepted are 1 to 12 "
            "and 1 to 14"
        )
    if not (0 < a < 2**fraction_bits and 0 < b < 4 << fraction_bits):
        raise ValueError(f"a is {a} and b is {b}; accepted are a below 1 and b below 4")


def _levelled() -> tuple[float, float, list[float]]:
    """a and b whose error is level at three points, by exchange in double precision."""
    x = np.linspace(0, 6, 60_001)
    root, b = scipy.optimize.minimize(
        lambda tried: np.max(np.abs(float_error(tried[0] ** 2, tried[1], x[::20]))),
        _START,
        method="Nelder-Mead",
    ).x
    for _ in range(4):
        points = x[alternating_places(float_error(root**2, b, x), 3)]
        signs = np.sign(float_error(root**2, b, points))

        def residual(unknown: np.ndarray, points=points, signs=signs) -> np.ndarray:
            return float_error(unknown[0] ** 2, unknown[1], points) - signs * unknown[2]

        size = np.max(np.abs(float_error(root**2, b, points)))
        root, b, _ = scipy.optimize.root(residual, [root, b, size], tol=1e-14).x
    return root**2, b, points.tolist()


def _near(grid: FixedPoint, a: float) -> tuple[int, int]:
    """A place with a small error: next to a, which a coarse grid misses, b adapts itself."""
    x = np.linspace(0, 6, 601)

    def adapted(a: float) -> float:
        found = scipy.optimize.minimize_scalar(
            lambda b: np.max(np.abs(float_error(a, b, x))), bounds=(1, 4), method="bounded"
        )
        return found.x

    nearest = max(grid.nearest(a), 1)
    tried = []
    for place in range(max(nearest - 1, 1), nearest + 2):
        curvature = float(grid.value(place))
        other = grid.nearest(adapted(curvature))
        error = float_error(curvature, float(grid.value(other)), x)
        tried.append((np.max(np.abs(error)), (place, other)))
    return min(tried)[1]


def _peaks(a: float, b: float) -> list[float]:
    x = np.linspace(0, 6, 6001)
    return x[alternating_places(float_error(a, b, x), 3)].tolist()


def _error_at(x: float, a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> flint.arb:
    """The error at one point for all a and b between two ends, by the corners."""
    place = Fraction(x)
    ends = [u * max(v - place, 0) ** 2 for u, v in zip(a, b, strict=True)]
    low, high = (flint.arb(flint.fmpq(int(end.numerator), int(end.denominator))) for end in ends)
    return flint.arb(x) * (low.union(high) - normal(-flint.arb(x)))


def _places(grid: FixedPoint, error: Decimal) -> Ranges:
    """A box with all a and b whose error is not above a number."""
    with flint.ctx.workprec(PROOF_BITS):
        for pair in _PROBES:
            ends = _ends(flint.arb(str(error)), *map(flint.arb, pair))
            if all(low > 0 and high.is_finite() for low, high in ends):
                return tuple(
                    (grid.nearest(float(low)) - 1, grid.nearest(float(high)) + 1)
                    for low, high in ends
                )
    raise CertificationError("optimality", f"an error of {error} leaves no finite box")


def _ends(
    error: flint.arb, x: flint.arb, y: flint.arb
) -> tuple[tuple[flint.arb, flint.arb], tuple[flint.arb, flint.arb]]:
    """Between which numbers a and b lie if their error at x < y is not above a number.

    The roots u = √a·(b − x) and v = √a·(b − y) are known up to the error. So are √a, which is
    (u − v)/(y − x), and b, which is x + (y − x)/(1 − v/u).
    """
    (u, high_u), (v, high_v) = (_roots(error / z, z) for z in (x, y))
    return (
        (((u - high_v) / (y - x)).max(flint.arb(0)) ** 2, ((high_u - v) / (y - x)) ** 2),
        (x + (y - x) / (1 - v / high_u), x + (y - x) / (1 - high_v / u)),
    )


def _roots(slack: flint.arb, x: flint.arb) -> tuple[flint.arb, flint.arb]:
    """The root of 1 − Φ̂(x) is between these, if Φ̂ lies within some slack of Φ."""
    return (normal(-x) - slack).sqrt(), (normal(-x) + slack).sqrt()
