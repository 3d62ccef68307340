"""The table of criteria proved: the best constants by every measure, and the error with them."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from sympy import Rational, exp

from gelu_lib.certificates.best.certificate import multipliers
from gelu_lib.certificates.best.least_integrals import integral_norm, least_integral
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.best.results import Best
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.evidence.criteria_table import (
    FORMS,
    MEASURES,
    check_cell,
    constant,
    entry_id,
    minimax_id,
)
from gelu_lib.evidence.kinds import Certification
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import SLOPE_KEPT, TANH_CUBIC
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import TARGETS

SUP_MEASURES = {"sup": "", "Gaussian sup": "Gaussian "}
"""The measures that are sup norms, and how their numbers' names begin."""


@lru_cache
def best(form: str, target: str, measure: str, digits: int) -> Best:
    """The best member of one cell of the table, proved: of all for a sup norm, else of all nearby.

    Args:
        form: a key of ``FORMS``.
        target: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``.
        measure: a key of ``MEASURES``.
        digits: how many significant digits of every number shall be proved.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if another argument is not one of the table's, or ``digits`` is below 1.
        CertificationError: if a step of the proof fails.
    """
    check_cell(form, target, measure)
    kind, (norm, weight) = FORMS[form], MEASURES[measure]
    if norm == "sup":
        return minimax(kind.family, target, kind.fixed, digits, weight)
    return least_integral(kind.family, target, kind.fixed, digits, weight, norm)


def size(form: Form, target: str, measure: str, digits: int) -> Enclosure:
    """The measure at any form, enclosed; see ``best`` for what is accepted."""
    norm, weight = MEASURES[measure]
    if norm == "sup":
        return certified_sup_error(form, target, digits, weight).error
    return integral_norm(form, target, digits, weight, norm)


def prove_cell(form: str, target: str, measure: str, digits: int) -> dict[str, Any]:
    """The numbers of one cell, proved anew, by the names under which the table is stored.

    Where the error without weight is largest is proved of the form with the middles of the
    enclosures as parameters, which have ten digits more than are asked for.

    Args:
        form, target, measure, digits: see ``best``.

    Returns:
        Enclosures, some in a mapping or a tuple, and the signs of the points.
    """
    found = best(form, target, measure, digits)
    worst = found if measure == "sup" else certified_sup_error(found, target, digits)
    return {
        "parameters": found.parameters,
        "constant": constant(found.parameters),
        "size": found.error,
        "famous_size": size(FORMS[form].famous, target, measure, digits),
        "worst": worst.points[0],
        "worst_error": worst.error,
        "points": found.points,
        "signs": found.signs,
        "multipliers": multipliers(found) if found.signs else (),
    }


def _constants(found: Best) -> dict[str, Enclosure]:
    """The constants that were found: those that are free, and k if there are two coefficients."""
    free = {symbol.name: found.parameters[symbol.name] for symbol in found.problem.free}
    return {"k": constant(found.parameters), **free} if "p3" in free else free


def _minimax(form: str, target: str, digits: int) -> dict[str, Enclosure]:
    """What is proved of a form and a target: the best constants, the error and its places."""
    numbers: dict[str, Enclosure] = {}
    for measure, begin in SUP_MEASURES.items():
        found = best(form, target, measure, digits)
        numbers |= {f"{begin}{name}": value for name, value in _constants(found).items()}
        numbers[f"{begin}E"] = found.error
        numbers |= {f"{begin}x{i}": x for i, x in enumerate(found.points, 1)}
    return numbers


def _all_measures(form: str, target: str, digits: int) -> dict[str, Enclosure]:
    """The best constants by every measure, and how large it then is."""
    numbers: dict[str, Enclosure] = {}
    for measure in MEASURES:
        found = best(form, target, measure, digits)
        numbers |= {f"{measure}, {name}": value for name, value in _constants(found).items()}
        numbers[f"{measure}, error"] = found.error
    return numbers


TABLE: dict[str, Certification] = {
    entry_id(form, target): partial(_all_measures, form, target)
    for form in FORMS
    for target in TARGETS
}
"""The entries of the table of criteria, which ``tools/write_choices.py`` writes."""

_FADING = exp(-(X**2) / Rational("7.05"))
"""A weight under which the best cubic coefficient for GELU is the printed one, rounded."""


def _weighted(digits: int) -> dict[str, Enclosure]:
    """The best cubic coefficient for GELU under that weight, the slope kept."""
    found = minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, digits, _FADING)
    return {"": constant(found.parameters)}


CRITERION_PROOFS: dict[str, Certification] = {
    **{minimax_id(form, name): partial(_minimax, form, name) for form in FORMS for name in TARGETS},
    **TABLE,
    "tanh-gelu-weighted-cubic": _weighted,
}
