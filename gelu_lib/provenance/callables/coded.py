"""``identify`` and ``conforms`` for types of few codes: every input is asked, and all is known.

A callable takes codes and returns codes, element by element. It is asked in the calls of
``conforms``, and where it answers an input in several ways the worst of these counts. Outputs may
also come as they are: as a table, or in the order of ``vectors.kernel_inputs``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import CodedType
from gelu_lib.floats.tables import (
    TableReport,
    codes_in,
    right_table,
    steps_between,
    table_report,
)
from gelu_lib.provenance.callables.asking import answers, library_named
from gelu_lib.provenance.callables.reports import jsonable, runs
from gelu_lib.provenance.callables.vectors import ascending_inputs
from gelu_lib.provenance.callables.verdicts import Outcome

Calls = Sequence[tuple[np.ndarray, int]]
"""Of which ascending inputs each call is, and how far behind a register they start."""


@dataclass(frozen=True, repr=False)
class CodedVerdict:
    """Which forms have a right table that allows the outputs.

    Attributes:
        outcome: as of a ``Verdict``.
        candidates: the forms; where they are several, the type is too coarse to tell them apart.
        steps: how many steps an output may be off.
        tables: for each form how far from its right table the outputs are.
    """

    outcome: Outcome
    candidates: tuple[str, ...]
    steps: float
    tables: Mapping[str, TableReport]

    @property
    def variant(self) -> str | None:
        """The form, if it is one alone."""
        return self.candidates[0] if self.outcome == "identified" else None

    def summary(self) -> dict[str, Any]:
        """The verdict, ready for JSON."""
        tables = {form: asdict(table) for form, table in self.tables.items()}
        return jsonable({"outcome": self.outcome, "candidates": self.candidates, "tables": tables})

    def __str__(self) -> str:
        head = {
            "identified": f"{self.variant}: its right table alone allows these outputs",
            "undecidable": f"undecidable between {' and '.join(self.candidates)}: the right table "
            "of each allows these outputs",
            "none": "none of the three forms",
        }[self.outcome]
        head += f", each within {self.steps:g} steps" * (self.steps > 0)
        lines = [f"{head}; every input was asked"]
        for table in self.tables.values():
            lines.append(str(table).partition("\n")[0])
            lines += [f"  the first {table.first}"] * (not table.passed)
        return "\n".join(lines)

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class CodedReport:
    """What ``conforms`` has found.

    Attributes:
        tables: how far the worst outputs are from the right table, of the function and then of the
            derivative.
        calls: in how many calls it was asked; 0 for outputs.
        loops: of how many inputs the calls were in which an input has a wrong output that has a
            right one elsewhere.
        verdict: what ``identify`` says of the outputs.
    """

    tables: tuple[TableReport, ...]
    calls: int
    loops: tuple[int, ...]
    verdict: CodedVerdict

    @property
    def passed(self) -> bool:
        """Whether no output is wrong."""
        return all(table.passed for table in self.tables)

    @property
    def first(self) -> Any:
        """The first wrong entry."""
        return next((table.first for table in self.tables if not table.passed), None)

    def summary(self) -> dict[str, Any]:
        """The report, ready for JSON."""
        said = {"passed": self.passed, "tables": [*map(asdict, self.tables)], "loops": self.loops}
        return jsonable(said | {"verdict": self.verdict.summary()})

    def __str__(self) -> str:
        lines = [str(table) for table in self.tables]
        if self.loops:
            lines.append(
                "right for the same input in another place, so the loop is at fault; in calls of "
                f"{runs(self.loops)} inputs"
            )
        said = self.verdict.variant or " or ".join(self.verdict.candidates) or "none"
        return "\n".join([*lines, f"identify says: {said}"])

    __repr__ = __str__


@dataclass(frozen=True)
class Outputs:
    """What a kernel returned, call behind call; a table is one call.

    Attributes:
        place: where the input of each output stands in a table.
        codes: the outputs.
        length: of how many inputs the call was.
    """

    place: np.ndarray
    codes: np.ndarray
    length: np.ndarray

    def worst(self, right: np.ndarray, out: CodedType) -> np.ndarray:
        """The table of the outputs that are farthest from what is right."""
        order = np.argsort(np.abs(steps_between(self.codes, right[self.place], out)), kind="stable")
        table = right.copy()
        table[self.place[order]] = self.codes[order]  # the last one stays
        return table

    def loops(self, right: np.ndarray, out: CodedType, steps: float) -> set[int]:
        """The lengths of the calls that are wrong where another is right."""
        wrong = np.abs(steps_between(self.codes, right[self.place], out)) > steps
        return set(self.length[wrong & np.isin(self.place, self.place[~wrong])].tolist())


def outputs_of(
    kernel: Callable[[Any], Any] | np.ndarray,
    kind: CodedType,
    out: CodedType,
    library: str,
    calls: Calls,
) -> Outputs:
    """Ask a callable, or take what is given as the outputs of the first call or as a table."""
    inputs = ascending_inputs(kind)
    place = inputs.view(f"u{inputs.itemsize}").astype(np.int64)
    if callable(kernel):
        arrays, x = library_named(library), inputs.astype(np.float64)
        said = [answers(kernel, x[which], kind, arrays, start, out) for which, start in calls]
        codes = np.concatenate(said).astype(out.dtype)
    else:
        calls = calls[:1]
        if len(np.atleast_1d(kernel)) != len(calls[0][0]):  # else in the order of kernel_inputs
            calls, place = [(np.arange(len(place)), 0)], np.arange(len(place))
        codes = codes_in(kernel, len(calls[0][0]), out)
    lengths = [len(which) for which, _ in calls]
    where = np.concatenate([which for which, _ in calls])
    return Outputs(place[where], codes, np.repeat(lengths, lengths))


def identified(outputs: Outputs, kind: CodedType, out: CodedType, steps: float) -> CodedVerdict:
    """Which forms allow the outputs; at infinity there may be any."""
    tables, infinite = {}, np.isinf(kind.values)
    for form in FORMS:
        right = right_table(form, kind, out)
        worst = np.where(infinite, right, outputs.worst(right, out))
        tables[form] = table_report(worst, form, kind, out, steps=steps)
    left = tuple(form for form, table in tables.items() if table.passed)
    outcome = {0: "none", 1: "identified"}.get(len(left), "undecidable")
    return CodedVerdict(outcome, left, steps, tables)


def conforming(
    kernels: Sequence[Callable[[Any], Any] | np.ndarray],
    form: str,
    types: tuple[CodedType, CodedType],
    library: str,
    steps: float,
    infinities: str,
    calls: Calls,
) -> CodedReport:
    """What ``conforms`` says of a kernel, and of one for the derivative behind it."""
    kind, out = types
    tables, loops, asked = [], set(), []
    for derivative, kernel in enumerate(kernels):
        outputs = outputs_of(kernel, kind, out, library, calls)
        right = right_table(form, kind, out, derivative=bool(derivative))
        worst = outputs.worst(right, out)
        if infinities == "any":
            worst = np.where(np.isinf(kind.values), right, worst)
        more = {"derivative": bool(derivative), "steps": steps}
        tables.append(table_report(worst, form, kind, out, **more))
        loops |= outputs.loops(right, out, steps)
        asked.append(outputs)
    count = len(calls) if callable(kernels[0]) else 0
    verdict = identified(asked[0], kind, out, steps)
    return CodedReport((*tables,), count, (*sorted(loops),), verdict)
