"""Asking a callable: arrays of three libraries, and what a callable may do wrong."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from gelu_lib.floats.coded_types import CodedType
from gelu_lib.floats.types import FloatType

_LINE = 64
"""Arrays of NumPy start at a multiple of so many bytes, which a vector register divides."""


class CallableError(Exception):
    """The callable did something that leaves nothing to judge; the message says what, and where.

    An exception inside the callable is its ``__cause__``.
    """


class NumPyArrays:
    """Arrays of NumPy; bfloat16 is that of ``ml_dtypes``."""

    def array(self, values: np.ndarray, kind: FloatType | CodedType) -> np.ndarray:
        size = kind.dtype.itemsize
        room = np.empty(len(values) + _LINE // size, kind.dtype)
        first = -room.ctypes.data % _LINE // size
        room[first : first + len(values)] = values.astype(kind.dtype)
        return room[first : first + len(values)]

    def is_array(self, result: Any) -> bool:
        # where a mask hides a value, no comparison would see it
        return isinstance(result, np.ndarray) and not isinstance(result, np.ma.MaskedArray)

    def dtype(self, array: np.ndarray) -> str:
        return array.dtype.name

    def values(self, array: np.ndarray) -> np.ndarray:
        return array.astype(np.float64)


class TorchTensors:
    """Tensors of PyTorch, on the processor."""

    def __init__(self) -> None:
        self.torch = imported("torch")

    def array(self, values: np.ndarray, kind: FloatType | CodedType) -> Any:
        return self.torch.tensor(values).to(getattr(self.torch, kind.name))

    def is_array(self, result: Any) -> bool:
        return isinstance(result, self.torch.Tensor)

    def dtype(self, array: Any) -> str:
        return str(array.dtype).removeprefix("torch.")

    def values(self, array: Any) -> np.ndarray:
        return array.detach().cpu().double().numpy()


class JaxArrays:
    """Arrays of JAX, on its default device."""

    def __init__(self) -> None:
        self.jax = imported("jax")

    def array(self, values: np.ndarray, kind: FloatType | CodedType) -> Any:
        if kind.name == "float64" and not self.jax.config.jax_enable_x64:
            raise ValueError(
                "dtype is float64, which JAX has only after "
                "jax.config.update('jax_enable_x64', True)"
            )
        return self.jax.numpy.asarray(values.astype(kind.dtype))

    def is_array(self, result: Any) -> bool:
        return isinstance(result, self.jax.Array)

    def dtype(self, array: Any) -> str:
        return array.dtype.name

    def values(self, array: Any) -> np.ndarray:
        return np.asarray(array).astype(np.float64)


Library = NumPyArrays | TorchTensors | JaxArrays

LIBRARIES: dict[str, Callable[[], Library]] = {
    "numpy": NumPyArrays,
    "torch": TorchTensors,
    "jax": JaxArrays,
}
"""The libraries by name. Each is imported only when it is asked for."""


def imported(package: str) -> Any:
    """A package that need not be installed.

    Raises:
        ImportError: if it is not; the message says what it is needed for.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(
            f"library is {package!r}, which needs the package {package}; it cannot be imported"
        ) from error


def library_named(name: str) -> Library:
    """The arrays of a library.

    Raises:
        ValueError: if the name is not a key of ``LIBRARIES``.
        ImportError: if the library is not installed.
    """
    if name not in LIBRARIES:
        raise ValueError(f"library is {name!r}; accepted are {', '.join(LIBRARIES)}")
    return LIBRARIES[name]()


def answers(
    function: Callable[[Any], Any],
    inputs: np.ndarray,
    kind: FloatType | CodedType,
    library: Library,
    start: int = 0,
    out: FloatType | CodedType | None = None,
) -> np.ndarray:
    """What a callable returns for a one-dimensional array of inputs, asked twice.

    Args:
        function: the callable.
        inputs: numbers of the type, in float64.
        kind: the type.
        library: whose arrays the callable takes and returns.
        start: how many numbers stand before the inputs in an array of which they are a slice.
        out: the type of what it returns; that of the inputs by default.

    Returns:
        The values in float64; infinities and nan are kept.

    Raises:
        CallableError: if the callable raises, returns anything but an unmasked array of the same
            shape and type, changes its argument, or answers differently the second time.
    """
    first, second = (asked(function, inputs, kind, library, start, out) for _ in range(2))
    differ = ~((first == second) | (np.isnan(first) & np.isnan(second)))
    if differ.any():
        k = int(np.argmax(differ))
        raise CallableError(
            f"function is not deterministic: at x = {inputs[k]!s} it returned {first[k]!s}, and "
            f"{second[k]!s} the second time"
        )
    return first


def asked(
    function: Callable[[Any], Any],
    inputs: np.ndarray,
    kind: FloatType | CodedType,
    library: Library,
    start: int = 0,
    out: FloatType | CodedType | None = None,
) -> np.ndarray:
    """The same, asked once."""
    argument = library.array(np.append(np.zeros(start), inputs), kind)[start:]
    try:
        with np.errstate(all="ignore"):  # overflow in x³ is no fault by itself
            result = function(argument)
    except CallableError:
        raise
    except (Exception, SystemExit) as error:
        where, cause = _smallest_failure(function, inputs, kind, library, error)
        raise CallableError(
            f"function raised {type(cause).__name__} at {where}: {cause}{_hint(cause)}"
        ) from cause
    _check(result, inputs, kind, library, out or kind)
    left = library.values(argument)
    if left.shape != inputs.shape or not np.array_equal(left, inputs, equal_nan=True):
        raise CallableError("function changed its argument; it must return a new array")
    return library.values(result)


def _hint(error: Exception) -> str:
    """What may help where a callable was given an array of NumPy and wants a tensor."""
    wanted = ("must be Tensor, not numpy", "'numpy.ndarray' object has no attribute")
    told = any(words in str(error) for words in wanted)
    return "; a callable that takes tensors of PyTorch needs library='torch'" if told else ""


def _check(
    result: Any,
    inputs: np.ndarray,
    kind: FloatType | CodedType,
    library: Library,
    out: FloatType | CodedType,
) -> None:
    if not library.is_array(result):
        raise CallableError(
            f"function returned {type(result).__name__}; expected is an array of the library"
        )
    if tuple(result.shape) != inputs.shape:
        raise CallableError(
            f"function returned the shape {tuple(result.shape)} for an argument of {inputs.shape}"
        )
    if library.dtype(result) != out.name:
        raise CallableError(
            f"function returned {library.dtype(result)} for an argument of {kind.name}"
            + f"; expected is {out.name}" * (out != kind)
        )


def _smallest_failure(
    function: Callable[[Any], Any],
    inputs: np.ndarray,
    kind: FloatType | CodedType,
    library: Library,
    error: Exception | SystemExit,
) -> tuple[str, Exception | SystemExit]:
    """Halve the inputs as long as one half fails: to a single one, or until neither half does."""
    inputs = np.sort(inputs)
    while len(inputs) > 1:
        middle = len(inputs) // 2
        for half in (inputs[:middle], inputs[middle:]):
            try:
                with np.errstate(all="ignore"):
                    function(library.array(half, kind))
            except (Exception, SystemExit) as found:
                inputs, error = half, found
                break
        else:
            break
    where = f"x = {inputs[0]!s}" if len(inputs) else "no inputs"
    if len(inputs) > 1:
        where += f" to {inputs[-1]!s}, asked together ({len(inputs)} inputs)"
    return where, error
