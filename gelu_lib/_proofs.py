"""What computes with the extra ``proofs`` imports this first, and so says if that is missing."""

from gelu_lib._extras import PROOFS, lacks

if missing := next(filter(lacks, PROOFS), ""):
    what = f"this part of gelu_lib needs {missing}; run: pip install 'gelu_lib[proofs]'"
    raise ModuleNotFoundError(what, name=missing)
