"""Best parameters by an integral of the error: least squares and least absolute error.

For L2 the derivatives of ∫ w r² vanish. For L1 those of the integral of w·\\|r\\| are
∫ w·sign(r)·∂r, so that at the best parameters the positive and the negative parts of each ∂r
balance: the condition speaks of the zeros of r and not of its peaks. Both are solved by Newton's
method, and the second derivatives must be positive definite. That makes the parameters the best
among all near them; that no better ones exist far away is not proved here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import mpmath
import numpy as np
from mpmath import mpf
from sympy import Float

from gelu_lib.fits.alternation import together
from gelu_lib.fits.criteria import Criterion, Optimum, Problem, problem
from gelu_lib.fits.solving import as_optimum, newton
from gelu_lib.fits.starts import ConvergenceError, grid_optimum
from gelu_lib.fits.sup_norm import (
    GUARD_DIGITS,
    HALVINGS,
    SCAN_DIGITS,
    check_digits,
    error_function,
    numerical,
    sample_points,
    sign_changes,
    tail_form,
)
from gelu_lib.functions.expressions import X, mpmath_function
from gelu_lib.functions.families import Family, Value, check_right_limit
from gelu_lib.functions.forms import Form, right_limit

FARTHEST = 1e4
"""Where an integrand must have died away, unless the samples of Φ and Φ̂ reach farther."""

SAMPLES_A_PART = 16
"""Over how many samples of Φ and Φ̂ one part of an integral reaches."""

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
        WrongLimitError: if Φ̂ does not tend to 1 at +∞, where the norm is infinite or, if the
            weight fades, not computed.
        ConvergenceError: if the integral is not found to so many digits, for instance because
            the weighted error does not die away.
    """
    _check_integral(criterion)
    check_digits(digits)
    made = Problem(form.family, criterion, right_limit(form))
    with mpmath.workdps(digits + GUARD_DIGITS):
        return Float(_norm(criterion, _integrals(made, []).size), digits)


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

    def system(free: Vector) -> tuple[Vector, list[Vector]]:
        found = _integrals(made, free)
        return found.gradient, found.second

    free = newton(system, grid_optimum(made), digits)
    with mpmath.workdps(digits + GUARD_DIGITS):
        found = _integrals(made, free)
        _check_positive_definite(found.second)
        return as_optimum(made, digits, free, _norm(criterion, found.size), found.zeros)


def _check_integral(criterion: Criterion) -> None:
    if criterion.norm == "sup":
        raise ValueError("norm is 'sup'; an integral norm is 'L1' or 'L2'")


def _norm(criterion: Criterion, size: mpf) -> mpf:
    """The norm of which the integral is ``size``."""
    return mpmath.sqrt(size) if criterion.norm == "L2" else size


def _check_positive_definite(second: list[Vector]) -> None:
    try:
        mpmath.cholesky(mpmath.matrix(second))
    except ValueError:
        raise ConvergenceError("the second derivatives are not positive definite") from None


def _integrals(made: Problem, free: Vector) -> _Integrals:
    """∫ w r² or ∫ w·|r| over the real line, with derivatives by the free pⱼ, of w r² half of them.

    The second derivatives of ∫ w·|r| have a part from the zeros z of r, which move, and that is
    2·w·∂ᵢr·∂ⱼr/|r′| at each ±z.
    """
    jet, weight, count = _jet(made, free), mpmath_function(made.criterion.weight), len(made.free)
    parameters = made.complete(free, numerical(made.fixed.values()))
    pairs = list(combinations_with_replacement(range(count), 2))
    squares = made.criterion.norm == "L2"

    @cache  # every integral has the same nodes, so that each needs its error once
    def integrands(x: mpf) -> Vector:
        error, *rest = values = jet(x)
        if squares:
            first, second = rest[:count], rest[count:]
            both = zip(pairs, second, strict=True)
            seconds = [first[i] * first[j] + error * s for (i, j), s in both]
            values = [error**2, *(error * f for f in first), *seconds]
        factor = weight(x)
        return [factor * value for value in values]

    samples = _sample_points(made, parameters)
    zeros = [] if squares else _zeros(made, parameters, samples)
    pieces = list(_pieces(integrands, zeros, samples))
    start = (pieces[0][0] + pieces[0][1]) / 2
    sign = 1 if squares else mpmath.sign(integrands(start)[0])

    def integral(n: int) -> mpf:
        height = max(abs(integrands(x)[n]) for piece in pieces for x in piece)
        parts = [_quadrature(lambda x: integrands(x)[n], piece, height) for piece in pieces]
        return 2 * sign * mpmath.fsum((-1) ** i * part for i, part in enumerate(parts))

    slope = error_function(made.family, made.criterion.of, X)

    def jump(i: int, j: int) -> mpf:
        jets = ((z, jet(z)) for z in zeros)
        terms = (weight(z) * e[1 + i] * e[1 + j] / abs(slope(z, *parameters)) for z, e in jets)
        return 4 * mpmath.fsum(terms)

    size, *derivatives = map(integral, range(1 + count + len(pairs)))
    second = [whole + jump(*pair) for pair, whole in zip(pairs, derivatives[count:], strict=True)]
    return _Integrals(size, derivatives[:count], _symmetric(count, second), zeros)


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


def _pieces(
    integrands: Callable[[mpf], Vector], zeros: Vector, samples: np.ndarray
) -> Iterator[Vector]:
    """The intervals between zeros, in parts, the last one until all is negligible.

    The parts follow the samples, so that no change of Φ or Φ̂ slips through between the nodes of a
    quadrature. Beyond the samples they grow.
    """
    ends = list(map(mpf, [*samples[HALVINGS + SAMPLES_A_PART : -1 : SAMPLES_A_PART], samples[-1]]))
    largest = max(abs(integrands(x)[0]) for x in map(mpf, range(1, 12)))
    negligible = largest * mpf(10) ** -(mpmath.mp.dps + 3)
    while any(abs(value) > negligible for value in integrands(ends[-1])):
        if ends[-1] > FARTHEST:
            raise ConvergenceError(f"the weighted error has not died away at x = {FARTHEST:g}")
        ends.append(ends[-1] * mpf(3) / 2)
    for left, right in pairwise([mpf(0), *zeros, ends[-1]]):
        yield [left, *(x for x in ends if left < x < right), right]


def _jet(made: Problem, free: Vector) -> Callable[[mpf], Vector]:
    """The error, its first, and its second derivatives by the free parameters, at each x."""
    first = [(symbol,) for symbol in made.free]
    derivatives = ((), *first, *combinations_with_replacement(made.free, 2))
    error = tail_form(made.family, made.criterion.of)
    vector = together(error, made.family.symbols, derivatives)
    parameters = made.complete(free, numerical(made.fixed.values()))
    return lambda x: vector(x, *parameters)


def _symmetric(count: int, upper: Vector) -> list[Vector]:
    """The square matrix whose upper triangle is given row by row."""
    rows = [[mpf(0)] * count for _ in range(count)]
    for (i, j), value in zip(combinations_with_replacement(range(count), 2), upper, strict=True):
        rows[i][j] = rows[j][i] = value
    return rows
