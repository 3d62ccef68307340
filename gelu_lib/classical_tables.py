"""The classical approximations of Φ as the tables of a chapter, with sources and proved errors."""

from __future__ import annotations

import sympy as sp

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.classical import (
    UNVERIFIED,
    WEIGHTS,
    Approximation,
    approximations,
    audit,
    operations,
    price,
    verdict,
)
from gelu_lib.tables import Table, decimal

DIGITS = 4
"""Significant digits of an error in a table; its enclosure decides them."""

NAMES = {"mul": "×", "add": "+", "div": "÷", "sqrt": "√"}
"""How an operation is written in a table; a function has its name."""


def audit_table() -> Table:
    """Every approximation with its largest errors and what it costs, by the error of GELU.

    Returns:
        One row for each approximation, the best as GELU first.
    """
    ordered = sorted(approximations().values(), key=lambda one: audit(one, "GELU").error.lower)
    return Table(
        ["approximation", "for x", "error of Φ", "error of GELU", "operations", "cost"],
        [_row(one) for one in ordered],
    )


def stated_table() -> Table:
    """What the sources state of their errors, beside what is proved.

    Returns:
        One row for each stated error, on the scale on which it is stated.
    """
    rows = []
    for one in approximations().values():
        if one.stated:
            factor = 2 if one.of == "erf" else 1
            found = shown(audit(one).error.times(factor))
            of = "erf" if one.of == "erf" else "Φ"
            rows.append(
                [one.name, of, f"`{one.stated}` {{cite}}`{one.stated_in}`", found, verdict(one)]
            )
    return Table(["approximation", "error of", "stated", "proved", "the stated number"], rows)


def unverified_table() -> Table:
    """The approximations that this audit leaves out, and why."""
    return Table(
        ["approximation", "why it is left out"], [list(pair) for pair in UNVERIFIED.items()]
    )


def shown(error: Enclosure) -> str:
    """An error as a table shows it.

    Args:
        error: its enclosure, narrow enough to decide the digits.

    Raises:
        CertificationError: if it is not.
    """
    return decimal(sp.Rational(str(error.rounded(DIGITS))), DIGITS)


def _row(one: Approximation) -> list[str]:
    count = operations(one.phi)
    domain = "all" if one.end == sp.oo else f"−{float(one.end):g} to {float(one.end):g}"
    told = ", ".join(f"{count[name]} {NAMES.get(name, name)}" for name in WEIGHTS if count[name])
    return [
        f"{one.name} {{cite}}`{','.join(one.source)}`",
        domain,
        shown(audit(one).error),
        shown(audit(one, "GELU").error),
        told,
        str(price(count)),
    ]
