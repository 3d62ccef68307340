"""``{cite-as}``: BibTeX on the page that says how to cite.

Its argument says of what: ``book``, ``library``, ``result ID``, ``chapter NAME`` or
``equation LABEL``. The version is never typed, and an ID, a chapter or a label that does not exist
is a warning, which the strict build makes an error.
"""

from __future__ import annotations

import citation
from docutils import nodes
from result_places import FOLDER
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from gelu_lib import register

logger = logging.getLogger(__name__)


class citation_place(nodes.literal_block):
    """A place for BibTeX, filled when every page has been read and titles are known."""


class CiteAsDirective(SphinxDirective):
    """``{cite-as} WHAT``: one BibTeX entry."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        place = citation_place(what=self.arguments[0])
        self.set_source_info(place)
        return [place]


def fill_citations(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Put the BibTeX into its places."""
    for place in list(document.findall(citation_place)):
        try:
            text = cited(app, *place["what"].split())
        except (KeyError, TypeError) as error:
            logger.warning("cite-as %s: %s", place["what"], error, location=place)
            text = ""
        place.replace_self(nodes.literal_block(text, text, language="bibtex"))


def cited(app: Sphinx, what: str, name: str = "") -> str:
    """The BibTeX of something.

    Raises:
        KeyError: if there is nothing of this kind or this name.
    """
    base, titles = app.config.html_baseurl, app.env.titles
    if what == "result":
        return citation.bibtex(register.result(name), base)
    if what == "chapter":
        title = titles[FOLDER + name].astext()
        return citation.part(name, title, f"{FOLDER}{name}.html", base)
    if what == "equation":
        page, number = app.env.get_domain("math").equations[name]
        title = f"Equation ({number}) of “{titles[page].astext()}”"
        return citation.part(f"equation-{name}", title, f"{page}.html#equation-{name}", base)
    return {"book": citation.book, "library": citation.library}[what](base)
