"""``{thread-the-gates}``: a slider for the degree of the polynomial that goes through the gates.

The gates and the polynomials are those that the notebook of the page computed: a cell of it shows
them as JSON, and the page has that for its script, ``gates.js``. Where JavaScript is off, a cell
with the tag ``explorer-off`` is shown in its place.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from explorer_page import OneNumber
from page_scripts import rendered
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sympy import Integer

KIND = "application/json"


class GatesDirective(SphinxDirective):
    """The picture of the gates, with what its notebook computed."""

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.doc2path(self.env.docname))
        data = computed(json.loads(path.read_text(encoding="utf-8")))
        return [nodes.raw("", markup(data), format="html")]


def computed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The one output of a notebook that is JSON.

    Raises:
        ValueError: if there is none, or more than one.
    """
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    (data,) = (output["data"][KIND] for output in outputs if KIND in output.get("data", {}))
    return data


def markup(data: dict[str, Any]) -> str:
    """The slider, which begins at the last degree that cannot pass, and the picture, as HTML."""
    start = max(1, sum(fit["distance"] > 1 for fit in data["fits"]))
    degree = OneNumber("degree", 0, *map(Integer, (1, 1, len(data["fits"]), start)))
    return rendered("gates", degree=degree, data=json.dumps(data, separators=(",", ":")))


def setup(app: Sphinx) -> None:
    app.add_directive("thread-the-gates", GatesDirective)
