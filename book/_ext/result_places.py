"""Where a result stands: its chapter, its box there, its entry; and the role that links to it."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)

FOLDER = "book/"
RESULTS_PAGE = "book/results"


class derivation_link(nodes.inline):
    """A place for the link to a derivation, filled when every page has been read.

    Only then are the title of the chapter and the labels of its equations known.
    """


def page_of(entry: Result) -> str:
    """The document that holds the entry's anchor."""
    return RESULTS_PAGE if entry.status == "historical" else FOLDER + entry.page


def boxes(env: BuildEnvironment) -> dict[str, list[str]]:
    """The IDs of the boxes on each page that has been read."""
    if not hasattr(env, "register_boxes"):
        env.register_boxes = {}
    return env.register_boxes


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    boxes(env).pop(docname, None)


def check_boxes(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every result whose box is missing, repeated, or on another page than promised."""
    for entry in register.results().values():
        if entry.status == "historical":
            continue
        pages = [page for page, ids in boxes(env).items() for id in ids if id == entry.id]
        if pages != [page_of(entry)]:
            where = ", ".join(pages) or "no page"
            logger.warning("result %s belongs on %s, has boxes on %s", entry.id, entry.page, where)


def link_derivations(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Fill the links to derivations."""
    for place in list(document.findall(derivation_link)):
        place.replace_self(derivation(app, register.result(place["result"]), docname))


def derivation(app: Sphinx, entry: Result, docname: str) -> nodes.inline:
    """Where a result is derived: its box in the chapter, and the equation if one has its label."""
    page, titles = page_of(entry), app.env.titles
    filled = nodes.inline("", "Derived in ", classes=["result-chapter"])
    if page not in titles:  # check_boxes has warned
        return filled
    address = app.builder.get_relative_uri(docname, page)
    on_site = app.builder.format == "html"
    filled += link(titles[page].astext(), f"{address}#{entry.id}" if on_site else address)
    labelled, number = app.env.get_domain("math").equations.get(entry.id, ("", 0))
    if on_site and labelled == page:
        filled += nodes.Text(", equation ")
        filled += link(f"({number})", f"{address}#equation-{entry.id}")
    return filled


def link(text: str, address: str) -> nodes.reference:
    return nodes.reference("", text, refuri=address, internal=True)


class ResultRole(SphinxRole):
    """A link to a result's permanent entry; the text is its title, or the one that is given."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        title, found, target = self.text.rpartition(" <")
        id = target.rstrip(">") if found else self.text
        try:
            entry = register.result(id)
        except KeyError as error:
            message = self.inliner.reporter.error(str(error.args[0]), line=self.lineno)
            return [nodes.problematic("", self.text)], [message]
        return [self.link(entry, title if found else entry.title)], []

    def link(self, entry: Result, text: str) -> nodes.Node:
        if self.env.app.builder.format != "html":  # the PDF has its boxes in the chapters
            uri = f"%{page_of(entry)}#{entry.id}"
            return nodes.reference("", text, refuri=uri, internal=True)
        uri = self.env.app.builder.get_relative_uri(self.env.docname, RESULTS_PAGE)
        return nodes.reference("", text, refuri=f"{uri}#{entry.id}", internal=True)
