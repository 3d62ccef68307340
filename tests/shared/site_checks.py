"""Checks of a built site: pure functions over the folder that holds its HTML.

Each check returns the faults that it found, one line each, ``page: what``; an empty list is a pass.
A folder without a page raises FileNotFoundError, so that no check passes because it saw nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, NavigableString, Tag

ADDRESS_ATTRIBUTES = ("href", "src", "data", "poster", "action", "xlink:href")
# <link> elements that state a relation; a browser fetches the target of every other kind.
RELATED = {"alternate", "author", "canonical", "help", "index", "license", "next", "prev", "search"}
CSS_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)["']""")
REFRESH_ADDRESS = re.compile(r"url\s*=\s*['\"]?([^'\"]+)", re.IGNORECASE)
OTHER_ORIGIN = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
# Names of XML languages look like addresses and are never fetched.
SCRIPT_ADDRESS = re.compile(r"""["'`](?:https?:|wss?:)?//(?!www\.w3\.org/)[\w.-]+\.\w+""")
SOURCE = re.compile(
    r"\$(?=\S)[^$]*?(?<=\S)\$"  # $…$
    r"|\\[()\[\]]"  # \( \[
    r"|\\[A-Za-z]{2,}"  # \frac, \begin
    r"|\{[a-z][\w:.+-]*\}`|\{glue:|:::\{|```\{"  # a role, a directive
    r"|`[^`]+`"  # code
)
MARK = re.compile(r"[$\\{`]")  # source has one of these
CITABLE = re.compile("equation-|fig-")
DATA = ("*.json", "*.bib", "*.csv", "objects.inv", "_static/kernels/*", "_static/test-vectors/*")
FAULTY = ("katex-error", "problematic", "system-message")
VERBATIM = ("annotation", "code", "kbd", "pre", "samp", "textarea")


def broken_links(site: Path) -> list[str]:
    """Addresses within the site that lead nowhere, and anchors that their page does not have.

    Links, images, scripts, style sheets and what these name, forms and redirects are followed. An
    address that starts with ``/`` is a fault too: it breaks in a sub-path and from a file.
    """
    anchors = {page: set(identifiers(soup)) for page, soup in pages(site)}
    named = [*addresses_in_pages(site), *addresses_in_files(site, "*.css")]
    faults = ((file, lost(address, file, site, anchors)) for file, _, address in named)
    return [f"{file}: {fault}" for file, fault in faults if fault]


def third_party_requests(site: Path) -> list[str]:
    """What a browser would fetch from another origin while it shows a page.

    A link that a reader may follow is no request. Script files are not read, scripts inside pages
    are: any address of another origin that they quote is a fault.
    """
    named = [*addresses_in_pages(site), *addresses_in_files(site, "*.css", "*.svg")]
    faults = [
        f"{file}: <{element.name if element else 'style'}> {address}"
        for file, element, address in named
        if OTHER_ORIGIN.match(address) and not (element and is_followed(element))
    ]
    for page, soup in pages(site):
        scripts = "\n".join(script.get_text() for script in soup.find_all("script"))
        faults += [f"{page}: <script> quotes {a}" for a in SCRIPT_ADDRESS.findall(scripts)]
    return faults


def unrendered_source(site: Path) -> list[str]:
    """TeX, MyST roles and backticks that reached the reader, and formulas marked as faulty.

    Code is skipped, and so is the TeX that MathML carries as an annotation.
    """
    faults = []
    for page, soup in pages(site):
        for text in visible_texts(soup):
            if found := SOURCE.search(text):
                faults.append(f"{page}: {clipped(found[0])!r} in {clipped(text)!r}")
        for element in of_class(soup, *FAULTY):
            faults.append(f"{page}: marked as faulty: {clipped(element.get_text())!r}")
        for element in of_class(soup, "math"):
            if not any(of_class(element, "katex", "katex-error")):
                faults.append(f"{page}: not rendered: {clipped(element.get_text())!r}")
    return faults


def missing_results(site: Path, records: Sequence[Mapping[str, str]]) -> list[str]:
    """Results whose anchor does not stand exactly once on the page that the record names.

    Args:
        site: the folder of the built site.
        records: objects with ``page``, an address within the site, and ``anchor``.
    """
    counts = {page: identifiers(soup) for page, soup in pages(site)}
    faults = [] if records else ["results: there is no record"]
    for page, anchor in ((record["page"], record["anchor"]) for record in records):
        if page not in counts:
            faults.append(f"{page}: no such page, for result {anchor}")
        elif (times := counts[page][anchor]) != 1:
            faults.append(f"{page}: the anchor {anchor} stands {times} times")
    return faults


def duplicate_ids(site: Path) -> list[str]:
    """Identifiers that stand more than once on their page, so that a link to them is ambiguous."""
    return [
        f"{page}: the id {name} stands {times} times"
        for page, soup in pages(site)
        for name, times in sorted(identifiers(soup).items())
        if times > 1
    ]


def vanished_addresses(site: Path, published: Iterable[str]) -> list[str]:
    """Published addresses, with or without an anchor, that lead nowhere."""
    anchors = {page: identifiers(soup) for page, soup in pages(site)}
    faults = ((address, lost(address, "index.html", site, anchors)) for address in published)
    return [f"{address}: {fault}" for address, fault in faults if fault]


def citable_addresses(site: Path) -> Iterator[str]:
    """The addresses that a reader may keep: of pages, of data, of equations and of figures."""
    for page, soup in pages(site):
        yield page
        yield from (f"{page}#{id}" for id in sorted(identifiers(soup)) if CITABLE.match(id))
    for pattern in DATA:
        yield from sorted(path.relative_to(site).as_posix() for path in site.glob(pattern))


def silent_heads(site: Path) -> list[str]:
    """Pages whose head lacks what a reader's browser, a search or a link's preview needs.

    A page that sends the browser on needs its language, its title and its icon alone.
    """
    faults = []
    for page, soup in pages(site):
        wanted = {"html[lang]": "language", "title": "title", "link[rel~=icon]": "icon"}
        sends_on = soup.select_one("meta[http-equiv=refresh i]") or soup.find(
            "script", string=re.compile(r"location\.replace")
        )
        if not sends_on:
            wanted |= {
                "meta[name=viewport]": "viewport",
                "meta[name=description][content]:not([content=''])": "description",
                "meta[property='og:title']": "social title",
                "main h1": "heading",
            }
        missing = (name for mark, name in wanted.items() if not soup.select_one(mark))
        faults += [f"{page}: no {name}" for name in missing]
    return faults


# ---- What the checks read ----


def pages(site: Path) -> Iterator[tuple[str, BeautifulSoup]]:
    """Every page of the site, by its address; theme templates in ``_static`` are none."""
    every = ((path.relative_to(site), path) for path in sorted(site.rglob("*.html")))
    found = [(name, path) for name, path in every if name.parts[0] not in ("_static", "_sources")]
    if not found:
        raise FileNotFoundError(f"site: no HTML page in {site}")
    for name, path in found:
        yield name.as_posix(), parsed(path.read_text(encoding="utf-8"))


SPAN = re.compile(r"<(/?)span\b[^>]*>")
ADDRESS_WITHIN = re.compile(r"""\s(?:id|href|src)=|url\(""")


def without_drawings(text: str) -> str:
    """A page without what KaTeX drew, a third of all elements, of which none has an address.

    What stands for a formula in words and in MathML stays.
    """
    first, *drawn = text.split('<span class="katex-html')
    kept = [first]
    for part in drawn:
        depth, spans = 1, SPAN.finditer(part)
        while depth:
            end = next(spans)
            depth += -1 if end[1] else 1
        if ADDRESS_WITHIN.search(part, 0, end.end()):
            raise ValueError(f"an address in what KaTeX drew: {clipped(part)}")
        kept.append(part[end.end() :])
    return "".join(kept)


@cache
def parsed(text: str) -> BeautifulSoup:
    """The tree of a page without its drawn formulas; several checks read the same one."""
    return BeautifulSoup(without_drawings(text), "html.parser")


def identifiers(soup: BeautifulSoup) -> Counter[str]:
    """How often each id stands on a page."""
    return Counter(element["id"] for element in soup.find_all(True) if element.get("id"))


def of_class(tree: Tag, *names: str) -> Iterator[Tag]:
    """The elements of a tree that have one of the classes; a selector would take ten times long."""
    return (e for e in tree.find_all(True) if not set(names).isdisjoint(e.get("class", ())))


def visible_texts(soup: BeautifulSoup) -> Iterator[str]:
    """The runs of text of a page outside code, and the descriptions of its images."""
    for node in soup.descendants:
        # comments, scripts and styles are subclasses of the plain string
        if type(node) is NavigableString and MARK.search(node) and not node.find_parent(VERBATIM):
            yield str(node)
    yield from (image["alt"] for image in soup.find_all("img", alt=True))


def clipped(text: str) -> str:
    """The beginning of a text, on one line."""
    return " ".join(text.split())[:80]


# ---- Addresses ----

Named = tuple[str, Tag | None, str]
"""The file that names an address, the element if it is one, and the address."""


def addresses_in_pages(site: Path) -> Iterator[Named]:
    for page, soup in pages(site):
        yield from ((page, *named) for named in addresses(soup))


def addresses_in_files(site: Path, *patterns: str) -> Iterator[Named]:
    """The addresses of style sheets and drawings."""
    for path in sorted(path for pattern in patterns for path in site.rglob(pattern)):
        name, text = path.relative_to(site).as_posix(), path.read_text(encoding="utf-8")
        if path.suffix == ".css":
            yield from ((name, None, address) for address in css_addresses(text))
        else:  # past the XML prolog, of which an HTML parser warns
            drawing = parsed("".join(text.partition("<svg")[1:]))
            yield from ((name, *named) for named in addresses(drawing))


def addresses(soup: BeautifulSoup) -> Iterator[tuple[Tag | None, str]]:
    """Every address that an element holds, and with no element that a style names."""
    for element in soup.find_all(True):
        held = element.attrs
        yield from ((element, held[name]) for name in ADDRESS_ATTRIBUTES if held.get(name))
        for candidate in held.get("srcset", "").split(","):
            yield from ((element, address) for address in candidate.split()[:1])
        if element.name == "meta" and held.get("http-equiv", "").lower() == "refresh":
            yield from ((element, a) for a in REFRESH_ADDRESS.findall(held.get("content", "")))
        style = element.get_text() if element.name == "style" else held.get("style", "")
        if style:
            yield from ((None, address) for address in css_addresses(style))


def css_addresses(text: str) -> Iterator[str]:
    """Every address that a style sheet names."""
    for url, imported in CSS_ADDRESS.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
        yield (url or imported).strip()


def is_followed(element: Tag) -> bool:
    """Whether an address of the element is for a reader to follow, or states a relation."""
    is_relation = element.name == "link" and RELATED.issuperset(element.get("rel", []))
    return element.name in ("a", "area", "form") or is_relation


def lost(address: str, page: str, site: Path, anchors: Mapping[str, Container[str]]) -> str | None:
    """What is wrong with an address on a page, or None; another site's is not looked at."""
    parts, root = urlsplit(address.strip()), site.resolve()
    if parts.scheme or parts.netloc:
        return None
    if parts.path.startswith("/"):
        return f"{address} does not start from the page"
    target = root / page
    if parts.path:
        target = (target.parent / unquote(parts.path)).resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(root) or not target.is_file():
        return f"{address} does not exist"
    known = anchors.get(target.relative_to(root).as_posix())
    if parts.fragment and known is not None and unquote(parts.fragment) not in known:
        return f"{address} has no such anchor"
    return None
