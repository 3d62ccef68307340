"""The pages without their solutions, for a class.

The words of a solution and its code are cells tagged ``solution``. Both go; where an exercise asks
for code, an empty cell waits for it. No other cell uses a name of a solution, so that each notebook
still runs whole (``tests/repository/test_exercise_set.py``). A page that is no notebook has its
solution in a part that folds.

No package will do: ``nbgrader`` has tags of its own, and needs a server for a course.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode, v4
from notebook_pages import SOLUTION

from gelu_lib.show import stored

EXERCISE = re.compile(r"\*\*Exercise \d+\*\* \((paper|code), ")
FOLDED = re.compile(r"^<details>\n<summary>Solution.*?^</details>\n+", re.MULTILINE | re.DOTALL)


def without_solutions(name: str, text: str) -> str:
    """A page as a class gets it.

    Args:
        name: that of its file.
        text: what the file has.
    """
    return unsolved(text) if name.endswith(".ipynb") else FOLDED.sub("", text)


def unsolved(text: str) -> str:
    """A notebook as a class gets it."""
    notebook = v4.reads(text)
    cells, kind = [], ""
    for cell in notebook.cells:
        kind = [kind, *EXERCISE.findall(cell.source)][-1]
        if SOLUTION not in cell.metadata.get("tags", ()):
            cells.append(cell)
        elif cell.cell_type == "code" and kind == "code":
            cells.append(waiting(cell))
    notebook.cells = cells
    # some outputs are missing now, so that those left are not of one run from the start
    notebook.metadata.pop(stored.KEY, None)
    return v4.writes(notebook) + "\n"


def waiting(cell: NotebookNode) -> NotebookNode:
    """An empty cell in the place of one."""
    return v4.new_code_cell(id=cell.id)
