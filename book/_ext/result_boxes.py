"""The box of a result in its chapter, and of a printed number on the results page.

A box is one line: title, status and ID, and the button that copies, which a script adds. Below it
stand the statement and eight digits; a click opens the rest. The PDF prints all of it.
"""

from __future__ import annotations

from decimal import Decimal
from html import escape

from citation import bibtex
from docutils import nodes
from docutils.statemachine import StringList
from result_places import RESULTS_PAGE, boxes, page_of
from sphinx.util.docutils import SphinxDirective

from gelu_lib import register
from gelu_lib.register import Result
from gelu_lib.show.links import cited_as
from gelu_lib.show.results import (
    FOLDED,
    STATUS_MEANING,
    at_a_glance,
    check_of,
    enclosure_text,
    shortened,
)


def fold(summary: str, content: list[nodes.Node], *, about: str) -> list[nodes.Node]:
    """Something folded away on the site; elsewhere it simply stands there."""
    opening = f'<details class="result-more"><summary aria-label="{escape(f"{summary}, {about}")}">'
    return [raw(f"{opening}{escape(summary)}</summary>"), *content, raw("</details>")]


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

    def listed(self, made: list[nodes.Node], *, values: bool = False) -> nodes.container:
        """Boxes as one list; as a table if all that is seen of each is a value."""
        classes = ["result-list", "result-values"] if values else ["result-list"]
        return nodes.container("", *made, classes=classes)

    def box(self, entry: Result, *, link: list[nodes.Node], folded: bool = False) -> nodes.Node:
        """The box of a result.

        Args:
            entry: the result.
            link: where it comes from, or what its status means.
            folded: whether its statement is folded away; then its line has the value. On paper
                nothing is.
        """
        folded = folded and self.on_site
        stated = self.parsed(["$$", *entry.statement.splitlines(), "$$"])
        more = stated if folded else []
        more += self.parsed([f"For {entry.assumptions}."] if entry.assumptions else [])
        more += self.numbers(entry)
        more += self.parsed([f"Digits: {check_of(entry)}"] if check_of(entry) else [])
        more += link
        if entry.status != "historical":
            more += self.citation(entry)
        value = self.value(entry)
        box = nodes.container("", ids=[entry.id], classes=["result-box"])
        box += self.line(entry, value if folded else [])
        if not folded:
            says = [nodes.paragraph("", "", *value)] if value else []
            box += nodes.container("", *stated, *says, classes=["result-says"])
        box += self.parsed([f"**Withdrawn:** {entry.withdrawn}"] if entry.withdrawn else [])
        box += fold("More", more, about=entry.title)
        return box

    def line(self, entry: Result, value: list[nodes.Node]) -> nodes.paragraph:
        """The line of a box: title, status, ID, and the value if it has one."""
        title = nodes.inline("", entry.title, classes=["result-title"])
        badge = nodes.inline("", entry.status, classes=["status", f"status-{entry.status}"])
        shown = [nodes.inline("", "", *value)] if value else []
        parts = [title, *shown, badge, self.address(entry)]
        spaced = [node for part in parts for node in (part, nodes.Text(" "))]
        return nodes.paragraph("", "", *spaced[:-1], classes=["result-line"])

    def address(self, entry: Result) -> nodes.Node:
        """The ID; on the site it is a link to the permanent address."""
        id, here = nodes.literal("", entry.id), self.env.docname
        if not self.on_site:
            return id
        uri_of = self.env.app.builder.get_relative_uri
        page = "" if here == RESULTS_PAGE else uri_of(here, RESULTS_PAGE)
        return nodes.reference("", "", id, refuri=f"{page}#{entry.id}", internal=True)

    def value(self, entry: Result) -> list[nodes.Node]:
        """Eight digits of the value, more on paper; of a literal all, if its statement has not."""
        if entry.value is None:
            return []
        if entry.status == "historical":
            return [] if entry.value in entry.statement else [nodes.literal("", entry.value)]
        if not self.on_site:
            return [nodes.Text("Value: "), nodes.literal("", shortened(entry.value))]
        relation, digits = at_a_glance(entry.value)
        return [nodes.Text(f"{relation} "), nodes.literal("", digits)]

    def numbers(self, entry: Result) -> list[nodes.Node]:
        """Every digit that holds, and the enclosures; on paper digits are cut."""
        if entry.numbers:
            return [self.table(entry)]
        if entry.value is None or entry.status == "historical" or not self.on_site:
            return []
        content = [nodes.paragraph("", "", nodes.Text("All digits: "), exact(entry.value))]
        if entry.enclosure is not None:
            ends = nodes.literal("", enclosure_text(*entry.enclosure))
            content.append(nodes.paragraph("", "", nodes.Text("Enclosure: "), ends))
        return content

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
        return [raw(f"{opening}{text}</code></div>")]


class ResultDirective(EntryDirective):
    """``{result}``: boxes at the place that derives them, a line for each: its ID, or ID folded."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        try:
            named = [(register.result(i.removesuffix(FOLDED)), FOLDED in i) for i in self.content]
        except KeyError as error:
            raise self.error(str(error.args[0])) from error
        boxes(self.env).setdefault(self.env.docname, []).extend(entry.id for entry, _ in named)
        values = all(folded and entry.value is not None for entry, folded in named)
        made = [self.box(e, link=self.meaning(e), folded=folded) for e, folded in named]
        return [self.listed(made, values=values)]

    def meaning(self, entry: Result) -> list[nodes.Node]:
        return self.parsed([f"Status: *{entry.status}*, {STATUS_MEANING[entry.status]}."])


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
        return [self.listed([self.entry(entry) for entry in printed])]

    def entry(self, entry: Result) -> nodes.Node:
        line = nodes.paragraph("", "", *self.origin(entry), nodes.Text("."))
        if entry.source:
            keys = (f"[{cited_as()[key]}](bibliography.md#{key})" for key in entry.source)
            line += [nodes.Text(" Source: "), *self.inline(f"{', '.join(keys)}.")]
        return self.box(entry, link=[line])

    def origin(self, entry: Result) -> list[nodes.Node]:
        """How a literal was printed, and for what."""
        of = entry.of and f", for [{register.result(entry.of).title}](#{entry.of})"
        return [nodes.Text("Printed: "), exact(entry.value), *(self.inline(of) if of else [])]

    def inline(self, text: str) -> list[nodes.Node]:
        return self.parsed([text])[0].children
