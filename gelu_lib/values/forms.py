"""The numbers of the chapter forms."""

from __future__ import annotations

from sympy import Float

from gelu_lib.bands import minimax_on_line
from gelu_lib.families import Family, odd_logistic
from gelu_lib.rivals import TanhForm, merged_tanh_sum, minimax_tanh, tanh_powers
from gelu_lib.values.recipes import Computation, error_of

SPARSE = Family((1, 3, 7, 9))
"""The family without the fifth power."""

FAMILIES = {"degree-7": odd_logistic(7), "degree-9": odd_logistic(9), "sparse": SPARSE}
"""The families that are better than the cubic, by the first part of their IDs."""

POWERS = (1, 3, 5)
"""The powers of tanh in the form of the source."""


def _line_error(family: Family, of: str) -> Computation:
    return lambda digits: error_of(minimax_on_line(family, of, digits))


def _coefficient(family: Family, name: str) -> Computation:
    return lambda digits: minimax_on_line(family, "Phi", digits).parameters[name]


def _form_error(form: TanhForm, of: str = "Phi") -> Computation:
    return lambda digits: error_of(minimax_tanh(form, of, digits))


def _dip(digits: int) -> Float:
    return minimax_on_line(odd_logistic(7), "Phi", digits).extrema[-1][0]


NUMBERS: dict[str, Computation] = {
    **{f"{id}-error": _line_error(family, "Phi") for id, family in FAMILIES.items()},
    **{f"{id}-gelu-error": _line_error(family, "GELU") for id, family in FAMILIES.items()},
    **{
        f"{id}-{name}": _coefficient(family, name)
        for id, family in FAMILIES.items()
        for name in family.names
    },
    "degree-7-dip": _dip,
    "tanh-powers-error": _form_error(tanh_powers(POWERS)),
    "tanh-powers-limit-error": _form_error(tanh_powers(POWERS, limit_one=True)),
    "tanh-powers-limit-gelu-error": _form_error(tanh_powers(POWERS, limit_one=True), "GELU"),
    "tanh-powers-two-limit-error": _form_error(tanh_powers((1, 3), limit_one=True)),
    "tanh-powers-scaled-limit-error": _form_error(tanh_powers(POWERS, scaled=True, limit_one=True)),
    **{
        f"tanh-sum-{count}-{id}": _form_error(merged_tanh_sum(count, limit_one=limit_one), of)
        for count in (2, 3)
        for id, limit_one, of in (
            ("error", False, "Phi"),
            ("limit-error", True, "Phi"),
            ("limit-gelu-error", True, "GELU"),
        )
    },
}
