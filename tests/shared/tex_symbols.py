"""Which symbols a formula in TeX has: its letters, its Greek letters, its named operators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

WORDS = re.compile(r"\\(?:text|texttt|textbf|textit)\s*\{")
ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\]]*\])?(?:\{[lcr|]+\})?")
SPACE = re.compile(r"\\(?:phantom|hspace|kern|\\)\s*(?:\[[^\]]*\]|\{[^{}]*\})?")
DERIVED = '<a id="equation-'  # with which a derivation begins that a cell shows
ALPHABET = (
    r"\\(?:operatorname\*?|mathrm|mathbb|mathcal|mathsf)\s*(?:\{[^{}]*\}|[A-Za-z](?![A-Za-z]))"
)
SYMBOL = re.compile(rf"{ALPHABET}|\\[A-Za-z]+|[A-Za-z]|''*")
INLINE = re.compile(r"(?<!\$)\$(?!\$)([^$]+)\$(?!\$)")
DISPLAY = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)

LAYOUT = frozenset(
    rf"\{name}"
    for name in (
        *("frac", "tfrac", "dfrac", "sqrt", "left", "right", "displaystyle", "textstyle", "small"),
        *("bigl", "bigr", "Bigl", "Bigr", "big", "Big", "quad", "qquad", "text", "hat", "bar"),
        *("lvert", "rvert", "mid", "prime", "cdot", "cdots", "dots", "le", "ge", "ne", "approx"),
        *("pm", "mp", "in", "to", "longrightarrow", "int", "sum", "prod", "lim", "limits", "infty"),
        *("iff", "Longrightarrow", "Longleftrightarrow", "subset"),
    )
)
"""Commands that arrange a formula, accents, and signs that every reader of calculus knows."""


def without(words: re.Pattern[str], tex: str) -> str:
    """A formula without the words in it, whose braces may be nested."""
    while found := words.search(tex):
        depth, end = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(tex[end], 0)
            end += 1
        tex = f"{tex[: found.start()]} {tex[end:]}"
    return tex


def symbols(tex: str) -> set[str]:
    r"""The symbols of a formula: ``x``, ``\Phi``, ``\operatorname{erf}``; no layout, no words.

    A space in a command is left out; a differential ``\mathrm{d}`` is no symbol of its own.
    """
    tex = ENVIRONMENT.sub(" ", tex)
    tex = SPACE.sub(" ", without(WORDS, tex))
    found = {re.sub(r"\\,|\s|[{}*]", "", symbol) for symbol in SYMBOL.findall(tex)}
    return {s for s in found if s not in LAYOUT and not s.startswith("'")} - {r"\mathrmd"}


def markdown_cells(notebook: Path) -> list[str]:
    """The texts of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]


def display_formulas(notebook: Path) -> Iterator[str]:
    """The displayed formulas of a notebook, as written and as stored outputs have them."""
    for text in markdown_cells(notebook):
        for found in DISPLAY.finditer(text):
            yield found[1]
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
            yield from filter(None, [data.get("text/latex")])
            if (shown := data.get("text/markdown", "")).startswith(DERIVED):
                yield from DISPLAY.findall(shown)
