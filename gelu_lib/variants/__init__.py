"""Which GELU a callable computes: the exact one, the tanh form, the sigmoid form, or none of them.

``identify`` asks the callable for its values and compares them with the three forms. Each form has
a tolerance at each input (``tolerances``), wide enough for the usual ways to evaluate it
(``evaluations``). Where the tolerances of two forms do not meet, no value is within both. So one
input at which no two of the three meet is enough to tell the forms apart; ``witnesses`` proves by
interval arithmetic that there is one, and that in 16-bit arithmetic there is none for the exact and
the tanh form. Whether a callable is one of the three at all is asked over the whole line
(``inputs``). What is none of them is compared with other functions and other constants
(``others``).

The rooms, from the ground up: ``tolerances``, ``inputs``, ``evaluations``, ``others``,
``callables`` (arrays of NumPy, PyTorch and JAX, and callables that misbehave), ``verdicts``,
``identification``; and, with interval arithmetic, ``witnesses`` and ``ranges`` (which tests pass
the wrong form).
"""

from gelu_lib.variants.callables import LIBRARIES, CallableError
from gelu_lib.variants.identification import identify
from gelu_lib.variants.tolerances import VARIANTS, Tolerance, tolerance, workings
from gelu_lib.variants.verdicts import Evidence, Verdict

__all__ = [
    "LIBRARIES",
    "VARIANTS",
    "CallableError",
    "Evidence",
    "Tolerance",
    "Verdict",
    "identify",
    "tolerance",
    "workings",
]
