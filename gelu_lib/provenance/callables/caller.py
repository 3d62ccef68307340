"""Call a function of a shared library, in a process that it may end; ``vectors`` starts it.

A first line says what is wrong, if anything is. A question is two integers, how many inputs there
are and by how many bytes they start behind a line of the cache, and the inputs. The answer is a
byte, what the function did, and the outputs.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import threading
import time

QUESTION, LINE = struct.Struct("<QQ"), 64
DONE, TOO_FAR, CHANGED, UNTOUCHED = range(4)

GUARD = 256
"""So many bytes on either side of the outputs must stay as they are."""

BEYOND, UNWRITTEN = b"\xff", b"\xd5"
"""What stands around the inputs is nan, and in place of the outputs a negative number of some size,
in every type: the value of nothing, and not what a loop makes of a nan beyond its inputs."""


def end_with_parent(parent: int = 0) -> None:
    """End this process soon after the one that started it, even in a loop that never ends.

    On Unix that one tells its number, since it may have ended before this one can ask.
    """
    if os.name != "posix" or not parent:
        parent = os.getppid()

    def wait() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _main(library: str, symbol: str, size: int, out_size: int, parent: int) -> None:
    """Answer questions from the standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent(parent)
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # what the library reads is no question
    try:
        os.dup2(2, 1)  # and what it prints is no answer
    except OSError:
        os.dup2(nothing, 1)
    try:
        function = ctypes.CDLL(library)[symbol]
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        function.restype, said = None, ""
    except (OSError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
    answers.write(f"{said}\n".encode())
    answers.flush()
    while not said and (question := questions.read(QUESTION.size)):
        count, shift = QUESTION.unpack(question)
        did, outputs = called(function, questions.read(count * size), count, shift, out_size)
        answers.write(bytes([did]) + outputs)
        answers.flush()


def called(
    function: ctypes._FuncPointer, inputs: bytes, count: int, shift: int, out_size: int
) -> tuple[int, bytes]:
    """What a function did, and its outputs, each of so many bytes."""
    length = count * out_size
    room = max(len(inputs), length) + 2 * (GUARD + LINE)
    x, y = (ctypes.create_string_buffer(fill * room, room) for fill in (BEYOND, UNWRITTEN))
    # the outputs start elsewhere in a line, unless the inputs start one
    by = shift * count // max(len(inputs), 1) + 1  # inputs, and one more
    starts = shift, by * out_size % LINE if shift else 0
    start, first = (
        GUARD - (ctypes.addressof(array) + GUARD) % -LINE + by
        for array, by in zip((x, y), starts, strict=True)
    )
    ctypes.memmove(ctypes.addressof(x) + start, inputs, len(inputs))
    before, end = x[:], first + length
    function(ctypes.addressof(x) + start, ctypes.addressof(y) + first, count)
    outputs = y[first:end]
    if (y[:first] + y[end:]).strip(UNWRITTEN):
        return TOO_FAR, outputs
    if x[:] != before:
        return CHANGED, outputs
    return (DONE if count < LINE or outputs.strip(UNWRITTEN) else UNTOUCHED), outputs


if __name__ == "__main__":
    try:
        _main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
    except Exception:  # of what the library has done to this process the one that asks tells
        os._exit(1)
