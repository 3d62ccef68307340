"""Search for good sums of two and of three tanh, and record what was found.

    .venv/bin/python tools/search_tanh_sums.py

It takes some minutes and writes gelu_lib/data/tanh_sums.json.
"""

from __future__ import annotations

import json
from pathlib import Path

import gelu_lib
from gelu_lib.sum_search import RECORD, search_sums

STARTS, SEED = 20, 44715
CRITERIA = (("Phi", False), ("Phi", True), ("GELU", True))


def main() -> None:
    searches = [
        {"count": count, "of": of, "limit_one": limit_one, "found": rounded(count, of, limit_one)}
        for count in (2, 3)
        for of, limit_one in CRITERIA
    ]
    record = {"starts": STARTS, "seed": SEED, "searches": searches}
    path = Path(gelu_lib.__file__).parent / "data" / RECORD
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def rounded(count: int, of: str, limit_one: bool) -> list:
    """The findings to six digits: a grid and a search hold no more."""
    return [
        [float(f"{error:.6g}"), [float(f"{scale:.6g}") for scale in scales]]
        for error, scales in search_sums(count, STARTS, SEED, of, limit_one=limit_one)
    ]


if __name__ == "__main__":
    main()
