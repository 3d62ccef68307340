"""Results and claims in a browser: the filters, the copy buttons, the address, no JavaScript."""

import re
from pathlib import Path

import page_checks
import pytest
import yaml
from citation import bibtex
from kinds import slow_but

from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.register import result, results

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PAGE, OTHER = "book/results.html", "book/tanh-constant.html"
CHAPTER = [entry.id for entry in results().values() if entry.page == "tanh-constant"]
CERTIFIED = [entry.id for entry in results().values() if entry.status == "certified"]
FOLDED, FOLDING = "taylor-nonic-error", "book/taylor.html"
SEVERAL = "bfloat16-best-pair"
PATIENCE = 5000  # milliseconds
WORDS = "ID, title, statement or number"
NOTE = ".copy-note[role=status]"  # where the page says that something was copied


def shown(page) -> list[str]:
    """The IDs of the entries that are not hidden."""
    entries = ".result-row:not([hidden]), .result-box:not([hidden])"
    return page.eval_on_selector_all(entries, "all => all.map(box => box.id)")


def in_order(ids) -> list[str]:
    """The IDs as the page has them: by chapter, then what others printed."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    order = [c["file"].removeprefix("book/") for part in toc["parts"] for c in part["chapters"]]
    places = {id: (result(id).status == "historical", order.index(result(id).page)) for id in ids}
    return sorted(ids, key=places.get)


def may_copy(page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])


def clipboard(page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


# The page is large. What is asked for by its role or its label is asked for within a part of it.
# Playwright's expect() is not used: if what it expects is not there at once, it describes the whole
# page for its message, and for up to ten seconds nothing else happens in the page.


def appears(place) -> None:
    """Wait until a place is there and can be seen."""
    place.wait_for(timeout=PATIENCE)


def says(page, place: str, words: str) -> None:
    """Wait until the words stand in a place, alone."""
    only = re.compile(rf"^\s*{re.escape(words)}\s*$")
    appears(page.locator(place).filter(has_text=only))


def copied(page, what: str) -> None:
    """Wait until the page says what was copied."""
    says(page, NOTE, f"Copied: {what}")


def in_view(page, id: str) -> None:
    """Wait until an entry is in the window, or a part of it."""
    page.wait_for_function(
        """id => {
          const box = document.getElementById(id).getBoundingClientRect();
          return box.bottom > 0 && box.top < innerHeight;
        }""",
        arg=id,
        timeout=PATIENCE,
    )


def has_focus(place) -> bool:
    return place.evaluate("e => e === document.activeElement")


def form(page):
    return page.locator("#entries-filter")


def pasted(page) -> str:
    """What is in the clipboard, pasted into a field."""
    page.evaluate("document.body.append(document.createElement('input'))")
    field = page.locator("body > input")
    field.press("Control+V")
    return field.input_value()


def button(page, id: str, name: str):
    return page.locator(f"#{id}").get_by_role("button", name=name, exact=True)


def mark(page, id: str):
    """The mark of a result, which opens the rest."""
    return page.locator(f"#{id} > details > summary")


def copying(page, id: str, name: str):
    """A button of the row that copies; the mark is opened first."""
    if not is_open(page, id):
        mark(page, id).click()
    return button(page, id, name)


def is_open(page, id: str) -> bool:
    return page.locator(f"#{id} > details").evaluate("e => e.open")


# ---- The filter


def test_the_filter_shows_what_is_chosen_and_the_address_keeps_it(page_at):
    page = page_at()
    page.goto(PAGE)
    everything = in_order(results())
    assert shown(page) == everything
    form(page).get_by_label("certified").check()
    assert shown(page) == in_order(CERTIFIED)
    form(page).get_by_label("Chapter").select_option("tanh-constant")
    form(page).get_by_label(WORDS).fill("  Cubic best ")
    chosen = ["tanh-pinned-cubic", "tanh-gelu-cubic", "tanh-free-cubic"]
    assert shown(page) == chosen
    says(page, "#entries-shown", f"3 of {len(everything)} results.")
    assert page.url.endswith("?status=certified&chapter=tanh-constant&text=Cubic%20best")
    page.goto(page.url)
    assert shown(page) == chosen
    form(page).get_by_role("button").click()
    page.wait_for_function("!document.querySelector('.result-row[hidden]')")
    assert page.url.endswith(PAGE)


def test_a_result_is_found_by_its_number_its_status_and_its_statement(page_at):
    page = page_at()
    page.goto(PAGE)
    for asked, found in (
        ("1.7017449", "logistic-scale"),
        ("0.044715", "tanh-pinned-cubic"),  # whose digits are rounded to it
        ("certified error", "tanh-pinned-error"),
        ("gap 1.702", "tanh-sigmoid-gap"),
        ("sinh", "logistic-order"),
    ):
        form(page).get_by_label(WORDS).fill(asked)
        assert found in shown(page) and len(shown(page)) < len(CERTIFIED), asked


def test_the_filter_moves_nothing_when_its_script_arrives(page_at):
    page = page_at(alone=True)
    page.goto(PAGE)
    assert page_checks.shifts(page, 0.02) == []


def test_the_fields_of_the_filter_and_their_labels_stand_in_rows(page_at):
    page = page_at(1280)
    page.goto("book/claims.html")
    edges = "all => all.map(e => [e.getBoundingClientRect().top, e.getBoundingClientRect().bottom])"
    labels = form(page).locator(".entries-fields label").evaluate_all(edges)
    fields = form(page).locator(".entries-fields :is(select, input, button)").evaluate_all(edges)
    assert len(labels) == 2 and labels[0] == labels[1]
    assert len(fields) == 3 and fields[0] == fields[1] == fields[2]


def test_what_no_result_has_is_looked_for_in_the_book(page_at):
    page = page_at(360)
    page.goto(PAGE)
    form(page).get_by_label(WORDS).fill(" 0.17 & more")
    says(
        page, "#entries-shown", f"0 of {len(results())} results. Search the book for “0.17 & more”."
    )
    page.locator("#entries-shown a").click()
    page.wait_for_url("**/search.html?q=0.17%20%26%20more")


def test_a_number_that_the_address_names_is_shown_though_the_filter_hides_it(page_at):
    page = page_at(360)
    page.goto(f"{PAGE}?status=proof#page-cubic")
    assert {result(id).status for id in shown(page)} == {"proof", "historical"}
    in_view(page, "page-cubic")
    appears(page.locator("#entries-shown", has_text="Also page-cubic"))
    page.evaluate("location.hash = 'su-b'")
    page.wait_for_function("document.getElementById('page-cubic').hidden")
    in_view(page, "su-b")


SHORT, FILTERED = "results.html", f"{PAGE}?status=proof"
LEADS = [
    (place, id, box)
    for place in (SHORT, PAGE, FILTERED)
    for id, box in (("tanh-free-cubic", OTHER), ("page-cubic", PAGE))
]


@pytest.mark.parametrize(
    ("place", "id", "box"), slow_but(lambda lead: (lead[0], lead[2]) == (SHORT, OTHER), LEADS)
)
def test_the_address_of_a_result_leads_to_its_box(page_at, place, id, box):
    page = page_at()
    page.goto(f"{place}#{id}")
    page.wait_for_url(re.compile(rf"{box}(\?status=proof)?#{id}$"))
    in_view(page, id)
    assert "result-box" in page.locator(f"#{id}").get_attribute("class")


def test_the_short_address_of_the_page_keeps_the_filter_and_the_counts_say_what_is_left(page_at):
    page = page_at()
    page.goto("results.html?chapter=tanh-constant")
    page.wait_for_url("**/book/results.html?chapter=tanh-constant")
    assert shown(page) == CHAPTER
    certified = sum(result(id).status == "certified" for id in CHAPTER)
    for name in (f"certified ({certified})", "historical (0)"):
        appears(form(page).get_by_role("checkbox", name=name, exact=True))
    chosen = form(page).get_by_label("Chapter").locator("option:checked")
    assert chosen.inner_text() == f"The tanh constant ({len(CHAPTER)})"


def test_the_page_works_from_the_file_system(page_at, site):
    page = page_at()
    page.goto(f"{site.as_uri()}/{PAGE}")
    form(page).get_by_label(WORDS).fill("tanh-free-cubic")
    assert shown(page) == ["tanh-free-cubic"]
    page.locator("#tanh-free-cubic a").click()
    copying(page, "tanh-free-cubic", "10 digits").click()
    copied(page, "tanh-free-cubic, 10 digits")
    assert pasted(page) == "0.07056409657"


# ---- Copying


# A site that has a public address says it in each page.
CANONICAL = """document.head.append(Object.assign(document.createElement("link"), {
    rel: "canonical", href: "https://example.org/gelu/book/tanh-constant.html"}))"""


def test_a_click_copies_each_form_of_a_result(page_at, address):
    page = page_at()
    may_copy(page)
    page.goto(OTHER)
    id = "tanh-pinned-cubic"
    entry = result(id)
    wanted = {
        "link": (f"link to {id}", f"{address}results.html#{id}"),
        "TeX": (f"TeX of {id}", entry.statement),
        "BibTeX": (f"BibTeX of {id}", bibtex(entry)),
        "10 digits": (f"{id}, 10 digits", "0.04471491123"),
        "20 digits": (f"{id}, 20 digits", "0.044714911227632494956"),
        "50 digits": (f"{id}, 50 digits", entry.value),
    }
    for name, (what, text) in wanted.items():
        copying(page, id, name).click()
        copied(page, what)
        assert clipboard(page) == text
    page.evaluate('document.querySelectorAll("link[rel=canonical]").forEach(link => link.remove())')
    page.evaluate(CANONICAL)
    copying(page, id, "link").click()
    copied(page, f"link to {id}")
    assert clipboard(page) == f"https://example.org/gelu/results.html#{id}"


def test_the_keyboard_copies_and_keeps_its_place(page_at):
    page = page_at(360)
    may_copy(page)
    page.goto(OTHER)
    mark(page, "tanh-pinned-cubic").focus()
    page.keyboard.press("Enter")
    assert is_open(page, "tanh-pinned-cubic")
    appears(button(page, "tanh-pinned-cubic", "TeX"))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    copied(page, "TeX of tanh-pinned-cubic")
    assert clipboard(page) == result("tanh-pinned-cubic").statement
    assert has_focus(button(page, "tanh-pinned-cubic", "TeX"))


def test_each_of_several_numbers_can_be_copied(page_at):
    page = page_at()
    may_copy(page)
    page.goto(f"book/{result(SEVERAL).page}.html#{SEVERAL}")
    numbers = result(SEVERAL).numbers
    group = page.locator(f"#{SEVERAL}").get_by_role("group", name="Copy p1", exact=True)
    group.get_by_role("button", name="50 digits").click()
    copied(page, "p1, 50 digits")
    assert clipboard(page) == numbers["p1"]


CONSTANTS, PASTED = "book/kernel.html", "#constants-to-paste td code"


COPY_ALL = """async buttons => {
  const taken = [];
  navigator.clipboard.writeText = async text => { taken.push(text); };
  for (const button of buttons) button.click();
  await new Promise(done => setTimeout(done));
  return taken;
}"""


def test_each_constant_to_paste_has_a_button_that_copies_it(page_at):
    page = page_at(alone=True)
    page.goto(CONSTANTS)
    literals = page.locator(PASTED).all_inner_texts()
    buttons = page.locator(f"{PASTED} + button")
    names = buttons.evaluate_all("all => all.map(button => button.ariaLabel)")
    assert len(literals) > 100 and names == [f"Copy {literal}" for literal in literals]
    assert buttons.evaluate_all(COPY_ALL) == literals


NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


def test_without_a_clipboard_an_old_command_copies_or_the_text_is_selected(page_at):
    page = page_at()
    page.goto(OTHER)
    page.evaluate(NO_CLIPBOARD)
    copying(page, "tanh-pinned-cubic", "10 digits").click()
    copied(page, "tanh-pinned-cubic, 10 digits")
    assert page.locator("textarea").count() == 0
    assert pasted(page) == "0.04471491123"
    page.evaluate("document.execCommand = () => false")
    copying(page, "tanh-pinned-cubic", "20 digits").click()
    note = page.locator(NOTE, has_text="does not let the page copy")
    appears(note)
    assert has_focus(note.get_by_label("Text to copy"))
    assert page.evaluate("getSelection().toString()") == "0.044714911227632494956"


# ---- A box: a mark, what stands beside it, and what opens


def test_a_result_is_a_mark_beside_its_statement_unless_the_page_derives_it(page_at):
    page = page_at(1440)
    page.goto("book/gelu.html")
    page.evaluate("document.querySelector('details:has(#relu-distance)').open = true")
    assert not page.locator("#gelu-erf .katex-display").is_visible()
    assert page.locator("#relu-distance .katex-display").is_visible()
    assert "≈ 0.16997121" in mark(page, "relu-distance").inner_text()
    assert "≈ 0.84134475" in mark(page, "phi-at-1").inner_text()
    assert page.locator("#phi-at-1").bounding_box()["height"] < 40


STEPS = "#equation-phi-tail-above ~ details.steps"


def test_a_derivation_opens_the_steps_that_were_checked_by_keyboard(page_at):
    page = page_at(390, java_script_enabled=False)
    page.goto("book/left-tail.html")
    line = page.locator(f"{STEPS} > summary")
    assert line.inner_text() == "phi-tail-above · the steps as they were checked"
    program = page.locator(f"{STEPS} pre")
    assert not program.is_visible()
    line.focus()
    page.keyboard.press("Enter")
    appears(program)
    assert program.inner_text().strip() == derivation("phi-tail-above").source.strip()
    assert page.locator(f"{STEPS} pre .nd").count()  # its words have colours


def test_the_box_that_the_address_names_opens_and_is_marked(page_at):
    page = page_at(360)
    page.goto("book/gelu.html#gelu-scaling")
    colour = "e => getComputedStyle(e).boxShadow"
    assert is_open(page, "gelu-scaling") and not is_open(page, "gelu-erf")
    assert page.locator("#gelu-scaling").evaluate(colour) != "none"
    assert page.locator("#gelu-erf").evaluate(colour) == "none"
    page.evaluate("location.hash = 'gelu-erf'")
    page.wait_for_function("document.querySelector('#gelu-erf > details').open")
    in_view(page, "gelu-erf")


def test_what_is_folded_is_shown_on_paper_and_where_the_address_names_it(page_at):
    page = page_at()
    page.goto(FOLDING)
    folded = page.locator(f"#{FOLDED} .exact")
    seen = "e => e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})"
    assert not folded.evaluate(seen)
    page.emulate_media(media="print")
    assert folded.evaluate(seen) and folded.bounding_box()["height"] > 0
    assert not page.locator(f"#{FOLDED} .result-menu").is_visible()
    page.emulate_media(media="screen")
    page.evaluate(f"location.hash = '{FOLDED}'")
    page.wait_for_function(f"document.querySelector('#{FOLDED} > details').open")
    assert page.locator(f"#{FOLDED} .bibtex").is_visible()
    in_view(page, FOLDED)


# ---- Without JavaScript, and equations


def test_without_javascript_everything_can_be_read(page_at):
    page = page_at(java_script_enabled=False)
    page.goto(CONSTANTS)
    assert (
        page.locator(PASTED).count() > 100
        and not page.locator(f"{PASTED} + *:not(br, code)").count()
    )
    page.goto("results.html#tanh-pinned-cubic")
    page.locator("#tanh-pinned-cubic a").click()
    page.wait_for_url(f"**/{OTHER}#tanh-pinned-cubic")
    box = page.locator("#tanh-pinned-cubic")
    assert box.get_by_role("button").count() == 0
    mark(page, "tanh-pinned-cubic").click()
    appears(box.get_by_role("link", name="results.html#tanh-pinned-cubic"))
    appears(box.get_by_text("{gelubook:tanh-pinned-cubic"))
    appears(box.get_by_text(result("tanh-pinned-cubic").value, exact=True))
    page.goto(f"{PAGE}#tanh-pinned-cubic")
    assert not page.locator("#entries-filter").is_visible()
    leads = page.locator("#tanh-pinned-cubic a").get_attribute("href")
    assert leads == "tanh-constant.html#tanh-pinned-cubic"
