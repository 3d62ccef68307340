"""Classical approximations of Φ: their formulas, what they cost, and how far they are off.

The formulas stand in ``data/classical.toml``, with what their sources state. Every one is meant for
x ≥ 0, and Φ̂(−x) = 1 − Φ̂(x). So the error is Φ̂ − Φ = Φ(−x) − (1 − Φ̂(x)) for x ≥ 0, and odd.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache, reduce
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import gelu_lib._proofs

import sympy as sp
from sympy import Expr, Rational

from gelu_lib._extras import flint
from gelu_lib.certificates.best.results import Bound
from gelu_lib.certificates.best.sup_errors import certified_sup_error
from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.engine.decay import bound_beyond, normal_beyond
from gelu_lib.certificates.engine.enclosures import text
from gelu_lib.certificates.errors import CertificationError
from gelu_lib.functions.expressions import Phi, X, gelu_tanh
from gelu_lib.functions.targets import Target
from gelu_lib.precision import PROOF_BITS
from gelu_lib.provenance.atlas.erf_programs import ErfProgram
from gelu_lib.rows import contents, filled

TAILS = (8.0, 12.0, 16.0, 24.0, 32.0)
"""Where a tail may begin; the first end is taken from which the proof succeeds."""

POWERS = {"Phi": 0, "GELU": 1}
"""The errors that are audited; that of GELU is x times that of Φ."""

AUDITED_UP_TO = 40
"""Up to this size of x the errors of programs are proved; beyond, xΦ(−x) is below 1e-300."""

_SYMPY = {name: getattr(sp, name) for name in ("exp", "log", "sqrt", "tanh", "atan")}

HOLDS, HOLDS_ROUNDED, EXCEEDED = "holds", "holds if rounded", "exceeded"


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
        source: the sources of the formula, keys of the bibliography.
        seen: where the formula was seen.
        stated: the largest error as printed, or empty.
        of: the function whose error is stated, ``"Phi"`` or ``"erf"``; or empty.
        stated_in: the source of the stated error, a key of the bibliography; or empty.
    """

    id: str
    name: str
    phi: Expr
    upper: Expr
    tail: Expr
    end: Expr
    source: tuple[str, ...]
    seen: str
    stated: str = ""
    of: str = ""
    stated_in: str = ""

    @property
    def scale(self) -> int:
        """How many times the error of Φ the stated one is; an error of erf is twice as large."""
        return 2 if self.of == "erf" else 1


@cache
def approximations() -> Mapping[str, Approximation]:
    """Every approximation of the data file, by ID, in the order of the file."""
    return MappingProxyType(
        {id: _read(id, table) for id, table in contents("classical.toml").items()}
    )


def _read(id: str, table: dict[str, Any]) -> Approximation:
    names: dict[str, Expr] = {}
    for name, formula in table.pop("where", {}).items():
        names[name] = _expression(formula, names)
    written = {"tail": table["upper"], **table}
    parts = {name: _expression(written[name], names) for name in ("phi", "upper", "tail")}
    end = sp.oo if table["end"] == "oo" else Rational(table["end"])
    return filled(Approximation, id, table | parts | {"end": end})


def _expression(text: str, names: Mapping[str, Expr]) -> Expr:
    """A formula of the data file, with decimals as the exact rational numbers that they are."""
    return sp.sympify(text, locals={"x": X, **names}, rational=True)


@lru_cache
def audit(
    approximation: Approximation, target: str = "Phi", digits: int | None = None
) -> Enclosure:
    """The largest absolute error over the domain, with a proof.

    Args:
        approximation: the approximation.
        target: ``"Phi"``, or ``"GELU"`` for the error of xΦ̂.
        digits: how many significant digits; without it, about six.

    Returns:
        An enclosure of the largest absolute error.

    Raises:
        TypeError: if ``digits`` is not an integer.
        ValueError: if ``target`` is not accepted, or ``digits`` is below 1.
        CertificationError: if a step of the proof fails; the message names it.
    """
    if target not in POWERS:
        raise ValueError(f"target is {target!r}; accepted are {', '.join(POWERS)}")
    x_or_1 = X ** POWERS[target]
    end, beyond = approximation.end, None
    if end == sp.oo:
        end, beyond = _tail(approximation.tail, POWERS[target])
    upper, exact = x_or_1 * approximation.upper, Target(x_or_1 * Phi(-X))
    error = certified_sup_error(upper, exact, digits, interval=(0, end)).error
    if beyond is not None and not beyond < error.ball:
        raise CertificationError("tail", f"beyond {end} the error is only below {text(beyond)}")
    return error


def audit_program(program: ErfProgram) -> Bound:
    """The largest absolute error of a program's formula as GELU, proved piece by piece.

    Raises:
        FormulaError: if the formula contains what Arb has not.
        CertificationError: if a step of the proof fails; the message names it.
    """
    form = gelu_tanh() if program.inside == "tanh" else X * Phi(X)
    pieces = program.values(X, Rational, _SYMPY, sp.pi)
    least = -AUDITED_UP_TO if program.inside == "GELU" else 0  # else the error is even
    ends = (least, *(end for end, _ in pieces[:-1]), AUDITED_UP_TO)
    return max(
        (
            certified_sup_error(sp.sympify(value), Target(form), None, interval=between)
            for (_, value), between in zip(pieces, pairwise(ends), strict=True)
        ),
        key=lambda found: found.error.upper,
    )


def _tail(tail: Expr, power: int) -> tuple[float, flint.arb]:
    """Where the tail begins, and what the error does not exceed beyond."""
    for end in TAILS:
        with flint.ctx.workprec(PROOF_BITS), suppress(CertificationError):
            return end, bound_beyond(tail, end, power) + normal_beyond(end, power)
    raise CertificationError("tail", f"{tail} is not shown to fall beyond any of {TAILS}")


def verdict(approximation: Approximation) -> str:
    """What is to be said of the stated error, on the scale on which it was stated.

    Args:
        approximation: the approximation.

    Returns:
        ``HOLDS`` if it is a bound; ``HOLDS_ROUNDED`` if it is none, though the largest error is
        rounded to it; ``EXCEEDED`` if the largest error is larger; nothing if no error is stated.
    """
    if not approximation.stated:
        return ""
    found = approximation.scale * audit(approximation)
    stated = Decimal(approximation.stated)
    if found.upper <= stated:
        return HOLDS
    half_a_unit = Decimal(5).scaleb(stated.as_tuple().exponent - 1)
    return HOLDS_ROUNDED if found.upper < stated + half_a_unit else EXCEEDED


def operations(expression: Expr) -> Counter[str]:
    """How many elementary operations an expression in x takes.

    What occurs several times is computed once. Constants are computed in advance. A sign costs
    nothing, a power with a whole exponent is repeated squaring, and 1/(a·b) is one division.

    Args:
        expression: the expression, with polynomials in Horner form.

    Returns:
        How often each operation occurs, by its name; ``add`` counts subtractions too, and
        functions have their names in SymPy.
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


def _count(expression: Expr) -> Counter[str]:
    if not expression.free_symbols or expression.is_Symbol:
        return Counter()
    if expression.is_Add:
        return _sum_of(expression.args) + Counter(add=len(expression.args) - 1)
    if expression.is_Mul:
        return _product(expression)
    if expression.is_Pow and expression.exp.is_Rational:
        return _count(expression.base) + _power(expression.exp)
    return _sum_of(expression.args) + Counter({expression.func.__name__: 1})


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
