"""Where artanh(erf(x/√2)) is singular, found by zeros, by counting and from its coefficients."""

from decimal import Decimal
from itertools import groupby

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import acb, arb
from kinds import slow_but

from gelu_lib.certificates.engine.zeros import zero_count
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.facts import singularities
from gelu_lib.certificates.facts.singularities import (
    LAST_ZERO,
    certified_first_zero,
    erfc_zero,
)
from gelu_lib.functions.series import artanh_erf_coefficients, local_match
from gelu_lib.register import agreeing_digits

# the table of the DLMF, 7.13.2, and of Fettis, Caslin and Cramer
PUBLISHED = [
    ("-1.3548101281", "1.9914668428"),
    ("-2.1770449061", "2.6911490243"),
    ("-2.7843876132", "3.2353308684"),
    ("-3.2874107894", "3.6973097025"),
    ("-3.7259487194", "4.1061072847"),
]


# zeros of erfc


@pytest.mark.parametrize(("n", "published"), list(enumerate(PUBLISHED, 1)))
def test_the_zeros_are_the_published_ones(n, published):
    zero = erfc_zero(n, 40)
    for part, printed in zip((zero.real, zero.imag), published, strict=True):
        assert abs(part - mpmath.mpf(printed)) < 0.5001e-10


@pytest.mark.parametrize("n", [1, 2, 12])
def test_erfc_vanishes_at_a_zero_and_not_beside_it(n):
    with mpmath.workdps(60):
        zero = erfc_zero(n, 50)
        slope = 2 * abs(mpmath.exp(-(zero**2))) / mpmath.sqrt(mpmath.pi)
        assert abs(mpmath.erfc(zero)) < 1e-48 * slope
        assert abs(mpmath.erfc(zero + mpmath.mpf(10) ** -40)) > 1e-41 * slope


# the nearest singularity


def test_the_logarithm_has_the_residue_one_half_there():
    x0 = complex(-mpmath.sqrt(2) * mpmath.conj(erfc_zero(1, 20)))  # in the first quadrant
    angle = 2 * np.pi * np.arange(64) / 64
    ring = 0.1 * np.exp(1j * angle)
    f = np.array([complex(mpmath.erf(x / mpmath.sqrt(2))) for x in x0 + ring])
    slope = np.sqrt(2 / np.pi) * np.exp(-((x0 + ring) ** 2) / 2)
    assert abs(np.mean(slope / (1 - f**2) * ring) - 0.5) < 1e-12


# counting


@pytest.mark.parametrize("n", slow_but(range(1, 5).__contains__, range(1, 13)))
def test_no_zero_is_passed_over(n):
    inner, outer = (arb(mpmath.nstr(abs(erfc_zero(m, 17)), 20)) for m in (n, n + 1))
    assert inner < outer
    assert zero_count(acb.erfc, (inner + outer) / 2) == 2 * n


def test_the_count_far_out_is_that_of_the_asymptotic_expansion():
    # |z_n|² is close to 2π(n − 1/8)
    inside = [n for n in range(1, 200) if 2 * np.pi * (n - 1 / 8) < 24**2]
    assert abs(zero_count(acb.erfc, 24) - 2 * len(inside)) <= 2


# the proof


def test_the_first_zero_is_proved_and_is_the_one_that_newtons_method_finds():
    proved, found = certified_first_zero(50), erfc_zero(1, 60)
    with mpmath.workdps(60):
        radius = abs(found) * mpmath.sqrt(2)
    for ends, number in (
        (proved.real, found.real),
        (proved.imaginary, found.imag),
        (proved.radius, radius),
    ):
        assert agreeing_digits(mpmath.nstr(number, 60), ends.lower) >= 57
        assert ends.upper - ends.lower < Decimal("1e-57")


def test_a_disc_with_more_zeros_or_without_the_first_one_proves_nothing(monkeypatch):
    monkeypatch.setattr(singularities, "COUNTED", "3.47")
    with pytest.raises(CertificationError, match="holds 4 zeros of erfc, not 2"):
        certified_first_zero(20)
    monkeypatch.setattr(singularities, "COUNTED", "2.4085")
    with pytest.raises(CertificationError, match="not in the upper half of the disc"):
        certified_first_zero(20)


def test_another_zero_than_the_first_proves_nothing(monkeypatch):
    second = erfc_zero(2, 15)
    monkeypatch.setattr(singularities, "erfc_zero", lambda n, digits: second)
    with pytest.raises(CertificationError, match="not in the upper half of the disc"):
        certified_first_zero(20)


def certified_pair(part, monkeypatch):
    """What is certified of (z − 1)² + 1/16, whose zeros are 1 ± i/4, from a rough one."""
    monkeypatch.setattr(singularities, "ENTIRE", (singularities.Z - 1) ** 2 + sp.Rational(1, 16))
    monkeypatch.setattr(singularities, "erfc_zero", lambda n, digits: mpmath.mpc(1, part))
    return certified_first_zero(20)


def test_the_zero_that_is_taken_lies_above_the_real_line_however_near(monkeypatch):
    assert certified_pair(0.25, monkeypatch).imaginary.lower <= Decimal("0.25")
    with pytest.raises(CertificationError, match="not in the upper half of the disc"):
        certified_pair(-0.25, monkeypatch)


# from the coefficients alone


def test_the_signs_stand_in_pairs_and_singles_never_three_in_a_row():
    signs = [a > 0 for a in artanh_erf_coefficients(321, 30)]
    runs = [len(list(run)) for _, run in groupby(signs)]
    assert set(runs) == {1, 2}
    assert runs.count(1) > 10 and runs.count(2) > 10  # neither is an exception


# numerical coefficients


@pytest.mark.parametrize("order", slow_but((61).__eq__, [61, 101]))
def test_numerical_coefficients_are_the_exact_ones(order):
    exact = local_match(order).coefficients
    with mpmath.workdps(50):
        for a, expression in zip(artanh_erf_coefficients(order, 40), exact, strict=True):
            number = mpmath.mpmathify(sp.N(expression, 50, maxn=1000))
            assert abs(a - number) <= abs(number) * mpmath.mpf(10) ** -39


@pytest.mark.parametrize("order", slow_but((401).__eq__, [401, 601]))
def test_numerical_coefficients_lose_no_digit_to_cancellation(order):
    few, many = (artanh_erf_coefficients(order, digits) for digits in (30, 100))
    with mpmath.workdps(100):
        assert max(abs(a / b - 1) for a, b in zip(few, many, strict=True)) < 1e-29


# arguments


@pytest.mark.parametrize("value", [0, -1, 2.0, "3", True, None])
def test_digits_are_a_positive_integer(value):
    calls = [
        lambda: erfc_zero(1, value),
        lambda: erfc_zero(value, 20),
        lambda: artanh_erf_coefficients(9, value),
        lambda: certified_first_zero(value),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"must be an integer >= 1; got"):
            call()


def test_the_zeros_are_found_up_to_the_last_one_and_no_farther():
    for n in (30, 100, 300, LAST_ZERO):
        one, following = (abs(erfc_zero(m, 15)) ** 2 for m in (n - 1, n))
        # neighbours are 2π apart in the square of the modulus
        assert abs(following - one - 2 * mpmath.pi) < 0.1
        assert abs(following - 2 * mpmath.pi * (n - mpmath.mpf(1) / 8)) < 2
    with pytest.raises(ValueError, match="n must be at most 1000; got 1000000"):
        erfc_zero(10**6, 20)


def test_the_order_of_numerical_coefficients_is_odd():
    for value in (0, 4, -3):
        with pytest.raises(ValueError, match=r"^order must be an odd integer >= 1; got"):
            artanh_erf_coefficients(value, 20)
