"""The command line of the scripts: ``--help`` prints a docstring, and what is unknown is refused.

A script whose imports take seconds reads it before them, so that neither takes longer than a word::

    import command_line

    if __name__ == "__main__":  # before what takes seconds to import
        GIVEN = command_line.read(__doc__, names={"nargs": "*"})
"""

from __future__ import annotations

import argparse
import io
import sys
from typing import Any, NoReturn

PACKAGES = {
    "packages": {"nargs": "*", "metavar": "PACKAGE"},
    "--print": {"metavar": "PACKAGE", "help": "print the record of this one and write nothing"},
}
"""What both scripts take that ask the frameworks."""


class Parser(argparse.ArgumentParser):
    """A parser that refuses in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; --help says what is accepted\n")


def read(doc: str, **arguments: dict[str, Any]) -> argparse.Namespace:
    """What a script was given.

    Args:
        doc: its docstring, which ``--help`` prints.
        arguments: by the name of each, what ``argparse`` is to know of it.

    Raises:
        SystemExit: after the help, and if something is given that is not accepted.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may have no Φ
    shown = argparse.RawDescriptionHelpFormatter
    parser = Parser(description=doc, formatter_class=shown, allow_abbrev=False)
    for name, options in arguments.items():
        parser.add_argument(name, **options)
    return parser.parse_args()


def known(names: list[str], accepted: list[str], what: str) -> list[str]:
    """The names, if all are accepted; all that are accepted, if there are none.

    Raises:
        SystemExit: if one is not accepted; it is named, and so are those that are.
    """
    if unknown := [name for name in names if name not in accepted]:
        raise SystemExit(f"no {what} {', '.join(unknown)}; accepted are {', '.join(accepted)}")
    return names or accepted
