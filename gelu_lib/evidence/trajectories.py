"""The inputs of GELU along training: the record, and the law that their size decides on the best k.

The error of a form is the same at x and at −x, so the record keeps sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr
from scipy.stats import norm

from gelu_lib.evidence.measured import four
from gelu_lib.rows import contents

Mark = Mapping[str, Any]
BOUND = 1e-4
"""How far from the law the best k of a mark may be, by the rules of the record."""
HELD_OUT = "convolutional"
"""The network that had no part in making the law."""


@cache
def trajectory_record() -> Mapping[str, Any]:
    """What ``tools/laboratory/record_trajectories.py`` measured."""
    return contents("trajectories.json")


def marks(kind: str) -> Iterator[tuple[str, str, Mark]]:
    """Each mark of a network, with its arm and its step."""
    for arm, steps in trajectory_record()["networks"][kind]["arms"].items():
        for step, mark in steps.items():
            yield arm, step, mark


def sizes(mark: Mark) -> tuple[np.ndarray, np.ndarray]:
    """The sizes of the inputs at a mark: the middles of the bins, and the share of each."""
    counts = np.array(mark["counts"].split(), dtype=np.int64)
    edges = np.linspace(*trajectory_record()["edges"])[: counts.size + 1]
    return (edges[1:] + edges[:-1]) / 2, counts / counts.sum()


def best_k(x: np.ndarray, shares: np.ndarray) -> float:
    """The k with the least mean square error of GELU over some inputs, found and not proved.

    ``best_constants`` proves it, in the time of a hundred of these.
    """

    def slope(k: float) -> float:  # of the mean square by k, but for a factor
        form = expit(2 * np.sqrt(2 / np.pi) * (x + k * x**3))
        return shares @ (x**5 * (form - ndtr(x)) * form * (1 - form))

    return brentq(slope, 0.03, 0.06, xtol=1e-13)


@cache
def normal_best(deviation: float) -> float:
    """The best k for normal inputs with mean 0."""
    x = np.linspace(0, 10, 4001) * deviation
    return best_k(x, norm.pdf(x / deviation))


def off(mark: Mark) -> float:
    """By how much the best k of a mark is larger than the law says."""
    return mark["k"] - normal_best(mark["rms"])


# --- numbers of the register


def _deviation() -> dict[str, str]:
    numbers = {}
    for kind in trajectory_record()["networks"]:
        missed = [off(mark) for *_, mark in marks(kind)]
        numbers[f"{kind}, largest"] = max(missed, key=abs)
        numbers[f"{kind}, root mean square"] = np.sqrt(np.mean(np.square(missed)))
    return four(**numbers)


TRAJECTORY_NUMBERS: Mapping[str, Callable[[], dict[str, str]]] = {
    "trajectory-law-deviation": _deviation,
}
