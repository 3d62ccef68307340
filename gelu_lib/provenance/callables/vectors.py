"""The test vectors, and the kernels that are no callables: shared libraries and files of outputs.

The vectors are the correctly rounded values of the three forms and their derivatives, at inputs
where evaluations of GELU are most likely to fail. ``tools/laboratory/write_test_vectors.py`` made
them by interval arithmetic, and the site publishes the same files.
"""

from __future__ import annotations

import gzip
import os
import re
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.coded_types import FLOAT8, CodedType, number_type
from gelu_lib.floats.types import FloatType, float_type
from gelu_lib.provenance.callables import caller
from gelu_lib.provenance.callables.asking import CallableError
from gelu_lib.provenance.callables.inputs import LAST, order_of_asking

_VALUES = tuple(form.__name__ for form in FORMS.values())
COLUMNS = ("x", *_VALUES, *(f"{name}_derivative" for name in _VALUES))
"""The names of the columns, for the input, the three forms and their derivatives."""

BLOCK = 256
"""The inputs are one fewer than a multiple of this, so that they fill no vector of any machine."""


@cache
def vectors(dtype: str) -> dict[str, np.ndarray]:
    """The test vectors of a type by the names of their columns, ascending in x, without nan."""
    place = files("gelu_lib") / "data" / "vectors" / f"gelu-{float_type(dtype).name}.txt.gz"
    return read_columns(gzip.decompress(place.read_bytes()).decode(), dtype)


def read_columns(text: str, dtype: str) -> dict[str, np.ndarray]:
    """The columns of the text of a file of test vectors, by their names.

    Raises:
        ValueError: if the names are others, or a line has not one word of full length for each.
    """
    kind = float_type(dtype).dtype
    names, *rows = (line.split(" ") for line in text.splitlines())
    if tuple(names) != COLUMNS:
        raise ValueError(f"the columns are {names}; accepted are {list(COLUMNS)}")
    for number, row in enumerate(rows, 2):
        if [len(word) for word in row] != [2 * kind.itemsize] * len(COLUMNS):
            raise ValueError(f"line {number} is {' '.join(row)!r}; its words are not of {dtype}")
    bits = np.array([[int(word, 16) for word in row] for row in rows], f"u{kind.itemsize}")
    return dict(zip(COLUMNS, bits.T.copy().view(kind), strict=True))


def ascending_inputs(dtype: CodedType | FloatType | str) -> np.ndarray:
    """The inputs at which a kernel is asked, each once: those of the vectors, and one nan.

    Of a type of few codes they are all codes, and nan is last.
    """
    kind = number_type(dtype)
    if isinstance(kind, CodedType):
        return kind.codes[np.argsort(kind.values, kind="stable")]
    x = vectors(kind.name)["x"]
    return np.append(x, x.dtype.type(np.nan))


def ascending_values(dtype: CodedType | FloatType | str) -> np.ndarray:
    """What these stand for, in float64."""
    kind = number_type(dtype)
    if isinstance(kind, CodedType):
        return np.sort(kind.values)
    return ascending_inputs(kind).astype(np.float64)


@cache
def places(dtype: CodedType | FloatType | str) -> np.ndarray:
    """Where each of ``kernel_inputs`` stands among the ascending ones."""
    order = order_of_asking(ascending_values(dtype))
    return np.append(order, np.resize(order[-LAST:], -(len(order) + 1) % BLOCK))


def kernel_inputs(dtype: CodedType | np.dtype | type | str) -> np.ndarray:
    """The inputs at which a kernel is asked, in a fixed order that is the same everywhere.

    They are those of the vectors and one nan, or all codes. Neighbours are far apart, and at the
    end some that tell much stand once more, because the loop of a kernel may treat its last inputs
    otherwise.
    """
    kind = number_type(dtype)
    return ascending_inputs(kind)[places(kind)]


def write_inputs(path: str | Path, dtype: CodedType | np.dtype | type | str) -> int:
    """Write the inputs into a file, one behind the other, little-endian; return how many there are.

    In bfloat16 each is two bytes. If it cannot be written, a file stays as it was.

    Raises:
        OSError: if it cannot be written.
    """
    x, target = kernel_inputs(dtype), Path(path)
    raw = x.view(f"u{x.itemsize}").astype(f"<u{x.itemsize}").tobytes()
    try:
        if target.exists() and not target.is_file():  # a device or a pipe, which stays one
            target.write_bytes(raw)
            return len(x)
        target = target.resolve()
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            part.write_bytes(raw)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:  # which may name the part
        raise OSError(
            f"file is {str(path)!r}, which cannot be written: {error.strerror}"
        ) from error
    return len(x)


def from_file(
    path: str | Path, dtype: CodedType | np.dtype | type | str, out: CodedType | None = None
) -> np.ndarray:
    """The outputs that a file has for the inputs of ``write_inputs``, in their order.

    The file is raw, as that of the inputs; or has an array of ``numpy.save``; or it is text between
    spaces or ends of lines. There an output is a word of hexadecimal digits for its bits, the most
    significant first, with or without 0x. An integer is a decimal or has 0x, and commas and braces
    count as spaces. Of a type of few codes the file may be a table, too; the outputs are of the
    type ``out`` if that is another.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is neither, or has not one output for each input.
    """
    asked, raw = number_type(dtype), Path(path).read_bytes()
    kind, count = out or asked, len(places(asked))
    size, table = kind.dtype.itemsize, len(asked.codes) if isinstance(asked, CodedType) else count
    words, decimals = _words(raw), kind.dtype.kind in "iu"
    if raw.startswith(b"\x93NUMPY"):
        return _saved(path, raw, kind)
    if len(words) in (count, table):
        if decimals and all(map(_INTEGER[size].fullmatch, words)):
            return np.array([_integer(word, kind.dtype) for word in words])
        bits = [word.lower().removeprefix(b"0x") for word in words]
        if not decimals and {len(word) for word in bits} == {2 * size}:
            with suppress(ValueError):  # what is no text of digits is refused by its length
                raw = b"".join(bytes.fromhex(word.decode())[::-1] for word in bits)
    if len(raw) in (count * size, table * size):
        return np.frombuffer(raw, f"<u{size}").astype(f"u{size}").view(kind.dtype)
    also = f", or {table * size} of a table" * (table != count)
    text = f"as many decimal integers, or 0x and {2 * size} hexadecimal digits"
    text = text if decimals else f"as many words of {2 * size} hexadecimal digits"
    raise ValueError(
        f"file is {str(path)!r}, with {_instead(raw, asked, kind)}; accepted are {count * size} "
        f"bytes{also}, {count} {kind.name} in little-endian order, or {text}"
    )


_INTEGER = {size: re.compile(rb"[-+]?\d{1,9}|0[xX][\da-fA-F]{%d}" % (2 * size)) for size in (1, 2)}
"""An integer of so many bytes as it stands in a text."""


def _words(raw: bytes) -> list[bytes]:
    return raw.translate(bytes.maketrans(b",{}", b"   ")).split()


def _integer(word: bytes, dtype: np.dtype) -> int:
    """A decimal, which may be none of the type; or the bits of one that is."""
    if word[1:2] not in (b"x", b"X"):
        return int(word)
    return int(np.array(int(word, 16), f"u{dtype.itemsize}").view(dtype))


def _saved(path: str | Path, raw: bytes, kind: FloatType | CodedType) -> np.ndarray:
    """The array of a file of ``numpy.save``, in the order of bytes of the machine."""
    size = kind.dtype.itemsize
    if kind.name in FLOAT8:  # as which NumPy does not read what it writes
        raw = raw[:128].replace(b"'<f1'", b"'|V1'") + raw[128:]
    try:
        array = np.load(BytesIO(raw), allow_pickle=False)
    except Exception as error:
        said = f"file is {str(path)!r}, which numpy.load does not read: {error}"
        raise ValueError(f"{said}; accepted is a whole array of {kind.name}") from error
    array = array.astype(array.dtype.newbyteorder("="))  # where bfloat16 is two bytes, no more
    return array.view(kind.dtype) if array.dtype == f"V{size}" else array


def _instead(raw: bytes, asked: FloatType | CodedType, kind: FloatType | CodedType) -> str:
    """What a file has that is refused, as far as that is plain."""
    words, old = _words(raw), len(ascending_inputs(asked))
    text = b"".join(words).decode("latin-1")
    if kind.dtype.kind in "iu" and text.isascii() and text.isprintable() and text:
        wrong = [word for word in words if not _INTEGER[kind.dtype.itemsize].fullmatch(word)]
        said = f", of which {wrong[0][:20].decode()!r} is no such integer" if wrong else ""
        return f"{len(words)} words{said}"
    if isinstance(asked, FloatType) and old in (len(words), len(raw) / kind.dtype.itemsize):
        return f"{old} outputs as for ascending inputs of an earlier version"
    with suppress(ValueError):
        if (count := len([float(word) for word in raw.split()])) > 1:
            return f"{count} decimal numbers, which may be others than were computed"
    return f"{len(raw)} bytes"


def from_library(
    path: str | Path,
    symbol: str,
    dtype: CodedType | np.dtype | type | str,
    out: CodedType | None = None,
) -> Callable[[np.ndarray], np.ndarray]:
    """A function of a shared library, ``void f(const T *x, T *y, size_t n)``, for arrays of NumPy.

    It runs in a process of its own, which it may end without an end of the one that asks. Its
    inputs start where they do in the array, within a line of the cache. An output that it does not
    write is a negative number that is no value of any form. With ``out`` the outputs are of that
    type.

    Raises:
        OSError: if the library cannot be loaded.
        ValueError: if it has no such symbol.
        CallableError: if the library ends its process; and from the function, too, if it writes
            beyond its outputs, changes its inputs, or writes no output at all.
    """
    kind, name = number_type(dtype), f"{symbol} of {str(path)!r}"
    out = out or kind
    numbers = kind.dtype.itemsize, out.dtype.itemsize, os.getpid()
    arguments = [str(Path(path).resolve()), symbol, *map(str, numbers)]
    command = [sys.executable, "-I", caller.__file__, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    kind_of_error, _, said = process.stdout.readline().decode().partition(": ")
    if kind_of_error != "\n":
        end = _ended(process)
        if kind_of_error == "AttributeError":
            raise ValueError(f"symbol is {symbol!r}, which {str(path)!r} does not have")
        raise OSError(said.strip()) if said else CallableError(f"{name} {end} when it was loaded")

    def kernel(x: np.ndarray) -> np.ndarray:
        x = np.ascontiguousarray(x, kind.dtype)
        question = caller.QUESTION.pack(x.size, x.ctypes.data % caller.LINE)
        with suppress(BrokenPipeError):  # then there is no answer
            process.stdin.write(question + x.tobytes())
            process.stdin.flush()
        size = 1 + x.size * out.dtype.itemsize
        answer = process.stdout.read(size)
        if len(answer) != size:
            raise CallableError(f"{name} {_ended(process)} when it was asked for {x.size} outputs")
        if did := _DID[answer[0]]:
            raise CallableError(f"{name} {did}".format(S=kind.name, T=out.name, n=x.size))
        return np.frombuffer(answer[1:], out.dtype)

    weakref.finalize(kernel, _ended, process)
    return kernel


_DID = {
    caller.DONE: "",
    caller.TOO_FAR: "wrote beyond its {n} outputs",
    caller.CHANGED: "changed its inputs",
    caller.UNTOUCHED: "wrote none of {n} outputs; "
    "accepted is void f(const {S} *x, {T} *y, size_t n), not a function of one number",
}


def _ended(process: subprocess.Popen) -> str:
    """Let a process end, and say how it did."""
    with suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    return ended(process.wait())


def ended(status: int) -> str:
    """How a process ended, by its status."""
    names = {number.value: number.name for number in signal.Signals}
    how = f"with status {status}" if status >= 0 else f"by {names.get(-status, -status)}"
    return f"ended the process, {how},"
