"""The numbers of the chapter criteria that are no cells of its table."""

from __future__ import annotations

import mpmath
import sympy as sp
from sympy import Float

from gelu_lib.certificates import Enclosure, certify
from gelu_lib.choices import FORMS, minimax_id, optimum
from gelu_lib.families import TARGETS
from gelu_lib.functions import X, logistic
from gelu_lib.values.recipes import Certification, Computation

GUARD_DIGITS = 10
"""Digits computed beyond those that are asked for."""


def steepest_point(digits: int) -> Float:
    """The u > 0 where u·σ(u) is steepest, the root of u·tanh(u/2) = 2."""
    with mpmath.workdps(digits + GUARD_DIGITS):
        return Float(mpmath.findroot(lambda u: u * mpmath.tanh(u / 2) - 2, 2.4), digits)


def _scale(digits: int) -> Float:
    return steepest_point(digits + GUARD_DIGITS) / sp.sqrt(2).n(digits + GUARD_DIGITS)


def _floor(digits: int) -> Float:
    steepest = (1 + sp.erf(1)) / 2 + 1 / (sp.E * sp.sqrt(sp.pi))
    slope = sp.diff(X * logistic(X), X).subs(X, steepest_point(digits + GUARD_DIGITS))
    return (steepest - slope).n(digits)


SUP_MEASURES = {"sup": "", "Gaussian sup": "Gaussian "}
"""The measures that have certificates, and how the names of their numbers begin."""


def _minimax(form: str, of: str) -> Certification:
    """What is proved of a form and a function: the best constants, the error and its places."""

    def enclosures(digits: int) -> dict[str, Enclosure]:
        found: dict[str, Enclosure] = {}
        for measure, begin in SUP_MEASURES.items():
            proved = certify(optimum(form, of, measure), digits)
            free = [name for name in proved.parameters if name not in proved.fixed]
            if "p3" in free:
                found[f"{begin}k"] = proved.parameters["p3"] / proved.parameters["p1"]
            found |= {f"{begin}{name}": proved.parameters[name] for name in free}
            found[f"{begin}E"] = proved.error
            found |= {f"{begin}x{i}": x for i, x in enumerate(proved.points, 1)}
        return found

    return enclosures


CERTIFIED: dict[str, Certification] = {
    minimax_id(form, of): _minimax(form, of) for form in FORMS for of in TARGETS
}

NUMBERS: dict[str, Computation] = {
    "sigmoid-slope-floor-value": _floor,
    "sigmoid-slope-scale": _scale,
}
