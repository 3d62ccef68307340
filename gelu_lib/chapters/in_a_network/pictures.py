"""The pictures of the chapter; each returns what it drew."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib.chapters.in_a_network.changes import (
    NAMES,
    RULER,
    apart,
    between_seeds,
    noise,
    swapped,
    training,
    typical,
)
from gelu_lib.chapters.in_a_network.inputs import spread
from gelu_lib.chapters.in_a_network.record import Network, networks
from gelu_lib.show.style import BLUE, COLOURS, DASHES, GREEN, GREY, INK, ORANGE, Drawn

SHOWN = {
    "exact": ("relu", "silu", "sigmoid", "sigmoid, best c", "tanh", "tanh, best k"),
    "tanh": ("sigmoid", "exact", "tanh, 0.0447", "tanh, 0.0447149"),
    "sigmoid": ("exact",),
}
"""The swaps of the first picture: for each trained form those that take its place."""
MARKS = {"exact": ("o", BLUE), "tanh": ("s", ORANGE), "sigmoid": ("D", GREEN)}
BESIDE = {
    ("exact", "relu"): ("ReLU", (-9, 2), "right"),
    ("exact", "silu"): ("SiLU", (-9, -8), "right"),
    ("exact", "sigmoid"): ("sigmoid form", (-9, 4), "right"),
    ("exact", "tanh"): ("tanh form", (-9, 4), "right"),
    ("tanh", "tanh, 0.0447"): ("0.0447", (-9, 4), "right"),
    ("tanh", "tanh, 0.0447149"): ("0.0447149", (9, -4), "left"),
}
"""Words in the first picture: where they stand beside a point, in points, and their side."""


def opening() -> dict[str, Drawn]:
    """How much a swap changes the loss, against how far the two forms are apart.

    Returns:
        For each network the root mean square over the seeds, by the trained form, as points.
    """
    panels = plt.figure(figsize=(5.4, 7.0)).subplots(2, sharex=True)
    drawn = {}
    for axes, network in zip(panels, networks().values(), strict=True):
        drawn[network.name] = _swaps(axes, network)
        axes.set_title(network.name, loc="left", fontsize="medium")
        axes.set_ylabel("change of the loss")
    panels[-1].set_xlabel("largest distance of the two forms")
    plt.tight_layout()
    return drawn


def _swaps(axes: Axes, network: Network) -> Drawn:
    points = {}
    axes.set_xscale("log")
    axes.set_yscale("log")
    for trained, (mark, colour) in MARKS.items():
        sizes = np.array([apart(trained, other) for other in SHOWN[trained]])
        changes = [np.abs(network.change(trained, other)) for other in SHOWN[trained]]
        means = np.array([typical(network, trained, other) for other in SHOWN[trained]])
        for size, change in zip(sizes, changes, strict=True):
            axes.plot(np.full(change.size, size), change, mark, color=colour, ms=2.5, alpha=0.45)
        axes.plot(sizes, means, mark, color=colour, ms=7, linestyle="none")
        points[trained] = (sizes, means)
        for other, size, mean in zip(SHOWN[trained], sizes, means, strict=True):
            if (trained, other) in BESIDE:
                words, offset, side = BESIDE[trained, other]
                beside = {"textcoords": "offset points", "ha": side, "fontsize": "small"}
                axes.annotate(words, (size, mean), offset, color=colour, **beside)
    axes.set_xlim(4e-10, 1)
    low, high = axes.get_ylim()
    axes.axhspan(low / 10, between_seeds(network), color=GREY, alpha=0.15, linewidth=0)
    axes.axhline(noise(network), color=INK, linewidth=1, linestyle=":")
    axes.set_ylim(low, 5 * high)
    words = {"xycoords": ("axes fraction", "data"), "fontsize": "small", "color": INK}
    beyond = {**words, "textcoords": "offset points", "xytext": (0, 4)}
    axes.annotate("from seed to seed", (0.02, between_seeds(network)), **beyond)
    axes.annotate("rounding alone", (0.98, noise(network)), ha="right", **beyond)
    return Drawn(points=points)


ARMS = ("tanh", "exact, tanh slope", "sigmoid", "silu", "relu")
LINEAR = 1e-4
"""Closer to 0 than this the axis of differences is linear."""


def after_training() -> dict[str, Drawn]:
    """How far networks that were trained with another form are from those of the exact one.

    Returns:
        For each network the differences of all seeds, by arm, as points (difference, row).
    """
    panels = plt.figure(figsize=(5.4, 5.4)).subplots(2, sharex=True)
    drawn = {}
    for axes, network in zip(panels, networks().values(), strict=True):
        points = {}
        for row, arm in enumerate((RULER, *ARMS)):
            found = training(network, arm)
            differences = network.losses(arm) - network.losses("exact")
            points[arm] = (differences, np.full(differences.size, float(row)))
            axes.plot(*points[arm], "o", color=GREY if arm == RULER else BLUE, ms=3, alpha=0.5)
            axes.hlines(row + 0.25, found.low, found.high, color=INK, linewidth=2)
            axes.plot(found.mean, row + 0.25, "D", color=INK, ms=4)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_xscale("symlog", linthresh=LINEAR)
        axes.set_xticks([-1e-2, 0, 1e-4, 1e-2])
        axes.set_yticks(range(len(points)), [SHORT.get(arm, NAMES[arm]) for arm in points])
        axes.set_ylim(len(points) - 0.4, -0.6)
        axes.set_title(network.name, loc="left", fontsize="medium")
        drawn[network.name] = Drawn(points=points)
    panels[-1].set_xlabel("loss, less that of the exact form")
    plt.tight_layout()
    return drawn


SHORT = {RULER: "rounding alone", "exact, tanh slope": "exact, tanh slope"}


def foresight() -> Drawn:
    """The change of the loss that the first order foresees, against the one that was measured.

    Returns:
        For each network all swaps in full precision and all seeds, as points.
    """
    axes = plt.figure(figsize=(5.4, 4.6)).add_subplot()
    points = {}
    for network, mark, colour in zip(networks().values(), "os", (BLUE, ORANGE), strict=True):
        found = [
            (network.foreseen(trained, other), network.change(trained, other))
            for trained in network.swaps
            for other in swapped(network, trained)
        ]
        foreseen, measured = (np.concatenate(parts) for parts in zip(*found, strict=True))
        points[network.name] = (foreseen, measured)
        style = {"color": colour, "ms": 3.5, "alpha": 0.6, "linestyle": "none"}
        axes.plot(np.abs(foreseen), np.abs(measured), mark, label=network.name, **style)
    ends = np.array([1e-12, 1.0])
    axes.plot(ends, ends, color=INK, linewidth=0.8, linestyle="-")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("foreseen by the first order")
    axes.set_ylabel("measured")
    axes.legend(loc="upper left")
    return Drawn(points=points)


def inputs_of_gelu() -> dict[str, Drawn]:
    """How the inputs of GELU are spread in each layer, after training, beside the standard normal.

    Returns:
        For each network the densities by layer.
    """
    panels = plt.figure(figsize=(5.4, 5.4)).subplots(2)
    drawn = {}
    for axes, network in zip(panels, networks().values(), strict=True):
        last = str(network.plan["steps"])
        curves = {}
        for layer in range(len(network.inputs[last])):
            found = spread(network, last, layer)
            curves[f"layer {layer + 1}"] = _coarse(found.middles, found.shares)
        for (name, curve), colour, dashes in zip(curves.items(), COLOURS, DASHES, strict=False):
            axes.plot(*curve, color=colour, linestyle=dashes, label=name)
        x = np.linspace(-8, 8, 401)
        normal = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
        axes.plot(x, normal, color=INK, linewidth=0.9, linestyle="-", label="standard normal")
        axes.set_xlim(-7, 7)
        axes.set_ylim(0, 0.9)
        axes.set_ylabel("density")
        axes.set_title(network.name, loc="left", fontsize="medium")
        axes.legend(loc="upper left", fontsize="small")
        drawn[network.name] = Drawn(curves)
    panels[-1].set_xlabel("input of GELU")
    plt.tight_layout()
    return drawn


def _coarse(x: np.ndarray, shares: np.ndarray, together: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """The density with as many bins in one."""
    width = (x[1] - x[0]) * together
    return x.reshape(-1, together).mean(1), shares.reshape(-1, together).sum(1) / width


def after_tuning() -> dict[str, Drawn]:
    """How the loss goes on after a swap, while the network is trained on.

    Returns:
        For each network the mean over the seeds of the loss, less that before the swap, by form.
    """
    panels = plt.figure(figsize=(5.4, 5.8)).subplots(2, sharex=True)
    drawn = {}
    for axes, network in zip(panels, networks().values(), strict=True):
        curves = {}
        steps = np.array(network.plan["tuned_to"])
        before = network.losses("exact")[:, None]
        for form, mark, colour in zip(network.tuned, "os^Dv", (GREY, *COLOURS), strict=True):
            losses = (network.tuned_by(form) - before).mean(axis=0)
            curves[form] = (steps, losses)
            style = {"color": colour, "marker": mark, "ms": 4, "linestyle": "-"}
            axes.plot(np.arange(steps.size), losses, label=f"to {NAMES[form]}", **style)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xticks(range(steps.size), map(str, steps))
        axes.set_ylabel("loss, less that\nbefore the swap")
        axes.set_title(network.name, loc="left", fontsize="medium")
        drawn[network.name] = Drawn(curves)
    panels[0].legend(fontsize="small")
    panels[-1].set_xlabel("steps of fine-tuning")
    plt.tight_layout()
    return drawn
