"""The programs that ship a GELU: folded by kind, with the swaps, filtered, and without a script."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from folded_rows import rows_of
from programs_page import PROGRAMS_PAGE, ProgramsFilter
from reader import table
from result_list import PLACE
from walks import Walk

from gelu_lib.provenance.atlas.frameworks import PROGRAM_GROUPS, atlas
from gelu_lib.provenance.atlas.swaps import swaps

TABLES = """
Between.

========================================= ===========
program                                   default
========================================= ===========
`CUTLASS <#framework-cutlass>`__ **C**    **exact**
`oneDNN <#framework-onednn>`__ **o**      **named**
`JAX <#framework-jax>`__ **J**            **tanh**
========================================= ===========

================ ========= =======
where            form      up to
================ ========= =======
**candle**       **silu**  0.193
================ ========= =======
"""


def document(page: str = PROGRAMS_PAGE) -> nodes.document:
    """A page after the transform."""
    made = publish_doctree(f"Above.\n{TABLES}")
    made.insert(1, nodes.raw("", PLACE, format="html"))
    made.settings.env = SimpleNamespace(docname=page)
    ProgramsFilter(made).run()
    return made


def test_the_two_tables_come_in_parts_to_the_place_of_the_form_and_lose_no_row():
    made = document()
    raws = [raw.astext() for raw in made.findall(nodes.raw)]
    assert "exact (1)" in raws[0] and "tanh (1)" in raws[0] and "named (1)" in raws[0]
    assert raws[1:-1:2] == [
        '<details class="entries-fold" id="of-frameworks" open data-open>'
        "<summary>Frameworks <span>(1)</span></summary>",
        '<details class="entries-fold" id="of-kernels"><summary>Kernels <span>(2)</span></summary>',
        '<details class="entries-fold" id="of-swaps-in-silence">'
        "<summary>Swaps in silence <span>(1)</span></summary>",
    ]
    kept = [row.astext() for found in made.findall(nodes.table) for row in rows_of(found)]
    assert len(kept) == 4 and "candle" in kept[-1]
    between = next(part for part in made if part.astext() == "Between.")
    assert all(made.index(raw) < made.index(between) for raw in made.findall(nodes.raw))


def test_another_page_stays():
    assert len(list(document("book/models").findall(nodes.raw))) == 1


def test_the_page_has_a_row_for_each_implementation_with_what_one_writes():
    assert {one.group for one in atlas().values()} == {*PROGRAM_GROUPS}
    for one, row in zip(atlas().values(), table("frameworks", "program"), strict=True):
        name, default, writes, where = row
        assert name.endswith(f"(#framework-{one.id})")
        assert default == f"**{one.default or one.seen}**"
        assert all(f"`{call}`" in writes for calls in one.calls.values() for call in calls)
        assert ("run, " in where) == bool(one.run) and one.read in where


FILTERED = """
rest 1 | .entries-fold[open] × 1 | .entries-fold[open] summary:visible = Frameworks (ROWS)
| {at(".entries-fold table").top - at(".entries-fold summary").bottom < 40} = true
| #entries-shown = All ALL entries.
fill SEARCH = candle | EVERY >> nth=0 seen
| {OPEN} = ["Models and their tables (1)", "Swaps in silence (1)"]
fill SEARCH = approx="tanh" | EVERY = ...nn.GELU(approx="tanh")... | EVERY × 1
fill SEARCH = tt-metal | EVERY × 1 | #entries-shown = 1 of ALL entries. Search the book...
fill SEARCH = no such program | EVERY × 0 | #entries-shown = ...Search the book...
fill SEARCH = LONG | {$("#entries-shown").innerText.length < 120} = true
click #entries-filter button[type=reset]
wait {document.querySelectorAll(".entries-fold[open]").length} = 1
| #entries-shown = All ...
"""
FILTERED = FILTERED.replace("LONG", 500 * "gelu")
OPEN = '[...document.querySelectorAll("FOLD summary")].map(summary => summary.innerText)'
OPEN = OPEN.replace("FOLD", ".entries-fold[open]:not([hidden])")


@pytest.mark.browser
def test_the_filter_finds_a_program_among_the_implementations_and_among_the_swaps(tab):
    page, wrong = tab
    page.goto("book/frameworks.html")
    first = sum(one.group == "frameworks" for one in atlas().values())
    steps = FILTERED.replace("ROWS", str(first)).replace("ALL", str(len(atlas()) + len(swaps())))
    steps = steps.replace("{OPEN}", f"{{{OPEN}}}")
    steps = steps.replace("EVERY", ".entries-fold[open] tbody tr:visible")
    Walk(page).go(steps.replace("SEARCH", "#entries-filter input[type=search]"))
    page.goto("book/models.html")
    page.goto("book/frameworks.html#swap-candle-gemma-3")
    assert page.locator(".entries-fold[open] summary").all_inner_texts()[-1].startswith("Swaps")
    assert not wrong


@pytest.mark.browser
def test_without_a_script_the_table_is_shown_whole(chromium, address):
    page = chromium.new_context(java_script_enabled=False, base_url=address).new_page()
    page.goto("book/frameworks.html")
    rows = page.locator(".entries-fold tbody tr")
    assert rows.count() == len(atlas()) + len(swaps())
    assert all(rows.nth(place).is_visible() for place in (0, rows.count() - 1))
    assert not page.locator("#entries-filter").is_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    box = rows.locator("td:last-child").first.bounding_box()  # it stands below the others
    assert box["x"] < 40 and box["x"] + box["width"] <= 390
    assert (
        rows.locator("td:nth-child(3)").first.bounding_box()["x"] < 40
    )  # the calls, which are long
    page.context.close()
