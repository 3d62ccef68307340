"""How does a notebook show it: the house style, error curves, tables, numbers, results.

A chapter computes in its own cells. What its cells share stands here, and is loaded when it is
asked for: ``Table`` and ``say`` round numbers, for a table and for the text; ``plot_errors`` and
``plot_panels`` draw the errors of forms; ``show_results`` and ``show_theorem`` show entries
of the register; ``slider`` lets a reader move the numbers of a figure.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what ``__getattr__`` loads, for type checkers and editors
    from gelu_lib.show.curves import plot_errors as plot_errors
    from gelu_lib.show.curves import plot_panels as plot_panels
    from gelu_lib.show.results import show_results as show_results
    from gelu_lib.show.results import show_theorem as show_theorem
    from gelu_lib.show.sliders import slider as slider
    from gelu_lib.show.tables import Table as Table
    from gelu_lib.show.tables import say as say

_HOME = {
    "plot_errors": "curves",
    "plot_panels": "curves",
    "show_results": "results",
    "show_theorem": "results",
    "slider": "sliders",
    "Table": "tables",
    "say": "tables",
}

__all__ = ["Table", "plot_errors", "plot_panels", "say", "show_results", "show_theorem", "slider"]


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: the site needs no Matplotlib."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
