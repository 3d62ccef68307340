"""Trials of cheap kernels and of their lower bounds, by the program in ``own_kernels``.

What is tried is what is printed: the forms with their slots, the inputs, the coefficients. The
library's data file gives the inputs that refute a cheaper kernel, and the coefficients of those
that are enough. Importing the module adds its trials to ``named_trials``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import mpmath
import named_trials
import numpy as np
import quantities_values as quantities
import sympy as sp
from flint import arb
from named_trials import TYPES, Wrong, X, true
from own_kernels import NORMAL, around, computed, parted, places, weights
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

import gelu_lib
from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import Cardinality, Chain, Infimum, Supremum
from gelu_lib.functions.expressions import GELU

A, C, N, P, S = (Symbol(name, real=True) for name in "acnPs")
F, G, H, RD = (sp.Function(name) for name in ("f", "g", "h", "rd"))
REACH = 1000.0
"""Between which numbers the value of a polynomial is looked for."""
DATA = tomllib.loads((Path(gelu_lib.__file__).parent / "data/kernels.toml").read_text("utf-8"))
NAMES = ("clipped", "power", "exponential", "Gaussian", "saturated", "saturated, even", "logistic",
         "logistic, even")  # fmt: skip
"""What the data file calls the forms, in the order in which they are printed."""


# ---------------------------------------------------------------------------- results of a kernel


def bare(said: Statement) -> list[Expr]:
    """The expressions that the assumptions have without a relation, in order."""
    return [chain.sides[0] for chain in said.assumed if not chain.signs]


def tolerance(said: Statement) -> float:
    """The relative error that an exponential may have, as printed; 0 if nothing is said."""
    (error,) = [float(e) for e in bare(said) if e.is_number] or [0.0]
    return error


def of_limit(said: Statement) -> int:
    """That abs(x) may be limited."""
    limited = [i for i, one in enumerate(bare(said)) if one == sp.Min(sp.Abs(X), C)]
    true(len(limited) == 1, "what may limit abs(x) is not said")
    return true(bare(said)[limited[0] + 1] == sp.Abs(X), "something else is limited")


def stands(said: Statement, *chain: object) -> int:
    """That a relation is among the assumptions, such as g(x) < GELU(x) < h(x)."""
    sides, signs = chain[::2], chain[1::2]
    return true(Chain(sides, signs) in said.assumed, f"it is not said that {chain}")


def of_form(form: str, q: Callable[[Expr], Expr], inner: Expr, zero: Expr) -> Expr:
    """The formula of a kernel."""
    if form == "derivative":
        return sp.Max(sp.sign(X), 0) + (X - sp.sign(X) * zero) * 2 ** q(inner)
    if form == "exponential":
        return sp.Max(X, 0) - inner * 2 ** q(inner)
    return sp.Max(X, 0) - inner * sp.Min(sp.Max(q(inner), 0), 1) ** int(form.split()[1])


def kernel(said: Statement, numbers: Mapping[str, arb], id: str) -> int:
    """How many results are as they should be, with the coefficients that are printed."""
    known = DATA["kernels"][id]
    form, dtype, limit = known["form"], known["dtype"], known.get("clamp")
    inner = sp.Min(sp.Abs(X), int(limit)) if limit else sp.Abs(X)
    exact = sp.Derivative(GELU(X), X) if form == "derivative" else GELU(X)
    q, zero = said.definitions["q"], said.definitions.get("a0", sp.S.Zero)
    true(q.variables == (A,), "q is a polynomial in a")
    printed = sp.Poly(q.expr, A).all_coeffs()[::-1]
    for number in (*printed, zero):
        shortest = sp.Rational(str(np.float32(float(number))))
        true(shortest == number, f"{number} is not the shortest decimal of a float32")
    values = [float(np.float32(float(number))) for number in printed]
    true(values == [float.fromhex(c) for c in known["coefficients"]], "other coefficients")
    function = said.definitions["f"](X)
    true(function == of_form(form, q, inner, zero), f"{function} is another formula")
    stands(said, G(X), "<", exact, "<", H(X))
    if form == "derivative":
        the_zero(said, float(np.float32(float(zero))))
    normal = sp.Abs(exact) >= sp.Rational(2) ** NORMAL[dtype]
    near = sp.Eq(RD(function), RD(exact))
    quantities = {
        "inputs": Cardinality(X, [X], sp.Ne(X, 0)),
        "faithful": Cardinality(X, [X], sp.Contains(RD(function), sp.FiniteSet(G(X), H(X)))),
        "nearest": Cardinality(X, [X], near),
        "steps": Supremum(sp.Function("ulp")(sp.Abs(RD(function) - RD(exact))), [X]),
        "normal results": Cardinality(X, [X], normal),
        "normal, nearest": Cardinality(X, [X], sp.And(near, normal)),
    }
    asked = [quantities[name] for name in numbers]
    true([claim.sides for claim in said.claims] == [(one,) for one in asked], "other quantities")
    here = around(dtype, form == "derivative")
    ends = computed(
        form, values, here.x, tolerance(said), float(limit or "inf"), float(np.float32(float(zero)))
    )
    found = np.array([places(dtype, one) for one in ends])
    nearest = (found == here.nearest).all(axis=0)
    counts = {
        "inputs": here.x.size,
        "faithful": ((found == here.below) | (found == here.above)).all(axis=0).sum(),
        "nearest": nearest.sum(),
        "steps": np.abs(found - here.nearest).max(),
        "normal results": here.normal.sum(),
        "normal, nearest": (nearest & here.normal).sum(),
    }
    return sum(
        true(number == int(counts[name]), f"{name}: {counts[name]}")
        for name, number in numbers.items()
    )


def the_zero(said: Statement, number: float) -> None:
    """That a number is the float32 nearest to the zero of GELU′ of which the assumptions speak."""
    (equation,) = (c for c in said.assumed if c.signs == ("=",) and c.sides[1] == 0)
    (t,) = equation.sides[0].free_symbols
    true(t.is_positive, "the zero is on the other side")
    root = mpmath.findroot(lambda t: mpmath.ncdf(-t) - t * mpmath.npdf(t), 0.75)
    true(abs(quantities.value(equation.sides[0], {t: arb(mpmath.nstr(root, 40))})) < 1e-30, root)
    true(float(np.float32(float(root))) == number, f"{number} is not nearest to {root}")


# ---------------------------------------------------------------------------- what cannot be


def _polynomials(printed: Expr) -> list[Expr]:
    return [f for f in printed.atoms(AppliedUndef) if f.func.__name__ in {"p", "q"}]


class Form(NamedTuple):
    """A form that is printed: its body in ``X`` and the value ``P`` of its polynomial, that which
    the polynomial is taken at, and its slots for a polynomial of degree ``N``."""

    name: str
    body: Expr
    place: Expr
    slots: Expr

    @classmethod
    def of(cls, name: str, printed: Expr, slots: Expr) -> Form:
        (call,) = _polynomials(printed)
        return cls(name, printed.xreplace({call: P}), call.args[0], slots)

    def squared(self, times: int) -> Form:
        """A power with so many squarings."""
        m = {s: sp.Integer(times) for s in self.body.free_symbols if str(s) == "m"}
        name = f"power {2**times}"
        return Form(name, self.body.xreplace(m), self.place, self.slots.xreplace(m))


@cache
def evaluated(body: Expr, module: str) -> Callable:
    return sp.lambdify((X, P), body, module)


def _rises(body: Expr, x: float) -> bool:
    with np.errstate(all="ignore"):
        low, high = (
            evaluated(body, "numpy")(x, end) for end in (np.float64(-REACH), np.float64(REACH))
        )
    return bool(low < high)


def inverse(body: Expr, x: float, y: mpmath.mpf) -> mpmath.mpf | None:
    """Where a monotone function of P is y; None if it is nowhere."""
    rough, exact = evaluated(body, "numpy"), evaluated(body, "mpmath")
    low, high, rises = np.float64(-REACH), np.float64(REACH), _rises(body, x)
    with np.errstate(all="ignore"):
        if (rough(x, low) < float(y)) == (rough(x, high) < float(y)):
            return None
        for _ in range(64):
            middle = (low + high) / 2
            low, high = (middle, high) if (rough(x, middle) < float(y)) == rises else (low, middle)
    start = mpmath.mpf(low)
    return mpmath.findroot(lambda p: exact(mpmath.mpf(x), p) - y, (start, start + 1e-9))


Gate = tuple[mpmath.mpf, mpmath.mpf]


def allowed(body: Expr, x: float, gate: Gate) -> tuple[mpmath.mpf | None, mpmath.mpf | None]:
    """Between what the polynomial must be for a result in a gate."""
    ends = [inverse(body, x, end) for end in gate]
    return (ends[0], ends[1]) if _rises(body, x) else (ends[1], ends[0])


def refuted(form: Form, row: Mapping[str, object], gate: Callable[[float], Gate]) -> int:
    """No polynomial of the degree of a row passes the gates at its inputs."""
    inputs = row["inputs"]
    true(len(inputs) == row["degree"] + 2, "too few inputs")
    at = [Fraction(str(form.place.subs(X, sp.Rational(x)))) for x in inputs]
    bounds = [allowed(form.body, x, gate(x)) for x in inputs]
    for sign in (1, -1):
        signed = [sign * weight for weight in weights(at)]
        ends = [b[0] if w > 0 else b[1] for w, b in zip(signed, bounds, strict=True)]
        if None not in ends:
            terms = [w.numerator * b / w.denominator for w, b in zip(signed, ends, strict=True)]
            if sum(terms) > mpmath.mpf(10) ** -25 * sum(map(abs, terms)):
                return 1
    raise Wrong(f"{form.name} of degree {row['degree']} may pass the gates at {inputs}")


def refuted_if_limited(form: Form, row: Mapping[str, object], gate: Callable[[float], Gate]) -> int:
    """Beyond its inputs, where the polynomial would be constant, or all that has abs(x) in it."""
    beyond, last = row["beyond"], max(map(abs, row["inputs"]))
    true(min(map(abs, beyond)) >= last, f"{beyond} are not beyond")
    ranges = [[allowed(form.body, x, gate(x)) for x in beyond]]
    limited = form.body.xreplace({sp.Abs(X): C, X**2: C**2})
    if limited.has(C):
        true(not (sp.Max(X, 0) - limited).has(X), f"{form.name} is not constant there")
        gates = [(x, *gate(x)) for x in beyond]
        ranges.append([(max(x, 0) - high, max(x, 0) - low) for x, low, high in gates])
    for ends in ranges:
        least, greatest = ([e for e in side if e is not None] for side in zip(*ends, strict=True))
        true(max(least) > min(greatest), f"a constant may do at {beyond}")
    return 1


def required(form: Form, degree: int, limited: bool, rows: list, gate: Callable) -> int:
    """A form with a polynomial of a degree is refuted by one of the rows of the data."""
    for row in rows:
        fits = row["form"] == form.name and row["degree"] >= degree
        if fits and ("beyond" in row or not limited):
            count = refuted(form, row, gate)
            return count + (refuted_if_limited(form, row, gate) if limited else 0)
    raise Wrong(f"nothing refutes {form.name} of degree {degree}, limited: {limited}")


# ---------------------------------------------------------------------------- what is enough


def gates(dtype: str, demand: str, error: mpmath.mpf) -> Callable[[float], Gate]:
    """Between what a result must be at an input."""
    if not error:
        here = around(dtype)
        low, high = here.ends(demand)

        def gate(x: float) -> Gate:
            (place,) = np.flatnonzero(here.x == x)
            true(demand == "faithful" or here.normal[place], f"nothing is asked at {x}")
            return mpmath.mpf(low[place]), mpmath.mpf(high[place])

        return gate
    both = [around(name).x for name in TYPES]

    def gate(x: float) -> Gate:
        true(all(x in one for one in both), f"{x} is not in both types")
        exact = x * mpmath.ncdf(x)
        return exact - error, exact + error

    return gate


def enough(form: Form, id: str, demand: str, error: mpmath.mpf, off: float) -> int:
    """A kernel of the data meets a demand, in float64 as if it were exact, and in float32."""
    known = DATA["kernels"][id]
    values = [float.fromhex(c) for c in known["coefficients"]]
    limit = float(known.get("clamp") or "inf")
    polynomial = np.polynomial.Polynomial(values)
    body = form.body.xreplace({sp.Abs(X): A})
    function = sp.lambdify((X, A, P), body, "numpy")
    place = sp.lambdify((X, A), form.place.xreplace({sp.Abs(X): A}), "numpy")
    for dtype in TYPES if known["dtype"] == "float32" else (known["dtype"],):
        here = around(dtype)
        a = np.minimum(np.abs(here.x), limit)
        with np.errstate(all="ignore"):
            found = [function(here.x, a, polynomial(place(here.x, a)))]
        found += computed(known["form"], values, here.x, off, limit)
        for results in found:
            if error:
                part, rest = parted(here.x, False)
                good = np.abs((results - part) - rest) <= float(error)
            else:
                good = here.asked(places(dtype, results), demand)
            true(good.all(), f"{id} misses its demand at {here.x[~good][:3]}")
    return 1


def least_slots(said: Statement, numbers: Mapping[str, arb], id: str) -> int:
    """A kernel has so many slots, and each of the printed forms that has fewer is refuted."""
    known, rows = DATA["kernels"][id], DATA["refuted"][id]
    (claim,) = said.claims
    (part,) = claim.sides
    if isinstance(part.domain, sp.Contains):
        asked, error = sp.Contains(RD(F(X)), sp.FiniteSet(G(X), H(X))), mpmath.mpf(0)
        stands(said, G(X), "<", GELU(X), "<", H(X))
    else:
        bound = part.domain.args[1]
        asked = sp.Abs(F(X) - GELU(X)) <= bound
        error = quantities.number(numbers["E"] if bound.is_Symbol else quantities.ball(bound))
    true(part == Infimum(S, [S], asked), f"{part} is asked for")
    of_limit(said)
    gate = gates(known["dtype"], known["demand"], error)
    listed = bare(said)
    found = [i for i, one in enumerate(listed) if _polynomials(one)]
    forms = [Form.of(n, listed[i], listed[i + 1]) for n, i in zip(NAMES, found, strict=True)]
    slots = int(quantities.exact(numbers[""]))
    count, attained = 0, False
    for form in forms:
        for one in [form.squared(m) for m in range(slots)] if form.name == "power" else [form]:
            for limited in (False, True):
                degree = slots - 1 - limited - one.slots.subs(N, 0)
                true(one.slots == N + one.slots.subs(N, 0), "a degree costs one slot")
                if degree >= 0:
                    count += required(one, degree, limited, rows, gate)
            if one.name == known["form"]:
                degree = len(known["coefficients"]) - 1
                true(one.slots.subs(N, degree) == slots, f"{id} has {one.slots} slots")
                count += enough(one, id, known["demand"], error, tolerance(said))
                attained = True
    return count + true(attained, f"no form is that of {id}")


def least_degrees(said: Statement, numbers: Mapping[str, arb]) -> int:
    """For each demand a kernel of the degree meets it, and a lesser degree is refuted."""
    printed = said.definitions["f"](X)
    form = Form.of("exponential", printed, N)
    stands(said, G(X), "<", GELU(X), "<", H(X))
    stands(said, sp.Abs(GELU(X)), "≥", Symbol("mu", real=True))
    asked = [
        sp.Abs(printed - GELU(X), evaluate=False) <= Symbol("E", real=True),
        sp.Contains(RD(printed), sp.FiniteSet(G(X), H(X))),
        sp.Eq(RD(printed), RD(GELU(X))),
    ]
    claims = [claim.sides for claim in said.claims]
    for claim, one in zip(claims, asked, strict=True):
        true(claim == (Infimum(N, [N], one),), f"{claim} is asked for")
    of_limit(said)
    error = quantities.number(numbers["E"])
    count = 0
    for name, number in numbers.items():
        if name == "E":
            continue
        degree, limited = int(quantities.exact(number)), "no limit" not in name
        size, demand = (0, name.split(", ")[1]) if "," in name else (error, "page-error-gelu")
        dtype = name.split(", ")[0] if "," in name else "float32"
        same = {
            id: one
            for id, one in DATA["kernels"].items()
            if (one["dtype"], one["demand"]) == (dtype, demand)
        }
        rows = [row for id in same for row in DATA["refuted"].get(id, ())]
        rows = [row for row in rows if row["degree"] == degree - 1]
        count += required(form, degree - 1, limited, rows, gates(dtype, demand, size))
        fits = [
            id
            for id, one in same.items()
            if (one["form"], len(one.get("coefficients", ()))) == ("exponential", degree + 1)
            and (limited or "clamp" not in one)
        ]
        true(fits, f"no kernel has degree {degree}: {name}")
        count += enough(form, fits[0], demand, size, 0)
    return count


def seven_inputs(said: Statement, numbers: Mapping[str, arb]) -> int:
    """The weights, the ends of the gates and the sum, for the inputs that are printed."""
    (claim,) = said.claims
    inputs = [float(said.definitions[f"x{i}"]) for i in range(1, 8)]
    at = [Fraction(abs(x)) for x in inputs]
    here = around("bfloat16")
    low, high = here.ends("faithful")
    values: dict[Symbol, arb] = {}
    equation = next(c for c in said.assumed if Symbol("mi", real=True) in c.sides)
    at_input = {Symbol("xi", real=True): X, Symbol("bi", real=True): sp.Function("q")(sp.Abs(X))}
    true(equation.sides[0].xreplace(at_input) in bare(said), "the bounds are those of another form")
    for i, (x, weight) in enumerate(zip(inputs, weights(at), strict=True)):
        (place,) = np.flatnonzero(here.x == x)
        end = mpmath.mpf(high[place] if weight > 0 else low[place])
        with mpmath.workdps(60):
            bound = mpmath.log((max(x, 0) - end) / abs(x), 2)
            named = {"x": mpmath.mpf(x), "m": end, "b": bound}
            named = {Symbol(f"{k}i", real=True): arb(mpmath.nstr(v, 60)) for k, v in named.items()}
        left, right = (quantities.value(side, named) for side in equation.sides)
        true(abs(left - right) < 1e-50, f"{equation} at {x}")
        values[Symbol(f"w{i + 1}", real=True)] = arb(weight.numerator) / weight.denominator
        values[Symbol(f"b{i + 1}", real=True)] = named[Symbol("bi", real=True)]
    true(claim.signs == (">",) and claim.sides[1] == 0, f"it is positive: {claim}")
    found = quantities.value(claim.sides[0], values)
    true(found > 0 and abs(found / numbers[""] - 1) < arb("1e-40"), f"the sum is {found}")
    k = said.domains["k"]
    (powers,) = (c.sides[1] for c in said.assumed if c.signs == ("∈",) and c.sides[0] == k)
    true(set(powers) == set(range(6)), f"a polynomial of degree 5 has other powers than {powers}")
    count = 0
    for left, right in (c.sides for c in said.assumed if c.signs == ("=",) and c != equation):
        true(
            {*values} >= left.free_symbols - {k} and left.free_symbols - {k},
            f"{left} has no weights",
        )
        for power in powers if left.has(k) else (None,):
            total = quantities.value(left.subs(k, power) if left.has(k) else left, values)
            count += true(abs(total - quantities.ball(right)) < arb("1e-50"), f"{left} is {total}")
    return count + true(count == 7, "each power is asked for")


def lin(said: Statement, numbers: Mapping[str, arb]) -> int:
    """No change of the constants lowers all of the highest peaks."""
    (claim,) = said.claims
    name, part = claim.sides
    true(name == Symbol("E", real=True) and claim.signs == ("=",), f"{name} is the least error")
    at = {symbol: numbers[str(symbol)] for symbol in part.variables}
    return named_trials.best(part, at, numbers["E"], "Lin")


OWN: Mapping[str, Callable] = {
    "least-slots-2e-3": partial(least_slots, id="2e-3-clipped"),
    "least-slots-tanh-error": partial(least_slots, id="tanh-error-saturated"),
    "least-slots-float16": partial(least_slots, id="float16-faithful"),
    "least-slots-bfloat16": partial(least_slots, id="bfloat16-faithful"),
    "least-degrees-exponential": least_degrees,
    "seven-inputs": seven_inputs,
    "lin-refitted": lin,
    "kernel-bfloat16-faithful": partial(kernel, id="bfloat16-faithful"),
    "kernel-bfloat16-nearest": partial(kernel, id="bfloat16-nearest"),
    "kernel-float16-faithful": partial(kernel, id="float16-faithful"),
    "kernel-float16-nearest": partial(kernel, id="float16-nearest"),
    "kernel-float16-power": partial(kernel, id="float16-faithful-power"),
    "kernel-derivative-bfloat16": partial(kernel, id="bfloat16-derivative-faithful"),
    "kernel-derivative-float16": partial(kernel, id="float16-derivative-faithful"),
}

named_trials.TRIALS.update(OWN)
