"""The table of every model on its page: folded by letters, with a form that filters it.

Its notebook shows the table alone, and may name a place for both (``result_list``). Without
JavaScript there is no form, and every letter can be opened.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from docutils import nodes
from result_list import form, place_of
from result_places import FOLDER
from sphinx.transforms.post_transforms import SphinxPostTransform

from gelu_lib.activations import FORMS
from gelu_lib.provenance.atlas.model_names import names
from gelu_lib.provenance.atlas.models import model_parts

MODELS_PAGE = FOLDER + "models"
MODELS = "model and part"  # the first head of the table
LETTER = '<details class="models-letter" id="of-{0}"><summary>{0} <span>({1})</span></summary>'


class ModelsFilter(SphinxPostTransform):
    """Fold the table of every model by letters, and put its form in front of it."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for table in self.document.findall(nodes.table):
            if self.env.docname == MODELS_PAGE and table[0][-2][0][0].astext() == MODELS:
                parts = [models_form(table), names_of_models(), *folded(table)]
                if place := place_of(self.document):
                    table.parent.remove(table)
                (place or table).replace_self(parts)
                return


def models_form(table: nodes.table) -> nodes.raw:
    found = (row[1].next_node(nodes.strong).astext() for row in rows_of(table))
    return form("models", "Form", FORMS, found, "Letter", "Model, entry or program")


def name_data() -> dict[str, Any]:
    """What the script knows of names and of the parts of each model, as ``form_of`` does."""
    found: dict[str, dict[str, str]] = {}
    for row in model_parts():
        found.setdefault(row.model, {}).setdefault(row.part, row.form)
    said, fields = names(), ("understood", "share", "mixtures")
    words = sorted({word for row in model_parts() for word in row.part.split()})
    data = {field: getattr(said, field) for field in fields}
    tables = {"known": dict(said.known), "refused": dict(said.refused)}
    return {**data, **tables, "parts": found, "partWords": words}


def names_of_models() -> nodes.raw:
    data = json.dumps(name_data(), separators=(",", ":")).replace("<", "\\u003c")
    html = f'<script type="application/json" id="model-names">{data}</script>'
    return nodes.raw("", html, format="html")


def rows_of(table: nodes.table) -> list[nodes.row]:
    """The rows of a table without its head."""
    return list(table[0][-1].children)


def folded(table: nodes.table) -> list[nodes.Node]:
    """The table in parts, one for each first letter of its rows, each behind a summary."""
    parts: list[nodes.Node] = []
    every = rows_of(table)
    table[0][-1].clear()
    for letter, group in groupby(every, key=lambda row: row.astext()[0].upper()):
        part, rows = table.deepcopy(), list(group)
        part[0][-1] += rows
        parts += [
            nodes.raw("", LETTER.format(letter, len(rows)), format="html"),
            part,
            nodes.raw("", "</details>", format="html"),
        ]
    return parts
