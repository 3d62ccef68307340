"""Shipped kernels: what a program in C returns, bit for bit, and how good that is."""

import re
import zlib

import numpy as np
import pytest

from gelu_lib.floats.kernels import shipped as module
from gelu_lib.floats.kernels.judging import judged, prices
from gelu_lib.floats.kernels.programs import KernelProgram, float32
from gelu_lib.floats.kernels.shipped import shipped
from gelu_lib.floats.types import all_finite
from gelu_lib.rows import DataError

NARROW = ("float16", "bfloat16")
INPUTS = np.concatenate(
    [*(all_finite(dtype) for dtype in NARROW), np.linspace(-14, 14, 200_001)], dtype=np.float32
)

IN_C = {
    "xnnpack": 0xEABEB2CA,
    "eigen-2019": 0x10C2CB02,
    "xla": 0x95806655,
    "eigen": 0xA55C9EA3,
    "onnxruntime": 0x5CDAFB71,
    "tt-metal-2025": 0xAEC7F180,
    "tt-metal-2026-03": 0xA8B529A7,
    "tt-metal-2026-06": 0xD58DA221,
    "tt-metal-proposed": 0x20CDE4D2,
}
"""The kernels that call no function, and a checksum of their values at all these inputs.

The values are those of a program in C that was written from the sources anew, with the bits of an
exponent taken apart where they do so, and compiled by gcc without fusing but where they fuse.
"""

COUNTS = {
    "torch": ((13215, 191, 325), (2, 88, 331)),
    "torch-tanh": ((13588, 335, 533), (918, 2561, 3700)),
    "erfc": ((1, 0, 128), (1, 0, 3)),
    "xla-erfc": ((1, 0, 128), (1, 0, 3)),
    "cutlass": ((14874, 458, 665), (4335, 2521, 3830)),
    "sigmoid": ((12534, 1680, 2267), (6013, 18603, 21683)),
    "ggml": ((13588, 28237, 28734), (918, 2561, 3700)),
}
"""The others: how many floats a result is away at most, how many are not faithful, and not nearest,
in bfloat16 and in float16."""


def checksum(program):
    values = program(INPUTS) + np.float32(0)  # which makes +0 of −0
    return zlib.crc32(values.astype("<f4").tobytes())


def changed(program, constant):
    """The program with the last bit of a constant changed."""
    other = float(np.nextafter(float32(constant), np.float32(np.inf))).hex()
    return KernelProgram.read(re.sub(rf"(?<=\s){re.escape(constant)}(?=\s|$)", other, str(program)))


@pytest.mark.parametrize("id", IN_C)
def test_a_shipped_kernel_returns_what_a_program_in_c_does_bit_for_bit(id):
    program = shipped()[id].program
    assert checksum(program) == IN_C[id]
    operands = [operand for step in program.steps for operand in step.operands]
    constants = [operand for operand in operands if re.match("-?[0-9]", operand)]
    assert checksum(changed(program, constants[5])) != IN_C[id]


@pytest.mark.parametrize("id", COUNTS)
def test_a_shipped_kernel_with_a_function_is_as_good_as_counted(id):
    verdicts = [judged(shipped()[id].program, dtype) for dtype in ("bfloat16", "float16")]
    counts = tuple((v.steps, v.inputs - v.faithful, v.inputs - v.nearest) for v in verdicts)
    assert counts == COUNTS[id]


def test_which_shipped_kernels_are_faithful():
    assert set(IN_C) | set(COUNTS) == set(shipped())
    faithful = {dtype: set() for dtype in NARROW}
    for dtype, found in faithful.items():
        for id, one in shipped().items():
            verdict = judged(one.program, dtype, normal_only=True)
            if verdict.faithful == verdict.inputs:
                found.add(id)
    assert faithful["float16"] == {"erfc", "xla-erfc"}
    assert faithful["bfloat16"] == {"erfc", "xla-erfc", "tt-metal-proposed"}


def test_each_was_read_at_a_commit_and_its_slots_are_known_or_it_is_a_load():
    place = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+/(blob/[0-9a-f]{40}/\S+|pull/\d+)")
    for one in shipped().values():
        assert all(map(place.fullmatch, one.source)) and "/blob/" in one.source[0]
        assert (one.slots(prices()) is None) == (one.slots_from == "table")
    assert shipped()["cutlass"].slots(prices()) == 9
    assert shipped()["erfc"].slots({}) == 57


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"slots_from": "guessed"}, "slots_from is 'guessed'; accepted are counted, nvcc, table"),
        ({"slots_from": "nvcc"}, "counted is None; accepted with nvcc"),
        ({"slots_from": "table", "counted": 3}, "counted is 3; accepted with nvcc"),
        ({"slots_from": "counted", "price": 3}, "price is no field"),
        ({"slots_from": "counted", "program": "y = cosh x"}, "y = cosh x"),
    ],
)
def test_a_faulty_entry_is_refused(monkeypatch, fields, message):
    entry = {"name": "", "formula": "", "program": "y = relu x", "source": []} | fields
    monkeypatch.setattr(module, "contents", lambda name: {"one": entry})
    with pytest.raises(DataError, match=re.escape(message)):
        shipped.__wrapped__()


def test_rounding_down_a_power_of_two_and_float16_are_operations():
    x = np.float32([-2.5, -0.0, 0.1, 3e-8, 70000, np.inf])
    assert KernelProgram.read("y = floor x")(x).tolist() == [-3, 0, 0, 0, 70000, np.inf]
    half = KernelProgram.read("y = float16 x")(x)
    assert half.dtype == np.float32
    assert half.tolist() == [-2.5, 0, float(np.float16(0.1)), 2.0**-24, np.inf, np.inf]
    scaled = KernelProgram.read("y = scale 1.5 x")(np.float32([3, -127, -149, -151, 128, -np.inf]))
    assert scaled.tolist() == [12, 1.5 * 2.0**-127, 2.0**-148, 0, np.inf, 0]
    assert np.isnan(KernelProgram.read("y = scale x 2")(np.float32([np.nan])))
