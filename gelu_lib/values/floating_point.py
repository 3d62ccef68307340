"""The numbers of the chapter floating-point: where the usual formulas give up."""

from __future__ import annotations

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.floats.thresholds import THRESHOLDS, threshold
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.values.recipes import GUARD_DIGITS, Certification


def _in_each_type(id: str) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        return {dtype: threshold(id, dtype, digits + GUARD_DIGITS) for dtype in FLOAT_TYPES}

    return enclosures


CERTIFIED: dict[str, Certification] = {id: _in_each_type(id) for id in THRESHOLDS}
