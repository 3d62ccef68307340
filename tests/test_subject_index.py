"""The index: what it takes from its file, and how results and authors are filed."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import small_site
from docutils import nodes
from small_site import BOOK
from subject_index import filed, parsed, places, terms

BIBLIOGRAPHY = """@book{tocher1963,
  author = {Tocher, K. D. and {Some Press}}, title = {The Art of Simulation}, year = {1963},
  publisher = {Press}
}
"""
PAGE = """
Best
====

It is :cite:`tocher1963`, and again :cite:`tocher1963`.

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
    templates = tmp_path / "templates"
    templates.mkdir()
    shutil.copy(BOOK / "_theme" / "genindex.html", templates)
    settings = {
        "extensions": ["sphinxcontrib.bibtex", "subject_index"],
        "bibtex_bibfiles": ["all.bib"],
        "templates_path": [str(templates)],
    }
    toctree = ".. toctree::\n\n   book/best\n   book/notation\n   book/glossary\n"
    files = {
        "all.bib": BIBLIOGRAPHY,
        "index.rst": f"Index\n=====\n\n{toctree}\n.. bibliography::\n",
        "book/best.rst": PAGE,
    }
    for name in ("notation", "glossary"):
        text = f"{name}\n{'=' * len(name)}\n\n.. glossary::\n\n   minimax {name}\n      Least.\n"
        files[f"book/{name}.rst"] = text

    def build(written: str) -> str:
        return small_site.build(tmp_path, files | {"book/index-terms.toml": written}, **settings)[1]

    return build


def entries(site: Path) -> dict[str, list[tuple[str, str, bool]]]:
    """The entries of the index: title, address and importance of their places, by text."""
    soup = small_site.page(site, "genindex.html")
    found = {}
    for item in soup.select(".index-entries li"):
        text = item.find(string=True).split(":")[0].strip()
        links = item.find_all("a", recursive=False)
        found[text] = [(a.text, a["href"], a.get("class") == ["index-main"]) for a in links]
    return found


def test_the_entries_of_the_file_lead_to_their_sections_and_the_main_one_says_so(built, tmp_path):
    assert built(TERMS) == ""
    found = entries(tmp_path / "site")
    assert found["minimax"] == [("Best", "book/best.html#best", True)]
    assert found["a test, twice"] == [("Best", "book/best.html#a-test", False)]


@pytest.mark.parametrize(("kind", "words"), [("see", "see"), ("seealso", "see also")])
def test_an_entry_that_says_see_leads_to_the_other(built, tmp_path, kind, words):
    assert built(TERMS.replace("see:", f"{kind}:")) == ""
    index = small_site.page(tmp_path / "site", "genindex.html")
    (link,) = index.select(".index-entries ul a:not([href*=html])")
    assert (link.parent.text, link.text) == (f"{words} minimax", "minimax")
    assert index.select_one(link["href"]).a.text == "Best"


def test_an_entry_that_leads_to_none_is_a_warning(built):
    fault = built('[best]\n"Best" = ["see: best; worst"]\n')
    assert "index: 'best', see 'worst': there is no such entry" in fault


def test_an_author_is_filed_at_the_first_citation_of_a_page_and_an_organisation_is_not(
    built, tmp_path
):
    built(TERMS)
    found = entries(tmp_path / "site")
    ((title, address, main),) = found["Tocher, K. D."]
    assert (title, main) == ("Best", False)
    page = (tmp_path / "site" / "book" / "best.html").read_text(encoding="utf-8")
    assert f'id="{address.partition("#")[2]}"' in page
    assert not any("Press" in text for text in found)


def test_the_names_of_the_library_have_an_index_of_their_own(built, tmp_path):
    built(TERMS)
    assert not any("minimax()" in text for text in entries(tmp_path / "site"))
    names = (tmp_path / "site" / "py-names.html").read_text(encoding="utf-8")
    assert 'href="book/best.html#minimax"' in names


def test_no_entry_stands_twice_after_a_second_build(built, tmp_path):
    built(TERMS)
    before = entries(tmp_path / "site")
    assert built(TERMS) == ""
    assert entries(tmp_path / "site") == before


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('[best]\n"Gone" = ["minimax"]\n', "[best] has no section 'Gone'"),
        ('[gone]\n"Best" = ["minimax"]\n', "there is no page gone"),
    ],
)
def test_a_place_that_is_gone_is_a_warning(built, written, fault):
    assert fault in built(written)


@pytest.mark.parametrize(
    "written", ['best = "Best"', '[best]\n"Best" = "minimax"', '[best]\n"Best" = []']
)
def test_a_file_of_another_shape_is_refused(tmp_path, written):
    file = tmp_path / "terms.toml"
    file.write_text(written, encoding="utf-8")
    with pytest.raises(ValueError, match=r"terms\.toml: \[best\]"):
        terms(file)


@pytest.mark.parametrize(
    ("title", "entry"),
    [
        ("The least error of Φ, slope kept", "least error; of Φ, slope kept"),
        ("Derivative of GELU", "derivative; of GELU"),
        ("Where GELU is least", "places; where GELU is least"),
        ("GELU by the error function", "GELU by the error function"),
        ("Lambert’s W at 1/e, the depth of xσ(x)", "Lambert’s W at 1/e, the depth of xσ(x)"),
        ("Taylor series of tanh", "Taylor series; of tanh"),
        ("The Gaussian integral over a half-line", "Gaussian integral over a half-line"),
        (
            "Best of all in the sup norms: sigmoid form",
            "best of all in the sup norms; sigmoid form",
        ),
        ("Φ(−1), printed", "Φ(−1), printed"),
        ("Stated bound; the denominator is tanh", "stated bound, the denominator is tanh"),
    ],
)
def test_how_a_result_is_filed(title, entry):
    assert filed(title) == entry


def test_an_entry_may_have_a_comma_and_a_mark():
    assert parsed("!a, b; c", "x") == [("single", "a, b; c", "x", "main", None)]
    assert parsed("see: a; b", "x") == [("see", "a; b", "x", "", None)]


def test_the_glossary_stands_last_and_is_never_the_main_place():
    titles = {"book/glossary": nodes.title("", "Glossary"), "book/minimax": nodes.title("", "Best")}
    env = SimpleNamespace(titles=titles)
    links = [("main", "book/glossary.html#a"), ("main", "book/minimax.html#b")]
    assert places(links, env) == [
        ["Best", "book/minimax.html#b", True],
        ["Glossary", "book/glossary.html#a", False],
    ]
