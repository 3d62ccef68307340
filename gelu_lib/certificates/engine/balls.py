"""Balls of real numbers, which contain what they stand for, whatever is rounded.

An Arb number is a midpoint and a radius. Each operation returns a ball that contains the result
for every choice of numbers in the balls that it was given. A comparison such as ``a < b`` is true
only if it holds for every such choice; so a proof asks for what is true and never for what is
false. All evaluation comes from the expressions of ``gelu_lib.functions``: ``compiled`` turns one
into a function of balls, of complex balls, or of power series that have balls for coefficients.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar, Union

import sympy as sp
from sympy import Expr, Symbol
from sympy.core.function import Application
from sympy.printing.lambdarepr import LambdaPrinter

from gelu_lib._extras import flint
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.families import without_floats

_Answer = TypeVar("Answer")

Ball = Union["flint.arb", "flint.acb", "flint.arb_series"]
"""A ball, a complex ball, or a power series that has balls for coefficients."""

BITS_PER_DIGIT = 3.3219280948873626
"""The binary logarithm of 10, rounded up."""


def bits(digits: int) -> int:
    """How many bits hold as many decimal digits, with some to spare."""
    return int(digits * BITS_PER_DIGIT) + 64


FIRST_BITS = 128
"""The precision at which a question is first asked."""

PRECISIONS = 10
"""At how many precisions it is asked, each twice the one before."""


def decided(
    question: Callable[[], _Answer | None], precision: int = FIRST_BITS, what: str = "a number"
) -> _Answer:
    """The answer to a question on balls, asked with as many bits as it takes.

    Args:
        question: answers, or returns ``None`` where the balls are too wide to.
        precision: the bits with which it is first asked.
        what: the number that must not be 0, as the error calls it.

    Returns:
        The answer.

    Raises:
        CertificationError: if there is none at ``PRECISIONS`` precisions, each twice the last one.
    """
    for _ in range(PRECISIONS):
        with flint.ctx.workprec(precision):
            answer = question()
        if answer is not None:
            return answer
        precision *= 2
    raise CertificationError("digits", f"{precision // 2} bits do not decide; {what} may be 0")


def interval(left: flint.arb | float, right: flint.arb | float) -> flint.arb:
    """The smallest ball that contains two balls."""
    return flint.arb(left).union(flint.arb(right))


def number(expression: Expr) -> flint.arb:
    """An enclosure of an exact number, to the precision that is set."""
    exact = without_floats(expression)
    if exact.is_Rational:  # not as source code, in which Python reads 4300 digits and no more
        return flint.arb(flint.fmpq(int(exact.p), int(exact.q)))
    return flint.arb(_number(exact)())


def compiled(variables: tuple[Symbol, ...], expressions: Expr | list[Expr]) -> Callable:
    """A function of balls that encloses expressions, to the precision set when it is called.

    Args:
        variables: the arguments of the function, in order.
        expressions: an expression of these, or a list of them. Floats are not exact numbers, and
            are refused.

    Returns:
        A function. Its values are balls or series, or exact numbers where nothing had to be
        rounded.

    Raises:
        NotImplementedError: if an expression has a part that is not evaluated in Arb.
    """
    several = isinstance(expressions, list | tuple)
    return _compiled(variables, tuple(expressions) if several else expressions)


@lru_cache(maxsize=4096)
def _compiled(variables: tuple[Symbol, ...], expressions: Expr | tuple[Expr, ...]) -> Callable:
    parts = sp.Tuple(expressions).atoms(Application, sp.NumberSymbol, sp.Float, Symbol)
    names = {part.func.__name__ if isinstance(part, Application) else str(part) for part in parts}
    refused = names - {*_FUNCTIONS, "pi", "E", *map(str, variables)}
    if refused:
        raise NotImplementedError(f"{', '.join(sorted(refused))} are not evaluated in Arb")
    known = {"fully_qualified_modules": False, "user_functions": {n: n for n in _FUNCTIONS}}
    return sp.lambdify(variables, expressions, [_NAMES], printer=_ArbPrinter(known), cse=True)


@lru_cache
def _number(expression: Expr) -> Callable[[], flint.arb]:
    return compiled((), expression)


class _ArbPrinter(LambdaPrinter):
    """Prints exact numbers so that Arb computes them at the precision of the call."""

    def _print_Rational(self, expr: Expr) -> str:
        return f"flint.fmpq({expr.p}, {expr.q})"

    def _print_Pi(self, expr: Expr) -> str:
        return "flint.arb.pi()"

    def _print_Exp1(self, expr: Expr) -> str:
        return "flint.arb(1).exp()"

    def _print_Abs(self, expr: Expr) -> str:
        return f"Abs({self._print(expr.args[0])})"

    def _print_Pow(self, expr: Expr, **_: object) -> str:
        base, exponent = expr.as_base_exp()
        halves = exponent.is_Rational and exponent.q in (1, 2)
        if base.is_number and base.is_positive and not halves:
            return f"exp(log({self._print(base)})*({self._print(exponent)}))"
        if not halves:
            raise NotImplementedError(f"the power {expr} is not evaluated in Arb")
        root = f"sqrt({self._print(base)})" if exponent.q == 2 else f"{self._print(base)}"
        power = f"power({root}, {abs(exponent.p)})"
        # 1/p and then a product: Arb's quotient of two series that are 0 here loses a coefficient
        return power if exponent > 0 else f"(flint.arb(1)/{power})"


def is_ball(x: object) -> bool:
    """Whether it is a ball of one of the three kinds."""
    return isinstance(x, flint.arb | flint.acb | flint.arb_series)


def _ball(x: Ball | int | flint.fmpq) -> Ball:
    return x if is_ball(x) else flint.arb(x)


def _of_arb(name: str) -> Callable[[Ball | int | flint.fmpq], Ball]:
    """What Arb has as a method of balls and of series, for exact numbers too."""
    return lambda x: getattr(_ball(x), name)()


def power(x: Ball | int | flint.fmpq, exponent: int) -> Ball | int | flint.fmpq:
    """A power with an exponent of at least 1."""
    if not isinstance(x, flint.arb) or x.mid() != 0:
        return x**exponent
    most = x.abs_upper() ** exponent  # of a ball around 0 python-flint has no power
    return most.union(-most if exponent % 2 else 0)


def _real_root(x: Ball | int | flint.fmpq) -> Ball:
    """√ of what is known not to be negative, though a ball around it may reach below 0."""
    ball = _ball(x)
    return ball.nonnegative_part().sqrt() if isinstance(ball, flint.arb) else ball.sqrt()


def density(x: Ball | int | flint.fmpq) -> Ball:
    """φ of a ball, of a series or of an exact number."""
    x = _ball(x)
    return (-x * x / 2).exp() / (2 * flint.arb.pi()).sqrt()


def normal(x: Ball | int | flint.fmpq) -> Ball:
    """Φ of a ball, of a series or of an exact number."""
    # erfc, not 1 + erf, which cancels in the left tail
    return (-_ball(x) / flint.arb(2).sqrt()).erfc() / 2


FAR_LEFT = -8
"""Below this σ is computed from exp(x) and not from exp(−x), of which a wide ball holds 0."""


def logistic(x: Ball | int | flint.fmpq) -> Ball:
    """σ of a ball, of a series or of an exact number."""
    x = _ball(x)
    place = x[0] if isinstance(x, flint.arb_series) else x.real if isinstance(x, flint.acb) else x
    if place < FAR_LEFT:
        growth = x.exp()
        return growth / (1 + growth)
    return 1 / (1 + (-x).exp())


def _gelu(x: Ball | int | flint.fmpq) -> Ball:
    """GELU of a ball, of a series or of an exact number."""
    return _ball(x) * normal(x)


def _tanh(x: Ball | int | flint.fmpq) -> Ball:
    """tanh of a ball, of a series or of an exact number."""
    # Arb has no tanh of a series.
    return 2 * logistic(2 * _ball(x)) - 1


def _cosh(x: Ball | int | flint.fmpq) -> Ball:
    """cosh of a ball, of a series or of an exact number."""
    growth = _ball(x).exp()
    return (growth + 1 / growth) / 2


def absolute(x: Ball | int | flint.fmpq) -> Ball:
    """The absolute value of a ball or of an exact number; Arb has none of a series."""
    if isinstance(x, flint.arb_series):
        raise NotImplementedError("Arb has no absolute value of a function")
    return abs(_ball(x))


_FUNCTIONS = {
    "Abs": absolute,
    "GELU": _gelu,
    "LambertW": _of_arb("lambertw"),
    "Phi": normal,
    "atan": _of_arb("atan"),
    "cosh": _cosh,
    "erf": _of_arb("erf"),
    "erfc": _of_arb("erfc"),
    "exp": _of_arb("exp"),
    "log": _of_arb("log"),
    "logistic": logistic,
    "phi": density,
    "real_root": _real_root,
    "tanh": _tanh,
}
_NAMES = {**_FUNCTIONS, "power": power, "sqrt": _of_arb("sqrt"), "flint": flint}
