"""The members of the family σ(p₁x + p₃x³) that have a name: matched, printed, best.

The explorer has a button for each, and its page a table. No number stands here: the match comes
from the series, the printed literals from the register, the optima from the table of criteria.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

import sympy as sp
from sympy import Expr, Rational

from gelu_lib.chapters import curves
from gelu_lib.fits.optima import FORMS, stored
from gelu_lib.fits.sup_norm import SampledSupError, sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC, TARGETS
from gelu_lib.functions.forms import Form
from gelu_lib.functions.series import local_match
from gelu_lib.register import result
from gelu_lib.show.style import Drawn
from gelu_lib.show.tables import Table, decimal

NAMES = {"Phi": "Φ", "GELU": "GELU", "GELU_derivative": "GELU′"}
"""The functions of ``families.TARGETS`` as a reader knows them."""


@dataclass(frozen=True)
class NamedMember:
    """A member of the family with p₁ and p₃, and what it is known as.

    Attributes:
        group: the members that are alike, such as ``"As printed"``.
        name: the member within its group.
        p1: the linear coefficient, exact or to 50 digits.
        p3: the cubic coefficient, exact or to 50 digits.
    """

    group: str
    name: str
    p1: Expr
    p3: Expr

    @property
    def parameters(self) -> Mapping[str, Expr]:
        """The coefficients by name, as ``families.TANH_CUBIC`` takes them."""
        return {"p1": self.p1, "p3": self.p3}


@cache
def named_members() -> tuple[NamedMember, ...]:
    """Every member that has a name: the local match, the printed ones, the best in the sup norm.

    Returns:
        The members, those of one group beside each other.
    """
    return (_matched(), *_printed(), *(_best(of, form) for of, form in product(TARGETS, FORMS)))


def _matched() -> NamedMember:
    # (1 + tanh u)/2 = σ(2u)
    p1, p3 = (2 * coefficient for coefficient in local_match(3).coefficients)
    return NamedMember("Matched at 0", "Taylor", p1, p3)


def _printed() -> tuple[NamedMember, ...]:
    names = ("page-cubic", "bowling-linear", "bowling-cubic", "gelu-paper-scale")
    cubic, linear, other_cubic, scale = (result(id).value for id in names)
    page = (SLOPE_KEPT["p1"], 2 * LOCAL_SLOPE * Rational(cubic))
    bowling = (Rational(linear), Rational(other_cubic))
    return (
        NamedMember("As printed", f"Page, {cubic}", *page),
        NamedMember("As printed", f"Bowling, {linear} and {other_cubic}", *bowling),
        NamedMember("As printed", scale, Rational(scale), sp.S.Zero),
    )


def _best(of: str, form: str) -> NamedMember:
    """The least largest error of one function that a form can have."""
    parameters = stored(form, of, "sup").parameters
    p1 = SLOPE_KEPT["p1"] if "p1" in FORMS[form].fixed else parameters["p1"]
    return NamedMember(
        f"Best for {NAMES[of]}", FORMS[form].name, p1, parameters.get("p3", sp.S.Zero)
    )


# --- what the page moves


@dataclass(frozen=True)
class OneNumber:
    """A form with the one number that people paste, as a slider moves it.

    Attributes:
        letter: what the number is called.
        literal: the number as it is printed.
        decimals: how many the literal has; a step of the slider is one unit of the last.
        nudge: how far one press of a button moves the number, for a finger that cannot aim.
        low: the left end of the slider.
        high: its right end; every named member of the form lies between.
        local: the number that matches Φ at 0, which is where a reader starts.
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
        "sigmoid": OneNumber("c", scale, 3, *moved["sigmoid"], _matched().p1),
    }


@dataclass(frozen=True)
class Task:
    """What a reader is asked to reach by hand, and how the page knows that it is reached.

    It is reached when so many peaks of the error of one function alternate in sign, the lowest of
    them with nearly the size of the highest of all. What is nearly equal cannot be improved by
    much, by de la Vallée-Poussin's argument: so no optimum is needed to judge a task.

    Attributes:
        name: what is levelled, on a button.
        text: what is asked.
        of: the function whose error is looked at.
        form: the form, a key of ``one_numbers``.
        kept: whether p₁ of the tanh form has to be that of the local match.
        count: how many peaks have to alternate.
        share: of the size of the highest peak, what the lowest of them must have.
    """

    name: str
    text: str
    of: str
    form: str
    kept: bool
    count: int
    share: float


LEVEL, NEARLY = 0.97, 0.9
TASKS = (
    Task(
        "1. Φ",
        "Make crest and trough equal: move k, or drag a mark.",
        "Phi",
        "tanh",
        True,
        2,
        LEVEL,
    ),
    Task("2. GELU", "The same for GELU. Is it the same k?", "GELU", "tanh", True, 2, LEVEL),
    Task("3. sigmoid form", "The same for the sigmoid form.", "Phi", "sigmoid", False, 2, LEVEL),
    Task(
        "4. three at once",
        "Make a trough, a crest and a trough equal: move p₁ and p₃, under More.",
        "Phi",
        "tanh",
        False,
        3,
        NEARLY,
    ),
)
"""What the page asks for, the first from the start."""


# --- the page


def opening() -> Drawn:
    """The errors of Φ of three members: the match at 0, the best p₃, and the best pair."""
    known = {(m.group, m.name): (TANH_CUBIC, m.parameters) for m in named_members()}
    return curves.error_curves(
        {
            "Taylor": known["Matched at 0", "Taylor"],
            "best $p_3$": known["Best for Φ", "tanh form, slope kept"],
            "best pair": known["Best for Φ", "tanh form, both free"],
        }
    )


def buttons() -> Table:
    """Every button, with its coefficients and the largest errors, sampled."""
    rows = []
    for member in named_members():
        coefficients = [decimal(p, 8) if p else "0" for p in (member.p1, member.p3)]
        found = [sampled_sup_error(Form(TANH_CUBIC, member.parameters), of=of) for of in TARGETS]
        sizes = [decimal(sup.error, 5) for sup in found]
        rows.append([member.group, member.name, *coefficients, *sizes])
    errors = [f"largest error of {NAMES[of]}" for of in TARGETS]
    return Table(["group", "button", "p₁", "p₃", *errors], rows)


def two_peaks(page: SampledSupError) -> dict[str, str]:
    """How the two peaks of Page's error compare, and by how much his p₃ is too large.

    Args:
        page: the error of Φ with 0.044715.
    """
    first, second = (abs(extremum.error) for extremum in page.extrema)
    best = stored("tanh-pinned", "Phi", "sup").parameters["p3"]
    return {
        "page-share": decimal(100 * first / second, 4),
        "page-excess": decimal(100 * (PAGE["p3"] / best - 1), 1),
    }
