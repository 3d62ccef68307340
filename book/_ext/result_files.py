"""The data files of the site, ``results.json``, ``results.bib`` and ``models.csv``, and addresses.

``book/_root/results.schema.json`` is the promise about ``results.json``; a test holds it to it, and
``{results-schema}`` shows its fields as a table on a page.
"""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

from citation import bibtex
from docutils import nodes
from page_scripts import rendered
from result_places import page_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import gelu_lib
from gelu_lib import register
from gelu_lib.derivations.meaning import statement
from gelu_lib.derivations.semantic import semantic
from gelu_lib.provenance.atlas.models import model_parts
from gelu_lib.register import Result
from gelu_lib.show.results import check_of

SCHEMA = Path(__file__).parents[1] / "_root" / "results.schema.json"


def record(entry: Result) -> dict[str, Any]:
    """One object of results.json."""
    return {
        "id": entry.id,
        "title": entry.title,
        "statement": entry.statement,
        "assumptions": entry.assumptions,
        "formula": semantic(statement(entry.statement, entry.assumptions)),
        "where": dict(entry.where),
        "status": entry.status,
        "value": entry.value,
        "enclosure": entry.enclosure and list(entry.enclosure),
        "numbers": dict(entry.numbers),
        "enclosures": {name: list(ends) for name, ends in entry.enclosures.items()},
        "claim": entry.claim,
        "address": f"results.html#{entry.id}",
        "page": page_of(entry) + ".html",
        "anchor": entry.id,
        "check": check_of(entry),
        "why_not_certified": entry.why_not_certified,
        "untried": entry.untried,
        "source": list(entry.source),
        "of": entry.of,
        "withdrawn": entry.withdrawn,
        "version": gelu_lib.__version__,
    }


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write the data files."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    entries = list(register.results().values())
    records = json.dumps([record(entry) for entry in entries], indent=1, ensure_ascii=False)
    (site / "results.json").write_text(records + "\n", encoding="utf-8")
    addresses = rendered("addresses", entries=entries, page_of=page_of)
    (site / "results.html").write_text(addresses, encoding="utf-8")
    bib = results_bib(entries, app.config.html_baseurl)
    (site / "results.bib").write_text(bib, encoding="utf-8")
    (site / "models.csv").write_text(models_csv(), encoding="utf-8")


def results_bib(entries: list[Result], base: str) -> str:
    """BibTeX of every result of the book; whoever cites a literal cites its source."""
    citable = [bibtex(entry, base) for entry in entries if entry.status != "historical"]
    return "\n\n".join(citable) + "\n"


MODEL_FIELDS = ("model", "part", "entry", "written", "form", "gated", "note", "other forms")


def models_csv() -> str:
    """Every activation of every model of transformers, as ``form_of`` has them, a line each.

    The last field has what other programs compute, where that is another form.
    """
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(MODEL_FIELDS)
    for part in model_parts():
        gated = {True: "yes", False: "no", None: ""}[part.gated]
        others = "; ".join(f"{one.where}: {one.form}" for one in part.disagree)
        stated = (part.model, part.part, part.entry, part.written, part.form)
        lines.writerow([*stated, gated, part.note, others])
    return text.getvalue()


def fields() -> dict[str, dict[str, Any]]:
    """What the schema says of each field of a result."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema["$defs"]["result"]["properties"]


class SchemaDirective(SphinxDirective):
    """``{results-schema}``: the fields of a result and what they mean."""

    def run(self) -> list[nodes.Node]:
        rows = [f"| `{name}` | {field['description']} |" for name, field in fields().items()]
        self.env.note_dependency(str(SCHEMA))
        return self.parse_text_to_nodes("\n".join(["| field | what it holds |", "|--|--|", *rows]))
