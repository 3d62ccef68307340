"""Computed numbers in the prose of a notebook: who writes them, and what is wrong with them.

A number that a cell computes for the prose stands there between two comments of HTML, which no
program shows: ``<!--=NAME-->0.04471<!--/-->``. NAME is the one under which a cell keeps the number,
by ``say``. ``tools/execute.py`` writes what stands between the comments; nobody else does.
``book/conftest.py`` compares.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from gelu_lib.register import results

RECORD = "application/papermill.record/text/plain"
"""The kind of output that ``glue`` stores; no program shows it."""

MARKED = re.compile(r"<!--=(?P<name>[^>]*?)-->(?P<text>.*?)<!--/-->", re.DOTALL)
MARK = re.compile(r"<!--(?:=|/-->)")
AT_A_START = re.compile(r"^[\s>]*(?:(?:[-*+]|\d+\.) +)?<!--=", re.MULTILINE)
# a letter of Chinese or Japanese may touch a decimal: there no space parts them
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d{3,}(?!\w|\.\d)", re.ASCII)
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\(results\.md#([a-z0-9-]+)\)|\]\([^)\s]*\)")
FORMS = {"0.044715", "1.702"}
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


def faults(notebook: Mapping[str, Any]) -> list[str]:
    """What is wrong with the numbers in the prose of a notebook, one line each."""
    numbers, used = computed(notebook), set()
    found = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = text_of(cell["source"])
            used |= {mark["name"] for mark in MARKED.finditer(text)}
            found += [*wrong_marks(text, numbers), *wrong_literals(text), *unbound(text)]
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        found += unbound(alt)
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


def unbound(text: str) -> Iterator[str]:
    """Decimals that are neither computed nor literals of the register."""
    prose = CODE.sub(" ", LINK.sub(r"\1", MARKED.sub(" ", text)))
    known = FORMS.union(_literals().values())
    for decimal in DECIMAL.findall(prose):
        if decimal not in known:
            yield f"{decimal} is bound to nothing"


@cache
def _literals() -> dict[str, str]:
    """The printed numbers of the register, by ID."""
    return {id: entry.value for id, entry in results().items() if entry.status == "historical"}


def text_of(source: str | list[str]) -> str:
    """A text of a notebook, which its file keeps as one string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)
