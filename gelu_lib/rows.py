"""The data files of the library, and what stands in them as objects; on the ground floor.

Whatever reads a file of ``gelu_lib/data`` reads it here. A file that breaks a rule is a
``DataError``: the library does not go on with what it has not understood. The module needs the
standard library only.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import fields
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

Row = TypeVar("Row")


class DataError(ValueError):
    """A data file breaks a rule; the message names the entry, and what is accepted."""


def data_text(name: str) -> str:
    """The text of a file of ``gelu_lib/data``."""
    return (files("gelu_lib") / "data" / name).read_text(encoding="utf-8")


def contents(name: str) -> dict[str, Any]:
    """What a file of ``gelu_lib/data`` holds, which is TOML or JSON by its ending."""
    return tables(data_text(name)) if name.endswith(".toml") else json.loads(data_text(name))


def tables(given: str) -> dict[str, Any]:
    """The tables of a text in TOML, by name.

    Raises:
        DataError: if it is none; a name that occurs twice is an error of TOML itself.
    """
    try:
        return tomllib.loads(given)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"the data cannot be read: {error}") from error


def filled(kind: type[Row], id: str, given: Mapping[str, Any]) -> Row:
    """An object of a frozen dataclass from a table; its field ``id``, if it has one, is given.

    Arrays become tuples, and tables within it mappings that nobody can change.

    Raises:
        DataError: naming the field that is unknown or missing.
    """
    names = [field.name for field in fields(kind)]
    accepted = [name for name in names if name != "id"]
    for name in given:
        if name not in accepted:
            raise DataError(f"{id}: {name} is no field; accepted are {', '.join(accepted)}")
    values = {"id": id} if "id" in names else {}
    values |= {name: _frozen(value) for name, value in given.items()}
    try:
        return kind(**values)
    except TypeError as error:
        raise DataError(f"{id}: a field is missing: {error}") from error


def check(id: str, entry: object, **accepted: Collection[str]) -> None:
    """Refuse an entry with a field, named here, whose value is none of those accepted for it."""
    for name, values in accepted.items():
        # compared, and not looked up: what stands there may be a table
        if (value := getattr(entry, name)) not in tuple(values):
            raise DataError(f"{id}: {name} is {value!r}; accepted are {', '.join(values)}")


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({name: _frozen(part) for name, part in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
