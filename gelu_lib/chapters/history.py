"""Classical approximations of Φ: their formulas, what they cost, and how far they are off.

The formulas stand in ``data/classical.toml``, with what their sources state. Every one is meant for
x ≥ 0, and Φ̂(−x) = 1 − Φ̂(x). So the error is Φ̂ − Φ = Φ(−x) − (1 − Φ̂(x)) for x ≥ 0, and odd.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache, reduce
from importlib.resources import files
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp
from flint import arb, ctx
from sympy import Expr, Rational

from gelu_lib.certificates.decay import bound_beyond, normal_beyond
from gelu_lib.certificates.enclosures import Enclosure, text
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.certificates.suprema import (
    SUPREMUM_BITS,
    certified_supremum,
    refined_supremum,
)
from gelu_lib.functions.expressions import Phi, X
from gelu_lib.register import result
from gelu_lib.show.style import BLUE, GREY, INK, Drawn
from gelu_lib.show.tables import Table, decimal

TAILS = (8.0, 12.0, 16.0, 24.0, 32.0)
"""Where a tail may begin; the first end is taken from which the proof succeeds."""

ROUGH_DIGITS = 6
"""Digits of an error that are proved without looking for its peak."""

POWERS = {"Phi": 0, "GELU": 1}
"""The errors that are audited; that of GELU is x times that of Φ."""

WEIGHTS = {"add": 1, "mul": 1, "div": 4, "sqrt": 4, "exp": 10, "tanh": 10, "atan": 10}
"""What an operation costs, in additions. This is a choice, and not a measurement."""

HOLDS, ROUNDED, EXCEEDED = "holds", "holds as a rounded number", "exceeded"
VERDICTS = (HOLDS, ROUNDED, EXCEEDED)
"""What there is to say of a stated error. It is a bound, or the largest error is rounded to it
though it is no bound, or the largest error is larger."""

UNVERIFIED: Mapping[str, str] = MappingProxyType(
    {
        "Hart 1966": "the formula was found in one program only",
        "Norton 1989": "the formula was found in one program only",
        "Bagby 1995": "the formula was seen nowhere",
        "Shah 1985": "the formula was seen nowhere",
        "Yerukala & Boiroju 2015": "the formula was found in one program only",
        "Matić et al. 2018": "the abstract was seen, the formula was not",
        "Eidous & Ananbeh 2022": "two programs have the coefficients, with different signs",
        "Eidous & Al-Rawwash 2025": "the abstract was seen, the formula was not",
    }
)
"""Approximations that the literature names and this audit leaves out, and why."""


@dataclass(frozen=True)
class Approximation:
    """One approximation of Φ for x ≥ 0.

    Attributes:
        id: the permanent ID.
        name: what this book calls it.
        phi: Φ̂, as printed, with polynomials in Horner form.
        upper: 1 − Φ̂ without cancellation.
        tail: the same for x > 0, written so that its decay shows.
        end: the largest x for which it is meant; ``oo`` for all.
        stated: the largest error as printed, or empty.
        of: the function whose error is stated, ``"Phi"`` or ``"erf"``; or empty.
        stated_in: the source of the stated error, a key of the bibliography; or empty.
        source: the sources of the formula, keys of the bibliography.
        seen: where the formula was seen.
    """

    id: str
    name: str
    phi: Expr
    upper: Expr
    tail: Expr
    end: Expr
    stated: str
    of: str
    stated_in: str
    source: tuple[str, ...]
    seen: str

    @property
    def bound(self) -> Rational | None:
        """The stated error as one of Φ; that of erf is twice as large. ``None`` if none is."""
        if not self.stated:
            return None
        return Rational(self.stated) / (2 if self.of == "erf" else 1)


@dataclass(frozen=True)
class Audit:
    """The largest absolute error of an approximation over its domain, and what was stated.

    Attributes:
        of: ``"Phi"`` or ``"GELU"``.
        error: an enclosure of the largest absolute error.
        place: an x > 0 where an error within the enclosure is attained.
        tail: where the tail begins; ``None`` if the domain is bounded.
    """

    of: str
    error: Enclosure
    place: float
    tail: float | None


@cache
def approximations() -> Mapping[str, Approximation]:
    """Every approximation of the data file, by ID, in the order of the file."""
    path = files("gelu_lib") / "data" / "classical.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType({id: _read(id, table) for id, table in tables.items()})


@lru_cache
def audit(approximation: Approximation, of: str = "Phi", digits: int = ROUGH_DIGITS) -> Audit:
    """The largest absolute error over the domain, with a proof.

    Args:
        approximation: the approximation.
        of: ``"Phi"``, or ``"GELU"`` for the error of xΦ̂.
        digits: how many significant digits; more than ``ROUGH_DIGITS`` need one interior peak that
            is the highest.

    Returns:
        What was found.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``of`` is not accepted, or ``digits`` is below 1.
        CertificationError: if a step of the proof fails; the message names it.
    """
    if of not in POWERS:
        raise ValueError(f"of is {of!r}; accepted are {', '.join(POWERS)}")
    power, error = POWERS[of], audited_error(approximation, of)
    supremum = certified_supremum if digits <= ROUGH_DIGITS else refined_supremum
    if approximation.end.is_finite:
        found = supremum(error, 0.0, float(approximation.end), digits)
        return Audit(of, found.size, found.place, None)
    end, beyond = _tail(approximation.tail, power)
    found = supremum(error, 0.0, end, digits)
    if not beyond < arb(str(found.size.lower)):
        raise CertificationError("tail", f"beyond {end} the error is only below {text(beyond)}")
    return Audit(of, found.size, found.place, end)


def audited_error(approximation: Approximation, of: str) -> Expr:
    """The error of an approximation for x ≥ 0."""
    return X ** POWERS[of] * (approximation.upper - Phi(-X))


def _tail(tail: Expr, power: int) -> tuple[float, arb]:
    """Where the tail begins, and what the error does not exceed beyond."""
    for end in TAILS:
        with ctx.workprec(SUPREMUM_BITS), suppress(CertificationError):
            return end, bound_beyond(tail, end, power) + normal_beyond(end, power)
    raise CertificationError("tail", f"{tail} is not shown to fall beyond any of {TAILS}")


def verdict(approximation: Approximation) -> str:
    """What is to be said of the stated error, on the scale on which it was stated.

    Args:
        approximation: the approximation.

    Returns:
        One of ``VERDICTS``, or nothing if no error is stated.
    """
    if not approximation.stated:
        return ""
    factor = 2 if approximation.of == "erf" else 1
    found = factor * audit(approximation).error
    stated = Decimal(approximation.stated)
    if found.upper <= stated:
        return HOLDS
    half_a_unit = Decimal(5).scaleb(stated.as_tuple().exponent - 1)
    return ROUNDED if found.upper < stated + half_a_unit else EXCEEDED


def operations(expression: Expr) -> Counter[str]:
    """How many elementary operations an expression in x takes.

    What occurs several times is computed once. Constants are computed in advance. A sign costs
    nothing, a power with a whole exponent is repeated squaring, and 1/(a·b) is one division.

    Args:
        expression: the expression, with polynomials in Horner form.

    Returns:
        How often each operation occurs; ``add`` counts subtractions too.

    Raises:
        ValueError: if an operation occurs that has no price.
    """
    shared, (rest,) = sp.cse(expression)
    constants: dict[Expr, Expr] = {}
    total = Counter()
    for symbol, part in [*shared, (None, rest)]:
        known = part.xreplace(constants)
        total += _count(known)
        if not known.free_symbols:
            constants[symbol] = known
    return total


def price(count: Mapping[str, int], weights: Mapping[str, int] = WEIGHTS) -> int:
    """What operations cost together.

    Args:
        count: how often each operation occurs.
        weights: what each operation costs.
    """
    return sum(weights[name] * times for name, times in count.items())


def points(of: str, weights: Mapping[str, int] = WEIGHTS) -> dict[str, tuple[float, float]]:
    """For each approximation, by its name, its price and its largest error for Phi or GELU."""
    return {
        one.name: (price(operations(one.phi), weights), float(audit(one, of).error.upper))
        for one in approximations().values()
    }


def cheapest(points: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
    """The names that no other one beats in both cost and error, by increasing cost.

    Args:
        points: cost and error by name.
    """
    kept, least = [], float("inf")
    for name, (_, error) in sorted(points.items(), key=lambda item: (item[1], item[0])):
        if error < least:
            kept.append(name)
            least = error
    return tuple(kept)


def _count(expression: Expr) -> Counter[str]:
    if not expression.free_symbols or expression.is_Symbol:
        return Counter()
    if expression.is_Add:
        return _sum_of(expression.args) + Counter(add=len(expression.args) - 1)
    if expression.is_Mul:
        return _product(expression)
    if expression.is_Pow and expression.exp.is_Rational:
        return _count(expression.base) + _power(expression.exp)
    name = expression.func.__name__
    if name not in WEIGHTS:
        raise ValueError(f"{name} has no price; those with one are {', '.join(WEIGHTS)}")
    return _sum_of(expression.args) + Counter({name: 1})


def _sum_of(parts: tuple[Expr, ...]) -> Counter[str]:
    return reduce(Counter.__add__, map(_count, parts), Counter())


def _product(expression: Expr) -> Counter[str]:
    constant, factors = expression.as_independent(*expression.free_symbols)
    factors = sp.Mul.make_args(factors)
    under = [f for f in factors if f.is_Pow and f.exp.is_Rational and f.exp.is_negative]
    above = [f for f in factors if f not in under]
    total = _sum_of(tuple(above)) + _sum_of(tuple(1 / f for f in under))
    joined = max(len(above) - 1, 0) + max(len(under) - 1, 0)
    if above and abs(constant) != 1:
        joined += 1
    return total + Counter(mul=joined, div=int(bool(under)))


def _power(exponent: Rational) -> Counter[str]:
    times = abs(exponent.p)
    squarings = times.bit_length() - 1 + times.bit_count() - 1
    return Counter(mul=squarings, sqrt=int(exponent.q == 2), div=int(bool(exponent < 0)))


def _read(id: str, table: Mapping) -> Approximation:
    names: dict[str, Expr] = {}
    for name, formula in table.get("where", {}).items():
        names[name] = _expression(formula, names)
    upper = _expression(table["upper"], names)
    return Approximation(
        id=id,
        name=table["name"],
        phi=_expression(table["phi"], names),
        upper=upper,
        tail=_expression(table["tail"], names) if "tail" in table else upper,
        end=sp.oo if table["end"] == "oo" else Rational(str(table["end"])),
        stated=table.get("stated", ""),
        of=table.get("of", ""),
        stated_in=table.get("stated_in", ""),
        source=tuple(table["source"]),
        seen=table["seen"],
    )


def _expression(text: str, names: Mapping[str, Expr]) -> Expr:
    """A formula of the data file, with decimals as the exact rational numbers that they are."""
    return sp.sympify(text, locals={"x": X, **names}, rational=True)


# --- the tables

DIGITS = 4
"""Significant digits of an error in a table; its enclosure decides them."""

NAMES = {"mul": "×", "add": "+", "div": "÷", "sqrt": "√"}
"""How an operation is written in a table; a function has its name."""


def audit_table() -> Table:
    """Every approximation with its largest errors and what it costs, by the error of GELU.

    Returns:
        One row for each approximation, the best as GELU first.
    """
    ordered = sorted(approximations().values(), key=lambda one: audit(one, "GELU").error.lower)
    return Table(
        ["approximation", "for x", "error of Φ", "error of GELU", "operations", "cost"],
        [_row(one) for one in ordered],
    )


def stated_table() -> Table:
    """What the sources state of their errors, beside what is proved.

    Returns:
        One row for each stated error, on the scale on which it is stated.
    """
    rows = []
    for one in approximations().values():
        if one.stated:
            factor = 2 if one.of == "erf" else 1
            found = shown(factor * audit(one).error)
            of = "erf" if one.of == "erf" else "Φ"
            rows.append(
                [one.name, of, f"`{one.stated}` {{cite}}`{one.stated_in}`", found, verdict(one)]
            )
    return Table(["approximation", "error of", "stated", "proved", "the stated number"], rows)


def unverified_table() -> Table:
    """The approximations that this audit leaves out, and why."""
    return Table(
        ["approximation", "why it is left out"], [list(pair) for pair in UNVERIFIED.items()]
    )


def shown(error: Enclosure) -> str:
    """An error as a table shows it.

    Args:
        error: its enclosure, narrow enough to decide the digits.

    Raises:
        CertificationError: if it is not.
    """
    return decimal(sp.Rational(str(error.rounded(DIGITS))), DIGITS)


def _row(one: Approximation) -> list[str]:
    count = operations(one.phi)
    domain = "all" if one.end == sp.oo else f"−{float(one.end):g} to {float(one.end):g}"
    told = ", ".join(f"{count[name]} {NAMES.get(name, name)}" for name in WEIGHTS if count[name])
    return [
        f"{one.name} {{cite}}`{','.join(one.source)}`",
        domain,
        shown(audit(one).error),
        shown(audit(one, "GELU").error),
        told,
        str(price(count)),
    ]


# --- the numbers in the text


def numbers() -> dict[str, str]:
    """The numbers in the text."""
    every = approximations()
    assert len(every) == 28 and len(cheapest(points("GELU"))) == 6
    page, power = every["page"], every["zelen-severo-16th"]
    gains = {
        of: float(audit(page, of).error.lower / audit(power, of).error.upper)
        for of in ("Phi", "GELU")
    }
    hastings = result("hastings-error-phi").number
    lowest = float(result("bowling-printed-error-phi").number / hastings)
    return {
        **{f"gain-{of}": f"{round(ratio, -2):.0f}" for of, ratio in gains.items()},
        "function-price": str(WEIGHTS["tanh"]),
        "division-price": str(WEIGHTS["div"]),
        "lowest-ratio": f"{round(lowest, -2):.0f}",
    }


# --- figures

NEAR, LINE = 2, 11
"""Labels whose errors differ by less than this factor are so many points apart, line by line."""

LABEL = {"textcoords": "offset points", "fontsize": 9, "color": INK}


def opening() -> Drawn:
    """What each approximation costs and how far it is from GELU."""
    return error_against_cost(points("GELU"), cheapest(points("GELU")), "GELU")


def error_against_cost(
    points: Mapping[str, tuple[float, float]], front: Collection[str], of: str
) -> Drawn:
    """One mark for each approximation; those that no other one beats are joined and named.

    Args:
        points: cost and largest error by name.
        front: the names of those that no other one beats in both.
        of: the function that is approximated, for the label.

    Returns:
        The marks on the front, by increasing cost, and the others.

    Raises:
        ValueError: if a name of ``front`` is not among the points.
    """
    strays = sorted(set(front) - set(points))
    if strays:
        raise ValueError(f"front has {', '.join(strays)}, which are not among the points")
    best = _arrays([points[name] for name in points if name in front])
    rest = _arrays([points[name] for name in points if name not in front])
    axes = plt.figure(figsize=(7.4, 4.4)).add_subplot()
    axes.plot(*rest, "o", color=GREY, markerfacecolor="none", markersize=6, label="beaten")
    axes.plot(*best, "s-", color=BLUE, drawstyle="steps-post", label="not beaten in both")
    # below and to the left of the front there is nothing; labels at one height go below each other
    level, line = float("inf"), 0
    for name in sorted(front, key=points.__getitem__):
        cost, error = points[name]
        line = line + 1 if error > level / NEAR else 0
        level = error
        below = (-5, -4 - LINE * line)
        axes.annotate(name, (cost, error), xytext=below, va="top", ha="right", **LABEL)
    axes.set_yscale("log")
    axes.set_xlabel("cost in additions")
    axes.set_ylabel(f"largest error of {of}")
    axes.margins(x=0.42, y=0.12)  # room for the labels, on a phone too
    axes.legend(fontsize=9.5)
    return Drawn(points={"not beaten": best, "beaten": rest})


def _arrays(pairs: list[tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    ordered = sorted(pairs)
    return np.array([x for x, _ in ordered]), np.array([y for _, y in ordered])
