"""``{result-list}``: every result of the book on one page, by chapter, as links to their boxes.

A row has the ID as its anchor, so that ``results.html#ID`` names it for ever; the script of the
page leads on to the box, and without a script the link in the row does. A form above filters.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import nbformat
from docutils import nodes
from formula_text import formula_text
from result_controls import results_form
from result_places import FOLDER, page_of
from sphinx.util.docutils import SphinxDirective

from gelu_lib import register
from gelu_lib.register import Result
from gelu_lib.show.results import at_a_glance


def found_by(entry: Result) -> str:
    """What the filter of the page finds a result by, beside its line: statement and numbers."""
    numbers = " ".join(filter(None, (entry.value, *entry.numbers.values())))
    statement = escape(formula_text(entry.statement, display=True))
    return f'<data hidden value="{escape(numbers)}">{statement}</data>'


class ResultListDirective(SphinxDirective):
    """The form, and a section for each chapter, with a row for each of its results."""

    def run(self) -> list[nodes.Node]:
        entries = [e for e in register.results().values() if e.status != "historical"]
        pages = sorted({entry.page for entry in entries}, key=self.place)
        found = (self.chapter(page, [e for e in entries if e.page == page]) for page in pages)
        return [results_form(), *found]

    def place(self, page: str) -> tuple[int, str]:
        """Where a chapter stands in the book; one that the table of contents lacks comes last."""
        site_map = getattr(self.env, "external_site_map", None)
        order = list(site_map or ())
        name = FOLDER + page
        return (order.index(name) if name in order else len(order), page)

    def chapter(self, page: str, entries: list[Result]) -> nodes.section:
        heading = nodes.title("", self.title_of(page))
        rows = nodes.bullet_list("", *map(self.row, entries), classes=["result-rows"])
        return nodes.section("", heading, rows, ids=[f"of-{page}"], classes=["chapter-results"])

    def title_of(self, page: str) -> str:
        """The title of a chapter, which may not have been read yet."""
        path = Path(self.env.srcdir, FOLDER, f"{page}.ipynb")
        if not path.exists():
            return page
        self.env.note_dependency(str(path))
        cells = nbformat.read(path, as_version=4).cells
        lines = (line for cell in cells for line in cell.source.splitlines())
        return next(line for line in lines if line.startswith("# ")).removeprefix("# ")

    def row(self, entry: Result) -> nodes.list_item:
        line = nodes.paragraph("", "", self.link(entry), nodes.Text(" "))
        line += nodes.inline("", entry.status, classes=["status", f"status-{entry.status}"])
        line += [nodes.Text(" "), nodes.literal("", entry.id)]
        if entry.withdrawn:
            line += [nodes.Text(" "), nodes.strong("", "withdrawn")]
        if entry.value:
            relation, digits = at_a_glance(entry.value)
            line += [nodes.Text(f" {relation} "), nodes.literal("", digits)]
        line += nodes.raw("", found_by(entry), format="html")
        return nodes.list_item("", line, ids=[entry.id], classes=["result-row"])

    def link(self, entry: Result) -> nodes.reference:
        builder, page = self.env.app.builder, page_of(entry)
        on_site = builder.format == "html"  # the PDF lists the boxes with their pages
        address = builder.get_relative_uri(self.env.docname, page) if on_site else f"%{page}"
        return nodes.reference("", entry.title, refuri=f"{address}#{entry.id}", internal=True)
