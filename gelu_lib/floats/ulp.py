"""How far a computed float is from the exact value, in units in the last place, decided by Arb.

The exact values come from the expressions alone, in interval arithmetic with as many bits as it
takes; nothing but names is shared with ``gelu_lib.activations``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import gelu_lib._proofs

import numpy as np

from gelu_lib import activations
from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import compiled, decided
from gelu_lib.certificates.engine.roots import is_positive
from gelu_lib.floats.types import float_type
from gelu_lib.functions.expressions import X
from gelu_lib.functions.forms import FORMS
from gelu_lib.rows import contents

BITS_KEPT = 80
"""Relative accuracy of an exact value, in bits."""
_NOTHING = -1200
"""A value below 2**_NOTHING counts as 0, far below half of the smallest subnormal float64."""

_VALUES = {activations.FORMS[form].__name__: expression for form, expression in FORMS.items()}
_SLOPES = {f"{name}_derivative": form.diff(X) for name, form in _VALUES.items()}

ERROR_FUNCTIONS: dict[str, Callable[[flint.arb], flint.arb]] = {
    name: compiled((X,), expression) for name, expression in {**_VALUES, **_SLOPES}.items()
}
"""The formulas by the names of their functions in ``gelu_lib.activations``.

In each of them nothing cancels but the derivatives near their zeros.
"""


def exact(name: str, x: float, bits_kept: int = BITS_KEPT) -> flint.arb:
    """The activation or derivative ``name`` at the float ``x``, as a small interval.

    Args:
        name: a key of ``ERROR_FUNCTIONS``.
        x: a finite float.
        bits_kept: relative accuracy.

    Returns:
        An enclosure with so many correct bits; 0 if the value is below 2**−1200.

    Raises:
        ValueError: if ``x`` is not finite.
        CertificationError: if no precision gives as many bits; see ``balls.decided``.
    """
    if not math.isfinite(x):
        raise ValueError(f"x is {x!r}; accepted is a finite float")

    def value() -> flint.arb | None:
        ball = ERROR_FUNCTIONS[name](flint.arb(x))
        if ball.rel_accuracy_bits() >= bits_kept:
            return ball
        return flint.arb(0) if abs(ball) < flint.arb(2) ** _NOTHING else None

    return decided(value, bits_kept + 32, f"{name} at {x!r}")


def check_function(name: str) -> None:
    """Raise a ``ValueError`` unless ``name`` is a key of ``ERROR_FUNCTIONS``."""
    if name not in ERROR_FUNCTIONS:
        raise ValueError(f"name is {name!r}; accepted are {', '.join(ERROR_FUNCTIONS)}")


def unit_exponent(value: flint.arb, dtype: type = np.float64) -> int:
    """The exponent of the unit in the last place of a real number, in floats of ``dtype``.

    A unit is the spacing of the floats in [2**e, 2**(e + 1)), the binade of the number itself, not
    of the float next to it. Below the normal floats it is the smallest subnormal.
    """
    kind = float_type(dtype)
    mantissa, exponent = abs(value).mid().man_exp()
    if mantissa == 0:
        return kind.least_exponent - kind.digits
    binade = int(exponent) + int(mantissa).bit_length() - 1
    return max(binade, kind.least_exponent) - kind.digits


def error_in_ulp(name: str, x: float, computed: float, dtype: type = np.float64) -> float:
    """computed − exact in units in the last place of the exact value."""
    true = exact(name, x)
    with flint.ctx.workprec(160):
        return float((flint.arb(computed) - true) * flint.arb(2) ** -unit_exponent(true, dtype))


def is_correctly_rounded(name: str, x: float, computed: float, dtype: type = np.float64) -> bool:
    """Whether no float of ``dtype`` is nearer to the exact value than ``computed``.

    Bits are added until the comparison is decided. It never would be if the value were the midpoint
    of two floats. No such value is known, but neither is it proved of every function that there is
    none. A nan is not correctly rounded, and an infinity is not: the values are finite.

    Raises:
        CertificationError: if no precision decides it; see ``balls.decided``.
    """
    if not math.isfinite(computed):
        return False

    def room() -> flint.arb:
        true = exact(name, x, flint.ctx.prec)
        return flint.arb(2) ** (unit_exponent(true, dtype) - 1) - abs(flint.arb(computed) - true)

    return is_positive(room, _middle(name, x))


def _middle(name: str, x: float) -> str:
    return f"the distance of {name} at {x!r} from the middle of two floats"


def errors_in_ulp(
    name: str, inputs: Iterable[float], computed: Iterable[float], dtype: type = np.float64
) -> np.ndarray:
    """The errors of many results, with their signs."""
    pairs = zip(inputs, computed, strict=True)
    return np.array([error_in_ulp(name, float(x), float(y), dtype) for x, y in pairs])


def round_ball(number: flint.arb, dtype: np.dtype | type | str = np.float64) -> float:
    """The float of ``dtype`` nearest to the midpoint of ``number``, ties to even.

    What is half a unit above the greatest finite float, or more, rounds to infinity.
    """
    kind = float_type(dtype)
    mantissa, exponent = map(int, number.mid().man_exp())
    sign, size = (-1.0 if mantissa < 0 else 1.0), abs(mantissa)
    binade = exponent + size.bit_length() - 1
    unit = max(binade, kind.least_exponent) - kind.digits
    if size == 0 or binade < unit - 1:
        return sign * 0.0
    shift = unit - exponent  # the number is size/2**shift units
    if shift <= 0:
        units = size << -shift
    else:
        odd = (size >> shift) & 1
        units = (size + (1 << (shift - 1)) - 1 + odd) >> shift
    if units.bit_length() + unit > math.frexp(kind.greatest)[1]:
        return sign * math.inf
    return sign * math.ldexp(units, unit)


def correctly_rounded(name: str, x: float, dtype: np.dtype | type | str = np.float64) -> float:
    """The float of ``dtype`` nearest to the exact value of ``name`` at ``x``, ties to even.

    Args:
        name: a key of ``ERROR_FUNCTIONS``.
        x: a float of ``dtype``, or an infinity.
        dtype: one of the four types of ``floats.FLOAT_TYPES``.

    Returns:
        The float; at an infinity the limit. A zero has the sign of the value, which for a
        derivative is that of its approach to the limit at −∞; the values at 0 keep its sign.

    Raises:
        ValueError: if there is no such ``name``, or ``x`` is nan or no float of ``dtype``.
        TypeError: if ``dtype`` is none of the four.
        CertificationError: if no precision decides it; see ``balls.decided``.
    """
    check_function(name)
    if math.isnan(x) or (math.isfinite(x) and round_ball(flint.arb(x), dtype) != x):
        raise ValueError(f"x is {x!r}; accepted are the floats of {float_type(dtype).name} but nan")
    if math.isinf(x):
        right = 1.0 if name.endswith("derivative") else math.inf
        return right if x > 0 else -0.0

    def nearest() -> float | None:
        true = exact(name, x, flint.ctx.prec)
        ends = {round_ball(end, dtype) for end in (true.lower(), true.upper())}
        # Rounding keeps order, so that all between the ends rounds as they do.
        return ends.pop() if len(ends) == 1 else None

    return decided(nearest, what=_middle(name, x)) or math.copysign(0.0, x)


def measured_errors() -> dict[str, Any]:
    """The record of the largest errors of ``gelu_lib.activations``, with what they were found on.

    ``benchmarks/float_accuracy.py`` writes it. For each type it has an entry for each function: the
    number of inputs, the largest errors and their witnesses, or how many results are not the
    nearest float.
    """
    return contents("float_accuracy.json")
