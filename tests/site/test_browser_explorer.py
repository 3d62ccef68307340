"""The explorer in a browser: by mouse, by keyboard, by address, and with JavaScript off."""

import math
import re

import page_checks
import pytest
from explorer_page import SLIDERS, data
from kinds import slow_but

pytestmark = pytest.mark.browser
PAGE = "book/explorer.html"
QUIET = 1500  # milliseconds, more than the pause after which the page speaks
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    for (const {node} of entry.sources)
      if (node && document.getElementById("explorer-box")?.contains(node))
        window.shifts.push(`${node.id || node.nodeName}: ${entry.value}`);
}).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture
def explorer(page_at):
    """A function that opens the explorer, with a fragment in its address if one is given."""

    def opened(fragment="", width=1440, theme="light", **options):
        page = page_at(width, theme, **options)
        page.add_init_script(SHIFTS)
        page.goto(PAGE + fragment)
        return page

    return opened


def number(page, name: str) -> float:
    """What the field of a coefficient shows."""
    return float(page.locator(f"#explorer-{name}").input_value())


def size(page) -> str:
    return page.locator("#explorer-size").inner_text()


def curve(page) -> str:
    return page.locator("#explorer-error .curve").get_attribute("d")


def settled(page) -> None:
    """Wait until the frames that are due have been drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def fragment(page) -> dict[str, str]:
    page.wait_for_timeout(QUIET)
    return dict(part.split("=") for part in page.url.partition("#")[2].split("&") if "=" in part)


def test_it_begins_with_the_printed_constant_and_says_its_error(explorer):
    page = explorer()
    assert (number(page, "p1"), number(page, "p3")) == (
        data()["start"]["p1"],
        data()["start"]["p3"],
    )
    assert size(page) == "Largest error of Φ: 0.00017893, at x = ±2.5921."
    assert page.locator("#explorer-peaks tr").count() == 2
    assert page.locator("#explorer-error .peak").count() == 2
    assert (
        page.get_by_role("button", name="As printed: Page").get_attribute("aria-pressed") == "true"
    )
    page.wait_for_timeout(QUIET)
    assert "#" not in page.url  # an address that nobody changed stays short


def test_on_paper_the_view_stands_without_what_moves_it(explorer):
    page = explorer(width=794)  # as wide as A4
    page.emulate_media(media="print")
    controls = "button, select, [type=range], [for$=coarse], [for$=fine]"
    moves = page.locator(".explorer").locator(controls)
    assert moves.count() > 10 and moves.filter(visible=True).count() == 0
    for name in ("error .curve", "size", "p1", "p3", "alternation", "function", "peaks"):
        assert page.locator(f"#explorer-{name}").is_visible(), name
    assert page_checks.sideways(page) == []


@pytest.mark.parametrize(
    "slider",
    slow_but(
        lambda slider: slider in ("p₁, coarse", "p₃, fine"),
        ["p₁, coarse", "p₁, fine", "p₃, coarse", "p₃, fine"],
    ),
)
def test_a_slider_that_is_dragged_moves_the_numbers_and_the_curve(explorer, slider):
    page = explorer()
    control, name = page.get_by_label(slider), slider.replace("₁", "1").replace("₃", "3")[:2]
    control.scroll_into_view_if_needed()
    before = number(page, name), size(page), curve(page)
    box = control.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for share in (0.6, 0.75, 0.9):
        page.mouse.move(box["x"] + share * box["width"], middle)
    page.mouse.up()
    settled(page)
    after = number(page, name), size(page), curve(page)
    assert all(old != new for old, new in zip(before, after, strict=True))
    low, high, _ = SLIDERS[name][1 if "coarse" in slider else 2]
    span = high - low  # the knob has a width, which the pointer's way does not count
    assert float(control.input_value()) == pytest.approx(low + 0.9 * span, abs=0.1 * span)
    assert float(fragment(page)[name]) == after[0]


@pytest.mark.parametrize("kind", ["coarse", "fine"])
@pytest.mark.parametrize("name", ["p1", "p3"])
def test_an_arrow_key_moves_a_slider_by_its_step(explorer, name, kind):
    page = explorer("#p1=1.5&p3=0.07")
    step = SLIDERS[name][1 if kind == "coarse" else 2][2]
    before = number(page, name), size(page)
    page.locator(f"#explorer-{name}-{kind}").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    assert number(page, name) == pytest.approx(before[0] + step, abs=1e-12)
    assert size(page) != before[1]
    page.keyboard.press("ArrowLeft")
    settled(page)
    assert (number(page, name), size(page)) == before


def test_the_constant_is_found_by_hand(explorer):
    """Taylor, then p₃ down by the arrow keys until the peaks balance."""
    page = explorer()

    def press(key: str, times: int) -> None:
        for _ in range(times):
            page.keyboard.press(key)
        settled(page)

    page.get_by_role("button", name="Matched at 0: Taylor").click()
    settled(page)
    assert page.locator("#explorer-peaks tr").count() == 1
    for slider, stride in (("p₃, coarse", 1), ("p₃, fine", 20), ("p₃, fine", 1)):
        page.get_by_label(slider).focus()
        least = math.inf
        for _ in range(100):
            press("ArrowLeft", stride)
            now = float(re.search(r"0\.\d+", size(page))[0])
            if now > least:
                press("ArrowRight", 2 * stride - 1)  # the least was in the last two strides
                break
            least = now
    assert number(page, "p3") / number(page, "p1") == pytest.approx(0.0447149, abs=1e-5)
    assert page.locator("#explorer-error .highest").count() == 2


def test_every_button_sets_its_member_by_keyboard(explorer):
    page = explorer()
    for member in data()["members"]:
        group, _, name = member["name"].partition(": ")
        label = f"{group}: {name.removeprefix('tanh form, ')}"
        page.get_by_role("button", name=label, exact=True).focus()
        page.keyboard.press("Enter")
        settled(page)
        assert (number(page, "p1"), number(page, "p3")) == (member["p1"], member["p3"])
        pressed = page.locator("[aria-pressed=true]")
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
    assert "need not alternate" in page.locator("#explorer-alternation").inner_text()
    assert (
        page.locator("#explorer-error text.name").first.text_content().startswith("error of GELU′")
    )
    assert fragment(page)["of"] == "GELU_derivative"


def test_a_number_can_be_typed(explorer):
    page = explorer()
    field = page.get_by_label("p₁", exact=True)
    field.fill("1.7")
    page.get_by_label("p₃", exact=True).fill("0")
    settled(page)
    assert size(page).startswith("Largest error of Φ: 0.009")
    assert field.input_value() == "1.7"
    assert page.locator("#explorer-p1-coarse").input_value() == "1.7"


@pytest.mark.parametrize(("text", "why"), [("", "is empty"), ("11", "out of range")])
def test_what_cannot_be_used_is_said_and_the_drawing_stays(explorer, text, why):
    page = explorer()
    before = size(page), curve(page)
    field, fault = page.get_by_label("p₁", exact=True), page.get_by_role("alert")
    field.fill(text)
    settled(page)
    assert why in fault.inner_text()
    assert f"The drawing still has {data()['start']['p1']}" in fault.inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert (size(page), curve(page)) == before
    field.fill("1.6")
    settled(page)
    assert (fault.inner_text(), field.get_attribute("aria-invalid")) == ("", None)
    assert size(page) != before[0]


SHARED = "#p1=1.6003141570962072&p3=0.06940178686466211&of=GELU&to=3"


def test_an_address_restores_the_view_and_a_reload_keeps_it(explorer):
    page = explorer(SHARED)
    for _ in range(2):
        settled(page)
        assert (number(page, "p1"), number(page, "p3")) == (1.6003141570962072, 0.06940178686466211)
        assert size(page).endswith("at x = ±0.75412, ±1.7422 and ±2.9232.")
        assert page.get_by_label("GELU", exact=True).is_checked()
        assert page.get_by_label("Draw up to x").input_value() == "3"
        assert page.get_by_role("alert").inner_text() == ""
        page.wait_for_timeout(QUIET)
        assert page.url.endswith(SHARED)
        page.reload()


def test_an_address_that_is_changed_by_hand_is_followed(explorer):
    page = explorer()
    page.evaluate("location.hash = 'p1=1.702&p3=0'")
    page.wait_for_function("document.querySelector('#explorer-p3').value === '0'")
    settled(page)
    assert "at x = ±0.57149" in size(page)


def test_an_address_with_faults_is_met_with_sentences_and_the_rest_counts(explorer):
    page = explorer("#p1=abc&p3=7&of=GELU&too=1")
    fault = page.get_by_role("alert").inner_text()
    assert all(part in fault for part in ("p₁ is no decimal", "p₃ is out of", "unknown part, too"))
    start = data()["start"]
    assert (number(page, "p1"), number(page, "p3")) == (start["p1"], start["p3"])
    assert "error of GELU:" in size(page)


def test_the_anchor_of_a_heading_is_no_state(explorer):
    page = explorer("#what-to-try")
    assert page.get_by_role("alert").inner_text() == ""
    assert size(page).startswith("Largest error")
    page.wait_for_timeout(QUIET)
    assert page.url.endswith("#what-to-try")


def test_start_again_and_the_range_of_the_drawing(explorer):
    page = explorer(SHARED)
    page.get_by_label("Draw up to x").select_option("20")
    settled(page)
    assert page.locator("#explorer-error text.x").last.text_content() == "20"
    page.get_by_role("button", name="Start again").click()
    settled(page)
    assert size(page) == "Largest error of Φ: 0.00017893, at x = ±2.5921."
    assert page.get_by_label("Draw up to x").input_value() == "5"


def test_the_link_is_copied(explorer):
    page = explorer(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Best for Φ: both free").click()
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("is copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(page.url.partition("#")[0] + "#p1=1.597602874240784&p3=0.0705")
    other = explorer()
    other.goto(copied)
    settled(other)
    assert size(other) == size(page)


def test_where_nothing_can_be_copied_the_link_is_shown(explorer):
    page = explorer()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')); }")
    page.get_by_role("button", name="Copy a link").click()
    field = page.get_by_label("Address of this view")
    field.wait_for()
    assert field.input_value().endswith("&of=Phi&to=5")
    assert page.evaluate("getSelection().toString() || document.activeElement.id")


def test_where_the_form_turns_back_the_page_says_so(explorer):
    page = explorer("#p1=1.6&p3=-0.001")
    assert "approached as x → ∞" in size(page)
    assert "p₃ is negative" in page.locator("#explorer-alternation").inner_text()
    page.get_by_label("GELU", exact=True).click()
    settled(page)
    assert "grows without bound" in size(page)
    assert "NaN" not in page.content()


def test_it_speaks_after_a_pause_and_not_at_each_step(explorer):
    page = explorer()
    page.wait_for_timeout(QUIET)
    page.evaluate("""() => {
      window.spoken = [];
      const heard = new MutationObserver(() => window.spoken.push(
        document.getElementById("explorer-spoken").textContent));
      heard.observe(document.getElementById("explorer-spoken"), {childList: true});
    }""")
    page.get_by_label("p₃, fine").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(QUIET)
    spoken = page.evaluate("window.spoken")
    assert len(spoken) == 1
    assert size(page) in spoken[0]
    assert size(page) in page.locator("#explorer-error").get_attribute("aria-label")


def test_it_works_from_a_file(explorer, page_at, site):
    page = page_at()
    page.goto(f"{(site / PAGE).as_uri()}{SHARED}")
    settled(page)
    assert "error of GELU: 0.00027073" in size(page)
    page.get_by_role("button", name="As printed: 1.702").click()
    page.wait_for_timeout(QUIET)
    assert page.url.endswith("#p1=1.702&p3=0&of=GELU&to=3")


def test_with_javascript_the_figure_gives_way_and_without_it_stands(explorer, chromium, address):
    page = explorer()
    assert page.locator("#explorer-box").is_visible()
    assert not page.locator("#fig-explorer-views").is_visible()
    assert not page.get_by_text("The explorer needs JavaScript").is_visible()
    context = chromium.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(address + PAGE)
    assert not plain.locator("#explorer-box").is_visible()
    assert plain.locator("#fig-explorer-views img").is_visible()
    assert plain.get_by_text("The explorer needs JavaScript").is_visible()
    context.close()


@pytest.mark.parametrize("width", slow_but(lambda width: width == 360, [360, 768, 1440]))
def test_nothing_in_it_moves_while_the_page_loads(explorer, width):
    page = explorer(width=width)
    page.wait_for_timeout(QUIET)
    assert page.evaluate("window.shifts") == []


def test_a_shift_is_noticed(explorer):
    page = explorer()
    page.wait_for_timeout(QUIET)
    page.evaluate("document.getElementById('explorer-error').style.height = '30rem'")
    page.wait_for_function("window.shifts.length > 0")


def test_a_telephone_shows_the_curve_and_both_sliders_at_once(explorer):
    page = explorer(width=360)
    top = page.locator("#explorer-error").bounding_box()["y"]
    last = page.get_by_label("p₃, fine").bounding_box()
    assert last["y"] + last["height"] - top < 640
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    sizes = page.evaluate("""() => [...document.querySelectorAll(".explorer-plot text")]
      .map(text => text.getBoundingClientRect().height)""")
    assert min(sizes) >= 12


def test_the_dark_page_has_its_own_colours_by_style_alone(explorer):
    strokes = {}
    for theme in ("light", "dark"):
        page = explorer(theme=theme)
        assert "rgb" not in page.locator("#explorer-error").inner_html()
        strokes[theme] = page.evaluate("""() => [".curve", ".exact", ".zero", ".grid"].map(kind =>
          getComputedStyle(document.querySelector(`.explorer-plot ${kind}`)).stroke)""")
        assert len(set(strokes[theme])) == 4
    assert not set(strokes["light"]) & set(strokes["dark"])


def test_the_focus_is_seen(explorer):
    page = explorer()
    for control in (page.get_by_label("p₁", exact=True), page.get_by_label("p₃, fine")):
        control.focus()
        page.keyboard.press("ArrowUp")
        assert control.evaluate("node => getComputedStyle(node).outlineWidth") == "3px"
