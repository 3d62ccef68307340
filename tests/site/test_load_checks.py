"""Every check of what pages load passes a good site and rejects each kind of fault."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import load_checks
import pytest

HEAD = """<!DOCTYPE html>
<html lang="en"><head><title>Good</title>
<meta name="viewport" content="width=device-width">
<meta name="description" content="What is good."><meta property="og:title" content="Good">
<link rel="icon" href="_static/favicon.svg">
<link rel="stylesheet" href="_static/katex.css?v=1"><script src="_static/shell.js"></script></head>
"""
FORMULA = '<span class="katex"><span class="mord mathbf">x</span></span>'
GOOD = f"""{HEAD}<body><main><h1>Good</h1>{FORMULA}<img src="drawing.svg" alt="">
<img src="data:image/gif;base64,AAAA" alt=""><a href="data.html">data</a></main></body></html>"""
FORWARDS = """<html lang="en"><title>Away</title><link rel="icon" href="_static/favicon.svg">
<meta http-equiv="Refresh" content="0; url=index.html"></html>"""
KATEX = """/* .mathit { font-style: italic } */
@font-face { font-family: 'KaTeX_Main'; src: url(main.woff2); font-weight: normal }
@font-face { font-family: 'KaTeX_Main'; src: url(bold.woff2); font-weight: bold }
@font-face { font-family: 'KaTeX_Script'; src: url(script.woff2) }
@font-face { font-family: "Book Text"; src: url(text.woff2) }
@font-face { font-family: "Book Text in Georgia"; src: local("Georgia") }
.katex { font: normal 1.21em KaTeX_Main } .katex .mathbf { font-weight: bold }
.katex .mathscr, .katex .textscr { font-family: KaTeX_Script }
"""

CHECKS = [
    load_checks.heavy_pages,
    load_checks.silent_heads,
]

Check = Callable[[Path], list[str]]


def noise(size: int) -> bytes:
    """Bytes that no compression shortens."""
    return random.Random(0).randbytes(size)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site without a fault."""
    texts = {
        "index.html": GOOD,
        "data.html": FORWARDS,
        "_static/katex.css": KATEX,
        "_static/shell.js": "",
        "_static/favicon.svg": "<svg/>",
        "drawing.svg": "<svg/>",
    }
    (tmp_path / "_static").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in ("main", "bold", "script", "text"):
        (tmp_path / f"_static/{name}.woff2").write_bytes(noise(1000))
    return tmp_path


def put(site: Path, html: str) -> None:
    """Put something into the text of the good page."""
    page = GOOD.replace("</main>", html + "</main>", 1)
    (site / "index.html").write_text(page, encoding="utf-8")


@pytest.mark.parametrize("check", CHECKS)
def test_good_site_passes(check: Check, site: Path) -> None:
    assert check(site) == []


@pytest.mark.parametrize("check", CHECKS)
def test_folder_without_pages_is_refused(check: Check, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no HTML page"):
        check(tmp_path)


@pytest.mark.parametrize("file", ["drawing.svg", "_static/shell.js", "_static/favicon.svg"])
def test_a_page_is_weighed_with_what_it_loads(file: str, site: Path) -> None:
    (site / file).write_bytes(noise(load_checks.MOST))
    assert load_checks.heavy_pages(site)[0].startswith("index.html: 40")


def test_a_page_is_weighed_as_it_is_sent(site: Path) -> None:
    put(site, "a" * load_checks.MOST)  # which compression shortens
    assert load_checks.heavy_pages(site) == []


@pytest.mark.parametrize(
    ("font", "heavy"), [("main", True), ("bold", True), ("script", False), ("text", True)]
)
def test_a_page_is_weighed_with_the_fonts_it_is_set_in(font: str, heavy: bool, site: Path) -> None:
    (site / f"_static/{font}.woff2").write_bytes(noise(load_checks.MOST))
    assert bool(load_checks.heavy_pages(site)) == heavy
    (site / "index.html").write_text(GOOD.replace(FORMULA, ""), encoding="utf-8")
    assert load_checks.heavy_pages(site) == []  # without mathematics it may be


@pytest.mark.parametrize(
    ("there", "instead", "fault"),
    [
        (' lang="en"', "", "language"),
        ("<title>Good</title>", "", "title"),
        ('rel="icon"', 'rel="next"', "icon"),
        ('name="viewport"', 'name="other"', "viewport"),
        ('content="What is good."', 'content=""', "description"),
        ('property="og:title"', 'property="og:type"', "social title"),
        ("h1>", "h2>", "heading"),
    ],
)
def test_a_head_that_lacks_something_is_found(
    there: str, instead: str, fault: str, site: Path
) -> None:
    (site / "index.html").write_text(GOOD.replace(there, instead), encoding="utf-8")
    assert load_checks.silent_heads(site) == [f"index.html: no {fault}"]
    (site / "data.html").write_text(FORWARDS.replace("icon", "next"), encoding="utf-8")
    assert "data.html: no icon" in load_checks.silent_heads(site)
