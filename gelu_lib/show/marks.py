"""Computed numbers in the prose of a notebook: who writes them, and what is wrong with them.

A number that a cell computes for the prose stands there between two comments of HTML, which no
program shows: ``<!--=NAME-->0.04471<!--/-->``. NAME is the one under which a cell keeps the number,
by ``say``. ``tools/execute.py`` writes what stands between the comments; nobody else does.
``book/conftest.py`` compares.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gelu_lib.register import results

RECORD = "application/papermill.record/text/plain"
"""The kind of output that ``glue`` stores; no program shows it."""

MARKED = re.compile(r"<!--=(?P<name>[^>]*?)-->(?P<text>.*?)<!--/-->", re.DOTALL)
MARK = re.compile(r"<!--(?:=|/-->)")
AT_A_START = re.compile(r"^[\s>]*(?:(?:[-*+]|\d+\.) +)?<!--=", re.MULTILINE)
# a letter of Chinese or Japanese may touch a numeral: there no space parts them
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d{3,}(?!\w|\.\d)", re.ASCII)
IN_FORMULA = re.compile(r"(?<![\w.])(?:\d+\.\d+|1e-?\d+|\d{3,})")
NUMERAL = re.compile(
    r"""
    (?<![\w.])\d+(?:[.,/]\d+)*(?:e[-+−]?\d+)?[⁰¹²³⁴-⁹⁻]*
    | \b(?:eleven | twelve | (?:thir|four|fif|six|seven|eigh|nine)teen
        | (?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?
        | (?:dozen|hundred|thousand|million)s?
        | (?:two|three|four|five|six|seven|eight|nine|ten)
            \ (?:times|percent|thirds|quarters|fifths|tenths)
        )\b
    | [一二三四五六七八九十百千两]+(?:[十百千万位倍]|分之)[一二三四五六七八九十百千万之倍]*
    | [０-９½¼¾⅓⅔]+
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""A numeral in digits, or in words where it is large or a ratio."""
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\(results\.md#([a-z0-9-]+)\)|\]\([^)\s]*\)")
ITEM = re.compile(r"^\s*\d+\. ", re.MULTILINE)
LEFT_OUT = "□"  # what stands for a computed number, code or a formula
_NAMES = re.compile(
    r"""
    \b(?:exercise|solution|order|degree|power|step|opset|release|python)s?\ \d+(?:\.\d+)*
        (?:(?:,\ |,?\ (?:and|or|to)\ )\d+)*\b
    | \#\d+ | \d+\.\d+\.\d+ | (?:arXiv:|DLMF\ |T5\ )[\d.]+\d
    | \b3\.1[1-4]\b | GPT-\d | \(\d\ of\ \d\)
    | \b(?:8|16|32|64|sixteen)(?:[ -]bits?\b|ビット)
    | (?<!\d)(?:1[789]|20)\d\d(?:-\d\d){0,2}(?!\d|\.\d)
    | √(?:\d|\(\d/π\)) | π/\d+
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""Numerals that count nothing: an exercise, an order, a version, a year, a type."""
FORM_CONSTANTS = {"0.044715", "1.702"}
"""The two constants that name the forms, which a formula may quote."""


def computed(notebook: Mapping[str, Any]) -> dict[str, str]:
    """What the cells of a notebook computed for its prose, by name, from their stored outputs."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    kept = (output for output in outputs if "scrapbook" in output.get("metadata", {}))
    return {
        output["metadata"]["scrapbook"]["name"]: ast.literal_eval(text_of(output["data"][RECORD]))
        for output in kept
    }


def written(text: str, numbers: Mapping[str, str]) -> str:
    """A text with the computed numbers in their places.

    Args:
        text: Markdown with marks.
        numbers: the numbers by their names.

    Raises:
        KeyError: if a mark has a name that is not among them.
    """
    return MARKED.sub(lambda found: _marked(found["name"], numbers[found["name"]]), text)


def _marked(name: str, number: str) -> str:
    return f"<!--={name}-->{number}<!--/-->"


def faults(notebook: Mapping[str, Any], typed: Sequence[str] = ()) -> list[str]:
    """What is wrong with the numbers in the prose of a notebook, one line each.

    Args:
        notebook: its parsed JSON.
        typed: the phrases of its text with a numeral that people may type.
    """
    numbers, used = computed(notebook), set()
    found, told = [], []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = text_of(cell["source"])
            used |= {mark["name"] for mark in MARKED.finditer(text)}
            found += [*wrong_marks(text, numbers), *wrong_literals(text)]
            told.append(text)
        told.append(cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", ""))
    found += unbound("\n\n".join(told), typed)
    found += [f"{name} is computed and stands nowhere" for name in sorted(set(numbers) - used)]
    return found


def wrong_marks(text: str, numbers: Mapping[str, str]) -> Iterator[str]:
    """Marks whose number is not the computed one, or that a program would not read as marks."""
    for mark in MARKED.finditer(text):
        name, stands = mark["name"], mark["text"]
        if name not in numbers:
            yield f"{name} is computed by no cell"
        elif stands != numbers[name]:
            yield f"{name} is {numbers[name]}, and the text has {stands}"
    if MARK.search(MARKED.sub("", text)):
        yield f"a mark without its other half in {text[:60]!r}"
    for start in AT_A_START.finditer(text):
        # there the comment begins a block of HTML, which swallows its line
        yield f"a mark at the start of a line: {text[start.start() :][:60].strip()!r}"


def wrong_literals(text: str) -> Iterator[str]:
    """Links to a result whose text is a decimal, but not the literal that was printed."""
    for words, id in LINK.findall(text):
        printed = _literals().get(id)
        if DECIMAL.fullmatch(words) and words != printed:
            yield f"{id} is {printed or 'no literal'}, and the text has {words}"


def unbound(text: str, typed: Sequence[str] = ()) -> Iterator[str]:
    """Numerals that are not computed, not listed, no name and no literal linked to its result."""
    prose = read_as_words(text)
    for phrase in typed:
        if phrase not in prose:
            yield f"{phrase!r} is listed and stands nowhere"
        prose = prose.replace(phrase, LEFT_OUT)
    for numeral in NUMERAL.finditer(_NAMES.sub(LEFT_OUT, prose)):
        if numeral[0] not in {"0", "1", "0.0", *FORM_CONSTANTS}:
            around = numeral.string[max(numeral.start() - 40, 0) : numeral.end() + 30]
            yield f"{numeral[0]} is bound to nothing, in {around!r}"


def read_as_words(text: str) -> str:
    """Prose as it is read, with a sign where a computed number, code or a formula stands.

    Of a formula its decimals, powers of ten and large numbers stay.
    """
    text = LINK.sub(_quoted, CODE.sub(LEFT_OUT, MARKED.sub(LEFT_OUT, text)))
    text = FORMULA.sub(_kept, text)
    text = ITEM.sub(" ", TAG.sub(LEFT_OUT, text))
    paragraphs = re.sub(r"\]\((?:[^()]|\([^)]*\))*\)|\[", "", text).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _quoted(link: re.Match[str]) -> str:
    return LEFT_OUT if link[1] and link[1] == _literals().get(link[2]) else link[0]


def _kept(formula: re.Match[str]) -> str:
    return " ".join((LEFT_OUT, *IN_FORMULA.findall(formula[0].replace("10^{", "1e"))))


@cache
def _literals() -> dict[str, str]:
    """The printed numbers of the register, by ID."""
    return {id: entry.value for id, entry in results().items() if entry.status == "historical"}


def text_of(source: str | list[str]) -> str:
    """A text of a notebook, which its file keeps as one string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)
