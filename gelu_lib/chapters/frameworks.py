"""What was measured of GELU in the frameworks: ``data/frameworks_measured.json`` and its tables.

The record is written by ``tools/record_frameworks.py`` alone. Every number on the page about the
frameworks comes from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.chapters.style import Drawn, draw
from gelu_lib.chapters.tables import Table, decimal
from gelu_lib.floats.measuring import PIECES, TAIL
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.frameworks import CONSTANTS, Implementation, atlas, spellings

__all__ = [
    "INPUTS_OF_LAYOUT",
    "Measured",
    "RecordError",
    "accuracy_table",
    "defaults",
    "gradient_table",
    "layout_table",
    "measured",
    "one",
    "parse",
    "rounding_table",
    "specials_table",
    "tail_windows",
    "versions",
]

_PARTS = ("accuracy", "tail", "specials", "layout")


class RecordError(ValueError):
    """The record is not one that ``tools/record_frameworks.py`` writes."""


@dataclass(frozen=True)
class Measured:
    """One implementation in one type.

    Attributes:
        package: the package that was measured.
        key: the name of the implementation.
        call: how a user writes it.
        form: the formula that it means to compute, one of ``gelu_lib.activations.FORMS``.
        dtype: the type.
        accuracy: what ``gelu_lib.floats.measuring.accuracy`` returned.
        tail: what ``gelu_lib.floats.measuring.left_tail`` returned.
        specials: what ``gelu_lib.floats.measuring.specials`` returned.
        layout: what ``gelu_lib.floats.measuring.layout`` returned.
        gradient: what ``gelu_lib.floats.measuring.gradient`` returned; empty if there is none.
    """

    package: str
    key: str
    call: str
    form: str
    dtype: str
    accuracy: Mapping[str, Any]
    tail: Mapping[str, Any]
    specials: Mapping[str, str]
    layout: Mapping[str, Any]
    gradient: Mapping[str, Any]


@cache
def _record() -> dict[str, Any]:
    path = files("gelu_lib") / "data" / "frameworks_measured.json"
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def measured() -> tuple[Measured, ...]:
    """Everything that was measured, in the order of the record.

    Raises:
        RecordError: if the record is not as it should be.
    """
    return parse(_record())


def parse(record: Mapping[str, Any]) -> tuple[Measured, ...]:
    """The measurements in a record.

    Raises:
        RecordError: naming the package and what is missing or unknown.
    """
    found = []
    for package, entry in record.items():
        missing = {"versions", "processor", "defaults", "subjects"} - set(entry)
        if missing:
            raise RecordError(f"{package}: lacks {', '.join(sorted(missing))}")
        for key, subject in entry["subjects"].items():
            for dtype, parts in subject["types"].items():
                found.append(_measured(package, key, subject, dtype, parts))
    return tuple(found)


def _measured(package: str, key: str, subject: Mapping, dtype: str, parts: Mapping) -> Measured:
    if subject["form"] not in FORMS or dtype not in FLOAT_TYPES:
        raise RecordError(f"{package}: {key} has the form {subject['form']!r} in {dtype!r}")
    missing = [part for part in _PARTS if part not in parts]
    if missing or len(parts["tail"]["windows"]) != len(TAIL):
        raise RecordError(f"{package}: {key} in {dtype} lacks {', '.join(missing) or 'windows'}")
    kept = {part: parts[part] for part in _PARTS}
    gradient = parts.get("gradient", {})
    return Measured(
        package, key, subject["call"], subject["form"], dtype, **kept, gradient=gradient
    )


def one(key: str, dtype: str) -> Measured:
    """One implementation in one type.

    Raises:
        KeyError: if it was not measured; the message names what was.
    """
    for entry in measured():
        if (entry.key, entry.dtype) == (key, dtype):
            return entry
    known = sorted({entry.key for entry in measured()})
    raise KeyError(f"{key!r} in {dtype!r} was not measured; the names are {', '.join(known)}")


def versions() -> Table:
    """Which versions were measured, and on what processor."""
    rows = [
        [
            package,
            ", ".join(f"{name} {number}" for name, number in entry["versions"].items()),
            entry["processor"],
        ]
        for package, entry in _record().items()
    ]
    return Table(["package", "versions", "processor, widest vectors"], rows)


def defaults() -> dict[str, str]:
    """For each call without options, the form that it was measured to compute."""
    return {call: form for entry in _record().values() for call, form in entry["defaults"].items()}


def _chosen(dtype: str, form: str | None = None) -> list[Measured]:
    """The measurements in a type, of one form or of all."""
    if dtype not in FLOAT_TYPES:
        raise ValueError(f"dtype is {dtype!r}; accepted are {', '.join(FLOAT_TYPES)}")
    return [e for e in measured() if e.dtype == dtype and form in (None, e.form)]


def _table(entries: list[Measured], columns: Mapping[str, Callable[[Measured], str]]) -> Table:
    """One row for each result; implementations that agree in every cell share a row."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for entry in entries:
        cells = (entry.form, *(cell(entry) for cell in columns.values()))
        rows.setdefault(cells, []).append(f"`{entry.key}`")
    body = [["<br>".join(names), *cells] for cells, names in rows.items()]
    return Table(["implementation", "form", *columns], body)


def _number(value: float | None, digits: int = 3) -> str:
    return "—" if value is None else decimal(value, digits)


def accuracy_table(dtype: str) -> Table:
    """Distance from GELU and from the own formula, and the left tail, in one type."""
    return _table(
        _chosen(dtype),
        {
            "from GELU": lambda e: _number(e.accuracy["gelu"]),
            "from its form": lambda e: _number(e.accuracy["form"]),
            "in ULP, right of −1": lambda e: _number(e.accuracy["ulp"]),
            "half lost from": lambda e: _number(e.tail["half_from"]),
            "0 too early from": lambda e: _number(e.tail["zero_from"]),
        },
    )


def rounding_table(dtype: str) -> Table:
    """How many results of a type of 16 bits are not the nearest ones.

    Raises:
        ValueError: if the type has more than 16 bits.
    """
    if FLOAT_TYPES.get(dtype, FLOAT_TYPES["float64"]).digits > 10:
        raise ValueError(f"dtype is {dtype!r}; accepted are float16 and bfloat16")
    return _table(
        _chosen(dtype),
        {
            "not the nearest": lambda e: str(e.accuracy["misrounded"]),
            "in ULP, right of −1": lambda e: _number(e.accuracy["ulp"]),
            "half lost from": lambda e: _number(e.tail["half_from"]),
            "0 too early from": lambda e: _number(e.tail["zero_from"]),
        },
    )


def specials_table() -> Table:
    """What the implementations give at −∞ and ∞, over all types."""
    rows: dict[tuple[str, str], list[str]] = {}
    for e in measured():
        rows.setdefault((e.specials["-inf"], e.specials["inf"]), []).append(f"`{e.key}` {e.dtype}")
    common = max(rows, key=lambda values: len(rows[values]))
    body = [
        [*values, "all others" if values == common else "<br>".join(names)]
        for values, names in rows.items()
    ]
    return Table(["at −∞", "at ∞", "where"], sorted(body, key=lambda row: row[2] == "all others"))


def gradient_table(dtype: str) -> Table:
    """Error of the gradients, and where they are nan, in one type."""
    return _table(
        [entry for entry in _chosen(dtype) if entry.gradient],
        {
            "error": lambda e: _number(e.gradient["error"]),
            "nan from ±": lambda e: _number(e.gradient["nan_from"][1], 4),
            "at −∞": lambda e: e.gradient["-inf"],
            "at ∞": lambda e: e.gradient["inf"],
        },
    )


def layout_table(dtype: str) -> Table:
    """How many results change their bits when the same inputs come in pieces or lie apart."""
    entries = _chosen(dtype)
    columns = {f"by {n}": (lambda e, n=n: str(e.layout[n])) for n in ("1", "3", "17")}
    columns["lying apart"] = lambda e: str(e.layout["strided"]).replace("None", "—")
    changing = [e for e in entries if any(e.layout.values())]
    return _table(changing, columns)


def tail_windows(key: str, dtype: str) -> dict[float, float]:
    """The largest relative error in each window of the left tail, by the window's right end."""
    windows = one(key, dtype).tail["windows"]
    return {end: size for end, size in zip(TAIL, windows, strict=True) if size is not None}


INPUTS_OF_LAYOUT = PIECES
"""How many inputs were given again in pieces."""


# --- figures


def left_tails(implementations: Mapping[str, str], dtype: str) -> Drawn:
    """The relative error of implementations in the left tail, on a logarithmic axis.

    Args:
        implementations: the label of each curve, and the name of the implementation in the record.
        dtype: the type in which they were measured.

    Returns:
        One curve for each implementation, of the largest relative error in windows of a quarter,
        against their right ends.

    Raises:
        KeyError: if an implementation was not measured in this type.
    """
    curves = {}
    for label, key in implementations.items():
        windows = tail_windows(key, dtype)
        curves[label] = (np.array(list(windows)), np.array(list(windows.values())))
    drawn = draw(curves, ylabel="relative error", levels=[1.0])
    plt.yscale("log")
    plt.legend()  # once more, since the scale has changed where there is room
    return drawn


def atlas_table() -> Table:
    """The atlas as a table for the site: the default, the formulas and literals, the source."""
    rows = []
    for row in atlas().values():
        head = f'<span id="framework-{row.id}"></span>**{row.name}**'
        if row.seen == "not checked":
            rows.append([head, "not checked", row.tried])
            continue
        default = {"named": "a name for each form"}.get(row.default, row.default)
        forms = [f"{kind}: `{text}`" for kind, text in _forms(row) if text]
        literals = ", ".join(f"`{literal}`" for literal in row.literals) or "none of its own"
        source = "<br>".join(part for part in (row.source, row.note) if part)
        rows.append(
            [
                f"{head}<br>default: {default}",
                "<br>".join([*forms, f"literals: {literals}"]),
                source,
            ]
        )
    return Table(["Implementation", "What stands in the source", "Where, and what else"], rows)


def _forms(row: Implementation) -> list[tuple[str, str]]:
    return [("exact", row.exact), ("approximate", row.approximate)]


def spelling_table(constant: str) -> Table:
    """The spellings of one constant.

    Args:
        constant: a key of ``CONSTANTS``.

    Raises:
        ValueError: if it is none.
    """
    if constant not in CONSTANTS:
        raise ValueError(f"constant is {constant!r}; accepted are {', '.join(CONSTANTS)}")
    rows = [
        [f"`{s.literal}`", decimal(s.relative, 2), str(s.steps), str(len(s.users))]
        for s in spellings()
        if s.constant == constant
    ]
    return Table(["as written", "relative distance", "float32 steps", "rows of the atlas"], rows)
