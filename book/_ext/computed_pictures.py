"""Pictures that a slider moves, of what the notebook of their page computed.

``{thread-the-gates}``   for the chapter on the cheapest GELU: the degree of the polynomial
``{laws-of-inputs}``     for the chapter on real networks: the size of normal inputs

A cell of the notebook shows the data as JSON, and the page has that for its script, ``gates.js`` or
``laws.js``. Where JavaScript is off, a cell with the tag ``explorer-off`` is shown in its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from explorer_page import OneNumber
from page_scripts import rendered
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sympy import Integer, Rational

KIND = "application/json"
SIZES = 0.2, 8
"""Between which sizes of the inputs a reader chooses."""


def degree(data: dict[str, Any]) -> OneNumber:
    """The degree, which begins at the last one that cannot pass."""
    start = max(1, sum(fit["distance"] > 1 for fit in data["fits"]))
    return OneNumber("degree", 0, *map(Integer, (1, 1, len(data["fits"]), start)))


def size(data: dict[str, Any]) -> OneNumber:
    """The power of ten by which τ differs from the crossing, where it begins and a step leads."""
    low, high = (Rational(f"{log10(end / data['crossing']):.2f}") for end in SIZES)
    return OneNumber("τ", 2, Rational("0.01"), low, high, Integer(0))


class Picture(NamedTuple):
    """A template, the names of the data that its script reads, and the number that moves it."""

    template: str
    names: frozenset[str]
    number: Callable[[dict[str, Any]], OneNumber]


PICTURES = {
    "thread-the-gates": Picture("gates", frozenset({"end", "gates", "fits"}), degree),
    "laws-of-inputs": Picture(
        "laws", frozenset({"sigmas", "best", "loss", "sites", "k", "crossing"}), size
    ),
}


class PictureDirective(SphinxDirective):
    """A picture, with what its notebook computed."""

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.doc2path(self.env.docname))
        data = computed(json.loads(path.read_text(encoding="utf-8")), self.name)
        return [nodes.raw("", markup(data, self.name), format="html")]


def computed(notebook: dict[str, Any], picture: str) -> dict[str, Any]:
    """The one output of a notebook that is JSON.

    Raises:
        ValueError: if there is none, or more than one, or it is not what the picture is drawn of.
    """
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    (data,) = (output["data"][KIND] for output in outputs if KIND in output.get("data", {}))
    if data.keys() != PICTURES[picture].names:
        raise ValueError(f"{picture} is drawn of {sorted(PICTURES[picture].names)}")
    return data


def markup(data: dict[str, Any], picture: str) -> str:
    """The slider and the picture, as HTML."""
    template, _, number = PICTURES[picture]
    return rendered(template, number=number(data), data=data)


def setup(app: Sphinx) -> None:
    for picture in PICTURES:
        app.add_directive(picture, PictureDirective)
