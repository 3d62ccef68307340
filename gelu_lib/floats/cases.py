"""A reader's own case: what is approximated where, and how a program writes the constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite

import gelu_lib._proofs

import numpy as np
from sympy import Expr, Rational

from gelu_lib._extras import flint
from gelu_lib.certificates.best.bounds import real_curve
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.balls import number
from gelu_lib.fits.criteria import LINE, Criterion, Problem
from gelu_lib.fits.criteria import problem as made_problem
from gelu_lib.functions.families import TANH_CUBIC, Family, Value, exact_value
from gelu_lib.functions.forms import Form
from gelu_lib.functions.targets import Target
from gelu_lib.precision import check_digits

WRITTEN = ("expanded", "factored")
"""How a program may write the polynomial, as p1·x + p3·x³ or as 2s·(x + k·x³)."""

FAR = 8.0
"""Beyond this 1 − Φ is below 1e-15, and no constants are looked for."""

POINTS = 4001
"""At so many places errors are looked at in floats."""


@dataclass(frozen=True)
class Case:
    """A checked case: the problem, how the constants are written, and the digits of errors."""

    problem: Problem
    written: str
    digits: int

    @property
    def end(self) -> float:
        """The right end of the interval, which lies alike on both sides of 0."""
        return float(self.problem.ends[1])

    @cached_property
    def near(self) -> Problem:
        """The problem up to ``FAR`` at most."""
        end = min(self.end, FAR)
        criterion = replace(self.problem.criterion, interval=(-end, end))
        return replace(self.problem, criterion=criterion)

    def sizes(self, free: list[Rational]) -> tuple[np.ndarray, np.ndarray]:
        """Places of the nearer part, and the sizes of the weighted error there, in floats."""
        x = np.linspace(0, min(self.end, FAR), POINTS)
        values = self.problem.complete(free, self.problem.fixed.values())
        return x, np.abs(real_curve(self.near).floats(x, [flint.arb(float(p)) for p in values]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the free constants."""
        free = tuple(symbol.name for symbol in self.problem.free)
        return free if self.written == "expanded" else ("s", "k")[-len(free) :]

    def free(self, constants: list) -> list:
        """The free parameters that belong to constants, which may be balls or exact numbers."""
        if self.written == "expanded":
            return constants
        if len(constants) == 2:
            s, k = constants
            return [2 * s, 2 * s * k]
        (slope,) = self.problem.fixed.values()
        (k,) = constants
        return [(number(slope) if isinstance(k, flint.arb) else slope) * k]

    def with_first(self, constants: list[Rational]) -> tuple[list[Rational], Problem]:
        """The first free parameters, which the first constants fix, and what is left up to ``FAR``.

        There must be a constant that is not fixed by them.
        """
        first = constants if self.written == "expanded" else [2 * constants[0]]
        known = dict(zip(self.problem.free, first, strict=False)) | dict(self.problem.fixed)
        fixed = {symbol.name: value for symbol, value in known.items()}
        made = self.near
        return first, made_problem(made.family, made.target, made.criterion, fixed)

    def constants(self, free: list) -> list:
        """The constants that belong to free parameters."""
        if self.written == "expanded":
            return free
        if len(free) == 2:
            return [free[0] / 2, free[1] / free[0]]
        (slope,) = self.problem.fixed.values()
        return [free[0] / (number(slope) if isinstance(free[0], flint.arb) else slope)]

    def parameters(self, free: list) -> dict[str, Expr]:
        """All parameters by name."""
        values = self.problem.complete(free, self.problem.fixed.values())
        return dict(zip(self.problem.family.names, values, strict=True))

    def error(self, free: list) -> Enclosure:
        """The largest error with exact free parameters, enclosed."""
        made, form = self.problem, Form(self.problem.family, self.parameters(free))
        criterion = made.criterion
        return certified_sup_error(
            form, made.target, self.digits, criterion.weight, criterion.interval
        ).error


def checked_case(
    target: Target | str,
    family: Family,
    fixed: Mapping[str, Value] | None,
    interval: tuple[float, float] | None,
    written: str,
    weight: Expr,
    digits: int,
) -> Case:
    """A case, if every part of it is accepted; see ``best_constants`` for the arguments.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if an argument is not accepted; the message names it.
    """
    check_digits(digits)
    if not isinstance(written, str) or written not in WRITTEN:
        raise ValueError(f"written is {written!r}; accepted are {WRITTEN}")
    if written == "factored":
        if family != TANH_CUBIC:
            raise ValueError("written = 'factored' is accepted for the family TANH_CUBIC alone")
        fixed = _unfactored({} if fixed is None else fixed)
    end = _end(interval)
    criterion = Criterion("sup", weight, LINE if end == inf else (-end, end))
    made = made_problem(family, target, criterion, fixed)
    if not (made.symmetric and family.is_odd_logistic):
        raise ValueError(
            f"weight is {made.criterion.weight}, family {family.name}, target {made.target}; "
            "accepted are even weights, σ of odd polynomials, and Φ, GELU and GELU′"
        )
    return Case(made, written, digits)


def _unfactored(fixed: Mapping[str, Value]) -> dict[str, Value]:
    if not isinstance(fixed, Mapping):
        raise TypeError(f"fixed must be a mapping from names, got {fixed!r}")
    if set(fixed) - {"s"}:
        raise ValueError(f"fixed has {sorted(fixed)}; of 2s·(x + k·x³) only 's' may be fixed")
    if not fixed:
        return {}
    s = exact_value(fixed["s"], "s")
    if not s.is_positive:
        raise ValueError(f"fixed s is {fixed['s']!r}; accepted is a positive number")
    return {"p1": 2 * s}


def _end(interval: tuple[float, float] | None) -> float:
    """The right end of the interval of |x|: errors have the same size at x and −x."""
    if interval is None:
        return inf
    try:
        if isinstance(interval, str | bytes):  # whose characters would be read as numbers
            raise TypeError
        left, right = map(float, interval)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"interval is {interval!r}; accepted are None or two numbers within the range of floats"
        ) from None
    if not (isfinite(left) and isfinite(right) and left <= 0 <= right and left < right):
        raise ValueError(
            f"interval is {interval!r}; accepted are two finite numbers, increasing, with 0 between"
        )
    return max(-left, right)
