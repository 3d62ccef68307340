"""Tables that a directive makes."""

from __future__ import annotations

from docutils import nodes


def table(heading: tuple[str, ...], rows: list[tuple[nodes.Node, ...]]) -> nodes.table:
    """A table of a heading and of rows; what a row has beyond the columns joins its last cell."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heading), cols=len(heading))
    group += nodes.thead("", row(tuple(map(nodes.Text, heading)), len(heading)))
    group += nodes.tbody("", *(row(content, len(heading)) for content in rows))
    return nodes.table("", group)


def row(content: tuple[nodes.Node, ...], columns: int) -> nodes.row:
    cells = [[node] for node in content[: columns - 1]] + [list(content[columns - 1 :])]
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))
