"""Results and claims in a browser: the filters, the copy buttons, the address, no JavaScript."""

import json
import re
import tomllib
from pathlib import Path

import page_checks
import pytest
import yaml
from citation import bibtex
from kinds import slow_but
from walks import Walk, walks

from gelu_lib.derivations.identities.catalogue import derivation
from gelu_lib.register import result, results

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PAGE, OTHER = "book/results.html", "book/tanh-constant.html"
CHAPTER = [entry.id for entry in results().values() if entry.page == "tanh-constant"]
CERTIFIED = [entry.id for entry in results().values() if entry.status == "certified"]
MAIN = tomllib.loads((ROOT / "book" / "main-results.toml").read_text("utf-8"))["main"]
CUBIC = "tanh-pinned-cubic"
WORDS = '#entries-filter >> role=searchbox[name="ID, title, statement or number"]'
NOTE = ".copy-note[role=status]"  # where the page says that something was copied


def in_order(ids) -> list[str]:
    """The IDs as the page has them: the main ones, by chapter, then what others printed."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    order = [c["file"].removeprefix("book/") for part in toc["parts"] for c in part["chapters"]]
    places = {id: (result(id).status == "historical", order.index(result(id).page)) for id in ids}
    others = [id for id in ids if id not in MAIN]
    return [*(id for id in MAIN if id in ids), *sorted(others, key=places.get)]


CLIPBOARD = "navigator.clipboard.readText()"
# A site that has a public address says it in each page.
PUBLIC = """() => {
  for (const link of document.querySelectorAll("link[rel=canonical]")) link.remove();
  document.head.append(Object.assign(document.createElement("link"), {
    rel: "canonical", href: "https://example.org/gelu/book/tanh-constant.html"}));
}"""
NAMES = """
const all = selector => [...document.querySelectorAll(selector)];
const shown = () => all(":is(.result-row, .result-box):not([hidden])").map(box => box.id);
const kinds = () => [...new Set(shown().map(id => $(`#${id} .status`).textContent))]
  .sort().join(", ");
const inView = id => at(`#${id}`).bottom > 0 && at(`#${id}`).top < innerHeight;
const rows = selector => new Set(all(`.entries-fields ${selector}`)
  .map(e => `${e.getBoundingClientRect().top} ${e.getBoundingClientRect().bottom}`)).size;
const isRead = selector => $(selector).checkVisibility(
  {contentVisibilityAuto: true, visibilityProperty: true});
"""
WALKS = """
# the fields of the filter and their labels stand in rows
window 1280
open book/claims.html | .entries-fields label × 2 | {rows("label")} = 1
| .entries-fields :is(select, input, button) × 3 | {rows(":is(select, input, button)")} = 1

# what no result has is looked for in the book
open book/results.html
fill WORDS =  0.17 & more
| #entries-shown = 0 of ALL results. Search the book for “0.17 & more”.
click #entries-shown a
wait url = ...search.html?q=0.17%20%26%20more

# what the address names is shown though the filter hides it
open book/results.html?status=proof#page-cubic | #entries-shown = ...Also page-cubic...
| {inView("page-cubic")} = true | {kinds()} = historical, proof
run location.hash = "su-b"
wait {$("#page-cubic").hidden && inView("su-b")} = true

# the main results are read at once, the others are a click away, and a word searches them all
open book/results.html
| {isRead("#tanh-pinned-cubic")} = true | {isRead("#tanh-pinned-error")} = true
| {isRead("#gelu-reflection")} = false | #entries-shown = ALL results, the main ones first.
click article details > summary:has-text("others, by chapter")
wait {isRead("#gelu-reflection")} = true
reload | {isRead("#gelu-reflection")} = false
fill WORDS = gelu-reflection
wait {isRead("#gelu-reflection")} = true
| {$("#main-results").hidden} = true
fill WORDS = gelu-erf | {$("details:has(#gelu-reflection)").hidden} = true
click #entries-filter button[type=reset]
wait {isRead("#gelu-reflection")} = true | #entries-shown = All ALL results.

# a number can be copied from the file system, and pasted
open SITE/book/results.html
fill WORDS = tanh-free-cubic | {shown()} = ["tanh-free-cubic"]
click #tanh-free-cubic a
wait {document.readyState + Boolean($("#tanh-free-cubic > details")?.open)} = completetrue
click #tanh-free-cubic >> role=button[name="10 digits"]
wait NOTE = Copied: tanh-free-cubic, 10 digits
run document.body.append(document.createElement("input"))
focus body > input
press Control+V | body > input = 0.07056409657

# the keyboard copies and keeps its place
window 360
open book/tanh-constant.html
focus #tanh-pinned-cubic > details > summary
press Enter | {$("#tanh-pinned-cubic > details").open} = true
press Tab 2
press Enter
wait NOTE = Copied: TeX of tanh-pinned-cubic
rest 1 | {navigator.clipboard.readText()} = STATEMENT
| {document.activeElement.textContent} = TeX

# each of several numbers can be copied
open book/your-own.html#bfloat16-best-pair
click #bfloat16-best-pair >> role=group[name="Copy p1"] >> text="50 digits"
wait NOTE = Copied: p1, 50 digits
rest 1 | {navigator.clipboard.readText()} = SEVERAL

# without a clipboard an old command copies, or the text is selected
open book/tanh-constant.html
run Object.defineProperty(navigator, "clipboard", {value: undefined})
click #tanh-pinned-cubic > details > summary
click #tanh-pinned-cubic >> role=button[name="10 digits"]
wait NOTE = Copied: tanh-pinned-cubic, 10 digits
run document.body.append(document.createElement("input"))
focus body > input | textarea × 0
press Control+V | body > input = 0.04471491123
run document.execCommand = () => false
click #tanh-pinned-cubic >> role=button[name="20 digits"]
wait NOTE = ...does not let the page copy...
rest 1 | {document.activeElement.ariaLabel} = Text to copy
| {getSelection().toString()} = 0.044714911227632494956

# a result is a mark beside its statement unless the page derives it
open book/gelu.html
run $("details:has(#relu-distance)").open = true
| #gelu-erf .katex-display hidden | #relu-distance .katex-display seen
| #relu-distance > details > summary = ...≈ 0.16997121...
| #phi-at-1 > details > summary = ...≈ 0.84134475... | {at("#phi-at-1").height < 40} = true

# the box that the address names opens and is marked
window 360
open book/gelu.html#gelu-scaling | {$("#gelu-scaling > details").open} = true
| {$("#gelu-erf > details").open} = false
| {getComputedStyle($("#gelu-scaling")).boxShadow !== "none"} = true
| {getComputedStyle($("#gelu-erf")).boxShadow} = none
run location.hash = "gelu-erf"
wait {$("#gelu-erf > details").open && inView("gelu-erf")} = true

# what is folded is shown on paper and where the address names it
open book/taylor.html | {isRead("#taylor-nonic-error .exact")} = false
media print | {isRead("#taylor-nonic-error .exact")} = true
| #taylor-nonic-error .result-menu hidden
| {at("#taylor-nonic-error .exact").height > 0} = true
media screen
run location.hash = "taylor-nonic-error"
wait {$("#taylor-nonic-error > details").open && inView("taylor-nonic-error")} = true
rest 1 | #taylor-nonic-error .bibtex seen
"""


@pytest.mark.parametrize("rows", walks(WALKS))
def test_what_a_reader_does_is_answered(page_at, site, rows):
    known = {"WORDS": WORDS, "NOTE": NOTE, "ALL": str(len(results())), "SITE": site.as_uri()}
    known["STATEMENT"] = result(CUBIC).statement
    known["SEVERAL"] = result("bfloat16-best-pair").numbers["p1"]
    for name, text in known.items():
        rows = rows.replace(name, text)
    walking(page_at()).go(rows)


def walking(page) -> Walk:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return Walk(page, NAMES)


def shown(walk: Walk) -> list[str]:
    """The IDs of the entries that are not hidden."""
    return json.loads(walk.read("{shown()}"))


def test_the_filter_shows_what_is_chosen_and_the_address_keeps_it(page_at):
    walk = Walk(page_at(), NAMES)
    walk.go(f"open {PAGE}")
    assert shown(walk) == in_order(results())
    walk.go('check role=checkbox[name^="certified"]')
    assert shown(walk) == in_order(CERTIFIED)
    walk.go(f"""select_option role=combobox[name="Chapter"] = tanh-constant
        fill {WORDS} =   Cubic best
        | #entries-shown = 3 of {len(results())} results. Search the book for “Cubic best”.
        | {{shown()}} = ["tanh-pinned-cubic", "tanh-gelu-cubic", "tanh-free-cubic"]
        | {{location.search}} = ?status=certified&chapter=tanh-constant&text=Cubic%20best
        reload | {{shown().length}} = 3
        click #entries-filter button[type=reset]
        wait {{location.search}} =""")
    assert shown(walk) == in_order(results())


@pytest.mark.parametrize(
    ("asked", "id"),
    [
        ("1.7017449", "logistic-scale"),
        ("0.044715", CUBIC),  # whose digits are rounded to it
        ("certified error", "tanh-pinned-error"),
        ("gap 1.702", "tanh-sigmoid-gap"),
        ("sinh", "logistic-order"),
    ],
)
def test_a_result_is_found_by_its_number_its_status_and_its_statement(page_at, asked, id):
    walk = Walk(page_at(), NAMES)
    walk.go(f"open {PAGE}\nfill {WORDS} = {asked}")
    assert id in shown(walk) and len(shown(walk)) < len(CERTIFIED)


def test_the_short_address_of_the_page_keeps_the_filter_and_the_counts_say_what_is_left(page_at):
    walk, certified = Walk(page_at(), NAMES), sum(id in CERTIFIED for id in CHAPTER)
    walk.page.goto("results.html?chapter=tanh-constant")
    walk.page.wait_for_url("**/book/results.html?chapter=tanh-constant")
    walk.go(f"""rest 1 | role=checkbox[name="certified ({certified})"] × 1
        | role=checkbox[name="historical (0)"] × 1
        | #entries-filter option:checked = The tanh constant ({len(CHAPTER)})""")
    assert shown(walk) == CHAPTER


def test_the_filter_moves_nothing_when_its_script_arrives(page_at):
    page = page_at(alone=True)
    page.goto(PAGE)
    assert page_checks.shifts(page, 0.02) == []


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
    Walk(page, NAMES).go(f"""rest 1 | #{id}@class = ...result-box...
        wait {{inView("{id}")}} = true""")


# ---- Copying


def test_a_click_copies_each_form_of_a_result(page_at, address):
    entry, page = result(CUBIC), page_at()
    wanted = {
        "link": (f"link to {CUBIC}", f"{address}results.html#{CUBIC}"),
        "TeX": (f"TeX of {CUBIC}", entry.statement),
        "BibTeX": (f"BibTeX of {CUBIC}", bibtex(entry)),
        "10 digits": (f"{CUBIC}, 10 digits", "0.04471491123"),
        "20 digits": (f"{CUBIC}, 20 digits", "0.044714911227632494956"),
        "50 digits": (f"{CUBIC}, 50 digits", entry.value),
    }
    walk = walking(page)
    walk.go(f"open {OTHER}\nclick #{CUBIC} > details > summary")
    click = f'click #{CUBIC} >> role=button[name="{{}}"]\nwait {NOTE} = Copied: {{}}'.format
    for name, (what, text) in wanted.items():
        walk.go(click(name, what))
        assert page.evaluate(CLIPBOARD) == text
    page.evaluate(PUBLIC)
    walk.go(click("link", wanted["link"][0]))
    assert page.evaluate(CLIPBOARD) == f"https://example.org/gelu/results.html#{CUBIC}"


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
    program.wait_for()
    assert program.inner_text().strip() == derivation("phi-tail-above").source.strip()
    assert page.locator(f"{STEPS} pre .nd").count()  # its words have colours


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
    box.locator("> details > summary").click()
    box.get_by_role("link", name=f"results.html#{CUBIC}").wait_for()
    box.get_by_text(f"{{gelubook:{CUBIC}").wait_for()
    box.get_by_text(result(CUBIC).value, exact=True).wait_for()
    page.goto(f"{PAGE}#tanh-pinned-cubic")
    assert not page.locator("#entries-filter").is_visible()
    leads = page.locator("#tanh-pinned-cubic a").get_attribute("href")
    assert leads == "tanh-constant.html#tanh-pinned-cubic"
