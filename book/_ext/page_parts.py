"""The parts of a page in plain HTML: frames that scroll, figures of known size, folded parts.

* A table or a figure that is too wide for the page scrolls inside a frame. The script of the page
  gives the frame the keyboard and a name where something scrolls.
* A figure states its width and height, so that nothing moves when it arrives.
* What folds is a ``details`` element and nothing more, with its title as the name. The list of a
  chapter's results folds: each has its place on the page.
* A formula that is all the text of a link or of the head of a column or a row has a name in words:
  tools that list links or columns do not read MathML.
* The first cell of a row is its head where the corner of the table is empty.
* A number with a hyphen, as in 1e-05, stays on one line, and so does what is equal to a number.

No package does it: the themes that frame tables bring scripts and styles of ten times the weight.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from formula_text import formula_text
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

PIXELS_PER_POINT = 96 / 72
# What a browser would break: = with its number, and the letter before it; and a number at a hyphen.
# A number of more digits than this may need a line of its own.
EQUAL = r"(?:(?<!\w)\|?\w\|? )?[=≈] [−±-]?\d[\d.]{0,19}(?:e[-+]\d+)?(?![\w.])"
NUMBER = re.compile(rf"({EQUAL}|\d[\d.]*(?:e?[-+]\d+)+)")
SEVERAL = 4  # words, in a cell of a table that must not become as narrow as one of them


class html_element(nodes.General, nodes.Element):
    """An element of HTML for which docutils has no node: its ``tag`` and its ``attributes``."""


def element(tag: str, *children: nodes.Node, classes: str = "", **attributes: str) -> html_element:
    return html_element("", *children, tag=tag, classes=classes.split(), attributes=attributes)


def visit_element(self: HTML5Translator, node: html_element) -> None:
    self.body.append(self.starttag(node, node["tag"], "", **node["attributes"]))


def depart_element(self: HTML5Translator, node: html_element) -> None:
    self.body.append(f"</{node['tag']}>")


class PageParts(SphinxPostTransform):
    """Put the parts of a page into plain elements of HTML."""

    default_priority = 198
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(nodes.container)):
            if "dropdown" in node["classes"]:
                node.replace_self(folded(node))
        for results in list(self.document.findall(nodes.bullet_list)):
            if "chapter-results" in results["classes"]:
                title = element("summary", nodes.Text(f"All {len(results)}, with their addresses"))
                frame(results, element("details", title))
        for table in list(self.document.findall(nodes.table)):
            head_rows(table)
            frame(table, element("div", classes="table-frame scrolls"))
        for image in list(self.document.findall(nodes.image)):
            frame(image, figure_frame(Path(self.env.srcdir, image["uri"])))
        for formula in self.document.findall(nodes.math):
            if names_alone(formula):
                formula["name"] = formula_text(formula.astext())
        for cell in self.document.findall(nodes.entry):
            if len(cell.astext().split()) >= SEVERAL:
                cell["classes"].append("several-words")
        for text in list(self.document.findall(nodes.Text)):
            if is_prose(text.parent):
                keep_numbers(text)


class FoldedCode(SphinxPostTransform):
    """Fold the code that MyST-NB hides under a title that says what a click does."""

    default_priority = 200  # MyST-NB hides it at 199
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for cell in list(self.document.findall(nodes.container)):
            for node in (part for part in list(cell) if isinstance(part, HideCodeCellNode)):
                title = (
                    nodes.inline("", node["prompt_show"], classes=["when-closed"]),
                    nodes.inline("", node["prompt_hide"], classes=["when-open"]),
                )
                folded = element("details", element("summary", *title), *node, classes="hide")
                folded.update_basic_atts(node)
                cell[cell.index(node)] = folded  # of a whole cell the node knows no parent


def folded(node: nodes.container) -> html_element:
    """A part that folds; its first part is its title."""
    title, *content = node.children
    return element("details", element("summary", *title.children), *content)


def is_prose(holder: nodes.Element) -> bool:
    """Whether what holds a text is a part of a paragraph, and neither code nor TeX nor HTML."""
    source = nodes.literal | nodes.math | nodes.raw
    return isinstance(holder, nodes.paragraph | nodes.caption | nodes.Inline) and not isinstance(
        holder, source
    )


def keep_numbers(text: nodes.Text) -> None:
    """Keep each number of a text on one line: a browser breaks 1e-05 and x = 2 within."""
    parts = NUMBER.split(text)
    if len(parts) == 1:
        return
    kept = [
        nodes.inline("", part, classes=["unbroken"]) if i % 2 else nodes.Text(part)
        for i, part in enumerate(parts)
        if part
    ]
    text.parent.replace(text, kept)


def names_alone(formula: nodes.math) -> bool:
    """Whether formulas are all the text of a link or of the head of a column or a row."""
    holder = formula.parent
    while holder and not isinstance(holder, nodes.reference | nodes.entry):
        holder = holder.parent
    if not holder or (isinstance(holder, nodes.entry) and not is_head(holder)):
        return False
    words = (t for t in holder.findall(nodes.Text) if not isinstance(t.parent, nodes.math))
    return not any(text.strip() for text in words)


def is_head(cell: nodes.entry) -> bool:
    """Whether a cell is the head of a column or of a row."""
    row = cell.parent
    stubs = row.parent.parent.next_node(nodes.colspec).get("stub")
    return isinstance(row.parent, nodes.thead) or bool(stubs and row[0] is cell)


def frame(node: nodes.Element, around: html_element) -> None:
    """Put an element around a node."""
    node.replace_self(around)
    around.append(node)


def head_rows(table: nodes.table) -> None:
    """Make the first cells the heads of their rows, if the corner above them is empty.

    A screen reader says the name of each head, so that an empty one gets a word that is not seen.
    """
    head = table.next_node(nodes.thead)
    if head is None:
        return
    empty = [is_empty(cell) for cell in head[0]]
    rows = table.next_node(nodes.tbody).children
    if empty[0] and not any(is_empty(row[0]) for row in rows):
        table.next_node(nodes.colspec)["stub"] = 1
    for cell in (cell for cell, lacks in zip(head[0], empty, strict=True) if lacks):
        words = nodes.inline("", "Row" if cell is head[0][0] else "Column")
        words["classes"].append("visually-hidden")
        cell += nodes.paragraph("", "", words)


def is_empty(cell: nodes.entry) -> bool:
    return not cell.astext().strip()


def figure_frame(path: Path) -> html_element:
    """The frame of a figure, with the size of a drawing for the style sheet."""
    around = element("span", classes="figure-frame scrolls")
    if size := svg_size(path):
        around["attributes"]["style"] = f"--width: {size[0]}; --height: {size[1]}"
    return around


def svg_size(path: Path) -> tuple[int, int] | None:
    """Width and height in pixels of a drawing that states them in points; of no other file."""
    if path.suffix != ".svg":
        return None
    head = path.read_text(encoding="utf-8")[:2000]
    sizes = [re.search(rf'<svg\b[^>]*?\b{side}="([\d.]+)pt"', head) for side in ("width", "height")]
    if not all(sizes):
        return None
    return tuple(round(float(size[1]) * PIXELS_PER_POINT) for size in sizes)


def setup(app: Sphinx) -> None:
    app.add_node(html_element, html=(visit_element, depart_element))
    app.add_post_transform(PageParts)
    app.add_post_transform(FoldedCode)
