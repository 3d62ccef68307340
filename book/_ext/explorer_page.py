"""The explorer of Φ̂(x) = σ(p₁x + p₃x³), which works in the browser, without a server.

``{explorer}``    the drawing, its numbers and its controls, on one page

A page that has the explorer loads three scripts: the named members of the library as JavaScript,
which is written here, the mathematics (``explorer-core.js``) and the page (``explorer.js``). Where
JavaScript is off, a cell with the tag ``explorer-off`` is shown in place of the explorer.

No package will do: ipywidgets needs a kernel, and Plotly weighs as much as a whole page may.
"""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import Any

from docutils import nodes
from page_scripts import write_data
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from gelu_lib.chapters.explorer import NAMES, NamedMember, named_members
from gelu_lib.fits.optima import stored
from gelu_lib.functions.families import TARGETS

SCRIPTS = ("explorer-data.js", "explorer-core.js", "explorer.js")
START = "Page"
"""The member that is shown first, by the beginning of its name."""

# each coefficient's sliders: the range and the step of the coarse one, the same of the fine one
SLIDERS = {
    "p1": ("p₁", (0, 3, 0.01), (-0.01, 0.01, 0.00001)),
    "p3": ("p₃", (-0.05, 0.15, 0.001), (-0.001, 0.001, 0.000001)),
}


class ExplorerDirective(SphinxDirective):
    """``{explorer}``: the drawing and its controls."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", markup(), format="html")]


def markup() -> str:
    """The explorer as HTML; the script fills in what depends on the coefficients."""
    return f"""<section id="explorer-box" class="explorer" aria-label="Explorer">
<fieldset class="explorer-row"><legend>Error of</legend>{functions()}</fieldset>
<svg id="explorer-error" class="explorer-plot" role="img" aria-label="The error"></svg>
<p id="explorer-size"></p>
<p id="explorer-spoken" class="visually-hidden" role="status"></p>
<div class="explorer-parameters">{"".join(map(sliders, SLIDERS))}</div>
<p id="explorer-fault" role="alert"></p>
<p id="explorer-alternation"></p>
<p><a href="criteria.html">Proved</a>: no pair has an error below
<span id="explorer-best"></span></p>
<div class="explorer-members">{buttons()}</div>
<div class="explorer-row">
<label>Draw up to x = <select id="explorer-to"></select></label>
<button type="button" id="explorer-reset">Start again</button>
<button type="button" id="explorer-copy">Copy a link to this view</button>
</div>
<p id="explorer-copied" role="status"></p>
<input id="explorer-address" type="text" readonly hidden aria-label="Address of this view">
<svg id="explorer-function" class="explorer-plot" role="img" aria-label="The function"></svg>
<p class="explorer-key"><span class="explorer-line"></span> approximation
<span class="explorer-line exact"></span> exact</p>
<table class="table explorer-peaks"><caption>Extrema of the error for x &gt; 0</caption>
<thead><tr><th scope="col">x</th><th scope="col">error</th><th scope="col">of the largest</th></tr>
</thead><tbody id="explorer-peaks"></tbody></table>
</section>
<p class="explorer-off">The explorer needs JavaScript, which is off. The figure shows three of the
views that it can draw.</p>
"""


def functions() -> str:
    """The choice of the function whose error is drawn."""
    return "".join(
        f'<label><input type="radio" name="explorer-of" value="{of}"> {NAMES[of]}</label>'
        for of in TARGETS
    )


def sliders(parameter: str) -> str:
    """The field and the two sliders of one coefficient."""
    symbol, coarse, fine = SLIDERS[parameter]
    lines = [
        f'<label for="explorer-{parameter}">{symbol}</label>'
        f'<input id="explorer-{parameter}" type="number" inputmode="decimal" step="{fine[2]:.6f}"'
        ' autocomplete="off" aria-describedby="explorer-fault">'
    ]
    for kind, (low, high, step) in (("coarse", coarse), ("fine", fine)):
        id = f"explorer-{parameter}-{kind}"
        lines.append(
            f'<label for="{id}">{symbol}, {kind}</label><input id="{id}" type="range"'
            f' min="{low}" max="{high}" step="{step:.6f}" autocomplete="off">'
        )
    return f'<div class="explorer-parameter">{"".join(lines)}</div>'


def buttons() -> str:
    """A button for each named member, with those of a group beside each other."""
    numbered = enumerate(named_members())
    rows = []
    for group, members in groupby(numbered, key=lambda pair: pair[1].group):
        made = "".join(button(number, member) for number, member in members)
        rows.append(
            f'<div class="explorer-row" role="group" aria-label="{escape(group)}">'
            f"<span>{escape(group)}</span>{made}</div>"
        )
    return "".join(rows)


def button(number: int, member: NamedMember) -> str:
    text = escape(member.name.removeprefix("tanh form, "))
    return (
        f'<button type="button" data-member="{number}" aria-pressed="false"'
        f' aria-label="{escape(member.group)}: {text}">{text}</button>'
    )


def data() -> dict[str, Any]:
    """What the scripts need of the library: members, the first view, and the least errors."""
    members = [
        {"p1": float(member.p1), "p3": float(member.p3), "name": f"{member.group}: {member.name}"}
        for member in named_members()
    ]
    first = next(m for m in named_members() if m.name.startswith(START))
    return {
        "members": members,
        "start": {"p1": float(first.p1), "p3": float(first.p3), "of": TARGETS[0], "to": 5},
        "least": {of: float(stored("tanh-free", of, "sup").error) for of in TARGETS},
    }


def write_members(app: Sphinx) -> None:
    """Put the members into the site."""
    if app.builder.format == "html":
        write_data(app, SCRIPTS[0], "EXPLORER", data())


def setup(app: Sphinx) -> None:
    app.add_directive("explorer", ExplorerDirective)
    app.connect("builder-inited", write_members)
