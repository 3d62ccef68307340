"""Figures of rounded results: where they are the same number, and the best constant for a type."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib.activations import gelu
from gelu_lib.figures.style import BLUE, DASHES, INK, ORANGE, Drawn
from gelu_lib.floats.agreement import agreeing, steps_apart
from gelu_lib.floats.best_for_type import binding_inputs, least_steps, reach
from gelu_lib.floats.rounded_constants import TANH, ConstantForm
from gelu_lib.floats.types import all_finite

TYPES = {"float16": BLUE, "bfloat16": ORANGE}
"""The types of 16 bits and their colours."""


def same_number(left: float = -14.0, right: float = 5.0, width: float = 0.25) -> dict[str, Drawn]:
    """Where along the line each form rounds to another number than GELU; one panel for each type.

    Above the axis stands the share of the floats at which the tanh form differs, below it that of
    the sigmoid form. White is where it is the same number.

    Args:
        left: the left end of the axis.
        right: the right end.
        width: shares are taken over pieces so wide.

    Returns:
        For each type the shares of the floats that differ, against the left ends of the pieces.
    """
    panels = plt.figure(figsize=(5.4, 4.6)).subplots(len(TYPES), sharex=True, sharey=True)
    edges, drawn = np.arange(left, right + width / 2, width), {}
    for axes, dtype in zip(panels, TYPES, strict=True):
        tanh, sigmoid = (_differing(dtype, edges, f"{name} form") for name in ("tanh", "sigmoid"))
        axes.stairs(tanh, edges, fill=True, color=BLUE)
        axes.stairs(-sigmoid, edges, fill=True, facecolor=ORANGE, edgecolor="white", hatch="////")
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_ylim(-1.05, 1.05)
        axes.set_yticks([0.5, -0.5], ["tanh form", "sigmoid form"])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_title(dtype, loc="left", fontsize="medium")
        drawn[dtype] = Drawn(
            {"tanh form": (edges[:-1], tanh), "sigmoid form": (edges[:-1], sigmoid)}
        )
    panels[-1].set_xlabel("x")
    plt.tight_layout()
    return drawn


def _differing(dtype: str, edges: np.ndarray, form: str) -> np.ndarray:
    """The share of the floats between two edges that a form rounds to another number than GELU."""
    x = all_finite(dtype).astype(np.float64)
    floats, _ = np.histogram(x, edges)
    others, _ = np.histogram(x[~agreeing(dtype, "exact", form)], edges)
    return others / floats


def best_constant_by_inputs(left: float = -13.5, form: ConstantForm = TANH) -> dict[str, Drawn]:
    """The best constant, and how far the results are from GELU, against the least input.

    The upper panel has the constant that keeps the farthest result nearest, the lower panel how
    many floats away that result is, with this constant and with the famous one.

    Args:
        left: the left end of the axis.
        form: the form whose constant is sought.

    Returns:
        For each type the constants, their steps, and the steps of the famous constant.
    """
    upper, lower = plt.figure(figsize=(5.4, 5.6)).subplots(2, sharex=True)
    drawn = {}
    for (dtype, colour), dashes in zip(TYPES.items(), DASHES, strict=False):
        ends, constants, steps = _reaches(form, dtype, left)
        least, famous = _famous_steps(form, dtype, left)
        style = {"color": colour, "linestyle": dashes}
        upper.plot(ends, constants, label=dtype, **style)
        lower.plot(ends, steps, label=f"{dtype}, best {form.letter}", **style)
        name = f"{dtype}, {float(form.famous)}"
        lower.plot(least, famous, linewidth=1, label=name, color=colour, linestyle=":")
        drawn[dtype] = Drawn(
            {"constant": (ends, constants), "best": (ends, steps), name: (least, famous)}
        )
    _finish(upper, lower, form)
    return drawn


def _finish(upper: Axes, lower: Axes, form: ConstantForm) -> None:
    upper.axhline(float(form.famous), color=INK, linewidth=1)
    upper.annotate(str(float(form.famous)), (-13.4, float(form.famous)), va="bottom", color=INK)
    upper.set_ylabel(f"best constant {form.letter}")
    upper.legend(loc="lower right")
    lower.set_yscale("log")
    lower.set_ylabel("floats between farthest\nresult and GELU")
    lower.set_xlabel("least input that counts")
    lower.legend(loc="lower left", fontsize="small")
    plt.tight_layout()


def _reaches(form: ConstantForm, dtype: str, left: float) -> tuple[np.ndarray, ...]:
    """How far to the left some numbers of steps reach, with which constant, and these numbers."""
    (whole,) = least_steps(form, all_finite(dtype), [left])
    inputs = binding_inputs(form, all_finite(dtype))
    counts = {*np.geomspace(1, whole.steps, 33).astype(int).tolist(), whole.steps - 1}
    steps = sorted(counts - {0})
    reached, constants = zip(*(reach(form, inputs, count) for count in steps), strict=True)
    ends = [left if end is None else max(end, left) for end in reached]
    return np.array(ends), np.mean(constants, axis=1), np.array(steps)


def _famous_steps(form: ConstantForm, dtype: str, left: float) -> tuple[np.ndarray, np.ndarray]:
    """The farthest result with the famous constant among the inputs from each one on."""
    inputs = all_finite(dtype)
    inputs = inputs[(inputs.astype(float) >= left) & (inputs.astype(float) < 8)]
    apart = steps_apart(form.rounded(inputs), gelu(inputs))
    farthest = np.maximum.accumulate(apart[::-1])[::-1]
    drawn = (inputs.astype(float) < 0) & (farthest > 0)
    return inputs.astype(float)[drawn], farthest[drawn]
