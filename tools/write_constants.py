"""Compute the digits of the magic numbers and write them into gelu_lib/data/constants.json.

    .venv/bin/python tools/write_constants.py

The formulas stand in gelu_lib/data/constants.toml. It takes a second.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import gelu_lib
from gelu_lib.floats.types import FLOAT_TYPES, nearest_float
from gelu_lib.provenance.literals.formulas import decimal_digits, expression, stepwise

DATA = Path(gelu_lib.__file__).parent / "data"
RECORD = DATA / "constants.json"


def main() -> None:
    statements = tomllib.loads((DATA / "constants.toml").read_text(encoding="utf-8"))
    records = {id: record(fields) for id, fields in statements["constant"].items()}
    text = json.dumps(records, indent=1) + "\n"
    RECORD.write_text(text, encoding="utf-8")
    print(f"{len(records)} constants")


def record(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The digits of a constant and of the numbers near it that its literals come from."""
    formula = fields["formula"]
    value = decimal_digits(formula)
    return {
        "formula": formula,
        "value": value,
        "exact": expression(formula).is_Rational,
        "ways": {way: decimal_digits(way) for way in fields.get("ways", ())},
        "steps": {
            type: str(near)
            for type in ("float64", "float32")
            if (near := stepwise(formula, type))
            != nearest_float(Fraction(value), FLOAT_TYPES[type])
        },
    }


if __name__ == "__main__":
    main()
