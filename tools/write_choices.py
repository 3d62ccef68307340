"""Compute the table of criteria and write it into gelu_lib/data/choices.json.

    .venv/bin/python tools/write_choices.py

Each cell is computed twice, at two precisions; only if both agree are its 50 digits written. The
best constants and the sizes of the errors are then certified, and written with their enclosures,
if these decide the same digits. It takes some ten minutes.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal, localcontext
from itertools import product
from pathlib import Path

import mpmath
from sympy import Float
from write_values import certified

import gelu_lib
from gelu_lib.fits.optima import FORMS, MEASURES, Choice, compute, entry_id
from gelu_lib.functions.families import TARGETS

RECORD = Path(gelu_lib.__file__).parent / "data" / "choices.json"
DIGITS, MORE_DIGITS = 50, 75


def main() -> None:
    cells, entries = list(product(FORMS, TARGETS, MEASURES)), list(product(FORMS, TARGETS))
    with ProcessPoolExecutor() as workers:
        records = dict(zip(cells, workers.map(checked, *zip(*cells, strict=True)), strict=True))
        ids = [entry_id(*entry) for entry in entries]
        proved = list(workers.map(certified, ids))
    written = {
        id: confirmed(*entry, records, proof)
        for id, entry, proof in zip(ids, entries, proved, strict=True)
    }
    RECORD.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(f"{len(cells)} cells of {DIGITS} digits")


def confirmed(form: str, of: str, records: dict, proved: dict) -> dict:
    """An entry with its numbers, if those that are proved are those that were computed."""
    computed = {
        name: digits
        for measure in MEASURES
        for name, digits in numbers(form, measure, records[form, of, measure])
    }
    if proved["numbers"] != computed:
        sys.exit(f"{form}, {of}: what is proved is not what was computed")
    return {**proved, "cells": {name: records[form, of, name] for name in MEASURES}}


def checked(form: str, of: str, measure: str) -> dict:
    """The record of a cell, if a computation with more digits confirms it."""
    found, finer = (compute(form, of, measure, digits) for digits in (DIGITS, MORE_DIGITS))
    record, confirming = as_record(found), as_record(finer)
    if record != confirming:
        sys.exit(f"{form}, {of}, {measure}: {DIGITS} digits are not confirmed by {MORE_DIGITS}")
    print(form, of, measure, flush=True)
    return record


def as_record(cell: Choice) -> dict:
    """The numbers of a cell as decimal strings of ``DIGITS`` digits."""
    return {
        "parameters": {name: text(value) for name, value in cell.parameters.items()},
        "constant": text(cell.constant),
        "size": text(cell.error),
        "famous_size": text(cell.famous_error),
        "worst": text(cell.worst),
        "worst_error": text(cell.worst_error),
        "points": list(map(text, cell.points)),
        "signs": list(cell.signs),
        "multipliers": list(map(text, cell.multipliers)),
    }


def text(number: Float) -> str:
    with mpmath.workdps(MORE_DIGITS + 30):
        long = mpmath.nstr(mpmath.mpmathify(number), MORE_DIGITS, min_fixed=-mpmath.inf)
    with localcontext(prec=DIGITS):
        return f"{+Decimal(long):f}"


def numbers(form: str, measure: str, record: dict) -> Iterator[tuple[str, str]]:
    """The numbers that were found for a cell, by name; what was fixed is none of them."""
    if len(record["parameters"]) == 2:
        yield f"{measure}, k", record["constant"]
    for name, value in record["parameters"].items():
        if name not in FORMS[form].fixed:
            yield f"{measure}, {name}", value
    yield f"{measure}, error", record["size"]


if __name__ == "__main__":
    main()
