"""What an installation lacks, and which extra brings it; on the ground floor, below every wing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

PROOFS = ("sympy", "scipy", "mpmath", "flint")
"""The packages of the extra ``proofs``; what needs none of them loads NumPy alone."""


def has_proofs() -> bool:
    """Whether all that the extra ``proofs`` brings is installed."""
    return all(map(find_spec, PROOFS))


def need_proofs(wing: str) -> None:
    """Load SymPy, without which no module of a wing works, or say which extra brings it.

    Raises:
        ModuleNotFoundError: if it is not installed.
    """
    try:
        import_module("sympy")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(lacking(wing, error), name=error.name) from None


def lacking(what: str, error: ModuleNotFoundError) -> str:
    """The sentence that says what to install."""
    return f"{what} needs {error.name}; run: pip install 'gelu_lib[proofs]'"
