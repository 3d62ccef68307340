"""Ask from the command line: what a number is, which form a function computes, whether it is right.

    python -m gelu_lib lookup 0.1070322243
    python -m gelu_lib lookup "sqrt(2/pi)"
    python -m gelu_lib identify torch.nn.functional:gelu
    python -m gelu_lib conform torch.nn.functional:gelu --form exact --dtype float16
    python -m gelu_lib conform ./libgelu.so:gelu_f32 --form tanh
    python -m gelu_lib inputs float32 x.bin
    python -m gelu_lib conform y.bin --form tanh
    python -m gelu_lib result tanh-pinned-cubic

conform compares a kernel with the test vectors. A function of a shared library is
void f(const T *x, T *y, size_t n). For a kernel that runs elsewhere, inputs writes the inputs into
a file, float behind float, little-endian; conform reads the outputs as such a file, or as text, a
word of hexadecimal digits for the bits of each.

The exit status is 0 where something was found or a kernel passes, 1 where not, and 2 where it could
not be asked; then a line says why.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from gelu_lib import __version__, identify, lookup, result
from gelu_lib.activations import FORMS
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.callables import LIBRARIES, CallableError
from gelu_lib.provenance.conformance import Kernel, conforms
from gelu_lib.provenance.vectors import from_file, from_library, write_inputs

FOUND, NOTHING, NOT_ASKED = 0, 1, 2


def main(arguments: list[str] | None = None) -> int:
    """Answer one question, and return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        text, found = given.answer(given)
    except (CallableError, ImportError, KeyError, OSError, TypeError, ValueError) as error:
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
    _add_arrays(one)
    one.set_defaults(answer=_identified)

    one = questions.add_parser("conform", help="whether a kernel has the values of the vectors")
    said = "MODULE:FUNCTION, LIBRARY:SYMBOL or a file of outputs"
    one.add_argument("kernel", help=said)
    one.add_argument("--form", required=True, choices=FORMS, help="what it claims to compute")
    one.add_argument("--derivative", metavar="KERNEL", help="the derivative of it, likewise")
    _add_arrays(one)
    said = "the type in which it works; default: float32, or better"
    one.add_argument("--working", default="float32", metavar="TYPE", help=said)
    said = "the most units in the last place; default: the tolerance of identify"
    one.add_argument("--ulp", type=float, help=said)
    one.add_argument("--signed-zeros", action="store_true", help="a zero must have its sign")
    one.set_defaults(answer=_conforms)

    one = questions.add_parser("inputs", help="write the inputs of conform into a file")
    one.add_argument("dtype", choices=FLOAT_TYPES)
    one.add_argument("file")
    one.set_defaults(answer=_inputs)

    one = questions.add_parser("result", help="what a result of the book says")
    one.add_argument("id", help="its permanent ID")
    one.set_defaults(answer=_result)
    return parser


def _add_arrays(question: argparse.ArgumentParser) -> None:
    """The type of the arrays, and whose they are."""
    question.add_argument(
        "--dtype", default="float32", choices=FLOAT_TYPES, help="default: float32"
    )
    said = "whose arrays it takes; default: that of the module, else numpy"
    question.add_argument("--library", choices=LIBRARIES, help=said)


def _library(given: argparse.Namespace, place: str) -> str:
    """Whose arrays a function takes: what was given, else the package that has it, else NumPy."""
    package = place.partition(":")[0].partition(".")[0]
    return given.library or (package if package in LIBRARIES else "numpy")


def _kernel(place: str, dtype: str) -> Kernel:
    """A function of a module or of a shared library, or the outputs that stand in a file."""
    library, colon, symbol = place.rpartition(":")
    if Path(library).is_file():
        return from_library(library, symbol, dtype)
    if Path(place).is_file():
        return from_file(place, dtype)
    if not colon or not library.replace(".", "").isidentifier():
        raise ValueError(f"there is no file {library or place}, and {place} is no MODULE:FUNCTION")
    return named(place)


def _looked_up(given: argparse.Namespace) -> tuple[str, bool]:
    answer = lookup(given.number)
    return str(answer), bool(answer.matches)


def _identified(given: argparse.Namespace) -> tuple[str, bool]:
    library = _library(given, given.function)
    verdict = identify(named(given.function), given.dtype, library=library)
    return str(verdict), verdict.outcome == "identified"


def _conforms(given: argparse.Namespace) -> tuple[str, bool]:
    report = conforms(
        _kernel(given.kernel, given.dtype),
        given.form,
        given.dtype,
        derivative=given.derivative and _kernel(given.derivative, given.dtype),
        library=_library(given, given.kernel),
        working=given.working,
        ulp=given.ulp,
        signed_zeros=given.signed_zeros,
    )
    return str(report), report.passed


def _inputs(given: argparse.Namespace) -> tuple[str, bool]:
    count = write_inputs(given.file, given.dtype)
    return f"{given.file}: {count} inputs in {given.dtype}", True


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
