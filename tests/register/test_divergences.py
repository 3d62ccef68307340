"""The scales of least divergence: by other integrals in mpmath, and what is refused."""

import mpmath
import pytest
import sympy as sp
from mpmath import mpf

from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.divergences import D, scale
from gelu_lib.register import result

ENDS = [0, 1, 2, 3, 4, 6, 9, 13]


def mean(function):
    """The mean of an even function of a standard normal number."""
    return 2 * mpmath.quad(lambda z: function(z) * mpmath.npdf(z), ENDS)


def of_the_laws(d):
    """The slope of the divergence by Stein's lemma, times d: another integral than the proof's."""
    return d**2 / 2 * mean(lambda z: mpmath.sech(d * z / 2) ** 2) - 1


def of_the_answers(d):
    """As well: E[Z·σ(dZ)] is d times the mean of the slope of σ."""
    return d * mean(lambda z: mpmath.sech(d * z / 2) ** 2 / 4) - 1 / (2 * mpmath.sqrt(mpmath.pi))


@pytest.mark.parametrize(
    ("id", "equation", "near"),
    [
        ("logistic-scale-kl", of_the_laws, 1.75),
        ("logistic-scale-bernoulli", of_the_answers, 1.7),
    ],
)
def test_another_integral_has_thirty_digits_of_each_scale(id, equation, near):
    with mpmath.workdps(36):
        found = mpmath.findroot(equation, mpf(near))
        assert abs(found - mpf(result(id).value)) < mpf(10) ** -31
        assert abs(found - mpf("1.7017449253380033")) > 0.002  # neither is the scale of Φ


def test_each_scale_makes_its_divergence_least():
    def laws(d):
        return -mpmath.log(d) + mean(lambda z: 2 * mpmath.log(mpmath.cosh(d * z / 2)))

    def answers(d):
        def of_two_coins(z):
            yes, no = ((mpmath.ncdf(t), 1 / (1 + mpmath.exp(-d * t))) for t in (z, -z))
            return sum(p * mpmath.log(p / q) for p, q in (yes, no))

        return mean(of_two_coins)

    for id, divergence in (("logistic-scale-kl", laws), ("logistic-scale-bernoulli", answers)):
        best = mpf(result(id).value)
        least = divergence(best)
        assert all(divergence(best + step) > least for step in (-0.003, 0.003)), id
    assert laws(mpf("1.699")) > laws(mpf("1.749"))
    assert answers(mpf("1.749")) > answers(mpf("1.699"))


@pytest.mark.parametrize("level", [sp.Integer(2), sp.Rational(3, 10), D / 2])
def test_a_level_that_is_not_reached_from_1_on_is_refused(level):
    # E|Z| = 0.80 is the least upper bound of m; m(D) is less than D/2, and 0.3 at 0.66
    with pytest.raises(CertificationError):
        scale(level, 1.7, 8)
