"""Every page of the site in Chromium, as wide as a phone, a tablet and a desk, light and dark.

A page is loaded as a phone shows it and as a desk does, and turned dark where it stands: the theme
changes colours and no more. axe-core's rules are asked on the phone and at the desk, but those
about colour only at the desk, in either theme, of every kind of text once.
"""

from pathlib import Path

import browser
import page_checks
import pytest
import yaml

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parent.parent
PHONE, TABLET, DESK = 360, 768, 1440
FORWARDING = ["index.html", "results.html"]  # send the browser on at once
MADE_BY_SPHINX = ["genindex.html", "py-modindex.html", "py-names.html", "search.html"]


def chapters() -> list[str]:
    """The addresses of the pages that the table of contents names."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [f"{file}.html" for file in [toc["root"], *files]]


SOUND_TEXTS: set[str] = set()  # kinds of text whose colours were judged on an earlier page
PAGES = chapters() + MADE_BY_SPHINX


def test_every_page_of_the_site_is_looked_at(site):
    found = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    shown = {page for page in found if not page.startswith("_static/")}
    assert shown == {*PAGES, *FORWARDING}


@pytest.fixture(scope="module")
def tab(chromium, address, site):
    """One page of the browser, for all addresses; and what went wrong in it."""
    context = chromium.new_context(base_url=address, reduced_motion="reduce")
    page = context.new_page()
    yield page, browser.watch(page, (address,))
    context.close()


def turn(page, theme):
    """Have the reader's system say light or dark, and wait for the page to follow."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")


def load(page, name, width):
    """Show a page in the light theme, and return what is wrong with its shape."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(name)
    found = page_checks.shifts(page) + page_checks.sideways(page)
    return found + page_checks.mathematics(page) + page_checks.figures(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_on_a_phone_and_a_tablet(tab, name):
    page, found = tab
    found.clear()
    found += load(page, name, PHONE)
    turn(page, "dark")
    found += page_checks.sideways(page)
    page.set_viewport_size({"width": TABLET, "height": 900})
    found += page_checks.sideways(page)
    turn(page, "light")
    found += page_checks.sideways(page)
    page.set_viewport_size({"width": PHONE, "height": 900})
    found += page_checks.axe_rules(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound_at_a_desk(tab, name):
    page, found = tab
    found.clear()
    found += load(page, name, DESK)
    found += page_checks.axe_colours(page, SOUND_TEXTS)
    turn(page, "dark")
    found += page_checks.sideways(page) + page_checks.axe_colours(page, SOUND_TEXTS)
    found += page_checks.axe_rules(page)
    assert not found, "\n".join(found)
