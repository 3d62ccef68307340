"""The complex singularities of y(x) = artanh(erf(x/√2)), which set how far its series reaches.

y′ = f′/(1 − f²) with f(x) = erf(x/√2), and f′ is nowhere 0. So y has an analytic continuation
along every path that avoids the points where f = ±1, and at each of those a logarithm. They are
x = √2·z and x = −√2·z for the zeros z of erfc = 1 − erf, which lie in pairs z and its conjugate,
left of the imaginary axis (DLMF 7.13). The radius of convergence is √2 times the least \\|z\\|.

Which zero that is, is proved: ``certified_first_zero`` encloses one, and counts the zeros in a disc
that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import sympy as sp
from mpmath import mpc, mpf
from sympy import Symbol, erfc

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled
from gelu_lib.certificates.engine.zeros import zero_count, zero_in_box
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.precision import ENCLOSED_DIGITS, ZERO_DIGITS

Z = Symbol("z", complex=True)

ENTIRE = erfc(Z)
"""The function of which the zeros are looked for."""

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
    with mpmath.workdps(digits + ZERO_DIGITS):
        middle = mpmath.sqrt((n - mpf(1) / 8) * mpmath.pi)
        shift = mpmath.log(2 * middle * mpmath.sqrt(2 * mpmath.pi)) / (4 * middle)
        zero = mpmath.findroot(mpmath.erfc, mpc(shift - middle, shift + middle))
    with mpmath.workdps(digits):
        return +zero


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
    kept = digits + ENCLOSED_DIGITS
    function, slope = (compiled((Z,), part) for part in (ENTIRE, sp.diff(ENTIRE, Z)))
    with flint.ctx.workprec(bits(kept)):
        start = erfc_zero(1, 15)
        rough = flint.acb(*(flint.arb(str(part)) for part in (start.real, start.imag)))
        zero = zero_in_box(function, slope, rough, kept)
        if not (zero.imag > 0 and abs(zero) < flint.arb(COUNTED)):
            raise CertificationError("claim", f"{zero} is not in the upper half of the disc")
        count = zero_count(function, COUNTED)
        if count != 2:
            raise CertificationError(
                "claim", f"the disc of radius {COUNTED} holds {count} zeros of erfc, not 2"
            )
        numbers = (zero.real, zero.imag, flint.arb(2).sqrt() * abs(zero))
        return FirstZero(*(enclosure(number, kept) for number in numbers))


def _check(name: str, value: object, least: int = 1) -> None:
    if type(value) is not int or value < least:
        raise ValueError(f"{name} must be an integer >= {least}; got {value!r}")
