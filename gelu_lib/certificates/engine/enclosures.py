"""Enclosures: of a number between two decimals, and of a function on an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import comb

import numpy as np
import sympy as sp
from sympy import Expr, Symbol

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import Ball, compiled
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.expressions import X, numpy_function

ORDER = 8
"""The order of the remainder in a Taylor enclosure."""

Derivative = tuple[Symbol, ...]
"""The parameters to differentiate by, in order; empty for the function itself."""


class Curve:
    """A function of x and of parameters, on enclosures of both; an ``expression`` says which.

    The expression is in ``expressions.X`` and in ``symbols``, the parameters in their order.
    """

    expression: Expr
    symbols: tuple[Symbol, ...]

    @cached_property
    def _functions(self) -> dict[tuple[Derivative, ...], Callable[..., list[Ball]]]:
        return {}

    def _compiled(self, derivatives: tuple[Derivative, ...]) -> Callable[..., list[Ball]]:
        """Some derivatives as one function of x and the parameters, compiled once."""
        if derivatives not in self._functions:
            wanted = [reduce(sp.diff, by, self.expression) for by in derivatives]
            self._functions[derivatives] = compiled((X, *self.symbols), wanted)
        return self._functions[derivatives]

    @cached_property
    def _in_floats(self) -> Callable[..., np.ndarray]:
        return numpy_function(self.expression, X, *self.symbols)

    def floats(self, x: np.ndarray, parameters: Sequence[flint.arb] = ()) -> np.ndarray:
        """The values in double precision, which need not be finite."""
        with np.errstate(all="ignore"):
            values = self._in_floats(x, *map(float, parameters))
        return np.array(np.broadcast_to(values, x.shape), float)

    def is_flat(self, x: Expr) -> bool:
        """Whether the slope at an exact place is seen to be 0, whatever the parameters are."""
        return sp.expand(sp.diff(self.expression, X).xreplace({X: x})) == 0

    def at(self, x: flint.arb, parameters: Sequence[flint.arb] = ()) -> flint.arb:
        """The value, operation by operation, for every point of ``x``; it need not be finite."""
        return flint.arb(self._compiled(((),))(x, *parameters)[0])

    def jets(
        self,
        x: flint.arb,
        parameters: Sequence[flint.arb],
        length: int,
        derivatives: tuple[Derivative, ...],
    ) -> list[list[flint.arb]]:
        """Taylor coefficients in x, for every point of ``x`` and every parameter of the balls.

        Args:
            x: where to expand.
            parameters: the values of ``symbols``.
            length: how many coefficients.
            derivatives: of which derivatives of the function by parameters.

        Returns:
            For each derivative the enclosures of its first ``length`` Taylor coefficients; nan
            where Arb finds none, because ``x`` is too wide.

        Raises:
            NotImplementedError: if the function has a part that is not evaluated in Arb.
            ArithmeticError: if Arb has cut off coefficients.
        """
        function, zero = self._compiled(derivatives), flint.arb_series([0], prec=length)
        try:
            values = function(flint.arb_series([x, 1], prec=length), *parameters)
        except (ValueError, ZeroDivisionError):  # a divisor or a root may be 0 on a ball so wide
            return [[flint.arb.nan()] * length for _ in derivatives]  # which proves nothing
        return [_coefficients(zero + value, length) for value in values]

    def taylor(self, x: flint.arb, parameters: Sequence[flint.arb], length: int) -> list[flint.arb]:
        """Taylor coefficients of the function itself; see ``jets``."""
        return self.jets(x, parameters, length, ((),))[0]

    def enclose(
        self,
        piece: flint.arb,
        parameters: Sequence[flint.arb] = (),
        order: int = 0,
        last: int = ORDER,
    ) -> flint.arb:
        """An enclosure of a Taylor coefficient of the function at every point of a piece.

        The Taylor polynomial at the middle is taken, and the coefficient of its remainder over
        the whole piece. So the enclosure is hardly wider than the range itself on a short piece.

        Args:
            piece: an interval.
            parameters: the values of ``symbols``.
            order: which coefficient: 0 for the value, 1 for the slope, 2 for half the curvature.
            last: the order of the remainder.

        Returns:
            The enclosure; that of ``at``, or nan, where Arb finds no Taylor coefficients.
        """
        middle = piece.mid()
        step = piece - middle
        terms = self.taylor(middle, parameters, last)
        terms.append(self.taylor(piece, parameters, last + 1)[last])
        value = flint.arb(0)
        for j in reversed(range(order, last + 1)):
            value = value * step + comb(j, order) * terms[j]
        return value if order or value.is_finite() else self.at(piece, parameters)


@dataclass(frozen=True)
class Function(Curve):
    """A function of x alone.

    Attributes:
        expression: what it is, in ``expressions.X``.
        symbols: none.
    """

    expression: Expr
    symbols: tuple[Symbol, ...] = ()


@dataclass(frozen=True)
class ErrorCurve(Curve):
    """The weighted error of the members of a family, as a function of enclosures.

    Attributes:
        problem: the family, the target and the criterion.
    """

    problem: Problem

    @property
    def expression(self) -> Expr:
        """The weighted error, as ``Problem`` looks at it."""
        return self.problem.error

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The parameters of the family."""
        return self.problem.family.symbols


@lru_cache(maxsize=256)
def error_curve(problem: Problem) -> ErrorCurve:
    """The error curve of a problem, the same one whenever it is asked for."""
    return ErrorCurve(problem)


def text(ball: flint.arb, digits: int = 8) -> str:
    """The midpoint of a ball, for messages."""
    return ball.mid().str(digits, radius=False)


def _coefficients(series: flint.arb_series, length: int) -> list[flint.arb]:
    """The coefficients of a series, with the zeros at the end that Arb leaves out."""
    if series.prec < length:  # what Arb has cut off must not be taken for zero
        raise ArithmeticError(f"a series has {series.prec} known coefficients, not {length}")
    known = series.coeffs()
    return known + [flint.arb(0)] * (length - len(known))
