"""The pages of the site in Chromium, as wide as a desk, light and dark: one of each kind always."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import page_checks
import pytest
from browser import SUB_PATH
from kinds import slow_but
from page_loads import DESK, ONE_OF_EACH, PAGES, load, turn

pytestmark = pytest.mark.browser

# send the browser on at once
FORWARDING = [
    "index.html",
    "py-names.html",
    "results.html",
    "book/library/chapters.html",
    "book/library/numbers.html",
]
SOUND_TEXTS: set[str] = set()  # kinds of text whose colours were judged on an earlier page


CONTRIBUTING = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text("utf-8")
MOST = 400 * 1024  # bytes that a page with mathematics may take, compressed
PACKED = {".gz", ".png", ".woff2"}  # compressed already
LOADED = """() => document.querySelector(".katex") ? [location.href,
  ...performance.getEntriesByType("resource").map(entry => entry.name)] : []"""


@cache
def packed_size(file: Path) -> int:
    """The bytes of a file as a server with compression sends it."""
    content = file.read_bytes()
    return len(content) if file.suffix in PACKED else len(gzip.compress(content, 6))


def heavy(page, site: Path, most: int = MOST) -> list[str]:
    """Whether a page with mathematics takes more than this many bytes, with all that it loaded."""
    paths = {urlsplit(address).path.removeprefix(SUB_PATH) for address in page.evaluate(LOADED)}
    weight = sum(packed_size(site / path) for path in paths)
    return [f"{weight // 1024} KiB, of {most // 1024}"] if weight > most else []


def test_every_page_of_the_site_is_looked_at(site):
    found = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    shown = {page for page in found if not page.startswith("_static/")}
    assert shown == {*PAGES, *FORWARDING}
    assert set(ONE_OF_EACH) < set(PAGES)


@pytest.mark.parametrize("name", slow_but(lambda name: name in ONE_OF_EACH, PAGES))
def test_a_page_is_sound_at_a_desk(tab, site, name):
    page, found = tab
    found.clear()
    found += load(page, name, DESK) + heavy(page, site)
    found += page_checks.axe_colours(page, SOUND_TEXTS)
    turn(page, "dark")
    found += page_checks.sideways(page) + page_checks.axe_colours(page, SOUND_TEXTS)
    found += page_checks.axe_rules(page)
    assert not found, "\n".join(found)


def test_a_page_that_is_too_heavy_is_found_and_its_fonts_are_weighed(tab, site):
    page, _ = tab
    load(page, "book/gelu.html", DESK)
    assert heavy(page, site, most=100 * 1024)
    stated = re.search(r"here (\d+) and (\d+), which a test weighs", CONTRIBUTING)
    requests, most = map(int, stated.groups())
    assert abs(len(page.evaluate(LOADED)) - requests) <= 1
    assert heavy(page, site, most=950 * most) and not heavy(page, site, most=1080 * most)  # of 1024
    kinds = {Path(urlsplit(name).path).suffix for name in page.evaluate(LOADED)}
    assert kinds >= {".css", ".html", ".js", ".svg", ".woff2"}
