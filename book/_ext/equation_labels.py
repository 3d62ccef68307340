"""An equation that has an anchor, in the text or in what a cell shows, has a number and a link.

The notebooks are plain Markdown. An equation has its anchor, ``<a id="equation-NAME"></a>``, in the
paragraph before it. Here it gets what Sphinx needs for a number and for links: the label NAME, with
the address ``#equation-NAME``.

No package will do: the label is in HTML, which Sphinx does not read.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from plain_markdown import anchor_alone
from sphinx.transforms import SphinxTransform

EQUATION = "equation-"


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
