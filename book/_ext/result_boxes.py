"""The box of a result: what a cell or a page stores of it, with the menu that the site adds.

``gelu_lib.show.results`` writes a result as Markdown: a comment with its ID, its statement, and a
part that folds. Here what follows the comment gets the anchor and the look of a box, and the part
that folds gets the permanent address and the BibTeX; a script adds the buttons that copy.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from citation import bibtex
from docutils import nodes
from plain_markdown import html
from result_places import BOXES, RESULTS_PAGE
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)

MARK = re.compile(r"<!-- result ([a-z0-9-]+) -->")
ADDRESS = '<p class="result-menu"><a href="{0}#{1}">results.html#{1}</a></p>'
# no <pre>: scripts of themes measure each, which would lay out what is folded away
CITATION = """
<div class="bibtex" role="group" aria-label="BibTeX" tabindex="0"><code>{}</code></div>"""


class ResultBoxes(SphinxTransform):
    """Make boxes of the results on a page."""

    default_priority = 320  # what folds is a container

    def apply(self, **kwargs: Any) -> None:
        for raw in list(html(self.document)):
            if found := MARK.match(raw.astext()):
                self.box(raw, found[1])

    def box(self, mark: nodes.raw, id: str) -> None:
        """Put what is stored of a result, from its mark to what folds, into its box."""
        around, start = mark.parent, mark.parent.index(mark)
        end = next((i for i in range(start, len(around)) if is_fold(around[i])), None)
        if end is None or id not in register.results():
            logger.warning("no result %s, or nothing that folds", id, location=mark)
            return
        entry, fold = register.result(id), around[end]
        fold[0][:] = line(fold[0].astext())
        for digits in fold.findall(nodes.literal):
            if digits.astext() in (entry.value, *entry.numbers.values()):
                digits["classes"].append("exact")  # the script finds what it copies by this
        fold += self.menu(entry)
        box = nodes.container("", *around[start + 1 : end + 1], ids=[id])
        box["classes"] = ["result-box", f"status-{entry.status}"]
        around[start : end + 1] = [box]
        self.env.metadata[self.env.docname].setdefault(BOXES, []).append(id)

    def menu(self, entry: Result) -> nodes.raw:
        """The permanent address, and how to cite it; whoever cites a literal cites its source."""
        page = relative_uri(f"{self.env.docname}.html", f"{RESULTS_PAGE}.html")
        menu = ADDRESS.format(page, entry.id)
        if entry.status != "historical":
            menu += CITATION.format(escape(bibtex(entry, self.config.html_baseurl)))
        return nodes.raw("", menu, format="html")


def is_fold(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and "dropdown" in node["classes"]


def line(text: str) -> list[nodes.Node]:
    """The line of a box: title or value, status and ID, each as what it is."""
    *shown, status, id = text.rsplit(" · ", 2)
    parts = [nodes.inline("", part, classes=["result-title"]) for part in shown]
    parts += [nodes.inline("", status, classes=["status"]), nodes.literal("", id)]
    return [node for part in parts for node in (part, nodes.Text(" "))][:-1]
