"""What is asked of the forms with more parameters besides their errors and their parameters."""

from __future__ import annotations

from functools import partial

from gelu_lib.certificates.best.increasing import INCREASING
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.facts.merging import certified_splitting_rate
from gelu_lib.evidence.kinds import Certification
from gelu_lib.functions.families import odd_logistic
from gelu_lib.functions.tanh_forms import TanhForm, merged_tanh_sum
from gelu_lib.precision import DECIDED_DIGITS

MERGED = {
    f"tanh-sum-{count}{id}": (merged_tanh_sum(count, limit_one=limit_one), target)
    for count in (2, 3)
    for id, limit_one, target in (
        ("", False, "Phi"),
        ("-limit", True, "Phi"),
        ("-limit-gelu", True, "GELU"),
    )
}
"""The merged forms, by the first part of their IDs, and what they approximate."""


def _rate(form: TanhForm, target: str, digits: int) -> dict[str, Enclosure]:
    """How fast the least error grows when the merged scales of a form move apart."""
    return {"": certified_splitting_rate(minimax(form, target, digits=digits + DECIDED_DIGITS))}


def _last_place(digits: int) -> dict[str, Enclosure]:
    """The last x > 0 where the error of the best member of degree 7 is as large as anywhere."""
    return {"": minimax(odd_logistic(7), digits=digits).points[-1]}


def _increasing_error(digits: int) -> dict[str, Enclosure]:
    """The least error of degree 7 over the polynomials that nowhere fall."""
    return {"": minimax(INCREASING, digits=digits).error}


RIVAL_PROOFS: dict[str, Certification] = {
    "degree-7-dip": _last_place,
    "degree-7-increasing-error": _increasing_error,
    **{f"{id}-rate": partial(_rate, *solved) for id, solved in MERGED.items()},
}
