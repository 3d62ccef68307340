"""Numerical values of what statements speak of, from the objects that their TeX is read into.

A value is a ball. What Arb evaluates is enclosed; an extremum, a limit, an infinite sum or an
integral is computed to about ``DIGITS`` digits and gets a radius that says so. Nothing here knows
how the book computes or proves its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

import mpmath
import numpy as np
import sympy as sp
from flint import acb, arb, arb_series, ctx, fmpq
from scipy.optimize import brentq
from sympy import Derivative, Dummy, Expr, Integral, Limit, Subs, Sum, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.certificates.engine.balls import compiled
from gelu_lib.derivations.notation import Coefficient, NormalProbability
from gelu_lib.derivations.quantities import ArgMax, ArgMin, Binding, Infimum, Supremum
from gelu_lib.functions.expressions import Phi, logistic, numpy_function

BITS = 256
DIGITS = 18
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
    function, free, parts = _planned(expression)
    missing = [s for s in free if s not in parts and s not in at]
    if missing:
        raise NoValue(f"{', '.join(map(str, missing))} has no value")
    values = {s: evaluate(part, at) for s, (evaluate, part) in parts.items()}
    found = function(*(values[s] if s in values else at[s] for s in free))
    return found if isinstance(found, arb | acb) else arb(found)


@lru_cache(maxsize=4096)
def _planned(expression: Expr) -> tuple[Callable, tuple[Symbol, ...], dict]:
    """A function in Arb, its arguments, and by which operator some of these are computed."""
    parts: dict[Dummy, tuple[Callable, Expr]] = {}

    def rest(part: Expr) -> Expr:
        evaluate = OPERATORS.get(type(part)) or OPERATORS.get(type(part).__name__)
        if isinstance(part, sp.Pow) and not (2 * part.exp).is_Integer:
            evaluate = _power
        if isinstance(part, sp.Pow) and part.exp == 2 and part.base.has(sp.Max, sp.Min):
            evaluate = _square
        if evaluate is None:
            return part.func(*map(rest, part.args)) if part.args else part
        symbol = Dummy()
        parts[symbol] = evaluate, part
        return symbol

    body = rest(expression)
    free = sorted(body.free_symbols, key=lambda s: s.sort_key())
    plain = {s: Dummy(f"v{i}", real=s.is_real) for i, s in enumerate(free)}
    try:
        function = compiled(tuple(plain.values()), body.xreplace(plain))
    except NotImplementedError as error:
        raise NoValue(str(error)) from None
    return function, tuple(free), parts


def _of_argument(method: str) -> Callable[[Expr, Values], arb | acb]:
    return lambda part, at: getattr(_value(part.args[0], at), method)()


def _power(part: sp.Pow, at: Values) -> arb | acb:
    """A power whose exponent is no half of an integer."""
    base, exponent = (_value(arg, at) for arg in part.args)
    return base**exponent


def _square(part: sp.Pow, at: Values) -> arb | acb:
    """The square of what may be a ball around 0, as behind a clip: of that Arb's power is none."""
    base = _value(part.base, at)
    return base * base


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


def numeric(body: Expr, variables: tuple[Symbol, ...], at: Values) -> Callable[..., mpmath.mpf]:
    """A function of mpmath numbers, evaluated in balls, so that nothing cancels unseen.

    Raises:
        NoValue: if there is no way to evaluate the body, wherever; the function, where it has none.
    """
    body = differentiated(body)
    _planned(body)

    def evaluate(*places: mpmath.mpf) -> mpmath.mpf:
        here = dict(zip(variables, map(point, places), strict=True))
        found = _value(body, {**at, **here})
        if isinstance(found, acb):
            found = found.real
        if not found.is_finite() or found.rad() > 1e-12 * (1 + abs(found.mid())):
            raise NoValue("a value is lost in rounding")
        return number(found)

    return evaluate


def number(found: arb) -> mpmath.mpf:
    """The midpoint of a ball for mpmath."""
    man, exp = found.mid().man_exp()
    return mpmath.ldexp(mpmath.mpf(int(man)), int(exp))


def point(exact_number: mpmath.mpf) -> arb:
    """An mpmath number as an exact ball."""
    sign, man, exp, _ = mpmath.mpf(exact_number)._mpf_
    return arb(int(man) * (-1 if sign else 1)) * arb(2) ** exp


FAR = 400
"""So far out an integrand must be negligible that is integrated to infinity."""


def _integral(part: Integral, at: Values) -> arb:
    """An integral by Arb, in pieces in which nothing between bars changes its sign."""
    body, (variable, *ends) = part.args
    body = differentiated(body)
    powers = (p for p in body.atoms(sp.Pow) if variable in p.free_symbols and p.base != sp.E)
    if body.atoms(sp.log) or any(not p.exp.is_integer for p in powers):
        raise NoValue("an integral of what has branches")
    places = []
    for end in ends:
        places.append(arb(FAR if end == sp.oo else -FAR) if end.is_infinite else _value(end, at))
        far = abs(_value(body, {**at, variable: acb(places[-1])}))
        if end.is_infinite and not far < arb(10) ** -30:
            raise NoValue("an integral to infinity of what does not vanish there")
    low, high = (float(place.mid()) for place in places)
    marks = [t for m in range(9) for t in (-(2.0**m), 2.0**m)]
    inner = sorted({0.0, *marks, *_sign_changes(body, variable, at, low, high)})
    cuts = [places[0], *(arb(t) for t in inner if low < t < high), places[1]]
    total = sum((_piece(body, variable, at, a, b) for a, b in pairwise(cuts)), arb(0))
    return total + arb(0, abs(total).upper() * arb(10) ** -24)


def _piece(body: Expr, variable: Symbol, at: Values, left: arb, right: arb) -> arb:
    """An integral in which nothing between bars changes its sign."""
    near = smooth(body, {**at, variable: (left + right) / 2})

    def evaluate(z: acb, _: bool) -> acb:
        try:
            return acb(_value(near, {**at, variable: z}))
        except NoValue:  # on so wide a ball; then Arb cuts the piece, or the integral has no value
            return acb(arb("nan"))

    tolerances = {"rel_tol": arb(2) ** -100, "abs_tol": arb(2) ** -160}
    return acb.integral(evaluate, left, right, **tolerances).real


def _sign_changes(
    body: Expr, variable: Symbol, at: Values, low: float, high: float
) -> Iterable[float]:
    """Where what stands between bars changes its sign."""
    line = np.sinh(np.linspace(-8, 8, 321)) / 4
    points = [low, *(float(t) for t in line if low < t < high), high]
    for part in body.atoms(sp.Abs):
        f = lambda t, part=part: _value(part.args[0], {**at, variable: arb(t)})  # noqa: E731
        for left, right in pairwise(points):
            if (f(left) > 0 and f(right) < 0) or (f(left) < 0 and f(right) > 0):
                yield brentq(lambda t, f=f: float(f(t).mid()), left, right, xtol=1e-16)


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
        size = abs(total).upper()
        count = count + 1 if abs(term).upper() < size * arb(10) ** -25 else 0
        if count == 5:
            rest = arb(0, size * arb(10) ** -22)
            return total + (acb(rest, rest) if isinstance(total, acb) else rest)
    return _alternating(
        [_value(body.xreplace({index: sp.Integer(first + n)}), at) for n in range(90)]
    )


def _alternating(terms: list[arb]) -> arb:
    """A sum of falling terms with alternating signs (Cohen, Rodriguez Villegas and Zagier)."""
    real = all(isinstance(term, arb) for term in terms)
    if not (real and all(a * b < 0 and abs(b) < abs(a) for a, b in pairwise(terms))):
        raise NoValue("a sum does not converge in 400 terms")
    count = len(terms)
    scale = (3 + arb(8).sqrt()) ** count
    scale = (scale + 1 / scale) / 2
    total, weight, rest = arb(0), arb(-1), -scale
    for k, term in enumerate(terms):
        rest = weight - rest
        total += rest * (-1) ** k * term
        weight *= arb((k + count) * (k - count)) / ((k + arb(0.5)) * (k + 1))
    return approximate(mpmath.mpf((total / scale).mid().str(45, radius=False)))


def _limit(part: Limit, at: Values) -> arb:
    """A limit, approached: the last differences must fall. Far out more bits are needed."""
    body, variable, point, _ = part.args
    body = differentiated(body).replace(_is_rest, _rest)
    if point not in (sp.oo, -sp.oo):
        near = exact(_value(point, at))
        return _approached(body, variable, at, [near + sp.Rational(1, 10**k) for k in (2, 4, 6, 8)])
    sign = 1 if point == sp.oo else -1
    try:
        return _approached(body, variable, at, [sign * 2**k for k in (3, 4, 5, 6)])
    except NoValue:
        with ctx.workprec(32 * BITS):
            return _approached(body, variable, at, [sign * 2**k for k in (6, 7, 8, 9)])


def _approached(body: Expr, variable: Symbol, at: Values, places: list) -> arb:
    found = [_value(body, {**at, variable: ball(sp.Rational(t))}) for t in places]
    gaps = [abs(b - a) for a, b in pairwise(found)]
    if all(b > 1e6 * a for a, b in pairwise(map(abs, found))):
        return arb("inf") if found[-1] > 0 else arb("-inf")
    if not all(b <= a + arb(10) ** -30 for a, b in pairwise(gaps)):
        raise NoValue("a limit is not approached")
    return found[-1] + arb(0, (gaps[-1] * 2).upper() + arb(10) ** -15)


def _is_rest(part: Expr) -> bool:
    """Whether an expression is 1 − σ(u) or 1 − Φ(u), of which nothing is left far out."""
    return isinstance(part, sp.Add) and part.args[0] == 1 and isinstance(-part + 1, logistic | Phi)


def _rest(part: Expr) -> Expr:
    whole = 1 - part
    return whole.func(-whole.args[0])


def _coefficient(part: Coefficient, at: Values) -> arb:
    """A Taylor coefficient at 0."""
    body, variable, degree = part.args
    n = int(exact(_value(degree, at)))
    others = tuple((s, at[s]) for s in sorted(body.free_symbols - {variable}, key=str))
    return _series(body, variable, others, 16 * (n // 16 + 2))[n]


def _series(body: Expr, variable: Symbol, others: tuple, terms: int) -> arb_series:
    """A Taylor series, as the quotient of two; what both begin with is left out."""
    if not others:
        return _own_series(body, variable, terms)
    return _quotient(body, variable, dict(others), terms)


@lru_cache
def _own_series(body: Expr, variable: Symbol, terms: int) -> arb_series:
    return _quotient(body, variable, {}, terms)


def _quotient(body: Expr, variable: Symbol, at: Values, terms: int) -> arb_series:
    plain = differentiated(body).rewrite(sp.log)  # for artanh
    cap, ctx.cap = ctx.cap, terms
    try:
        x = arb_series([0, 1])
        above, below = (
            arb_series(0) + compiled((variable, *at), part)(x, *at.values())
            for part in sp.fraction(sp.together(plain))
        )
        return above / below
    finally:
        ctx.cap = cap


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
    """A function of one variable in float64, where the other symbols have values."""
    others = tuple(sorted(body.free_symbols - {variable}, key=str))
    if unknown := body.atoms(Binding, AppliedUndef) | (set(others) - set(at)):
        raise NoValue(f"no values of {', '.join(map(str, unknown))} on a grid")
    values = [float(exact(at[s])) for s in others]
    return lambda points: _in_floats(body, variable, others)(points, *values)


@lru_cache(maxsize=1024)
def _in_floats(body: Expr, variable: Symbol, others: tuple[Symbol, ...]) -> Callable:
    return numpy_function(differentiated(body), variable, *others)


def peaks(
    body: Expr, variable: Symbol, domain: Expr, at: Values, sign: int, near: float = 1e-4
) -> list[tuple[mpmath.mpf, mpmath.mpf]]:
    """The places of local maxima of ``sign·body`` near its largest, each with its value there.

    Where a function tends to its supremum at infinity, the last point of the grid is such a place:
    the forms have come as near to their limits there as can be told.
    """
    body, at = _with_numbers(body, at)
    points = grid(
        domain.xreplace({s: exact(at[s]) for s in domain.free_symbols & set(at) - {variable}}),
        variable,
    )
    with np.errstate(all="ignore"):
        sampled = sign * np.broadcast_to(fast(body, variable, at)(points), points.shape)
    sampled = np.where(np.isfinite(sampled), sampled, -np.inf)
    best = sampled.max()
    f = numeric(body, (variable,), at)
    if isinstance(domain, sp.Contains):
        places = np.flatnonzero(sampled >= best - 1e-9 * max(abs(best), 1e-12))
        exact_points = {i: sp.Rational(round(float(points[i]) * 10**6), 10**6) for i in places}
        return [(p, f(mpmath.mpf(p.p) / p.q)) for p in exact_points.values()]
    high = np.flatnonzero(sampled >= best - near * abs(best))
    found = []
    with mpmath.workdps(40):
        ends = {float(e): mpmath.mpf(e.p) / e.q for e in domain.atoms(sp.Rational)}
        for run in np.split(high, np.flatnonzero(np.diff(high) > 1) + 1):
            # of points that cannot be told apart the outermost
            equal = run[sampled[run] >= sampled[run].max() - 1e-15 * (1 + np.abs(points[run]))]
            i = equal[np.argmax(np.abs(points[equal]))]
            left, right = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
            place = _summit(
                body, variable, at, sign, tuple(map(mpmath.mpf, (left, points[i], right)))
            )
            place = ends.get(float(place), place)  # an end is no float, as 1.022 is none
            found.append((place, f(place)))
    return found


def _with_numbers(body: Expr, at: Values) -> tuple[Expr, Values]:
    """An expression in which Taylor coefficients that are numbers are computed once."""
    names = {c: Dummy(real=True) for c in body.atoms(Coefficient) if not c.free_symbols}
    return body.xreplace(names), {**at, **{s: _value(c, at) for c, s in names.items()}}


def _summit(
    body: Expr, variable: Symbol, at: Values, sign: int, around: tuple[mpmath.mpf, ...]
) -> mpmath.mpf:
    """The place of a local maximum between two points: a zero of the slope, by Newton's method.

    Where that leads away the maximum is a corner or an end, and the interval is narrowed.
    """
    left, place, right = around
    near = smooth(differentiated(body), {**at, variable: point(place)})
    for _ in range(8):
        here = {**at, variable: point(place)}
        slope, bend = (_value(part, here) for part in _slopes(near, variable))
        if not slope.is_finite() or not bend.is_finite() or not sign * bend < 0:
            break
        step = number(slope / bend)
        place -= step
        if not left <= place <= right:
            break
        if abs(step) < mpmath.mpf(10) ** -18 * (1 + abs(place)):
            return place
    f = numeric(body, (variable,), at)
    return _golden(lambda t: sign * f(t), left, right)


@lru_cache(maxsize=4096)
def _slopes(body: Expr, variable: Symbol) -> tuple[Expr, Expr]:
    return sp.diff(body, variable), sp.diff(body, variable, 2)


def smooth(expression: Expr, at: Values) -> Expr:
    """An expression as it is near a point: there |u| is u or −u, and max(u, v) is u or v."""
    if not expression.atoms(sp.Abs, sp.sign, sp.Max, sp.Min) or isinstance(expression, Binding):
        return expression
    args = [smooth(arg, at) for arg in expression.args]
    if isinstance(expression, sp.Abs):
        return args[0] if _value(args[0], at) > 0 else -args[0]
    if isinstance(expression, sp.sign):
        return sp.S.One if _value(args[0], at) > 0 else sp.S.NegativeOne
    if isinstance(expression, sp.Max | sp.Min):
        sign = 1 if isinstance(expression, sp.Max) else -1
        return max(args, key=lambda arg: float((sign * _value(arg, at)).mid()))
    return expression.func(*args)


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


FARTHEST = (arb(10) ** 9, -(arb(10) ** 9))
"""Places of the whole line, far beyond the grid, at which its extremum must not be exceeded."""


def _extremum(part: Binding, at: Values) -> arb:
    if len(part.variables) != 1:
        raise NoValue("an extremum over several variables")
    sign = 1 if isinstance(part, Supremum) else -1
    (variable,) = part.variables
    if part.domain.atoms(sp.Equality):
        return _among_roots(part, at, sign)
    if part.domain.atoms(Binding):
        return _first(part, at)
    if variable.is_integer:
        return _among_integers(part, at, sign)
    found = peaks(part.body, variable, part.domain, at, sign)
    best = approximate(sign * max(sign * height for _, height in found))
    ends = FARTHEST if part.domain == sp.true else ()
    if any(sign * (_value(part.body, {**at, variable: end}) - best) > 0 for end in ends):
        raise NoValue("far beyond the grid the extremum is exceeded")
    return best


def _among_roots(part: Binding, at: Values, sign: int) -> arb:
    """The extremum over the roots of an equation."""
    from roots import roots  # which uses this module

    (variable,) = part.variables
    if not isinstance(part.domain, sp.Equality):
        raise NoValue("an extremum over roots with a further condition")
    found = roots(part.domain.lhs - part.domain.rhs, variable, at)
    values = [_value(part.body, {**at, variable: root}) for root in found]
    return max(values, key=lambda one: sign * one.mid())


def _among_integers(part: Binding, at: Values, sign: int) -> arb:
    """The extremum over the integers from the least one on, of what turns once."""
    (variable,) = part.variables
    if part.domain != sp.Ge(variable, 1):
        raise NoValue("an extremum over integers that do not begin with 1")
    best, since = _value(_at_integer(part.body, variable, 1), at), 0
    for n in range(2, 1000):
        found = _value(_at_integer(part.body, variable, n), at)
        best, since = (found, 0) if sign * (found - best) > 0 else (best, since + 1)
        if since == 5:
            return best
    raise NoValue("an extremum over integers that is not reached")


@lru_cache(maxsize=1024)
def _at_integer(body: Expr, variable: Symbol, n: int) -> Expr:
    """An expression at an integer, with its finite sums written out."""
    return body.xreplace({variable: sp.Integer(n)}).replace(is_finite_sum, terms)


def is_finite_sum(part: Expr) -> bool:
    return isinstance(part, Sum) and all(end.is_Integer for end in part.args[1][1:])


def terms(part: Sum) -> Expr:
    """A finite sum, written out."""
    body, (index, lower, upper) = part.args
    return sp.Add(*(body.xreplace({index: n}) for n in sp.Range(lower, upper + 1)))


def _first(part: Infimum, at: Values) -> arb:
    """The least t > 0 with a(t) ≤ b, where a is computed; between the points it holds once."""
    (variable,) = part.variables
    (relation,) = (c for c in sp.And.make_args(part.domain) if c.atoms(Binding))
    if (
        not isinstance(part, Infimum)
        or part.body != variable
        or sp.Gt(variable, 0) not in sp.And.make_args(part.domain)
    ):
        raise NoValue("an infimum of something else than of t > 0")

    def holds(t: sp.Rational) -> bool:
        left, right = (_value(end, {**at, variable: ball(t)}) for end in relation.args)
        return left < right if isinstance(relation, sp.Le) else left > right

    places = [sp.Rational(k, 4) for k in range(1, 65)]
    after = next((t for t in places if holds(t)), None)
    if after is None:
        raise NoValue("nowhere up to 16")
    before = after - sp.Rational(1, 4)
    for _ in range(60):
        middle = (before + after) / 2
        before, after = (before, middle) if holds(middle) else (middle, after)
    return ball(before).union(ball(after))


def _place(part: ArgMax | ArgMin, at: Values) -> arb:
    (variable,) = part.variables
    sign = 1 if isinstance(part, ArgMax) else -1
    found = peaks(part.body, variable, part.domain, at, sign)
    place, _ = max(found, key=lambda one: sign * one[1])
    return approximate(mpmath.mpf(place), 14)


OPERATORS: dict[object, Callable[[Expr, Values], arb | acb]] = {
    Integral: _integral,
    Sum: _sum,
    Limit: _limit,
    Coefficient: _coefficient,
    NormalProbability: _normal,
    Supremum: _extremum,
    Infimum: _extremum,
    ArgMax: _place,
    ArgMin: _place,
    sp.LambertW: _of_argument("lambertw"),
    sp.erfc: _of_argument("erfc"),
    sp.sinh: _of_argument("sinh"),
    sp.cosh: _of_argument("cosh"),
    sp.coth: _of_argument("coth"),
    sp.sin: _of_argument("sin"),
    sp.cos: _of_argument("cos"),
    sp.sech: _of_argument("sech"),
    sp.erfcinv: _of_argument("erfcinv"),
    type(sp.I): lambda part, at: acb(0, 1),
    sp.atanh: _of_argument("atanh"),
    sp.arg: lambda part, at: acb(_value(part.args[0], at)).arg(),
    sp.re: lambda part, at: acb(_value(part.args[0], at)).real,
    sp.im: lambda part, at: acb(_value(part.args[0], at)).imag,
    sp.factorial: _factorial,
    sp.factorial2: _factorial2,
    sp.Max: _choice("max"),
    sp.Min: _choice("min"),
    sp.sign: _sign,
    "continued_fraction": _continued_fraction,
}
