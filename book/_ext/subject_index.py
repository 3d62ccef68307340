"""The index of the book: subjects, symbols, names and results, without the names of the library.

The entries of the chapters stand in ``book/index-terms.toml`` and not in the notebooks, where a
reader in Jupyter would meet them as clutter:

    [minimax]                                    # a page of book/
    "A test for the best" = [                    # the heading of a section, or of the page
        "!alternation; sufficient for the best", # as in Sphinx's {index}; ! marks the main place
    ]

A page or a heading that is gone is a warning, which the strict build makes an error. Each result
of the register is an entry that leads to its permanent anchor, and so is each author who is cited.
The names of the library have an index of their own, ``py-names.html``.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains import Index, IndexEntry
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.nodes import process_index_entry

from gelu_lib import register

logger = logging.getLogger(__name__)

FOLDER = "book/"
RESULTS_PAGE = "results"
GLOSSARY = "book/glossary"
NOT_LETTERS = "0–Ω"
"""The group of all entries that begin with no Latin letter: numbers, signs, Greek letters."""

# A result is filed as the index of a book does it: "The least error of Φ" as "least error; of Φ".
ARTICLE = re.compile(r"(The|A) (?=\S)")
PLACE = re.compile(r"Where (?P<rest>.*)")
PARTED = re.compile(
    r"(?P<head>\w[^:]*): (?P<rest>.*)|(?P<noun>\w[\w ]*?),? (?P<of>(?:of|for|with) .*)"
)
ORDINARY_WORD = re.compile(r"[A-Z][a-z]+\b(?![’'])")
SEE = re.compile("(see also|see) (.+)")
KINDS = ("see:", "seealso:", "pair:")
PROPER_NAMES = {"Gaussian", "Taylor"}

Entry = tuple[str, str, str, str, str | None]
"""What Sphinx keeps of an entry: its kind, text, anchor, ``main`` or nothing, and its group."""


@cache
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


def filed(title: str) -> str:
    """The title of a result as an entry of the index, with a sub-entry where it has one."""
    title = title.replace("; ", ", ")  # which would begin a sub-entry
    if place := PLACE.fullmatch(title):
        return f"places; where {place['rest']}"
    title = ARTICLE.sub("", title, count=1)
    word = ORDINARY_WORD.match(title)
    if word and word[0] not in PROPER_NAMES:
        title = title[0].lower() + title[1:]
    if parted := PARTED.fullmatch(title):
        return "; ".join(filter(None, parted.groups()))
    return title


def grouped(entry: Entry) -> Entry:
    """The entry, in the one group of those that begin with no Latin letter if it is one."""
    kind, text, anchor, main, _ = entry
    first = unicodedata.normalize("NFD", text.lower())[0]
    return kind, text, anchor, main, None if "a" <= first <= "z" else NOT_LETTERS


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


def authors(work: Any) -> list[str]:
    """The people who wrote or edited a work, family name first; names of organisations are none."""
    people = work.persons.get("author") or work.persons.get("editor", [])
    return [written(person) for person in people if person.first_names]


def written(person: Any) -> str:
    """A name without the marks of TeX."""
    family = [*person.rich_prelast_names, *person.rich_last_names]
    given = [*person.rich_first_names, *person.rich_middle_names]
    return f"{' '.join(map(str, family))}, {' '.join(map(str, given))}"


class AddSubjects(SphinxTransform):
    """Put the entries of a page into it, and take those of the library out."""

    default_priority = 840  # the domains collect the entries at 850

    def apply(self, **kwargs: Any) -> None:
        self.drop_library()
        if not self.env.docname.startswith(FOLDER):
            return
        page = self.env.docname.removeprefix(FOLDER)
        self.add_terms(page)
        self.add_results(historical=page == RESULTS_PAGE)
        if page != RESULTS_PAGE:
            self.add_authors()

    def drop_library(self) -> None:
        for node in self.document.findall(addnodes.index):
            described = node.next_node(siblings=True, descend=False)
            of_library = isinstance(described, addnodes.desc) and described["domain"] == "py"
            if of_library or any(text.startswith("module; ") for _, text, *_ in node["entries"]):
                node["entries"] = []

    def add_terms(self, page: str) -> None:
        """The entries of the data file, each below its heading."""
        known = sections(self.document)
        stated = terms(Path(self.app.srcdir, self.config.subject_index_file))
        for heading, texts in stated.get(page, {}).items():
            if heading not in known:
                message = "%s: [%s] has no section %r"
                file = self.config.subject_index_file
                logger.warning(message, file, page, heading, location=self.env.docname)
                continue
            section = known[heading]
            anchor = section["ids"][0]
            section.insert(1, index_node([e for text in texts for e in parsed(text, anchor)]))

    def add_results(self, historical: bool) -> None:
        """An entry for each result whose box is here; the literals have theirs on one page."""
        for box in list(self.document.findall(nodes.container)):
            for id in box["ids"]:
                result = register.results().get(id)
                if result and (result.status == "historical") == historical:
                    entry = ("single", filed(result.title), id, "", None)
                    box.parent.insert(box.parent.index(box), index_node([entry]))

    def add_authors(self) -> None:
        """An entry for each author, where a page cites the first of their works."""
        works = self.env.get_domain("cite").bibdata.data.entries
        places: dict[str, nodes.Element] = {}
        for place in self.document.findall(addnodes.pending_xref):
            if place.get("refdomain") == "cite":
                keys = [key.strip() for key in place["reftarget"].split(",")]
                for key in filter(works.__contains__, keys):
                    for name in authors(works[key]):
                        places.setdefault(name, place)
        for name, place in places.items():
            entry = ("single", name, place["ids"][0], "", None)
            place.parent.insert(place.parent.index(place), index_node([entry]))


def index_node(entries: list[Entry]) -> addnodes.index:
    """The node from which Sphinx reads entries."""
    return addnodes.index(entries=[*map(grouped, entries)], inline=False)


class LibraryNames(Index):
    """Every name of the library, by its first letter."""

    name, localname, shortname = "names", "Names of the library", "names"

    def generate(
        self, docnames: Iterable[str] | None = None
    ) -> tuple[list[tuple[str, list[IndexEntry]]], bool]:
        groups: dict[str, list[IndexEntry]] = {}
        for name, found in self.domain.objects.items():
            if found.objtype == "module" or (docnames and found.docname not in docnames):
                continue
            module = self.module_of(name)
            short = name.removeprefix(f"{module}.")
            entry = IndexEntry(short, 0, found.docname, found.node_id, module, "", found.objtype)
            groups.setdefault(short.lstrip("_")[0].upper(), []).append(entry)
        by_name = [
            (key, sorted(groups[key], key=lambda e: e.name.lower())) for key in sorted(groups)
        ]
        return by_name, False

    def module_of(self, name: str) -> str:
        """The module in which a name stands; empty if it stands in none."""
        while name and name not in self.domain.modules:
            name = name.rpartition(".")[0]
        return name


def check_pages(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of a page in the data file that the book does not have."""
    file = app.config.subject_index_file
    for page in terms(Path(app.srcdir, file)):
        if FOLDER + page not in env.found_docs:
            logger.warning("%s: there is no page %s", file, page)


def read_again(app: Sphinx, docname: str, source: list[str]) -> None:
    """Read a page again when the entries change."""
    app.env.note_dependency(str(Path(app.srcdir, app.config.subject_index_file)))


def name_places(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Let the page of the index call a place by the title of its page, as a book does by number."""
    if page == "genindex":
        context["places"] = lambda links: places(links, app.env)
        context["seen"] = seen_entries(context["genindexentries"])
        context["entry_ids"] = {entry: id for _, entry, id in context["seen"].values()}


def seen_entries(groups: list[tuple[str, list[Any]]]) -> dict[str, tuple[str, str, str]]:
    """What an entry such as "see minimax" says and leads to: its words, the other entry, its ID.

    One that leads to no entry of the index is a warning.
    """
    entries = {name: parts for _, group in groups for name, (_, parts, _) in group}
    found = {}
    for name, parts in entries.items():
        for part, _ in parts:
            if not (see := SEE.fullmatch(part)):
                continue
            words, other = see.groups()
            if other not in entries:
                logger.warning("index: %r, see %r: there is no such entry", name, other)
                continue
            found[part] = (words, other, nodes.make_id(f"entry {other}"))
    return found


def places(links: list[tuple[str, str]], env: BuildEnvironment) -> list[tuple[str, str, bool]]:
    """The title and address of each place of an entry, and whether it is the main one.

    The glossary stands last: it says what a word means, and a chapter says more.
    """
    found = []
    for main, uri in links:
        page = uri.partition(".html")[0]
        in_glossary = page == GLOSSARY
        found.append((in_glossary, env.titles[page].astext(), uri, bool(main) and not in_glossary))
    return [place for _, *place in sorted(found, key=lambda place: place[0])]


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("subject_index_file", "book/index-terms.toml", "env")
    app.add_transform(AddSubjects)
    app.add_index_to_domain("py", LibraryNames)
    app.connect("source-read", read_again)
    app.connect("env-check-consistency", check_pages)
    app.connect("html-page-context", name_places)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
