"""Write the test vectors: inputs of GELU, its forms and slopes, and what is right for each.

    .venv/bin/python tools/laboratory/write_test_vectors.py

writes the files of ``gelu_lib/data/vectors/``, which the site publishes as
``_static/test-vectors/``, and prints what changed. Every output comes from the exact formula by
interval arithmetic, and none from ``gelu_lib.activations``. It takes a minute. ``README.txt`` there
says how the files are read; it is written by hand and has the numbers of rows, which a test
compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import gzip
import hashlib

import numpy as np
from vector_inputs import inputs

from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.floats.ulp import correctly_rounded
from gelu_lib.provenance.callables.vectors import COLUMNS

FOLDER = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "vectors"
SUMS = FOLDER / "SHA256SUMS"


def file_of(dtype: str) -> Path:
    """The file of a type."""
    return FOLDER / f"gelu-{dtype}.txt.gz"


def vectors(dtype: str) -> str:
    """The text of a file: the names of the columns, then a line of bit patterns for each input."""
    x = inputs(dtype)
    columns = [x, *(outputs(name, x) for name in COLUMNS[1:])]
    rows = zip(*map(words, columns), strict=True)
    return "".join(" ".join(row) + "\n" for row in [COLUMNS, *rows])


def outputs(name: str, x: np.ndarray) -> np.ndarray:
    """The right result at each input, in its type."""
    floats = x.astype(np.float64).tolist()
    return np.array([correctly_rounded(name, v, x.dtype) for v in floats]).astype(x.dtype)


def words(floats: np.ndarray) -> list[str]:
    """Bit patterns in hexadecimal, all of one length."""
    size = floats.dtype.itemsize
    return [f"{bits:0{2 * size}x}" for bits in floats.view(f"u{size}").tolist()]


def stored(dtype: str) -> str:
    """The text of the file of a type; nothing if there is no such file."""
    file = file_of(dtype)
    return gzip.decompress(file.read_bytes()).decode() if file.exists() else ""


def store(dtype: str, text: str) -> None:
    """Write the file of a type and print what changed."""
    before = stored(dtype)
    if before == text:  # another zlib would write the same text as other bytes
        print(f"{file_of(dtype).name}: unchanged")
        return
    file_of(dtype).write_bytes(gzip.compress(text.encode(), mtime=0))
    new, gone = set(text.splitlines()), set(before.splitlines())
    print(f"{file_of(dtype).name}: {len(new - gone)} new lines, {len(gone - new)} lines gone")


def sums() -> str:
    """The check sums of the files as ``sha256sum -c`` takes them."""
    files = map(file_of, FLOAT_TYPES)
    return "".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files)


def main() -> None:
    """Write the files of the four types and their check sums."""
    FOLDER.mkdir(exist_ok=True)
    for dtype in FLOAT_TYPES:
        store(dtype, vectors(dtype))
    SUMS.write_text(sums(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
