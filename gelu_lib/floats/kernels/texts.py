"""Kernels as text to paste: C, C++ and CUDA, Metal, WGSL and Triton, from the same programs.

``function_text(program, name, language)`` prints a ``KernelProgram`` as one function, line by line;
``kernel_file(language)`` is the file that the site offers, with the usual forms and the kernels of
the data file. In C, Metal and WGSL a function takes and returns a float (``f32``), in Triton a
tensor of float32: what calls it widens an input of 16 bits, and rounds the result once. What a
language writes for each operation is in ``data/languages.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import cache
from types import MappingProxyType

import gelu_lib._proofs

import numpy as np
import sympy as sp

from gelu_lib import __version__
from gelu_lib.floats.kernels.judging import PolynomialKernel, kernels, prices
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels.programs import KernelProgram, float32
from gelu_lib.floats.texts import hexadecimal, nearest
from gelu_lib.register import result
from gelu_lib.rows import DataError, contents, filled


@dataclass(frozen=True)
class Language:
    """How a language writes a program; the fields are those of the data file, where they stand."""

    id: str
    file: str
    comment: str
    literal: str
    function: tuple[str, str, str]
    operations: Mapping[str, str]
    head: str = ""
    tail: str = ""


@cache
def languages() -> Mapping[str, Language]:
    """The languages by name: C, which is C++ and CUDA too, Metal, WGSL and Triton."""
    return MappingProxyType(
        {id: filled(Language, id, fields) for id, fields in contents("languages.toml").items()}
    )


def function_text(program: KernelProgram, name: str, language: Language, comment: str = "") -> str:
    """A program as a function in a language.

    Args:
        program: of a float32, x.
        name: of the function.
        language: one of ``languages()``.
        comment: what is said above it; its lines are kept.

    Raises:
        DataError: if the language has no such operation, which is named.
    """
    first, middle, end = language.function
    lines = [f"{language.comment} {line}".rstrip() for line in comment.splitlines()]
    lines.append(first.format(name=name))
    for step in program.steps:
        if step.operation not in language.operations:
            had = ", ".join(language.operations)
            raise DataError(f"{name}: {language.id} has no {step.operation}; accepted are {had}")
        operands = [
            operand if operand.isidentifier() else _literal(operand, language)
            for operand in step.operands
        ]
        value = language.operations[step.operation].format(*operands)
        lines.append(middle.format(result=step.result, value=value))
    return "\n".join([*lines, end.format(result=program.steps[-1].result)]) + "\n"


def _literal(operand: str, language: Language) -> str:
    """A numeral of a program, to the last bit; a decimal that is a float32 stays one."""
    constant = float32(operand)
    decimal = repr(float(constant))
    kept = "0x" not in operand and float(operand) == constant
    return language.literal.format(
        hexadecimal=decimal if kept else hexadecimal(constant), decimal=decimal
    )


def kernel_file(language: Language) -> str:
    """The usual forms, if a language has their operations, and all kernels with what is proved."""
    head = (
        f"{language.comment} {language.file} of gelu_lib {__version__}: kernels of GELU.\n"
        f"{language.comment} SPDX-License-Identifier: MIT. Copyright: The gelu_lib book authors.\n"
        f"{language.comment} In float32: widen an input of 16 bits, and round the result once.\n"
    )
    functions = {
        name: (program, comment)
        for name, (program, comment) in usual_forms().items()
        if all(step.operation in language.operations for step in program.steps)
    } | {function_name(one): (one.program, description(one)) for one in kernels().values()}
    texts = [
        function_text(program, name, language, comment)
        for name, (program, comment) in functions.items()
    ]
    return "\n".join(filter(None, [head, language.head, *texts, language.tail]))


def function_name(kernel: PolynomialKernel) -> str:
    """The function of a kernel: ``gelu_within_2p42e_7`` if its error is at most 2.42e-7."""
    what = f"within {kernel.demand}" if re.match(r"\d", kernel.demand) else kernel.id
    return "gelu_" + re.sub(r"\W", "_", what.replace(".", "p"))


def description(kernel: PolynomialKernel) -> str:
    """What a kernel computes, what it costs, and what is proved of it, in lines of ASCII."""
    computed = "GELU'" if kernel.name == "gelu_derivative" else "GELU"
    formula, degree = _plain(KERNEL_FORMS[kernel.form].tex), kernel.degree
    limit = f", |x| at most {kernel.clamp}" if kernel.clamp else ""
    slots = kernel.program.slots(prices())
    lines = [f"{computed} as {formula}, degree {degree}{limit}; {slots} issue slots."]
    proved = {
        "nearest": f"Every normal result is the nearest {kernel.dtype}",
        "faithful": f"Every result is one of the two {kernel.dtype} around the exact value",
    }
    lines.append(proved.get(kernel.demand) or f"No error exceeds {_three_digits(kernel.demand)}")
    if kernel.exp2_error is not None:
        lines.append(f"if exp2 errs by at most 2^{kernel.exp2_error} of itself")
    elif any(step.operation == "exp2" for step in kernel.program.steps):
        lines.append("if exp2 is the nearest float32")
    ends = kernel.program(np.float32([np.nan, np.inf, -np.inf]))
    far = ", ".join("nan" if np.isnan(end) else f"{end + 0.0:.2g}" for end in ends)
    return "\n".join(lines) + f".\nAt nan, inf and -inf: {far}."


def _three_digits(demand: str) -> str:
    """The error that is allowed; that of a result is rounded up."""
    try:
        most = result(demand).enclosure[1]
    except KeyError:
        return demand
    return f"{Context(prec=3, rounding=ROUND_CEILING).create_decimal(most):e}"


def _plain(tex: str) -> str:
    """The formula of a form without TeX."""
    for pattern, plain in (
        (r"\\operatorname\{(\w+)\}", r" \1"),
        (r"\\tfrac1\{?(\d+)\}?", r"1/\1 "),
        (r"\\(?:bigl|bigr|big)|[{}]", ""),
        (r"\\max", "max"),
        (r"(?:\\,| )+", " "),
    ):
        tex = re.sub(pattern, plain, tex)
    return tex


def usual_forms() -> Mapping[str, tuple[KernelProgram, str]]:
    """The three forms as programs that neither cancel nor overflow, each with a comment, by name.

    The exact form takes erfc, because 1 + erf has no digits left of 0, and halves x first. The tanh
    form is x σ(2u) for the same reason; where its power of 2 overflows, the result is 0.
    """
    linear = 2 * sp.sqrt(2 / sp.pi) / sp.log(2)
    numbers = {
        "root": 1 / sp.sqrt(2),
        "linear": linear,
        "cubic": linear * sp.Rational("0.044715"),
        "scale": sp.Rational("1.702") / sp.log(2),
    }
    constants = {name: hexadecimal(nearest(number, np.float32)) for name, number in numbers.items()}
    sigmoid = "e = exp2 w\nd = add e 1\ny = div x d"
    forms = {
        "gelu_exact": (
            "h = mul x 0.5\nu = mul x -{root}\nc = erfc u\ny = mul h c",
            "GELU as (x/2) erfc(-x / sqrt(2)), where 1 + erf would cancel.",
        ),
        "gelu_tanh": (
            f"s = mul x x\nt = fma s -{{cubic}} -{{linear}}\nw = mul x t\n{sigmoid}",
            "The tanh form as x sigma(2 u), u = sqrt(2/pi) (x + 0.044715 x^3), without 1 + tanh.",
        ),
        "gelu_sigmoid": (f"w = mul x -{{scale}}\n{sigmoid}", "The sigmoid form, x sigma(1.702 x)."),
    }
    return {
        name: (KernelProgram.read(lines.format(**constants)), comment)
        for name, (lines, comment) in forms.items()
    }
