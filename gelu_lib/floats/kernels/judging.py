"""Cheap kernels of GELU, and how good their results are over all inputs.

``data/kernels.toml`` has the kernels, with the demand that each meets, and prices of operations.
Nothing there is believed: a kernel is judged at every input whenever it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np

from gelu_lib import activations
from gelu_lib._extras import flint
from gelu_lib.floats.gates import DEMANDS, neighbours
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels.programs import IEEE, KernelProgram, Machine
from gelu_lib.floats.types import FLOAT_TYPES, all_finite, ordinal, round_to
from gelu_lib.register import result
from gelu_lib.rows import check, contents, filled

SIXTEEN_BITS = ("float16", "bfloat16")

FLOAT64_SLACK = 2.0**-44
"""More than the error of GELU in float64, which is a few units of a number below 64."""


@dataclass(frozen=True)
class PolynomialKernel:
    """A kernel of the data file.

    Attributes:
        id: its name there.
        dtype: the type of its inputs and results; float32 if it serves every type.
        demand: ``"nearest"`` or ``"faithful"``, or the largest error that it may have, as a decimal
            or as the ID of the result that is this error.
        form: the name of its form.
        coefficients: those of its polynomial as hexadecimal float32, ascending, for Horner's rule.
        clamp: where abs(x) is limited, as a numeral; empty if it is not.
        scheme: lines that compute its polynomial, ``p``, in fewer steps than Horner's rule, with
            adapted coefficients; then it has no others.
        exp2_error: the n for which the demand is met with every exp2 whose relative error is at
            most 2ⁿ; ``None`` if it has none.
    """

    id: str
    dtype: str
    demand: str
    form: str
    coefficients: tuple[str, ...] = ()
    clamp: str = ""
    scheme: str = ""
    exp2_error: int | None = None

    @property
    def name(self) -> str:
        """The function that it computes, as a name of ``gelu_lib.activations``."""
        return KERNEL_FORMS[self.form].name

    @property
    def program(self) -> KernelProgram:
        """What it computes, in float32."""
        return KERNEL_FORMS[self.form].program(self.coefficients, self.clamp, self.scheme)

    @property
    def degree(self) -> int:
        """The degree of its polynomial."""
        if not self.scheme:
            return len(self.coefficients) - 1
        degrees = {"a": 1}
        for step in self.program.steps:  # sums of products
            one, other, added = (degrees.get(name, 0) for name in (*step.operands, "", "")[:3])
            degrees.setdefault(step.result, max(one + other, added))
        return degrees["p"]

    @property
    def machines(self) -> tuple[Machine, ...]:
        """Two machines between whose values those with every admitted exp2 are; or one."""
        if self.exp2_error is None:
            return (IEEE,)
        return tuple(Machine(exp2_error=sign * 2.0**self.exp2_error) for sign in (-1, 1))


@dataclass(frozen=True)
class Tally:
    """How good results are at every finite input of a type of 16 bits.

    Attributes:
        inputs: how many inputs there are, 0 left out.
        faithful: how many results are one of the two floats around the exact value.
        nearest: how many are the nearest float.
        steps: how many floats a result is away from the nearest at most; nan counts as 2¹⁶.
        worst: the input of the least size where one is as far away.
    """

    inputs: int
    faithful: int
    nearest: int
    steps: int
    worst: float


def judged(
    program: KernelProgram,
    dtype: str,
    *machines: Machine,
    name: str = "gelu",
    normal_only: bool = False,
) -> Tally:
    """What a program returns at every finite input of a type, rounded once at the end.

    Args:
        program: a program of x in float32.
        dtype: ``"float16"`` or ``"bfloat16"``.
        machines: how it is evaluated; by default as IEEE 754 has it. If several are given, a result
            counts as the worst of them.
        name: the function that it shall compute.
        normal_only: whether inputs whose exact value lies among the subnormal numbers are left out.
    """
    x = all_finite(dtype)
    right = ordinal(getattr(activations, name)(x))
    below, above = neighbours(dtype, name)
    kept = has_normal_value(dtype, name) if normal_only else x != 0
    x, below, above, right = x[kept], below[kept], above[kept], right[kept]
    away, faithful = np.zeros(x.size, np.int64), np.ones(x.size, bool)
    for machine in machines or (IEEE,):
        results = round_to(program(x, machine), dtype)
        nan = np.isnan(results)
        places = np.where(nan, 2**16, ordinal(np.where(nan, 0, results)))
        away = np.maximum(away, np.where(nan, 2**16, np.abs(places - right)))
        faithful &= (places == below) | (places == above)
    worst = np.flatnonzero(away == away.max())
    at = worst[np.argmin(np.abs(x[worst].astype(float)))]
    return Tally(x.size, int(faithful.sum()), int((away == 0).sum()), int(away.max()), float(x[at]))


@cache
def has_normal_value(dtype: str, name: str = "gelu") -> np.ndarray:
    """At which inputs of a type the exact value is among the normal numbers, 0 left out."""
    least = ordinal(round_to(2.0 ** FLOAT_TYPES[dtype].least_exponent, dtype))
    found = (np.min(np.abs(neighbours(dtype, name)), axis=0) >= least) & (all_finite(dtype) != 0)
    found.setflags(write=False)
    return found


def largest_error(
    program: KernelProgram, x: np.ndarray, machine: Machine = IEEE
) -> tuple[float, float]:
    """The largest error of a kernel of GELU in float32, before its value is rounded once more.

    Args:
        program: a program of x.
        x: finite float32, or floats of 16 bits.
        machine: how it is evaluated.

    Returns:
        The error in size, beside GELU in float64, and an input where it is as large.
    """
    right = activations.gelu(np.asarray(x, np.float64))
    off = np.abs(program(x, machine).astype(np.float64) - right)
    worst = int(np.argmax(off))
    return float(off[worst]), float(x[worst])


def meets_demand(kernel: PolynomialKernel) -> bool:
    """Whether a kernel meets its demand at every input of its type; of both narrow types, if it
    serves every type. The nearest float is demanded where it is a normal number.
    """
    if kernel.demand not in DEMANDS:
        most = float(allowed_error(kernel.demand).lower()) - FLOAT64_SLACK
        inputs = np.concatenate([all_finite(dtype).astype(np.float32) for dtype in SIXTEEN_BITS])
        return all(
            largest_error(kernel.program, inputs, machine)[0] <= most for machine in kernel.machines
        )
    verdict = judged(
        kernel.program,
        kernel.dtype,
        *kernel.machines,
        name=kernel.name,
        normal_only=kernel.demand == "nearest",
    )
    return getattr(verdict, kernel.demand) == verdict.inputs


def allowed_error(demand: str) -> flint.arb:
    """The error that a demand allows: the number of the result of this ID, or a decimal."""
    try:
        low, high = result(demand).enclosure
    except KeyError:
        return flint.arb(demand)
    return flint.arb(low).union(flint.arb(high))


def prices() -> Mapping[str, int]:
    """The price of each operation in issue slots of a GPU."""
    return contents("kernels.toml")["prices"]


@cache
def kernels() -> Mapping[str, PolynomialKernel]:
    """The kernels by ID.

    Raises:
        DataError: if an entry has an unknown form, type or field.
    """
    found = {}
    for id, fields in contents("kernels.toml")["kernels"].items():
        found[id] = filled(PolynomialKernel, id, fields)
        check(id, found[id], dtype=("float32", *SIXTEEN_BITS), form=KERNEL_FORMS)
    return MappingProxyType(found)
