"""A derivation that a cell shows has the address ``#equation-ID``, a number and a link.

A derivation says its ID in a comment in front of its TeX, so that the notebook needs no directive
and the site has the same label as an equation written by hand.

No package will do: the label is a comment in an output, which Sphinx does not read.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

DERIVATION_ID = re.compile(r"\s*% derivation ([a-z0-9-]+)\n")


class LabelDerivations(SphinxTransform):
    """Give a derivation that a cell shows its label."""

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
