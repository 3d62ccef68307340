"""Increasing functions, through which a family depends on its coefficients.

For a strictly increasing L the sign of L(u) − L(v) is that of u − v. So what is known of the
combinations u of given terms, that they cross so many times and no more, is known of all functions
L(u) too. That one sentence carries the theorem of the best members of a ``families.Family``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from sympy import Expr, Symbol, log, oo

from gelu_lib.functions.expressions import Phi, canonical, logistic, phi

U, V = Symbol("u", real=True), Symbol("v", real=True)
"""The argument of a link, and its value."""


@dataclass(frozen=True)
class Link:
    """A strictly increasing function L of a real argument.

    Args:
        value: L(u), an expression in ``U``.
        inverse: its inverse, an expression in ``V``.
        lowest: where L begins to increase; it is used from there on.
        decay: L′/L as an expression in ``V``, if L is positive and that does not fall to the left,
            so that L falls there as fast as an exponential function; ``None`` for others.

    Raises:
        ValueError: if an expression has other symbols, the inverse is none, or it is not shown that
            L increases, or that it decays so.

    Example:
        >>> import sympy as sp
        >>> from gelu_lib.functions.links import U, V, Link
        >>> softplus = Link(sp.log(1 + sp.exp(U)), sp.log(sp.exp(V) - 1))
        >>> softplus.range
        (0, oo)
        >>> Link(-U, -V)
        Traceback (most recent call last):
        ...
        ValueError: value is -u, which is not shown to increase for every u
    """

    value: Expr
    inverse: Expr
    lowest: Expr | int = -oo
    decay: Expr | None = None

    def __post_init__(self) -> None:
        for name, symbol in {"value": U, "inverse": V}.items():
            expression = sp.sympify(getattr(self, name))
            if not isinstance(expression, Expr) or expression.free_symbols != {symbol}:
                raise ValueError(f"{name} must be an expression in {symbol}, got {expression}")
            object.__setattr__(self, name, expression)
        object.__setattr__(self, "lowest", sp.sympify(self.lowest))
        if not (self.lowest.is_number and self.lowest < oo):
            raise ValueError(f"lowest must be a number or -oo, got {self.lowest}")
        where = "every u" if self.lowest == -oo else f"u > {self.lowest}"
        if not _is_positive(self.slope, self.lowest):
            raise ValueError(f"value is {self.value}, which is not shown to increase for {where}")
        if not _is_smooth(self.value, self.lowest):
            raise ValueError(f"value is {self.value}, which is not shown to have no pole or jump")
        for point in (sp.Rational(3, 4), sp.Rational(1, 3)):
            u = point if self.lowest == -oo else self.lowest + point
            back = self.inverse.xreplace({V: self.value.xreplace({U: u})})
            if not abs(sp.N(back - u)) < 1e-9:
                raise ValueError(f"inverse is {self.inverse}, which is none of {self.value}")
        if self.decay is not None:
            object.__setattr__(self, "decay", sp.sympify(self.decay))
            _check_decay(self)

    @cached_property
    def slope(self) -> Expr:
        """L′, an expression in ``U``."""
        return sp.diff(self.value, U)

    @cached_property
    def range(self) -> tuple[Expr, Expr]:
        """The two limits of L, which it does not take; infinite for what is unbounded."""
        return _limit(self.value, self.lowest), _limit(self.value, oo)

    def __call__(self, argument: Expr) -> Expr:
        """L of an expression."""
        return self.value.xreplace({U: argument})


def _check_decay(link: Link) -> None:
    gap = link.slope - link.decay.xreplace({V: link.value}) * link.value
    falls = link.range[0] >= 0 and sp.diff(link.decay, V).is_nonpositive
    if sp.expand(canonical(gap)) != 0 or not falls:
        raise ValueError(f"decay is {link.decay}, not shown to be L′/L and not to fall to the left")


def _limit(value: Expr, end: Expr | int) -> Expr:
    found = value.xreplace({U: sp.sympify(end)})
    return sp.limit(value, U, end) if found is sp.nan else found


SMOOTH = (phi, Phi, logistic, sp.exp, sp.atan, sp.cosh, sp.erf, sp.erfc, sp.sinh, sp.tanh)
"""Functions without a pole or a jump on the line."""


def _is_smooth(value: Expr, lowest: Expr | int) -> bool:
    """Whether divisors, and what has a root or a logarithm, are known to be positive."""
    beyond = U if lowest == -oo else lowest + Symbol("t", positive=True)
    for part in sp.preorder_traversal(value.xreplace({U: beyond})):
        whole = part.is_Pow and part.exp.is_Integer and part.exp.is_positive
        if part.is_Function and not isinstance(part, (sp.log, *SMOOTH)):
            return False
        if (isinstance(part, sp.log) or (part.is_Pow and not whole)) and not part.args[
            0
        ].is_positive:
            return False
    return True


def _is_positive(slope: Expr, lowest: Expr | int) -> bool:
    """Whether a slope is known to be positive beyond the lowest argument."""
    if lowest != -oo:
        beyond = Symbol("t", positive=True)
        return bool(slope.xreplace({U: lowest + beyond}).is_positive)
    # tanh is positive by factors in exponentials alone
    return bool(slope.is_positive or sp.factor(slope.rewrite(sp.exp)).is_positive)


IDENTITY = Link(U, V)
"""L(u) = u; the members are the combinations themselves, such as polynomials."""

SIGMA = Link(logistic(U), log(V / (1 - V)), decay=1 - V)
"""L(u) = σ(u)."""

TANH = Link(sp.tanh(U), log((1 + V) / (1 - V)) / 2)
"""L(u) = tanh u."""

EXP2 = Link(2**U, log(V) / log(2), decay=log(2))
"""L(u) = 2^u, what processors have as an instruction."""


def even_power(order: int) -> Link:
    """L(u) = u^(2^m) for u > 0: m squarings.

    Args:
        order: the number m of squarings, from 1 on.

    Raises:
        ValueError: if it is not a positive integer.
    """
    if type(order) is not int or order < 1:
        raise ValueError(f"order must be a positive integer, got {order!r}")
    power = 2**order
    return Link(U**power, V ** sp.Rational(1, power), lowest=0)
