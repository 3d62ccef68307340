"""Links in what a cell shows: to a result, to a literal as it was printed, to what is cited.

Texts of the data files and cells of tables name what they link to: {result}`ID`, {literal}`ID`, or
{cite}`KEY`, with several keys parted by commas. A notebook shows ordinary links of Markdown in
their place, which lead to the pages beside it: ``results.md`` and ``bibliography.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from gelu_lib.register import result
from gelu_lib.rows import contents

_NAMED = re.compile(r"\{(result|literal|cite)\}`(?:([^`<]+) <)?([^`<>]+)>?`")


def linked(text: str) -> str:
    """A text with links of Markdown in the place of what it names.

    Args:
        text: Markdown.

    Raises:
        KeyError: if a result or a source that it names is unknown.
        ValueError: if a result that it names as a literal is none.
    """
    return _NAMED.sub(lambda found: _shown(*found.groups(), link="[{}]({})".format), text)


def worded(text: str) -> str:
    """The same text without links, for a place that has none."""
    return _NAMED.sub(lambda found: _shown(*found.groups(), link=lambda words, _: words), text)


@cache
def cited_as() -> Mapping[str, str]:
    """How each source is cited, author and year, by its key in ``book/references.bib``."""
    return contents("citations.json")


def _shown(kind: str, words: str | None, target: str, link) -> str:
    if kind == "cite":
        keys = [key.strip() for key in target.split(",")]
        return f"({', '.join(link(cited_as()[key], f'bibliography.md#{key}') for key in keys)})"
    entry = result(target)
    if kind == "literal":
        if entry.status != "historical":
            raise ValueError(f"{target} is {entry.status}; a literal is a historical result")
        words = entry.value
    return link(words or entry.title, f"results.md#{target}")
