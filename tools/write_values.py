"""Compute what the register states and write it into gelu_lib/data/values.json.

    .venv/bin/python tools/write_values.py

A number without proof is computed twice, at two precisions, and only if both agree are the digits
written. A certified number is written with its enclosure, which decides the digits. Each derivation
is built, which proves it, and its claim is written.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import gelu_lib
from gelu_lib.derivations import IDENTITIES, derivation
from gelu_lib.values import CERTIFICATIONS, COMPUTATIONS, compute, enclose
from gelu_lib.values.recipes import numeral

DIGITS, MORE_DIGITS = 50, 75


def main() -> None:
    path = Path(gelu_lib.__file__).parent / "data" / "values.json"
    claims = {id: {"claim": derivation(id).claim} for id in IDENTITIES}
    numbers = {id: {"value": checked(id)} for id in COMPUTATIONS}
    proved = {id: certified(id) for id in CERTIFICATIONS}
    path.write_text(json.dumps(claims | numbers | proved, indent=1) + "\n", encoding="utf-8")
    print(f"{len(claims)} claims, {len(numbers)} numbers of {DIGITS} digits, {len(proved)} proved")


def certified(id: str) -> dict[str, Any]:
    """The digits of a certified entry and the enclosures that prove them."""
    found = enclose(id, DIGITS)
    values = {name: numeral(enclosure.rounded(DIGITS)) for name, enclosure in found.items()}
    ends = {name: [numeral(e.lower), numeral(e.upper)] for name, e in found.items()}
    if set(found) == {""}:
        return {"value": values[""], "enclosure": ends[""]}
    return {"numbers": values, "enclosures": ends}


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
