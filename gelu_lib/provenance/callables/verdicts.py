"""What is said about a callable, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Literal

from gelu_lib.provenance.callables.inputs import BENDS
from gelu_lib.provenance.callables.lookalikes import COMPARED_UP_TO, FAMILIES
from gelu_lib.provenance.callables.tolerances import REACH, Tolerance

Outcome = Literal["identified", "none", "undecidable"]


@dataclass(frozen=True)
class Evidence:
    """One input, what the callable returned there, and what it might have returned.

    Attributes:
        x: the input.
        value: the value of the callable; it may be infinite or nan.
        expected: the value of each form there, by name.
        tolerance: how far from it a value may be, by name.
    """

    x: float
    value: float
    expected: Mapping[str, float]
    tolerance: Mapping[str, float]

    def distance(self, variant: str) -> float:
        """The distance from a form in tolerances; at most 1 is within. Infinite for nan."""
        distance = abs(self.value - self.expected[variant]) / self.tolerance[variant]
        return distance if distance == distance else float("inf")


@dataclass(frozen=True, repr=False)
class Verdict:
    """Which form a callable computes, as far as its values tell. Its text says how far that is.

    Attributes:
        outcome: ``"identified"``; ``"none"``, if it departs from each form somewhere; or
            ``"undecidable"``, if forms that cannot be told from one another are left.
        candidates: the forms that are left: one, none, or several.
        dtype: the type of the argument and of the result.
        working: the coarsest precision that the callable needs to be allowed; ``"float32"``
            means float32 or better. For the outcome ``"none"`` even this is not coarse enough.
        tolerance: how far from a form a value may be, at this precision.
        inputs: how many inputs were asked.
        low: the least of them.
        high: the greatest.
        complete: whether they are all floats of the type from ``low`` to ``high``, 0 once.
        witness: the input among them that tells the forms apart best.
        outside: for each form at how many inputs the callable is beyond its tolerance.
        farthest: for each form the largest distance from it, in tolerances.
        first: for each form the input nearest to 0 at which the callable is beyond its tolerance;
            ``None`` if there is none.
        areas: for each form the area between it and the callable, from −12 to 12, as far as the
            difference exceeds the tolerance; by the trapezoidal rule from input to input.
        departures: for each form the input where the callable leaves it most plainly: up to ±12,
            where the forms bend, the one with the largest difference beyond the tolerance; if there
            is none, the nearest to 0 of those farther out; if there is none either, the one that is
            farthest from the form in tolerances.
        others: for the outcome ``"none"``, what else the callable is within the tolerance of, at
            every input asked up to ±8192: keys of ``lookalikes.OTHERS``, forms that are cut off,
            and what ``inside`` finds.
        constants: for the sigmoid and the tanh form, the least and the greatest constant (c, and k
            with the slope kept) with which the form is within its tolerance of the callable at
            every input asked up to ±8192. A form is missing if there is no such constant, or the
            inputs leave an end open. For the outcome ``"none"`` the tolerance of these, and of
            ``others``, is the finest of those tried at which there are any.
    """

    outcome: Outcome
    candidates: tuple[str, ...]
    dtype: str
    working: str
    tolerance: Tolerance
    inputs: int
    low: float
    high: float
    complete: bool
    witness: Evidence
    outside: Mapping[str, int]
    farthest: Mapping[str, float]
    first: Mapping[str, float | None]
    areas: Mapping[str, float]
    departures: Mapping[str, Evidence]
    others: tuple[str, ...]
    constants: Mapping[str, tuple[float, float]]

    @property
    def variant(self) -> str | None:
        """The name of the form if it is identified."""
        return self.candidates[0] if self.outcome == "identified" else None

    @property
    def nearest(self) -> str:
        """The form that the callable is nearest to in shape.

        That is the one with the smallest area between them; of several without any, the one that it
        leaves at the fewest inputs; of several again, the one that it leaves least far.
        """
        return min(
            self.outside,
            key=lambda name: (self.areas[name], self.outside[name], self.farthest[name]),
        )

    @property
    def departure(self) -> Evidence | None:
        """Where a callable that is none of the forms departs most plainly from the nearest one."""
        return self.departures[self.nearest] if self.outcome == "none" else None

    def summary(self) -> dict[str, object]:
        """The verdict as strings and numbers, ready for JSON; nan and infinities as strings."""
        shown = self.departure or self.witness
        return {
            "outcome": self.outcome,
            "candidates": list(self.candidates),
            "nearest": self.nearest,
            "dtype": self.dtype,
            "working": self.working,
            "inputs": self.inputs,
            "outside": dict(self.outside),
            "x": shown.x,
            "value": shown.value if abs(shown.value) < float("inf") else str(shown.value),
            "expected": dict(shown.expected),
            "tolerance": dict(shown.tolerance),
            "farthest": {
                name: distance if distance < float("inf") else str(distance)
                for name, distance in self.farthest.items()
            },
            "others": list(self.others),
            "constants": {name: list(ends) for name, ends in self.constants.items()},
        }

    def __str__(self) -> str:
        lines = {"identified": _identified, "none": _none, "undecidable": _undecidable}
        return "\n".join([*lines[self.outcome](self), *_basis(self)])

    __repr__ = __str__


def _identified(verdict: Verdict) -> list[str]:
    name = verdict.variant
    return [
        f"{name}: within its tolerance at every input asked, and neither of the other two forms",
        *(f"  up to ±{COMPARED_UP_TO:g} so is {member}" for member in _members(verdict)),
    ]


def _undecidable(verdict: Verdict) -> list[str]:
    names = " and ".join(verdict.candidates)
    return [f"undecidable between {names}: no input asked tells them apart"]


def _none(verdict: Verdict) -> list[str]:
    found = [*verdict.others, *_members(verdict)]
    nearest, shown = verdict.nearest, verdict.departures[verdict.nearest]
    size = abs(shown.value - shown.expected[nearest])
    if abs(shown.x) <= BENDS:
        shape = f"up to ±{BENDS:g} it differs most at x = {shown.x!r}, by {size:.3g}"
    else:
        shape = f"up to ±{BENDS:g} it is within its tolerance"
    within = f"within the tolerance at every input up to ±{COMPARED_UP_TO:g}:"
    return [
        f"none of the three forms; {within}"
        if found
        else "none of the three forms, and no other function that is known here",
        *(f"  {name}" for name in found),
        f"nearest in shape is the {nearest} form: {shape}",
        f"it leaves the tolerance of that form at {verdict.outside[nearest]} inputs, "
        f"x = {verdict.first[nearest]!r} the nearest to 0",
    ]


def _members(verdict: Verdict) -> list[str]:
    """The members of the families that fit, with the constants that do."""
    return [
        f"{FAMILIES[name].formula}, {FAMILIES[name].letter} from {low} to {high}"
        for name, ends in verdict.constants.items()
        for low, high in [_inside(*ends)]
    ]


def _inside(low: float, high: float) -> tuple[str, str]:
    """The ends of an interval in few digits, rounded inward."""
    if not high > low:
        return repr(low), repr(high)
    digits = max(0, 1 - floor(log10(high - low)))
    unit = 10.0**-digits
    return f"{ceil(low / unit) * unit:.{digits}f}", f"{floor(high / unit) * unit:.{digits}f}"


def _basis(verdict: Verdict) -> list[str]:
    """What the verdict rests on: the inputs, the tolerance, and one input with its value."""
    allowed, shown = verdict.tolerance, verdict.departure or verdict.witness
    asked = f"{verdict.inputs} inputs" if not verdict.complete else f"all {verdict.inputs} floats"
    finer = " or better" if verdict.working == "float32" else ""
    return [
        f"asked: {asked} of {verdict.dtype} from {verdict.low:.3g} to {verdict.high:.3g}; of "
        "others nothing is known",
        f"tolerance: {allowed.relative:.2g}·|form| + {allowed.absolute:.2g}·min(|x|, {REACH:g}) + "
        f"{allowed.underflow:.2g}, for work in {verdict.working}{finer}",
        f"at x = {shown.x!r} the value is {shown.value:.6g}",
        *(
            f"  {name}: {value:.6g} ± {shown.tolerance[name]:.2g}"
            for name, value in shown.expected.items()
        ),
    ]
