"""Find cheap kernels of GELU, and inputs that refute cheaper ones, for gelu_lib/data/kernels.toml.

    .venv/bin/python tools/laboratory/find_kernels.py

It prints the kernels and the refutations as TOML. A gate of the result is a gate of the polynomial,
so that "is there a polynomial of this degree?" is a linear program; where there is none, its dual
names the inputs that forbid it. Floats are good enough here: the library judges each kernel at all
inputs, and proves each refutation, whenever it is asked.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from flint import arb
from numpy.polynomial import Chebyshev, Polynomial
from numpy.polynomial.chebyshev import chebvander
from scipy.optimize import linprog

from gelu_lib import gelu
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats.gates import DEMANDS, gates
from gelu_lib.floats.kernels.judging import (
    SIXTEEN_BITS,
    PolynomialKernel,
    allowed_error,
    has_normal_value,
    judged,
    kernels,
    largest_error,
)
from gelu_lib.floats.kernels.kernel_forms import KERNEL_FORMS
from gelu_lib.floats.kernels.refutations import Refutation, cheaper, prove_refuted
from gelu_lib.floats.texts import hexadecimal
from gelu_lib.floats.types import all_finite

ZERO_OF_DERIVATIVE = float.fromhex("0x1.80ead2p-1")
NEAR, FAR = 2.0**-11, 100.0
"""Smaller inputs demand less than those from here on; so do larger ones."""


@dataclass(frozen=True)
class Problem:
    """The gates of a polynomial: at a, from low to high, ±∞ where nothing is demanded.

    The polynomial is one in the places, a or a².
    """

    a: np.ndarray
    places: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def only(self, kept: np.ndarray) -> Problem:
        return Problem(self.a[kept], self.places[kept], self.low[kept], self.high[kept])

    @property
    def half(self) -> np.ndarray:
        """Half of the gate, or a small share of its only end."""
        some = np.where(np.isfinite(self.low), self.low, self.high)
        with np.errstate(invalid="ignore"):
            half = (self.high - self.low) / 2
        return np.where(np.isfinite(half), half, np.abs(some) * 2e-3 + 1e-30)


def sides(form: str, dtype: str, demand: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the share may be at each x, for both signs by themselves."""
    name = KERNEL_FORMS[form].name
    if demand in DEMANDS:
        given = gates(dtype, demand, name)
        kept = has_normal_value(dtype, name)[all_finite(dtype) != 0] | (demand != "nearest")
        x = given.x
        low, high = np.where(kept, given.low, -np.inf), np.where(kept, given.high, np.inf)
    else:
        x = np.intersect1d(*(all_finite(t).astype(float) for t in ("float16", "bfloat16")))
        x = x[x != 0]
        error = float(allowed_error(demand))
        low, high = gelu(x) - error, gelu(x) + error
    kept = (np.abs(x) >= NEAR) & (np.abs(x) <= FAR)
    x, low, high = x[kept], low[kept], high[kept]
    base, factor = np.maximum(x, 0), -np.abs(x)
    if name == "gelu_derivative":
        base, factor = np.heaviside(x, 0), x - np.copysign(ZERO_OF_DERIVATIVE, x)
    return x, *np.sort([(low - base) / factor, (high - base) / factor], axis=0)


@cache
def problem(form: str, dtype: str, demand: str) -> tuple[Problem, np.ndarray, np.ndarray]:
    """The gates of a form's polynomial, and at each place the inputs that set low and high."""
    x, low, high = sides(form, dtype, demand)
    right, left = x > 0, x < 0
    a = x[right]
    ends = [np.array([low[right], low[left][::-1]]), np.array([high[right], high[left][::-1]])]
    share = ends[0].max(axis=0), ends[1].min(axis=0)
    signs = [np.where(end.argmax(axis=0) == 0, 1, -1) for end in (ends[0], -ends[1])]
    bounds = [
        KERNEL_FORMS[form].bounds(arb(p), arb(q), arb(r)) for p, q, r in zip(*share, a, strict=True)
    ]
    inner = [
        np.array([none if b[i] is None else float(b[i]) for b in bounds])
        for i, none in enumerate((-np.inf, np.inf))
    ]
    if KERNEL_FORMS[form].falls:
        signs.reverse()
    whole = Problem(a, a * a if KERNEL_FORMS[form].even else a, *inner)
    with np.errstate(invalid="ignore"):
        seen = whole.half > 1e-13 * np.minimum(np.abs(whole.low), np.abs(whole.high))
    return whole.only(seen), (a * signs[0])[seen], (a * signs[1])[seen]


def levelled(gates: Problem, degree: int) -> tuple[float, np.ndarray, list[tuple[int, str]]]:
    """The polynomial whose largest distance from the middles, in half gates, is least.

    Returns:
        That distance, the coefficients in Chebyshev's basis on [0, the last place], and the gates
        that set the distance, each as its index and the end that binds.
    """
    half, basis = gates.half, chebvander(2 * gates.places / gates.places[-1] - 1, degree)
    with np.errstate(invalid="ignore"):
        ends = {"low": (gates.low + half, -1), "high": (gates.high - half, 1)}
    chosen = set(np.linspace(0, gates.a.size - 1, 12 * degree + 30).astype(int))
    while True:
        rows, sides, tags = [], [], []
        for name, (level, sign) in ends.items():
            some = [i for i in sorted(chosen) if np.isfinite(level[i])]
            scaled = sign * basis[some] / half[some, None]
            rows.append(np.column_stack([scaled, -np.ones(len(some))]))
            sides.append(sign * level[some] / half[some])
            tags += [(i, name) for i in some]
        cost = np.append(np.zeros(degree + 1), 1)
        found = linprog(
            cost,
            np.concatenate(rows),
            np.concatenate(sides),
            bounds=[(None, None)] * (degree + 1) + [(0, None)],
        )
        if found.x is None:
            return np.nan, found.x, []
        *polynomial, distance = found.x
        off = [sign * (basis @ polynomial - level) / half for level, sign in ends.values()]
        off = np.max(np.where(np.isfinite(off), off, -np.inf), axis=0)
        peaks = off > distance + 0.05 * (off.max() - distance)
        peaks[1:] &= off[1:] >= off[:-1]
        peaks[:-1] &= off[:-1] >= off[1:]
        new = set(np.flatnonzero(peaks)) - chosen
        if off.max() <= distance + 1e-7 or not new:  # as near as HiGHS comes
            binding = np.argsort(found.ineqlin.marginals)[: degree + 2]
            return distance, np.array(polynomial), [tags[i] for i in binding]
        chosen |= new


def rounded(gates: Problem, degree: int) -> list[str]:
    """A polynomial with float32 coefficients that is as far within the gates as may be.

    The highest coefficient is rounded, and the others are found anew for what it leaves; so on.
    """
    found: list[str] = []
    for k in range(degree, -1, -1):
        _, levels, _ = levelled(gates, k)
        best = Chebyshev(levels, domain=[0, gates.places[-1]]).convert(kind=Polynomial).coef
        coefficient = np.float32(best[k] if best.size > k else 0)
        found.insert(0, hexadecimal(coefficient))
        taken = float(coefficient) * gates.places**k
        gates = replace(gates, low=gates.low - taken, high=gates.high - taken)
    return found


ENDS = (*np.arange(1.0, 15.0, 0.5), 20.0, 40.0, 80.0)
"""Up to where the gates are asked, one after another."""


def refuted(form: str, degree: int, limited: bool, dtype: str, demand: str) -> Refutation | None:
    """Inputs that refute a form and a degree, by as much as may be."""
    gates, low_inputs, high_inputs = problem(form, dtype, demand)
    names = {"low": low_inputs, "high": high_inputs}
    found = []
    for end in ENDS:
        distance, _, binding = levelled(gates.only(gates.a <= end), degree)
        if distance > 1 and len(binding) == degree + 2:
            inputs = tuple(float(names[name][i]) for i, name in sorted(binding))
            beyond = contradicting(form, max(map(abs, inputs)), dtype, demand) if limited else ()
            found.append((distance, Refutation(form, degree, inputs, beyond)))
    for _, refutation in sorted(found, key=lambda pair: -pair[0]):
        try:
            if bool(refutation.beyond) == limited:
                prove_refuted(refutation, dtype, demand)
                return refutation
        except CertificationError:
            continue  # HiGHS named inputs that do not do
    return None


def contradicting(form: str, start: float, dtype: str, demand: str) -> tuple[float, ...]:
    """Inputs from a size on at which no constant will do; empty if there are none."""
    gates, low_inputs, high_inputs = problem(form, dtype, demand)
    x, low, high = sides(form, dtype, demand)
    a = np.abs(x)
    kinds = [
        (gates.low, gates.high, low_inputs, high_inputs),
        (low, high, x, x),
        (a * low, a * high, x, x),
    ]
    found = []
    for low, high, low_at, high_at in kinds if "{a}" in KERNEL_FORMS[form].end else kinds[:1]:
        low = np.where(np.abs(low_at) >= start, low, -np.inf)
        high = np.where(np.abs(high_at) >= start, high, np.inf)
        i, j = low.argmax(), high.argmin()
        if not low[i] > high[j]:
            return ()
        found += [float(low_at[i]), float(high_at[j])]
    return tuple(sorted(set(found), key=abs))


def fitted(kernel: PolynomialKernel) -> PolynomialKernel:
    """The kernel with other coefficients, found anew."""
    gates, _, _ = problem(kernel.form, kernel.dtype, kernel.demand)
    end = float(kernel.clamp or 8 if kernel.dtype != "bfloat16" else 14)
    degree = len(kernel.coefficients) - 1
    coefficients = rounded(gates.only(gates.a <= end), degree)
    found = replace(kernel, coefficients=tuple(coefficients))
    return polished(found) if kernel.demand in DEMANDS else found


def polished(kernel: PolynomialKernel) -> PolynomialKernel:
    """The best kernel that is reached by moving one coefficient after another by a few floats."""
    best = badness(kernel)
    while True:
        rivals = []
        for i, text in enumerate(kernel.coefficients):
            bits = np.float32(float.fromhex(text)).view(np.int32)
            for step in (1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32):
                other = hexadecimal((bits + np.int32(step)).view(np.float32))
                moved = (*kernel.coefficients[:i], other, *kernel.coefficients[i + 1 :])
                rivals.append(replace(kernel, coefficients=moved))
        least = min(rivals, key=badness)
        if badness(least) >= best:
            return kernel
        kernel, best = least, badness(least)


@cache
def badness(kernel: PolynomialKernel) -> tuple[float, ...]:
    """How far a kernel is from its demand, and then from the nearest floats everywhere."""
    if kernel.demand not in DEMANDS:
        inputs = np.concatenate([all_finite(t).astype(np.float32) for t in SIXTEEN_BITS])
        return (largest_error(kernel.program, inputs)[0],)
    judge = partial(judged, kernel.program, kernel.dtype, *kernel.machines, name=kernel.name)
    normal, every = judge(normal_only=kernel.demand == "nearest"), judge()
    return (normal.inputs - getattr(normal, kernel.demand), every.inputs - every.nearest)


CHEAPEST = ("2e-3-clipped", "tanh-error-saturated", "float16-faithful", "bfloat16-faithful")
"""Of these kernels every cheaper one is refuted; of the next ones, those of lower degree."""

LEAST = ("tanh-error-exponential", "float16-faithful", "float16-nearest", "bfloat16-nearest")


def main() -> None:
    for kernel in kernels().values():
        if kernel.scheme:
            continue
        best = min(kernel, fitted(kernel), key=badness)
        print(f"[kernels.{kernel.id}]\ncoefficients = {toml(best.coefficients)}", flush=True)
    print("\n[refuted]")
    for id in dict.fromkeys((*CHEAPEST, *LEAST)):
        kernel = kernels()[id]
        wanted = list(cheaper(kernel)) if id in CHEAPEST else []
        if id in LEAST:
            wanted.append((kernel.form, len(kernel.coefficients) - 2, True))
        print(f"{id} = [")
        for one in wanted:
            found = refuted(*one, kernel.dtype, kernel.demand)
            if found is None:
                sys.exit(f"{id}: nothing refutes {one}")
            fields = (
                f'form = "{found.form}", degree = {found.degree}, inputs = {list(found.inputs)}'
            )
            beyond = f", beyond = {list(found.beyond)}" if found.beyond else ""
            print(f"  {{ {fields}{beyond} }},")
        print("]")


def toml(texts: tuple[str, ...]) -> str:
    return "[\n" + "".join(f'  "{text}",\n' for text in texts) + "]"


if __name__ == "__main__":
    main()
