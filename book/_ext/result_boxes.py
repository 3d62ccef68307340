"""The box of a result in its chapter, and of a printed number on the results page."""

from __future__ import annotations

from decimal import Decimal
from html import escape

from citation import bibtex
from docutils import nodes
from docutils.statemachine import StringList
from result_places import boxes, page_of
from sphinx.util.docutils import SphinxDirective

from gelu_lib import register
from gelu_lib.chapters.links import cited_as
from gelu_lib.chapters.results import STATUS_MEANING, check_of, enclosure_text, shortened
from gelu_lib.register import Result


def fold(summary: str, content: list[nodes.Node], name: str) -> list[nodes.Node]:
    """Something folded away on the site; elsewhere it simply stands there."""
    opening = f'<details class="result-fold {name}"><summary>{escape(summary)}</summary>'
    return [raw(opening), *content, raw("</details>")]


def raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def exact(digits: str) -> nodes.literal:
    """Digits that a reader may copy: the script finds them by this class."""
    return nodes.literal("", digits, classes=["exact"])


def table(heading: tuple[str, ...], rows: list[tuple[nodes.Node, ...]]) -> nodes.table:
    """A table of a heading and of rows; what a row has beyond the columns joins its last cell."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heading), cols=len(heading))
    group += nodes.thead("", row(tuple(map(nodes.Text, heading)), len(heading)))
    group += nodes.tbody("", *(row(content, len(heading)) for content in rows))
    return nodes.table("", group)


def row(content: tuple[nodes.Node, ...], columns: int) -> nodes.row:
    cells = [[node] for node in content[: columns - 1]] + [list(content[columns - 1 :])]
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


class EntryDirective(SphinxDirective):
    """What the box of a result and that of a printed number share."""

    def parsed(self, lines: list[str]) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, container)
        return container.children

    def box(self, entry: Result, *, link: list[nodes.Node]) -> nodes.container:
        title = nodes.paragraph("", "", nodes.Text(entry.title), classes=["result-title"])
        badge = nodes.inline("", entry.status, classes=["status", f"status-{entry.status}"])
        title += [nodes.Text(" "), badge]
        box = nodes.container("", title, ids=[entry.id], classes=["result-box"])
        box += self.parsed(self.statement_lines(entry))
        box += self.numbers(entry)
        box += self.parsed([f"Digits: {check_of(entry)}"] if check_of(entry) else [])
        box += link
        if entry.status != "historical":
            box += self.citation(entry)
        return box

    def statement_lines(self, entry: Result) -> list[str]:
        lines = ["$$", *entry.statement.splitlines(), "$$", ""]
        if entry.withdrawn:
            lines += [f"**Withdrawn:** {entry.withdrawn}", ""]
        if entry.assumptions:
            lines += [f"For {entry.assumptions}.", ""]
        if entry.value is not None and entry.status != "historical":
            lines += [f"Value: `{shortened(entry.value)}`", ""]
        return lines

    def numbers(self, entry: Result) -> list[nodes.Node]:
        """Every digit that holds, and the enclosures, folded away; on paper digits are cut."""
        if entry.numbers:
            return fold(f"{len(entry.numbers)} numbers", [self.table(entry)], "result-numbers")
        if entry.value is None or entry.status == "historical" or not self.on_site:
            return []
        content, summary = [nodes.paragraph("", "", exact(entry.value))], "All digits"
        if entry.enclosure is not None:
            summary = "All digits and the enclosure"
            ends = nodes.literal("", enclosure_text(*entry.enclosure))
            content.append(nodes.paragraph("", "", nodes.Text("Enclosure: "), ends))
        return fold(summary, content, "result-digits")

    @property
    def on_site(self) -> bool:
        return self.env.app.builder.format == "html"

    def table(self, entry: Result) -> nodes.table:
        rows = [
            (nodes.Text(name), *self.number(digits, entry.enclosures.get(name)))
            for name, digits in entry.numbers.items()
        ]
        return table(("number", "value"), rows)

    def number(self, digits: str, ends: tuple[str, str] | None) -> list[nodes.Node]:
        """A named number, and where it is proved to lie."""
        if not self.on_site:
            return [nodes.literal("", shortened(digits))]
        if ends is None:
            return [exact(digits)]
        within = [nodes.Text("in "), nodes.literal("", enclosure_text(*ends))]
        if Decimal(ends[0]) == Decimal(ends[1]) == Decimal(digits):
            within = [nodes.Text("exactly")]
        return [exact(digits), nodes.inline("", "", *within, classes=["enclosure"])]

    def citation(self, entry: Result) -> list[nodes.Node]:
        # no <pre>: scripts of themes measure each, which would lay out what is folded away
        opening = '<div class="bibtex" role="group" aria-label="BibTeX" tabindex="0"><code>'
        text = escape(bibtex(entry, self.config.html_baseurl))
        return fold("How to cite", [raw(f"{opening}{text}</code></div>")], "result-citation")


class ResultDirective(EntryDirective):
    """``{result} ID``: the box of a result at the place that derives it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            entry = register.result(self.arguments[0])
        except KeyError as error:
            raise self.error(str(error.args[0])) from error
        boxes(self.env).setdefault(self.env.docname, []).append(entry.id)
        meaning = STATUS_MEANING[entry.status]
        line = f"Status: *{entry.status}*, {meaning}. ID: {{result}}`{entry.id} <{entry.id}>`"
        return [self.box(entry, link=self.parsed([line]))]


class ChapterResultsDirective(SphinxDirective):
    """``{chapter-results}``: what the register has for this page, as a list of links."""

    def run(self) -> list[nodes.Node]:
        here = [e for e in register.results().values() if page_of(e) == self.env.docname]
        items = [nodes.list_item("", self.line(entry)) for entry in here]
        return [nodes.bullet_list("", *items, classes=["chapter-results"])]

    def line(self, entry: Result) -> nodes.paragraph:
        link = nodes.reference("", entry.title, refid=entry.id, internal=True)
        badge = nodes.inline("", entry.status, classes=["status", f"status-{entry.status}"])
        return nodes.paragraph("", "", link, nodes.Text(" "), badge)


class PrintedNumbersDirective(EntryDirective):
    """``{printed-numbers}``: every historical literal, under its permanent anchor."""

    def run(self) -> list[nodes.Node]:
        printed = (e for e in register.results().values() if e.status == "historical")
        return [self.entry(entry) for entry in printed]

    def entry(self, entry: Result) -> nodes.Node:
        id = nodes.reference("", "", nodes.literal("", entry.id), refid=entry.id, internal=True)
        line = nodes.paragraph("", "", *self.origin(entry), nodes.Text(". ID: "), id)
        line += nodes.Text(".")
        if entry.source:
            keys = (f"[{cited_as()[key]}](bibliography.md#{key})" for key in entry.source)
            line += [nodes.Text(" Source: "), *self.inline(f"{', '.join(keys)}.")]
        return self.box(entry, link=[line])

    def origin(self, entry: Result) -> list[nodes.Node]:
        """How a literal was printed, and for what."""
        target = self.inline(f", for {{result}}`{entry.of}`") if entry.of else []
        return [nodes.Text("Printed: "), exact(entry.value), *target]

    def inline(self, text: str) -> list[nodes.Node]:
        return self.parsed([text])[0].children
