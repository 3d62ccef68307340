"""Compute what the register states and write it into gelu_lib/data/values.json.

    .venv/bin/python tools/write_values.py

Each number is computed twice, at two precisions. Only if both agree are the digits written. Each
derivation is built, which proves it, and its claim is written.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import gelu_lib
from gelu_lib.derivations import IDENTITIES, derivation
from gelu_lib.values import COMPUTATIONS, compute

DIGITS, MORE_DIGITS = 50, 75


def main() -> None:
    path = Path(gelu_lib.__file__).parent / "data" / "values.json"
    claims = {id: {"claim": derivation(id).claim} for id in IDENTITIES}
    numbers = {id: {"value": checked(id)} for id in COMPUTATIONS}
    path.write_text(json.dumps(claims | numbers, indent=1) + "\n", encoding="utf-8")
    print(f"{len(claims)} claims, {len(numbers)} numbers of {DIGITS} digits")


def checked(id: str) -> str:
    """The digits of a number, if a computation with more digits confirms them all."""
    value = compute(id, DIGITS)
    with localcontext(prec=DIGITS):
        confirmed = +Decimal(compute(id, MORE_DIGITS)) == Decimal(value)
    if not confirmed:
        sys.exit(f"{id}: {DIGITS} digits are not confirmed by {MORE_DIGITS}")
    return value


if __name__ == "__main__":
    main()
