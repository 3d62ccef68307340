"""The complex singularities of y(x) = artanh(erf(x/√2)), which set how far its series reaches.

y′ = f′/(1 − f²) with f(x) = erf(x/√2), and f′ is nowhere 0. So y has an analytic continuation
along every path that avoids the points where f = ±1, and at each of those a logarithm. They are
x = √2·z and x = −√2·z for the zeros z of erfc = 1 − erf, which lie in pairs z and its conjugate,
left of the imaginary axis (DLMF 7.13). The radius of convergence is √2 times the least \\|z\\|.

That the first zero found is the one of least modulus is numerical evidence, not proved here:
``sampled_zero_count`` counts the zeros in a disc, and ``nearest_from_coefficients`` finds the same
point from the series alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import mpmath
import numpy as np
from mpmath import mpc, mpf
from scipy.special import erfc

GUARD_DIGITS = 20
"""Digits carried beyond those that are asked for."""

FARTHEST = 35.0
"""The greatest radius of a circle; farther out erfc is too large for double precision."""


LAST_ZERO = 1000
"""The last zero of erfc that is looked for; each of them was found from its asymptotic start."""


def erfc_zero(n: int, digits: int) -> mpc:
    """The n-th zero of erfc by modulus, in the upper half-plane.

    Newton's method, from the first terms of the asymptotic expansion of the zeros (DLMF 7.13.3,
    7.13.4). That no zero is passed over is checked for n <= 12 by ``sampled_zero_count`` (tested).

    Args:
        n: which zero, an integer >= 1.
        digits: significant digits of the real and of the imaginary part, an integer >= 1.

    Returns:
        The zero, with a negative real part; the first is −1.3548… + 1.9914…i.

    Raises:
        ValueError: if ``n`` is not an integer from 1 to ``LAST_ZERO``, or ``digits`` not one >= 1.
    """
    _check("n", n)
    if n > LAST_ZERO:
        raise ValueError(f"n must be at most {LAST_ZERO}; got {n}")
    _check("digits", digits)
    with mpmath.workdps(digits + GUARD_DIGITS):
        middle = mpmath.sqrt((n - mpf(1) / 8) * mpmath.pi)
        shift = mpmath.log(2 * middle * mpmath.sqrt(2 * mpmath.pi)) / (4 * middle)
        zero = mpmath.findroot(mpmath.erfc, mpc(shift - middle, shift + middle))
    with mpmath.workdps(digits):
        return +zero


def nearest_singularity(digits: int) -> mpc:
    """The singularity x₀ of artanh(erf(x/√2)) nearest to 0, in the first quadrant.

    The nearest ones are x₀, its conjugate, −x₀ and the conjugate of −x₀. At x₀ erf(x/√2) is −1.

    Args:
        digits: significant digits of the real and of the imaginary part, an integer >= 1.

    Returns:
        x₀ = 1.9159… + 2.8163…i.

    Raises:
        ValueError: if ``digits`` is not an integer >= 1.
    """
    _check("digits", digits)
    zero = erfc_zero(1, digits + GUARD_DIGITS)
    with mpmath.workdps(digits + GUARD_DIGITS):
        nearest = -mpmath.sqrt(2) * mpmath.conj(zero)
    with mpmath.workdps(digits):
        return +nearest


def artanh_erf_radius(digits: int) -> mpf:
    """The radius of convergence of the Taylor series of artanh(erf(x/√2)) at 0: R = \\|x₀\\|.

    Args:
        digits: significant digits, an integer >= 1.

    Returns:
        R = 3.4063…, numerical in the sense of the module's description.

    Raises:
        ValueError: if ``digits`` is not an integer >= 1.
    """
    _check("digits", digits)
    nearest = nearest_singularity(digits + GUARD_DIGITS)
    with mpmath.workdps(digits):
        return abs(nearest)


def sampled_zero_count(radius: float, points: int = 4000) -> int:
    """How many zeros 1 − erf(x/√2)² has in the disc \\|x\\| < radius: winding on a sampled circle.

    The argument principle: as x runs round the circle, the argument of the function grows by 2π
    for each zero inside. The growth is summed over steps between samples in double precision. It
    is a whole number of turns by construction, and the right one if no step turns by π or more;
    the samples are evidence for that, no proof.

    Args:
        radius: the radius of the circle, from 0 (excluded) to ``FARTHEST``.
        points: how many samples on the circle, an integer >= 8.

    Returns:
        The number of zeros, each counted with its multiplicity.

    Raises:
        TypeError: if ``radius`` is not a real number.
        ValueError: if ``radius`` or ``points`` is out of range, or the argument turns by π/2 or
            more in one step: ``points`` is too small, or a zero too close to the circle.
    """
    if isinstance(radius, bool) or not isinstance(radius, Real):
        raise TypeError(f"radius must be a real number; got {type(radius).__name__} {radius!r}")
    if not 0 < radius <= FARTHEST:
        raise ValueError(f"radius must be above 0 and at most {FARTHEST}; got {radius!r}")
    _check("points", points, least=8)
    z = radius / np.sqrt(2) * np.exp(2j * np.pi * np.arange(points + 1) / points)
    z[-1] = z[0]
    argument = np.angle(erfc(z)) + np.angle(erfc(-z))  # 1 − erf² = erfc(z)·erfc(−z)
    steps = np.remainder(np.diff(argument) + np.pi, 2 * np.pi) - np.pi
    if np.max(np.abs(steps)) >= np.pi / 2:
        raise ValueError(
            f"the argument turns by a quarter or more between two of {points} points on the "
            f"circle of radius {radius}: accepted are more points, or a circle away from the zeros"
        )
    return round(float(np.sum(steps)) / (2 * np.pi))


def nearest_from_coefficients(coefficients: Sequence[mpf]) -> mpc:
    """The nearest singularity from the last four coefficients of a series; no zero is looked for.

    If the singularities of least modulus are x₀, its conjugate, −x₀ and the conjugate of −x₀, and
    the derivative has simple poles there with the residues 1/2 and −1/2 as y′ has, then k·aₖ tends
    to −2·Re(x₀⁻ᵏ). Any three such numbers in a row, over odd k, satisfy c″ = s·c′ − p·c, where
    p = \\|x₀\\|⁻⁴ and s = 2·Re(x₀⁻²). Two such equations give s and p, and these x₀. The next
    singularities make the error.

    Args:
        coefficients: a₁, a₃, a₅, …, at least four, as mpmath numbers.

    Returns:
        The estimate of x₀, at the precision that is set when it is called.

    Raises:
        TypeError: if one of the last four coefficients is not an mpmath number.
        ValueError: if there are fewer than four coefficients, or the last four are not finite or
            do not come from a pair of complex poles.
    """
    if len(coefficients) < 4:
        raise ValueError(f"coefficients must be four or more; got {len(coefficients)}")
    size = len(coefficients)
    for n in range(size - 4, size):
        _check_coefficient(f"coefficients[{n}]", coefficients[n])
    c = [(2 * n + 1) * coefficients[n] for n in range(size - 4, size)]
    determinant = c[0] * c[2] - c[1] ** 2
    # what is left of a geometric sequence is its rounding
    if abs(determinant) <= 16 * mpmath.eps * (abs(c[0] * c[2]) + c[1] ** 2):
        raise ValueError("coefficients must not end in a geometric sequence")
    s = (c[0] * c[3] - c[1] * c[2]) / determinant
    p = (c[1] * c[3] - c[2] ** 2) / determinant
    if s**2 >= 4 * p:
        raise ValueError("coefficients must come from complex poles; the last four do not")
    return 1 / mpmath.sqrt(mpc(s, -mpmath.sqrt(4 * p - s**2)) / 2)


def _check_coefficient(name: str, value: object) -> None:
    if not isinstance(value, mpf):
        raise TypeError(f"{name} must be an mpmath number; got {type(value).__name__} {value!r}")
    if not mpmath.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value}")


def _check(name: str, value: object, least: int = 1) -> None:
    if type(value) is not int or value < least:
        raise ValueError(f"{name} must be an integer >= {least}; got {value!r}")
