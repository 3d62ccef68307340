"""A second proof of the two constants, in integers: nothing here comes from the library.

Let e(x; p) = Φ(x) − σ(P(x)), where σ is the logistic function and either P(x) = p·x or
P(x) = 2√(2/π)·(x + p·x³). The constant is the p > 0 that makes the largest |e| least.

Why a sign at two parameters proves a bracket. Φ − 1/2, σ − 1/2 and P are odd, so e is odd in x and
only x > 0 matters. There P rises with p, so e(x; p) falls strictly. Hence E₊(p) = sup e never
rises, E₋(p) = sup(−e) never falls, and the largest |e| is the larger of the two. A positive sup is
attained, since e is 0 at x = 0 and tends to 0 for large x; so E₊ and E₋ are strictly monotone where
they are positive. They are continuous for p > 0, since |∂e/∂p| is bounded over all x near each such
p. Let E₊(lo) > E₋(lo). Every p < lo is no better than lo, as E₊(p) ≥ E₊(lo), and a p slightly above
lo is better. So the best p lies above lo. In the same way E₊(hi) < E₋(hi) puts it below hi. Between
lo and hi the falling E₊ crosses the rising E₋ once, and there the larger of the two is least: the
best p exists and is the only one.

Why E₊(p) > E₋(p), say, can be proved. One value of e bounds E₊ from below: the level. That −e
stays below the level on all of x > 0 has three parts:

- Near the peak, −e″ < 0 on an interval around some m, proved piece by piece. A concave curve lies
  under its tangent, so −e(x) ≤ −e(m) + |e′(m)|·r within the distance r. Newton's iteration only
  proposes m.
- Elsewhere up to the tail, on pieces around their middles m, halved until the bound
  −e(m) + |e′(m)|·r + max(0, sup(−e″))·r²/2 of Taylor's theorem is below the level.
- In the tail x ≥ T, where P rises, |e| = |Φ(−x) − σ(−P(x))| is at most the larger of the two
  positive terms; both fall, so their values at T bound it.

Numbers are intervals with integer ends, in units of 2^−BITS, and every operation rounds outwards.
What cannot be proved raises Undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import count
from math import ceil, floor, isqrt
from typing import NamedTuple

BITS = 256


class Undecided(Exception):
    """The intervals are too wide to prove the statement, or the statement is false."""


# Intervals


@dataclass(frozen=True, slots=True)
class Interval:
    """The real numbers from lo to hi, in units of 2^−BITS.

    In Python ``n >> BITS`` and ``n // d`` round down, also below 0; so ``-(-n >> BITS)`` rounds up.
    """

    lo: int
    hi: int

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            raise ValueError(f"the ends {self.lo} and {self.hi} are in the wrong order")

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Interval(min(ends) >> BITS, -(-max(ends) >> BITS))

    def __truediv__(self, other: Interval) -> Interval:
        if other.lo <= 0:
            raise Undecided("a divisor is not proved positive")
        down = [(a << BITS) // b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        up = [-((-a << BITS) // b) for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        return Interval(min(down), max(up))

    @property
    def size(self) -> int:
        """The largest absolute value."""
        return max(-self.lo, self.hi)

    @property
    def middle(self) -> int:
        return (self.lo + self.hi) // 2


def number(value: int | str | Fraction) -> Interval:
    """A rational number, written as Fraction reads it."""
    if isinstance(value, int):
        return Interval(value << BITS, value << BITS)
    exact = Fraction(value) * 2**BITS
    return Interval(floor(exact), ceil(exact))


# Functions of intervals


def series(terms: Iterable[Interval], halving_from: int = 0) -> Interval:
    """The sum of a series in which each term, from the given index on, at least halves the last.

    The omitted terms then add up to at most twice the first of them.
    """
    total = Interval(0, 0)
    for index, term in enumerate(terms):
        if index >= halving_from and term.size <= 1:
            return total + Interval(-2 * term.size, 2 * term.size)
        total += term
    raise ValueError("the series is finite")


def root(x: Interval) -> Interval:
    """√x for x ≥ 0; isqrt rounds down."""
    return Interval(isqrt(x.lo << BITS), isqrt(x.hi << BITS) + 1)


def exp(x: Interval) -> Interval:
    """Taylor's series at x / 2^halvings, which is at most 1/256 in size, squared back."""
    halvings = max(0, x.size.bit_length() - BITS) + 8
    small = Interval(x.lo >> halvings, -(-x.hi >> halvings))

    def terms() -> Iterator[Interval]:
        term = number(1)
        for k in count(1):
            yield term
            term = term * small / number(k)

    result = series(terms())
    for _ in range(halvings):
        result *= result
    return result


def arctan_of_inverse(n: int) -> Interval:
    """arctan(1/n) for an integer n ≥ 2."""

    def terms() -> Iterator[Interval]:
        power = number(1) / number(n)
        for k in count():
            term = power / number(2 * k + 1)
            yield -term if k % 2 else term
            power /= number(n * n)

    return series(terms())


def root_of_two_pi() -> Interval:
    """√(2π), with π by Machin's formula."""
    return _root_of_two_pi(BITS)


@cache
def _root_of_two_pi(bits: int) -> Interval:
    return root(number(32) * arctan_of_inverse(5) - number(8) * arctan_of_inverse(239))


def density(x: Interval) -> Interval:
    """φ(x) for x ≥ 0."""
    return exp(-x * x / number(2)) / root_of_two_pi()


def cdf(x: Interval) -> Interval:
    """Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/(3·5) + …) for x ≥ 0, a series of positive terms."""
    square = x * x

    def terms() -> Iterator[Interval]:
        term = x
        for k in count(1):
            yield term
            term = term * square / number(2 * k + 1)

    # Term n + 1 is x²/(2n + 3) times term n: at most a half once n ≥ x².
    halving_from = (square.hi >> BITS) + 1
    return number("1/2") + density(x) * series(terms(), halving_from)


# The error curves


@dataclass(frozen=True)
class Curve:
    """e(x) = Φ(x) − σ(p1·x + p3·x³) where the sign is 1, and −e(x) where it is −1; for x ≥ 0."""

    p1: Interval
    p3: Interval
    sign: int = 1

    def logistic(self, x: Interval) -> Interval:
        """σ(P(x))"""
        return number(1) / (number(1) + exp(-(self.p1 * x + self.p3 * x * x * x)))

    def value(self, x: Interval) -> Interval:
        return number(self.sign) * (cdf(x) - self.logistic(x))

    def slope(self, x: Interval) -> Interval:
        """By σ′ = σ(1 − σ) = 1/4 − u², where u = σ − 1/2 stands once and widens nothing."""
        u, rise = self.logistic(x) - number("1/2"), self.p1 + number(3) * self.p3 * x * x
        return number(self.sign) * (density(x) - (number("1/4") - u * u) * rise)

    def curvature(self, x: Interval) -> Interval:
        """By φ′ = −xφ and σ″ = −2uσ′."""
        u, rise = self.logistic(x) - number("1/2"), self.p1 + number(3) * self.p3 * x * x
        bend = number(6) * self.p3 * x - number(2) * u * rise * rise
        return number(self.sign) * (-x * density(x) - (number("1/4") - u * u) * bend)


class Form(NamedTuple):
    """One of the two approximations of Φ."""

    coefficients: Callable[[Interval], tuple[Interval, Interval]]
    """p1 and p3 from the parameter."""
    peaks: tuple[str, str]
    """Where to look for the highest points of e and of −e; a bad guess ends in Undecided."""
    bracket: tuple[str, str]
    """Two decimals with the best parameter between them, which the tests prove."""


def _slope_kept(k: Interval) -> tuple[Interval, Interval]:
    slope = number(4) / root_of_two_pi()  # 2√(2/π)
    return slope, slope * k


LOGISTIC = Form(
    coefficients=lambda c: (c, number(0)),
    peaks=("2.04", "0.57"),
    bracket=(
        "1.701744925338003312313169523483175779792355862697388921557936",
        "1.701744925338003312313169523483175779792355862697388921557937",
    ),
)
TANH_CUBIC = Form(
    coefficients=_slope_kept,
    peaks=("1.24", "2.59"),
    bracket=(
        "0.044714911227632494956298186850529122686821520174397072715207",
        "0.044714911227632494956298186850529122686821520174397072715208",
    ),
)


# The proof


def on_pieces(holds: Callable[[Interval], bool], whole: Interval) -> None:
    """Prove a statement about every number of an interval by halving it until each piece passes."""
    if holds(whole):
        return
    if whole.hi - whole.lo <= number("1/65536").hi:
        raise Undecided(f"a statement fails near {whole.middle / 2**BITS}")
    on_pieces(holds, Interval(whole.lo, whole.middle))
    on_pieces(holds, Interval(whole.middle, whole.hi))


def taylor_bound(curve: Curve, piece: Interval, at: int, curvature: int) -> int:
    """f(m) + |f′(m)|·r + C·r²/2 for m = at, where no point of the piece is farther than r from m.

    By Taylor's theorem f is nowhere higher on the piece if f″ ≤ C there and C ≥ 0.
    """
    m, r = Interval(at, at), max(at - piece.lo, piece.hi - at)
    slope, distance = curve.slope(m).size, Interval(r, r)
    rise = Interval(slope, slope) + Interval(curvature, curvature) * distance / number(2)
    return (curve.value(m) + rise * distance).hi


def require_below_near_peak(curve: Curve, near: Interval, at: int, level: int) -> None:
    """A concave curve lies under its tangent at any one point."""
    on_pieces(lambda piece: curve.curvature(piece).hi < 0, near)
    if taylor_bound(curve, near, at, 0) >= level:
        raise Undecided("the peak is not proved lower")


def require_below_on(curve: Curve, whole: Interval, level: int) -> None:
    """Taylor's theorem on pieces, each around its middle."""

    def holds(piece: Interval) -> bool:
        curvature = max(0, curve.curvature(piece).hi)
        return taylor_bound(curve, piece, piece.middle, curvature) < level

    on_pieces(holds, whole)


def require_below_in_tail(curve: Curve, tail: int, level: int) -> None:
    """Φ(−x) = 1 − Φ(x) and σ(−P(x)) = 1 − σ(P(x)) from the tail's first point on."""
    x, one = Interval(tail, tail), number(1)
    if curve.p1.lo < 0 or curve.p3.lo < 0:
        raise Undecided("P is not proved to rise")
    if max((one - cdf(x)).hi, (one - curve.logistic(x)).hi) >= level:
        raise Undecided("the tail starts too early")


def require_below(curve: Curve, at: int, level: int, radius: str, tail: str) -> None:
    """Prove that the curve stays below a level for all x > 0, given roughly where its peak is."""
    half, end = number(radius).hi, number(tail).hi
    near = Interval(at - half, at + half)
    if not 0 <= near.lo < near.hi <= end:
        raise Undecided("the neighbourhood of the peak is too wide")
    require_below_near_peak(curve, near, at, level)
    require_below_on(curve, Interval(0, near.lo), level)
    require_below_on(curve, Interval(near.hi, end), level)
    require_below_in_tail(curve, end, level)


def find_peak(curve: Curve, guess: str, tail: str) -> int:
    """A point near a maximum, by Newton's iteration; no proof rests on it."""
    at = number(guess).lo
    for _ in range(8):
        x = Interval(at, at)
        at += (curve.slope(x) / -curve.curvature(x)).middle
        if not 0 < at < number(tail).lo:
            raise Undecided("no peak was found")
    return at


def compare_sups(
    form: Form, parameter: Interval | str, radius: str = "1/16", tail: str = "4"
) -> str:
    """Prove whether sup e or sup(−e) over x > 0 is larger: the answer is ">" or "<".

    An interval as parameter stands for all of its numbers: the answer holds at each.

    Raises:
        Undecided: if neither is proved.
    """
    p = parameter if isinstance(parameter, Interval) else number(parameter)
    e = Curve(*form.coefficients(p))
    curves = e, replace(e, sign=-1)
    at = [find_peak(curve, guess, tail) for curve, guess in zip(curves, form.peaks, strict=True)]
    # The value at any point bounds the sup from below.
    up, down = (curve.value(Interval(x, x)).lo for curve, x in zip(curves, at, strict=True))
    if up > down:
        require_below(curves[1], at[1], up, radius, tail)
        return ">"
    require_below(curves[0], at[0], down, radius, tail)
    return "<"


def bracket_holds(form: Form, lo: str, hi: str) -> bool:
    """Whether the best parameter is proved to lie strictly between two numbers.

    Raises:
        Undecided: if nothing is proved at one of them.
    """
    return compare_sups(form, lo) == ">" and compare_sups(form, hi) == "<"
