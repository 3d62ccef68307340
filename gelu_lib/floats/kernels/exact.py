"""Kernels in exact arithmetic: that one meets its demand when nothing but its result is rounded.

What a kernel of some form can do with real coefficients is a question about exact arithmetic. Its
program is evaluated in intervals of float64, at every input at once, whose ends are moved outward
by one float after each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import gelu_lib._proofs

import numpy as np

from gelu_lib.activations import gelu
from gelu_lib.floats.gates import DEMANDS, gates
from gelu_lib.floats.kernels.judging import (
    FLOAT64_SLACK,
    SIXTEEN_BITS,
    PolynomialKernel,
    allowed_error,
    has_normal_value,
)
from gelu_lib.floats.kernels.programs import KernelProgram, float32
from gelu_lib.floats.types import all_finite

FloatEnds = tuple[np.ndarray, np.ndarray]
"""Floats between which exact numbers lie."""


def _wider(low: np.ndarray, high: np.ndarray) -> FloatEnds:
    return np.nextafter(low, -np.inf), np.nextafter(high, np.inf)


def _product(a: FloatEnds, b: FloatEnds) -> FloatEnds:
    found = np.array([one * other for one in a for other in b])
    return _wider(found.min(axis=0), found.max(axis=0))


def _difference(a: FloatEnds, b: FloatEnds) -> FloatEnds:
    return _wider(a[0] - b[1], a[1] - b[0])


def _sum_of_product(a: FloatEnds, b: FloatEnds, c: FloatEnds) -> FloatEnds:
    return _difference(c, _product((-a[1], -a[0]), b))


def _exp2(a: FloatEnds) -> FloatEnds:
    margin = 2.0**-50  # float64 errs by less
    return _wider(np.exp2(a[0]) * (1 - margin), np.exp2(a[1]) * (1 + margin))


def _increasing(function: Callable[..., np.ndarray]) -> Callable[..., FloatEnds]:
    return lambda *operands: tuple(function(*ends) for ends in zip(*operands, strict=True))


_OPERATIONS: Mapping[str, Callable[..., FloatEnds]] = {
    "abs": _increasing(np.abs),  # of an input, both of whose ends are the same
    "relu": _increasing(lambda a: np.maximum(a, 0)),
    "sat": _increasing(lambda a: np.clip(a, 0, 1)),
    "min": _increasing(np.minimum),
    "mul": _product,
    "sub": _difference,
    "fma": _sum_of_product,
    "fnma": lambda a, b, c: _difference(c, _product(a, b)),
    "exp2": _exp2,
}


def enclosed(program: KernelProgram, x: np.ndarray) -> FloatEnds:
    """Between which floats the exact value of a program lies, at each input.

    Args:
        program: a program with operations of kernels of GELU; abs is taken of x alone.
        x: finite inputs, as float64.

    Returns:
        The lower and the upper ends; one is nan where an infinity came in between.

    Raises:
        KeyError: if the program has another operation.
    """
    names = {"x": (x, x)}
    with np.errstate(all="ignore"):
        for step in program.steps:
            operands = (
                names[operand] if operand in names else (np.float64(float32(operand)),) * 2
                for operand in step.operands
            )
            names[step.result] = _OPERATIONS[step.operation](*operands)
    return names[program.steps[-1].result]


def meets_demand_exactly(kernel: PolynomialKernel) -> bool:
    """Whether a kernel of GELU is shown to meet its demand in exact arithmetic, as ``meets_demand``
    has it for float32.

    An error is looked at where x < 0: for GELU and for every form f(x) − f(−x) is x.
    """
    if kernel.demand not in DEMANDS:
        inputs = np.concatenate([all_finite(dtype).astype(np.float64) for dtype in SIXTEEN_BITS])
        x = inputs[inputs < 0]
        low, high = enclosed(kernel.program, x)
        size = float(allowed_error(kernel.demand).lower()) - FLOAT64_SLACK
        return bool(np.all((low >= gelu(x) - size) & (high <= gelu(x) + size)))
    asked = gates(kernel.dtype, kernel.demand)
    low, high = enclosed(kernel.program, asked.x)
    passed = (low > asked.low) & (high < asked.high)
    if kernel.demand == "nearest":
        passed |= ~has_normal_value(kernel.dtype)[all_finite(kernel.dtype) != 0]
    return bool(np.all(passed))
