"""The face of the text: it is served by the site, with its licence, and lacks no character."""

import re
from pathlib import Path

import matplotlib
import page_checks
import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from page_loads import PHONE
from site_checks import pages
from text_face import FACES, FAMILY, ITALIC, ROMAN, package

SHEET = (Path(__file__).resolve().parents[2] / "book" / "_static" / "book.css").read_text("utf-8")
MOST = 100 * 1024  # bytes of all faces
ELSEWHERE = "script, style, head, pre, code, .katex, [lang^=zh], [lang^=ja]"
"""What is not running text, or stands in another face."""


@pytest.fixture(scope="module")
def faces(site) -> dict[str, TTFont]:
    return {name: TTFont(site / "_static" / "text" / f"{name}.woff2") for name in FACES}


def running_text(soup: BeautifulSoup) -> set[str]:
    """The characters of a page that are set in the face of the text or might be."""
    apart = {id(text) for part in soup.select(ELSEWHERE) for text in part.find_all(string=True)}
    return {c for text in soup.find_all(string=True) if id(text) not in apart for c in text}


def lost(text: set[str], face: TTFont, whole: TTFont) -> set[str]:
    """The characters of a text that the whole font has, and the face that was cut from it not."""
    return {c for c in text if ord(c) in whole.getBestCmap() and ord(c) not in face.getBestCmap()}


def test_the_site_serves_the_faces_and_their_licence(site, faces):
    named = re.findall(r'src: url\("text/(\w+)\.woff2"\)', SHEET)
    assert sorted(named) == sorted(FACES)
    folder = site / "_static" / "text"
    assert sum((folder / f"{name}.woff2").stat().st_size for name in FACES) < MOST
    assert "SIL OPEN FONT LICENSE Version 1.1" in (folder / "OFL.txt").read_text("utf-8")


def test_what_is_cut_does_not_bear_the_name_that_the_licence_reserves(faces):
    for font in faces.values():
        names = {record.nameID: str(record) for record in font["name"].names}
        assert "Reserved Font Name ‘Source’" in names[0] and "Open Font License" in names[13]
        assert names[1] == FAMILY
        assert not any("Source" in text for number, text in names.items() if number != 0)


@pytest.mark.parametrize("file", [ROMAN, ITALIC])
def test_no_character_of_the_running_text_is_lost(site, faces, file):
    whole = TTFont(package() / "files" / file)
    cut_of_it = [faces[name] for name, (source, _) in FACES.items() if source == file]
    text = {page: running_text(soup) for page, soup in pages(site)}
    for face in cut_of_it:
        found = {page: lost(characters, face, whole) for page, characters in text.items()}
        assert {page: characters for page, characters in found.items() if characters} == {}


def test_a_character_that_was_cut_off_is_found(faces):
    soup = BeautifulSoup("<p>Ж é <code>Я</code> <span lang=zh>中</span></p>", "html.parser")
    assert running_text(soup) == set("Ж é")
    whole = TTFont(package() / "files" / ROMAN)
    assert lost(running_text(soup), faces["roman"], whole) == {"Ж"}


# ---- What stands in its place until it is there


def stand_ins() -> dict[str, dict[str, float]]:
    """The numbers of each face that stands in for the text's, by its name."""
    found = {}
    for body in re.findall(r"@font-face \{([^}]*local[^}]*)\}", SHEET):
        numbers = re.findall(r"([\w-]+): ([\d.]+)%;", body)
        found[re.search(r'"Book Text in (\w+)"', body)[1]] = {k: float(v) for k, v in numbers}
    return found


def average(font: TTFont, text: str) -> float:
    """The average width of the characters of a text, in parts of the font's size."""
    cmap, widths = font.getBestCmap(), font["hmtx"]
    each = [widths[cmap[ord(c)]][0] for c in text if ord(c) in cmap]
    return sum(each) / len(each) / font["head"].unitsPerEm


def test_a_line_of_what_stands_in_is_as_high(faces):
    lines = faces["roman"]["hhea"]
    assert len(stand_ins()) == 3
    for numbers in stand_ins().values():
        scale = numbers["size-adjust"] / 100
        assert numbers["ascent-override"] * scale == pytest.approx(lines.ascent / 10, abs=0.1)
        assert numbers["descent-override"] * scale == pytest.approx(-lines.descent / 10, abs=0.1)
        assert numbers["line-gap-override"] == lines.lineGap == 0


def test_a_line_of_what_stands_in_is_as_long(site, faces):
    """Of the three, DejaVu is at hand: Matplotlib brings it."""
    page = BeautifulSoup((site / "book" / "gelu.html").read_text("utf-8"), "html.parser")
    text = " ".join(p.get_text() for p in page.select("article p:not(:has(.katex, code))"))
    other = TTFont(Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSerif.ttf"))
    stated = stand_ins()["DejaVu"]["size-adjust"] / 100
    assert average(other, text) * stated == pytest.approx(average(faces["roman"], text), rel=0.01)


@pytest.mark.browser
@pytest.mark.parametrize("width", [PHONE, 1280])
def test_a_face_that_comes_late_moves_nothing(page_at, width):
    page = page_at(width, alone=True)

    def late(route):
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/text/*.woff2", late)
    page.goto("book/gelu.html")
    assert page.evaluate("[...document.fonts].some(face => face.family.includes('Book Text'))")
    assert page_checks.shifts(page, limit=0) == []
