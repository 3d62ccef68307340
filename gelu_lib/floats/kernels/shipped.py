"""GELU as programs ship it, each as a program in float32 that was read in its source.

The kernels of ``gelu_lib.floats.kernels.judging`` are compared with these. The data file,
``shipped_kernels.toml``, names the place where each was read, at one commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gelu_lib.floats.kernels.programs import KernelProgram
from gelu_lib.rows import DataError, check, contents, filled

SLOT_SOURCES = ("counted", "nvcc", "table")
"""Where the number of issue slots comes from."""


@dataclass(frozen=True)
class Shipped:
    """A kernel that a program ships.

    Attributes:
        id: its name in the data file.
        name: whose it is.
        formula: what is computed, in Markdown with TeX.
        program: the operations, in the order of the source.
        source: addresses of the places where it was read, or where it was discussed.
        slots_from: one of ``SLOT_SOURCES``: the program and a table of prices; what nvcc makes of
            it; or that it is a load from memory, which has no price.
        counted: the number of issue slots, with ``"nvcc"`` only.
        note: what else must be known, in Markdown.
    """

    id: str
    name: str
    formula: str
    program: KernelProgram
    source: tuple[str, ...]
    slots_from: str
    counted: int | None = None
    note: str = ""

    def slots(self, prices: Mapping[str, int]) -> int | None:
        """What it costs in issue slots; ``None`` if it is a load.

        Args:
            prices: the price of each operation, as by ``gelu_lib.floats.kernels.prices``. What nvcc
                counted does not follow from them, and stays.

        Raises:
            KeyError: if an operation of a counted program has no price.
        """
        return self.program.slots(prices) if self.slots_from == "counted" else self.counted


@cache
def shipped() -> Mapping[str, Shipped]:
    """The shipped kernels by ID.

    Raises:
        DataError: if an entry has an unknown field, no program, or a number of slots without nvcc.
    """
    found = {}
    for id, fields in contents("shipped_kernels.toml").items():
        one = filled(
            Shipped, id, fields | {"program": KernelProgram.read(fields.get("program", ""))}
        )
        check(id, one, slots_from=SLOT_SOURCES)
        if (one.counted is None) == (one.slots_from == "nvcc"):
            raise DataError(f"{id}: counted is {one.counted}; accepted with nvcc, and with it only")
        found[id] = one
    return MappingProxyType(found)
