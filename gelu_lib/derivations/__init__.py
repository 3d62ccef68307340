"""Why is it true: chains of equations whose every step is checked when it is written.

The engine, from the ground up: ``notation`` (what a named function means and how it is set in
TeX), ``deciding`` and ``existence`` (the provers), ``rules`` (the kinds of step),
``counterexamples`` and ``chain`` (the derivation itself). The identities stand in a folder of
their own.
"""

import gelu_lib._proofs
