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

from gelu_lib.choices import FORMS, minimax_id, stored
from gelu_lib.families import SLOPE_KEPT, TARGETS
from gelu_lib.functions import LOCAL_SLOPE
from gelu_lib.register import result
from gelu_lib.series import local_match

NAMES = {"Phi": "Φ", "GELU": "GELU", "GELU_derivative": "GELU′"}
"""The functions of ``gelu_lib.families.TARGETS`` as a reader knows them."""


@dataclass(frozen=True)
class NamedMember:
    """A member of the family with p₁ and p₃, and what it is known as.

    Attributes:
        group: the members that are alike, such as ``"As printed"``.
        name: the member within its group.
        p1: the linear coefficient, exact or to 50 digits.
        p3: the cubic coefficient, exact or to 50 digits.
        entries: the IDs of the register that state its numbers.
    """

    group: str
    name: str
    p1: Expr
    p3: Expr
    entries: tuple[str, ...]

    @property
    def parameters(self) -> Mapping[str, Expr]:
        """The coefficients by name, as ``gelu_lib.families.TANH_CUBIC`` takes them."""
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
    return NamedMember("Matched at 0", "Taylor", p1, p3, ("taylor-cubic",))


def _printed() -> tuple[NamedMember, ...]:
    cubic, scale = result("page-cubic"), result("gelu-paper-scale")
    pair = (result("bowling-linear"), result("bowling-cubic"))
    slope = SLOPE_KEPT["p1"]
    page = (slope, 2 * LOCAL_SLOPE * Rational(cubic.value))
    bowling = tuple(Rational(literal.value) for literal in pair)
    names = (f"Page, {cubic.value}", f"Bowling, {pair[0].value} and {pair[1].value}")
    return (
        NamedMember("As printed", names[0], *page, (cubic.id,)),
        NamedMember("As printed", names[1], *bowling, tuple(literal.id for literal in pair)),
        NamedMember("As printed", scale.value, Rational(scale.value), sp.S.Zero, (scale.id,)),
    )


def _best(of: str, form: str) -> NamedMember:
    """The least largest error of one function that a form can have."""
    parameters = stored(form, of, "sup").parameters
    return NamedMember(
        group=f"Best for {NAMES[of]}",
        name=FORMS[form].name,
        p1=SLOPE_KEPT["p1"] if "p1" in FORMS[form].fixed else parameters["p1"],
        p3=parameters.get("p3", sp.S.Zero),
        entries=(minimax_id(form, of),),
    )
