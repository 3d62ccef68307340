"""Every statement of the five sources that can be checked, and its verdict.

The statements stand in ``data/claims.toml``, in our words. What decides them stands here, by the
same IDs.

The modules: ``compared`` (the numbers that are compared), ``checks`` (the kinds of check),
``programs`` (what the sources' code does, and the checks that run it), ``statements`` (how a
verdict comes about), ``common`` (what several sources state), then one for each source, ``myths``
(what is said in other places), and ``registered`` (the numbers of the register). What the page
shows stands here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import cycle
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

from gelu_lib.chapters.claims import (
    clay,
    hello_statisticians,
    myths,
    note_en,
    note_zh,
    programs,
    su,
)
from gelu_lib.chapters.claims.checks import Check
from gelu_lib.chapters.claims.compared import link
from gelu_lib.chapters.claims.statements import (
    MISLEADING,
    RIGHT,
    ROUNDED,
    SLIP,
    VERDICTS,
    WRONG,
    Assessment,
    Checks,
    ClaimError,
    assess,
    parse,
)
from gelu_lib.functions.expressions import gelu_sigmoid, gelu_tanh, numpy_function
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, GREY, INK, ORANGE, VIOLET, Drawn, draw, key_above
from gelu_lib.show.tables import Table, decimal

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


def outcome_table(examples: Mapping[str, Check]) -> Table:
    """What checks find: for each statement whether it holds, and how this is known."""
    outcomes = {statement: check.outcome() for statement, check in examples.items()}
    return Table(
        ["statement", "it holds", "how this is known"],
        [[statement, str(one.holds), one.evidence] for statement, one in outcomes.items()],
    )


def search_results() -> dict[str, str]:
    """What the two searches of the sources end with here, to nine digits."""
    found = {"cubic": programs.cubic_on_grid, "scale": programs.scale_on_grid}
    return {name: decimal(programs.search(size).item(), 9) for name, size in found.items()}


def search_table() -> Table:
    """With which optimum the printed results of the searches agree, and to how many digits."""
    searches = (
        ("su-b", "tanh-grid-coefficient", "tanh-pinned-cubic", sp.sqrt(2 / sp.pi)),
        ("su-scale", "logistic-grid-scale", "logistic-scale", 1),
    )
    rows = []
    for printed, on_grid, on_line, factor in searches:
        exact = decimal(sp.Rational(result(on_line).value) * factor, 40)
        optima = (result(on_grid).value, exact)
        right = [agreeing_digits(result(printed).value, number) for number in optima]
        rows.append([f"{{literal}}`{printed}`", *map(str, right)])
    header = ["printed", "digits of the optimum on the grid", "digits of the optimum on the line"]
    return Table(header, rows)


def printed_table() -> Table:
    """What the post on PyTorch prints, and what the record of our run has."""
    ranges = clay.record()["ranges"]
    stated = {"Original": "clay-original", "Tanh": "clay-tanh", "Sigmoid": "clay-sigmoid"}
    rows = [
        [name, f"{{literal}}`{id}`", *(ranges[at]["printed"][name] for at in ("post", "unit"))]
        for name, id in stated.items()
    ]
    return Table(["form", "the post prints", "run again", "the same on $[-1, 1)$"], rows)


def numbers() -> dict[str, str]:
    """The numbers in the text."""
    found = assessments().values()
    record = clay.record()
    sigmoid, tanh = (result(f"{f}-error-unit-interval").number for f in ("scale-1702", "page"))
    return {
        "claims": str(len(found)),
        "computed": str(sum(one.computed for one in found)),
        "right": str(sum(one.verdict == RIGHT for one in found)),
        "rounded": str(sum(one.verdict == ROUNDED for one in found)),
        "torch": record["torch"],
        "points": str(record["ranges"]["post"]["points"]),
        "unit-ratio": f"{float(sigmoid / tanh):.0f}",
    }


# --- figures

LOOKS = ((BLUE, ""), (BLUE, "///"), (ORANGE, "..."), (VIOLET, "xxx"), (INK, ""), ("none", ""))
"""Fill and hatch of the parts of a bar, from the left; hatched parts have a pale fill."""

PALE = 0.3

LEAST_NUMBERED = 3
"""Shorter parts of a bar have no room for their number where the figure is narrow."""


def opening() -> Drawn:
    """How many statements of each source have which verdict."""
    return verdict_bars({POSTS[post]: tally for post, tally in counts().items()})


def verdict_bars(counts: Mapping[str, Mapping[str, int]]) -> Drawn:
    """One bar for each source, cut into parts by verdict, with the numbers in those that have room.

    Args:
        counts: for each source, by its name, how many statements have each verdict. The verdicts
            must be the same for every source; they are drawn in their order.

    Returns:
        For each verdict the places of the bars and the lengths of the parts.

    Raises:
        ValueError: if ``counts`` is empty, or two sources have different verdicts.
    """
    kinds = {tuple(tally) for tally in counts.values()}
    if len(kinds) != 1:
        raise ValueError(f"counts must have the same verdicts for every source, got {kinds}")
    places = np.arange(len(counts))[::-1]
    left = np.zeros(len(counts))
    axes = plt.figure(figsize=(6.2, 3.4)).add_subplot()
    drawn = {}
    for verdict, (colour, hatch) in zip(*kinds, cycle(LOOKS), strict=False):
        lengths = np.array([tally[verdict] for tally in counts.values()])
        alpha = PALE if hatch else 1
        fill = colour if colour == "none" else (colour, alpha)
        axes.barh(places, lengths, left=left, color=fill, hatch=hatch, edgecolor=INK, label=verdict)
        solid = alpha == 1 and colour != "none"
        for x, y, length in zip(left, places, lengths, strict=True):
            if length >= LEAST_NUMBERED:
                _write(axes, x + length / 2, y, length, solid)
        left = left + lengths
        drawn[verdict] = (places, lengths)
    axes.set_yticks(places, list(counts))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("number of statements")
    axes.grid(visible=False)
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.2), ncols=2, fontsize=9.5)
    return Drawn(drawn)


def _write(axes: plt.Axes, x: float, y: float, number: int, solid: bool) -> None:
    """A number in the middle of a part; on a hatched part it stands on a pale patch."""
    patch = None if solid else {"boxstyle": "round,pad=0.1", "fc": "#ffffff", "ec": "none"}
    colour = "#ffffff" if solid else INK
    axes.text(x, y, str(number), color=colour, ha="center", va="center", fontsize=9, bbox=patch)


def errors_of_the_note() -> Drawn:
    """The relative errors of three coefficients of the note in English, with its bound."""
    x = np.linspace(0.01, 4, 400)
    cubics = {
        r"derived, $(4-\pi)/(3\pi)$": (4 - sp.pi) / (3 * sp.pi),
        r"printed, $\pi/35$": sp.pi / 35,
        r"quoted, $11/123$": sp.Rational(11, 123),
    }
    errors = {name: note_en.ratio_error(note_en.erf_form(cubic)) for name, cubic in cubics.items()}
    curves = {name: (x, numpy_function(error)(x)) for name, error in errors.items()}
    bound = float(result("note-en-bound").value)
    drawn = draw(curves, ylabel="relative error of erf", levels=[bound])
    key_above(plt.gca())
    return drawn


def difference_of_the_forms() -> Drawn:
    """The tanh form less the sigmoid form, with the interval from −1 to 1 shaded."""
    x = np.linspace(-3.5, 3.5, 701)
    difference = numpy_function(gelu_tanh() - gelu_sigmoid())(x)
    drawn = draw({"difference": (x, difference)}, ylabel="tanh form less sigmoid form")
    plt.axvspan(-1, 1, color=GREY, alpha=0.15, linewidth=0)
    return drawn
