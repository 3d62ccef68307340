"""Every page of the site in Chromium, as wide as a phone and a tablet, light and dark."""

import page_checks
import pytest
from kinds import slow_but
from page_loads import ONE_OF_EACH, PAGES, PHONE, TABLET, load, resize, turn

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", slow_but(lambda name: name in ONE_OF_EACH, PAGES))
def test_a_page_is_sound_on_a_phone_and_a_tablet(tab, name):
    page, found = tab
    found.clear()
    found += load(page, name, PHONE)
    resize(page, TABLET)
    found += page_checks.sideways(page) + page_checks.cut_off(page)
    turn(page, "dark")
    found += page_checks.sideways(page)
    resize(page, PHONE)
    found += page_checks.sideways(page)
    found += page_checks.axe_rules(page)
    assert not found, "\n".join(found)
