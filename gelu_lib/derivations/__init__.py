"""Derivations: chains of equations whose every step is checked when it is written.

The rooms, from the ground up: ``notation`` (what a named function means and how it is set in
TeX), ``deciding``, ``growth`` and ``existence`` (the provers), ``rules`` (the kinds of step),
``counterexamples``, ``chain`` (the derivation itself) and ``identities`` (the book's own).
"""

from gelu_lib.derivations.chain import Derivation, DerivationError, Step
from gelu_lib.derivations.identities import IDENTITIES, UnknownDerivationError, derivation

__all__ = [
    "IDENTITIES",
    "Derivation",
    "DerivationError",
    "Step",
    "UnknownDerivationError",
    "derivation",
]
