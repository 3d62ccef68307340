"""Taylor series of erf and tanh at 0, and the local match between them, in exact arithmetic.

The series of erf comes from integrating the exponential series term by term, that of tanh from
the Bernoulli numbers. The local match is the odd series Σ aₖxᵏ for which tanh(Σ aₖxᵏ) and
erf(x/√2) have the same Taylor coefficients; it begins with √(2/π)(x + (4 − π)/(6π)·x³).

An index ``k`` is always the power of x, so the coefficients of even index are 0.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import mpmath
import sympy as sp
from sympy import QQ, Dummy, Expr, Integer, Poly, Rational, bernoulli, factorial, pi, sqrt
from sympy.polys.domains.domain import Domain
from sympy.polys.polyerrors import CoercionFailed
from sympy.polys.rings import PolyElement, ring

from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.precision import SERIES_DIGITS

# π is transcendental over Q(√2), so √π may be calculated with as a variable
_ROOT_PI = Dummy("p", positive=True)
_CONSTANTS = QQ.algebraic_field(sqrt(2)).frac_field(_ROOT_PI)


def erf_coefficient(k: int) -> Expr:
    """The coefficient of xᵏ in the Taylor series of erf at 0.

    erf(x) = 2/√π·∫₀ˣ exp(−t²) dt, and exp(−t²) = Σ (−1)ⁿt²ⁿ/n!. Integrated term by term, the
    coefficient of x²ⁿ⁺¹ is 2/√π·(−1)ⁿ/(n!(2n+1)) (DLMF 7.6.1).

    Args:
        k: the power of x, an integer >= 0.

    Returns:
        The exact coefficient, a rational multiple of 1/√π; 0 if ``k`` is even.

    Raises:
        TypeError: if ``k`` is not an integer.
        ValueError: if ``k`` is negative.
    """
    k = _power("k", k)
    return _erf_term(Integer(k // 2)) if k % 2 else sp.S.Zero


def tanh_coefficient(k: int) -> Expr:
    """The coefficient of xᵏ in the Taylor series of tanh at 0.

    The coefficient of x²ⁿ⁻¹ is 2²ⁿ(2²ⁿ − 1)B₂ₙ/(2n)!, where B₂ₙ is a Bernoulli number (DLMF
    4.33.3).

    Args:
        k: the power of x, an integer >= 0.

    Returns:
        The exact coefficient, a rational number; 0 if ``k`` is even.

    Raises:
        TypeError: if ``k`` is not an integer.
        ValueError: if ``k`` is negative.
    """
    k = _power("k", k)
    if k % 2 == 0:
        return sp.S.Zero
    power = Integer(2) ** (k + 1)
    return power * (power - 1) * bernoulli(k + 1) / factorial(k + 1)


@dataclass(frozen=True)
class LocalMatch:
    """The odd polynomial u for which tanh(u(x)) = erf(x/√2) + O(xᵏ⁺²), where k = ``order``.

    Attributes:
        order: the highest power k of x in u, odd.
        ratios: a₁/a₁, a₃/a₁, a₅/a₁, …, as many as u has terms. The ratio of x²ⁿ⁺¹ is a
            polynomial of degree n in 1/π with rational coefficients, written over one denominator.
    """

    order: int
    ratios: tuple[Expr, ...]

    @property
    def powers(self) -> tuple[int, ...]:
        """The powers 1, 3, 5, …, ``order`` of x in u."""
        return tuple(range(1, self.order + 1, 2))

    @property
    def coefficients(self) -> tuple[Expr, ...]:
        """The coefficients a₁, a₃, a₅, … of u, with a₁ = √(2/π)."""
        return tuple(LOCAL_SLOPE * ratio for ratio in self.ratios)

    def ratio(self, k: int) -> Expr:
        """aₖ/a₁, by the power k of x and not by its place in ``ratios``.

        Args:
            k: an odd integer from 1 to ``order``.

        Returns:
            The exact ratio. ``local_match(3).ratio(3)`` is (4 − π)/(6π).

        Raises:
            TypeError: if ``k`` is not an integer.
            ValueError: if ``k`` is even, less than 1 or greater than ``order``.
        """
        k = _power("k", k, odd=True)
        if k > self.order:
            raise ValueError(f"k must be an odd integer from 1 to {self.order}; got {k}")
        return self.ratios[k // 2]


def local_match(order: int) -> LocalMatch:
    """The odd polynomial u of degree k = ``order`` for which tanh(u(x)) = erf(x/√2) + O(xᵏ⁺²).

    With a = √(2/π) and erf(x/√2) = a·r(x), r has rational coefficients, and u/a = artanh(a·r)/a
    solves (u/a)′(1 − a²r²) = r′. Read coefficient by coefficient this is a recurrence in the
    polynomials in a² = 2/π. Since artanh y = Σ yʲ/j over odd j, the term of highest degree in the
    ratio of x²ⁿ⁺¹ is (2/π)ⁿ/(2n+1); so the ratio is not 0, because π is transcendental.

    Args:
        order: the highest power of x, an odd integer >= 1.

    Returns:
        The match, exact. ``local_match(3)`` is √(2/π)(x + (4 − π)/(6π)·x³).

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1.
    """
    order = _power("order", order, odd=True)
    reduced = [_reduced_erf_coefficient(k) for k in range(1, order + 1, 2)]
    exact = _artanh_ratios(reduced, ring("w", QQ)[1])
    return LocalMatch(order, tuple(map(_over_one_denominator, exact)))


def artanh_erf_coefficients(order: int, digits: int) -> tuple[mpmath.mpf, ...]:
    """The Taylor coefficients a₁, a₃, a₅, … of artanh(erf(x/√2)) at 0, as numbers.

    They are those of ``local_match``, from the same recurrence, in floating point. The exact
    coefficient of xᵏ has k/2 terms and takes a lot of room; this gives hundreds of them at once.

    Args:
        order: the highest power of x, an odd integer >= 1.
        digits: significant digits, an integer >= 1.

    Returns:
        The coefficients of x, x³, …, x^order. Guard digits cover what cancels in the recurrence.
        In the first 800 coefficients that is 7 digits at most, measured against 70 digits more.

    Raises:
        TypeError: if ``order`` is not an integer.
        ValueError: if ``order`` is even or less than 1, or ``digits`` is no positive integer.
    """
    order = _power("order", order, odd=True)
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits must be an integer >= 1; got {digits!r}")
    with mpmath.workdps(digits + SERIES_DIGITS):
        reduced = [
            mpmath.mpf(int(q.numerator)) / int(q.denominator)
            for q in map(_reduced_erf_coefficient, range(1, order + 1, 2))
        ]
        ratios = _artanh_ratios(reduced, 2 / mpmath.pi)
        coefficients = [mpmath.sqrt(2 / mpmath.pi) * ratio for ratio in ratios]
    with mpmath.workdps(digits):
        return tuple(+a for a in coefficients)


def tanh_of_odd_series(coefficients: Sequence[Expr], order: int) -> tuple[Expr, ...]:
    """The Taylor coefficients at 0 of tanh(a₁x + a₃x³ + a₅x⁵ + …).

    Args:
        coefficients: a₁, a₃, a₅, …; those that are not given are 0. Each is a polynomial in any
            symbols whose coefficients are made of rational numbers, √2 and √π by +, −, × and ÷.
        order: the highest power of x that is wanted, an odd integer >= 1.

    Returns:
        The coefficients of x, x³, …, x^order, exact and expanded.

    Raises:
        TypeError: if ``coefficients`` is no sequence of expressions or ``order`` no integer.
        ValueError: if ``order`` is even or less than 1, or a coefficient is not of that kind; a
            floating-point number is not.
    """
    order = _power("order", order, odd=True)
    expressions = _coefficient_expressions(coefficients)
    symbols = sorted(set().union(*(e.free_symbols for e in expressions)), key=str)
    domain = _CONSTANTS.poly_ring(*symbols) if symbols else _CONSTANTS
    accepted = "a polynomial in symbols with coefficients in the field Q(√2, √π)"
    composed = _compose_tanh(_in_domain(domain, expressions, accepted), order, domain)
    return tuple(sp.expand(domain.to_sympy(c).subs(_ROOT_PI, sqrt(pi))) for c in composed)


def first_mismatch(coefficients: Sequence[Expr], order: int) -> int | None:
    """The least power of x at which tanh(a₁x + a₃x³ + …) and erf(x/√2) differ.

    The coefficients are compared in the field Q(√2, √π), where equality is decided, not estimated.

    Args:
        coefficients: a₁, a₃, a₅, …, exact numbers made of rational numbers, √2 and √π by +, −, ×
            and ÷; those that are not given are 0.
        order: the highest power that is compared, an odd integer >= 1.

    Returns:
        The power, or None if the two series agree up to and including x^order.

    Raises:
        TypeError: if ``coefficients`` is no sequence of expressions or ``order`` no integer.
        ValueError: if ``order`` is even or less than 1, or a coefficient is not of that kind; a
            floating-point number or a symbol is not.
    """
    order = _power("order", order, odd=True)
    expressions = _coefficient_expressions(coefficients)
    given = _in_domain(_CONSTANTS, expressions, "an exact number of the field Q(√2, √π)")
    powers = range(1, order + 1, 2)
    for k, found in zip(powers, _compose_tanh(given, order, _CONSTANTS), strict=True):
        if found != _element(erf_coefficient(k) / sqrt(2) ** k, _CONSTANTS):
            return k
    return None


def _erf_term(n: Expr) -> Expr:
    exponential = (-1) ** n / factorial(n)  # of t²ⁿ in exp(−t²)
    return 2 / sqrt(pi) * exponential / (2 * n + 1)


def _artanh_ratios(r: list, w: object) -> list:
    """a₁/a₁, a₃/a₁, … of artanh(erf(x/√2)), from u′(1 − a²r²) = r′, where u = Σ aₖxᵏ/a₁.

    Args:
        r: the coefficients of x, x³, … in r = erf(x/√2)/a, a = √(2/π), as elements of a ring.
        w: a² = 2/π, in the same ring: a number, or a variable.
    """
    derivative = []  # of u; entry n belongs to x²ⁿ
    square = []  # r²; entry n belongs to x²ⁿ⁺²
    for n, r_n in enumerate(r):
        known = sum(square[j] * derivative[n - 1 - j] for j in range(n))
        derivative.append((2 * n + 1) * r_n + w * known)
        square.append(sum(r[i] * r[n - i] for i in range(n + 1)))
    return [d / (2 * n + 1) for n, d in enumerate(derivative)]


def _reduced_erf_coefficient(k: int) -> object:
    """The coefficient of xᵏ in erf(x/√2)/√(2/π), a rational number of SymPy's domain QQ."""
    return QQ.from_sympy(erf_coefficient(k) / sqrt(2) ** k / LOCAL_SLOPE)


def _compose_tanh(coefficients: list, order: int, domain: Domain) -> Iterator:
    """The coefficients of t = tanh(u), u the odd series, from t′ = (1 − t²)u′; in ``domain``."""
    size = (order + 1) // 2
    padded = (coefficients + [domain.zero] * size)[:size]
    derivative = [(2 * n + 1) * a for n, a in enumerate(padded)]  # of u; entry n belongs to x²ⁿ
    t, square = [], []  # entry n belongs to x²ⁿ⁺¹ in t, to x²ⁿ⁺² in t²
    for n in range(size):
        known = sum(square[j] * derivative[n - 1 - j] for j in range(n))
        t.append((derivative[n] - known) * domain.convert(QQ(1, 2 * n + 1)))
        yield t[n]
        square.append(sum(t[i] * t[n - i] for i in range(n + 1)))


def _over_one_denominator(polynomial: PolyElement) -> Expr:
    """A polynomial in 2/π as N(π)/(Dπⁿ), N primitive with integer coefficients and N(0) > 0."""
    n = polynomial.degree()
    terms = {(n - k,): q * 2**k for (k,), q in polynomial.terms()}
    denominator, cleared = Poly(terms, _ROOT_PI, domain=QQ).clear_denoms(convert=True)
    content, numerator = cleared.primitive()
    return numerator.as_expr().subs(_ROOT_PI, pi) / pi**n * Rational(content, denominator)


def _coefficient_expressions(coefficients: Sequence[Expr]) -> list[Expr]:
    if not isinstance(coefficients, Sequence) or isinstance(coefficients, str | bytes):
        raise TypeError(
            "coefficients must be a sequence of SymPy expressions; "
            f"got {type(coefficients).__name__} {coefficients!r}"
        )
    return [_expression(f"coefficients[{i}]", c) for i, c in enumerate(coefficients)]


def _in_domain(domain: Domain, expressions: list[Expr], accepted: str) -> list:
    elements = []
    for i, expression in enumerate(expressions):
        try:
            elements.append(_element(expression, domain))
        except (CoercionFailed, ValueError):
            raise ValueError(f"coefficients[{i}] must be {accepted}; got {expression}") from None
    return elements


def _element(expression: Expr, domain: Domain) -> object:
    if expression.has(sp.Float):  # which the domain would take for a rational number
        raise CoercionFailed("a floating-point number is not exact")
    return domain.from_sympy(expression.subs(pi, _ROOT_PI**2))


def _expression(name: str, value: object) -> Expr:
    try:
        expression = sp.sympify(value, strict=True)
    except sp.SympifyError:
        expression = None
    if not isinstance(expression, Expr):
        raise TypeError(
            f"{name} must be a SymPy expression or a number; got {type(value).__name__} {value!r}"
        )
    return expression


def _power(name: str, value: object, odd: bool = False) -> int:
    accepted = "an odd integer >= 1" if odd else "an integer >= 0"
    try:
        power = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        power = None
    if power is None:
        raise TypeError(f"{name} must be {accepted}; got {type(value).__name__} {value!r}")
    if power < 0 or (odd and power % 2 == 0):
        raise ValueError(f"{name} must be {accepted}; got {value!r}")
    return power
