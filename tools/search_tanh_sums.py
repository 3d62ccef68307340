"""Search for good sums of two and of three tanh, and record what was found.

    .venv/bin/python tools/search_tanh_sums.py

It takes some minutes and writes gelu_lib/data/tanh_sums.json. The search compares errors on a
grid; recorded is the true error of the best sum with the scales that it ended with.
"""

from __future__ import annotations

import json
from pathlib import Path

import gelu_lib
from gelu_lib.fits.tanh_minimax import minimax_tanh
from gelu_lib.functions.tanh_forms import tanh_sum
from gelu_lib.sum_search import RECORD, search_sums

STARTS, SEED, DIGITS = 20, 44715, 10
CRITERIA = (("Phi", False), ("Phi", True), ("GELU", True))


def main() -> None:
    searches = [
        {"count": count, "of": of, "limit_one": limit_one, "found": measured(count, of, limit_one)}
        for count in (2, 3)
        for of, limit_one in CRITERIA
    ]
    record = {"starts": STARTS, "seed": SEED, "searches": searches}
    path = Path(gelu_lib.__file__).parent / "data" / RECORD
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def measured(count: int, of: str, limit_one: bool) -> list[tuple[float, list[float]]]:
    """The scales that were found, and the least error with them, both to six digits."""
    found = search_sums(count, STARTS, SEED, of, limit_one=limit_one)
    sums = [[float(f"{scale:.6g}") for scale in scales] for _, scales in found]
    errors = [
        minimax_tanh(tanh_sum(scales, limit_one=limit_one), of, DIGITS).error for scales in sums
    ]
    return sorted((float(f"{float(e):.6g}"), s) for e, s in zip(errors, sums, strict=True))


if __name__ == "__main__":
    main()
