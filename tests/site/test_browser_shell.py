"""The dress of a page in a browser: the bar that stays, the margin, and what paper shows."""

import pytest
from kinds import slow_but
from page_loads import DESK, PAGES, PHONE, resize
from walks import Walk, walks

pytestmark = pytest.mark.browser

NAMES = """
const all = s => [...document.querySelectorAll(s)];
const right = s => Math.round(at(s).right - at("article").left);
const value = "#tanh-pinned-cubic .result-title", formula = "#tanh-pinned-cubic > .math";
const place = s => [at(s).left, at(s).top + scrollY].map(Math.round).join();
"""
WALKS = """
# the bar stays, and what a link leads to stands below it
window 1440
open book/tanh-constant.html#try-it | {at(".book-bar").top} = 0
| {at("#try-it h2").top > at(".book-bar").bottom} = true
window 360
open book/tanh-constant.html#try-it | {at(".book-bar").top} = 0
| {at("#try-it h2").top > at(".book-bar").bottom} = true
| .path-dots a[aria-current] = tanh | {all(".path-dots a").every(a => a.offsetWidth >= 24)} = true

# the value of a result stands beside its formula and stays there when the rest opens below
window 1440
open book/tanh-constant.html | {at(value).left > at(formula).right} = true
| {place(value)} noted | #tanh-pinned-cubic .exact >> nth=0 hidden
click VALUE | {place(value)} stays | #tanh-pinned-cubic .exact >> nth=0 seen
| {at("#tanh-pinned-cubic .exact").top > at(formula).bottom} = true
| {at("#tanh-pinned-cubic .exact").left < at(formula).right} = true
click VALUE | #tanh-pinned-cubic .exact >> nth=0 hidden

# it stands below the formula on a phone
window 360
open book/tanh-constant.html | {at(value).top >= at(formula).bottom} = true
| {place(value).split(",")[0] === place(formula).split(",")[0]} = true

# text has 640 px, what is wide 860, and the sections stand at the left
window 1440
open book/tanh-constant.html | {right("section[id] > p:not(.finding)")} = 640
| {right(".explorer")} = 860 | {right(".byline")} = 860
| {at("#page-menu").right < at("h1").left} = true
window 1100
open book/tanh-constant.html | {right(".explorer")} = 860 | #page-menu hidden
click role=button[name="Sections"] | #page-menu seen

# on paper the figure stands for what moves, and a box says its value once
open book/tanh-constant.html | #weighing-box seen
media print | #weighing-box hidden | .tag_explorer-off img >> nth=0 seen
| .book-bar hidden | .way-on hidden | .colophon pre seen
| #tanh-pinned-cubic .result-title hidden
| {all("#tanh-pinned-cubic .exact")[0].checkVisibility()} = true
"""


@pytest.mark.parametrize("rows", walks(WALKS))
def test_a_page_wears_its_dress(page_at, rows):
    Walk(page_at(), NAMES).go(rows.replace("VALUE", "#tanh-pinned-cubic summary"))


# The margin note, the values in the margin and what is wide; the text itself flows beside the note.
COVERED = """() => {
  const wide = document.querySelectorAll(`.margin-note, .result-box, .explorer, .tool, .cards,
    .table-frame, div.math:has(.rows), #fig-hero`);
  const seen = [...wide].filter(part => part.checkVisibility() && !part.closest(".result-box *"));
  const box = part => part.getBoundingClientRect();
  const common = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  return seen.flatMap((part, i) => seen.slice(i + 1)
    .filter(other => !part.contains(other) && common(box(part), box(other), "left", "right") > 1
      && common(box(part), box(other), "top", "bottom") > 1)
    .map(other => `${part.className}${part.id} and ${other.className}${other.id}`));
}"""


@pytest.mark.parametrize("name", slow_but(lambda name: "tanh-constant" in name, PAGES))
def test_nothing_in_the_margin_covers_what_is_wide(tab, name):
    page, _ = tab
    page.goto(name)
    for width in (DESK, 1100, PHONE):
        resize(page, width)
        assert page.evaluate(COVERED) == []


def test_what_covers_the_note_is_found(tab):
    page, _ = tab
    page.goto("book/tanh-constant.html")
    resize(page, DESK)
    page.add_style_tag(content=".margin-note { height: 60rem } * { clear: none !important }")
    assert any("margin-note and" in found for found in page.evaluate(COVERED))
