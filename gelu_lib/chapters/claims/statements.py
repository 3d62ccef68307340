"""What the sources state, and how a verdict comes about.

``data/claims.toml`` has the statements in our words. A statement about mathematics, numbers or code
has a check, and no verdict of its own: the verdict follows from what the check finds. A human
chooses one thing only, how serious a failure is, and only among what the finding allows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from gelu_lib.chapters.claims.checks import Check

RIGHT, ROUNDED = "right", "right to the digits given"
SLIP, WRONG, MISLEADING = "slip", "wrong", "misleading"
OPEN = "not verifiable here"

VERDICTS = (RIGHT, ROUNDED, SLIP, MISLEADING, WRONG, OPEN)
"""Every verdict there is."""

_REQUIRED = ("post", "where", "claim")
_OPTIONAL = ("severity", "editorial", "correct", "note", "see")


class ClaimError(ValueError):
    """A verdict contradicts its check, or the data of a claim break a rule."""


@dataclass(frozen=True)
class Checks:
    """What decides a statement.

    Attributes:
        printed: the check of the statement as it was printed.
        repaired: the check of what stands in its place; needed if the statement fails.
    """

    printed: Check
    repaired: Check | None = None


@dataclass(frozen=True)
class Claim:
    """One statement of a source.

    Attributes:
        id: the permanent ID.
        post: the source, a key of the bibliography.
        where: the place in the source, in a few words.
        claim: what is stated, in our words; Markdown with TeX.
        severity: how serious a computed failure is: slip, misleading or wrong; or empty.
        editorial: the verdict on a statement that no computation can decide; or empty.
        correct: what holds instead; Markdown. For an editorial verdict, the reason.
        note: what else is worth knowing; Markdown; may be empty.
        see: the IDs of results to look at, separated by spaces; may be empty.
    """

    id: str
    post: str
    where: str
    claim: str
    severity: str = ""
    editorial: str = ""
    correct: str = ""
    note: str = ""
    see: str = ""


@dataclass(frozen=True)
class Assessment:
    """The verdict on a claim and what stands behind it.

    Attributes:
        claim: the claim.
        verdict: one of ``VERDICTS``.
        computed: whether a check decided; otherwise the verdict is editorial.
        evidence: what the checks found, Markdown; empty for an editorial verdict.
    """

    claim: Claim
    verdict: str
    computed: bool
    evidence: str


def parse(text: str) -> dict[str, Claim]:
    """Read the data file, given as text.

    Args:
        text: TOML with one table for each claim.

    Returns:
        The claims by ID, in the order of the file.

    Raises:
        ClaimError: naming the claim and the rule that it breaks.
    """
    return {id: _claim(id, fields) for id, fields in tomllib.loads(text).items()}


def assess(claim: Claim, checks: Checks | None) -> Assessment:
    """The verdict on a claim.

    Without checks the verdict is editorial, with a reason. With checks it is computed: a statement
    that holds is right, or right to the digits given; one that fails is what ``severity`` says, and
    what is put in its place must hold.

    Args:
        claim: the claim.
        checks: what decides it; None if it is editorial.

    Returns:
        The assessment.

    Raises:
        ClaimError: if what the data say and what the checks find do not go together.
        Undecided: if a check decides nothing.
    """

    def refuse(rule: str) -> ClaimError:
        return ClaimError(f"{claim.id}: {rule}")

    if checks is None:
        if claim.editorial not in VERDICTS or not claim.correct or claim.severity:
            raise refuse("without a check a claim needs an editorial verdict, and a reason")
        return Assessment(claim, claim.editorial, False, "")
    if claim.editorial:
        raise refuse("what a check decides has no editorial verdict")
    found = checks.printed.outcome()
    allowed = ("",) if found.holds else (SLIP, MISLEADING, WRONG)
    if claim.severity not in allowed:
        state = "holds" if found.holds else "fails"
        raise refuse(f"the statement {state} ({found.evidence}); severity is {claim.severity!r}")
    if not claim.severity:
        if checks.repaired is not None:
            raise refuse("a statement that is right needs no repair")
        return Assessment(claim, ROUNDED if found.rounded else RIGHT, True, found.evidence)
    return Assessment(claim, claim.severity, True, _with_repair(claim, checks, found.evidence))


def _with_repair(claim: Claim, checks: Checks, evidence: str) -> str:
    if checks.repaired is None or not claim.correct:
        raise ClaimError(f"{claim.id}: what holds instead must be stated, and checked")
    repaired = checks.repaired.outcome()
    if not repaired.holds:
        raise ClaimError(f"{claim.id}: what is put in its place fails: {repaired.evidence}")
    return f"{evidence}. Put right: {repaired.evidence}"


def _claim(id: str, fields: object) -> Claim:
    if not isinstance(fields, Mapping):
        raise ClaimError(f"{id}: {fields!r} is no table with the fields of a claim")
    missing = [name for name in _REQUIRED if not fields.get(name)]
    unknown = sorted(set(fields) - {*_REQUIRED, *_OPTIONAL})
    if missing or unknown:
        raise ClaimError(f"{id}: missing {missing}, unknown {unknown}")
    for name, value in fields.items():
        if not isinstance(value, str) or "|" in value or "\n" in value.strip():
            accepted = "one line of text without a vertical bar"
            raise ClaimError(f"{id}: {name} is {value!r}; accepted is {accepted}")
    return Claim(id=id, **{name: value.strip() for name, value in fields.items()})
