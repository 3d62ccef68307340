"""Where a result stands, the chapter with its box; and the role that links to it."""

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


class ResultRole(SphinxRole):
    """A link to a result's box; the text is its title, or the one that is given."""

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
        uri = self.env.app.builder.get_relative_uri(self.env.docname, page_of(entry))
        return nodes.reference("", text, refuri=f"{uri}#{entry.id}", internal=True)
