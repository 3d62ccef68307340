"""The search page in a browser: from a server and from a file, by keyboard, without scripts."""

import pytest
from walks import Walk, walks

pytestmark = pytest.mark.browser

NAMES = r"""
const address = link => link?.href.replace(/^.*?(?=book\/[^/]*$)/, "");
const first = (list = "#search-results") => address($(`${list} a`));
const all = list => [...document.querySelectorAll(`${list} a`)].map(address);
const focused = () => document.activeElement.matches("input") ? "the field"
  : all(".found-places").indexOf(address(document.activeElement));
"""
WALKS = """
# an address with a question shows the answer
open search.html?q=0.044715 | role=searchbox[name="Words, names or numbers"] = 0.044715
| role=status = ...found... | {first()} = book/tanh-constant.html
| #search-results mark >> nth=0 = 0.044715
click #search-results a >> nth=0
wait url = ...book/tanh-constant.html

# the answer follows the typing and the keyboard is enough
window 360
open search.html
type alternation
wait {first()} = book/minimax.html#a-better-rival-would-cross-once-too-often
press Tab 2
press Enter
wait url = ...book/minimax.html#a-better-rival-would-cross-once-too-often

# a word of another language finds its page
open search.html
fill #search-query = 激活函数
wait {first()} = book/zh.html
rest 1 | #search-results mark >> nth=0 = 激活函数
fill #search-query = 活性化関数
wait {first()} = book/ja.html
rest 1 | #search-results mark >> nth=0 = 活性化関数

# more answers are shown, and Enter asks again under an address that can be kept
open search.html?q=error | #search-results > li × 20
click role=button[name="Show more"] | #search-results > li × 40
| {document.activeElement.closest("li").previousElementSibling !== null} = true
fill #search-query = Mills
focus #search-query
press Enter
wait url = ...search.html?q=Mills
rest 200 | {first()} = book/left-tail.html#two-simple-functions-enclose-mills-ratio

# a question without an answer says so, and is never markup
open search.html?q=zzzz | role=status = Nothing in the book has “zzzz”.
fill #search-query = alternation zzzz
wait role=status = No place has all of these words. ...
open search.html?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+erf | article img × 0

# the arrows lead from the field through the places and back, Escape back at once
window 390
open search.html
type mills | {focused()} = the field
wait role=status = ...found...
press ArrowDown | {focused()} = 0
press ArrowDown 2 | {focused()} = 2 | {document.documentElement.scrollWidth > innerWidth} = false
press ArrowUp | {focused()} = 1
press Escape | {focused()} = the field
press ArrowDown
press Enter
wait url = ...book/left-tail.html...

# the way back from a place leads to the list, and a number that no page has to the constants
open search.html
type mills
wait url = ...search.html?q=mills
press ArrowDown
press Enter
wait url = ...book/left-tail.html...
open search.html?q=9.60497
click role=status >> a
wait url = ...book/magic-numbers.html?number=9.60497
wait #number-answer seen

# the menu of every page answers while one types, from a file too, and leads on to all places
window 390
open SITE/book/gelu.html
press /
type alternation
wait {first("#book-menu .found-places")} = book/minimax.html#a-better-rival-...
rest 1 | #book-menu .found-status = ...found... | #book-menu .found-places > li × 6
| {document.documentElement.scrollWidth > innerWidth} = false
press ArrowDown | {focused()} = 0
press Escape | {focused()} = the field | #book-menu seen
press Enter
wait url = ...search.html?q=alternation

# it answers from a file
open SITE/search.html?q=0.044715 | {first()} = book/tanh-constant.html | role=status = ...found...
click #search-results a >> nth=0
wait url = ...book/tanh-constant.html
"""


@pytest.mark.parametrize("rows", walks(WALKS))
def test_what_a_reader_asks_is_answered(page_at, site, rows):
    Walk(page_at(), NAMES).go(rows.replace("SITE", site.as_uri()))


def test_without_scripts_the_page_leads_to_the_index(page_at):
    page = page_at(java_script_enabled=False)
    page.goto("search.html")
    assert not page.get_by_label("Words, names or numbers").is_visible()
    page.locator("noscript a", has_text="index").click()
    page.wait_for_url("**/genindex.html", wait_until="commit")
