r"""The rows and cells of an ``aligned`` formula, so that each of them can break on a narrow screen.

KaTeX draws ``aligned`` as columns, one stack of all rows each, and such a stack cannot break: on a
telephone a derivation of four steps would be four screens wide. Here the formula is taken apart
into its rows and their cells. Each cell is drawn for itself, and the style sheet puts the cells
into a grid, in which a long cell breaks as a formula in one line does.

No package will do: KaTeX breaks formulas at the top level alone.
"""

from __future__ import annotations

import re

OPENING, CLOSING = r"\begin{aligned}", r"\end{aligned}"
# A row's end with the room that it asks for, the mark between cells, and what encloses others.
TOKEN = re.compile(r"\\\\(?:\s*\[[^\]]*\])?|\\(?:begin|end)\{\w+\*?\}|\\.|[&{}]", re.DOTALL)


def rows(tex: str) -> list[list[str]]:
    r"""The cells of each row of a formula that is one ``aligned``; of any other, nothing.

    Of ``aligned`` in ``aligned`` with nothing beside it, as Sphinx writes it, the inner one counts.
    """
    parted = None
    while (body := body_of(tex)) is not None:
        parted = cells(body)
        tex = parted[0][0] if len(parted) == len(parted[0]) == 1 else ""
    return parted or []


def body_of(tex: str) -> str | None:
    """What stands in the ``aligned`` that is all of a formula, or None."""
    tex = tex.strip()
    if not (tex.startswith(OPENING) and tex.endswith(CLOSING)):
        return None
    body = tex[len(OPENING) : -len(CLOSING)]
    inside = 0
    for token in TOKEN.findall(body):
        inside += step(token)
        if inside < 0:  # the environment that begins the formula ends before the last one begins
            return None
    return body


def step(token: str) -> int:
    """How much deeper a token leads."""
    return (token == "{" or token.startswith(r"\begin{")) - (
        token == "}" or token.startswith(r"\end{")
    )


def cells(body: str) -> list[list[str]]:
    """The body of an environment, parted at the ends of its rows and between its cells."""
    found, depth, start = [[]], 0, 0
    for mark in TOKEN.finditer(body):
        depth += step(mark[0])
        if depth == 0 and mark[0].startswith(("&", "\\\\")):
            found[-1].append(body[start : mark.start()].strip())
            start = mark.end()
            if mark[0] != "&":
                found.append([])
    found[-1].append(body[start:].strip())
    return [row for row in found if any(row)]
