"""A statement as data, which another program can evaluate: SymPy's ``srepr`` of every side.

``results.json`` has this form. ``NAMES`` gives SymPy the functions that it does not have, so that
``sympy.sympify(text, locals=NAMES)`` reads a side back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy import Add, Basic, Dummy, Integral, Symbol
from sympy.printing.repr import ReprPrinter

from gelu_lib.derivations import notation, quantities
from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import Chain, Inference, Proposition
from gelu_lib.functions.expressions import GELU, Phi, logistic, phi

NAMES: Mapping[str, type[Basic]] = {
    kind.__name__: kind
    for kind in (
        *(Phi, phi, logistic, GELU, notation.Coefficient, notation.NormalProbability),
        *(quantities.Supremum, quantities.Infimum, quantities.ArgMax, quantities.ArgMin),
        *(quantities.Component, quantities.Collection, quantities.Cardinality, quantities.Member),
    )
}
"""The functions and operators of the book that SymPy does not have, by name."""

# the first that holds says what a symbol is assumed to be
_KINDS = (
    ("positive integer", ("integer", "positive")),
    ("nonnegative integer", ("integer", "nonnegative")),
    ("integer", ("integer",)),
    ("positive", ("positive",)),
    ("nonnegative", ("nonnegative",)),
    ("real", ("real",)),
    ("complex", ("complex",)),
)


def semantic(said: Statement) -> dict[str, Any]:
    """A statement as JSON holds it.

    Args:
        said: what a result states.

    Returns:
        ``claims``: each with ``sides`` (``srepr``), the ``signs`` between them and the claims
        under which it is ``given``; or ``premises``, a ``sign`` ⇒ or ⇔, and ``conclusions``.
        ``assumed``: the same for the conditions. ``domain``: what each symbol is, by name.
    """
    symbols = sorted(said.domains.values(), key=str)
    return {
        "claims": [_claim(claim) for claim in said.claims],
        "assumed": [_claim(claim) for claim in said.assumed],
        "domain": {symbol.name: kind(symbol) for symbol in symbols},
    }


def kind(symbol: Symbol) -> str:
    """What a symbol is assumed to be, in words."""
    return next(words for words, kinds in _KINDS if all(symbol.assumptions0.get(k) for k in kinds))


def _claim(claim: Proposition) -> dict[str, Any]:
    if isinstance(claim, Inference):
        return {
            "premises": _claims(claim.premises),
            "sign": claim.sign,
            "conclusions": _claims(claim.conclusions),
        }
    written = {"sides": [_side(side) for side in claim.sides], "signs": list(claim.signs)}
    return {**written, "given": _claims(claim.given)} if claim.given else written


def _claims(chains: Sequence[Chain]) -> list[dict[str, Any]]:
    return [_claim(chain) for chain in chains]


def _side(side: Basic) -> str:
    """One side; a bound symbol has a number that is the same in every run."""
    dummies = [part for part in sp.preorder_traversal(side) if isinstance(part, Dummy)]
    named = {
        dummy: Symbol(f"{dummy.name}_{place}", **dummy._assumptions_orig)
        for place, dummy in enumerate(dict.fromkeys(dummies), 1)
    }
    return _Printer().doprint(side.xreplace(named))


class _Printer(ReprPrinter):
    """``srepr``, but for integrals in a sum: to sort them it would compute them, for seconds."""

    def _print_Add(self, sum: Add, order: str | None = None) -> str:
        return super()._print_Add(sum, "none" if sum.is_number and sum.has(Integral) else order)
