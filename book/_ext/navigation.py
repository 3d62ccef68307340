"""The way through the book: what the menu of every page shows.

``book_start``   the pages that tell the story, in their order
``book_tools``   the pages that a reader comes back to

Both stand above the parts of the table of contents. Each notebook of a part has a number, through
the whole book; the archive of the notebooks counts in the same way. A page that is named here and
not in the table of contents is a warning.

No package will do: Sphinx numbers the headings of a page together with its sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from docutils import nodes
from page_language import language_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

logger = logging.getLogger(__name__)


class Entry(NamedTuple):
    """A line of the menu: its number if it has one, the title, the page, the title's language."""

    number: int | None
    title: str
    page: str
    language: str


def parts(env: BuildEnvironment) -> Iterator[tuple[str, list[Entry]]]:
    """The parts of the table of contents, by caption, with their pages."""
    numbers = count(1)
    for tree in env.get_doctree(env.config.root_doc).findall(addnodes.toctree):
        pages = tree["includefiles"]
        yield tree["caption"] or "", [entry(env, page, numbers) for page in pages]


def entry(env: BuildEnvironment, page: str, numbers: Iterator[int] | None = None) -> Entry:
    """A page with its title; a notebook takes the next number, if there are any."""
    is_notebook = env.doc2path(page).endswith(".ipynb")
    number = next(numbers) if numbers and is_notebook else None
    return Entry(number, env.titles[page].astext(), page, language_of(env, page))


def make_menu(app: Sphinx, env: BuildEnvironment) -> set[str]:
    """Make what the template shows; if it is another one, every page is written again."""
    before = getattr(env, "book_menu", None)
    named = {name: named_pages(app, name) for name in ("book_start", "book_tools")}
    env.book_menu = {"parts": list(parts(env))} | {
        name: [entry(env, page) for page in pages] for name, pages in named.items()
    }
    return set() if env.book_menu == before else env.found_docs


def named_pages(app: Sphinx, name: str) -> list[str]:
    """The pages that a value of the configuration names, without those that there are not."""
    pages = app.config[name]
    for page in pages:
        if page not in app.env.titles:
            logger.warning("%s: there is no page %s", name, page)
    return [page for page in pages if page in app.env.titles]


def give_menu(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template the menu, and the page of it that the reader is on."""
    holders = (p for p, below in app.env.toctree_includes.items() if page in below)
    holder = next((p for p in holders if p != app.config.root_doc), page)
    context |= {"menu": app.env.book_menu, "menu_page": holder}


def setup(app: Sphinx) -> None:
    app.add_config_value("book_start", [], "env")
    app.add_config_value("book_tools", [], "env")
    app.connect("env-updated", make_menu)
    app.connect("html-page-context", give_menu)
