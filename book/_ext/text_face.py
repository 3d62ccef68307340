"""The face of the text: Source Serif 4, cut to the characters of the book and served by the site.

The fonts come from pip (``fontpkg-source-serif-4``) as two files of all weights and sizes, 2 MB.
Of these ``fontTools`` makes the three faces that ``book.css`` names, at the size of running text
and without the characters that no page has, 79 KB in all. Nothing of them is committed, and a page
asks no other site for a font. Their licence goes into the site with them; it reserves the name
"Source" for the whole fonts, so that the faces have another.

Chinese and Japanese stand in the faces of the reader's system: a font of theirs takes megabytes.
No package will do: those for Sphinx link to the fonts of another site.
"""

from __future__ import annotations

import shutil
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from sphinx.application import Sphinx

FAMILY = "Book Text"
ROMAN, ITALIC = "SourceSerif4[opsz,wght].ttf", "SourceSerif4-Italic[opsz,wght].ttf"
FACES = {"roman": (ROMAN, 400), "bold": (ROMAN, 600), "italic": (ITALIC, 400)}
"""The file and the weight of each face."""

SIZE = 16
"""The optical size: letters drawn for text of as many points."""

CHARACTERS = parse_unicodes(
    "20-7E, A0-FF,"  # Latin, of European languages too, and below those of names
    "104-107, 10C-10F, 118-11B, 141-144, 150-153, 158-161, 16E-171, 178-17E,"
    "2B0-2B8, 2E0-2E3, 1D43-1D5B,"  # raised letters
    "300-30C, 391-3C9,"  # accents by themselves, Greek
    "2010-202F, 2032-2033, 2070-209F,"  # punctuation, raised and lowered digits
    "2190-22FF"  # arrows and mathematical signs
)
"""What is kept, as far as the font has it."""

FEATURES = ["kern", "liga", "mark"]
KEPT_NAMES = [0, 1, 2, 4, 6, 13, 14]  # copyright, the names of the face, licence and its address


def package() -> Path:
    """The folder in which pip put the fonts."""
    return Path(str(resources.files("fontpkg_source_serif_4")))


def cut(file: str, weight: int) -> TTFont:
    """One face: of one weight, at the size of running text, with the characters that are kept."""
    font = TTFont(package() / "files" / file, recalcTimestamp=False)  # two builds, the same bytes
    options = Options(
        hinting=False, layout_features=FEATURES, name_IDs=KEPT_NAMES, notdef_outline=True
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    instantiateVariableFont(font, {"opsz": SIZE, "wght": weight}, inplace=True)
    rename(font, weight)
    font.flavor = "woff2"
    return font


def rename(font: TTFont, weight: int) -> None:
    """Give a face a name of its own, as the licence asks of what is not the whole font."""
    style = "Italic" if font["post"].italicAngle else "Regular" if weight == 400 else "Bold"
    own = {1: FAMILY, 2: style, 4: f"{FAMILY} {style}", 6: f"{FAMILY}-{style}".replace(" ", "")}
    for record in font["name"].names:
        record.string = own.get(record.nameID, record.string)
    font["name"].names = [name for name in font["name"].names if name.nameID in KEPT_NAMES]


def write_faces(app: Sphinx) -> None:
    """Put the faces and their licence into the site.

    They are made once for a folder of parsed pages, and again for another version of the fonts.
    """
    if app.builder.format != "html":
        return
    made = Path(app.doctreedir, "text-face")
    site = Path(app.outdir, "_static", "text")
    made.mkdir(parents=True, exist_ok=True)
    site.mkdir(parents=True, exist_ok=True)
    stamp = made / "made-by"
    maker = Path(__file__).read_text(encoding="utf-8") + metadata.version("fontpkg-source-serif-4")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != maker:
        for name, (file, weight) in FACES.items():
            cut(file, weight).save(made / f"{name}.woff2")
        stamp.write_text(maker, encoding="utf-8")
    for name in FACES:
        shutil.copyfile(made / f"{name}.woff2", site / f"{name}.woff2")
    shutil.copyfile(package() / "LICENSE", site / "OFL.txt")


def ask_early(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Name the faces that the head of the page asks for before anything is drawn.

    One that comes later is not shown, and a heading would have another face than its page.
    """
    faces = (f"_static/text/{face}.woff2" for face in FACES)
    context["text_fonts"] = [context["pathto"](face, resource=True) for face in faces]


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_faces)
    app.connect("html-page-context", ask_early)
