"""The site as a reader uses it: by mouse and by keyboard, from a file, without JavaScript."""

import re
import time

import browser
import page_checks
import pytest

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
      const words = e.ariaLabel || e.innerText || e.title || e.placeholder || e.tagName;
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


# ---- The keyboard ----


def test_the_first_tab_offers_to_skip_to_the_text(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    assert tab_to(page, "Skip to main content", most=1)
    page.keyboard.press("Enter")
    assert page.url.endswith("#main-content")
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('main')")


def test_tab_reaches_every_chapter_and_all_that_has_the_focus_is_seen(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    passed = tab_to(page, "Bibliography")
    assert "" not in passed
    for words in ("Search", "What GELU is", "Every claim, checked"):
        assert [place for place in passed if place.startswith(words)], words
    tab_to(page, "Color mode")


def test_what_has_the_focus_is_marked(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    tab_to(page, "What GELU is")
    marked = """e => { const s = getComputedStyle(e);
      return s.outlineStyle + s.outlineWidth + s.boxShadow + s.textDecorationLine; }"""
    link = page.get_by_role("link", name="What GELU is", exact=True).first
    with_focus = link.evaluate(marked)
    link.evaluate("e => e.blur()")
    assert link.evaluate(marked) != with_focus


def test_enter_follows_a_link_of_the_navigation(page_at):
    page = page_at(DESK)
    page.goto(FIRST)
    tab_to(page, "What GELU is")
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/gelu.html")


def test_the_navigation_opens_and_closes_on_a_phone(page_at):
    page = page_at(PHONE)
    page.goto(FIRST)
    chapter = page.get_by_role("link", name="The tanh constant", exact=True).first
    assert not chapter.is_visible()
    tab_to(page, "Toggle primary sidebar")
    page.keyboard.press("Enter")
    chapter.wait_for(state="visible")
    tab_to(page, "The tanh constant")
    page.keyboard.press("Escape")
    chapter.wait_for(state="hidden")
    page.get_by_label("Toggle primary sidebar").click()
    chapter.click()
    page.wait_for_url("**/book/tanh-constant.html")


# ---- The theme ----


@pytest.mark.parametrize("system", browser.THEMES)
def test_the_theme_follows_the_system_until_the_reader_chooses(page_at, system):
    page = page_at(DESK, system)
    page.goto(FIRST)
    shown = "document.documentElement.dataset.theme"
    assert page.evaluate(shown) == system
    button = page.get_by_role("button", name="Color mode")
    chosen = set()
    for press in (button.click, lambda: button.press("Enter"), lambda: button.press("Space")):
        press()
        chosen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert chosen == {"auto", "light", "dark"}
    while page.evaluate(shown) == system:
        button.click()
    other = page.evaluate(shown)
    page.goto(MATHEMATICAL)
    assert page.evaluate(shown) == other != system


# ---- The search ----

FINDS = {
    "0.044715": {"The tanh constant", "Where the constants come from"},
    "alternation": {"What best means"},
}


def found_titles(page) -> set[str]:
    """The titles of the pages that a search shows, once it is done."""
    page.get_by_text(re.compile("Search finished, found")).wait_for()
    return set(page.locator("#search-results li > a").all_inner_texts())


@pytest.mark.parametrize("query", FINDS)
def test_the_search_finds(page_at, query):
    page = page_at(DESK)
    page.goto(f"search.html?q={query}")
    assert found_titles(page) >= FINDS[query]


def test_the_search_is_used_by_keyboard(page_at):
    page = page_at(DESK)
    page.goto(MATHEMATICAL)
    tab_to(page, "Search")
    page.keyboard.press("Enter")
    page.keyboard.type("alternation")
    page.keyboard.press("Enter")
    assert "What best means" in found_titles(page)


def test_the_search_is_used_by_mouse_on_a_phone(page_at):
    page = page_at(PHONE, "dark")
    page.goto(MATHEMATICAL)
    page.get_by_role("button", name="Search").first.click()
    page.get_by_placeholder("Search this book").first.fill("alternation")
    page.keyboard.press("Enter")
    found = found_titles(page)
    assert "What best means" in found
    page.get_by_role("link", name="What best means").last.click()
    page.wait_for_url("**/book/minimax.html*")


# ---- Magic numbers ----


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_number_is_looked_up_by_mouse(page_at, width):
    page = page_at(width, "dark")
    page.goto("book/magic-numbers.html")
    page.get_by_label("A number from a program").fill("0.044715")
    page.get_by_role("button", name="Look up").click()
    answer = page.get_by_role("status")
    answer.get_by_text("best cubic coefficient").first.wait_for()
    assert page_checks.sideways(page) == page_checks.axe_rules(page) == []


def test_a_number_is_looked_up_by_keyboard(page_at):
    page = page_at(DESK)
    page.goto("book/magic-numbers.html")
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
    page = page_at(DESK, permissions=["clipboard-read", "clipboard-write"])
    page.goto("book/which-one.html")
    block = page.locator("div.highlight:has(button.copybtn)").filter(visible=True).first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == block.locator("pre").inner_text().strip() != ""


# ---- Where the site stands ----

PLACES = [FIRST, MATHEMATICAL, "book/magic-numbers.html", "book/results.html"]


@pytest.mark.parametrize("name", PLACES)
def test_a_page_is_sound_when_it_is_opened_from_a_file(page_at, site, name):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/{name}")
    assert page_checks.mathematics(page) + page_checks.figures(page) == []


def test_a_number_is_looked_up_in_a_file(page_at, site):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/book/magic-numbers.html")
    page.get_by_label("A number from a program").fill("0.044715")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("best cubic coefficient").first.wait_for()


@pytest.mark.parametrize("query", FINDS)
def test_the_search_finds_in_files_too(page_at, site, query):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/search.html?q={query}")
    assert found_titles(page) >= FINDS[query]


@pytest.mark.parametrize("name", PLACES[:2])
def test_a_page_is_sound_at_the_root_of_a_server(chromium, site, name):
    with browser.serving(site, "/") as base:
        context = chromium.new_context()
        page = context.new_page()
        found = browser.watch(page, (base,))
        page.goto(base + name)
        found += page_checks.mathematics(page) + page_checks.figures(page)
        context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("source", ["served", "file"])
def test_short_addresses_lead_to_their_pages(page_at, site, source):
    page = page_at(DESK)
    base = "" if source == "served" else site.as_uri() + "/"
    page.goto(base + "index.html")
    page.wait_for_url("**/book/index.html")
    page.goto(base + "results.html#gelu-erf")
    page.wait_for_url("**/book/results.html#gelu-erf")


# ---- On a slow line, and without scripts ----


def late(route):
    """Answer a request later than the page is drawn."""
    time.sleep(0.2)
    route.continue_()


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("name", [MATHEMATICAL, "book/tanh-constant.html"])
def test_the_text_does_not_move_when_fonts_and_figures_come_late(page_at, name, width):
    page = page_at(width)
    page.route(re.compile(r"\.(woff2|svg)(\?|$)"), late)
    page.goto(name)
    assert page_checks.mathematics(page) + page_checks.shifts(page) == []


def test_without_scripts_the_text_the_formulas_and_the_navigation_stand(page_at):
    page = page_at(DESK, java_script_enabled=False)
    page.goto("book/magic-numbers.html")
    told = page.locator("main noscript")
    assert told.is_visible() and "The search box needs JavaScript" in told.inner_text()
    page.get_by_role("link", name="What GELU is", exact=True).first.click()
    formula = page.locator(".math .katex-html").first.bounding_box()
    assert formula["width"] > 5 and formula["height"] > 5
