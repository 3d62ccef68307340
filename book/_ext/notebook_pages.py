"""A notebook as MyST-NB shall read it: boxes, figures with their captions, and imports.

The notebooks are stored so that every program shows them whole. Before a page is made of one,

* what stands for a part of the site, which a comment in its first line says, gives way to the
  directive that makes the part;
* results that a cell shows stand in the text, without the cell;
* the caption, a cell of its own behind a figure, goes to the figure, with its address;
* a cell that folds and shows nothing joins the next one, if that folds too, and one that folds
  takes along what it prints;
* the code of a solution folds with what it shows, under a title of its own;
* an open cell begins with what it is the first to use of it, so that open cells run when pasted.

The pages show stored outputs. A notebook whose code was edited and not executed again is a warning,
which a strict build makes an error; the sentence says which command mends it.

No package will do: MyST-NB has the caption of a figure in the metadata, where no other program
shows it, and knows of no results.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from gelu_lib.show import stored
from gelu_lib.show.marks import RECORD, text_of

logger = logging.getLogger(__name__)

STANDS_FOR = re.compile(
    r"<!-- (explorer|level-the-peaks|read-the-factor|lay-a-line|stay-in-the-band|weigh-the-error"
    r"|thread-the-gates|laws-of-inputs|own-gpu|number-search) -->$",
    re.M,
)
RESULTS = re.compile(r"(<details>\n<summary>.*</summary>\n\n)?<!-- (result|chapter-results)\b")
# A page in another language than the book's has its own word for a figure.
CAPTION = re.compile(
    r'<a id="(fig-[a-z0-9-]+)"></a>(?:\*Figure\.\* |\*\*[图図]\*\*：)(.*)', re.DOTALL
)

Cell = dict[str, Any]
SOLUTION = "solution"  # the tag of a solution, of its words and of its code
HIDDEN = {SOLUTION, "hide-input", "remove-input", "remove-cell"}  # tags of code that is not open
TITLES = {
    "code_prompt_show": "Show the solution in code",
    "code_prompt_hide": "Hide the solution in code",
}
WIDEST, INDENT = 76, "    "  # of a line of code


def prepare(app: Sphinx, docname: str, source: list[str]) -> None:
    """Change the text of a notebook, in place."""
    if str(app.env.doc2path(docname)).endswith(".ipynb"):
        notebook = json.loads(source[0])
        notebook["cells"] = as_read(notebook["cells"])
        source[0] = json.dumps(notebook)


def notebooks(env: BuildEnvironment) -> dict[str, Path]:
    """The pages that are notebooks, and where they stand."""
    pages = {docname: Path(env.doc2path(docname)) for docname in sorted(env.found_docs)}
    return {docname: path for docname, path in pages.items() if path.suffix == ".ipynb"}


def refuse(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Warn of every stale notebook, in each build, also of those that it does not read again."""
    for docname, path in notebooks(env).items():
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if fault := stored.fault(notebook, path.stem):
            logger.warning("%s", fault, location=docname)


def as_read(cells: list[Cell]) -> list[Cell]:
    """The cells of a notebook for its page."""
    made: list[Cell] = []
    import_in_the_open(cells)
    for cell in cells:
        text = shown(cell)
        if cell["cell_type"] == "code" and SOLUTION in cell["metadata"].get("tags", ()):
            cell["metadata"] |= {"mystnb": TITLES, "tags": ["hide-cell"]}
        if part := STANDS_FOR.match(text):
            made.append(markdown(cell, f"```{{{part[1]}}}\n```"))
        elif RESULTS.match(text):
            made.append(markdown(cell, text))
        elif (found := CAPTION.fullmatch(text)) and made and made[-1]["cell_type"] == "code":
            figure = {"name": found[1], "caption": found[2]}
            made[-1]["metadata"].setdefault("mystnb", {})["figure"] = figure
        elif made and folds(cell) and folds(made[-1]) and joins(made[-1], cell):
            cell["source"] = f"{text_of(made.pop()['source'])}\n\n{text_of(cell['source'])}"
            made.append(cell)
        else:
            made.append(cell)
    for cell in made:
        if folds(cell) and prints_alone(cell):
            cell["metadata"]["tags"] = ["hide-cell"]
    return made


def shown(cell: Cell) -> str:
    """The Markdown that a cell is, or that its one output is."""
    if cell["cell_type"] == "markdown":
        return text_of(cell["source"]).strip()
    data = [output.get("data", {}) for output in cell.get("outputs", ())]
    return text_of(data[0].get("text/markdown", "")) if len(data) == 1 else ""


def markdown(cell: Cell, text: str) -> Cell:
    return {"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": text}


def joins(cell: Cell, following: Cell) -> bool:
    """Whether a cell only prepares the next one, of two that fold."""
    tags = [one["metadata"]["tags"] for one in (cell, following)]
    return imports_alone(cell) or (not cell.get("outputs") and tags[0] == tags[1])


def imports_alone(cell: Cell) -> bool:
    """Whether a cell of code does nothing but import."""
    if cell["cell_type"] != "code":
        return False
    body = ast.parse(text_of(cell["source"])).body
    return all(isinstance(line, ast.Import | ast.ImportFrom) for line in body)


def import_in_the_open(cells: list[Cell]) -> None:
    """Repeat folded imports at the head of the first open cell that uses them, in place."""
    programs = [cell for cell in cells if cell["cell_type"] == "code"]
    folded = [text_of(cell["source"]) for cell in programs if folds(cell) and imports_alone(cell)]
    imported: set[str] = set()
    for cell in programs:
        if not HIDDEN.intersection(cell["metadata"].get("tags", ())):
            nodes = ast.walk(ast.parse(text_of(cell["source"])))
            new = {node.id for node in nodes if isinstance(node, ast.Name)} - imported
            if lines := [line for source in folded for line in imports(source, new)]:
                cell["source"] = "\n".join([*lines, "", text_of(cell["source"])])
            imported |= new


def imports(source: str, used: set[str]) -> list[str]:
    """The lines of a cell that imports, with the names that are used and no others."""
    lines = []
    for line in ast.parse(source).body:
        line.names = [name for name in line.names if bound(name) in used]
        if line.names:
            text = ast.unparse(line)
            if len(text) > WIDEST:
                head, names = text.split(" import ")
                inside = textwrap.fill(
                    names, WIDEST, initial_indent=INDENT, subsequent_indent=INDENT
                )
                text = f"{head} import (\n{inside})"
            lines.append(text)
    return lines


def prints_alone(cell: Cell) -> bool:
    """Whether a cell prints, and hands numbers to the text, and does not show more."""
    outputs = cell.get("outputs", ())
    return bool(outputs) and all(
        one["output_type"] == "stream" or set(one["data"]) <= {RECORD} for one in outputs
    )


def bound(name: ast.alias) -> str:
    """The name under which a program uses what it imports."""
    return name.asname or name.name.partition(".")[0]


def folds(cell: Cell) -> bool:
    return cell["cell_type"] == "code" and "hide-input" in cell["metadata"].get("tags", ())


def setup(app: Sphinx) -> None:
    app.connect("source-read", prepare)
    app.connect("env-before-read-docs", refuse)
