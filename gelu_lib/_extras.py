"""Which packages an extra brings, and what an installation lacks; on the ground floor."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

LOADED_PACKAGES = ("sympy", "scipy", "mpmath")
"""The packages of the extra ``proofs`` that modules load when they are imported."""

PROOF_PACKAGES = (*LOADED_PACKAGES, "flint")
"""The packages of the extra ``proofs``; what needs none of them loads NumPy alone."""

INSTALL = (
    'pip install "scipy>=1.14,<2" "sympy>=1.13,<2" "mpmath>=1.3,<1.4" "python-flint>=0.9,<0.10"'
)
"""What brings them. pip is not asked for gelu_lib, a name that nobody has on its index."""


def lacks(package: str) -> bool:
    """Whether a package is not installed; it is not loaded."""
    return find_spec(package) is None


def need(*packages: str) -> None:
    """Raise a ``ModuleNotFoundError`` that says what to install if a package is not."""
    if missing := next(filter(lacks, packages), ""):
        what = f"this part of gelu_lib needs {missing}; run: {INSTALL}"
        raise ModuleNotFoundError(what, name=missing)


class _OnDemand:
    """Stands for a package, and loads it when something of it is first used."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what copies or inspects asks for those, and proves nothing
            raise AttributeError(name)
        need(self._package)
        value = getattr(import_module(self._package), name, None)
        if value is None:
            other = f"the {self._package} found here has no {name}, as python-flint has"
            raise AttributeError(f"{other}; run: {INSTALL}")
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import flint as flint
else:
    flint = _OnDemand("flint")
    """python-flint: all modules have it from here, so that what proves nothing does without."""
