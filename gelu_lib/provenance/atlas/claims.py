"""What is said of GELU and its constants: who says it, where, and whether it holds.

``data/claims.toml`` has every statement of five posts that can be checked, ``data/myths.toml`` what
goes around elsewhere, in our words. A verdict is data; its check is code outside of the library: a
test that has the name of the statement, or a cell of the notebook ``book/claims.ipynb``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from gelu_lib.rows import check, contents, filled

RIGHT, ROUNDED = "right", "right to the digits given"
SLIP, MISLEADING, WRONG = FAULTS = ("slip", "misleading", "wrong")
OPEN = "not verifiable here"

VERDICTS = (RIGHT, ROUNDED, *FAULTS, OPEN)
"""Every verdict there is."""

EDITORIAL = "editorial"
"""Stands in the place of a check where the verdict is a judgement."""

POSTS: Mapping[str, str] = MappingProxyType(
    {
        "gelunote-en": "Note in English",
        "gelunote-zh": "Note in Chinese",
        "hellostatisticians": "Hello Statisticians",
        "su2020gelu": "Su Jianlin",
        "clay2024gelu": "Clay",
    }
)
"""What this book calls the five posts, by their keys in the bibliography."""


@dataclass(frozen=True)
class Claim:
    """One statement of a source.

    Attributes:
        id: the permanent ID.
        post: the source, a key of the bibliography.
        where: the place in the source, in a few words.
        claim: what is stated, in our words; Markdown with TeX.
        verdict: one of ``VERDICTS``.
        checked: what decides the verdict: the anchor of a cell of the notebook, as
            ``#check-bound``; ``"editorial"`` if nothing computes it; else the name of a test.
        correct: what holds instead, needed for a fault; for an editorial verdict, the reason.
        note: what else is worth knowing; Markdown; may be empty.
        see: the IDs of results to look at, separated by spaces; may be empty.
    """

    id: str
    post: str
    where: str
    claim: str
    verdict: str
    checked: str
    correct: str = ""
    note: str = ""
    see: str = ""


@cache
def claims() -> Mapping[str, Claim]:
    """The statements of the five posts, by ID, in the order of the data file."""
    return _read("claims.toml")


@cache
def myths() -> Mapping[str, Claim]:
    """What is said in other places, by ID, in the order of the data file."""
    return _read("myths.toml")


def _read(name: str) -> Mapping[str, Claim]:
    found = {}
    for id, table in contents(name).items():
        found[id] = filled(Claim, id, {"checked": f"test_{id.replace('-', '_')}", **table})
        check(id, found[id], verdict=VERDICTS)
    return MappingProxyType(found)


@cache
def pytorch_record() -> Mapping:
    """What PyTorch does with one post's experiment, by ``tools/laboratory/record_pytorch.py``."""
    return contents("pytorch.json")
