"""How records of networks are made: of parts, which are kept, and written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import torch
from network_runs import Plan

DIGITS = 12


def code() -> str:
    """A digest of the two modules that say what a network is and what is done with it."""
    modules = (Path(__file__).with_name(f"network_{name}.py") for name in ("models", "runs"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in modules)).hexdigest()


def place(parts: Path, kind: str, plan: Plan, name: str, seed: int) -> Path:
    """Where a part is kept: under a name of the plan and of the code, so that none are mixed."""
    written = json.dumps([kind, asdict(plan), torch.__version__, code()])
    digest = hashlib.sha256(written.encode()).hexdigest()[:12]
    return parts / digest / f"{kind}, {name}, {seed}".replace(" ", "_")


def kept(path: Path, make: Callable[[], dict]) -> dict:
    """A part: read if it is there, else made, with the seconds that it took."""
    if not path.exists():
        start = time.process_time()
        found = make() | {"seconds": time.process_time() - start}
        write(path, json.dumps(found))
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, text: str) -> None:
    """Write a file whole, or leave what was there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def r(number):
    """A number, or the numbers of a list, to twelve digits: the differences of losses are small."""
    if isinstance(number, list):
        return [r(one) for one in number]
    return float(f"{number:.{DIGITS}g}")


def versions() -> dict[str, str]:
    import numpy
    import sklearn
    import sympy

    found = {m.__name__: m.__version__.partition("+")[0] for m in (torch, numpy, sklearn, sympy)}
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", **found}


def written(record: dict) -> str:
    """The record as JSON, each list of numbers on one line."""
    return (
        re.sub(
            r"\[[^\[\]{}]*\]",
            lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
            json.dumps(record, indent=1, ensure_ascii=False),
        )
        + "\n"
    )
