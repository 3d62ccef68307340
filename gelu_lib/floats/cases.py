"""A reader's own case: what is approximated where, and how a program writes the constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite

import gelu_lib._proofs

from flint import arb
from sympy import Expr, Rational

from gelu_lib.certificates.best.sup_errors import certified_error_within
from gelu_lib.certificates.engine.balls import number
from gelu_lib.certificates.engine.enclosures import Enclosure
from gelu_lib.fits.criteria import Criterion, Problem
from gelu_lib.fits.criteria import problem as made_problem
from gelu_lib.fits.sup_norm import check_digits
from gelu_lib.functions.families import TANH_CUBIC, Family, Value, exact_value
from gelu_lib.functions.forms import Form

WRITTEN = ("expanded", "factored")
"""How a program may write the polynomial, as p1·x + p3·x³ or as 2s·(x + k·x³)."""


@dataclass(frozen=True)
class Case:
    """A checked case: the problem, the interval 0 ≤ x ≤ end, and how the constants are written."""

    problem: Problem
    end: float
    written: str
    digits: int

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
        return [(number(slope) if isinstance(k, arb) else slope) * k]

    def with_first(self, constants: list[Rational]) -> tuple[list[Rational], Problem]:
        """The first free parameters, which the first constants fix, and the problem that is left.

        There must be a constant that is not fixed by them.
        """
        first = constants if self.written == "expanded" else [2 * constants[0]]
        known = dict(zip(self.problem.free, first, strict=False)) | dict(self.problem.fixed)
        fixed = {symbol.name: value for symbol, value in known.items()}
        return first, made_problem(self.problem.family, self.problem.criterion, fixed)

    def constants(self, free: list) -> list:
        """The constants that belong to free parameters."""
        if self.written == "expanded":
            return free
        if len(free) == 2:
            return [free[0] / 2, free[1] / free[0]]
        (slope,) = self.problem.fixed.values()
        return [free[0] / (number(slope) if isinstance(free[0], arb) else slope)]

    def parameters(self, free: list) -> dict[str, Expr]:
        """All parameters by name."""
        values = self.problem.complete(free, self.problem.fixed.values())
        return dict(zip(self.problem.family.names, values, strict=True))

    def error(self, free: list) -> Enclosure:
        """The largest error with exact free parameters, enclosed."""
        criterion = self.problem.criterion
        return certified_error_within(
            self.end,
            Form(self.problem.family, self.parameters(free)),
            criterion.of,
            self.digits,
            criterion.weight,
        )


def checked_case(
    of: str,
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
    made = made_problem(family, Criterion("sup", of, weight), fixed)
    return Case(made, _end(interval), written, digits)


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
