"""What computes with the extra ``proofs`` imports this first, and so says if that is missing."""

from gelu_lib._extras import PROOF_PACKAGES, lacks

if missing := next(filter(lacks, PROOF_PACKAGES), ""):
    what = f"this part of gelu_lib needs {missing}; run: pip install 'gelu_lib[proofs]'"
    raise ModuleNotFoundError(what, name=missing)
