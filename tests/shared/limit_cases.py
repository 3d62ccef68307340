"""Where the two sides of an inequality come together.

An inequality that holds by a wide margin would hold with twice a side, or without its bars. So a
statement's own bound is tried where it is attained, or nearly so. A bound of which no such place
is known has none here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import arb
from points import registered
from sympy import Symbol


@dataclass(frozen=True)
class Case:
    """A place at which two neighbours of a claim are almost equal.

    Attributes:
        place: values by name: a number, another symbol, perhaps with a minus sign, or the ID of a
            result. Of a family the name with its subscript, as ``c_2``.
        claim: which claim it is, counted from 0.
        pair: which two neighbours, counted from 0.
        within: how far apart they may be at most, relative to the second; ``None`` if they need
            not be near.
        holds: whether the claim itself is tried there, because random points miss it.
        excluded: whether the claim does not hold there, so that an assumption with ≠ excludes it.
    """

    place: Mapping[str, str]
    claim: int = 0
    pair: int = 0
    within: float | None = 1e-9
    holds: bool = False
    excluded: bool = False

    def values(self, known: Mapping[Symbol, arb]) -> dict[Symbol, arb]:
        """The values of a point, with those of the case."""
        named = {str(symbol): symbol for symbol in known}
        found = dict(known)
        for name, text in self.place.items():
            found[named.get(name, Symbol(name, real=True))] = _value(text, named, known)
        return found


def _value(text: str, named: Mapping[str, Symbol], known: Mapping[Symbol, arb]) -> arb:
    sign, name = (-1, text[1:]) if text.startswith("-") else (1, text)
    if name in named:
        return sign * known[named[name]]
    return sign * registered(name)


BEST_CUBIC = {"p1": "tanh-free-linear", "p3": "tanh-free-cubic"}
HIGH = {"m": "1", "p_0": "100", "p_1": "100"}
LOW = {"m": "1", "p_0": "0.1", "p_1": "0.001"}
STEEP = {"m": "4", "p_0": "0", "p_1": "0", "p_2": "0", "p_3": "0", "p_4": "4e-9"}
NONE = {f"c_{j}": "0" for j in range(2, 7)}
SMALL = {f"c_{j}": "1e-9" for j in range(2, 7)}

CASES: Mapping[str, Sequence[Case]] = {
    "gelu-minimum": [Case({"x": "x_star"})],
    "form-shape": [
        Case({"x": "-x0"}, claim=1, pair=1),
        Case({"x": "x0"}, claim=1, pair=2),
        Case({"x": "x_star"}, claim=3),
    ],
    "positive-terms-gain-nothing": [
        Case({**BEST_CUBIC, **SMALL}, within=0.01, holds=True),
        Case({**BEST_CUBIC, **NONE, "p3": "0", "c_2": "tanh-free-cubic"}, within=None, holds=True),
    ],
    "mills-series": [Case({"x": "8", "N": "1"}, claim=1, pair=1, within=0.06)],
    "mills-truncation": [
        Case({"x": "8", "N": "1"}, pair=1, within=0.06),
        Case({"y": "x"}, claim=1),
        Case({"x": "4", "N": "8"}, claim=2, within=0.2),
        Case({"x": "8", "N": "3"}, claim=2, within=None, holds=True),
    ],
    "artanh-erf-asymptotics": [Case({"rho": "4.89"}, within=None, holds=True)],
    "tails-of-the-forms": [
        Case(
            {"m": "2", "a_0": "1.25", "a_1": "0", "a_2": "-0.25"},
            claim=2,
            within=None,
            excluded=True,
        ),
        Case(
            {"K": "2", "c_1": "0", "c_2": "1", "b_1": "1", "b_2": "2"},
            claim=3,
            within=None,
            excluded=True,
        ),
    ],
    "tail-bounds": [  # at its beginning, where the form's tail is nothing, and where that of Φ is
        *(Case({**HIGH, "b": "1.5", "x": "1.5"}, claim=k, holds=True) for k in (0, 1)),
        *(Case({**LOW, "b": "10", "x": "10"}, claim=k, holds=True) for k in (0, 1)),
        Case({**HIGH, "b": "8", "x": "8"}, claim=2, within=0.02, holds=True),
        Case({**STEEP, "b": "10", "x": "10"}, claim=2, within=0.06, holds=True),
    ],
    "averaged-logistic-error": [Case({"mu": "173.205", "s": "100"}, within=4e-4, holds=True)],
    "equation-band-of-the-slope": [
        *(Case({"x": "0.02"}, pair=i, within=w) for i, w in enumerate((1e-9, 0.002, 0.002))),
        Case({"x": "0.02"}, claim=1, within=0.003),
    ],
}
"""Such places, by the ID of the result."""
