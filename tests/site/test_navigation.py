"""The way through the book: the path in the bar, the parts with numbered chapters in the menu."""

import json

import pytest
from small_site import OWN_THEME, build, page, sound

TOC = """
.. toctree::
   :caption: First & last

   one
   two

.. toctree::
   :caption: Beside

   three
   beside
"""
SETTINGS = {
    "extensions": ["myst_nb", "navigation", "page_head", "title_block"],
    "nb_execution_mode": "off",
    "book_start": {"three": "3", "one": "1"},
    "book_tools": ["beside"],
} | OWN_THEME


def notebook(title: str) -> str:
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# {title}\n\nText."}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


FILES = {"index.rst": f"Book\n====\n\nText.\n{TOC}"}
FILES |= {f"{name}.ipynb": notebook(f"Chapter {name} < 4") for name in ("one", "two", "three")}
FILES |= {"beside.rst": "Beside\n======\n\nText.\n\n.. toctree::\n\n   sub/under\n"}
FILES |= {"sub/under.rst": "Under\n=====\n\nText.\n"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return sound(tmp_path_factory.mktemp("menu"), FILES, **SETTINGS)


def lists(site, name: str) -> dict[str, list[str]]:
    """The lines of the menu by caption; the page that the reader is on has a star."""
    found = {}
    for caption in page(site, name).select("#book-menu nav .caption"):
        following = caption.find_next_sibling("ul")
        links = following.select("a") if following else []
        stars = ("*" if link.get("aria-current") == "page" else "" for link in links)
        texts = (" ".join(link.get_text(" ", strip=True).split()) for link in links)
        found[caption.get_text()] = [star + text for star, text in zip(stars, texts, strict=True)]
    return found


def test_the_tools_stand_above_the_chapters_and_a_page_below_is_marked(site):
    assert lists(site, "two.html") == {
        "To come back to": ["Beside"],
        "First & last": ["1 Chapter one < 4", "*2 Chapter two < 4"],
        "Beside": ["3 Chapter three < 4", "Beside"],
        "Index": [],
    }
    assert lists(site, "sub/under.html")["Beside"] == ["3 Chapter three < 4", "*Beside"]
    link = page(site, "sub/under.html").select_one("[aria-current=page]")
    assert link["href"] == "../beside.html"


def dots(site, name: str) -> list[tuple[str, str, bool]]:
    """The path in the bar of a page: names, addresses, and what was read; a star where one is."""
    path = page(site, name).select(".path-dots a")
    stars = ["*" if dot.get("aria-current") == "page" else "" for dot in path]
    return [
        (star + dot.get_text(), dot["href"], dot.parent.get("class") == ["read"])
        for star, dot in zip(stars, path, strict=True)
    ]


def test_the_bar_has_the_path_and_says_where_the_reader_is(site):
    assert dots(site, "one.html") == [("3", "three.html", True), ("*1", "#", False)]
    assert dots(site, "two.html") == [("3", "three.html", False), ("1", "one.html", False)]


def ways(site, name: str) -> tuple[dict[str, str], str]:
    """The links at the end of a page by their relation or first word, and the next of its head."""
    soup = page(site, name)
    found = {link.span.get_text(): link["href"] for link in soup.select(".neighbours a")}
    if card := soup.select_one("a.way-on"):
        found["way on"] = card["href"]
    return found, soup.select_one("head link[rel=next]")["href"]


def test_the_way_on_is_the_path_and_the_neighbours_are_small(site):
    assert ways(site, "index.html") == (
        {"way on": "three.html", "Further": "one.html"},
        "three.html",
    )
    expected = {"way on": "one.html", "Back": "two.html", "Further": "beside.html"}
    assert ways(site, "three.html") == (expected, "one.html")
    # at the path's end, and beside it, the next page of the book
    assert ways(site, "one.html") == ({"Back": "three.html", "Further": "two.html"}, "two.html")
    assert ways(site, "two.html") == ({"Back": "one.html", "Further": "three.html"}, "three.html")


def test_a_page_says_above_its_title_where_it_stands(site):
    kickers = {"index": "A research book on GELU", "one": "The path · 2 of 2"}
    kickers |= {"two": "First & last", "sub/under": "Beside"}
    found = {name: page(site, f"{name}.html").select_one(".kicker").get_text() for name in kickers}
    assert found == kickers


def test_a_page_that_there_is_not_is_a_warning(tmp_path):
    _, warnings = build(tmp_path, FILES, **SETTINGS | {"book_start": {"four": "4"}})
    assert "book_start: there is no page four" in warnings
