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
from gelu_lib.chapters.style import Drawn
from gelu_lib.chapters.tables import Table, decimal
from gelu_lib.fits.optima import FORMS, stored
from gelu_lib.fits.sup_norm import SampledSupError, sampled_sup_error
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import PAGE, SLOPE_KEPT, TANH_CUBIC, TARGETS
from gelu_lib.functions.series import local_match
from gelu_lib.register import result

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
        found = [sampled_sup_error(TANH_CUBIC, member.parameters, of=of) for of in TARGETS]
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
