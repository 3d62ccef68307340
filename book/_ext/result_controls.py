"""The forms that filter the results, the claims and the models on their pages.

``{result-list}`` has the one above its rows. The page of claims gets its form here, behind its
first paragraphs, and the page of models in front of its long table, which is folded by letters:
their notebooks show none. The template loads ``filter.js`` on pages with a form.
Without JavaScript there is no form, and all entries can be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from docutils import nodes
from result_places import FOLDER
from sphinx.transforms.post_transforms import SphinxPostTransform

from gelu_lib.activations import FORMS
from gelu_lib.provenance.claims import VERDICTS, claims
from gelu_lib.register import STATUSES, results

CLAIMS_PAGE = FOLDER + "claims"
MODELS_PAGE = FOLDER + "models"
MODELS = "model and part"  # the first head of the table
LETTER = '<details class="models-letter" id="of-{0}"><summary>{0} <span>({1})</span></summary>'
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


class ModelsFilter(SphinxPostTransform):
    """Fold the table of every model by letters, and put its form in front of it."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for table in self.document.findall(nodes.table):
            if self.env.docname == MODELS_PAGE and table[0][-2][0][0].astext() == MODELS:
                table.replace_self([models_form(table), *folded(table)])
                return


def models_form(table: nodes.table) -> nodes.raw:
    found = (row[1].next_node(nodes.strong).astext() for row in rows_of(table))
    return form("models", "Form", FORMS, found, "Letter", "Model, entry or program")


def rows_of(table: nodes.table) -> list[nodes.row]:
    """The rows of a table without its head."""
    return list(table[0][-1].children)


def folded(table: nodes.table) -> list[nodes.Node]:
    """The table in parts, one for each first letter of its rows, each behind a summary."""
    parts: list[nodes.Node] = []
    for letter, group in groupby(rows_of(table), key=lambda row: row.astext()[0].upper()):
        rows = list(group)
        part = table.deepcopy()
        part[0][-1].children = []
        part[0][-1].extend(row.deepcopy() for row in rows)
        parts += [
            nodes.raw("", LETTER.format(letter, len(rows)), format="html"),
            part,
            nodes.raw("", "</details>", format="html"),
        ]
    return parts
