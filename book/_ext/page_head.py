"""What a page says of itself to a search engine and to whoever shows a link to it.

A page's description is the ``description`` of its metadata, or else its first paragraph. A page
without either is a warning.

No package will do: ``sphinxext-opengraph`` cuts the text off in a word, shows the TeX of formulas
and the keys of citations, and goes on with "You should know", which is for the reader of the page.
"""

from __future__ import annotations

import textwrap
from typing import Any

import citation
from docutils import nodes
from formula_text import formula_text
from page_language import language_of
from result_places import FOLDER
from sphinx.application import Sphinx
from sphinx.util import logging

import gelu_lib

logger = logging.getLogger(__name__)

LONGEST = 250  # characters


def described(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template authors, version, the address of the site and the page's description."""
    context |= {"author": app.config.author, "book_version": gelu_lib.__version__}
    context["site_address"] = base = app.config.html_baseurl
    context |= {"publication_year": citation.year(base), "doi": citation.doi()}
    context["released"] = citation.stated().get("date-released")
    if tree is None:  # of the index and the search the template says the title
        return
    name = page.removeprefix(FOLDER)
    if name != page and str(app.env.doc2path(page)).endswith(".ipynb"):
        whole = page == app.config.root_doc or language_of(app.env, page)  # the book in short
        context["bibtex"] = citation.cited(app, *(["book"] if whole else ["chapter", name]))
    stated = (context.get("meta") or {}).get("description")
    context["description"] = stated or first_paragraph(tree)
    if not context["description"]:
        logger.warning("no paragraph for a description: state it in the metadata", location=page)


def first_paragraph(tree: nodes.document) -> str:
    """The first paragraph under a page's title, in one line of text; empty without one.

    What leads to a line of code or a formula, with a colon, goes on behind it.
    """
    section = next(tree.findall(nodes.section), tree)
    text = ""
    for part in section.children:
        if isinstance(part, nodes.paragraph):
            text += " " + line_of(part).strip()
            if not text.endswith(":"):
                break
    return textwrap.shorten(text, LONGEST, placeholder=" …")


def line_of(node: nodes.Node) -> str:
    """The text of a paragraph, with its formulas as text."""
    if isinstance(node, nodes.math):
        return formula_text(node.astext())
    if isinstance(node, nodes.Text):
        return node.astext()
    return "".join(map(line_of, node.children))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", described)
