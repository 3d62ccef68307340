"""The entries of the index, out of a file; Sphinx makes the index of them.

The entries of the chapters stand in ``book/index-terms.toml`` and not in the notebooks, where a
reader in Jupyter would meet the directives of Sphinx as clutter:

    [minimax]                                    # a page of book/
    "A test for the best" = [                    # the heading of a section, or of the page
        "!alternation; sufficient for the best", # as in Sphinx's {index}; ! marks the main place
    ]

A page or a heading that is gone is a warning, which the strict build makes an error. The names of
the library would swamp the subjects; their page and the index of modules list them.

No package will do: Sphinx has the entries in the text alone.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from docutils import nodes
from result_places import FOLDER
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.nodes import process_index_entry

logger = logging.getLogger(__name__)

FILE = FOLDER + "index-terms.toml"
KINDS = ("see:", "seealso:", "pair:")

Entry = tuple[str, str, str, str, str | None]
"""What Sphinx keeps of an entry: its kind, text, anchor, ``main`` or nothing, and its group."""


def terms(file: Path) -> dict[str, dict[str, list[str]]]:
    """The entries of the chapters, by page and heading.

    Raises:
        ValueError: if the file is not a table of pages, of tables of headings, of lists of texts.
    """
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    for page, headings in found.items():
        if not isinstance(headings, dict):
            raise ValueError(f"{file.name}: [{page}] must be a table of headings")
        for heading, entries in headings.items():
            strings = isinstance(entries, list) and all(isinstance(e, str) for e in entries)
            if not (strings and entries):
                raise ValueError(f"{file.name}: [{page}] {heading!r} must be a list of entries")
    return found


def parsed(text: str, anchor: str) -> list[Entry]:
    """An entry of the data file as Sphinx has it; a comma in it does not part two entries."""
    main, body = text.startswith("!"), text.removeprefix("!")
    if not body.startswith(KINDS):
        body = f"single: {body}"
    return process_index_entry(f"!{body}" if main else body, anchor)


def sections(document: nodes.document) -> dict[str, nodes.section]:
    """The sections of a page by their headings; of two with one heading, the first."""
    found: dict[str, nodes.section] = {}
    for section in document.findall(nodes.section):
        heading = section.next_node(nodes.title).astext().replace("’", "'")
        found.setdefault(heading, section)
    return found


class AddSubjects(SphinxTransform):
    """Put the entries of a page into it, and take those of the library out."""

    default_priority = 840  # the domains collect the entries at 850

    def apply(self, **kwargs: Any) -> None:
        self.drop_library()
        if self.env.docname.startswith(FOLDER):
            self.add_terms(self.env.docname.removeprefix(FOLDER))

    def drop_library(self) -> None:
        for node in self.document.findall(addnodes.index):
            described = node.next_node(siblings=True, descend=False)
            of_library = isinstance(described, addnodes.desc) and described["domain"] == "py"
            if of_library or any(text.startswith("module; ") for _, text, *_ in node["entries"]):
                node["entries"] = []

    def add_terms(self, page: str) -> None:
        """The entries of the data file, each below its heading."""
        known = sections(self.document)
        file = Path(self.app.srcdir, FILE)
        self.env.note_dependency(str(file))
        for heading, texts in terms(file).get(page, {}).items():
            if heading not in known:
                message = "%s: [%s] has no section %r"
                logger.warning(message, FILE, page, heading, location=self.env.docname)
                continue
            section = known[heading]
            anchor = section["ids"][0]
            found = [entry for text in texts for entry in parsed(text, anchor)]
            section.insert(1, addnodes.index(entries=found, inline=False))


def check_pages(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of a page in the data file that the book does not have."""
    for page in terms(Path(app.srcdir, FILE)):
        if FOLDER + page not in env.found_docs:
            logger.warning("%s: there is no page %s", FILE, page)


def setup(app: Sphinx) -> None:
    app.add_transform(AddSubjects)
    app.connect("env-check-consistency", check_pages)
