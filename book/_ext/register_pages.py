"""Result boxes, the list of results and the data files of the site.

Directives:

``{result-list}``       the list of all results, by chapter, under permanent anchors, with a filter
``{cite-as} WHAT``     BibTeX of the book, the library, a result, a chapter or an equation
``{results-schema}``   the table of the fields of results.json

A page that lacks a box that the register promises, or has one that it does not, is a warning;
the strict build makes it an error. The site gets ``results.json``, ``results.bib`` and the short
address ``results.html#ID``.

The rooms: ``citation`` (BibTeX), ``result_places`` (where a result stands), ``result_boxes`` (the
menu of what pages store), ``result_list`` (with the forms that filter), ``models_page`` and
``result_files``. No package knows of results.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from citation import CITATION, CiteAsDirective, citation_place, fill_citations
from models_page import ModelsFilter
from result_boxes import ResultBoxes
from result_files import SchemaDirective, write_files
from result_list import ClaimsFilter, ResultListDirective
from result_places import check_boxes
from sphinx.application import Sphinx
from sphinx.config import Config

import gelu_lib


def note_library(app: Sphinx, config: Config) -> None:
    """Read every page again when what it is made with changes; Sphinx sees the page alone."""
    library, book = Path(gelu_lib.__file__).parent, Path(__file__).parents[1]
    code = [*library.rglob("*.py"), *book.glob("_ext/*.py"), *book.glob("_theme/*.html")]
    data = [path for path in library.glob("data/*") if path.is_file()]
    made_with = b"".join(path.read_bytes() for path in sorted([*code, *data, CITATION]))
    config.made_with = sha256(made_with).hexdigest()


def setup(app: Sphinx) -> None:
    app.add_config_value("made_with", "", "env", str)
    app.add_node(citation_place)
    app.add_directive("result-list", ResultListDirective)
    app.add_directive("cite-as", CiteAsDirective)
    app.add_directive("results-schema", SchemaDirective)
    app.add_transform(ResultBoxes)
    app.add_post_transform(ClaimsFilter)
    app.add_post_transform(ModelsFilter)
    app.connect("config-inited", note_library)
    app.connect("env-check-consistency", check_boxes)
    app.connect("doctree-resolved", fill_citations)
    app.connect("build-finished", write_files)
