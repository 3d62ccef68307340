"""What is said about a kernel that was held against the test vectors."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from gelu_lib.provenance.callables.tolerances import REACH
from gelu_lib.provenance.callables.verdicts import Verdict

_FLOATS = {"x", "value", "right", "low", "high"}
"""What is a float of the type; JSON has its bits, too."""

_BYTES = -1 if sys.byteorder == "little" else 1


@dataclass(frozen=True)
class Fault:
    """What a kernel returns in place of the right value, shown at the input nearest to 0.

    Attributes:
        kind: ``"nan"``, ``"infinity"``, ``"sign of zero"`` or ``"value"`` at the inputs of the
            vectors; or ``"identify"`` for what is beyond the tolerance at its inputs, shown where
            it is so most plainly. In an ``Accuracy`` it is ``"farthest"`` or ``"largest"``, which
            need be no fault.
        of: the function, as ``"gelu_tanh_derivative"``.
        inputs: at how many inputs it does that.
        x: the input.
        bits: the bits of the input in hexadecimal.
        value: what the kernel returned.
        right: the correctly rounded value; for ``"identify"`` what the library has.
        ulp: value − right in units in the last place of what is right; nan unless both are finite.
        calls: of how many inputs the calls were in which it does that at an input where it is
            right in another place or call; none if it is wrong there each time.
    """

    kind: str
    of: str
    inputs: int
    x: float
    bits: str
    value: float
    right: float
    ulp: float
    calls: tuple[int, ...] = ()

    @property
    def at(self) -> str:
        """The input and its bits."""
        return f"{self.x!r} (0x{self.bits})"

    def __str__(self) -> str:
        off = f", off by {self.ulp:+.6g} ulp" if abs(self.ulp) > 0 else ""
        many = "s"[: self.inputs - 1]
        where = "most plainly" if self.kind == "identify" else "nearest to 0"
        head = f"{self.of}: {self.kind}, at {self.inputs} input{many}; {where}:"
        text = f"{head}\n  x     {self.at}\n  value {self.value!r}\n  right {self.right!r}{off}"
        if self.calls:
            text += "\n  right at the same input in another place, so the loop is at fault; "
            text += f"in calls of {runs(self.calls)}"
        return text


@dataclass(frozen=True)
class Accuracy:
    """How far a kernel is from what is right, allowed or not; equal zeros are equal.

    Attributes:
        of: the function.
        inputs: how many inputs were asked.
        misrounded: at how many of them a result is not the nearest float.
        flushed: at how many of these it is 0, and what is right is not.
        farthest: where a finite value is off by the most units in the last place; ``None`` if none
            is off.
        largest: where it is off most, up to ±8, which is the largest absolute error there.
    """

    of: str
    inputs: int
    misrounded: int
    flushed: int
    farthest: Fault | None
    largest: Fault | None

    def __str__(self) -> str:
        if not self.misrounded:
            return f"{self.of}: each of {self.inputs} results is the nearest float"
        lines = [
            f"{self.of}: {self.misrounded} of {self.inputs} results are not the nearest float; "
            f"{self.flushed} of these are flushed to 0"
        ]
        if most := self.farthest:
            lines.append(
                f"{self.of}: finite values are off by at most {abs(most.ulp):.6g} ulp, "
                f"at x = {most.at}"
            )
        if most := self.largest:
            size = abs(most.value - most.right)
            lines.append(
                f"{self.of}: up to ±{REACH:g} the largest absolute error is {size:.3g}, "
                f"at x = {most.at}"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Span:
    """Neighbouring floats, so many ``inputs`` from ``low`` to ``high``, all with a wrong value."""

    of: str
    low: float
    high: float
    inputs: int

    def __str__(self) -> str:
        return f"{self.of}: wrong from {self.low!r} to {self.high!r}, {self.inputs} in a row"


@dataclass(frozen=True, repr=False)
class Report:
    """What ``conforms`` has found. Its text says what was asked, what failed, how far it is off.

    Attributes:
        form: the form that the kernel claims to compute.
        dtype: the type of its inputs and outputs.
        inputs: how many inputs were asked.
        calls: in how many calls; 1 for the outputs of a file.
        allowed: how far from what is right a value may be, in words.
        verdict: what ``identify`` says of a callable.
        faults: what it does wrong, by kind; first of the function, then of the derivative.
        accuracy: for each function how far it is from what is right.
        spans: if every float was asked, the longest spans of wrong values.
    """

    form: str
    dtype: str
    inputs: int
    calls: int
    allowed: str
    verdict: Verdict | None
    faults: tuple[Fault, ...]
    accuracy: tuple[Accuracy, ...]
    spans: tuple[Span, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong at the inputs asked; of others nothing is known."""
        return not self.faults

    @property
    def first(self) -> Fault | None:
        """The fault whose input is the nearest to 0; nan is farther than infinity."""
        return min(
            self.faults, key=lambda fault: (bool(np.isnan(fault.x)), abs(fault.x)), default=None
        )

    def summary(self) -> dict[str, Any]:
        """The report for JSON: floats in digits that give them back, the bits of each beside it."""
        rest, verdict = asdict(replace(self, verdict=None)), self.verdict and self.verdict.summary()
        return {"passed": self.passed, **jsonable(rest, self.dtype), "verdict": verdict}

    def __str__(self) -> str:
        said = "passes" if self.passed else "is refused"
        head = f"{self.form} form in {self.dtype}: {said}; {self.inputs} inputs asked"
        head += f" in {self.calls} calls" if self.calls > 1 else ""
        lines = [
            head,
            f"allowed: {self.allowed}",
            *map(str, self.faults + self.spans + self.accuracy),
        ]
        if self.verdict is not None:
            lines.append(f"identify says: {self.verdict.variant or self.verdict.outcome}")
        return "\n".join(lines)

    __repr__ = __str__


def jsonable(value: Any, dtype: str = "") -> Any:
    """What JSON can have of a value; with a type, beside its floats their bits in hexadecimal."""
    if isinstance(value, dict):
        floats = {name: np.array(value[name]) for name in _FLOATS & value.keys() if dtype}
        bits = {f"{n}_bits": x.astype(dtype).tobytes()[::_BYTES].hex() for n, x in floats.items()}
        return {name: jsonable(one, dtype) for name, one in value.items()} | bits
    if isinstance(value, tuple):
        return [jsonable(one, dtype) for one in value]
    return value if not isinstance(value, float) or np.isfinite(value) else str(value)


def runs(numbers: tuple[int, ...]) -> str:
    """Ascending numbers of inputs as runs: 1 to 3, 5 inputs."""
    breaks = np.flatnonzero(np.diff(numbers) > 1) + 1
    runs = [run.tolist() for run in np.split(np.array(numbers), breaks)]
    said = [f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    return f"{', '.join(said)} input{'s' * (said != ['1'])}"
