"""Multipliers with which vectors cancel, by Cramer's rule."""

from __future__ import annotations

from collections.abc import Sequence

from gelu_lib._extras import flint


def cofactors(rows: Sequence[Sequence[flint.arb]]) -> list[flint.arb]:
    """Multipliers with which n + 1 vectors of length n cancel: their minors."""
    count = range(len(rows))
    return [(-1) ** i * flint.arb_mat([rows[j] for j in count if j != i]).det() for i in count]


def cancel_positively(rows: Sequence[Sequence[flint.arb]]) -> bool:
    """Whether n + 1 vectors of length n are shown to cancel with multipliers of one sign.

    Then any n of them are independent, and a vector that has no negative product with any of them
    is 0.
    """
    if len(rows) != len(rows[0]) + 1:
        return False
    found = cofactors(rows)
    return all(m > 0 for m in found) or all(m < 0 for m in found)
