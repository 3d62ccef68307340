"""For each form, the interval of constants whose rounded results are those that are asked for.

At any x ≠ 0 the value of a form increases with its constant: the derivative by k is
x·2√(2/π)x³·σ(v)σ(−v), that by c is x·x·σ(v)σ(−v). So to ask that the result rounds to a given
float, or to a float at most n steps from it, is to ask that the constant lies between two numbers.
They are the constants with which the value y is the middle of two floats:

    k = (logit(y/x)/(2√(2/π)) − x)/x³   and   c = logit(y/x)/x,   logit(u) = log(u/(1 − u)).

What is asked for at many inputs is asked for by the intersection. Float64 finds the inputs that may
set its ends, and interval arithmetic decides among them. ``prove`` takes every input in interval
arithmetic. An end belongs to the interval if the tie there is rounded towards the wanted float.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import gelu_lib._proofs

import numpy as np
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.activations import gelu_sigmoid, gelu_tanh
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, decided, number
from gelu_lib.certificates.engine.roots import is_positive
from gelu_lib.floats.gates import Gates, rounding_gates
from gelu_lib.functions.expressions import LOCAL_SLOPE, LOGISTIC_SCALE, PAGE_CUBIC
from gelu_lib.functions.families import Value, exact_value

SLACK = 1e-9
"""More than the error of an end in float64, absolute or relative to the end. A test measures it at
every input of 16 bits; ``prove`` does without."""


@dataclass(frozen=True, eq=False)
class ConstantForm:
    """A form of GELU with one free constant.

    Attributes:
        name: what the tables call it.
        letter: the letter of the constant.
        famous: the constant that is in use everywhere, exactly.
        rounded: the form with that constant, correctly rounded to narrow types.
        from_logit: the constant from logit(y/x), x and 2√(2/π), as arrays or as balls.
    """

    name: str
    letter: str
    famous: Expr
    rounded: Callable[[np.ndarray], np.ndarray] = field(repr=False)
    from_logit: Callable[..., np.ndarray | flint.arb] = field(repr=False)

    def constants(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The constant with which the value at x is y, in float64; ±∞ if y is out of reach."""
        with np.errstate(all="ignore"):
            odds = y / (x - y)
            share = y / x
            near = np.log1p((2 * y - x) / (x - y))  # where the odds are near 1
            logit = np.where(np.abs(share - 0.5) < 0.25, near, np.log(odds))
            logit = np.where(share <= 0, -np.inf, np.where(share >= 1, np.inf, logit))
            return self.from_logit(logit, x, float(2 * LOCAL_SLOPE))

    def ball(self, x: float, y: float) -> flint.arb:
        """The same as a ball, to the precision that is set; ±∞ if y is out of reach."""
        if not 0 < y * np.sign(x) < abs(x):
            return flint.arb("inf" if y >= max(x, 0.0) else "-inf")
        logit = (y / (flint.arb(x) - y)).log()
        return self.from_logit(logit, flint.arb(x), _slope(flint.ctx.prec))


@cache
def _slope(_: int) -> flint.arb:
    return number(2 * LOCAL_SLOPE)


TANH_BY_CUBIC = ConstantForm(
    "tanh form",
    "k",
    PAGE_CUBIC,
    gelu_tanh,
    lambda logit, x, slope: (logit / slope - x) / (x * x * x),
)
"""x·σ(2√(2/π)(x + kx³)), the tanh form with its cubic coefficient."""

SIGMOID_BY_SCALE = ConstantForm(
    "sigmoid form", "c", LOGISTIC_SCALE, gelu_sigmoid, lambda logit, x, slope: logit / x
)
"""x·σ(cx), the sigmoid form with its scale."""


@dataclass(frozen=True)
class End:
    """An end of an interval of constants: the input that sets it, and the value of the form there.

    Attributes:
        form: the form.
        x: the input.
        y: the middle of two floats, exactly, where rounding changes.
        closed: whether the end belongs to the interval.
    """

    form: ConstantForm
    x: float
    y: float
    closed: bool

    @property
    def mirrored(self) -> tuple[Fraction, Fraction]:
        """The input and the value, seen from the right; y at x and y − x at −x make one end."""
        x, y = Fraction(self.x), Fraction(self.y)
        return (x, y) if x > 0 else (-x, y - x)

    def ball(self, bits: int) -> flint.arb:
        """The end as a ball with so many correct bits; −∞ or ∞ if there is no end."""

        def accurate() -> flint.arb | None:
            ball = self.form.ball(self.x, self.y)
            return ball if not ball.is_finite() or ball.rel_accuracy_bits() >= bits else None

        return decided(accurate, bits + 32, f"the end at x = {self.x!r}")

    def enclosure(self, digits: int) -> Enclosure:
        """The end between two decimals of so many digits, and some more."""
        return enclosure(self.ball(bits(digits)), digits + 15)

    def __float__(self) -> float:
        return float(self.ball(80))


@dataclass(frozen=True)
class EndArrays:
    """Ends of one kind, one for each input; the attributes are those of ``End``, as arrays."""

    form: ConstantForm
    x: np.ndarray
    y: np.ndarray
    closed: np.ndarray

    def __getitem__(self, i: int) -> End:
        return End(self.form, float(self.x[i]), float(self.y[i]), bool(self.closed[i]))


@dataclass(frozen=True)
class ConstantInterval:
    """The constants that meet a demand, which all lie between two ends."""

    lower: End
    upper: End

    def __contains__(self, constant: Value) -> bool:
        """Whether a constant, taken as the exact number that it is, meets the demand.

        Raises:
            CertificationError: if interval arithmetic does not tell the constant from an end.
        """
        exact = exact_value(constant)
        return _is_above(exact, self.lower) and not _is_above(exact, self.upper)


def _is_above(constant: Expr, end: End) -> bool:
    """Whether a constant is above an end, and not below it."""
    return is_positive(
        lambda: number(constant) - end.ball(flint.ctx.prec),
        f"the distance of the constant from the end at x = {end.x!r}",
    )


# The constants that meet a demand.


def intersection(form: ConstantForm, demand: Gates) -> ConstantInterval | None:
    """The constants that meet a demand at all of its inputs.

    Returns:
        Their interval, or ``None`` if there is no such constant.

    Raises:
        CertificationError: if two ends are not told apart.
    """
    lower = form.constants(demand.x, demand.low)
    upper = form.constants(demand.x, demand.high)
    if np.max(lower) == np.inf or np.min(upper) == -np.inf:  # some value is out of reach
        return None
    start = _outermost(EndArrays(form, demand.x, demand.low, demand.low_closed), lower, sign=1)
    stop = _outermost(EndArrays(form, demand.x, demand.high, demand.high_closed), upper, sign=-1)
    order = _order(start, stop)
    some = order < 0 or (order == 0 and start.closed and stop.closed)
    return ConstantInterval(start, stop) if some else None


def _outermost(ends: EndArrays, found: np.ndarray, sign: int) -> End:
    """The greatest of the ends if ``sign`` is 1, the least if it is −1; ``found`` is in float64."""
    place = int(np.argmax(sign * found))
    best = ends[place]
    if not np.isfinite(found[place]):
        return best
    slack = SLACK * max(1.0, abs(found[place]))
    for i in np.flatnonzero(np.abs(found - found[place]) <= slack):
        order = sign * _order(best, ends[i])
        if order < 0 or (order == 0 and best.closed):  # of equal ends an open one allows less
            best = ends[i]
    return best


def _order(one: End, other: End) -> int:
    """−1 if one end is less than another, 1 if it is greater, 0 if they are equal."""
    if one.mirrored == other.mirrored:
        return 0
    above = is_positive(
        lambda: one.ball(flint.ctx.prec) - other.ball(flint.ctx.prec),
        f"the distance of the ends at x = {one.x!r} and {other.x!r}",
    )
    return 1 if above else -1


def prove(found: ConstantInterval, demand: Gates) -> None:
    """Prove that an interval is the intersection: compare its ends with those of every input.

    Both ends must be ends that the demand has, open or closed as there, so that the interval is not
    too narrow. Every other end must lie outside, so that it is not too wide.

    Raises:
        ArithmeticError: if it is not so, or if two inputs set the same end.
    """
    form, bits = found.lower.form, 96
    for end, y, closed in (
        (found.lower, demand.low, demand.low_closed),
        (found.upper, demand.high, demand.high_closed),
    ):
        if not np.any((demand.x == end.x) & (y == end.y) & (closed == end.closed)):
            raise ArithmeticError(f"the demand does not have the end {end}")
    lower, upper = found.lower.ball(bits), found.upper.ball(bits)
    ends = zip(demand.x.tolist(), demand.low.tolist(), demand.high.tolist(), strict=True)
    with flint.ctx.workprec(bits):
        if not lower < upper:
            raise ArithmeticError(f"the ends {lower} and {upper} are not in this order")
        for x, low, high in ends:
            fits = (x, low) == (found.lower.x, found.lower.y) or form.ball(x, low) < lower
            fits &= (x, high) == (found.upper.x, found.upper.y) or form.ball(x, high) > upper
            if not fits:
                raise ArithmeticError(f"at x = {x!r} less is allowed than {found}")


def same_results(form: ConstantForm, inputs: np.ndarray) -> ConstantInterval:
    """The constants with which every rounded result is the one that the famous constant gives.

    Args:
        form: the form.
        inputs: finite floats of one narrow type, ascending.

    Raises:
        ArithmeticError: if the famous constant itself does not give these results.
    """
    found = intersection(form, rounding_gates(inputs, form.rounded(inputs)))
    if found is None or form.famous not in found:
        raise ArithmeticError(f"the results of the {form.name} are not correctly rounded")
    return found
