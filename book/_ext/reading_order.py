"""The notebooks as an archive has them: numbered in reading order, with links that fit.

A folder shows its files by name, and the names of chapters say nothing about their order, which
stands in ``_toc.yml`` alone. In the archive the landing page is ``00-start-here.ipynb`` and the
chapters follow as ``01-gelu.ipynb``. On the site nothing is numbered, so that addresses stay.

No package will do: none renames notebooks and keeps their links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from nbformat import v4
from sphinx.environment import BuildEnvironment

START = "00-start-here.ipynb"
# A link of Markdown to a file of the book; its words may have brackets and formulas. What is no
# name of a file, as in the formula $f[g](x)$, is no link.
FILE = r"((?:\.\./)?(?:[\w-]+/)*[\w-]+(?:\.\w+)+|(?:\.\.|_static)/[\w/-]+)(#[^()\s\"]*)?"
LINK = re.compile(rf"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\({FILE}\)")
ELEMENT = re.compile(rf'<a href="{FILE}">(.*?)</a>', re.DOTALL)


def in_order(env: BuildEnvironment, page: str = "") -> Iterator[str]:
    """The pages of the book in the order of the table of contents, the first one first."""
    page = page or env.config.root_doc
    yield page
    for child in env.toctree_includes.get(page, ()):
        yield from in_order(env, child)


def numbered(files: list[str], first: str) -> dict[str, str]:
    """The names in the archive by those in the book.

    Args:
        files: the names of the pages' files in reading order.
        first: which of them is the start page, if it is a notebook.
    """
    chapters = [name for name in files if name.endswith(".ipynb") and name != first]
    names = {name: name for name in files}
    names |= {name: f"{number:02}-{name}" for number, name in enumerate(chapters, 1)}
    return names | ({first: START} if first.endswith(".ipynb") else {})


def relinked(text: str, names: Mapping[str, str], site: str = "") -> str:
    """A text of Markdown whose links, those in HTML too, lead to the files of the archive.

    Args:
        text: as it stands in the book.
        names: the names in the archive by those in the book.
        site: the address of the book's folder on the site. A link to a file that the archive lacks
            leads there; without an address, its words stay.
    """

    def link(words: str, file: str, anchor: str | None) -> str:
        path = PurePosixPath(file)
        page = path.with_suffix(".html") if path.suffix in (".md", ".ipynb") else path
        place = names.get(file) or (site and f"{site}{page}")
        return f"[{words}]({place}{anchor or ''})" if place else words

    text = LINK.sub(lambda found: link(*found.groups()), text)
    return ELEMENT.sub(lambda found: link(found[3], found[1], found[2]), text)


def relinked_notebook(text: str, names: Mapping[str, str], site: str = "") -> str:
    """A notebook whose prose and whose shown Markdown lead to the files of the archive."""
    notebook = v4.reads(text)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = relinked(cell.source, names, site)
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            # what shows Markdown has the same words as plain text
            for kind in ("text/markdown", "text/plain"):
                if "text/markdown" in data and kind in data:
                    data[kind] = relinked(data[kind], names, site)
    return v4.writes(notebook) + "\n"
