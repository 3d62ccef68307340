"""Results as a notebook and every page show them, and what is said of their numbers.

A result is written here and nowhere else, as Markdown. The site finds it by the comment in front
of it, which says the ID, and adds the menu that copies and cites.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context
from html import escape
from itertools import takewhile

from gelu_lib.register import Result, result, results
from gelu_lib.show.links import cited_as

SHOWN_DIGITS = 8
"""As many as a reader compares at a glance; the rest is a click away."""
STATUS_MEANING = {
    "symbolic": "a chain of equalities or inequalities, checked by machine from what it assumes",
    "proof": "a proof in words, whose computations are checked by machine",
    "certified": "proved with interval arithmetic",
    "numeric": "computed or measured to the digits shown, not proved",
    "historical": "a literal as somebody printed it",
}


def check_of(entry: Result) -> str:
    """How many digits of a number hold, by what check or proof, and why not by a proof.

    It is empty without a number.
    """
    if entry.status == "historical" or not entry.named_numbers:
        return ""
    values = filter(None, (entry.value, *entry.numbers.values()))
    digits = [significant_digits(value) for value in values if "." in value]
    many = f"{min(digits)} digits" if digits else "Whole numbers"
    if entry.enclosure or entry.enclosures:
        how, second = "each proved, by an enclosure", ""
    elif entry.is_measured:
        how, second = "measured in an experiment that can be repeated", ""
    else:
        how, second = "computed at two precisions that agree", "By one method."
    if entry.check:
        second = f"A second method agrees: {entry.check}."
    why = f"Not certified: {entry.why_not_certified}." if entry.why_not_certified else ""
    return " ".join(filter(None, (f"{many}, {how}.", second, why)))


def significant_digits(decimal: str) -> int:
    return len(decimal.partition("e")[0].replace(".", "").lstrip("-0"))


def at_a_glance(value: str) -> tuple[str, str]:
    """A decimal rounded to ``SHOWN_DIGITS`` significant digits, and ``=`` or ``≈`` before it.

    A number that has no more digits, or is no decimal, stays as it is, with ``=``.
    """
    if "." not in value or significant_digits(value) <= SHOWN_DIGITS:
        return "=", value
    context = Context(prec=SHOWN_DIGITS, rounding=ROUND_HALF_EVEN)
    number = context.create_decimal(value)
    plain = "e" not in value and number.as_tuple().exponent <= 0
    return "≈", format(number, "f" if plain else "e")


def shared_digits(lower: str, upper: str) -> str:
    """How two decimals of the same length and order begin, where they begin alike.

    It is empty if no digit but leading zeros is shared: of ``9.9`` and ``10.1``, or of ``-0.01``
    and ``0.01``.
    """
    (low, _, exponent), (high, _, other) = lower.partition("e"), upper.partition("e")
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(low, high, strict=False))
    common = "".join(digit for digit, _ in pairs)
    alike = exponent == other and len(low) == len(high)
    return common if alike and common.strip("-−0.") else ""


def enclosure_text(lower: str, upper: str) -> str:
    """An enclosure as its digits that are certain, then in brackets how its ends go on.

    ``1.23[45, 51]`` is the interval from 1.2345 to 1.2351. Ends that begin differently
    are written out, and an interval of one point is that number.
    """
    if lower == upper:
        return lower
    common = shared_digits(lower, upper)
    if not common:
        return f"[{lower}, {upper}]"
    (low, e, exponent), (high, *_) = lower.partition("e"), upper.partition("e")
    return f"{common}[{low[len(common) :]}, {high[len(common) :]}]{e}{exponent}"


# --- what a cell shows


def show_results(
    *ids: str, statement: bool | None = None, fold: str = "", chapter: str = ""
) -> Shown:
    """Results, each as a mark beside its statement; a click opens all that is known of it.

    Args:
        ids: of the results, in their order; a text may have several, parted by white space.
        statement: whether statements are seen at once. If it is not said, they are, except those
            of symbolic results: the derivation that stands on the page ends with them.
        fold: the title under which they are folded away; empty if they are seen at once.
        chapter: the name of a chapter, in place of IDs: the list of its results with links.

    Returns:
        What a notebook shows as Markdown.

    Raises:
        KeyError: if no result has one of the IDs.
        ValueError: if there is no ID and no chapter, or there are both, or the chapter has none.
    """
    entries = [result(id) for text in ids for id in text.split()]
    if bool(entries) == bool(chapter):
        raise ValueError(f"ids are {ids!r}, chapter is {chapter!r}; accepted is one of the two")
    if chapter:
        return _list(chapter)
    parts = [box(entry, _states(entry) if statement is None else statement) for entry in entries]
    if fold:
        parts = [f"<details>\n<summary>{fold}</summary>", *parts, "</details>"]
    return Shown("\n\n".join(parts), "\n".join(map(_line, entries)))


def show_theorem(name: str, *ids: str) -> Shown:
    """A theorem as a quotation, in the words and formulas of its results.

    Args:
        name: what the theorem is called.
        ids: of the results that make it, in their order.

    Returns:
        What a notebook shows as Markdown.

    Raises:
        KeyError: if no result has one of the IDs.
    """
    entries = [result(id) for id in ids]
    parts = [f"**Theorem ({name})**"]
    for entry in entries:
        given, _, more = entry.assumptions.partition(". ")
        parts += [f"For {given}:"] if given else []
        # in one line: Jupyter Lab takes the > of a line between $$ for a part of the formula
        parts.append(f"$$ {' '.join(in_rows(entry.statement).split())} $$")
        parts += [f"{more}."] if more else []
    quoted = "\n".join(f"> {line}".rstrip() for line in "\n\n".join(parts).split("\n"))
    return Shown(quoted, "\n".join([f"Theorem ({name})", *map(_line, entries)]))


def _states(entry: Result) -> bool:
    """Whether a box shows the statement at once: the page has not derived it."""
    return entry.status != "symbolic"


def _list(chapter: str) -> Shown:
    """The results of a chapter as a list of links."""
    entries = [e for e in results().values() if e.page == chapter and e.status != "historical"]
    if not entries:
        raise ValueError(f"chapter is {chapter!r}; no result belongs to it")
    items = [f"- [{e.title}](results.md#{e.id}), *{e.status}*" for e in entries]
    return Shown(
        "\n".join(["<!-- chapter-results -->", "", *items]), "\n".join(map(_line, entries))
    )


@dataclass(frozen=True)
class Shown:
    """What a cell shows: as Markdown, and as plain text."""

    markdown: str
    text: str

    def _repr_markdown_(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        return self.text


def box(entry: Result, statement: bool) -> str:
    """A result as Markdown: what is seen of it, and the mark that opens the rest.

    Args:
        entry: the result.
        statement: whether its statement is seen; if not, the mark has its title.
    """
    stated = f"$$\n{in_rows(entry.statement)}\n$$"
    value = " ".join(_glance(entry))
    mark = [value if statement else f"{entry.title} {value}".strip(), entry.status, entry.id]
    parts = [
        f'<!-- result {entry.id} --><a id="{entry.id}"></a>',
        stated if statement else "",
        f"**Withdrawn:** {entry.withdrawn}" if entry.withdrawn else "",
        f"<details>\n<summary>{escape(' · '.join(filter(None, mark)), quote=False)}</summary>",
        f"**{entry.title}**" if statement else stated,
        f"For {entry.assumptions}." if entry.assumptions else "",
        _value(entry),
        _numbers(entry),
        f"Digits: {check_of(entry)}" if check_of(entry) else "",
        _origin(entry),
        f"Status: *{entry.status}*, {STATUS_MEANING[entry.status]}.",
        "</details>",
    ]
    return "\n\n".join(filter(None, parts))


def _value(entry: Result) -> str:
    """The single value of a result, with its enclosure; empty if it has none."""
    value = f"Value: `{entry.value}`" if entry.value else ""
    if not entry.enclosure:
        return value
    lower, upper = entry.enclosure
    if lower == upper:
        return f"{value}, exactly"
    return f"{value}\n\nEnclosure: `{enclosure_text(lower, upper)}`"


def _numbers(entry: Result) -> str:
    """The named numbers of a result as a table, with their enclosures; empty if it has none."""
    within = {name: _within(*ends) for name, ends in entry.enclosures.items()}
    rows = [f"| {name} | `{v}`{within.get(name, '')} |" for name, v in entry.numbers.items()]
    return "\n".join(["| number | value |", "| --- | --- |", *rows]) if rows else ""


def _within(lower: str, upper: str) -> str:
    """Where a number is proved to lie, below its digits."""
    return "<br>exactly" if lower == upper else f"<br>in `{enclosure_text(lower, upper)}`"


def _origin(entry: Result) -> str:
    """For what a number was printed, and where; empty of a result of the book."""
    if entry.status != "historical":
        return ""
    of = f"For [{result(entry.of).title}](results.md#{entry.of})." if entry.of else ""
    keys = ", ".join(f"[{cited_as()[key]}](bibliography.md#{key})" for key in entry.source)
    return " ".join(filter(None, (of, f"Source: {keys}." if keys else "")))


def _glance(entry: Result) -> tuple[str, ...]:
    """What is seen at once of the value; a number that was printed is seen as it was."""
    if entry.value is None:
        return ()
    return ("=", entry.value) if entry.status == "historical" else at_a_glance(entry.value)


def _line(entry: Result) -> str:
    return " ".join([f"{entry.id} ({entry.status}): {entry.title}", *_glance(entry)])


def in_rows(tex: str) -> str:
    r"""A formula whose rows are parted by ``\\\\`` as one that every program can read."""
    if r"\\" not in tex or tex.startswith(r"\begin{aligned}"):
        return tex
    return rf"\begin{{aligned}}{tex}\end{{aligned}}"
