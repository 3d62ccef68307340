"""Find the best odd polynomials of higher degrees for Φ, and record them.

    .venv/bin/python tools/laboratory/record_degrees.py

It takes some seconds and writes gelu_lib/data/degrees.json. Double precision does not hold these
problems, in which a term is huge where the error is tiny; so the exchange runs with 80 digits. At
n + 1 references some member has errors of one size with alternating signs, its largest errors are
the next references, and so on. What is recorded promises nothing: ``best_of_degree`` proves it.
A degree whose last coefficient ends below 0 has no member with this alternation.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json
from itertools import pairwise

import mpmath
from mpmath import mpf

import gelu_lib
from gelu_lib.evidence.degrees import DIGITS, RECORDED

RECORD = Path(gelu_lib.__file__).parent / "data" / "degrees.json"
WORK = DIGITS + 30
EXCHANGES = 30
START = ("0.3", "0.92", "1.56", "2.25", "3.03", "4.06")
"""Where the best error of degree 9 alternates; further references follow at the last distance."""

GRID = [mpf(i) / 40 for i in range(1, 400)] + [10 * mpf("1.05") ** i for i in range(120)]
"""Where the error is looked at, far out as well, where a polynomial may turn back."""


@mpmath.workdps(WORK)
def main() -> None:
    best, points = {}, [mpf(x) for x in START]
    for degree in RECORDED:
        while len(points) < (degree + 1) // 2 + 1:
            points.append(2 * points[-1] - points[-2])
        parameters, error, points, signs = exchanged(points)
        text = {"parameters": parameters, "points": points, "error": [error]}
        text = {name: [mpmath.nstr(v, DIGITS) for v in values] for name, values in text.items()}
        best[degree] = text | {"signs": signs}
        print(degree, mpmath.nstr(error, 8), flush=True)
    RECORD.write_text(json.dumps(best, indent=1) + "\n", encoding="utf-8")


def exchanged(points: list[mpf]) -> tuple[list[mpf], mpf, list[mpf], list[int]]:
    """Coefficients, error, points and signs of the best member, about, from first references.

    Raises:
        ArithmeticError: if the exchange does not end at a member that tends to 1.
    """
    for _ in range(EXCHANGES):
        parameters, error, signs = level(points)
        points = highest(parameters, len(points))
        if max(abs(off(parameters, x)) for x in points) < error * (1 + mpf(10) ** -DIGITS):
            if parameters[-1] > 0:
                return parameters, error, points, signs
            break
    raise ArithmeticError(f"no optimum with {len(points) - 1} coefficients is found")


def level(points: list[mpf]) -> tuple[list[mpf], mpf, list[int]]:
    """A member whose errors at the points have one size and alternating signs, and the size."""
    squares = [x * x for x in points]
    cancel = [
        1 / (x * mpmath.fprod(u - v for v in squares if v != u))
        for x, u in zip(points, squares, strict=True)
    ]
    cancel = [c / max(map(abs, cancel)) for c in cancel]
    exact = mpmath.fdot(cancel, log_odds(points, [mpf(0)] * len(points)))
    signs = [1 if (c > 0) == (exact > 0) else -1 for c in cancel]
    low, high = mpf(0), mpf(1) / 2
    while high - low > high * mpf(10) ** -(DIGITS + 10):
        middle = (low + high) / 2 if low else high / 16
        values = log_odds(points, [sign * middle for sign in signs])
        larger = None not in values and mpmath.fdot(cancel, values) * exact > 0
        low, high = (middle, high) if larger else (low, middle)
    rows = mpmath.matrix([[x**j for j in range(1, 2 * len(points) - 2, 2)] for x in points[:-1]])
    values = log_odds(points, [sign * low for sign in signs])
    return list(mpmath.lu_solve(rows, mpmath.matrix(values[:-1]))), low, signs


def log_odds(points: list[mpf], errors: list[mpf]) -> list[mpf | None]:
    """Where Φ − σ(p) has these errors, p; none where no p has."""
    tails = [mpmath.ncdf(-x) + e for x, e in zip(points, errors, strict=True)]
    return [mpmath.log((1 - tail) / tail) if tail > 0 else None for tail in tails]


def off(parameters: list[mpf], x: mpf) -> mpf:
    """The error Φ − σ(p) at x > 0."""
    p = x * mpmath.polyval(parameters[::-1], x * x)
    return (1 / (1 + mpmath.exp(p)) if p < 1e4 else mpf(0)) - mpmath.ncdf(-x)


def highest(parameters: list[mpf], count: int) -> list[mpf]:
    """So many places with errors of alternating sign, the largest of all among them."""
    errors = [off(parameters, x) for x in GRID]
    ends = [i for i, (a, b) in enumerate(pairwise(errors), 1) if a * b < 0]
    runs = [range(a, b) for a, b in pairwise([0, *ends, len(GRID)])]
    peaks = [peak(parameters, max(run, key=lambda i: abs(errors[i]))) for run in runs]
    if len(peaks) < count:
        raise ArithmeticError(f"the error alternates at {len(peaks)} places")
    while len(peaks) > count:
        first, last = (abs(off(parameters, peaks[i])) for i in (0, -1))
        del peaks[0 if first < last else -1]
    return peaks


def peak(parameters: list[mpf], i: int) -> mpf:
    """The place near one of the grid where the error is largest in size."""
    if not 0 < i < len(GRID) - 1:
        return GRID[i]
    try:
        return mpmath.findroot(
            lambda x: mpmath.diff(lambda t: off(parameters, t), x),
            (GRID[i - 1], GRID[i + 1]), solver="anderson",
        )  # fmt: skip
    except ValueError:
        return GRID[i]


if __name__ == "__main__":
    main()
