"""What was measured of GELU in the frameworks: the record ``data/frameworks_measured.json``.

``tools/laboratory/record_frameworks.py`` alone writes the record, with the functions of
``gelu_lib.floats.measuring``. What becomes of GELU in ONNX stands in ``data/onnx.json``, which
``tools/laboratory/record_onnx.py`` writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gelu_lib.activations import FORMS
from gelu_lib.floats.measuring import TAIL
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.rows import DataError, contents

_PARTS = ("accuracy", "tail", "specials", "layout")


@dataclass(frozen=True)
class Measured:
    """One implementation in one type.

    Attributes:
        package: the package that was measured.
        key: the name of the implementation.
        call: how a user writes it.
        form: the formula that it means to compute, one of ``gelu_lib.activations.FORMS``.
        dtype: the type.
        accuracy: what ``gelu_lib.floats.measuring.form_accuracy`` returned.
        tail: what ``gelu_lib.floats.measuring.left_tail`` returned.
        specials: what ``gelu_lib.floats.measuring.specials`` returned.
        layout: what ``gelu_lib.floats.measuring.layout`` returned.
        gradient: what ``gelu_lib.floats.measuring.gradient_accuracy`` returned; empty if
            there is none.
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
def framework_record() -> Mapping[str, Any]:
    """The record as it is stored: by package the versions, the processor and what was measured."""
    return contents("frameworks_measured.json")


@cache
def onnx_record() -> Mapping[str, Any]:
    """The record of GELU in ONNX as it is stored.

    Returns:
        ``exports``, what the exporters of PyTorch write, by opset and option; ``patterns``, each
        with its expression and, by type, opset and level of optimisation, the nodes that ONNX
        Runtime runs; ``measured`` and ``negative_zero``, what the pattern gives; ``double``, from
        where on it is 0 in float64, or the refusal.
    """
    return contents("onnx.json")


@cache
def measured() -> tuple[Measured, ...]:
    """Everything that was measured, in the order of the record."""
    return parse_records(framework_record())


def parse_records(record: Mapping[str, Any]) -> tuple[Measured, ...]:
    """The measurements in a record.

    Raises:
        DataError: naming the package and what is missing or unknown.
    """
    found = []
    for package, entry in record.items():
        missing = {"versions", "processor", "defaults", "subjects"} - set(entry)
        if missing:
            raise DataError(f"{package}: lacks {', '.join(sorted(missing))}")
        for key, subject in entry["subjects"].items():
            for dtype, parts in subject["types"].items():
                found.append(_measured(package, key, subject, dtype, parts))
    return tuple(found)


def _measured(package: str, key: str, subject: Mapping, dtype: str, parts: Mapping) -> Measured:
    if subject["form"] not in FORMS or dtype not in FLOAT_TYPES:
        raise DataError(f"{package}: {key} has the form {subject['form']!r} in {dtype!r}")
    missing = [part for part in _PARTS if part not in parts]
    if missing or len(parts["tail"]["windows"]) != len(TAIL):
        raise DataError(f"{package}: {key} in {dtype} lacks {', '.join(missing) or 'windows'}")
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
