"""The face of figures: Source Sans 3, as Matplotlib can read it.

The package has two variable fonts, whose default weight is extra light, and Matplotlib draws a font
at its default. So each is cut to the characters of figures and set to the regular weight, once for
an installation, in Matplotlib's own folder for what it makes once.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from importlib import resources
from pathlib import Path

import matplotlib as mpl
from matplotlib import font_manager

FIGURE_FACE = "Source Sans 3"
WEIGHT = 400
CHARACTERS = (
    "20-7E,A0-17E,2B0-2FF,300-30C,391-3D6,"  # Latin, accents, Greek
    "2010-202F,2032-2033,2070-209F,2190-22FF"  # punctuation, small digits, arrows, mathematics
)


def add_face(package: str) -> bool:
    """Let Matplotlib find the face, if the package that has it is there; whether it is."""
    try:
        files = resources.files(package) / "files"
    except ModuleNotFoundError:
        return False
    for file in sorted(map(str, files.iterdir())):
        font_manager.fontManager.addfont(_regular(Path(file)))
    return True


def _regular(file: Path) -> Path:
    """A font of the regular weight alone, made of a variable one if that was not done yet."""
    made_of = hashlib.sha256(file.read_bytes() + f"{WEIGHT} {CHARACTERS}".encode()).hexdigest()
    made = Path(mpl.get_cachedir(), f"{file.stem.partition('[')[0]}-{made_of[:16]}.ttf")
    if not made.exists():
        handle, unfinished = tempfile.mkstemp(dir=made.parent)
        os.close(handle)
        _cut(file, unfinished)
        os.replace(unfinished, made)  # two kernels may make it at once; either is whole
    return made


def _cut(file: Path, target: str) -> None:
    # Matplotlib brings fontTools; it is slow to import, and needed once
    from fontTools.subset import Options, Subsetter, parse_unicodes
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font = TTFont(file, recalcTimestamp=False)
    options = Options(hinting=False, layout_features=["kern", "mark"], notdef_outline=True)
    options.name_IDs = ["*"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(CHARACTERS))
    subsetter.subset(font)
    instantiateVariableFont(font, {"wght": WEIGHT}, inplace=True, updateFontNames=True)
    font.save(target)
