"""What stands in place of erf, Φ or GELU: formulas of programs, and those of the literature.

They are data, in ``erf_programs.toml``, with the coefficients as programs print them, and in
``classical.toml``.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial, reduce
from types import MappingProxyType
from typing import Any

import numpy as np

from gelu_lib.provenance.literals.formula_input import ARITHMETIC, evaluated
from gelu_lib.rows import contents, filled

_OPERATIONS = {**ARITHMETIC, ast.Pow: operator.pow, ast.USub: operator.neg}
_NUMPY = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "tanh": np.tanh, "atan": np.arctan}
_NUMPY["capped"] = partial(np.minimum, 1.0)

_AN_ULP = 2.0**-8  # of bfloat16: which piece the float nearest to an end is on depends on its type

_THE_FORMS = ("page", "logistic-1702")
"""The formulas of the literature that make the tanh and the sigmoid form."""


@dataclass(frozen=True)
class ErfProgram:
    """A formula of a program; the head of ``erf_programs.toml`` says what its fields are."""

    id: str
    name: str
    inside: str
    pieces: tuple[tuple[str, str], ...]
    where: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    type: str = ""
    repository: str = ""
    path: str = ""
    commit: str = ""
    also: tuple[str, ...] = ()
    claim: str = ""

    @property
    def label(self) -> str:
        """What a GELU with this formula is, in words."""
        what = {"GELU": "GELU", "tanh": "the tanh form, with tanh"}
        return f"{what.get(self.inside, f'exact, with {self.inside}')} by {self.name}"

    def values(
        self, x: Any, number: Callable[[Fraction], Any], functions: Mapping[str, Callable], pi: Any
    ) -> list[tuple[Any, Any]]:
        """Where each piece ends, but for the last, and its formula at x, in some arithmetic."""
        names, given = {"x": x, "pi": pi}, dict(functions)
        for name, texts in self.lists.items():
            given[name] = partial(_horner, [number(self.held(text)) for text in texts])

        def value(formula: str) -> Any:
            literal = lambda text: number(Fraction(text))  # noqa: E731
            return evaluated(formula, literal, names, given, _OPERATIONS, lambda result: result)

        for name, formula in self.where.items():
            names[name] = value(formula)
        return [(end and value(end), value(formula)) for end, formula in self.pieces]

    def gelu(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """GELU with this formula, in float64, and whether two pieces meet at x, to an ulp."""
        at = x if self.inside == "GELU" else np.abs(x)
        with np.errstate(all="ignore"):  # a formula is evaluated outside its piece, too
            ends, values = zip(*self.values(at, float, _NUMPY, np.pi), strict=True)
        held = [at <= end for end in ends[:-1]]
        right = np.select([*held, np.ones(at.shape, bool)], values)
        between = [np.abs(at - end) <= _AN_ULP * np.abs(end) for end in ends[:-1]]
        return right - (at - x) / 2, np.any(between, axis=0) | np.zeros(at.shape, bool)

    def held(self, text: str) -> Fraction:
        """A printed coefficient as its type holds it."""
        if text.startswith("0x"):
            return Fraction(float(np.uint32(int(text, 16)).view(np.float32)))
        return Fraction(float(np.dtype(self.type).type(text)))


@cache
def erf_programs() -> Mapping[str, ErfProgram]:
    """Every formula of a program, by ID."""
    read = contents("erf_programs.toml")
    return MappingProxyType({id: filled(ErfProgram, id, table) for id, table in read.items()})


@cache
def classical_programs() -> Mapping[str, ErfProgram]:
    """The formulas of the literature that are meant for every x and are none of the three forms."""
    found = {}
    for id, table in contents("classical.toml").items():
        if table["end"] == "oo" and id not in _THE_FORMS:
            name = table["name"].replace("A&S", "Abramowitz–Stegun")
            inside = "erf" if table.get("of") == "erf" else "Φ"
            pieces = (("", f"x - x*({table['upper']})"),)
            found[id] = ErfProgram(id, name, inside, pieces, table.get("where", {}))
    return MappingProxyType(found)


def _horner(coefficients: list[Any], x: Any) -> Any:
    return reduce(lambda value, coefficient: value * x + coefficient, coefficients)
