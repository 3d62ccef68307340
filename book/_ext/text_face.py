"""The faces of the book: Source Serif 4 and Source Sans 3, cut to its characters, on the site.

The fonts come from pip (``fontpkg-source-serif-4`` and its sister) as files of all weights and
sizes, 3 MB. Of these ``fontTools`` makes the faces that ``book.css`` names: three of the text, at
its size, and one of all that is read in passing, of the weights from 400 to 600; without the
characters that no page has, 92 KB in all. Nothing of them is committed, and a page asks no other
site for a font. Their licence goes into the site with them; it reserves the name "Source" for the
whole fonts, so that the faces have another.

Chinese and Japanese stand in the faces of the reader's system: a font of theirs takes megabytes.
No package will do: those for Sphinx link to the fonts of another site.
"""

from __future__ import annotations

import shutil
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NamedTuple

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from sphinx.application import Sphinx

SERIF, SANS = "source_serif_4", "source_sans_3"
ROMAN, ITALIC = "SourceSerif4[opsz,wght].ttf", "SourceSerif4-Italic[opsz,wght].ttf"
SIZE = 16
"""The optical size: letters drawn for text of as many points."""


class Face(NamedTuple):
    """A face: its family, the package and the file, and what of its axes is kept."""

    family: str
    package: str
    file: str
    axes: dict[str, float | tuple[float, float]]

    @property
    def source(self) -> Path:
        """Where pip put the font of which it is cut."""
        return folder(self.package) / "files" / self.file


FACES = {
    "roman": Face("Book Text", SERIF, ROMAN, {"opsz": SIZE, "wght": 400}),
    "bold": Face("Book Text", SERIF, ROMAN, {"opsz": SIZE, "wght": 600}),
    "sans": Face("Book Sans", SANS, "SourceSans3[wght].ttf", {"wght": (400, 600)}),
    "italic": Face("Book Text", SERIF, ITALIC, {"opsz": SIZE, "wght": 400}),
}

CHARACTERS = parse_unicodes(
    "20-7E, A0, A7, B1-B3, B6-B7, B9, BC-BE, C0-FF,"  # Latin, and below letters of names
    "107, 10D, 119, 142, 144, 151, 159, 15F, 161, 17E,"
    "2B2, 2E2-2E3, 1D3A, 1D4F-1D50, 302, 391-3C9,"  # raised letters, a circumflex, Greek
    "2010-2014, 2018-201D, 2026, 202F, 2032-2033,"  # punctuation
    "2070-208E, 2190-2193,"  # raised and lowered digits, arrows
    "2200, 2202-2203, 2206, 2208, 220F, 2211-2212, 221A, 221E, 2229-222B, 2248, 2260-2265, 25CF"
)
"""What is kept, as far as the font has it; a test finds what a page has beside these."""

FEATURES = ["kern", "liga", "mark"]  # figures are lining, and as wide as each other, without more
OWN_NAMES = [1, 4, 6]  # of the face
KEPT_NAMES = [0, *OWN_NAMES, 13, 14]  # and copyright, licence and its address


def folder(package: str) -> Path:
    """The folder in which pip put the fonts of a family."""
    return Path(str(resources.files(f"fontpkg_{package}")))


def cut(face: Face) -> TTFont:
    """One face, with the characters that are kept."""
    font = TTFont(face.source, recalcTimestamp=False)  # two builds, the same bytes
    options = Options(
        hinting=False, layout_features=FEATURES, name_IDs=KEPT_NAMES, notdef_outline=True
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    instantiateVariableFont(font, face.axes, inplace=True)
    for record in font["name"].names:  # which the licence asks of what is not the whole font
        if record.nameID in OWN_NAMES:
            record.string = face.family.replace(" ", "")
    font["name"].names = [name for name in font["name"].names if name.nameID in KEPT_NAMES]
    font.flavor = "woff2"
    return font


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
    maker = Path(__file__).read_text(encoding="utf-8")
    maker += "".join(metadata.version(f"fontpkg_{package}") for package in (SERIF, SANS))
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != maker:
        for name, face in FACES.items():
            cut(face).save(made / f"{name}.woff2")
        stamp.write_text(maker, encoding="utf-8")
    for name in FACES:
        shutil.copyfile(made / f"{name}.woff2", site / f"{name}.woff2")
    for package, name in ((SERIF, "OFL.txt"), (SANS, "OFL-sans.txt")):
        shutil.copyfile(folder(package) / "LICENSE", site / name)


def ask_early(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """Name the faces that the head of the page asks for before anything is drawn.

    One that comes later is not shown, and a heading would have another face than its page.
    """
    faces = (f"_static/text/{face}.woff2" for face in FACES)
    context["text_fonts"] = [context["pathto"](face, resource=True) for face in faces]


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_faces)
    app.connect("html-page-context", ask_early)
