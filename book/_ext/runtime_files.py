"""The files of Python for the browser: what a lock says of them, and whether they are those.

A lock, ``tools/runtimes/NAME.json``, is a ``pyodide-lock.json`` as Pyodide reads it, with what this
book needs alone, and is served as such. It has some keys more: ``core`` has the files of Pyodide
itself; of each file ``from`` says where to get it, ``size`` its bytes where they are known, and
``gzip`` those of what a server compresses. What a wheel does not carry of its licences stands in
``tools/runtimes/licences``, and ``texts`` names it. A lock with ``more_than`` is the one that this
names, and some packages more.

No package will do: ``pyodide-lock`` makes such a file, and fetches and checks nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = ROOT / "tools" / "runtimes"
PLACE = "_build/runtime"  # has a folder for each lock
LOCK = "pyodide-lock.json"  # as Pyodide knows it
TEXT = re.compile(r"(.*/)?(LICEN[CS]E|COPYING|NOTICE)[^/]*", re.I)
INDEX = """What a page of the book computes with in a reader's browser, file by file: the licence,
where its texts lie in this folder, and where the source is. KaTeX, which draws formulas anew, is
under the MIT licence; its text is in _static/katex/third-party-licenses.json of the site.
"""

File = dict[str, Any]


def names() -> list[str]:
    """The names of the locks."""
    return sorted(path.stem for path in LOCKS.glob("*.json"))


def read(name: str) -> dict[str, Any]:
    lock = json.loads((LOCKS / f"{name}.json").read_text(encoding="utf-8"))
    if not (base := lock.get("more_than")):
        return lock
    whole = read(base)
    return whole | {"packages": whole["packages"] | lock["packages"]}


def write(lock: dict[str, Any], folder: Path) -> None:
    """Put a lock where Pyodide looks for it."""
    (folder / LOCK).write_text(json.dumps(lock, indent=1), encoding="utf-8", newline="\n")


def files(lock: dict[str, Any]) -> list[File]:
    """Everything that a lock names.

    Raises:
        ValueError: if one of the names leads elsewhere.
    """
    found = [*lock["core"].values(), *lock["packages"].values()]
    for name in (file["file_name"] for file in found):
        if Path(name).name != name:
            raise ValueError(f"the lock names {name!r}, which is no name of a file alone")
    return found


def fault(path: Path, file: File) -> str:
    """Why what lies at a path is not the file of the lock; empty if it is."""
    if not path.is_file():
        return f"{file['file_name']} is missing"
    with path.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    wrong = f"{file['file_name']} has the sha256 {found}, and in the lock it is {file['sha256']}"
    return wrong if found != file["sha256"] else ""


def faults(folder: Path, lock: dict[str, Any]) -> list[str]:
    """What is wrong with a folder of the files of a lock."""
    return [found for file in files(lock) if (found := fault(folder / file["file_name"], file))]


def write_licences(folder: Path, lock: dict[str, Any], target: Path) -> None:
    """Put the licences of the files in a folder, and an index, into another one."""
    shutil.copytree(LOCKS / "licences", target)
    index = [INDEX]
    for file in files(lock):
        texts = file.get("texts", [])
        if zipfile.is_zipfile(folder / file["file_name"]):
            with zipfile.ZipFile(folder / file["file_name"]) as archive:
                carried = [name for name in archive.namelist() if TEXT.fullmatch(name)]
                archive.extractall(target, carried)
                texts = [*texts, *carried]
        said = {"licence": file["licence"], "texts": ", ".join(texts), "source": file["source"]}
        index += [file["file_name"], *(f"  {key}: {value}" for key, value in said.items()), ""]
    (target / "index.txt").write_text("\n".join(index), encoding="utf-8", newline="\n")
