"""The face of the text: it is served by the site, with its licence, and lacks no character."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from text_face import FACES

SHEET = (Path(__file__).resolve().parents[2] / "book" / "_static" / "book.css").read_text("utf-8")
MOST = 100 * 1024  # bytes of all faces
"""What is not running text, or stands in another face."""


@pytest.fixture(scope="module")
def faces(site) -> dict[str, TTFont]:
    return {name: TTFont(site / "_static" / "text" / f"{name}.woff2") for name in FACES}


def test_the_site_serves_the_faces_and_a_page_asks_for_them_at_once(site, faces):
    named = re.findall(r'src: url\("text/(\w+)\.woff2"\)', SHEET)
    assert sorted(named) == sorted(FACES)
    folder = site / "_static" / "text"
    assert sum((folder / f"{name}.woff2").stat().st_size for name in FACES) < MOST
    for licence in ("OFL.txt", "OFL-sans.txt"):
        assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / licence).read_text("utf-8")
    head = (site / "book" / "index.html").read_text("utf-8").partition("</head>")[0]
    assert {name for name in FACES if f"text/{name}.woff2" in head} == set(FACES)


def test_what_is_cut_does_not_bear_the_name_that_the_licence_reserves(faces):
    for name, font in faces.items():
        names = {record.nameID: str(record) for record in font["name"].names}
        assert "Reserved Font Name ‘Source’" in names[0] and "Open Font License" in names[13]
        assert names[1] == FACES[name].family.replace(" ", "")
        assert not any("Source" in text for number, text in names.items() if number != 0)
