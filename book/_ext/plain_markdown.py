"""What plain Markdown says by HTML and by custom, as the parts of a page.

The notebooks are CommonMark with formulas, so that every program shows them. On the site and in the
PDF

* ``<details>`` with a summary is a part that folds, and keeps its class;
* a quotation that begins with a line in bold type is a remark with that title;
* ``<a id="NAME"></a>`` is an address; one of the form ``equation-NAME``, in the paragraph before an
  equation, is that of the equation, which has a number and the label NAME;
* ``<!-- cards -->`` above a list says how it looks, and so does the comment of a chapter's results;
* the comments around computed numbers (``gelu_lib.show.marks``) are left out.

No package will do: MyST has directives for these, which other programs show as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)

OPENING = re.compile(r'<details(?: class="(\w+)")?>\s*<summary>(.*?)</summary>\s*', re.DOTALL)
CLOSING = "</details>"
ANCHOR = re.compile(r'<a id="([^"]+)">')
MARK = re.compile(r"<!--(?:=[^>]*|/)-->")
LOOK = re.compile(r"<!-- (cards|chapter-results) -->")
EQUATION = "equation-"
MAIN_REMARK = "In one sentence"
"""The remark that sums a chapter up; it has a look of its own."""


class PlainMarkdown(SphinxTransform):
    """Make parts of a page of what stands for them."""

    default_priority = 310  # when the equations have taken their anchors

    def apply(self, **kwargs: Any) -> None:
        for raw in reversed(list(html(self.document))):  # what folds inside another first
            if MARK.fullmatch(raw.astext()):
                raw.parent.remove(raw)
            elif look := LOOK.fullmatch(raw.astext().strip()):
                raw.next_node(descend=False, siblings=True)["classes"].append(look[1])
                raw.parent.remove(raw)
            elif found := OPENING.fullmatch(raw.astext()):
                self.fold(raw, unescape(found[2]), found[1])
            elif anchor := ANCHOR.fullmatch(raw.astext()):
                self.anchor(raw, anchor[1])
        for quotation in list(self.document.findall(nodes.block_quote)):
            if title := title_of(quotation):
                quotation.replace_self(remark(title, quotation.children[1:]))

    def fold(self, opening: nodes.raw, title: str, kind: str | None) -> None:
        """Put what stands between an opening and the next closing into a container."""
        parent, start = opening.parent, opening.parent.index(opening)
        ends = [i for i, node in enumerate(parent) if i > start and is_html(node, CLOSING)]
        if not ends:
            logger.warning("a <details> without its end: %s", title, location=opening)
            return
        content = parent[start + 1 : ends[0]]
        folded = nodes.container("", nodes.rubric("", title), *content, classes=["dropdown"])
        folded["classes"] += [kind] if kind else []
        parent[start : ends[0] + 1] = [folded]

    def anchor(self, opening: nodes.raw, name: str) -> None:
        """Make an address; a heading that has it already keeps it."""
        closing = opening.next_node(descend=False, siblings=True)
        if not is_html(closing, "</a>"):
            logger.warning("an anchor that is not closed at once: %s", name, location=opening)
            return
        around = opening.parent
        around.remove(closing)
        if name in self.document.ids:
            around.remove(opening)
            if not parts(around):
                around.parent.remove(around)
            return
        target = nodes.target("", "", ids=[name])
        self.document.ids[name] = target
        opening.replace_self(target)


class LabelEquations(SphinxTransform):
    """Give equations their labels."""

    default_priority = 300  # before the numbers are given, and before the anchors are taken away

    def apply(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(nodes.math_block)):
            if (anchor := anchor_alone(before(node))).startswith(EQUATION):
                before(node).parent.remove(before(node))
                self.label(node, anchor.removeprefix(EQUATION))

    def label(self, node: nodes.math_block, label: str) -> None:
        domain = self.env.get_domain("math")
        node["label"], node["docname"] = label, self.env.docname
        domain.note_equation(self.env.docname, label, location=node)
        node["number"] = domain.get_equation_number_for(label)
        node["ids"].append(f"{EQUATION}{label}")
        self.document.ids[f"{EQUATION}{label}"] = node


def before(node: nodes.Element) -> nodes.Node | None:
    """What stands directly in front of a node."""
    index = node.parent.index(node)
    return node.parent[index - 1] if index else None


def html(node: nodes.Node) -> Iterator[nodes.raw]:
    """The pieces of HTML in a page."""
    return (raw for raw in node.findall(nodes.raw) if raw["format"] == "html")


def is_html(node: nodes.Node | None, text: str) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == text


def anchor_alone(node: nodes.Node | None) -> str:
    """The name of the anchor that is all there is in a paragraph; empty if there is more."""
    both = parts(node) if isinstance(node, nodes.paragraph) else []
    if len(both) != 2 or not is_html(both[1], "</a>"):
        return ""
    found = ANCHOR.fullmatch(both[0].astext())
    return found[1] if found else ""


def parts(node: nodes.Element) -> list[nodes.Node]:
    """What there is in a node, without the empty texts that MyST puts around bold type."""
    return [child for child in node.children if child.astext()]


def title_of(quotation: nodes.block_quote) -> nodes.strong | None:
    """The line in bold type with which a quotation begins."""
    first = parts(quotation[0]) if len(quotation) > 1 else []
    return first[0] if len(first) == 1 and isinstance(first[0], nodes.strong) else None


def remark(title: nodes.strong, content: list[nodes.Node]) -> nodes.admonition:
    kind = "tip" if title.astext() == MAIN_REMARK else f"admonition-{nodes.make_id(title.astext())}"
    return nodes.admonition("", nodes.title("", "", *title.children), *content, classes=[kind])


def setup(app: Sphinx) -> None:
    app.add_transform(LabelEquations)
    app.add_transform(PlainMarkdown)
