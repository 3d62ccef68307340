"""Write what follows from new entries of the register: digits, page, ledger and addresses.

    .venv/bin/python tools/publish_result.py ID [ID ...]

An entry stands in gelu_lib/data/results.toml, what proves it in its statement, in gelu_lib/evidence
or in a derivation, and a cell of the chapter shows it; this script does the rest. It writes
the digits or the claim (tools/write_values.py), executes the chapter and stores its outputs
(tools/execute.py), lists the entry in book/results.md (tools/write_results.py), and appends the ID
to tests/ledger.txt and the address of a shown derivation to tests/addresses.txt. What stands there
already stays: an ID that was published is never changed.
"""

from __future__ import annotations

import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(
        __doc__,
        ids={"nargs": "+", "metavar": "ID", "help": "entries of results.toml"},
    )

import re
from collections.abc import Iterable
from pathlib import Path

import execute
import write_results
import write_values

from gelu_lib.register import Result, clear_cache, result, source_fields

TESTS = Path(__file__).resolve().parent.parent / "tests"
LEDGER, ADDRESSES = TESTS / "ledger.txt", TESTS / "addresses.txt"


def main(ids: list[str]) -> None:
    command_line.known(ids, list(source_fields()), "entry of results.toml")
    write_values.write([id for id in ids if id in write_values.made()])
    clear_cache()  # what was read before
    entries = [result(id) for id in ids]
    if shown := [entry for entry in entries if entry.status != "historical"]:
        execute.main(sorted({entry.page for entry in shown}))
    write_results.main()
    append(LEDGER, (f"{entry.id} {entry.page}" for entry in entries))
    append(ADDRESSES, (address(entry) for entry in shown if shows_derivation(entry)))


def shows_derivation(entry: Result) -> bool:
    """Whether a cell of the chapter shows the derivation of a result."""
    text = (execute.BOOK / f"{entry.page}.ipynb").read_text(encoding="utf-8")
    return bool(re.search(rf'derivation\(\\?"{re.escape(entry.id)}\\?"\)', text))


def address(entry: Result) -> str:
    """Where the site has the derivation of a result."""
    return f"book/{entry.page}.html#equation-{entry.id}"


def append(path: Path, lines: Iterable[str]) -> None:
    """Append those lines that a list does not have yet."""
    listed = path.read_text(encoding="utf-8").splitlines()
    fresh = [line for line in lines if line not in listed]
    path.write_text("\n".join([*listed, *fresh]) + "\n", encoding="utf-8")
    for line in fresh:
        print(f"{path.name}: {line}")


if __name__ == "__main__":
    main(GIVEN.ids)
