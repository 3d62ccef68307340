"""How far a computed value may be from the form that it claims to be.

The tolerance at x is r·\\|V(x)\\| + a·min(\\|x\\|, 8) + s, where V is the form. The parts stand for
what the usual evaluations do.

- r: the last operations round, and each may be wrong by its part of the result.
- a: 1 + erf and 1 + tanh keep their absolute accuracy and lose the relative one on the left; the
  rounding of the argument of erf or tanh, short formulas for them, and cut constants do the same.
  All of that is multiplied by x, and it ends where erf and tanh are −1 as floats; hence the 8.
- s: what is below the normal floats may be rounded coarsely or flushed to 0.

How large r and a are depends on the precision in which the callable works, which may be finer than
the type that it returns. ``tests/provenance/test_variants.py`` holds the usual evaluations against
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.types import float_type, unit_roundoff

PAIRS = tuple(combinations(FORMS, 2))
"""Each two of the forms."""

REACH = 8.0
"""Where the absolute part of the tolerance stops to grow; erf and tanh are ±1 in float32 there."""

IN_FLOAT32 = 8, 16
"""r and a of work in float32, in units: a short formula for erf and cut constants are allowed."""

IN_16_BITS = 8, 1
"""r and a of work in 16 bits, in units of the type: every operation rounds to the type."""

ROUNDED_AFTERWARDS = 2
"""What r gains when a result of float32 is rounded to 16 bits, in units of the type: the factor
of x may be rounded, and the product."""


@dataclass(frozen=True)
class Tolerance:
    """The largest distance from a form V that is put down to rounding.

    Attributes:
        relative: r, the part that goes with the size of V.
        absolute: a, the part that goes with the size of x, up to 8.
        underflow: s, for results that are subnormal.
    """

    relative: float
    absolute: float
    underflow: float

    def at(self, x: np.ndarray, form: np.ndarray) -> np.ndarray:
        """The tolerance at inputs.

        Args:
            x: the inputs, in float64.
            form: the values of the form there, in float64.

        Returns:
            r·\\|V(x)\\| + a·min(\\|x\\|, 8) + s, of the same shape.
        """
        return (
            self.relative * np.abs(form)
            + self.absolute * np.minimum(np.abs(x), REACH)
            + self.underflow
        )


def workings(dtype: np.dtype | type | str) -> tuple[str, ...]:
    """The precisions in which a callable for a type may work, the finest first.

    Returns:
        ``("float32",)`` for float32 and float64: work in float32 or better. For a type of 16 bits
        also its own name, for callables that round every operation to it.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
    """
    name = float_type(dtype).name
    return ("float32",) if name in ("float32", "float64") else ("float32", name)


def tolerance(dtype: np.dtype | type | str, working: str = "float32") -> Tolerance:
    """The tolerance for callables that return one type and work in a precision.

    Args:
        dtype: what the callable takes and returns; one of the four float types.
        working: one of ``workings(dtype)``.

    Raises:
        TypeError: if ``dtype`` is none of the four types.
        ValueError: if ``working`` is not accepted for it.
    """
    kind = float_type(dtype)
    accepted = workings(kind.name)
    if working not in accepted:
        said = f"{'is' if len(accepted) == 1 else 'are'} {' and '.join(accepted)}"
        raise ValueError(f"working is {working!r}; accepted for {kind.name} {said}")
    # float32 may flush what is below its normal numbers, and subnormal results round coarsely
    underflow = max(4 * kind.smallest, 2.0**-126)
    relative, absolute = IN_FLOAT32 if working == "float32" else IN_16_BITS
    unit = unit_roundoff(working)
    afterwards = unit_roundoff(kind.name) if len(accepted) > 1 and working == "float32" else 0
    return Tolerance(relative * unit + ROUNDED_AFTERWARDS * afterwards, absolute * unit, underflow)


def forms(x: np.ndarray) -> dict[str, np.ndarray]:
    """The values of the three forms at inputs in float64, by name.

    Their errors are far below any tolerance.
    """
    return {name: form(x) for name, form in FORMS.items()}


def margins(x: np.ndarray, allowed: Tolerance) -> dict[tuple[str, str], np.ndarray]:
    """How clearly two forms differ: their distance by the sum of their tolerances.

    Above 1 no value is within both tolerances.

    Args:
        x: inputs in float64.
        allowed: the tolerance.

    Returns:
        For each two forms an array of the shape of ``x``.
    """
    values = forms(x)
    return margins_between(values, {name: allowed.at(x, value) for name, value in values.items()})


def margins_between(
    values: Mapping[str, np.ndarray], widths: Mapping[str, np.ndarray]
) -> dict[tuple[str, str], np.ndarray]:
    """The same from the values of the forms and their tolerances, each by the name of the form."""
    return {
        (one, other): np.abs(values[one] - values[other]) / (widths[one] + widths[other])
        for one, other in PAIRS
    }
