"""What are Φ, GELU, the families and their series, exactly: one SymPy expression each.

``expressions`` (Φ, its density, GELU and its two forms), ``families`` (σ of an odd polynomial with
free coefficients: what is fitted), ``tanh_forms`` (the other forms that are built from tanh),
``series`` (Taylor coefficients), ``shape`` (whether a form increases).

The tanh form as an expression is ``expressions.gelu_tanh``; as a family ``families.TANH_CUBIC``; at
every float ``gelu_lib.activations.gelu_tanh``; as programs write it ``gelu_lib.floats.formulas``.
"""

import gelu_lib._proofs
