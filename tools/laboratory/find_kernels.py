"""Find cheap kernels of GELU, and inputs that refute cheaper ones, for gelu_lib/data/kernels.toml.

    .venv/bin/python tools/laboratory/find_kernels.py

prints the tables of kernels and refutations as TOML, in about five minutes. For each form a gate
of the result is one of the polynomial, so "is there a polynomial of this degree?" is a linear
program. Where there is none, its dual names the inputs that forbid it. Floats are good enough here:
the library judges each kernel at all inputs, and proves each refutation, when it reads the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from scipy.optimize import linprog

from gelu_lib.activations import gelu, gelu_derivative
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats import kernels as library
from gelu_lib.floats.gates import DEMANDS, Gates, gates, share_gates
from gelu_lib.floats.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels import Kernel, Refutation, prove_refuted
from gelu_lib.floats.texts import hexadecimal
from gelu_lib.floats.types import all_finite
from flint import arb

NEAR_0 = {"float16": 2.0**-13, "bfloat16": 2.0**-11, "float32": 2.0**-9}
"""Smaller inputs demand less than those from here on."""
ROUNDS = 60


@dataclass(frozen=True)
class Polynomials:
    """Gates of a polynomial: places, and between which numbers it must be at each of them."""

    a: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def until(self, end: float) -> Polynomials:
        kept = self.a <= end
        return Polynomials(self.a[kept], self.low[kept], self.high[kept])
