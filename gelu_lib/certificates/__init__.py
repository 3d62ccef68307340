"""Proofs by interval arithmetic: a fit is the best one, an error is as large as is said.

``certify`` proves that parameters are the best of their family in a sup norm, and encloses them;
``certified_minimax`` finds them first.
``certified_sup_error`` encloses the sup norm of the error of given parameters, and
``prove_error_below`` proves a bound of it. All may fail, and say where; what they return is proved,
as far as python-flint with its library Arb, and SymPy with its rules of signs, are right.

The rooms, in the order of the proof: ``errors`` (the steps, and how a failure is told),
``balls`` (expressions as functions of intervals), ``enclosures`` (numbers between decimals, error
curves), ``solutions`` (the equations have one solution), ``pieces`` (the error on a bounded
interval), ``tails`` (the error beyond), ``optimality`` (no other parameters are as good),
``certificate`` and ``sup_errors`` (the whole).

Other questions have rooms beside it: ``suprema`` with ``decay`` (the largest size of any function),
``zeros`` (how many zeros a disc of the complex plane holds, and where one is), ``least_integrals``
with ``signs`` and ``integrals`` (the L1 and the L2 norm), ``tanh_optima`` with ``tanh_errors`` and
``merging`` (the forms made of tanh), ``increasing`` (degree 7, if it must not fall).
"""

from gelu_lib.certificates.certificate import Certificate, certified_minimax, certify
from gelu_lib.certificates.enclosures import Enclosure
from gelu_lib.certificates.errors import STEPS, CertificationError
from gelu_lib.certificates.sup_errors import (
    CertifiedSupError,
    certified_sup_error,
    prove_error_below,
)

__all__ = [
    "STEPS",
    "Certificate",
    "CertificationError",
    "CertifiedSupError",
    "Enclosure",
    "certified_minimax",
    "certified_sup_error",
    "certify",
    "prove_error_below",
]
