"""The parts of a page in plain HTML: regions that scroll, figures of known size, folded parts.

* A table, a program or a figure that is too wide for the page scrolls inside itself. It takes the
  keyboard focus, so that it scrolls without a mouse, and has a name. The script of the page takes
  the focus away again where nothing scrolls.
* A figure states its width and height, so that nothing moves when it arrives. On a telephone it
  is not drawn smaller than its text can be read.
* What folds is a ``details`` element and nothing more, with its title as the name.
* Roles are those that screen readers know: Sphinx's bibliography has one that was given up.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator
from sphinx_design.dropdown import dropdown_main, dropdown_title

PIXELS_PER_POINT = 96 / 72
SEVERAL = 4  # words, in a cell of a table that must not become as narrow as one of them
LEAST_SCALE = 0.68  # of a figure: its text of 11 points is then 10 pixels high


def scrolling(name: str) -> str:
    """The attributes of a region that may scroll, under the name that a screen reader says."""
    return f'tabindex="0" role="group" aria-label="{escape(name)}"'


def visit_table(self: HTML5Translator, node: nodes.table) -> None:
    title = node.next_node(nodes.title)
    name = title.astext() if title else "Table"
    self.body.append(f'<div class="table-frame scrolls" {scrolling(name)}>\n')
    HTML5Translator.visit_table(self, node)


def depart_table(self: HTML5Translator, node: nodes.table) -> None:
    HTML5Translator.depart_table(self, node)
    self.body.append("</div>\n")


def visit_entry(self: HTML5Translator, node: nodes.entry) -> None:
    if len(node.astext().split()) >= SEVERAL:
        node["classes"].append("several-words")
    HTML5Translator.visit_entry(self, node)
    if self.body[-1].startswith("<th") and is_empty(node):
        change_cell(self, "<th", "<td")  # a corner is the head of nothing
    elif names_row(node) and not is_empty(node):
        change_cell(self, "<td", '<th scope="row"')


def change_cell(self: HTML5Translator, old: str, new: str) -> None:
    """Give the cell that was just opened another tag, and the end that belongs to it."""
    self.body[-1] = self.body[-1].replace(old, new, 1)
    self.context[-1] = f"</{new[1:3]}>\n"


def is_empty(node: nodes.entry) -> bool:
    return not node.astext().strip()


def names_row(node: nodes.entry) -> bool:
    """Whether a cell comes first in its row, under an empty corner: then it names the row."""
    row = node.parent
    head = row.parent.parent.next_node(nodes.thead)
    return bool(head) and row.parent is not head and row[0] is node and is_empty(head[0][0])


def is_head(node: nodes.entry) -> bool:
    """Whether a cell is the head of a column or of a row."""
    return isinstance(node.parent.parent, nodes.thead) or names_row(node)


def visit_literal_block(self: HTML5Translator, node: nodes.literal_block) -> None:
    try:
        HTML5Translator.visit_literal_block(self, node)
    except nodes.SkipNode:  # the block is written
        opening = f'<pre class="scrolls" {scrolling("Code")}>'
        self.body[-1] = self.body[-1].replace("<pre>", opening, 1)
        raise


def visit_image(self: HTML5Translator, node: nodes.image) -> None:
    size = svg_size(Path(self.builder.srcdir, node["uri"]))
    HTML5Translator.visit_image(self, node)
    if size:
        width, height = size
        sized = f'width="{width}" height="{height}" style="min-width: {width * LEAST_SCALE:.0f}px"'
        if node is node.document.next_node(nodes.image):
            sized += ' fetchpriority="high"'  # the first figure is what a reader sees first
        tag = self.body[-1].replace("<img ", f"<img {sized} ", 1)
        self.body[-1] = f'<span class="figure-frame scrolls" {scrolling("Figure")}>{tag}</span>'


def svg_size(path: Path) -> tuple[int, int] | None:
    """Width and height in pixels of a drawing that states them in points; of no other file."""
    if path.suffix != ".svg":
        return None
    head = path.read_text(encoding="utf-8")[:2000]
    sizes = [re.search(rf'<svg\b[^>]*?\b{side}="([\d.]+)pt"', head) for side in ("width", "height")]
    if not all(sizes):
        return None
    return tuple(round(float(size[1]) * PIXELS_PER_POINT) for size in sizes)


def visit_hidden_code(self: HTML5Translator, node: HideCodeCellNode) -> None:
    classes = " ".join(node["classes"])
    self.body.append(
        f'<details class="hide {classes}"><summary>'
        f'<span class="when-closed">{escape(node["prompt_show"])}</span>'
        f'<span class="when-open">{escape(node["prompt_hide"])}</span></summary>\n'
    )


def depart_hidden_code(self: HTML5Translator, node: HideCodeCellNode) -> None:
    self.body.append("</details>\n")


def visit_dropdown(self: HTML5Translator, node: dropdown_main) -> None:
    node["classes"] = ["dropdown", *own(node["classes"])]
    _, content = node.children
    content["classes"] = own(content["classes"])
    for paragraph in content.findall(nodes.paragraph):
        paragraph["classes"] = own(paragraph["classes"])
    self.body.append(self.starttag(node, "details", **({"open": "open"} if node["opened"] else {})))


def depart_dropdown(self: HTML5Translator, node: dropdown_main) -> None:
    self.body.append("</details>\n")


def own(classes: list[str]) -> list[str]:
    """The classes that the page gave, without those of the extension."""
    return [name for name in classes if not name.startswith("sd-")]


def visit_dropdown_title(self: HTML5Translator, node: dropdown_title) -> None:
    text = next(part for part in node.children if "sd-summary-text" in part["classes"])
    self.body.append("<summary>")
    for part in text.children:
        part.walkabout(self)
    self.body.append("</summary>\n")
    raise nodes.SkipNode


def mend(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Give the entries of the bibliography a role that screen readers know."""
    if tree is not None:
        body = context["body"]
        context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def setup(app: Sphinx) -> dict[str, Any]:
    for node, visit, depart in (
        (nodes.table, visit_table, depart_table),
        (nodes.entry, visit_entry, HTML5Translator.depart_entry),
        (nodes.literal_block, visit_literal_block, HTML5Translator.depart_literal_block),
        (nodes.image, visit_image, HTML5Translator.depart_image),
        (HideCodeCellNode, visit_hidden_code, depart_hidden_code),
        (dropdown_main, visit_dropdown, depart_dropdown),
        (dropdown_title, visit_dropdown_title, None),
    ):
        app.add_node(node, override=True, html=(visit, depart))
    app.connect("html-page-context", mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
