"""The search of the site: one entry for each section, result, term, reference and library name.

No package will do. Sphinx's own search cuts decimals at the point and shows formulas as rubbish;
it and Pagefind fetch files, which a page that is opened from a file may not do. Of 26 questions
whose best page is known Sphinx put 8 first, Pagefind 12 and this search 22, before it knew joined
words and groups of words. ``tests/shared/search_answers.py`` asks it a file of questions.

Its data are a script, ``search-data.js``: the text of each section, and the entries of the index
that lead there. ``search.js`` ranks them in the browser, without a server; words are brought to
their stems by the stemmer of Sphinx. ``book/search-words.toml`` has what people call things that
the book calls otherwise: words that say nothing, and groups of words of which each will do.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docutils import nodes
from formula_text import formula_text
from katex_at_build import with_rows
from page_language import language_of
from page_scripts import write_data
from result_places import FOLDER, RESULTS_PAGE
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

from gelu_lib import register

LIBRARY_PAGE, BIBLIOGRAPHY = "book/library", "book/bibliography"
WORDS_FILE = FOLDER + "search-words.toml"
DATA_SCRIPT, PREVIEW_SCRIPT = "search-data.js", "preview-data.js"
RESULTS = {"result", "printed"}  # printed are the historical ones
LIBRARY = "gelu_lib."
ASIDE = ("book/errata", "book/changelog", BIBLIOGRAPHY)  # lists, which have words of all chapters
FOR_THE_READER = "You should know:"
LONGEST_FORMULA = 80  # characters that stand in a sentence
SINGLE = ("single", "see")
# Nodes that a reader of the page does not see as text, or has to unfold.
SILENT = (
    addnodes.index,
    nodes.comment,
    nodes.raw,
    nodes.image,
    nodes.substitution_definition,
)
UNSEEN = {"hide", "chapter-results"}  # folded code, and the titles of places that are known
MATHEMATICS = re.compile(r"\$([^$]+)\$")


@dataclass
class Place:
    """A place that can be found: its kind, its title, its anchor, its text and its index terms.

    The text are sentences, of which the search shows some. What stands beside them, in tables,
    programs, outputs and long derivations, are lines, of which it shows one where no sentence has
    the words; tabs part the cells of a row. The lines of programs and of what they print begin with
    a tab, the first of a program with two. Index terms stand as in the index, ``!`` in front where
    this is the main place.
    """

    kind: str
    title: str
    anchor: str
    text: str = ""
    beside: str = ""
    terms: list[str] = field(default_factory=list)


class Reader:
    """Cuts a page, as it is shown, into places.

    Args:
        document: the resolved tree of the page.
        page: its name.
    """

    def __init__(self, document: nodes.document, page: str) -> None:
        self.page = page
        self.places: list[Place] = []
        self.beside: list[str] = []
        self.terms = index_terms(document)
        self.kind = "aside" if page in ASIDE else "section"
        if page.startswith(LIBRARY_PAGE):
            self.kind = "library"
        top = "page" if self.kind == "section" or page == LIBRARY_PAGE else self.kind
        for section in document.children:
            if isinstance(section, nodes.section):
                self.read_section(section, top)

    def read_section(self, section: nodes.section, kind: str) -> None:
        """A section, then those inside it, and what else in it has an anchor of its own."""
        anchor = section["ids"][0]
        title = self.text(section.next_node(nodes.title)).strip().removeprefix(LIBRARY)
        terms = [term for id in section["ids"] for term in self.terms.get(id, [])]
        # the top of a page is found under the address of the page
        found = Place(kind, title, "" if not self.places else anchor, terms=terms)
        self.places.append(found)
        around, self.beside = self.beside, []
        found.text = "".join(self.text(c) for c in section if not isinstance(c, nodes.title))
        found.beside = "\n".join(self.beside)
        self.beside = around

    def is_place(self, node: nodes.Node) -> bool:
        """Read a node as a place of its own if it is one."""
        if isinstance(node, nodes.section) and UNSEEN.isdisjoint(node["classes"]):
            self.read_section(node, self.kind)
        elif isinstance(node, addnodes.desc):
            self.read_description(node)
        elif isinstance(node, nodes.definition_list_item) and node.next_node(nodes.term)["ids"]:
            self.read_term(node)
        elif isinstance(node, nodes.list_item) and self.page == BIBLIOGRAPHY:
            self.read_reference(node)
        elif isinstance(node, nodes.container) and self.result_of(node):
            self.read_result(self.result_of(node))
        else:
            return False
        return True

    def text(self, node: nodes.Node) -> str:
        """The sentences of a node that is no place, in one line, formulas as text."""
        if isinstance(node, SILENT) or self.is_place(node):
            return " " if isinstance(node, nodes.raw) and node.astext().startswith("<br") else ""
        if isinstance(node, nodes.math):
            return formula_text(node.astext())
        if isinstance(node, nodes.math_block):
            return self.displayed(node)
        if isinstance(node, nodes.Text):
            return node.astext()
        if not UNSEEN.isdisjoint(node.get("classes", [])):
            return ""
        if isinstance(node, nodes.literal_block):
            self.beside.append(as_program(node))
            return ""
        if isinstance(node, nodes.row):
            self.beside.append("\t".join(" ".join(self.text(cell).split()) for cell in node))
            return ""
        inside = "".join(map(self.text, node.children))
        if isinstance(node, nodes.paragraph) and inside.startswith(FOR_THE_READER):
            self.beside.append(inside)
            return ""
        return inside if isinstance(node, nodes.Inline) else f"{inside} "

    def displayed(self, node: nodes.math_block) -> str:
        """A formula on a line of its own, which a sentence may hold if it is short."""
        tex = node.astext() if node.get("nowrap") else with_rows(node.astext())
        text = formula_text(tex, True)
        if len(text) <= LONGEST_FORMULA:
            return f" {text} "
        self.beside.append(text)
        return " "

    def read_description(self, node: addnodes.desc) -> None:
        """A name of the library with its docstring."""
        signature = node.next_node(addnodes.desc_signature)
        content = node.next_node(addnodes.desc_content)
        if signature["ids"]:
            anchor = signature["ids"][0]
            self.places.append(found := Place("library", anchor.removeprefix(LIBRARY), anchor))
            found.text = self.text(content)

    def read_term(self, node: nodes.definition_list_item) -> None:
        """A term of the glossary; of several with one meaning, the first has the anchor."""
        terms = list(node.findall(nodes.term))
        title = ", ".join(term.astext() for term in terms)
        meaning = self.text(node.next_node(nodes.definition))
        self.places.append(Place("term", title, terms[0]["ids"][0], meaning))

    def read_reference(self, node: nodes.list_item) -> None:
        """An entry of the bibliography: its address, author and year, and the rest."""
        line = node[0]
        address, label = line.next_node(nodes.target), line.next_node(nodes.strong)
        title = label.astext().removesuffix(".")
        self.places.append(Place("reference", title, address["ids"][0]))
        self.places[-1].text = "".join(map(self.text, line[line.index(label) + 1 :]))

    def result_of(self, node: nodes.container) -> register.Result | None:
        """The result whose box a node is."""
        found = (register.results().get(id) for id in node["ids"])
        return next(filter(None, found), None)

    def read_result(self, result: register.Result) -> None:
        """A result, at its derivation; the literals have no other place than the results page."""
        if (result.status == "historical") != (self.page == RESULTS_PAGE):
            return
        statement = formula_text(result.statement, True)
        parts = [statement, self.sentence(result.assumptions), result.value, result.status]
        text = f"{'; '.join(filter(None, parts))}. ID: {result.id}"
        kind = "printed" if result.status == "historical" else "result"
        self.places.append(Place(kind, result.title, result.id, text))

    def sentence(self, text: str | None) -> str:
        """A text of the register, its formulas as text."""
        found = MATHEMATICS.sub(lambda tex: formula_text(tex[1]), text or "")
        return f"for {found}" if found else ""


def index_terms(document: nodes.document) -> dict[str, list[str]]:
    """The entries of the index on a page, by anchor."""
    found: dict[str, list[str]] = {}
    for node in document.findall(addnodes.index):
        for kind, value, anchor, main, _ in node["entries"]:
            if kind in SINGLE:
                # "see: a; b" stands at the main place of b
                term = (
                    f"!{value.partition(';')[0]}" if kind == "see" else f"{'!' * bool(main)}{value}"
                )
                found.setdefault(anchor, []).append(term)
    return found


def kept(app: Sphinx, page: str) -> Path:
    """Where the places of a page are kept for the builds that do not write it again."""
    return Path(app.doctreedir, "search", f"{page}.json")


def collect(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Cut a page into places, as it is written."""
    if tree is not None:
        places = [
            [
                place.kind,
                place.title,
                place.anchor,
                " ".join(place.text.split()),
                lines_of(place.beside),
                place.terms,
            ]
            for place in Reader(tree, page).places
        ]
        kept(app, page).parent.mkdir(parents=True, exist_ok=True)
        kept(app, page).write_text(json.dumps(places), encoding="utf-8")


def switch_off_sphinx(app: Sphinx) -> None:
    """Neither index nor page of Sphinx's own search; no page loads its scripts."""
    if app.builder.format == "html":
        app.builder.search = False


def search_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The page of the search, for Sphinx to write."""
    if app.builder.format == "html":
        yield "search", {}, "search.html"


def data(app: Sphinx) -> dict[str, Any]:
    """What the script in the browser needs."""
    pages = []
    for page in sorted(app.env.found_docs):
        places = json.loads(kept(app, page).read_text(encoding="utf-8"))
        title = app.env.titles[page].astext()
        uri, language = app.builder.get_relative_uri("search", page), language_of(app.env, page)
        pages.append([uri, title, places, language or app.config.language])
    file = Path(app.srcdir) / WORDS_FILE
    asked = words_asked(file.read_text(encoding="utf-8")) if file.exists() else {"ignored": []}
    stopwords = sorted({*SearchEnglish.stopwords, *asked.pop("ignored")})
    return {"pages": pages, "stopwords": stopwords, **asked}


def as_program(block: nodes.literal_block) -> str:
    """The lines of a program, or of what it prints, each with a tab in front."""
    lines = "\n".join(f"\t{line}" for line in block.astext().expandtabs().split("\n"))
    return lines if "cell_output" in block.parent.get("classes", []) else f"\t{lines}"


def lines_of(text: str) -> str:
    """The lines of a text that are not empty, without more spaces than it takes."""
    single = (re.sub(r"[^\S\t]+", " ", line) for line in text.splitlines())
    lines = (re.sub(r"(?:^|(?<=\t)) | (?=\t|$)", "", line) for line in single)
    return "\n".join(line for line in lines if line.strip())


def words_asked(text: str) -> dict[str, Any]:
    """What people call things: words that say nothing, and groups of words that mean the same.

    Raises:
        ValueError: if the file is not a list ``ignored`` of texts and a list ``same`` of such.
    """
    found = tomllib.loads(text)
    groups = found.get("same")
    lists = [found.get("ignored"), *(groups if isinstance(groups, list) else [None])]
    sound = all(isinstance(some, list) and all(isinstance(t, str) for t in some) for some in lists)
    if set(found) != {"ignored", "same"} or not sound:
        raise ValueError(f"{WORDS_FILE}: accepted are ignored, a list of texts, and same, of lists")
    return found


def write_places(app: Sphinx, exception: Exception | None) -> None:
    """Put the data and the stemmer into the site."""
    if exception is not None or app.builder.format != "html":
        return
    stemmer = f"{SearchEnglish.js_stemmer_code.strip()}\n\n"
    found = data(app)
    write_data(app, DATA_SCRIPT, "SEARCH_DATA", found, before=stemmer)
    write_data(app, PREVIEW_SCRIPT, "PREVIEWS", previews(found))


def previews(found: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """What stands beside a link to a term or a result: its title and its text, by its address.

    A result has two addresses: where its box is, and for ever ``results.html#ID``.
    """
    shown = {}
    for page, _, places, _ in found["pages"]:
        for kind, title, anchor, text, *_ in places:
            if kind in {"term", *RESULTS}:
                shown[f"{page}#{anchor}"] = (title, text)
            if kind in RESULTS:
                shown[f"#{anchor}"] = (title, text)
    return shown


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", switch_off_sphinx)
    app.connect("html-page-context", collect)
    app.connect("html-collect-pages", search_page)
    app.connect("build-finished", write_places)
