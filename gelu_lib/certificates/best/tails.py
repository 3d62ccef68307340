"""Step 3: beyond the last piece the error stays below the level.

The weighted error is wc(T − F), as ``Problem`` looks at it. *One rule* serves families with an
increasing link L: beyond an end the two terms wcT and wcF do not grow, so that they are largest at
it. Where neither is negative, the size of their difference is at most the larger, and else at most
the sum.

A positive product does not grow where its logarithmic derivative, the sum of those of its factors,
is not positive. That of Φ(−x) is −φ(x)/Φ(−x) ≤ −x. That of L(u) is L′/L·u′; if u falls and L′/L
does not get smaller to the left, it is at most δu′ with the value δ of L′/L at the end. So it is to
be shown that x(log wc)′ + δxu′ ≤ 0, for a polynomial u and, where x(log wc)′ is one too, for a
polynomial: it is not positive beyond the end if no Taylor coefficient there is. Where F does not
fall, as in σ(u) with a rising u, but is bounded, a weight that fades does instead.

The error of GELU′ is the derivative of x(Φ − Φ̂). With P for the polynomial of Φ̂ = σ(P), its terms
are σ(−P)(xP′σ(P) − 1) ≤ xP′σ(−P) and xφ(x) − Φ(−x) ≤ xφ(x). The first is not negative if
xP′σ(P) ≥ 1, which is shown with σ(P) at the end; so P rises, and σ(P) with it. The second is not
if x ≥ 1, because Φ(−x) ≤ φ(x)/x. The bounds do not grow if 1/x + P″/P′ − P′σ(P) ≤ 0, and for x ≥ 1.
A weight that does not grow multiplies them by its value.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, singledispatch

import sympy as sp
from sympy import Expr, Symbol

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import compiled, density, interval, logistic, number
from gelu_lib.certificates.engine.decay import beyond, bound_beyond
from gelu_lib.certificates.engine.enclosures import text
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.functions.expressions import GELU, Phi, X, phi
from gelu_lib.functions.expressions import logistic as sigma
from gelu_lib.functions.families import Approximant, Family, Given, RationalFamily
from gelu_lib.functions.links import Link, U
from gelu_lib.functions.targets import GELU_DERIVATIVE

ENDS = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0)
"""Where a tail may begin; the first end is taken from which the proof succeeds."""

POSITIVE = Symbol("x", positive=True)


@singledispatch
def far_out(
    family: Approximant, equations: Equations, box: Box, level: flint.arb, after: float
) -> tuple[float, flint.arb]:
    """Prove that the error of the solution in a box is below a level beyond some end.

    Args:
        family: the family of the problem, by whose class the rule is chosen.
        equations: the equations of the optimum.
        box: enclosures of their solution.
        level: the level.
        after: the end must lie beyond this.

    Returns:
        The end, and a bound of the error beyond it.

    Raises:
        CertificationError: if it is not shown.
    """
    return prove_tail(equations.problem, equations.parameters(box), level, after)


def prove_tail(
    problem: Problem, parameters: Sequence[flint.arb], level: flint.arb, after: float = 0.0
) -> tuple[float, flint.arb]:
    """Prove that \\|r\\| < level at every x beyond some end.

    Args:
        problem: the problem, on a half-line.
        parameters: enclosures of all parameters.
        level: the level.
        after: the end must lie beyond this.

    Returns:
        The end, and a bound of \\|r\\| beyond it.

    Raises:
        CertificationError: if none of ``ENDS`` will do; the message tells why the last does not.
    """
    reason = CertificationError("tail", f"no end beyond x = {after}")
    for end in (end for end in ENDS if end > after):
        try:
            bound = tail_bound(problem.family, problem, parameters, end)
        except CertificationError as failure:
            reason = failure
            continue
        if bound < level:
            return end, bound
        reason = CertificationError("tail", f"beyond {end} the error is only below {text(bound)}")
    raise reason


@singledispatch
def tail_bound(
    family: Approximant, problem: Problem, parameters: Sequence[flint.arb], end: float
) -> flint.arb:
    """A number that \\|r\\| does not exceed at any x ≥ end.

    Args:
        family: the family of the problem, by whose class the rule is chosen.
        problem: the problem, on a half-line.
        parameters: enclosures of all parameters.
        end: where the tail begins.

    Returns:
        The bound.

    Raises:
        CertificationError: if the terms of the error are not shown to fall beyond ``end``.
    """
    raise CertificationError(
        "tail", f"nothing is known of {family.name} far out; accepted are bounded intervals"
    )


@tail_bound.register(Family)
def _(family: Family, problem: Problem, parameters: Sequence[flint.arb], end: float) -> flint.arb:
    if problem.target.derivative:
        return _of_derivative(problem, parameters, end)
    goal, factor = problem.parts
    size = problem.weight * factor
    if not end >= 1:
        raise CertificationError("tail", f"a tail begins at 1 or later, not at {end}")
    u = argument(problem, parameters)
    _require_above(family.link.lowest, u, end)
    ours, theirs = _largest(size, goal, end), _largest_member(family.link, size, u, end)
    positive = goal == Phi(-X) or beyond(goal, flint.arb(end)).low >= 0
    return ours.max(theirs) if positive and family.link.range[0] == 0 else ours + theirs


@tail_bound.register(RationalFamily)
def _(
    family: RationalFamily, problem: Problem, parameters: Sequence[flint.arb], end: float
) -> flint.arb:
    """With x = 1/y the rational is yᵈ times one that is enclosed on 0 ≤ y ≤ 1/end."""
    if problem.target.derivative:
        raise CertificationError("tail", "nothing is known of the derivative of a rational far out")
    (goal, factor), y = problem.parts, interval(0, 1 / flint.arb(end))
    side = -1 if problem.mirrored and family.power % 2 else 1
    top, bottom = parameters[: family.numerator + 1], parameters[family.numerator + 1 :]
    v = side * y**family.power
    above, below = (
        sum((a * v**i for i, a in enumerate(reversed(p))), flint.arb(0))
        for p in (top, [flint.arb(1), *bottom])
    )
    if below.contains(0):
        raise CertificationError("tail", f"the denominator may be 0 beyond x = {end}")
    falls = (family.denominator - family.numerator) * family.power
    size = _sup(problem.weight * factor * X**-falls, flint.arb(end))
    return size * abs(above / below).upper() + _largest(problem.weight * factor, goal, end)


@tail_bound.register(Given)
def _(family: Given, problem: Problem, parameters: Sequence[flint.arb], end: float) -> flint.arb:
    """Term by term, each with the functions that tend to 1 as 1 less small ones."""
    error, x = with_small_functions(problem.error), flint.arb(end)
    try:
        return _sum_of_sups(_distributed(error), x)
    except CertificationError:  # multiplied out, more may cancel
        return _sum_of_sups(sp.Add.make_args(sp.expand(error)), x)


def _sum_of_sups(terms: Iterable[Expr], x: flint.arb) -> flint.arb:
    return sum((_sup_of(_above(term, x), x) for term in terms), flint.arb(0))


def _distributed(expression: Expr) -> list[Expr]:
    """The terms of a sum of products, with the sums in these multiplied out, but nothing inside."""
    terms = []
    for part in sp.Add.make_args(expression):
        factors = [sp.Add.make_args(factor) for factor in sp.Mul.make_args(part)]
        terms += [sp.Mul(*chosen) for chosen in itertools.product(*factors)]
    return terms


def with_small_functions(error: Expr) -> Expr:
    """An expression with functions that are small for x > 0, as far as signs show them."""

    def of(function: type[Expr]) -> Callable[[Expr], Expr]:
        def turned(u: Expr) -> Expr:
            u = sp.expand(u)
            return function(u) if u.could_extract_minus_sign() else 1 - function(-u)

        return turned

    plain = error.replace(GELU, lambda x: x * Phi(x))
    plain = plain.replace(sp.erf, lambda u: 2 * Phi(sp.sqrt(2) * u) - 1)
    plain = plain.replace(sp.tanh, lambda u: 2 * sigma(2 * u) - 1)
    return plain.replace(Phi, of(Phi)).replace(sigma, of(sigma))


def _above(term: Expr, x: flint.arb) -> Expr:
    """A product whose size is not smaller: Φ(−u) ≤ exp(−u²/2)/2 for u ≥ 0, and σ(−u) ≤ exp(−u)."""
    factors = []
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if isinstance(base, sigma) and exponent.is_positive:
            base = sp.exp(base.args[0])
        if isinstance(base, Phi) and beyond(-base.args[0], x).low >= 0 and exponent.is_positive:
            base = sp.exp(-(base.args[0] ** 2) / 2) / 2
        factors.append(base.replace(phi, lambda u: phi(u).rewrite(sp.exp)) ** exponent)
    return sp.Mul(*factors)


def argument(problem: Problem, parameters: Sequence[flint.arb]) -> flint.arb_poly:
    """The polynomial u of a family with a link, as the problem looks at it.

    Raises:
        CertificationError: if the terms are no powers of x there.
    """
    coefficients: list[flint.arb] = []
    for (power, factor), value in zip(_powers(problem), parameters, strict=True):
        coefficients += [flint.arb(0)] * (power + 1 - len(coefficients))
        coefficients[power] += factor * value
    return flint.arb_poly(coefficients)


@lru_cache
def _powers(problem: Problem) -> list[tuple[int, int]]:
    """For each term its exponent and its sign, as the problem looks at it."""
    found = []
    for term in problem.family.terms:
        factor, power = problem.seen(term, "term").as_coeff_Mul()
        exponent = sp.degree(power, X) if power.is_polynomial(X) else -1
        if power != X**exponent or abs(factor) != 1:
            raise CertificationError(
                "tail", f"the term {term} is no power of x; accepted are then bounded intervals"
            )
        found.append((int(exponent), int(factor)))
    return found


def _largest(size: Expr, goal: Expr, end: float) -> flint.arb:
    """The largest \\|wcT\\| beyond an end, which is that at the end if it falls."""
    product, x = size * goal, flint.arb(end)
    return abs(_function(product)(x)) if falls(product, x) else _sup(product, x)


def falls(product: Expr, x: flint.arb) -> bool:
    """Whether the size of a product is shown not to grow beyond a place ≥ 1."""
    slope, *runs = _growths(product)
    return any(beyond(form, x).high <= 0 for form in (slope, *runs))


@lru_cache
def _growths(product: Expr) -> tuple[Expr, Expr, Expr]:
    """What (log f)′ is at most, and x times that, multiplied out and as a sum of fractions."""
    slope = sp.Add(*map(_log_slope, sp.Mul.make_args(product)))
    run = sp.expand(X * slope)
    return slope, run, sp.apart(run, X) if run.is_rational_function(X) else run


def _log_slope(factor: Expr) -> Expr:
    """What the logarithmic derivative of a factor is at most for x ≥ 1."""
    if factor == Phi(-X):
        return -X
    if isinstance(factor, sp.exp):
        return sp.diff(factor.args[0], X)
    if isinstance(factor, sp.cosh):
        return sp.tanh(factor.args[0]) * sp.diff(factor.args[0], X)
    base, exponent = factor.as_base_exp()
    slope = sp.diff(exponent * sp.log(base), X)
    if not slope.is_rational_function(X) and slope.xreplace({X: POSITIVE}).is_nonpositive:
        return sp.S.Zero  # as for 1 + exp(−x²), whose quotients are not enclosed on a half-line
    return sp.cancel(slope)


def _largest_member(link: Link, size: Expr, u: flint.arb_poly, end: float) -> flint.arb:
    """The largest \\|wcF\\| beyond an end."""
    x, slope = flint.arb(end), u.derivative()
    if link.decay is not None and _not_negative(-slope, x):
        value = flint.arb(_function(link.value)(u(x)))
        share = flint.arb(_function(link.decay)(value))
        growth = _growth(size, x)
        if growth is not None and _not_negative(
            -share * flint.arb_poly([0, 1]) * slope - growth, x
        ):
            return abs(_function(size)(x)) * value
    low, high = (abs(number(sp.sympify(limit))) for limit in link.range)
    if low.max(high).is_finite():
        return _sup(size, x) * low.max(high)
    if not link.value.is_polynomial(U):
        raise CertificationError("tail", f"u is not shown to fall beyond x = {text(x)}")
    rough = sum((abs(c) * x ** (i - u.degree()) for i, c in enumerate(u.coeffs())), flint.arb(0))
    powers = sp.Poly(link.value, U).terms()
    rough = sum((abs(number(a)) * rough**n for (n,), a in powers), flint.arb(0))  # x ≥ 1
    return rough * _sup(size * X ** (u.degree() * powers[0][0][0]), x)


def _require_above(lowest: Expr | int, u: flint.arb_poly, end: float) -> None:
    """Require that a polynomial stays above where a link begins to increase: with x = 1/y."""
    if lowest == -sp.oo:
        return
    y, above = interval(0, 1 / flint.arb(end)), (u - number(sp.sympify(lowest))).coeffs()
    if not sum((c * y**i for i, c in enumerate(reversed(above))), flint.arb(0)) > 0:
        raise CertificationError("tail", f"u may be below {lowest} beyond x = {end}")


def _growth(size: Expr, x: flint.arb) -> flint.arb_poly | None:
    """A polynomial that x(log wc)′ does not exceed beyond x, if one is found."""
    slope, run, apart = _growths(size)
    if run.is_polynomial(X):
        return flint.arb_poly([number(c) for c in reversed(sp.Poly(run, X).all_coeffs())])
    for form, power in ((run, 0), (apart, 0), (slope, 1)):
        high = beyond(form, x).high
        if high.is_finite():
            return flint.arb_poly([0] * power + [high])
    return None


def _sup(function: Expr, x: flint.arb) -> flint.arb:
    """A number that the size of a function does not exceed beyond x, term by term."""
    return sum((_sup_of(term, x) for term in sp.Add.make_args(sp.expand(function))), flint.arb(0))


def _sup_of(term: Expr, x: flint.arb) -> flint.arb:
    """The same of one product."""
    power = sum(int(n) for base, n in map(_base_exp, sp.Mul.make_args(term)) if base == X)
    rest = term / X**power
    if not rest.has(X) and power <= 0:
        return abs(number(rest)) * x**power
    return bound_beyond(rest, float(x), power)


def _base_exp(factor: Expr) -> tuple[Expr, Expr]:
    base, exponent = factor.as_base_exp()
    return (base, exponent) if exponent.is_Integer else (factor, sp.S.One)


def _not_negative(polynomial: flint.arb_poly, x: flint.arb) -> bool:
    """Whether all Taylor coefficients at x are ≥ 0, so that the polynomial is beyond."""
    return all(c >= 0 for c in polynomial(flint.arb_poly([x, 1])).coeffs())


@lru_cache
def _function(expression: Expr) -> Callable[[flint.arb], flint.arb]:
    """An expression in one symbol as a function of balls."""
    function = compiled(tuple(expression.free_symbols) or (X,), expression)
    return lambda x: flint.arb(function(x))


def _of_derivative(problem: Problem, parameters: Sequence[flint.arb], end: float) -> flint.arb:
    """The bound for the error of GELU′, and of no other derivative."""
    if problem.target != GELU_DERIVATIVE or not problem.family.is_odd_logistic:
        raise CertificationError("tail", f"nothing is known of {problem.target} far out")
    x, p = flint.arb(end), -argument(problem, parameters)
    slope, share = p.derivative(), logistic(p(x))
    run = flint.arb_poly([0, 1]) * slope  # x·P′
    require_falling_weight(problem)
    if not x >= 1:
        raise CertificationError("tail", f"a tail begins at 1 or later, not at {end}")
    _require_not_negative(share * run - 1, x, "x·P′·σ(P) − 1")
    steady = share * run * slope - run.derivative()  # (x·P′)′ = P′ + x·P″
    _require_not_negative(steady, x, "x·P′²·σ(P) − P′ − x·P″")
    return weight_at(problem, x) * (x * density(x)).max(run(x) * logistic(-p(x)))


def _require_not_negative(polynomial: flint.arb_poly, x: flint.arb, name: str) -> None:
    if not _not_negative(polynomial, x):
        raise CertificationError("tail", f"{name} is not shown to be ≥ 0 beyond x = {text(x)}")


def require_falling_weight(problem: Problem) -> None:
    """Require that the weight is known not to grow for x > 0.

    Raises:
        CertificationError: if it is not.
    """
    if not sp.diff(problem.weight, X).xreplace({X: POSITIVE}).is_nonpositive:
        raise CertificationError("tail", f"the weight {problem.weight} is not known to fall")


def weight_at(problem: Problem, x: flint.arb) -> flint.arb:
    """The weight at a float."""
    return number(problem.weight.xreplace({X: sp.Rational(float(x.mid()))}))
