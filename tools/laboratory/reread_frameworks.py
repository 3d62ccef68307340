"""Read a row of the atlas again in a newer source, and print what moved.

    .venv/bin/python tools/laboratory/reread_frameworks.py onednn=/path/to/oneDNN
    .venv/bin/python tools/laboratory/reread_frameworks.py cutlass=/path/to/activation.h

Each argument is the ID of a row in gelu_lib/data/frameworks.toml and a place: a clone of the
repository, of which the newest commit is read, or one file. Nothing is fetched and nothing is
written, because a formula is read by a person. What is printed is which literals of the row the
file has no longer, and which numbers near one of the constants it has and the row does not; a
number in a comment counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, places={"nargs": "+", "metavar": "ID=PLACE"})

import re
import subprocess
from collections.abc import Iterator

from gelu_lib.provenance.atlas.frameworks import CONSTANTS, Implementation, atlas, literal_value

NUMBER = re.compile(r"0x[0-9a-f]{8}\b|(?<![\w.])\d*\.\d{3,}(?:[eE][+-]?\d+)?[fF]?")
NEAR = 1e-3
"""How far, relative to a constant, a number is still taken for a spelling of it."""


def text_of(row: Implementation, place: Path) -> tuple[str, str]:
    """What was read, in words, and the text of the row's file there.

    Raises:
        SystemExit: if the repository has no such file, as when it was moved or removed.
    """
    if place.is_file():
        return place.name, place.read_text(encoding="utf-8")
    git = ["git", "-C", str(place)]
    commit = subprocess.run([*git, "log", "-1", "--format=%H %cs"], capture_output=True, text=True)
    shown = subprocess.run([*git, "show", f"HEAD:{row.path}"], capture_output=True, text=True)
    if shown.returncode:
        raise SystemExit(f"{row.id}: {row.path} is gone: {shown.stderr.strip()}")
    return commit.stdout.strip(), shown.stdout


def moved(row: Implementation, text: str) -> Iterator[str]:
    """The literals of a row that a text has no longer, and those that the row lacks."""
    found = set(NUMBER.findall(text))
    values = {literal_value(number.removeprefix("-")) for number in found}
    for literal in row.literals:
        if literal_value(literal.removeprefix("-")) not in values:
            yield f"gone: {literal}"
    known = {literal_value(literal.removeprefix("-")) for literal in row.literals}
    for number in sorted(found):
        value = literal_value(number)
        if value and value not in known and _near(value):
            yield f"new: {number}"


def _near(value: float) -> bool:
    return any(abs(value / constant - 1) < NEAR for constant in CONSTANTS.values())


def main(places: list[str]) -> None:
    """Print for each row what was read and what moved."""
    pairs = [place.partition("=") for place in places]
    command_line.known([id for id, *_ in pairs], list(atlas()), "row of the atlas")
    for id, _, place in pairs:
        what, text = text_of(atlas()[id], Path(place))
        print(f"{id}: read {what}", *(f"  {line}" for line in moved(atlas()[id], text)), sep="\n")


if __name__ == "__main__":
    main(GIVEN.places)
