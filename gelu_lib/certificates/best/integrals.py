r"""Integrals over x > 0 of products of the error and its derivatives by the parameters.

Up to an end T Arb integrates: it encloses the integral of an analytic function on balls. For
the rest write P for the polynomial of Φ̂ = σ(P). If no Taylor coefficient of P at T is
negative, then σ(−P(x)) ≤ e^(−P(T) − P′(T)(x − T)) for x ≥ T, and Φ(−x) ≤ φ(x) ≤ φ(T)·e^(−T(x −
T)) for x ≥ T ≥ 1. So both are at most A·e^(−b(x − T)) with the larger factor A and the smaller
rate b. No derivative of σ up to the third exceeds σ(−P) in size. So with the derivatives of P
by its coefficients, xⁿ, the sizes of the error, of its first and of its second derivatives are
at most A·e^(−b(x − T)) times

- Φ: 1, xⁿ and xⁿ⁺ᵐ;
- GELU: the same times x;
- GELU′: 1 + x + xP′, (n + 1)xⁿ + xⁿ⁺¹P′ and (n + m + 1)xⁿ⁺ᵐ + xⁿ⁺ᵐ⁺¹P′.

The integral of Q(x)·e^(−c(x − T)) beyond T is Σ Q⁽ⁱ⁾(T)/cⁱ⁺¹ for a polynomial Q. A weight that
does not grow for x > 0 multiplies it by no more than its value at T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce

import sympy as sp
from sympy import Expr

from gelu_lib._extras import flint
from gelu_lib.certificates.best.tails import argument, require_falling_weight, weight_at
from gelu_lib.certificates.engine.balls import compiled, density
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.expressions import X
from gelu_lib.functions.targets import Target

_ENDS = (12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0)
"""Where the rest may begin; the first end is taken beyond which it is below the precision."""

Entry = tuple[int, ...]
"""A derivative of the error: by which free parameters, at most two, each by its place."""

Product = tuple[Entry, ...]
"""A product of the error and its derivatives."""

Terms = tuple[Product, ...]
"""A sum of such products."""


def integral(
    problem: Problem,
    parameters: Sequence[flint.arb],
    terms: Terms,
    left: flint.arb,
    right: flint.arb,
) -> flint.arb:
    """The integral of w times a sum of products, from one place to another.

    Args:
        problem: the family, the criterion and which parameters are free.
        parameters: enclosures of all parameters of the family.
        terms: the products.
        left: an enclosure of the left end, at least 0.
        right: an enclosure of the right end.

    Returns:
        An enclosure, for every choice of the parameters and of the ends.

    Raises:
        CertificationError: if Arb finds no finite one.
    """
    function = integrand(problem, terms)
    whole = flint.acb.integral(
        lambda x, _: flint.acb(function(x, *parameters)), left.mid(), right.mid()
    ).real
    if not whole.is_finite():
        raise CertificationError("digits", f"no integral is found from {left} to {right}")
    for end, sign in ((left, -1), (right, 1)):
        if not end.is_exact():  # by the mean value theorem
            whole += sign * (end - end.mid()) * flint.arb(function(end, *parameters))
    return whole


def rest(
    problem: Problem, parameters: Sequence[flint.arb], terms: Terms
) -> tuple[float, flint.arb]:
    """An end, and a ball around 0 that holds the integral beyond it.

    Args:
        problem: as for ``integral``, and so are the others.
        parameters: enclosures of all parameters.
        terms: the products.

    Returns:
        The end, and the ball.

    Raises:
        CertificationError: if it is not shown to be negligible from some end on.
    """
    negligible = flint.arb(2) ** -flint.ctx.prec
    for end in _ENDS:
        bound = tail_integral(problem, parameters, terms, end)
        if bound < negligible:
            return end, flint.arb(0, bound)
    raise CertificationError("tail", f"the rest is not negligible beyond x = {_ENDS[-1]}")


def tail_integral(
    problem: Problem, parameters: Sequence[flint.arb], terms: Terms, end: float
) -> flint.arb:
    """What the integral of the absolute value does not exceed beyond an end; infinite if unknown.

    Raises:
        CertificationError: if the weight is not known to fall.
    """
    x, p = flint.arb(end), -argument(problem, parameters)
    require_falling_weight(problem)
    if not all(coefficient >= 0 for coefficient in p(flint.arb_poly([x, 1])).coeffs()):
        return flint.arb.pos_inf()
    factor, rate = (-p(x)).exp().max(density(x)), p.derivative()(x).min(x)
    bounds = [
        factor ** len(product) * _beyond(_size(problem, p, product), x, len(product) * rate)
        for product in terms
    ]
    return (weight_at(problem, x) * sum(bounds)).upper()


def _size(problem: Problem, p: flint.arb_poly, product: Product) -> flint.arb_poly:
    """The polynomial Q of a product of the error and its derivatives."""
    exponents = dict(zip(problem.family.symbols, problem.family.exponents, strict=True))
    size = flint.arb_poly([1])
    for entry in product:
        n = sum(exponents[problem.free[j]] for j in entry)
        size *= _size_of_error(problem.target, p, n, first=not entry)
    return size


def _size_of_error(target: Target, p: flint.arb_poly, n: int, *, first: bool) -> flint.arb_poly:
    """The polynomial Q of a derivative of the error with the factor xⁿ, or of the error itself."""
    power, x = flint.arb_poly([0] * n + [1]), flint.arb_poly([0, 1])
    if target.derivative:
        return (n + 1) * power + x * power * p.derivative() + (x if first else 0)
    return power if target.factor == 1 else x * power


def _beyond(q: flint.arb_poly, end: flint.arb, rate: flint.arb) -> flint.arb:
    """The integral of Q(x)·e^(−c(x − T)) over x > T."""
    total, power = flint.arb(0), rate
    for _ in range(q.degree() + 1):
        total += q(end) / power
        q, power = q.derivative(), power * rate
    return total


@lru_cache
def integrand(problem: Problem, terms: Terms) -> Callable[..., flint.acb]:
    """w times a sum of products, as a function of x and all parameters; see ``integral``."""

    def derivative(entry: Entry) -> Expr:
        return reduce(sp.diff, (problem.free[j] for j in entry), problem.plain_error)

    products = [sp.Mul(*map(derivative, product)) for product in terms]
    return compiled((X, *problem.family.symbols), problem.weight * sp.Add(*products))
