"""Search for good sums of two and of three tanh, and record what was found.

    .venv/bin/python tools/laboratory/search_tanh_sums.py

It takes some minutes and writes gelu_lib/data/tanh_sums.json: for each start the least error with
the scales that it ended with, and these, to six digits, the sums by increasing error. The search
compares errors on a grid; recorded is the sup norm on the real line, as ``minimax`` begins with it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import json

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr

import gelu_lib
from gelu_lib.certificates.best.minimax import minimax
from gelu_lib.fits.sequential import program
from gelu_lib.functions.tanh_forms import tanh_sum

RECORD = Path(gelu_lib.__file__).parent / "data" / "tanh_sums.json"
STARTS, SEED = 20, 44715
SCALE_RANGE = 0.1, 5.0  # of the scales of a start, which are uniform in their logarithm
COUNTS = (2, 3)
CRITERIA = (("Phi", False), ("Phi", True), ("GELU", True))

GRID = np.concatenate([np.linspace(0, 6.5, 201)[1:], np.geomspace(6.5, 60, 30)[1:]])
"""The points x > 0 at which the error is made small."""

LEAST_GAP = 1e-3
"""The least distance of two scales, as closer ones are alike in double precision."""


def main() -> None:
    searches = [
        {
            "count": count,
            "of": target,
            "limit_one": limit_one,
            "found": measured(count, target, limit_one),
        }
        for count in COUNTS
        for target, limit_one in CRITERIA
    ]
    record = {"starts": STARTS, "seed": SEED, "searches": searches}
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def measured(count: int, target: str, limit_one: bool) -> list[tuple[float, list[float]]]:
    """The scales that were found, and the least error with them, both to six digits."""
    found = search_sums(count, STARTS, SEED, target, limit_one=limit_one)
    sums = [[float(f"{scale:.6g}") for scale in scales] for _, scales in found]
    errors = [minimax(tanh_sum(scales, limit_one=limit_one), target).error for scales in sums]
    return sorted((float(f"{e:.6g}"), s) for e, s in zip(errors, sums, strict=True))


def search_sums(
    count: int, starts: int, seed: int, target: str = "Phi", *, limit_one: bool = False
) -> list[tuple[float, list[float]]]:
    """Local minima of the largest error of Σ aᵢ·tanh(bᵢ·x) on a grid.

    For given scales the best coefficients are a linear program. The scales are moved by the
    Nelder–Mead method, which starts twice.

    Args:
        count: how many terms.
        starts: how many random starts.
        seed: of NumPy's default generator.
        target: ``"Phi"`` or ``"GELU"``.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        For each start the error and the scales that were reached, by increasing error.

    Raises:
        ValueError: if ``target`` is not accepted, or is ``"GELU"`` without ``limit_one``.
    """
    _check_criterion(target, limit_one)
    generator = np.random.default_rng(seed)

    def error(point: np.ndarray) -> float:
        return least_error(_scales(point), target, limit_one=limit_one)

    found = []
    for _ in range(starts):
        scales = np.sort(np.exp(generator.uniform(*np.log(SCALE_RANGE), count)))
        point = np.append(np.log(scales[0]), np.sqrt(np.diff(scales)))
        for _ in range(2):
            options = {"xatol": 1e-6, "fatol": 1e-11, "maxfev": 200 * count}
            point = minimize(error, point, method="Nelder-Mead", options=options).x
        found.append((error(point), _scales(point).tolist()))
    return sorted(found)


def least_error(scales: np.ndarray, target: str = "Phi", *, limit_one: bool = False) -> float:
    """The least largest error on the grid of a sum of tanh with given scales.

    Args:
        scales: positive and increasing.
        target: ``"Phi"`` or ``"GELU"``.
        limit_one: whether the coefficients must add up to 1.

    Returns:
        The error.

    Raises:
        ValueError: if the scales are not positive and increasing, or as ``search_sums``.
        StartError: if the linear program fails.
    """
    _check_criterion(target, limit_one)
    if len(scales) == 0 or not np.all(np.diff(scales, prepend=0.0) > 0):
        raise ValueError(f"scales must be positive and increasing, got {scales!r}")
    # at infinity, where the errors of GELU tend to 0, the limit of the others is looked at
    weight = np.append(GRID, 0) if target == "GELU" else np.ones(len(GRID) + 1)
    terms = np.tanh(np.outer(np.append(GRID, np.inf), scales)) / 2
    errors = np.append(ndtr(GRID) - 0.5, 0.5)
    if limit_one:
        errors, terms = errors - terms[:, 0], terms[:, 1:] - terms[:, :1]
    return float(program(weight * errors, weight[:, np.newaxis] * terms)[0])


def _check_criterion(target: str, limit_one: bool) -> None:
    if target not in ("Phi", "GELU") or (target == "GELU" and not limit_one):
        raise ValueError(f"target is {target!r}; accepted are 'Phi', and 'GELU' with limit_one")


def _scales(point: np.ndarray) -> np.ndarray:
    return np.cumsum(np.append(np.exp(point[0]), LEAST_GAP + point[1:] ** 2))


if __name__ == "__main__":
    main()
