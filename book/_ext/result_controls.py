"""The forms that filter the results and the claims on their pages.

``{result-list}`` has the one above its rows. The page of claims gets its form here, behind its
first paragraphs: its notebook shows none. The template loads ``filter.js`` on pages with a form.
Without JavaScript there is no form, and all entries can be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from docutils import nodes
from result_places import FOLDER
from sphinx.transforms.post_transforms import SphinxPostTransform

from gelu_lib.provenance.claims import VERDICTS, claims
from gelu_lib.register import STATUSES, results

CLAIMS_PAGE = FOLDER + "claims"
CHECKBOX = """<label class="status status-{1}"><input type="checkbox" name="{0}" value="{1}">
<span>{1} ({2})</span></label>"""
FORM = """<form id="entries-filter" class="tool entries-filter needs-script"
 data-entries="{entries}" role="search" aria-label="{label}">
<fieldset><legend>{kind}</legend>
{checkboxes}
</fieldset>
<p class="entries-fields">
<label>{group} <select name="{name}"><option value="">all</option></select></label>
<label>{words} <input name="text" type="search" autocomplete="off" autocapitalize="off"
 spellcheck="false"></label>
<button type="reset">Show all</button>
</p>
<p id="entries-shown" role="status"></p>
</form>
"""


def form(
    entries: str, kind: str, kinds: Iterable[str], found: Iterable[str], group: str, words: str
) -> nodes.raw:
    """The form of a page.

    Args:
        entries: the entries in one word of the plural, by which the script knows them.
        kind: what has a box for each of ``kinds``.
        kinds: these.
        found: the kind of each entry. The form says how many there are before its script does,
            which would make it longer otherwise and move what stands below.
        group: what the sections of the page are.
        words: what the words that are asked for stand in.
    """
    counts = Counter(found)
    checkboxes = "".join(CHECKBOX.format(kind.lower(), name, counts[name]) for name in kinds)
    texts = {"entries": entries, "label": entries.capitalize(), "kind": kind, "words": words}
    html = FORM.format(checkboxes=checkboxes, group=group, name=group.lower(), **texts)
    return nodes.raw("", html, format="html")


def results_form() -> nodes.raw:
    found = (entry.status for entry in results().values())
    words = "ID, title, statement or number"
    return form("results", "Status", STATUSES, found, "Chapter", words)


def claims_form() -> nodes.raw:
    found = (claim.verdict for claim in claims().values())
    return form("claims", "Verdict", VERDICTS, found, "Post", "ID or words")


class ClaimsFilter(SphinxPostTransform):
    """Put the form of the claims in front of the first section of their page."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        if self.env.docname != CLAIMS_PAGE:
            return
        page = next(self.document.findall(nodes.section))
        first = next(i for i, part in enumerate(page) if isinstance(part, nodes.section))
        page.insert(first, claims_form())
