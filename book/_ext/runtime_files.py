"""The files of Python for the browser: what a lock says of them, and whether they are those.

A lock, ``tools/runtimes/NAME.json``, is a ``pyodide-lock.json`` as Pyodide reads it, with the files
of this book alone, and is served as such. It has some keys more: ``core`` has the files of Pyodide
itself; of each file ``from`` has the places to get it, ``licence`` its licence, and ``size`` its
bytes, where a registry says them.

No package will do: ``pyodide-lock`` makes such files, and fetches and checks nothing.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = ROOT / "tools" / "runtimes"
PLACE = "_build/runtime"  # of the folders, one for each lock
LOCK = "pyodide-lock.json"  # as Pyodide knows it

File = dict[str, Any]


def names() -> list[str]:
    """The names of the locks."""
    return sorted(path.stem for path in LOCKS.glob("*.json"))


def read(name: str) -> dict[str, Any]:
    return json.loads((LOCKS / f"{name}.json").read_text(encoding="utf-8"))


def files(lock: dict[str, Any]) -> list[File]:
    """Everything that a lock names."""
    return [*lock["core"].values(), *lock["packages"].values()]


def fault(path: Path, file: File) -> str:
    """Why what lies at a path is not the file of the lock; empty if it is."""
    if not path.is_file():
        return f"{file['file_name']} is missing"
    size = path.stat().st_size
    if size != file.get("size", size):
        return f"{file['file_name']} has {size} bytes and not the {file['size']} of the lock"
    with path.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != file["sha256"]:
        return (
            f"{file['file_name']} has the sha256 {found} and not the {file['sha256']} of the lock"
        )
    return ""


def faults(folder: Path, lock: dict[str, Any]) -> list[str]:
    """What is wrong with a folder of the files of a lock."""
    return [found for file in files(lock) if (found := fault(folder / file["file_name"], file))]
