"""The page on probit and logit: its numbers by mpmath, and its proofs tried."""

import re
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from reader import glued, prose, table
from scipy.special import expit, log_expit, log_ndtr, logit, ndtr, ndtri
from scipy.stats import norm

PAGE = "probit-logit"
SLOPE = mpmath.sqrt(8 / mpmath.pi)


def said(name):
    """A number that the page hands to its text."""
    return float(glued("probit-logit")[name].replace("−", "-"))


def sigma(u):
    return 1 / (1 + mpmath.exp(-u))


def error(x, d):
    return mpmath.ncdf(x) - sigma(d * x)


def averaged(mu, s):
    """E σ(μ + sZ), from the density of Z; the page has that of the logistic law."""
    return mpmath.quad(
        lambda z: sigma(mu + s * z) * mpmath.npdf(z), [-12, -6, -3, -1, 0, 1, 3, 6, 12]
    )


def numbers(row):
    return float(row[1]), float(row[2])


def test_the_mixture_of_normal_laws_is_the_logistic_law():
    """With the alternating series of the Kolmogorov law, and of what was said of its moments."""

    def density(v):  # of √V
        terms = (
            (-1) ** (n - 1) * 2 * n**2 * v * mpmath.exp(-(n**2) * v**2 / 2) for n in range(1, 40)
        )
        return mpmath.fsum(terms)

    ends = [mpf("0.3"), 1, 2, 3, 5, 9]
    for x in (mpf("0.5"), mpf(2), mpf(6)):
        mixed = mpmath.quad(lambda v, x=x: mpmath.ncdf(x / v) * density(v), ends)
        assert abs(mixed - sigma(x)) < 1e-9
        assert (
            abs(mpmath.quad(lambda v, x=x: mpmath.ncdf(x / v / 2) * density(v), ends) - sigma(x))
            > 0.01
        )
    means = [mpmath.quad(lambda v, k=k: v**k * density(v), ends) for k in (-1, 1, 2)]
    assert abs(1 / means[0] - SLOPE) < 1e-8
    assert abs(means[1] - mpmath.sqrt(2 * mpmath.pi) * mpmath.log(2)) < 1e-8
    assert abs(means[2] - mpmath.pi**2 / 3) < 1e-8
    deviation = mpmath.sqrt(means[2] - means[1] ** 2)
    assert said("percent-of-spread") == pytest.approx(float(100 * deviation / means[1]), abs=0.5)
    assert said("mean-deviation") == pytest.approx(float(means[1]), abs=5e-4)


@pytest.mark.parametrize("u", ["0.4", "1.5"])
def test_the_product_is_the_characteristic_function(u):
    u = mpf(u)
    ours = mpmath.pi * u / mpmath.sinh(mpmath.pi * u)
    product = mpmath.nprod(lambda n: 1 / (1 + u**2 / n**2), [1, mpmath.inf])
    of_the_law = 2 * mpmath.quad(
        lambda x: mpmath.cos(u * x) * sigma(x) * sigma(-x), [0, 3, 8, 20, 50]
    )
    one = mpmath.quad(lambda x: mpmath.exp(-(u**2) * x / 4 - x), [0, mpmath.inf])  # of X for n = 2
    assert abs(product - ours) < 1e-10 and abs(of_the_law - ours) < 1e-12
    assert abs(one - 1 / (1 + u**2 / 4)) < 1e-12


def test_each_factor_has_the_error_that_the_table_has_and_is_right_where_it_says():
    rows = table(PAGE, "purpose")
    assert len(rows) == 9
    factors = [float(row[1]) for row in rows]
    assert factors == sorted(factors)
    x = np.linspace(0, 9, 90_001)
    for row in rows:
        d, largest = numbers(row)
        assert largest == pytest.approx(abs(ndtr(x) - expit(d * x)).max(), rel=4e-3)
    for row in rows[1:]:
        p = float(row[3])
        assert logit(p) / ndtri(p) == pytest.approx(float(row[1]), abs=3e-3)
    assert rows[0][3] == "½ alone"
    assert min(float(row[2]) for row in rows) == 0.00946
    assert max(rows, key=lambda row: float(row[2]))[0] == r"equal variances, $\pi/\sqrt3$"
    least = [row[0] for row in rows if float(row[2]) == 0.00946]
    assert least == ["least largest error of Φ"]


def test_the_finding_has_the_factors_of_the_table():
    factors = {float(row[1]) for row in table(PAGE, "purpose")}
    said_there = re.findall(r"\d\.\d+", prose(PAGE).split("\n\n")[1])
    assert len(said_there) == 6
    far = mpmath.ncdf(-5) / sigma(mpf("-5") * mpf(said_there[-1]))
    assert "700-fold" in prose(PAGE) and round(1 / far, -2) == 700
    for text in said_there:
        places = len(text) - 2
        assert any(round(factor, places) == float(text) for factor in factors), text
    assert not any(round(factor, 3) == 1.72 for factor in factors)


def test_every_factor_of_the_stated_range_is_within_a_hundredth_and_none_beside_it():
    x = np.linspace(0, 9, 90_001)
    for end, outwards in (("within-from", -1e-4), ("within-to", 1e-4)):
        inside, outside = said(end), said(end) + outwards
        assert (
            abs(ndtr(x) - expit(inside * x)).max() < 0.01 < abs(ndtr(x) - expit(outside * x)).max()
        )


LAWS = {"0-and-a-quarter": (0, 0.5), "0-and-2": (0, 2**0.5), "0-and-4": (0, 2), "1-and-1": (1, 1)}
LAWS["2-and-1"] = (2, 1)


@pytest.mark.parametrize("law", LAWS)
def test_another_item_has_another_best_factor(law):
    """By the divergence itself, which is greater on both sides of the stated factor."""
    m, s = LAWS[law]
    z = np.linspace(-11, 11, 8_001)
    x, weights = m + s * z, np.exp(-(z**2) / 2)

    def divergence(d):
        return -weights @ (ndtr(x) * log_expit(d * x) + ndtr(-x) * log_expit(-d * x))

    best = said(f"for-{law}")
    assert divergence(best) < min(divergence(best - 1e-3), divergence(best + 1e-3))
    assert divergence(best) < divergence(1.699)
    assert said("smallest-for-other-items") <= best <= said("largest-for-other-items")


def test_the_ratio_grows_and_its_expansion_holds():
    x = [mpf(k) / 8 for k in range(1, 160)]
    ratio = [mpmath.log(mpmath.ncdf(t) / mpmath.ncdf(-t)) / t for t in x]
    assert all(a < b for a, b in pairwise(ratio)) and ratio[0] > SLOPE
    for t in (mpf(10), mpf(30)):
        rest = mpmath.log(mpmath.ncdf(t) / mpmath.ncdf(-t)) - t**2 / 2
        assert abs(rest - mpmath.log(mpmath.sqrt(2 * mpmath.pi) * t)) < 1.1 / t**2


@pytest.mark.parametrize("s", ["0.3", "1", "2.8", "20"])
def test_the_difference_of_the_average_is_that_of_the_proof_and_below_its_bound(s):
    s, largest = mpf(s), said("bound-for-mackay")
    for t in (mpf("0.3"), mpf("0.6"), mpf("1.7")):
        mu = t * mpmath.hypot(SLOPE, s)
        found = averaged(mu, s) - sigma(mu / mpmath.sqrt(1 + mpmath.pi * s**2 / 8))
        of_e = mpmath.quad(
            lambda z, mu=mu: error((mu + s * z) / SLOPE, SLOPE) * mpmath.npdf(z),
            [-12, -6, -3, -1, 0, 1, 3, 6, 12],
        )
        assert abs(found - (error(t, SLOPE) - of_e)) < 1e-10
        assert abs(found) < largest
        assert of_e > 0


def test_the_bound_is_sharp_and_a_wrong_factor_breaks_it():
    largest = float(error(mpf("1.73"), SLOPE))
    assert said("bound-for-mackay") == pytest.approx(largest, abs=5e-5)
    assert said("percent-below-the-bound") == 0.01
    t, s = mpf("1.73"), mpf(300)

    def off(factor):  # the density of the logistic law, as s is large
        mu = t * mpmath.hypot(factor, s)
        exact = mpmath.quad(
            lambda u: sigma(u) * sigma(-u) * mpmath.ncdf((mu - u) / s), [-60, 0, 60]
        )
        return float(exact - sigma(factor * t))

    assert 0.999 * largest < off(SLOPE) < largest
    assert off(mpf("1.5")) > largest  # with another factor the bound does not hold


def test_the_worst_place_with_1702_is_a_little_above_both():
    d, s = mpf("1.702"), mpf("2.85")
    mu = mpf("0.61") * mpmath.hypot(d, s)
    found = abs(averaged(mu, s) - sigma(d * mpf("0.61")))
    assert said("found-with-the-other-factor") == pytest.approx(float(found), abs=5e-5)
    assert 0.0094864 < found < 2 * 0.0094864  # more than the error of Φ, and less than twice
    assert said("worst-deviation") == 3


def test_the_item_and_the_tails():
    at = np.linspace(-3, 3, 60_001)
    assert said("largest-difference") == pytest.approx(
        abs(ndtr(at) - expit(1.7 * at)).max(), abs=5e-5
    )
    assert (said("discrimination"), said("difficulty")) == (1.2, 0.5)
    for row in table(PAGE, "$x$"):
        x, of_phi, of_sigma, ratio = (float(cell.replace("−", "-")) for cell in row)
        with mpmath.workdps(30):
            assert of_phi == pytest.approx(float(mpmath.log(mpmath.ncdf(mpf(x)))), rel=1e-5)
            assert of_sigma == pytest.approx(
                float(mpmath.log(sigma(mpf("1.702") * mpf(x)))), rel=1e-5
            )
        assert ratio == pytest.approx(np.exp(log_ndtr(x) - log_expit(1.702 * x)), rel=0.04)
    for end, bits in (("no-float-from", 1075), ("lost-from", 0)):  # halfway from 0 to a float
        assert bits == 0 or mpmath.ncdf(said(end)) < mpf(2) ** -bits < mpmath.ncdf(said(end) + 0.1)
        assert norm.cdf(said(end)) == 0 < norm.cdf(said("lost-from") + 0.1)
    assert said("no-float-from") < said("lost-from")
    assert said("proved-for-the-other-factor") == pytest.approx(2 * 0.0094864, abs=5e-5)


def test_the_loading_is_the_correlation_of_the_ability_with_what_lies_behind_the_answer():
    """By the share of those above the mean who answer 1 to an item with the difficulty 0."""

    def share(a):
        return float(mpmath.quad(lambda t: mpmath.npdf(t) * mpmath.ncdf(a * t), [0, 2, 5, 12]))

    def of_correlation(r):
        return 0.25 + np.arcsin(r) / (2 * np.pi)

    assert of_correlation(said("loading")) == pytest.approx(share(said("discrimination")), abs=2e-4)
    assert abs(of_correlation(said("loading")) - share(1.2 * 1.7)) > 0.01  # α taken for a


def test_guessing_shrinks_the_difference_and_a_grade_doubles_it():
    x, c, largest = np.linspace(-6, 6, 12_001), 0.2, said("largest-difference")
    guessed = (c + (1 - c) * ndtr(x)) - (c + (1 - c) * expit(1.7 * x))
    assert abs(guessed).max() == pytest.approx((1 - c) * largest, rel=5e-3)

    def grade(width):  # of the category between two boundaries, at all abilities
        off = [ndtr(x + half) - expit(1.7 * (x + half)) for half in (width / 2, -width / 2)]
        return abs(off[0] - off[1]).max()

    widest = max(map(grade, np.linspace(0.1, 6, 300)))
    assert widest == pytest.approx(2 * largest, rel=5e-3)
    assert grade(0.1) < largest / 2
