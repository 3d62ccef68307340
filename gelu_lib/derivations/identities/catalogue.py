"""Every derivation of the book, found by the ID under which the register lists its result."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from gelu_lib.derivations.chain import Derivation
from gelu_lib.derivations.identities import (  # noqa: F401 (a module lists what it builds)
    BUILDERS,
    left_tail,
    neighbours,
    phi_erf,
    slopes,
)

IDENTITIES: Mapping[str, Callable[..., Derivation]] = MappingProxyType(BUILDERS)
"""The derivations by ID, each as a function that builds it once."""


class UnknownDerivationError(KeyError):
    """There is no derivation under an ID."""

    def __str__(self) -> str:
        return self.args[0]  # KeyError would print the message in quotation marks


def derivation(id: str) -> Derivation:
    """The derivation of a result of the book.

    Args:
        id: the ID of the result, one of the keys of ``IDENTITIES``.

    Returns:
        The derivation, every step of which has been checked. The second call is free.

    Raises:
        UnknownDerivationError: if no derivation has that ID; the message lists those that exist.
            It is a ``KeyError``.

    Example:
        >>> from gelu_lib import derivation
        >>> for step in derivation("gelu-erf").all_steps:
        ...     print(step.relation, step.expression)
        = x*Phi(x)
        = (x/2)*(erf(sqrt(2)*x/2) + 1)
    """
    if id not in IDENTITIES:
        close = difflib.get_close_matches(str(id), IDENTITIES, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        known = ", ".join(IDENTITIES)
        raise UnknownDerivationError(f"id is {id!r}{hint}; accepted are {known}")
    return IDENTITIES[id]()
