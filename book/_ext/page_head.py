"""What a page says of itself: its authors and version, a description, a picture, a site map.

A page's description is the ``description`` of its metadata, or else its first sentences. A formula
in them is kept where it reads as a line of text, as x Φ(x) does; a sentence with any other formula
is left out. A page without a description is a warning.

What needs absolute addresses (``sitemap.xml``, ``robots.txt``, the social picture, canonical
links) is written once the public address is configured, as ``html_baseurl``. The page at the root
of the site sends the browser on to the first page of the book.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from docutils import nodes
from katex_at_build import TexError, in_a_line, render_tex
from sphinx.application import Sphinx
from sphinx.util import logging

import gelu_lib

logger = logging.getLogger(__name__)

LONGEST = 200  # characters, of a description made of several sentences
GENERATED = {
    "genindex": "The index of the book: its subjects, names, constants and results.",
    "py-names": "The index of the library gelu_lib: every name, with a link to its reference.",
    "py-modindex": "Every module of the library gelu_lib, with a link to its reference.",
    "search": "Search the chapters, the results and the library reference of the book.",
}
SOCIAL_FILE = Path(__file__).resolve().parent.parent / "social.png"
SOCIAL_PICTURE = {
    "width": 1200,
    "height": 630,
    "alt": "Why 0.044715? Below the title, the error curve of the best tanh form touches its "
    "two levels once each.",
}

SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[^a-z])")
FOR_THE_READER = "You should know:"  # begins what a chapter takes for granted
UNREADABLE = "\0"  # stands for a formula that does not read as a line of text


def described(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Give the template authors, version, the page's description and the social picture."""
    context |= {"author": app.config.author, "book_version": gelu_lib.__version__}
    stated = (context.get("meta") or {}).get("description") or GENERATED.get(page)
    context["description"] = stated or (first_sentences(tree, app) if tree else "")
    if not context["description"]:
        logger.warning("no sentence for a description: state it in the metadata", location=page)
    if app.config.html_baseurl:
        address = urljoin(site_address(app), f"_static/{SOCIAL_FILE.name}")
        context["social_image"] = {**SOCIAL_PICTURE, "address": address}


def site_address(app: Sphinx) -> str:
    """The public address of the site, which ends in a stroke."""
    return app.config.html_baseurl.rstrip("/") + "/"


def first_sentences(tree: nodes.document, app: Sphinx) -> str:
    """The first sentences of a page, as many as fit; the first, however long."""
    description = ""
    for sentence in sentences(tree, app):
        longer = f"{description} {sentence}".strip()
        if description and len(longer) > LONGEST:
            break
        description = longer
    return description


def sentences(tree: nodes.document, app: Sphinx) -> Iterator[str]:
    """The readable sentences of the paragraphs under a page's title."""
    section = next(tree.findall(nodes.section), tree)
    for paragraph in section.children:
        if isinstance(paragraph, nodes.paragraph):
            text = " ".join(line_of(paragraph, app.config.katex_macros).split())
            yield from filter(describes, SENTENCE_END.split(text))


def describes(sentence: str) -> bool:
    """Whether a sentence is whole, readable, and about the page and not its reader."""
    whole = sentence.endswith((".", "?", "!"))
    return whole and UNREADABLE not in sentence and not sentence.startswith(FOR_THE_READER)


def line_of(node: nodes.Node, macros: dict[str, str]) -> str:
    """The text of a paragraph, with its formulas as text."""
    if isinstance(node, nodes.math):
        return formula_in_a_line(node.astext(), macros)
    if isinstance(node, nodes.Text):
        return node.astext()
    return "".join(line_of(child, macros) for child in node.children)


def formula_in_a_line(tex: str, macros: dict[str, str]) -> str:
    """A formula as text if its symbols stand in one line, else the mark of an unreadable one."""
    try:
        html = render_tex(tex, False, macros)
    except TexError:
        return UNREADABLE  # the renderer reports it
    line = in_a_line(html)
    return UNREADABLE if line is None else line


def write_site_files(app: Sphinx, exception: Exception | None) -> None:
    """Write the page at the root and, for a public site, what names its address."""
    if exception is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    if app.config.root_doc != "index":
        (site / "index.html").write_text(front_page(app), encoding="utf-8")
    if app.config.html_baseurl:
        addresses = [
            urljoin(site_address(app), app.builder.get_target_uri(page))
            for page in sorted(app.env.found_docs)
        ]
        (site / "sitemap.xml").write_text(site_map(addresses), encoding="utf-8")
        robots = f"User-agent: *\nAllow: /\nSitemap: {site_address(app)}sitemap.xml\n"
        (site / "robots.txt").write_text(robots, encoding="utf-8")
        shutil.copyfile(SOCIAL_FILE, site / "_static" / SOCIAL_FILE.name)


def site_map(addresses: list[str]) -> str:
    """The site map of the pages at these addresses."""
    entries = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def front_page(app: Sphinx) -> str:
    """The page at the root of the site, which sends the browser on."""
    target = escape(app.builder.get_target_uri(app.config.root_doc))
    title = escape(app.config.html_title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n"
        f'<meta name="description" content="{title}: its first page.">\n'
        f'<meta http-equiv="refresh" content="0; url={target}">\n'
        '<link rel="icon" type="image/svg+xml" href="_static/favicon.svg">\n'
        f'</head>\n<body><main><h1><a href="{target}">{title}</a></h1></main></body>\n</html>\n'
    )


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", described)
    # before sphinx_external_toc, which writes a bare page at the root where there is none
    app.connect("build-finished", write_site_files, priority=400)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
