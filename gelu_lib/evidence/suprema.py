"""Largest errors of other forms, on parts of the line, and on a grid, each with its own proof."""

from __future__ import annotations

from functools import partial

import numpy as np
import sympy as sp
from sympy import Expr, Rational, Symbol, erf, pi, sqrt, tanh

from gelu_lib._extras import flint
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure, enclosure
from gelu_lib.certificates.engine.balls import bits, compiled, interval
from gelu_lib.certificates.engine.solutions import Box, polished, prove_solution, refine
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.evidence.kinds import Certification
from gelu_lib.fits.criteria import LINE
from gelu_lib.floats.integer_gelu import IBERT, certified_error
from gelu_lib.functions.expressions import (
    LOCAL_SLOPE,
    Phi,
    X,
    gelu_sigmoid,
    gelu_tanh,
    logistic,
    numpy_function,
)
from gelu_lib.functions.forms import Form, sigmoid_form, tanh_form
from gelu_lib.functions.targets import Target
from gelu_lib.precision import DECIDED_DIGITS, PROOF_BITS
from gelu_lib.provenance.atlas.classical import approximations, audit

_GRID_POINTS = 4000
"""So many points has the grid of the sources, which is 0, 1/1000, … below 4."""

SEARCHED_FROM, SEARCHED_TO = 0.015625, 8.0
"""Between these a relative error is searched; before and beyond it is bounded."""

B = Symbol("b", real=True)
"""The parameter that is sought on the grid."""


def ratio_error(cubic: Expr, digits: int) -> dict[str, Enclosure]:
    """The largest size of 1 − erf(x)/tanh(u) for x > 0, with u = 2/√π·(x + cubic·x³).

    It is at a peak between ``SEARCHED_FROM`` and ``SEARCHED_TO``. Near 0, tanh u − erf x begins
    with x³, so it is at most x³ times its largest third Taylor coefficient, and tanh u is at least
    x times its least slope. Far out both functions are between their values at the end and 1.
    """
    of_tanh = tanh(2 / sqrt(pi) * (X + cubic * X**3))
    both, one = compiled((X,), [erf(X), of_tanh]), Target(sp.S.One)
    size = certified_sup_error(
        erf(X) / of_tanh, one, digits, interval=(SEARCHED_FROM, SEARCHED_TO)
    ).error
    with flint.ctx.workprec(PROOF_BITS):
        level = size.ball.lower()
        exact, other = both(flint.arb_series([interval(0, SEARCHED_FROM), 1], prec=4))
        if not abs((other - exact)[3]) * SEARCHED_FROM**2 < level * other[1]:
            raise CertificationError("bound", f"the ratio may be large before {SEARCHED_FROM}")
        if (
            not 1 - flint.arb.min(*both(flint.arb(SEARCHED_TO)))
            < level * both(flint.arb(SEARCHED_TO))[1]
        ):
            raise CertificationError("tail", f"the ratio may be large beyond {SEARCHED_TO}")
    return {"": size}


def distance(
    one: Form | Expr, other: Expr | str, digits: int, interval: tuple = LINE
) -> dict[str, Enclosure]:
    """The largest distance of two functions, as ``certified_sup_error`` has it."""
    other = other if isinstance(other, str) else Target(other)
    return {"": certified_sup_error(one, other, digits, interval=interval).error}


def best_on_grid(error: Expr, near: float, digits: int) -> dict[str, Enclosure]:
    """The parameter for which the largest absolute error on the grid of the sources is least.

    At every point x > 0 the error falls as the parameter grows, and at 0 it is 0. Suppose that for
    one value the largest and the least error on the grid have opposite sizes, at two points. With
    a greater value the error is larger at the second of them, with a smaller one at the first. So
    that value is the only best one. The two points are looked for in double precision; that they
    are the extreme ones is proved at every point of the grid.

    Args:
        error: the error, an expression in x and the parameter ``B``.
        near: a value of the parameter near the best one.
        digits: how many significant digits.
    """
    floats = numpy_function(error, X, B)
    exact = compiled((X, B), [error, sp.diff(error, B)])
    grid = np.arange(_GRID_POINTS) / 1000

    def balance(ends: tuple[int, int], unknowns: Box) -> tuple[Box, flint.arb_mat]:
        values = [exact(_point(i), unknowns[0]) for i in ends]
        return [sum(v for v, _ in values)], flint.arb_mat([[sum(slope for _, slope in values)]])

    kept = digits + DECIDED_DIGITS
    with flint.ctx.workprec(2 * bits(kept)):
        value, ends = flint.arb(near), None
        while (found := _ends(floats(grid, float(value)))) != ends:
            ends = found
            box = polished(partial(balance, ends), [float(value)])
            value = box[0].mid()
        box = prove_solution(partial(balance, ends), box)
        box = refine(partial(balance, ends), box, kept + DECIDED_DIGITS)
        level = exact(_point(ends[1]), box[0])[0].lower()
        for i in set(range(1, _GRID_POINTS)) - set(ends):
            if not abs(exact(_point(i), box[0])[0]) < level:
                raise CertificationError("bound", f"the error is not shown smaller at {grid[i]}")
        return {"": enclosure(box[0], kept)}


def _point(i: int) -> flint.arb:
    return flint.arb(flint.fmpq(i, 1000))


def _ends(errors: np.ndarray) -> tuple[int, int]:
    return int(np.argmin(errors)), int(np.argmax(errors))


def _audited(id: str, target: str, digits: int) -> dict[str, Enclosure]:
    """The largest error of a classical approximation."""
    return {"": audit(approximations()[id], target, digits)}


SUPREMUM_PROOFS: dict[str, Certification] = {
    "tanh-grid-coefficient": partial(
        best_on_grid, erf(X / sqrt(2)) - tanh(LOCAL_SLOPE * X + B * X**3), 0.0357
    ),
    "logistic-grid-scale": partial(best_on_grid, Phi(X) - logistic(B * X), 1.7),
    "erf-ratio-taylor-error": partial(ratio_error, (4 - pi) / (3 * pi)),
    "erf-ratio-pi-over-35-error": partial(ratio_error, pi / 35),
    "erf-ratio-11-over-123-error": partial(ratio_error, Rational(11, 123)),
    "tanh-sigmoid-gap": partial(distance, gelu_tanh(), gelu_sigmoid()),
    "quick-silu-distance": partial(distance, gelu_sigmoid(), X * logistic(X)),
    "page-error-unit-interval": partial(distance, tanh_form(), "GELU", interval=(-1, 1)),
    "bounded-inputs-error-gelu": partial(
        distance, tanh_form(), "GELU", interval=(Rational("-0.819"), Rational("1.022"))
    ),
    "scale-1702-error-unit-interval": partial(distance, sigmoid_form(), "GELU", interval=(-1, 1)),
    "hastings-error-phi": partial(_audited, "hastings-5", "Phi"),
    "hastings-error-gelu": partial(_audited, "hastings-5", "GELU"),
    "waissi-rossin-error": partial(_audited, "waissi-rossin", "Phi"),
    "ibert-error-gelu": lambda digits: {"": certified_error(*IBERT.values(), digits)},
}
