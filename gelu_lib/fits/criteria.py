"""What "best" may mean: a norm, a weight and an interval; and what is asked with it, a problem.

With r(x) for the error of a member of a family and w(x) for the weight, the size of an error is

- ``"sup"``: the largest w(x)·\\|r(x)\\|,
- ``"L1"``: the integral of w(x)·\\|r(x)\\|,
- ``"L2"``: the square root of the integral of w(x)·r(x)²,

each over the interval. With the weight φ the two integrals over the line are the mean absolute
error and the root of the mean squared error of an input that is normally distributed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType

import sympy as sp
from sympy import Expr, Symbol, oo

from gelu_lib.functions.expressions import X, another_x, parity
from gelu_lib.functions.families import (
    Approximant,
    Value,
    exact_value,
    exact_values,
    without_floats,
)
from gelu_lib.functions.targets import Target, target_of

NORMS = ("sup", "L1", "L2")
"""The norms that a criterion may have."""

LARGEST = 1e15
"""The greatest size of a fixed value; with greater ones no start is found in floats."""

LINE = (-oo, oo)
"""The whole real line."""

NOT_SMOOTH = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise, sp.floor, sp.ceiling)
"""Functions with a kink or a jump."""


class NotAnOptimumError(ArithmeticError):
    """No member of the family is the best, or the one that is has fewer parameters."""


@dataclass(frozen=True)
class Criterion:
    """A way to measure the error of an approximation by one number.

    Attributes:
        norm: ``"sup"``, ``"L1"`` or ``"L2"``.
        weight: a smooth function of ``expressions.X``, positive on the interval.
        interval: its two ends, numbers or ±∞; what is given is made exact.

    Raises:
        TypeError: if an end is no number.
        ValueError: if ``norm`` is not one of these, ``weight`` is no function of x alone, has a
            kink or a jump, or is known not to be positive, or the ends do not increase.
    """

    norm: str = "sup"
    weight: Expr = sp.S.One
    interval: tuple[Expr, Expr] = LINE

    def __post_init__(self) -> None:
        if not isinstance(self.norm, str) or self.norm not in NORMS:
            raise ValueError(f"norm must be one of {NORMS}, got {self.norm!r}")
        object.__setattr__(self, "weight", checked_weight(self.weight))
        object.__setattr__(self, "interval", checked_interval(self.interval))


def checked_weight(weight: Expr) -> Expr:
    """A weight as an exact SymPy expression, if it is a smooth function of x.

    Args:
        weight: an expression in ``expressions.X`` alone, or a number.

    Raises:
        ValueError: if it is not so, or is known not to be positive.
    """
    try:
        weight = sp.sympify(weight)
    except (sp.SympifyError, TypeError):
        raise ValueError(f"weight must be an expression in x, got {weight!r}") from None
    if not isinstance(weight, Expr) or weight.free_symbols - {X}:
        raise ValueError(
            f"weight must be an expression in X alone, got {weight!r}{another_x(weight)}"
        )
    if weight.has(*NOT_SMOOTH):
        raise ValueError(f"weight must be smooth, got {weight!r}")
    if weight.is_positive is False:
        raise ValueError(f"weight must be positive, got {weight!r}")
    return without_floats(weight)


def checked_interval(interval: tuple) -> tuple[Expr, Expr]:
    """The two ends of an interval as exact numbers, or ±∞.

    Raises:
        TypeError: if an end is no number.
        ValueError: if there are not two ends, or they do not increase.
    """
    try:
        left, right = interval
    except (TypeError, ValueError):
        raise ValueError(f"interval must be two numbers, got {interval!r}") from None
    ends = [
        sp.sympify(end) if end in (oo, -oo) else exact_value(end, "an end of interval")
        for end in (left, right)
    ]
    if not ends[0] < ends[1]:
        raise ValueError(f"interval is {interval!r}; accepted are a left end below the right one")
    return tuple(ends)


@dataclass(frozen=True)
class Problem:
    """Which member of a family is the best: the family, the target, the criterion, what is given.

    An error that is even or odd, under an even weight, has all its sizes on one side of 0 if the
    interval lies alike on both. It is looked at from the left, at −x for x > 0: there Φ and its
    approximations are small, and nothing cancels.

    Attributes:
        family: the family of approximations.
        target: what is approximated.
        criterion: how the error is measured.
        fixed: the exact values of the parameters that are not free.
    """

    family: Approximant
    target: Target
    criterion: Criterion = Criterion()
    fixed: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)

    @cached_property
    def free(self) -> tuple[Symbol, ...]:
        """The symbols of the parameters that are to be found."""
        return tuple(symbol for symbol in self.family.symbols if symbol not in self.fixed)

    @cached_property
    def parity(self) -> int:
        """1 if the error without weight is even, −1 if it is odd, and else 0."""
        fixed = dict(self.fixed)  # what is given may have a symmetry that the family has not
        return parity(self.target.error(self.family.expression.xreplace(fixed)))

    @cached_property
    def symmetric(self) -> bool:
        """Whether the sizes of the error are alike on both sides of 0."""
        left, right = self.criterion.interval
        return left == -right and self.parity != 0 and parity(self.criterion.weight) == 1

    @property
    def smooth(self) -> bool:
        """Whether the error is written without a kink or a jump."""
        return not self.target.error(self.family.expression).has(*NOT_SMOOTH)

    @cached_property
    def ends(self) -> tuple[Expr, Expr]:
        """Between which ends x is looked at; the right one may be infinite.

        Raises:
            ValueError: if that is the whole line, and the error neither even nor odd.
        """
        left, right = self.criterion.interval
        if self.symmetric:
            return sp.S.Zero, right
        if (left, right) == LINE:
            raise ValueError(
                f"interval is the whole line, and the error of {self.family.name} for "
                f"{self.target} under the weight {self.criterion.weight} is not shown to be even "
                "or odd; accepted are then intervals with an end"
            )
        return (-right, oo) if left == -oo else (left, right)

    @cached_property
    def flipped(self) -> bool:
        """Whether the interval is a half-line to the left, so that −x is looked at."""
        left, right = self.criterion.interval
        return left == -oo and right < oo

    @cached_property
    def mirrored(self) -> bool:
        """Whether the error is looked at from the left, so that x stands for −x."""
        return self.flipped or (self.parity != 0 and self.ends[0] >= 0)

    @cached_property
    def sign(self) -> int:
        """What the error at −x is multiplied by, to be that at x."""
        return self.parity if self.mirrored and not self.flipped else 1

    @cached_property
    def sides(self) -> int:
        """2 if the part that is looked at stands for both sides of 0, and else 1."""
        return 1 if self.flipped or self.ends == self.criterion.interval else 2

    @cached_property
    def float_ends(self) -> tuple[float, float]:
        """The ends as floats, of which the right one may be infinite."""
        return tuple(map(float, self.ends))

    @cached_property
    def float_fixed(self) -> tuple[float, ...]:
        """The values of the parameters that are not free, as floats."""
        return tuple(map(float, self.fixed.values()))

    @cached_property
    def weight(self) -> Expr:
        """The weight as a function of the x that is looked at."""
        return self.criterion.weight.xreplace({X: -X}) if self.flipped else self.criterion.weight

    def seen(self, function: Expr, name: str) -> Expr:
        """A function that belongs to the error, at the place where that is looked at.

        Raises:
            ValueError: if it has a kink between the ends.
        """
        if function in self._seen:
            return self._seen[function]
        left, right = self.ends
        found = function.xreplace({X: -X}) if self.mirrored else function
        for side in [s for s, out in ((1, left), (-1, -right)) if out >= 0]:  # where |x| is ±x
            positive = sp.Dummy("x", positive=True)
            found = found.xreplace({X: side * positive}).xreplace({positive: side * X})
        if found.has(*NOT_SMOOTH):
            raise ValueError(
                f"{name} {function} has a kink or a jump for {left} < x < {self.ends[1]}; accepted "
                "are smooth functions, on an interval on one side of it"
            )
        self._seen[function] = found
        return found

    @cached_property
    def _seen(self) -> dict[Expr, Expr]:
        return {}

    @cached_property
    def parts(self) -> tuple[Expr, Expr]:
        """T and c of an error c·(T − F), for a family b + c₀·F, at the place that is looked at.

        A factor and a base of the family are part of them. Of the error of GELU′ they are what is
        differentiated.
        """
        family, target = self.family, self.target
        base, factor = getattr(family, "base", sp.S.Zero), getattr(family, "factor", sp.S.One)
        goal = target.function
        if factor != 1 or base != 0:
            goal = (self.seen(goal, "target") - self.seen(base, "base")) / self.seen(
                factor, "factor"
            )
            goal = sp.expand(goal)
        else:
            goal = self.seen(goal, "target")
        return goal, self.sign * self.seen(factor * target.factor, "factor")

    @cached_property
    def plain_error(self) -> Expr:
        """The error as it is looked at, in ``X`` and the symbols of the family, without weight."""
        error = self.seen(self.target.error(self.family.expression), "the error")
        return self.sign * error

    @cached_property
    def error(self) -> Expr:
        """The weighted error, in ``X`` and the symbols of the family."""
        return self.weight * self.plain_error

    def complete(self, free: Iterable, fixed: Iterable) -> list:
        """Values of all parameters in the order of the family, out of the free and fixed ones."""
        values = dict(zip(self.free, free, strict=True)) | dict(zip(self.fixed, fixed, strict=True))
        return [values[symbol] for symbol in self.family.symbols]


def problem(
    family: Approximant,
    target: Target | str = "Phi",
    criterion: Criterion = Criterion(),  # it is frozen
    fixed: Mapping[str, Value] | None = None,
) -> Problem:
    """A problem with checked parts.

    Raises:
        TypeError: if ``criterion`` is no criterion, or as ``families.exact_values`` and
            ``targets.target_of``.
        ValueError: as these functions, if no parameter is free, if a fixed one is larger in size
            than ``LARGEST``, or the error has a kink on the interval.
    """
    if not isinstance(criterion, Criterion):
        raise TypeError(f"criterion must be a Criterion, got {criterion!r}")
    if not (fixed is None or isinstance(fixed, Mapping)):
        raise TypeError(f"fixed must be a mapping from names to values, got {fixed!r}")
    given = exact_values(family, {} if fixed is None else fixed)
    return _checked(Problem(family, target_of(target), criterion, MappingProxyType(given)))


@lru_cache(maxsize=256)
def _checked(made: Problem) -> Problem:
    """A problem that is equal, the first one of all, which knows what was asked of it before."""
    if not made.free:
        names = tuple(symbol.name for symbol in made.family.symbols)
        raise ValueError(f"all parameters {names} are fixed; at least one must be free")
    for symbol, value in made.fixed.items():
        if not abs(value) <= LARGEST:
            raise ValueError(
                f"{symbol} = {value.evalf(8)} is beyond the range of floats in which fits are "
                f"searched; accepted are sizes up to {LARGEST:.0e}"
            )
    return made


def alternating(signs: Sequence[int], count: int) -> bool:
    """Whether there are ``count`` signs, each 1 or −1 and the opposite of the one before."""
    opposite = all(a == -b for a, b in pairwise(signs))
    return len(signs) == count and set(signs) <= {1, -1} and opposite


def by_name(symbols: Iterable[Symbol], values: Iterable) -> Mapping:
    """A read-only mapping from the names of symbols."""
    pairs = zip(symbols, values, strict=True)
    return MappingProxyType({symbol.name: value for symbol, value in pairs})
