"""The numbers of the chapter on the left tail, found again by a second method."""

from decimal import Decimal, localcontext

import mpmath
import pytest
from reader import table
from test_second_methods import DIGITS, bisected, decimal_cdf, decimal_pi, sigma

from gelu_lib.certificates.facts.left_tail import UNIT_ROUNDOFF, earliest_reach
from gelu_lib.evidence.proved import CERTIFICATIONS, compute_digits
from gelu_lib.register import agreeing_digits, results


def decimal_ratio(p1, p3):
    return lambda x: sigma(p1 * x + p3 * x**3) / decimal_cdf(x)


def second_way():
    with localcontext(prec=DIGITS):
        p1 = 2 * (2 / decimal_pi()).sqrt()
        tanh_form = decimal_ratio(p1, p1 * Decimal("0.044715"))
        sigmoid_form = decimal_ratio(Decimal("1.702"), 0)
        return {
            "page-tail-half": bisected(lambda x: tanh_form(x) - Decimal("0.5"), -5, -3),
            "page-tail-crossing": bisected(lambda x: tanh_form(x) - 1, -3, -1),
            "scale-1702-tail-double": bisected(lambda x: sigmoid_form(x) - 2, -3, -2),
            "scale-1702-tail-crossing": bisected(lambda x: sigmoid_form(x) - 1, -2, -1),
        }


def by_incomplete_gamma(terms):
    """Where the relative error of so many terms is 2⁻⁵³, in mpmath."""

    def excess(x):
        z, half = x**2 / 2, mpmath.mpf(1) / 2
        share = mpmath.gammainc(half - terms, z) / mpmath.gammainc(half, z)
        return mpmath.fac2(2 * terms - 1) * share / mpmath.mpf(2) ** terms * 2**53 - 1

    with mpmath.workdps(70):
        return mpmath.nstr(mpmath.findroot(excess, (8, 9), solver="anderson"), 65)


@pytest.mark.slow
def test_a_number_of_the_left_tail_is_confirmed_by_a_second_method():
    found = {id: str(value) for id, value in second_way().items()}
    found["mills-float64-place"] = by_incomplete_gamma(earliest_reach(UNIT_ROUNDOFF)[0])
    assert set(found) == {id for id in CERTIFICATIONS if results()[id].page == "left-tail"}
    for id, value in found.items():
        assert agreeing_digits(value, compute_digits(id, 60)) >= 50
        assert results()[id].check
    other = by_incomplete_gamma(earliest_reach(UNIT_ROUNDOFF)[0] + 1)
    assert agreeing_digits(other, compute_digits("mills-float64-place", 60)) < 5


def fraction(x, levels, first=1):
    """The continued fraction of Mills' ratio, from the inside out."""
    below = x
    for n in range(levels + first - 1, first - 1, -1):
        below = x + n / below
    return 1 / below


HEAD = "$x$ | levels to reach $2^{-53}$"


@pytest.mark.parametrize("row", table("left-tail", HEAD), ids=lambda row: row[0])
def test_the_table_has_the_fewest_levels_that_reach_float64(row):
    with mpmath.workdps(60):
        x, levels = mpmath.mpf(row[0]), int(row[1].replace(",", ""))
        ratio = mpmath.sqrt(mpmath.pi / 2) * mpmath.exp(x**2 / 2) * mpmath.erfc(x / mpmath.sqrt(2))
        off = [abs(fraction(x, n) / ratio - 1) * 2**53 for n in (levels - 1, levels)]
        assert off[0] >= 1 > off[1]


def test_the_continued_fraction_is_by_turns_too_large_and_too_small():
    def off(x, *form):
        return fraction(mpmath.mpf(x), *form) - mpmath.ncdf(-x) / mpmath.npdf(x)

    with mpmath.workdps(40):
        for x in (0.1, 1, 5):
            assert all((off(x, n) > 0) == (n % 2 == 0) for n in range(40))
        assert off(1, 8, 2) < 0  # with 2, 3, 4, … inside it is another fraction
