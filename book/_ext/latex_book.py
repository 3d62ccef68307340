r"""The book as one PDF: which parts of the pages are printed, and as which LaTeX.

Sphinx writes LaTeX for a site's pages; a book wants more. Here the parts of the table of contents
become parts, and the landing page becomes a chapter in front of them. A result keeps its box and
its anchor where it is derived; the results page only lists it, with its page, and prints in full
what stands nowhere else. What is folded on the site is opened, except for code: the input of a cell
that the site hides, and what is there to be copied, are left out.

Formulas, tables and boxes are written as commands of ``book/_latex/book.sty``, where the look is.
``latex_pages_left_out`` in the configuration names pages that are not printed.

No package will do: ``sphinx-jupyterbook-latex`` makes parts too, but knows of no results, leaves
no page out and needs a class with fonts of 800 MB.
"""

from __future__ import annotations

import re
from typing import Any

import citation
from docutils import nodes
from katex_at_build import with_rows
from latex_tables import column_specs, latex, stack_headings, stack_lines
from page_links import HTML_ADDRESS
from result_places import RESULTS_PAGE, page_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.latex import LaTeXTranslator

import gelu_lib
from gelu_lib import register

MARK = "\u200b"  # a zero width space: where a line may be broken
LONG_NUMBER = re.compile(r"\d{20,}")
LONG_NAME = 16  # code and words with hyphens with more signs than this may be broken, and where:
WRITTEN_AS_A_WHOLE = (nodes.math, nodes.math_block, nodes.FixedTextElement, nodes.raw)
HYPHENS = re.compile(rf"(?=[\w-]{{{LONG_NAME + 1}}})\w+(?:-\w+)+")
BREAK = re.compile(r"(?<=[^\w\s.])(?=\S)|(?<=[\d_])(?=\w)|(?<=\.)(?=[a-zA-Z_])")


class result_box(nodes.General, nodes.Element):
    """A result in its frame."""


class result_line(nodes.General, nodes.Element):
    """One line of the list of results: what a result is, and on which page."""


class BookTranslator(LaTeXTranslator):
    """Sphinx's LaTeX, except for what has to fit its line and for what only this book has."""

    def visit_math_block(self, node: nodes.math_block) -> None:
        """A formula that is made smaller if it is wider than its line."""
        if node.get("nowrap"):
            super().visit_math_block(node)
        label = f"[equation:{node['docname']}:{node['label']}]" if node.get("label") else ""
        tex = small_inside(with_rows(node.astext().strip()))
        self.body.append(f"\n\\BookFormula{label}{{{tex}}}\n")
        raise nodes.SkipNode

    def visit_reference(self, node: nodes.reference) -> None:
        """A link; without the page behind it in a table, and on a number as it was printed."""
        page = node.get("refuri", "").removeprefix("%").partition("#")[0]
        if page in self.config.latex_pages_left_out or page.startswith(".."):  # a file of the site
            self.context.append("")
            return
        super().visit_reference(node)
        if (self.table or page == RESULTS_PAGE) and self.context[-1].startswith("}}} ("):
            self.context[-1] = "}}}"

    def visit_target(self, node: nodes.target) -> None:
        """An address that the page states; Sphinx leaves out the one in front of a heading."""
        if "refid" in node or "refuri" in node:
            super().visit_target(node)
        elif node["ids"]:
            self.body.append(f"\n{self.hypertarget_to(node, anchor=True)}")

    def visit_raw(self, node: nodes.raw) -> None:
        """LaTeX, and of HTML the addresses in it."""
        if node["format"] == "html":
            self.body += [self.hypertarget(id) for id in HTML_ADDRESS.findall(node.astext())]
        super().visit_raw(node)

    def visit_inline(self, node: nodes.inline) -> None:
        if "status" in node["classes"]:
            self.body.append(r"\BookStatus{")
            self.context.append("}")
        else:
            super().visit_inline(node)

    def depart_table(self, node: nodes.table) -> None:
        """A table that tries sizes and then wraps; Sphinx writes those that are out of the way."""
        table = self.table
        if table.caption or table.has_problematic or table.has_verbatim:
            super().depart_table(node)
            return
        parts = ("".join(rows).replace(r"\sphinxhline", "") for rows in (table.header, table.body))
        head, body = parts
        natural, wrapped = column_specs(node)
        self.body.append(f"\n\n\\BookTable{{{natural}}}{{{wrapped}}}{{{head}}}{{{body}}}\n")
        self.tables.pop()

    def visit_result_box(self, node: result_box) -> None:
        entry = register.result(node["ids"][0])
        title = f"{{{self.encode(entry.title)}}}{{{entry.status}}}"
        anchor = self.hypertarget_to(node, anchor=True)
        self.body.append(f"\n\\begin{{bookresult}}{title}{anchor}\n")

    def depart_result_box(self, node: result_box) -> None:
        self.body.append("\n\\end{bookresult}\n")

    def visit_result_line(self, node: result_line) -> None:
        entry = register.result(node["id"])
        label = self.idescape(f"{page_of(entry)}:{entry.id}")
        parts = (label, self.encode(entry.title), entry.status, self.encode(entry.id))
        self.body.append("\n\\BookResultLine" + "".join(f"{{{part}}}" for part in parts) + "\n")
        raise nodes.SkipNode


def marked(text: str, *, is_code: bool) -> str:
    """A text with marks where it may be broken: in long numbers, names of a program and words."""
    if is_code and len(text) > LONG_NAME:
        return BREAK.sub(MARK, text)
    text = HYPHENS.sub(lambda word: word[0].replace("-", f"-{MARK}"), text)
    return LONG_NUMBER.sub(lambda number: MARK.join(number[0]), text)


def offer_breaks(text: nodes.Text) -> None:
    """Let a long number or a long name be broken; it copies without the break."""
    if isinstance(text.parent, WRITTEN_AS_A_WHOLE):
        return
    pieces = marked(text.astext(), is_code=isinstance(text.parent, nodes.literal)).split(MARK)
    if len(pieces) > 1:
        parts = [part for piece in pieces for part in (latex(r"\BookBreak{}"), nodes.Text(piece))]
        text.parent.replace(text, parts[1:])


def small_inside(tex: str) -> str:
    r"""TeX as LaTeX wants it: KaTeX takes a size in front of a text, LaTeX inside it."""
    return tex.replace(r"\small\text{", r"\text{\small ")


class LatexBook(SphinxPostTransform):
    """Make a book of the pages, when they have been joined and before links are resolved."""

    default_priority = 5  # the outputs of the cells have been chosen
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        self.leave_pages_out()
        self.leave_code_out()
        for box in self.found(nodes.container, name="result-box"):
            place(box)
        for rows in self.found(nodes.bullet_list, name="result-rows"):
            rows.replace_self([result_line(id=row["ids"][0]) for row in rows])
        for fold in self.found(nodes.container, name="dropdown"):
            fold[0].replace_self(command(r"\BookFold", *fold[0].children))
        for text in self.found(nodes.Text):
            offer_breaks(text)
        for cell in self.found(nodes.entry):
            stack_lines(cell)
        for table in self.found(nodes.table):
            stack_headings(table)
        self.put_parts()
        self.put_front_chapter()

    def found(self, kind: type, *, name: str = "") -> list[Any]:
        """The nodes of a kind: all, or those with a class."""
        return [n for n in self.document.findall(kind) if not name or name in n["classes"]]

    def leave_pages_out(self) -> None:
        """Leave out the pages that are not printed, and lines that do nothing but lead there."""
        left_out = self.config.latex_pages_left_out
        for page in self.found(addnodes.start_of_file):
            if page["docname"] in left_out:
                page.parent.remove(page)
        for line in self.found(nodes.paragraph):
            if line.children and all(leads_to(left_out, part) for part in line):
                line.parent.remove(line)

    def leave_code_out(self) -> None:
        """Leave out the code that cells hide on the site, and folds that hold nothing but code."""
        for part in self.found(nodes.container):
            is_source = part.get("nb_element") == "cell_code_source"
            if is_source and part.parent.get("hide_mode") in ("input", "all"):
                part.parent.remove(part)
        for fold in self.found(nodes.container, name="dropdown"):
            if all(isinstance(part, nodes.literal_block) for part in fold[1:]):
                fold.parent.remove(fold)

    def put_parts(self) -> None:
        """Give each caption of the table of contents a page of its own."""
        root = self.env.get_doctree(self.config.root_doc)
        captions = [tree["caption"] for tree in root.findall(addnodes.toctree)]
        lists = self.found(nodes.compound, name="toctree-wrapper")
        for caption, chapters in zip(captions, lists, strict=True):
            chapters.insert(0, command(r"\part", nodes.Text(caption)))

    def put_front_chapter(self) -> None:
        """Make what the landing page says a chapter without a number."""
        top = next(self.document.findall(nodes.section))
        lists = self.found(nodes.compound, name="toctree-wrapper")
        title, *own = (part for part in top.children if part not in lists)
        front = nodes.section("", title.deepcopy(), *own, ids=["front"])
        top.clear()
        top += [title, latex("\n\\BookUnnumbered\n"), front, latex("\n\\BookNumbered\n"), *lists]


def leads_to(pages: list[str], part: nodes.Node) -> bool:
    """Whether a part of a line is a link to one of some pages, or a sign between such links."""
    if isinstance(part, addnodes.pending_xref):
        return part["reftarget"] in pages
    return isinstance(part, nodes.Text) and not any(map(str.isalnum, part.astext()))


def command(name: str, *argument: nodes.Node) -> nodes.inline:
    """A command of LaTeX with one argument, on a line of its own."""
    return nodes.inline("", "", latex(f"\n\n{name}{{"), *argument, latex("}\n"))


def place(box: nodes.container) -> None:
    """Frame a result on the page that holds it; on any other page, list it with that page."""
    (id,) = box["ids"]
    title = register.result(id).title
    if docname(box) != page_of(register.result(id)):
        box.replace_self(result_line(id=id))
        return
    *seen, fold = box.children
    content = [part for part in (*seen, *fold[1:]) if part.astext() != title]  # the frame has it
    named = nodes.paragraph("", "", nodes.Text("ID: "), nodes.literal("", id))
    box.replace_self(result_box("", *content, named, ids=[id]))


def docname(node: nodes.Node) -> str:
    """The page that a node of the joined pages stands on."""
    while "docname" not in node:  # its section has it, and the root the document
        node = node.parent
    return node["docname"]


def state_version(app: Sphinx, config: Config) -> None:
    """Give the title page the version of the library, which is that of the book, and its day."""
    stated = config.latex_elements.get("preamble", "")
    version = f"\n\\newcommand{{\\BookVersion}}{{{gelu_lib.__version__}}}"
    day = f"\n\\newcommand{{\\BookDay}}{{{citation.day()}}}"
    config.latex_elements["preamble"] = stated + version + day


def setup(app: Sphinx) -> None:
    app.add_config_value("latex_pages_left_out", [], "")
    app.add_node(result_box)
    app.add_node(result_line)
    app.set_translator("latex", BookTranslator)
    app.add_post_transform(LatexBook)
    app.connect("config-inited", state_version)
