"""The explorer of Φ̂(x) = σ(p₁x + p₃x³), which works in the browser, without a server.

``{explorer}``           the pictures, the tasks and the controls, on one page
``{level-the-peaks}``    the small one for the landing page: one slider for the number, or for k
``{stay-in-the-band}``   two sliders beside the best curve, for the chapter that says what best is
``{weigh-the-error}``    the one for the page on measures: one slider for the width of a weight

Each is HTML that a function returns, and scripts that a page loads where the HTML is: the numbers
of the library as JavaScript, which are written here, the mathematics (``explorer-core.js``), the
words (``explorer-words.js``), the pictures (``explorer-pictures.js``, ``explorer-pair.js``) and the
page itself. Where JavaScript is off, a cell with the tag ``explorer-off`` is shown in its place.
Its figure has no number, so that those that are seen are numbered from 1.

No package will do: ipywidgets needs a kernel, and Plotly weighs as much as a whole page may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cache
from html import escape
from itertools import groupby, product
from typing import Any, NamedTuple

from docutils import nodes
from page_language import say_on
from page_scripts import directive, write_data
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sympy import Expr, N, Rational, S

from gelu_lib.fits.optima import FORMS, stored
from gelu_lib.functions.families import SLOPE_KEPT, TARGETS
from gelu_lib.functions.forms import tanh_form
from gelu_lib.functions.series import local_match
from gelu_lib.register import result

DATA_SCRIPT = "explorer-data.js"
OFF = "tag_explorer-off"
"""The class of a cell that gives way to the explorer."""
FIRST = "tanh"
"""The form that is shown first."""
SMALL_RANGE = Rational("0.044"), Rational("0.046")
"""What the slider of the landing page covers: less, so that a finger can aim."""
BAND_RANGES = {
    "p1": ("p₁", *map(Rational, ("0.0002", "0.9985", "1.0015", "0.9993"))),
    "p3": ("p₃", *map(Rational, ("0.001", "0.985", "1.015", "1"))),
}
"""Of the factors by which a reader changes the best pair: a button's step, the ends, the start."""
NAMES = {"Phi": "Φ", "GELU": "GELU", "GELU_derivative": "GELU′"}
"""The functions of ``families.TARGETS`` as a reader knows them."""
FORM_NAMES = {"tanh": "tanh form", "sigmoid": "sigmoid form"}
AXES = {"linear": "fixed", "log": "logarithmic"}
FACTORS = {str(10**power): f"{10**power:,}".replace(",", "\u202f") for power in range(5)}
# each coefficient's sliders: the range and the step of the coarse one, the same of the fine one
SLIDERS = {
    "p1": ("p₁", (0, 3, 0.01), (-0.01, 0.01, 0.00001)),
    "p3": ("p₃", (-0.05, 0.15, 0.001), (-0.001, 0.001, 0.000001)),
}


# ---- What has a name, what moves, and what is asked. No number that was computed stands here: the
# match comes from the series, the printed literals from the register, the optima from the table.


class NamedMember(NamedTuple):
    """A member of the family, with p1 and p3 exact or to 50 digits, and what it is known as."""

    group: str
    name: str
    parameters: Mapping[str, Expr]


@cache
def named_members() -> tuple[NamedMember, ...]:
    """Every member that has a name, those of one group beside each other."""
    names = ("page-cubic", "bowling-linear", "bowling-cubic", "gelu-paper-scale")
    page, linear, cubic, scale = (result(id).value for id in names)
    pair = {"p1": Rational(linear), "p3": Rational(cubic)}
    best = [
        (f"Best for {NAMES[of]}", form.name, stored(key, of, "sup").parameters)
        for of, (key, form) in product(TARGETS, FORMS.items())
    ]
    named = [
        ("Matched at 0", "Taylor", tanh_form(local_match(3).ratio(3)).parameters),
        ("As printed", f"Page, {page}", tanh_form(page).parameters),
        ("As printed", f"Bowling, {linear} and {cubic}", pair),
        ("As printed", scale, {"p1": Rational(scale)}),
        *best,
    ]
    return tuple(
        NamedMember(group, name, {"p1": given["p1"], "p3": given.get("p3", S.Zero)})
        for group, name, given in named
    )


class OneNumber(NamedTuple):
    """A form with the one number that people paste, as a slider moves it.

    It has a letter and the literal that is printed, with so many decimals; a step of the slider is
    one unit of the last. A button beside it moves it by ``nudge``, for a finger that cannot aim.
    Every named member of the form lies between ``low`` and ``high``; a reader starts at the number
    that matches Φ at 0, which is ``local``.
    """

    letter: str
    literal: str
    decimals: int
    nudge: Expr
    low: Expr
    high: Expr
    local: Expr


@cache
def one_numbers() -> Mapping[str, OneNumber]:
    """The number of the tanh form, with its slope kept, and that of the sigmoid form."""
    cubic, scale = (result(id).value for id in ("page-cubic", "gelu-paper-scale"))
    moved = {  # by how much, and from where to where
        "tanh": map(Rational, ("0.00001", "0.043", "0.046")),
        "sigmoid": map(Rational, ("0.001", "1.58", "1.82")),
    }
    return {
        "tanh": OneNumber("k", cubic, 6, *moved["tanh"], local_match(3).ratio(3)),
        "sigmoid": OneNumber("c", scale, 3, *moved["sigmoid"], SLOPE_KEPT["p1"]),
    }


class Task(NamedTuple):
    """What a reader is asked to reach by hand, and how the page knows that it is reached.

    It is reached when ``count`` peaks of the error of one function alternate in sign, the lowest of
    them with a ``share`` of the size of the highest of all. What is nearly equal cannot be improved
    by much, by de la Vallée-Poussin's argument: so no optimum is needed to judge a task. The form
    is a key of ``one_numbers``; ``kept`` says whether p₁ has to be that of the local match.
    """

    name: str
    text: str
    of: str
    form: str
    kept: bool
    count: int
    share: float


LEVEL, NEARLY = 0.97, 0.9
LEVEL_TWO = "Make crest and trough equal: move k, or drag a mark."
LEVEL_THREE = "Make a trough, a crest and a trough equal: move p₁ and p₃, under More."
TASKS = (
    Task("1. Φ", LEVEL_TWO, "Phi", "tanh", True, 2, LEVEL),
    Task("2. GELU", "The same for GELU. Is it the same k?", "GELU", "tanh", True, 2, LEVEL),
    Task("3. sigmoid form", "The same for the sigmoid form.", "Phi", "sigmoid", False, 2, LEVEL),
    Task("4. three at once", LEVEL_THREE, "Phi", "tanh", False, 3, NEARLY),
)
"""What the page asks for, the first from the start."""


class levelling_place(nodes.General, nodes.Element):
    """A place for one slider, which is filled when the language of the page is known.

    Its ``letter`` is what the page calls the number.
    """


class LevellingDirective(SphinxDirective):
    """``{level-the-peaks}``: one slider, two pictures, one task."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        return [levelling_place(letter="".join(self.arguments))]


def fill_levelling(app: Sphinx, document: nodes.document) -> None:
    for place in list(document.findall(levelling_place)):
        say = say_on(app.env, app.env.docname)
        place.replace_self(nodes.raw("", small_markup(say, place["letter"]), format="html"))


# ---- The explorer


def markup() -> str:
    """The explorer as HTML; the script fills in what depends on the coefficients."""
    return f"""<section id="explorer-box" class="explorer" aria-label="Explorer">
{tasks()}
<div class="explorer-row">
<fieldset class="explorer-row"><legend>Form</legend>{choices("form", FORM_NAMES)}</fieldset>
<fieldset class="explorer-row"><legend>Error of</legend>{choices("of", NAMES)}</fieldset>
<fieldset class="explorer-row"><legend>Axis</legend>{choices("axis", AXES)}</fieldset>
</div>
{formula()}
{"".join(map(form_slider, one_numbers()))}
<p id="explorer-fault" role="alert"></p>
{pictures("explorer")}
<p id="explorer-size"></p>
<p id="explorer-level"></p>
<p id="explorer-success"></p>
<p id="explorer-spoken" class="visually-hidden" role="status"></p>
{more()}
<fieldset class="explorer-row"><legend>Difference times</legend>{choices("by", FACTORS)}</fieldset>
<svg id="explorer-function" class="explorer-plot" role="img" aria-label="The function"></svg>
<div class="explorer-row">
<button type="button" id="explorer-reset">Start again</button>
<button type="button" id="explorer-copy">Copy a link to this view</button>
</div>
<p id="explorer-copied" role="status"></p>
<input id="explorer-address" type="text" readonly hidden aria-label="Address of this view">
</section>
<p class="explorer-off">The explorer needs JavaScript, which is off. The figure shows three of the
views that it can draw.</p>
"""


def choices(name: str, texts: dict[str, str]) -> str:
    """Radio buttons for one part of the state, by its values."""
    return "".join(
        f'<label><input type="radio" name="explorer-{name}" value="{value}"'
        f' autocomplete="off"> {text}</label>'
        for value, text in texts.items()
    )


def form_slider(form: str) -> str:
    """The big slider of a form's number, and the number as text."""
    number = one_numbers()[form]
    id = f"explorer-{number.letter}"
    typed = (
        f'<input id="{id}-typed" type="number" inputmode="decimal" step="{step(number)}"'
        f' autocomplete="off" aria-label="{number.letter} as a number"'
        ' aria-describedby="explorer-fault">'
    )
    return number_slider(id, number.letter, number, typed, "" if form == FIRST else " hidden")


def number_slider(
    id: str,
    name: str,
    number: OneNumber,
    typed: str = "",
    hidden: str = "",
    value: str = "",
    say: Callable[[str], str] = str,
) -> str:
    """A slider with its name, and a button at each end for a finger that cannot aim."""
    lower, raise_ = (
        f'<button type="button" data-nudge="{sign}{float(number.nudge)}" aria-controls="{id}"'
        f' aria-label="{say(words).format(name=name)}">{shown}</button>'
        for sign, words, shown in (
            ("-", "Lower {name} a little", "−"),
            ("", "Raise {name} a little", "+"),
        )
    )
    return (
        f'<div class="explorer-number"{hidden}>'
        f'<span><label for="{id}">{name}</label>{value}</span>{lower}'
        f'<input id="{id}" type="range" min="{float(number.low)}" max="{float(number.high)}"'
        f' step="{step(number)}" value="{local(number)}" autocomplete="off">{raise_}{typed}</div>'
    )


def step(number: OneNumber) -> str:
    """One unit of the last decimal of the printed number."""
    return f"{10**-number.decimals:.{number.decimals}f}"


def local(number: OneNumber) -> str:
    """The number of the local match, with as many decimals as the printed one has."""
    return f"{float(number.local):.{number.decimals}f}"


def formula() -> str:
    """The line of code with the number in it, as it stands at the start."""
    return (
        '<p class="explorer-formula"><code><span id="explorer-before">'
        "0.5*x*(1 + tanh(sqrt(2/pi)*(x + </span>"
        f'<b id="explorer-number">{local(one_numbers()["tanh"])}</b>'
        '<span id="explorer-after">*x**3)))</span></code></p>'
    )


def pictures(prefix: str, say: Callable[[str], str] = str) -> str:
    """The error curve, and beside it the largest error against the number."""
    return (
        '<div class="explorer-pair">'
        f'<svg id="{prefix}-error" class="explorer-plot" role="img"'
        f' aria-label="{say("The error")}"></svg>'
        f'<svg id="{prefix}-vee" class="explorer-plot" role="img"'
        f' aria-label="{say("The largest error against the number")}"></svg></div>'
    )


def tasks() -> str:
    """A button for each task, which says whether it is done and leads to where it starts.

    Below is room for what is asked now, and a line that is heard once when a task is done.
    """
    made = "".join(
        f'<button type="button" data-task="{i}" aria-pressed="false">{escape(task.name)}'
        f' <span id="explorer-task-{i}">open</span></button>'
        for i, task in enumerate(TASKS)
    )
    return (
        '<div class="explorer-tasks" role="group" aria-labelledby="explorer-asked">'
        f'<span id="explorer-asked">Tasks</span>{made}</div>'
        '<p id="explorer-now"></p>'
        '<p id="explorer-told" class="visually-hidden" role="status"></p>'
    )


def more() -> str:
    """What a first look does not need: both coefficients, the named members, the peaks."""
    return f"""<details id="explorer-more"><summary>More: p₁, p₃, known constants, peaks</summary>
<div class="explorer-parameters">{"".join(map(sliders, SLIDERS))}</div>
<p id="explorer-alternation"></p>
<p><a href="criteria.html">Proved</a>: no pair has an error below
<span id="explorer-best"></span></p>
<div class="explorer-members">{buttons()}</div>
<div class="explorer-row">
<label>Draw up to x = <select id="explorer-to" autocomplete="off"></select></label>
</div>
<table class="table explorer-peaks"><caption>Extrema of the error for x &gt; 0</caption>
<thead><tr><th scope="col">x</th><th scope="col">error</th><th scope="col">of the largest</th></tr>
</thead><tbody id="explorer-peaks"></tbody></table>
</details>"""


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


# ---- The landing page


def small_markup(say: Callable[[str], str] = str, letter: str = "") -> str:
    """One slider, which shows its value and not the answer, and the two pictures, as HTML."""
    name = letter or say("the number")
    low, high = SMALL_RANGE
    number = one_numbers()["tanh"]._replace(low=low, high=high)
    value = f' <b id="levelling-number">{local(number)}</b>'
    question, task = (
        say("How small can the largest error be?"),
        say(
            "Move {name}, or drag the curve by its mark."
            " The start, {start}, comes from Taylor’s series."
        ).format(name=name, start=local(number)),
    )
    return f"""<section id="levelling-box" class="explorer" aria-label="{question}">
<p><b>{question}</b> {task}</p>
{number_slider("levelling-slider", name, number, value=value, say=say)}
{pictures("levelling", say)}
<p id="levelling-level"></p>
<p id="levelling-success"></p>
<p id="levelling-spoken" class="visually-hidden" role="status"></p>
</section>
"""


# ---- The chapter on what best means


def band_markup() -> str:
    """Two sliders, for the factors of the best pair, and the two curves in the band, as HTML."""
    return f"""<section id="band-box" class="explorer" aria-label="Can you stay inside the band?">
<p><b>Find two coefficients whose curve stays inside the band.</b> The thick curve is that of
the best pair; yours is dashed.</p>
{"".join(map(factor_slider, BAND_RANGES))}
<svg id="band-error" class="explorer-plot" role="img" aria-label="The two error curves"></svg>
<p id="band-said"></p>
<p id="band-hint"></p>
<p id="band-spoken" class="visually-hidden" role="status"></p>
</section>
"""


def factor_slider(parameter: str) -> str:
    """The slider of one coefficient, as a multiple of that of the best pair."""
    symbol, nudge, low, high, start = BAND_RANGES[parameter]
    factor = OneNumber(symbol, "", 4, nudge, low, high, start)
    value = f' = <b id="band-{parameter}-factor">{local(factor)}</b> × best'
    return number_slider(f"band-{parameter}", symbol, factor, value=value)


# ---- The page on measures


def weight_markup() -> str:
    """One slider for the power of ten of the width, and two pictures, as HTML."""
    width = OneNumber("T", "", 2, Rational("0.02"), Rational(-1), Rational(3), Rational(2))
    value = f' = <b id="weighing-number">{10 ** int(width.local)}</b>'
    return f"""<section id="weighing-box" class="explorer" aria-label="The best k under a weight">
<p><b>Make the weight narrower.</b> The best k moves along its line, and crest and trough stay
level. The grey curve is the error without the weight. Which T makes the printed constant the
best?</p>
{number_slider("weighing-slider", "T", width, value=value)}
<div class="explorer-pair">
<svg id="weighing-error" class="explorer-plot" role="img" aria-label="The weighted error"></svg>
<svg id="weighing-line" class="explorer-plot" role="img" aria-label="The best k against T"></svg>
</div>
<p id="weighing-level"></p>
<p id="weighing-success"></p>
<p id="weighing-spoken" class="visually-hidden" role="status"></p>
</section>
"""


# ---- What the scripts need


def data() -> dict[str, Any]:
    """What the scripts need of the library: forms, members, tasks, the first view, least errors."""
    members = [
        {**floats(member.parameters), "name": f"{member.group}: {member.name}"}
        for member in named_members()
    ]
    view = {"of": TARGETS[0], "to": 5, "axis": "linear", "by": 1}
    return {
        "members": members,
        "start": {**floats(named_members()[0].parameters), **view},
        "least": {of: float(stored("tanh-free", of, "sup").error) for of in TARGETS},
        "best": floats(stored("tanh-free", "Phi", "sup").parameters),
        "kept": float(SLOPE_KEPT["p1"]),
        "forms": {
            form: {
                "letter": number.letter,
                "literal": number.literal,
                "printed": float(number.literal),
                "decimals": number.decimals,
                **floats({name: getattr(number, name) for name in ("low", "high", "local")}),
            }
            for form, number in one_numbers().items()
        },
        "tasks": [
            {
                "of": task.of,
                "form": task.form,
                "p1": float(SLOPE_KEPT["p1"]) if task.kept else None,
                "count": task.count,
                "share": task.share,
                "name": task.name,
                "text": task.text,
                "best": exactly_level(task),
            }
            for task in TASKS
        ],
    }


def floats(numbers: Mapping[str, Expr]) -> dict[str, float]:
    return {name: float(number) for name, number in numbers.items()}


def exactly_level(task: Task) -> str:
    """The first digits of the best number, one decimal more than are printed; of a pair nothing."""
    if task.count > 2:
        return ""
    best = stored("tanh-pinned" if task.kept else task.form, task.of, "sup").constant
    last = Decimal(10) ** -(one_numbers()[task.form].decimals + 1)
    return str(Decimal(str(N(best, 30))).quantize(last, ROUND_DOWN))


def write_members(app: Sphinx) -> None:
    """Put the data into the site."""
    if app.builder.format == "html":
        write_data(app, DATA_SCRIPT, "EXPLORER", data())


class uncounted(nodes.figure):
    """A figure without a number: what Sphinx counts it knows by its class."""


def leave_uncounted(app: Sphinx, document: nodes.document) -> None:
    """Take the number from each figure that gives way to the explorer, and from no other."""
    cells = [cell for cell in document.findall(nodes.container) if OFF in cell["classes"]]
    for figure in [figure for cell in cells for figure in cell.findall(nodes.figure)]:
        figure.replace_self(uncounted("", *figure.children, **figure.attributes))


def setup(app: Sphinx) -> None:
    app.add_directive("explorer", directive(markup))
    app.add_directive("level-the-peaks", LevellingDirective)
    app.add_directive("stay-in-the-band", directive(band_markup))
    app.add_directive("weigh-the-error", directive(weight_markup))
    app.connect("builder-inited", write_members)
    app.connect("doctree-read", fill_levelling)
    app.connect("doctree-read", leave_uncounted)
