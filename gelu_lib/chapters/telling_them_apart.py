"""The chapter telling-them-apart: how its registered numbers are proved."""

from __future__ import annotations

from sympy import Expr, Max, Symbol

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import Certification, Certified, certified_error
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.tolerances import tolerance
from gelu_lib.provenance.witnesses import (
    COARSE_WITNESS,
    COMMON_WITNESS,
    SHARED,
    TANH,
    certified_margins,
    certified_overlap,
    least,
)

SIXTEEN_BITS = ("float16", "bfloat16")


def _one_input(digits: int) -> dict[str, Enclosure]:
    """The least margins at the common witness, for callables that round once."""
    return {
        dtype: least(certified_margins(COMMON_WITNESS, tolerance(dtype), digits))
        for dtype in FLOAT_TYPES
    }


def _sigmoid_alone(digits: int) -> dict[str, Enclosure]:
    """The least margins of the sigmoid form, for callables that round every operation."""
    found = {}
    for dtype in SIXTEEN_BITS:
        margins = certified_margins(COARSE_WITNESS, tolerance(dtype, dtype), digits)
        found[dtype] = least({pair: ends for pair, ends in margins.items() if "sigmoid" in pair})
    return found


UNIT = Symbol("u", real=True)
"""The unit roundoff of a type, which is the part a of its tolerance."""


def _overlap() -> Expr:
    """What ``certified_overlap`` encloses in each type."""
    return Max(
        *(
            certified_error(TANH.family, TANH.parameters, of).of() / (n * UNIT)
            for of, n in SHARED.items()
        )
    )


def _no_input(digits: int) -> dict[str, Enclosure]:
    return {dtype: certified_overlap(dtype, digits) for dtype in SIXTEEN_BITS}


CERTIFIED: dict[str, Certification] = {
    "variants-one-input": _one_input,
    "variants-sixteen-bits-sigmoid": _sigmoid_alone,
    "variants-sixteen-bits-no-input": Certified(_overlap, _no_input),
}
