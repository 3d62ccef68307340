"""The numbers of the chapter forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from sympy import Integer, Symbol

from gelu_lib.certificates.certificate import Certificate
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.increasing import certify_increasing
from gelu_lib.certificates.merging import certified_splitting_rate
from gelu_lib.certificates.tanh_errors import TanhCertificate
from gelu_lib.certificates.tanh_optima import certify_tanh
from gelu_lib.fits.alternation import Curve, solve_level, start_level
from gelu_lib.fits.bands import GRID, band_minimax
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.sup_norm import tail_form
from gelu_lib.fits.tanh_minimax import minimax_tanh
from gelu_lib.functions.expressions import X, numpy_function
from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.tanh_forms import TanhForm, merged_tanh_sum, tanh_powers
from gelu_lib.register import result
from gelu_lib.values.recipes import (
    GUARD_DIGITS,
    Certification,
    certified_part,
    error_of,
    parameter,
)

SPARSE = Family((1, 3, 7, 9))
"""The family without the fifth power."""

FAMILIES = {"degree-7": odd_logistic(7), "degree-9": odd_logistic(9), "sparse": SPARSE}
"""The families that are better than the cubic, by the first part of their IDs."""

POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""


def _on_line(family: Family, of: str, part: Callable[[Certificate], Enclosure]) -> Certification:
    return certified_part(lambda: minimax(family, of), part)


@lru_cache
def tanh_certificate(form: TanhForm, of: str, digits: int) -> TanhCertificate:
    """What is proved of the best parameters of a form made of tanh."""
    return certify_tanh(minimax_tanh(form, of), digits)


def _form_error(form: TanhForm, of: str) -> Certification:
    return lambda digits: {"": tanh_certificate(form, of, digits).error}


def _form_parameter(form: TanhForm, of: str, symbol: Symbol) -> Certification:
    return lambda digits: {"": tanh_certificate(form, of, digits).parameters[symbol.name]}


def _rate(form: TanhForm, of: str) -> Certification:
    return lambda digits: {
        "": certified_splitting_rate(tanh_certificate(form, of, digits + GUARD_DIGITS))
    }


def _increasing_error(digits: int) -> dict[str, Enclosure]:
    """The least error of degree 7 if p must not fall: p′ has a double zero, x² = u."""
    family = odd_logistic(7)
    a, u, c = symbols = tuple(Symbol(name, positive=True) for name in "auc")
    # p′(x) = a·(x² − u)²·(x² + c)
    coefficients = (a * u**2 * c, a * (u**2 - 2 * u * c) / 3, a * (c - 2 * u) / 5, a / 7)
    error = tail_form(family, "Phi").subs(dict(zip(family.symbols, coefficients, strict=True)))
    found = np.array(list(band_minimax(family, increasing=True).parameters.values()))
    roots = np.roots((found * family.exponents)[::-1])
    alone = roots[np.argmin(roots.real)].real
    values = [7 * found[-1], (np.sum(roots).real - alone) / 2, -alone]
    sampled = numpy_function(error, X, *symbols)(GRID, *values)
    level = solve_level(
        Curve(error, Integer(0), symbols), start_level(symbols, values, GRID, sampled), 16
    )
    points = tuple((float(x), int(sign)) for x, sign in level.extrema)
    roots = dict(zip("auc", map(float, level.parameters), strict=True))
    return {"": certify_increasing(roots, float(level.error), points, digits).error}


LIMIT_POWERS = tanh_powers(POWERS, limit_one=True)
SCALED_POWERS = tanh_powers(POWERS, scaled=True, limit_one=True)
POWER_FORMS: dict[str, tuple[TanhForm, str, tuple[str, ...]]] = {
    "tanh-powers": (tanh_powers(POWERS), "Phi", ("a1", "a3", "a5")),
    "tanh-powers-limit": (LIMIT_POWERS, "Phi", ("a3", "a5")),
    "tanh-powers-limit-gelu": (LIMIT_POWERS, "GELU", ("a3", "a5")),
    "tanh-powers-two-limit": (tanh_powers((1, 3), limit_one=True), "Phi", ("a3",)),
    "tanh-powers-scaled-limit": (SCALED_POWERS, "Phi", ("a3", "a5", "s")),
}
"""The forms made of powers, by the first part of their IDs, and how their parameters are called:
a number after the power that a coefficient stands at."""

MERGED_FORMS: dict[str, tuple[TanhForm, str, tuple[str, ...]]] = {
    f"tanh-sum-{count}{id}": (
        merged_tanh_sum(count, limit_one=limit_one),
        of,
        (*(f"c{order}" for order in range(int(limit_one), count)), "s"),
    )
    for count in (2, 3)
    for id, limit_one, of in (
        ("", False, "Phi"),
        ("-limit", True, "Phi"),
        ("-limit-gelu", True, "GELU"),
    )
}
"""The merged forms likewise, with a number after the order of a derivative."""

TANH_FORMS = {**POWER_FORMS, **MERGED_FORMS}

CERTIFIED: dict[str, Certification] = {
    **{f"{id}-error": _on_line(family, "Phi", error_of) for id, family in FAMILIES.items()},
    **{f"{id}-gelu-error": _on_line(family, "GELU", error_of) for id, family in FAMILIES.items()},
    **{
        f"{id}-{name}": _on_line(family, "Phi", parameter(name))
        for id, family in FAMILIES.items()
        for name in family.names
    },
    "degree-7-dip": _on_line(odd_logistic(7), "Phi", lambda certificate: certificate.points[-1]),
    "degree-7-increasing-error": _increasing_error,
    **{f"{id}-error": _form_error(form, of) for id, (form, of, _) in TANH_FORMS.items()},
    **{
        f"{id}-{name}": _form_parameter(form, of, symbol)
        for id, (form, of, names) in TANH_FORMS.items()
        for name, symbol in zip(names, form.symbols, strict=True)
    },
    **{f"{id}-rate": _rate(form, of) for id, (form, of, _) in MERGED_FORMS.items()},
}


def stored_member(id: str) -> tuple[Family | TanhForm, Mapping[str, str]]:
    """A form of the chapter, with the best parameters that the register holds.

    Args:
        id: a key of ``FAMILIES`` or of ``TANH_FORMS``.

    Returns:
        The form and its parameters by name, as decimal strings. They are the best ones for Φ;
        for GELU if ``id`` ends so.

    Raises:
        KeyError: if there is no such key.
    """
    if id in FAMILIES:
        form, names = FAMILIES[id], FAMILIES[id].names
    else:
        form, _, names = TANH_FORMS[id]
    values = (result(f"{id}-{name}").value for name in names)
    return form, dict(zip((symbol.name for symbol in form.symbols), values, strict=True))
