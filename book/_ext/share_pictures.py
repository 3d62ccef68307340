"""The picture that a link to a page shows: the page's first figure, with its title.

A notebook stores each figure as a PNG too. The first one goes onto a card, beside the title and the
name of the book; a wide one below them. Two builds make the same bytes. A page without a figure has
the picture of the book, and so has one in a language for which the faces have no letters.

No package will do: ``sphinxext-opengraph`` draws title and description, and no figure.
"""

from __future__ import annotations

import base64
import io
import json
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

from docutils import nodes
from notebook_pages import notebooks, text_of
from page_language import language_of
from PIL import Image, ImageDraw, ImageFont
from sphinx.application import Sphinx
from text_face import FACES

from gelu_lib.show.style import INK, ORANGE, PAPER

PNG = "image/png"
SIZE, EDGE = (1200, 630), 60
WIDE = 2  # a figure that is wider than so many times its height stands below the title
COLOURS = 64  # of the file; enough for lines and letters
FOLDER = "_static/share"


def first_figure(notebook: Path) -> tuple[Image.Image, str] | None:
    """The first figure that a notebook stores, and its description."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            if PNG in output.get("data", {}):
                stored = base64.b64decode(text_of(output["data"][PNG]))
                alt = output["metadata"].get(PNG, {}).get("alt", "")
                return Image.open(io.BytesIO(stored)).convert("RGBA"), alt
    return None


@cache
def face(name: str, size: int, *axes: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(FACES[name].source, size)
    font.set_variation_by_axes(list(axes))
    return font


def card(figure: Image.Image, title: str, book: str) -> Image.Image:
    """The figure on a card with the title and the name of the book."""
    picture = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(picture)
    width, height = SIZE[0] - 2 * EDGE, SIZE[1] - 2 * EDGE
    wide = figure.width > WIDE * figure.height
    large = face("bold", 56, 600, 60)
    pen.text((EDGE, EDGE - 16), book, ORANGE, face("sans", 28, 600))
    pen.multiline_text((EDGE, EDGE + 30), fill(title, 40 if wide else 17), INK, large, spacing=10)
    room = (width, height - 120) if wide else (580, height)
    scale = min(room[0] / figure.width, room[1] / figure.height)
    shown = figure.resize([round(scale * side) for side in figure.size], Image.Resampling.LANCZOS)
    right, bottom = SIZE[0] - EDGE, SIZE[1] - EDGE
    top = bottom - shown.height - (0 if wide else (height - shown.height) // 2)
    picture.paste(shown, (right - shown.width, top), shown)
    return picture.quantize(COLOURS)


def give_picture(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Make the picture of a page, and give the template its place and its description."""
    context["share"] = "_static/social.png", app.config.html_title
    notebook = notebooks(app.env).get(page)
    if notebook is None or language_of(app.env, page):
        return
    if found := first_figure(notebook):
        figure, alt = found
        place = f"{FOLDER}/{page.rpartition('/')[2]}.png"
        path = Path(app.outdir, place)
        path.parent.mkdir(parents=True, exist_ok=True)
        title, book = app.env.titles[page].astext(), app.config.project
        if title == book:
            book = app.config.html_title.removeprefix(title).strip()
        card(figure, title, book).save(path)
        context["share"] = place, alt


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", give_picture)
