"""Tables and derivations of every page: a number stands in one piece, a reason beside its step, and
a line of a formula ends before a relation and outside of brackets."""

import page_checks
import pytest
from kinds import slow_but
from page_loads import DESK, PAGES, resize

pytestmark = pytest.mark.browser

TABLET, PHONE = 720, 390
# The most derivations, the widest one, and the most numbers in tables.
SHARP = ["book/derivatives.html", "book/minimax.html", "book/kernel.html"]


@pytest.mark.parametrize("name", slow_but(lambda name: name in SHARP, PAGES))
def test_what_belongs_on_one_line_stands_there(tab, name):
    page, _ = tab
    page.goto(name)
    found = []
    for width in (DESK, TABLET, PHONE):
        resize(page, width)
        found += page_checks.rows(page) + page_checks.broken_words(page)
        found += page_checks.line_ends(page) + page_checks.sideways(page)
    assert not found, "\n".join(found)


def test_the_derivations_of_the_book_are_seen(site):
    found = {n: (site / n).read_text(encoding="utf-8").count("katex-html rows") for n in PAGES}
    assert sum(found.values()) > 60 and found[SHARP[0]] == max(found.values())
