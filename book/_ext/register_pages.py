"""Result boxes, the list of results and the data files of the site.

Directives:

``{result-list}``       the list of all results, by chapter, under permanent anchors, with a filter
``{cite-as} WHAT``     BibTeX of the book, the library, a result, a chapter or an equation
``{results-schema}``   the table of the fields of results.json

A page that lacks a box that the register promises, or has one that it does not, is a warning;
the strict build makes it an error. The site gets ``results.json``, ``results.bib`` and the short
address ``results.html#ID``.

The rooms: ``citation`` (BibTeX), ``result_places`` (where a result stands), ``result_boxes`` (the
menu of what pages store), ``result_list`` (with the forms that filter), ``models_page``,
``programs_page`` and ``result_files``. No package knows of results.
"""

from __future__ import annotations

from hashlib import sha256

from citation import CITATION, CiteAsDirective, citation_place, fill_citations
from models_page import ModelsFilter
from programs_page import ProgramsFilter
from result_boxes import ResultBoxes
from result_files import SchemaDirective, write_files
from result_list import ClaimsFilter, ResultListDirective
from result_places import check_boxes
from sphinx.application import Sphinx
from sphinx.config import Config

ROOT = CITATION.parent
MADE_WITH = (
    "gelu_lib/**/*.py",
    "gelu_lib/data/*.*",
    "book/_ext/*.py",
    "book/_theme/*.*",
    "book/_static/*.*",
    "book/*.toml",
    "_toc.yml",
    "CITATION.cff",
)
"""What more than one page is made with."""


def note_what_pages_are_made_with(app: Sphinx, config: Config) -> None:
    """Read every page again when something else changes that it is made with than its text."""
    digest = sha256()
    for pattern in MADE_WITH:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    config.made_with = digest.hexdigest()


def setup(app: Sphinx) -> None:
    app.add_config_value("made_with", "", "env", str)
    app.add_node(citation_place)
    app.add_directive("result-list", ResultListDirective)
    app.add_directive("cite-as", CiteAsDirective)
    app.add_directive("results-schema", SchemaDirective)
    app.add_transform(ResultBoxes)
    app.add_post_transform(ClaimsFilter)
    app.add_post_transform(ModelsFilter)
    app.add_post_transform(ProgramsFilter)
    app.connect("config-inited", note_what_pages_are_made_with)
    app.connect("env-check-consistency", check_boxes)
    app.connect("doctree-resolved", fill_citations)
    app.connect("build-finished", write_files)
