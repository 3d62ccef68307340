"""An equation that has an anchor, and a derivation that a cell shows, have a number and a link.

The notebooks are plain Markdown. An equation has its anchor, ``<a id="equation-NAME"></a>``, in the
paragraph before it; a derivation says its ID in a comment in front of its TeX. Here both get what
Sphinx needs for a number and for links: the label NAME, with the address ``#equation-NAME``.

No package will do: the label is in HTML or in a comment, neither of which Sphinx reads.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from plain_markdown import anchor_alone
from sphinx.transforms import SphinxTransform

DERIVATION_ID = re.compile(r"\s*% derivation ([a-z0-9-]+)\n")
EQUATION = "equation-"


class LabelEquations(SphinxTransform):
    """Give equations and derivations their labels."""

    default_priority = 300  # before the numbers are given, and before the anchors are taken away

    def apply(self, **kwargs: Any) -> None:
        for node in list(self.document.findall(nodes.math_block)):
            if stated := DERIVATION_ID.match(node.astext()):
                node.children = [nodes.Text(node.astext()[stated.end() :])]
                self.label(node, stated[1])
            elif (anchor := anchor_alone(before(node))).startswith(EQUATION):
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
