"""The test vectors, and the kernels that are no callables: shared libraries and files of outputs.

The vectors are the correctly rounded values of the three forms and their derivatives, at inputs
where evaluations of GELU are most likely to fail. ``tools/write_test_vectors.py`` made them by
interval arithmetic, and the site publishes the same files.
"""

from __future__ import annotations

import ctypes
import gzip
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from gelu_lib.activations import FORMS
from gelu_lib.floats.types import float_type

VALUES = tuple(form.__name__ for form in FORMS.values())
COLUMNS = ("x", *VALUES, *(f"{name}_derivative" for name in VALUES))
"""The names of the columns, for the input, the three forms and their derivatives."""


@cache
def vectors(dtype: str) -> dict[str, np.ndarray]:
    """The test vectors of a type by the names of their columns, ascending in x, without nan."""
    place = files("gelu_lib") / "data" / "vectors" / f"gelu-{float_type(dtype).name}.txt.gz"
    return read(gzip.decompress(place.read_bytes()).decode(), dtype)


def read(text: str, dtype: str) -> dict[str, np.ndarray]:
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


def inputs(dtype: np.dtype | type | str) -> np.ndarray:
    """The inputs at which a kernel is asked: those of the vectors in their order, and one nan."""
    x = vectors(float_type(dtype).name)["x"]
    return np.append(x, x.dtype.type(np.nan))


def write_inputs(path: str | Path, dtype: np.dtype | type | str) -> int:
    """Write the inputs into a file, float behind float, little-endian; return how many there are.

    In bfloat16 each is two bytes.
    """
    x = inputs(dtype)
    Path(path).write_bytes(x.view(f"u{x.itemsize}").astype(f"<u{x.itemsize}").tobytes())
    return len(x)


def from_file(path: str | Path, dtype: np.dtype | type | str) -> np.ndarray:
    """The outputs that a file has for the inputs of ``write_inputs``, in their order.

    The file is raw, as that of the inputs; or it is text with the bits of each output as one word
    of hexadecimal digits, the most significant first, between spaces or ends of lines.

    Raises:
        OSError: if it cannot be read.
        ValueError: if it is neither, or has not one output for each input.
    """
    kind, raw = float_type(dtype), Path(path).read_bytes()
    size, count = kind.dtype.itemsize, len(inputs(kind.name))
    words = raw.split()
    if len(words) == count and {len(word) for word in words} == {2 * size}:
        with suppress(ValueError):  # what is no text of digits is refused by its length
            raw = b"".join(bytes.fromhex(word.decode())[::-1] for word in words)
    if len(raw) != count * size:
        raise ValueError(
            f"file is {str(path)!r}; accepted are {count * size} bytes, {count} {kind.name} in "
            f"little-endian order, or as many words of {2 * size} hexadecimal digits"
        )
    return np.frombuffer(raw, f"<u{size}").astype(f"u{size}").view(kind.dtype)


def from_library(
    path: str | Path, symbol: str, dtype: np.dtype | type | str
) -> Callable[[np.ndarray], np.ndarray]:
    """A function of a shared library, ``void f(const T *x, T *y, size_t n)``, for arrays of NumPy.

    An output that it does not write is nan.

    Raises:
        OSError: if the library cannot be loaded.
        ValueError: if it has no such symbol.
    """
    kind = float_type(dtype)
    try:
        found = getattr(ctypes.CDLL(str(Path(path).resolve())), symbol)
    except AttributeError:
        raise ValueError(f"symbol is {symbol!r}, which {str(path)!r} does not have") from None
    found.argtypes, found.restype = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t], None

    def kernel(x: np.ndarray) -> np.ndarray:
        x = np.ascontiguousarray(x, kind.dtype)
        y = np.full_like(x, np.nan)
        found(x.ctypes.data, y.ctypes.data, x.size)
        return y

    return kernel
