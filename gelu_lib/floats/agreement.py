"""Which results are the same number once they are rounded to a float type.

Two formulas that differ in the reals may agree as floats. ``rounded`` evaluates a member of the
family xσ(p₁x + p₃x³) with any constants and rounds it once, as ``gelu_lib.activations`` does with
the famous ones. The counts below are over every finite float of a type of 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from flint import arb
from scipy.special import expit

from gelu_lib.activations import FORMS
from gelu_lib.certificates.balls import compiled, number
from gelu_lib.certificates.roots import is_positive
from gelu_lib.floats import texts
from gelu_lib.floats.types import all_finite, from_ordinal, ordinal, round_to
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import TANH_CUBIC, Value, exact_parameters, exact_value

__all__ = [
    "Change",
    "agreeing",
    "bit_pattern",
    "change",
    "longest_run",
    "ordinals",
    "patterns",
    "rounded",
    "sampled_float32",
    "steps_apart",
    "stored",
]

SLACK = 2.0**-40
"""More than the relative error of the float64 evaluation. It is at most some units in the last
place for each unit of the exponent, which is below 800 where a result is not 0."""


def rounded(inputs: np.ndarray, p1: Value, p3: Value = 0) -> np.ndarray:
    """xσ(p₁x + p₃x³) at each input, rounded once to the type of the inputs.

    Args:
        inputs: finite float16, bfloat16 or float32.
        p1: the linear coefficient, an exact number from 0: a SymPy expression, a decimal in a
            string, or a float, which stands for the binary fraction that it is.
        p3: the cubic coefficient likewise. With another sign than that of ``p1`` the exponent would
            cancel, and float64 would not know how near to a middle it is.

    Returns:
        An array of the same type and shape. Each result is the float nearest to the exact value.
        Where float64 is too near to the middle of two floats to tell, interval arithmetic decides.

    Raises:
        TypeError: if the inputs are of another type.
        ValueError: if an input is not finite, or a coefficient is negative or no finite float64.
        CertificationError: if a value is not told from the middle of two floats.
    """
    inputs = np.asarray(inputs)
    if inputs.dtype.name not in ("float16", "bfloat16", "float32"):
        raise TypeError(f"inputs are {inputs.dtype}; accepted are float16, bfloat16 and float32")
    exact = exact_parameters(TANH_CUBIC, {"p1": p1, "p3": p3})
    linear, cubic = (float(value) for value in exact.values())
    if not (0 <= linear < np.inf and 0 <= cubic < np.inf):
        raise ValueError(f"p1 = {p1} and p3 = {p3}; accepted are float64 that are finite, from 0")
    x = inputs.astype(np.float64)
    if not np.isfinite(x).all():
        raise ValueError("inputs have an infinity or nan; accepted are finite floats")
    y = _values(x, linear, cubic)
    low, high = (round_to(y * (1 + side * SLACK), inputs.dtype) for side in (-1, 1))
    found = high.copy()
    for i in np.flatnonzero(ordinal(low) != ordinal(high)):
        ends = sorted((float(low.flat[i]), float(high.flat[i])))
        found.flat[i] = _nearer(ends, float(x.flat[i]), exact)
    return found


def _values(x: np.ndarray, linear: float, cubic: float) -> np.ndarray:
    return x * expit(x * (linear + cubic * x * x))


_MEMBER = compiled((X, *TANH_CUBIC.symbols), X * TANH_CUBIC.expression)
"""The same in interval arithmetic."""


def _nearer(ends: list[float], x: float, parameters: Mapping[str, Value]) -> float:
    """The one of two neighbouring floats that the exact value is nearer to."""
    middle = (ends[0] + ends[1]) / 2  # exact in float64
    above = is_positive(
        lambda: _MEMBER(arb(x), *map(number, parameters.values())) - middle,
        f"at x = {x!r} the distance of the value from the middle of {ends}",
    )
    return ends[1] if above else ends[0]


def steps_apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How many floats apart two arrays of one type are: 0 is the same number, 1 a neighbour.

    A float and its neighbour differ by one unit in the last place. Both zeros count as one float.

    Raises:
        TypeError: if the arrays are of two types, or of another one than ``ordinal`` takes.
        ValueError: if an element is nan.
    """
    if one.dtype != other.dtype:
        raise TypeError(f"the arrays are {one.dtype} and {other.dtype}; accepted is one type")
    return np.abs(ordinal(one) - ordinal(other))


@cache
def ordinals(dtype: str) -> Mapping[str, np.ndarray]:
    """The three forms at ``all_finite(dtype)``, each result by its place among the floats."""
    inputs = all_finite(dtype)
    return MappingProxyType({name: ordinal(form(inputs)) for name, form in FORMS.items()})


def agreeing(dtype: str, *names: str) -> np.ndarray:
    """At which finite floats, in ascending order, functions round to one number.

    Args:
        dtype: ``"float16"`` or ``"bfloat16"``.
        *names: keys of ``gelu_lib.activations.FORMS``, at least two.

    Raises:
        ValueError: if fewer than two names are given, or an unknown one.
    """
    if len(names) < 2 or not set(names) <= set(FORMS):
        raise ValueError(f"names are {names!r}; accepted are two or more of {', '.join(FORMS)}")
    first, *others = (ordinals(dtype)[name] for name in names)
    return np.logical_and.reduce([first == other for other in others])


def longest_run(dtype: str, *names: str) -> tuple[float, float, int]:
    """The longest run of neighbouring floats at which functions round to one number.

    Returns:
        Its first float, its last float, and how many there are; the first run if several are as
        long.
    """
    same = np.concatenate([[False], agreeing(dtype, *names), [False]])
    starts, stops = np.flatnonzero(np.diff(same.astype(np.int8))).reshape(-1, 2).T
    longest = int(np.argmax(stops - starts))
    start, stop = int(starts[longest]), int(stops[longest])
    floats = all_finite(dtype)
    return float(floats[start]), float(floats[stop - 1]), stop - start


def patterns(dtype: str) -> Mapping[str, int]:
    """What the patterns of 16 bits stand for, counted.

    Returns:
        Counts by name. The finite floats are those of ``all_finite``, with one zero, +0.0.
    """
    finite = all_finite(dtype)
    with np.errstate(invalid="ignore"):  # a signalling nan is made quiet
        values = np.arange(2**16, dtype=np.uint16).view(finite.dtype).astype(np.float64)
    return {
        "finite": finite.size,
        "−0": int(np.sum((values == 0) & np.signbit(values))),
        "infinite": int(np.sum(np.isinf(values))),
        "nan": int(np.sum(np.isnan(values))),
    }


@cache
def sampled_float32(step: int = 65_537) -> np.ndarray:
    """Every so many-th finite float32 from the least one on, in ascending order; read-only.

    A sample says how often something happens. It is no proof that it happens nowhere else.

    Args:
        step: a positive odd number, so that even and odd floats take turns.

    Raises:
        ValueError: if ``step`` is something else.
    """
    if type(step) is not int or step < 1 or step % 2 == 0:
        raise ValueError(f"step is {step!r}; accepted is a positive odd integer")
    last = int(ordinal(np.float32(np.finfo(np.float32).max)))
    floats = from_ordinal(np.arange(-last, last + 1, step), "float32")
    floats.setflags(write=False)
    return floats


def stored(constant: Value, dtype: str) -> float:
    """The float of a type that an exact constant is stored as, by way of float64."""
    return float(round_to(float(exact_value(constant)), dtype))


def bit_pattern(value: float, dtype: str) -> str:
    """The bits of a float of a type, as a hexadecimal numeral such as ``0x3d37``.

    Raises:
        ValueError: if the value is no float of this type.
    """
    kept = round_to(value, dtype)
    if float(kept) != value:
        raise ValueError(f"value is {value!r}, which is no {dtype}")
    return texts.bits(kept)


@dataclass(frozen=True)
class Change:
    """What other constants change, before rounding and after.

    Attributes:
        absolute: the largest change of a value.
        absolute_at: the input where.
        relative: the largest relative change of a value that does not round to 0.
        relative_at: the input where.
        results: how many rounded results change.
        steps: the largest number of floats that a rounded result moves by.
    """

    absolute: float
    absolute_at: float
    relative: float
    relative_at: float
    results: int
    steps: int


def change(inputs: np.ndarray, before: tuple[Value, Value], after: tuple[Value, Value]) -> Change:
    """What other constants change in xσ(p₁x + p₃x³).

    Args:
        inputs: finite float16, bfloat16 or float32.
        before: p₁ and p₃, exact numbers as in ``rounded``.
        after: others.

    Returns:
        The largest changes at these inputs. Those before rounding are found in float64.
    """
    x = inputs.astype(np.float64)
    old, new = (_values(x, *map(float, parameters)) for parameters in (before, after))
    results = rounded(inputs, *before)
    steps, absolute = steps_apart(results, rounded(inputs, *after)), np.abs(new - old)
    relative = np.divide(absolute, np.abs(old), out=np.zeros(x.size), where=ordinal(results) != 0)
    i, j = int(np.argmax(absolute)), int(np.argmax(relative))
    return Change(
        absolute=float(absolute[i]),
        absolute_at=float(x[i]),
        relative=float(relative[j]),
        relative_at=float(x[j]),
        results=int(np.sum(steps > 0)),
        steps=int(steps.max()),
    )
