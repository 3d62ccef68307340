"""Error curves of forms, as several chapters draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from gelu_lib.certificates.best.results import Best
from gelu_lib.fits.start import Start
from gelu_lib.functions.families import LOGISTIC
from gelu_lib.functions.forms import Form, local_form
from gelu_lib.functions.targets import TARGETS
from gelu_lib.show.style import GREY, INK, SIGMOID, TANH, TAYLOR, key_above

ERROR_LABEL = {"Phi": "error of Φ", "GELU": "error of GELU", "GELU_derivative": "error of GELU′"}


def plot_errors(
    forms: Mapping[str, Form],
    target: str = "Phi",
    *,
    points: Start | Best | None = None,
    end: float = 4.5,
    axes: Axes | None = None,
) -> Axes:
    """Draw the errors of forms for x from 0 to an end, the exact value minus the approximation.

    Args:
        forms: the forms by their names; those of two stand at peaks of the curves, if each has one
            outside of the other, and else in a key above the axes.
        target: ``"Phi"``, ``"GELU"`` or ``"GELU_derivative"``, what is approximated.
        points: the best member whose alternation points are marked, with the lines ±E.
        end: where the axis ends.
        axes: where to draw; a new figure if none is given.

    Returns:
        The axes, for what else is to be drawn.
    """
    axes = axes or plt.figure().add_subplot()
    curves = _draw_errors(axes, forms, target, end)
    if points is not None:
        level = float(points.error)
        for height in (-level, level):
            axes.axhline(height, color=GREY, linewidth=0.9, linestyle=":")
        places = [float(place) for place in points.points]
        heights = [sign * level for sign in points.signs]
        axes.plot(places, heights, "o", color=INK, markersize=6, markerfacecolor="none")
    if len(curves) > 1:
        _name_curves(axes, curves)
    return axes


def sketch_error(axes: Axes, form: Form, *, name: str, end: float = 4.6) -> float:
    """Draw a small error curve of Φ without axes, between two lines at its largest size.

    Args:
        axes: where to draw; curves that are to be compared want the same ``ylim``.
        form: the form.
        name: what stands above the curve, in its colour.
        end: where the curve ends.

    Returns:
        The largest size, on a grid.
    """
    x = np.linspace(0, end, 116)
    error, colour = form.error_at(x), _colour(form)
    size = abs(error).max()
    peaks = [at for at in (error.argmax(), error.argmin()) if at]  # at 0 there is none
    axes.plot(x, error, "-", color=colour)
    axes.hlines((-size, 0, size), 0, end, GREY, ":", linewidth=1)
    axes.plot(x[peaks], error[peaks], "o", color=INK, markersize=4)
    axes.set_title(name, size=11, color=colour, pad=1)
    axes.set_axis_off()
    return size


def _draw_errors(axes: Axes, forms: Mapping[str, Form], target: str, end: float) -> list[Line2D]:
    """The error curves of forms, each in the colour of its form, and its own dash."""
    x = np.linspace(0, end, 901)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.locator_params(axis="x", nbins=7)
    axes.set(xlabel="x", ylabel=ERROR_LABEL[target])
    return [
        axes.plot(x, form.error_at(x, target), color=_colour(form), label=name)[0]
        for name, form in forms.items()
    ]


def _name_curves(axes: Axes, curves: Sequence[Line2D]) -> None:
    """Write the names of two curves at their outermost peaks; those of more get a key."""
    peaks = [_outermost(*pair) for pair in (curves, curves[::-1])] if len(curves) == 2 else [None]
    if None in peaks:
        return key_above(axes)
    low, high = axes.get_xlim()
    for curve, (x, y) in zip(curves, peaks, strict=True):
        axes.annotate(
            curve.get_label(),
            (x, y),
            (0, 5 * np.sign(y)),
            textcoords="offset points",
            color=curve.get_color(),
            ha="left" if x < low + (high - low) / 4 else "center",  # not into the axis
            va="bottom" if y > 0 else "top",
        )
    axes.margins(y=0.28)  # room for the names


def _outermost(curve: Line2D, other: Line2D) -> tuple[float, float] | None:
    """The peak of a curve that is farthest outside of another one, if one is clearly so."""
    x, y = curve.get_data()
    room = np.sign(y) * (y - other.get_ydata())
    peaks = 1 + np.flatnonzero((abs(y[1:-1]) > abs(y[:-2])) & (abs(y[1:-1]) >= abs(y[2:])))
    best = max(peaks, key=lambda i: room[i], default=0)  # where no room is
    return (x[best], y[best]) if room[best] > np.ptp([y, other.get_ydata()]) / 20 else None


def _colour(form: Form) -> str:
    """The colour of a form; with the coefficients that match Φ at 0 the tanh form has Taylor's."""
    if not getattr(form.family, "is_odd_logistic", False):  # but a sum or a polynomial of tanh
        return INK
    if form.family == LOGISTIC:
        return SIGMOID
    local = local_form(2 * len(form.parameters) - 1)
    same = form.family == local.family and all(
        value.equals(own)
        for value, own in zip(form.exact.values(), local.exact.values(), strict=True)
    )
    return TAYLOR if same else TANH


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
    for axes, target in zip(panels, TARGETS, strict=True):
        _draw_errors(axes, forms, target, end)
        axes.label_outer()
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper left")
    return list(panels)
