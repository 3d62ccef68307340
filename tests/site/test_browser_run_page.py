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
    status = page.locator(".run-page [role=status]").filter(has_text=re.compile(pattern))
    status.wait_for(timeout=PATIENCE)
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
    does_no_more(page)


def does_no_more(page):
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.run-tools > span')]"
        ".some(state => ['waiting', 'running'].includes(state.textContent))",
        timeout=PATIENCE,
    )


def state(page, n):
    return cell(page, n).locator(".run-tools > span").text_content()


def all_same(text):
    """Whether each cell gave its print that did not need a package that lacks."""
    same, of = re.match(r"(\d+) of (\d+) cells gave the printed words and numbers", text).groups()
    return same == of and int(of) > 0


def test_every_cell_of_the_landing_page_gives_what_is_printed(page):
    text = told(page, "cells gave")
    assert all_same(text) and "more cannot run" not in text
    assert state(page, CREST) == "same as printed"
    assert state(page, PICTURE) == "figure drawn"
    assert page.locator(".run-new").count() == 0
    assert page.get_by_role("button", name="Restart Python").is_visible()


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
    exercises = page.locator("p:text-matches('^Exercise [0-9]+.? .code')").count()
    assert page.locator(".run-own").count() == exercises > 0


def test_an_edit_changes_what_is_below_and_reset_brings_the_print_back(page):
    unfolded(page, NUMBER).fill("number = 0.046")
    assert state(page, NUMBER) == "changed, not run yet"
    does(page, NUMBER, "Run")
    assert state(page, NUMBER) == "run with your change"
    assert state(page, CREST) == "not run since the change above"
    does(page, NUMBER, "Run all below")
    assert "with 0.046: crest" in cell(page, CREST).locator(".run-new").inner_text()
    assert state(page, CREST) == "not as printed"
    assert all_same(told(page, "cells gave"))  # the word on the page stays
    assert told(page, "cells ran").startswith("6 cells ran.")
    assert not cell(page, CREST).locator(".cell_output").is_visible()
    assert state(page, ROOT) == "same as printed"
    does(page, NUMBER, "Reset")
    does(page, CREST, "Run")
    assert state(page, CREST) == "same as printed"
    assert cell(page, CREST).locator(".cell_output").is_visible()


def test_a_figure_below_an_edited_cell_is_drawn_again_if_it_is_another(page):
    for size, words in ((20, "not as printed"), ("medium", "figure drawn")):
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
    does_no_more(page)
    assert state(page, CREST) == "ZeroDivisionError"
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


def test_a_link_that_would_run_something_is_words(page):
    links = "[a](javascript:alert(1)) [b](JaVaScript:0) [c](gelu.ipynb) [d](https://example.org/)"
    unfolded(page, CREST).fill(f"display({{'text/markdown': '{links}'}}, raw=True)")
    does(page, CREST, "Run")
    found = cell(page, CREST).locator(".run-new a")
    assert found.all_inner_texts() == ["c", "d"]
    assert found.first.get_attribute("href") == "gelu.html"
    does(page, CREST, "Reset")


def test_a_figure_that_is_empty_is_not_the_one_that_was_drawn(page):
    unfolded(page, PICTURE).fill("display({'image/svg+xml': ''}, raw=True)")
    does(page, PICTURE, "Run")
    assert state(page, PICTURE) == "run with your change"
    does(page, PICTURE, "Reset")
    assert state(page, PICTURE) == "figure drawn"


def test_what_never_ends_is_stopped_and_the_next_start_runs_the_page_as_it_was(page):
    code = unfolded(page, NUMBER)
    code.fill("while True:\n    pass")
    code.press("Shift+Enter")
    cell(page, NUMBER).get_by_role("button", name="Stop").wait_for()
    code.press("Shift+Enter")  # stops nothing
    code.press("End")
    assert state(page, NUMBER) == "running"
    cell(page, NUMBER).get_by_role("button", name="Stop").click()
    assert "“Run this page” starts again and keeps your changes" in told(page, "Stopped")
    picture = unfolded(page, PICTURE)
    picture.fill("import matplotlib.pyplot as plt\nplt.figure();")
    page.get_by_role("button", name="Run this page").dblclick()  # not started and stopped
    assert all_same(told(page, "cells gave"))
    assert state(page, NUMBER) == state(page, PICTURE) == "changed, not run yet"
    does(page, PICTURE, "Run")
    assert state(page, PICTURE) == "run with your change"
    code.press("Shift+Enter")
    page.get_by_role("button", name="Stop").first.click()
    told(page, "Stopped")
    for n in (NUMBER, PICTURE):  # without Python, too
        cell(page, n).get_by_role("button", name="Reset").click()
        assert state(page, n) == ""
    assert code.inner_text().strip().startswith("number = 0.045")


def other_notebook(route):
    text = route.fetch().text()
    route.fulfill(body=text.replace("number = 0.045", "number = 0.05"))


FAULTS = {
    "**/numpy*.whl": (lambda route: route.fulfill(status=404), "numpy did not arrive intact"),
    "**/*.wasm": (
        lambda route: route.fulfill(body="<p>", content_type="text/html"),
        "pyodide.asm.wasm did not arrive intact",
    ),
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


def test_a_notebook_that_did_not_come_is_asked_for_once_more_and_its_cells_get_buttons_once(
    chromium, address
):
    context, tries = chromium.new_context(base_url=address), []
    context.route("**/index.ipynb", lambda route: tries.append(route))
    page = context.new_page()
    page.goto("book/index.html")
    main = page.locator(".run-page > button")
    main.click()
    page.wait_for_timeout(200)
    tries[0].fulfill(status=404)
    assert told(page, r"\.").startswith("index.ipynb did not arrive intact")
    for _ in range(3):  # run, stop, and run again, before it comes
        main.click(delay=300)
    _, route = tries  # one is asked for
    route.continue_()
    page.locator(".run-tools").first.wait_for(state="attached")
    assert main.inner_text() == "Stop"
    assert cell(page, CREST).locator(".run-tools").count() == 1
    context.close()


def test_a_page_in_a_file_says_why_it_cannot_run_and_other_languages_have_their_words(
    page_at, site
):
    page = page_at()
    page.goto(f"{site.as_uri()}/book/index.html")
    assert page.locator(".run-page").inner_text().startswith("To run this page, open it from")
    given = json.loads(page.locator("#run-page").text_content())
    page.goto("book/ja.html")
    button = page.get_by_role("button", name="このページを実行")
    assert f"{given['megabytes']} MB" in button.locator("..").inner_text()
