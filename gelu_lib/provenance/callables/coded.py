"""``identify`` and ``conforms`` for types of few codes: every input is asked, and all is known.

A callable takes codes and returns codes, in the calls of ``conforms``; where it answers an input in
several ways, the worst counts. Outputs may also come as they are: as a table, or in the order of
``vectors.kernel_inputs``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import CodedType, not_taken
from gelu_lib.floats.tables import (
    TableEntry,
    TableReport,
    codes_in,
    steps_and_near_ties,
    table_report,
    tables_of,
    types_of,
)
from gelu_lib.provenance.callables.asking import answers, library_named
from gelu_lib.provenance.callables.reports import jsonable, runs
from gelu_lib.provenance.callables.vectors import ascending_inputs
from gelu_lib.provenance.callables.verdicts import Outcome


@dataclass(frozen=True, repr=False)
class CodedReport:
    """What is found of outputs that are codes.

    Attributes:
        claimed: how far the worst outputs are from the right table of the form that a kernel claims
            to compute, and from that of its derivative if asked; nothing of ``identify``.
        tables: how far they are from the right table of each form, but at infinity.
        calls: in how many calls a callable was asked.
        loops: of how many inputs the calls were in which an input has a wrong output that has a
            right one elsewhere.
    """

    claimed: tuple[TableReport, ...]
    tables: Mapping[str, TableReport]
    calls: int
    loops: tuple[int, ...]

    @property
    def passed(self) -> bool:
        """Whether no output is wrong."""
        return all(table.passed for table in self.claimed)

    @property
    def first(self) -> TableEntry | None:
        """The first wrong entry of a table."""
        return next((table.first for table in self.claimed if table.first), None)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The forms whose right table allows the outputs."""
        return tuple(form for form, table in self.tables.items() if table.passed)

    @property
    def outcome(self) -> Outcome:
        """As of a ``Verdict``; undecidable where the type is too coarse to tell forms apart."""
        return {0: "none", 1: "identified"}.get(len(self.candidates), "undecidable")

    def summary(self) -> dict[str, Any]:
        """The report, ready for JSON."""
        return jsonable({"passed": self.passed, "candidates": self.candidates} | asdict(self))

    def __str__(self) -> str:
        lines = [str(table) for table in self.claimed]
        if self.loops:
            lines.append(
                "right for the same input in another place, so the loop is at fault; in calls of "
                f"{runs(self.loops)}"
            )
        names = " and ".join(self.candidates)
        said = {
            "identified": f"{names}: its right table alone allows these outputs",
            "undecidable": f"undecidable between {names}: each allows these outputs",
            "none": "none of the three forms",
        }[self.outcome]
        if self.claimed:
            if any(np.isinf(entry.x) for table in self.claimed for entry in table.listed):
                said += ", if what is infinite is left out"
            return "\n".join([*lines, f"identify says: {said}"])
        lines.append(f"{said}; every input was asked")
        for table in self.tables.values():
            lines.append(str(table).partition("\n")[0])
            lines += [f"  the first {table.first}"] * (not table.passed)
        return "\n".join(lines)

    __repr__ = __str__


def coded_report(
    kernels: Sequence[Callable[[Any], Any] | np.ndarray],
    types: tuple[CodedType, CodedType | str | None],
    calls: Sequence[tuple[np.ndarray, int]],
    *,
    form: str | None = None,
    library: str = "numpy",
    steps: float = 0,
    infinities: str = "any",
    signed_zeros: bool = False,
) -> CodedReport:
    """What is to be said of a kernel, and of one for the derivative behind it.

    The calls are of ascending inputs, and start so far behind a register.
    """
    kind, out = types_of("exact" if form is None else form, *types)
    only = "only float8 has a sign of zero"
    not_taken(out, only, signed_zeros=signed_zeros and not out.is_float)
    infinite, loops, claimed = np.isinf(kind.values), set(), []
    asked = [_outputs(kernel, kind, out, library, calls) for kernel in kernels]

    def compared(outputs: tuple, form: str, claimed: bool, derivative: bool) -> TableReport:
        (place, codes, length), signed = outputs, signed_zeros and claimed
        right, other = tables_of(form, kind, out, derivative)
        off, near = steps_and_near_ties(codes, right[place], other[place], out, signed)
        worst, order = right.copy(), np.lexsort((np.abs(off), ~near & (off != 0)))
        worst[place[order]] = codes[order]  # the last one stays
        if not claimed or infinities == "any":
            worst[infinite] = right[infinite]
        more = {"derivative": derivative, "steps": steps, "signed_zeros": signed}
        report = table_report(worst, form, kind, out, **more)
        if claimed:
            wrong = ~near & (np.abs(off) > steps)
            loops.update(length[wrong & np.isin(place, place[~wrong])].tolist())
        return report

    for derivative, outputs in enumerate(asked if form else ()):
        claimed.append(compared(outputs, form, True, bool(derivative)))
    tables = {one: compared(asked[0], one, False, False) for one in FORMS}
    count = len(calls) if callable(kernels[0]) else 1
    return CodedReport((*claimed,), tables, count, (*sorted(loops),))


def _outputs(
    kernel: Callable[[Any], Any] | np.ndarray,
    kind: CodedType,
    out: CodedType,
    library: str,
    calls: Sequence[tuple[np.ndarray, int]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where in a table the outputs stand, the outputs, and of how many inputs each call was."""
    inputs = ascending_inputs(kind)
    place = inputs.view(f"u{inputs.itemsize}").astype(np.int64)
    if callable(kernel):
        arrays, x = library_named(library), inputs.astype(np.float64)
        said = [answers(kernel, x[which], kind, arrays, start, out) for which, start in calls]
        codes = np.concatenate(said).astype(out.dtype)
    else:
        calls = calls[:1]
        if len(np.atleast_1d(kernel)) != len(calls[0][0]):  # a table
            calls, place = [(np.arange(len(place)), 0)], np.arange(len(place))
        codes = codes_in(kernel, len(calls[0][0]), out)
    lengths = [len(which) for which, _ in calls]
    where = np.concatenate([which for which, _ in calls])
    return place[where], codes, np.repeat(lengths, lengths)
