"""What a swap of the form changes: its size as a function, and what the loss makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from scipy.special import expit

from gelu_lib.activations import gelu, gelu_sigmoid, gelu_tanh
from gelu_lib.chapters.in_a_network.inputs import MEMBERS
from gelu_lib.chapters.in_a_network.pairs import Difference, paired
from gelu_lib.chapters.in_a_network.record import Network
from gelu_lib.fits.optima import stored

NAMES = {
    "exact": "exact form",
    "tanh": "tanh form",
    "sigmoid": "sigmoid form",
    "tanh, best k": "tanh form, best $k$",
    "tanh, both best": "tanh form, both best",
    "sigmoid, best c": "sigmoid form, best $c$",
    "tanh, 0.0447": "tanh form, 0.0447",
    "tanh, 0.0447149": "tanh form, 0.0447149",
    "silu": "SiLU",
    "relu": "ReLU",
    "exact, tanh slope": "exact form, slope of the tanh form",
    "exact, moved": "exact form, weights moved",
}
"""The names of the record in words."""

RULER = "exact, moved"
"""The arm that differs from the exact one in nothing but rounding."""


def _member(form: str, *constants: float) -> Callable[[np.ndarray], np.ndarray]:
    function, _ = MEMBERS[form]
    return lambda x: function(x, *constants)


@cache
def functions() -> Mapping[str, Callable[[np.ndarray], np.ndarray]]:
    """The forms that took each other's place, by their names in the record."""
    pinned, free, sigmoid = (stored(form, "GELU", "sup") for form in MEMBERS)
    return {
        "exact": gelu,
        "tanh": gelu_tanh,
        "sigmoid": gelu_sigmoid,
        "tanh, best k": _member("tanh-pinned", float(pinned.constant)),
        "tanh, both best": _member("tanh-free", *map(float, free.parameters.values())),
        "sigmoid, best c": _member("sigmoid", float(sigmoid.constant)),
        "tanh, 0.0447": _member("tanh-pinned", 0.0447),
        "tanh, 0.0447149": _member("tanh-pinned", 0.0447149),
        "silu": lambda x: x * expit(x),
        "relu": lambda x: np.maximum(x, 0),
    }


@cache
def apart(one: str, other: str) -> float:
    """The largest distance of two forms that is found on a fine grid."""
    x = np.linspace(-12, 12, 24_001)
    return float(np.max(np.abs(functions()[one](x) - functions()[other](x))))


def noise(network: Network) -> float:
    """The standard deviation over the seeds of what nothing but rounding changes."""
    return paired(network.losses(RULER), network.losses("exact")).sd


def between_seeds(network: Network) -> float:
    """The standard deviation of the loss from seed to seed."""
    return float(network.losses("exact").std(ddof=1))


def swap(network: Network, trained: str, other: str, of: str = "loss") -> Difference:
    """What a swap changes in the mean over the seeds."""
    changes = network.change(trained, other, of)
    return paired(changes, np.zeros_like(changes))


def swapped(network: Network, trained: str) -> list[str]:
    """The forms of full precision that took the place of a trained one."""
    return [other for other in network.swaps[trained] if other in NAMES]


def typical(network: Network, trained: str, other: str) -> float:
    """The root mean square over the seeds of what a swap changes in the loss."""
    return float(np.sqrt(np.mean(network.change(trained, other) ** 2)))


def missed(network: Network, trained: str, other: str) -> float:
    """Which part of a change the first order misses, both as root mean squares over the seeds."""
    error = network.foreseen(trained, other) - network.change(trained, other)
    return float(np.sqrt(np.mean(error**2))) / typical(network, trained, other)


def training(network: Network, arm: str, against: str = "exact") -> Difference:
    """How far the losses of two ways of training are apart, in pairs of the same seed."""
    return paired(network.losses(arm), network.losses(against))


def steps_back(network: Network, form: str) -> list[int | None]:
    """After how many steps of fine-tuning the loss is back, for each seed; None if it is not.

    Back is a loss of at most that before the swap, plus ``between_seeds``.
    """
    steps = network.plan["tuned_to"]
    return [
        next((n for n, too_high in zip(steps, row, strict=True) if not too_high), None)
        for row in outside(network, form)
    ]


def outside(network: Network, form: str) -> np.ndarray:
    """Whether the loss is not back: a row for each seed, a column for each step looked at."""
    allowed = network.losses("exact") + between_seeds(network)
    return network.tuned_by(form) > allowed[:, None]


def behind(network: Network, form: str) -> Difference:
    """How far a form is, after the last step of fine-tuning, behind a network that kept its own."""
    return paired(network.tuned_by(form)[:, -1], network.tuned_by("exact")[:, -1])
