"""The table of criteria: the best constants by every measure, and the error with them."""

from __future__ import annotations

from functools import lru_cache, partial

from sympy import Rational, exp

from gelu_lib.certificates.best.certificate import Certificate, certify
from gelu_lib.certificates.best.least_integrals import IntegralCertificate, certify_integral
from gelu_lib.certificates.engine.enclosures import Enclosure
from gelu_lib.evidence.kinds import Certification
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import FORMS, MEASURES, entry_id, minimax_id, optimum
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import SLOPE_KEPT, TANH_CUBIC, TARGETS

SUP_MEASURES = {"sup": "", "Gaussian sup": "Gaussian "}
"""The measures that have certificates for the whole line, and how their numbers' names begin."""


@lru_cache
def _cell_certificate(
    form: str, of: str, measure: str, digits: int
) -> Certificate | IntegralCertificate:
    """What is proved of one cell of the table: for a sup norm on the whole, else of all nearby."""
    prove = certify if measure in SUP_MEASURES else certify_integral
    return prove(optimum(form, of, measure), digits)


def _constants(proved: Certificate | IntegralCertificate) -> dict[str, Enclosure]:
    """The constants that were found: those that are free, and k if there are two coefficients."""
    found = {name: p for name, p in proved.parameters.items() if name not in proved.fixed}
    if "p3" in found:
        return {"k": proved.parameters["p3"] / proved.parameters["p1"], **found}
    return found


def _minimax(form: str, of: str, digits: int) -> dict[str, Enclosure]:
    """What is proved of a form and a function: the best constants, the error and its places."""
    found: dict[str, Enclosure] = {}
    for measure, begin in SUP_MEASURES.items():
        proved = _cell_certificate(form, of, measure, digits)
        found |= {f"{begin}{name}": value for name, value in _constants(proved).items()}
        found[f"{begin}E"] = proved.error
        found |= {f"{begin}x{i}": x for i, x in enumerate(proved.points, 1)}
    return found


def _all_measures(form: str, of: str, digits: int) -> dict[str, Enclosure]:
    """The best constants by every measure, and how large it then is."""
    found: dict[str, Enclosure] = {}
    for measure in MEASURES:
        proved = _cell_certificate(form, of, measure, digits)
        found |= {f"{measure}, {name}": value for name, value in _constants(proved).items()}
        found[f"{measure}, error"] = proved.error
    return found


TABLE: dict[str, Certification] = {
    entry_id(form, of): partial(_all_measures, form, of) for form in FORMS for of in TARGETS
}
"""The entries of the table of criteria, which ``tools/write_choices.py`` writes."""

_FADING = exp(-(X**2) / Rational("7.05"))
"""A weight under which the best cubic coefficient for GELU is the printed one, rounded."""


def _weighted(digits: int) -> dict[str, Enclosure]:
    """The best cubic coefficient for GELU under that weight, the slope kept."""
    best = certify(minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, weight=_FADING), digits).parameters
    return {"": best["p3"] / best["p1"]}


CRITERION_PROOFS: dict[str, Certification] = {
    **{minimax_id(form, of): partial(_minimax, form, of) for form in FORMS for of in TARGETS},
    **TABLE,
    "tanh-gelu-weighted-cubic": _weighted,
}
