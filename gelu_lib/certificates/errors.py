"""What a certificate says when it cannot be given."""

from __future__ import annotations


class CertificationError(ArithmeticError):
    """A step of a proof does not hold, or was not shown to hold.

    Attributes:
        step: the step that failed, one of ``STEPS``.
    """

    def __init__(self, step: str, reason: str) -> None:
        if step not in STEPS:
            raise ValueError(f"step must be one of {STEPS}, got {step!r}")
        super().__init__(f"{step}: {reason}")
        self.step = step


STEPS = ("claim", "solution", "peaks", "bound", "tail", "optimality", "digits")
"""The steps of a proof, in order. The claim has the right shape; the equations have exactly one
solution in the box; the error has one peak in each neighbourhood; elsewhere it is smaller; beyond
the last piece too; no other parameters are as good; the digits that were asked for are reached."""
