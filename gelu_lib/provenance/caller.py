"""Call a function of a shared library, in a process that it may end; ``vectors`` starts it.

A first line says what is wrong, if anything is. A question is two integers, how many inputs there
are and by how many bytes they start behind a line of the cache, and the inputs. The answer is a
byte, what the function did, and the outputs.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

QUESTION, LINE = struct.Struct("<QQ"), 64
DONE, TOO_FAR, CHANGED, NOTHING = range(4)

GUARD = 256
"""So many bytes on either side of the outputs must stay as they are."""


def main(library: str, symbol: str, size: int) -> None:
    """Answer questions from the standard input until it ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the library prints is no answer
    try:
        function = getattr(ctypes.CDLL(library), symbol)
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        function.restype, said = None, ""
    except (OSError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
    answers.write(f"{said}\n".encode())
    answers.flush()
    while not said and (question := sys.stdin.buffer.read(QUESTION.size)):
        count, shift = QUESTION.unpack(question)
        did, outputs = called(function, sys.stdin.buffer.read(count * size), count, shift)
        answers.write(bytes([did]) + outputs)
        answers.flush()


def called(
    function: ctypes._FuncPointer, inputs: bytes, count: int, shift: int
) -> tuple[int, bytes]:
    """What a function did, and its outputs; one that it does not write is nan, in every type."""
    room = len(inputs) + 2 * (GUARD + LINE)
    x, y = (ctypes.create_string_buffer(b"\xff" * room, room) for _ in range(2))
    # the outputs start elsewhere in a line, unless the inputs start one
    starts = shift, (shift + len(inputs) // count) % LINE if shift else 0
    start, first = (
        GUARD - (ctypes.addressof(array) + GUARD) % -LINE + by
        for array, by in zip((x, y), starts, strict=True)
    )
    x[start : start + len(inputs)] = inputs
    before, end = x[:], first + len(inputs)
    function(ctypes.addressof(x) + start, ctypes.addressof(y) + first, count)
    outputs = y[first:end]
    if (y[:first] + y[end:]).strip(b"\xff"):
        return TOO_FAR, outputs
    if x[:] != before:
        return CHANGED, outputs
    return (DONE if count < LINE or outputs.strip(b"\xff") else NOTHING), outputs


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
