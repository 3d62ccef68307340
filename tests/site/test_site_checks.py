"""Every check of the built site passes a good site and rejects each kind of fault."""

from __future__ import annotations

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
<p><a href="#top">here</a> <a href="#a%2520b">b</a> <a href="#">up</a>
<a href="other.html?q=1#there">there</a>
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
def test_good_site_passes(check, site):
    assert check(site) == []


def test_folder_without_pages_is_refused(tmp_path):
    write(tmp_path, "_static/template.html", "<p>no page</p>")
    with pytest.raises(FileNotFoundError, match="no HTML page"):
        site_checks.broken_links(tmp_path)


ICON = "https://example.org/x.png"
SVG = f'<?xml version="1.0"?><svg><image href="{ICON}"/></svg>'
BROKEN = {
    '<a href="gone.html">x</a>': "gone.html does not exist",
    '<a href="good.html#gone">x</a>': "good.html#gone has no such anchor",
    '<a href="../../outside.html">x</a>': "../../outside.html does not exist",
    '<a href="..">a folder, with a page</a><a href="../_static">x</a>': "../_static does not",
    '<a href="/book/good.html">x</a>': "/book/good.html does not start from the page",
    '<img srcset="good.html 1x, gone.png 2x" alt="">': "gone.png does not exist",
    '<script src="gone.js?v=1"></script>': "gone.js?v=1 does not exist",
    '<meta http-equiv="refresh" content="0; URL=\'gone.html\'">': "gone.html does not exist",
}
ELSEWHERE = {
    '<script src="https://cdn.example.org/mathjax.js"></script>': "<script> https://cdn",
    '<script>const THEBE = "https://unpkg.com/thebe"</script>': "<script> quotes ",
    "<script>import('//cdn.example.org/x.js')</script>": "<script> quotes ",
    '<link rel="stylesheet" href="https://fonts.example.org/css">': "<link> https://fonts",
    f'<img srcset="a.png 1x, {ICON} 2x" alt="">': f"<img> {ICON}",
    f'<object data="{ICON}"></object>': f"<object> {ICON}",
    f'<svg><image xlink:href="{ICON}"/></svg>': f"<image> {ICON}",
    '<meta http-equiv="refresh" content="0; url=https://example.org/">': "<meta> https://",
    "<style>@import url(https://fonts.example.org/css);</style>": "<style> https://fonts",
    f'<p style="background: url(&quot;{ICON}&quot;)">x</p>': f"<style> {ICON}",
}
SOURCE = [
    "<p>where $x^2$ is</p>",
    r"<p>where \(x\) is</p>",
    r"<p>a half, \frac12</p>",
    '<img src="good.html" alt="the curve $x$">',
    "<p>:::{note}</p>",
    '<code class="katex-error">x</code>',
    '<div class="math">x</div>',
]
FRONT = '<meta http-equiv="Refresh" content="0; url=book/gone.html" />'
TWICE = '<p id="x">1</p><p id="y">2</p><p id="x">3</p>'
BAD = "book/bad.html"
FAULTS = [
    *((site_checks.broken_links, BAD, *pair) for pair in BROKEN.items()),
    *((site_checks.third_party_requests, BAD, *pair) for pair in ELSEWHERE.items()),
    *((site_checks.unrendered_source, BAD, html, "") for html in SOURCE),
    (site_checks.broken_links, "index.html", FRONT, "book/gone.html does not exist"),
    (site_checks.broken_links, "_static/more.css", "i { src: url(font) }", "font does not exist"),
    (site_checks.third_party_requests, "_static/a.css", f"@import '{ICON}';", f"<style> {ICON}"),
    (site_checks.third_party_requests, "_images/a.svg", SVG, f"<image> {ICON}"),
    (site_checks.duplicate_ids, BAD, TWICE, "the id x stands 2 times"),
]


@pytest.mark.parametrize(("check", "name", "text", "fault"), FAULTS)
def test_a_fault_is_found_by_the_check_that_is_for_it(check, name, text, fault, site):
    write(site, name, text)
    (found,) = check(site)
    assert found.startswith(f"{name}: {fault}")


@pytest.mark.parametrize(
    ("page", "anchor", "fault"),
    [
        ("book/gone.html", "top", ["book/gone.html: no such page, for result top"]),
        ("book/good.html", "gone", ["book/good.html: the anchor gone stands 0 times"]),
        (BAD, "x", [f"{BAD}: the anchor x stands 2 times"]),
        (BAD, "y", []),
    ],
)
def test_a_result_without_its_anchor_is_found(page, anchor, fault, site):
    write(site, BAD, TWICE)
    records = [{"page": "book/good.html", "anchor": "top"}, {"page": page, "anchor": anchor}]
    assert site_checks.missing_results(site, records) == fault
    assert site_checks.missing_results(site, []) == ["results: there is no record"]


def test_an_address_in_a_drawn_formula_is_refused():
    with pytest.raises(ValueError, match="an address in what KaTeX drew"):
        site_checks.parsed(
            FORMULA.replace(">x</span></span>", "><span id='a'>x</span></span></span>")
        )


def test_an_address_that_vanished_is_found(site):
    published = ["index.html", "book/good.html", "book/other.html#there", "_static/font.woff2"]
    assert site_checks.vanished_addresses(site, published) == []
    for address in ("book/gone.html", "book/other.html#gone", "data.json"):
        (fault,) = site_checks.vanished_addresses(site, [*published, address])
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
