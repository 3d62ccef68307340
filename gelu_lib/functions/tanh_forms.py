"""The other forms that are built from tanh: what they are.

A form g approximates erf(x/√2), so that Φ̂ = (1 + g)/2. It is a sum of terms with linear
coefficients: odd powers of tanh(s·x); tanh at several scales; or tanh(s·x) and its derivatives by
s, which is what a sum of tanh tends to when its scales merge. The scale s is a parameter too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp
from sympy import Dummy, Expr, Integer, Symbol, tanh

from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Value, exact_value

S = Symbol("s", real=True, positive=True)  # as the statements have it, so that it prints alike
"""The scale that is fitted."""


@dataclass(frozen=True)
class TanhForm:
    """A sum of terms made from tanh, with linear coefficients and at most one scale.

    Args:
        terms: odd functions of ``X`` for x ∈ ℝ, bounded, each a polynomial in x and in some
            tanh(b·x) with b > 0; ``S`` may stand in them.
        limits: the limit of each term as x → ∞, 0 or 1; that of the first is 1.
        limit_one: whether g must tend to 1. Then the coefficient of the first term is not free:
            it is what the others leave of 1.

    Raises:
        ValueError: if there are no terms, not as many limits, a term is not odd or has another
            limit, or nothing is left to fit.
    """

    terms: tuple[Expr, ...]
    limits: tuple[int, ...]
    limit_one: bool = False

    def __post_init__(self) -> None:
        if not self.terms or len(self.terms) != len(self.limits):
            raise ValueError(f"{len(self.terms)} terms with {len(self.limits)} limits")
        if self.limits[0] != 1 or not set(self.limits) <= {0, 1}:
            raise ValueError(f"limits must be 0 or 1, the first 1, got {self.limits}")
        for term, limit in zip(self.terms, self.limits, strict=True):
            _check_term(term, limit)
        if not self.symbols:
            raise ValueError("a single term with the limit 1 and a given scale has no parameter")

    @property
    def coefficients(self) -> tuple[Symbol, ...]:
        """The linear coefficients that are free."""
        first = 1 if self.limit_one else 0
        return tuple(Symbol(f"a{i + 1}", real=True) for i in range(first, len(self.terms)))

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Everything that is free, which is the coefficients, and the scale if there is one."""
        scale = (S,) if any(term.has(S) for term in self.terms) else ()
        return self.coefficients + scale

    @property
    def scales(self) -> tuple[Expr, ...]:
        """The factors b of x in every tanh(b·x), in no order."""
        return tuple(sorted({b for term in self.terms for b in _scales(term)}, key=str))

    @property
    def limit(self) -> Expr:
        """The limit of g as x → ∞."""
        return self._sum([Integer(limit) for limit in self.limits])

    @property
    def g(self) -> Expr:
        """g, which approximates erf(x/√2), as an expression in ``X`` and ``symbols``."""
        return self._sum(self.terms)

    @property
    def expression(self) -> Expr:
        """Φ̂ = (1 + g)/2, an expression in ``X`` and ``symbols``."""
        return (1 + self.g) / 2

    @property
    def name(self) -> str:
        """Φ̂ in plain text."""
        return str(self.expression)

    def _sum(self, values: Sequence[Expr]) -> Expr:
        free = list(self.coefficients)
        if self.limit_one:
            others = zip(free, self.limits[1:], strict=True)
            free = [1 - sp.Add(*(symbol for symbol, limit in others if limit)), *free]
        return sp.Add(*(a * value for a, value in zip(free, values, strict=True)))


def tanh_powers(
    exponents: Sequence[int], *, scaled: bool = False, limit_one: bool = False
) -> TanhForm:
    """The form Σ aⱼ·tanhʲ(x), or Σ aⱼ·tanhʲ(s·x).

    Args:
        exponents: the odd exponents, increasing.
        scaled: whether the scale s is free; otherwise it is 1.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        The form; its coefficients are numbered a1, a2, … in the order of the exponents.

    Raises:
        ValueError: if ``exponents`` is not an increasing sequence of odd positive integers, or
            nothing is left to fit.
    """
    fine = all(type(n) is int and n > 0 and n % 2 == 1 for n in exponents)
    if not fine or list(exponents) != sorted(set(exponents)):
        raise ValueError(f"exponents must be increasing odd positive integers, got {exponents!r}")
    base = tanh(S * X) if scaled else tanh(X)
    return TanhForm(tuple(base**n for n in exponents), (1,) * len(exponents), limit_one)


def tanh_sum(scales: Sequence[Value], *, limit_one: bool = False) -> TanhForm:
    """The form Σ aᵢ·tanh(bᵢ·x) with given scales bᵢ.

    Args:
        scales: positive numbers, increasing; see ``families.exact_value``.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        The form.

    Raises:
        TypeError: if a scale is of a type that is not accepted.
        ValueError: if the scales are not positive and increasing, or nothing is left to fit.
    """
    exact = [exact_value(scale, "scale") for scale in scales]
    if [0, *exact] != sorted({0, *exact}):
        raise ValueError(f"scales must be positive and increasing, got {scales!r}")
    return TanhForm(tuple(tanh(b * X) for b in exact), (1,) * len(exact), limit_one)


def merged_tanh_sum(count: int, *, limit_one: bool = False) -> TanhForm:
    """The limit of Σ aᵢ·tanh(bᵢ·x) with ``count`` terms when all scales merge into one.

    It is a₁·tanh(s·x) + a₂·∂tanh(s·x)/∂s + …, because a difference quotient of tanh(s·x) in s
    tends to its derivative.

    Args:
        count: how many terms merge, at least 1.
        limit_one: whether a₁ must be 1.

    Returns:
        The form, with the scale free.

    Raises:
        ValueError: if ``count`` is not a positive integer.
    """
    if type(count) is not int or count < 1:
        raise ValueError(f"count must be a positive integer, got {count!r}")
    terms = tuple(sp.diff(tanh(S * X), S, order) for order in range(count))
    return TanhForm(terms, (1,) + (0,) * (count - 1), limit_one)


def _check_term(term: Expr, limit: int) -> None:
    """Raise a ``ValueError`` unless a term is what ``TanhForm`` says."""
    parts = {node: Dummy() for node in term.atoms(tanh)}
    names = {X, *parts.values()}
    plain = term.xreplace(parts)
    fine = all(b.is_positive is not False and not b.has(X) for b in _scales(term))
    if not fine or not plain.is_polynomial(*names) or not plain.free_symbols <= {S, *names}:
        raise ValueError(f"the term {term} is not a polynomial in x and in tanh(b·x) with b > 0")
    if sp.expand(term + term.xreplace({X: -X})) != 0:
        raise ValueError(f"the term {term} is not odd")
    # tanh(b·x) tends to 1 faster than any power of x grows
    tends_to = sp.expand(term.xreplace(dict.fromkeys(parts, Integer(1))))
    if tends_to != limit:
        raise ValueError(f"the term {term} tends to {tends_to}, not to {limit}")


def _scales(term: Expr) -> list[Expr]:
    return [sp.expand(node.args[0] / X) for node in term.atoms(tanh)]
