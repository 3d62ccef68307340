"""What comes into GELU in a trained network, and which constants are the best for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.optimize import least_squares
from scipy.special import expit, ndtr

from gelu_lib.activations import gelu
from gelu_lib.chapters.in_a_network.record import Network, record

PINNED = 2 * sqrt(2 / np.pi)

MEMBERS: Mapping[str, tuple[Callable, tuple[float, ...]]] = {
    "tanh-pinned": (lambda x, k: x * expit(PINNED * (x + k * x**3)), (0.044715,)),
    "tanh-free": (lambda x, p1, p3: x * expit(p1 * x + p3 * x**3), (PINNED, 0.044715 * PINNED)),
    "sigmoid": (lambda x, c: x * expit(c * x), (1.702,)),
}
"""The forms with their free constants, and the famous values of these."""


@dataclass(frozen=True)
class Spread:
    """How inputs are spread: counted in bins of the same width.

    Attributes:
        edges: of the bins, ascending.
        counts: how many inputs each bin has.
        outside: how many inputs lie in no bin.
    """

    edges: np.ndarray
    counts: np.ndarray
    outside: int

    @property
    def middles(self) -> np.ndarray:
        return (self.edges[1:] + self.edges[:-1]) / 2

    @property
    def shares(self) -> np.ndarray:
        """The share of each bin among the inputs that were counted."""
        return self.counts / self.counts.sum()

    @property
    def mean(self) -> float:
        return float(self.shares @ self.middles)

    @property
    def sd(self) -> float:
        return sqrt(float(self.shares @ (self.middles - self.mean) ** 2))

    @property
    def size(self) -> float:
        """The root mean square of the inputs."""
        return sqrt(float(self.shares @ self.middles**2))

    def beyond(self, size: float) -> float:
        """The share of the inputs that are larger in size, by whole bins."""
        return float(self.shares[np.abs(self.middles) > size].sum())

    def below(self) -> np.ndarray:
        """The share of the inputs below each edge."""
        return np.concatenate([[0.0], np.cumsum(self.shares)])

    def distance(self, mean: float = 0.0, sd: float = 1.0) -> float:
        """Kolmogorov's distance from a normal distribution, at the edges of the bins."""
        return float(np.max(np.abs(self.below() - ndtr((self.edges - mean) / sd))))


def spread(network: Network, steps: str, layer: int | None = None) -> Spread:
    """The inputs after some steps of training, of all seeds: of one layer, or of all together."""
    layers = network.inputs[steps]
    chosen = layers if layer is None else [layers[layer]]
    counts = sum(np.array(one["counts"].split(), dtype=np.int64) for one in chosen)
    low, high = record()["edges"]
    outside = sum(one["below"] + one["above"] for one in chosen)
    return Spread(np.linspace(low, high, counts.size + 1), counts, outside)


def root_mean_square(found: Spread, form: str, constants: tuple[float, ...]) -> float:
    """The root mean square error of GELU over the inputs, with the constants of a form."""
    function, _ = MEMBERS[form]
    errors = function(found.middles, *constants) - gelu(found.middles)
    return sqrt(float(found.shares @ errors**2))


def best(found: Spread, form: str) -> tuple[float, ...]:
    """The constants of a form with the least root mean square error of GELU over the inputs.

    Args:
        found: the inputs.
        form: a key of ``MEMBERS``.

    Returns:
        The constants, as weighted least squares find them, beginning at the famous ones.
    """
    function, famous = MEMBERS[form]
    x, weights = found.middles, np.sqrt(found.shares)
    goal = gelu(x)

    def errors(constants: np.ndarray) -> np.ndarray:
        return 1e4 * weights * (function(x, *constants) - goal)  # errors of about 1, for its steps

    solved = least_squares(errors, famous, xtol=1e-14, ftol=1e-14, gtol=1e-14, x_scale=famous)
    return tuple(float(one) for one in solved.x)
