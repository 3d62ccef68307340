"""Captions on the site: figures and equations numbered by page, and what to see in bold type."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from captions import embolden, first_sentence
from docutils import nodes
from explorer_page import OFF
from page_language import WORDS
from site_checks import pages
from small_site import page, sound

FORMULA = nodes.math("", "x")
SENTENCES = [
    (["What to see. What else."], "What to see.", " What else."),
    (["No end of a sentence"], "No end of a sentence", ""),
    (["From 0.5, i.e. half, on. Then 1."], "From 0.5, i.e. half, on.", " Then 1."),
    (["As Bowling et al. found. So."], "As Bowling et al. found.", " So."),
    (["It fills the interval. Then 1."], "It fills the interval.", " Then 1."),
    (["For all ", FORMULA, ". The rest."], "For all x.", " The rest."),
    (["It is one at 2. ", FORMULA, " is small."], "It is one at 2.", " x is small."),
    (["Why? (A guess.)"], "Why?", " (A guess.)"),
    (["It asks “why?” It does."], "It asks “why?”", " It does."),
    (["误差很小。右图更小。"], "误差很小。", "右图更小。"),
    (["誤差は0.5です。（図）"], "誤差は0.5です。", "（図）"),
]


@pytest.mark.parametrize(("parts", "bold", "rest"), SENTENCES, ids=lambda case: str(case)[:20])
def test_the_first_sentence_of_a_caption_is_bold(parts, bold, rest):
    made = (nodes.Text(part) if isinstance(part, str) else part.deepcopy() for part in parts)
    caption = nodes.caption("", "", *made)
    embolden(caption)
    first, *others = caption.children
    assert isinstance(first, nodes.strong) and first.astext() == bold
    assert "".join(part.astext() for part in others) == rest


def test_a_formula_counts_as_one_sign():
    line = nodes.Text("It is "), nodes.math("", r"\frac12"), nodes.Text(". So.")
    assert first_sentence(nodes.caption("", "", *line)) == len("It is x.")


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9pt" height="9pt"/>'
REFERENCES = """{eq}`d`. {eq}`a`. [One](one), {eq}`a`, {eq}`b`; [Two](two), {eq}`a`, {eq}`c`.

```{toctree}
one
two
```
"""


def notebook(title: str, *cells: tuple[str, str]) -> str:
    """A notebook of figures, each with the tag of its cell and a letter, and an equation below."""
    made = [nbformat.v4.new_markdown_cell(f"# {title}")]
    for tag, name in cells:
        shown = nbformat.v4.new_output("display_data", data={"image/svg+xml": PICTURE})
        figure = {"name": f"fig-{name}", "caption": f"It shows {name}. It is small."}
        metadata = {"tags": [tag], "mystnb": {"figure": figure}}
        drawn = nbformat.v4.new_code_cell("draw()", metadata=metadata, outputs=[shown])
        made += [drawn, nbformat.v4.new_markdown_cell(f"$$ x $$ ({name})\n\nBy {{eq}}`{name}`.")]
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    return nbformat.writes(nbformat.v4.new_notebook(cells=made, metadata=metadata))


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Path:
    files = {
        "index.md": f"# First\n\n{REFERENCES}",
        "one.ipynb": notebook("One", ("hide-input", "a"), ("hide-input", "b")),
        "two.ipynb": notebook("Two", ("hide-input", "c"), (OFF.removeprefix("tag_"), "d")),
    }
    settings = {
        "extensions": ["myst_nb", "page_links", "captions", "page_parts"],
        "myst_enable_extensions": ["dollarmath"],
        "nb_execution_mode": "off",
        "numfig": False,
    }
    return sound(tmp_path_factory.mktemp("captions"), files, **settings)


def test_each_page_counts_from_1_and_not_what_gives_way(small):
    one, two = page(small, "one.html"), page(small, "two.html")
    assert numbers(one) == (["Fig. 1", "Fig. 2"], ["(1)", "(2)"])
    assert numbers(two) == (["Fig. 1"], ["(1)", "(2)"])
    assert [bold.text for bold in two.select("figcaption strong")] == ["It shows c.", "It shows d."]


def test_an_equation_of_another_page_is_named_with_the_title_of_its_page(small):
    links = page(small).select_one("section > p").find_all("a")
    words = [(link.text, link["href"]) for link in links]
    assert words == [
        ("(2) of Two", "two.html#equation-d"),
        ("(1) of One", "one.html#equation-a"),
        ("One", "one.html"),
        ("(1)", "one.html#equation-a"),
        ("(2)", "one.html#equation-b"),
        ("Two", "two.html"),
        ("(1) of One", "one.html#equation-a"),
        ("(1) of Two", "two.html#equation-c"),
    ]
    here = page(small, "two.html").find("a", href="#equation-d", class_="reference")
    assert here.text == "(2)"


def numbers(soup: BeautifulSoup | Tag) -> tuple[list[str], list[str]]:
    """The numbers of the figures and of the equations of a page, in their order."""
    figures = [number.text for number in soup.select("figcaption .caption-number")]
    equations = soup.select("div.math .eqno")
    return figures, [re.search(r"\(\d+\)", number.text)[0] for number in equations]


def test_every_page_of_the_book_counts_from_1(site):
    many = 0
    words = {language: table["Fig."] for language, table in WORDS.items()}
    for name, soup in pages(site):
        figures, equations = numbers(soup)
        word = words.get(soup.html.get("lang"), "Fig.")
        assert figures == [f"{word} {n}" for n in range(1, len(figures) + 1)], name
        assert equations == [f"({n})" for n in range(1, len(equations) + 1)], name
        many += len(figures) > 1
    assert many > 10


def test_every_reference_to_an_equation_has_the_number_of_its_page(site):
    known = {name: soup for name, soup in pages(site)}
    links = known["book/notation.html"].select("a[href*='#equation-']")
    for link in links:
        target, _, id = link["href"].partition("#")
        number = known[f"book/{target}"].find(id=id).select_one(".eqno").text
        title = known[f"book/{target}"].h1.find(string=True)
        assert link.text in (number, f"{number} of {title}")
    assert len(links) > 20 and any(" of " in link.text for link in links)
