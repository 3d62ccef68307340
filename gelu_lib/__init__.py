"""The library of the GELU book: where 0.044715 and 1.702 come from, checked step by step.

What stands here is the face: the names that most readers need, each loaded when it is asked for.
With NumPy alone they are the activations, ``identify``, ``lookup``, ``form_of`` and ``result``; the
others need the packages of the extra ``proofs``, as ``INSTALL`` in ``_extras`` brings them.
Importing the package loads NumPy at most. Behind it are ten wings, and each answers one question;
a wing imports only from those above it:

- ``register``: what is known, every result and printed literal by its permanent ID
- ``activations``: what is the value of GELU and its forms at every float
- ``functions``: what are Φ, GELU, the families and their series, exactly
- ``derivations``: why is it true, chains of checked steps
- ``fits``: which parameters are about the best, in double precision
- ``certificates``: which are the best and how far is mine, proved by interval arithmetic
- ``floats``: what does rounding do to it
- ``provenance``: what is this code
- ``show``: how does a notebook show it
- ``evidence``: how is the number of a result computed or proved
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from gelu_lib._extras import INSTALL, LOADED_PACKAGES, PROOF_PACKAGES, lacks

if TYPE_CHECKING:  # what ``__getattr__`` loads, for type checkers and editors
    from gelu_lib.activations import gelu as gelu
    from gelu_lib.activations import gelu_derivative as gelu_derivative
    from gelu_lib.activations import gelu_sigmoid as gelu_sigmoid
    from gelu_lib.activations import gelu_sigmoid_derivative as gelu_sigmoid_derivative
    from gelu_lib.activations import gelu_tanh as gelu_tanh
    from gelu_lib.activations import gelu_tanh_derivative as gelu_tanh_derivative
    from gelu_lib.certificates.best.certificate import certify as certify
    from gelu_lib.certificates.best.minimax import minimax as minimax
    from gelu_lib.certificates.best.sup_errors import certified_sup_error as certified_sup_error
    from gelu_lib.derivations.identities.catalogue import derivation as derivation
    from gelu_lib.fits.sampled import sampled_sup_error as sampled_sup_error
    from gelu_lib.floats.best_constants import best_constants as best_constants
    from gelu_lib.functions.expressions import X as X
    from gelu_lib.functions.families import LOGISTIC as LOGISTIC
    from gelu_lib.functions.families import TANH_CUBIC as TANH_CUBIC
    from gelu_lib.functions.families import Family as Family
    from gelu_lib.functions.families import Nonlinear as Nonlinear
    from gelu_lib.functions.families import RationalFamily as RationalFamily
    from gelu_lib.functions.families import odd_logistic as odd_logistic
    from gelu_lib.functions.forms import Form as Form
    from gelu_lib.functions.forms import sigmoid_form as sigmoid_form
    from gelu_lib.functions.forms import tanh_form as tanh_form
    from gelu_lib.functions.links import Link as Link
    from gelu_lib.functions.targets import Target as Target
    from gelu_lib.provenance.atlas.model_names import form_of as form_of
    from gelu_lib.provenance.callables.identify import identify as identify
    from gelu_lib.provenance.literals.lookup import lookup as lookup
    from gelu_lib.register import result as result

__version__ = version("gelu_lib")

FACE = {
    "activations": (
        "gelu",
        "gelu_tanh",
        "gelu_sigmoid",
        "gelu_derivative",
        "gelu_tanh_derivative",
        "gelu_sigmoid_derivative",
    ),
    "functions.expressions": ("X",),
    "functions.families": (
        "Family",
        "LOGISTIC",
        "Nonlinear",
        "RationalFamily",
        "TANH_CUBIC",
        "odd_logistic",
    ),
    "functions.links": ("Link",),
    "functions.targets": ("Target",),
    "functions.forms": ("Form", "sigmoid_form", "tanh_form"),
    "certificates.best.minimax": ("minimax",),
    "certificates.best.certificate": ("certify",),
    "certificates.best.sup_errors": ("certified_sup_error",),
    "fits.sampled": ("sampled_sup_error",),
    "floats.best_constants": ("best_constants",),
    "provenance.callables.identify": ("identify",),
    "provenance.literals.lookup": ("lookup",),
    "provenance.atlas.model_names": ("form_of",),
    "register": ("result",),
    "derivations.identities.catalogue": ("derivation",),
}
"""Which module has which of the names that stand here."""

ELSEWHERE = {
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
    "gelu_python_tanh": "gelu_tanh",
    "quick_gelu": "gelu_sigmoid",
    "gelu_fast_approx": "gelu_sigmoid",
}
"""What a name of transformers or MLX is called here."""

_HOME = {name: module for module, names in FACE.items() for name in names}

_BASE = ("activations", "provenance.", "register")  # where NumPy alone is enough

_LOADS = not any(map(lacks, LOADED_PACKAGES))

# not what would raise: help and ``from gelu_lib import *`` ask for every name
__all__ = [  # noqa: PLE0604  # the names are strings
    "__version__",
    *(name for name, home in _HOME.items() if home.startswith(_BASE) or _LOADS),
]


def _absent(why: str) -> Exception:
    """What ``hasattr`` takes for no; ``from gelu_lib import …`` would drop the text of that."""
    importing = sys._getframe(2).f_code.co_name == "_handle_fromlist"
    return ImportError(why) if importing else AttributeError(why)


def __getattr__(name: str) -> Any:
    """Load a name of the face when it is first asked for."""
    if name in ELSEWHERE:
        raise _absent(f"gelu_lib has no {name}; the same function is {ELSEWHERE[name]}")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        if (
            error.name in PROOF_PACKAGES
        ):  # what pip has not installed, and not a fault of the library
            why = f"gelu_lib.{name} needs {error.name}; run: {INSTALL}"
            raise _absent(why) from None
        raise
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
