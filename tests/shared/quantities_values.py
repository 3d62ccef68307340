"""Numerical values of what statements speak of, from the objects that their TeX is read into.

A value is a ball. What Arb evaluates is enclosed; an extremum, a limit, an infinite sum or an
integral is computed to about ``DIGITS`` digits and gets a radius that says so. Nothing here knows
how the book computes or proves its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

import mpmath
import numpy as np
import sympy as sp
from flint import acb, arb, ctx, fmpq
from scipy.optimize import linprog, nnls
from scipy.special import expit, ndtr
from sympy import Derivative, Dummy, Expr, Integral, Limit, Subs, Sum, Symbol

from gelu_lib.certificates.balls import compiled
from gelu_lib.derivations.notation import Coefficient, NormalProbability
from gelu_lib.derivations.quantities import ArgMax, ArgMin, Binding, Component, Infimum, Supremum
from gelu_lib.functions.expressions import Phi, numpy_density, numpy_function

BITS = 256
DIGITS = 18
_NUMPY = [
    {"Phi": ndtr, "logistic": expit, "phi": numpy_density, "GELU": lambda x: x * ndtr(x)},
    "scipy",
    "numpy",
]
"""How many digits of an extremum or a limit hold at least."""

Values = Mapping[Symbol, arb | acb]


class NoValue(Exception):
    """There is no way here to compute a quantity."""


def value(expression: Expr, at: Values) -> arb | acb:
    """A quantity where its free symbols have values."""
    with ctx.workprec(BITS):
        return _value(differentiated(sp.sympify(expression)), at)


def exact(number: arb | acb) -> sp.Rational:
    """The midpoint of a ball."""
    if isinstance(number, acb):
        raise NoValue("a complex number where a real one is needed")
    man, exp = number.mid().man_exp()
    return sp.Rational(int(man)) * sp.Rational(2) ** int(exp)


def ball(number: sp.Rational) -> arb:
    return arb(fmpq(int(number.p), int(number.q)))


def approximate(number: mpmath.mpf, digits: int = DIGITS) -> arb:
    """A ball around a number of which so many digits hold."""
    with ctx.workprec(BITS):
        middle = arb(mpmath.nstr(number, 60))
        return middle + arb(0, abs(middle).upper() * arb(10) ** -digits + arb(10) ** -40)


# ---------------------------------------------------------------------------- expressions


def differentiated(expression: Expr) -> Expr:
    """Every derivative carried out, innermost first, and no other operator."""
    if isinstance(expression, Derivative | Subs):
        return expression.func(*map(differentiated, expression.args)).doit(
            integrals=False, sums=False, limits=False
        )
    if not expression.args or not isinstance(expression, sp.Basic):
        return expression
    return expression.func(*map(differentiated, expression.args))


def _value(expression: Expr, at: Values) -> arb | acb:
    """Operators are replaced by their values; the rest is evaluated in Arb."""
    parts: dict[Dummy, arb | acb] = {}

    def rest(part: Expr) -> Expr:
        evaluate = _OPERATORS.get(type(part)) or _OPERATORS.get(type(part).__name__)
        if isinstance(part, sp.Pow) and not (2 * part.exp).is_Integer:
            evaluate = _power
        if evaluate is None:
            return part.func(*map(rest, part.args)) if part.args else part
        symbol = Dummy()
        parts[symbol] = evaluate(part, at)
        return symbol

    body = rest(expression)
    free = sorted(body.free_symbols, key=lambda s: s.sort_key())
    missing = [s for s in free if s not in parts and s not in at]
    if missing:
        raise NoValue(f"{', '.join(map(str, missing))} has no value")
    try:
        found = _compiled(body, tuple(free))(*(parts.get(s, at.get(s)) for s in free))
    except NotImplementedError as error:
        raise NoValue(str(error)) from None
    return _as_ball(found)


@lru_cache(maxsize=4096)
def _compiled(body: Expr, free: tuple[Symbol, ...]) -> Callable:
    plain = {s: Dummy(f"v{i}") for i, s in enumerate(free)}
    return compiled(tuple(plain.values()), body.xreplace(plain))


def _of_argument(method: str) -> Callable[[Expr, Values], arb | acb]:
    return lambda part, at: getattr(_value(part.args[0], at), method)()


def _power(part: sp.Pow, at: Values) -> arb | acb:
    """A power whose exponent is no half of an integer."""
    base, exponent = (_value(arg, at) for arg in part.args)
    return base**exponent


def _factorial2(part: Expr, at: Values) -> arb:
    n = exact(_value(part.args[0], at))
    if not n.is_Integer:
        raise NoValue("!! of no integer")
    return ball(sp.Integer(sp.factorial2(n)))


def _factorial(part: Expr, at: Values) -> arb:
    return (_value(part.args[0], at) + 1).gamma()


def _choice(best: str) -> Callable[[Expr, Values], arb]:
    def choose(part: Expr, at: Values) -> arb:
        first, *others = (_value(arg, at) for arg in part.args)
        for other in others:
            first = getattr(first, best)(other)
        return first

    return choose


def _normal(part: NormalProbability, at: Values) -> arb:
    lower, upper, mean, variance = part.args
    scale = sp.sqrt(variance)
    return _value(Phi((upper - mean) / scale) - Phi((lower - mean) / scale), at)


def _sign(part: Expr, at: Values) -> arb:
    inner = _value(part.args[0], at)
    if inner > 0 or inner < 0:
        return arb(1 if inner > 0 else -1)
    raise NoValue("the sign of what may be 0")


def _continued_fraction(part: Expr, at: Values) -> arb:
    """A finite continued fraction; with dots all numbers that begin so."""
    *terms, last = part.args
    if str(last) != "dots()":
        terms = [*terms, last]
    tail = arb(0) if str(last) != "dots()" else arb(0.5, 0.5)
    for term in reversed(terms[1:]):
        tail = 1 / (ball(sp.Rational(term)) + tail)
    return ball(sp.Rational(terms[0])) + tail


# ---------------------------------------------------------------------------- limits, sums


def _prepared(body: Expr, variables: tuple[Symbol, ...], at: Values) -> Callable[..., arb | acb]:
    """A function of balls; what is evaluated in Arb as it stands is compiled once."""
    outside = sorted(body.free_symbols - set(variables), key=lambda s: s.sort_key())
    try:
        function = _compiled(body, (*variables, *outside))
        rest = [at[s] for s in outside]
    except (NotImplementedError, KeyError):
        return lambda *balls: _value(body, {**at, **dict(zip(variables, balls, strict=True))})
    return lambda *balls: _as_ball(function(*balls, *rest))


def _as_ball(found: object) -> arb | acb:
    return found if isinstance(found, arb | acb) else arb(found)


def _numeric(body: Expr, variables: tuple[Symbol, ...], at: Values) -> Callable[..., mpmath.mpf]:
    """A function of mpmath numbers, evaluated in balls, so that nothing cancels unseen."""
    prepared = _prepared(differentiated(body), variables, at)

    def evaluate(*points: mpmath.mpf) -> mpmath.mpf:
        found = prepared(*(arb(mpmath.nstr(p, 50)) for p in points))
        if isinstance(found, acb):
            found = found.real
        if not found.is_finite() or found.rad() > 1e-12 * (1 + abs(found.mid())):
            raise NoValue("a value is lost in rounding")
        return mpmath.mpf(found.mid().str(45, radius=False))

    return evaluate


def _integral(part: Integral, at: Values) -> arb:
    body, (variable, lower, upper) = part.args
    ends = []
    for end in (lower, upper):
        ends.append(
            end
            if end in (sp.oo, -sp.oo)
            else mpmath.mpf(_value(end, at).mid().str(45, radius=False))
        )
    with mpmath.workdps(30):
        f = _numeric(body, (variable,), at)
        # what is integrated to infinity here falls like a Gaussian or an exponential
        points = [mpmath.mpf(s) if s not in (sp.oo, -sp.oo) else s for s in ends]
        low = -400 if points[0] == -sp.oo else points[0]
        high = max(400, low + 400) if points[1] == sp.oo else points[1]
        marks = (1, 2, 4, 8, 16, 32, 64, 128)
        inner = sorted(t for m in marks for t in (-m, m) if low < t < high)
        total = mpmath.quad(f, [low, *inner, high])
    return approximate(total, 15)


def _sum(part: Sum, at: Values) -> arb:
    body, (index, lower, upper) = part.args
    first = int(exact(_value(lower, at)))
    if upper != sp.oo:
        last = int(exact(_value(upper, at)))
        terms = (body.xreplace({index: sp.Integer(n)}) for n in range(first, last + 1))
        return sum((_value(differentiated(term.doit()), at) for term in terms), arb(0))
    total, count = arb(0), 0
    for n in range(first, first + 400):
        term = _value(body.xreplace({index: sp.Integer(n)}), at)
        total += term
        count = count + 1 if abs(term) < abs(total) * arb(10) ** -25 else 0
        if count == 5:
            return total + arb(0, abs(total).upper() * arb(10) ** -22)
    raise NoValue("a sum does not converge in 400 terms")


def _limit(part: Limit, at: Values) -> arb:
    """A limit, approached: the last differences must fall."""
    body, variable, point, _ = part.args
    where = {
        sp.oo: [8, 16, 32, 64],
        -sp.oo: [-8, -16, -32, -64],
    }.get(point)
    if where is None:
        near = exact(_value(point, at))
        where = [near + sp.Rational(1, 10**k) for k in (2, 4, 6, 8)]
    found = [_value(differentiated(body), {**at, variable: ball(sp.Rational(t))}) for t in where]
    gaps = [abs(b - a) for a, b in pairwise(found)]
    if all(b > 1e6 * a for a, b in pairwise(map(abs, found))):
        return arb("inf") if found[-1] > 0 else arb("-inf")
    if not all(b <= a + arb(10) ** -30 for a, b in pairwise(gaps)):
        raise NoValue("a limit is not approached")
    return found[-1] + arb(0, (gaps[-1] * 2).upper() + arb(10) ** -15)


def _coefficient(part: Coefficient, at: Values) -> arb:
    """A Taylor coefficient at 0, by Cauchy's integral on a circle."""
    body, variable, degree = part.args
    n = int(exact(_value(degree, at)))
    body = differentiated(body)
    count, radius = 128, arb(3) / 4
    total = acb(0)
    for k in range(count):
        turn = acb.exp_pi_i(acb(2 * k) / count)
        total += _value(body, {**at, variable: radius * turn}) * turn ** (-n)
    return (total / (count * radius**n)).real + arb(0, arb(10) ** -DIGITS)


# ---------------------------------------------------------------------------- extrema


def grid(domain: Expr, variable: Symbol) -> np.ndarray:
    """Points of a domain of one variable: dense near 0, and far out."""
    line = np.sinh(np.linspace(-6.5, 6.5, 40001)) / 4
    if domain == sp.true:
        return line
    if isinstance(domain, sp.Contains):
        return np.array([float(x) for x in domain.args[1]])
    inside = sp.lambdify(variable, domain, "numpy")
    ends = [float(abs(e)) for e in domain.atoms(sp.Number) if e != 0]
    points = np.unique(np.concatenate([line, *([-e, e] for e in ends)]))
    return points[np.broadcast_to(inside(points), points.shape)]


def fast(body: Expr, variable: Symbol, at: Values) -> Callable[[np.ndarray], np.ndarray]:
    fixed = {s: sp.Float(exact(at[s]), 20) for s in body.free_symbols - {variable} if s in at}
    plain = differentiated(body).xreplace(fixed)
    if plain.atoms(Binding):
        raise NoValue("an extremum in an extremum")
    x = Symbol("x", real=True)
    return numpy_function(plain.xreplace({variable: x}), x)


def peaks(body: Expr, variable: Symbol, domain: Expr, at: Values, sign: int) -> list[tuple]:
    """The places of local maxima of ``sign·body`` near its largest, each with its value there."""
    points = grid(domain, variable)
    with np.errstate(all="ignore"):
        sampled = sign * np.broadcast_to(fast(body, variable, at)(points), points.shape)
    sampled = np.where(np.isfinite(sampled), sampled, -np.inf)
    best = sampled.max()
    f = _numeric(body, (variable,), at)
    if isinstance(domain, sp.Contains):
        places = np.flatnonzero(sampled >= best - 1e-9 * max(abs(best), 1e-12))
        exact_points = {i: sp.Rational(round(float(points[i]) * 10**6), 10**6) for i in places}
        return [(p, f(mpmath.mpf(p.p) / p.q)) for p in exact_points.values()]
    inner = np.concatenate([[-np.inf], sampled, [-np.inf]])
    local = np.flatnonzero((inner[1:-1] >= inner[:-2]) & (inner[1:-1] >= inner[2:]))
    near = [i for i in local if sampled[i] >= best - 1e-4 * abs(best)]
    found = []
    with mpmath.workdps(40):
        for i in near[:24]:
            left, right = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
            place = _golden(lambda t: sign * f(t), mpmath.mpf(left), mpmath.mpf(right))
            found.append((place, f(place)))
    return found


def _golden(f: Callable, left: mpmath.mpf, right: mpmath.mpf) -> mpmath.mpf:
    """Where a function with one maximum between two points is largest, to about 16 digits."""
    ratio = (mpmath.sqrt(5) - 1) / 2
    a, b = right - ratio * (right - left), left + ratio * (right - left)
    fa, fb = f(a), f(b)
    while right - left > mpmath.mpf(10) ** -17 * (1 + abs(left)):
        if fa >= fb:
            right, b, fb = b, a, fa
            a = right - ratio * (right - left)
            fa = f(a)
        else:
            left, a, fa = a, b, fb
            b = left + ratio * (right - left)
            fb = f(b)
    return max((left, right, a, b), key=f)


def _extremum(part: Binding, at: Values) -> arb:
    sign = 1 if isinstance(part, Supremum) else -1
    if isinstance(part, Infimum) and part.body.atoms(Supremum):
        return least(part, at)[0]
    (variable,) = part.variables
    found = peaks(part.body, variable, part.domain, at, sign)
    return approximate(sign * max(sign * height for _, height in found))


def _place(part: ArgMax | ArgMin, at: Values) -> arb:
    if part.body.atoms(Supremum):
        place = least(Infimum(*part.args), at)[1]
        (variable,) = part.variables
        return place[variable]
    (variable,) = part.variables
    sign = 1 if isinstance(part, ArgMax) else -1
    found = peaks(part.body, variable, part.domain, at, sign)
    place, _ = max(found, key=lambda one: sign * one[1])
    return approximate(mpmath.mpf(place), 14)


def _component(part: Component, at: Values) -> arb:
    place, symbol = part.args
    found = least(Infimum(*place.args), at)[1]
    by_name = {str(s): v for s, v in found.items()}
    return by_name[str(symbol)]


# ---------------------------------------------------------------------------- best constants


OPTIMA: dict[Expr, dict[str, arb]] = {}
"""The registered parameters of each problem, to which ``least`` looks; tests fill it."""


def least(part: Infimum, at: Values) -> tuple[arb, dict[Symbol, arb]]:
    """The least supremum over parameters, and these: those registered, if no better are near.

    That they are best is shown to first order: zero lies in the convex hull of the gradients of the
    highest peaks, so no direction lowers all of them.
    """
    inner = part.body
    (x,) = inner.variables
    known = OPTIMA.get(problem_key(part), {})
    names = [str(s) for s in part.variables]
    if not known:
        return searched(part, at)
    if not set(names) <= set(known):
        raise NoValue(f"no values are registered for {', '.join(sorted(set(names) - set(known)))}")
    place = {s: known[str(s)] for s in part.variables}
    here = {**at, **place}
    found = peaks(inner.body, x, inner.domain, here, 1)
    top = max(height for _, height in found)
    active = [p for p, height in found if height >= top * (1 - mpmath.mpf(10) ** -11)]
    residual = _unbalanced(inner.body, x, part, here, active)
    if residual > 1e-7:
        raise NoValue(f"the parameters are not best: a direction lowers all peaks ({residual:.1e})")
    return approximate(top), place


CONSTRAINTS: dict[Expr, tuple[Expr, ...]] = {}
"""The linear equations to which the parameters of a problem are bound; tests fill it."""


def searched(part: Infimum, at: Values) -> tuple[arb, dict[Symbol, arb]]:
    """The least supremum over parameters of which none is registered, by linear programs.

    Each program minimises the largest linearised error on a grid within a region of trust.
    """
    inner, parameters = part.body, part.variables
    (x,) = inner.variables
    plain = _inside(differentiated(inner.body))
    xs = grid(inner.domain, x)
    xs = xs[np.abs(xs) <= 30][::8]
    function = sp.lambdify((x, *parameters), plain, _NUMPY)
    slopes = [sp.lambdify((x, *parameters), sp.diff(plain, p), _NUMPY) for p in parameters]
    place = np.array([1.6 if i == 0 else 0.0 for i in range(len(parameters))])
    reach = np.array([0.5 / 10**i for i in range(len(parameters))])
    error = np.broadcast_to(function(xs, *place), xs.shape)
    best = np.abs(error).max()
    for _ in range(400):
        rows = np.array([np.broadcast_to(slope(xs, *place), xs.shape) for slope in slopes]).T
        ones = -np.ones((len(xs), 1))
        step = linprog(
            [0.0] * len(place) + [1.0],
            A_ub=np.vstack([np.hstack([rows, ones]), np.hstack([-rows, ones])]),
            b_ub=np.concatenate([-error, error]),
            bounds=[*((-r, r) for r in reach), (0, None)],
        ).x[:-1]
        trial = np.broadcast_to(function(xs, *(place + step)), xs.shape)
        if np.abs(trial).max() < best:
            place, error, best = place + step, trial, np.abs(trial).max()
        else:
            reach = reach / 4
        if (reach < 1e-15).all():
            break
    here = {**at, **{p: arb(float(v)) for p, v in zip(parameters, place, strict=True)}}
    top = max(height for _, height in peaks(inner.body, x, inner.domain, here, 1))
    found = {p: arb(float(v), 1e-6) for p, v in zip(parameters, place, strict=True)}
    return approximate(top, 6), found


def _unbalanced(body: Expr, x: Symbol, part: Infimum, at: Values, active: list) -> float:
    """How far zero is from the convex hull of the peaks' gradients, relative to their size."""
    rows = []
    for place in active:
        here = {**at, x: arb(mpmath.nstr(mpmath.mpf(place), 40))}
        row = []
        for symbol in part.variables:
            row.append(float(_value(differentiated(sp.diff(_inside(body), symbol)), here).mid()))
        sign = 1 if _value(differentiated(_inside(body)), here) > 0 else -1
        rows.append(sign * np.array(row))
    gradients = np.array(rows).T
    for direction in part_constraints(part):
        gradients = gradients - np.outer(direction, direction @ gradients)
    scale = np.abs(gradients).max(axis=1, keepdims=True)
    gradients = gradients / np.where(scale > 0, scale, 1)
    system = np.vstack([gradients, np.ones(len(active))])
    _, residual = nnls(system, np.array([0.0] * len(gradients) + [1.0]))
    return residual


def part_constraints(part: Infimum) -> list[np.ndarray]:
    """Unit normals of the linear equations to which the parameters are bound."""
    normals = []
    for equation in CONSTRAINTS.get(problem_key(part), ()):
        normal = np.array([float(sp.diff(equation, s)) for s in part.variables])
        normals.append(normal / np.linalg.norm(normal))
    return normals


def _inside(body: Expr) -> Expr:
    """The expression whose size is the body."""
    return body.args[0] if isinstance(body, sp.Abs) else body


def problem_key(part: Binding) -> Expr:
    """What two statements of one problem have in common."""
    body = differentiated(part.body)
    return sp.Tuple(body, part.domain, *sorted(part.variables, key=str))


_OPERATORS: dict[object, Callable[[Expr, Values], arb | acb]] = {
    Integral: _integral,
    Sum: _sum,
    Limit: _limit,
    Coefficient: _coefficient,
    NormalProbability: _normal,
    Supremum: _extremum,
    Infimum: _extremum,
    ArgMax: _place,
    ArgMin: _place,
    Component: _component,
    sp.LambertW: _of_argument("lambertw"),
    sp.erfc: _of_argument("erfc"),
    sp.sinh: _of_argument("sinh"),
    sp.cosh: _of_argument("cosh"),
    sp.coth: _of_argument("coth"),
    sp.sin: _of_argument("sin"),
    sp.cos: _of_argument("cos"),
    sp.acos: _of_argument("acos"),
    sp.sech: _of_argument("sech"),
    sp.erfcinv: _of_argument("erfcinv"),
    type(sp.I): lambda part, at: acb(0, 1),
    sp.atanh: _of_argument("atanh"),
    sp.re: lambda part, at: acb(_value(part.args[0], at)).real,
    sp.im: lambda part, at: acb(_value(part.args[0], at)).imag,
    sp.factorial: _factorial,
    sp.factorial2: _factorial2,
    sp.Max: _choice("max"),
    sp.Min: _choice("min"),
    sp.sign: _sign,
    "continued_fraction": _continued_fraction,
}
