"""The roots of an equation in one unknown, real or complex, as balls."""

from __future__ import annotations

from functools import lru_cache

import mpmath
import numpy as np
import quantities_values as quantities
import sympy as sp
from flint import acb, arb
from sympy import Expr, Symbol

REACH = 40
"""Real roots are looked for up to this size, complex ones up to ``DISC``."""
DISC = 5
DIGITS = 30


def roots(expression: Expr, symbol: Symbol, at: quantities.Values) -> list[arb | acb]:
    """Where an expression is 0, in order.

    Args:
        expression: of the symbol, and of those that have values.
        symbol: the unknown; its kind says whether roots are real, and which sign they have.
        at: values of the other symbols.
    """
    others = tuple((s, at[s]) for s in sorted(expression.free_symbols - {symbol}, key=str))
    if others:
        return _roots(expression, symbol, dict(others))
    return _constant_roots(expression, symbol)


@lru_cache
def _constant_roots(expression: Expr, symbol: Symbol) -> list[arb | acb]:
    return _roots(expression, symbol, {})


def _roots(expression: Expr, symbol: Symbol, at: quantities.Values) -> list[arb | acb]:
    expression = quantities.differentiated(expression)
    if not symbol.is_real:
        return _complex(expression, symbol, at)
    slope = sp.diff(expression, symbol)
    if symbol not in slope.free_symbols:
        return [-quantities.value(expression.subs(symbol, 0), at) / quantities.value(slope, at)]
    return _real(expression, symbol, at)


def _real(expression: Expr, symbol: Symbol, at: quantities.Values) -> list[arb]:
    """Where the sign changes between points that lie dense near 0."""
    half = np.sinh(np.linspace(0.001, np.arcsinh(4 * REACH), 400)) / 4
    line = half if symbol.is_nonnegative else np.concatenate([-half[::-1], half])
    line = -half[::-1] if symbol.is_negative else line
    f = quantities.numeric(expression, (symbol,), at)
    with mpmath.workdps(DIGITS + 10):
        values = [_or_nan(f, mpmath.mpf(float(x))) for x in line]
        found = [
            mpmath.findroot(lambda t: f(t), (line[i], line[i + 1]), solver="anderson", tol=1e-60)
            for i in range(len(line) - 1)
            if values[i] * values[i + 1] < 0
        ]
    return [quantities.approximate(root, DIGITS) for root in found]


def _or_nan(f: object, x: mpmath.mpf) -> mpmath.mpf:
    try:
        return f(x)
    except quantities.NoValue:
        return mpmath.nan


def _complex(expression: Expr, symbol: Symbol, at: quantities.Values) -> list[acb]:
    """What Newton's method finds from every point of a grid."""
    fixed = {s: sp.Float(quantities.exact(v), 20) for s, v in at.items()}
    z = sp.Dummy()
    plain = expression.xreplace({symbol: z, **fixed})
    f, slope = (sp.lambdify(z, one, ["scipy", "numpy"]) for one in (plain, sp.diff(plain, z)))
    side = np.linspace(-DISC, DISC, 41)
    place = (side[:, None] + 1j * side[None, :]).ravel()
    with np.errstate(all="ignore"):
        for _ in range(40):
            step = f(place) / slope(place)
            place = place - np.where(np.isfinite(step), step, 0)
        ended = np.isfinite(step) & (abs(step) < 1e-10) & (abs(place) <= DISC)
    distinct = sorted(
        {complex(np.round(p, 8)) for p in place[ended]}, key=lambda p: (abs(p), p.imag)
    )
    return [_refined(expression, symbol, at, root) for root in distinct]


def _refined(expression: Expr, symbol: Symbol, at: quantities.Values, root: complex) -> acb:
    """A root to ``DIGITS`` digits, by Newton's method in balls."""
    slope = quantities.differentiated(sp.diff(expression, symbol))
    place = acb(root.real, root.imag)
    for _ in range(6):
        here = {**at, symbol: place}
        place = place - quantities.value(expression, here) / quantities.value(slope, here)
        place = acb(place.real.mid(), place.imag.mid())
    near = arb(0, arb(10) ** -DIGITS)
    return acb(place.real + near, place.imag + near)
