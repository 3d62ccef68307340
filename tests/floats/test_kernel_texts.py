"""Kernels as text: what each language prints is the program, bit for bit where it can be run."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gelu_lib.floats.kernels.judging import SIXTEEN_BITS, judged, kernels
from gelu_lib.floats.kernels.programs import KernelProgram, float32, fused
from gelu_lib.floats.kernels.texts import (
    function_name,
    function_text,
    kernel_file,
    languages,
    usual_forms,
)
from gelu_lib.floats.types import float_type
from gelu_lib.rows import DataError

EVERY_STEP = KernelProgram.read("""
    a = abs x
    b = min a 14
    q = fma -0x1.a3b7bep-22 b 0.1
    e = exp2 q
    s = sat q
    t = step x
    g = ge a 1 s t
    d = div g a
    i = rcp d
    m = mul e i
    r = relu x
    w = sub m r
    u = add w 0.5
    v = max u e
    y = fnma b v r
""")
ALSO_IN_C = KernelProgram.read("""
    a = exp x
    b = tanh x
    c = erf x
    d = add a b
    e = add c d
    y = copysign e x
""")
PROGRAMS = {function_name(kernel): kernel.program for kernel in kernels().values()} | {
    name: program for name, (program, _) in usual_forms().items()
}
"""What the files have, by function."""
STEPS = {"every_step": EVERY_STEP, "also_in_c": ALSO_IN_C}
INPUTS = np.concatenate(
    [
        np.arange(2**16, dtype=np.uint16).view(float_type(name).dtype).astype(np.float32)
        for name in SIXTEEN_BITS
    ]
)
"""All floats of both types of 16 bits, with both infinities and every nan."""


C = languages()["C"]


def same(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where two arrays have the same float32; one nan is as good as another."""
    return (one.view(np.uint32) == other.view(np.uint32)) | (np.isnan(one) & np.isnan(other))


# --- the text


@pytest.mark.parametrize("language", languages().values(), ids=languages())
def test_a_function_has_a_line_a_step_and_its_constants_to_the_last_bit(language):
    text = function_text(EVERY_STEP, "gelu_try", language, "First line.\n\nThird line.")
    lines = text.splitlines()
    assert lines[:2] == [f"{language.comment} First line.", language.comment]
    assert sum(" = " in line for line in lines) == len(EVERY_STEP.steps)
    line = next(line for line in lines if " q = " in line)
    found = re.findall(r"(?<![\w.])-?\d[\w.+-]*", line)
    constants = [float32(one.removesuffix("f")) for one in found]
    assert constants == [float32("-0x1.a3b7bep-22"), float32("0.1")]


@pytest.mark.parametrize("language", languages().values(), ids=languages())
def test_a_file_names_licence_and_version_and_each_function_once_with_what_is_proved(language):
    text = kernel_file(language)
    head = text.splitlines()[:2]
    assert re.search(r"gelu_lib \d+\.\d+", head[0]) and "MIT" in head[1]
    named = re.findall(r"(?:float|fn|def) (gelu_\w+)\((?:float x|x: f32|x)\)", text)
    missing = set() if language.id == "C" else {"gelu_exact"}
    assert sorted(named) == sorted(PROGRAMS.keys() - missing)
    assert f"{language.comment} No error exceeds 2.42e-7." in text
    assert missing == set() or "gelu_within_2p42e_7 stands for the exact form" in text
    assert text.isascii() and max(map(len, text.splitlines())) <= 100
    assert "\\" not in text.replace("\\n", "")


def test_what_a_language_cannot_do_is_refused():
    program = KernelProgram.read("c = erfc x\ny = mul x c")
    for name, language in languages().items():
        if name != "C":
            with pytest.raises(DataError, match=f"f: {name} has no erfc; accepted are add, sub"):
                function_text(program, "f", language)
    assert "erfcf(x)" in function_text(program, "f", C)


# --- C, compiled and run

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(not GCC, reason="there is no gcc to compile gelu.h")
AS_C, AS_CPP = ["-std=c11"], ["-xc++", "-std=c++17"]
STRICT = ["-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
LOOP = """
#ifdef __cplusplus
extern "C"
#endif
void run_{0}(const float *x, float *y, long n) {{
  for (long i = 0; i < n; i++) y[i] = {0}(x[i]);
}}
"""


NEAREST = """
#include <math.h>
#define exp2f(a) ((float)exp2((double)(a)))
#define expf(a) ((float)exp((double)(a)))
#define tanhf(a) ((float)tanh((double)(a)))
#define erff(a) ((float)erf((double)(a)))
#define erfcf(a) ((float)erfc((double)(a)))
"""
"""In front of a file: each function is the nearest float, as a program has it."""


def compiled(text: str, folder: Path, *options: str) -> dict[str, KernelProgram]:
    """The functions of a text in C by name, each called as a program is."""
    names = re.findall(r"float (\w+)\(float x\)", text)
    source, library = folder / "loops.c", folder / f"{abs(hash(text))}.so"
    source.write_text(text + "".join(map(LOOP.format, names)))
    command = [GCC, *STRICT, *options, "-shared", "-fPIC", "-o", library, source, "-lm"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(library))

    def called(name: str, x: np.ndarray) -> np.ndarray:
        x = np.ascontiguousarray(x, np.float32)
        y = np.empty_like(x)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, y)]
        loaded[f"run_{name}"](*pointers, ctypes.c_long(x.size))
        return y

    return {name: lambda x, machine=None, name=name: called(name, x) for name in names}


def differing(functions: dict[str, KernelProgram]) -> set[str]:
    """The functions with another result than their program has at one of ``INPUTS``."""
    every = PROGRAMS | STEPS
    return {
        name for name, run in functions.items() if not same(run(INPUTS), every[name](INPUTS)).all()
    }


@needs_gcc
@pytest.mark.parametrize("options", [AS_C, AS_CPP], ids=["C", "C++"])
def test_gelu_h_has_the_bits_of_its_programs_at_all_inputs(options, tmp_path):
    steps = "".join(function_text(program, name, C) for name, program in STEPS.items())
    text = kernel_file(C).removesuffix(C.tail) + steps + C.tail
    functions = compiled(NEAREST + text, tmp_path, *options)
    assert functions.keys() == PROGRAMS.keys() | STEPS.keys()
    assert differing(functions) == set()


@needs_gcc
@pytest.mark.parametrize(
    ("operation", "template"),
    [
        ("fma", "{0} * {1} + {2}"),
        ("fnma", "{2} - {0} * {1}"),
        ("relu", "{0} >= 0.0f ? {0} : 0.0f"),
        ("min", "{1} < {0} ? {1} : {0}"),
        ("step", "{0} >= 0.0f ? 1.0f : 0.0f"),
        ("ge", "{0} > {1} ? {2} : {3}"),
        ("copysign", "copysignf({0}, -{1})"),
    ],
)
def test_another_template_gives_other_bits(operation, template, tmp_path):
    other = replace(C, operations=dict(C.operations) | {operation: template})
    text = "".join(
        function_text(program, name, other) for name, program in (PROGRAMS | STEPS).items()
    )
    assert differing(compiled(NEAREST + C.head + text + C.tail, tmp_path, *AS_C))


@needs_gcc
def test_with_the_powers_of_the_c_library_each_kernel_meets_its_demand(tmp_path):
    functions = compiled(kernel_file(C), tmp_path, *AS_C)
    for kernel in kernels().values():
        run = functions[function_name(kernel)]
        if kernel.dtype in SIXTEEN_BITS:
            nearest = kernel.demand == "nearest"
            found = judged(run, kernel.dtype, name=kernel.name, normal_only=nearest)
            assert getattr(found, kernel.demand) == found.inputs, kernel.id


FLUSHING = """
#include <math.h>
static float flushed(float a) { return a < 0x1p-126f ? 0.0f : a; }
#define exp2f(a) flushed((float)exp2((double)(a)))
"""
"""In front of a file: exp2 as the instruction of a GPU has it."""


@needs_gcc
def test_where_exp2_flushes_the_scaled_kernels_keep_what_the_others_lose_near_minus_13(tmp_path):
    functions = compiled(FLUSHING + kernel_file(C), tmp_path, *AS_C)
    found = {
        name: judged(functions[name], "bfloat16", normal_only=True)
        for name in functions
        if name.startswith("gelu_bfloat16") and "derivative" not in name
    }
    lost = {name: one.inputs - one.faithful for name, one in found.items()}
    assert {name: count for name, count in lost.items() if count} == {
        "gelu_bfloat16_faithful": 3,
        "gelu_bfloat16_faithful_adapted": 3,
        "gelu_bfloat16_faithful_limited": 3,
        "gelu_bfloat16_nearest": 3,
    }
    assert {found[name].worst for name in lost if lost[name]} == {-13.0}
    assert {"gelu_bfloat16_faithful_scaled", "gelu_bfloat16_nearest_scaled"} < lost.keys()


# --- the other languages, as far as something here can read them

METAL_IN_CPP = """
#include <math.h>
#define exp2(a) ((float)exp2((double)(a)))
namespace metal {
inline float saturate(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
}
"""


@needs_gcc
def test_gelu_metal_has_the_bits_of_its_programs_when_it_is_read_as_cpp(tmp_path):
    (tmp_path / "metal_stdlib").write_text(METAL_IN_CPP)
    text = kernel_file(languages()["Metal"])
    assert differing(compiled(text, tmp_path, *AS_CPP, f"-I{tmp_path}")) == set()


NUMPY_AS_TRITON = SimpleNamespace(
    abs=np.abs,
    maximum=np.fmax,
    minimum=np.fmin,
    where=lambda *given: np.where(*given).astype(np.float32),
    exp2=lambda a: np.exp2(np.float64(a)).astype(np.float32),
    fma=lambda *given: fused(*map(np.float32, given)),
)


def test_gelu_triton_has_the_values_of_its_programs_when_numpy_stands_for_triton():
    text = kernel_file(languages()["Triton"])
    body = text.replace("import triton\nimport triton.language as tl\n", "")
    jit = SimpleNamespace(jit=lambda function: function)
    names = {"triton": jit, "tl": NUMPY_AS_TRITON}
    with np.errstate(all="ignore"):
        exec(body, names)
        for name, program in PROGRAMS.items():
            if name in names:
                assert np.array_equal(names[name](INPUTS), program(INPUTS), equal_nan=True), name


INTERPRETED = """
import sys, numpy, torch, triton, triton.language as tl
import gelu_triton

@triton.jit
def run(x, y, function: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, function(tl.load(x + at)))

x = torch.from_numpy(numpy.load("inputs.npy"))
results = {}
for name in filter(lambda name: name.startswith("gelu_"), dir(gelu_triton)):
    y = torch.empty_like(x)
    run[(len(x) // 1024,)](x, y, getattr(gelu_triton, name), 1024)
    results[name] = y.numpy()
numpy.savez("results.npz", **results)
"""


def test_gelu_triton_meets_the_demands_by_the_interpreter_of_triton(tmp_path):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    (tmp_path / "gelu_triton.py").write_text(kernel_file(languages()["Triton"]))
    (tmp_path / "run.py").write_text(INTERPRETED)
    np.save(tmp_path / "inputs.npy", INPUTS)
    environment = os.environ | {"TRITON_INTERPRET": "1"}
    command = [sys.executable, "run.py"]
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    results = np.load(tmp_path / "results.npz")
    for name, program in PROGRAMS.items():
        if name != "gelu_exact":
            # its exp2 is NumPy's in float32, which errs by more than half a unit
            assert np.allclose(results[name], program(INPUTS), rtol=2.0**-20, equal_nan=True), name


def test_gelu_wgsl_has_lines_functions_and_literals_of_wgsl_alone():
    wgsl = languages()["WGSL"]
    text = kernel_file(wgsl) + function_text(EVERY_STEP, "f", wgsl)
    lines = [line for line in text.splitlines() if line and not line.startswith("//")]
    shapes = re.compile(r"fn \w+\(x: f32\) -> f32 \{|  let [a-z]\d? = [^?;]+;|  return y;|\}")
    assert [line for line in lines if not shapes.fullmatch(line)] == []
    steps = "\n".join(line for line in lines if line.startswith("  let"))
    called = set(re.findall(r"\w+(?=\()", steps))
    assert called == {"abs", "exp2", "fma", "max", "min", "saturate", "select"}
    literal = re.compile(r"0x1(\.[0-9a-f]+)?p-?\d+f|\d+\.\d+f")  # an f without p were a digit
    assert all(literal.fullmatch(one) for one in re.findall(r"\b\d[\w.]*(?:(?<=p)-\w+)?", steps))
