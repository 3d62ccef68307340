"""Numbers and tables as a chapter shows them."""

from decimal import Decimal

import numpy as np
import pytest
import sympy as sp
from markdown_it import MarkdownIt

from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.forms import sigmoid_form
from gelu_lib.show.tables import Table, decimal, end_cells, glue, say


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (sp.pi, 30, "3.14159265358979323846264338328"),
        (sp.Rational(1, 3), 5, "0.33333"),
        (sp.Float("0.1", 60) * 3, 50, "0.3" + "0" * 49),
        (-0.000178921, 4, "−0.0001789"),
        (1.7e-12, 3, "1.70e-12"),
    ],
)
def test_a_decimal_has_the_digits_that_were_asked_for(number, digits, text):
    assert decimal(number, digits) == text


def test_what_has_no_digits_or_leaves_a_choice_is_refused():
    for number in (float("nan"), sp.oo):
        with pytest.raises(ValueError, match="number is"):
            decimal(number)
    for number in (1j, sp.I, "abc", None):
        with pytest.raises(TypeError, match="accepted is a real number"):
            decimal(number)
    for digits in (0, 2.5, "3", True):
        with pytest.raises(ValueError, match="digits is"):
            decimal(1.0, digits)
    with pytest.raises(CertificationError, match="does not decide 3 digits"):
        Table(["a"], [[Enclosure(Decimal("1.234"), Decimal("1.236"))]], digits=3)
    with pytest.raises(TypeError, match=r"text is 0\.5; accepted is a string"):
        glue("half", 0.5)


@pytest.mark.parametrize(
    ("lower", "upper", "cells"),
    [
        ("0.0447149", "0.0447152", ["**0.04471**49", "**0.04471**52"]),
        ("-1.25", "-1.23", ["**−1.2**5", "**−1.2**3"]),
        ("4.51e-8", "4.53e-8", ["**4.5**1e-8", "**4.5**3e-8"]),
        ("9.9", "10.1", ["9.9", "10.1"]),
        ("-0.01", "0.01", ["−0.01", "0.01"]),
    ],
)
def test_the_digits_on_which_two_ends_agree_are_bold(lower, upper, cells):
    assert end_cells(Enclosure(Decimal(lower), Decimal(upper))) == cells


def test_bold_digits_are_bold_in_the_markdown_of_a_table_and_plain_in_text():
    table = Table.of_ends({"k": Enclosure(Decimal("1.25"), Decimal("1.75"))})
    html = MarkdownIt().enable("table").render(table._repr_markdown_())
    assert "<td><strong>1</strong>.25</td>\n<td><strong>1</strong>.75</td>" in html
    assert repr(table).splitlines()[1] == "k  1.25  1.75"
    assert repr(Table(["code"], [["x**3 + 2 * x**2"]])) == "code\nx**3 + 2 * x**2"
    table = Table(["a", "$b$"], [["1", "2"]])
    assert table._repr_markdown_() == "| a | $b$ |\n| --- | --- |\n| 1 | 2 |"
    folded = Table(["a", "$b$"], [["1", "2"]], fold="All")._repr_markdown_()
    assert folded == f"<details>\n<summary>All</summary>\n\n{table._repr_markdown_()}\n\n</details>"


def test_a_table_and_a_text_round_what_they_show(capsys, monkeypatch):
    monkeypatch.setattr("IPython.display.display", lambda *data, **kinds: None)
    proved = certified_sup_error(sigmoid_form(), digits=5)
    row = ["words", 1234567, -1.0 / 3, sp.pi, np.float32(0.25), proved.error, proved]
    table = Table(list("abcdefg"), [row], digits=[1, 1, 3, 4, 5, 2, 5])
    assert table.rows == [
        ["words", "1,234,567", "−0.333", "3.142", "0.25000", "0.0095", "0.0094863 at ±0.5715"]
    ]
    say(3, one_third=1 / 3, count=1024)
    assert capsys.readouterr().out == "one third: 0.333\ncount: 1,024\n"


@pytest.mark.parametrize("cell", ["two\nlines", "a | b", None, True, 1j, ["1"]])
def test_a_cell_that_breaks_the_table_or_is_no_number_is_refused(cell):
    breaks, other = (ValueError, "line break or a vertical bar"), (TypeError, "is a real number")
    error, message = breaks if isinstance(cell, str) else other
    with pytest.raises(error, match=message):
        Table(["a"], [[cell]])


def test_a_glued_text_is_what_the_page_builder_would_keep(monkeypatch):
    import myst_nb

    shown = []
    for place in ("IPython.display.display", "myst_nb.ext.glue.ipy_display"):
        monkeypatch.setattr(place, lambda *data, **kinds: shown.append((data, kinds)))
    # the real one would start a shell, which the figures of later tests would take for a notebook
    monkeypatch.setattr(
        "IPython.core.formatters.format_display_data", lambda text: ({"text/plain": repr(text)}, {})
    )
    glue("half", "0.5")
    myst_nb.glue("half", "0.5", display=False)
    assert shown[0] == shown[1]
