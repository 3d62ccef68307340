"""The explorer in a browser, and the small one of the landing page.

By mouse, by finger, by keyboard, by address, and with JavaScript off.
"""

import math
import re
from functools import partial

import page_checks
import pytest
from explorer_page import SLIDERS, data
from kinds import slow_but

from gelu_lib.evidence.criteria_table import load_cell

pytestmark = pytest.mark.browser
PAGE, LANDING, BEST_MEANS = "book/explorer.html", "book/index.html", "book/minimax.html"
MEASURES = "book/criteria.html"
QUIET = 1500  # milliseconds, more than the pause after which the page speaks
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    for (const {node} of entry.sources)
      if (node?.parentElement?.closest(".explorer"))
        window.shifts.push(`${node.id || node.nodeName}: ${entry.value}`);
}).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture
def explorer(page_at):
    """A function that opens the explorer, with a fragment in its address if one is given."""

    def opened(fragment="", width=1440, height=900, path=PAGE, **options):
        page = page_at(width, **options)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path + fragment)
        page.evaluate(SHIFTS)
        settled(page)  # what the page says is written a frame after its load
        return page

    return opened


@pytest.fixture
def landing(explorer):
    """A function that opens the landing page."""
    return partial(explorer, path=LANDING)


def open_more(page) -> None:
    page.locator("#explorer-more").evaluate("more => { more.open = true; }")


def number(page, name: str) -> float:
    """What the field of a coefficient shows."""
    return float(page.locator(f"#explorer-{name}").input_value())


def size(page) -> str:
    return page.locator("#explorer-size").inner_text()


def curve(page, box: str = "explorer") -> str:
    return page.locator(f"#{box}-error .curve").get_attribute("d")


def number_in_the_code(page, box: str = "explorer") -> float:
    """The number that the line of code shows."""
    return float(page.locator(f"#{box}-number").inner_text())


def mark(page, kind: str, box: str = "explorer", picture: str = "error") -> tuple[float, float]:
    """Where a mark of a picture is on the screen."""
    found = page.locator(f"#{box}-{picture} circle.{kind}").first.bounding_box()
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def drag(page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for share in (0.25, 0.5, 0.75, 1):
        page.mouse.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
        settled(page)
    page.mouse.up()
    settled(page)


def settled(page) -> None:
    """Wait until the frames that are due have been drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def spoken(page, words: str, box: str = "explorer") -> str:
    """What the page says after a pause, once the words are in it."""
    place = page.locator(f"#{box}-spoken")
    place.filter(has_text=words).wait_for(state="attached")
    return place.text_content()


def in_the_address(page, part: str) -> None:
    """Wait until a part is in the address, where it is written after a pause."""
    page.wait_for_function("part => location.hash.includes(part)", arg=part)


def fragment(page) -> dict[str, str]:
    """The parts of the address, which is written when the size of the error is spoken."""
    spoken(page, size(page))
    return dict(part.split("=") for part in page.url.partition("#")[2].split("&") if "=" in part)


def test_it_begins_at_the_number_of_taylor_with_one_peak(explorer):
    page = explorer()
    start = data()["start"]
    assert (number(page, "p1"), number(page, "p3")) == (start["p1"], start["p3"])
    assert size(page) == "Largest error of Φ: 0.00031347, at x = ±2.2928."
    assert page.locator("#explorer-level").inner_text().endswith("Lower k.")
    assert page.locator("#explorer-peaks tr").count() == 1
    taylor = page.locator("[aria-label='Matched at 0: Taylor']")
    assert taylor.get_attribute("aria-pressed") == "true"
    for name in ("c", "p1", "p1-coarse"):  # the first look has one slider
        assert not page.locator(f"#explorer-{name}").is_visible()
    page.wait_for_timeout(QUIET)
    assert "#" not in page.url  # an address that nobody changed stays short


LIVE = ["index", "gelu", "taylor", "minimax", "tanh-constant", "criteria", "explorer", "zh", "ja"]


@pytest.mark.parametrize("name", slow_but(("index", "explorer").__contains__, LIVE))
def test_on_paper_the_figure_stands_where_something_moves(page_at, name):
    page = page_at(width=794)  # as wide as A4
    page.goto(f"book/{name}.html")
    page.emulate_media(media="print")
    moving = page.locator(".explorer, p.explorer-off")
    assert moving.count() > 0 == moving.filter(visible=True).count()
    figures = page.locator(".tag_explorer-off img")
    assert figures.count() == figures.filter(visible=True).count() == 1
    assert page_checks.sideways(page) == []


# ---- The number of the form


def test_the_big_slider_moves_the_curve_the_dot_the_code_and_the_text(explorer):
    page = explorer()
    control = page.get_by_label("k", exact=True)
    before = number_in_the_code(page), size(page), curve(page), mark(page, "dot", picture="vee")
    box = control.bounding_box()
    middle = box["y"] + box["height"] / 2
    drag(page, (box["x"] + 0.8 * box["width"], middle), (box["x"] + 0.4 * box["width"], middle))
    after = number_in_the_code(page), size(page), curve(page), mark(page, "dot", picture="vee")
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert float(control.input_value()) == after[0]
    assert control.get_attribute("aria-valuetext") == page.locator("#explorer-number").inner_text()
    kept = fragment(page)
    assert float(kept["p3"]) / float(kept["p1"]) == pytest.approx(after[0], rel=1e-9)


def test_the_axis_is_fixed_so_that_a_worse_number_looks_worse(explorer):
    page = explorer()
    marks = lambda: page.locator("#explorer-error text.y").all_text_contents()  # noqa: E731
    depth = lambda: mark(page, "highest")[1] - mark(page, "peak")[1]  # noqa: E731
    scale, low = marks(), mark(page, "highest")
    page.get_by_label("k as a number").fill("0.0447149")
    settled(page)
    assert (marks(), depth()) == (scale, pytest.approx(0))
    assert mark(page, "highest")[1] != low[1]
    page.get_by_label("GELU", exact=True).check()
    settled(page)
    assert marks() != scale


@pytest.mark.slow  # another choice of the axis; what leaves the fixed one is seen below
def test_the_logarithmic_axis_is_one_for_both_forms(explorer):
    page = explorer()
    page.get_by_label("logarithmic").check()
    settled(page)
    ticks = page.locator("#explorer-error text.y")
    tanh, height = ticks.all_text_contents(), mark(page, "highest")[1]
    page.get_by_label("sigmoid form", exact=True).check()
    settled(page)
    assert ticks.all_text_contents() == tanh
    assert mark(page, "highest")[1] < height - 20  # a worse form is higher on the same axis


def test_what_leaves_the_fixed_axis_is_said(explorer):
    page = explorer("#p1=1.6&p3=0.03&of=Phi&to=5")
    assert "leaves this axis" in page.locator("#explorer-level").inner_text()
    assert page.evaluate("""() => {
      const box = document.getElementById("explorer-error").getBoundingClientRect();
      return [...document.querySelectorAll("#explorer-error :is(text, .picture > circle)")]
        .map(part => part.getBoundingClientRect())
        .every(part => part.top > box.top - 20 && part.bottom < box.bottom + 20);
    }""")
    page.get_by_label("logarithmic").check()
    settled(page)
    assert "leaves this axis" not in page.locator("#explorer-level").inner_text()


def test_a_peak_that_is_dragged_follows_the_pointer_and_moves_k(explorer):
    page = explorer()
    page.get_by_label("k as a number").fill("0.0449")
    settled(page)
    x, y = mark(page, "highest")
    before, dot = number_in_the_code(page), mark(page, "dot", picture="vee")
    page.mouse.click(x, y)
    settled(page)
    assert number_in_the_code(page) == before  # a press alone moves nothing
    drag(page, (x + 4, y - 3), (x + 4, y - 15))  # held beside its middle, it does not jump
    heights = [
        box["y"] + box["height"] / 2
        for circle in page.locator("#explorer-error circle.peak").all()
        if abs((box := circle.bounding_box())["x"] + box["width"] / 2 - x) < 30
    ]
    assert heights == [pytest.approx(y - 12, abs=1.5)]
    assert number_in_the_code(page) != before
    assert mark(page, "dot", picture="vee") != dot


def test_the_dot_of_the_v_is_dragged_sideways_and_rides_on_it(explorer):
    page = explorer()
    x, y = mark(page, "dot", picture="vee")
    drag(page, (x, y), (x - 30, y + 40))
    moved = mark(page, "dot", picture="vee")
    assert moved[0] == pytest.approx(x - 30, abs=1)
    path = page.locator("#explorer-vee .curve").evaluate(
        """(curve, [x, y]) => {
          const inside = new DOMPoint(x, y).matrixTransform(curve.getScreenCTM().inverse());
          return curve.isPointInStroke(inside);
        }""",
        list(moved),
    )
    assert path


# ---- Tasks

LEVEL_AT = "Exactly level is 0.0447149…; people paste it rounded, 0.044715."


def press(page, control, key: str, times: int) -> None:
    control.focus()
    for _ in range(times):
        page.keyboard.press(key)
    settled(page)


def test_the_first_task_is_solved_by_hand_and_says_so_once_it_is(explorer):
    page = explorer()
    slider, done = page.get_by_label("k", exact=True), page.locator("#explorer-task-0")
    page.get_by_label("k as a number").fill("0.04473")
    settled(page)
    assert page.locator("#explorer-now").inner_text().endswith("Now lower k.")
    told = page.locator("#explorer-told")
    assert (done.inner_text(), told.text_content()) == ("open", "")
    assert page.locator("#explorer-success").inner_text() == ""
    told.evaluate("""told => {
      window.heard = [];
      new MutationObserver(() => heard.push(told.textContent)).observe(told, {childList: true});
    }""")
    assert page.locator("#explorer-vee text.printed").count() == 0  # the answer is not given away
    press(page, slider, "ArrowLeft", 15)
    assert number_in_the_code(page) == 0.044715
    assert done.inner_text() == "done ✓"
    assert page.locator("#explorer-now").inner_text().endswith("Level.")
    assert page.locator("#explorer-success").inner_text() == LEVEL_AT
    assert page.locator("#explorer-vee text.printed").text_content() == "0.044715"
    spoken(page, LEVEL_AT)
    press(page, slider, "ArrowLeft", 16)
    assert page.locator("#explorer-success").inner_text() == ""  # no longer level
    assert done.inner_text() == "done ✓"
    press(page, slider, "ArrowRight", 16)
    assert page.locator("#explorer-success").inner_text() == LEVEL_AT
    assert page.evaluate("heard") == ["Done: 1. Φ."]  # once, and politely
    assert told.get_attribute("role") == "status"


PARTS = """() => [...document.querySelectorAll(
    "#explorer-box > :not(.visually-hidden, #explorer-fault, #explorer-success), [data-task]")]
  .filter(part => part.checkVisibility()).map(part => part.getBoundingClientRect())
  .map(({x, y}) => [x, y + scrollY])"""


@pytest.mark.parametrize("width", slow_but((360).__eq__, [360, 390, 1280]))
def test_nothing_moves_when_a_task_is_asked_for_or_done(explorer, width):
    page = explorer(width=width)
    before = page.evaluate(PARTS)
    for task, number in ((0, "0.044715"), (1, "0.0443829"), (3, "0.0447")):
        page.locator(f"[data-task='{task}']").click()
        page.locator("#explorer-more").evaluate("more => { more.open = false; }")
        for k in ("0.044", number):
            page.locator("#explorer-k-typed").fill(k)
            settled(page)
            assert page.evaluate(PARTS) == before, (task, k)
    states = [page.locator(f"#explorer-task-{i}").inner_text() for i in range(4)]
    assert states == ["done ✓", "done ✓", "open", "open"]
    assert page_checks.axe_rules(page) == page_checks.axe_colours(page, set()) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#explorer-now").evaluate("now => { now.textContent = 'x '.repeat(900); }")
    assert page.evaluate(PARTS) != before  # what moves would be noticed


def test_the_coefficients_at_the_picture_follow_the_sliders(explorer):
    page = explorer(width=390)
    notes = page.locator("#explorer-error text.note")
    for k in ("0.044", "0.0455"):
        page.get_by_label("k", exact=True).fill(k)
        settled(page)
        names, numbers = zip(
            *(text.split(" = ") for text in notes.all_text_contents()), strict=True
        )
        p1, p3 = map(float, numbers)
        assert names == ("p₁", "p₃")
        assert (p1, p3 / p1) == pytest.approx((math.sqrt(8 / math.pi), float(k)), rel=1e-5)


def test_a_task_that_is_chosen_is_pressed_until_its_picture_is_left(explorer):
    page = explorer()
    pressed = page.locator("[data-task][aria-pressed=true]")
    now = page.locator("#explorer-now")
    assert (pressed.inner_text(), "Now lower k." in now.inner_text()) == ("1. Φ\nopen", True)
    page.get_by_role("button", name="GELU", exact=False).first.click()
    settled(page)
    assert (pressed.inner_text(), now.inner_text()[:19]) == ("2. GELU\nopen", "The same for GELU. ")
    assert page.locator("#explorer-now").bounding_box()["y"] < mark(page, "peak")[1]
    page.get_by_label("GELU′", exact=True).check()
    settled(page)
    assert (pressed.count(), now.inner_text()[:6]) == (0, "Choose")


def test_a_task_is_not_solved_by_a_button_or_an_address(explorer):
    page = explorer("#p1=1.5957691216057308&p3=0.07135481627260025&of=Phi&to=5")
    assert "Level" in page.locator("#explorer-level").inner_text()
    assert page.locator("#explorer-task-0").inner_text() == "open"
    open_more(page)
    page.get_by_role("button", name="As printed: Page").click()
    settled(page)
    assert page.locator("#explorer-task-0").inner_text() == "open"


# ---- The stacked view


def band(page, kind: str) -> list[float]:
    """The heights of a curve of the stacked view, in pixels."""
    d = page.locator(f"#explorer-function path.{kind}").get_attribute("d")
    return [float(point.split()[1]) for point in d[1:].split("L")]


def test_the_difference_is_flat_until_the_reader_asks_for_more(explorer):
    page = explorer()
    spans = {}
    for factor in ("1", "1\u202f000"):
        page.get_by_label(factor, exact=True).check()
        settled(page)
        heights = band(page, "difference")
        spans[factor] = max(heights) - min(heights)
    assert spans["1"] < 0.5 < 10 < spans["1\u202f000"]
    exact, form = band(page, "exact"), band(page, "curve")
    apart = [b - a for a, b in zip(exact, form, strict=True)]
    assert max(apart) - min(apart) < 0.5  # the same picture, one under the other, on one scale
    in_the_address(page, "by=1000")


# ---- Both coefficients, under More


OUTLINE = "node => getComputedStyle(node).outlineWidth"


def test_an_arrow_key_moves_a_slider_by_its_step(explorer):
    page = explorer("#p1=1.5&p3=0.07")
    assert page.locator("#explorer-more").evaluate("more => more.open")  # p₁ explains the view
    _, _, (_, _, step) = SLIDERS["p3"]
    before = number(page, "p3"), size(page)
    control = page.locator("#explorer-p3-fine")
    control.focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    assert control.evaluate(OUTLINE) == "3px"  # the focus is seen
    assert number(page, "p3") == pytest.approx(before[0] + step, abs=1e-12)
    assert size(page) != before[1]
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert (number(page, "p3"), size(page)) == before


@pytest.mark.parametrize("stride", slow_but(lambda stride: stride == 6, [6, 1]))
def test_every_button_sets_its_member_by_keyboard(explorer, stride):
    page = explorer()
    open_more(page)
    members = data()["members"][::stride]
    assert {bool(member["p3"]) for member in members} == {True, False}  # some of either form
    for member in members:
        group, _, name = member["name"].partition(": ")
        label = f"{group}: {name.removeprefix('tanh form, ')}"
        page.get_by_role("button", name=label, exact=True).focus()
        page.keyboard.press("Enter")
        settled(page)
        assert (number(page, "p1"), number(page, "p3")) == (member["p1"], member["p3"])
        letter, read = ("k", member["p3"] / member["p1"]) if member["p3"] else ("c", member["p1"])
        assert float(page.locator(f"#explorer-{letter}-typed").input_value()) == pytest.approx(read)
        pressed = page.locator("[data-member][aria-pressed=true]")
        assert pressed.count() == 1
        assert pressed.get_attribute("aria-label") == label


def test_the_choice_of_the_error_is_made_by_mouse_and_by_keyboard(explorer):
    page = explorer()
    page.get_by_label("GELU", exact=True).click()
    settled(page)
    assert "error of GELU:" in size(page)
    page.keyboard.press("ArrowRight")
    settled(page)
    assert "error of GELU′:" in size(page)
    assert "need not alternate" in page.locator("#explorer-alternation").text_content()
    assert (
        page.locator("#explorer-error text.name").first.text_content().startswith("error of GELU′")
    )
    assert fragment(page)["of"] == "GELU_derivative"


def test_what_cannot_be_used_is_said_and_the_drawing_stays(explorer):
    page = explorer()
    open_more(page)
    before = size(page), curve(page)
    field, fault = page.get_by_role("spinbutton", name="p₁", exact=True), page.get_by_role("alert")
    field.fill("11")
    settled(page)
    assert "out of range" in fault.inner_text()
    assert f"The drawing still has {data()['start']['p1']}" in fault.inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert (size(page), curve(page)) == before
    field.fill("1.6")
    settled(page)
    assert (fault.inner_text(), field.get_attribute("aria-invalid")) == ("", None)
    assert size(page) != before[0]


SHARED = "#p1=1.6003141570962072&p3=0.06940178686466211&of=GELU&to=3"


def test_an_address_restores_the_view_until_the_reader_starts_again(explorer):
    page = explorer(SHARED)
    for reloaded in (False, True):
        if reloaded:
            page.reload()
        settled(page)
        assert (number(page, "p1"), number(page, "p3")) == (1.6003141570962072, 0.06940178686466211)
        assert size(page).endswith("at x = ±0.75412, ±1.7422 and ±2.9232.")
        assert page.get_by_label("GELU", exact=True).is_checked()
        assert page.get_by_label("Draw up to x").input_value() == "3"
        assert page.get_by_role("alert").inner_text() == ""
    page.wait_for_timeout(QUIET)
    assert page.url.endswith(SHARED)
    open_more(page)
    page.get_by_label("Draw up to x").select_option("20")
    settled(page)
    assert page.locator("#explorer-error text.x").last.text_content() == "20"
    page.get_by_role("button", name="Start again").click()
    settled(page)
    assert size(page) == "Largest error of Φ: 0.00031347, at x = ±2.2928."
    assert page.get_by_label("Draw up to x").input_value() == "5"


def test_an_address_with_faults_is_met_with_sentences_and_the_rest_counts(explorer):
    page = explorer("#p1=abc&p3=7&of=GELU&too=1")
    fault = page.get_by_role("alert").inner_text()
    assert all(part in fault for part in ("p₁ is no decimal", "p₃ is out of", "unknown part, too"))
    start = data()["start"]
    assert (number(page, "p1"), number(page, "p3")) == (start["p1"], start["p3"])
    assert "error of GELU:" in size(page)
    page.evaluate("location.hash = 'p1=1.6&p3=-0.001&of=GELU'")  # a change by hand is followed
    page.wait_for_function("document.querySelector('#explorer-p3').value === '-0.001'")
    settled(page)
    assert "grows without bound" in size(page) and "NaN" not in page.content()


@pytest.mark.slow
def test_the_anchor_of_a_heading_is_no_state(explorer):
    page = explorer("#what-to-try")
    assert page.get_by_role("alert").inner_text() == ""
    assert size(page).startswith("Largest error")
    page.wait_for_timeout(QUIET)
    assert page.url.endswith("#what-to-try")


def test_the_link_is_copied_or_shown_where_nothing_can_be_copied(explorer):
    page = explorer()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_more(page)
    page.get_by_role("button", name="Best for Φ: both free").click()
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("is copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(page.url.partition("#")[0] + "#p1=1.597602874240784&p3=0.0705")
    shared = size(page)
    page.goto("about:blank")
    page.goto(copied)
    settled(page)
    assert size(page) == shared
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')); }")
    page.get_by_role("button", name="Copy a link").click()
    field = page.get_by_label("Address of this view")
    field.wait_for()
    assert field.input_value() == copied
    assert page.evaluate("getSelection().toString() || document.activeElement.id")


def test_it_speaks_after_a_pause_and_not_at_each_step(explorer):
    page = explorer()
    spoken(page, size(page))
    page.evaluate("""() => {
      window.heard = [];
      const heard = new MutationObserver(() => window.heard.push(
        document.getElementById("explorer-spoken").textContent));
      heard.observe(document.getElementById("explorer-spoken"), {childList: true});
    }""")
    page.get_by_label("k", exact=True).focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(QUIET)
    heard = page.evaluate("window.heard")
    assert len(heard) == 1
    assert size(page) in heard[0]
    assert size(page) in page.locator("#explorer-error").get_attribute("aria-label")


def test_it_works_from_a_file(explorer, page_at, site):
    page = page_at()
    page.goto(f"{(site / PAGE).as_uri()}{SHARED}")
    settled(page)
    assert "error of GELU: 0.00027073" in size(page)
    open_more(page)
    page.get_by_role("button", name="As printed: 1.702").click()
    in_the_address(page, "#p1=1.702&p3=0&of=GELU&to=3")


STILL = [
    (PAGE, "explorer-box", "fig-explorer-views"),
    (LANDING, "levelling-box", "fig-level-peaks"),
    (BEST_MEANS, "band-box", "fig-one-crossing-too-many"),
    (MEASURES, "weighing-box", "fig-one-line"),
    ("book/zh.html", "levelling-box", "fig-zh-level-peaks"),
    ("book/ja.html", "levelling-box", "fig-ja-level-peaks"),
    ("book/tanh-constant.html", "levelling-box", "fig-cubic-v"),
    ("book/gelu.html", "factor-box", "fig-ratio"),
    ("book/taylor.html", "right-box", "fig-right-at-x"),
]


@pytest.mark.parametrize(("path", "box", "figure"), slow_but(lambda s: s[0] == BEST_MEANS, STILL))
def test_with_javascript_the_still_picture_gives_way_to_what_moves(page_at, path, box, figure):
    page = page_at()
    page.goto(path)
    assert page.locator(f"#{box}").is_visible()
    assert page.locator(f"#{figure}").count() == 1
    assert not page.locator(f"#{figure}").is_visible()


@pytest.mark.parametrize(("path", "box", "figure"), slow_but(lambda s: s[0] == PAGE, STILL))
def test_without_javascript_a_still_picture_stands_in_its_place(page_at, path, box, figure):
    page = page_at(java_script_enabled=False)
    page.goto(path)
    assert not page.locator(f"#{box}").is_visible()
    assert page.locator(f"#{figure} img").is_visible()
    if path == PAGE:
        assert page.get_by_text("The explorer needs JavaScript").is_visible()


@pytest.mark.parametrize(
    "path", slow_but(lambda path: path != LANDING, [PAGE, LANDING, BEST_MEANS])
)
@pytest.mark.parametrize("width", slow_but(lambda width: width == 360, [360, 768, 1440]))
def test_nothing_in_it_moves_while_the_page_loads(explorer, width, path):
    height = 6000 if path == BEST_MEANS else 3000  # only what is in the window can shift
    page = explorer(width=width, height=height, path=path)
    page.wait_for_timeout(QUIET)
    assert page.evaluate("window.shifts") == []
    page.locator(".explorer").evaluate("box => { box.style.paddingTop = '5rem'; }")
    page.wait_for_function("window.shifts.length > 0")  # what moves would be noticed


@pytest.mark.parametrize(
    ("path", "box", "slider"), [(PAGE, "explorer", "k"), (LANDING, "levelling", "slider")]
)
def test_a_telephone_shows_the_slider_both_pictures_and_what_is_said_at_once(
    explorer, path, box, slider
):
    page = explorer(width=360, path=path)
    page.locator(f"#{box}-{slider}").fill("0.04471")
    settled(page)
    top = page.locator(f"#{box}-{slider}").bounding_box()["y"]
    last = page.locator(f"#{box}-success").bounding_box()
    assert last["y"] + last["height"] - top < 640
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    sizes = page.evaluate("""() => [...document.querySelectorAll(".explorer-plot text")]
      .filter(text => text.textContent).map(text => text.getBoundingClientRect().height)""")
    assert min(sizes) >= 12
    assert page.evaluate("""() => [...document.querySelectorAll(".explorer-number button")]
      .filter(button => button.checkVisibility())
      .every(button => button.offsetWidth >= 44 && button.offsetHeight >= 44)""")


MOVES = 20  # a browser that takes a finger for a scroll says so within a few


def touch(page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """One finger goes from a place to another."""
    session = page.context.new_cdp_session(page)
    send = partial(session.send, "Input.dispatchTouchEvent")
    places = [
        {"x": a + i / MOVES * (c - a), "y": b + i / MOVES * (d - b)}
        for (a, b), (c, d) in [(start, end)]
        for i in range(MOVES + 1)
    ]
    send({"type": "touchStart", "touchPoints": [places[0]]})
    for place in places[1:]:
        send({"type": "touchMove", "touchPoints": [place]})
        settled(page)
    send({"type": "touchEnd", "touchPoints": []})
    settled(page)


PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
POINTERS = """svg => {
  window.pointers = {};
  for (const kind of ["pointermove", "pointercancel", "pointerup"])
    svg.addEventListener(kind, () => { pointers[kind] = (pointers[kind] ?? 0) + 1; });
}"""


@pytest.mark.parametrize(
    ("path", "box"),
    slow_but(lambda big: big[0] == LANDING, [(LANDING, "levelling"), (PAGE, "explorer")]),
)
def test_a_finger_drags_a_peak_while_the_page_stands(explorer, path, box):
    page = explorer(path=path, **PHONE)
    picture = page.locator(f"#{box}-error")
    picture.evaluate("svg => svg.scrollIntoView({block: 'center'})")
    settled(page)
    x, y = mark(page, "highest", box)
    before, scrolled = number_in_the_code(page, box), page.evaluate("scrollY")
    picture.evaluate(POINTERS)
    touch(page, (x, y), (x, y - 15))
    assert mark(page, "highest", box)[1] == pytest.approx(y - 15, abs=3)
    touch(page, (x, y - 15), (x, y - 90))  # on through the level, to the end of the range
    assert page.evaluate("pointers") == {"pointermove": 2 * MOVES, "pointerup": 2}
    assert number_in_the_code(page, box) < before
    assert page.evaluate("scrollY") == scrolled
    touch(page, (x - 120, y), (x - 120, y - 100))  # beside it, a finger scrolls as everywhere
    page.wait_for_function(f"scrollY > {scrolled}")
    assert page.evaluate("pointers.pointercancel") == 1  # what the marks do not have


ASTRAY = """() => [...document.querySelectorAll(".explorer-pair svg")].flatMap(svg => {
  const {left, right, top, bottom} = svg.getBoundingClientRect();
  return [...svg.querySelectorAll(".grip")].map(grip => grip.getBoundingClientRect())
    .filter(({x, y, width}) => width && !(x + width / 2 > left && x + width / 2 < right &&
      y + width / 2 > top && y + width / 2 < bottom));
}).length"""


def test_no_grip_stands_outside_of_its_picture(explorer):
    page = explorer()
    for number, seen in (("0.043", 0), ("0.046", 1)):  # the crest of 0.043 is too high
        page.locator("#explorer-k").fill(number)
        settled(page)
        assert page.locator(".explorer-pair circle.highest").count() == seen
        assert page.evaluate(ASTRAY) == 0, number
    page.locator(".explorer-pair .grip").first.evaluate("grip => { grip.setAttribute('cx', -20); }")
    assert page.evaluate(ASTRAY) == 1  # one that stands outside is found


OVERPRINTS = """() => {
  const boxes = [...document.querySelectorAll(".explorer-pair svg text")]
    .filter(text => text.textContent).map(text => [text, text.getBoundingClientRect()]);
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([, b]) => !apart(a, b))
    .map(([other]) => `${one.textContent} over ${other.textContent}`))
    .filter(found => /0\\.000/.test(found));
}"""


@pytest.mark.parametrize("width", slow_but((390).__eq__, [390, 1440]))
def test_the_height_of_a_peak_does_not_run_into_the_axes(landing, width):
    page = landing(width=width)
    slider = page.locator("#levelling-slider")
    for number in ("0.04554", "0.0459", "0.046", "0.04472", "0.044"):
        slider.fill(number)
        settled(page)
        assert page.evaluate(OVERPRINTS) == [], number
    page.evaluate("""() => {
      const found = kind => document.querySelector(`#levelling-error .${kind}`);
      const [height, tick] = ["height", "x"].map(found);
      for (const place of ["x", "y"]) height.setAttribute(place, tick.getAttribute(place));
    }""")
    assert page.evaluate(OVERPRINTS)  # what overprints is found


def test_on_a_telephone_the_curve_stands_on_the_first_screen_and_the_formula_once(landing):
    page = landing(**PHONE)
    curve = page.locator("#levelling-error").bounding_box()
    assert 0 < curve["y"] < curve["y"] + curve["height"] <= PHONE["height"]
    assert page.locator("article").inner_text().count("tanh(sqrt") == 1


# ---- The landing page


def test_the_landing_page_begins_at_taylor_and_knows_when_the_peaks_are_level(landing):
    page = landing()
    assert number_in_the_code(page, "levelling") == 0.04554
    slider = page.get_by_label("the number", exact=True)
    level, success = (page.locator(f"#levelling-{name}") for name in ("level", "success"))
    assert level.inner_text() == "No visible crest, trough 0.000313 deep. Lower the number."
    assert slider.input_value() == "0.04554"
    page.get_by_role("button", name="Lower the number a little").click()
    settled(page)
    assert (number_in_the_code(page, "levelling"), success.inner_text()) == (0.045535, "")
    low = curve(page, "levelling")
    for number, wanted in (("0.0449", ""), ("0.04472", ""), ("0.044715", LEVEL_AT)):
        slider.fill(number)
        settled(page)
        assert success.inner_text() == wanted
    assert curve(page, "levelling") != low
    assert page.locator("#levelling-box.level #levelling-vee text.printed").count() == 1
    assert "0.00017893" in spoken(page, LEVEL_AT, "levelling")
    assert "With 0.044715" in page.locator("#levelling-vee").get_attribute("aria-label")
    press(page, slider, "ArrowRight", 16)
    assert page.locator("#levelling-box.level").count() == 0
    slider.fill("0.0444")  # on through the level: what is said follows
    settled(page)
    assert (success.inner_text(), level.inner_text()[-17:]) == ("", "Raise the number.")


def test_a_button_that_is_held_goes_on_until_it_is_let_go(landing):
    page = landing()
    button = page.get_by_role("button", name="Lower the number a little")
    button.click()
    settled(page)
    once = number_in_the_code(page, "levelling")
    assert once == 0.045535
    button.hover()
    page.mouse.down()
    page.wait_for_timeout(1000)
    page.mouse.up()
    settled(page)
    held = number_in_the_code(page, "levelling")
    steps = (once - held) / 5e-6
    assert 3 <= steps == pytest.approx(round(steps), abs=1e-6)
    page.wait_for_timeout(500)
    assert number_in_the_code(page, "levelling") == held
    button.click()  # a click after it is one step again
    settled(page)
    assert number_in_the_code(page, "levelling") == pytest.approx(held - 5e-6, abs=1e-9)


HEIGHTS = """() => {
  const {left, bottom} = document.querySelector("#levelling-vee").getBoundingClientRect();
  const dot = document.querySelector("#levelling-vee circle.dot").getBoundingClientRect();
  const names = [...document.querySelectorAll("#levelling-vee .name")]
    .map(name => name.textContent);
  return [dot.left - left, bottom - dot.top, names];
}"""


@pytest.mark.parametrize("width", slow_but((390).__eq__, [390, 1280]))
def test_the_v_of_the_chapter_has_its_corner_where_crest_and_trough_are_level(explorer, width):
    page = explorer(path="book/tanh-constant.html", width=width)
    slider, success = page.get_by_role("slider", name="k"), page.locator("#levelling-success")
    seen = {}
    for k in ("0.0443", "0.044715", "0.0451"):
        slider.fill(k)
        settled(page)
        seen[k] = *page.evaluate(HEIGHTS), success.inner_text()
    across, heights, names, said = zip(*seen.values(), strict=True)
    assert across[0] < across[1] < across[2] and heights[0] > heights[1] < heights[2]
    assert said == ("", LEVEL_AT, "")
    assert names[0][-2:] == ["crest", "trough"]
    assert page.locator("#levelling-level").inner_text().endswith("Lower k.")
    page.get_by_role("button", name="Lower k a little").press("Enter")
    settled(page)
    assert number_in_the_code(page, "levelling") == 0.045095
    assert page_checks.axe_rules(page) == page_checks.axe_colours(page, set()) == []


LATIN = """() => {
  const box = document.getElementById("levelling-box");
  const names = [...box.querySelectorAll("[aria-label]"), box].map(part => part.ariaLabel);
  return [box.textContent, ...names].join(" ").match(/[A-Za-z]{2,}/g) ?? [];
}"""


TRANSLATED = [
    ("book/zh.html", "把系数调小一点", "峰谷相差不到 0.5%。", "请把系数调大。"),
    ("book/ja.html", "係数を少し小さくする", "差は0.5%以内です。", "係数を大きくしてください。"),
]


@pytest.mark.parametrize(
    ("path", "nudge", "wanted", "over"), slow_but(lambda page: "ja" in page[0], TRANSLATED)
)
def test_the_pages_in_other_languages_level_the_peaks_in_their_own_words(
    explorer, path, nudge, wanted, over
):
    page = explorer(path=path, width=390)
    slider = page.locator("#levelling-slider")
    level, success = (page.locator(f"#levelling-{name}") for name in ("level", "success"))
    page.get_by_role("button", name=nudge).click()
    settled(page)
    assert number_in_the_code(page, "levelling") == 0.045535
    for number, said in (("0.0444", over), ("0.044715", wanted)):
        slider.fill(number)
        settled(page)
        assert level.inner_text().endswith(said)
    assert "0.0447149…" in success.inner_text() and "0.044715" in success.inner_text()
    assert success.inner_text() in spoken(page, success.inner_text(), "levelling")
    assert set(page.evaluate(LATIN)) <= {"Taylor"}
    copy = page.locator(".copybtn").first
    assert copy.get_attribute("data-tooltip") == copy.text_content().strip() != "Copy"
    assert page_checks.axe_rules(page) == page_checks.axe_colours(page, set()) == []


# ---- The band of the chapter on what best means


@pytest.fixture
def best_means(explorer):
    """A function that opens the chapter where its band is seen."""

    def opened(**options):
        page = explorer(path=BEST_MEANS, **options)
        page.locator("#band-box").evaluate("box => box.scrollIntoView()")
        settled(page)
        return page

    return opened


def set_factors(page, p1: str, p3: str) -> None:
    for name, factor in (("p1", p1), ("p3", p3)):
        page.locator(f"#band-{name}").fill(factor)
    settled(page)


def shown_in_the_band(page) -> tuple[int, int, list[str]]:
    """How many stretches are lit, how many crossings are circled, and what the picture says."""
    picture = page.locator("#band-error")
    lit, circled = (picture.locator(kind).count() for kind in (".lit", "circle.crossing"))
    return lit, circled, picture.locator("text.height").all_text_contents()


def test_a_curve_that_leaves_the_band_is_lit_where_it_does_and_only_the_best_is_not(best_means):
    page = best_means()
    said = page.locator("#band-said")
    assert shown_in_the_band(page) == (1, 0, ["too high"])
    assert said.inner_text() == "Your curve lies wholly above the best one: too high."
    set_factors(page, "0.9992", "1.0055")
    assert shown_in_the_band(page) == (2, 1, ["too high", "too low"])
    assert said.inner_text().endswith("too high and too low.")
    set_factors(page, "1", "1")
    assert shown_in_the_band(page) == (0, 0, [])
    assert "best pair itself" in said.inner_text()


CIRCLE_AND_CURVES = """moved => {
  const find = kind => document.querySelector(`#band-error ${kind}`);
  const circle = find("circle.crossing");
  if (moved) circle.setAttribute("cy", 40);
  const place = new DOMPoint(circle.cx.baseVal.value, circle.cy.baseVal.value);
  return [".thick", ".rival"].map(kind => find(kind).isPointInStroke(place));
}"""


def test_the_circle_stands_where_both_drawn_curves_are(best_means):
    page = best_means()
    set_factors(page, "0.9992", "1.0055")
    page.add_style_tag(content="#band-error .rival { stroke-dasharray: none; }")
    assert page.evaluate(CIRCLE_AND_CURVES) == [True, True]
    assert page.evaluate(CIRCLE_AND_CURVES, True) == [False, False]


TWICE = "To stay inside the band it would have to cross it twice. No other pair can."


def test_after_three_tries_by_keyboard_the_reason_is_said_and_spoken(best_means):
    page = best_means()
    set_factors(page, "0.9992", "1.0055")
    assert spoken(page, "too high and too low", "band") != ""
    assert page.locator("#band-hint").inner_text() == ""
    cubic = page.get_by_label("p₃", exact=True)
    for expected in ("1.0056", "1.0057"):
        press(page, cubic, "ArrowRight", 1)
        assert page.locator("#band-p3-factor").inner_text() == expected
        assert cubic.get_attribute("aria-valuetext") == f"{expected} times the best"
        page.wait_for_timeout(QUIET)
    assert page.locator("#band-hint").inner_text() == (
        f"Your curve crosses the best one once. {TWICE}"
    )
    assert TWICE in spoken(page, TWICE, "band")
    page.get_by_role("button", name="Raise p₁ a little").click()
    settled(page)
    assert page.locator("#band-p1-factor").inner_text() == "0.9994"
    assert cubic.evaluate("slider => slider.labels.length") == 1


PLACES = """() => [...document.querySelectorAll(
    "#band-box > *, #band-box input, #band-box b, .figure-frame")]
  .map(part => part.getBoundingClientRect()).map(({x, y, width}) => [x, y + scrollY, width])"""


@pytest.mark.parametrize("width", slow_but((360).__eq__, [360, 390, 1280]))
def test_nothing_moves_when_a_slider_of_the_band_does(best_means, width):
    page = best_means(width=width)
    before = page.evaluate(PLACES)
    for pair in (("0.9985", "0.985"), ("1.0015", "0.9999"), ("0.9992", "1.0055"), ("1", "1.001")):
        set_factors(page, *pair)
        page.wait_for_timeout(QUIET // 2)
        assert page.evaluate(PLACES) == before, pair
    assert page.evaluate("window.shifts") == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#band-hint").evaluate("hint => { hint.before('x '.repeat(900)); }")
    assert page.evaluate(PLACES) != before  # what moves would be noticed


# ---- The page on measures


@pytest.mark.parametrize("width", slow_but((390).__eq__, [390, 1440]))
def test_the_width_of_the_weight_moves_the_best_k_and_nothing_on_the_page(explorer, width):
    page = explorer(path=MEASURES, width=width)
    slider, said = page.locator("#weighing-slider"), page.locator("#weighing-level")
    height = page.evaluate("document.documentElement.scrollHeight")
    seen = {}
    for power in ("-1", "0.848", "3"):
        slider.fill(power)
        settled(page)
        line = page.locator("#weighing-error path.curve").get_attribute("d")
        seen[power] = said.inner_text(), line, page.locator("#weighing-success").inner_text()
        assert page.evaluate("document.documentElement.scrollHeight") == height
    assert len({text for text, *_ in seen.values()}) == len({d for _, d, _ in seen.values()}) == 3
    best = [load_cell("tanh-pinned", "GELU", "sup").constant, (4 - math.pi) / (6 * math.pi)]
    ks = [float(re.search(r"0\.04\d+", seen[power][0])[0]) for power in ("3", "0.848", "-1")]
    assert best[0] < ks[0] < ks[1] < ks[2] < best[1]
    assert [bool(success) for *_, success in seen.values()] == [False, True, False]
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(QUIET)
    assert slider.get_attribute("aria-valuetext") == "T = 998"
    page.get_by_role("button", name="Lower T a little").click()
    settled(page)
    assert page.locator("#weighing-number").inner_text() == "991"


# ---- The first two chapters

MOVED = {
    "book/gelu.html": ("factor", {"-3": "0.1 %", "1": "84.1 %", "2.5": "99.4 %"}, "graph", "x"),
    "book/taylor.html": (
        "right",
        {"0.0415": "Right at x = 3.24", "0.044715": "Right at x = 1.88", "0.04554": "at 0 alone"},
        "error",
        "k",
    ),
}


@pytest.mark.parametrize("width", slow_but((390).__eq__, [390, 1440]))
@pytest.mark.parametrize("path", MOVED)
def test_what_a_slider_says_is_drawn_and_nothing_else_moves(explorer, path, width):
    box, expected, picture, name = MOVED[path]
    page = explorer(path=path, width=width)
    height = page.evaluate("document.documentElement.scrollHeight")
    drawn = set()
    for place, words in expected.items():
        page.locator(f"#{box}-slider").fill(place)
        settled(page)
        assert words in page.locator(f"#{box}-said").inner_text()
        drawn.add(page.locator(f"#{box}-{picture}").inner_html())
        assert page.evaluate("document.documentElement.scrollHeight") == height
    assert len(drawn) == len(expected)
    assert words in spoken(page, words, box)
    number = page.locator(f"#{box}-number").inner_text()
    page.get_by_role("button", name=f"Lower {name} a little").click()
    settled(page)
    assert float(page.locator(f"#{box}-number").inner_text()) < float(number)


def test_the_line_of_a_constant_can_be_dragged(explorer):
    page = explorer(path="book/taylor.html")
    page.locator("#right-box").scroll_into_view_if_needed()
    grip = page.locator("#right-curve .grip").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 40, steps=4)
    page.mouse.up()
    settled(page)
    assert 0.042 < float(page.locator("#right-number").inner_text()) < 0.045
    assert "too small before" in page.locator("#right-said").inner_text()
