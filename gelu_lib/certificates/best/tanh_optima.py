r"""A form that is made of tanh: no other scale is as good.

``tanh_errors`` proves that with the scale of the solution no other coefficients are as good. Where
the scale is free, other scales are left to exclude. For a scale s the error is h(x) + Σ aⱼmⱼ(x)
with n functions mⱼ and the coefficients aⱼ. At n + 1 points let λᵢ be multipliers with which the
values of every mⱼ cancel. Then Σ λᵢe(xᵢ) = Σ λᵢh(xᵢ) whatever the coefficients are, so that the
sup norm of the error is at least

    L(s) = \|Σ λᵢh(xᵢ)\| / Σ \|λᵢ\|,

for any points. This is used in four ways, which together leave no scale out.

- *Close to the best scale s\** there is one alternation point more than n + 1. Without the
  first and without the last of them L is E at s\*. One of these two functions of s is shown to
  fall, and one to rise. So the larger of both is above E for every other scale close by.
- *In the middle* L is above E on pieces that cover the rest from one scale to another, with
  points that are good for the middle of the piece.
- *Beyond both ends* the points are x = y/s with given y. Then the mⱼ are the same for all
  scales, up to factors that do not depend on x. Only Φ(−x) depends on s: it lies between 0 and
  its value at the lower end, or between that at the upper end and 1/2. For GELU the factor x =
  y/s makes L fall like 1/s, so this serves below the lower end alone.
- *Beyond the upper end, for GELU* and merged forms with the limit 1, the points x stay where
  they are, and the mⱼ are x·sech²(sx) times powers of x and tanh(sx). With multipliers νᵢ for
  what is left of the mⱼ without these factors, λᵢ = νᵢ/(xᵢ·sech²(sxᵢ)). That of the last point
  is the greatest by far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import inf

import sympy as sp
from sympy import Dummy, Expr, tanh

from gelu_lib._extras import flint
from gelu_lib.certificates.engine.balls import Ball, compiled, interval, normal
from gelu_lib.certificates.engine.enclosures import text
from gelu_lib.certificates.engine.pieces import cut
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import Problem
from gelu_lib.fits.tanh_starts import best_points
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.functions.tanh_forms import S, TanhForm
from gelu_lib.functions.targets import PHI

CLOSE = 1 / 512
"""How far from the best scale the scales reach that are close to it, as a part of it."""

LOWEST, HIGHEST = 1 / 16, 4.0
"""Between these scales lie the pieces."""

FIXED_PLACES = (0.25, 0.5, 0.75)
"""Where the error of GELU is looked at for all scales above the highest."""

LEFT = Dummy("F", positive=True)
"""Φ(−x), as a variable of its own."""

Rows = Sequence[Sequence[Ball]]
"""For each point the values of the mⱼ, and last that of h."""


def prove_scale(equations: Equations, box: Box) -> None:
    """Prove that with every other scale than that of the solution in a box the error is larger.

    Args:
        equations: the equations of the optimum of a form with a free scale.
        box: enclosures of their solution.

    Raises:
        CertificationError: if it is not shown for some scale.
    """
    best = float(equations.parameters(box)[-1].mid())
    ends = LOWEST, best * (1 - CLOSE), best * (1 + CLOSE), HIGHEST
    _prove_close(equations, box, ends[1], ends[2])
    _prove_middle(equations, box, ends[0], ends[1])
    _prove_middle(equations, box, ends[2], ends[3])
    _prove_beyond(equations, box, below=True)
    if equations.problem.target == PHI:
        _prove_beyond(equations, box, below=False)
    else:
        _prove_above_for_gelu(equations, box)


def _prove_close(equations: Equations, box: Box, left: float, right: float) -> None:
    """Prove that L without the first point and L without the last rise and fall, or the reverse."""
    places = [*equations.places(box), *([inf] if equations.infinite else [])]
    best = equations.parameters(box)[-1].mid()
    trends = []
    for chosen in (places[1:], places[:-1]):
        trend = _trend(equations, chosen, best)
        _, doubtful = cut(
            lambda piece, at=chosen, t=trend: t != 0 and _trend(equations, at, piece) == t,
            left,
            right,
        )
        if doubtful is not None:
            raise CertificationError(
                "optimality", f"a bound is not shown to be monotone near s = {text(doubtful)}"
            )
        trends.append(trend)
    if sorted(trends) != [-1, 1]:
        raise CertificationError("optimality", f"two bounds do not cross at s = {text(best)}")


def _trend(equations: Equations, places: Sequence[flint.arb | float], scale: flint.arb) -> int:
    """1 if L is shown to rise on a piece, −1 if it is shown to fall, and else 0."""
    rows = _rows(equations, places, flint.arb_series([scale, 1], prec=2))
    top, *weights = (_two(value) for value in _top_and_multipliers(rows))
    if any(weight[0].contains(0) for weight in weights) or top[0].contains(0):
        return 0
    signs = [1 if weight[0] > 0 else -1 for weight in weights]
    bottom = [sum(s * w[n] for s, w in zip(signs, weights, strict=True)) for n in (0, 1)]
    rise = (top[1] * bottom[0] - top[0] * bottom[1]) * (1 if top[0] > 0 else -1)
    return 1 if rise > 0 else -1 if rise < 0 else 0


def _prove_middle(equations: Equations, box: Box, left: float, right: float) -> None:
    """Prove that L is above E on pieces from one scale to another."""
    level = equations.level(box)

    def above(piece: flint.arb) -> bool:
        places = best_points(equations.problem, float(piece.mid()))
        enough = len(places) == len(equations.problem.family.coefficients) + 1
        return enough and bool(_bound_on_piece(equations, places, piece) > level)

    _, doubtful = cut(above, left, right)
    if doubtful is not None:
        raise CertificationError(
            "optimality", f"the scale {text(doubtful)} is not shown to be worse than the best"
        )


def _bound_on_piece(equations: Equations, places: Sequence[float], scale: flint.arb) -> flint.arb:
    """A lower bound of L for every scale of a piece, by the mean value theorem."""
    middle = scale.mid()
    here = _top_and_multipliers(_rows(equations, places, middle))
    there = _top_and_multipliers(_rows(equations, places, flint.arb_series([scale, 1], prec=2)))
    pairs = zip(here, map(_two, there), strict=True)
    top, *weights = (flint.arb(value) + slope * (scale - middle) for value, (_, slope) in pairs)
    return _quotient(top, weights)


def _quotient(top: flint.arb, weights: Sequence[flint.arb]) -> flint.arb:
    """A lower bound of |Σ λᵢhᵢ|/Σ|λᵢ|; nan where there is none."""
    return top.abs_lower() / sum((w.abs_upper() for w in weights), flint.arb(0))


def _prove_beyond(equations: Equations, box: Box, *, below: bool) -> None:
    """Prove that L is above E for all scales below the lowest, or above the highest."""
    end = LOWEST if below else HIGHEST
    rows = []
    for x in best_points(equations.problem, end):
        values = _row(equations, x, flint.arb(end))
        if x != inf:
            extreme = flint.arb(0) if below else flint.arb(0.5)
            left = interval(normal(-flint.arb(x)).lower(), extreme).union(normal(-flint.arb(x)))
            values = _expressions(equations.problem)(flint.arb(x), flint.arb(end), left)
        rows.append([flint.arb(value) for value in values])
    top, *weights = _top_and_multipliers(rows)
    if not _quotient(flint.arb(top), list(map(flint.arb, weights))) > equations.level(box):
        side = "below" if below else "above"
        raise CertificationError(
            "optimality", f"the scales {side} {end} are not shown to be worse than the best"
        )


def _prove_above_for_gelu(equations: Equations, box: Box) -> None:
    """Prove for GELU and a merged form with limit 1 that L is above E for all scales above."""
    count = len(equations.problem.family.coefficients) + 1
    factors, lowest = _without_sech(equations.problem), flint.arb(HIGHEST)
    places = list(map(flint.arb, FIXED_PLACES[-count:]))
    rows = []
    for x in places:
        t = interval((lowest * x).tanh(), 1)
        values = [flint.arb(factor(x, t)) for factor in factors]
        rows.append([*values, x * ((1 - t) / 2 - normal(-x))])
    _, *reduced = _top_and_multipliers(rows)
    last = places[-1]
    if reduced[-1].contains(0):
        raise CertificationError("optimality", "the last multiplier may be 0")
    # each multiplier by the last: sech² u is exp(−2u) times 4/(1 + exp(−2u))², which is below 4
    shares = [
        abs(weight / reduced[-1])
        * (last / x)
        * (-2 * lowest * (last - x)).exp()
        * (1 + (-2 * lowest * x).exp()) ** 2
        for weight, x in zip(reduced[:-1], places[:-1], strict=True)
    ]
    rest = sum(share * abs(row[-1]) for share, row in zip(shares, rows[:-1], strict=True))
    if not abs(rows[-1][-1]) - rest > equations.level(box) * (1 + sum(shares)):
        raise CertificationError(
            "optimality", f"the scales above {HIGHEST} are not shown to be worse than the best"
        )


def _top_and_multipliers(rows: Rows) -> list[Ball]:
    """Σ λᵢh(xᵢ), and the λᵢ: the minors of the matrix of the mⱼ, by Cramer's rule."""
    others = range(len(rows))
    found = [(-1) ** i * _determinant([rows[j][:-1] for j in others if j != i]) for i in others]
    top = sum(m * row[-1] for m, row in zip(found, rows, strict=True))
    return [top, *found]


def _determinant(rows: Rows) -> Ball:
    """The determinant of a matrix of balls or series, by its first column."""
    if not rows:
        return flint.arb(1)
    minors = ([row[1:] for j, row in enumerate(rows) if j != i] for i in range(len(rows)))
    return sum((-1) ** i * rows[i][0] * _determinant(minor) for i, minor in enumerate(minors))


def _rows(equations: Equations, places: Sequence[flint.arb | float], scale: Ball) -> Rows:
    return [_row(equations, x, scale) for x in places]


def _row(equations: Equations, x: flint.arb | float, scale: Ball) -> list[Ball]:
    """The values of the mⱼ and of h at a place, which may be infinite."""
    zero = 0 * scale
    if isinstance(x, float) and x == inf:
        return [zero + flint.arb(value) for value in _limits(equations.problem.family)()]
    place = flint.arb(x)
    return [zero + value for value in _expressions(equations.problem)(place, scale, normal(-place))]


def _two(value: Ball) -> tuple[flint.arb, flint.arb]:
    """The value and the derivative of a series."""
    known = (value + flint.arb_series([0], prec=2)).coeffs()
    return tuple([*known, flint.arb(0), flint.arb(0)][:2])


@lru_cache
def _expressions(problem: Problem) -> Callable[..., list[Ball]]:
    """The mⱼ and h as functions of x, the scale and Φ(−x)."""
    error = problem.error.xreplace({Phi(-X): LEFT})
    return compiled((X, S, LEFT), _linear_parts(error, problem.family))


@lru_cache
def _limits(form: TanhForm) -> Callable[[], list[Ball]]:
    return compiled((), _linear_parts((1 - form.limit) / 2, form))


@lru_cache
def _without_sech(problem: Problem) -> list[Callable[..., flint.arb]]:
    """The mⱼ of GELU without the factor x·sech²(sx), as functions of x and t = tanh(sx)."""
    t = Dummy("t", positive=True)
    factors = []
    for part in _linear_parts(problem.error, problem.family)[:-1]:
        plain = sp.expand(part.xreplace({tanh(S * X): t}) / X)
        quotient, remainder = sp.div(sp.Poly(plain, t), sp.Poly(1 - t**2, t))
        if not remainder.is_zero:
            raise NotImplementedError(f"{part} has no factor sech²; accepted are merged forms")
        factors.append(compiled((X, t), quotient.as_expr()))
    return factors


def _linear_parts(expression: Expr, form: TanhForm) -> list[Expr]:
    """The factor of each coefficient in an expression that is linear in them, and the rest."""
    factors = [sp.diff(expression, symbol) for symbol in form.coefficients]
    return [*factors, expression.subs(dict.fromkeys(form.coefficients, 0))]
