"""What several tests of proofs and fits share.

Refusals in a step, derivatives by difference quotients, errors in floats, and digits that agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pytest
from flint import arb
from scipy.special import expit, ndtr
from sympy import Expr, Rational

from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.families import Family, exact_value


@contextmanager
def fails(step: str, reason: str | None = None) -> Iterator[None]:
    """Require that a proof fails in a step, for a reason."""
    with pytest.raises(CertificationError, match=reason) as caught:
        yield
    assert caught.value.step == step


def require_derivatives(equations: Callable, place: Sequence[arb], exponent: int) -> None:
    """Require that the matrix of a system is that of its difference quotients at a place.

    Args:
        equations: from unknowns to residuals and their derivatives by the unknowns.
        place: numbers without a radius.
        exponent: each unknown is moved by 2**-exponent of itself; what is left beside a relative
            1e-9 and an absolute 1e-12 is a fault.
    """
    _, derivatives = equations(place)
    for j, unknown in enumerate(place):
        step = unknown * arb(2) ** -exponent
        ends = ([u + s * step * (i == j) for i, u in enumerate(place)] for s in (1, -1))
        above, below = (equations(end)[0] for end in ends)
        for i, (a, b) in enumerate(zip(above, below, strict=True)):
            quotient = (a - b) / (2 * step)
            assert abs(quotient - derivatives[i, j]) <= abs(quotient) * 1e-9 + 1e-12, (i, j)


def errors(family: Family, of: str, values: Iterable, x: np.ndarray) -> np.ndarray:
    """The error of a member at x > 0 without a weight, in float64, by formulas of its own."""
    terms = [(float(value), n) for value, n in zip(values, family.exponents, strict=True)]
    p = sum(value * x**n for value, n in terms)
    error = expit(-p) - ndtr(-x)
    if of == "GELU_derivative":
        slope = sum(n * value * x ** (n - 1) for value, n in terms)
        density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
        return error + x * (density - slope * expit(p) * expit(-p))
    return x * error if of == "GELU" else error


def agree(one: Expr, other: Expr, digits: int) -> bool:
    """Whether two numbers differ by at most 10**-digits of the second, in exact arithmetic."""
    one, other = exact_value(one), exact_value(other)
    return bool(abs(one - other) <= Rational(10) ** -digits * abs(other))
