"""Trials of statements whose entry has several numbers: tables of best constants, and floats.

What is evaluated is what is printed: the objects that the statement and its assumptions are read
into. Which number of the entry is which part of them is said here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import pairwise, permutations, product

import float_values as floats
import mpmath
import numpy as np
import optima_values as optima
import quantities_values as quantities
import sympy as sp
from flint import arb, ctx
from points import enclosed, registered
from quantities_values import Values, value
from sympy import Expr, Symbol
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import Binding, Chain, Infimum, Supremum
from gelu_lib.functions.expressions import GELU, gelu_sigmoid, gelu_tanh
from gelu_lib.register import Result

X = Symbol("x", real=True)
Numbers = Mapping[str, arb]


class Wrong(AssertionError):
    """What is said does not hold, or asks for what its instances do not have."""


def tried(entry: Result, said: Statement) -> int | None:
    """Try an entry with several numbers; how many comparisons were made.

    ``None`` if it is of no kind that is known here.

    Raises:
        Wrong: if a number is not what the statement says.
        NoValue: if a quantity cannot be computed.
    """
    trial = next((own for name, own in TRIALS.items() if re.match(name, entry.id)), None)
    if trial is None:
        return None
    with ctx.workprec(quantities.BITS), mpmath.workdps(40):
        numbers = {name: enclosed(ends) for name, ends in entry.enclosures.items()}
        if entry.enclosure:
            numbers[""] = enclosed(entry.enclosure)
        numbers |= {name: registered(id) for name, id in entry.where.items()}
        return trial(said, numbers)


def same(left: arb, right: arb, what: str) -> int:
    if not left.overlaps(right):
        raise Wrong(f"{what}: {left.str(20)} is not {right.str(20)}")
    return 1


def true(holds: bool | None, what: object) -> int:
    if not holds:
        raise Wrong(str(what))
    return 1


def real(name: str) -> Symbol:
    return Symbol(name, real=True)


def grouped(numbers: Numbers, separator: str) -> dict[str, dict[str, arb]]:
    """The numbers by what stands before the last separator in their names."""
    found: dict[str, dict[str, arb]] = {}
    for name, number in numbers.items():
        first, _, last = name.rpartition(separator)
        found.setdefault(first, {})[last] = number
    return found


# ---------------------------------------------------------------------------- best constants


def defined(said: Statement, at: dict[Symbol, arb], named: Numbers) -> int:
    """Numbers that the assumptions define by others, such as k = p₃/p₁, or put into equations."""
    known = {**at, **{real(name): number for name, number in named.items()}}
    count = sum(
        same(*(value(side, known) for side in chain.sides), str(chain))
        for chain in said.assumed
        if isinstance(chain, Chain) and chain.signs == ("=",)
        if {s for side in chain.sides for s in side.free_symbols} <= set(known)
        if not any(side.atoms(AppliedUndef) for side in chain.sides)
    )
    for name, meaning in said.definitions.items():
        if name in named and not isinstance(meaning, sp.Lambda):
            count += same(value(meaning, at), named[name], name)
    return count


def best(part: Infimum, at: Values, error: arb, what: str) -> int:
    """A least supremum: its value, and that no change of the parameters lowers all peaks."""
    true(isinstance(part, Infimum), f"{what}: a least supremum is registered")
    optima.OPTIMA[optima.problem_key(part)] = {str(p): at[p] for p in part.variables}
    return same(value(part, {}), error, what)


def least_nearby(
    quantity: Expr, parameters: list[Symbol], at: Values, error: arb, what: str
) -> int:
    """A least integral: its value, and that steps from the parameters raise it."""
    count = same(value(quantity, at), error, what)
    centre = {p: at[p].mid() for p in parameters}
    here = value(quantity, centre)
    for signs in product((-1, 0, 1), repeat=len(parameters)):
        if any(signs):
            step = {
                p: centre[p] * (1 + s * arb(10) ** -9)
                for p, s in zip(parameters, signs, strict=True)
            }
            count += true(value(quantity, step) > here, f"{what}: a step {signs} does not raise it")
    return count


def measures(said: Statement, numbers: Numbers) -> int:
    """The table of criteria: the error by each measure that is printed, in the same order."""
    sizes = [
        c.sides[0] for c in said.assumed if not c.signs and c.sides[0].has(Supremum, sp.Integral)
    ]
    groups = grouped(numbers, ", ")
    true(len(sizes) == len(groups), "as many measures as numbers")
    count = 0
    for (name, named), size in zip(groups.items(), sizes, strict=True):
        parameters = sorted(size.free_symbols, key=str)
        at = {p: named[str(p)] for p in parameters}
        if isinstance(size, Supremum):
            count += best(Infimum(size, parameters), at, named["error"], name)
        else:
            count += least_nearby(size, parameters, at, named["error"], name)
        count += defined(said, at, named)
    return count


def minimax(said: Statement, numbers: Numbers) -> int:
    """The best of all in the sup norms, for each weight, with the places of the peaks."""
    weight_of_x, weights = next(c.sides for c in said.assumed if c.signs == ("∈",))
    touching = next(c for c in said.assumed if c.signs == ("=",))
    (elsewhere,) = (c for c in said.assumed if c.signs in {("<",), (">",)})
    (claim,) = said.claims
    true(weight_of_x == sp.Function("w")(X), f"{weight_of_x} is not the weight")
    level, size = claim.sides[0], claim.sides[1].body.body
    for chain, place in ((touching, real("xi")), (elsewhere, X)):
        there = map(quantities.differentiated, (size.xreplace({X: place}), level))
        own = map(quantities.differentiated, chain.sides)
        true(list(own) == list(there), f"it is of another size: {chain}")
    true(claim.sides[0] == real("E"), "the least error is E")
    groups = grouped(numbers, " ")
    true(len(weights) == len(groups), "as many weights as numbers")
    count = 0
    for weight in weights:
        named = groups["" if weight == 1 else "Gaussian"]

        def weighted(part: Expr, weight: Expr = weight) -> Expr:
            return part.replace(sp.Function("w"), sp.Lambda(X, weight))

        quantity = weighted(claim.sides[1])
        parameters = list(quantity.variables)
        at = {p: named[str(p)] for p in parameters}
        count += best(quantity, at, named["E"], str(weight)) + defined(said, at, named)
        places = [named[n] for n in named if re.fullmatch(r"x\d+", n)]
        left, right = map(weighted, touching.sides)
        for place in places:
            here = {**at, real("xi"): place, real("E"): named["E"]}
            gap = value(left, here) - value(right, here)
            count += true(abs(gap) < named["E"] * arb(10) ** -18, f"no peak at {place.str(12)}")
        task = optima.problem(quantity)
        found = quantities.peaks(task.body, X, task.domain, at, 1)
        level = quantities.number(named["E"]) * (1 - mpmath.mpf(10) ** -12)
        right_peaks = [x for x, height in found if x > 0 and height >= level]
        count += true(len(right_peaks) == len(places), f"{len(right_peaks)} peaks")
        left, right = (weighted(side) for side in elsewhere.sides)
        for x in (place * factor for place in places for factor in (arb("0.9"), -arb("1.1"))):
            here = {**at, X: x, real("E"): named["E"]}
            size, most = value(left, here), value(right, here)
            below = size < most if elsewhere.signs == ("<",) else size > most
            count += true(below, f"at {x.str(8)}, which is no peak: {elsewhere}")
    return count


def rate(said: Statement, numbers: Numbers) -> int:
    """What it costs to split a scale: the quotient for small t, extrapolated to 0."""
    limit = said.claims[0].sides[0]
    body, t, towards = limit.args[:3]
    true(towards == 0, "t tends to 0")
    split, merged = sorted(body.atoms(Infimum), key=lambda part: -len(part.variables))
    if t not in split.free_symbols:
        split, merged = merged, split
    names = sorted(split.free_symbols - {t}, key=str)
    distances = dict(zip(names, map(arb, ((1, -1), (-3, 1, 2))[len(names) - 2]), strict=True))
    for chain in said.assumed:
        if chain.signs == ("=",) and set(names) >= chain.sides[0].free_symbols:
            same(*(value(side, distances) for side in chain.sides), "what is assumed of d")
    error, best_merged = optima.least(merged, {})
    optima.STARTS[optima.problem_key(split)] = lambda at: _split(split, t, names, at, best_merged)
    points = [arb(1) / 2**n for n in range(5, 9)]
    quotient = body.xreplace({merged: real("E0"), split: real("Et")})
    values = []
    for size in points:
        at = {t: size, **distances}
        values.append(
            value(quotient, {**at, real("E0"): error, real("Et"): optima.least(split, at)[0]})
        )
    found = _extrapolated(
        [quantities.number(p) for p in points], [quantities.number(v) for v in values]
    )
    gap = abs(found / quantities.number(numbers[""]) - 1)
    return true(gap < 1e-5, f"the rate is {mpmath.nstr(found, 12)}, off by {mpmath.nstr(gap, 3)}")


def _split(
    split: Infimum, t: Symbol, names: list[Symbol], at: Values, merged: Mapping[Symbol, arb]
) -> dict[Symbol, arb]:
    """Amplitudes aᵢ whose sum has the Taylor series in t that the merged form has."""
    by_name = {str(s): v for s, v in merged.items()}
    count = len(names)
    right = [by_name.get(f"c{j}", arb(1)) * arb(j + 1).gamma() for j in range(count)]
    matrix = mpmath.matrix(count, count)
    for i, name in enumerate(names):
        for j in range(count):
            matrix[j, i] = quantities.number(at[name] * at[t]) ** j
    found = mpmath.lu_solve(matrix, mpmath.matrix([quantities.number(v) for v in right]))
    amplitudes = [p for p in split.variables if str(p).startswith("a")]
    start = {p: quantities.point(found[i]) for i, p in enumerate(sorted(amplitudes, key=str))}
    return {p: start.get(p, by_name.get(str(p))) for p in split.variables}


def _extrapolated(points: list[mpmath.mpf], values: list[mpmath.mpf]) -> mpmath.mpf:
    """The value at 0 of the polynomial through points."""
    values = list(values)
    for width in range(1, len(values)):
        for i in range(len(values) - width):
            a, b = points[i], points[i + width]
            values[i] = (a * values[i + 1] - b * values[i]) / (a - b)
    return values[0]


def dip(said: Statement, numbers: Numbers) -> int:
    """The last place where the error has its largest size: a peak, the farthest one."""
    name, part = said.claims[0].sides
    true(name.is_Symbol and isinstance(part, Supremum), "the greatest place is registered")
    (x,) = part.variables
    true(part.body == x, "the place itself is the greatest")
    touching = next(c for c in part.domain.args if isinstance(c, sp.Equality))
    (x_place,) = (c for c in part.domain.args if c != touching)
    true(bool(x_place.xreplace({x: quantities.exact(numbers[""])})), "another side of 0")
    at = {real(name): number for name, number in numbers.items() if name}
    level = quantities.number(numbers["E"]) * (1 - mpmath.mpf(10) ** -12)
    found = quantities.peaks(touching.lhs, x, sp.true, at, 1)
    last = max(place for place, height in found if height >= level)
    count = same(quantities.approximate(last, 14), numbers[""], "the last peak")
    gap = value(touching.lhs - touching.rhs, {**at, x: numbers[""]})
    return count + true(abs(gap) < numbers["E"] * arb(10) ** -18, "the error is not E there")


# ---------------------------------------------------------------------------- members of a grid


def best_of_grid(names: tuple[str, str], unit: Callable[[arb], arb] | None = None) -> Callable:
    """A minimum over numbers of a type: its value, and that their neighbours are not better.

    Without the unit of a type they are the multiples of the number that the assumptions print.
    """

    def trial(said: Statement, numbers: Numbers) -> int:
        step = unit or (lambda _: value(printed(said)[0], {}))
        part = said.claims[0].sides[0]
        symbols = [real(name) for name in names]
        at = {s: numbers[str(s)] for s in symbols}
        true(isinstance(part, Infimum) and set(part.variables) == set(symbols), "what is least")
        count = same(value(part.body, at), numbers["error"], "error")
        for steps in product(range(-3, 4), repeat=2):
            if any(steps):
                near = {s: at[s] + n * step(at[s]) for s, n in zip(symbols, steps, strict=True)}
                size = value(part.body, near)
                count += true(not size < numbers["error"], f"{steps} away it is {size.str(10)}")
        odd = []
        for s in symbols:
            multiple = at[s] / step(at[s])
            count += true(multiple.is_integer(), f"{s} is not of the type")
            true(step(at[s]) > 0, "a unit is positive")
            odd.append(not (multiple / 2).is_integer())
        count += true(unit is not None or any(odd), "they are multiples of a larger unit")
        return count

    return trial


def bfloat16_step(number: arb) -> arb:
    """The distance of bfloat16 in the binade of a number."""
    return arb(2) ** (int(np.floor(np.log2(abs(float(number.mid()))))) - 7)


# ---------------------------------------------------------------------------- rounded results

TYPES = {"float16": floats.Type(11, -24, 16), "bfloat16": floats.Type(8, -133, 128)}


def cases(
    said: Statement, numbers: Numbers
) -> Iterable[tuple[floats.Type, np.ndarray, dict[str, list[arb]], str]]:
    """For each type and range of inputs: the inputs, and the numbers of the entry."""
    found: dict[tuple[str, bool], dict[str, list[arb]]] = {}
    for name, number in numbers.items():
        dtype, *middle, last = name.split(", ")
        found.setdefault((dtype, "x ≥ −2" in middle), {}).setdefault(last, []).append(number)
    for (dtype, part), named in found.items():
        inputs = TYPES[dtype].finite
        if part:
            (some,) = (c for c in said.assumed if c.signs == ("≥",) and c.sides[0] == X)
            inputs = inputs[inputs >= float(value(some.sides[1], {}))]
        yield TYPES[dtype], inputs, named, f"{dtype} {part}"


def ends(named: Mapping[str, list[arb]]) -> Iterable[tuple[arb, arb, arb, arb]]:
    """Each interval as (before it, its first, its last, after it)."""
    for low, high in zip(named["from"], named["to"], strict=True):
        near = arb(10) ** -20
        yield low * (1 - near), low * (1 + near), high * (1 - near), high * (1 + near)


def others(named: Mapping[str, list[arb]]) -> Iterable[arb]:
    """Constants elsewhere, from near the intervals to far."""
    low, high = named["from"][0], named["to"][-1]
    for factor in (1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1, 0.3, 0.6):
        yield from (low * (1 - arb(factor)), high * (1 + arb(factor)))
    for first, second in pairwise(zip(named["from"], named["to"], strict=True)):
        yield (first[1] + second[0]) / 2


def same_results(said: Statement, numbers: Numbers) -> int:
    """The constants with the same results: both sides agree within the ends, and not beyond."""
    collection = said.claims[0].sides[0]
    (constant,) = collection.variables
    true(collection.body == constant, "the constants themselves are collected")
    count = 0
    for dtype, inputs, named, what in cases(said, numbers):
        right = floats.evaluated(collection.domain.rhs, X, inputs, {}, dtype)
        for place, expected in zip(
            next(iter(ends(named))), (False, True, True, False), strict=True
        ):
            left = floats.evaluated(collection.domain.lhs, X, inputs, {constant: place}, dtype)
            agree = bool((left == right).all())
            count += true(agree is expected, f"{what} at {place.str(25)}: not {expected}")
    return count


def extreme(said: Statement, numbers: Numbers) -> int:
    """The constants with the best largest distance or count: attained between the ends alone.

    Elsewhere it is tried at constants near and far; that no other attains it is proved in the book.
    """
    claim = said.claims[0]
    part, name = claim.sides[1], str(claim.sides[0])
    sign = -1 if isinstance(part, Infimum) else 1
    count = 0
    for dtype, inputs, named, what in cases(said, numbers):
        reached = partial(_reached, part, inputs if name == "n" else inputs[inputs != 0], dtype)
        (record,) = named[name]
        worse = list(others(named))
        for before, first, last, after in ends(named):
            for place in (first, (first + last) / 2, last):
                count += same(reached(place), record, f"{what} at {place.str(20)}")
            worse += [before, after]
        for place in worse:
            count += true(sign * reached(place) < sign * record, f"{what} at {place.str(25)}")
    return count


def _reached(part: Binding, inputs: np.ndarray, dtype: floats.Type, constant: arb) -> arb:
    (symbol,) = part.variables
    return floats.over_inputs(part.body, X, inputs, {symbol: constant}, dtype)


def same_number(said: Statement, numbers: Numbers) -> int:
    """How many floats have the same results, for each pair of forms and for all three."""
    part = said.claims[0].sides[0]
    forms = [c.sides[0] for c in said.assumed if not c.signs and c.sides[0].free_symbols == {X}]
    forms = [form for form in forms if not form.atoms(AppliedUndef)]
    named_forms = dict(zip(("exact", "tanh form", "sigmoid form"), forms, strict=True))
    sides = [sp.Function(f.func.__name__) for f in part.domain.atoms(AppliedUndef)
             if f.func.__name__ in {"a", "b"}]  # fmt: skip
    true(len(sides) == 2, "two functions are compared")
    count = 0
    for name, number in numbers.items():
        dtype, which = name.split(", ")
        inputs = TYPES[dtype].finite
        agreeing = np.ones(len(inputs), bool)
        for one, other in pairwise(which.split(" = ")):
            chosen = part.domain
            for function, form in zip(sides, (one, other), strict=True):
                chosen = chosen.replace(function, sp.Lambda(X, named_forms[form]))
            left, right = (
                floats.evaluated(side, X, inputs, {}, TYPES[dtype]) for side in chosen.args
            )
            agreeing &= left == right
        count += same(arb(int(agreeing.sum())), number, name)
    return count


# ---------------------------------------------------------------------------- forms told apart


def printed(said: Statement) -> list[Expr]:
    """The expressions that the assumptions list, in order."""
    listed = [chain.sides[0] for chain in said.assumed if not chain.signs]
    return [e for e in listed if not e.atoms(AppliedUndef)]


def told_apart(said: Statement, numbers: Numbers) -> int:
    """The least distance of two forms, in tolerances, at one input; and that of the tolerances."""
    quantity = said.claims[0].sides[0]
    forms = [e for e in printed(said) if e.free_symbols == {X}]
    for form in (*forms, *(m.expr for n, m in said.definitions.items() if n == "S")):
        meant = (gelu_tanh(), gelu_sigmoid(), GELU(X))
        places = [{X: arb(n) / 3} for n in (-4, 1, 7)]
        close = [all(value(form - m, p).overlaps(arb(0)) for p in places) for m in meant]
        true(any(close), f"{form} is none of the three forms")
    constants = [arb(quantities.value(e, {})) for e in printed(said) if e.is_number]
    names = sorted({f.func.__name__ for f in quantity.atoms(AppliedUndef)})
    count = 0
    for dtype, number in numbers.items():
        at = tolerances(constants, dtype)
        if isinstance(quantity, Infimum):
            name, place = said.claims[1].sides
            true(name == X, f"where {X} is, not where {name} is")
            at[X] = value(place, {})
            sizes = [
                value(_chosen(quantity.body, dict(zip(names, some, strict=True))), at)
                for some in permutations(forms, len(names))
            ]
            found = min(sizes, key=lambda size: size.mid())
        else:
            found = value(quantity, at)
        count += same(found, number, dtype)
    return count


def tolerances(constants: list[arb], dtype: str) -> dict[Symbol, arb]:
    """What the assumptions say of r, s and u for a type, in the order in which they say it."""
    half = dtype == "float16"
    if len(constants) == 5:  # r for wide types, float16, bfloat16; s for float16, others
        r = {"float16": 1, "bfloat16": 2}.get(dtype, 0)
        return {real("r"): constants[r], real("s"): constants[3 if half else 4]}
    u, *s = constants[::2] if half else constants[1::2]
    return {real("u"): u, **({real("s"): s[0]} if s else {})}


def _chosen(body: Expr, functions: Mapping[str, Expr]) -> Expr:
    for name, form in functions.items():
        body = body.replace(sp.Function(name), sp.Lambda(X, form))
    return body


TRIALS: dict[str, Callable] = {
    "criteria-": measures,
    "minimax-(tanh|sigmoid)-": minimax,
    r"tanh-sum-\d-.*rate": rate,
    "bfloat16-best-pair": best_of_grid(("p1", "p3"), bfloat16_step),
    "bfloat16-best-factored": best_of_grid(("s", "k"), bfloat16_step),
    "quadratic-eight-bits": best_of_grid(("a", "b")),
    "same-results-": same_results,
    "(least-(steps|ulp)|most-agreeing)-": extreme,
    "same-number": same_number,
    "variants-": told_apart,
    "degree-7-dip": dip,
}
