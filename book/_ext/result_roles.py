"""Links to the permanent entries of results, for the text of chapters."""

from __future__ import annotations

from docutils import nodes
from result_places import RESULTS_PAGE, page_of
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)


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


class LiteralRole(ResultRole):
    """A historical literal as it was printed."""

    def link(self, entry: Result, text: str) -> nodes.Node:
        if entry.status != "historical":
            logger.warning("%s is no historical literal", entry.id, location=self.get_location())
            return nodes.Text(text)
        return super().link(entry, entry.value)
