"""The way through the book: what the bar and the menu of every page show.

``book_start``   the pages of the path, which tell the story, in their order, each with a short name
``book_tools``   the pages that a reader comes back to

The bar has the path; the tools stand above the parts of the table of contents. Each notebook of a
part has a number, through the whole book; the archive of the notebooks counts in the same way. A
page that is named here and not in the table of contents is a warning.

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


def step_of(env: BuildEnvironment, page: str) -> int | None:
    """How far along the path a page is; 0 of the landing page, None beside the path."""
    path = [env.config.root_doc, *(entry.page for entry in env.book_menu["book_start"])]
    return path.index(page) if page in path else None


def holder_of(env: BuildEnvironment, page: str) -> str:
    """The page of the menu under which a page stands: itself, or the one that lists it."""
    holders = (p for p, below in env.toctree_includes.items() if page in below)
    return next((p for p in holders if p != env.config.root_doc), page)


def give_menu(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template the menu, the page of it that the reader is on, and the way on."""
    step, path = step_of(app.env, page), app.env.book_menu["book_start"]
    context |= {"menu": app.env.book_menu, "menu_page": holder_of(app.env, page), "step": step}
    context |= {"short_names": app.config.book_start, "pull": tree.get("pull", "") if tree else ""}
    context["way_on"] = path[step] if step is not None and step < len(path) else None


def setup(app: Sphinx) -> None:
    app.add_config_value("book_start", {}, "env")
    app.add_config_value("book_tools", [], "env")
    app.connect("env-updated", make_menu)
    app.connect("html-page-context", give_menu)
