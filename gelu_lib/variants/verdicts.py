"""What is said about a callable, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True)
class Verdict:
    """Which form a callable computes, as far as its values tell.

    Attributes:
        outcome: ``"identified"``; ``"none"``, if it departs from each form somewhere; or
            ``"undecidable"``, if forms that cannot be told from one another are left.
        candidates: the forms that are left: one, none, or several.
        dtype: the type of the argument and of the result.
        working: the coarsest precision that the callable needs to be allowed; ``"float32"``
            means float32 or better. For the outcome ``"none"`` even this is not coarse enough.
        inputs: how many inputs were asked.
        low: the least of them.
        high: the greatest.
        witness: the input among them that tells the forms apart best.
        outside: for each form at how many inputs the callable is beyond its tolerance.
        farthest: for each form the largest distance from it, in tolerances.
        departures: for each form the input where the callable is farthest from it, in tolerances;
            of inputs where that differs by less than a tenth, the one with the largest difference.
    """

    outcome: Outcome
    candidates: tuple[str, ...]
    dtype: str
    working: str
    inputs: int
    low: float
    high: float
    witness: Evidence
    outside: Mapping[str, int]
    farthest: Mapping[str, float]
    departures: Mapping[str, Evidence]

    @property
    def variant(self) -> str | None:
        """The name of the form if it is identified."""
        return self.candidates[0] if self.outcome == "identified" else None

    @property
    def nearest(self) -> str:
        """The form that the callable leaves at the fewest inputs; at a tie, the least far."""
        return min(self.outside, key=lambda name: (self.outside[name], self.farthest[name]))

    @property
    def departure(self) -> Evidence | None:
        """Where a callable that is none of the forms departs most from the nearest one."""
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
        }

    def __str__(self) -> str:
        if self.outcome == "identified":
            head = f"{self.variant}: within its tolerance at every input asked"
        elif self.outcome == "none":
            head = f"none of the forms; nearest is {self.nearest}"
        else:
            head = f"undecidable between {' and '.join(self.candidates)}"
        asked = f"{self.inputs} inputs from {self.low:g} to {self.high:g} in {self.dtype}"
        return f"{head}\n{asked}\n{_shown(self.departure or self.witness)}"


def _shown(evidence: Evidence) -> str:
    lines = [f"at x = {evidence.x!r} the value is {evidence.value:.6g}"]
    lines += [
        f"  {name}: {value:.6g} ± {evidence.tolerance[name]:.2g}"
        for name, value in evidence.expected.items()
    ]
    return "\n".join(lines)
