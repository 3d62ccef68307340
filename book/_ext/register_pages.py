"""Result boxes, the results page and the data files of the site, all out of the register.

Directives and roles, for chapters:

``{result} ID``        the box of a result, with its anchor, on the page that the register names
``{chapter-results}``   the list of a chapter's results, with links to their boxes
``{register}``         the results page: every entry, each under its permanent anchor
{result}`ID`           a link to a result's entry on the results page, by its title
{literal}`ID`          a historical literal exactly as it was printed, linked to its entry

A page that lacks a box that the register promises, or has one that it does not, is a warning;
the strict build makes it an error. The site gets ``results.json``, ``results.bib`` and the short
address ``results.html#ID``.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import gelu_lib
from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)

FOLDER = "book/"
RESULTS_PAGE = "book/results"
SHOWN_DIGITS = 30
DERIVATION_ID = re.compile(r"\s*% derivation ([a-z0-9-]+)\n")
STATUS_MEANING = {
    "symbolic": "a chain of equalities or inequalities, each checked by machine",
    "proof": "a proof in words, whose computations are checked by machine",
    "certified": "proved with interval arithmetic",
    "numeric": "computed to the digits shown, not proved",
    "historical": "a literal as somebody printed it",
}


def citation_key(entry: Result) -> str:
    return f"gelubook:{entry.id}"


def bibtex(entry: Result) -> str:
    """The BibTeX entry of one result, with the version of the book."""
    return "\n".join(
        [
            f"@misc{{{citation_key(entry)},",
            "  author       = {{The gelu_lib book authors}},",
            f"  title        = {{{{{entry.title}}}}},",
            "  howpublished = {Why 0.044715? A research book on GELU},",
            f"  note         = {{Version {gelu_lib.__version__}, results.html\\#{entry.id}}},",
            "}",
        ]
    )


def page_of(entry: Result) -> str:
    """The document that holds the entry's anchor."""
    return RESULTS_PAGE if entry.status == "historical" else FOLDER + entry.page


def record(entry: Result) -> dict[str, Any]:
    """One object of results.json."""
    return {
        "id": entry.id,
        "title": entry.title,
        "statement": entry.statement,
        "assumptions": entry.assumptions,
        "status": entry.status,
        "value": entry.value,
        "enclosure": entry.enclosure and list(entry.enclosure),
        "numbers": dict(entry.numbers),
        "enclosures": {name: list(ends) for name, ends in entry.enclosures.items()},
        "claim": entry.claim,
        "page": page_of(entry) + ".html",
        "anchor": entry.id,
        "check": check_of(entry),
        "source": list(entry.source),
        "of": entry.of,
        "withdrawn": entry.withdrawn,
        "version": gelu_lib.__version__,
    }


def check_of(entry: Result) -> str:
    """How many digits of a computed number hold, and by what check; empty without a number."""
    if entry.status == "historical" or not entry.named_numbers:
        return ""
    values = filter(None, (entry.value, *entry.numbers.values()))
    digits = [significant_digits(value) for value in values if "." in value]
    many = f"{min(digits)} digits" if digits else "Whole numbers"
    if entry.status == "certified":
        how, second = "each proved, by an enclosure in results.json", ""
    else:
        how, second = "computed at two precisions that agree", "By one method."
    if entry.check:
        second = f"A second method agrees: {entry.check}."
    return f"{many}, {how}. {second}".rstrip()


def significant_digits(decimal: str) -> int:
    return len(decimal.partition("e")[0].replace(".", "").lstrip("-0"))


def shortened(value: str) -> str:
    """At most ``SHOWN_DIGITS`` significant digits of a decimal, cut, with … where it was cut."""
    mantissa, e, exponent = value.partition("e")
    whole, point, decimals = mantissa.partition(".")
    leading_zeros = len(decimals) - len(decimals.lstrip("0")) if whole.strip("-0") == "" else 0
    room = SHOWN_DIGITS + leading_zeros - len(whole.strip("-0"))
    if len(decimals) <= room:
        return value
    return whole + point + decimals[: max(room, 0)] + "…" + e + exponent


class EntryDirective(SphinxDirective):
    """What the box in a chapter and the entry on the results page share."""

    def parsed(self, lines: list[str]) -> list[nodes.Node]:
        container = nodes.container()
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, container)
        return container.children

    def box(self, entry: Result, *, link: list[str]) -> nodes.container:
        title = nodes.paragraph("", "", nodes.Text(entry.title), classes=["result-title"])
        badge = nodes.inline("", entry.status, classes=["status", f"status-{entry.status}"])
        title += [nodes.Text(" "), badge]
        box = nodes.container("", title, ids=[entry.id], classes=["result-box"])
        box += self.parsed(self.statement_lines(entry))
        box += self.parsed(link)
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
        if entry.numbers:
            rows = [f"| {name} | `{shortened(digits)}` |" for name, digits in entry.numbers.items()]
            title = f":::{{dropdown}} {len(rows)} numbers"
            lines += [title, "| number | value |", "| :-- | :-- |", *rows, ":::", ""]
        if check_of(entry):
            lines += [f"Digits: {check_of(entry)}", ""]
        return lines

    def citation(self, entry: Result) -> list[nodes.Node]:
        return self.parsed(
            [":::{dropdown} How to cite", "```bibtex", *bibtex(entry).splitlines(), "```", ":::"]
        )


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
        link = [f"Status: *{entry.status}*, {meaning}. ID: {{result}}`{entry.id} <{entry.id}>`"]
        return [self.box(entry, link=link)]


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


class RegisterDirective(EntryDirective):
    """``{register}``: every entry of the register, under its permanent anchor."""

    def run(self) -> list[nodes.Node]:
        boxes(self.env)[self.env.docname] = []
        return [self.entry(entry) for entry in register.results().values()]

    def entry(self, entry: Result) -> nodes.Node:
        sources = f"{{cite}}`{','.join(entry.source)}`" if entry.source else ""
        if entry.status == "historical":
            target = f", for {{result}}`{entry.of}`" if entry.of else ""
            line = f"Printed: `{entry.value}`{target}. ID: `{entry.id}`. Source: {sources}"
        else:
            line = f"Derived in {{doc}}`{entry.page}`. ID: `{entry.id}`. {sources}"
        claim = ["Checked by machine as", "", "$$", entry.claim, "$$", ""] if entry.claim else []
        return self.box(entry, link=[*claim, line])


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


class LabelDerivations(SphinxTransform):
    """Give a derivation that a cell shows the address ``#equation-ID``, its number and its link.

    A derivation says its ID in a comment in front of its TeX, so that the notebook needs no
    directive and the site has the same label as an equation written by hand.
    """

    default_priority = 300  # before the numbers are given

    def apply(self, **kwargs: Any) -> None:
        domain = self.env.get_domain("math")
        for node in list(self.document.findall(nodes.math_block)):
            stated = DERIVATION_ID.match(node.astext())
            if not stated:
                continue
            label = stated[1]
            tex = node.astext()[stated.end() :]
            node.children = [nodes.Text(tex)]
            node["label"], node["docname"] = label, self.env.docname
            domain.note_equation(self.env.docname, label, location=node)
            node["number"] = domain.get_equation_number_for(label)
            node["ids"].append(f"equation-{label}")
            self.document.ids[f"equation-{label}"] = node


def boxes(env: BuildEnvironment) -> dict[str, list[str]]:
    """The IDs of the boxes on each page that has been read."""
    if not hasattr(env, "register_boxes"):
        env.register_boxes = {}
    return env.register_boxes


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    boxes(env).pop(docname, None)


def depend_on_library(app: Sphinx, docname: str, source: list[str]) -> None:
    """Read every page again when the library or its data change; Sphinx sees the page alone."""
    library, extensions = Path(gelu_lib.__file__).parent, Path(__file__).parent
    sources = [*library.rglob("*.py"), *library.glob("data/*"), *extensions.glob("*.py")]
    for path in sorted(sources):
        app.env.note_dependency(str(path))


def check_boxes(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of every result whose box is missing, repeated, or on another page than promised."""
    for entry in register.results().values():
        if entry.status == "historical":
            continue
        pages = [page for page, ids in boxes(env).items() for id in ids if id == entry.id]
        if pages != [page_of(entry)]:
            where = ", ".join(pages) or "no page"
            logger.warning("result %s belongs on %s, has boxes on %s", entry.id, entry.page, where)


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write results.json, results.bib and the short address of the results page."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    entries = list(register.results().values())
    records = json.dumps([record(entry) for entry in entries], indent=1, ensure_ascii=False)
    (site / "results.json").write_text(records + "\n", encoding="utf-8")
    citable = [bibtex(entry) for entry in entries if entry.status != "historical"]
    (site / "results.bib").write_text("\n\n".join(citable) + "\n", encoding="utf-8")
    (site / "results.html").write_text(forwarding_page(RESULTS_PAGE + ".html"), encoding="utf-8")


def forwarding_page(target: str) -> str:
    """A page that sends the browser on and keeps the fragment, which a refresh alone drops."""
    address = escape(target)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<title>Results</title>\n"
        f'<script>location.replace("{address}" + location.hash)</script>\n'
        f'</head>\n<body><p><a href="{address}">The results of the book</a></p></body>\n</html>\n'
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("result", ResultDirective)
    app.add_directive("chapter-results", ChapterResultsDirective)
    app.add_directive("register", RegisterDirective)
    app.add_role("result", ResultRole())
    app.add_role("literal", LiteralRole())
    app.add_transform(LabelDerivations)
    app.connect("env-purge-doc", forget)
    app.connect("source-read", depend_on_library)
    app.connect("env-check-consistency", check_boxes)
    app.connect("build-finished", write_files)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
