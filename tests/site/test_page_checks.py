"""Each check of a page in a browser finds a fault that was made for it, and passes a sound page."""

import itertools
import re
import shutil

import browser
import page_checks
import pytest
from katex_at_build import katex_files

pytestmark = pytest.mark.browser

HEAD = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>
@font-face { font-family: KaTeX_Main; src: url(font.woff2) } .katex { font-family: KaTeX_Main }
@media (prefers-color-scheme: dark) { html { background: #111; color: #eee } }
</style></head><body><main><h1>Page</h1>"""
FORMULA = """<p>It is <span class="math"><span class="katex"><span class="katex-html"
aria-hidden="true">x</span></span></span>.</p>"""
# a row head that is nothing but a formula, which axe-core cannot read; it has a name in words
ROW = """<table><tr><td></td><th scope="col">Value</th></tr><tr><th scope="row"><span class="katex">
<span class="katex-mathml"><math aria-label="x"><semantics><mi>x</mi><annotation>x</annotation>
</semantics></math></span><span class="katex-html" aria-hidden="true">x</span></span></th>
<td>1</td></tr></table>"""
FAR = "<div style='height: 9000px'></div><div>"
LATER = "<div style='height: 3000px'></div><div style='content-visibility: auto'>"
SQUARE = "<img src='data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>'"


# a derivation, as the style sheet lays it out, and one whose rows are not parts of its columns
DERIVATION = """<style>.rows { display: grid; grid-template-columns: repeat(4, auto) }
.row { align-items: baseline; display: grid; grid-column: 1 / -1; grid-template-columns: subgrid }
</style><div class="katex-display" style="width: 340px"><span class="katex-html rows">
<span class="row"><span class="side">f(x)</span><span class="side">= x</span></span>
<span class="row"><span class="side"></span><span class="side"><big>= y</big></span>
<span class="side"></span><span class="side">by <small>algebra</small></span></span>
</span></div>"""
UNPADDED = DERIVATION.replace("align-items: baseline; display: grid", "display: contents")
CELL = (
    "<div class=scrolls style='overflow-x: auto'><table style='width: 9px'><tr><td>{}</table></div>"
)
ENDS = """<div class="katex-display" style="width: 99px"><span class="katex-html">
<span class="base" style="display: inline-block">k{}</span><span class="base"
style="display: inline-block; width: 90px">{}0.0447</span></span></div>"""
RELATION = "<span class='mrel'>=</span><span class='mspace'></span>"
OPENED = "<span class='mopen'>(</span>"
KEPT = "<span style='white-space: nowrap'>{}</span>"


@pytest.fixture(scope="module")
def shown(chromium, tmp_path_factory):
    """A function that shows a page with some content, and gives it and what went wrong in it.

    The pages are shown in one tab, one after the other.
    """
    folder, numbers = tmp_path_factory.mktemp("pages"), itertools.count()
    font = next(path for path in katex_files().values() if path.suffix == ".woff2")
    shutil.copyfile(font, folder / "font.woff2")

    def show(content, theme="light"):
        name = f"page-{next(numbers)}.html"  # a name of its own: nothing of it is kept by Chromium
        page = HEAD + content + "</main></body></html>"
        (folder / name).write_text(page, encoding="utf-8")
        tab.goto("about:blank")
        tab.emulate_media(color_scheme=theme)
        found.clear()
        tab.goto(base + name)
        return tab, found

    with browser.serving(folder) as base:
        context = chromium.new_context(viewport={"width": 360, "height": 640})
        tab = context.new_page()
        found = browser.watch(tab, (base,))
        yield show
        context.close()


NAMES = "shifts sideways cut_off growth broken_words rows line_ends mathematics figures axe_rules"
CHECKS = {name: getattr(page_checks, name) for name in NAMES.split()}
CHECKS["axe_colours"] = lambda page: page_checks.axe_colours(page, set())

WITHOUT_FORMULAS = f"{SQUARE} alt='A square.'>"
SOUND = [
    FORMULA,
    ROW,
    WITHOUT_FORMULAS,
    "<div style='overflow-x: auto' tabindex=0><div style='width: 500px'>scrolls</div></div>",
    "<div style='overflow: hidden'><div class=scrolls>as wide as what holds it</div></div>",
    "<p>Read <a href='#'>this</a>.</p><p style='color: #aaa; visibility: hidden'>unseen</p>",
    "<div style='position: fixed; height: 300px'>covers, moves nothing</div>",
    f"{FAR}{FORMULA}</div>",
    FORMULA + DERIVATION,
    ENDS.format("", RELATION),
    ENDS.format(f"{OPENED}<span class='mclose'><span class='mclose'>)</span>2</span>", ""),
    CELL.format(f"between words <code>{KEPT.format('1e-05')} <span>x</span></code>"),
    CELL.format(KEPT.format("on 2024-03-02, 1.5e-8") + " LAION-2B"),
]


def test_a_sound_page_passes_every_check(shown):
    for content in ("".join(SOUND), WITHOUT_FORMULAS):
        page, found = shown(content)
        for check in CHECKS.values():
            found += check(page)
        assert found == []


WIDE_FORMULA = """<div class="math" style="overflow-x: auto"><span class="katex">x
<span class="katex-html" aria-hidden="true" style="display: block">
<span style="display: inline-block; width: 500px">x</span></span></span></div>"""
OTHER_FONT = """<style>@font-face { font-family: KaTeX_Math; src: url(nothing.woff2) }
.katex-html { font-family: KaTeX_Math, KaTeX_Main }</style>"""
TORN = """<p style="width: 60px">{}<span class="with-marks"><span class="katex-html">
<span class="base" style="display: inline-block; width: 60px">x</span></span>{}</span></p>"""
WHITE_ON = "<p style='background: #555; color: #fff'>good</p>" * 3

BAD = "<p style='background: #ccc; color: #fff'>bad</p>"
OUTSIDE = "<span class='base' style='margin-left: -9px'>f</span>"
LONG = "<pre style='overflow-x: auto; white-space: pre'>" + "long " * 99
CUT = "<div style='overflow: hidden; width: 300px'><div class=scrolls style='width: {}px'>a table"

BROKEN = [
    ("rows", UNPADDED, r"a row is torn: f\(x\) \| = x"),
    ("rows", DERIVATION.replace(">f(x)<", f">{OUTSIDE}<"), "begins where nobody"),
    ("line_ends", ENDS.format(RELATION, ""), "ends with a relation: k="),
    ("line_ends", ENDS.format(OPENED, ""), r"ends in brackets: k\("),
    ("broken_words", CELL.format("<code>gelu-new</code>"), "broken in a table: gelu-new"),
    (
        "broken_words",
        f"<details><summary>A</summary>{CELL.format('a 2024-03-02')}",
        "table: 2024-03-02",
    ),
    ("mathematics", FORMULA + TORN.format("", "<br>."), "a line begins with a mark: \\. after x"),
    ("cut_off", CUT.format(310), "cut off by <div style=.*hidden.*class=.scrolls.*a table"),
    ("sideways", "<div style='width: 500px'>wide</div>", "508 px in 360 px.*wide"),
    ("growth", LATER + FAR, "grows while one scrolls"),
    ("cut_off", LONG.replace("<pre", "<pre tabindex=0"), "wider than its place"),
    ("mathematics", "<code class='katex-error'>\\frac</code>", "marked as faulty.*frac"),
    ("mathematics", "<div class='math'>\\frac12</div>", "not rendered.*frac12"),
    ("mathematics", FORMULA.replace(">x<", "><"), "without size"),
    ("mathematics", FORMULA + OTHER_FONT, "font not loaded: .?KaTeX_Math"),
    ("figures", f"{FAR}<img loading=lazy src='data:,' alt=a></div>", "not loaded"),
    ("figures", f"{SQUARE} alt=' '>", "without alt text"),
    ("axe_rules", ROW.replace(' aria-label="x"', ""), "axe empty-table-header"),
    ("axe_rules", WIDE_FORMULA, "axe scrollable-region"),
    ("axe_colours", "<p style='color: #aaa'>pale</p>", "axe color-contrast"),
    ("axe_colours", f"{WHITE_ON}{BAD}", "axe color-contrast"),
    (
        "axe_colours",
        "<p>A <a href=x style='text-decoration: none'>link</a> in it.</p>",
        "link-in-t",
    ),
]


@pytest.mark.parametrize(("check", "content", "fault"), BROKEN)
def test_a_broken_page_is_found_by_the_check_that_is_for_it(shown, check, content, fault):
    page, _ = shown(content)
    (found,) = CHECKS[check](page)
    assert re.search(fault, found), found


def test_contrast_is_judged_in_the_theme_that_is_shown_and_what_moves_is_found(shown):
    page, _ = shown("<div id=late></div><p style='height: 300px'>pushed down</p>")
    page.screenshot()  # seen
    page.evaluate("document.getElementById('late').style.height = '400px'")
    (found,) = page_checks.shifts(page)
    assert re.search("layout shift of .*pushed down", found), found
    grey = "<p style='color: #767676'>readable on white alone</p>"
    assert CHECKS["axe_colours"](shown(grey)[0]) == []
    assert len(CHECKS["axe_colours"](shown(grey, "dark")[0])) == 1


ALL_THAT_GOES_WRONG = [
    ("<script>console.error('lost')</script>", "console: lost"),
    ("<script>throw Error('broken')</script>", "script: broken"),
    ("<img src='nothing.png' alt='Nothing.'>", "status 404: http.*/nothing.png"),
    ("<script src='/page.html'></script>", "status 404: http.*/page.html"),  # not in the sub-path
    ("<link rel=stylesheet href='http://localhost:1/style.css'>", "asks http://localhost:1/style"),
    ("<script>fetch('http://localhost:1/data')</script>", "asks http://localhost:1/data"),
]


def test_what_goes_wrong_in_a_page_is_collected(shown):
    page, found = shown("".join(content for content, _ in ALL_THAT_GOES_WRONG))
    page.wait_for_load_state("networkidle")
    for _, fault in ALL_THAT_GOES_WRONG:
        assert any(re.search(fault, line) for line in found), (fault, found)
    assert shown("")[1] == []  # of the next page


def test_a_page_that_does_not_answer_is_an_error(shown, monkeypatch):
    monkeypatch.setattr(page_checks, "PATIENCE", 100)
    page, _ = shown(FORMULA)
    with pytest.raises(Exception, match="no answer"):
        page_checks.asked(page, "await new Promise(() => {})")
