"""The chapter magic-numbers: its tables, and the answers of the look-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import matplotlib.pyplot as plt
import numpy as np

from gelu_lib.provenance.catalogue import OF_PROGRAMS, Constant, constants, sources
from gelu_lib.provenance.chance import matching_share
from gelu_lib.provenance.lookup import (
    UNKNOWN,
    Answer,
    Match,
    lookup,
    scientific,
    shortened,
    unknown,
)
from gelu_lib.register import agreeing_digits, result
from gelu_lib.show.style import BLUE, GREEN, GREY, INK, ORANGE, Drawn, key_above
from gelu_lib.show.tables import Table, decimal

_MARKS = {"seen": "", "excerpt": "", "not seen": " (not seen)"}


def group_table(group: str) -> Table:
    """Every literal of a group of constants: what it is, its digits, how it was made, where seen.

    Args:
        group: one of ``OF_PROGRAMS``.

    Raises:
        ValueError: if it is another.
    """
    if group not in OF_PROGRAMS:
        raise ValueError(f"group is {group!r}; accepted are {', '.join(OF_PROGRAMS)}")
    members = [constant for constant in constants().values() if constant.group == group]
    rows = [
        [f"`{text}`", constant.name, right_of(match), match.sentence, _where(constant, text)]
        for constant in members
        for text in constant.seen
        for match in [own_match(text, constant)]
    ]
    return Table(["literal", "what it is", "digits right", "the literal is", "seen in"], rows)


def registered_table() -> Table:
    """What others printed for a result of the register: the digits, and how many are right."""
    rows = [
        [f"`{text}`", f"{{result}}`{constant.id}`", right_of(match), match.sentence, _entry(ids[0])]
        for constant in constants().values()
        if constant.group == "register"
        for text, ids in constant.seen.items()
        for match in [own_match(text, constant)]
    ]
    return Table(["literal", "result", "digits right", "the literal is", "entry"], rows)


def optima_table(printed: Mapping[str, tuple[str, str]]) -> Table:
    """How many digits of printed numbers are those of the optima that they lie near.

    Args:
        printed: for each literal, a decimal, the ID of a result and the name of one of its
            numbers, which is empty for its value.

    Raises:
        KeyError: if no result has an ID.
        ValueError: if a literal is not a decimal, or a result has no number of a name.
    """
    rows = []
    for text, (id, name) in printed.items():
        numbers = result(id).named_numbers
        if name not in numbers:
            accepted = ", ".join(map(repr, numbers)) or "nothing, for it has no number"
            raise ValueError(f"the name for {id} is {name!r}; accepted is {accepted}")
        reading, *_ = lookup(text).readings
        if reading.kind != "decimal":
            raise ValueError(
                f"the literal {text!r} is read as {reading.kind}; accepted is a decimal"
            )
        right = min(agreeing_digits(reading.value, numbers[name]), reading.digits)
        rows.append([f"`{text}`", f"{{result}}`{id}`", str(right)])
    return Table(["printed", "optimum", "digits right"], rows)


def answer_table(answer: Answer, most: int = 5) -> Table:
    """The matches of a look-up, the nearest constants where a reading has none.

    Where there are none either, a row says why.

    Args:
        answer: what ``gelu_lib.lookup`` returned.
        most: how many rows at most for each reading.
    """
    rows = []
    for reading in answer.readings:
        literal = f"`{answer.literal}` {reading.type}".strip()
        found = [m for m in answer.matches if m.reading == reading]
        near = found or [m for m in answer.nearest if m.reading == reading]
        if not near:
            rows.append([literal, "—", "—", f"it {UNKNOWN[unknown(reading, near=False)]}", "—"])
        rows += [
            [
                literal,
                match.constant.name,
                f"`{shortened(match.constant.digits)}`",
                match.sentence or "near, and no more",
                scientific(match.relative_difference, 2),
            ]
            for match in near[:most]
        ]
    return Table(
        ["literal", "constant", "its digits", "the literal is", "relative difference"], rows
    )


def told_table(told: Mapping[str, Sequence[str]]) -> Table:
    """How literals were made.

    Args:
        told: for each constant, by its ID, literals that were met for it.
    """
    rows = []
    for id, texts in told.items():
        for text in texts:
            match = own_match(text, constants()[id])
            rows.append([f"`{text}`", match.constant.name, match.sentence])
    return Table(["literal", "what it is", "the literal is"], rows)


def slope_table() -> Table:
    """The decimals that were met for √(2/π): their right digits, and where they are the same."""
    slope = constants()["slope"]
    matches = {text: own_match(text, slope) for text in slope.seen if text.startswith("0.")}
    return Table(
        [r"spelling of $\sqrt{2/\pi}$", "digits right", "the same float as the constant in"],
        [[f"`{text}`", right_of(m), ", ".join(m.same_floats)] for text, m in matches.items()],
    )


def chance_table(counts: Sequence[int]) -> Table:
    """How likely a number with so many digits matches a constant by accident."""
    rows = [[str(digits), f"1 in {round(1 / matching_share(digits)):,}"] for digits in counts]
    return Table(["digits", "matches by accident"], rows)


def numbers() -> dict[str, str]:
    """The numbers in the text."""
    gemma = own_match("0.797884560804236f", constants()["slope"])
    decimals = [(text, match) for text, match in _met() if match.reading.kind == "decimal"]
    apart = [text for text, match in decimals if "float32" not in match.same_floats]
    x = np.linspace(-8, 8, 100_001)
    cubic = x + 0.044715 * x**3
    change = x / 2 * (np.tanh(0.797885 * cubic) - np.tanh(np.sqrt(2 / np.pi) * cubic))
    return {
        "gemma-right": str(gemma.right_digits),
        "gemma-written": str(gemma.reading.digits),
        "apart": ", ".join(apart),
        "apart-count": str(len(apart)),
        "decimals": str(len(decimals)),
        "change": decimal(float(np.abs(change).max()), 2),
        "off": decimal(float(result("page-error-gelu").value), 2),
    }


def _met() -> Iterator[tuple[str, Match]]:
    """Every literal that was met in a program, with what the look-up says of it."""
    for constant in constants().values():
        if constant.group != "register":
            yield from ((text, own_match(text, constant)) for text in constant.seen)


def own_match(text: str, constant: Constant) -> Match:
    """What the look-up of a literal says of the constant that it was met for.

    Raises:
        LookupError: if it does not name that constant.
    """
    for match in lookup(text).matches:
        if match.constant == constant:
            return match
    raise LookupError(f"{text} is listed for {constant.id}, and the look-up does not find it there")


def right_of(match: Match) -> str:
    """How many of the written digits are right, as ``9 of 10``.

    Of a bit pattern it is the type, and of what else is no decimal, how it was read.
    """
    reading = match.reading
    if not match.relative_difference:
        return "all"
    if reading.kind != "decimal":
        return reading.type or reading.kind
    return f"{min(match.right_digits, reading.digits)} of {reading.digits}"


def _where(constant: Constant, text: str) -> str:
    places = [sources()[id] for id in constant.seen[text]]
    return ", ".join(
        f"[{place.name}]({place.url})" if place.url else place.name + _MARKS[place.status]
        for place in places
    )


def _entry(id: str) -> str:
    return f"{{result}}`{id}`"


# --- figures

_GROUPS: Mapping[str, tuple[str, str, tuple[str, ...]]] = MappingProxyType(
    {
        "rounded": ("o", BLUE, ("rounded",)),
        "cut off": ("v", GREEN, ("truncated",)),
        "from a float": ("s", ORANGE, ("exact-float", "shortest", "float", "steps")),
        "from rounded constants": ("D", INK, ("made", "made-exact", "made-truncated")),
        "not explained": ("X", GREY, ("printed", "wrong")),
    }
)
"""What is drawn together: name, marker, colour and the kinds of match."""


def digits_of_literals() -> Drawn:
    """How many digits of each literal are right, against how many it has.

    The decimals of programs are drawn that are not exactly their constant. On the line all digits
    are right. A larger marker stands for several literals.
    """
    counts = {name: Counter(_digits(kinds)) for name, (_, _, kinds) in _GROUPS.items()}
    axes = plt.figure().add_subplot()
    end = max(written for count in counts.values() for written, _ in count) + 1
    axes.plot([0, end], [0, end], color=GREY, linewidth=0.9, linestyle=":")
    points = {}
    for (name, (marker, colour, _)), count in zip(_GROUPS.items(), counts.values(), strict=True):
        x, y = np.array(sorted(count)).reshape(-1, 2).T
        points[name] = (x, y)
        sizes = [30 * count[at] for at in sorted(count)]
        style = {"marker": marker, "edgecolors": colour, "facecolors": "none"}
        axes.scatter(x, y, s=sizes, label=name, **style)
    axes.set_xlabel("digits written")
    axes.set_ylabel("digits right")
    key_above(axes)
    return Drawn(points=points)


def _digits(kinds: tuple[str, ...]) -> list[tuple[int, int]]:
    """Digits written and digits right of every decimal that was met, of these kinds."""
    return [
        (match.reading.digits, min(match.reading.digits, match.right_digits))
        for _, match in _met()
        if match.kind in kinds and match.reading.kind == "decimal"
    ]
