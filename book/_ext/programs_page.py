"""The programs that ship a GELU: folded by kind, with the swaps, and a form that filters both."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from folded_rows import first_head, folded, put_in_place, rows_of
from result_list import form
from result_places import FOLDER
from sphinx.transforms.post_transforms import SphinxPostTransform

from gelu_lib.provenance.atlas.frameworks import DEFAULTS, PROGRAM_GROUPS, atlas

PROGRAMS_PAGE = FOLDER + "frameworks"
PROGRAMS, SWAPS = "program", "where"  # the first heads of the two tables
SWAPS_TITLE = "Swaps in silence"


class ProgramsFilter(SphinxPostTransform):
    """Fold the table of programs by kind and that of swaps whole, with their form in front."""

    default_priority = 190
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        if self.env.docname != PROGRAMS_PAGE:
            return
        tables = {first_head(table): table for table in self.document.findall(nodes.table)}
        programs, swaps = tables[PROGRAMS], tables[SWAPS]
        found = [form_in(row) for table in (programs, swaps) for row in rows_of(table)]
        body, order = programs[0][-1], list(PROGRAM_GROUPS.values())
        body.children.sort(key=lambda row: order.index(kind_of(row)))
        parts = [
            form("entries", "Form", DEFAULTS, found, "Kind", "Program, call or model"),
            *folded(programs, kind_of, order[:1]),
            *folded(swaps, lambda row: SWAPS_TITLE),
        ]
        put_in_place(self.document, [programs, swaps], parts)


def form_in(row: nodes.row) -> str:
    """The form that a row is about, which is the second thing in it that stands out."""
    return list(row.findall(nodes.strong))[1].astext()


def kind_of(row: nodes.row) -> str:
    """What kind of program a row is about, which leads to its row of the atlas."""
    link = row.next_node(nodes.reference)
    address = link.get("refid") or link["refuri"]
    return PROGRAM_GROUPS[atlas()[address.rpartition("framework-")[2]].group]
