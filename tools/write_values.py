"""Compute what the register states and write it into gelu_lib/data/values.json.

    .venv/bin/python tools/write_values.py [ID ...]

Without IDs everything is computed, which takes minutes; with IDs these entries alone, and the
others stay as they are. The table of criteria is written by tools/write_choices.py.

What was measured is written as it follows from its record. A certified number is written with its
enclosure, which decides the digits. Each derivation is built, which proves it, and its claim is
written.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(
        __doc__,
        ids={"nargs": "*", "metavar": "ID", "help": "entries to write; all if none"},
    )

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import gelu_lib
from gelu_lib.derivations.identities.catalogue import IDENTITIES, derivation
from gelu_lib.evidence.criteria import TABLE
from gelu_lib.evidence.kinds import numeral
from gelu_lib.evidence.measurements import MEASUREMENTS
from gelu_lib.evidence.proved import CERTIFICATIONS, enclose

RECORD = Path(gelu_lib.__file__).parent / "data" / "values.json"
DIGITS = 50


def main(ids: list[str]) -> None:
    if unknown := sorted(set(ids) - set(made())):
        sys.exit(f"nothing computes {', '.join(unknown)}")
    write(ids or made())


def made() -> dict[str, Callable[[str], dict[str, Any]]]:
    """For each entry that this script writes, what makes its record."""
    return {
        **dict.fromkeys(IDENTITIES, claim),
        **dict.fromkeys(MEASUREMENTS, measured),
        **dict.fromkeys((id for id in CERTIFICATIONS if id not in TABLE), certified),
    }


def write(ids: Iterable[str]) -> None:
    """Make the records of some entries again; the others stay as they are, new ones come last."""
    known = json.loads(RECORD.read_text(encoding="utf-8"))
    ids = set(ids)
    if lacking := made().keys() - known.keys() - ids:
        sys.exit(f"{', '.join(sorted(lacking))}: new as well; name all new entries together")
    fresh = {id: make(id) for id, make in made().items() if id in ids}
    records = {**known, **fresh}
    RECORD.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    print(f"{len(fresh)} entries of {len(records)} computed")


def claim(id: str) -> dict[str, Any]:
    """What a derivation proves."""
    return {"claim": derivation(id).claim}


def measured(id: str) -> dict[str, Any]:
    """The numbers of an entry that was measured."""
    return {"numbers": dict(MEASUREMENTS[id]())}


def certified(id: str) -> dict[str, Any]:
    """The digits of an entry and the enclosures that prove them."""
    found = enclose(id, DIGITS)
    values = {name: numeral(enclosure.rounded(DIGITS)) for name, enclosure in found.items()}
    ends = {name: [numeral(e.lower), numeral(e.upper)] for name, e in found.items()}
    if set(found) == {""}:
        return {"value": values[""], "enclosure": ends[""]}
    return {"numbers": values, "enclosures": ends}


if __name__ == "__main__":
    main(GIVEN.ids)
