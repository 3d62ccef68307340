"""Who ships which GELU: the atlas of ``data/frameworks.toml`` and what its literals are worth.

A row says how it is known: the source was read, or its documentation alone, or neither, and then it
states nothing. The literals stand as they are written there; what they are, and how far from it, is
computed here.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any

from gelu_lib.activations import FORMS
from gelu_lib.floats.types import round_to, unit
from gelu_lib.provenance.atlas.checkpoints import form_names
from gelu_lib.provenance.literals.formula_input import read_formula
from gelu_lib.provenance.place import Place
from gelu_lib.rows import DataError, check, data_text, filled, tables

SEEN = ("read", "documentation", "not checked")
"""How a row is known. The source was read, only its documentation was, or neither."""
DEFAULTS = (*FORMS, "named")
"""What the plain name computes, called without options; ``named`` where there is no plain name."""

PROGRAM_GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "frameworks": "Frameworks",
        "exchange": "Exchange and inference",
        "kernels": "Kernels",
        "models": "Models and their tables",
        "origins": "Where it began",
    }
)
"""The kinds of programs, and their titles."""

_STATED = ("exact", "approximate", "literals", "default", "repository", "path", "note")
_PLACED = ("commit", "release", "read", "date")
_BITS = re.compile(r"0x[0-9a-f]{8}")
_DECIMAL = re.compile(r"(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)[fF]?", re.ASCII)


@dataclass(frozen=True)
class Implementation(Place):
    """One row.

    Attributes:
        id: its name in the data file.
        name: as users know it.
        seen: one of ``SEEN``.
        group: one of ``PROGRAM_GROUPS``.
        exact: the exact form in the notation of the source; empty if there is none.
        approximate: its approximations; empty if there is none.
        literals: the constants, exactly as they are written.
        default: one of ``DEFAULTS``; empty if the row was not checked.
        read: the day at which it was read; empty if it was not.
        date: the day of the commit or of the release, where it is known; or empty.
        note: what else the source shows; Markdown.
        tried: what was looked at in vain, for a row that was not checked; Markdown.
        names: the entries of ``form_names`` that say what one writes; empty if ``writes`` does.
        writes: what one writes for a form, by form.
        run: the packages of ``framework_record`` that were measured; empty if none was.
    """

    id: str
    name: str
    seen: str
    group: str
    exact: str = ""
    approximate: str = ""
    literals: tuple[str, ...] = ()
    default: str = ""
    read: str = ""
    date: str = ""
    note: str = ""
    tried: str = ""
    names: tuple[str, ...] = ()
    writes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    run: tuple[str, ...] = ()

    @property
    def calls(self) -> Mapping[str, tuple[str, ...]]:
        """What one writes for each form that it has a name for; empty where that is not known."""
        given = [{form: getattr(form_names()[id], form) for form in FORMS} for id in self.names]
        found = {form: sum((g[form] for g in given), self.writes.get(form, ())) for form in FORMS}
        return {form: calls for form, calls in found.items() if calls}

    @property
    def age(self) -> int | None:
        """How many days old the source was when it was read; ``None`` if its day is not known."""
        if not self.date:
            return None
        return (date.fromisoformat(self.read) - date.fromisoformat(self.date)).days

    @property
    def place(self) -> str:
        """Where it was read, with a link but without the file; empty if it was not."""
        return super().source if self.repository else ""

    @property
    def source(self) -> str:
        """Where it was read, in Markdown, with a link; empty if it was not."""
        if not self.repository:
            return ""
        where = f"[{self.repository}]({self.address}), "
        if self.commit:
            name = self.path.rpartition("/")[2]  # the link has the whole path
            where += f"`{name}` at `{self.commit[:10]}`"
        else:
            where += f"`{self.path}` of release {self.release}"
        return where if self.seen == "read" else f"documentation alone: {where}"


@cache
def atlas() -> Mapping[str, Implementation]:
    """Every row by its ID, in the order of the file."""
    return MappingProxyType(parse_frameworks(data_text("frameworks.toml")))


def parse_frameworks(text: str) -> dict[str, Implementation]:
    """Read the data file, given as text.

    Raises:
        DataError: naming the row, the field and what is accepted.
    """
    return {id: _implementation(id, table) for id, table in tables(text).items()}


def _implementation(id: str, table: Mapping[str, Any]) -> Implementation:
    row = filled(Implementation, id, table)
    check(id, row, seen=SEEN, group=PROGRAM_GROUPS)
    if rule := _broken_rule(row):
        raise DataError(f"{id}: {rule}")
    if row.seen != "not checked":
        check(id, row, default=DEFAULTS)
        row.check(id)
    return row


def _broken_rule(row: Implementation) -> str:
    """What is wrong with what a row states, given how it is known; empty if nothing is."""
    if not row.name:
        return "needs a name"
    for literal in row.literals:
        if literal_value(literal) is None:
            return f"literal {literal!r} is neither a decimal nor eight hexadecimal digits"
    if row.seen == "not checked":
        stated = [name for name in (*_STATED, *_PLACED) if getattr(row, name)]
        if stated or not row.tried:
            return f"was not checked and {'states ' + stated[0] if stated else 'needs tried'}"
        return ""
    if row.tried:
        return "tried is for rows that were not checked"
    if unknown := {*row.writes} - {*FORMS} or {*row.names} - {*form_names()}:
        return f"writes or names has {min(unknown)!r}, which is no form or no entry"
    if not (row.exact or row.approximate):
        return "needs a form"
    return _broken_days(row)


def _broken_days(row: Implementation) -> str:
    """What is wrong with the days of a row; empty if nothing is."""
    try:
        late = row.age is not None and row.age < 0
        date.fromisoformat(row.read)
    except ValueError:
        return f"read is {row.read!r}, date {row.date!r}; accepted are days such as 2026-11-24"
    return f"was read on {row.read}, before {row.date}" if late else ""


def literal_value(literal: str) -> Fraction | None:
    """The exact number that a literal of a source stands for.

    Args:
        literal: a decimal, with the ending f or F of C if it has one, or the 32 bits of a float as
            eight hexadecimal digits after 0x.

    Returns:
        The number as it is written, not the float that a compiler makes of it; for bits, that of
        the float. ``None`` if it is neither, or the bits are those of no finite float.
    """
    if not isinstance(literal, str):
        return None
    if _BITS.fullmatch(literal):
        number = struct.unpack(">f", bytes.fromhex(literal[2:]))[0]
        return Fraction(number) if math.isfinite(number) else None
    found = _DECIMAL.fullmatch(literal)
    return Fraction(found[1]) if found else None


_FORMULAS = {
    r"$\sqrt{2/\pi}$": "sqrt(2/pi)",
    r"$\frac12\sqrt{2/\pi}$": "sqrt(2/pi)/2",
    r"$2/\pi$": "2/pi",
    "0.044715": "0.044715",
    r"$2\cdot0.044715$": "2*0.044715",
    r"$3\cdot0.044715$": "3*0.044715",
    r"$0.044715\sqrt{2/\pi}$": "0.044715*sqrt(2/pi)",
    r"$\frac32\cdot0.044715\sqrt{2/\pi}$": "3*0.044715*sqrt(2/pi)/2",
    r"$3\cdot0.044715\sqrt{2/\pi}$": "3*0.044715*sqrt(2/pi)",
    "1.702": "1.702",
    r"$\sqrt{1/2}$": "sqrt(1/2)",
    r"$\sqrt2$": "sqrt(2)",
}

CONSTANTS: Mapping[str, Fraction] = MappingProxyType(
    {name: read_formula(formula).value for name, formula in _FORMULAS.items()}
)
"""What the literals mean, to 75 digits where it is no decimal; by its name in TeX."""


@dataclass(frozen=True)
class Spelling:
    """A literal, and what becomes of it.

    Attributes:
        literal: as it is written.
        constant: the key of ``CONSTANTS`` that is nearest.
        value: what is written.
        relative: its relative distance from the constant.
        steps: how many units in the last place of float32 the float32 nearest to it is from the
            float32 nearest to the constant.
        users: the IDs of the rows that have it.
    """

    literal: str
    constant: str
    value: Fraction
    relative: float
    steps: int
    users: tuple[str, ...]


def spellings() -> tuple[Spelling, ...]:
    """Every literal of the atlas, by constant, nearest first.

    The ending f and the sign do not tell two spellings apart.
    """
    users: dict[str, list[str]] = {}
    for row in atlas().values():
        for literal in row.literals:
            bare = literal if _BITS.fullmatch(literal) else literal.rstrip("fF").lstrip("-")
            users.setdefault(bare, []).append(row.id)
    found = [_spelling(literal, tuple(ids)) for literal, ids in users.items()]
    order = list(CONSTANTS)
    return tuple(sorted(found, key=lambda s: (order.index(s.constant), abs(s.relative), s.literal)))


def _spelling(literal: str, users: tuple[str, ...]) -> Spelling:
    value = literal_value(literal)
    distances = {name: value / constant - 1 for name, constant in CONSTANTS.items()}
    nearest = min(distances, key=lambda name: abs(distances[name]))
    ideal, written = (
        float(round_to(float(number), "float32")) for number in (CONSTANTS[nearest], value)
    )
    steps = round((written - ideal) / float(unit(ideal, "float32")))
    return Spelling(literal, nearest, value, float(distances[nearest]), steps, users)
