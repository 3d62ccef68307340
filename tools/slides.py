"""What each cell of a notebook is in a talk, so that ``jupyter nbconvert --to slides`` makes one.

A heading begins a slide. What is shown, a figure, a formula or an open cell, stands on one below
it, or comes with the next press; its caption comes with it. Running text is what the speaker says:
it is in the notes. Left out are solutions, exercises, imports, what has a live figure on the site,
and what only hands numbers to the text.
"""

from __future__ import annotations

import re

from nbformat import NotebookNode

SKIP, SLIDE, BELOW, NEXT, WITH, NOTES = "skip", "slide", "subslide", "fragment", "-", "notes"
OPENING = re.compile(r'(?:<a id="[\w-]+"></a>\s*)*##? ')
CAPTION = re.compile(r'<a id="fig-')
TASK = re.compile(r"^## Try it$|^## Exercises$|\*\*Exercise \d", re.MULTILINE)
LIVE = re.compile(r"<!-- [a-z-]+(?: k)? -->")
FOLDED = "hide-input"
LEFT_OUT = {"solution", "remove-cell"}
KINDS = ("text/markdown", "text/latex", "text/html", "image/svg+xml", "image/png")


def slide_type(cell: NotebookNode) -> str:
    """What a cell is in a talk, as its metadata ``slideshow`` say it."""
    tags, text = set(cell.metadata.get("tags", ())), cell.source
    if tags & LEFT_OUT or LIVE.match(text) or TASK.search(text):
        return SKIP
    if cell.cell_type != "code":
        if OPENING.match(text):
            return SLIDE
        if CAPTION.match(text):
            return WITH
        return BELOW if "$$" in text else NOTES
    shows = any(kind in output.get("data", {}) for output in cell.outputs for kind in KINDS)
    if "remove-input" in tags:
        return NEXT if shows else SKIP
    return BELOW if shows or FOLDED not in tags else SKIP
