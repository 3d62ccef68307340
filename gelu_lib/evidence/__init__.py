"""How the number of a result is computed or proved.

A result's statement is read, and what it asks for is handed to the solver and to the proof:
``stated`` reads it, ``kinds`` has the kinds of proofs that there are. What cannot be handed on so
has a function here, and ``proved`` says which.
"""

import gelu_lib._proofs
