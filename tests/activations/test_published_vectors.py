"""The test vectors on the site: their files against Arb, mpmath, the library and their README."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from itertools import cycle, product
from pathlib import Path

import numpy as np
import pytest
import vector_inputs as choice
import write_test_vectors as tool
from kinds import slow_but

import gelu_lib
from gelu_lib import activations
from gelu_lib.activations import gaussian, logistic
from gelu_lib.floats.types import FLOAT_TYPES, float_type, ordinal
from gelu_lib.floats.ulp import ERROR_FUNCTIONS, correctly_rounded, measured_errors
from gelu_lib.provenance.callables.vectors import COLUMNS, read_columns, vectors

NAMES, TYPES = list(ERROR_FUNCTIONS), list(FLOAT_TYPES)
NARROW, WIDE = ["float16", "bfloat16"], ["float64", "float32"]
RECORD = measured_errors()
README = (tool.FOLDER / "README.txt").read_text(encoding="utf-8")
SEED = 20160627

every_function = pytest.mark.parametrize("name", NAMES)


chosen_inputs = cache(choice.inputs)


def bits(floats: np.ndarray) -> np.ndarray:
    return floats.view(f"u{floats.dtype.itemsize}")


@pytest.mark.parametrize("dtype", slow_but(NARROW.__contains__, TYPES))
def test_the_inputs_are_those_that_the_tool_chooses(dtype: str) -> None:
    assert np.array_equal(bits(vectors(dtype)["x"]), bits(chosen_inputs(dtype)))


@pytest.mark.parametrize("dtype", NARROW)
def test_at_16_bits_every_input_but_nan_stands_once(dtype: str) -> None:
    every = np.arange(2**16, dtype=np.uint16)
    with np.errstate(invalid="ignore"):  # signalling nan
        numbers = every[~np.isnan(every.view(float_type(dtype).dtype).astype(np.float64))]
    assert np.array_equal(np.sort(bits(vectors(dtype)["x"])), numbers)


@pytest.mark.parametrize("dtype", slow_but(["float32", "bfloat16"].__contains__, TYPES))
def test_the_results_are_what_arb_says(dtype: str) -> None:
    rows = np.arange(vectors(dtype)["x"].size)
    if dtype in NARROW:  # the others are compared with the library, all of whose results are right
        rows = np.random.default_rng(SEED).choice(rows, 1000, replace=False)
    columns = vectors(dtype)
    for name in NAMES:
        expected = bits(tool.outputs(name, columns["x"][rows]))
        wrong = rows[bits(columns[name][rows]) != expected]
        assert wrong.size == 0, f"{name} in line {wrong[0] + 2}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("gelu_tanh ", "tanh ", 1), "the columns are"),
        (lambda text: text[:-2] + "\n", "of bfloat16"),
        (lambda text: text + "3f80 3f80\n", "of bfloat16"),
    ],
)
def test_a_file_of_another_form_is_refused(change, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_columns(change(tool.stored("bfloat16")), "bfloat16")


def test_the_check_sums_the_seams_and_the_readme_are_those_of_the_files() -> None:
    assert tool.SUMS.read_text(encoding="utf-8") == tool.sums()
    functions = [
        gaussian.GELU_VALUE,
        gaussian.GELU_DERIVATIVE,
        logistic.TANH_VALUE,
        logistic.TANH_DERIVATIVE,
    ]
    functions += [logistic.SIGMOID_VALUE, logistic.SIGMOID_DERIVATIVE]
    evaluations = [e for function in functions for e in (function.wide, function.narrow)]
    assert {seam for e in evaluations for seam in (e.near, e.end)} == set(choice.SEAMS)
    for dtype in TYPES:
        assert f"{tool.file_of(dtype).name:22}{vectors(dtype)['x'].size:6} rows" in README
    assert f"gelu_lib {gelu_lib.__version__}." in README
    assert "  ".join(COLUMNS) in README
    assert f"for each function {choice.HARDEST} inputs" in README
    program = code_below("How to use them in Python") + "\nprint(vectors['gelu'].tobytes().hex())"
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, cwd=tool.FOLDER, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == vectors("float32")["gelu"].tobytes().hex()


def test_the_tool_leaves_a_file_alone_that_says_the_same(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    tool.store("float16", "a\nb\n")
    before = tool.file_of("float16").read_bytes()
    tool.store("float16", "a\nb\n")
    assert tool.file_of("float16").read_bytes() == before
    tool.store("float16", "a\nc\nd\n")
    assert tool.stored("float16") == "a\nc\nd\n"
    assert capsys.readouterr().out.splitlines() == [
        "gelu-float16.txt.gz: 2 new lines, 0 lines gone",
        "gelu-float16.txt.gz: unchanged",
        "gelu-float16.txt.gz: 2 new lines, 1 lines gone",
    ]


@pytest.mark.parametrize("dtype", NARROW)
@every_function
def test_at_16_bits_the_library_gives_the_vectors(name: str, dtype: str) -> None:
    found = getattr(activations, name)(vectors(dtype)["x"])
    assert np.array_equal(bits(found), bits(vectors(dtype)[name]))


def steps_apart(name: str, dtype: str) -> np.ndarray:
    """How many floats the library's results are from the vectors; signs of zero must agree."""
    found, expected = getattr(activations, name)(vectors(dtype)["x"]), vectors(dtype)[name]
    assert np.array_equal(np.signbit(found), np.signbit(expected))
    return np.abs(ordinal(found) - ordinal(expected))


@every_function
def test_where_types_are_wide_the_library_is_as_near_to_the_vectors_as_it_says(name: str) -> None:
    steps = steps_apart(name, "float32")
    assert steps.max() <= 1
    assert np.count_nonzero(steps) <= choice.HARDEST  # few but those next to a midpoint
    sides = RECORD["float64"][name]
    worst = max(sides[side]["largest ULP"] for side in ("left", "right"))
    # half a unit is in the rounding of the vector, and half is granted to another exp
    assert steps_apart(name, "float64").max() <= worst + 1


@pytest.mark.parametrize("dtype", WIDE)
@every_function
def test_results_of_every_kind_are_there(name: str, dtype: str) -> None:
    kind = float_type(dtype)
    size = np.abs(vectors(dtype)[name].astype(np.float64))
    assert np.count_nonzero((size > 0) & (size < 2.0**kind.least_exponent)) > 50
    assert np.count_nonzero(size == 0) > 10
    assert np.count_nonzero(np.isfinite(size) & (size >= 2.0**kind.least_exponent)) > 1500


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("name", NAMES[3:])
def test_the_zeros_of_the_derivatives_are_met_float_by_float(name: str, dtype: str) -> None:
    x, y = vectors(dtype)["x"], vectors(dtype)[name]
    change = np.flatnonzero((y[:-1] < 0) & (y[1:] > 0))
    assert change.size == 1
    assert np.all(np.diff(ordinal(x[change[0] - 10 : change[0] + 12])) == 1)


@pytest.mark.parametrize(
    ("name", "dtype"),
    slow_but([*zip(NAMES[1:4], cycle(WIDE), strict=False)].__contains__, product(NAMES, WIDE)),
)
def test_hard_cases_are_there(name: str, dtype: str) -> None:
    x, y = (vectors(dtype)[column].astype(np.float64) for column in ("x", name))
    kind = float_type(dtype)
    inner = (np.abs(x) > 2.0**-20) & (x < 6) & (np.abs(y) >= 2.0**kind.least_exponent)
    distances = [choice.distance_from_midpoint(name, v, kind) for v in x[inner].tolist()]
    assert np.count_nonzero(np.array(distances) < 1e-5) >= choice.HARDEST


@pytest.mark.parametrize("dtype", WIDE)
@pytest.mark.parametrize("start", slow_but([-3.1, 0.3].__contains__, [-3.1, -0.8, 0.3, 2.5]))
@every_function
def test_the_search_finds_the_value_next_to_a_midpoint(name: str, start: float, dtype: str) -> None:
    kind, length = float_type(dtype), 256
    first = int(ordinal(np.array(start, kind.dtype))) // length * length
    places = np.arange(first, first + length)
    floats = choice.from_ordinal(places, dtype).astype(np.float64).tolist()
    distances = [choice.distance_from_midpoint(name, x, kind) for x in floats]
    assert choice.next_to_midpoint(name, first, length, kind) == places[np.argmin(distances)]


def code_below(title: str) -> str:
    """The lines with two spaces before them, below a title of the README."""
    lines = README[README.index(title) :].splitlines()[2:]
    end = next((i for i, line in enumerate(lines) if not line), len(lines))
    return "\n".join(line[2:] for line in lines[:end])


C_PROGRAM = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static float my_gelu(float x) {{ return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }}
int main(void) {{ {} return 0; }}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_lines_of_c_in_the_readme_compile_and_find_a_wrong_formula(tmp_path: Path) -> None:
    source, program = tmp_path / "check.c", tmp_path / "check"
    source.write_text(C_PROGRAM.format(code_below("How to use them in C")), encoding="utf-8")
    subprocess.run(["cc", "-Wall", "-Werror", source, "-o", program, "-lm"], check=True)
    rows = tool.stored("float32").partition("\n")[2]
    found = subprocess.run([program], input=rows, capture_output=True, text=True, check=True).stdout
    lines = found.splitlines()
    assert "gelu(-0x1p+3) is" in found  # it has vanished there
    assert 0 < len(lines) < vectors("float32")["x"].size
    x = float.fromhex(lines[0].partition("(")[2].partition(")")[0])
    stated = float.fromhex(lines[0].partition(" is ")[2].partition(",")[0])
    assert stated == correctly_rounded("gelu", x, "float32")
