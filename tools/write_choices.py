"""Prove the table of criteria and write it into gelu_lib/data/choices.json.

    .venv/bin/python tools/write_choices.py

Every number is enclosed, and its 50 digits are those that the enclosure decides. The best constants
and the sizes of the errors are written with their enclosures. It takes some minutes.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

from write_values import DIGITS, certified

import gelu_lib
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.evidence.criteria import prove_cell
from gelu_lib.evidence.criteria_table import FORMS, MEASURES, entry_id
from gelu_lib.functions.targets import TARGETS

RECORD = Path(gelu_lib.__file__).parent / "data" / "choices.json"


def main() -> None:
    rows = list(product(FORMS, TARGETS))
    with ProcessPoolExecutor() as workers:
        written = dict(workers.map(entry, *zip(*rows, strict=True)))
    RECORD.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows) * len(MEASURES)} cells of {DIGITS} digits")


def entry(form: str, target: str) -> tuple[str, dict]:
    """The ID of an entry, and its record: what is certified, and its cells."""
    id = entry_id(form, target)
    cells = {name: as_text(prove_cell(form, target, name, DIGITS)) for name in MEASURES}
    print(id, flush=True)
    return id, {**certified(id), "cells": cells}


def as_text(proved: Any) -> Any:
    """The numbers of a cell as decimal strings of ``DIGITS`` digits; signs stay as they are."""
    if isinstance(proved, Mapping):
        return {name: as_text(number) for name, number in proved.items()}
    if isinstance(proved, tuple):
        return list(map(as_text, proved))
    if not isinstance(proved, Enclosure):
        return proved
    text = f"{proved.rounded(DIGITS):f}"
    return text if "." in text else f"{text}.0"


if __name__ == "__main__":
    main()
