"""Time and digits of three ways to 0.044715 and 1.702, measured in one run.

The ways: the script of the sources (Powell's method on a maximum over a list of scalar errors),
the same search with one array of errors, and the alternation equations (``minimax``).

    python benchmarks/minimax_against_powell.py

prints a table and writes ``benchmarks/records/minimax_against_powell.json``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools"))
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from time import perf_counter

import numpy as np
from scipy.optimize import minimize
from scipy.special import erf, expit, ndtr
from scipy.stats import norm
from sympy import Float

from gelu_lib.fits.minimax import minimax
from gelu_lib.functions.expressions import LOCAL_SLOPE
from gelu_lib.functions.families import LOGISTIC, TANH_CUBIC
from gelu_lib.register import agreeing_digits
from gelu_lib.show.tables import decimal

RECORD = Path(__file__).parent / "records" / "minimax_against_powell.json"
GRID = np.arange(0, 4, 0.001)
OPTIONS = {"xtol": 1e-10, "ftol": 1e-10, "maxiter": 100_000}
REPEATS = 10


def powell(largest: Callable[[np.ndarray], float]) -> float:
    """The parameter that Powell's method ends with, from 0."""
    return minimize(largest, 0, method="Powell", options=OPTIONS).x.item()


def scalar_cubic() -> float:
    """0.044715 as the sources compute it: one error at a time."""
    slope = np.sqrt(2 / np.pi)

    def error(x: float, cubic: float) -> float:
        return np.abs(erf(x / np.sqrt(2)) - np.tanh(slope * x + cubic * x**3))

    return powell(lambda p: np.max([error(x, p[0]) for x in GRID])) / slope


def array_cubic() -> float:
    """0.044715 by the same search, with all errors at once."""
    slope, exact = np.sqrt(2 / np.pi), erf(GRID / np.sqrt(2))
    return powell(lambda p: np.abs(exact - np.tanh(slope * GRID + p * GRID**3)).max()) / slope


def scalar_logistic() -> float:
    """1.702 as the sources compute it: one error at a time."""

    def error(x: float, scale: float) -> float:
        return np.abs(norm.cdf(x) - expit(scale * x))

    return powell(lambda p: np.max([error(x, p[0]) for x in GRID]))


def array_logistic() -> float:
    """1.702 by the same search, with all errors at once."""
    exact = ndtr(GRID)
    return powell(lambda p: np.abs(exact - expit(p * GRID)).max())


def alternation_cubic(digits: int) -> Float:
    """0.044715 to any number of digits."""
    fit = minimax(TANH_CUBIC, fixed={"p1": 2 * LOCAL_SLOPE}, digits=digits)
    return fit.parameters["p3"] / fit.parameters["p1"]


def alternation_logistic(digits: int) -> Float:
    """1.702 to any number of digits."""
    return minimax(LOGISTIC, digits=digits).parameters["p1"]


CONSTANTS = {
    "0.044715": (scalar_cubic, array_cubic, alternation_cubic),
    "1.702": (scalar_logistic, array_logistic, alternation_logistic),
}


def timed(way: Callable[[], str], repeats: int) -> tuple[float, str]:
    """The least time of some calls, in seconds, and what they return."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        value = way()
        times.append(perf_counter() - start)
    return min(times), value


def measure(
    scalar: Callable[[], float], array: Callable[[], float], alternation: Callable[[int], Float]
) -> dict[str, dict]:
    """Seconds, value and right digits of every way to one constant."""
    ways = {
        "scalar script": (lambda: repr(float(scalar())), 1),
        "minimax, 16 digits, first call": (lambda: decimal(alternation(16), 16), 1),
        "grid with arrays": (lambda: repr(float(array())), REPEATS),
        "minimax, 16 digits": (lambda: decimal(alternation(16), 16), REPEATS),
        "minimax, 50 digits": (lambda: decimal(alternation(50), 50), REPEATS),
    }
    results = {name: timed(way, repeats) for name, (way, repeats) in ways.items()}
    exact = decimal(alternation(80), 80)
    slowest = results["scalar script"][0]
    return {
        name: {
            "seconds": round(seconds, 4),
            "faster than the scalar script": round(slowest / seconds, 1),
            "value": value,
            "digits right": agreeing_digits(value, exact),
        }
        for name, (seconds, value) in results.items()
    }


def main() -> None:
    """Measure, print and write the record."""
    constants = {name: measure(*ways) for name, ways in CONSTANTS.items()}
    packages = ("numpy", "scipy", "sympy", "mpmath")
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "repeats": f"least of {REPEATS} calls; the scalar script and first calls: one call",
        "constants": constants,
    }
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for constant, ways in constants.items():
        print(constant)
        for name, result in ways.items():
            seconds, ratio = result["seconds"], result["faster than the scalar script"]
            digits = result["digits right"]
            print(f"  {name:31} {seconds:9.4f} s  {ratio:8.1f} ×  {digits:2} digits right")


if __name__ == "__main__":
    main()
