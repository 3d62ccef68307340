"""Finding one's way in a browser: the menu, the search, the sections, previews, old addresses."""

import pytest
from walks import Walk, walks

pytestmark = pytest.mark.browser

LINK = "article a[href$='#logistic-variance']"
NAMES = """
const marked = () => [...document.querySelectorAll("#page-menu [aria-current=true]")]
  .map(link => link.textContent).join();
const last = () => [...document.querySelectorAll("#page-menu a")].at(-1).hash;
"""
WALKS = """
# the slash leads to the search, and the next one is typed
open book/cite.html
press /
type 1/2 Mills | role=searchbox[name="Search this book"] = 1/2 Mills
window 360
open book/cite.html
press / | #book-menu input:focus seen

# the section that is read is marked
open book/tanh-constant.html | {marked() === $("h1").firstChild.data} = true
run $(last()).scrollIntoView()
wait {marked() !== $("h1").firstChild.data} = true
rest 1 | #page-menu [aria-current=true] × 1

# a term is explained where the pointer rests, until Escape
open book/cite.html
hover LINK
wait PREVIEW = ...Variance of the logistic distribution...
rest 1 | LINK@aria-describedby = preview | PREVIEW@id = preview
hover PREVIEW
rest 400 | PREVIEW seen
press Escape
wait {Boolean($("PREVIEW"))} = false
rest 1 | {$("LINK").hasAttribute("aria-describedby")} = false

# it is explained in a file
open SITE/book/cite.html
hover LINK
wait PREVIEW = ...Variance of the logistic distribution...

# the keyboard shows a preview and takes it away
open book/cite.html
press Tab
focus LINK
wait PREVIEW = ...Variance of the logistic distribution...
rest 1 | {at("PREVIEW").left >= 0 && at("PREVIEW").right <= innerWidth} = true
press Tab
wait {Boolean($("PREVIEW"))} = false

# the old address of a name leads to the page of its wing, and of no name to the overview
open book/library.html#gelu_lib.certificates.best.certificate.certify
wait url = ...book/library/certificates.html#...certificate.certify
open book/library.html#gelu_lib.nowhere.name | h1 >> nth=0 = Library reference...
"""


@pytest.mark.parametrize("rows", walks(WALKS))
def test_a_reader_finds_the_way(page_at, site, rows):
    known = {"LINK": LINK, "PREVIEW": "#preview:popover-open", "SITE": site.as_uri()}
    for name, text in known.items():
        rows = rows.replace(name, text)
    Walk(page_at(), NAMES).go(rows)
