"""Gates: between which values a result must lie so that its rounding is one that is allowed.

For each input of a type the allowed results are some floats next to the exact value: the nearest
one alone, or the two between which it lies (*faithful*). What is rounded to one of them lies in an
interval whose ends are middles of floats, the gate. A function passes if its values go through all
gates. A change of variable that is monotone makes of each gate one for what stands inside, such as
the polynomial q of max(x, 0) − abs(x)·2^q(abs(x)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import gelu_lib._proofs

import numpy as np
import scipy.special

from gelu_lib import activations
from gelu_lib._extras import flint
from gelu_lib.certificates.engine.roots import is_positive
from gelu_lib.floats.types import all_finite, float_type, from_ordinal, ordinal
from gelu_lib.floats.ulp import exact

DEMANDS = ("nearest", "faithful")
"""The demands on a result, that it is the float nearest to the exact value, or one of the two
between which that lies. GELU and its derivative are floats at 0 alone."""


@dataclass(frozen=True)
class Gates:
    """Between which values a result must lie, at each of some inputs.

    Attributes:
        x: the inputs, ascending, none of them 0.
        low: the least value at each of them, a float64 exactly.
        high: the greatest value.
        low_closed: whether the least value itself is allowed.
        high_closed: whether the greatest value is.
    """

    x: np.ndarray
    low: np.ndarray
    high: np.ndarray
    low_closed: np.ndarray
    high_closed: np.ndarray

    def from_left_end(self, left: float) -> Gates:
        """The gates at the inputs from ``left`` on alone."""
        kept = slice(int(np.searchsorted(self.x, left)), None)
        parts = (self.x, self.low, self.high, self.low_closed, self.high_closed)
        return Gates(*(part[kept] for part in parts))


def rounding_gates(inputs: np.ndarray, targets: np.ndarray, steps: int = 0) -> Gates:
    """That each result rounds to a float at most ``steps`` floats away from its target.

    Args:
        inputs: finite floats in ascending order, of float32, float16 or bfloat16.
        targets: a finite float of the same type for each of them.
        steps: how many floats the result may be away, at least 0.

    Raises:
        TypeError: if ``inputs`` and ``targets`` are not of one such type.
        ValueError: if ``steps`` is not a number of floats, or the inputs are not finite and
            ascending, or the targets not finite and as many.
    """
    if type(steps) is not int or steps < 0:
        raise ValueError(f"steps is {steps!r}; accepted is an integer from 0")
    _check_floats(inputs, targets)
    places = ordinal(targets)
    return gates_between(inputs, places - steps, places + steps)


def gates_between(inputs: np.ndarray, least: np.ndarray, greatest: np.ndarray) -> Gates:
    """That each result rounds to a float from one place among the floats to another.

    Args:
        inputs: as for ``rounding_gates``.
        least: for each input the place of the least allowed float, as by ``floats.ordinal``.
        greatest: that of the greatest.
    """
    nonzero, dtype = np.asarray(inputs, np.float64) != 0, inputs.dtype
    least, greatest = least[nonzero], greatest[nonzero]
    low, high = _middle(least - 1, dtype), _middle(greatest, dtype)
    # Ties go to the even float. The ends are those of the floats that are just allowed.
    return Gates(inputs[nonzero].astype(np.float64), low, high, least % 2 == 0, greatest % 2 == 0)


def _check_floats(inputs: np.ndarray, targets: np.ndarray) -> None:
    if inputs.dtype != targets.dtype or float_type(inputs.dtype).name == "float64":
        raise TypeError(
            f"inputs are {inputs.dtype} and targets {targets.dtype}; accepted is one of float32, "
            "float16 and bfloat16"
        )
    x, y = inputs.astype(np.float64), targets.astype(np.float64)
    if x.ndim != 1 or x.shape != y.shape or not np.isfinite([x, y]).all() or (np.diff(x) < 0).any():
        raise ValueError(
            f"inputs of shape {x.shape} and targets of shape {y.shape} came; accepted are finite "
            "floats in one dimension, as many of either, the inputs in ascending order"
        )


def _middle(places: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The middle of the float at each place and the next one, in float64 exactly."""
    kind = float_type(dtype)
    last = int(ordinal(np.array(kind.greatest, kind.dtype)))
    beyond = 2 * kind.overflow - kind.greatest  # the float that would come after the greatest

    def value(n: np.ndarray) -> np.ndarray:
        floats = from_ordinal(np.clip(n, -last, last), dtype).astype(np.float64)
        return np.where(np.abs(n) > last, np.sign(n) * beyond, floats)

    return (value(places) + value(places + 1)) / 2


def gates(dtype: str, demand: str, name: str = "gelu") -> Gates:
    """What is allowed at every input of a type of 16 bits but 0.

    Args:
        dtype: ``"float16"`` or ``"bfloat16"``.
        demand: one of ``DEMANDS``.
        name: ``"gelu"`` or ``"gelu_derivative"``, whose values are asked for.

    Returns:
        The gates, in the order of the inputs.

    Raises:
        ValueError: if an argument is not accepted.
    """
    if demand not in DEMANDS:
        raise ValueError(f"demand is {demand!r}; accepted are {', '.join(DEMANDS)}")
    inputs = all_finite(dtype)
    if demand == "nearest":
        return rounding_gates(inputs, _function(name)(inputs))
    return gates_between(inputs, *neighbours(dtype, name))


@cache
def neighbours(dtype: str, name: str = "gelu") -> tuple[np.ndarray, np.ndarray]:
    """The two floats between which the exact value lies, at every input of a type of 16 bits.

    Both are the value itself at 0, if it is a float; elsewhere it is none.

    Args:
        dtype: as for ``gates``.
        name: as for ``gates``.

    Returns:
        The places of the float below and of that above, as by ``ordinal``; read-only.
    """
    x = all_finite(dtype)
    nearest = _function(name)(x)
    places, sides = ordinal(nearest), _sides(x.astype(float), nearest.astype(float), name)
    found = places - (sides < 0), places + (sides > 0)
    for side in found:
        side.setflags(write=False)
    return found


def _function(name: str) -> Callable[[np.ndarray], np.ndarray]:
    if name not in ("gelu", "gelu_derivative"):
        raise ValueError(f"name is {name!r}; accepted are gelu, gelu_derivative")
    return getattr(activations, name)


def _sides(x: np.ndarray, floats: np.ndarray, name: str) -> np.ndarray:
    """1 where a function is above the floats nearest to it, −1 where it is below, 0 at 0.

    The function is a number with a small rest, which float64 knows to 2⁻⁴⁰ of itself. What is left
    of the number beside a float is exact, so the sum of the two has the right sign unless they
    nearly cancel. There Arb decides.
    """
    number, rest = _parted(x, name)
    left = (number - floats) + rest
    sides = np.sign(left)
    for i in np.flatnonzero((np.abs(left) <= 2.0**-40 * np.abs(rest)) & (x != 0)):
        above = is_positive(
            lambda i=i: exact(name, x[i], flint.ctx.prec) - flint.arb(floats[i]), name
        )
        sides[i] = 1 if above else -1
    return sides.astype(np.int64)


def _parted(x: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """A function as x/2 or ½ near 0, as x or 1 on the right and 0 on the left, and a rest."""
    odd = scipy.special.erf(x / np.sqrt(2)) / 2  # Φ(x) − ½
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    near, value = np.abs(x) <= 1, _function(name)
    limit, rest = (x, x * odd) if name == "gelu" else (np.ones_like(x), odd + x * density)
    far = value(-np.abs(x)) * np.where((x > 0) & (name != "gelu"), -1, 1)
    # beyond −38 both functions are negative, though float64 has 0
    far = np.where(far == 0, np.copysign(np.finfo(float).smallest_subnormal, far), far)
    return np.where(near, limit / 2, np.where(x > 0, limit, 0)), np.where(near, rest, far)


def share_gates(
    given: Gates, base: np.ndarray, factor: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gates of s in y = base + factor·s, where s depends on abs(x) alone.

    For GELU that is y = max(x, 0) − abs(x)·s, where s stands for Φ(−abs(x)).

    Args:
        given: the gates of y, at inputs that are symmetric.
        base: what is added, for each input.
        factor: what s is multiplied by, for each input, not 0.

    Returns:
        The sizes of the inputs, ascending, and for each the least and the greatest s that both
        signs allow, in float64.
    """
    ends = np.sort([(given.low - base) / factor, (given.high - base) / factor], axis=0)
    right, left = given.x > 0, given.x < 0
    low = np.maximum(ends[0][right], ends[0][left][::-1])
    return given.x[right], low, np.minimum(ends[1][right], ends[1][left][::-1])
