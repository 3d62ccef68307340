"""Ordinary links of Markdown between the pages, with every address checked.

``[words](results.md#ID)`` leads to any place of a page that has an address: a heading, a result,
an equation, a figure, a term, an entry of the bibliography. An address that the page does not have
is a warning, which the strict build makes an error. A link to a file in ``_static``, which may be
made with the site, or to one of the test vectors, as
``[README](../gelu_lib/data/vectors/README.txt)``, leads to the file where the site has it. A bare
0.044715 or 1.702 leads to its answer, the optimum that it rounds. Equations are numbered by page,
so one of another page is "(3) of What GELU is", or "(3)" right behind a link to that page.

No package will do: MyST knows the addresses of headings alone, and copies files to another place.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from result_places import RESULTS_PAGE, page_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.osutil import relative_uri

from gelu_lib import register
from gelu_lib.show.marks import FORM_CONSTANTS

logger = logging.getLogger(__name__)

PUBLISHED = {"_static/": "_static/", "../gelu_lib/data/vectors/": "_static/test-vectors/"}
"""Where the site has the files of a folder."""
ADDRESSES = "addresses"
"""What Sphinx keeps of a page that has been read: all its addresses."""
HTML_ADDRESS = re.compile(r'\bid="([^"]+)"')  # of the rows of a table that a cell shows


class static_file(nodes.inline):
    """A link to a file of the site, made when the place of the page is known."""


class KeepFiles(SphinxTransform):
    """Take links to the files of the site from MyST, which would copy them, or miss them."""

    default_priority = 300

    def apply(self, **kwargs: Any) -> None:
        kinds = addnodes.download_reference | addnodes.pending_xref
        for node in [node for node in self.document.findall() if isinstance(node, kinds)]:
            for here, there in PUBLISHED.items():
                if (target := node["reftarget"]).startswith(here):
                    file = there + target.removeprefix(here)
                    node.replace_self(static_file("", "", *node[0].children, file=file))


def note_addresses(app: Sphinx, document: nodes.document) -> None:
    found = {id for e in document.findall(nodes.Element) for id in e.get("ids", ())}
    found |= {
        id for raw in document.findall(nodes.raw) for id in HTML_ADDRESS.findall(raw.astext())
    }
    app.env.metadata[app.env.docname][ADDRESSES] = found


class ResolveLinks(SphinxPostTransform):
    """Lead links to their places."""

    default_priority = 8  # before MyST, at 9, which warns of what it does not know

    def run(self, **kwargs: Any) -> None:
        links = list(self.document.findall(addnodes.pending_xref))
        if self.on_site:
            for node in reversed(links):  # while what stands before it is what was written
                self.number(node)
        for node in links:
            if node["reftype"] == "myst":
                self.resolve(node)
        for node in list(self.document.findall(static_file)):
            up = relative_uri(self.app.builder.get_target_uri(self.env.docname), node["file"])
            node.replace_self(self.reference(node.children, up) if self.on_site else node.children)

    def number(self, node: addnodes.pending_xref) -> None:
        """Give the number of an equation of another page the title of that page, said once."""
        page, number = self.equation(node)
        before = node.parent[: node.parent.index(node)]
        before = [part for part in before if isinstance(part, addnodes.pending_xref)]
        named = before and (before[-1]["reftarget"], self.equation(before[-1])[0])
        if page not in ("", self.env.docname, *(named or ())):
            words = nodes.Text(f"({number}) of {self.env.titles[page].astext()}")
            uri = self.app.builder.get_relative_uri(self.env.docname, page)
            node.replace_self(self.reference([words], f"{uri}#equation-{node['reftarget']}"))

    def equation(self, node: addnodes.pending_xref) -> tuple[str, int]:
        """The page and the number of the equation that a link names; no page if it names none."""
        known = self.env.get_domain("math").equations
        return known.get(node["reftarget"], ("", 0)) if node["refdomain"] == "math" else ("", 0)

    def resolve(self, node: addnodes.pending_xref) -> None:
        here = node.get("refdoc", self.env.docname)
        if node["refdomain"] == "doc":
            page, anchor = node["reftarget"], node["reftargetid"]
        else:
            page, anchor = here, node["reftarget"]
        known = self.env.metadata.get(page, {}).get(ADDRESSES, set())
        if not anchor or (anchor not in known and page == here and node["refdomain"] != "doc"):
            return  # MyST's
        if anchor not in known:
            logger.warning("%s has no address #%s", page, anchor, location=node)
        node.replace_self(self.link(node[0].children, here, page, anchor))

    def link(
        self, words: list[nodes.Node], here: str, page: str, anchor: str
    ) -> nodes.Node | list[nodes.Node]:
        if page == RESULTS_PAGE and anchor in register.results():
            entry = register.result(anchor)
            if "".join(word.astext() for word in words) in FORM_CONSTANTS:
                entry = register.result(
                    entry.of or anchor
                )  # why it is this number, not who wrote it
            page, anchor = page_of(entry), entry.id  # the box, to which the page of results leads
        if self.on_site:
            uri = self.app.builder.get_relative_uri(here, page)
            return self.reference(words, f"{uri}#{anchor}")
        if anchor.startswith("equation-"):
            label = f"equation:{page}:{anchor.removeprefix('equation-')}"
            before, after = (
                nodes.raw("", tex, format="latex") for tex in (rf"\hyperref[{label}]{{", "}")
            )
            return [before, *words, after]
        return self.reference(words, f"%{page}#{anchor}")

    def reference(self, words: list[nodes.Node], uri: str) -> nodes.reference:
        return nodes.reference("", "", *words, refuri=uri, internal=True)

    @property
    def on_site(self) -> bool:
        return self.app.builder.format == "html"


def setup(app: Sphinx) -> None:
    app.add_node(static_file)
    app.add_transform(KeepFiles)
    app.add_post_transform(ResolveLinks)
    app.connect("doctree-read", note_addresses)
