"""``{own-gpu}``: a button that has the reader's own GPU run kernels at every input of 16 bits.

The kernels are those of the library that shall be faithful, printed in WGSL from their programs.
What is allowed at each input, and at which a machine that flushes subnormal numbers to 0 can lose
it, is computed here and packed into the script ``own-gpu-data.js``, for ``own-gpu.js``.
"""

from __future__ import annotations

from itertools import groupby, product
from typing import Any

import numpy as np
from page_scripts import directive, rendered, write_data
from sphinx.application import Sphinx

from gelu_lib.floats.gates import neighbours
from gelu_lib.floats.kernels.judging import PolynomialKernel, kernels
from gelu_lib.floats.kernels.programs import Machine
from gelu_lib.floats.kernels.texts import function_name, function_text, languages
from gelu_lib.floats.types import all_finite, float_type, ordinal, round_to

EXP2_ERROR = (3 + 2 * 126) * 2.0**-23
"""What WGSL allows exp2 at q is 3 + 2·|q| ULP; this is so much, relative, at q = −126."""
FLUSHING = tuple(
    Machine(fused, flushes=True, exp2_error=error)
    for fused, error in product((True, False), (-EXP2_ERROR, EXP2_ERROR))
)
"""Machines that flush, with fused operations or without, at both ends of what WGSL has for exp2."""


def shown() -> list[PolynomialKernel]:
    """The kernels that the button runs."""
    return [
        kernel
        for kernel in kernels().values()
        if (kernel.demand, kernel.name) == ("faithful", "gelu")
    ]


def inputs(dtype: str) -> np.ndarray:
    """Every finite number of a type but 0, ascending."""
    return all_finite(dtype)[all_finite(dtype) != 0]


def places_below(dtype: str) -> np.ndarray:
    """The place of the float just below GELU(x), for each of the inputs; the next one is above."""
    return neighbours(dtype)[0][all_finite(dtype) != 0]


def is_faithful(results: np.ndarray, dtype: str) -> np.ndarray:
    """Which float32, one for each of the inputs, are next to the exact value when rounded once."""
    return np.isin(ordinal(round_to(results, dtype)) - places_below(dtype), (0, 1))


def lost(kernel: PolynomialKernel) -> np.ndarray:
    """At which inputs a machine that flushes subnormal numbers to 0 can be unfaithful."""
    results = [kernel.program(inputs(kernel.dtype), machine) for machine in FLUSHING]
    return ~np.all([is_faithful(each, kernel.dtype) for each in results], axis=0)


# ---- What the script needs


def packed(numbers: np.ndarray) -> list[int]:
    """The first number, then each difference and how often it follows."""
    steps = [(step, len(list(group))) for step, group in groupby(np.diff(numbers).tolist())]
    return [int(numbers[0]), *(number for step in steps for number in step)]


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The first and the last index of each run of inputs that are flagged."""
    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False)).tolist()
    return [(first, end - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def type_data(dtype: str) -> dict[str, Any]:
    """A type as the script knows it, with the floats just below the exact values."""
    kind = float_type(dtype)
    return {
        "digits": kind.digits,
        "least": kind.least_exponent,
        "last": int(ordinal(inputs(dtype)[-1])),
        "below": packed(places_below(dtype)),
    }


def kernel_data(kernel: PolynomialKernel) -> dict[str, Any]:
    """A kernel in WGSL, and what flushing can lose."""
    name = function_name(kernel)
    return {
        "id": kernel.id,
        "type": kernel.dtype,
        "name": name,
        "text": function_text(kernel.program, name, languages()["WGSL"]),
        "lost": runs(lost(kernel)),
    }


def data() -> dict[str, Any]:
    """What the script needs: the types and the kernels."""
    dtypes = dict.fromkeys(kernel.dtype for kernel in shown())
    return {"types": {d: type_data(d) for d in dtypes}, "kernels": [*map(kernel_data, shown())]}


def markup() -> str:
    """The button and the place of its answer, as HTML."""
    return rendered("own-gpu")


def write_kernels(app: Sphinx) -> None:
    """Put the data into the site."""
    if app.builder.format == "html":
        write_data(app, "own-gpu-data.js", "OWN_GPU", data())


def setup(app: Sphinx) -> None:
    app.add_directive("own-gpu", directive(markup))
    app.connect("builder-inited", write_kernels)
