"""The list of results, ``{result-list}``, and the forms that filter it and the claims.

Every result of the book stands on one page, as a link to its box: first those of
``book/main-results.toml``, then, folded, the others by chapter. A row has the ID as its anchor, so
that ``results.html#ID`` names it for ever; the script of the page leads on to the box, and without
a script the link in the row does. A form stands above the rows and searches all. The pages of
claims and of models get theirs where a comment in their notebook, ``<!-- entries-filter -->``, has
the place; without one, that of the claims stands behind the first paragraphs. The template loads
``filter.js`` on pages with a form. Without JavaScript there is no form, and all can be read.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from formula_text import formula_text
from page_scripts import rendered
from plain_markdown import html, is_html
from result_places import FOLDER, page_of
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from gelu_lib import register
from gelu_lib.provenance.atlas.claims import VERDICTS, claims
from gelu_lib.register import STATUSES, Result, results
from gelu_lib.show.results import at_a_glance, in_rows


def found_by(entry: Result) -> str:
    """What the filter of the page finds a result by, beside its line: statement and numbers."""
    numbers = " ".join(filter(None, (entry.value, *entry.numbers.values())))
    statement = escape(formula_text(in_rows(entry.statement), display=True))
    return f'<data hidden value="{escape(numbers)}">{statement}</data>'


MAIN = Path(__file__).resolve().parents[1] / "main-results.toml"
"""What the page opens with."""


class ResultListDirective(SphinxDirective):
    """The form, the main results, and a section for each chapter with its others, folded."""

    def run(self) -> list[nodes.Node]:
        first = [register.result(id) for id in tomllib.loads(MAIN.read_text("utf-8"))["main"]]
        others = [e for e in results().values() if e.status != "historical" and e not in first]
        pages = sorted({entry.page for entry in others}, key=self.place)
        title = nodes.rubric("", f"The {len(others)} others, by chapter")
        found = (self.chapter(page, [e for e in others if e.page == page]) for page in pages)
        fold = nodes.container("", title, *found, classes=["dropdown"])
        return [results_form(), self.section("The main results", "main-results", first), fold]

    def place(self, page: str) -> tuple[int, str]:
        """Where a chapter stands in the book; one that the table of contents lacks comes last."""
        site_map = getattr(self.env, "external_site_map", None)
        order = list(site_map or ())
        name = FOLDER + page
        return (order.index(name) if name in order else len(order), page)

    def chapter(self, page: str, entries: list[Result]) -> nodes.section:
        return self.section(self.title_of(page), f"of-{page}", entries)

    def section(self, title: str, id: str, entries: list[Result]) -> nodes.section:
        rows = nodes.bullet_list("", *map(self.row, entries), classes=["result-rows"])
        heading = nodes.title("", title)
        return nodes.section("", heading, rows, ids=[id], classes=["chapter-results"])

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
            value = nodes.Text(f"{relation} "), nodes.literal("", digits)
            line += [nodes.Text(" "), nodes.inline("", "", *value, classes=["unbroken"])]
        line += nodes.raw("", found_by(entry), format="html")
        return nodes.list_item("", line, ids=[entry.id], classes=["result-row"])

    def link(self, entry: Result) -> nodes.reference:
        builder, page = self.env.app.builder, page_of(entry)
        on_site = builder.format == "html"  # the PDF lists the boxes with their pages
        address = builder.get_relative_uri(self.env.docname, page) if on_site else f"%{page}"
        return nodes.reference("", entry.title, refuri=f"{address}#{entry.id}", internal=True)


# ---- The forms

CLAIMS_PAGE = FOLDER + "claims"
PLACE = "<!-- entries-filter -->"


def place_of(document: nodes.document) -> nodes.raw | None:
    """Where a page wants its form."""
    return next((raw for raw in html(document) if is_html(raw, PLACE)), None)


def form(
    entries: str, kind: str, kinds: Iterable[str], found: Iterable[str], group: str, words: str
) -> nodes.raw:
    """The form of a page.

    Args:
        entries: the entries in one word of the plural, by which the script knows them.
        kind: what has a box for each of ``kinds``.
        kinds: these.
        found: the kind of each entry. The form says how many there are before its script does,
            which would make it longer otherwise and move what stands below.
        group: what the sections of the page are.
        words: what the words that are asked for stand in.
    """
    times = Counter(found)
    texts = {"entries": entries, "kind": kind, "group": group, "words": words}
    html = rendered("entries-filter", counts={name: times[name] for name in kinds}, **texts)
    return nodes.raw("", html, format="html")


def results_form() -> nodes.raw:
    found = (entry.status for entry in results().values())
    words = "ID, title, statement or number"
    return form("results", "Status", STATUSES, found, "Chapter", words)


def claims_form() -> nodes.raw:
    found = (claim.verdict for claim in claims().values())
    return form("claims", "Verdict", VERDICTS, found, "Post", "ID or words")


class ClaimsFilter(SphinxPostTransform):
    """Put the form of the claims in its place, or in front of the first section of their page."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        if self.env.docname != CLAIMS_PAGE:
            return
        if place := place_of(self.document):
            place.replace_self(claims_form())
            return
        page = next(self.document.findall(nodes.section))
        first = next(i for i, part in enumerate(page) if isinstance(part, nodes.section))
        page.insert(first, claims_form())
