"""What stands inside a form: another erf, a tanh that overflows, an argument that is clamped.

The formulas for erf are data, in ``atlas.erf_programs``. Where the argument of tanh or σ stops at
±L, the form goes on as a straight line on the left, and its slope says L.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import log

import numpy as np

from gelu_lib.activations import gelu_tanh
from gelu_lib.floats.types import FLOAT_TYPES
from gelu_lib.provenance.atlas.erf_programs import ErfProgram, classical_programs, erf_programs
from gelu_lib.provenance.callables.lookalikes import COMPARED_UP_TO
from gelu_lib.provenance.callables.tolerances import Tolerance

_MOST_PLACES = 3  # nobody chose a clamp of more
_FEW = 97  # one input in so many is compared before all are
_NEAR = 0.02  # so near, relatively, to an overflow nobody asks whether it has come

_SLOPE = np.sqrt(2 / np.pi)
_INNER = {
    "tanh": ("tanh", 2, lambda x: _SLOPE * (x + 0.044715 * x**3), 2.0**-25),
    "sigmoid": ("σ", 1, lambda x: 1.702 * x, 0.0),
}
"""Each form as x·σ(times·u): the function that programs clamp, times, u, and what is lost of σ, for
which 1 + tanh u is wrong by half of a float32 below 1."""

_QUOTIENTS = {"(e²ᵘ − 1)/(e²ᵘ + 1)": lambda u: 2 * u, "(eᵘ − e⁻ᵘ)/(eᵘ + e⁻ᵘ)": np.abs}
"""How tanh u is made, and the exponent whose overflow leaves nan."""


def inside(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> tuple[str, ...]:
    """What stands inside a form if all values up to ``COMPARED_UP_TO`` are then within tolerance.

    Arguments are those of ``lookalikes.fitting``. A name is for instance "exact, with erf by
    Abramowitz–Stegun 7.1.27", or "the tanh form, argument of tanh clamped at ±5".
    """
    near = np.abs(x) <= COMPARED_UP_TO
    x, values = x[near], values[near]
    if not len(x):
        return ()
    known = (*erf_programs().values(), *classical_programs().values())
    found = [one.label for one in known if _fits(one, x, values, allowed)]
    return (*found, *_overflowing(x, values, allowed), *_clamped(x, values, allowed))


def _fits(program: ErfProgram, x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> bool:
    for part in (slice(None, None, _FEW), slice(None)):
        form, between_pieces = program.gelu(x[part])
        if not np.all((np.abs(values[part] - form) <= allowed.at(x[part], form)) | between_pieces):
            return False
    return True


def _overflowing(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> Iterator[str]:
    nan, form, (_, _, argument, _) = np.isnan(values), gelu_tanh(x), _INNER["tanh"]
    right = np.abs(values - form) <= allowed.at(x, form)
    for (spelling, exponent), type in product(
        _QUOTIENTS.items(), ("float16", "float32", "float64")
    ):
        reached = exponent(argument(x)) / log(FLOAT_TYPES[type].greatest)
        as_foretold = np.where(reached > 1, nan, right) | (np.abs(reached - 1) < _NEAR)
        if nan.any() and np.all(as_foretold):
            first = np.abs(x[nan]).min()
            yield f"the tanh form, tanh made as {spelling} in {type}: nan from {first:.4g}"


def _clamped(x: np.ndarray, values: np.ndarray, allowed: Tolerance) -> Iterator[str]:
    slope = values[np.argmin(x)] / x.min() if x.min() < 0 else 0.0
    if not 0 < slope < 0.25:
        return
    for name, (function, times, argument, lost) in _INNER.items():
        limit = log(1 / slope - 1) / times
        slack = allowed.relative * slope * (1 + limit) + lost  # the exponent is rounded, too
        decimals = (round(limit, places) for places in range(_MOST_PLACES + 1))
        clamp = next((d for d in decimals if abs(_sigma(-times * d) - slope) <= slack), np.nan)
        form = x * _sigma(times * np.clip(argument(x), -clamp, clamp))
        if np.all(np.abs(values - form) <= allowed.at(x, form) + lost * np.abs(x)):
            yield f"the {name} form, argument of {function} clamped at ±{clamp:g}"


def _sigma(u: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-u))
