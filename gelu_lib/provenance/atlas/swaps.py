"""Swaps in silence: where a program computes another form than the weights or the name ask for.

They stand in ``data/swaps.toml``. Each was read in the source that it names, and none was run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gelu_lib.activations import FORMS
from gelu_lib.provenance.place import Place
from gelu_lib.rows import DataError, check, data_text, filled, tables

COMPUTED = (*FORMS, "silu")
"""What a program may compute instead."""

_STATUSES = ("stands", "reported", "ended")
"""Whether it was so in the source that was read, alone, with an open issue, or in an ended one."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Swap(Place):
    """One swap.

    Attributes:
        id: its name in the data file.
        name: the program.
        asked: the form that the weights were trained with, or that the name asks for.
        computed: the form that is computed instead, one of ``COMPUTED``.
        status: one of ``_STATUSES``.
        text: what happens; Markdown.
        date: of the commit or the release that was read, or empty.
        since: the day of the change that brought it, or empty; one of the two is known.
        thread: the number of an issue or of a change in the repository, or 0.
    """

    id: str
    name: str
    asked: str
    computed: str
    status: str
    text: str
    date: str = ""
    since: str = ""
    thread: int = 0

    @property
    def source(self) -> str:
        """Where it was read, in Markdown, with a link, and the thread."""
        if not self.thread:
            return super().source
        # an address of an issue leads on to the change that has its number
        place = f"https://github.com/{self.repository}/issues/{self.thread}"
        return f"{super().source}; [#{self.thread}]({place})"


@cache
def swaps() -> Mapping[str, Swap]:
    """Every swap by its ID, in the order of the data file."""
    return MappingProxyType(parse_swaps(data_text("swaps.toml")))


def parse_swaps(text: str) -> dict[str, Swap]:
    """Read the data file, given as text.

    Raises:
        DataError: naming the row, the field and what is accepted.
    """
    return {id: _swap(id, table) for id, table in tables(text).items()}


def _swap(id: str, table: Mapping[str, object]) -> Swap:
    one = filled(Swap, id, table)
    check(id, one, asked=FORMS, computed=COMPUTED, status=_STATUSES)
    if one.asked == one.computed:
        raise DataError(f"{id}: asked and computed are both {one.asked}, which is no swap")
    dates = [date for date in (one.date, one.since) if date]
    if not dates or not all(map(_DATE.fullmatch, dates)):
        raise DataError(f"{id}: date is {one.date!r}, since {one.since!r}; needs 2026-11-24")
    one.check(id)
    return one
