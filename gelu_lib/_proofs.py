"""What computes with the extra ``proofs`` imports this first, and so says if that is missing.

What proves asks for python-flint besides, which is not everywhere, when it computes.
"""

from gelu_lib._extras import LOADED_PACKAGES, need

need(*LOADED_PACKAGES)
