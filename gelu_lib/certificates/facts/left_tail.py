r"""The asymptotic series of Mills' ratio, and what is lost where it is cut off.

Mills' ratio is R(x) = Φ(−x)/φ(x), so that GELU(−x) = −xφ(x)R(x). For x > 0 and every number N of
terms

    R(x) = Σ_{n<N} (−1)ⁿ(2n − 1)!!/x²ⁿ⁺¹ + r_N(x),

with a rest r_N of the sign (−1)ᴺ. Its relative size E_N(x) = \|r_N(x)\|/R(x) is (2N − 1)!! times
the mean of t⁻²ᴺ over t > x, weighted with φ(t). Two facts follow, on which the functions here rest.
For N ≥ 1 the size E_N falls as x grows, because t⁻²ᴺ falls. And for a fixed x the sequence E₀, E₁,
E₂, … satisfies E_N² < E_{N−1}E_{N+1}, because both of its factors do, the mean by Schwarz'
inequality. So a value that is not above its two neighbours is the least of all.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Rational, factorial2

from gelu_lib._extras import flint
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.balls import FIRST_BITS, number
from gelu_lib.certificates.engine.roots import change, is_positive
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.families import Value, exact_value

UNIT_ROUNDOFF = Rational(1, 2**53)
"""The largest relative error of rounding to float64, which is half a unit at a power of 2."""

LARGEST_PLACE = 200
"""The largest x at which the best number of terms, about x²/2, is looked for."""

LEAST_DIGITS = 15
"""The digits to which two numbers of terms are compared, if no more are asked for."""

Numeral = Callable[[], "flint.arb"]
"""A number that is enclosed to whatever precision is set."""


def coefficient(n: int) -> int:
    """The coefficient of 1/x²ⁿ⁺¹ in the series, (−1)ⁿ(2n − 1)!!.

    Args:
        n: which term, counted from 0.

    Returns:
        The coefficient, exact.

    Raises:
        ValueError: if ``n`` is not an integer from 0.
    """
    return (-1) ** _count("n", n, 0) * int(factorial2(2 * n - 1))


def best_terms(x: Value) -> int:
    """How many terms leave the least relative error at x.

    It is found from the neighbours of x²/2 and proved to be the best, see above.

    Args:
        x: a positive number up to ``LARGEST_PLACE``, taken exactly.

    Returns:
        The number of terms, from 1; the sum of one term is the best where none is better than it.

    Raises:
        TypeError: if ``x`` is of a type that is not accepted.
        ValueError: if ``x`` is not positive, or beyond ``LARGEST_PLACE``.
    """
    exact = x
    x = _positive("x", x)
    with flint.ctx.workprec(FIRST_BITS):
        if x() > LARGEST_PLACE:
            raise ValueError(f"x is {exact!r}; accepted is at most {LARGEST_PLACE}, for x²/2 terms")

    def improves(terms: int, other: int) -> bool:
        return is_positive(lambda: _error(x(), terms) - _error(x(), other))

    return _settled(max(1, round(float(x() ** 2 / 2))), improves)


def reach_of(terms: int, size: Value, digits: int = 15) -> Enclosure:
    """The x from which on the relative error of a number of terms is at most a given size.

    Args:
        terms: how many terms, from 1.
        size: the relative error, positive.
        digits: how many significant digits.

    Returns:
        A proved enclosure of the one x > 0 where the relative error equals ``size``.

    Raises:
        TypeError: if ``size`` is of a type that is not accepted.
        ValueError: if ``size`` is not positive, or ``terms`` or ``digits`` not a positive integer.
    """
    exact = _positive("size", size)
    _count("terms", terms, 1)
    _count("digits", digits, 1)

    def is_larger(x: flint.fmpq) -> bool:
        return is_positive(lambda: _error(flint.arb(x), terms) - exact())

    low = flint.fmpq(1)
    while not is_larger(low):
        low /= 2
    high = 2 * low
    while is_larger(high):
        high *= 2
    return change(is_larger, high / 2, high, digits)


def earliest_reach(size: Value, digits: int = 15) -> tuple[int, Enclosure]:
    """The least x from which on a partial sum can reach a relative error, and with how many terms.

    Args:
        size: the relative error, positive.
        digits: how many significant digits.

    Returns:
        The number of terms, and a proved enclosure of x. With one term more or less the error at x
        is larger than ``size``. So it is with any other number, and at every smaller x as well.
        This is said of single sums: the mean of two neighbouring ones may be nearer to R.

    Raises:
        TypeError: if ``size`` is of a type that is not accepted.
        ValueError: if ``size`` is not positive, or ``digits`` not a positive integer.
        CertificationError: if two numbers of terms reach it at places too close to be told apart.
    """
    exact, compared = _positive("size", size), max(_count("digits", digits, 1), LEAST_DIGITS)

    def improves(terms: int, other: int) -> bool:
        x = _positive("x", reach_of(terms, size, compared).upper)
        return is_positive(lambda: exact() - _error(x(), other))

    terms = _settled(max(1, round(-float(exact().log()))), improves)
    return terms, reach_of(terms, size, digits)


def _settled(terms: int, improves: Callable[[int, int], bool]) -> int:
    """A number of terms on which neither neighbour improves, reached from a first one."""
    tried = set()
    while terms not in tried:
        tried.add(terms)
        better = [other for other in (terms - 1, terms + 1) if other and improves(terms, other)]
        if not better:
            return terms
        terms = better[0]
    raise CertificationError("digits", f"{sorted(tried)} terms are not told apart")


def _ratio(x: flint.arb) -> flint.arb:
    """R as U(1/2, 1/2, x²/2)/√2, with Kummer's U: Φ(−x) and φ(x) would vanish at a large x."""
    half = flint.arb(1) / 2
    return (x**2 / 2).hypgeom_u(half, half) / flint.arb(2).sqrt()


def _sum(x: flint.arb, terms: int) -> flint.arb:
    """The partial sum by Horner's rule, 1/x·(1 − 1/x²·(1 − 3/x²·(1 − …)))."""
    total = flint.arb(1)
    for n in reversed(range(1, terms)):
        total = 1 - (2 * n - 1) * total / x**2
    return total / x


def _error(x: flint.arb, terms: int) -> flint.arb:
    return (-1) ** terms * (1 - _sum(x, terms) / _ratio(x))


def _positive(name: str, value: Value) -> Numeral:
    exact: Expr = exact_value(value, name)
    if not exact.is_positive:
        raise ValueError(f"{name} is {value!r}; accepted is a positive number")
    return lambda: number(exact)


def _count(name: str, value: int, least: int) -> int:
    if type(value) is not int or value < least:
        raise ValueError(f"{name} is {value!r}; accepted is an integer from {least}")
    return value
