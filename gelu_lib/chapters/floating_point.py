"""The chapter floating-point: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Symbol

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import GUARD_DIGITS, Certification, Certified
from gelu_lib.derivations.enclosed import Root
from gelu_lib.floats.thresholds import OVERFLOW, THRESHOLDS, TIE, TINY, threshold
from gelu_lib.floats.types import FLOAT_TYPES

p, mu, Omega = (Symbol(name, real=True) for name in ("p", "mu", "Omega"))
OF_TYPE = {TIE: 2 ** -(p + 1), TINY: mu / 2, OVERFLOW: Omega}
"""By the numbers that the statements have, those of a type.

That is its bits, its smallest positive number and the least that is rounded to infinity.
"""


def _in_each_type(id: str) -> Certification:
    def enclosures(digits: int) -> dict[str, Enclosure]:
        return {dtype: threshold(id, dtype, digits + GUARD_DIGITS) for dtype in FLOAT_TYPES}

    return Certified(lambda: Root(THRESHOLDS[id].excess.subs(OF_TYPE)), enclosures)


CERTIFIED: dict[str, Certification] = {id: _in_each_type(id) for id in THRESHOLDS}
