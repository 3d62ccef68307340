"""Rounded values of expressions at all floats of a type, each correctly rounded.

NumPy computes the values; where one is so near to the middle between two floats that its error
could matter, Arb decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import quantities_values as quantities
import sympy as sp
from flint import arb
from quantities_values import NoValue, Values
from sympy import Expr, Symbol

from gelu_lib.derivations.quantities import Cardinality, Supremum

DOUBT = 1e-10
"""Relative errors of values in float64 are smaller."""

STEPS = sp.Function("ulp")
ROUNDED = sp.Function("rd")
SPACING = sp.Function("u")


@dataclass(frozen=True)
class Type:
    """A type of floats.

    Attributes:
        bits: how many binary digits a normal number has.
        lowest: the exponent of its smallest subnormal number.
        above: the power of two beyond its largest number.
    """

    bits: int
    lowest: int
    above: int

    @cached_property
    def finite(self) -> np.ndarray:
        """All finite floats in order, 0 once."""
        first = 2 ** (self.bits - 1)
        exponents = range(self.lowest, self.above - self.bits + 1)
        normal = [np.arange(first, 2 * first) * 2.0**e for e in exponents]
        positive = np.concatenate([np.arange(1, first) * 2.0**self.lowest, *normal])
        return np.concatenate([-positive[::-1], [0.0], positive])

    def unit(self, values: np.ndarray) -> np.ndarray:
        """The distance of the floats in the binade of each value."""
        exponent = np.frexp(values)[1] - self.bits
        return np.ldexp(1.0, np.maximum(exponent, self.lowest))

    def place(self, values: np.ndarray) -> np.ndarray:
        """The number of each float, counted from 0."""
        return np.searchsorted(self.finite, values)


def rounded(
    body: Expr, variable: Symbol, inputs: np.ndarray, at: Values, dtype: Type
) -> np.ndarray:
    """The float nearest to the value of an expression at each input; ties to even."""
    with np.errstate(all="ignore"):
        values = _function(body, variable, tuple(sorted(at, key=str)))(
            inputs, *(float(at[s].mid()) for s in sorted(at, key=str))
        )
    unit = dtype.unit(values)
    found = np.rint(values / unit) * unit
    middle = np.abs(values / unit - np.floor(values / unit) - 0.5) * unit
    for i in np.flatnonzero((middle <= DOUBT * np.abs(values)) & (values != 0)):
        exact = quantities._value(body, {**at, variable: arb(float(inputs[i]))})
        found[i] = _nearest(exact, float(unit[i]))
    if np.abs(found).max() > dtype.finite[-1]:
        raise NoValue("a result is infinite")
    return found


def _nearest(exact: arb, unit: float) -> float:
    """The nearest multiple of a unit, ties to even."""
    scaled = exact / arb(unit)
    low = int(np.floor(float(scaled.mid())))
    choices = (scaled - low) * 2 - 1  # in which half it lies
    if choices > 0:
        return (low + 1) * unit
    if choices < 0:
        return low * unit
    if choices.rad() == 0:
        return (low + low % 2) * unit
    raise NoValue("a value cannot be told from the middle between two floats")


@lru_cache
def _function(body: Expr, variable: Symbol, others: tuple[Symbol, ...]) -> object:
    return quantities.numpy_function(quantities.differentiated(body), variable, *others)


def evaluated(
    body: Expr, variable: Symbol, inputs: np.ndarray, at: Values, dtype: Type
) -> np.ndarray:
    """An expression with rounded parts, at each input."""
    parts: dict[Symbol, np.ndarray] = {}

    def named(array: np.ndarray) -> Symbol:
        symbol = sp.Dummy(real=True)
        parts[symbol] = array
        return symbol

    def steps(size: Expr) -> Expr:
        (difference,) = size.args
        (minus,) = (t for t in difference.args if t.could_extract_minus_sign())
        one, other = (
            evaluated(side, variable, inputs, at, dtype) for side in (difference - minus, -minus)
        )
        return named(np.abs(dtype.place(one) - dtype.place(other)).astype(float))

    body = body.replace(STEPS, steps)
    body = body.replace(
        lambda part: part.func == ROUNDED,
        lambda part: named(rounded(part.args[0], variable, inputs, at, dtype)),
    )
    body = body.replace(
        lambda part: part.func == SPACING,
        lambda part: named(dtype.unit(evaluated(part.args[0], variable, inputs, at, dtype))),
    )
    constants = {s: sp.Float(quantities.exact(v), 20) for s, v in at.items()}
    function = quantities.numpy_function(body.xreplace(constants), variable, *parts)
    return np.broadcast_to(function(inputs, *parts.values()), inputs.shape)


def over_inputs(body: Expr, variable: Symbol, inputs: np.ndarray, at: Values, dtype: Type) -> arb:
    """The largest value over all inputs, or for how many of them an equation holds."""
    if isinstance(body, Cardinality):
        left, right = (evaluated(s, variable, inputs, at, dtype) for s in body.domain.args)
        return arb(int((left == right).sum()))
    if not isinstance(body, Supremum):
        raise NoValue("neither a largest value nor a count")
    found = float(evaluated(body.body, variable, inputs, at, dtype).max())
    return arb(found, abs(found) * 1e-12)
