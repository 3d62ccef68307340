"""What the programs of the sources do, written anew.

Each is the calculation and not the text of the source. The searches evaluate the error on the whole
grid at once, where the sources evaluate it point by point. Where both were run they gave the same
bits; on another machine they need not, as a vectorised tanh can differ from a scalar one.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import erf, expit, ndtr
from sympy import Expr

from gelu_lib.chapters.claims.checks import Outcome
from gelu_lib.functions.expressions import numpy_function
from gelu_lib.show.tables import decimal

GRID = np.arange(0, 4, 0.001)
"""The points at which both searches measure the error."""

TOLERANCE = 1e-10
"""What both searches ask of Powell's method, for the parameter and for the error."""


def search(largest: Callable[[float], float]) -> np.ndarray:
    """What Powell's method ends with, from 0, as an array with one number."""
    options = {"xtol": TOLERANCE, "ftol": TOLERANCE, "maxiter": 100_000}
    return minimize(lambda p: largest(p.item()), 0, method="Powell", options=options).x


def cubic_on_grid(b: float) -> float:
    """The largest error of tanh(√(2/π)x + bx³), against erf(x/√2), on the grid."""
    return np.abs(erf(GRID / np.sqrt(2)) - np.tanh(np.sqrt(2 / np.pi) * GRID + b * GRID**3)).max()


def scale_on_grid(c: float) -> float:
    """The largest error of σ(cx), against Φ(x), on the grid."""
    return np.abs(ndtr(GRID) - expit(c * GRID)).max()


def print_cubic() -> None:
    """The search for the cubic coefficient, and its output."""
    with np.printoptions(precision=8):
        print(search(cubic_on_grid))


def print_scale() -> None:
    """The search for the scale, and its output."""
    with np.printoptions(precision=8):
        print(search(scale_on_grid))


def print_phi() -> None:
    """Φ at −1, 1 and 2, each to two decimals."""
    for x in (-1, 1, 2):
        print(f"{ndtr(x):.2f}")


def first_plot() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The points of the first plot of the post in Japanese, by the labels of its curves."""
    x = np.arange(-2.5, 2.51, 0.01)
    return {"ReLU": (x, np.maximum(0, x)), "GELU": (x, x * ndtr(x))}


def second_plot() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The points of the second plot, with the labels as they are printed, and the dashed line."""
    x = np.arange(-1.0, 2.0, 0.01)
    return {"ReLU": (x, x), "GELU": (x, x * ndtr(x)), "dashed": (x, np.zeros(x.shape[0]))}


def third_plot() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The points of the third plot."""
    x = np.arange(-1.0, 2.0, 0.01)
    return {"GELU": (x, x * ndtr(x)), "tangent_line": (x, ndtr(0) * x)}


def print_last_of_second_plot() -> None:
    """The last point of the second plot, to two decimals."""
    x, _ = second_plot()["GELU"]
    print(f"{x[-1]:.2f}")


OVERFLOWS = {"float64": 1e103, "float32": 1e13, "float16": 200.0}
"""For each type an input whose cube it cannot hold."""


def print_tanh_form_derivative() -> None:
    """The derivative of the tanh form by the last line of the note in English, typed as it stands.

    Each type has a line, with the value at 10 and at an input whose cube overflows.
    """
    for name, far in OVERFLOWS.items():
        x = np.array([10, far], dtype=name)
        root, cubic, half = (x.dtype.type(c) for c in (np.sqrt(2 / np.pi), 0.044715, 0.5))
        with np.errstate(over="ignore", invalid="ignore"):
            tanh = np.tanh(root * (x + cubic * x**3))
            value = half + half * tanh + half * root * (x + 3 * cubic * x**3) * (1 - tanh**2)
        print(f"{name} {value[0]:g} {value[1]:g}")


def erf_of_a_name_without_value() -> None:
    """The inputs get one name, and erf is taken of another one."""
    exec("x = inputs\nprint(erf(y))\n", {"erf": erf, "inputs": np.array([-2.0, 0.0, 2.0])})


def erf_of_the_inputs() -> None:
    """The same with one name for both, to four decimals."""
    x = np.array([-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0], dtype=np.float32)
    print(*(f"{value:.4f}" for value in erf(x)))


# --- the kinds of check that run a program, or read the record of a run

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
        record: the record, see ``gelu_lib.chapters.claims.clay.record``.
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
