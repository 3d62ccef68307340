"""The index: what it takes from its file."""

from __future__ import annotations

from pathlib import Path

import pytest
import small_site
from plain_pages import TERM
from small_site import BOOK
from subject_index import parsed, terms

PAGE = """
Best
====

It is best.

A test
------

.. py:function:: minimax()

   Finds it.
"""
TERMS = (
    '[best]\n"Best" = ["!minimax"]\n"A test" = ["minimax; a test, twice", "see: best; minimax"]\n'
)


@pytest.fixture
def built(tmp_path):
    """A function that builds a site of one page with a file of terms, and gives its warnings."""
    toctree = ".. toctree::\n\n   book/best\n   book/notation\n   book/glossary\n"
    files = {"index.rst": f"Index\n=====\n\n{toctree}", "book/best.rst": PAGE}
    for name in ("notation", "glossary"):
        text = f"{name}\n{'=' * len(name)}\n\n.. glossary::\n\n   minimax {name}\n      Least.\n"
        files[f"book/{name}.rst"] = text

    def build(written: str) -> str:
        texts = files | {"book/index-terms.toml": written}
        return small_site.build(tmp_path, texts, extensions=["subject_index"])[1]

    return build


def entries(site: Path) -> dict[str, list[tuple[str, bool]]]:
    """The entries of the index: the address and the importance of their places, by text."""
    soup = small_site.page(site, "genindex.html")
    found = {}
    for item in soup.select(".genindextable li"):
        links = item.find_all("a", recursive=False)
        text = (links[0] if links else item.find(string=True)).get_text(strip=True)
        found[text] = [(link["href"], link.strong is not None) for link in links]
    return found


def test_the_entries_of_the_file_lead_to_their_sections_also_when_they_change(built, tmp_path):
    assert built(TERMS) == ""
    found = entries(tmp_path / "site")
    assert found["minimax"] == [("book/best.html#best", True)]
    assert found["a test, twice"] == [("book/best.html#a-test", False)]
    assert not any("minimax()" in text for text in found)  # nor any other name of the library
    assert (built(TERMS), entries(tmp_path / "site")) == ("", found)  # a second build adds nothing
    built(TERMS)
    changed = {"book/index-terms.toml": TERMS.replace("!minimax", "!greatest")}
    small_site.build(tmp_path, changed, extensions=["subject_index"])
    assert entries(tmp_path / "site")["greatest"] == [("book/best.html#best", True)]


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('[best]\n"Gone" = ["minimax"]\n', "[best] has no section 'Gone'"),
        ('[gone]\n"Best" = ["minimax"]\n', "there is no page gone"),
    ],
)
def test_a_place_that_is_gone_is_a_warning(built, written, fault):
    assert fault in built(written)


def test_a_file_of_another_shape_is_refused_but_for_a_comma_and_a_mark(tmp_path):
    file = tmp_path / "terms.toml"
    file.write_text('[best]\n"Best" = "minimax"', encoding="utf-8")
    with pytest.raises(ValueError, match=r"terms\.toml: \[best\]"):
        terms(file)
    assert parsed("!a, b; c", "x") == [("single", "a, b; c", "x", "main", None)]
    assert parsed("see: a; b", "x") == [("see", "a; b", "x", "", None)]


def test_an_entry_that_says_see_leads_to_an_entry_of_the_index():
    stated = [
        text.removeprefix("!")
        for headings in terms(BOOK / "index-terms.toml").values()
        for texts in headings.values()
        for text in texts
    ]
    defined = TERM.findall((BOOK / "glossary.md").read_text(encoding="utf-8"))
    known = {*stated, *defined}  # xindy, for the PDF, wants that an entry of its own has the name
    seen = [text.partition(";")[2].strip() for text in stated if text.startswith("see")]
    assert seen and set(seen) <= known
