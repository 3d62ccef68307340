"""The record of the experiment, ``data/networks.json``, made by ``tools/record_networks.py``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np

_PARTS = ("plan", "data", "seeds", "seconds", "trained", "swaps", "narrow", "tuned", "inputs")
_HEAD = ("versions", "processor", "device", "processes", "edges", "networks", "small")


class RecordError(ValueError):
    """The record is not as it should be; the message says what is wrong."""


@dataclass(frozen=True)
class Network:
    """What was found with one kind of network.

    Every list has one number for each seed, in the order of the seeds.

    Attributes:
        name: what it is called.
        plan: how it was trained.
        data: what it was trained on.
        seeds: how many there were.
        seconds: of one processor, for everything.
        trained: loss and accuracy, by how it was trained.
        swaps: what changes, by the form that it was trained with and the one that took its place.
        narrow: what changes if all of it is computed in a type of 16 bits.
        tuned: the losses after the numbers of steps in the plan, by form, for each seed.
        inputs: for each number of steps, and each layer, how the inputs of GELU are spread.
    """

    name: str
    plan: Mapping[str, Any]
    data: Mapping[str, Any]
    seeds: int
    seconds: int
    trained: Mapping[str, Mapping[str, list[float]]]
    swaps: Mapping[str, Mapping[str, Mapping[str, list]]]
    narrow: Mapping[str, Mapping[str, list[float]]]
    tuned: Mapping[str, list[list[float]]]
    inputs: Mapping[str, list[Mapping[str, Any]]]

    def losses(self, arm: str) -> np.ndarray:
        """The loss on the validation data, of each seed."""
        return np.array(self.trained[arm]["loss"])

    def change(self, trained: str, other: str, of: str = "loss") -> np.ndarray:
        """What changes by a swap, for each seed."""
        return np.array(self.swaps[trained][other][of])

    def foreseen(self, trained: str, other: str) -> np.ndarray:
        """The first-order prediction of the change of the loss, of each seed."""
        return self.change(trained, other, "first").sum(axis=1)

    def tuned_by(self, form: str) -> np.ndarray:
        """The losses while a form is tuned, a row for each seed."""
        return np.array(self.tuned[form])


@cache
def record() -> Mapping[str, Any]:
    """The whole record.

    Raises:
        RecordError: if a part is missing.
    """
    path = files("gelu_lib") / "data" / "networks.json"
    return MappingProxyType(checked(json.loads(path.read_text(encoding="utf-8"))))


@cache
def networks() -> Mapping[str, Network]:
    """Both networks by their names.

    Raises:
        RecordError: if a part is missing, or a list has not one entry for each seed.
    """
    return MappingProxyType(
        {name: Network(name, **part) for name, part in record()["networks"].items()}
    )


def checked(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record that has every part, with as many entries as there are seeds.

    Raises:
        RecordError: naming the part.
    """
    _need("the record", found, _HEAD)
    for name, part in found["networks"].items():
        _need(name, part, _PARTS)
        lists = {
            **{f"trained {arm}": values["loss"] for arm, values in part["trained"].items()},
            **{
                f"{arm} as {other}": values["loss"]
                for arm, others in part["swaps"].items()
                for other, values in others.items()
            },
            **{f"tuned {form}": rows for form, rows in part["tuned"].items()},
        }
        for where, values in lists.items():
            if len(values) != part["seeds"]:
                counted = f"{len(values)} entries for {part['seeds']} seeds"
                raise RecordError(f"{name}, {where}: {counted}")
    return found


def _need(name: str, part: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    if missing := [key for key in keys if key not in part]:
        raise RecordError(f"{name} lacks {', '.join(missing)}")
