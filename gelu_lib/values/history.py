"""The numbers of the chapter history."""

from __future__ import annotations

from gelu_lib.classical import approximations, audit
from gelu_lib.values.recipes import Certification


def audited(id: str, of: str) -> Certification:
    """The largest error of a classical approximation."""
    return lambda digits: {"": audit(approximations()[id], of, digits).error}


CERTIFIED: dict[str, Certification] = {
    "hastings-error-phi": audited("hastings-5", "Phi"),
    "hastings-error-gelu": audited("hastings-5", "GELU"),
    "bowling-printed-error-phi": audited("bowling", "Phi"),
    "bowling-printed-error-gelu": audited("bowling", "GELU"),
    "waissi-rossin-error": audited("waissi-rossin", "Phi"),
}
