"""What a page with results can do in the browser: copy, and on the results page filter.

``{results-filter}``    the form that filters the entries below it, on one page

The template loads ``result-copy.js`` on pages with a box, ``results.js`` with the form. Without
JavaScript there is no form and no button, and everything that they show or copy can be read.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from gelu_lib.register import STATUSES

CHECKBOX = """<label class="status status-{0}"><input type="checkbox" name="status" value="{0}">
<span>{0}</span></label>"""
FORM = f"""<form id="results-filter" class="tool results-filter needs-script"
 role="search" aria-label="Results">
<fieldset><legend>Status</legend>
{"".join(CHECKBOX.format(status) for status in STATUSES)}
</fieldset>
<p class="results-fields">
<label>Chapter <select name="chapter"><option value="">all</option></select></label>
<label>ID or title <input name="text" type="search" autocomplete="off" autocapitalize="off"
 spellcheck="false"></label>
<button type="reset">Show all</button>
</p>
<p id="results-shown" role="status"></p>
</form>
"""


class ResultsFilterDirective(SphinxDirective):
    """``{results-filter}``: the form."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", FORM, format="html")]
