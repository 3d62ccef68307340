"""Which packages an extra brings, and what an installation lacks; on the ground floor."""

from importlib.util import find_spec

PROOF_PACKAGES = ("sympy", "scipy", "mpmath", "flint")
"""The packages of the extra ``proofs``; what needs none of them loads NumPy alone."""


def lacks(package: str) -> bool:
    """Whether a package is not installed; it is not loaded."""
    return find_spec(package) is None
