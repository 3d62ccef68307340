"""Marks of punctuation stay with the formula beside them, and no word is lost."""

from __future__ import annotations

from io import StringIO

import pytest
from bs4 import BeautifulSoup, Tag
from docutils import nodes
from punctuation import kept_together
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

PAGE = r"""
Marks
=====

It is :math:`a`. And (:math:`b`), or :math:`c` and :math:`d`. It is :math:`e`.
Not *this*, not 1.5e-11 or ``1e-5``.
It is 1.2345678901234567890e-5.

.. code-block:: text

   (x).
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Tag:
    folder, warnings = tmp_path_factory.mktemp("marks"), StringIO()
    (folder / "index.rst").write_text(PAGE, encoding="utf-8")
    settings = {"extensions": ["katex_at_build"], "html_theme": "basic"}
    with docutils_namespace():
        Sphinx(
            folder,
            None,
            folder / "site",
            folder / "trees",
            "html",
            settings,
            status=None,
            warning=warnings,
        ).build()
    assert warnings.getvalue() == ""
    text = (folder / "site" / "index.html").read_text(encoding="utf-8")
    soup = BeautifulSoup(text, "html.parser")
    for formula in soup.select(".math"):
        formula.string = formula.annotation.text
    return soup.select_one("[role=main]")


def test_a_formula_holds_the_marks_that_touch_it(page):
    assert [kept.text for kept in page.select(".with-marks")] == ["a.", "(b),", "d.", "e."]


def test_a_long_formula_with_a_mark_breaks_where_it_may():
    parts = '<span class="base">a+</span><span class="base">b</span>'
    formula = nodes.math("a+b", "a+b")
    nodes.paragraph("", "", formula, nodes.Text("."))
    assert "a+</span><wbr><span" in kept_together(parts, formula)
    nodes.paragraph("", "", formula)
    assert kept_together(parts, formula) == parts


def test_the_text_is_what_it_was(page):
    text = " ".join(page.select_one("p").text.split())
    assert text == (
        "It is a. And (b), or c and d. It is e. Not this, not 1.5e-11 or 1e-5. "
        "It is 1.2345678901234567890e-5."
    )
    assert page.select_one("pre").text == "(x).\n"


def test_a_number_is_not_broken_at_the_sign_of_its_exponent(page):
    assert [number.text for number in page.select("p .unbroken")] == ["1.5e-11", "1e-5"]
