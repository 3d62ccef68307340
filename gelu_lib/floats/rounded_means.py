"""The mean error of rounded results under a law of inputs, and a constant with a small one.

The value of a form of GELU increases with each coefficient at any x ≠ 0, and rounding keeps order.
So the results with constants between two numbers lie between those with the two, which bounds the
mean error on cells of constants; the most promising cell is cut, as in ``engine.search``. With
constants to ∞ the form tends to ReLU, which bounds the last cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf, isfinite

import gelu_lib._proofs

import numpy as np
from scipy.special import expit
from sympy import Rational

from gelu_lib.certificates.engine.search import Ranges, ascending
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.floats.cases import Case
from gelu_lib.floats.laws import InputLaw
from gelu_lib.floats.types import round_to
from gelu_lib.floats.ulp import correctly_rounded, exact, unit_exponent
from gelu_lib.functions.targets import GELU

SLOPPY = 2.0**-40
"""More than the relative error of a form in float64; see ``agreement.rounded``."""

LOSS = 1e-7
"""More than the error of a mean in float64, absolute or relative."""

PLACES = 2**30
"""Into so many cells a range of constants is cut at most."""

FARTHEST = 2.0**60
"""A range of constants is not made longer than this."""


Between = Callable[[float, float], tuple[float, float]]
"""Between which numbers a mean lies for every constant between two numbers from 0."""


def rounded_mean(case: Case, law: InputLaw, dtype: str, judged_by: str) -> Between:
    """How far the rounded results of a form with one free constant are from GELU in the mean.

    Args:
        case: GELU, and coefficients that are not negative.
        law: the law of the inputs, each of which is rounded to the type.
        dtype: the type of the inputs and of the results.
        judged_by: ``"ulp"`` for the distance from GELU in units in the last place, ``"agreement"``
            for 1 where the result is not GELU correctly rounded.

    Raises:
        ValueError: if the case is another one, or an input beyond the range of the type.
    """
    made, ulp = case.problem, judged_by == "ulp"
    if made.target != GELU or len(made.free) > 1 or any(p < 0 for p in made.fixed.values()):
        raise ValueError(
            f"judged_by is {judged_by!r}, target {made.target}, fixed {dict(made.fixed)}; accepted "
            "are GELU, and one free constant beside others from 0"
        )
    x, shares, right, one = np.array(list(_wanted(law, dtype, ulp))).T
    # no float is nearer to GELU than this
    nearest = np.abs(round_to(right, dtype).astype(float) - right) / one
    unit = float(case.free([Rational(1)])[0])  # the free coefficient where the constant is 1

    def result(constant: float, side: int) -> np.ndarray:
        if constant == inf:
            return round_to(np.maximum(x, 0), dtype).astype(float)
        parameters = map(float, case.parameters([unit * constant]).values())
        inner = sum(p * x**n for p, n in zip(parameters, made.family.exponents, strict=True))
        y = x * expit(inner)
        return round_to(y + side * SLOPPY * np.abs(y), dtype).astype(float)

    def between(low: float, high: float) -> tuple[float, float]:
        over, under = (result(low, -1) - right) / one, (right - result(high, 1)) / one
        least, most = (
            np.maximum(np.maximum(over, under), nearest),
            np.maximum(np.abs(over), np.abs(under)),
        )
        least, most = (float(shares @ (a if ulp else a > 0)) for a in (least, most))
        return max(least * (1 - LOSS) - LOSS, 0.0), most * (1 + LOSS) + LOSS

    return between


def _wanted(law: InputLaw, dtype: str, ulp: bool) -> Iterator[tuple[float, ...]]:
    """Each input, its share, the value that is right, and what counts as 1."""
    for x, share in law.shares(lambda x: float(round_to(x, dtype))).items():
        if not isfinite(x):
            raise ValueError(f"inputs has a point beyond the range of {dtype}")
        if ulp:
            true = exact("gelu", x)
            yield x, float(share), float(true), 2.0 ** unit_exponent(true, dtype)
        else:
            yield x, float(share), correctly_rounded("gelu", x, dtype), 1.0


def range_end(between: Between, most: float) -> float:
    """``most``, or the first double of it beyond which no constant is seen to have a less mean."""
    while between(most, inf)[0] < between(most, most)[0] and most < FARTHEST:
        most *= 2
    return most


def best_between(between: Between, most: float) -> tuple[Rational, float]:
    """A constant from 0 to ``most`` with a small mean, and what no mean from 0 on is below."""
    step, best, uncut = most / PLACES, (inf, 0.0), inf

    def lower_bound(box: Ranges) -> float:
        ((first, last),) = box
        return between(step * first, step * (last + 1))[0]

    try:
        for bound, ((first, last),) in ascending(lower_bound, (Fraction,), ((0, PLACES - 1),)):
            middle = step * ((first + last) // 2)
            best = min(best, (between(middle, middle)[1], middle))
            uncut = min(uncut, bound) if first == last else uncut
            if bound > best[0] * (1 - 3 * LOSS) - 3 * LOSS:
                break
    except CertificationError:  # so many boxes are enough, too
        pass
    return Rational(best[1]), min(bound, uncut, between(most, inf)[0])
