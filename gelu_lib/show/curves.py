"""Error curves of forms, as several chapters draw them."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gelu_lib.fits.criteria import Optimum
from gelu_lib.functions.families import TARGETS
from gelu_lib.functions.forms import Form
from gelu_lib.show.style import GREY, INK, key_above

ERROR_LABEL = {"Phi": "error of Φ", "GELU": "error of GELU", "GELU_derivative": "error of GELU′"}


def plot_errors(
    forms: Mapping[str, Form],
    of: str = "Phi",
    *,
    points: Optimum | None = None,
    end: float = 4.5,
    axes: Axes | None = None,
) -> Axes:
    """Draw the errors of forms for x from 0 to an end, the exact value minus the approximation.

    Args:
        forms: the forms by their names; several get a key above the axes.
        of: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, the function that is approximated.
        points: the optimum whose alternation points are marked, with the lines ±E.
        end: where the axis ends.
        axes: where to draw; a new figure if none is given.

    Returns:
        The axes, for what else is to be drawn.
    """
    axes = axes or plt.figure().add_subplot()
    x = np.linspace(0, end, 901)
    axes.axhline(0, color=INK, linewidth=0.8)
    for name, form in forms.items():
        axes.plot(x, form.error_at(x, of), label=name)
    if points is not None:
        level = float(points.error)
        for height in (-level, level):
            axes.axhline(height, color=GREY, linewidth=0.9, linestyle=":")
        places = [float(place) for place in points.points]
        heights = [sign * level for sign in points.signs]
        axes.plot(places, heights, "o", color=INK, markersize=6, markerfacecolor="none")
    axes.locator_params(axis="x", nbins=7)
    axes.set(xlabel="x", ylabel=ERROR_LABEL[of])
    if len(forms) > 1:
        key_above(axes)
    return axes


def plot_panels(forms: Mapping[str, Form], end: float = 4.5) -> list[Axes]:
    """Draw the errors of forms for Φ, for GELU and for GELU′, one above the other.

    Args:
        forms: the forms by their names.
        end: where the axes end.

    Returns:
        The axes, from the top.
    """
    figure = plt.figure(figsize=(5.4, 7.2), layout="constrained")
    panels = figure.subplots(len(TARGETS), sharex=True)
    for axes, of in zip(panels, TARGETS, strict=True):
        plot_errors(forms, of, end=end, axes=axes)
        axes.label_outer()
        if axes.get_legend():
            axes.get_legend().remove()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left")
    return list(panels)
