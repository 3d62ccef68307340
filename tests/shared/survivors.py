"""The flips that no check notices, and why each leaves a statement true.

``tests/register/survivors.toml`` has for each entry reasons, each with parts of changed formulas:
every changed formula with such a part, which the entry itself does not have, is explained.
``tests/register/unused.toml`` lists formulas of assumptions on which no check depends, and why.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import flips
from displayed import formulas

from gelu_lib.register import results

EQUATION = "equation-"
NOTES = Path(__file__).resolve().parents[1] / "register" / "survivors.toml"


@cache
def unused() -> Mapping[str, Mapping[str, str]]:
    """Why no check depends on a formula of the assumptions, by entry and by the formula."""
    return tomllib.loads(NOTES.with_name("unused.toml").read_text(encoding="utf-8"))


@cache
def explained() -> Mapping[str, Mapping[str, str]]:
    """The reasons, by entry and by a part of the changed formulas."""
    found = tomllib.loads(NOTES.read_text(encoding="utf-8"))
    for id, told in found.items():
        found[id] = {part: why for why, parts in told.items() for part in parts}
    return found


def text(id: str) -> str:
    """The formulas of an entry, or of a displayed formula, whose label stands behind EQUATION."""
    if id.startswith(EQUATION):
        return formulas()[id.removeprefix(EQUATION)].tex
    return results()[id].statement + results()[id].assumptions


def reason(id: str, flip: str, notes: Mapping[str, Mapping[str, str]]) -> str:
    """The part of a changed formula by which it is explained; empty if it is not."""
    original = text(id)
    parts = (part for part in notes.get(id, {}) if part in flip and part not in original)
    return next(parts, "")


def unexplained(
    rows: Iterable[Mapping[str, str]], notes: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[list[Mapping[str, str]], list[tuple[str, str]]]:
    """The flips that survived without an explanation, and the explanations of none that did.

    Args:
        rows: outcomes of flips, with ``id``, ``flip`` and ``outcome``; an entry of which some flips
            were left out or given up may have explanations of those.
        notes: the explanations; those of the file if none are given.
    """
    notes = explained() if notes is None else notes
    rows = list(rows)
    lost = [row for row in rows if row["outcome"] in flips.LOST]
    used = {(row["id"], reason(row["id"], row["flip"], notes)) for row in lost}
    partly = {row["id"] for row in rows if row["outcome"] in {"left out", "slow"}}
    whole = {row["id"] for row in rows} - partly
    stale = [
        (id, part) for id in sorted(whole) for part in notes.get(id, {}) if (id, part) not in used
    ]
    told = [row for row in lost if row.get("original") not in unused().get(row["id"], {})]
    return [row for row in told if not reason(row["id"], row["flip"], notes)], stale
