"""The site as a reader uses it: by mouse and by keyboard, from a file, without JavaScript."""

import re
import time

import browser
import page_checks
import pytest
from kinds import slow_but
from page_loads import chapters, turn

pytestmark = pytest.mark.browser

PHONE, DESK = 360, 1440
FIRST = "book/index.html"
MATHEMATICAL = "book/gelu.html"


def focused(page) -> str:
    """What has the focus: its text or label, on one line; empty if nothing that is seen."""
    return page.evaluate("""() => {
      document.getAnimations().forEach(animation => animation.finish());
      const e = document.activeElement, box = e.getBoundingClientRect();
      const seen = e !== document.body && e.checkVisibility({visibilityProperty: true})
        && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
      const words = e.ariaLabel || e.labels?.[0]?.innerText || e.innerText || e.tagName;
      return seen ? words.trim().replace(/\\s+/g, " ") : "";
    }""")


def tab_to(page, words: str, most: int = 60) -> list[str]:
    """Press Tab until what has the focus begins with the words; return what had it on the way."""
    passed = []
    for _ in range(most):
        page.keyboard.press("Tab")
        passed.append(focused(page))
        if passed[-1].startswith(words):
            return passed
    raise AssertionError(f"Tab does not reach {words!r}: {passed}")


def arrives(page, address: str) -> None:
    """Wait until a page is left for another, whatever that loads: other tests look at it whole."""
    page.wait_for_url(f"**/{address}", wait_until="commit")


# ---- The keyboard ----


def test_the_first_tab_offers_to_skip_to_the_text(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    assert tab_to(page, "Skip to the text", most=1)
    page.keyboard.press("Enter")
    page.wait_for_url("**#main-content")
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('main')")


def test_tab_reaches_the_search_every_chapter_and_the_colours_and_all_are_seen(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    passed = tab_to(page, "GELU") + tab_to(page, "Chapters")
    page.keyboard.press("Enter")
    passed += tab_to(page, "Search this book") + tab_to(page, "1 What GELU is")
    passed += tab_to(page, "Bibliography") + tab_to(page, "Dark colours")
    assert "" not in passed
    assert len(passed) >= len(chapters())


def test_a_link_of_the_menu_is_marked_while_it_has_the_focus_and_enter_follows_it(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    tab_to(page, "Chapters")
    page.keyboard.press("Enter")
    tab_to(page, "1 What GELU is")
    marked = """e => { const s = getComputedStyle(e);
      return s.outlineStyle + s.outlineWidth + s.boxShadow + s.textDecorationLine; }"""
    link = page.locator("#book-menu").get_by_role("link", name="1 What GELU is", exact=True)
    with_focus = link.evaluate(marked)
    link.evaluate("e => e.blur()")
    assert link.evaluate(marked) != with_focus
    link.focus()
    page.keyboard.press("Enter")
    arrives(page, "book/gelu.html")


def test_the_chapters_open_and_close_on_a_phone(page_at):
    page = page_at(PHONE)
    page.goto(FIRST)
    menu = page.locator("#book-menu")
    chapter = menu.get_by_role("link", name="The tanh constant", include_hidden=True).first
    assert not chapter.is_visible()
    tab_to(page, "Chapters")
    page.keyboard.press("Enter")
    chapter.wait_for(state="visible")
    tab_to(page, "11 The tanh constant")
    page.keyboard.press("Escape")
    chapter.wait_for(state="hidden")
    page.get_by_role("button", name="Chapters").click()
    chapter.click()
    arrives(page, "book/tanh-constant.html")


def test_the_sections_open_on_a_phone_and_close_when_one_is_chosen(page_at):
    page = page_at(PHONE)
    page.goto(MATHEMATICAL)
    page.get_by_role("button", name="Sections").click()
    section = page.locator("#page-menu").get_by_role("link", name="The definition", exact=True)
    section.click()
    section.wait_for(state="hidden")
    assert page.url.endswith("#the-definition")


def test_the_search_is_asked_on_a_phone_by_mouse(page_at):
    page = page_at(PHONE, "dark")
    page.goto(FIRST)
    page.get_by_role("button", name="Chapters").click()
    page.get_by_label("Search this book").fill("0.044715")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=0.044715")
    page.locator("#search-results a").first.click()
    arrives(page, "book/tanh-constant.html")


# ---- The colours ----

SHOWN = "document.documentElement.dataset.theme"


@pytest.mark.parametrize("system", slow_but(lambda theme: theme == "light", browser.THEMES))
def test_the_colours_are_the_systems_until_the_reader_chooses(page_at, system):
    page = page_at(DESK, system)
    page.goto(FIRST)
    other = next(theme for theme in browser.THEMES if theme != system)
    for theme in (other, system):
        turn(page, theme)
    page.get_by_role("button", name="Dark colours", pressed=system == "dark").click()
    assert page.evaluate(SHOWN) == other
    page.goto("book/cite.html")
    assert page.evaluate(SHOWN) == other
    assert page.get_by_role("button", name="Dark colours", pressed=other == "dark").is_visible()


# ---- Magic numbers ----


@pytest.mark.parametrize("width", slow_but(lambda width: width == PHONE, [PHONE, DESK]))
def test_a_number_is_looked_up_by_mouse(page_at, width):
    page = page_at(width, "dark")
    page.goto("book/magic-numbers.html")
    page.get_by_label("A number from a program").fill("0.044715")
    page.get_by_role("button", name="Look up").click()
    answer = page.get_by_role("status")
    answer.get_by_text("best cubic coefficient").first.wait_for()
    assert page_checks.sideways(page) == page_checks.axe_rules(page) == []


def test_a_number_is_looked_up_by_keyboard_in_a_file(page_at, site):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/book/magic-numbers.html")
    page.get_by_label("A number from a program").focus()
    page.keyboard.type("1.702")
    page.keyboard.press("Enter")
    answer = page.get_by_role("status")
    answer.get_by_text("1.702").first.wait_for()
    page.get_by_label("A number from a program").fill("no number")
    tab_to(page, "Look up", most=1)
    page.keyboard.press("Enter")
    answer.get_by_text(re.compile("Accepted|accepted")).wait_for()


def test_code_is_copied(page_at):
    page = page_at(DESK)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("book/which-one.html")
    block = page.locator("div.highlight:has(button.copybtn)").filter(visible=True).first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == block.locator("pre").inner_text().strip() != ""


# ---- Where the site stands ----

PLACES = [FIRST, MATHEMATICAL, "book/magic-numbers.html", "book/results.html"]


@pytest.mark.parametrize("name", slow_but(lambda name: name == MATHEMATICAL, PLACES))
def test_a_page_is_sound_when_it_is_opened_from_a_file(page_at, site, name):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/{name}")
    assert page_checks.mathematics(page) + page_checks.figures(page) == []


def test_a_page_is_sound_at_the_root_of_a_server(chromium, site):
    with browser.serving(site, "/") as base:
        context = chromium.new_context()
        page = context.new_page()
        found = browser.watch(page, (base,))
        page.goto(base + MATHEMATICAL)
        found += page_checks.mathematics(page) + page_checks.figures(page)
        context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("source", slow_but(lambda source: source == "file", ["served", "file"]))
def test_short_addresses_lead_to_their_pages(page_at, site, source):
    page = page_at(DESK)
    base = "" if source == "served" else site.as_uri() + "/"
    page.goto(base + "index.html")
    arrives(page, "book/index.html")
    page.goto(base + "results.html#gelu-erf")
    arrives(page, "book/gelu.html#gelu-erf")


# ---- On a slow line, and without scripts ----


FONTS_ASKED_FOR = """() => performance.getEntriesByType("resource")
  .filter(entry => /woff2/.test(entry.name))
  .map(entry => [entry.name, entry.initiatorType])"""


def late(route):
    """Answer a request later than the page is drawn."""
    time.sleep(0.2)
    route.continue_()


# The ordinary run asks the same of every page on the phone, where nothing comes late.
@pytest.mark.parametrize("width", slow_but(lambda width: width == PHONE, [PHONE, DESK]))
@pytest.mark.parametrize(
    "name", slow_but(lambda name: name == MATHEMATICAL, [MATHEMATICAL, "book/tanh-constant.html"])
)
def test_the_text_does_not_move_when_fonts_come_late_though_asked_for_at_once_and_once(
    page_at, name, width
):
    page = page_at(width, alone=True)
    page.route(re.compile(r"\.(woff2|svg)(\?|$)"), late)
    page.goto(name)
    assert page_checks.shifts(page, limit=0) + page_checks.mathematics(page) == []
    fonts = page.evaluate(FONTS_ASKED_FOR)
    assert [how for _, how in fonts][:2] == ["link", "link"]
    assert len({name for name, _ in fonts}) == len(fonts)


def test_without_scripts_the_text_the_formulas_and_the_navigation_stand(page_at):
    page = page_at(DESK, java_script_enabled=False)
    page.goto("book/magic-numbers.html")
    told = page.locator("main noscript")
    assert told.is_visible() and "The search box needs JavaScript" in told.inner_text()
    assert not page.locator("#number-search").is_visible()
    assert not page.locator("#mode").is_visible()
    page.get_by_role("button", name="Chapters").click()
    page.get_by_role("link", name="1 What GELU is", exact=True).click()
    formula = page.locator(".math .katex-html").first.bounding_box()
    assert formula["width"] > 5 and formula["height"] > 5
