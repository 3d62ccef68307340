"""Every check of the built site passes a good site and rejects each kind of fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import site_checks

FORMULA = """
<span class="math"><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi>
</mrow><annotation encoding="application/x-tex">\\frac{x}{2} $a$</annotation></semantics></math>
</span><span class="katex-html" aria-hidden="true">x</span></span></span>
"""

GOOD_PAGE = f"""<!DOCTYPE html>
<html lang="en"><head><title>Good</title>
<link rel="stylesheet" href="../_static/book.css?v=1">
<link rel="canonical" href="https://example.org/book/good.html">
<script>const language = "http://www.w3.org/1998/Math/MathML";</script>
<style>p {{ background: url(../_static/dot.svg) }}</style></head>
<body><!-- $x$ -->
<h1 id="top">Good</h1>
<p id="a%20b">A $5 note and ${{}} 6. {FORMULA} <code>$x$ \\frac {{ref}}`x`</code></p>
<p><a href="#top">here</a> <a href="#">up</a> <a href="other.html?q=1#there">there</a>
<a href="https://example.org/x">another site</a> <a href="mailto:a@example.org">write</a></p>
<img src="../_static/dot.svg" srcset="../_static/dot.svg 1x" alt="A dot">
<img src="data:image/gif;base64,AAAA" alt="">
<form action="../search.html"></form></body></html>"""

CHECKS = [
    site_checks.broken_links,
    site_checks.third_party_requests,
    site_checks.unrendered_source,
    site_checks.duplicate_ids,
]

Check = Callable[[Path], list[str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A small site without a fault; a theme template in ``_static`` is no page of it."""
    files = {
        "index.html": '<meta http-equiv="Refresh" content="0; url=book/good.html">',
        "search.html": "<p>Search</p>",
        "book/good.html": GOOD_PAGE,
        "book/other.html": '<p id="there">There</p>',
        "_static/book.css": '@import "more.css"; /* url(http://a.b/c) */ p { color: red }',
        "_static/more.css": "@font-face { src: url('font.woff2') } i { content: url(data:x) }",
        "_static/font.woff2": "",
        "_static/template.html": '<a href="{{ nowhere }}">$x$</a>',
        "_static/dot.svg": '<?xml version="1.0"?>\n'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        '<path id="p"/><use xlink:href="#p"/></svg>',
    }
    for name, text in files.items():
        write(tmp_path, name, text)
    return tmp_path


def write(site: Path, name: str, text: str) -> None:
    path = site / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("check", CHECKS)
def test_good_site_passes(check: Check, site: Path) -> None:
    assert check(site) == []


def test_folder_without_pages_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "_static/template.html", "<p>no page</p>")
    with pytest.raises(FileNotFoundError, match="no HTML page"):
        site_checks.broken_links(tmp_path)


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<a href="gone.html">x</a>', "gone.html does not exist"),
        ('<a href="good.html#gone">x</a>', "good.html#gone has no such anchor"),
        ('<a href="../../outside.html">x</a>', "../../outside.html does not exist"),
        ('<a href="..">a folder, with a page</a><a href="../_static">x</a>', "../_static does not"),
        ('<a href="/book/good.html">x</a>', "/book/good.html does not start from the page"),
        ('<img srcset="good.html 1x, gone.png 2x" alt="">', "gone.png does not exist"),
        ('<script src="gone.js?v=1"></script>', "gone.js?v=1 does not exist"),
        ('<meta http-equiv="refresh" content="0; URL=\'gone.html\'">', "gone.html does not exist"),
    ],
)
def test_broken_link_is_found(html: str, fault: str, site: Path) -> None:
    write(site, "book/bad.html", html)
    (found,) = site_checks.broken_links(site)
    assert found.startswith(f"book/bad.html: {fault}")


def test_broken_redirect_of_the_front_page_is_found(site: Path) -> None:
    write(site, "index.html", '<meta http-equiv="Refresh" content="0; url=book/gone.html" />')
    assert site_checks.broken_links(site) == ["index.html: book/gone.html does not exist"]


def test_missing_font_of_a_style_sheet_is_found(site: Path) -> None:
    (site / "_static/font.woff2").unlink()
    assert site_checks.broken_links(site) == ["_static/more.css: font.woff2 does not exist"]


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example.org/mathjax.js"></script>',
        '<script>const THEBE = "https://unpkg.com/thebe"</script>',
        "<script>import('//cdn.example.org/x.js')</script>",
        '<link rel="stylesheet" href="https://fonts.example.org/css">',
        '<img srcset="a.png 1x, https://example.org/i.png 2x" alt="">',
        '<object data="https://example.org/x.svg"></object>',
        '<svg><image xlink:href="https://example.org/x.png"/></svg>',
        '<meta http-equiv="refresh" content="0; url=https://example.org/">',
        "<style>@import url(https://fonts.example.org/css);</style>",
        '<p style="background: url(&quot;https://example.org/x.png&quot;)">x</p>',
    ],
)
def test_request_to_another_origin_is_found(html: str, site: Path) -> None:
    write(site, "book/bad.html", html)
    (found,) = site_checks.third_party_requests(site)
    assert found.startswith("book/bad.html: ")


@pytest.mark.parametrize(
    "css",
    [
        "@import 'https://fonts.example.org/css';",
    ],
)
def test_request_of_a_style_sheet_is_found(css: str, site: Path) -> None:
    write(site, "_static/bad.css", css)
    (found,) = site_checks.third_party_requests(site)
    assert found.startswith("_static/bad.css: ")


def test_request_of_a_picture_is_found(site: Path) -> None:
    svg = '<?xml version="1.0"?><svg><image href="https://example.org/x.png"/></svg>'
    write(site, "_images/bad.svg", svg)
    assert site_checks.third_party_requests(site) == [
        "_images/bad.svg: <image> https://example.org/x.png"
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<p>where $x^2$ is</p>",
        r"<p>where \(x\) is</p>",
        r"<p>a half, \frac12</p>",
        '<img src="good.html" alt="the curve $x$">',
        "<p>:::{note}</p>",
        '<code class="katex-error">x</code>',
        '<div class="math">x</div>',
    ],
)
def test_source_left_on_a_page_is_found(html: str, site: Path) -> None:
    write(site, "book/bad.html", html)
    (found,) = site_checks.unrendered_source(site)
    assert found.startswith("book/bad.html: ")


def test_each_result_has_its_anchor(site: Path) -> None:
    records = [{"page": "book/good.html", "anchor": "top"}]
    assert site_checks.missing_results(site, records) == []


@pytest.mark.parametrize(
    ("page", "anchor", "fault"),
    [
        ("book/gone.html", "top", "book/gone.html: no such page, for result top"),
        ("book/good.html", "gone", "book/good.html: the anchor gone stands 0 times"),
        ("book/twice.html", "top", "book/twice.html: the anchor top stands 2 times"),
    ],
)
def test_result_without_its_anchor_is_found(page: str, anchor: str, fault: str, site: Path) -> None:
    write(site, "book/twice.html", '<p id="top">x</p><p id="top">y</p>')
    records = [{"page": "book/good.html", "anchor": "top"}, {"page": page, "anchor": anchor}]
    assert site_checks.missing_results(site, records) == [fault]


def test_an_empty_register_a_duplicate_id_and_addresses_that_stand_are_found(site):
    assert site_checks.missing_results(site, []) == ["results: there is no record"]
    write(site, "book/bad.html", '<p id="x">1</p><p id="y">2</p><p id="x">3</p>')
    assert site_checks.duplicate_ids(site) == ["book/bad.html: the id x stands 2 times"]
    published = ["index.html", "book/good.html", "book/other.html#there", "_static/font.woff2"]
    assert site_checks.vanished_addresses(site, published) == []


def test_an_address_in_a_drawn_formula_is_refused():
    with pytest.raises(ValueError, match="an address in what KaTeX drew"):
        site_checks.parsed(
            FORMULA.replace(">x</span></span>", "><span id='a'>x</span></span></span>")
        )


@pytest.mark.parametrize("address", ["book/gone.html", "book/other.html#gone", "data.json"])
def test_an_address_that_vanished_is_found(site, address):
    (fault,) = site_checks.vanished_addresses(site, ["index.html", address])
    assert fault.startswith(f"{address}: ")


def test_pages_data_equations_and_figures_are_citable(site):
    before = set(site_checks.citable_addresses(site))
    assert before == {"index.html", "search.html", "book/good.html", "book/other.html"}
    write(site, "results.json", "[]")
    write(site, "book/new.html", '<p id="equation-a"></p><p id="fig-b"></p><p id="c"></p>')
    new = {"results.json", "book/new.html", "book/new.html#equation-a", "book/new.html#fig-b"}
    assert set(site_checks.citable_addresses(site)) == before | new


HEAD = """<!DOCTYPE html>
<html lang="en"><head><title>Good</title><meta name="viewport" content="width=device-width">
<meta name="description" content="What is good."><meta property="og:title" content="Good">
<link rel="icon" href="_static/favicon.svg"></head><body><main><h1>Good</h1></main></body></html>"""
FORWARDS = """<html lang="en"><title>Away</title><link rel="icon" href="_static/favicon.svg">
<meta http-equiv="Refresh" content="0; url=index.html"></html>"""


@pytest.mark.parametrize(
    ("there", "instead", "fault"),
    [
        (' lang="en"', "", "language"),
        ("<title>Good</title>", "", "title"),
        ('rel="icon"', 'rel="next"', "icon"),
        ('content="What is good."', 'content=""', "description"),
        ("h1>", "h2>", "heading"),
    ],
)
def test_a_head_that_lacks_something_is_found(tmp_path, there, instead, fault):
    write(tmp_path, "index.html", HEAD)
    write(tmp_path, "data.html", FORWARDS)
    assert site_checks.silent_heads(tmp_path) == []
    write(tmp_path, "index.html", HEAD.replace(there, instead))
    assert site_checks.silent_heads(tmp_path) == [f"index.html: no {fault}"]
    write(tmp_path, "data.html", FORWARDS.replace("icon", "next"))
    assert "data.html: no icon" in site_checks.silent_heads(tmp_path)
