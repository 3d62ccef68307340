"""What stands around the text of a page: title block, note in the margin, and the way on.

The notebooks say it in plain Markdown, so that every program shows it:

* the first paragraph under the title is the finding, if it is short and has no links; of a chapter
  the template says below it who wrote it, when, and under which licence;
* ``*After this page you can*`` with its list, and ``*You should know:*``, go into the margin;
* of ``**Next on the path** (3 of 5): [Title](page.ipynb). A sentence.`` the sentence goes onto the
  card at the page's end, whose page is that of ``navigation``.

No package will do: the title blocks of themes are filled from metadata, which Jupyter hides.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from notebook_pages import notebooks
from page_head import LONGEST, line_of
from page_parts import element
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

GOALS, KNOWN = "After this page you can", "You should know:"
BYLINE = "<!-- byline -->"
"""The place of what the template says of every chapter."""
WAY_ON = re.compile(r"Next on the path \(\d of \d\): ")


class TitleBlock(SphinxPostTransform):
    """Put what a page says of itself into its place."""

    default_priority = 197  # links lead somewhere, and tables have no frames yet
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        section = self.document.next_node(nodes.section)
        if section is None:
            return
        self.document["pull"] = pull(self.document)
        note = margin_note(section)
        shown = [p for p in section if not isinstance(p, nodes.title | nodes.Invisible)]
        above = section.next_node(nodes.title)
        if shown and is_finding(shown[0]):
            shown[0]["classes"].append("finding")
            asked = self.env.docname == self.config.root_doc  # about the line of code below it
            above = shown[asked and isinstance(shown[1], nodes.literal_block)]
        parts = (
            [nodes.raw("", BYLINE, format="html")]
            if self.env.docname in notebooks(self.env)
            else []
        )
        parts += [element("aside", *note, classes="margin-note")] if note else []
        place = section.index(above) + 1
        section[place:place] = parts


def is_finding(node: nodes.Node) -> bool:
    """Whether a node is a short paragraph without links that leads to nothing below it."""
    if not isinstance(node, nodes.paragraph) or node.next_node(nodes.reference):
        return False
    text = line_of(node).strip()
    return len(text) <= LONGEST and not text.startswith((GOALS, KNOWN)) and text[-1:] != ":"


def margin_note(section: nodes.section) -> list[nodes.Node]:
    """Take the goals of a page, and what one should know, from its opening."""
    paragraphs = [part for part in section if isinstance(part, nodes.paragraph)]
    taken: list[nodes.Node] = []
    for words in (GOALS, KNOWN):
        for part in paragraphs:
            if part.astext().startswith(words):
                after = part.next_node(descend=False, siblings=True)
                listed = words == GOALS and isinstance(after, nodes.bullet_list)
                taken += [part, after] if listed else [part]
    for part in taken:
        section.remove(part)
    return taken


def pull(document: nodes.document) -> str:
    """Take the way on from a page: the sentence that draws the reader on; empty without one."""
    for part in document.findall(nodes.paragraph):
        if WAY_ON.match(part.astext()) and (link := part.next_node(nodes.reference)):
            part.parent.remove(part)
            return "".join(map(line_of, part[part.index(link) + 1 :])).lstrip(". ")
    return ""


def setup(app: Sphinx) -> None:
    app.setup_extension("page_parts")
    app.add_post_transform(TitleBlock)
