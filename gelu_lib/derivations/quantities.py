"""What a statement says beyond an expression: extrema, places, and relations between sides.

SymPy has functions, sums and integrals. Here is what the book's statements have besides. The
quantities are SymPy objects, so that ``srepr`` writes them down and ``xreplace`` reaches into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy import Expr, Symbol, Tuple
from sympy.logic.boolalg import BooleanFunction

SIGNS = ("=", "<", ">", "≤", "≥", "≠", "∈", "⊂", "~", "≈", "→")
"""How one side of a chain may stand to the next."""


class Binding(Expr):
    """An operator that binds symbols: ``(body, variables, domain)``.

    The domain is a condition on the variables; ``true`` where they range over all real numbers.
    """

    is_commutative = True
    is_extended_real = True

    def __new__(cls, body: Any, variables: Any, domain: Any = sp.true) -> Binding:
        return super().__new__(cls, sp.sympify(body), Tuple(*variables), sp.sympify(domain))

    @property
    def body(self) -> Expr:
        return self.args[0]

    @property
    def variables(self) -> tuple[Symbol, ...]:
        return tuple(self.args[1])

    @property
    def domain(self) -> Expr:
        return self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        return (self.body.free_symbols | self.domain.free_symbols) - set(self.variables)


class Supremum(Binding):
    """The least upper bound of the body; a statement says max where it is attained."""


class Infimum(Binding):
    """The greatest lower bound of the body; a statement says min where it is attained."""


class ArgMax(Binding):
    """Where the body is largest."""


class ArgMin(Binding):
    """Where the body is least."""


class Cardinality(Binding):
    """For how many values of the variables the domain's condition holds."""


class Collection(Binding):
    """The set of the values of the body for which the domain's condition holds."""


class Member(BooleanFunction):
    """That something belongs to a set of which a statement says nothing else: ``(what, set)``."""

    nargs = 2


class Component(Expr):
    """One coordinate of a place: ``(place, symbol)``, as in "p₁ of arg min"."""

    is_commutative = True
    is_extended_real = True

    @property
    def free_symbols(self) -> set[Symbol]:
        return self.args[0].free_symbols


@dataclass(frozen=True)
class Chain:
    """Sides with a relation between each and the next; a single side is a quantity.

    Attributes:
        sides: SymPy expressions.
        signs: one of ``SIGNS`` between each two neighbours.
        given: under which further relations it holds.
    """

    sides: tuple[Expr, ...]
    signs: tuple[str, ...] = ()
    given: tuple[Chain, ...] = ()


@dataclass(frozen=True)
class Inference:
    """Chains that follow from others, or hold exactly where the others do.

    Attributes:
        premises: chains.
        sign: ``"⇒"`` or ``"⇔"``.
        conclusions: chains.
    """

    premises: tuple[Chain, ...]
    sign: str
    conclusions: tuple[Chain, ...]


Proposition = Chain | Inference
