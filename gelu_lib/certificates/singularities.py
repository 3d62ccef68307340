"""The complex singularities of y(x) = artanh(erf(x/√2)), which set how far its series reaches.

y′ = f′/(1 − f²) with f(x) = erf(x/√2), and f′ is nowhere 0. So y has an analytic continuation
along every path that avoids the points where f = ±1, and at each of those a logarithm. They are
x = √2·z and x = −√2·z for the zeros z of erfc = 1 − erf, which lie in pairs z and its conjugate,
left of the imaginary axis (DLMF 7.13). The radius of convergence is √2 times the least \\|z\\|.

Which zero that is, is proved: ``certified_first_zero`` encloses one, and counts the zeros in a disc
that holds it. ``nearest_from_coefficients`` finds the same point from the series alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mpmath
import sympy as sp
from flint import acb, arb, ctx
from mpmath import mpc, mpf
from sympy import Symbol, erfc

from gelu_lib.certificates.balls import bits, compiled
from gelu_lib.certificates.enclosures import Enclosure, enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.zeros import zero_count, zero_in_box

Z = Symbol("z", complex=True)

ENTIRE = erfc(Z)
"""The function of which the zeros are looked for."""

GUARD_DIGITS = 20
"""Digits carried beyond those that are asked for."""

COUNTED = "3.46"
"""The radius of the disc in which the zeros of erfc are counted. Two lie in it; the next pair has
the modulus 3.4614…"""

LAST_ZERO = 1000
"""The last zero of erfc that is looked for; each of them was found from its asymptotic start."""


def erfc_zero(n: int, digits: int) -> mpc:
    """The n-th zero of erfc by modulus, in the upper half-plane.

    Newton's method, from the first terms of the asymptotic expansion of the zeros (DLMF 7.13.3,
    7.13.4). That no zero is passed over is proved for n <= 12 by counting (tested); for the first
    see ``certified_first_zero``.

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
        R = 3.4063…, computed with mpmath; ``certified_first_zero`` encloses it.

    Raises:
        ValueError: if ``digits`` is not an integer >= 1.
    """
    _check("digits", digits)
    nearest = nearest_singularity(digits + GUARD_DIGITS)
    with mpmath.workdps(digits):
        return abs(nearest)


@dataclass(frozen=True)
class FirstZero:
    """The zero z₁ of erfc of least modulus in the upper half-plane, with a proof.

    Its conjugate is a zero, too, and every other zero has a modulus above ``COUNTED``.

    Attributes:
        real: an enclosure of its real part.
        imaginary: an enclosure of its imaginary part.
        radius: an enclosure of √2·\\|z₁\\|, the radius of convergence of artanh(erf(x/√2)).
    """

    real: Enclosure
    imaginary: Enclosure
    radius: Enclosure


def certified_first_zero(digits: int) -> FirstZero:
    """The first zero of erfc, and the radius of convergence of artanh(erf(x/√2)), with a proof.

    In a small square there is exactly one zero. It is not real, so its conjugate is a second one.
    The disc of radius ``COUNTED`` holds both, and by the argument principle no more than two.

    Args:
        digits: significant digits of each number, an integer >= 1.

    Returns:
        The enclosures.

    Raises:
        ValueError: if ``digits`` is not an integer >= 1.
        CertificationError: if a step of the proof fails.
    """
    _check("digits", digits)
    kept = digits + GUARD_DIGITS // 2
    function, slope = (compiled((Z,), part) for part in (ENTIRE, sp.diff(ENTIRE, Z)))
    with ctx.workprec(bits(kept)):
        start = erfc_zero(1, 15)
        rough = acb(*(arb(str(part)) for part in (start.real, start.imag)))
        zero = zero_in_box(function, slope, rough, kept)
        if not (zero.imag > 0 and abs(zero) < arb(COUNTED)):
            raise CertificationError("claim", f"{zero} is not in the upper half of the disc")
        count = zero_count(function, COUNTED)
        if count != 2:
            raise CertificationError(
                "claim", f"the disc of radius {COUNTED} holds {count} zeros of erfc, not 2"
            )
        numbers = (zero.real, zero.imag, arb(2).sqrt() * abs(zero))
        return FirstZero(*(enclosure(number, kept) for number in numbers))


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
