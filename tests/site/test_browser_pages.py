"""The pages of the site in Chromium, as wide as a desk, light and dark: one of each kind always."""

import page_checks
import pytest
from kinds import slow_but
from page_loads import DESK, ONE_OF_EACH, PAGES, load, turn

pytestmark = pytest.mark.browser

# send the browser on at once
FORWARDING = ["index.html", "py-names.html", "results.html", "book/library/chapters.html"]
SOUND_TEXTS: set[str] = set()  # kinds of text whose colours were judged on an earlier page


def test_every_page_of_the_site_is_looked_at(site):
    found = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    shown = {page for page in found if not page.startswith("_static/")}
    assert shown == {*PAGES, *FORWARDING}
    assert set(ONE_OF_EACH) < set(PAGES)


@pytest.mark.parametrize("name", slow_but(lambda name: name in ONE_OF_EACH, PAGES))
def test_a_page_is_sound_at_a_desk(tab, name):
    page, found = tab
    found.clear()
    found += load(page, name, DESK)
    found += page_checks.axe_colours(page, SOUND_TEXTS)
    turn(page, "dark")
    found += page_checks.sideways(page) + page_checks.axe_colours(page, SOUND_TEXTS)
    found += page_checks.axe_rules(page)
    assert not found, "\n".join(found)
