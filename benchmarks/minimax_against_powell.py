"""Time and digits of three ways to 0.044715 and 1.702, measured in one run.

The ways: the script of the sources (Powell's method on a maximum over a list of scalar errors), the
same search with one array of errors, and ``minimax``: its start in floats, a proof anew, and more
digits of what is proved. A first call is one in a fresh process, of which the seconds are those of
the processor, imports included.

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
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from time import perf_counter

import numpy as np
from scipy.optimize import minimize
from scipy.special import erf, expit, ndtr
from scipy.stats import norm

from gelu_lib.certificates.best.certificate import proved
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.fits.begin import begin
from gelu_lib.functions.families import LOGISTIC, SLOPE_KEPT, TANH_CUBIC
from gelu_lib.register import agreeing_digits

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


def cubic(digits: int | None) -> str:
    """k = p3/p1 in floats, or proved to any number of digits."""
    return shown(minimax(TANH_CUBIC, fixed=SLOPE_KEPT, digits=digits).k, digits)


def scale(digits: int | None) -> str:
    """c = p1 in floats, or proved to any number of digits."""
    return shown(minimax(LOGISTIC, digits=digits).c, digits)


def shown(number: object, digits: int | None) -> str:
    """A constant as a decimal."""
    return repr(float(number)) if digits is None else str(number.rounded(digits))


CONSTANTS = {
    "0.044715": (scalar_cubic, array_cubic, cubic),
    "1.702": (scalar_logistic, array_logistic, scale),
}


def anew(way: Callable[[int | None], str], digits: int | None) -> str:
    """The same with nothing kept of what was found or proved before."""
    begin.cache_clear()
    proved.cache_clear()
    return way(digits)


FRESH = """
from time import process_time
from minimax_against_powell import CONSTANTS
value = CONSTANTS[{name!r}][2]({digits!r})
print(process_time(), value)
"""


def first(name: str, digits: int | None) -> tuple[float, str]:
    """Seconds of the processor in a fresh process, imports included, and what it finds."""
    run = subprocess.run(
        [sys.executable, "-c", FRESH.format(name=name, digits=digits)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, value = run.stdout.split()
    return float(seconds), value


def timed(way: Callable[[], str], repeats: int) -> tuple[float, str]:
    """The least time of some calls, in seconds, and what they return."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        value = way()
        times.append(perf_counter() - start)
    return min(times), value


def measure(name: str) -> dict[str, dict]:
    """Seconds, value and right digits of every way to one constant."""
    scalar, array, way = CONSTANTS[name]
    results = {
        "scalar script": timed(lambda: repr(float(scalar())), 1),
        "grid with arrays": timed(lambda: repr(float(array())), REPEATS),
        "start, first call": first(name, None),
        "start, anew": timed(lambda: anew(way, None), REPEATS),
        "50 digits proved, first call": first(name, 50),
        "50 digits proved, anew": timed(lambda: anew(way, 50), REPEATS),
        "50 digits, with the proof kept": timed(lambda: way(50), REPEATS),
    }
    slowest, exact = results["scalar script"][0], way(80)
    return {
        row: {
            "seconds": float(f"{seconds:.3g}"),
            "faster than the scalar script": round(slowest / seconds, 1),
            "value": value,
            "digits right": agreeing_digits(value, exact),
        }
        for row, (seconds, value) in results.items()
    }


def main() -> None:
    """Measure, print and write the record."""
    constants = {name: measure(name) for name in CONSTANTS}
    packages = ("numpy", "scipy", "sympy", "python-flint")
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
            print(f"  {name:31} {seconds:9.5f} s  {ratio:8.1f} ×  {digits:2} digits right")


if __name__ == "__main__":
    main()
