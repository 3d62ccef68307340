"""Every page of the site in Chromium, as wide as a phone and a tablet, light and dark."""

import page_checks
import pytest
from kinds import slow_but
from page_loads import ONE_OF_EACH, PAGES, PHONE, TABLET, load, resize, turn

pytestmark = pytest.mark.browser

# What answers the question of a table, by the names of its columns.
ANSWERS = [
    ("frameworks", ["program", "default"]),
    ("frameworks", ["where", "form", "up to"]),
    ("models", ["model and part", "form"]),
    ("models", ["program", "another form"]),
]
OUT_OF_SIGHT = """heads => {
  for (const fold of document.querySelectorAll("details.entries-fold")) fold.open = true;
  const words = row => [...row.cells].map(cell => cell.textContent);
  const ours = [...document.querySelectorAll("table")].filter(
    table => heads.every(head => words(table.rows[0]).includes(head)));
  const cells = ours.flatMap(table => [...table.rows].flatMap(
    row => heads.map(head => row.cells[words(table.rows[0]).indexOf(head)])));
  const out = cells.filter(cell => cell.getBoundingClientRect().right > innerWidth
    || cell.scrollWidth > cell.clientWidth);
  return [cells.length, out.map(cell => cell.textContent)];
}"""


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


@pytest.mark.parametrize(("name", "heads"), ANSWERS)
def test_the_answer_of_a_row_is_seen_without_scrolling_sideways(tab, name, heads):
    page, _ = tab
    page.goto(f"book/{name}.html")
    resize(page, PHONE)
    seen, out = page.evaluate(OUT_OF_SIGHT, heads)
    assert seen > 10 * len(heads) and not out, out
