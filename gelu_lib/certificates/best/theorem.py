"""Step 4: no other parameters are as good.

*Families with an increasing link, and rationals.* At n + 1 points the weighted error is sᵢE, and
nowhere larger. Another member that were as good would have errors as small there, and by
``references`` there is none.

*Anything else.* If the gradients of sᵢr(xᵢ) by n parameters cancel with positive multipliers, every
small change of the parameters raises one of the errors: the member is the best among all nearby. So
it is where a single peak bends upward along its path (``balance``).
"""

from __future__ import annotations

from functools import singledispatch
from itertools import pairwise

import sympy as sp
from sympy import oo

from gelu_lib._extras import flint
from gelu_lib.certificates.best.balance import balances, prove_balance
from gelu_lib.certificates.best.references import prove_reference
from gelu_lib.certificates.best.results import GLOBAL, NEARBY
from gelu_lib.certificates.engine.balls import compiled, interval, number
from gelu_lib.certificates.engine.enclosures import Function
from gelu_lib.certificates.engine.pieces import float_end, prove_sign
from gelu_lib.certificates.engine.solutions import Box, Equations
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.fits.criteria import LINE
from gelu_lib.functions.expressions import X
from gelu_lib.functions.families import Approximant, Family, RationalFamily
from gelu_lib.functions.targets import GELU_DERIVATIVE

ALTERNATION, BALANCE = "alternation-any-degree", "balance-theorem"
"""The IDs of two theorems in the register."""


@singledispatch
def prove_best(
    family: Approximant, equations: Equations, box: Box, end: float
) -> tuple[str, str | None]:
    """Prove that no other parameters have an error as small as the solution in a box.

    Args:
        family: the family of the problem, by whose class the argument is chosen.
        equations: the equations of the optimum.
        box: enclosures of their solution, at which the size of the error is E, and nowhere larger.
        end: where the tail begins, or the interval ends.

    Returns:
        Among which members it is the best, and the ID of the theorem, if the book has one.

    Raises:
        CertificationError: if a hypothesis does not hold or was not shown.
    """
    return _nearby(equations, box)


@prove_best.register(Family)
def _(family: Family, equations: Equations, box: Box, end: float) -> tuple[str, str | None]:
    problem, places = equations.problem, equations.places(box)
    if problem.target.derivative:
        known = problem.target == GELU_DERIVATIVE and problem.criterion.interval == LINE
        if known and family.is_odd_logistic:
            prove_balance(equations, box)
            return GLOBAL, BALANCE
        return _nearby(equations, box)
    _require_increasing(places, equations)
    prove_reference(family, problem, equations.parameters(box), places, equations.signs)
    return _among(family, equations, box, end)


@prove_best.register(RationalFamily)
def _(family: RationalFamily, equations: Equations, box: Box, end: float) -> tuple[str, str | None]:
    problem, places = equations.problem, equations.places(box)
    if problem.target.derivative:
        return _nearby(equations, box)
    _require_increasing(places, equations)
    prove_reference(family, problem, equations.parameters(box), places, equations.signs)
    bottom = problem.seen(family.parts[1], "denominator")
    _prove_positive(bottom, equations, box, end, "the denominator")
    return GLOBAL, None


def _among(family: Family, equations: Equations, box: Box, end: float) -> tuple[str, str | None]:
    """Among which members the solution is the best: all, or those with u far enough up."""
    lowest = family.link.lowest
    if lowest == -oo:
        powers = family.exponents is not None and family.is_odd_logistic
        return GLOBAL, ALTERNATION if powers else None
    problem = equations.problem
    argument = problem.seen(family.argument, "term") - lowest
    _prove_positive(argument, equations, box, end, "the argument of the link")
    return f"{GLOBAL} among those with u > {lowest}", None


def _nearby(equations: Equations, box: Box) -> tuple[str, str | None]:
    if not balances(equations, box, box[: len(equations.problem.free)]):
        raise CertificationError("optimality", "the peaks are not shown to balance nearby")
    return NEARBY, None


def _require_increasing(places: Box, equations: Equations) -> None:
    left, right = equations.problem.ends
    inside = [number(left), *places] if 0 not in equations.held else places
    if right != oo and len(places) - 1 not in equations.held:
        inside = [*inside, number(right)]
    if not all(a < b for a, b in pairwise(inside)):
        raise CertificationError(
            "optimality", f"the points {places} do not increase between the ends"
        )


def _prove_positive(
    expression: sp.Expr, equations: Equations, box: Box, end: float, what: str
) -> None:
    """Prove that an expression in x and the parameters is positive between the ends.

    Beyond ``end``, on a half-line, a polynomial of x is xᵈ times one of y = 1/x.
    """
    problem, parameters = equations.problem, equations.parameters(box)
    symbols = problem.family.symbols
    curve = Function(expression, symbols)
    prove_sign(curve, parameters, 1, float_end(problem.ends[0], -1, []), end)
    if problem.ends[1] < oo:
        return
    y, coefficients = interval(0, 1 / flint.arb(end)), sp.Poly(expression, X).all_coeffs()
    values = compiled(symbols, coefficients)(*parameters)
    if not sum((flint.arb(c) * y**i for i, c in enumerate(values)), flint.arb(0)) > 0:
        raise CertificationError("optimality", f"{what} is not shown to be positive far out")
