"""What nvcc makes of gelu.h is what the model of costs says, an instruction for each operation."""

import shutil

import count_instructions
import pytest
from count_instructions import ARCHITECTURES, COPY, counted, slots

from gelu_lib.floats.kernels.judging import kernels, prices
from gelu_lib.floats.kernels.shipped import shipped
from gelu_lib.floats.kernels.texts import function_name

pytestmark = pytest.mark.skipif(not shutil.which("nvcc"), reason="there is no nvcc to compile it")

KERNELS = {f"{function_name(one)}(x)": one for one in kernels().values()}
PROBES = {
    COPY: 0,
    "fmaf(x, x, 3.5f)": 1,
    "x * x": 1,
    "x + 3.5f": 1,
    "fmaf(-fabsf(x), x, 3.5f)": 1,
    "gelu_saturate(fmaf(x, x, 3.5f))": 1,
    "x > 0.0f ? x : 0.0f": 1,
    "x < 14.0f ? x : 14.0f": 1,
    "x > 2.0f ? 1.0f : 0.0f": 1,
    "x >= 3.0f ? x * x : x": 2,  # a comparison, and a product that depends on it
    "gelu_exp2(x)": 4,
    "approximate_tanh(x)": 4,
    "exp2f(x)": 4 + 3,  # a power below 2^-126 takes a comparison and two products
}
"""Expressions of CUDA, and their slots."""


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_each_kernel_has_as_many_instructions_as_it_has_slots(architecture):
    more = {text: f"{text} < 3.5f ? {text} : 3.5f" for text in KERNELS}
    texts = [*PROBES, *KERNELS, *more.values()]
    cost = {
        text: slots(*found)
        for text, found in counted(dict(zip(texts, texts, strict=True)), architecture).items()
    }
    assert {text: cost[text] for text in PROBES} == PROBES
    expected = {text: one.program.slots(prices()) for text, one in KERNELS.items()}
    assert {text: cost[text] for text in KERNELS} == expected
    assert {text: cost[one] - 1 for text, one in more.items()} == expected


def test_the_script_counts_what_is_shipped_too(capsys):
    count_instructions.main(["sm_90"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(KERNELS) + len(count_instructions.FORMS)
    cost = {line[7:47].strip(): int(line.split()[-2]) for line in lines}
    assert cost["exact, 1 + erff"] == cost["tanh form, tanhf"] == 28
    assert cost["exact, erfcf"] == 57 and cost["tanh form, tanh.approx"] == 11
    stored = {"exact, 1 + erff": "torch", "tanh form, tanhf": "torch-tanh", "exact, erfcf": "erfc",
              "sigmoid form, expf and /": "sigmoid"}  # fmt: skip
    assert {text: shipped()[id].counted for text, id in stored.items()} == {
        text: cost[text] for text in stored
    }
