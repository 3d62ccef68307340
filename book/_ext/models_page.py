"""The table of every model on its page: folded by letters, with a form that filters it."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from folded_rows import first_head, folded, put_in_place, rows_of
from result_list import form
from result_places import FOLDER
from sphinx.transforms.post_transforms import SphinxPostTransform

from gelu_lib.activations import FORMS
from gelu_lib.provenance.atlas.model_names import names
from gelu_lib.provenance.atlas.models import model_parts

MODELS_PAGE = FOLDER + "models"
MODELS = "model and part"  # the first head of the table


class ModelsFilter(SphinxPostTransform):
    """Fold the table of every model by letters, and put its form in front of it."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for table in self.document.findall(nodes.table):
            if self.env.docname == MODELS_PAGE and first_head(table) == MODELS:
                form, data = models_form(table), names_of_models()
                parts = [form, data, *folded(table, lambda row: row.astext()[0].upper())]
                put_in_place(self.document, [table], parts)
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
