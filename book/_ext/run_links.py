"""The line of links at the end of a page: take its notebook along, run it, report an error.

A page that is a notebook offers it for download, and the book as a PDF if there is one, and says
where it is told how to run it. Once the
public address is known, the notebook opens on Binder and on Colab too, and every page of the book
leads to the repository and to the place where an error is reported. They are plain links: no
script, no picture, and nothing is asked of another site before a reader follows one.

No package will do: the launch buttons of jupyter-book need sphinx-book-theme, whose page weighs
twice as much and brings scripts, and offer neither the wheel nor the page that says how to run.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from downloads import RUN_PAGE, pdf_address
from page_language import say_on
from public_address import repository
from sphinx.application import Sphinx


def links(app: Sphinx, page: str) -> list[tuple[str, str]]:
    """The texts and addresses of a page's links, in their order."""
    say = say_on(app.env, page)
    path = f"{page}.ipynb" if str(app.env.doc2path(page)).endswith(".ipynb") else ""
    public = repository(app.config)
    found = []
    if path:
        found += [(say("Download notebook"), path.rpartition("/")[2])]
        found += [(say("The book as a PDF"), pdf)] if (pdf := pdf_address(app, page)) else []
        found += [(say("How to run"), app.builder.get_relative_uri(page, RUN_PAGE))]
    if path and public:
        found += [("Binder", public.on_binder(path))]
        found += [("Colab", public.on_colab(path))]
    if public:
        found += [(say("Repository"), public.url), (say("Report an error"), public.report)]
    return found


def markup(found: list[tuple[str, str]], name: str) -> str:
    """The links as HTML, with a name for those who hear it; nothing for none."""
    if not found:
        return ""
    items = "".join(f"<li>{anchor(text, address)}</li>" for text, address in found)
    return f'<nav class="run-links" aria-label="{name}"><ul>{items}</ul></nav>'


def anchor(text: str, address: str) -> str:
    download = " download" if address.endswith(".ipynb") and ":" not in address else ""
    return f'<a href="{escape(address)}"{download}>{escape(text)}</a>'


def add_links(app: Sphinx, document: nodes.document, page: str) -> None:
    """Put the links behind the text of the page."""
    title = document.next_node(nodes.title)
    if title is not None and app.builder.format == "html":
        name = say_on(app.env, page)("This page elsewhere")
        title.parent += nodes.raw("", markup(links(app, page), name), format="html")


def setup(app: Sphinx) -> None:
    app.connect("doctree-resolved", add_links)
