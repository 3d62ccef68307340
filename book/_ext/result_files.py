"""The data files of the site: ``results.json`` with its schema, ``results.bib``, ``results.html``.

``results.schema.json`` is the promise about ``results.json``; a test holds the file to it.
"""

from __future__ import annotations

import json
import shutil
from html import escape
from pathlib import Path
from typing import Any

from citation import bibtex
from result_places import RESULTS_PAGE, page_of
from result_texts import check_of
from results_schema import SCHEMA
from sphinx.application import Sphinx

import gelu_lib
from gelu_lib import register
from gelu_lib.register import Result


def record(entry: Result) -> dict[str, Any]:
    """One object of results.json."""
    return {
        "id": entry.id,
        "title": entry.title,
        "statement": entry.statement,
        "assumptions": entry.assumptions,
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
        "source": list(entry.source),
        "of": entry.of,
        "withdrawn": entry.withdrawn,
        "version": gelu_lib.__version__,
    }


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write the data files and the short address of the results page."""
    if exception is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    entries = list(register.results().values())
    records = json.dumps([record(entry) for entry in entries], indent=1, ensure_ascii=False)
    (site / "results.json").write_text(records + "\n", encoding="utf-8")
    shutil.copyfile(SCHEMA, site / SCHEMA.name)
    bib = results_bib(entries, app.config.html_baseurl)
    (site / "results.bib").write_text(bib, encoding="utf-8")
    (site / "results.html").write_text(forwarding_page(RESULTS_PAGE + ".html"), encoding="utf-8")


def results_bib(entries: list[Result], base: str) -> str:
    """BibTeX of every result of the book; whoever cites a literal cites its source."""
    citable = [bibtex(entry, base) for entry in entries if entry.status != "historical"]
    return "\n\n".join(citable) + "\n"


def forwarding_page(target: str) -> str:
    """A page that sends the browser on and keeps what follows the name, as a refresh would not."""
    address = escape(target)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<title>Results</title>\n"
        '<link rel="icon" type="image/svg+xml" href="_static/favicon.svg">\n'
        f'<script>location.replace("{address}" + location.search + location.hash)</script>\n'
        f'</head>\n<body><p><a href="{address}">The results of the book</a></p></body>\n</html>\n'
    )
