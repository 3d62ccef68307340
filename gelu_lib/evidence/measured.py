"""What was measured of networks: the record, what follows from it, and the register's numbers.

What the page of networks shows its notebook computes, from the same record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import ncf, sem, t, ttest_1samp

from gelu_lib.evidence.real_networks import SITE_FITS
from gelu_lib.floats.best_constants import best_constants
from gelu_lib.floats.laws import InputLaw
from gelu_lib.rows import contents
from gelu_lib.show.tables import decimal

Network = Mapping[str, Any]
WORDS = {"tanh": "tanh form", "sigmoid": "sigmoid form", "silu": "SiLU", "relu": "ReLU"}
"""What the register calls the forms of the record."""


@cache
def network_record() -> Mapping[str, Any]:
    """What ``tools/laboratory/record_networks.py`` measured, a number for each seed."""
    return contents("networks.json")


def networks() -> Mapping[str, Network]:
    """What was found with each kind of network, by its name."""
    return network_record()["networks"]


def losses(network: Network, arm: str) -> np.ndarray:
    """The losses on the validation data, by how the networks were trained."""
    return np.array(network["trained"][arm]["loss"])


def swap(network: Network, trained: str, other: str) -> np.ndarray:
    """What changes in the loss, for each seed, if another form takes the place of the trained."""
    return np.array(network["swaps"][trained][other]["loss"])


def _interval(differences: np.ndarray) -> tuple[float, float]:
    """Student's interval of 95 % for the mean, which holds if the differences are normal."""
    return tuple(ttest_1samp(differences, 0).confidence_interval(0.95))


def least_seen(differences: np.ndarray) -> float:
    """The true mean that the t-test finds, at the level of 5 %, in 80 of 100 experiments.

    The square of its statistic has a noncentral F distribution.
    """
    freedom = differences.size - 1
    critical = t.ppf(0.975, freedom)

    def missing(shift: float) -> float:
        return 0.8 - ncf.sf(critical**2, 1, freedom, shift**2)

    return brentq(missing, 0.1, 10 * critical) * sem(differences)


def network_inputs(network: Network) -> tuple[np.ndarray, np.ndarray]:
    """What comes into GELU after training: the middles of the bins, and the share of each."""
    *_, layers = network["inputs"].values()
    counts = sum(np.array(layer["counts"].split(), dtype=np.int64) for layer in layers)
    edges = np.linspace(*network_record()["edges"], counts.size + 1)
    return (edges[1:] + edges[:-1]) / 2, counts / counts.sum()


def best_constant(x: np.ndarray, shares: np.ndarray, name: str) -> float:
    """The constant with the least mean square error of GELU over some inputs, ``k`` or ``c``."""
    (found,) = best_constants(inputs=InputLaw(x, shares), **SITE_FITS[name]).constants.values()
    return float(found)


# --- as texts


def four(**numbers: float) -> dict[str, str]:
    """Numbers to four significant digits, as the register writes them; what counts is whole."""
    return {
        name: str(number) if isinstance(number, int) else decimal(number, 4).replace("−", "-")
        for name, number in numbers.items()
    }


def _mean(differences: np.ndarray) -> dict[str, str]:
    low, high = _interval(differences)
    return four(**{"mean": differences.mean(), "from": low, "to": high})


# --- numbers of the register


def _swaps(network: Network) -> dict[str, str]:
    found = {}
    for other, words in WORDS.items():
        changes = swap(network, "exact", other)
        numbers = _mean(changes) | four(**{"root mean square": np.sqrt(np.mean(changes**2))})
        found |= {f"{words}, {of}": number for of, number in numbers.items()}
    return found


def _training(network: Network, arm: str) -> dict[str, str]:
    differences = losses(network, arm) - losses(network, "exact")
    return _mean(differences) | four(**{"seen from": least_seen(differences)})


def _constants(network: Network) -> dict[str, str]:
    return four(**{name: best_constant(*network_inputs(network), name) for name in ("k", "c")})


def _of_both(numbers: Callable[[Network], dict[str, str]]) -> dict[str, str]:
    found = {name: numbers(network) for name, network in networks().items()}
    return {f"{name}, {of}": found[name][of] for name in found for of in found[name]}


NETWORK_NUMBERS: Mapping[str, Callable[[], dict[str, str]]] = {
    "network-swap-loss": lambda: _of_both(_swaps),
    "network-training-tanh": lambda: _of_both(lambda one: _training(one, "tanh")),
    "network-training-slope": lambda: _of_both(lambda one: _training(one, "exact, tanh slope")),
    "network-input-constants": lambda: _of_both(_constants),
}
