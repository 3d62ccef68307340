"""The explorer of Φ̂(x) = σ(p₁x + p₃x³), which works in the browser, without a server.

``{explorer}``           the pictures, the tasks and the controls, on one page
``{level-the-peaks}``    the small one for the landing page: one slider for the number
``{read-the-factor}``    for the chapter on what GELU is: one slider for x
``{lay-a-line}``         for the chapter on Taylor's series: one slider for k, and where it is right
``{stay-in-the-band}``   two sliders beside the best curve, for the chapter that says what best is
``{weigh-the-error}``    for the pages on weights: one slider for the width of a weight

Each is a template, and scripts that a page loads where its HTML is: the numbers of the library as
JavaScript, which are written here, the mathematics (``explorer-core.js``), the words
(``explorer-words.js``), the pictures (``explorer-pictures.js``, ``explorer-pair.js``) and the page
itself. Where JavaScript is off, a cell with the tag ``explorer-off`` is shown in its place.

No package will do: ipywidgets needs a kernel, and Plotly weighs as much as a whole page may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_DOWN, Decimal
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from docutils import nodes
from page_language import say_on
from page_scripts import directive, rendered, write_data
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sympy import Expr, N, Rational, S

from gelu_lib.evidence.criteria_table import FORMS, load_cell
from gelu_lib.functions.families import SLOPE_KEPT
from gelu_lib.functions.forms import tanh_form
from gelu_lib.functions.series import local_match
from gelu_lib.functions.targets import TARGETS
from gelu_lib.register import result

DATA_SCRIPT = "explorer-data.js"
OFF = "tag_explorer-off"
"""The class of a cell that gives way to the explorer."""
SMALL_RANGE = Rational("0.044"), Rational("0.046")
"""What the slider of the landing page covers: less, so that a finger can aim."""
NAMES = {"Phi": "Φ", "GELU": "GELU", "GELU_derivative": "GELU′"}
"""The functions of ``targets.TARGETS`` as a reader knows them."""
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
        (f"Best for {NAMES[of]}", form.name, load_cell(key, of, "sup").parameters)
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
    """A number that a slider moves, by one unit of the last of so many decimals.

    A button beside it moves it to the next multiple of ``nudge``, for a finger that cannot aim. A
    reader starts at ``local``. What people paste as the number of a form is its ``literal``; every
    named member of the form lies between ``low`` and ``high``, and ``local`` matches Φ at 0.
    """

    letter: str
    decimals: int
    nudge: Expr
    low: Expr
    high: Expr
    local: Expr
    literal: str = ""

    @property
    def step(self) -> str:
        """One unit of the last decimal."""
        return self.written(10**-self.decimals)

    @property
    def start(self) -> str:
        """Where a reader starts."""
        return self.written(self.local)

    def written(self, number: float | Expr) -> str:
        return f"{float(number):.{self.decimals}f}"


@cache
def one_numbers() -> Mapping[str, OneNumber]:
    """The number of the tanh form, with its slope kept, and that of the sigmoid form."""
    cubic, scale = (result(id).value for id in ("page-cubic", "gelu-paper-scale"))
    moved = {  # by how much, and from where to where
        "tanh": map(Rational, ("0.000005", "0.043", "0.046")),
        "sigmoid": map(Rational, ("0.001", "1.58", "1.82")),
    }
    return {
        "tanh": OneNumber("k", 6, *moved["tanh"], local_match(3).ratio(3), cubic),
        "sigmoid": OneNumber("c", 3, *moved["sigmoid"], SLOPE_KEPT["p1"], scale),
    }


BAND_FACTORS = {
    "p1": OneNumber("p₁", 4, *map(Rational, ("0.0002", "0.9985", "1.0015", "0.9993"))),
    "p3": OneNumber("p₃", 4, *map(Rational, ("0.001", "0.985", "1.015", "1"))),
}
"""The factors by which a reader changes the best pair."""
PLACE = OneNumber("x", 2, *map(Rational, ("0.05", "-3", "3", "1")))
"""The place at which a reader sees the factor of GELU."""
WIDTH = OneNumber("T", 3, *map(Rational, ("0.004", "-1", "3", "2")))
"""The power of ten of the width of the weight."""


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


LEVEL, NEARLY = 0.9952, 0.9
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
    """A place for one slider, which is filled when the language of the page is known."""


class LevellingDirective(SphinxDirective):
    """``{level-the-peaks}``: one slider, two pictures, one task."""

    def run(self) -> list[nodes.Node]:
        return [levelling_place()]


def fill_levelling(app: Sphinx, document: nodes.document) -> None:
    for place in list(document.findall(levelling_place)):
        say = say_on(app.env, app.env.docname)
        place.replace_self(nodes.raw("", small_markup(say), format="html"))


# ---- Their HTML: templates of book/_theme


def markup() -> str:
    """The explorer as HTML; the script fills in what depends on the coefficients."""
    return rendered(
        "explorer",
        tasks=TASKS,
        numbers=list(one_numbers().values()),
        members=named_members(),
        sliders=SLIDERS,
        names=NAMES,
        form_names=FORM_NAMES,
        axes=AXES,
        factors=FACTORS,
    )


def small_markup(say: Callable[[str], str] = str) -> str:
    """One slider, which shows its value and not the answer, and the two pictures, as HTML."""
    low, high = SMALL_RANGE
    number = one_numbers()["tanh"]._replace(low=low, high=high)
    return rendered("levelling", say=say, name=say("the number"), number=number)


def factor_markup() -> str:
    """One slider for x, the area under the bell curve, and its share of the line, as HTML."""
    return rendered("factor", place=PLACE)


def line_markup() -> str:
    """One slider for k, the constants that are right at each x, and the error, as HTML."""
    return rendered("right-at", number=one_numbers()["tanh"]._replace(low=Rational("0.0415")))


def band_markup() -> str:
    """Two sliders, for the factors of the best pair, and the two curves in the band, as HTML."""
    return rendered("band", factors=BAND_FACTORS)


def weight_markup() -> str:
    """One slider for the power of ten of the width, and two pictures, as HTML."""
    return rendered("weighing", width=WIDTH)


# ---- What the scripts need


def data() -> dict[str, Any]:
    """What the scripts need of the library: forms, members, tasks, the first view, least errors."""
    members = [
        {**floats(member.parameters), "name": f"{member.group}: {member.name}"}
        for member in named_members()
    ]
    view = {"of": next(iter(TARGETS)), "to": 5, "axis": "linear", "by": 1000}
    return {
        "members": members,
        "start": {**floats(named_members()[0].parameters), **view},
        "least": {of: float(load_cell("tanh-free", of, "sup").error) for of in TARGETS},
        "best": floats(load_cell("tanh-free", "Phi", "sup").parameters),
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
            task._asdict()
            | {"p1": float(SLOPE_KEPT["p1"]) if task.kept else None, "best": exactly_level(task)}
            for task in TASKS
        ],
    }


def floats(numbers: Mapping[str, Expr]) -> dict[str, float]:
    return {name: float(number) for name, number in numbers.items()}


def exactly_level(task: Task) -> str:
    """The first digits of the best number, one decimal more than are printed; of a pair nothing."""
    if task.count > 2:
        return ""
    best = load_cell("tanh-pinned" if task.kept else task.form, task.of, "sup").constant
    last = Decimal(10) ** -(one_numbers()[task.form].decimals + 1)
    return str(Decimal(str(N(best, 30))).quantize(last, ROUND_DOWN))


def write_members(app: Sphinx) -> None:
    """Put the data into the site."""
    if app.builder.format == "html":
        write_data(app, DATA_SCRIPT, "EXPLORER", data())


def setup(app: Sphinx) -> None:
    app.add_directive("explorer", directive(markup))
    app.add_directive("level-the-peaks", LevellingDirective)
    app.add_directive("read-the-factor", directive(factor_markup))
    app.add_directive("lay-a-line", directive(line_markup))
    app.add_directive("stay-in-the-band", directive(band_markup))
    app.add_directive("weigh-the-error", directive(weight_markup))
    app.connect("builder-inited", write_members)
    app.connect("doctree-read", fill_levelling)
