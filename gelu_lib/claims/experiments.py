"""The kinds of check that run a program, or read the record of a run."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from sympy import Expr

from gelu_lib.claims.checks import Outcome
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.tables import decimal

Curve = tuple[np.ndarray, np.ndarray]
"""The abscissas and the ordinates of the points of a curve."""

CURVE_ROUNDING = 2.0**-50
"""How far a point may lie from its curve, four units in the last place of numbers from 1 to 2."""


@dataclass(frozen=True)
class Prints:
    """A program runs to its end and prints a text.

    Attributes:
        program: a function without arguments that prints.
        text: what it is said to print, but for white space at the end.
    """

    program: Callable[[], None]
    text: str

    def outcome(self) -> Outcome:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                self.program()
        except Exception as error:  # whatever stops the program is the finding
            return Outcome(False, f"it stops with {type(error).__name__}: {error}")
        found = " ".join(printed.getvalue().split())
        return Outcome(found == " ".join(self.text.split()), f"it prints {found}")


@dataclass(frozen=True)
class Draws:
    """A program draws the curves that its labels name.

    Attributes:
        program: a function without arguments; it returns the points of each curve by its label.
        curves: for each label that is checked, at least one, the expression in x that it stands
            for.
    """

    program: Callable[[], Mapping[str, Curve]]
    curves: Mapping[str, Expr]

    def __post_init__(self) -> None:
        if not self.curves:
            raise ValueError("curves is empty; accepted are one label or more")

    def outcome(self) -> Outcome:
        drawn = self.program()
        for label, formula in self.curves.items():
            if label not in drawn:
                return Outcome(False, f"no curve is labelled {label}")
            x, y = drawn[label]
            exact = numpy_function(formula)(x)
            worst = int(np.argmax(np.abs(y - exact)))
            if not abs(y[worst] - exact[worst]) <= CURVE_ROUNDING:
                at, found, true = (decimal(float(v[worst]), 3) for v in (x, y, exact))
                return Outcome(False, f"at x = {at} the curve “{label}” is {found}, not {true}")
        ends = " to ".join(decimal(float(x[end]), 3) for end in (0, -1))
        names = ", ".join(self.curves)
        return Outcome(True, f"run: {names} at {len(x)} points from {ends}, right up to rounding")


@dataclass(frozen=True)
class Recorded:
    """The record of what PyTorch does has a value at some place.

    Attributes:
        record: the record, see ``gelu_lib.claims.clay.record``.
        path: the keys that lead to the value.
        value: what stands there, by the statement.
    """

    record: Mapping
    path: tuple[str, ...]
    value: object

    def outcome(self) -> Outcome:
        found: object = self.record
        for key in self.path:
            found = found[key]
        place = ", ".join(self.path)
        shown = f"PyTorch {self.record['torch']}, recorded ({place}): {_in_words(found)}"
        if found != self.value:
            return Outcome(False, f"{shown}; stated: {_in_words(self.value)}")
        return Outcome(True, shown)


def _in_words(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return " ".join(value) if isinstance(value, list) else str(value)
