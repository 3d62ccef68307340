"""The order in which the tests begin, the site that they share, and the browser.

For a test in a browser, mark it (``pytestmark = pytest.mark.browser``) and ask for ``page_at``::

    def test_the_box_answers(page_at):
        page = page_at(360, "dark")
        page.goto("book/magic-numbers.html")  # relative to the site
        page.get_by_label("A number from a program").fill("0.044715")

``GELU_LIB_SITE`` may name the folder of a site that is built already, for trying tests quickly.
"""

import gc
import os
from pathlib import Path

import browser
import built_site
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

gc.disable()  # what is collected lives to the end: see pytest_collection_finish

FIRST = "test_site.py"
"""What begins first: the build for which others wait."""


def pytest_collection_modifyitems(items):
    places = {path: place for place, path in enumerate(in_order(items))}
    items.sort(key=lambda item: places[item.path])
    lacking = browser.missing()
    if lacking and not os.environ.get(browser.REQUIRED):
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=lacking))


def in_order(items):
    """The files: the build, the library, then what looks at the site, and the notebooks.

    When the others look at the site, it is built, and nothing waits for it. What waits for a
    browser stands between what keeps a core busy; the notebooks are many and short, so that at the
    end every core has something to do.
    """
    with_site = {item.path for item in items if "site" in getattr(item, "fixturenames", ())}
    in_browser = {item.path for item in items if item.get_closest_marker("browser")}

    def kind(path):
        if path.name == FIRST:
            return "build"
        if path in in_browser:
            return "browser"
        return "late" if path in with_site or path.suffix == ".ipynb" else "library"

    files = dict.fromkeys(item.path for item in items)
    build, library, waiting, late = (
        [path for path in files if kind(path) == each]
        for each in ("build", "library", "browser", "late")
    )
    return [*build, *library, *spread(waiting, late)]


def spread(some, others):
    """Both lists as one, each in its order, with those of the first as far apart as can be."""
    parts = [
        ((i + 0.5) / len(paths), path) for paths in (some, others) for i, path in enumerate(paths)
    ]
    return [path for _, path in sorted(parts, key=lambda part: part[0])]


def pytest_collection_finish():
    """Python looks for garbage less often: what was collected lives to the end."""
    # at its first run Hypothesis asks who holds its random numbers, whom a freeze would hide
    settings(max_examples=1, database=None)(given(st.none())(lambda _: None))()
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session")
def known_optima():
    """The trials know the registered parameters of each problem, whatever ran before."""
    from flips import know_optima  # which most files do without

    know_optima()


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The folder of the built site; one build serves all files and all workers."""
    if os.environ.get("GELU_LIB_SITE"):
        return Path(os.environ["GELU_LIB_SITE"])
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent  # what the workers have in common
    return built_site.made_once(run / "site", built_site.build) / "_build" / "html"


@pytest.fixture(scope="session")
def address(site):
    """The address of the site on a server of this machine, in a sub-path; ends in a slash."""
    with browser.serving(site) as base:
        yield base


@pytest.fixture(scope="session")
def chromium():
    """Chromium, one for all tests of a worker."""
    assert not browser.missing(), browser.missing()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(
            executable_path=browser.chromium(), args=browser.OPTIONS
        )
        yield program
        program.close()
        watch = browser.watch_the_end()
    watch.cancel()


@pytest.fixture(scope="module")
def tab(chromium, address):
    """One page of the browser, for all addresses; and what went wrong in it."""
    context = chromium.new_context(base_url=address, reduced_motion="reduce")
    page = context.new_page()
    yield page, browser.watch(page, (address,))
    context.close()


@pytest.fixture(scope="session")
def used_page(chromium, address, site):
    """The page that tests use one after the other, and what goes wrong in it."""
    context = chromium.new_context(base_url=address)
    page = context.new_page()
    yield page, browser.watch(page, (address, site.as_uri()))
    context.close()


@pytest.fixture
def page_at(chromium, address, site, used_page):
    """A function that opens an empty page of a width, in a theme, as a new visitor has it.

    Its addresses are relative to the site. Whatever goes wrong in one of the pages (an error of a
    script or in the console, a failed request, one to another origin) fails the test at its end.
    The first page of a test was used by tests before, which is half the work, and has forgotten
    them; one with options of its own is new, and so is one ``alone``, for a test that adds a script
    to it or answers its requests.
    """
    opened, contexts, lists = [], [], []

    def page(width=1440, theme="light", alone=False, **options):
        shown = {"viewport": {"width": width, "height": 900}, "color_scheme": theme}
        if not opened and not alone and not options:
            one, faults = used_page
            one.set_viewport_size(shown["viewport"])
            one.emulate_media(color_scheme=theme, media="null")
        else:
            contexts.append(chromium.new_context(base_url=address, **shown, **options))
            one = contexts[-1].new_page()
            faults = browser.watch(one, (address, site.as_uri()))
        opened.append(one)
        lists.append(faults)
        return one

    yield page
    for context in contexts:
        context.close()
    if used_page[0] in opened:
        browser.forget(used_page[0])
    faults = [fault for found in lists for fault in found]
    used_page[1].clear()
    assert not faults, "\n".join(faults)
