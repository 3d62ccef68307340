"""What computes with the extra ``proofs`` imports this first, and so says if that is missing.

Starts in double precision need no python-flint, which is not everywhere; what proves asks for it.
"""

from gelu_lib._extras import PROOF_PACKAGES, need

need(*(package for package in PROOF_PACKAGES if package != "flint"))
