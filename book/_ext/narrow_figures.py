"""Figures as the pages show them: on the paper of the page, and narrow on a phone.

A notebook stores a figure on white, because it may be read on a dark ground. The page has paper of
its own, and turns its figures where that is dark; so the white goes when the notebook is read.

Where a drawing has a narrow variant, a small screen gets that one. A notebook stores both with the
figure (``gelu_lib.show.style``). When the notebook is read, the narrow one becomes a file with the
name that MyST-NB gives to the other; when the page is made, the two become one ``picture``. Without
it the words of a drawing shrink with the drawing.

No package does it: those for responsive images make smaller copies, with smaller words.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from notebook_pages import text_of
from page_parts import svg_size
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from gelu_lib.show.style import NARROW, PAPER

SMALL = "screen and (max-width: 30rem)"
"""The screens that get it; ``book.css`` names the same."""

GROUND = re.compile(rf'(<g id="patch_1">\s*<path d="[^"]*" style="fill: ){PAPER}')
"""The white ground of a figure: the first thing that Matplotlib draws."""


class picture(nodes.General, nodes.Element):
    """A figure with two drawings: its image, and for small screens the one at ``narrow``."""


def take_out(app: Sphinx, docname: str, source: list[str]) -> None:
    """Take the grounds of drawings away, and the narrow ones, which MyST-NB does not know."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        for data in (output.get("data", {}) for output in cell.get("outputs", ())):
            if "image/svg+xml" in data:
                data["image/svg+xml"] = without_ground(text_of(data["image/svg+xml"]))
            if NARROW in data:
                path = narrow_file(app, drawing_name(data["image/svg+xml"]))
                path.parent.mkdir(exist_ok=True)
                path.write_text(text_of(data.pop(NARROW)), encoding="utf-8")
    source[0] = json.dumps(notebook)


def without_ground(drawing: str) -> str:
    """A drawing of Matplotlib that shows what is behind it."""
    return GROUND.sub(r"\1none", drawing)


def drawing_name(drawing: str) -> str:
    """The name that MyST-NB gives to the file of a drawing."""
    stored = "\n".join(drawing.splitlines())
    return f"{hashlib.sha256(stored.encode()).hexdigest()}.svg"


def narrow_file(app: Sphinx, name: str) -> Path:
    return Path(app.doctreedir, "narrow", f"narrow-{name}")


class TwoDrawings(SphinxPostTransform):
    """Put the two drawings of a figure into one element."""

    default_priority = 199  # its frame is made at 198
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        for image in list(self.document.findall(nodes.image)):
            path = narrow_file(self.app, Path(image["uri"]).name)
            if path.exists():
                uri = os.path.relpath(path, self.env.srcdir)
                self.app.builder.images[uri] = path.name  # so that it is copied
                width, height = svg_size(path)
                style = image.parent["attributes"]["style"]
                both = f"{style}; --narrow-width: {width}; --narrow-height: {height}"
                image.parent["attributes"]["style"] = both
                image.parent["classes"].append("has-narrow")
                around = picture("", narrow=path.name)
                image.replace_self(around)
                around.append(image)


def visit_picture(self: HTML5Translator, node: picture) -> None:
    address = f"{self.builder.imgpath}/{node['narrow']}"
    self.body.append(f'<picture><source media="{SMALL}" srcset="{address}">')


def depart_picture(self: HTML5Translator, node: picture) -> None:
    self.body.append("</picture>")


def setup(app: Sphinx) -> None:
    app.add_node(picture, html=(visit_picture, depart_picture))
    app.connect("source-read", take_out)
    app.add_post_transform(TwoDrawings)
