"""What the head of a page says, with a public address and without one."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import citation
import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from page_head import LONGEST, first_paragraph
from small_site import BOOK, OWN_THEME, build, page, sound

import gelu_lib

ADDRESS = "https://owner.github.io/repo/"
PAGES = {
    "index.rst": r"""
The book
========

GELU is :math:`x\,\Phi(x)`, a *product*, and :math:`\frac12`.

You should know: nothing.

.. toctree::

   sub/page
   zh
""",
    "sub/page.rst": """
:description: Stated & done.

A page
======

The text is not asked for.
""",
    "zh.rst": ":lang: zh-Hans\n\n中文\n====\n\n文。\n",
}


def settings(address: str) -> dict:
    return {
        "extensions": ["katex_at_build", "page_head", "page_language", "sphinx_sitemap"],
        "project": "The book",
        "author": "Its authors & friends",
        "html_title": "The book & its title",
        "html_static_path": [str(BOOK / "_static")],
        "html_baseurl": address,
        "sitemap_url_scheme": "{link}",
        "suppress_warnings": ["sitemap.configuration"],
    } | OWN_THEME


@pytest.fixture(scope="module", params=["", ADDRESS])
def built(request, tmp_path_factory) -> tuple[Path, str]:
    """A site and its public address, which may be unknown."""
    site = sound(tmp_path_factory.mktemp("built"), PAGES, **settings(request.param))
    return site, request.param


def head(site: Path, page: str) -> dict[str, str]:
    """The metadata of a page by name or property, and its links by relation."""
    soup = BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")
    named = {m.get("name") or m.get("property"): m.get("content") for m in soup.find_all("meta")}
    return named | {link["rel"][0]: link["href"] for link in soup.find_all("link")}


def test_every_page_says_what_it_is_who_wrote_it_and_in_which_version(built):
    site, _ = built
    front, inner = head(site, "index.html"), head(site, "sub/page.html")
    assert front["og:title"] == "The book & its title"
    assert inner["og:title"] == "A page · The book"
    assert inner["icon"] == "../_static/favicon.svg"
    assert inner["author"] == "Its authors & friends"
    footer = page(site, "sub/page.html").footer.get_text()
    assert footer.strip().startswith(f"Its authors & friends, version {gelu_lib.__version__}.")
    assert inner["description"] == "Stated & done."
    assert front["description"] == "GELU is x Φ(x), a product, and 1/2."
    assert head(site, "genindex.html")["description"] == "Index · The book"


def test_every_page_can_be_cited_and_says_what_may_be_done_with_it(built):
    site, address = built
    page = head(site, "sub/page.html")
    assert page["citation_title"] == "A page · The book"
    assert page["citation_author"] == "Its authors & friends"
    assert ("citation_publication_date" in page) == bool(address or citation.released())
    assert page["dcterms.rights"] == "Text and figures: CC BY 4.0; code: MIT."
    assert page["license"] == "https://creativecommons.org/licenses/by/4.0/"


def test_absolute_addresses_stand_where_the_public_one_is_known(built):
    site, address = built
    page = head(site, "sub/page.html")
    if not address:
        assert not {"canonical", "og:url", "og:image"} & page.keys()
        assert not list(site.glob("sitemap.xml"))
        return
    assert page["canonical"] == page["og:url"] == f"{ADDRESS}sub/page.html"
    assert page["og:image"] == f"{ADDRESS}_static/social.png"
    assert (site / "_static" / "social.png").exists()
    named = [e.text for e in ElementTree.parse(site / "sitemap.xml").iter() if e.text]
    assert {f"{ADDRESS}index.html", f"{ADDRESS}sub/page.html"} <= set(named)


def test_the_landing_page_and_one_in_another_language_name_one_another(built):
    site, address = built
    both = {"en": f"{address}index.html", "zh-Hans": f"{address}zh.html"} if address else {}
    for name, links in (("index.html", both), ("zh.html", both), ("sub/page.html", {})):
        found = page(site, name).select("link[rel=alternate][hreflang]")
        assert {link["hreflang"]: link["href"] for link in found} == links


def test_a_page_that_says_nothing_is_a_warning(tmp_path):
    _, warnings = build(tmp_path, {"index.rst": "Title\n=====\n\n* a list\n"}, **settings(""))
    assert "no paragraph for a description" in warnings


def test_a_long_paragraph_is_cut_between_words():
    tree = nodes.section("", nodes.paragraph("", "word " * 100))
    said = first_paragraph(tree)
    assert len(said) <= LONGEST and said.endswith("word …")
