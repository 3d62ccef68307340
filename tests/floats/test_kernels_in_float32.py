"""Kernels for every type, in float32: by day some hundred thousand floats, at night all in C."""

import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

from gelu_lib.activations import gelu
from gelu_lib.floats.gates import DEMANDS
from gelu_lib.floats.kernels.judging import allowed_error, kernels, largest_error
from gelu_lib.floats.kernels.texts import function_name, kernel_file, languages
from gelu_lib.floats.types import from_ordinal, ordinal

OF_EVERY_TYPE = [id for id, kernel in kernels().items() if kernel.demand not in DEMANDS]
FINITE = 0x7F7FFFFF
"""The place of the greatest float32."""
STRIDE = 12_289
AROUND = 3_000
GCC = shutil.which("gcc")

PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <string.h>
%s
/* GELU in double: the series where x/2 is nearly all, else erfc, whose errors are some 1e-16 */
static double right(double x) {
    if (fabs(x) < 0x1p-20) return x / 2 + 0.3989422804014327 * x * x;
    return x / 2 * erfc(-x * 0.70710678118654752440);
}
static float (*const kernels[])(float) = {%s};
enum { COUNT = sizeof kernels / sizeof *kernels };
int main(void) {
    double most[COUNT] = {0}; uint64_t count = 0;
    for (uint64_t bits = 0; bits < 1ull << 32; bits++) {
        uint32_t low = (uint32_t)bits; float x; memcpy(&x, &low, 4);
        if (!isfinite(x)) continue;
        double exact = right(x);
        count++;
        for (int i = 0; i < COUNT; i++) {
            double off = fabs(kernels[i](x) - exact);
            if (!(off <= most[i])) most[i] = off;
        }
    }
    printf("%%llu", (unsigned long long)count);
    for (int i = 0; i < COUNT; i++) printf(" %%.17g", most[i]);
}
"""


@cache
def some_floats():
    """Every so many floats from one end to the other, with 0."""
    places = np.arange(-FINITE, FINITE + 1, STRIDE)
    floats = from_ordinal(np.concatenate([places, [0]]), "float32")
    return floats, gelu(floats.astype(float))


def allowed(kernel):
    return float(allowed_error(kernel.demand))


@pytest.mark.parametrize("id", OF_EVERY_TYPE)
def test_among_the_floats_of_a_day_no_error_is_larger_than_what_is_demanded(id):
    kernel, (floats, right) = kernels()[id], some_floats()
    for machine in kernel.machines:
        off = np.abs(kernel.program(floats, machine).astype(float) - right)
        assert off.max() <= allowed(kernel)
        worst = int(ordinal(floats[off.argmax()]))
        near = from_ordinal(np.arange(worst - AROUND, worst + AROUND), "float32")
        error, _ = largest_error(kernel.program, near, machine)
        assert off.max() <= error <= allowed(kernel)
        assert error > allowed(kernel) / 3  # what is demanded is of the size of what there is


@pytest.mark.slow
@pytest.mark.skipif(not GCC, reason="there is no gcc to run over all floats")
def test_over_all_floats_no_error_is_larger_than_what_is_demanded(tmp_path):
    chosen = [kernels()[id] for id in OF_EVERY_TYPE]
    names = ", ".join(map(function_name, chosen))
    text = PROGRAM % (kernel_file(languages()["C"]), names)
    (tmp_path / "all.c").write_text(text, encoding="utf-8")
    command = [GCC, "-O2", "-march=native", "-ffp-contract=off", "all.c", "-o", "all", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    run = subprocess.run([tmp_path / "all"], capture_output=True, text=True, check=True)
    count, *errors = run.stdout.split()
    assert int(count) == 2 * FINITE + 2  # both zeros
    floats, right = some_floats()
    for kernel, error in zip(chosen, map(float, errors), strict=True):
        assert float(error) <= allowed(kernel), kernel.id
        sampled = np.abs(kernel.program(floats).astype(float) - right).max()
        assert sampled <= float(error) + 1e-15, kernel.id
