"""A law of inputs: how often each of finitely many inputs comes, as a histogram says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gelu_lib._proofs

import numpy as np

from gelu_lib._extras import flint
from gelu_lib.floats.grids import FLOATS


@dataclass(frozen=True)
class InputLaw:
    """A discrete law of inputs, each with a weight; only ratios of weights matter.

    Args:
        points: finite numbers, at least one of them not 0.
        weights: as many numbers from 0, of which that of some input other than 0 is positive.

    Raises:
        TypeError: if they are no arrays of real numbers.
        ValueError: if they are not accepted; the message says why.

    Example:
        >>> from gelu_lib.floats.laws import InputLaw
        >>> InputLaw.of_histogram([-2, -1, 0, 1], [5, 3, 0])
        InputLaw(points=(-1.5, -0.5, 0.5), weights=(5.0, 3.0, 0.0))
    """

    points: Sequence[float]
    weights: Sequence[float]

    def __post_init__(self) -> None:
        x, w = _finite("points", self.points), _finite("weights", self.weights)
        if x.size != w.size:
            raise ValueError(
                f"there are {x.size} points and {w.size} weights; accepted is one each"
            )
        if (w < 0).any() or not w[x != 0].any():
            raise ValueError(
                "weights has a negative number, or none but 0 where an input is not 0; accepted "
                "are numbers from 0, with a positive one there"
            )
        object.__setattr__(self, "points", tuple(x.tolist()))
        object.__setattr__(self, "weights", tuple(w.tolist()))

    @classmethod
    def of_histogram(cls, edges: Sequence[float], counts: Sequence[float]) -> InputLaw:
        """The law that has all inputs of a bin at its middle, rounded to float64.

        Args:
            edges: increasing numbers, one more than there are bins.
            counts: how many inputs, or which share of them, each bin has.

        Raises:
            TypeError, ValueError: as for the class, or if the edges do not increase.
        """
        ends, inside = _finite("edges", edges), _finite("counts", counts)
        if ends.size != inside.size + 1 or not (np.diff(ends) > 0).all():
            raise ValueError(
                f"{ends.size} edges came for {inside.size} counts; accepted are increasing edges, "
                "one more than counts"
            )
        return cls((ends[1:] + ends[:-1]) / 2, inside)

    def shares(self, seen: Callable[[float], float]) -> dict[float, flint.fmpq]:
        """How much of all the weight lies on each value of a function of the input, exactly."""
        exact = [flint.fmpq(*weight.as_integer_ratio()) for weight in self.weights]
        total, found = sum(exact, flint.fmpq(0)), {}
        for x, weight in zip(map(seen, self.points), exact, strict=True):
            if weight:
                found[x] = found.get(x, 0) + weight / total
        return found


JUDGES = ("mean square", "ulp", "agreement")
"""The mean errors under a law, by which constants may be judged."""


def check_judge(inputs: object, judged_by: str, rounded_to: str | None, beside: list[str]) -> None:
    """Check what ``best_constants`` was told of a law, and which arguments came beside it.

    Raises:
        TypeError: if ``inputs`` is no law.
        ValueError: if an argument is not accepted; the message names it.
    """
    if not isinstance(inputs, InputLaw | None):
        raise TypeError(f"inputs is {inputs!r}; accepted are None and an InputLaw")
    if not isinstance(judged_by, str) or judged_by not in JUDGES:
        raise ValueError(f"judged_by is {judged_by!r}; accepted are {JUDGES}")
    accepted = FLOATS if judged_by != JUDGES[0] else (None,)
    if not isinstance(rounded_to, str | None) or rounded_to not in accepted:
        raise ValueError(
            f"rounded_to is {rounded_to!r}; with {judged_by!r} accepted are {accepted}"
        )
    if inputs is None and judged_by != JUDGES[0]:
        raise ValueError(f"judged_by is {judged_by!r}, which is for a law, and inputs is None")
    if inputs is not None and beside:
        raise ValueError(f"inputs is given; not accepted beside it: {', '.join(beside)}")


def _finite(name: str, given: Sequence[float]) -> np.ndarray:
    """Finite numbers in one dimension, as float64."""
    if np.ma.isMaskedArray(given):  # whose mask would be lost
        raise TypeError(f"{name} is a masked array; accepted are real numbers without a mask")
    numbers = np.asarray(given)
    if numbers.dtype.kind not in "iuf" and numbers.dtype.name != "bfloat16":
        raise TypeError(f"{name} is of dtype {numbers.dtype}; accepted are real numbers")
    numbers = numbers.astype(np.float64)
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite numbers in one dimension")
    return numbers
