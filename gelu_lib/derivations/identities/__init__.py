"""The derivations of the book, by subject; ``catalogue`` has all of them by ID."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps

from sympy import Expr

from gelu_lib.derivations.chain import Derivation

BUILDERS: dict[str, Callable[..., Derivation]] = {}
"""The functions that build the derivations, by the ID of the result."""


def identity(build: Callable[..., Derivation]) -> Callable[..., Derivation]:
    """List a function as the one that builds a derivation, and let it build but once.

    Args:
        build: the function; its name is the ID of the result, with underscores for hyphens.

    Returns:
        The function, cached; what it builds knows by which function it was built.

    Raises:
        ValueError: if another function builds the derivation of that ID.
    """
    name = build.__name__.replace("_", "-")
    if name in BUILDERS:
        raise ValueError(f"two functions build the derivation {name!r}")

    @cache
    @wraps(build)
    def built(*given: Expr, **named: Expr) -> Derivation:
        return replace(build(*given, **named), builder=build)

    BUILDERS[name] = built
    return built
