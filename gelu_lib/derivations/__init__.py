"""Derivations: chains of equations whose every step is checked when it is written.

The rooms, from the ground up: ``notation`` (what a named function means and how it is set in
TeX), ``deciding``, ``growth`` and ``existence`` (the provers), ``rules`` (the kinds of step),
``counterexamples``, ``chain`` (the derivation itself), ``identities`` (those of Φ, erf and GELU),
``slopes`` (those of the derivatives), ``stochastic`` (those of the random input, the (μ, σ) family
and SiLU), ``tails`` (those of the left tail) and ``catalogue`` (all of them, by ID).
"""

from gelu_lib.derivations.catalogue import IDENTITIES, UnknownDerivationError, derivation
from gelu_lib.derivations.chain import Derivation, DerivationError, Step

__all__ = [
    "IDENTITIES",
    "Derivation",
    "DerivationError",
    "Step",
    "UnknownDerivationError",
    "derivation",
]
