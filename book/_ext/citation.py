"""BibTeX of the book, of the library, and of one result, chapter or equation; ``{cite-as}``.

The argument of ``{cite-as}`` says of what: ``book``, ``library``, ``result ID``, ``chapter NAME``
or ``equation LABEL``. An ID, a chapter or a label that does not exist is a warning, which the
strict build makes an error.

Who wrote what, when it was released and where it is archived is said in ``CITATION.cff`` alone. A
version without a date of release is in preparation: its entries say so. On a public site they have
the year in which it was built; without an address they are of the type ``@unpublished``, which
BibTeX takes without a year, and which journals know. The version is that of the library.

No package will do: ``sphinxcontrib-bibtex`` reads BibTeX and does not write it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import latexcodec  # noqa: F401  (registers the codec "latex")
import yaml
from docutils import nodes
from result_places import FOLDER
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import gelu_lib
from gelu_lib import register
from gelu_lib.register import Result

logger = logging.getLogger(__name__)

CITATION = Path(__file__).resolve().parents[2] / "CITATION.cff"
KEY = "gelubook"


@cache
def stated() -> Mapping[str, Any]:
    """What ``CITATION.cff`` states."""
    return yaml.safe_load(CITATION.read_text(encoding="utf-8"))


def tex(text: str) -> str:
    """Plain text as LaTeX, in ASCII, so that every BibTeX reads it.

    Raises:
        UnicodeEncodeError: if a character has no LaTeX that is known here.
    """
    return text.replace("′", "'").encode("latex").decode("ascii")


def authors() -> str:
    """The authors; a name in braces is that of a group, which BibTeX must not take apart."""
    return " and ".join(f"{{{tex(author['name'])}}}" for author in stated()["authors"])


def released() -> str:
    """The year in which this version was released; empty before."""
    return str(stated().get("date-released", ""))[:4]


def day() -> str:
    """The day of release in words; before it, that this version is in preparation."""
    when = stated().get("date-released")
    return f"{when.day} {when:%B %Y}" if when else "in preparation"


def year(base: str) -> str:
    """The year of release, or else that of the public site at ``base``; empty without either.

    A site is built in the year that ``SOURCE_DATE_EPOCH`` says, as reproducible builds set it.
    """
    if released() or not base:
        return released()
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or time.time()
    return str(time.gmtime(float(seconds)).tm_year)


def note(*parts: str) -> str:
    """The version, whether it is still in preparation, and what else there is to say."""
    state = "" if released() else day()
    return ", ".join(filter(None, [f"Version {gelu_lib.__version__}", state, *parts]))


def doi() -> str:
    """The DOI of this version; empty before it has one."""
    return stated().get("doi", "")


def written(key: str, title: str, url: str, within: str = "", remarks: Iterable[str] = ()) -> str:
    """One entry, of this version and by its authors; a field without text is left out.

    Args:
        key: what follows the book's own key.
        title: plain text.
        url: the public address; empty if the site has none.
        within: what it is a part of.
        remarks: what else the note says.
    """
    fields = {
        "author": authors(),
        "title": f"{{{tex(title)}}}",
        "year": year(url),
        "howpublished": tex(within),
        "note": note(*remarks),
        "doi": doi(),
        "url": url,
    }
    kind = "misc" if fields["year"] else "unpublished"
    if kind == "unpublished" and within:  # which has no such field
        fields["note"] = f"{tex(within)}. {fields['note']}"
        fields["howpublished"] = ""
    lines = [f"  {name:<12} = {{{text}}}," for name, text in fields.items() if text]
    return "\n".join([f"@{kind}{{{KEY}{key},", *lines, "}"])


def part(key: str, title: str, address: str, base: str, remark: str = "") -> str:
    """The entry of a part of the book, at an address within the site.

    ``base`` is the public address of the site, with a slash at its end; empty if there is none.
    """
    here = "" if base else address.replace("#", r"\#")
    return written(f":{key}", title, base and base + address, stated()["title"], (here, remark))


def bibtex(entry: Result, base: str = "") -> str:
    """The BibTeX entry of one result, with the version of the book."""
    remark = "withdrawn" if entry.withdrawn else ""
    return part(entry.id, entry.title, f"results.html#{entry.id}", base, remark)


def book(base: str = "") -> str:
    """The BibTeX entry of the book."""
    return written("", stated()["title"], base)


def library(base: str = "") -> str:
    """The BibTeX entry of the library."""
    address = base and base + "book/library.html"
    return written(":library", "gelu_lib: the library of the GELU book", address, "Python package")


# ---- What the pages show ----


class citation_place(nodes.literal_block):
    """A place for BibTeX, filled when every page has been read and titles are known."""


class CiteAsDirective(SphinxDirective):
    """``{cite-as} WHAT``: one BibTeX entry."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        place = citation_place(what=self.arguments[0])
        self.set_source_info(place)
        return [place]


def fill_citations(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Put the BibTeX into its places."""
    for place in list(document.findall(citation_place)):
        try:
            text = cited(app, *place["what"].split())
        except (KeyError, TypeError) as error:
            logger.warning("cite-as %s: %s", place["what"], error, location=place)
            text = ""
        place.replace_self(nodes.literal_block(text, text, language="bibtex"))


def cited(app: Sphinx, what: str, name: str = "") -> str:
    """The BibTeX of something.

    Raises:
        KeyError: if there is nothing of this kind or this name.
    """
    base, titles = app.config.html_baseurl, app.env.titles
    if what == "result":
        return bibtex(register.result(name), base)
    if what == "chapter":
        title = titles[FOLDER + name].astext()
        return part(name, title, f"{FOLDER}{name}.html", base)
    if what == "equation":
        page, number = app.env.get_domain("math").equations[name]
        title = f"Equation ({number}) of “{titles[page].astext()}”"
        return part(f"equation-{name}", title, f"{page}.html#equation-{name}", base)
    return {"book": book, "library": library}[what](base)
