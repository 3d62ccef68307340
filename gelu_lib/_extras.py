"""Which packages an extra brings, and what an installation lacks; on the ground floor."""

from importlib.util import find_spec

PROOF_PACKAGES = ("sympy", "scipy", "mpmath", "flint")
"""The packages of the extra ``proofs``; what needs none of them loads NumPy alone."""


def lacks(package: str) -> bool:
    """Whether a package is not installed; it is not loaded."""
    return find_spec(package) is None


def need(*packages: str) -> None:
    """Raise a ``ModuleNotFoundError`` that says what to install if a package is not."""
    if missing := next(filter(lacks, packages), ""):
        what = f"this part of gelu_lib needs {missing}; run: pip install 'gelu_lib[proofs]'"
        raise ModuleNotFoundError(what, name=missing)
