"""Values of best approximations: least suprema, and the parameters with which they are attained.

The registered parameters of a problem are taken and it is shown that they are best to first order:
no change of them lowers all of the highest peaks. Where none are registered, peaks are levelled
from a start that a test gives.
Importing the module adds these quantities to those of ``quantities_values``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import mpmath
import numpy as np
import quantities_values as quantities
import sympy as sp
from flint import arb
from quantities_values import NoValue, Values, approximate, differentiated, peaks
from scipy.optimize import lsq_linear
from sympy import Expr, Symbol

from gelu_lib.derivations.quantities import ArgMin, Binding, Component, Infimum, Supremum
from gelu_lib.functions.expressions import logistic

Place = Mapping[Symbol, arb]

OPTIMA: dict[Expr, dict[str, arb]] = {}
"""The registered parameters of each problem, by name; tests fill it."""

STARTS: dict[Expr, Callable[[Values], Place]] = {}
"""Where Newton's method begins for a problem without registered parameters; tests fill it."""


@dataclass(frozen=True)
class Problem:
    """The least supremum of ``body`` over parameters.

    Attributes:
        body: a function of ``variable`` and the parameters, not negative.
        equations: expressions in the parameters that must be 0.
        floors: functions of a variable and the parameters that must not be negative anywhere,
            each with its variable.
    """

    body: Expr
    variable: Symbol
    domain: Expr
    parameters: tuple[Symbol, ...]
    equations: tuple[Expr, ...]
    floors: tuple[tuple[Expr, Symbol], ...]


def problem(part: Binding) -> Problem:
    """A minimum over parameters of a supremum, taken apart."""
    inner = part.body
    if not isinstance(inner, Supremum):
        raise NoValue("a minimum over parameters of what is no supremum")
    (x,) = inner.variables
    equations, floors = [], []
    for condition in sp.And.make_args(part.domain):
        if isinstance(condition, sp.Equality):
            equations.append(condition.lhs - condition.rhs)
        elif isinstance(condition, sp.GreaterThan) and isinstance(condition.lhs, Infimum):
            (variable,) = condition.lhs.variables
            floors.append((differentiated(condition.lhs.body - condition.rhs), variable))
        elif condition != sp.true and condition.free_symbols & set(part.variables):
            raise NoValue(f"the condition {condition} on parameters is not known")
    body = differentiated(inner.body)
    # far out σ of a polynomial would tend to 0 and not to 1
    leading = {sp.Poly(u.args[0], x).LC() for u in body.atoms(logistic) if _polynomial(u, x)}
    floors += [(p, sp.Dummy()) for p in part.variables if p in leading]
    return Problem(body, x, inner.domain, part.variables, tuple(equations), tuple(floors))


def _polynomial(function: Expr, x: Symbol) -> bool:
    return x in function.free_symbols and function.args[0].is_polynomial(x)


def problem_key(part: Binding) -> Expr:
    """What two statements of one problem have in common."""
    inner = part.body
    if isinstance(inner, Binding):
        inner = inner.func(differentiated(inner.body), inner.variables, inner.domain)
    return sp.Tuple(inner, part.domain, *sorted(part.variables, key=str))


def least(part: Infimum | ArgMin, at: Values) -> tuple[arb, Place]:
    """The least supremum over parameters, and these.

    Raises:
        NoValue: if none are found, or a change of those registered lowers all of the peaks.
    """
    task, key = problem(part), problem_key(part)
    known = _completed(task, OPTIMA.get(key, {}))
    place = found_best(task, key, at) if known is None else known
    here = {**at, **place}
    found = peaks(task.body, task.variable, task.domain, here, 1)
    top = max(height for _, height in found)
    active = [p for p, height in found if height >= top * (1 - mpmath.mpf(10) ** -11)]
    residual = _unbalanced(task, here, active)
    if residual > 1e-7:
        raise NoValue(f"the parameters are not best: a direction lowers all peaks ({residual:.1e})")
    if isinstance(part, ArgMin) and not _are_only(task, here, active):
        raise NoValue("other parameters may be as good: a change of them changes no peak")
    return approximate(top), place


def found_best(task: Problem, key: Expr, at: Values) -> Place:
    """The best parameters of a problem of which none are registered, from where tests begin."""
    if key not in STARTS:
        raise NoValue("no parameters are registered, and nothing says where to begin")
    return levelled(task, at, STARTS[key](at))


def _are_only(task: Problem, at: Values, active: Iterable[mpmath.mpf]) -> bool:
    """Whether each change of the parameters changes a highest peak, an equation or a floor at 0.

    There must be more of these than parameters: those that are fewer cannot cancel.
    """
    rows = [_gradient(task, at, place)[1] for place in active]
    rows += [row for row, height in _floors(task, at) if abs(height) < 1e-12]
    rows += [[sp.diff(e, s) for s in task.parameters] for e in task.equations]
    matrix = np.array([[float(v) for v in row] for row in rows]) / np.array(_sizes(task, at))
    count = len(task.parameters)
    return len(matrix) > count and np.linalg.matrix_rank(matrix, tol=1e-9) == count


def _completed(task: Problem, known: Mapping[str, arb]) -> Place | None:
    """The registered parameters, with those that the equations leave no choice for.

    ``None`` if none are registered, or too few.
    """
    place = {s: known[str(s)] for s in task.parameters if str(s) in known}
    if not place:
        return None
    for equation in task.equations:
        open_ = [s for s in task.parameters if s not in place]
        if len(open_) == 1:
            (solution,) = sp.solve(equation, open_[0])
            place[open_[0]] = quantities.value(solution, place)
    return place if len(place) == len(task.parameters) else None


# ---------------------------------------------------------------------------- optimality


def _unbalanced(task: Problem, at: Values, active: Iterable[mpmath.mpf]) -> float:
    """How far zero is from the convex hull of the peaks' gradients, relative to their size.

    Directions that break an equation do not count; nor do those that lower a floor where it is 0.
    """
    rows = [_gradient(task, at, place)[1] for place in active]
    floors = [row for row, height in _floors(task, at) if abs(height) < 1e-12]
    matrix = np.array(
        [[float(v) for v in row] for row in (*rows, *([-v for v in r] for r in floors))]
    ).T
    for equation in task.equations:
        normal = np.array([float(sp.diff(equation, s)) for s in task.parameters])
        normal = normal / np.linalg.norm(normal)
        matrix = matrix - np.outer(normal, normal @ matrix)
    matrix = matrix / np.array(_sizes(task, at))[:, None]
    total = [1.0] * len(rows) + [0.0] * len(floors)
    # not nnls, whose residual may be 0 where it is not (scipy#25389)
    target = np.array([0.0] * len(matrix) + [1.0])
    weights = lsq_linear(np.vstack([matrix, total]), target, (0, np.inf), method="bvls")
    return float(np.linalg.norm(weights.fun))


def _sizes(task: Problem, at: Values) -> list[float]:
    """How much each parameter changes the body at most, roughly."""
    inside, line = _inside(task.body), np.linspace(0.05, 8, 60)
    found = []
    for derivative in _derivatives(inside, task.parameters):
        with np.errstate(all="ignore"):
            values = quantities.fast(derivative, task.variable, at)(line)
        found.append(float(np.nanmax(np.abs(values))))
    if not all(found):
        raise NoValue("a parameter that changes nothing")
    return found


def _gradient(task: Problem, at: Values, place: mpmath.mpf) -> tuple[mpmath.mpf, list[mpmath.mpf]]:
    """The body at a place, and its derivatives by the parameters."""
    here = {**at, task.variable: quantities.point(place)}
    near = quantities.smooth(task.body, here)
    parts = (near, *_derivatives(near, task.parameters))
    height, *row = (quantities.number(quantities._value(part, here)) for part in parts)
    return height, row


def _derivatives(body: Expr, parameters: tuple[Symbol, ...]) -> tuple[Expr, ...]:
    return tuple(sp.diff(body, p) for p in parameters)


def _floors(task: Problem, at: Values) -> list[tuple[list[mpmath.mpf], mpmath.mpf]]:
    """The lowest point of each floor, and its derivatives there by the parameters."""
    found = []
    for floor, variable in task.floors:
        if floor in task.parameters:  # counts where it is 0
            if abs(height := quantities.number(at[floor])) < 1e-9:
                found.append(([mpmath.mpf(p == floor) for p in task.parameters], height))
            continue
        place, height = max(
            peaks(floor, variable, sp.true, at, -1, near=1e-3), key=lambda one: (-one[1], one[0])
        )
        here = {**at, variable: quantities.point(place)}
        row = [
            quantities.number(quantities._value(d, here))
            for d in _derivatives(floor, task.parameters)
        ]
        found.append((row, height))
    return found


# ---------------------------------------------------------------------------- levels


def _inside(body: Expr) -> Expr:
    """The expression whose size the body is; a positive weight may stand before the bars."""
    return body.replace(sp.Abs, lambda inner: inner)


def levelled(task: Problem, at: Values, start: Place) -> Place:
    """Parameters near a start with which all peaks are equally high, by Newton's method."""
    place = dict(start)
    with mpmath.workdps(50):
        for turn in range(20):
            here = {**at, **place}
            found = peaks(task.body, task.variable, task.domain, here, 1, 0.6 if turn < 4 else 1e-2)
            found = _halved(found)
            level = max(height for _, height in found)
            lines, right = [], []
            for x, _ in found:
                height, row = _gradient(task, here, x)
                lines.append([*(v / level for v in row), -1])
                right.append(1 - height / level)
            for row, height in _floors(task, here):
                lines.append([*row, 0])
                right.append(-height)
            for equation in task.equations:
                lines.append([*(mpmath.mpf(sp.diff(equation, s).p) for s in task.parameters), 0])
                right.append(-quantities.number(quantities._value(equation, here)))
            if len(lines) < len(task.parameters) + 1:
                raise NoValue(f"{len(lines)} peaks for {len(task.parameters)} parameters")
            step = _least_squares(lines, right)
            place = {
                p: place[p] + quantities.point(d)
                for p, d in zip(task.parameters, step[:-1], strict=True)
            }
            size = max(abs(v) for v in step)
            if size < mpmath.mpf(10) ** -25:
                break
    return place


def _least_squares(lines: list[list[mpmath.mpf]], right: list[mpmath.mpf]) -> list[mpmath.mpf]:
    """The solution of a linear system with columns of any size."""
    matrix = mpmath.matrix(lines)
    scales = [max(abs(v) for v in matrix[:, j]) for j in range(matrix.cols)]
    for j, scale in enumerate(scales):
        matrix[:, j] = matrix[:, j] / scale
    solution, _ = mpmath.qr_solve(matrix, mpmath.matrix(right))
    return [v / scale for v, scale in zip(solution, scales, strict=True)]


def _halved(found: list[tuple[mpmath.mpf, mpmath.mpf]]) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """Peaks without those on the left that have a mirror image on the right."""
    double = {
        i
        for (i, (x, a)), (_, (y, b)) in combinations(enumerate(sorted(found)), 2)
        if x < 0 and abs(x + y) < 1e-9 * (1 + y) and abs(a - b) < 1e-9 * a
    }
    return [one for i, one in enumerate(sorted(found)) if i not in double]


# ---------------------------------------------------------------------------- quantities


def _infimum(part: Infimum, at: Values) -> arb:
    if part.body.atoms(Supremum):
        return least(part, at)[0]
    return quantities._extremum(part, at)


def _place(part: ArgMin, at: Values) -> arb:
    if not part.body.atoms(Supremum):
        return quantities._place(part, at)
    (variable,) = part.variables
    return least(part, at)[1][variable]


def _component(part: Component, at: Values) -> arb:
    place, symbol = part.args
    found = least(place, at)[1]
    return {str(s): v for s, v in found.items()}[str(symbol)]


quantities.OPERATORS.update({Infimum: _infimum, ArgMin: _place, Component: _component})
