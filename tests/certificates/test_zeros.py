"""Zeros in the complex plane: counted in a disc and enclosed, or refused."""

import pytest
from flint import acb, arb, fmpq

from gelu_lib.certificates.engine.zeros import zero_count, zero_in_box
from gelu_lib.certificates.errors import CertificationError


def polynomial(*zeros):
    def function(z):
        product = acb(1)
        for zero in zeros:
            product *= z - zero
        return product

    return function


@pytest.mark.parametrize(
    ("function", "radius", "count"),
    [
        (acb.exp, 20, 0),
        (acb.sin, "3.14", 1),
        (acb.sin, "3.15", 3),
        (acb.cos, 10, 6),
        (polynomial(0, 0, 0), fmpq(1, 3), 3),
        (polynomial(acb(0.5, 0.5), acb(0.5, 0.5), acb(-2, 1), acb(3)), 1, 2),
        (polynomial(acb(0.5, 0.5), acb(0.5, 0.5), acb(-2, 1), acb(3)), "2.5", 3),
        (polynomial(*range(1, 21)), "17.5", 17),
    ],
)
def test_zeros_are_counted_with_their_multiplicity(function, radius, count):
    assert zero_count(function, radius) == count


@pytest.mark.parametrize(
    ("function", "radius"),
    [
        (polynomial(1), 1),
        (polynomial(acb(3, 4) / 5), 1),
        (polynomial(1), 1 + arb(2) ** -60),
        (acb.sin, arb.pi()),
        (lambda z: 0 * z, 1),
        (lambda z: acb(arb.nan()), 1),
    ],
)
def test_a_circle_through_a_zero_is_refused(function, radius):
    with pytest.raises(CertificationError, match="not shown to differ from 0"):
        zero_count(function, radius)


@pytest.mark.parametrize("radius", [0, -1, "", "one", None, float("nan"), float("inf")])
def test_a_radius_is_a_positive_number(radius):
    with pytest.raises(ValueError, match=r"radius is .*; accepted is a positive number"):
        zero_count(acb.exp, radius)


def test_a_zero_is_enclosed_to_its_digits():
    zero = zero_in_box(acb.sin, acb.cos, acb(3.14159265), 50)
    assert zero.real.overlaps(arb.pi()) and zero.imag.contains(0)
    assert zero.real.rad() < arb(10) ** -50


@pytest.mark.parametrize(
    ("function", "derivative", "start"),
    [
        (acb.sin, acb.cos, acb(3)),  # too far from a zero
        (lambda z: z * z - 1, lambda z: 2 * z, acb(2)),  # no zero
        (lambda z: (z - 1) * (z - 1), lambda z: 2 * (z - 1), acb(1)),  # a double one
        (lambda z: (z - 1) * (z - 1 - 1e-7), lambda z: 2 * z - 2 - 1e-7, acb(1)),  # two
    ],
)
def test_a_square_without_exactly_one_simple_zero_is_refused(function, derivative, start):
    with pytest.raises(CertificationError, match="exactly one zero is not shown"):
        zero_in_box(function, derivative, start, 20)
