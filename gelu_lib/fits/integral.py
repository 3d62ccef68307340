"""Best parameters by an integral of the error: least squares and least absolute error.

For L2 the derivatives of ∫ w r² vanish. For L1 those of the integral of w·\\|r\\| are
∫ w·sign(r)·∂r, so that at the best parameters the positive and the negative parts of each ∂r
balance: the condition speaks of the zeros of r and not of its peaks. Both are solved by Newton's
method, and the second derivatives must be positive definite. That makes the parameters the best
among all near them; that no better ones exist far away is not proved here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import mpmath
import numpy as np
from mpmath import mpf
from sympy import Float

from gelu_lib.fits.criteria import Criterion, Optimum, Problem, problem
from gelu_lib.fits.solving import as_optimum, newton
from gelu_lib.fits.starts import ConvergenceError, grid_optimum
from gelu_lib.fits.sup_norm import (
    GUARD_DIGITS,
    HALVINGS,
    SCAN_DIGITS,
    check_digits,
    error_function,
    error_vector,
    numerical,
    sample_points,
    sign_changes,
)
from gelu_lib.functions.expressions import X, mpmath_function
from gelu_lib.functions.families import Family, Value, check_right_limit
from gelu_lib.functions.forms import Form, right_limit

MAX_HALVINGS = 7
"""How often the step of the trapezoidal rule is halved at most."""

FARTHEST = 1e4
"""Where an integrand must have died away, unless the samples of Φ and Φ̂ reach farther."""

STEEP_PART = 8.0
"""Where \\|Σ pⱼ xʲ\\| is below this, the derivative of Φ̂ counts for the first step."""

SAMPLES_A_PART = 16
"""Over how many samples of Φ and Φ̂ one part of an integral of \\|r\\| reaches."""

Vector = list[mpf]


class _Integrals(NamedTuple):
    """∫ w r² or ∫ w·|r| over the real line, and what it takes to make it least.

    Attributes:
        size: the integral.
        gradient: its derivatives by the free parameters; half of them for w r².
        second: its second derivatives, again half of them for w r².
        zeros: for w·|r|, where the error changes its sign, x > 0.
    """

    size: mpf
    gradient: Vector
    second: list[Vector]
    zeros: Vector


def integral_norm(form: Form, criterion: Criterion, digits: int = 16) -> Float:
    """The L1 or L2 norm of the error of a form over the real line.

    Args:
        form: a member of a family.
        criterion: the norm, the function that is approximated, and the weight.
        digits: how many significant digits shall hold.

    Returns:
        A SymPy float with ``digits`` digits.

    Raises:
        TypeError: if ``form`` or ``digits`` is of a type that is not accepted.
        ValueError: if the norm is ``"sup"``, or ``digits`` is below 1.
        WrongLimitError: if Φ̂ does not tend to 1 at +∞, so that the norm is infinite.
        ConvergenceError: if the integral is not found to so many digits, for instance because
            the weighted error does not die away.
    """
    _check_integral(criterion)
    check_digits(digits)
    made = Problem(form.family, criterion, right_limit(form))
    with mpmath.workdps(digits + GUARD_DIGITS):
        if criterion.norm == "L2":
            size = mpmath.sqrt(_square_integrals(made, []).size)
        else:
            size = _absolute_integrals(made, []).size
        return Float(size, digits)


def integral_optimum(
    family: Family,
    criterion: Criterion,
    fixed: Mapping[str, Value] | None = None,
    digits: int = 16,
) -> Optimum:
    """The parameters of a family that make the L1 or L2 norm of the error least nearby.

    Args:
        family: the family.
        criterion: the norm, the function that is approximated, and the weight.
        fixed: the values of parameters that are not free, by name.
        digits: how many significant digits of every number shall hold.

    Returns:
        The optimum; for L1 its points are the zeros x > 0 of the error.

    Raises:
        TypeError: if an argument is of a type that is not accepted.
        ValueError: if the norm is ``"sup"``, a name or value is not accepted, no parameter is
            free, or ``digits`` is below 1.
        WrongLimitError: if the search leads to parameters with which Φ̂ does not tend to 1 at
            +∞; the family has no best member of the right kind nearby.
        ConvergenceError: if the equations were not solved, or their solution is no minimum.
    """
    made = problem(family, criterion, fixed)
    _check_integral(criterion)
    check_digits(digits)
    squares = criterion.norm == "L2"
    integrals = _square_integrals if squares else _absolute_integrals

    def system(free: Vector) -> tuple[Vector, list[Vector]]:
        found = integrals(made, free)
        return found.gradient, found.second

    free = newton(system, grid_optimum(made), digits)
    with mpmath.workdps(digits + GUARD_DIGITS):
        found = integrals(made, free)
        _check_positive_definite(found.second)
        size = mpmath.sqrt(found.size) if squares else found.size
        return as_optimum(made, digits, free, size, found.zeros)


def _check_integral(criterion: Criterion) -> None:
    if criterion.norm == "sup":
        raise ValueError("norm is 'sup'; an integral norm is 'L1' or 'L2'")


def _check_positive_definite(second: list[Vector]) -> None:
    try:
        mpmath.cholesky(mpmath.matrix(second))
    except ValueError:
        raise ConvergenceError("the second derivatives are not positive definite") from None


def _square_integrals(made: Problem, free: Vector) -> _Integrals:
    """∫ w r² over the real line, and half its first and second derivatives by the free pⱼ."""
    at, weight, count = _jet(made, free), mpmath_function(made.criterion.weight), len(made.free)
    pairs = list(combinations_with_replacement(range(count), 2))

    def integrands(x: mpf) -> Vector:
        error, *rest = at(x)
        first, second = rest[:count], rest[count:]
        seconds = [first[i] * first[j] + error * s for (i, j), s in zip(pairs, second, strict=True)]
        factor = weight(x)
        return [factor * term for term in [error**2, *(error * f for f in first), *seconds]]

    step, points = _first_step(made, free)
    size, *rest = _over_the_line(integrands, step, points[-1])
    return _Integrals(size, rest[:count], _symmetric(count, rest[count:]), [])


def _over_the_line(integrands: Callable[[mpf], Vector], step: mpf, end: float) -> Vector:
    """Integrals of even functions over the real line, by the trapezoidal rule.

    For functions that are analytic in a strip, halving the step squares the error. So the rule
    stops when two steps in turn agree to more than half of the digits.
    """
    _check_dies_away(integrands)
    enough = mpf(10) ** -(mpmath.mp.dps // 2 + 3)
    sums, sizes = _sum_on_grid(integrands, step, mpf(0), end)
    for _ in range(MAX_HALVINGS):
        more, more_sizes = _sum_on_grid(integrands, step, step / 2, end)
        finer = [(a + b) / 2 for a, b in zip(sums, more, strict=True)]
        sizes = [(a + b) / 2 for a, b in zip(sizes, more_sizes, strict=True)]
        changes = [abs(a - b) for a, b in zip(finer, sums, strict=True)]
        sums, step = finer, step / 2
        if all(change <= enough * size for change, size in zip(changes, sizes, strict=True)):
            return sums
    raise ConvergenceError(f"the trapezoidal rule did not settle with the step {float(step)}")


def _check_dies_away(integrands: Callable[[mpf], Vector]) -> None:
    """Refuse at once what is larger at the farthest place than near 0."""
    largest = max(abs(term) for x in range(1, 12) for term in integrands(mpf(x)))
    if any(abs(term) > largest for term in integrands(mpf(FARTHEST))):
        raise ConvergenceError(f"the weighted error has not died away at x = {FARTHEST:g}")


def _sum_on_grid(
    integrands: Callable[[mpf], Vector], step: mpf, offset: mpf, end: float
) -> tuple[Vector, Vector]:
    """2·step·Σ f(x) over x = offset, offset + step, …, and the same of |f|; half counts f(0)."""
    negligible = mpf(10) ** -(mpmath.mp.dps + 3)
    terms = integrands(offset)
    half = mpf(1) / 2 if offset == 0 else mpf(1)
    sums, sizes = [half * term for term in terms], [half * abs(term) for term in terms]
    x = offset
    while x < end or any(
        abs(term) > negligible * size for term, size in zip(terms, sizes, strict=True)
    ):
        if x > FARTHEST:
            raise ConvergenceError(f"the weighted error has not died away at x = {float(x):g}")
        x += step
        terms = integrands(x)
        sums = [a + b for a, b in zip(sums, terms, strict=True)]
        sizes = [a + abs(b) for a, b in zip(sizes, terms, strict=True)]
    return [2 * step * a for a in sums], [2 * step * a for a in sizes]


def _absolute_integrals(made: Problem, free: Vector) -> _Integrals:
    """∫ w·|r| over the real line, and its first and second derivatives by the free pⱼ.

    The second have a part from the zeros z of r, which move: 2·w·∂ᵢr·∂ⱼr/|r′| at each ±z.
    """
    # every integral has the same nodes, so that each needs its error once
    at, weight = cache(_jet(made, free)), mpmath_function(made.criterion.weight)
    parameters = made.complete(free, numerical(made.fixed.values()))
    slope = error_function(made.family, made.criterion.of, X)
    samples = _sample_points(made, parameters)
    zeros = _zeros(made, parameters, samples)
    pieces, count = list(_pieces(made, at, zeros, samples)), len(made.free)

    def balance(entry: int) -> mpf:
        def integrand(x: mpf) -> mpf:
            return weight(x) * at(x)[entry]

        height = max(abs(integrand(x)) for piece in pieces for x in piece)
        parts = [_quadrature(integrand, piece, height) for piece in pieces]
        first = mpmath.sign(at((pieces[0][0] + pieces[0][1]) / 2)[0])
        return 2 * first * mpmath.fsum((-1) ** i * part for i, part in enumerate(parts))

    def jump(i: int, j: int) -> mpf:
        terms = (
            weight(z) * at(z)[1 + i] * at(z)[1 + j] / abs(slope(z, *parameters)) for z in zeros
        )
        return 4 * mpmath.fsum(terms)

    size, *gradient = (balance(entry) for entry in range(1 + count))
    pairs = combinations_with_replacement(range(count), 2)
    seconds = [balance(1 + count + n) + jump(*pair) for n, pair in enumerate(pairs)]
    return _Integrals(size, gradient, _symmetric(count, seconds), zeros)


def _quadrature(integrand: Callable[[mpf], mpf], piece: Vector, height: mpf) -> mpf:
    """The integral over the parts of a piece, refused if its own estimate of the error is large."""
    integral, error = mpmath.quad(integrand, piece, method="gauss-legendre", error=True)
    if error > mpf(10) ** -(mpmath.mp.dps - GUARD_DIGITS + 3) * height:
        places = f"x = {mpmath.nstr(piece[0], 5)} and {mpmath.nstr(piece[-1], 5)}"
        raise ConvergenceError(f"the integral between {places} is not found to enough digits")
    return integral


def _zeros(made: Problem, parameters: Vector, samples: np.ndarray) -> Vector:
    """Where the error changes its sign, x > 0."""
    error = error_function(made.family, made.criterion.of)
    slope = error_function(made.family, made.criterion.of, X)
    # close to 0 the sign of a small error needs many digits
    with mpmath.workdps(max(mpmath.mp.dps, SCAN_DIGITS)):
        return list(
            sign_changes(lambda x: error(x, *parameters), lambda x: slope(x, *parameters), samples)
        )


def _sample_points(made: Problem, parameters: Vector) -> np.ndarray:
    values = zip(made.family.symbols, parameters, strict=True)
    exact = {symbol: Float(value, mpmath.mp.dps) for symbol, value in values}
    check_right_limit(exact)
    return sample_points(made.family, exact)


def _first_step(made: Problem, free: Vector) -> tuple[mpf, np.ndarray]:
    """A power of 2 that no change of Φ̂ slips through, and the places where Φ or Φ̂ varies."""
    parameters = made.complete(free, numerical(made.fixed.values()))
    points = _sample_points(made, parameters)
    terms = list(zip(map(float, parameters), made.family.exponents, strict=True))
    height = sum(p * points**n for p, n in terms)
    slope = sum(n * p * points ** (n - 1) for p, n in terms)
    steepest = np.max(np.abs(slope[np.abs(height) <= STEEP_PART]))
    return mpf(2) ** -max(3, math.ceil(math.log2(steepest))), points


def _pieces(
    made: Problem, at: Callable[[mpf], Vector], zeros: Vector, samples: np.ndarray
) -> Iterator[Vector]:
    """The intervals between zeros, in parts, the last one until all is negligible.

    The parts follow the samples, so that no change of Φ or Φ̂ slips through between the nodes of a
    quadrature. Beyond the samples they grow.
    """
    weight = mpmath_function(made.criterion.weight)
    ends = list(map(mpf, [*samples[HALVINGS + SAMPLES_A_PART : -1 : SAMPLES_A_PART], samples[-1]]))
    largest = max(abs(weight(x) * at(x)[0]) for x in map(mpf, range(1, 12)))
    negligible = largest * mpf(10) ** -(mpmath.mp.dps + 3)
    while any(abs(weight(ends[-1]) * e) > negligible for e in at(ends[-1])):
        if ends[-1] > FARTHEST:
            raise ConvergenceError(f"the weighted error has not died away at x = {FARTHEST:g}")
        ends.append(ends[-1] * mpf(3) / 2)
    for left, right in pairwise([mpf(0), *zeros, ends[-1]]):
        yield [left, *(x for x in ends if left < x < right), right]


def _jet(made: Problem, free: Vector) -> Callable[[mpf], Vector]:
    """The error, its first, and its second derivatives by the free parameters, at each x."""
    first = [(symbol,) for symbol in made.free]
    derivatives = ((), *first, *combinations_with_replacement(made.free, 2))
    vector = error_vector(made.family, made.criterion.of, derivatives)
    parameters = made.complete(free, numerical(made.fixed.values()))
    return lambda x: vector(x, *parameters)


def _symmetric(count: int, upper: Vector) -> list[Vector]:
    """The square matrix whose upper triangle is given row by row."""
    rows = [[mpf(0)] * count for _ in range(count)]
    for (i, j), value in zip(combinations_with_replacement(range(count), 2), upper, strict=True):
        rows[i][j] = rows[j][i] = value
    return rows
