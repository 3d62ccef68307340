"""The best odd polynomials of degrees up to 25 for Φ: those beyond 9 are recorded, and proved.

The degrees between gain nothing: the best error before ends below 0 there, and so the next power
gains nothing, by the last-sign rule.
"""

from __future__ import annotations

import json
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files

from gelu_lib.certificates.best.certificate import certify
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.results import Best
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.fits.criteria import by_name, problem
from gelu_lib.functions.families import odd_logistic

DIGITS = 50
"""How many digits the record has."""

RECORDED = (13, 15, 19, 23)
"""The degrees of the record."""

GAINING = (1, 3, 7, 9, *RECORDED)
"""The degrees up to 25 at which the least error of Φ is smaller than at the degree before."""


def recorded(degree: int) -> Best:
    """What the record claims of the best polynomial of a degree; nothing is proved of it."""
    kept = json.loads((files("gelu_lib") / "data" / "degrees.json").read_text("utf-8"))[str(degree)]
    values, points, (error,) = (
        tuple(Enclosure(Decimal(text), Decimal(text)) for text in kept[part])
        for part in ("parameters", "points", "error")
    )
    family = odd_logistic(degree)
    named = by_name(family.symbols, values)
    signs = tuple(kept["signs"])
    return Best(family, named, problem(family), DIGITS, error, points, signs)


@lru_cache
def best_of_degree(degree: int, digits: int = 10) -> Best:
    """The best odd polynomial inside σ for Φ, of a degree that gains, proved.

    Args:
        degree: one of ``GAINING``.
        digits: how many digits are enclosed.

    Raises:
        ValueError: if the degree is another one.

    Example:
        >>> from gelu_lib.evidence.degrees import best_of_degree
        >>> best_of_degree(13).error.n(8)
        2.8877742e-8
    """
    if degree not in GAINING:
        raise ValueError(f"degree is {degree}; accepted are {', '.join(map(str, GAINING))}")
    if degree not in RECORDED:
        return minimax(odd_logistic(degree), digits=digits)
    return certify(recorded(degree), digits)
