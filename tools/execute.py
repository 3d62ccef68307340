"""Execute the notebooks and store their outputs, the same bytes on every machine.

    .venv/bin/python tools/execute.py            every notebook of the book
    .venv/bin/python tools/execute.py taylor     one chapter, by name

No output is edited by hand: what is stored is what this script got from a fresh kernel. Metadata
that differs from run to run or from machine to machine (times, versions, cell IDs) is replaced.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

BOOK = Path(__file__).resolve().parent.parent / "book"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT_CELL_METADATA = ("mystnb", "tags")


def main(names: list[str]) -> None:
    for path in chosen(names):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(
            notebook, kernel_name="python3", timeout=300, resources={"metadata": {"path": BOOK}}
        ).execute()
        normalise(notebook, path.stem)
        nbformat.write(notebook, path)
        print(path.name)


def chosen(names: list[str]) -> list[Path]:
    """The notebooks with these names, or all of them."""
    known = {path.stem: path for path in sorted(BOOK.glob("*.ipynb"))}
    unknown = sorted(set(names) - set(known))
    if unknown:
        sys.exit(f"no chapter {', '.join(unknown)}; the chapters are {', '.join(known)}")
    return [known[name] for name in names] if names else list(known.values())


def normalise(notebook: nbformat.NotebookNode, stem: str) -> None:
    """Replace everything that is not the notebook's content by fixed values, in place."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for index, cell in enumerate(notebook.cells):
        cell.id = f"{stem}-{index:02d}"
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in KEPT_CELL_METADATA if key in cell.metadata}
        )
        for output in cell.get("outputs", ()):
            output.get("metadata", {}).pop("execution", None)


if __name__ == "__main__":
    main(sys.argv[1:])
