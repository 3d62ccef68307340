r"""Columns of tables in the PDF: as wide as they are, or wrapped where that is too wide.

LaTeX tries a table with columns that never wrap, in smaller and smaller type (``\BookTable`` in
``book/_latex/book.sty``). Where no type is small enough, the columns that hold sentences wrap and
share the room that the others leave.

No package will do: the columns of ``tabulary``, which Sphinx takes, wrap at once, in any type.
"""

from __future__ import annotations

import re
import textwrap

from docutils import nodes

SHORT = 18  # a column whose lines have at most so many signs does not wrap
NARROW = 10  # a line of a heading has room for so many signs at least
COMMAND = re.compile(r"\\[a-zA-Z]+|[\\{}$^_&]")
LINE_BREAK = re.compile(r"<br\s*/?>")
NEXT_LINE = r"\BookLine{}"


def column_specs(table: nodes.table) -> tuple[str, str]:
    """The columns of a table for LaTeX: none wrapped, and the long ones wrapped."""
    widths = column_widths(table)
    limit = min(SHORT, max(widths) - 1)  # at least one wraps
    shares = [share(signs) for signs in widths if signs > limit]
    mean = sum(shares) / len(shares)
    wrapped = [f"Z{{{share(n) / mean:.3f}}}" if n > limit else "l" for n in widths]
    return "l" * len(widths), "".join(wrapped)


def column_widths(table: nodes.table) -> list[int]:
    """How many signs the cells below each heading take at most."""
    body = next(table.findall(nodes.tbody))
    columns = zip(*(row.children for row in body.findall(nodes.row)), strict=True)
    return [max(map(width, column)) for column in columns]


def width(cell: nodes.entry) -> int:
    """About how many signs wide a cell is: those of its longest line."""
    parts = (part.astext() for part in cell.findall(nodes.Text) if not is_html(part.parent))
    lines = "".join(parts).replace(NEXT_LINE, "\n").splitlines()
    return max((len(COMMAND.sub("", line)) for line in lines), default=0)


def share(signs: int) -> float:
    """How much room a wrapped column asks for: less than in proportion, since it has more lines."""
    return signs**0.6


def is_html(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw) and node["format"] == "html"


def stack_lines(cell: nodes.entry) -> None:
    """Put lines under one another that HTML parts by ``<br>``."""
    breaks = [raw for raw in cell.findall(is_html) if LINE_BREAK.fullmatch(raw.astext())]
    stacks = {id(raw.parent): raw.parent for raw in breaks}
    for raw in breaks:
        raw.replace_self(latex(NEXT_LINE))
    for stack in stacks.values():
        stack.insert(0, latex(r"\BookStack{"))
        stack.append(latex("}"))


def stack_headings(table: nodes.table) -> None:
    """Offer LaTeX each heading in more lines too, where it is wider than what is below it."""
    for head in table.findall(nodes.thead):
        for row in head.findall(nodes.row):
            for cell, room in zip(row.children, column_widths(table), strict=True):
                offer_lines(cell, room)


def offer_lines(cell: nodes.entry, room: int) -> None:
    """Write a heading that is nothing but text twice: in one line, and in lines of few signs."""
    text = cell.astext()
    room = max(room, NARROW)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)
    if len(lines) < 2 or any(cell.findall(nodes.Inline)):
        return
    parts = [part for line in lines for part in (latex(NEXT_LINE), nodes.Text(line))]
    whole = [latex(r"\BookHeading{"), nodes.Text(text), latex("}{")]
    cell[0].children = []
    cell[0] += [*whole, *parts[1:], latex("}")]


def latex(tex: str) -> nodes.raw:
    """LaTeX as it is to be written."""
    return nodes.raw("", tex, format="latex")
