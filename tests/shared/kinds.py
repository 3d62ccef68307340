"""One of each kind: which cases of a test run always, and which are marked slow."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def slow_but(kept: Callable[[Any], bool], parameters: Iterable[Any]) -> list[Any]:
    """The parameters of a test, of which those that are not kept are marked slow.

    Args:
        kept: whether the case with a parameter runs always.
        parameters: single values or tuples of them, as ``pytest.mark.parametrize`` takes them.

    Raises:
        ValueError: if none is kept: a test that never runs in the ordinary run is no test of it.
    """
    parameters = list(parameters)
    chosen = [parameter for parameter in parameters if kept(parameter)]
    if not chosen:
        raise ValueError("no parameter is kept")
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else (one,)),
            marks=[] if one in chosen else [pytest.mark.slow],
        )
        for one in parameters
    ]
