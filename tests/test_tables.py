"""Numbers and tables as a chapter shows them."""

import mpmath
import pytest
import sympy as sp

from gelu_lib.tables import Table, decimal


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (sp.pi, 30, "3.14159265358979323846264338328"),
        (sp.Rational(1, 3), 5, "0.33333"),
        (sp.Float("0.1", 60) * 3, 50, "0.3" + "0" * 49),
        (mpmath.mpf(75), 2, "75"),
        (-0.000178921, 4, "−0.0001789"),
        (1.7e-12, 3, "1.70e-12"),
        (0.5, 1, "0.5"),
    ],
)
def test_a_decimal_has_the_digits_that_were_asked_for(number, digits, text):
    assert decimal(number, digits) == text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), sp.oo])
def test_a_number_that_is_not_finite_is_refused(number):
    with pytest.raises(ValueError, match="number is"):
        decimal(number)


def test_no_digits_are_refused():
    with pytest.raises(ValueError, match="digits is 0"):
        decimal(1.0, 0)


def test_a_table_is_markdown():
    table = Table(["a", "$b$"], [["1", "2"]])
    assert table._repr_markdown_() == "| a | $b$ |\n| --- | --- |\n| 1 | 2 |"


def test_a_short_row_is_refused():
    with pytest.raises(ValueError, match="1 cells; the header 2"):
        Table(["a", "b"], [["1"]])
