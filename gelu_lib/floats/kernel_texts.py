"""Kernels as text to paste: C, C++ and CUDA, Metal, WGSL and Triton, from the same lines.

``function_text(program, name, language)`` prints a ``Program`` as one function, a line a step;
``file_text(functions, language)`` is a whole file of them, with its head. In C, Metal and WGSL a
function takes and returns a float (``f32``), in Triton a tensor of float32: what calls it widens an
input of 16 bits, and rounds the result once.

Constants are hexadecimal floats. Those of Triton are decimal, each exactly the float32, because
Python has no such literals. C computes max(a, 0), a minimum and a saturation by comparisons, of
which compilers make vectors, where calls of ``fmaxf`` would stop them; on a GPU each is one
instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gelu_lib import __version__
from gelu_lib.floats.programs import Program, float32
from gelu_lib.floats.texts import hexadecimal
from gelu_lib.rows import DataError

TEMPLATES: Mapping[str, tuple[str, str, str, str]] = {
    "abs": ("fabsf({0})", "fabs({0})", "abs({0})", "tl.abs({0})"),
    "relu": ("gelu_relu({0})", "fmax({0}, 0.0f)", "max({0}, 0.0f)", "tl.maximum({0}, 0.0)"),
    "step": (
        "{0} > 0.0f ? 1.0f : 0.0f",
        "{0} > 0.0f ? 1.0f : 0.0f",
        "select(0.0f, 1.0f, {0} > 0.0f)",
        "tl.where({0} > 0.0, 1.0, 0.0)",
    ),
    "sat": (
        "gelu_saturate({0})",
        "saturate({0})",
        "saturate({0})",
        "tl.minimum(tl.maximum({0}, 0.0), 1.0)",
    ),
    "exp2": ("gelu_exp2({0})", "exp2({0})", "exp2({0})", "tl.exp2({0})"),
    "erfc": ("erfcf({0})", "", "", ""),
    "add": ("{0} + {1}",) * 4,
    "sub": ("{0} - {1}",) * 4,
    "mul": ("{0} * {1}",) * 4,
    "div": ("{0} / {1}",) * 4,
    "min": ("gelu_min({0}, {1})", "fmin({0}, {1})", "min({0}, {1})", "tl.minimum({0}, {1})"),
    "max": ("gelu_max({0}, {1})", "fmax({0}, {1})", "max({0}, {1})", "tl.maximum({0}, {1})"),
    "copysign": (
        "copysignf({0}, {1})",
        "copysign({0}, {1})",
        "bitcast<f32>((bitcast<u32>({0}) & 0x7fffffffu) | (bitcast<u32>({1}) & 0x80000000u))",
        "",
    ),
    "fma": (
        "fmaf({0}, {1}, {2})",
        "fma({0}, {1}, {2})",
        "fma({0}, {1}, {2})",
        "tl.fma({0}, {1}, {2})",
    ),
    "fnma": (
        "fmaf(-{0}, {1}, {2})",
        "fma(-{0}, {1}, {2})",
        "fma(-{0}, {1}, {2})",
        "tl.fma(-{0}, {1}, {2})",
    ),
    "ge": (
        "{0} >= {1} ? {2} : {3}",
        "{0} >= {1} ? {2} : {3}",
        "select({3}, {2}, {0} >= {1})",
        "tl.where({0} >= {1}, {2}, {3})",
    ),
}
"""An operation of ``programs.ARITIES`` in C, Metal, WGSL and Triton; empty where there is none."""

HEAD_OF_C = """\
// C11, C++17 or CUDA. fmaf is one instruction of every GPU, and of x86 with -mfma or -march=native.
#ifndef GELU_H
#define GELU_H
#include <math.h>

#ifdef __CUDACC__
#define GELU_FUNCTION static inline __host__ __device__
#else
#define GELU_FUNCTION static inline
#endif

#ifdef __CUDA_ARCH__
GELU_FUNCTION float gelu_exp2(float a) {  // flushes a power below 2^-126 to 0
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(a));
  return power;
}
GELU_FUNCTION float gelu_relu(float a) { return fmaxf(a, 0.0f); }
GELU_FUNCTION float gelu_saturate(float a) { return __saturatef(a); }
GELU_FUNCTION float gelu_min(float a, float b) { return fminf(a, b); }
GELU_FUNCTION float gelu_max(float a, float b) { return fmaxf(a, b); }
#else
GELU_FUNCTION float gelu_exp2(float a) { return exp2f(a); }
GELU_FUNCTION float gelu_relu(float a) { return a > 0.0f ? a : 0.0f; }
GELU_FUNCTION float gelu_saturate(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
GELU_FUNCTION float gelu_min(float a, float b) { return a < b ? a : b; }
GELU_FUNCTION float gelu_max(float a, float b) { return a > b ? a : b; }
#endif
"""

HEAD_OF_METAL = """\
// Those who print this have no Metal: it was neither compiled nor run.
#include <metal_stdlib>
using namespace metal;
"""


@dataclass(frozen=True)
class Language:
    """How a language writes a program.

    Attributes:
        file: the name of a file of kernels.
        comment: what begins a comment.
        literal: a float32 as a literal.
        function: its first line, with ``{name}``; a step, with ``{result}`` and ``{value}``; its
            end, with ``{result}``.
        operations: the value of each operation, with its operands as ``{0}``, ``{1}`` …
        around: what stands in a file before the functions, and after them.
    """

    file: str
    comment: str
    literal: Callable[[np.float32], str]
    function: tuple[str, str, str]
    operations: Mapping[str, str]
    around: tuple[str, str] = ("", "")


def _column(place: int) -> dict[str, str]:
    return {operation: row[place] for operation, row in TEMPLATES.items() if row[place]}


def _suffixed(constant: np.float32) -> str:
    return f"{hexadecimal(constant)}f"


IN_C = ("  const float {result} = {value};", "  return {result};\n}}")
IN_WGSL = ("  let {result} = {value};", "  return {result};\n}}")
LANGUAGES: Mapping[str, Language] = {
    "C": Language(
        "gelu.h",
        "//",
        _suffixed,
        ("GELU_FUNCTION float {name}(float x) {{", *IN_C),
        _column(0),
        (HEAD_OF_C, "#endif\n"),
    ),
    "Metal": Language(
        "gelu.metal",
        "//",
        _suffixed,
        ("inline float {name}(float x) {{", *IN_C),
        _column(1),
        (HEAD_OF_METAL, ""),
    ),
    "WGSL": Language(
        "gelu.wgsl",
        "//",
        _suffixed,
        ("fn {name}(x: f32) -> f32 {{", *IN_WGSL),
        _column(2),
    ),
    "Triton": Language(
        "gelu_triton.py",
        "#",
        lambda constant: repr(float(constant)),
        ("@triton.jit\ndef {name}(x):", "    {result} = {value}", "    return {result}"),
        _column(3),
        ("import triton\nimport triton.language as tl\n", ""),
    ),
}
"""The languages by name; C is C++ and CUDA, too."""


def function_text(program: Program, name: str, language: Language, comment: str = "") -> str:
    """A program as a function in a language.

    Args:
        program: of a float32, x.
        name: of the function.
        language: one of ``LANGUAGES``.
        comment: what is said above it; its lines are kept.

    Raises:
        DataError: if the language has no such operation, which is named.
    """
    opening, middle, closing = language.function
    lines = [f"{language.comment} {line}".rstrip() for line in comment.splitlines()]
    lines.append(opening.format(name=name))
    for step in program.steps:
        if step.operation not in language.operations:
            accepted = ", ".join(language.operations)
            raise DataError(
                f"{name}: {step.operation} is not in {language.file}; it has {accepted}"
            )
        operands = [
            operand if operand.isidentifier() else language.literal(float32(operand))
            for operand in step.operands
        ]
        value = language.operations[step.operation].format(*operands)
        lines.append(middle.format(result=step.result, value=value))
    return "\n".join([*lines, closing.format(result=program.steps[-1].result)]) + "\n"


def file_text(functions: Mapping[str, tuple[Program, str]], language: Language) -> str:
    """A file of functions, by name, each a program and a comment, under licence and version."""
    head = (
        f"{language.comment} {language.file}: kernels of GELU, by gelu_lib {__version__}.\n"
        f"{language.comment} SPDX-License-Identifier: MIT. Copyright: The gelu_lib book authors.\n"
    )
    before, after = language.around
    printed = [
        function_text(program, name, language, comment)
        for name, (program, comment) in functions.items()
    ]
    return "\n".join(filter(None, [head, before, *printed, after]))
