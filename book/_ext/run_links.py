"""The links at the end of a page: take its notebook along, run it, report an error.

A page that is a notebook offers it for download, and the book as a PDF if there is one, and says
where it is told how to run it. Once the
public address is known, the notebook opens on Binder and on Colab too, and every page of the book
leads to the repository and to the place where an error is reported. They are plain links: no
script, no picture, and nothing is asked of another site before a reader follows one.

No package will do: the launch buttons of jupyter-book need sphinx-book-theme, whose page weighs
twice as much and brings scripts, and offer neither the wheel nor the page that says how to run.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from downloads import RUN_PAGE, pdf_address
from public_address import repository
from sphinx.application import Sphinx


def give_links(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Tell the template where the page is offered in another form; it puts that at the end."""
    if tree is None:
        return
    context["public"] = repository(app.config)
    if str(app.env.doc2path(page)).endswith(".ipynb"):
        context["notebook"] = f"{page}.ipynb"
        context["pdf"] = pdf_address(app, page)
        context["run_page"] = RUN_PAGE


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", give_links)
