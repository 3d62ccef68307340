"""Every statement of the five sources that can be checked, and its verdict.

The statements stand in ``data/claims.toml``, in our words. What decides them stands here, by the
same IDs.

The rooms: ``intervals`` (what interval arithmetic proves), ``numbers`` (what is compared),
``checks`` and ``experiments`` (the kinds of check), ``statements`` (how a verdict comes about),
``programs`` (what the sources' code does), ``common`` (what several sources state), then one module
for each source, and ``myths`` (what is said in other places).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from gelu_lib.chapters.claims import clay, hello_statisticians, myths, note_en, note_zh, su
from gelu_lib.chapters.claims.checks import Outcome, Undecided
from gelu_lib.chapters.claims.numbers import link
from gelu_lib.chapters.claims.statements import (
    MISLEADING,
    SLIP,
    VERDICTS,
    WRONG,
    Assessment,
    Checks,
    Claim,
    ClaimError,
    assess,
    parse,
)
from gelu_lib.chapters.tables import Table

__all__ = [
    "CHECKS",
    "POSTS",
    "VERDICTS",
    "Assessment",
    "Checks",
    "Claim",
    "ClaimError",
    "Outcome",
    "Undecided",
    "assessments",
    "counts",
    "faults",
    "myth_assessments",
    "myth_table",
    "table",
]

POSTS: Mapping[str, str] = MappingProxyType(
    {
        "gelunote-en": "Note in English",
        "gelunote-zh": "Note in Chinese",
        "hellostatisticians": "Hello Statisticians",
        "su2020gelu": "Su Jianlin",
        "clay2024gelu": "Clay",
    }
)
"""What this book calls the five sources, by their keys in the bibliography."""

CHECKS: Mapping[str, Checks] = MappingProxyType(
    {
        id: checks
        for source in (note_en, note_zh, hello_statisticians, su, clay)
        for id, checks in source.CHECKS.items()
    }
)
"""What decides each claim that is not editorial, by its ID."""


@cache
def assessments() -> Mapping[str, Assessment]:
    """Every claim with its verdict, by ID, in the order of the data file.

    Raises:
        ClaimError: if a verdict contradicts its check, a check has no claim, or a source is
            unknown.
        Undecided: if a check decides nothing.
    """
    found = _assessed("claims.toml", CHECKS)
    for id, assessment in found.items():
        if assessment.claim.post not in POSTS:
            raise ClaimError(f"{id}: {assessment.claim.post!r} is none of {', '.join(POSTS)}")
    return found


@cache
def myth_assessments() -> Mapping[str, Assessment]:
    """What is said of the constants in other places, with its verdict, by ID.

    Raises:
        ClaimError: if a verdict contradicts its check, or a check has no claim.
        Undecided: if a check decides nothing.
    """
    return _assessed("myths.toml", myths.CHECKS)


def _assessed(name: str, checks: Mapping[str, Checks]) -> Mapping[str, Assessment]:
    """Every claim of a data file with its verdict, by ID, in the order of the file."""
    claims = parse((files("gelu_lib") / "data" / name).read_text(encoding="utf-8"))
    strays = sorted(set(checks) - set(claims))
    if strays:
        raise ClaimError(f"{', '.join(strays)}: checks without a claim")
    return MappingProxyType({id: assess(claim, checks.get(id)) for id, claim in claims.items()})


def counts() -> Mapping[str, Mapping[str, int]]:
    """For each source, how many of its statements have each verdict."""
    found = {post: Counter() for post in POSTS}
    for assessment in assessments().values():
        found[assessment.claim.post][assessment.verdict] += 1
    return {post: {v: tally[v] for v in VERDICTS} for post, tally in found.items()}


def table(post: str) -> Table:
    """The claims of one source with their verdicts, as a table for the site.

    Args:
        post: one of ``POSTS``.

    Returns:
        A table with one row for each claim. The first cell carries the anchor ``claim-ID``.

    Raises:
        ValueError: if ``post`` is none of the sources.
    """
    if post not in POSTS:
        raise ValueError(f"post is {post!r}; accepted are {', '.join(POSTS)}")
    rows = [_row(found) for found in assessments().values() if found.claim.post == post]
    return Table(["Verdict and statement", "What holds, and how it is known"], rows)


def myth_table() -> Table:
    """What is said in other places with its verdict and its source, as a table for the site."""
    rows = []
    for found in myth_assessments().values():
        head, told = _row(found)
        rows.append([f"{head} {{cite}}`{found.claim.post}`", told])
    return Table(["Verdict and statement", "What holds, and how it is known"], rows)


def faults() -> Table:
    """Every statement that is a slip, misleading or wrong, as a table with links to the rows."""
    rows = []
    for id, found in assessments().items():
        if found.verdict in (SLIP, MISLEADING, WRONG):
            name = f'<a href="#claim-{id}">{id}</a>'
            rows.append([f"{_verdict(found)}<br>{name}", _sentence(found.claim.correct)])
    return Table(["Verdict and statement", "What holds"], rows)


def _verdict(found: Assessment) -> str:
    return f"**{found.verdict}**" + ("" if found.computed else " (editorial)")


def _row(found: Assessment) -> list[str]:
    claim = found.claim
    anchor = f'<span id="claim-{claim.id}"></span>'
    head = f"{anchor}{_verdict(found)} · `{claim.id}`<br>*{claim.where}*"
    seen = f"See {', '.join(map(link, claim.see.split()))}" if claim.see else ""
    told = [_sentence(text) for text in (claim.correct, found.evidence, claim.note, seen) if text]
    return [f"{head}<br>{claim.claim}", "<br>".join(told)]


def _sentence(text: str) -> str:
    """A line with a capital at its beginning and a full stop at its end."""
    start = text[0].upper() + text[1:] if text[0].isalpha() else text
    return start if start.endswith(".") else start + "."
