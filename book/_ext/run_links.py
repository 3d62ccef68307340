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
from page_language import say_on
from public_address import repository
from sphinx.application import Sphinx

Links = list[tuple[str, str]]  # the texts and the addresses


def links(app: Sphinx, page: str) -> tuple[Links, Links]:
    """How to take a page along, and where its errors are reported."""
    say = say_on(app.env, page)
    path = f"{page}.ipynb" if str(app.env.doc2path(page)).endswith(".ipynb") else ""
    public = repository(app.config)
    found: Links = []
    if path:
        found += [(say("Download notebook"), path.rpartition("/")[2])]
        found += [(say("The book as a PDF"), pdf)] if (pdf := pdf_address(app, page)) else []
        found += [(say("How to run"), app.builder.get_relative_uri(page, RUN_PAGE))]
    if path and public:
        found += [("Binder", public.on_binder(path))]
        found += [("Colab", public.on_colab(path))]
    if not public:
        return found, []
    return found, [(say("Repository"), public.url), (say("Report an error"), public.report)]


def give_links(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template the links, which it puts behind the text of the page."""
    if tree is not None:
        context["run_links"], context["report_links"] = links(app, page)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", give_links)
