"""Ask from the command line: what a number is, which form a function computes, whether it is right.

    python -m gelu_lib lookup 0.1070322243
    python -m gelu_lib lookup "sqrt(2/pi)"
    python -m gelu_lib lookup "gelu(2) = 1.9546"
    python -m gelu_lib lookup 0x002DC6C5 --as Q5.26
    python -m gelu_lib identify torch.nn.functional:gelu
    python -m gelu_lib identify ./libgelu.so:gelu_f32
    python -m gelu_lib conform torch.nn.functional:gelu --form exact --dtype float16 \\
        --infinities any
    python -m gelu_lib conform ./libgelu.so:gelu_f32 --form tanh
    python -m gelu_lib conform ./libgelu.so:gelu_f32 --form tanh --all --json
    python -m gelu_lib conform table.bin --form exact --dtype int8 --scale 1/32 --zero-point -4
    python -m gelu_lib conform ./libgelu.so:gelu_fp8 --form exact --dtype float8_e4m3fn --saturating
    python -m gelu_lib inputs float32 x.bin
    python -m gelu_lib conform y.bin --form tanh
    my_kernel < x.bin | python -m gelu_lib conform /dev/stdin --form tanh
    python -m gelu_lib result tanh-pinned-cubic

conform compares a kernel with the test vectors. A function of a shared library is
void f(const T *x, T *y, size_t n). It is asked for all inputs, for 0 to 33 at a time, and for some
blocks of them. However long it takes is waited for. With --all it is asked for every float32,
too, which takes minutes: what is wrong is shown with the longest spans of wrong values, and
stderr says how far it is.

In int8, uint8, int16, uint16 with a scale and a zero point, in fixed point as q3.4, and in float8
every input is asked, and every output must be the nearest code, or within --steps of it; where a
value is so near to the middle of two codes that float64 does not tell its side, either will do. A
file may then be a table, too, in the order of the bit patterns.

For a kernel that runs elsewhere, inputs writes the inputs into a file, float behind float,
little-endian. They do not ascend: the order is fixed, and hides no fault of a loop. conform takes
the outputs in that order: as such a file, as one of numpy.save, or as text. There a float has the
hexadecimal digits of its bits, with or without 0x; an integer is a decimal or has 0x, and commas
and braces count as spaces.

The exit status is 0 where something was found or a kernel passes, and the answer was printed; 1
where not; and 2 where it could not be asked, also because the kernel ended the process or the
answer could not be printed; then a line says why.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO

from gelu_lib import __version__, identify, lookup, result
from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import FLOAT8, INTEGERS, CodedType, coded_type, not_taken
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.callables.asking import LIBRARIES, CallableError
from gelu_lib.provenance.callables.caller import end_with_parent
from gelu_lib.provenance.callables.conformance import IN_A_CALL, Kernel, conforms
from gelu_lib.provenance.callables.vectors import ended, from_file, from_library, write_inputs

FOUND, NOTHING, NOT_ASKED = 0, 1, 2

PLAIN = CallableError, ImportError, KeyError, OSError, TypeError, ValueError
"""What says by itself why a question could not be asked."""

APART = "GELU_LIB_ASKED_APART"
"""For the process in which a function is asked, since that may end it: which one started it."""


def command() -> int:
    """Answer the question of the command line: only what was printed is an answer."""
    if parent := os.environ.pop(APART, ""):
        _reply(int(parent))
    try:
        if sys.stdout:
            sys.stdout.reconfigure(errors="backslashreplace")  # a console may have no √
        status = main(None, _answered_apart)
        if sys.stdout is None and status != NOT_ASKED:
            raise OSError("the standard output is closed")
        print(end="", flush=True)
    except KeyboardInterrupt:
        return _refused("gelu_lib: interrupted before there was an answer")
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what is left in the buffer
        return _refused(f"gelu_lib: the answer could not be printed: {error}")
    return status


def main(
    arguments: list[str] | None = None,
    answered: Callable[[argparse.Namespace], tuple[int, str]] | None = None,
) -> int:
    """Answer one question, and return the exit status."""
    status, text = (answered or _answered)(_parser().parse_args(arguments))
    if status == NOT_ASKED:
        return _refused(text)
    print(text, end="\n" * bool(text))
    return status


def _answered(given: argparse.Namespace) -> tuple[int, str]:
    """The status, and the answer or a line that says why there is none."""
    try:
        text, found = given.answer(given)
        return (FOUND if found else NOTHING), text
    except BaseException as error:  # a function that is asked may raise anything
        said = str(error.args[0] if isinstance(error, KeyError) else error)  # its text has quotes
        kind = "" if isinstance(error, PLAIN) else f"{type(error).__name__}: "
        return NOT_ASKED, f"gelu_lib {given.question}: {kind}{' '.join(said.split())}"


def _answered_apart(given: argparse.Namespace) -> tuple[int, str]:
    """The same from another process, if a function is asked."""
    if given.question not in ("identify", "conform"):
        return _answered(given)
    again, environment = (
        [sys.executable, *sys.orig_argv[1:]],
        os.environ | {APART: str(os.getpid())},
    )
    with subprocess.Popen(again, env=environment, stdout=subprocess.PIPE, close_fds=False) as asked:
        line = asked.stdout.readline()  # not to the end: what a function started may hold it open
    with suppress(ValueError):  # there was none, or something else was written there
        status, text = json.loads(line)
        return status, text
    said = f"what was asked {ended(asked.returncode)} before there was an answer"
    return NOT_ASKED, f"gelu_lib {given.question}: {said}"


def _reply(parent: int) -> NoReturn:
    """Answer the question to the process that has started this one."""
    end_with_parent(parent)
    if hasattr(os, "register_at_fork"):  # as the workers of a pool
        os.register_at_fork(after_in_child=end_with_parent)
    answers, own = os.dup(1), os.getpid()
    with suppress(OSError):  # there may be no stderr
        os.dup2(2, 1)  # what a function prints is no answer
    answer = f"{json.dumps(_answered(_parser().parse_args()))}\n".encode()
    with suppress(OSError):  # a function may have closed it
        if os.getpid() == own:  # and may have forked
            os.write(answers, answer)
    os._exit(FOUND)  # nothing that a function left behind runs any more


def _refused(line: str) -> int:
    with suppress(OSError):  # the status says as much
        print(line, file=sys.stderr, flush=True)
    return NOT_ASKED


class _Parser(argparse.ArgumentParser):
    def _print_message(self, message: str, file: TextIO | None = None) -> None:
        """Print the help or the version; argparse would hide that it cannot."""
        print(message, end="", file=file or sys.stderr, flush=True)

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong; argparse would print the whole usage."""
        self.exit(NOT_ASKED, f"{self.prog}: {message}; usage: {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    lines = argparse.RawDescriptionHelpFormatter
    parser = _Parser("python -m gelu_lib", description=__doc__, formatter_class=lines)
    parser.add_argument("--version", action="version", version=f"gelu_lib {__version__}")
    questions = parser.add_subparsers(dest="question", required=True)

    one = questions.add_parser("lookup", help="which constant a number in a program stands for")
    said = "as it is written; a formula such as 'sqrt(2/pi)'; or a pair, '(2, 1.9546)'"
    one.add_argument("number", help=said)
    said = "read a word of bits as fixed point, as Q5.26 or UQ0.16"
    one.add_argument("--as", dest="as_type", default="", metavar="TYPE", help=said)
    one.set_defaults(answer=_looked_up)

    one = questions.add_parser("identify", help="which form of GELU a function computes")
    said = "MODULE:FUNCTION, as torch.nn.functional:gelu, or LIBRARY:SYMBOL"
    one.add_argument("function", metavar="FUNCTION", help=said)
    _add_arrays(one)
    one.set_defaults(answer=_identified)

    _add_conform(questions.add_parser("conform", help="whether a kernel has the right values"))

    one = questions.add_parser("inputs", help="write the inputs of conform into a file")
    one.add_argument("dtype", metavar="TYPE", help="as that of conform")
    one.add_argument("file")
    _add_scale(one)
    one.set_defaults(answer=_inputs)

    one = questions.add_parser("result", help="what a result of the book says")
    one.add_argument("id", help="its permanent ID")
    one.set_defaults(answer=_result)
    return parser


def _add_conform(one: argparse.ArgumentParser) -> None:
    """A kernel, what it claims, and how near is near enough."""
    said = "MODULE:FUNCTION, LIBRARY:SYMBOL, or a file or a pipe of outputs"
    one.add_argument("kernel", help=said)
    one.add_argument("--form", required=True, choices=FORMS, help="what it claims to compute")
    one.add_argument("--derivative", metavar="KERNEL", help="the derivative of it, likewise")
    _add_arrays(one)
    said = "the type in which it works; default: float32, or better"
    one.add_argument("--working", default="float32", metavar="TYPE", help=said)
    said = "the most units in the last place; default: the tolerance of identify"
    one.add_argument("--ulp", type=float, help=said)
    one.add_argument("--signed-zeros", action="store_true", help="a zero must have its sign, too")
    said = "whether the values at ±∞ must be the limits, or may be any, as the frameworks' nan"
    one.add_argument("--infinities", default="limit", choices=("any", "limit"), help=said)
    said = (
        "ask for every float32, once each, in minutes; of smaller types every one is asked anyway"
    )
    one.add_argument("--all", action="store_true", help=said)
    one.add_argument("--json", action="store_true", help="answer in JSON, each float with its bits")
    one.set_defaults(answer=_conforms)


def _add_arrays(question: argparse.ArgumentParser) -> None:
    """The type of the arrays, and whose they are."""
    said = f"{', '.join(FLOAT_TYPES)}, {', '.join(INTEGERS)}, q3.4 and its likes, or "
    said += f"{', '.join(FLOAT8)}; default: float32"
    question.add_argument("--dtype", default="float32", metavar="TYPE", help=said)
    _add_scale(question)
    said = "the type of the outputs and what belongs to it; default: those of the inputs"
    question.add_argument("--out-dtype", metavar="TYPE", help=said)
    question.add_argument("--out-scale", metavar="SCALE")
    question.add_argument("--out-zero-point", metavar="CODE")
    said = "whether a float8 that overflows becomes the greatest number"
    question.add_argument("--saturating", action="store_true", help=said)
    said = "how many codes an output may be off; default: 0"
    question.add_argument("--steps", type=float, default=0, help=said)
    said = "whose arrays it takes; default: that of the module, else numpy"
    question.add_argument("--library", choices=LIBRARIES, help=said)


def _add_scale(question: argparse.ArgumentParser) -> None:
    said = "of integers, as 1/32 or 0.05, or what a float8 is multiplied by"
    question.add_argument("--scale", help=said)
    question.add_argument("--zero-point", metavar="CODE", help="of integers; default: 0")


def _types(given: argparse.Namespace) -> tuple[CodedType | str, CodedType | None]:
    """The types of inputs and of outputs, where they are of few codes."""
    said, own = vars(given), {"scale": given.scale, "zero_point": given.zero_point}
    other = {name: said.get(f"out_{name}") for name in ("dtype", *own)}
    saturating = said.get("saturating", False)
    if given.dtype in FLOAT_TYPES:
        both = own | {f"out_{name}": value for name, value in other.items()}
        only = "types of few codes do"
        not_taken(given.dtype, only, **both, saturating=saturating)
        return given.dtype, None
    kind = coded_type(given.dtype, **own)
    if not saturating and all(value is None for value in other.values()):
        return kind, None
    dtype = other.pop("dtype")
    if not dtype:  # what is not said of the outputs is that of the inputs
        other = {name: own[name] if value is None else value for name, value in other.items()}
    return kind, coded_type(dtype or given.dtype, saturating=saturating, **other)


def _library(given: argparse.Namespace, place: str) -> str:
    """Whose arrays a function takes: what was given, else the package that has it, else NumPy."""
    package = place.partition(":")[0].partition(".")[0]
    return given.library or (package if package in LIBRARIES else "numpy")


def _kernel(place: str, dtype: CodedType | str, out: CodedType | None) -> Kernel:
    """A function of a module or of a shared library, or the outputs that stand in a file."""
    if Path(place).is_dir():  # as the empty text is, too
        what = "which is a directory" if place else "no file"
        accepted = "MODULE:FUNCTION, LIBRARY:SYMBOL or a file of outputs"
        raise ValueError(f"the kernel is {place!r}, {what}; accepted is {accepted}")
    library, colon, symbol = place.rpartition(":")
    if Path(library).is_file():
        if Path(library).suffix == ".py":
            name = f"{Path(library).stem}:{symbol}, where it can be imported"
            raise ValueError(f"{place} names a file of Python; accepted is MODULE:FUNCTION: {name}")
        return from_library(library, symbol, dtype, out)
    if Path(place).exists():
        return from_file(place, dtype, out)
    if not colon or not library.replace(".", "").isidentifier():
        raise ValueError(f"there is no file {library or place}, and {place} is no MODULE:FUNCTION")
    return named(place)


def _looked_up(given: argparse.Namespace) -> tuple[str, bool]:
    answer = lookup(given.number, given.as_type)
    return str(answer), bool(answer.matches or answer.values)


def _identified(given: argparse.Namespace) -> tuple[str, bool]:
    library, (kind, out) = _library(given, given.function), _types(given)
    function = _kernel(given.function, kind, out)
    if not callable(function) and not isinstance(kind, CodedType):
        raise ValueError(f"function is {given.function!r}, a file of outputs, which conform takes")
    verdict = identify(function, kind, library=library, out=out, steps=given.steps)
    return str(verdict), verdict.outcome == "identified"


def _conforms(given: argparse.Namespace) -> tuple[str, bool]:
    kind, out = _types(given)
    report = conforms(
        _kernel(given.kernel, kind, out),
        given.form,
        kind,
        derivative=None if given.derivative is None else _kernel(given.derivative, kind, out),
        library=_library(given, given.kernel),
        working=given.working,
        ulp=given.ulp,
        signed_zeros=given.signed_zeros,
        infinities=given.infinities,
        every=given.all,
        progress=_progress,
        out=out,
        steps=given.steps,
    )
    return json.dumps(report.summary(), indent=1) if given.json else str(report), report.passed


def _progress(of: str, asked: int, inputs: int) -> None:
    """Say on stderr, at each twentieth, how many floats were asked."""
    if asked % (inputs // 20) <= IN_A_CALL:
        with suppress(OSError):
            print(f"{of}: {asked / inputs:.0%} of {inputs} floats", file=sys.stderr, flush=True)


def _inputs(given: argparse.Namespace) -> tuple[str, bool]:
    count = write_inputs(given.file, _types(given)[0])
    if not Path(given.file).is_file():
        return "", True  # a pipe holds the inputs alone
    said = "in a fixed order that does not ascend; conform takes the outputs in this order"
    return f"{given.file}: {count} inputs in {given.dtype}, {said}", True


def _result(given: argparse.Namespace) -> tuple[str, bool]:
    entry = result(given.id)
    numbers = {"value": entry.value, **entry.numbers}
    lines = [f"{entry.id}: {entry.title}", entry.statement, f"status: {entry.status}"]
    lines[2:2] = [f"where: {entry.assumptions}"] if entry.assumptions else []
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
    except (Exception, SystemExit) as error:
        raise ImportError(
            f"function is {place!r}, but {module_name} raised {type(error).__name__} when it was "
            f"imported: {error}"
        ) from error
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError as error:  # which may name another
            said = f"function is {place!r}, but {module_name} has no {path}: {error}"
            raise ValueError(said) from error
    if not callable(found) or isinstance(found, type):
        kind = "a class" if isinstance(found, type) else f"of type {type(found).__name__}"
        raise ValueError(f"function is {place!r}, which is {kind}; accepted is a function of x")
    return found


if __name__ == "__main__":
    sys.exit(command())
