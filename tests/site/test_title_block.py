"""What stands around the text of a page: title block, margin, cards, and the card of the way on."""

import json
from datetime import date

import citation
import pytest
from small_site import OWN_THEME, page, sound

import gelu_lib

GOALS = "*After this page you can*\n\n- compute;\n- prove;\n- decide."
FULL = f"""# Full

What one knows at the end.

The text begins with [a link](bare.ipynb).

*You should know:* [nothing](bare.ipynb).

{GOALS}

## A section

<!-- cards -->

- **Head.** Words. [There](bare.ipynb)

**Next on the path** (2 of 2): [Bare](bare.ipynb). It has $x^2$.
"""
BARE = "# Bare\n\nA text with [a link](full.ipynb), which no title block has.\n\n- a list\n"
OWN = ["navigation", "page_head", "title_block"]
SETTINGS = {
    "extensions": ["myst_nb", "katex_at_build", "plain_markdown", *OWN],
    "myst_enable_extensions": ["dollarmath"],
    "nb_execution_mode": "off",
    "book_start": {"book/full": "Full", "book/bare": "Bare"},
    "author": "Ann & Ben",
} | OWN_THEME


def notebook(text: str) -> str:
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": text}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


TOC = "```{toctree}\nbook/full\nbook/bare\n```\n"
FILES = {
    "index.md": f"# Book\n\nAll of it.\n\n```\nline\n```\n\n{TOC}",
    "book/full.ipynb": notebook(FULL),
    "book/bare.ipynb": notebook(BARE),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return sound(tmp_path_factory.mktemp("block"), FILES, **SETTINGS)


def outline(site, name: str) -> list[str]:
    """What a page has of its first section, in order: class or name of each part."""
    parts = page(site, name).select("article > section > *")
    return [" ".join(part.get("class", [])) or part.name for part in parts]


def test_the_finding_stands_between_the_title_and_who_wrote_it_and_the_margin_follows(site):
    assert outline(site, "book/full.html")[:5] == ["h1", "finding", "byline", "margin-note", "p"]
    assert outline(site, "book/bare.html")[:3] == ["h1", "byline", "p"]  # its text has a link
    assert outline(site, "index.html")[:3] == ["h1", "finding", "highlight-default notranslate"]
    head = page(site, "book/full.html").select_one("meta[name=description]")
    assert head["content"] == "What one knows at the end."


def test_the_margin_has_the_goals_and_what_one_should_know(site):
    note = page(site, "book/full.html").select_one("aside.margin-note")
    assert note.get_text(" ", strip=True).startswith("After this page you can compute;")
    assert note.get_text(" ", strip=True).endswith("You should know: nothing .")
    assert "should know" not in page(site, "book/full.html").select_one(".margin-note ~ p").text


def byline(site) -> dict[str, str]:
    pairs = page(site, "book/full.html").select(".byline > div")
    return {pair.dt.get_text(): pair.dd.get_text() for pair in pairs}


def test_the_byline_says_who_when_and_under_which_licence(site, tmp_path, monkeypatch):
    monkeypatch.setattr(citation, "stated", lambda: {"title": "T", "authors": [{"name": "A"}]})
    expected = {"Authors": "Ann & Ben", "Published": "in preparation"}
    expected |= {"Version": f"v{gelu_lib.__version__}", "Licence": "CC BY 4.0, code MIT"}
    stated = citation.stated()
    found = byline(sound(tmp_path / "a", FILES, **SETTINGS))
    assert found == expected | {"Citation": "Cite this page"}
    monkeypatch.setattr(citation, "stated", lambda: stated | {"date-released": date(2031, 5, 4)})
    assert byline(sound(tmp_path / "b", FILES, **SETTINGS))["Published"] == "4 May 2031"


def test_a_chapter_ends_with_its_own_entry_for_a_bibliography(site):
    for name in ("full", "bare"):
        cited = page(site, f"book/{name}.html").select_one("#cite-this-page pre").get_text()
        assert f"{{gelubook:{name}," in cited
    assert not page(site).select("#cite-this-page")  # this one is no notebook


def test_the_sentence_of_the_way_on_stands_on_its_card_and_nowhere_else(site):
    soup = page(site, "book/full.html")
    card = soup.select_one("a.way-on")
    assert card["href"] == "bare.html"
    assert card.get_text(" ", strip=True) == "Next on the path · 2 of 2 Bare It has x²."
    assert "Next on the path" not in soup.article.get_text()
    assert not page(site, "book/bare.html").select(".way-on")


def test_a_list_below_its_comment_is_a_list_of_cards(site):
    cards = page(site, "book/full.html").select_one("ul.cards")
    assert [li.strong.get_text() for li in cards.select("li")] == ["Head."]
    assert "<!-- cards" not in str(page(site, "book/full.html"))
