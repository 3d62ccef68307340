"""Numbers as the results page shows them."""

from decimal import Decimal

import pytest
from register_pages import shortened, significant_digits

from gelu_lib.values.recipes import numeral


@pytest.mark.parametrize(
    ("number", "written"),
    [("-0.0050", "-0.0050"), ("120", "120"), ("1.2E+308", "1.2e+308"), ("5E-9", "0.000000005")],
)
def test_a_numeral_has_the_digits_of_its_number_and_no_zeros_behind_them(number, written):
    assert numeral(Decimal(number)) == written
    assert Decimal(written) == Decimal(number)
    assert significant_digits(written) == len(Decimal(number).as_tuple().digits)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("1.5", "1.5"),
        ("-0.00" + "7" * 50, "-0.00" + "7" * 30 + "…"),
        ("12." + "3" * 48, "12." + "3" * 28 + "…"),
        ("4." + "5" * 49 + "e+102", "4." + "5" * 29 + "…e+102"),
        ("4.5e+102", "4.5e+102"),
        ("6" * 39 + "." + "7" * 11, "6" * 39 + ".…"),
    ],
)
def test_a_long_number_is_cut_and_says_so(value, shown):
    assert shortened(value) == shown
