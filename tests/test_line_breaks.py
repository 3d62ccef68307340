"""Lines break beside no mark of a formula and in no exponent, and no word is lost."""

from __future__ import annotations

import pytest
from bs4 import Tag
from docutils import nodes
from line_breaks import kept_together
from small_site import page, sound

PAGE = r"""
Marks
=====

It is :math:`a`. And (:math:`b`), or :math:`c` and :math:`d`. It is :math:`e`.
Not *this*, not 1.5e-11 or ``1e-5``.
It is 1.2345678901234567890e-5.

.. code-block:: text

   (x).

Outside a table ``a_b`` is whole, and 2·0.797884560802865355879892 too.

=======================  ==============================================================
``torch.f(a_b)`` x       ``torch.nn.f(a_b, approximate="not/15.0")(x)``
a·b, 12345678901234      2·0.797884560802865355879892, cut
1234567890123456         in so many words that it is not a short one, 1234567890123456
=======================  ==============================================================
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Tag:
    """The text of the page, its formulas as TeX."""
    files = {"index.rst": PAGE}
    site = sound(tmp_path_factory.mktemp("marks"), files, extensions=["katex_at_build"])
    soup = page(site)
    for formula in soup.select(".math"):
        formula.string = formula.annotation.text
    return soup.select_one("[role=main]")


def test_a_formula_holds_the_marks_that_touch_it(text):
    assert [kept.text for kept in text.select(".with-marks")] == ["a.", "(b),", "d.", "e."]


def test_a_long_formula_with_a_mark_breaks_where_it_may():
    parts = '<span class="base">a+</span><span class="base">b</span>'
    formula = nodes.math("a+b", "a+b")
    nodes.paragraph("", "", formula, nodes.Text("."))
    assert "a+</span><wbr><span" in kept_together(parts, formula)
    nodes.paragraph("", "", formula)
    assert kept_together(parts, formula) == parts


def test_the_text_is_what_it_was(text):
    assert " ".join(text.select_one("p").text.split()) == (
        "It is a. And (b), or c and d. It is e. Not this, not 1.5e-11 or 1e-5. "
        "It is 1.2345678901234567890e-5."
    )
    assert text.select_one("pre").text == "(x).\n"


def test_a_number_is_not_broken_at_the_sign_of_its_exponent(text):
    assert [number.text for number in text.select("section > p .unbroken")] == ["1.5e-11", "1e-5"]


def test_code_in_a_table_breaks_between_the_parts_of_a_name(text):
    short, long = text.select("td code")
    assert short.text == "torch.f(a_b)"
    assert long.text == 'torch.nn.f(a_b, approximate="not/15.0")(x)'
    assert parts(long) == ["torch.nn.f(a_b,", "approximate=", '"not/', '15.0")(x)']
    assert parts(short) == ["torch.f(a_b)"]
    assert short.select_one(".unbroken").text == short.text


def test_code_outside_a_table_is_left_whole(text):
    (code,) = [code for code in text.select("p > code") if code.text == "a_b"]
    assert not code.select("wbr")


def test_a_long_number_in_a_table_breaks_after_some_digits(text):
    short, long, longer, wordy = text.select("td")[-4:]
    assert parts(short) == ["a·b, 12345678901234"]
    assert parts(long) == ["2·", "0.7978845608", "02865355879892, cut"]
    assert parts(longer) == ["1234567890", "123456"]
    assert not wordy.select("wbr")
    assert not text.select("section > p > wbr")


def parts(code: Tag) -> list[str]:
    """What stands between the places where a line may break."""
    return list(code.stripped_strings)
