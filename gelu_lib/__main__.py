"""Ask from the command line: which constant a number is, which form a function computes.

    python -m gelu_lib lookup 0.1070322243
    python -m gelu_lib lookup "sqrt(2/pi)"
    python -m gelu_lib identify torch.nn.functional:gelu
    python -m gelu_lib result tanh-pinned-cubic

The exit status is 0 where something was found, 1 where nothing was, and 2 where it could not be
asked; then a line says why.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from gelu_lib import __version__, identify, lookup, result
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.callables import LIBRARIES, CallableError

FOUND, NOTHING, NOT_ASKED = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Answer one question, and return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        text, found = given.answer(given)
    except (CallableError, ImportError, KeyError, TypeError, ValueError) as error:
        said = error.args[0] if isinstance(error, KeyError) else error  # whose text has quotes
        print(f"gelu_lib {given.question}: {said}", file=sys.stderr)
        return NOT_ASKED
    print(text)
    return FOUND if found else NOTHING


def _parser() -> argparse.ArgumentParser:
    lines = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m gelu_lib", description=__doc__, formatter_class=lines
    )
    parser.add_argument("--version", action="version", version=f"gelu_lib {__version__}")
    questions = parser.add_subparsers(dest="question", required=True)

    one = questions.add_parser("lookup", help="which constant a number in a program stands for")
    one.add_argument("number", help="as it is written, or a formula such as 'sqrt(2/pi)'")
    one.set_defaults(answer=_looked_up)

    one = questions.add_parser("identify", help="which form of GELU a function computes")
    one.add_argument("function", metavar="MODULE:FUNCTION", help="as torch.nn.functional:gelu")
    one.add_argument("--dtype", default="float32", choices=FLOAT_TYPES, help="default: float32")
    said = "whose arrays it takes; default: that of the module, else numpy"
    one.add_argument("--library", choices=LIBRARIES, help=said)
    one.set_defaults(answer=_identified)

    one = questions.add_parser("result", help="what a result of the book says")
    one.add_argument("id", help="its permanent ID")
    one.set_defaults(answer=_result)
    return parser


def _looked_up(given: argparse.Namespace) -> tuple[str, bool]:
    answer = lookup(given.number)
    return str(answer), bool(answer.matches)


def _identified(given: argparse.Namespace) -> tuple[str, bool]:
    library = given.library or given.function.partition(".")[0].partition(":")[0]
    library = library if library in LIBRARIES else "numpy"
    verdict = identify(named(given.function), given.dtype, library=library)
    return str(verdict), verdict.outcome == "identified"


def _result(given: argparse.Namespace) -> tuple[str, bool]:
    entry = result(given.id)
    numbers = {"value": entry.value, **entry.numbers}
    lines = [f"{entry.id}: {entry.title}", entry.statement, f"status: {entry.status}"]
    lines += [f"{name}: {digits}" for name, digits in numbers.items() if digits]
    lines += [f"chapter: {entry.page}"]
    lines += [f"withdrawn: {entry.withdrawn}"] if entry.withdrawn else []
    return "\n".join(lines), not entry.withdrawn


def named(place: str) -> Callable[[Any], Any]:
    """The function that stands at ``module:function``.

    Raises:
        ValueError: if the text has another form, the module has no such name, or what has it is
            not a function that could be asked.
        ImportError: if there is no such module, or it cannot be imported.
    """
    module_name, colon, path = place.partition(":")
    if not (module_name and colon and path):
        raise ValueError(
            f"function is {place!r}; accepted is MODULE:FUNCTION, as torch.nn.functional:gelu"
        )
    try:
        found: Any = import_module(module_name)
    except ImportError as error:
        raise ImportError(
            f"function is {place!r}, but {module_name} is no module: {error}"
        ) from error
    for name in path.split("."):
        if not hasattr(found, name):
            raise ValueError(f"function is {place!r}, but {module_name} has no {path}")
        found = getattr(found, name)
    if not callable(found) or isinstance(found, type):
        kind = "a class" if isinstance(found, type) else f"of type {type(found).__name__}"
        raise ValueError(f"function is {place!r}, which is {kind}; accepted is a function of x")
    return found


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # a console may have no √
    sys.exit(main())
