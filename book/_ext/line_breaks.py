"""Where a line must not break, and where long code and long numbers in a table may.

A browser may break a line on either side of a formula, even before a mark of punctuation. So both
stand in an element that does not break between them; the formula itself still breaks where it may.
A browser may also break 1e-5 after its sign. Long code in a narrow column has to break, and a
browser would do it anywhere: it is shown the parts of a name. Short code stays whole there. A long
number in a table may break after ten digits, and a product after its dot; but not in a cell of many
words, whose column would become narrow and its rows high.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

BETWEEN_PARTS = '</span><span class="base">'
OPENING = re.compile(r"[(\[“]+\Z")
EXPONENT = re.compile(r"(?<![\d.])\d[\d.]{0,9}e-\d+")  # longer ones have to break somewhere
CODE_WORD = re.compile(r'<span class="pre">(.*?)</span>')
CODE_PART = re.compile(r"(?<=[._(=/])(?<!\d\.)(?=\w{2}|&quot;|')")  # where a part of a name begins
SHORT_CODE = 16  # characters
MANY_WORDS = 12  # in a cell
NUMBER_PART = re.compile(r"(?<=\d)·(?=\d)|\d{10}(?=\d{5})")  # what a part of a number ends with
CLOSING = re.compile(r"[.,;:?!)\]…’”]+")


def marks_beside(formula: nodes.math) -> tuple[str, str]:
    """The marks that touch a formula, before and after it."""
    before, after = beside(formula, -1), beside(formula, 1)
    opening = OPENING.search(before) if isinstance(before, nodes.Text) else None
    closing = CLOSING.match(after) if isinstance(after, nodes.Text) else None
    return opening[0] if opening else "", closing[0] if closing else ""


def beside(node: nodes.Node, step: int) -> nodes.Node | None:
    """The next sibling of a node, or the previous one."""
    # by identity: two texts are equal if they read the same
    place = next(i for i, child in enumerate(node.parent) if child is node) + step
    return node.parent[place] if 0 <= place < len(node.parent) else None


def kept_together(html: str, formula: nodes.math) -> str:
    """A rendered formula with the marks beside it, if there are any."""
    opening, closing = marks_beside(formula)
    if not opening and not closing:
        return html
    # where KaTeX lets a formula break, it has to be said inside what does not break
    parts = html.replace(BETWEEN_PARTS, BETWEEN_PARTS.replace("><", "><wbr><"))
    return f'<span class="with-marks">{opening}{parts}{closing}</span>'


def visit_text(self: HTML5Translator, node: nodes.Text) -> None:
    """Write a text without the marks that a formula beside it has taken, its numbers whole."""
    text, before, after = node.astext(), beside(node, -1), beside(node, 1)
    if isinstance(before, nodes.math):
        text = text.removeprefix(marks_beside(before)[1])
    if isinstance(after, nodes.math):
        text = text.removesuffix(marks_beside(after)[0])
    start = len(self.body)
    HTML5Translator.visit_Text(self, nodes.Text(text))
    cell = cell_of(node)
    for i, html in enumerate(self.body[start:], start):
        if cell and isinstance(node.parent, nodes.literal):
            self.body[i] = CODE_WORD.sub(parted, html)
            continue
        self.body[i] = EXPONENT.sub(r'<span class="unbroken">\g<0></span>', html)
        if cell and len(cell.astext().split()) < MANY_WORDS:
            self.body[i] = NUMBER_PART.sub(r"\g<0><wbr>", self.body[i])


def cell_of(node: nodes.Node) -> nodes.entry | None:
    """The cell of a table in which a node stands."""
    parent = node.parent
    while parent and not isinstance(parent, nodes.entry):
        parent = parent.parent
    return parent


def parted(word: re.Match[str]) -> str:
    """A word of code, whole if it is short; else a line may break where a part of it begins."""
    if len(unescape(word[1])) <= SHORT_CODE:
        return f'<span class="pre unbroken">{word[1]}</span>'
    return f'<span class="pre">{CODE_PART.sub("<wbr>", word[1])}</span>'


def depart_text(self: HTML5Translator, node: nodes.Text) -> None:
    """Nothing: a text is written as a whole."""


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(nodes.Text, override=True, html=(visit_text, depart_text))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
