"""Finding one's way in a browser: the menu, the search, the sections, previews, old addresses."""

import pytest
from kinds import slow_but
from page_loads import DESK, PHONE

pytestmark = pytest.mark.browser

CHAPTER, SHORT = "book/tanh-constant.html", "book/cite.html"
PREVIEW = "#preview:popover-open"


def test_the_slash_leads_to_the_search(page_at):
    page = page_at(DESK)
    page.goto(SHORT)
    page.keyboard.press("/")
    page.keyboard.type("1/2 Mills")  # the next one is typed
    assert page.get_by_label("Search this book").input_value() == "1/2 Mills"
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(SHORT)
    page.keyboard.press("/")
    assert page.locator("#book-menu input:focus").is_visible()


def test_the_section_that_is_read_is_marked(page_at):
    page = page_at(DESK)
    page.goto(CHAPTER)
    marked = page.locator("#page-menu [aria-current=true]")
    assert marked.all_inner_texts() == [page.locator("h1").first.evaluate("e => e.firstChild.data")]
    last = page.locator("#page-menu a").last
    page.locator(last.get_attribute("href")).evaluate("e => e.scrollIntoView()")
    page.wait_for_function(
        "document.querySelector('#page-menu [aria-current]').textContent !== document.title"
    )
    assert marked.count() == 1 and marked.inner_text() != page.locator("h1").inner_text()


@pytest.mark.parametrize("from_file", slow_but(bool, [False, True]), ids=["served", "from a file"])
def test_a_term_is_explained_where_the_pointer_rests(page_at, site, from_file):
    page = page_at(DESK)
    page.goto(f"{site.as_uri()}/{SHORT}" if from_file else SHORT)
    link = page.locator("article a[href$='#logistic-variance']")
    link.hover()
    box = page.locator(PREVIEW)
    box.wait_for()
    assert "Variance of the logistic distribution" in box.inner_text()
    assert link.get_attribute("aria-describedby") == box.get_attribute("id")
    box.hover()  # it may be read, and its text taken
    page.wait_for_timeout(400)
    assert box.is_visible()
    page.keyboard.press("Escape")
    box.wait_for(state="hidden")
    assert link.get_attribute("aria-describedby") is None


def test_the_keyboard_shows_a_preview_and_takes_it_away(page_at):
    page = page_at(DESK, "dark")
    page.goto(SHORT)
    page.keyboard.press("Tab")  # from here on the focus is seen
    page.locator("article a[href$='#logistic-variance']").focus()
    page.locator(PREVIEW).wait_for()
    place = page.locator(PREVIEW).bounding_box()
    assert place["x"] >= 0 and place["x"] + place["width"] <= DESK
    page.keyboard.press("Tab")
    page.locator(PREVIEW).wait_for(state="hidden")


def test_the_old_address_of_a_name_leads_to_the_page_of_its_wing(page_at):
    page = page_at()
    page.goto("book/library.html#gelu_lib.certificates.best.certificate.certify")
    page.wait_for_url(
        "**/book/library/certificates.html#gelu_lib.certificates.best.certificate.certify"
    )
    page.goto("book/library.html#gelu_lib.nowhere.name")
    assert page.locator("h1").inner_text().startswith("Library reference")
