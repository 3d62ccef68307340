"""Checks of what the pages of a built site load, and what they say of themselves.

Each check returns the faults that it found, one line each, ``page: what``; an empty list is a pass.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup
from site_checks import OTHER_ORIGIN, css_addresses, pages

MOST = 400 * 1024  # bytes that a page with mathematics may take, compressed
PACKED = {".gz", ".png", ".woff2"}  # compressed already
SHOWN = {"stylesheet", "icon"}  # the links that a browser follows to show a page

FACE = re.compile(r"@font-face\s*\{([^}]*)\}")
RULE = re.compile(r"([^{}]+)\{([^}]*)\}")
FONT = re.compile(r"\b(KaTeX_\w+|Book Text)\b")
OF_ALL_PAGES = "Book Text"  # the other faces serve the elements of a class


def heavy_pages(site: Path, most: int = MOST) -> list[str]:
    """Pages with mathematics that take more than this many bytes, with all that they load."""
    faults = []
    for page, soup in pages(site):
        weight = sum(packed_size(file) for file in {site / page, *loaded(site, page, soup)})
        if weight > most and soup.select_one(".katex"):
            faults.append(f"{page}: {weight // 1024} KiB, of {most // 1024}")
    return faults


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


# ---- What a page loads ----


def loaded(site: Path, page: str, soup: BeautifulSoup) -> Iterator[Path]:
    """The files of the site that a browser fetches to show a page."""
    links = soup.find_all("link", href=True, rel=SHOWN.__contains__)
    addresses = [element["href"] for element in links]
    addresses += [element["src"] for element in soup.find_all(["script", "img"], src=True)]
    for file in local(site / page, addresses):
        yield file
        if file.suffix == ".css":
            yield from used_fonts(file, soup)


def local(origin: Path, addresses: Iterable[str]) -> Iterator[Path]:
    """The files of the site at these addresses, which stand in the file ``origin``."""
    for address in addresses:
        if address.startswith("data:") or OTHER_ORIGIN.match(address):
            continue
        target = (origin.parent / unquote(urlsplit(address).path)).resolve()
        if target.is_file():
            yield target


def used_fonts(sheet: Path, soup: BeautifulSoup) -> Iterator[Path]:
    """The fonts of a style sheet that the elements of a page are set in; of text, all."""
    faces, rules = fonts_of(sheet)
    classes = {name for element in soup.find_all(class_=True) for name in element["class"]}
    wanted = {font for names, font in rules if names & classes}
    used = (file for font, file in faces.items() if font in wanted or font[0] == OF_ALL_PAGES)
    yield from (sheet.parent / file for file in used)


@cache
def fonts_of(sheet: Path) -> tuple[dict[tuple, str], list[tuple[frozenset[str], tuple]]]:
    """The faces of a style sheet, by family, weight and slope; and which classes ask for which."""
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    served = [body for body in FACE.findall(text) if "url(" in body]
    faces = {font_of(body): next(css_addresses(body)) for body in served}
    rules = []
    for selectors, body in RULE.findall(FACE.sub("", text)):
        if "font" in body:
            last = (re.findall(r"\.([\w-]+)", part)[-1:] for part in selectors.split(","))
            rules.append((frozenset(name for names in last for name in names), font_of(body)))
    return faces, rules


def font_of(declarations: str) -> tuple[str, bool, bool]:
    """The font that declarations name: its family, whether it is bold, whether it slopes."""
    family = FONT.search(declarations)
    bold = re.search(r"font-weight:\s*(?:bold|[67]00)", declarations)
    slope = re.search(r"font-style:\s*italic", declarations)
    return family[1] if family else "KaTeX_Main", bool(bold), bool(slope)


@cache
def packed_size(file: Path) -> int:
    """The bytes of a file as a server with compression sends it."""
    content = file.read_bytes()
    return len(content) if file.suffix in PACKED else len(gzip.compress(content, 6))
