"""What the page on kernels says in words."""

import json
import math
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
import sympy as sp
from activation_speed import AGAIN, NDTR
from scipy.special import erf, expit

from gelu_lib.activations import gelu, gelu_tanh
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.formulas import VALUES
from gelu_lib.floats.types import all_finite, round_to
from gelu_lib.functions.expressions import numpy_density
from gelu_lib.functions.families import PAGE
from gelu_lib.provenance.atlas.frameworks import atlas
from gelu_lib.provenance.callables.conformance import conforms

ROOT = Path(__file__).resolve().parents[2]


def test_the_record_of_speed_says_what_the_page_says():
    record = json.loads((ROOT / "benchmarks/records/activation_speed.json").read_text("utf-8"))
    for dtype in ("float32", "float64"):
        for inputs in ("normal", "uniform"):
            for size, row in record[dtype][inputs].items():
                times = row["times"]
                exact, tanh = times["PyTorch"], times["PyTorch, tanh"]
                if dtype == "float64":
                    assert 2.5 < exact / tanh < 5.5
                elif int(size) > 1_000_000:
                    assert 0.75 < exact / tanh < 1.25
                else:
                    assert (exact < tanh) == (int(size) >= 100_000)
                assert times["gelu_sigmoid"] <= times["gelu_tanh"]
                if int(size) >= 10_000:
                    assert (times["gelu"] < times["gelu_tanh"]) == (dtype == "float64")
            short = record[dtype][inputs]["1000"]["times"]
            assert 0.5 < short[AGAIN] / short[NDTR] < 0.75


def test_what_the_page_says_of_its_records_and_of_the_left():
    source = (ROOT / "benchmarks/activation_speed.py").read_text("utf-8")
    assert "torch.set_num_threads(1)" in source
    assert "cuda" not in source
    late = {"keras", "mlx", "burn", "ctranslate2"}
    order = re.compile(r"x \* \((1 \+ erf|erf).*\) / 2|0\.5f \* \(v \* \(1\.f \+ erf.*\)\)")
    assert {row.id for row in atlas().values() if order.fullmatch(row.exact)} == late
    x = all_finite("float16")
    np.testing.assert_array_equal(VALUES["erf"](x), in_float16(x))
    factor = 1 + erf((x * np.float16(0.5**0.5)).astype(float)).astype("f2")
    assert np.any(VALUES["erf"](x) != x / 2 * factor)  # another spelling is another kernel
    p1, p3 = (float(sp.N(PAGE[name])) for name in ("p1", "p3"))
    x = np.array([-5.0, -7.0, -9.0])
    np.testing.assert_allclose(gelu_tanh(x), x * np.exp(p1 * x + p3 * x**3), rtol=1e-3)
    np.testing.assert_allclose(gelu(x), -numpy_density(x), rtol=0.04)


def test_the_kernel_that_the_vectors_refuse_passes_once_it_is_mended():
    notebook = nbformat.read(ROOT / "book" / "kernel.ipynb", as_version=4)
    (cell,) = (one.source for one in notebook.cells if "conforms(kernel" in one.source)
    (inner,) = (one.source for one in notebook.cells if "def inner" in one.source)
    limits = {"kernel": "np.maximum(x, -40)", "gradient": "np.clip(x, -40, 40)"}
    mended = cell.replace("0.044715", "3 * 0.044715")
    for name, limit in limits.items():
        mended = mended.replace(f"def {name}(x):\n", f"def {name}(x):\n    x = {limit}\n")
        assert any(f"`x = {limit}`" in one.source for one in notebook.cells)
    reports = []
    for source in (cell, mended):
        names = {"np": np, "pi": math.pi, "sqrt": math.sqrt, "expit": expit}
        exec(inner.partition("\n\n\n")[0], names)
        exec(source.partition("\n\n\nconforms")[0], names)
        kernel, gradient = names["kernel"], names["gradient"]
        reports.append(conforms(kernel, "tanh", "float32", derivative=gradient))
    slope = "gelu_tanh_derivative"
    found = [(fault.of, fault.kind) for fault in reports[0].faults]
    assert found == [("gelu_tanh", "nan"), (slope, "nan"), (slope, "value")]
    assert reports[1].passed, reports[1]


@pytest.mark.parametrize(
    ("dtype", "limit", "fault"),
    [("float32", 15, None), ("float32", 5, "value"), ("float32", 99, "nan"), ("float64", 20, None),
     ("float64", 15, "value"), ("float16", 15, "nan")],
)  # fmt: skip
def test_the_vectors_show_a_limit_of_tanh_that_is_not_right(dtype, limit, fault):
    def kernel(x):
        s, k, most = (x.dtype.type(number) for number in (np.sqrt(2 / np.pi), 0.044715, limit))
        e = np.exp(2 * np.clip(s * (x + k * (x * x * x)), -most, most))
        return np.where(np.isneginf(x), -0 * s, x / 2 * (1 + (e - 1) / (e + 1)))

    found = {one.kind for one in conforms(kernel, "tanh", dtype).faults}
    assert found >= {fault} if fault else not found


def in_float16(x):
    """½x(1 + erf(x/√2)) with each operation rounded to float16."""
    factor = 1 + erf((x / np.sqrt(2).astype("f2")).astype(float)).astype("f2")
    return x / 2 * factor


def test_the_pair_with_the_least_largest_error_gives_fewer_right_results():
    best = best_constants(representable_in="bfloat16", written="factored").constants
    famous = np.array([np.sqrt(2 / np.pi), 0.044715])
    pairs = [famous, round_to(famous, "bfloat16"), [float(c) for c in best.values()]]
    x = all_finite("bfloat16").astype("f4")  # the kernel computes in float32
    x = x[(np.abs(x) >= 2.0**-6) & (np.abs(x) <= 4)]
    right = []
    for s, k in (np.asarray(pair, "f4") for pair in pairs):
        y = x / (1 + np.exp(-2 * s * (x + k * x**3)))
        right.append(np.sum(round_to(y, "bfloat16") == round_to(gelu(x.astype(float)), "bfloat16")))
    exact, rounded, searched = right
    assert exact > rounded > searched
