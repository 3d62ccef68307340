"""The menu of every page: the story and the tools first, then the parts with numbered chapters."""

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
    "extensions": ["myst_nb", "navigation", "page_head"],
    "nb_execution_mode": "off",
    "book_start": ["three", "one"],
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


def test_the_story_stands_above_the_chapters_and_a_page_below_is_marked(site):
    assert lists(site, "two.html") == {
        "Start here": ["Chapter three < 4", "Chapter one < 4"],
        "To come back to": ["Beside"],
        "First & last": ["1 Chapter one < 4", "*2 Chapter two < 4"],
        "Beside": ["3 Chapter three < 4", "Beside"],
        "Index": [],
    }
    assert lists(site, "sub/under.html")["Beside"] == ["3 Chapter three < 4", "*Beside"]
    link = page(site, "sub/under.html").select_one("[aria-current=page]")
    assert link["href"] == "../beside.html"


def test_a_page_that_there_is_not_is_a_warning(tmp_path):
    _, warnings = build(tmp_path, FILES, **SETTINGS | {"book_start": ["four"]})
    assert "book_start: there is no page four" in warnings
