"""What the head of a page says, with a public address and without one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from page_head import describes, front_page
from small_site import BOOK, OWN_THEME, build, sound

import gelu_lib

ADDRESS = "https://owner.github.io/repo/"
PAGES = {
    "index.rst": r"""
The book
========

GELU is :math:`x\,\Phi(x)`, a product. It has the value :math:`\frac12`, in no line of text. Why?
This sentence leads to a display, and is not whole:

.. toctree::

   sub/page
""",
    "sub/page.rst": """
:description: Stated & done.

A page
======

You should know: nothing. The text is not asked for.
""",
}


def settings(address: str) -> dict:
    return {
        "extensions": ["katex_at_build", "page_head"],
        "project": "The book",
        "author": "Its authors & friends",
        "html_title": "The book & its title",
        "html_baseurl": address,
    } | OWN_THEME


@pytest.fixture(scope="module", params=["", ADDRESS, ADDRESS.rstrip("/")])
def built(request, tmp_path_factory) -> tuple[Path, str]:
    """A site and its public address, which may be unknown."""
    site = sound(tmp_path_factory.mktemp("built"), PAGES, **settings(request.param))
    return site, request.param


def head(site: Path, page: str) -> dict[str, str]:
    """The metadata of a page by name or property, and its links by relation."""
    soup = BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")
    named = {m.get("name") or m.get("property"): m.get("content") for m in soup.find_all("meta")}
    return named | {link["rel"][0]: link["href"] for link in soup.find_all("link")}


def test_a_description_is_stated_or_made_of_the_first_sentences(built):
    site, _ = built
    assert head(site, "sub/page.html")["description"] == "Stated & done."
    assert head(site, "index.html")["description"] == "GELU is x Φ(x), a product. Why?"
    assert head(site, "search.html")["description"].startswith("Search ")


def test_every_page_has_a_title_of_its_own_and_the_icon(built):
    site, _ = built
    front, page = head(site, "index.html"), head(site, "sub/page.html")
    assert front["og:title"] == "The book & its title"
    assert page["og:title"] == "A page · The book"
    assert page["icon"] == "../_static/favicon.svg"


def test_every_page_says_who_wrote_it_and_in_which_version(built):
    site, _ = built
    assert head(site, "sub/page.html")["author"] == "Its authors & friends"
    page = (site / "sub/page.html").read_text(encoding="utf-8")
    footer = BeautifulSoup(page, "html.parser").footer.get_text()
    assert footer.strip().startswith(f"Its authors & friends, version {gelu_lib.__version__}.")


def test_absolute_addresses_stand_where_the_public_one_is_known(built):
    site, address = built
    page = head(site, "sub/page.html")
    if not address:
        assert not {"canonical", "og:url", "og:image"} & page.keys()
        assert not list(site.glob("sitemap.xml")) + list(site.glob("robots.txt"))
        assert not (site / "_static" / "social.png").exists()
        return
    assert page["canonical"] == page["og:url"] == f"{ADDRESS}sub/page.html"
    assert page["og:image"] == f"{ADDRESS}_static/social.png"
    assert (site / "_static" / "social.png").read_bytes() == (BOOK / "social.png").read_bytes()
    robots = (site / "robots.txt").read_text(encoding="utf-8")
    assert f"Sitemap: {ADDRESS}sitemap.xml\n" in robots


def test_the_site_map_has_every_page_once(built):
    site, address = built
    if address:
        tree = ElementTree.parse(site / "sitemap.xml")
        named = [element.text for element in tree.iter() if element.tag.endswith("loc")]
        assert named == [f"{ADDRESS}index.html", f"{ADDRESS}sub/page.html"]


def test_a_page_that_says_nothing_is_a_warning(tmp_path):
    _, warnings = build(tmp_path, {"index.rst": "Title\n=====\n\n* a list\n"}, **settings(""))
    assert "no sentence for a description" in warnings


@pytest.mark.parametrize(
    ("sentence", "good"),
    [
        ("It is whole.", True),
        ("Is it?", True),
        ("It leads to a display:", False),
        ("It has \0, a formula.", False),
        ("You should know: nothing.", False),
    ],
)
def test_which_sentences_describe_a_page(sentence, good):
    assert describes(sentence) == good


def test_the_page_at_the_root_sends_the_browser_on(tmp_path):
    app = SimpleNamespace(
        config=SimpleNamespace(html_title="A & B", root_doc="book/start"),
        builder=SimpleNamespace(get_target_uri="{}.html".format),
    )
    page = BeautifulSoup(front_page(app), "html.parser")
    assert page.find("meta", attrs={"http-equiv": "refresh"})["content"] == "0; url=book/start.html"
    assert page.find("a")["href"] == "book/start.html"
    assert page.find("title").get_text() == page.find("h1").get_text() == "A & B"
