"""The chapters forms and forms-rivals: how the numbers of their results are proved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import sympy as sp
from sympy import Abs, Eq, Expr

from gelu_lib.certificates.certificate import Certificate, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.increasing import certify_increasing, increasing_start
from gelu_lib.certificates.merging import certified_splitting_rate
from gelu_lib.chapters.recipes import (
    GUARD_DIGITS,
    Certification,
    Certified,
    Part,
    certified_fit,
    error_of,
    parameter,
)
from gelu_lib.derivations.quantities import Infimum, Supremum
from gelu_lib.fits.criteria import Criterion, problem
from gelu_lib.fits.minimax import minimax
from gelu_lib.fits.quantities import asked, signed_error, splitting_rate
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Family, odd_logistic
from gelu_lib.functions.tanh_forms import TanhForm, merged_tanh_sum, tanh_powers

SPARSE = Family((1, 3, 7, 9))
"""The family without the fifth power."""

FAMILIES = {"degree-7": odd_logistic(7), "degree-9": odd_logistic(9), "sparse": SPARSE}
"""The families that are better than the cubic, by the first part of their IDs."""

POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""


def _on_line(family: Family, of: str, part: Part) -> Certification:
    return certified_fit(family, of, {}, part)


@lru_cache
def tanh_certificate(form: TanhForm, of: str, digits: int) -> Certificate:
    """What is proved of the best parameters of a form made of tanh."""
    return certify(minimax(form, of), digits)


def _form_error(form: TanhForm, of: str, names: Sequence[str]) -> Certification:
    return Certified(
        lambda: asked(problem(form, Criterion("sup", of)), names).error,
        lambda digits: {"": tanh_certificate(form, of, digits).error},
    )


def _form_parameter(form: TanhForm, of: str, names: Sequence[str], name: str) -> Certification:
    own = form.symbols[names.index(name)].name
    return Certified(
        lambda: asked(problem(form, Criterion("sup", of)), names).parameters[name],
        lambda digits: {"": tanh_certificate(form, of, digits).parameters[own]},
    )


def last_place(family: Family, of: str) -> Certification:
    """The last x > 0 where the error of the best member is as large as anywhere."""

    def place() -> Expr:
        best = asked(problem(family, Criterion("sup", of)))
        values = {symbol: best.parameters[symbol.name] for symbol in family.symbols}
        size = Abs(signed_error(family, of).xreplace(values), evaluate=False)
        return Supremum(X, [X], (X > 0) & Eq(size, best.error, evaluate=False))

    return Certified(place, lambda digits: {"": certify(minimax(family, of), digits).points[-1]})


def _rate(form: TanhForm, of: str, names: Sequence[str]) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        best = tanh_certificate(form, of, digits + GUARD_DIGITS)
        return {"": certified_splitting_rate(best)}

    return Certified(lambda: splitting_rate(form, of, names), enclosures)


def _increasing_error(digits: int) -> dict[str, Enclosure]:
    return {"": certify_increasing(increasing_start(), digits).error}


def _least_increasing() -> Expr:
    """The least error of degree 7 over the polynomials that nowhere fall."""
    family = odd_logistic(7)
    least = asked(problem(family, Criterion("sup", "Phi"))).error
    slope = Infimum(sp.diff(sp.Add(*family.terms), X), [X])
    return Infimum(least.body, least.variables, sp.Ge(slope, 0, evaluate=False))


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
    "degree-7-dip": last_place(odd_logistic(7), "Phi"),
    "degree-7-increasing-error": Certified(_least_increasing, _increasing_error),
    **{f"{id}-error": _form_error(*solved) for id, solved in TANH_FORMS.items()},
    **{
        f"{id}-{name}": _form_parameter(*solved, name)
        for id, solved in TANH_FORMS.items()
        for name in solved[2]
    },
    **{f"{id}-rate": _rate(*solved) for id, solved in MERGED_FORMS.items()},
}
