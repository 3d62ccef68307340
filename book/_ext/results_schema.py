"""The schema of ``results.json``, and ``{results-schema}``: its fields as a table on a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from small_tables import table
from sphinx.util.docutils import SphinxDirective

SCHEMA = Path(__file__).parents[1] / "_root" / "results.schema.json"


def fields() -> dict[str, dict[str, Any]]:
    """What the schema says of each field of a result."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema["$defs"]["result"]["properties"]


class SchemaDirective(SphinxDirective):
    """``{results-schema}``: the fields of a result and what they mean."""

    def run(self) -> list[nodes.Node]:
        rows = [
            (nodes.literal("", name), nodes.Text(field["description"]))
            for name, field in fields().items()
        ]
        self.env.note_dependency(str(SCHEMA))
        return [table(("field", "what it holds"), rows)]
