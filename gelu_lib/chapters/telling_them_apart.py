"""Figures that show at which inputs the forms can be told apart, and where a test fails."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.chapters.recipes import Certification
from gelu_lib.chapters.style import Drawn, draw
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.tolerances import PAIRS, margins, tolerance
from gelu_lib.provenance.witnesses import (
    COARSE_WITNESS,
    COMMON_WITNESS,
    certified_margins,
    certified_overlap,
    least,
)

Pair = tuple[str, str]

LOW = 1e-3
"""The least margin that a figure shows."""


def margins_against_inputs(
    kinds: Sequence[tuple[str, str]],
    pairs: Sequence[Pair] = PAIRS,
    witness: float | None = None,
    half_width: float = 8.0,
) -> Drawn:
    """How clearly forms differ at each input: their least distance in units of both tolerances.

    Above the dotted line no value is within the tolerances of two of the forms.

    Args:
        kinds: types and the precisions of work for them, one curve each.
        pairs: the forms that are to be told apart.
        witness: an input that is marked on each curve.
        half_width: the inputs are drawn from its negative to it.

    Returns:
        A curve for each kind, and the marks.
    """
    curves = {
        f"{dtype}, works in {working}": _least_margin(dtype, working, pairs, half_width)
        for dtype, working in kinds
    }
    points = {}
    if witness is not None:
        marks = [_least_margin(*kind, pairs, at=np.array([witness]))[1][0] for kind in kinds]
        points[f"$x = {witness:g}$"] = (np.full(len(marks), witness), np.array(marks))
    drawn = draw(curves, points, ylabel="least distance, by both tolerances", levels=(1,))
    plt.yscale("log")
    plt.ylim(bottom=LOW)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=1)
    return drawn


def margins_of_pairs(dtype: str, working: str, half_width: float = 8.0) -> Drawn:
    """How clearly each two of the forms differ, for one type and one precision of work."""
    curves = {
        f"{one} and {other}": _least_margin(dtype, working, [(one, other)], half_width)
        for one, other in PAIRS
    }
    drawn = draw(curves, ylabel="distance, by both tolerances", levels=(1,))
    plt.yscale("log")
    plt.ylim(bottom=LOW)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return drawn


def _least_margin(
    dtype: str,
    working: str,
    pairs: Sequence[Pair],
    half_width: float = 0.0,
    at: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-half_width, half_width, 1601) if at is None else at
    found = margins(x, tolerance(dtype, working))
    return x, np.min([found[pair] for pair in pairs], axis=0)


# --- numbers of the register

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


def _no_input(digits: int) -> dict[str, Enclosure]:
    return {dtype: certified_overlap(dtype, digits) for dtype in SIXTEEN_BITS}


CERTIFIED: dict[str, Certification] = {
    "variants-one-input": _one_input,
    "variants-sixteen-bits-sigmoid": _sigmoid_alone,
    "variants-sixteen-bits-no-input": _no_input,
}
