"""Captions on the site: the number of the figure on its page, and what to see in bold type.

A page is read alone, so its figures are numbered from 1, and its equations are too: Sphinx does
that for equations where ``numfig`` is off, and has no such setting for figures. A figure that gives
way to one that moves has no number, so that those that are seen are counted. The first sentence of
a caption says what to see. In the PDF figures and equations are numbered through, by LaTeX.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from explorer_page import OFF
from page_language import say_on
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

END = re.compile(r"[.!?][)”’]*(?=\s|$)|[。！？][）」』”]*")
ABBREVIATION = re.compile(r"\b(?:i\.e|e\.g|cf|vs|al|etc)$")
FORMULA = "\ufffc"  # stands for what is no text


class Captions(SphinxPostTransform):
    """Number the figures of a page, and set the first sentence of each caption in bold type."""

    default_priority = 190  # before the texts are cut into what stays on one line
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        figure, number = say_on(self.env, self.env.docname)("Fig."), 0
        for caption in list(self.document.findall(nodes.caption)):
            if isinstance(caption.parent, nodes.figure):
                embolden(caption)
                if not gives_way(caption):
                    number += 1
                    counted = nodes.inline("", f"{figure} {number}", classes=["caption-number"])
                    caption.insert(0, [counted, nodes.Text(" ")])


def gives_way(node: nodes.Node) -> bool:
    """Whether a node is in a cell that is shown where JavaScript is off."""
    while node := node.parent:
        if OFF in node.get("classes", ()):
            return True
    return False


def embolden(caption: nodes.caption) -> None:
    """Set the first sentence of a caption in bold type."""
    left, bold = first_sentence(caption), nodes.strong()
    while left:
        part = caption.pop(0)
        if isinstance(part, nodes.Text) and len(part) > left:
            caption.insert(0, nodes.Text(part[left:]))
            part = nodes.Text(part[:left])
        bold += part
        left -= len(part) if isinstance(part, nodes.Text) else len(FORMULA)
    caption.insert(0, bold)


def first_sentence(caption: nodes.caption) -> int:
    """How many signs the first sentence has, each formula being one."""
    parts = (part if isinstance(part, nodes.Text) else FORMULA for part in caption)
    line = "".join(parts)
    ends = (end for end in END.finditer(line) if not ABBREVIATION.search(line[: end.start()]))
    return next((end.end() for end in ends), len(line))


def setup(app: Sphinx) -> None:
    app.add_post_transform(Captions)
