"""How each registered number is computed or proved, at any number of digits.

For each number of the register there is its ID, and in ``CERTIFICATIONS`` a function from a number
of significant digits to proved enclosures. What was measured has as many digits as it has, see
``measured``. A certified result is proved as its statement says, by
``stated``, unless it has a function in ``FUNCTIONS``.

The typed part of the register is read here, and no number of it. ``tools/write_values.py`` writes
what is computed, and a test computes it again.
"""

from __future__ import annotations

from functools import cache

from gelu_lib.certificates.enclosure import Enclosure
from gelu_lib.certificates.facts.left_tail import UNIT_ROUNDOFF, earliest_reach
from gelu_lib.certificates.facts.singularities import certified_first_zero
from gelu_lib.derivations.meaning import statement
from gelu_lib.evidence import cheapest, criteria, in_types, normal_laws, rivals, suprema
from gelu_lib.evidence.divergences import DIVERGENCE_PROOFS
from gelu_lib.evidence.kinds import Certification, Proof, numeral
from gelu_lib.evidence.stated import read_statement
from gelu_lib.precision import DECIDED_DIGITS
from gelu_lib.register import source_fields

FUNCTIONS: dict[str, Certification] = {
    **criteria.CRITERION_PROOFS,
    **in_types.TYPE_PROOFS,
    **rivals.RIVAL_PROOFS,
    **suprema.SUPREMUM_PROOFS,
    **cheapest.CHEAPEST_PROOFS,
    **normal_laws.NORMAL_LAW_PROOFS,
    **DIVERGENCE_PROOFS,
    "mills-float64-place": lambda digits: {
        "": earliest_reach(UNIT_ROUNDOFF, digits + DECIDED_DIGITS)[1]
    },
    "erfc-zero-real": lambda digits: {"": certified_first_zero(digits).real},
    "erfc-zero-imaginary": lambda digits: {"": certified_first_zero(digits).imaginary},
    "artanh-erf-radius": lambda digits: {"": certified_first_zero(digits).radius},
}
"""For each entry whose statement is not handed on, what encloses its numbers."""

WRITTEN_OUT = {
    "gelu-largest-slope", "gelu-smallest-slope", "scale-1702-minimum-place",
    "scale-1702-minimum-value", "taylor-slope", "taylor-cubic", "taylor-quintic", "taylor-septic",
    "taylor-nonic", "tanh-radius", "gelu-normal-second-moment",
}  # fmt: skip
"""The proofs in words that end in a number, which their statements write out."""

READ = [
    id
    for id, entry in source_fields().items()
    if id in WRITTEN_OUT or (entry["status"] == "certified" and id not in FUNCTIONS)
]
"""The entries whose statements say what is proved."""


@cache
def proof(id: str) -> Proof:
    """What proves the number of an entry, read from its statement.

    Raises:
        KeyError: if no entry has this ID.
        NotRead: if its statement is not handed to a proof.
    """
    entry = source_fields()[id]
    others = {name: proof(other) for name, other in entry.get("where", {}).items()}
    return read_statement(statement(entry["statement"], entry.get("assumptions", "")), others)


CERTIFICATIONS: dict[str, Certification] = {
    **FUNCTIONS,
    **{id: lambda digits, id=id: proof(id)(digits) for id in READ},
}
"""For each entry of the register whose numbers are proved, how they are enclosed."""


def compute_digits(id: str, digits: int) -> str:
    """A registered number to significant digits, proved now.

    Args:
        id: the ID of a result that is a number.
        digits: how many significant digits, at least 1.

    Returns:
        A decimal string, rounded to nearest.

    Raises:
        KeyError: if the result is not one proved number, or no result has this ID.
        ValueError: if ``digits`` is not a positive integer.
    """
    _check_digits(digits)
    if id not in CERTIFICATIONS or "" not in (found := CERTIFICATIONS[id](digits)):
        raise KeyError(f"no number has the ID {id!r}; numbers are {', '.join(CERTIFICATIONS)}")
    return numeral(found[""].rounded(digits))


def enclose(id: str, digits: int) -> dict[str, Enclosure]:
    """Proved enclosures of the numbers of a result, computed now.

    Args:
        id: the ID of a result whose numbers are proved.
        digits: how many significant digits, at least 1.

    Returns:
        Enclosures by the names of the numbers; that of a single value is empty.

    Raises:
        KeyError: if the numbers of no result with this ID are proved.
        ValueError: if ``digits`` is not a positive integer.
        CertificationError: if the proof fails.
    """
    _check_digits(digits)
    if id not in CERTIFICATIONS:
        raise KeyError(f"no result with proved numbers has the ID {id!r}")
    return dict(CERTIFICATIONS[id](digits))


def _check_digits(digits: int) -> None:
    if type(digits) is not int or digits < 1:
        raise ValueError(f"digits is {digits!r}; accepted is a positive integer")
