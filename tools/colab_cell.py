"""The cell that makes a notebook run on Colab, where nothing of it is installed.

Colab opens a notebook as the repository has it. So once ``_config.yml`` says where that is, as
``repository: url:``, every stored notebook has this cell before its first code; before that none
has, since there is nothing to install from. Elsewhere the cell does nothing, and no page shows it.
Binder needs none: it installs what ``.binder`` says.

The extra ``colab`` pins nothing, so that pip leaves Colab's NumPy, which the kernel has loaded
before the cell runs, as it is. Where pip must replace it all the same, in an old runtime, Colab
asks for a restart; it sees that in what pip says, so pip is not told to be quiet.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
import yaml

CONFIGURATION = Path(__file__).resolve().parent.parent / "_config.yml"
TAG = "colab"
SOURCE = """\
import sys

if "google.colab" in sys.modules:  # there nothing is installed
    book = "git+{place}"
    %pip install "gelu_lib[colab] @ $book\""""


def place() -> str:
    """Where pip finds the repository; empty before the book is public."""
    repository = yaml.safe_load(CONFIGURATION.read_text(encoding="utf-8"))["repository"]
    return f"{repository['url']}@{repository['branch']}" if repository["url"] else ""


def put(notebook: nbformat.NotebookNode, place: str) -> None:
    """Give a notebook the cell, renewed, or take it away if there is no place; in place."""
    cells = [cell for cell in notebook.cells if TAG not in cell.metadata.get("tags", ())]
    code = [index for index, cell in enumerate(cells) if cell.cell_type == "code"]
    if place and code:
        metadata = {"tags": [TAG, "remove-cell"]}
        cell = nbformat.v4.new_code_cell(SOURCE.format(place=place), metadata=metadata)
        cells.insert(code[0], cell)
    notebook.cells = cells
