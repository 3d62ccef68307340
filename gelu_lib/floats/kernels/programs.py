"""Kernels as straight-line programs: one line is one operation on float32, in the order of issue.

A program is text, such as ``r = relu x``, then ``e = exp2 q``; the last line is its value. It is
evaluated as a machine does it, priced by a table, and printed in other languages by
``gelu_lib.floats.kernels.texts``: all three read the same lines, so they speak of the same kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gelu_lib._proofs

import numpy as np
import scipy.special

from gelu_lib.rows import DataError

ARITIES: Mapping[str, int] = {
    **dict.fromkeys(("abs", "relu", "step", "sat", "exp2", "exp", "tanh", "tanh11"), 1),
    **dict.fromkeys(("erf", "erfc", "rcp", "floor", "float16"), 1),
    **dict.fromkeys(("add", "sub", "mul", "div", "min", "max", "copysign", "scale"), 2),
    **dict.fromkeys(("fma", "fnma"), 3),
    "ge": 4,
}
"""The operations, and of how many operands each is.

``relu a`` is max(a, 0), ``step a`` 1 if a > 0 and else 0, ``sat a`` the number of [0, 1] next to
a, ``fma a b c`` a·b + c and ``fnma a b c`` c − a·b, rounded once, ``rcp a`` 1/a, ``ge a b c d`` c
if a ≥ b and else d. ``floor a`` is the greatest integer up to a, ``scale a b`` is a·2^b for an
integer b, as the bits of an exponent make it, ``float16 a`` the float16 nearest to a. ``tanh11``
is a tanh that is rounded to 11 binary digits: a model of an instruction whose relative error may
be 2⁻¹¹, and no measurement of one.
"""

SMALLEST_NORMAL = np.float32(2.0**-126)


@dataclass(frozen=True)
class ProgramLine:
    """One line of a program: the name of its result, an operation of ``ARITIES``, its operands."""

    result: str
    operation: str
    operands: tuple[str, ...]


@dataclass(frozen=True)
class Machine:
    """How operations are rounded.

    Attributes:
        fused: whether ``fma`` and ``fnma`` round once; otherwise the product is rounded, too.
        flushes: whether subnormal inputs and results are taken for 0, as by ``-ftz=true``; so is
            the product of an ``fma`` that is not fused.
        exp2_error: the relative error of exp2, with its sign, rounded away from 2^q; 0 is the
            nearest float. A kernel whose value is monotone in that of exp2 has, for every exp2
            that is as accurate, a value between those at the two ends.
    """

    fused: bool = True
    flushes: bool = False
    exp2_error: float = 0.0


IEEE = Machine()


@dataclass(frozen=True)
class KernelProgram:
    """A straight-line program of x in float32.

    Attributes:
        steps: its lines, in order.
    """

    steps: tuple[ProgramLine, ...]

    @classmethod
    def read(cls, text: str) -> KernelProgram:
        """A program from its text; blank lines count for nothing.

        Raises:
            DataError: naming the line that has an unknown operation, a wrong number of operands, a
                result that stands already, or an operand that is neither a float32 nor a result.
        """
        steps: list[ProgramLine] = []
        known = {"x"}
        for line in filter(None, map(str.strip, text.splitlines())):
            result, _, right = line.partition(" = ")
            operation, *operands = right.split()
            if len(operands) != ARITIES.get(operation):
                raise DataError(f"{line!r}: accepted are operations with operands, as in {ARITIES}")
            if result in known or not result.isidentifier():
                raise DataError(f"{line!r}: {result!r} is no new name")
            for operand in operands:
                if operand not in known and not _is_float32(operand):
                    raise DataError(f"{line!r}: {operand!r} is neither a float32 nor computed yet")
            known.add(result)
            steps.append(ProgramLine(result, operation, tuple(operands)))
        if not steps:
            raise DataError("a program has at least one line")
        return cls(tuple(steps))

    def __str__(self) -> str:
        return "\n".join(f"{s.result} = {s.operation} {' '.join(s.operands)}" for s in self.steps)

    def slots(self, prices: Mapping[str, int]) -> int:
        """What the program costs, when each operation has the price of a table.

        Raises:
            KeyError: if an operation has no price.
        """
        return sum(prices[step.operation] for step in self.steps)

    def __call__(self, x: np.ndarray, machine: Machine = IEEE) -> np.ndarray:
        """The program at each float32, silently, with the nan and the infinities that come out.

        Args:
            x: an array of float32, or of a type of 16 bits, which is widened.
            machine: how operations are rounded.
        """
        kept = _flushed if machine.flushes else lambda floats: floats
        names = {"x": kept(np.asarray(x).astype(np.float32))}
        with np.errstate(all="ignore"):
            for step in self.steps:
                operands = [
                    names[operand] if operand in names else float32(operand)
                    for operand in step.operands
                ]
                names[step.result] = kept(_apply(step.operation, operands, machine))
        return np.broadcast_to(names[self.steps[-1].result], np.shape(x))


def float32(text: str) -> np.float32:
    """The float32 that a decimal or a hexadecimal numeral is rounded to."""
    return np.float32(float.fromhex(text) if "0x" in text else float(text))


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a·b + c of float32, rounded once.

    The product is exact in float64. The sum is rounded there to odd, so that rounding it a second
    time, to fewer than half as many digits, does no harm (Boldo and Melquiond 2008).
    """
    product, c = np.float64(a) * np.float64(b), np.float64(c)
    total = np.atleast_1d(product + c)
    share = total - product
    lost = (product - (total - share)) + (c - share)  # Knuth: total + lost is the sum
    even = (total.view(np.int64) & 1) == 0
    towards = np.where(lost > 0, np.inf, -np.inf)
    odd = np.where((lost != 0) & even & np.isfinite(total), np.nextafter(total, towards), total)
    return odd.reshape(np.shape(product + c)).astype(np.float32)


def _is_float32(text: str) -> bool:
    try:
        return bool(np.isfinite(float32(text)))
    except ValueError:
        return False


def _flushed(floats: np.ndarray) -> np.ndarray:
    return np.where(np.abs(floats) < SMALLEST_NORMAL, np.copysign(np.float32(0), floats), floats)


def _apply(operation: str, operands: list[np.ndarray], machine: Machine) -> np.ndarray:
    if operation == "exp2":
        return _exp2(operands[0], machine.exp2_error)
    if operation in ("fma", "fnma"):
        a, b, c = operands
        a = -a if operation == "fnma" else a
        if machine.fused:
            return fused(a, b, c)
        return (_flushed(a * b) if machine.flushes else a * b) + c
    return _FLOAT32[operation](*operands)


def _exp2(q: np.ndarray, error: float) -> np.ndarray:
    value = np.exp2(np.float64(q))
    if not error:
        return value.astype(np.float32)
    value = value * (1 + error + np.copysign(2.0**-50, error))  # float64 errs by less than that
    floats = value.astype(np.float32)
    short = floats < value if error > 0 else floats > value
    return np.where(short, np.nextafter(floats, np.float32(np.copysign(np.inf, error))), floats)


def _through_float64(
    function: Callable[[np.ndarray], np.ndarray],
) -> Callable[[np.ndarray], np.ndarray]:
    return lambda a: function(np.float64(a)).astype(np.float32)


def _scaled(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    power = np.ldexp(1.0, np.clip(np.nan_to_num(b), -500, 500).astype(np.int32))
    return (np.float64(a) * power).astype(np.float32)


def _tanh_to_11_digits(a: np.ndarray) -> np.ndarray:
    mantissa, exponent = np.frexp(np.tanh(np.float64(a)))
    return np.ldexp(np.round(mantissa * 2.0**11), exponent - 11).astype(np.float32)


_FLOAT32: Mapping[str, Callable[..., np.ndarray]] = {
    "abs": np.abs,
    "relu": lambda a: np.where(a > 0, a, np.float32(0)),
    "step": lambda a: np.float32(a > 0),
    "sat": lambda a: np.where(a > 0, np.minimum(a, np.float32(1)), np.float32(0)),
    "exp": _through_float64(np.exp),
    "tanh": _through_float64(np.tanh),
    "tanh11": _tanh_to_11_digits,
    "erf": _through_float64(scipy.special.erf),
    "erfc": _through_float64(scipy.special.erfc),
    "rcp": lambda a: np.float32(1) / a,
    "floor": np.floor,
    "float16": lambda a: a.astype(np.float16).astype(np.float32),
    "scale": _scaled,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "min": np.fmin,
    "max": np.fmax,
    "copysign": np.copysign,
    "ge": lambda a, b, c, d: np.where(a >= b, c, d),
}
