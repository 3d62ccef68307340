"""Tables of a page in parts, each behind a summary, with a form in front that filters their rows.

A notebook shows each table alone, and may name a place for all (``result_list``). Without
JavaScript there is no form, and the parts are shown whole where a browser can, else opened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from docutils import nodes
from result_list import place_of

FOLD = '<details class="entries-fold" id="of-{0}"{1}><summary>{2} <span>({3})</span></summary>'
AT_REST = " open data-open"
"""What a part has that is open while nothing is asked for."""


def rows_of(table: nodes.table) -> list[nodes.row]:
    """The rows of a table without its head."""
    return list(table[0][-1].children)


def first_head(table: nodes.table) -> str:
    """What the first column is called."""
    return table[0][-2][0][0].astext()


def folded(
    table: nodes.table, title_of: Callable[[nodes.row], str], rest: Sequence[str] = ()
) -> list[nodes.Node]:
    """The table in parts, one for each title of rows that follow each other.

    Args:
        table: it loses its rows.
        title_of: the title of the part that a row belongs to.
        rest: the titles of the parts that are open while nothing is asked for.
    """
    parts: list[nodes.Node] = []
    every = rows_of(table)
    table[0][-1].clear()
    for title, group in groupby(every, key=title_of):
        part, rows = table.deepcopy(), list(group)
        part[0][-1] += rows
        slug = title if len(title) == 1 else nodes.make_id(title)
        opened = AT_REST if title in rest else ""
        fold = FOLD.format(slug, opened, title, len(rows))
        parts += [nodes.raw("", fold, format="html"), part]
        parts.append(nodes.raw("", "</details>", format="html"))
    return parts


def put_in_place(
    document: nodes.document, tables: Sequence[nodes.table], parts: Sequence[nodes.Node]
) -> None:
    """Put the parts where the page wants them, or else where the first table is."""
    place = place_of(document)
    for table in tables[0 if place else 1 :]:
        table.parent.remove(table)
    (place or tables[0]).replace_self(list(parts))
