"""Numbers of the register, found again by a second method.

Where a number of the chapters gelu, derivatives and taylor says in the register which method its
digits agree with, that method stands here: Python's decimal arithmetic, which shares nothing with
mpmath, or another road to the same number.
"""

from decimal import Decimal, localcontext
from functools import cache

import mpmath
import pytest
from sympy import Rational

from gelu_lib.evidence.kinds import AtRoot
from gelu_lib.evidence.proved import CERTIFICATIONS, compute_digits
from gelu_lib.functions.expressions import X, gelu_tanh
from gelu_lib.functions.series import artanh_erf_coefficients
from gelu_lib.register import agreeing_digits, results

DIGITS = 65


def decimal_pi():
    """π by Machin's formula."""

    def arctan_of_inverse(n):
        power, total, k = Decimal(1) / n, Decimal(0), 0
        while power > Decimal(10) ** -(DIGITS + 5):
            total += (-1) ** k * power / (2 * k + 1)
            power, k = power / n**2, k + 1
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


@cache
def decimal_root_of_two_pi():
    return (2 * decimal_pi()).sqrt()


def decimal_density(x):
    return (-x * x / 2).exp() / decimal_root_of_two_pi()


def decimal_cdf(x):
    """Φ by Taylor's series of erf."""
    term, total, n = x, Decimal(0), 0
    while abs(term) > Decimal(10) ** -(DIGITS + 5):
        total += term / (2 * n + 1)
        n += 1
        term *= -x * x / (2 * n)
    return Decimal("0.5") + total / decimal_root_of_two_pi()


def bisected(function, low, high):
    """The zero between two ends of opposite sign, by halving alone."""
    low, high = Decimal(low), Decimal(high)
    at_low = function(low) > 0
    assert at_low != (function(high) > 0)
    for _ in range(4 * DIGITS):
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) > 0) == at_low else (low, middle)
    return low


def sigma(v):
    return 1 / (1 + (-v).exp())


def decimal_tanh_form():
    """The landmarks of the tanh form, from the equations of the chapter."""
    p1 = 2 * (2 / decimal_pi()).sqrt()
    p3 = p1 * Decimal("0.044715")

    def slope(x):
        v = p1 * x + p3 * x**3
        return sigma(v) + x * (p1 + 3 * p3 * x**2) * sigma(v) * sigma(-v)

    def gap(x):  # R(x) − tanh(v/2)
        v = p1 * x + p3 * x**3
        ratio = (2 * p1 + 12 * p3 * x**2) / (x * (p1 + 3 * p3 * x**2) ** 2)
        return ratio - (v.exp() - 1) / (v.exp() + 1)

    turn, place = bisected(gap, 1, 2), bisected(slope, -1, "-0.5")
    return {
        "page-minimum-place": place,
        "page-minimum-value": place * sigma(p1 * place + p3 * place**3),
        "page-inflection": turn,
        "page-largest-slope": slope(turn),
        "page-smallest-slope": slope(-turn),
    }


def of_the_slopes():
    """Every number of the chapter derivatives, by halving and by series."""
    root, scale = Decimal(2).sqrt(), Decimal("1.702")
    place = bisected(lambda x: decimal_cdf(x) + x * decimal_density(x), -1, "-0.5")
    w = bisected(lambda w: w * (w + 1).exp() - 1, 0, 1)
    v = bisected(lambda v: v * ((2 * v).exp() - 1) - (2 * v).exp() - 1, 1, 2)
    return {
        "gelu-minimum-place": place,
        "gelu-minimum-value": place * decimal_cdf(place),
        "gelu-largest-slope": decimal_cdf(root) + root * decimal_density(root),
        "gelu-smallest-slope": decimal_cdf(-root) - root * decimal_density(root),
        "lambert-w-of-inverse-e": w,
        "scale-1702-minimum-place": -(1 + w) / scale,
        "scale-1702-minimum-value": -(1 + w) / scale / (1 + (1 + w).exp()),
        "coth-fixed-point": v,
        "scale-1702-inflection": 2 * v / scale,
        "sigmoid-form-largest-slope": (1 + v) / 2,
        "sigmoid-form-smallest-slope": (1 - v) / 2,
        **decimal_tanh_form(),
    }


def of_gelu():
    """Every number of the chapter gelu."""

    def silu_gap_slope(x):
        return decimal_cdf(x) + x * decimal_density(x) - sigma(x) - x * sigma(x) * sigma(-x)

    place = bisected(silu_gap_slope, "1.5", "2.5")
    slopes = of_the_slopes()
    return {
        "phi-at-minus-1": decimal_cdf(Decimal(-1)),
        "phi-at-1": decimal_cdf(Decimal(1)),
        "phi-at-2": decimal_cdf(Decimal(2)),
        "relu-distance": -slopes["gelu-minimum-value"],
        "relu-distance-place": -slopes["gelu-minimum-place"],
        "silu-distance": place * (decimal_cdf(place) - sigma(place)),
        "silu-distance-place": place,
    }


def last_of_tanh(coefficients):
    """The last coefficient of t = tanh(u), u = a₁x + a₃x³ + …, from t′ = (1 − t²)u′."""
    slopes = [(2 * n + 1) * a for n, a in enumerate(coefficients)]
    t, square = [], []
    for n, slope in enumerate(slopes):
        t.append((slope - sum(square[j] * slopes[n - 1 - j] for j in range(n))) / (2 * n + 1))
        square.append(sum(t[i] * t[n - i] for i in range(n + 1)))
    return t[-1]


@cache
def decimal_match(order):
    """a₁, a₃, … one after the other: what tanh leaves of erf(x/√2) without aₖ is aₖ."""
    a, term = [], 2 / decimal_root_of_two_pi()
    for n in range((order + 1) // 2):
        a.append(term / (2 * n + 1) - last_of_tanh([*a, Decimal(0)]))
        term /= -2 * (n + 1)
    return a


def decimal_match_error(order, low, high):
    """The error of Φ at the one stationary point of the error between two ends."""
    coefficients = list(enumerate(decimal_match(order)))

    def twice_u(x):
        return 2 * sum(a * x ** (2 * n + 1) for n, a in coefficients)

    def slope(x):
        v, rise = twice_u(x), 2 * sum((2 * n + 1) * a * x ** (2 * n) for n, a in coefficients)
        return decimal_density(x) - rise * sigma(v) * sigma(-v)

    place = bisected(slope, low, high)
    return abs(decimal_cdf(place) - sigma(twice_u(place)))


def of_the_series():
    """The numbers of the chapter taylor that are found in decimal arithmetic."""
    pi, a = decimal_pi(), decimal_match(9)
    names = ("taylor-cubic", "taylor-quintic", "taylor-septic", "taylor-nonic")
    return {
        "tanh-radius": pi / 2,
        "taylor-slope": a[0],
        **{name: a[n] / a[0] for n, name in enumerate(names, 1)},
        "taylor-cubic-error": decimal_match_error(3, "2.1", "2.5"),
        "taylor-nonic-error": decimal_match_error(9, "3.3", "3.5"),
        "taylor-order-15-error": decimal_match_error(15, "3.37", "3.45"),
    }


def nearest_from_coefficients(coefficients):
    """The nearest singularity x₀ from the last four coefficients aₖ; no zero is looked for.

    k·aₖ tends to −2·Re(x₀⁻ᵏ), and three such numbers in a row satisfy c″ = s·c′ − p·c.
    """
    powers = range(1, 2 * len(coefficients), 2)
    c = [k * a for k, a in zip(powers, coefficients, strict=True)][-4:]
    determinant = c[0] * c[2] - c[1] ** 2
    s = (c[0] * c[3] - c[1] * c[2]) / determinant  # 2·Re(x₀⁻²)
    p = (c[1] * c[3] - c[2] ** 2) / determinant  # |x₀|⁻⁴
    return 1 / mpmath.sqrt(mpmath.mpc(s, -mpmath.sqrt(4 * p - s**2)) / 2)


def of_the_singularities():
    """The numbers of the chapter taylor that four coefficients give, with no zero looked for."""
    with mpmath.workdps(90):
        nearest = nearest_from_coefficients(artanh_erf_coefficients(401, 90))
        zero = -mpmath.conj(nearest) / mpmath.sqrt(2)
        numbers = {
            "erfc-zero-real": zero.real,
            "erfc-zero-imaginary": zero.imag,
            "artanh-erf-radius": abs(nearest),
        }
        return {id: mpmath.nstr(number, 70) for id, number in numbers.items()}


@cache
def second_way():
    with localcontext(prec=DIGITS):
        found = {**of_gelu(), **of_the_slopes(), **of_the_series()}
    return {**{id: str(number) for id, number in found.items()}, **of_the_singularities()}


PAGES = {"gelu", "derivatives", "taylor", "taylor-orders"}
NUMBERS = [id for id in CERTIFICATIONS if results()[id].page in PAGES]


@pytest.mark.parametrize("id", NUMBERS)
def test_a_number_is_confirmed_to_fifty_digits_and_the_register_says_so(id):
    assert agreeing_digits(second_way()[id], compute_digits(id, 60)) >= 50
    assert results()[id].check


def test_what_is_beside_a_number_would_not_be_confirmed():
    assert set(second_way()) == set(NUMBERS)
    form = gelu_tanh(cubic=Rational("0.04472"))
    other = AtRoot(form.diff(X, 2), 1.42)(50)[""]
    assert agreeing_digits(second_way()["page-inflection"], other.rounded(50)) < 7
    with localcontext(prec=DIGITS):
        other = decimal_match_error(11, "3.1", "3.4")
    assert agreeing_digits(str(other), compute_digits("taylor-nonic-error", 60)) < 1
