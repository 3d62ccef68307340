"""Compute the table of criteria and write it into gelu_lib/data/choices.json.

    .venv/bin/python tools/write_choices.py

Each cell is computed twice, at two precisions; only if both agree are its 50 digits written. It
takes some minutes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal, localcontext
from itertools import product
from pathlib import Path

import mpmath
from sympy import Float

import gelu_lib
from gelu_lib.choices import FORMS, MEASURES, Choice, compute, entry_id
from gelu_lib.families import TARGETS

DIGITS, MORE_DIGITS = 50, 75


def main() -> None:
    cells = list(product(FORMS, TARGETS, MEASURES))
    with ProcessPoolExecutor() as workers:
        records = dict(zip(cells, workers.map(checked, *zip(*cells, strict=True)), strict=True))
    entries = {
        entry_id(form, of): {
            "numbers": dict(
                number
                for name in MEASURES
                for number in numbers(form, name, records[form, of, name])
            ),
            "cells": {name: records[form, of, name] for name in MEASURES},
        }
        for form, of in product(FORMS, TARGETS)
    }
    path = Path(gelu_lib.__file__).parent / "data" / "choices.json"
    path.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    print(f"{len(cells)} cells of {DIGITS} digits")


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
        "size": text(cell.size),
        "famous_size": text(cell.famous_size),
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
