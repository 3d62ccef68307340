"""Write book/README.md: the path through the notebooks, for those who see a list of files.

    .venv/bin/python tools/write_contents.py

GitHub and Jupyter Lab list the notebooks by name. Their order, their parts and what is said of each
stand in _toc.yml, the titles in the pages. A notebook has the number that it has in the archive of
the site. A test compares.
"""

from __future__ import annotations

import re
from pathlib import Path

import command_line
import nbformat

import gelu_lib

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "book" / "README.md"
WHEEL = f"gelu_lib-{gelu_lib.__version__}-py3-none-any.whl"
HEAD = f"""\
# The notebooks, in reading order

Every notebook runs alone, in less than a minute, and shows its outputs before it is run. In a clone
of the repository `python3 tools/run.py lab` installs what they need and opens this list in Jupyter
Lab. In the downloaded archive, whose notebooks have the numbers below in their names, two lines do
the same:

```sh
python3 -m venv gelu && gelu/bin/pip install "./{WHEEL}[book]"
gelu/bin/jupyter lab
```
"""
PAGE = re.compile(r"^(?:root| {6}- file): (book/\S+)(?: # (.+))?")  # not what is below a page
CAPTION = re.compile(r"- caption: (.+)")
HEADING = re.compile(r"^# (.+)", re.MULTILINE)


def main() -> None:
    README.write_text(contents((ROOT / "_toc.yml").read_text("utf-8")), encoding="utf-8")


def contents(toc: str) -> str:
    """The text of book/README.md.

    Args:
        toc: the table of contents, with a comment behind each notebook.

    Raises:
        ValueError: if a notebook has no comment.
    """
    items, others, caption = [], [], ""
    for line in toc.splitlines():
        if found := CAPTION.search(line):
            caption = f"\n**{found[1]}**\n\n"
        if not (found := PAGE.search(line)):
            continue
        path = notebook_or_page(found[1])
        link = f"[{title(path)}]({path.name})"
        if path.suffix == ".md":
            others.append(link)
        elif not found[2]:
            raise ValueError(f"_toc.yml says nothing of {found[1]}; write a comment behind it")
        else:
            number = f"{len(items)}. " if items else "\nStart with "
            items.append(f"{caption}{number}{link}: {found[2]}.\n")
            caption = ""
    return f"{HEAD}{''.join(items)}\nBeside them: {', '.join(others)}.\n"


def notebook_or_page(name: str) -> Path:
    """The file of a page."""
    return next(path for end in (".ipynb", ".md") if (path := ROOT / f"{name}{end}").exists())


def title(path: Path) -> str:
    """The title of a page."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
    return HEADING.search(text)[1]


if __name__ == "__main__":
    command_line.read(__doc__)
    main()
