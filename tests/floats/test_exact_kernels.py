"""Kernels in exact arithmetic: fractions lie between the ends, and what misses a gate is told."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gelu_lib.floats.kernels.exact import enclosed, meets_demand_exactly
from gelu_lib.floats.kernels.judging import kernels
from gelu_lib.floats.kernels.programs import KernelProgram

OF_GELU = [id for id, kernel in kernels().items() if kernel.name == "gelu"]
OPERATIONS = {
    "abs": abs,
    "relu": lambda a: max(a, 0),
    "sat": lambda a: min(max(a, 0), 1),
    "min": min,
    "mul": lambda a, b: a * b,
    "sub": lambda a, b: a - b,
    "fma": lambda a, b, c: a * b + c,
    "fnma": lambda a, b, c: c - a * b,
}


def exact(program, x):
    names = {"x": Fraction(x)}
    for step in program.steps:
        operands = (
            names[o] if o in names else Fraction(float.fromhex(o) if "0x" in o else float(o))
            for o in step.operands
        )
        names[step.result] = OPERATIONS[step.operation](*operands)
    return names[program.steps[-1].result]


@pytest.mark.parametrize("id", OF_GELU)
def test_each_kernel_of_gelu_meets_its_demand_in_exact_arithmetic(id):
    assert meets_demand_exactly(kernels()[id])


@pytest.mark.parametrize("id", [id for id in OF_GELU if "exp2" not in str(kernels()[id].program)])
def test_the_exact_value_lies_between_the_ends(id):
    program = kernels()[id].program
    x = np.float64(np.float32(np.random.default_rng(5).normal(0, 2, 200)))
    for at, low, high in zip(x, *enclosed(program, x), strict=True):
        value = exact(program, at)
        assert Fraction(low) <= value <= Fraction(high)
        assert high - low <= 1e-13


def test_an_exponential_lies_between_the_ends_and_they_are_near():
    q = np.arange(-1000, 1000, 1.0)
    low, high = enclosed(KernelProgram.read("e = exp2 x"), q)
    assert all(
        Fraction(a) < Fraction(2) ** int(n) < Fraction(b)
        for n, a, b in zip(q, low, high, strict=True)
    )
    assert np.all(high <= low * (1 + 2.0**-48))


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "bfloat16-faithful", "demand": "nearest"},
        {"id": "bfloat16-faithful", "clamp": "13"},
        {"id": "bfloat16-nearest", "dtype": "float16"},
        {"id": "tanh-error-saturated", "demand": "1.7e-4"},
        {"id": "float32-power", "coefficients": kernels()["float32-power"].coefficients[:-1]},
    ],
)
def test_a_kernel_that_misses_its_demand_is_told(changes):
    assert not meets_demand_exactly(replace(kernels()[changes["id"]], **changes))


def test_infinities_prove_nothing_and_other_operations_are_refused():
    overflowing = KernelProgram.read("a = mul x x\nb = mul a a\nc = sub b b\ny = fma c 0 x")
    low, high = enclosed(overflowing, np.array([1e200]))
    assert not (low > 0 or high < 1)
    with pytest.raises(KeyError, match="rcp"):
        enclosed(KernelProgram.read("y = rcp x"), np.array([1.0]))
