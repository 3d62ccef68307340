"""Sliders in Jupyter Lab, where the site has a live figure."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

from matplotlib import pyplot as plt

MISSING = "For sliders, install ipywidgets; the figures of this notebook need none."
WIDE = {"width": "32em"}  # so that one step can be hit with a mouse


def slider(draw: Callable[..., object], /, **ranges: tuple[float, float, float]) -> None:
    """Let a reader move the arguments of a function that draws; it is called after each move.

    A notebook that a program runs, as the book is executed, has no sliders: nobody would move
    them, and a page with a stored one fetches scripts from another site.

    Args:
        draw: the function. Each argument begins where the function has it by default.
        **ranges: by the name of an argument, its least and largest value, and the step.

    Raises:
        TypeError: if a name is none of an argument with a default.

    Examples:
        >>> def curve(k=0.044715):
        ...     plot_errors({f"{k:.6f}": tanh_form(k)})
        >>> slider(curve, k=(0.044, 0.046, 0.00001))
    """
    arguments = signature(draw).parameters.items()
    starts = {name: one.default for name, one in arguments if one.default is not one.empty}
    if unknown := ranges.keys() - starts.keys():
        accepted = ", ".join(starts) or "none"
        raise TypeError(
            f"{', '.join(sorted(unknown))}: accepted are {accepted}, the arguments with a default"
        )
    if not somebody_runs_it():
        return
    try:
        from ipywidgets import FloatSlider, IntSlider, interact
    except ImportError:
        print(MISSING)
        return

    def moved(**values: float) -> None:  # returns nothing, which would be shown below the figure
        draw(**values)
        plt.show()  # ipywidgets does not know the backend by the name that Matplotlib now gives

    made = {}
    for name, (low, high, step) in ranges.items():
        whole = isinstance(step, int)
        kind, form = (IntSlider, "d") if whole else (FloatSlider, ".6g")
        made[name] = kind(
            starts[name], min=low, max=high, step=step, readout_format=form, layout=WIDE
        )
    interact(moved, **made)


def somebody_runs_it() -> bool:
    """Whether a cell was sent by an editor, which names the cell, and not by a program."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel is not None and "cellId" in kernel.get_parent("shell").get("metadata", {})
