"""Trials of what was measured in networks that people use.

What is printed is evaluated: a distance at drawn outputs, against what the tool makes of them; a
form against the one that the tool runs; an interval against its closed formula. The numbers are
computed from the record again.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import real_models as models
import real_statistics as statistics
import sympy as sp
from named_trials import X, real, true
from points import SEED
from scipy.optimize import brentq
from sympy import Expr
from sympy.core.function import AppliedUndef

from gelu_lib.derivations.meaning import Statement
from gelu_lib.derivations.quantities import ArgMin, Chain, Supremum
from gelu_lib.evidence.real_networks import real_network_record
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.register import results

GRID = np.linspace(-6, 6, 49)
FOUR_DIGITS = 6e-4
TYPED = {"k": 0.0461, "s": 0.79, "c": 1.69}
"""Constants that are no best ones, for forms that are printed with letters."""
SWAP = {"Magika": "exact", "MiniLM": "tanh", "Whisper": "tanh"}
"""The form that takes the place of the one that a network has."""
TANH, EXACT = (models.tanh(), ""), (models.exact, "")
FORMS: Mapping[str, Sequence[tuple[Callable, str]]] = {
    "swap": (EXACT, TANH),
    "sigmoid": ((models.sigmoid(1.702), ""),),
    "digits": (TANH, (models.tanh(0.0447), "")),
    "layer": ((models.tanh, "k"), (models.tanh, "ks"), (models.sigmoid, "c")),
    "batch": (TANH, EXACT),
    "leads": (TANH, EXACT),
}
"""The forms that an entry prints, by a word of its ID, each with the letters of its constants."""


def networks() -> Mapping[str, Mapping]:
    return real_network_record()["networks"]


def forms(said: Statement, id: str) -> int:
    """The forms that are printed are those that the tool runs."""
    shown = [c.sides[0] for c in said.assumed if not c.signs and X in c.sides[0].free_symbols]
    for printed, (form, letters) in zip(shown, FORMS.get(id.split("-")[2], ()), strict=True):
        constants = [TYPED[letter] for letter in letters]
        run = form(*constants) if letters else form
        with np.errstate(all="ignore"):  # a wrong one may have no value
            found = numpy_function(printed, X, *map(real, letters))(GRID, *constants)
        true(np.allclose(found, run(GRID), rtol=0, atol=1e-13), f"{printed} is another form")
    return len(shown)


# ---------------------------------------------------------------------------- distances


def distances(said: Statement, id: str) -> int:
    """What is printed, at drawn outputs whose largest change is the first or the last one."""
    rng = np.random.default_rng(SEED)
    kinds = {Supremum: "largest"}
    for place in (0, -1):
        before, change = rng.normal(size=(2, 5))
        change[place] = 4
        rows = before[None], (before + change)[None]
        tool = statistics.together([statistics.compared(*rows, rows, ["one"])])
        for chain in said.claims:
            (side,) = chain.sides
            found = at_outputs(side, before, before + change)
            expected = tool[kinds.get(type(side), "relative")]
            true(abs(found / expected - 1) < 1e-12, f"{side} is {found}, not {expected}")
    return 2 * len(said.claims)


def at_outputs(side: Expr, before: np.ndarray, after: np.ndarray) -> float:
    """A formula in f₁, …, fₙ and g₁, …, gₙ at the outputs of a network."""
    outputs = {"f": dict(enumerate(before, 1)), "g": dict(enumerate(after, 1))}
    side = side.xreplace({s: sp.Integer(len(before)) for s in side.free_symbols if str(s) == "n"})
    if isinstance(side, Supremum):
        (i,) = side.variables
        places = [p for p in range(-9, 20) if side.domain.xreplace({i: sp.Integer(p)}) == True]  # noqa: E712
        return max(
            at_outputs(side.body.xreplace({i: sp.Integer(p)}), before, after) for p in places
        )
    written_out = side.doit()
    members = written_out.atoms(AppliedUndef)
    known = {one: sp.Float(outputs[one.func.__name__][int(one.args[0])]) for one in members}
    return float(written_out.xreplace(known))


def of_arms(pairs: Mapping[str, tuple[str, str]]) -> dict[str, float]:
    """The distances of two arms of each network, and one in units of the other."""
    found, ratios = {}, []
    for name, network in networks().items():
        one, other = ("swap" if arm == SWAP[name] else arm for arm in pairs[name])
        a, b = (network["arms"][arm]["relative"] for arm in pairs[name])
        ratios.append(a / b)
        found |= {f"{name}, {one}": a, f"{name}, {other}": b, f"{name}, {one} over {other}": a / b}
    return found | {f"least, {one} over {other}": min(ratios)} | {
        f"largest, {one} over {other}": max(ratios)
    }  # fmt: skip


def distance_numbers(id: str) -> dict[str, float]:
    return of_arms(
        {
            name: {
                "real-network-swap-distance": ("weights int8", SWAP[name]),
                "real-network-sigmoid-distance": ("sigmoid", "weights int8"),
                "real-network-digits-distance": ("digits", SWAP[name]),
            }[id]
            for name in networks()
        }
    )


def ruler_numbers(id: str) -> dict[str, float]:
    fewer = ("weights ", "activations ", "float32")
    return {
        f"{name}, {arm}": found["relative"]
        for name, network in networks().items()
        for arm, found in network["arms"].items()
        if arm.startswith(fewer)
    }


def layer_numbers(id: str) -> dict[str, float]:
    """From exact: of Magika, which has the tanh form, the record says it besides."""
    constants = ("tanh, 0.0447", "tanh, best k", "tanh, k by layer", "tanh, k and s by layer")
    constants += ("sigmoid", "sigmoid, best c", "sigmoid, c by layer")
    numbers = {}
    for name, network in networks().items():
        arms, field = network["arms"], "from exact" if name == "Magika" else "relative"
        numbers[f"{name}, tanh"] = arms[SWAP[name]]["relative"]
        numbers |= {f"{name}, {arm}": arms[arm][field] for arm in constants}
    return numbers


def batch_numbers(id: str) -> dict[str, float]:
    arms, found = networks()["Magika"]["arms"], {}
    for field in ("relative", "largest"):
        batch, swap = arms["batch of 8"][field], arms["exact"][field]
        found |= {f"{field}, batch of 8": batch, f"{field}, swap": swap}
        found[f"{field}, batch of 8 over swap"] = batch / swap
    return found


# ---------------------------------------------------------------------------- decisions


def ends_of(said: Statement, m: int, n: int) -> list[float]:
    """The ends of the interval that is printed, for m of n decisions."""
    equations = [c.sides[0] - c.sides[1] for c in said.assumed if c.signs == ("=",)]
    (normal,) = (one for one in equations if real("q") not in one.free_symbols)
    (quadratic,) = (one for one in equations if real("q") in one.free_symbols)
    quantile = brentq(numpy_function(normal, real("z")), 0, 9)
    at = {real("m"): m, real("n"): n, real("z"): sp.Float(quantile)}
    return sorted(float(root) for root in sp.Poly(quadratic.subs(at), real("q")).nroots())


def decisions(said: Statement, id: str) -> int:
    """Wilson's interval in closed form is what is printed, and the share is one of booleans."""
    z = 1.959963984540054
    for m, n in ((1, 4), (30, 40)):
        share, reach = np.mean(np.arange(n) < m), z**2 / n
        half = z * math.sqrt(share * (1 - share) / n + (z / n / 2) ** 2)
        closed = [(share + reach / 2 + sign * half) / (1 + reach) for sign in (-1, 1)]
        true(np.allclose(ends_of(said, m, n), closed, rtol=1e-9), f"{m} of {n}: not {closed}")
        (chain,) = said.claims
        found = chain.sides[0].subs({real("m"): m, real("n"): n})
        true(found == sp.Rational(m, n) == sp.nsimplify(share), f"{chain} is {found}")
    return 6 + compared(decision_numbers(said, id), id)


def decision_numbers(said: Statement, id: str) -> dict[str, float]:
    arms = {"swap": SWAP, "sigmoid": dict.fromkeys(SWAP, "sigmoid")}
    arms["digits"] = dict.fromkeys(SWAP, "digits")
    numbers = {}
    for name, network in networks().items():
        found = network["arms"][arms[id.split("-")[2]][name]]
        for of, m, n in (
            ("decisions", found["changed"], found["decisions"]),
            ("groups", found["groups"], network["groups"]),
        ):
            low, high = ends_of(said, m, n)
            numbers |= {f"{name}, {of}": n, f"{name}, share of {of}, to": high}
            if m:
                numbers |= {f"{name}, {of} changed": m, f"{name}, share of {of}": m / n}
                numbers[f"{name}, share of {of}, from"] = low
    return numbers


def kept_first(said: Statement, id: str) -> int:
    """At the largest changes that are allowed a lead of 2d is what decides, and no other."""
    (claim,) = said.claims
    count = 0
    for size, ratio in ((0.3, 0.9), (0.3, 1.1), (2, 0.99), (2, 1.01), (2, 9)):
        lead = ratio * 2 * size
        at = {"fi": 0.7, "fj": 0.7 + lead, "gi": 0.7 + size, "gj": 0.7 + lead - size, "d": size}
        held = [all(holds(c, at) for c in part) for part in (claim.premises, claim.conclusions)]
        count += true(held == [ratio > 1] * 2, f"{claim} at {at}")
        if size == 2:  # no rounding: equality is allowed, and more is not
            true(all(holds(c, at) for c in said.assumed if c.signs), f"not allowed: {at}")
        for moved in ("gi", "gj"):
            for way in (1, -1):
                far = {**at, moved: at["f" + moved[1]] + way * 1.01 * size}
                allowed = all(holds(c, far) for c in said.assumed if c.signs)
                count += true(not allowed, f"{moved} may be {far[moved]}")
    rng = random.Random(SEED)
    for _ in range(200):
        at = {name: rng.uniform(-1, 1) for name in ("fi", "fj", "gi", "gj")} | {"d": 0.4}
        if all(holds(c, at) for c in (*claim.premises, *(c for c in said.assumed if c.signs))):
            count += true(all(holds(c, at) for c in claim.conclusions), f"{claim} at {at}")
    return count


def holds(chain: Chain, at: Mapping[str, float]) -> bool:
    order = {">": operator.gt, "<": operator.lt, "≤": operator.le, "≥": operator.ge}[chain.signs[0]]
    values = {real(name): sp.Float(number) for name, number in at.items()}
    return bool(order(*(float(side.xreplace(values)) for side in chain.sides)))


def lead_numbers(id: str) -> dict[str, float]:
    magika = networks()["Magika"]
    largest = magika["arms"]["exact"]["largest"]
    least, second = sorted(magika["leads"])[:2]
    leads = {"least lead": least, "second least lead": second}
    return {**leads, "twice the largest change": largest + largest}


# ---------------------------------------------------------------------------- constants


def constants(said: Statement, id: str) -> int:
    """Constants beside those of a site are worse for its inputs."""
    wide, narrow = (float(c.sides[0]) for c in said.assumed if c.sides[0].is_number)
    digits, count = dict(results()[id].numbers), 0
    problems = {str(c.sides[0]): c.sides[1] for c in said.claims}
    for place, problem in problems.items():
        true(isinstance(problem, ArgMin), f"{place} is where something is least")
        (error,) = (call.args[0] for call in problem.body.atoms(AppliedUndef))
        evaluate, found = numpy_function(error, X, *problem.variables), []
        for name, network in networks().items():
            for site in network["sites"]:
                counts = np.array(site["counts"].split(), dtype=float)
                width = narrow if site["site"] == "bytes" else wide
                true(counts.size * width == 2 * site["width"], f"the bins are {width} wide")
                middles = (np.arange(counts.size) + 0.5) * width - site["width"]
                best = digits.pop(f"{name}, {site['site']}, {place}")
                unit = 10.0 ** -len(best.partition(".")[2])
                steps = np.arange(-2, 3)[:, None] * unit + float(best)
                means = (evaluate(middles, steps) * counts).sum(1)
                count += true(means.argmin() == 2, f"{name}, {site['site']}: {means}")
                found.append(float(best))
        ends = float(digits.pop(f"least, {place}")), float(digits.pop(f"largest, {place}"))
        count += true(ends == (min(found), max(found)), f"{ends} are not the ends")
    true(not digits, f"{digits} are of no site")
    return count


# ---------------------------------------------------------------------------- all


def compared(expected: Mapping[str, float], id: str) -> int:
    """The numbers of an entry are all those of the record, to their digits."""
    digits = results()[id].numbers
    true(expected.keys() == digits.keys(), expected.keys() ^ digits.keys())
    for name, number in expected.items():
        off = abs(float(digits[name]) / number - 1)
        true(off < FOUR_DIGITS, f"{name} is {number}, not {digits[name]}")
    return len(expected)


def tried(said: Statement, decide: object, id: str) -> int:
    """The forms and formulas that an entry prints, and its numbers."""
    if id in NUMBERS:
        own = kept_first if id == "real-network-leads" else distances
        return forms(said, id) + own(said, id) + compared(NUMBERS[id](id), id)
    return forms(said, id) + (decisions if id.endswith("decisions") else constants)(said, id)


NUMBERS: Mapping[str, Callable[[str], dict[str, float]]] = {
    "real-network-swap-distance": distance_numbers,
    "real-network-sigmoid-distance": distance_numbers,
    "real-network-digits-distance": distance_numbers,
    "real-network-rulers": ruler_numbers,
    "real-network-layer-constants": layer_numbers,
    "real-network-batch": batch_numbers,
    "real-network-leads": lead_numbers,
}
DECIDED = ("swap", "sigmoid", "digits")
TRIALS = {
    **dict.fromkeys(NUMBERS, tried),
    **{f"real-network-{of}-decisions": tried for of in DECIDED},
    "real-network-input-constants": tried,
}
"""How an entry is tried, by its ID."""
