"""The room of the chapter on claims: the proofs of its results, in ``registered``."""
