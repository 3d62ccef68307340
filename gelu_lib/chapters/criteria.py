"""The chapter criteria: how the numbers of its results are proved."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import sympy as sp
from sympy import Expr, S

from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.least_integrals import IntegralCertificate, certify_integral
from gelu_lib.chapters.recipes import Certification, Certified, at_root, cubic_ratio
from gelu_lib.derivations.quantities import Infimum
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.optima import FORMS, MEASURES, criterion, entry_id, minimax_id, optimum
from gelu_lib.fits.quantities import asked
from gelu_lib.functions.expressions import X, logistic
from gelu_lib.functions.families import SLOPE_KEPT, TANH_CUBIC, TARGETS

SUP_MEASURES = {"sup": "", "Gaussian sup": "Gaussian "}
"""The measures that have certificates for the whole line, and how their numbers' names begin."""


@lru_cache
def certificate(form: str, of: str, measure: str, digits: int) -> Certificate | IntegralCertificate:
    """What is proved of one cell of the table: for a sup norm on the whole, else of all nearby."""
    prove = certify if measure in SUP_MEASURES else certify_integral
    return prove(optimum(form, of, measure), digits)


def _constants(proved: Certificate | IntegralCertificate) -> dict[str, Enclosure]:
    """The constants that were found: those that are free, and k if there are two coefficients."""
    found = {name: p for name, p in proved.parameters.items() if name not in proved.fixed}
    if "p3" in found:
        return {"k": proved.parameters["p3"] / proved.parameters["p1"], **found}
    return found


def _least(form: str, of: str, measures: Iterable[str]) -> tuple[Infimum, ...]:
    """The least size of an error by each measure."""
    own = FORMS[form]
    made = [problem(own.family, criterion(of, measure), own.fixed) for measure in measures]
    return tuple(asked(one).error for one in made)


def _minimax(form: str, of: str) -> Certification:
    """What is proved of a form and a function: the best constants, the error and its places."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure, begin in SUP_MEASURES.items():
            proved = certificate(form, of, measure, digits)
            found |= {f"{begin}{name}": value for name, value in _constants(proved).items()}
            found[f"{begin}E"] = proved.error
            found |= {f"{begin}x{i}": x for i, x in enumerate(proved.points, 1)}
        return found

    return Certified(lambda: _least(form, of, SUP_MEASURES), enclosures)


def _all_measures(form: str, of: str) -> Certification:
    """The best constants by every measure, and how large it then is."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure in MEASURES:
            proved = certificate(form, of, measure, digits)
            found |= {f"{measure}, {name}": value for name, value in _constants(proved).items()}
            found[f"{measure}, error"] = proved.error
        return found

    return Certified(lambda: _least(form, of, MEASURES), enclosures)


TABLE: dict[str, Certification] = {
    entry_id(form, of): _all_measures(form, of) for form in FORMS for of in TARGETS
}
"""The entries of the table of criteria, which ``tools/write_choices.py`` writes."""

_STEEPEST = (1 + sp.erf(S.One)) / 2 + 1 / (sp.E * sp.sqrt(sp.pi))
_AT_STEEPEST = X * sp.tanh(X / 2) - 2
"""Its only zero x > 0 is where x·σ(x) is steepest, because x·tanh(x/2) rises."""

_FADING = sp.exp(-(X**2) / sp.Rational("7.05"))
"""A weight under which the best cubic coefficient for GELU is the printed one, rounded."""


def _weighted() -> Certification:
    """The best cubic coefficient for GELU under that weight, the slope kept."""

    def stated() -> Expr:
        return cubic_ratio(
            asked(problem(TANH_CUBIC, Criterion("sup", "GELU", _FADING), SLOPE_KEPT))
        )

    def enclosures(digits: int) -> dict[str, Enclosure]:
        best = minimax(TANH_CUBIC, "GELU", SLOPE_KEPT, weight=_FADING)
        return {"": cubic_ratio(certify(best, digits))}

    return Certified(stated, enclosures)


CERTIFIED: dict[str, Certification] = {
    **{minimax_id(form, of): _minimax(form, of) for form in FORMS for of in TARGETS},
    **TABLE,
    "sigmoid-slope-floor-value": at_root(
        _AT_STEEPEST, 2.4, _STEEPEST - sp.diff(X * logistic(X), X)
    ),
    "sigmoid-slope-scale": at_root(_AT_STEEPEST, 2.4, X / sp.sqrt(2)),
    "tanh-gelu-weighted-cubic": _weighted(),
}
