r"""What an expression does beyond an end: between which ends it stays, and how fast it falls.

A function c(x) is written as a product: exponential factors exp(−q(x)), and the rest B(x). If
x·q′(x) ≥ j for every x beyond an end T > 0, then xʲ·exp(−q(x)) does not grow there, and
xʲ·\|c(x)\| ≤ Tʲ·exp(−q(T))·sup \|B\|. A factor 1 − exp(u) with u ≤ 0 is positive and at most −u,
whose factors take its place. Where there is no exponential factor, a power p(x)⁻ⁿ of a polynomial
p > 0 does the same service if n·x·p′(x) ≥ j·p(x).

What q′ and B do beyond T is enclosed by going through the expression from its parts to the whole,
with ±∞ as ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import methodcaller

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import compiled, normal, number
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import X


@dataclass(frozen=True)
class Ends:
    """Two ends between which a value lies; they may be infinite."""

    low: flint.arb
    high: flint.arb

    def __add__(self, other: Ends) -> Ends:
        return Ends(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Ends) -> Ends:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Ends(reduce(flint.arb.min, corners), reduce(flint.arb.max, corners))

    def mapped(self, rising: Callable[[flint.arb], flint.arb]) -> Ends:
        """The ends of a function that does not fall."""
        return Ends(rising(self.low).lower(), rising(self.high).upper())

    def inverse(self) -> Ends:
        """The ends of 1/x; unknown unless x > 0."""
        return Ends(1 / self.high, 1 / self.low) if self.low > 0 else _unknown()


def _normal(x: flint.arb) -> flint.arb:
    """Φ of an end, which may be infinite; Arb has no erfc there."""
    return normal(x) if x.is_finite() else flint.arb(int(x > 0))


def _unknown() -> Ends:
    return Ends(flint.arb.neg_inf(), flint.arb.pos_inf())


RISING = {**{name: methodcaller(name) for name in ("exp", "atan", "tanh")}, "Phi": _normal}
"""Functions that do not fall, by their names in expressions."""


def beyond(expression: Expr, end: flint.arb) -> Ends:
    """Ends between which an expression in x lies for every x ≥ end > 0.

    Args:
        expression: the expression; of what is not known here nothing is said.
        end: where the half-line begins.

    Returns:
        The ends. They may be infinite, and nan where nothing is known.
    """
    if not expression.has(X):
        ball = number(expression)
        return Ends(ball.lower(), ball.upper())
    if expression.is_polynomial(X) and (known := _polynomial(expression, end)) is not None:
        return known
    parts = [beyond(part, end) for part in expression.args]
    if expression.is_Add:
        return reduce(Ends.__add__, parts)
    if expression.is_Mul:
        return reduce(Ends.__mul__, parts)
    if expression.is_Pow:
        return _power(parts[0], expression.exp)
    name = expression.func.__name__
    return parts[0].mapped(RISING[name]) if name in RISING else _unknown()


def _instead(function: Expr) -> str:
    """How to write a function whose fall is not seen because σ is written out in it."""
    sums = [p.base for p in function.atoms(sp.Pow) if p.exp.is_negative and p.base.is_Add]
    return "; write 1/(1 + exp(-u)) as logistic(u)" if any(s.has(sp.exp) for s in sums) else ""


def bound_beyond(function: Expr, end: float, power: int = 0) -> flint.arb:
    r"""A number that xʲ·\|c(x)\| does not exceed at any x ≥ end.

    Args:
        function: the function c, an expression in x, a product as the module says.
        end: where the half-line begins, positive.
        power: the exponent j, at least 0.

    Returns:
        The bound.

    Raises:
        CertificationError: if it is not shown that the function falls fast enough.
    """
    point = flint.arb(end)
    exponent, rest = _split(function, point)
    if exponent == 0:
        falling, rest = _power_of_polynomial(rest, point)
        steady = _falls_as_power(falling, point, power)
    else:
        falling = sp.exp(-exponent)
        slope = sp.diff(exponent, X)
        # multiplied out or not: which of both shows more depends on the expression
        lows = [beyond(q, point).low for q in (slope, sp.expand(slope))]
        steady = any(low >= 0 and low * point >= power for low in lows)
    if not steady:
        raise CertificationError(
            "tail", f"x^{power}·({function}) may grow beyond x = {end}{_instead(function)}"
        )
    part = beyond(rest, point)
    size = abs(part.low).max(abs(part.high))
    if not size.is_finite():
        raise CertificationError("tail", f"no bound of {rest} beyond x = {end}")
    return point**power * _at(falling, point) * size


def normal_beyond(end: float, power: int = 0) -> flint.arb:
    """A number that xʲ·Φ(−x) does not exceed at any x ≥ end, for j = 0 or 1 and end ≥ 1."""
    # (xΦ(−x))′ = Φ(−x) − xφ(x) < 0 for x ≥ 1, because Φ(−x) ≤ φ(x)/x
    if power not in (0, 1) or end < 1:
        raise ValueError(f"power = {power!r}, end = {end!r}; accepted are 0 or 1, and end ≥ 1")
    return flint.arb(end) ** power * normal(-flint.arb(end))


def _split(function: Expr, end: flint.arb) -> tuple[Expr, Expr]:
    """The exponent q and the rest B with c = exp(−q)·B; of 1 − exp(u) its bound −u is taken."""
    exponent, rest = sp.S.Zero, sp.S.One
    for factor in sp.Mul.make_args(function):
        below = _above_one_minus_exp(factor, end)
        if below is not None:
            inner, other = _split(below, end)
            exponent, rest = exponent + inner, rest * other
        elif isinstance(factor, sp.exp):
            exponent -= factor.args[0]
        else:
            rest *= factor
    return exponent, rest


def _above_one_minus_exp(factor: Expr, end: flint.arb) -> Expr | None:
    """−u if a factor is 1 − exp(u) with u ≤ 0 beyond the end, and nothing otherwise."""
    u = sp.Wild("u")
    found = factor.match(1 - sp.exp(u))
    if found is None or not found[u].has(X) or not beyond(found[u], end).high <= 0:
        return None
    return -found[u]


def _power_of_polynomial(function: Expr, end: flint.arb) -> tuple[Expr, Expr]:
    """The first factor p⁻ⁿ with a polynomial p > 0 beyond the end, and the other factors."""
    for factor in sp.Mul.make_args(function):
        base, exponent = factor.as_base_exp()
        if exponent.is_negative and base.is_polynomial(X) and beyond(base, end).low > 0:
            return factor, function / factor
    return sp.S.One, function


def _falls_as_power(factor: Expr, end: flint.arb, power: int) -> bool:
    """Whether xʲ·p(x)⁻ⁿ is shown not to grow, because n·x·p′ − j·p ≥ 0."""
    base, exponent = factor.as_base_exp()
    margin = sp.expand(-exponent * X * sp.diff(base, X) - power * base)
    return bool(beyond(margin, end).low >= 0)


def _polynomial(expression: Expr, end: flint.arb) -> Ends | None:
    """The ends of a polynomial that rises or falls, by its Taylor coefficients at the end."""
    terms = flint.arb_poly(_coefficients(expression))(flint.arb_poly([end, 1])).coeffs() or [
        flint.arb(0)
    ]
    if all(term >= 0 for term in terms[1:]):
        return Ends(terms[0].lower(), flint.arb.pos_inf() if len(terms) > 1 else terms[0].upper())
    if all(term <= 0 for term in terms[1:]):
        return Ends(flint.arb.neg_inf(), terms[0].upper())
    return None


def _coefficients(polynomial: Expr) -> list[flint.arb]:
    """Its coefficients, the constant first."""
    return [number(c) for c in reversed(_exact_coefficients(polynomial))]


@lru_cache
def _exact_coefficients(polynomial: Expr) -> list[Expr]:
    return sp.Poly(polynomial, X).all_coeffs()


def _power(base: Ends, exponent: Expr) -> Ends:
    if not (2 * exponent).is_Integer or not base.low >= 0:
        return _unknown()
    root = base if exponent.is_Integer else base.mapped(flint.arb.sqrt)
    count = abs(int(exponent if exponent.is_Integer else 2 * exponent))
    whole = Ends(root.low**count, root.high**count)
    return whole if exponent > 0 else whole.inverse()


def _at(expression: Expr, x: flint.arb) -> flint.arb:
    return compiled((X,), expression)(x) + flint.arb(0)
