"""What a reader of a notebook does: changes its code, runs it, and reads the tasks and solutions.

A notebook runs in this process, all its code cells in order, as in an editor.
"""

from __future__ import annotations

import ast
import io
import re
from contextlib import chdir, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib.pyplot as plt
import mpmath
import nbformat

from gelu_lib.show import marks, tables
from gelu_lib.show.style import NARROW

BOOK = Path(__file__).resolve().parents[2] / "book"
WIDE = "image/svg+xml"

TASK = re.compile(r"^## Try it\n(.*?)(?=^## |^\*\*Exercise |\Z)", re.MULTILINE | re.DOTALL)
SOLUTION = re.compile(
    r"^<details>\n<summary>Solution(?: (\d+))?</summary>\n(.*?)^</details>$",
    re.MULTILINE | re.DOTALL,
)
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def chapters() -> list[str]:
    """The names of all notebooks."""
    return sorted(path.stem for path in BOOK.glob("*.ipynb"))


def prose(chapter: str) -> str:
    """The text of a notebook that its page has too, one string."""
    cells = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4).cells
    texts = [cell for cell in cells if cell.cell_type == "markdown"]
    seen = [cell.source for cell in texts if "remove-cell" not in cell.metadata.get("tags", ())]
    return "\n\n".join(seen) + "\n"


_NO_WORDS = re.compile(
    r"<details>.*?</details>|```.*?```|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|(?<=\])\([^)]*\)", re.DOTALL
)
# Beside what is told stand the goals, the exercises, and the line in the place of a live figure.
_BESIDE = re.compile(
    r"^\*After this page you can\*.*?(?=\n\n(?!- )|\Z)"
    r"|^<!-- [a-z-]+ -->\n.*?(?=\n\n|\Z)"
    r"|(?:^## Exercises\n+)?\*\*Exercise \d.*?(?=^## |^> |^\*\*(?!Exercise)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_][\w’'-]*")


def word_count(text: str) -> int:
    """The words that a text has to be read for.

    Not counted are formulas, code, addresses, what is folded, goals, live figures, and exercises,
    which end at the next heading, quotation or paragraph with a bold beginning.
    """
    return len(_WORD.findall(_NO_WORDS.sub(" ", _BESIDE.sub(" ", text))))


def code_cells(chapter: str) -> list[str]:
    """The code of a notebook, cell by cell, without what it has for Colab once it is public."""
    cells = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    return [cell.source for cell in code if "colab" not in cell.metadata.get("tags", ())]


def shown(chapter: str) -> list[dict[str, str]]:
    """All that the cells of a notebook show, each by its kinds, as it is stored."""
    cells = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4).cells
    return [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]


def drawings(chapter: str) -> list[str]:
    """The figures of a notebook, wide and narrow."""
    return [data[kind] for data in shown(chapter) for kind in (WIDE, NARROW) if kind in data]


def table(chapter: str, head: str) -> list[list[str]]:
    """The rows of a stored table, cell by cell, by its first heading."""
    stored = (data.get("text/markdown", "") for data in shown(chapter))
    (found,) = (text for text in stored if text.startswith(f"| {head} |"))
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in found.splitlines()[2:]]


def glued(chapter: str) -> dict[str, str]:
    """The texts that the cells of a notebook keep for its prose, by name, as they are stored."""
    return marks.computed(nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4))


def task(text: str) -> str | None:
    """What a text asks the reader to try; None if it asks nothing."""
    found = TASK.search(text)
    return found and found[1]


def solutions(text: str) -> dict[int, str]:
    """The solutions in a text, by the number of the exercise."""
    return {int(given or n): body for n, (given, body) in enumerate(SOLUTION.findall(text), 1)}


def solved(chapter: str) -> dict[int, str]:
    """What the code behind each solution of a notebook shows, by the number of the exercise.

    Raises:
        ValueError: if there is code of a solution that is not right behind one.
    """
    cells, found = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4).cells, {}
    for text, code in pairwise(cells):
        if code.cell_type == "code" and "solution" in code.metadata.get("tags", ()):
            ((given, _),) = SOLUTION.findall(text.source[text.source.rfind("<details>") :])
            found[int(given or len(found) + 1)] = "".join(
                output.get("text", "") for output in code.outputs
            )
    return found


def code_blocks(text: str) -> list[str]:
    """The blocks of Python in a text."""
    return CODE.findall(text)


def only_shows(source: str) -> bool:
    """Whether a cell defines no name but that of a picture."""
    return all(
        isinstance(line, ast.Expr) or ast.unparse(line).startswith("drawn = ")
        for line in ast.parse(source).body
    )


class Session:
    """A notebook that was run from its first cell to its last, with some of its code replaced.

    Cells before the first replacement that only show something are passed over: what they show and
    glue is stored, and nbval compares it.

    Args:
        chapter: the name of the notebook.
        changes: what is replaced: code that stands in the notebook exactly once, and what comes in
            its place.

    Attributes:
        names: everything that the cells defined.
        glued: the texts that the cells keep for the prose, by name.
        shown: what the cells showed that were changed.
    """

    def __init__(self, chapter: str, changes: dict[str, str]) -> None:
        self._cells = code_cells(chapter)
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self._precision = mpmath.MPContext().prec  # mpmath's at first; a cell may set another
        self.glued = glued(chapter)
        places = {self._replace(old, new) for old, new in changes.items()}
        first = min(places, default=len(self._cells))
        shown = {
            place: self.run(source)
            for place, source in enumerate(self._cells)
            if place >= first or not only_shows(source)
        }
        self.shown = "\n".join(shown[place] for place in sorted(places))

    def _replace(self, old: str, new: str) -> int:
        """Replace the one occurrence of a piece of code; the number of its cell."""
        (place,) = [n for n, cell in enumerate(self._cells) for _ in range(cell.count(old))]
        self._cells[place] = self._cells[place].replace(old, new)
        return place

    def again(self, old: str, new: str) -> str:
        """Change one more cell and run it alone; what it shows."""
        return self.run(self._cells[self._replace(old, new)])

    def run(self, source: str) -> str:
        """Run code as a cell; what it prints, and the value of its last line."""
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = self.value(source)
        return printed.getvalue() + ("" if value is None else repr(value))

    def value(self, source: str) -> Any:
        """Run code as a cell; the value of its last line, None if that is no expression."""
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        keeps = patch.object(tables, "glue", self.glued.__setitem__)
        with chdir(BOOK), keeps, mpmath.workprec(self._precision):
            exec(compile(tree, "<cell>", "exec"), self.names)
            shown = last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), self.names)
            self._precision = mpmath.mp.prec
        plt.close("all")  # a notebook shows its figures at the end of a cell
        return shown
