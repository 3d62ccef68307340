"""The chapter history: how the numbers of its results are proved."""

from __future__ import annotations

from sympy import Expr

from gelu_lib.chapters.recipes import Certification, Certified
from gelu_lib.fits.quantities import largest
from gelu_lib.functions.expressions import X
from gelu_lib.provenance.classical import approximations, audit, audited_error


def audited(id: str, of: str) -> Certification:
    """The largest error of a classical approximation."""

    def meant() -> Expr:
        here = (X >= 0) & (approximations()[id].end >= X)
        return largest(audited_error(approximations()[id], of), here)

    return Certified(meant, lambda digits: {"": audit(approximations()[id], of, digits)})


CERTIFIED: dict[str, Certification] = {
    "hastings-error-phi": audited("hastings-5", "Phi"),
    "hastings-error-gelu": audited("hastings-5", "GELU"),
    "bowling-printed-error-phi": audited("bowling", "Phi"),
    "bowling-printed-error-gelu": audited("bowling", "GELU"),
    "waissi-rossin-error": audited("waissi-rossin", "Phi"),
}
