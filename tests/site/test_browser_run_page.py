"""Pages that compute in the browser: run, edited, stopped, and where something is missing.

The tests need a site that was built with Python for the browser, of whichever set. They use one
landing page, in order: what the first of them ran, the others edit.
"""

import json
import os
import re

import browser
import page_checks
import pytest

pytestmark = pytest.mark.browser

PAGES = ["gelu", "minimax", "taylor"]
PICTURE, NUMBER, CREST, ROOT = 3, 17, 18, 20
"""Cells of the landing page: a figure, the number, what is printed of it, and another one."""
PATIENCE = 200_000  # milliseconds, on a busy machine


@pytest.fixture(scope="module", autouse=True)
def with_runtime(site):
    told = re.search(r'"set": "(\w+)"', (site / "book/index.html").read_text(encoding="utf-8"))
    name = told[1] if told else ""
    needed = os.environ.get(browser.RUNTIME, name or "tested")
    if name != needed:
        browser.without_runtime(needed, f"the site was built without the set {needed}")


@pytest.fixture(scope="module")
def page(chromium, address):
    """The landing page, run; at the end nothing went wrong in it, and nobody else was asked."""
    context = chromium.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    faults = browser.watch(page, (address,))
    press(page, "index")
    yield page
    context.close()
    assert not faults, "\n".join(faults)


def press(page, name):
    page.goto(f"book/{name}.html")
    page.get_by_role("button", name="Run this page").click()
    told(page, r"\.")


def told(page, pattern):
    """What the bar says in the end, once that has a pattern."""
    status = page.locator(".run-page [role=status]")
    status.filter(has_text=re.compile(pattern)).wait_for(timeout=PATIENCE)
    return status.inner_text()


def cell(page, n):
    return page.locator(f'[data-cell="{n}"]')


def unfolded(page, n):
    """The code of a cell, which may be folded."""
    fold = cell(page, n).locator("details")
    if fold.count():
        fold.first.evaluate("fold => { fold.open = true; }")
    return cell(page, n).get_by_role("textbox")


def does(page, n, button):
    cell(page, n).get_by_role("button", name=button, exact=True).click()
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.run-tools > span')]"
        ".some(state => ['waiting', 'running'].includes(state.textContent))",
        timeout=PATIENCE,
    )


def state(page, n):
    return cell(page, n).locator(".run-tools > span").inner_text()


def all_same(text):
    """Whether each cell gave its print that did not need a package that lacks."""
    same, of = re.match(r"(\d+) of (\d+) cells gave the printed words and numbers", text).groups()
    return same == of and int(of) > 0


def test_every_cell_of_the_landing_page_gives_what_is_printed(page):
    text = told(page, "cells gave")
    assert all_same(text) and "more cannot run" not in text
    assert state(page, CREST) == "same as printed"
    assert page.locator(".run-new").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_every_cell_of_a_page_gives_what_is_printed(page_at, name):
    page = page_at(alone=True)
    press(page, name)
    text = told(page, "cells gave")
    assert all_same(text) and "more cannot run" not in text


def without_flint(route):
    text = route.fetch().text()
    route.fulfill(body=text.replace('"python-flint"', '"mpmath"'), content_type="text/html")


def test_a_cell_says_what_it_needs_and_keeps_its_print_and_an_exercise_has_a_cell(page_at):
    page = page_at(alone=True)
    page.route("**/minimax.html", without_flint)
    press(page, "minimax")
    text = told(page, "cells gave")
    needing = page.locator(".run-tools > span", has_text="needs python-flint: run it in a clone")
    assert all_same(text) and needing.count() == 1
    assert "; 1 more cannot run without python-flint." in text
    assert page.locator(".run-new").count() == 0
    exercises = page.locator("p > strong:text-matches('^Exercise')").count()
    assert page.locator(".run-own").count() == exercises > 0


def test_an_edit_changes_what_is_below_and_reset_brings_the_print_back(page):
    unfolded(page, NUMBER).fill("number = 0.046")
    assert state(page, NUMBER) == "edited"
    does(page, NUMBER, "Run all below")
    assert "with 0.046: crest" in cell(page, CREST).locator(".run-new").inner_text()
    assert state(page, CREST) == "not as printed"
    assert not cell(page, CREST).locator(".cell_output").is_visible()
    assert state(page, ROOT) == "same as printed"
    does(page, NUMBER, "Reset")
    does(page, CREST, "Run")
    assert state(page, CREST) == "same as printed"
    assert cell(page, CREST).locator(".cell_output").is_visible()


def test_a_figure_below_an_edited_cell_is_drawn_again_if_it_is_another(page):
    for size, words in ((20, "not as printed"), ("medium", "same as printed")):
        unfolded(page, NUMBER).fill(f"plt.rcParams['axes.labelsize'] = {size!r}")
        does(page, NUMBER, "Run")
        unfolded(page, PICTURE)
        does(page, PICTURE, "Run")
        assert state(page, PICTURE) == words
        pictures = cell(page, PICTURE).locator("img").filter(visible=True)
        assert pictures.count() == 1
        assert pictures.evaluate("async one => (await one.decode(), one.naturalWidth)") > 300
        assert pictures.get_attribute("alt").startswith("A wide curve in the shape of a V")
        assert cell(page, PICTURE).locator("figcaption").is_visible()
    does(page, NUMBER, "Reset")


def test_code_is_typed_and_run_by_the_keyboard_and_an_error_names_its_line(page):
    code = unfolded(page, CREST)
    code.focus()
    page.keyboard.press("Control+End")
    for line in ("", "print('sum', crest + trough)", "1 / 0"):
        page.keyboard.type(line)
        page.keyboard.press("Enter" if line != "1 / 0" else "Shift+Enter")
    told(page, "ZeroDivisionError")
    shown = cell(page, CREST).locator(".run-new").inner_text()
    assert "sum 0.000" in shown
    assert "line 4: 1 / 0\nZeroDivisionError: division by zero" in shown
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    does(page, CREST, "Reset")
    assert state(page, CREST) == "same as printed"


def test_a_page_that_runs_is_accessible_and_a_phone_needs_no_scrolling_sideways(page):
    assert page_checks.axe_colours(page, set()) == page_checks.axe_rules(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    assert page_checks.sideways(page) == page_checks.axe_colours(page, set()) == []


def test_what_never_ends_is_stopped(page):
    unfolded(page, NUMBER).fill("while True:\n    pass")
    cell(page, NUMBER).get_by_role("button", name="Run", exact=True).click()
    cell(page, NUMBER).get_by_role("button", name="Stop").click()
    told(page, "Stopped. “Run this page” begins again")
    assert cell(page, CREST).get_by_role("button", name="Run", exact=True).is_disabled()


def other_notebook(route):
    text = route.fetch().text()
    route.fulfill(body=text.replace("number = 0.045", "number = 0.05"))


FAULTS = {
    "**/numpy*.whl": (lambda route: route.fulfill(status=404), "The runtime lacks numpy"),
    "**/index.ipynb": (other_notebook, "The notebook is not the one of this page"),
}


@pytest.mark.parametrize("file", FAULTS)
def test_what_lacks_or_does_not_fit_is_named_and_another_try_is_offered(chromium, address, file):
    answer, words = FAULTS[file]
    context = chromium.new_context(base_url=address)
    context.route(file, answer)
    page = context.new_page()
    press(page, "index")
    assert told(page, ".").startswith(words)
    assert page.get_by_role("button", name="Run this page").is_enabled()
    context.close()


def test_a_page_in_a_file_says_why_it_cannot_run_and_other_languages_have_their_words(
    page_at, site
):
    page = page_at()
    page.goto(f"{site.as_uri()}/book/index.html")
    assert page.locator(".run-page").inner_text().startswith("Opened from a site and not as a file")
    given = json.loads(page.locator("#run-page").text_content())
    page.goto("book/ja.html")
    button = page.get_by_role("button", name="このページを実行")
    assert f"{given['megabytes']} MB" in button.locator("..").inner_text()
